//! The record: complete, searchable, there after a restart, free of secrets.

use serde_json::json;
use sightglass_inspector::{ExchangeKind, Outcome, PayloadForm, PayloadQuery, ServerId};
use sightglass_tests::{TestHost, programs};

#[tokio::test(flavor = "multi_thread")]
async fn a_call_is_on_record_and_still_there_after_a_restart_with_no_server() {
    let host = TestHost::new();
    let demo = ServerId::demo();
    host.connect(&demo).await;
    host.call(&demo, "echo", r#"{"message":"a needle in the record"}"#)
        .await;
    let host = host.restart().await;
    let rows = host
        .traffic("needle method:tools/call", &[ExchangeKind::Request])
        .await;
    assert_eq!(rows.len(), 1);
    let row = &rows[0];
    assert_eq!((row.target.as_str(), row.outcome), ("echo", Outcome::Ok));
    let query = PayloadQuery {
        frame: row.response_frame.expect("answered"),
        pointer: String::new(),
        form: PayloadForm::Raw,
    };
    let text = host
        .inspector
        .record
        .reader
        .payload_text(None, query)
        .await
        .expect("readable");
    assert!(text.contains("a needle in the record"), "{text}");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_burst_of_notifications_is_complete_and_in_order() {
    const COUNT: u32 = 20_000;
    let host = TestHost::new();
    let demo = ServerId::demo();
    host.connect(&demo).await;
    host.call(&demo, "log_burst", &json!({ "count": COUNT }).to_string())
        .await;
    let query = sightglass_inspector::TrafficQuery {
        kinds: vec![ExchangeKind::Log],
        ..Default::default()
    };
    let mut sequence = 0;
    let total = {
        let window = loop {
            let window = host
                .inspector
                .core
                .record()
                .window(query.clone(), 0, 1)
                .await
                .expect("readable");
            if window.complete {
                break window;
            }
        };
        window.total
    };
    assert_eq!(total, COUNT);
    let mut offset = total;
    while offset > 0 {
        let limit = offset.min(500);
        offset -= limit;
        let window = host
            .inspector
            .core
            .record()
            .window(query.clone(), offset, limit)
            .await
            .expect("readable");
        for row in window.rows {
            let payload = host
                .inspector
                .core
                .record()
                .payload(row.request_frame)
                .await
                .expect("on record");
            let message: serde_json::Value = serde_json::from_slice(&payload).expect("JSON");
            assert_eq!(message["params"]["data"]["seq"], sequence);
            sequence += 1;
        }
    }
    assert_eq!(sequence, COUNT);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_configured_secret_never_reaches_the_disk() {
    const SECRET: &str = "sg-test-5ecret-4711";
    let http = programs::demo_over_http(&[]);
    let host = TestHost::with_environment(
        json!({
            "http": { "url": http.url, "headers": { "Authorization": "Bearer ${TOKEN}", "X-Plain": "plain" } },
            "stdio": { "command": programs::own("sightglass-demo-server"), "env": { "API_KEY": "${TOKEN}" } },
        }),
        [("TOKEN", SECRET)],
    );
    for name in ["http", "stdio"] {
        let server = TestHost::id(name);
        host.connect(&server).await;
        host.call(
            &server,
            "echo",
            &json!({ "message": format!("said {SECRET} aloud") }).to_string(),
        )
        .await;
    }
    let rows = host.traffic("", &[ExchangeKind::Http]).await;
    assert!(!rows.is_empty());
    let detail = host
        .inspector
        .core
        .record()
        .detail(rows[0].id)
        .await
        .expect("there")
        .http
        .expect("HTTP");
    assert!(
        detail
            .request_headers
            .iter()
            .any(|(name, _)| name.eq_ignore_ascii_case("authorization"))
    );

    host.inspector.shutdown().await;
    let mut files = 0;
    for path in files_below(&host.data().join("record")) {
        let bytes = std::fs::read(&path).expect("readable");
        let found = bytes
            .windows(SECRET.len())
            .any(|window| window == SECRET.as_bytes());
        assert!(!found, "{} holds the secret", path.display());
        files += 1;
    }
    assert!(files > 0);
}

fn files_below(directory: &std::path::Path) -> Vec<std::path::PathBuf> {
    let mut found = Vec::new();
    for entry in std::fs::read_dir(directory).expect("readable").flatten() {
        if entry.path().is_dir() {
            found.extend(files_below(&entry.path()));
        } else {
            found.push(entry.path());
        }
    }
    found
}

#[tokio::test(flavor = "multi_thread")]
async fn a_text_is_handed_over_whole_though_its_lines_are_long_and_many() {
    let host = TestHost::new();
    let demo = ServerId::demo();
    host.connect(&demo).await;
    let message = format!("{}\n{}", "x".repeat(5_000), "line\n".repeat(12_000));
    let report = host
        .call(&demo, "echo", &json!({ "message": message }).to_string())
        .await;
    let query = PayloadQuery {
        frame: report.request.request_frame.expect("sent"),
        pointer: "/params/arguments/message".to_owned(),
        form: PayloadForm::Text,
    };
    let text = host
        .inspector
        .record
        .reader
        .payload_text(None, query.clone())
        .await;
    assert!(text.expect("readable") == message);
    let found = host
        .inspector
        .record
        .reader
        .search_payload(None, query, "NE\n".to_owned())
        .await;
    assert_eq!(found.expect("readable").total, 0);
}
