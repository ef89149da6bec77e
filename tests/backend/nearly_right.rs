//! Servers that are right but for one detail: what they send is shown, and the detail is told.

use serde_json::{Value, json};
use sightglass_inspector::{Failure, ListKind, ListState, Phase, RequestEnd, Silence};
use sightglass_tests::{
    TestHost,
    programs::{nearly_right, nearly_right_over_http},
    text_of,
};

use crate::command_line::{Machine, Ran};

/// Runs a command on such a server as a program.
fn run(words: &[&str], detail: &str) -> Ran {
    let entry = nearly_right(detail);
    let arguments: Vec<&str> = entry["args"]
        .as_array()
        .expect("a list")
        .iter()
        .filter_map(Value::as_str)
        .collect();
    Machine::new().run(&[words, &["--", "node"], &arguments].concat())
}

/// The first column of a table.
fn names(table: &str) -> Vec<&str> {
    table
        .lines()
        .filter_map(|line| line.split_once("  ").map(|(name, _)| name))
        .collect()
}

/// Pages that never end: what came is shown once, and the warning names the cursor, in the lists,
/// on record, and on the command line.
#[tokio::test(flavor = "multi_thread")]
async fn pages_that_never_end_are_shown_once_with_the_cursor_that_never_ends() {
    for (detail, tools, cursor) in [
        ("cursor-empty", &["one", "two"][..], "the cursor \"\""),
        ("cursor-refused", &["one", "two"], "the cursor \"\""),
        ("cursor-same", &["one", "two"], "the cursor \"again\""),
        ("cursor-last", &["one", "two", "three"], "the cursor \"p2\""),
        ("cursor-new", &["one", "two"], "the cursor \"21\""),
    ] {
        let host = TestHost::with_servers(json!({ "near": nearly_right(detail) }));
        let near = TestHost::id("near");
        let status = host.connect(&near).await;
        assert_eq!(status.phase, Phase::Ready, "{detail}");
        assert_eq!(host.names(&near, ListKind::Tools), tools, "{detail}");
        let lists = host.inspector.calls.lists.lists(&near);
        let list = lists.iter().find(|list| list.list == ListKind::Tools);
        let list = list.expect("tools");
        assert_eq!(list.state, ListState::Loaded, "{detail}");
        let warning = list.warning.clone().expect("a warning");
        assert!(warning.contains(cursor), "{detail}: {warning}");
        let noted = host.traffic("\"the cursor\"", &[]).await;
        assert!(!noted.is_empty(), "{detail}: on record");

        let examined = host
            .inspector
            .checks
            .doctor
            .run_doctor(&near)
            .await
            .expect("examined");
        let found = examined.cause.expect("a finding");
        assert!(found.contains(cursor), "{detail}: {found}");

        // The same when it is loaded again.
        let again = host
            .inspector
            .calls
            .lists
            .refresh_list(&near, ListKind::Tools)
            .await;
        again.expect("loaded");
        assert_eq!(host.names(&near, ListKind::Tools), tools, "{detail}, again");
    }
    for (detail, cursor) in [("cursor-empty", "\"\""), ("cursor-same", "\"again\"")] {
        let listed = run(&["tools", "list"], detail);
        assert_eq!(listed.code, Some(0), "{}", listed.stderr);
        assert_eq!(names(&listed.stdout), ["one", "two"], "{}", listed.stdout);
        assert!(listed.stdout.contains(cursor), "{}", listed.stdout);
        let json = run(&["tools", "list", "--json"], detail).result();
        assert_eq!(json["tools"].as_array().map(Vec::len), Some(2), "{json}");
        let info = run(&["info"], detail);
        assert!(
            info.stdout.contains("2 (The server gave the cursor"),
            "{}",
            info.stdout
        );
    }
}

/// What came of such a list is the server's surface: it is examined as any other.
#[tokio::test(flavor = "multi_thread")]
async fn a_list_whose_pages_never_end_is_part_of_the_surface() {
    let host = TestHost::with_servers(json!({ "near": nearly_right("cursor-empty") }));
    let near = TestHost::id("near");
    host.connect(&near).await;
    let surface = host
        .inspector
        .calls
        .current_surface
        .current_surface(&near)
        .expect("connected");
    assert_eq!(surface.tools.map(|tools| tools.len()), Some(2));
}

/// A page that fails does not take those before it along; that the list is not whole is an error.
#[test]
fn what_came_before_a_page_that_is_refused_is_printed() {
    let listed = run(&["tools", "list"], "page-refused");
    assert_eq!(listed.code, Some(2), "{}", listed.stderr);
    assert_eq!(names(&listed.stdout), ["one", "two"], "{}", listed.stdout);
    assert!(
        listed.stderr.contains("no such cursor"),
        "{}",
        listed.stderr
    );
}

/// Gateways refuse requests that do not say what sends them.
#[tokio::test(flavor = "multi_thread")]
async fn every_request_names_the_program_unless_the_entry_says_otherwise() {
    let server = nearly_right_over_http("unnamed");
    let host = TestHost::with_servers(json!({
        "ours": { "url": server.url },
        "theirs": { "url": server.url, "headers": { "user-agent": "their-client/7" } },
    }));
    for (name, expected) in [
        ("ours", concat!("Sightglass/", env!("CARGO_PKG_VERSION"))),
        ("theirs", "their-client/7"),
    ] {
        let id = TestHost::id(name);
        host.connect(&id).await;
        let report = host.call(&id, "one", "{}").await;
        assert_eq!(text_of(&report), expected);
    }
}

#[test]
fn an_answer_with_another_id_is_told_where_the_right_one_is_missing() {
    let words = "an answer came that fits no request: \"";
    let called = run(
        &["tools", "call", "one", "{}", "--timeout", "1000"],
        "id-of-calls",
    );
    assert_eq!(called.code, Some(3), "{}", called.stderr);
    assert!(called.stderr.contains(words), "{}", called.stderr);
    // At the handshake, where the limit is reached and where it is not.
    for limit in ["1500", "60000"] {
        let refused = run(&["info", "--connect-timeout", limit], "id");
        assert_eq!(refused.code, Some(2), "{}", refused.stderr);
        let shown = refused.stderr.to_lowercase();
        assert!(shown.contains(words), "{}", refused.stderr);
    }
}

/// Over HTTP the answer comes on the request's own response, and at once.
#[tokio::test(flavor = "multi_thread")]
async fn an_answer_with_another_id_is_told_over_http() {
    let server = nearly_right_over_http("id-of-calls");
    let host = TestHost::with_servers(json!({ "near": { "url": server.url } }));
    let near = TestHost::id("near");
    host.connect(&near).await;
    let report = host.call(&near, "one", "{}").await;
    assert_eq!(report.request.end, RequestEnd::ConnectionLost);
    let words = report.request.message.expect("what went wrong");
    assert!(
        words.starts_with("an answer came that fits no request: \""),
        "{words}"
    );
}

#[tokio::test(flavor = "multi_thread")]
async fn an_error_that_is_null_beside_a_result_is_noted_and_the_result_counts() {
    let http = nearly_right_over_http("null-error");
    let host = TestHost::with_servers(json!({
        "stdio": nearly_right("null-error"),
        "http": { "url": http.url },
    }));
    for name in ["stdio", "http"] {
        let id = TestHost::id(name);
        host.connect(&id).await;
        assert_eq!(host.names(&id, ListKind::Tools), ["one", "two"]);
        let noted = host.traffic("\"both a result and an error\"", &[]).await;
        assert!(!noted.is_empty(), "{name}: on record");
        let examined = host
            .inspector
            .checks
            .doctor
            .run_doctor(&id)
            .await
            .expect("examined");
        let cause = examined.cause.expect("a finding");
        assert!(cause.contains("both a result and an error"), "{cause}");
        let report = host.call(&id, "one", "{}").await;
        assert_eq!(report.request.end, RequestEnd::Result);
        let result = report.result.expect("a result");
        assert!(
            result
                .problems
                .iter()
                .any(|problem| problem.contains("null")),
            "{:?}",
            result.problems
        );
    }
}

/// What a server wants for its stream of events, or that it has none, says nothing of requests.
#[tokio::test(flavor = "multi_thread")]
async fn a_stream_of_events_that_is_refused_is_a_note_and_requests_go_on() {
    for detail in ["stream-401", "stream-404"] {
        let server = nearly_right_over_http(detail);
        let host = TestHost::with_servers(json!({ "near": { "url": server.url } }));
        let near = TestHost::id("near");
        host.connect(&near).await;
        let mut noted = host.traffic("\"refuses its stream of events\"", &[]).await;
        while noted.is_empty() {
            tokio::time::sleep(std::time::Duration::from_millis(20)).await;
            noted = host.traffic("\"refuses its stream of events\"", &[]).await;
        }
        let report = host.call(&near, "one", "{}").await;
        assert_eq!(report.request.end, RequestEnd::Result, "{detail}");
        let status = host.inspector.servers.open_connections.status(&near);
        assert_eq!(status.phase, Phase::Ready, "{detail}: {status:?}");
        let examined = host
            .inspector
            .checks
            .doctor
            .run_doctor(&near)
            .await
            .expect("examined");
        let cause = examined.cause.expect("a finding");
        assert!(
            cause.contains(&detail.replace("stream-", "answered with ")),
            "{cause}"
        );
        assert!(cause.contains("405"), "{cause}");
        let auth = host.auth(&near).await;
        assert!(
            !matches!(
                auth.status,
                sightglass_inspector::AuthStatus::Required { .. }
            ),
            "{detail}: nobody has to sign in"
        );
    }
}

/// A 401 without a challenge is told in the server's own words.
#[tokio::test(flavor = "multi_thread")]
async fn a_401_without_a_challenge_is_told_in_the_servers_own_words() {
    let server = nearly_right_over_http("session-401");
    let host = TestHost::with_servers(json!({ "near": { "url": server.url } }));
    let near = TestHost::id("near");
    host.connect(&near).await;
    let report = host.call(&near, "one", "{}").await;
    let words = report.request.message.expect("what went wrong");
    assert!(words.contains("Session not found"), "{words}");
    let status = host
        .wait_for(&near, |status| status.failure.is_some())
        .await;
    let failure = status.failure.expect("a reason");
    let Failure::SignInRequired { body, .. } = &failure.failure else {
        panic!("{failure:?}")
    };
    assert!(
        body.as_deref()
            .is_some_and(|body| body.contains("Session not found"))
    );
    assert!(
        failure.hint.text.contains("connect again"),
        "{}",
        failure.hint.text
    );

    let ran = Machine::new().run(&["tools", "call", &server.url, "one", "{}"]);
    assert!(ran.stderr.contains("Session not found"), "{}", ran.stderr);
    assert!(
        !ran.stderr.contains("stderr"),
        "it has none: {}",
        ran.stderr
    );
}

/// The address that the `endpoint` event names is the server's own word, and no session is over.
#[tokio::test(flavor = "multi_thread")]
async fn an_endpoint_that_does_not_exist_is_named_with_who_named_it() {
    let server = nearly_right_over_http("endpoint-404");
    let url = server.url.replace("/mcp", "/gateway/sse");
    let host = TestHost::with_servers(json!({ "near": { "type": "sse", "url": url } }));
    let status = host.try_connect(&TestHost::id("near")).await;
    let failure = status.failure.expect("a reason");
    let Failure::Network { message, body, .. } = &failure.failure else {
        panic!("{failure:?}")
    };
    for words in ["/messages", "endpoint event", "404", "gateway"] {
        assert!(message.contains(words), "{message}");
    }
    assert_eq!(body.as_deref(), Some("no route"));
    let hint = &failure.hint.text;
    assert!(hint.contains("prefix"), "{hint}");
}

/// The rules of the clients' names are those of `model names`.
#[tokio::test(flavor = "multi_thread")]
async fn names_that_clients_refuse_or_change_are_findings() {
    let long = "n".repeat(70);
    let tools = json!({ "tools": [
        { "name": "read_file", "description": "Reads", "inputSchema": { "type": "object" } },
        { "name": "my.tool", "description": "Does", "inputSchema": { "type": "object" } },
        { "name": long, "description": "Does", "inputSchema": { "type": "object" } },
    ]});
    let tap = sightglass_tests::wiretap::Wiretap::new();
    let entry = sightglass_tests::programs::scripted(&tap, &[("tools/list", &tools.to_string())]);
    let host = TestHost::with_servers(json!({ "near": entry }));
    let near = TestHost::id("near");
    host.connect(&near).await;
    let found = host
        .inspector
        .checks
        .surfaces
        .lint_surface(&near, &[])
        .expect("connected");
    let of_tool = |tool: &str| -> Vec<&str> {
        let of_tool = found.iter().filter(|finding| finding.subject.name == tool);
        of_tool.map(|finding| finding.rule.as_str()).collect()
    };
    assert_eq!(of_tool("read_file"), [""; 0]);
    assert!(of_tool("my.tool").contains(&"name-changed"), "{found:?}");
    assert_eq!(
        of_tool(&long),
        ["name-refused", "name-changed"],
        "{found:?}"
    );
    let silenced = [
        Silence::parse("name-changed"),
        Silence::parse("name-refused"),
    ];
    let found = host
        .inspector
        .checks
        .surfaces
        .lint_surface(&near, &silenced)
        .expect("connected");
    assert_eq!(found, []);
}
