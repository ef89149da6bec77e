//! Rows of the record that a person marks, and rows of one stream that stand together.

use serde_json::json;
use sightglass_inspector::{ExchangeKind, ServerId, TrafficQuery, view::SessionState};
use sightglass_tests::{TestHost, programs};

#[tokio::test(flavor = "multi_thread")]
async fn a_bookmark_is_found_by_its_note_and_goes_with_its_row() {
    let host = TestHost::new();
    let server = ServerId::demo();
    host.connect(&server).await;
    for message in ["one", "two", "three"] {
        host.call(&server, "echo", &json!({ "message": message }).to_string())
            .await;
    }
    let rows = host
        .traffic("method:tools/call", &[ExchangeKind::Request])
        .await;
    let set = async |host: &TestHost, row: usize, note: Option<&str>| {
        let note = note.map(str::to_owned);
        host.inspector
            .set_bookmark(rows[row].id, note)
            .await
            .expect("on record");
    };
    let found = async |host: &TestHost, filter: &str| -> Vec<(u32, Option<String>)> {
        let rows = host.traffic(filter, &[]).await;
        rows.into_iter()
            .map(|row| (row.id.0, row.bookmark))
            .collect()
    };
    // The search is there before the bookmarks are.
    assert_eq!(found(&host, "is:bookmarked").await, []);
    set(&host, 0, Some("")).await;
    set(&host, 1, Some("Wrong Answer, ask Ada")).await;
    set(&host, 2, Some("third")).await;
    set(&host, 2, None).await;
    let both = [
        (rows[0].id.0, Some(String::new())),
        (rows[1].id.0, Some("Wrong Answer, ask Ada".to_owned())),
    ];
    assert_eq!(found(&host, "is:bookmarked").await, both);
    assert_eq!(found(&host, "note:\"wrong answer\"").await, both[1..]);
    assert_eq!(
        found(&host, "-is:bookmarked method:tools/call").await.len(),
        1
    );
    let detail = host
        .inspector
        .record()
        .detail(rows[1].id)
        .await
        .expect("there");
    assert_eq!(detail.row.bookmark, both[1].1);

    let host = host.restart().await;
    assert_eq!(found(&host, "is:bookmarked").await, both);
    host.connect(&server).await;

    // A file takes them along, and a session shows them.
    let path = host.path("session.ndjson");
    host.export(&server, &path).await.expect("written");
    let session = host.inspector.open_session(&path).await.expect("opened");
    let view = host.eventually("the session", || {
        let views = host.inspector.sessions();
        views
            .into_iter()
            .find(|view| view.id == session.id && view.state == SessionState::Loaded)
    });
    view.await;
    let record = host.inspector.session_record(session.id).expect("open");
    let query = TrafficQuery {
        filter: "note:ada".to_owned(),
        ..TrafficQuery::default()
    };
    let page = record.window(query, 0, 10).await.expect("readable");
    assert_eq!(page.rows.len(), 1);
    assert_eq!(page.rows[0].bookmark, both[1].1);

    host.inspector
        .clear_server_traffic(&server)
        .await
        .expect("cleared");
    assert_eq!(found(&host, "is:bookmarked").await, []);
    let host = host.restart().await;
    assert_eq!(found(&host, "is:bookmarked").await, []);
    let gone = host
        .inspector
        .set_bookmark(rows[0].id, Some(String::new()))
        .await;
    assert!(gone.is_err());
}

#[tokio::test(flavor = "multi_thread")]
async fn notifications_of_one_subscription_stand_under_the_request_that_opened_it() {
    for over_http in [false, true] {
        let listening = over_http.then(|| programs::demo_over_http(&[]));
        let entry = match &listening {
            Some(listening) => {
                let url = format!("http://127.0.0.1:{}/mcp", listening.port());
                json!({ "type": "http", "url": url, "era": "modern" })
            }
            None => json!({ "command": programs::own("sightglass-demo-server"), "era": "modern" }),
        };
        let host = TestHost::with_servers(json!({ "modern": entry }));
        let server = TestHost::id("modern");
        host.connect(&server).await;
        host.inspector
            .subscribe_resource(&server, "demo://counter")
            .await
            .expect("subscribed");
        for _ in 0..3 {
            host.call(&server, "touch_resource", "{}").await;
        }
        let mut revisions = host.inspector.record().watch();
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
