//! Puts bookmarks with notes on rows, and finds them again after a restart and in a file.

use serde_json::json;
use sightglass_inspector::{ErrorCode, ExchangeKind, ServerId, TrafficQuery, view::SessionState};
use sightglass_tests::TestHost;

/// A token as nobody should find it in a file that is handed on.
const SECRET: &str = "sk-live-0123456789abcdef0123456789abcdef";

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
            .record
            .recording
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
    set(&host, 0, Some(&format!("Authorization: Bearer {SECRET}"))).await;
    set(&host, 1, Some("Wrong Answer, ask Ada")).await;
    set(&host, 2, Some("")).await;
    set(&host, 2, None).await;
    // A note has an end, and one that goes beyond it changes nothing.
    let too_long = host
        .inspector
        .record
        .recording
        .set_bookmark(rows[1].id, Some("x".repeat(2_001)));
    let refused = too_long.await.expect_err("too long");
    assert_eq!(refused.code(), ErrorCode::InvalidInput);
    let both = [
        (
            rows[0].id.0,
            Some(format!("Authorization: Bearer {SECRET}")),
        ),
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
        .core
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
    let session = host
        .inspector
        .record
        .sessions
        .open_session(&path)
        .await
        .expect("opened");
    let view = host.eventually("the session", || {
        let views = host.inspector.record.sessions.sessions();
        views
            .into_iter()
            .find(|view| view.id == session.id && view.state == SessionState::Loaded)
    });
    view.await;
    let written = std::fs::read_to_string(host.path("session.ndjson")).expect("readable");
    assert!(!written.contains(SECRET), "a secret in a note is masked");
    let record = host
        .inspector
        .record
        .sessions
        .session_record(session.id)
        .expect("open");
    let query = TrafficQuery {
        filter: "note:ada".to_owned(),
        ..TrafficQuery::default()
    };
    let page = record.window(query, 0, 10).await.expect("readable");
    assert_eq!(page.rows.len(), 1);
    assert_eq!(page.rows[0].bookmark, both[1].1);

    host.inspector
        .record
        .recording
        .clear_server_traffic(&server)
        .await
        .expect("cleared");
    assert_eq!(found(&host, "is:bookmarked").await, []);
    let host = host.restart().await;
    assert_eq!(found(&host, "is:bookmarked").await, []);
    let gone = host
        .inspector
        .record
        .recording
        .set_bookmark(rows[0].id, Some(String::new()))
        .await;
    assert!(gone.is_err());
}
