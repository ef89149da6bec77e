//! Traps between the eras of the protocol, and in what libraries make of its messages. Each
//! story is named after what the user gets.

use serde_json::{Value, json};
use sightglass_inspector::{ExchangeKind, ListKind, Millis, RequestEnd};
use sightglass_tests::{
    TestHost,
    programs::{self, scripted},
    text_of,
    wiretap::Wiretap,
};

/// A package runner that first has to download, for longer than any phase may take by default,
/// and is silent meanwhile. The era is open, so the probe waits as long.
#[cfg(unix)]
#[tokio::test(flavor = "multi_thread")]
async fn a_cold_package_runner_that_answers_after_half_a_minute_connects_by_default() {
    use std::os::unix::fs::PermissionsExt;

    let tools = tempfile::tempdir().expect("a temporary directory");
    let runner = tools.path().join("npx");
    std::fs::write(
        &runner,
        "#!/bin/sh\necho downloading >&2\nsleep 31\nshift 2\nexec \"$@\"\n",
    )
    .expect("written");
    std::fs::set_permissions(&runner, std::fs::Permissions::from_mode(0o755)).expect("executable");
    let program = programs::own("sightglass-demo-server");
    let entry = json!({
        "command": runner,
        "args": ["-y", "some-server@1", program],
    });
    let host = TestHost::with_servers(json!({ "cold": entry }));
    let cold = TestHost::id("cold");
    let status = host.connect(&cold).await;
    assert!(
        status
            .timeline
            .iter()
            .any(|record| record.duration > Some(Millis::from_f64(30_000.0))),
        "{:?}",
        status.timeline
    );
    let report = host.call(&cold, "echo", r#"{"message":"warm"}"#).await;
    assert!(text_of(&report).contains("warm"), "{report:?}");
}

#[tokio::test(flavor = "multi_thread")]
async fn initialize_names_the_newest_version_that_has_a_handshake() {
    let tap = Wiretap::new();
    let host = TestHost::with_servers(json!({ "old": scripted(&tap, &[]) }));
    let old = TestHost::id("old");
    host.connect(&old).await;
    host.inspector
        .servers
        .open_connections
        .disconnect(&old)
        .await;
    let sent: Vec<Value> = tap
        .lines("sent")
        .iter()
        .map(|line| serde_json::from_str(line).expect("JSON"))
        .collect();
    assert_eq!(sent[0]["method"], "server/discover");
    assert_eq!(sent[1]["method"], "initialize");
    assert_eq!(sent[1]["params"]["protocolVersion"], "2025-11-25");
    // Nothing of the stateless era is in what follows.
    for message in &sent[1..] {
        assert!(
            !message
                .to_string()
                .contains("io.modelcontextprotocol/protocolVersion"),
            "{message}"
        );
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn fields_that_no_library_knows_and_numbers_of_any_size_are_shown_as_they_came() {
    let tap = Wiretap::new();
    let tool = r#"{"name":"odd","inputSchema":{"type":"object"},"x-rank":12345678901234567890123,"annotations":{"from":"elsewhere"}}"#;
    let content = r#"{"content":[{"type":"text","text":"ok","x-score":0.10}],"x-cost":1e400}"#;
    let entry = scripted(
        &tap,
        &[
            ("tools/list", &format!(r#"{{"tools":[{tool}]}}"#)),
            ("tools/call", content),
        ],
    );
    let host = TestHost::with_servers(json!({ "odd": entry }));
    let odd = TestHost::id("odd");
    host.connect(&odd).await;
    let shown = host
        .inspector
        .calls
        .lists
        .item(&odd, ListKind::Tools, 0)
        .expect("there");
    assert_eq!(shown.json, tool);
    let report = host.call(&odd, "odd", "{}").await;
    let frame = report.request.response_frame.expect("an answer");
    let answer = host
        .inspector
        .core
        .record()
        .payload(frame)
        .await
        .expect("readable");
    let answer = String::from_utf8(answer.to_vec()).expect("UTF-8");
    assert!(answer.contains(content), "{answer}");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_task_in_place_of_a_result_is_shown_and_not_taken_for_a_failure_of_the_call() {
    let tap = Wiretap::new();
    let task = r#"{"task":{"taskId":"7","status":"working","createdAt":"2026-01-01T00:00:00Z","ttl":60000}}"#;
    let tools = r#"{"tools":[{"name":"slow","inputSchema":{"type":"object"}}]}"#;
    let entry = scripted(&tap, &[("tools/list", tools), ("tools/call", task)]);
    let host = TestHost::with_servers(json!({ "tasks": entry }));
    let tasks = TestHost::id("tasks");
    host.connect(&tasks).await;
    let report = host.call(&tasks, "slow", "{}").await;
    assert_eq!(report.request.end, RequestEnd::Result, "{report:?}");
    let frame = report.request.response_frame.expect("an answer");
    let answer = host
        .inspector
        .core
        .record()
        .payload(frame)
        .await
        .expect("readable");
    assert!(String::from_utf8_lossy(&answer).contains(task));
}

#[tokio::test(flavor = "multi_thread")]
async fn what_may_be_cached_is_asked_for_again_all_the_same() {
    let program = programs::own("sightglass-demo-server");
    let entry = json!({ "command": program, "args": ["--era", "modern"] });
    let host = TestHost::with_servers(json!({ "modern": entry }));
    let modern = TestHost::id("modern");
    host.connect(&modern).await;
    let uri = host.names(&modern, ListKind::Resources).remove(0);
    for key in ["first", "second"] {
        let read = host
            .inspector
            .calls
            .resources
            .read_resource(&modern, key, &uri)
            .await;
        assert_eq!(read.expect("sent").request.end, RequestEnd::Result);
    }
    let reads = host
        .traffic("method:resources/read", &[ExchangeKind::Request])
        .await;
    assert_eq!(reads.len(), 2);
}

#[tokio::test(flavor = "multi_thread")]
async fn notifications_are_kept_in_the_order_of_the_wire_in_both_eras() {
    for era in ["legacy", "modern"] {
        let tap = Wiretap::new();
        let program = programs::own("sightglass-demo-server")
            .display()
            .to_string();
        let entry = tap.around(&program, &["--era", era]);
        let host = TestHost::with_servers(json!({ "bursts": entry }));
        let bursts = TestHost::id("bursts");
        host.connect(&bursts).await;
        let level = host
            .inspector
            .calls
            .requests
            .set_log_level(&bursts, "debug")
            .await;
        level.expect("accepted");
        let report = host.call(&bursts, "log_burst", r#"{"count":500}"#).await;
        assert_eq!(report.request.end, RequestEnd::Result, "{report:?}");
        host.inspector
            .servers
            .open_connections
            .disconnect(&bursts)
            .await;
        tap.compare(&host).await;
        let burst = tap.lines("received").len();
        assert!(burst >= 500, "{era}: {burst}");
    }
}

/// Arguments of a tool that are repeated in headers reach a server that compares them.
#[tokio::test(flavor = "multi_thread")]
async fn arguments_that_belong_into_headers_travel_in_both_places() {
    use sightglass_tests::wiretap::Proxy;

    let http = programs::demo_over_http(&["--era", "modern"]);
    let proxy = Proxy::before(http.port());
    let host = TestHost::with_servers(json!({ "routed": { "url": proxy.url("/mcp") } }));
    let routed = TestHost::id("routed");
    host.connect(&routed).await;
    let tools = host
        .inspector
        .calls
        .lists
        .items(&routed, ListKind::Tools, "", 0, 1000)
        .expect("connected");
    let tool = tools
        .rows
        .iter()
        .map(|row| {
            host.inspector
                .calls
                .lists
                .item(&routed, ListKind::Tools, row.index)
        })
        .find_map(|item| item.ok().filter(|item| item.json.contains("\"Region\"")))
        .expect("one whose arguments belong into headers");
    let arguments = r#"{"region":"Zürich","tenant":{"priority":7}}"#;
    let report = host.call(&routed, &tool.name, arguments).await;
    assert_eq!(report.request.end, RequestEnd::Result, "{report:?}");
    let sent = proxy.sent();
    // Text beyond ASCII is in base64 there (MCP 2026-07-28, transports).
    let region = "mcp-param-region: =?base64?WsO8cmljaA==?=";
    assert!(
        sent.to_lowercase().contains(&region.to_lowercase()),
        "{sent}"
    );
    host.inspector
        .servers
        .open_connections
        .disconnect(&routed)
        .await;
    proxy.compare(&host).await;
}
