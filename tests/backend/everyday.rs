//! Finds calls that were made again, reads definitions whole, and reads a resource no more while the
//! server says that it still holds.

use serde_json::json;
use sightglass_inspector::{
    ConnectionEvent, ExchangeKind, ListKind, Outcome, RequestEnd, ServerId, past_call, tool_calls,
    view::{CacheScope, DefinitionBase, Fact, ToolCallPage},
};
use sightglass_tests::{
    TestHost,
    programs::{self, scripted},
    text_of,
    wiretap::Wiretap,
};

/// The calls of a tool that are on record, the newest first, once all of the record was searched.
async fn calls(host: &TestHost, server: &ServerId, tool: &str) -> ToolCallPage {
    loop {
        let record = host.inspector.core.record();
        let page = tool_calls(&record, server.clone(), tool.to_owned(), 0, 100);
        let page = page.await.expect("the record can be read");
        if page.complete {
            return page;
        }
    }
}

/// A demo server over stdio in one era.
fn demo(era: &str) -> serde_json::Value {
    json!({ "command": programs::own("sightglass-demo-server"), "era": era })
}

#[tokio::test(flavor = "multi_thread")]
async fn the_calls_of_a_tool_are_listed_and_opened_as_they_were_after_a_restart() {
    let host = TestHost::new();
    let server = ServerId::demo();
    host.connect(&server).await;
    let first = r#"{"message":"first", "exact": 1.10}"#;
    host.call(&server, "echo", first).await;
    // Another tool, the name of which begins alike.
    host.call(&server, "echo_arguments", "{}").await;
    host.call(&server, "echo", r#"{"message":7}"#).await;
    host.call(&server, "echo", r#"{"message":"third"}"#).await;
    let host = host.restart().await;

    let page = calls(&host, &server, "echo").await;
    assert_eq!((page.total, page.calls.len()), (3, 3));
    let arguments: Vec<_> = page
        .calls
        .iter()
        .map(|call| call.arguments.as_deref())
        .collect();
    assert_eq!(
        arguments,
        [
            Some(r#"{"message":"third"}"#),
            Some(r#"{"message":7}"#),
            Some(first)
        ]
    );
    let outcomes: Vec<_> = page.calls.iter().map(|call| call.outcome).collect();
    assert_eq!(outcomes, [Outcome::Ok, Outcome::Error, Outcome::Ok]);

    let record = host.inspector.core.record();
    let past = past_call(&record, page.calls[2].id)
        .await
        .expect("on record");
    assert_eq!(past.input.as_deref(), Some(first));
    assert!(!past.is_masked);
    assert_eq!(past.report.request.end, RequestEnd::Result);
    assert!(text_of(&past.report).contains("first"), "{past:?}");
    let failed = past_call(&record, page.calls[1].id)
        .await
        .expect("on record");
    let is_error =
        failed.report.error.is_some() || failed.report.result.is_some_and(|result| result.is_error);
    assert!(is_error);

    let paged = tool_calls(&record, server.clone(), "echo".to_owned(), 1, 1).await;
    assert_eq!(paged.expect("readable").calls, page.calls[1..2]);
    let other = ServerId::new("mcp-json", "other");
    assert_eq!(calls(&host, &other, "echo").await.total, 0);
    host.inspector
        .record
        .recording
        .clear_traffic()
        .await
        .expect("cleared");
    assert_eq!(calls(&host, &server, "echo").await.total, 0);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_call_with_rounds_of_questions_is_one_call_with_its_last_result() {
    let host = TestHost::with_servers(json!({ "modern": demo("modern") }));
    let server = TestHost::id("modern");
    host.connect(&server).await;
    let asking = tokio::spawn({
        let (inspector, server) = (host.inspector.clone(), server.clone());
        async move {
            let arguments = r#"{"rounds":2}"#;
            inspector
                .calls
                .requests
                .call_tool(&server, "ask", "ask_in_rounds", arguments, None, None)
                .await
        }
    });
    host.decline_questions(2).await;
    let report = asking.await.expect("no panic").expect("sent");
    let page = calls(&host, &server, "ask_in_rounds").await;
    assert_eq!((page.total, page.calls[0].outcome), (1, Outcome::Ok));
    assert_eq!(page.calls[0].arguments.as_deref(), Some(r#"{"rounds":2}"#));
    let record = host.inspector.core.record();
    let past = past_call(&record, page.calls[0].id)
        .await
        .expect("on record");
    assert_eq!(
        past.report.request.response_frame,
        report.request.response_frame
    );
    assert_eq!(text_of(&past.report), text_of(&report));
}

#[tokio::test(flavor = "multi_thread")]
async fn arguments_with_a_secret_say_that_they_are_not_what_was_sent() {
    const SECRET: &str = "sg-test-5ecret-4712";
    let entry = json!({
        "command": programs::own("sightglass-demo-server"),
        "env": { "API_KEY": "${TOKEN}" },
    });
    let host = TestHost::with_environment(json!({ "s": entry }), [("TOKEN", SECRET)]);
    let server = TestHost::id("s");
    host.connect(&server).await;
    let arguments = json!({ "message": SECRET }).to_string();
    host.call(&server, "echo", &arguments).await;
    let page = calls(&host, &server, "echo").await;
    let record = host.inspector.core.record();
    let past = past_call(&record, page.calls[0].id)
        .await
        .expect("on record");
    assert!(past.is_masked);
    assert!(!past.input.expect("on record").contains(SECRET));
}

#[tokio::test(flavor = "multi_thread")]
async fn a_resource_is_read_again_only_once_it_may_be_another() {
    let host = TestHost::with_servers(json!({ "modern": demo("modern") }));
    let server = TestHost::id("modern");
    host.connect(&server).await;
    let reads = async || {
        host.traffic("method:resources/read", &[ExchangeKind::Request])
            .await
            .len()
    };
    let open = async |uri: &str| {
        let report = host
            .inspector
            .calls
            .resources
            .open_resource(&server, "open", uri)
            .await;
        report.expect("sent").freshness.expect("told")
    };
    let first = open("demo://readme.txt").await;
    assert!(!first.from_cache);
    assert_eq!(first.scope, Some(CacheScope::Private));
    assert!(first.fresh_until.is_some_and(|until| until > first.read_at));
    let again = open("demo://readme.txt").await;
    assert!(again.from_cache);
    assert_eq!((again.read_at, reads().await), (first.read_at, 1));

    // Asked for, it is read whatever holds.
    let read = host
        .inspector
        .calls
        .resources
        .read_resource(&server, "read", "demo://readme.txt")
        .await;
    assert!(!read.expect("sent").freshness.expect("told").from_cache);
    assert_eq!(reads().await, 2);

    // What holds for no time is read each time, and so is an error.
    for _ in 0..2 {
        assert!(!open("demo://clock").await.from_cache);
    }
    for _ in 0..2 {
        let report = host
            .inspector
            .calls
            .resources
            .open_resource(&server, "none", "demo://no-such")
            .await;
        assert_eq!(report.expect("sent").freshness, None);
    }
    assert_eq!(reads().await, 6);

    // The server says that it changed.
    open("demo://counter").await;
    assert!(open("demo://counter").await.from_cache);
    host.inspector
        .calls
        .requests
        .subscribe_resource(&server, "demo://counter")
        .await
        .expect("subscribed");
    let mut facts = host.inspector.subscribe();
    host.call(&server, "touch_resource", r#"{"uri":"demo://counter"}"#)
        .await;
    'told: loop {
        for event in facts.next_batch().await.expect("the inspector is open") {
            if let Fact::Connection { event } = event.fact
                && matches!(*event, ConnectionEvent::ResourceUpdated { .. })
            {
                break 'told;
            }
        }
    }
    assert!(!open("demo://counter").await.from_cache);
    // One that follows at once is told to the window later, and makes what was read old now.
    for _ in 0..3 {
        assert!(open("demo://counter").await.from_cache);
        host.call(&server, "touch_resource", r#"{"uri":"demo://counter"}"#)
            .await;
        assert!(!open("demo://counter").await.from_cache);
    }

    // Announcements may have been missed.
    assert!(open("demo://readme.txt").await.from_cache);
    host.inspector
        .servers
        .open_connections
        .disconnect(&server)
        .await;
    host.connect(&server).await;
    assert!(!open("demo://readme.txt").await.from_cache);
    host.inspector
        .record
        .recording
        .clear_traffic()
        .await
        .expect("cleared");
    assert!(!open("demo://readme.txt").await.from_cache);
}

#[tokio::test(flavor = "multi_thread")]
async fn before_2026_07_28_a_resource_says_when_it_was_read_and_is_never_kept() {
    let host = TestHost::with_servers(json!({ "legacy": demo("legacy") }));
    let server = TestHost::id("legacy");
    host.connect(&server).await;
    for _ in 0..2 {
        let report = host
            .inspector
            .calls
            .resources
            .open_resource(&server, "open", "demo://readme.txt")
            .await;
        let freshness = report.expect("sent").freshness.expect("told");
        assert!(!freshness.from_cache);
        assert_eq!((freshness.fresh_until, freshness.scope), (None, None));
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_tool_tells_what_is_another_than_in_the_definition_that_was_agreed_to() {
    let tap = Wiretap::new();
    let tools = |description: &str| {
        json!({"tools": [{
            "name": "search",
            "description": description,
            "inputSchema": { "type": "object" },
            "_meta": { "example.com/exact": 1.5 },
        }]})
        .to_string()
    };
    let entry = |tools: &str| {
        let initialize = r#"{"protocolVersion":"2025-11-25","capabilities":{"tools":{}},"serverInfo":{"name":"scripted","version":"1"}}"#;
        scripted(&tap, &[("initialize", initialize), ("tools/list", tools)])
    };
    let host = TestHost::with_servers(json!({ "s": entry(&tools("Searches.")) }));
    let server = TestHost::id("s");
    host.connect(&server).await;
    host.eventually("the surface", || {
        let view = host.inspector.checks.surfaces.surface(&server).ok();
        view.filter(|view| view.stored.is_some())
    })
    .await;
    let changes = || {
        host.inspector
            .checks
            .surfaces
            .definition_changes(&server, ListKind::Tools, 0)
    };
    assert_eq!(changes().expect("connected"), None);

    host.inspector
        .servers
        .open_connections
        .disconnect(&server)
        .await;
    entry(&tools("Searches, and tells others."));
    host.connect(&server).await;
    let told = changes().expect("connected").expect("a change");
    assert_eq!(told.base, DefinitionBase::Agreed);
    assert_eq!(told.difference.changes[0].rule, "description");
    assert!(told.before.contains("\"Searches.\"") && told.after.contains("tells others"));
    host.inspector
        .checks
        .surfaces
        .accept_surface(&server)
        .expect("accepted");
    assert_eq!(changes().expect("connected"), None);
}
