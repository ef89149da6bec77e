//! Keeps the rows that come on one stream under the request that opened it.

use serde_json::json;
use sightglass_inspector::TrafficQuery;
use sightglass_tests::{TestHost, programs};

#[tokio::test(flavor = "multi_thread")]
async fn notifications_of_one_subscription_stand_under_the_request_that_opened_it() {
    for over_http in [false, true] {
        let listening = over_http.then(|| programs::demo_over_http(&[]));
        let entry = match &listening {
            Some(listening) => {
                let url = format!("http://127.0.0.1:{}/mcp", listening.port());
                json!({ "type": "http", "url": url, "era": "modern" })
            }
            None => {
                json!({ "command": programs::own("sightglass-demo-server"), "era": "modern" })
            }
        };
        let host = TestHost::with_servers(json!({ "modern": entry }));
        let server = TestHost::id("modern");
        host.connect(&server).await;
        host.inspector
            .calls
            .requests
            .subscribe_resource(&server, "demo://counter")
            .await
            .expect("subscribed");
        for _ in 0..3 {
            host.call(&server, "touch_resource", "{}").await;
        }
        let mut revisions = host.inspector.core.record().watch();
        let updates = loop {
            let rows = host
                .traffic("method:notifications/resources/updated", &[])
                .await;
            if rows.len() >= 3 {
                break rows;
            }
            revisions.changed().await.expect("the record is open");
        };
        let opened = host.traffic("method:subscriptions/listen", &[]).await;
        let opener = opened.last().expect("opened").id;
        for update in &updates {
            assert_eq!(update.parent, Some(opener), "{over_http}: {update:?}");
        }
        let query = TrafficQuery {
            folded: vec![opener],
            ..TrafficQuery::default()
        };
        let page = host
            .inspector
            .core
            .record()
            .window(query, 0, 1000)
            .await
            .expect("readable");
        let folded = page
            .rows
            .iter()
            .find(|row| row.id == opener)
            .expect("shown");
        assert!(folded.folded_rows >= 3, "{folded:?}");
        assert!(page.rows.iter().all(|row| row.parent != Some(opener)));
    }
}
