//! Connecting, browsing, disconnecting.

use serde_json::json;
use sightglass_inspector::{ExchangeKind, ListKind, Phase, ServerId, view::Fact};
use sightglass_tests::{TestHost, programs};

#[tokio::test(flavor = "multi_thread")]
async fn with_nothing_configured_the_demo_server_is_one_step_from_connected() {
    let host = TestHost::new();
    let snapshot = host.inspector.snapshot();
    let names: Vec<&str> = snapshot
        .servers
        .iter()
        .map(|server| server.name.as_str())
        .collect();
    assert_eq!(names, ["Demo"]);

    let status = host.connect(&ServerId::demo()).await;
    let handshake = status.handshake.expect("a handshake");
    assert!(!handshake.server_name.is_empty());
    assert!(
        host.names(&ServerId::demo(), ListKind::Tools)
            .contains(&"echo".to_owned())
    );
    assert!(
        !host
            .names(&ServerId::demo(), ListKind::Resources)
            .is_empty()
    );
    assert!(
        !host
            .names(&ServerId::demo(), ListKind::ResourceTemplates)
            .is_empty()
    );
    assert!(!host.names(&ServerId::demo(), ListKind::Prompts).is_empty());
}

#[tokio::test(flavor = "multi_thread")]
async fn the_phases_of_an_attempt_are_told_in_order_and_kept_on_record() {
    let host = TestHost::new();
    let status = host.connect(&ServerId::demo()).await;
    let phases: Vec<Phase> = status.timeline.iter().map(|entry| entry.phase).collect();
    assert_eq!(phases.first(), Some(&Phase::Connecting));
    assert_eq!(phases.last(), Some(&Phase::Ready));
    let places: Vec<_> = [
        Phase::Initializing,
        Phase::Handshaking,
        Phase::ListingTools,
        Phase::Ready,
    ]
    .map(|phase| {
        phases
            .iter()
            .position(|candidate| *candidate == phase)
            .expect("gone through")
    })
    .into();
    assert!(places.is_sorted(), "{phases:?}");

    host.inspector
        .servers
        .open_connections
        .disconnect(&ServerId::demo())
        .await;
    assert_eq!(
        host.inspector
            .servers
            .open_connections
            .status(&ServerId::demo())
            .phase,
        Phase::Disconnected
    );
    let recorded = host.traffic("", &[ExchangeKind::Phase]).await;
    let names: Vec<&str> = recorded.iter().map(|row| row.method.as_str()).collect();
    for phase in [
        "connecting",
        "initializing",
        "ready",
        "cleaning_up",
        "disconnected",
    ] {
        assert!(names.contains(&phase), "{phase} is not among {names:?}");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn every_revision_of_the_protocol_connects_over_both_transports() {
    let legacy = programs::demo_over_http(&["--era", "legacy"]);
    let modern = programs::demo_over_http(&["--era", "modern"]);
    let program = programs::own("sightglass-demo-server");
    let host = TestHost::with_servers(json!({
        "http legacy": { "type": "http", "url": legacy.url },
        "http modern": { "type": "http", "url": modern.url },
        "stdio legacy": { "command": program, "args": ["--era", "legacy"] },
        "stdio modern": { "command": program, "args": ["--era", "modern"] },
        "forced legacy": { "command": program, "era": "legacy" },
        "forced modern": { "command": program, "era": "modern" },
    }));
    for (name, version) in [
        ("http legacy", "2025-11-25"),
        ("http modern", "2026-07-28"),
        ("stdio legacy", "2025-11-25"),
        ("stdio modern", "2026-07-28"),
        ("forced legacy", "2025-11-25"),
        ("forced modern", "2026-07-28"),
    ] {
        let server = TestHost::id(name);
        let status = host.connect(&server).await;
        assert_eq!(
            status.handshake.expect("a handshake").protocol_version,
            version,
            "{name}"
        );
        let report = host.call(&server, "echo", r#"{"message":"hi"}"#).await;
        assert!(
            sightglass_tests::text_of(&report).contains("hi"),
            "{name}: {report:?}"
        );
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn several_servers_are_connected_at_once_and_do_not_disturb_each_other() {
    let program = programs::own("sightglass-demo-server");
    let servers = ["a", "b", "c"].map(|name| (name.to_owned(), json!({ "command": program })));
    let host = TestHost::with_servers(serde_json::Value::Object(servers.into_iter().collect()));
    for name in ["a", "b", "c"] {
        host.connect(&TestHost::id(name)).await;
    }
    host.inspector
        .servers
        .open_connections
        .disconnect(&TestHost::id("b"))
        .await;
    for name in ["a", "c"] {
        let report = host
            .call(&TestHost::id(name), "echo", r#"{"message":"still here"}"#)
            .await;
        assert!(sightglass_tests::text_of(&report).contains("still here"));
    }
    assert!(
        host.inspector
            .calls
            .requests
            .call_tool(&TestHost::id("b"), "k", "echo", "{}", None, None)
            .await
            .is_err()
    );
}

#[tokio::test(flavor = "multi_thread")]
async fn a_list_that_changes_is_loaded_again_and_says_what_is_new() {
    let host = TestHost::new();
    let demo = ServerId::demo();
    host.connect(&demo).await;
    let before = host.names(&demo, ListKind::Tools);
    host.call(&demo, "change_tools", "{}").await;
    let change = host
        .eventually("the new list", || {
            host.inspector
                .snapshot()
                .servers
                .into_iter()
                .find(|server| server.id == demo)?
                .lists
                .into_iter()
                .find(|list| {
                    list.list == ListKind::Tools
                        && !(list.added.is_empty() && list.removed.is_empty())
                })
        })
        .await;
    let after = host.names(&demo, ListKind::Tools);
    for name in &change.added {
        assert!(after.contains(name) && !before.contains(name), "{name}");
    }
    assert_eq!(
        after.len(),
        before.len() + change.added.len() - change.removed.len()
    );
}

#[tokio::test(flavor = "multi_thread")]
async fn facts_come_numbered_without_gaps() {
    let host = TestHost::new();
    let mut subscription = host.inspector.subscribe();
    let sequence = host.inspector.snapshot().sequence;
    host.connect(&ServerId::demo()).await;
    let mut expected = sequence + 1;
    let mut saw_ready = false;
    while !saw_ready {
        for event in subscription.next_batch().await.expect("facts") {
            assert_eq!(event.sequence, expected);
            expected += 1;
            let Fact::Connection { event } = event.fact else {
                continue;
            };
            saw_ready |= serde_json::to_value(&event).expect("JSON")["status"]["phase"] == "ready";
        }
    }
}
