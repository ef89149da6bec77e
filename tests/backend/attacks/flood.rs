//! Servers that send without end: what they can make grow is bounded, and what was dropped is said.

use std::{fs, path::PathBuf};

use serde_json::json;
use sightglass_inspector::{ConnectionEvent, ExchangeKind, Phase, ServerId, view::Fact};
use sightglass_tests::{TestHost, programs, text_of, wiretap::Wiretap};
use tempfile::TempDir;

/// A host with the server that floods over stdio, connected, and the server's log.
struct Flooded {
    host: TestHost,
    server: ServerId,
    log: PathBuf,
    _directory: TempDir,
}

impl Flooded {
    async fn with_pages_of(bytes: usize) -> Self {
        let directory = TempDir::new().expect("a directory");
        let log = directory.path().join("log");
        let host = TestHost::with_servers(json!({ "hostile": programs::hostile(&log, bytes) }));
        let server = TestHost::id("hostile");
        host.connect(&server).await;
        Self {
            host,
            server,
            log,
            _directory: directory,
        }
    }

    /// Returns the notes of the server that begin with this word.
    fn noted(&self, word: &str) -> Vec<String> {
        let text = fs::read_to_string(&self.log).expect("a log");
        let lines = text.lines().filter(|line| line.starts_with(word));
        lines.map(str::to_owned).collect()
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn of_a_thousand_questions_a_hundred_wait_and_the_others_are_refused_with_words() {
    let flooded = Flooded::with_pages_of(0).await;
    let report = flooded.host.call(&flooded.server, "questions", "{}").await;
    assert_eq!(text_of(&report), "questions");
    assert_eq!(flooded.host.inspector.snapshot().questions.len(), 100);
    let refused = flooded.noted("refused");
    assert_eq!(refused.len(), 900);
    assert!(
        refused[0].contains("Too many questions wait"),
        "{}",
        refused[0]
    );
    // Each refusal stands in the record, in the row of its question.
    let rows = flooded
        .host
        .traffic(
            "method:elicitation/create status:-32000",
            &[ExchangeKind::Request],
        )
        .await;
    assert_eq!(rows.len(), 900);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_server_that_asks_and_does_not_read_the_answers_is_not_read_any_further() {
    let flooded = Flooded::with_pages_of(0).await;
    let Flooded { host, server, .. } = &flooded;
    // Nothing answers this call.
    let (inspector, id) = (host.inspector.clone(), server.clone());
    let calling = tokio::spawn(async move {
        let _ = inspector
            .calls
            .requests
            .call_tool(&id, "call", "unread", "{}", None, None)
            .await;
    });
    let mut before = 0;
    let frames = loop {
        tokio::time::sleep(std::time::Duration::from_millis(1500)).await;
        let frames = host.inspector.snapshot().recording.frames;
        if frames == before && frames > 100 {
            break frames;
        }
        before = frames;
    };
    // A frame for each ping that was read and each answer that was written.
    assert!(frames < 50_000, "{frames} frames");
    host.inspector
        .servers
        .open_connections
        .disconnect(server)
        .await;
    assert_eq!(
        host.inspector.servers.open_connections.status(server).phase,
        Phase::Disconnected
    );
    calling.await.expect("the call ends with the connection");
}

#[tokio::test(flavor = "multi_thread")]
async fn changes_of_a_resource_are_told_together_and_what_is_left_out_is_counted() {
    let flooded = Flooded::with_pages_of(0).await;
    let mut facts = flooded.host.inspector.subscribe();
    let counting = tokio::spawn(async move {
        let mut told = 0;
        while let Some(batch) = facts.next_batch().await {
            told += batch
                .iter()
                .filter(|event| {
                    matches!(&event.fact, Fact::Connection { event }
                        if matches!(**event, ConnectionEvent::ResourceUpdated { .. }))
                })
                .count();
        }
        told
    });
    flooded.host.call(&flooded.server, "updates", "{}").await;
    let dropped = "announcements were recorded and are not shown";
    for _ in 0..600 {
        if !flooded.host.traffic(dropped, &[]).await.is_empty() {
            break;
        }
        tokio::time::sleep(std::time::Duration::from_millis(100)).await;
    }
    assert!(!flooded.host.traffic(dropped, &[]).await.is_empty());
    let Flooded { host, .. } = flooded;
    host.inspector.shutdown().await;
    drop(host);
    let told = counting.await.expect("it counted");
    assert!((1..5000).contains(&told), "{told} were told of 11,000");
}

#[tokio::test(flavor = "multi_thread")]
async fn an_endless_list_is_cut_and_says_so() {
    let flooded = Flooded::with_pages_of(8 << 20).await;
    let snapshot = flooded.host.inspector.snapshot();
    let view = snapshot
        .servers
        .iter()
        .find(|view| view.id == flooded.server);
    let lists = &view.expect("it is listed").lists;
    let tools = lists.iter().find(|list| list.count > 0).expect("tools");
    let warning = tools.warning.as_deref().expect("a warning");
    assert!(warning.contains("cut at 64 MiB"), "{warning}");
    assert_eq!(tools.count, 7, "{warning}");
    assert_eq!(flooded.noted("page").len(), 8);
    let said = flooded.host.traffic("The list is cut", &[]).await;
    assert!(!said.is_empty());
}

#[tokio::test(flavor = "multi_thread")]
async fn an_event_that_means_nothing_is_noted_in_a_few_kilobytes() {
    let directory = TempDir::new().expect("a directory");
    let listening = programs::hostile_over("sse", &directory.path().join("log"));
    let host =
        TestHost::with_servers(json!({ "hostile": { "type": "sse", "url": listening.url } }));
    let server = TestHost::id("hostile");
    host.connect(&server).await;
    host.call(&server, "events", "{}").await;
    let rows = host.traffic("nonsense", &[]).await;
    let frame = rows.first().expect("it is noted").request_frame;
    let payload = host
        .inspector
        .core
        .record()
        .payload(frame)
        .await
        .expect("on record");
    assert!(payload.len() < 5000, "{} bytes", payload.len());
    let text = String::from_utf8_lossy(&payload);
    assert!(text.ends_with("bytes in all)"), "{text}");
}

#[tokio::test(flavor = "multi_thread")]
async fn pings_of_a_web_socket_are_noted_and_the_connection_goes_on() {
    let directory = TempDir::new().expect("a directory");
    let listening = programs::hostile_over("ws", &directory.path().join("log"));
    let host = TestHost::with_servers(json!({ "hostile": { "type": "ws", "url": listening.url } }));
    let server = TestHost::id("hostile");
    host.connect(&server).await;
    let report = host.call(&server, "pings", "{}").await;
    assert_eq!(text_of(&report), "pings");
    let rows = host.traffic("WebSocket ping", &[]).await;
    assert_eq!(rows.len(), 1000);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_list_that_is_there_twice_is_read_and_said() {
    let tap = Wiretap::new();
    let twice =
        r#"{"tools":[{"name":"old","inputSchema":{}}],"tools":[{"name":"new","inputSchema":{}}]}"#;
    let host = TestHost::with_servers(json!({
        "scripted": programs::scripted(&tap, &[("tools/list", twice)]),
    }));
    let server = TestHost::id("scripted");
    host.connect(&server).await;
    assert_eq!(
        host.names(&server, sightglass_inspector::ListKind::Tools),
        ["new"]
    );
    let said = host.traffic("the last one counts", &[]).await;
    assert!(!said.is_empty());
}
