//! Servers by others, over every transport that they speak. The record is held against what
//! crossed the wire, taken down by `tee` or by a proxy, in both directions.

use std::time::Duration;

use serde_json::{Value, json};
use sightglass_inspector::{ListKind, Phase, RequestEnd, ServerId, Verdict};
use sightglass_tests::{
    TestHost, programs, text_of,
    wiretap::{Proxy, Wiretap},
};

const EVERYTHING: &str = "@modelcontextprotocol/server-everything";

/// Connects to the only server and uses one tool, one resource and one prompt of it.
async fn use_everything(host: &TestHost) {
    let server = TestHost::id("everything");
    host.connect(&server).await;
    let report = host.call(&server, "echo", r#"{"message":"across"}"#).await;
    assert!(text_of(&report).contains("across"));
    let uri = host.names(&server, ListKind::Resources).remove(0);
    let read = host
        .inspector
        .calls
        .resources
        .read_resource(&server, "read", &uri)
        .await;
    assert_eq!(read.expect("sent").request.end, RequestEnd::Result);
    let prompt = host.names(&server, ListKind::Prompts).remove(0);
    let got = host
        .inspector
        .calls
        .requests
        .get_prompt(&server, "get", &prompt, &[])
        .await;
    assert_eq!(
        got.expect("sent").request.end,
        RequestEnd::Result,
        "{prompt}"
    );
    // It asks for the roots a moment after the handshake and logs the answer. What it says after
    // the connection was closed is on the wire and no longer on record.
    while host.traffic("\"Roots updated\"", &[]).await.is_empty() {
        tokio::time::sleep(Duration::from_millis(10)).await;
    }
    host.inspector
        .servers
        .open_connections
        .disconnect(&server)
        .await;
}

/// Calls one tool of the program and holds the record against its streams. Yields the text.
async fn call_tapped(entry: Value, tap: &Wiretap, tool: &str, arguments: &str) -> String {
    let host = TestHost::with_servers(json!({ "tapped": entry }));
    host.write(&host.project().join("note.txt"), "read me");
    let server = TestHost::id("tapped");
    host.connect(&server).await;
    let report = host.call(&server, tool, arguments).await;
    assert_eq!(report.request.end, RequestEnd::Result, "{report:?}");
    let text = text_of(&report);
    host.inspector
        .servers
        .open_connections
        .disconnect(&server)
        .await;
    tap.compare(&host).await;
    text
}

fn node(tap: &Wiretap, package: &str, arguments: &[&str]) -> Value {
    let script = programs::npm_server(package).display().to_string();
    tap.around("node", &[&[script.as_str()], arguments].concat())
}

#[tokio::test(flavor = "multi_thread")]
async fn server_everything_over_stdio() {
    let tap = Wiretap::new();
    let entry = node(&tap, EVERYTHING, &["stdio"]);
    let host = TestHost::with_servers(json!({ "everything": entry }));
    use_everything(&host).await;
    tap.compare(&host).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn server_everything_over_streamable_http() {
    let http = programs::everything_over("streamableHttp", programs::free_port());
    let proxy = Proxy::before(http.port());
    let entry = json!({ "url": proxy.url("/mcp") });
    let host = TestHost::with_servers(json!({ "everything": entry }));
    use_everything(&host).await;
    proxy.compare(&host).await;
    // Who leaves says so, and the server need not keep the session.
    let sent = proxy.sent().to_lowercase();
    let (_, farewell) = sent.rsplit_once("delete /mcp http/1.1").expect("a DELETE");
    assert!(farewell.contains("mcp-session-id: "), "{farewell}");
}

#[tokio::test(flavor = "multi_thread")]
async fn server_everything_over_server_sent_events() {
    let sse = programs::everything_over("sse", programs::free_port());
    let proxy = Proxy::before(sse.port());
    let entry = json!({ "type": "sse", "url": proxy.url("/sse") });
    let host = TestHost::with_servers(json!({ "everything": entry }));
    use_everything(&host).await;
    proxy.compare(&host).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_server_of_fastmcp_over_both_of_its_transports() {
    let tap = Wiretap::new();
    let script = programs::python_script("fast.py");
    let entry = tap.around(&programs::python("python"), &[&script]);
    let arguments = r#"{"a":40,"b":2}"#;
    assert_eq!(call_tapped(entry, &tap, "add", arguments).await, "42");

    let http = programs::python_server("fast.py", programs::free_port(), &[]);
    let proxy = Proxy::before(http.port());
    let host = TestHost::with_servers(json!({ "fast": { "url": proxy.url("/mcp") } }));
    let server = TestHost::id("fast");
    host.connect(&server).await;
    assert_eq!(text_of(&host.call(&server, "add", arguments).await), "42");
    let note = host
        .inspector
        .calls
        .resources
        .read_resource(&server, "read", "note://today");
    assert_eq!(note.await.expect("sent").request.end, RequestEnd::Result);
    let name = [("name".to_owned(), "Ada".to_owned())];
    let greeting = host
        .inspector
        .calls
        .requests
        .get_prompt(&server, "get", "greet", &name);
    assert_eq!(
        greeting.await.expect("sent").request.end,
        RequestEnd::Result
    );
    host.inspector
        .servers
        .open_connections
        .disconnect(&server)
        .await;
    proxy.compare(&host).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn the_skills_of_a_server_of_fastmcp_are_what_their_manifests_say() {
    let skills = tempfile::tempdir().expect("a temporary directory");
    let folder = skills.path().join("notes/assets");
    std::fs::create_dir_all(&folder).expect("made");
    let text = "---\nname: notes\ndescription: Takes notes, with *style*.\nmetadata:\n  version: \"1.10\"\n---\n\n# Notes\n";
    std::fs::write(skills.path().join("notes/SKILL.md"), text).expect("written");
    std::fs::write(folder.join("bytes.bin"), [0, 255, 1, 254]).expect("written");
    let host = TestHost::with_servers(json!({ "skills": {
        "command": programs::python_of_both_eras("python"),
        "args": [programs::python_script("skills.py"), skills.path()],
    }}));
    let server = TestHost::id("skills");
    host.connect(&server).await;
    let list = host.inspector.calls.skills.skills(&server, "list").await;
    let list = list.expect("listed");
    assert_eq!(list.findings, []);
    let uri = &list.skills[0].uri;
    let report = host
        .inspector
        .calls
        .skills
        .verify_skill(&server, "verify", uri)
        .await;
    let report = report.expect("verified");
    assert_eq!(report.verdict, Verdict::Passed, "{report:#?}");
    assert_eq!((report.files.len(), report.frontmatter.len()), (2, 3));
}

#[tokio::test(flavor = "multi_thread")]
async fn a_server_of_the_python_sdk_over_web_socket_is_found_again_after_its_end() {
    let tap = Wiretap::new();
    let port = programs::free_port();
    let start = || programs::python_server("web_socket.py", port, &[&tap.directory()]);
    let mut running = start();
    let entry = json!({ "url": format!("ws://127.0.0.1:{port}/mcp") });
    let host = TestHost::with_servers(json!({ "socket": entry }));
    let server = TestHost::id("socket");
    host.connect(&server).await;
    let message = r#"{"message":"across"}"#;
    let report = host.call(&server, "echo", message).await;
    assert_eq!(text_of(&report), "heard across");
    drop(running);
    host.wait_for(&server, |status| status.reconnection.is_some())
        .await;
    running = start();
    host.wait_for(&server, |status| status.phase == Phase::Ready)
        .await;
    let report = host.call(&server, "echo", message).await;
    assert_eq!(text_of(&report), "heard across");
    host.inspector
        .servers
        .open_connections
        .disconnect(&server)
        .await;
    tap.compare(&host).await;
    drop(running);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_server_over_server_sent_events_is_found_again_after_its_end() {
    let port = programs::free_port();
    let mut running = programs::everything_over("sse", port);
    let entry = json!({ "type": "sse", "url": running.url });
    let host = TestHost::with_servers(json!({ "everything": entry }));
    let server = TestHost::id("everything");
    host.connect(&server).await;
    drop(running);
    host.wait_for(&server, |status| status.reconnection.is_some())
        .await;
    // What is asked for meanwhile waits.
    let (report, again) = tokio::join!(
        host.call(&server, "echo", r#"{"message":"waited"}"#),
        async { programs::everything_over("sse", port) },
    );
    running = again;
    assert!(text_of(&report).contains("waited"), "{report:?}");
    host.inspector
        .servers
        .open_connections
        .disconnect(&server)
        .await;
    drop(running);
}

#[tokio::test(flavor = "multi_thread")]
async fn the_filesystem_server_reads_a_file_of_the_project() {
    let tap = Wiretap::new();
    let entry = node(&tap, "@modelcontextprotocol/server-filesystem", &["."]);
    let arguments = r#"{"path":"note.txt"}"#;
    let text = call_tapped(entry, &tap, "read_text_file", arguments).await;
    assert_eq!(text, "read me");
}

#[tokio::test(flavor = "multi_thread")]
async fn the_memory_server_keeps_structured_content_in_order() {
    let tap = Wiretap::new();
    let mut entry = node(&tap, "@modelcontextprotocol/server-memory", &[]);
    entry["env"] = json!({ "MEMORY_FILE_PATH": tap.file("memory.jsonl") });
    let entity =
        r#"{"entities":[{"name":"sight glass","entityType":"window","observations":["round"]}]}"#;
    let text = call_tapped(entry, &tap, "create_entities", entity).await;
    assert!(text.contains("sight glass"), "{text}");
}

/// Returns the path at which a program is installed.
type Installed = fn(&str) -> String;

/// The servers in Python on the first version of their SDK know the older era alone, those on
/// the second know both. What is set decides; where nothing is set, the newest era that both
/// sides know.
const PYTHON: [(Installed, Option<&str>, &str); 5] = [
    (programs::python, None, "2025-11-25"),
    (programs::python, Some("legacy"), "2025-11-25"),
    (programs::python_of_both_eras, None, "2026-07-28"),
    (programs::python_of_both_eras, Some("modern"), "2026-07-28"),
    (programs::python_of_both_eras, Some("legacy"), "2025-11-25"),
];

/// Sets the era, and says what the first request is then.
fn with_era(mut entry: Value, era: Option<&str>) -> (Value, &'static str) {
    if let Some(era) = era {
        entry["era"] = json!(era);
    }
    let first = match era {
        // ReceivedRequest for the older era, it is not asked for the other one first.
        Some("legacy") => "initialize",
        _ => "server/discover",
    };
    (entry, first)
}

/// Asserts by the lines on the wire that the version was agreed on.
fn assert_agreed(tap: &Wiretap, first: &str, version: &str) {
    let (sent, received) = (tap.lines("sent"), tap.lines("received"));
    assert!(
        sent[0].contains(&format!(r#""method":"{first}""#)),
        "{sent:?}"
    );
    assert!(received.iter().any(|line| line.contains(version)));
    let calls = sent.iter().filter(|line| line.contains("tools/call"));
    for call in calls {
        let names_version = call.contains("io.modelcontextprotocol/protocolVersion");
        assert_eq!(names_version, version == "2026-07-28", "{call}");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn the_time_server_converts_a_time_in_either_era() {
    for (program, era, version) in PYTHON {
        let tap = Wiretap::new();
        let entry = tap.around(&program("mcp-server-time"), &["--local-timezone", "UTC"]);
        let (entry, first) = with_era(entry, era);
        let arguments =
            r#"{"source_timezone":"UTC","time":"12:00","target_timezone":"Asia/Kathmandu"}"#;
        let text = call_tapped(entry, &tap, "convert_time", arguments).await;
        assert!(text.contains("17:45"), "{text}");
        assert_agreed(&tap, first, version);
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn the_git_server_tells_of_a_repository_in_either_era() {
    let repository = tempfile::tempdir().expect("a temporary directory");
    let made = std::process::Command::new("git")
        .args(["init", "--quiet"])
        .arg(repository.path())
        .status();
    assert!(made.expect("git starts").success());
    for (program, era, version) in PYTHON {
        let tap = Wiretap::new();
        let entry = tap.around(&program("mcp-server-git"), &[]);
        let (entry, first) = with_era(entry, era);
        let arguments = json!({ "repo_path": repository.path() }).to_string();
        let text = call_tapped(entry, &tap, "git_status", &arguments).await;
        assert!(text.contains("No commits yet"), "{text}");
        assert_agreed(&tap, first, version);
    }
}

/// Set to the newer era, a server that does not know it is refused in words that say so, and
/// not spoken to in the other one behind the user's back.
#[tokio::test(flavor = "multi_thread")]
async fn a_server_that_cannot_speak_the_era_that_is_set_fails_with_a_way_out() {
    for program in ["mcp-server-git", "mcp-server-time"] {
        let tap = Wiretap::new();
        let mut entry = tap.around(&programs::python(program), &[]);
        entry["era"] = json!("modern");
        let host = TestHost::with_servers(json!({ "older": entry }));
        let server = TestHost::id("older");
        let status = host.try_connect(&server).await;
        assert_eq!(status.phase, Phase::Failed);
        let failure = status.failure.expect("a reason");
        let report = serde_json::to_value(&failure).expect("JSON");
        assert_eq!(report["failure"]["type"], "protocolError", "{report}");
        let hint = &failure.hint.text;
        assert!(
            hint.contains("modern (2026-07-28)") && hint.contains("auto"),
            "{report:#}"
        );
        let sent = tap.lines("sent");
        assert!(
            !sent.iter().any(|line| line.contains("initialize")),
            "{sent:?}"
        );
    }
}

/// An example server of the TypeScript SDK, behind a proxy.
async fn example(name: &str, path: &str) -> (programs::Listening, Proxy, TestHost, ServerId) {
    let running = programs::sdk_example(name);
    let proxy = Proxy::before(running.port());
    let host = TestHost::with_servers(json!({ "example": { "url": proxy.url(path) } }));
    let server = TestHost::id("example");
    host.connect(&server).await;
    (running, proxy, host, server)
}

#[tokio::test(flavor = "multi_thread")]
async fn a_server_that_answers_with_json_alone() {
    let (_running, proxy, host, server) = example("jsonResponseStreamableHttp", "/mcp").await;
    let report = host.call(&server, "greet", r#"{"name":"Ada"}"#).await;
    assert!(text_of(&report).contains("Ada"), "{report:?}");
    host.inspector
        .servers
        .open_connections
        .disconnect(&server)
        .await;
    proxy.compare(&host).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_server_without_sessions() {
    let (_running, proxy, host, server) = example("simpleStatelessStreamableHttp", "/mcp").await;
    let arguments = r#"{"interval":10,"count":2}"#;
    let report = host
        .call(&server, "start-notification-stream", arguments)
        .await;
    assert_eq!(report.request.end, RequestEnd::Result, "{report:?}");
    host.inspector
        .servers
        .open_connections
        .disconnect(&server)
        .await;
    proxy.compare(&host).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_server_that_closes_its_stream_and_is_polled() {
    let (_running, proxy, host, server) = example("ssePollingExample", "/mcp").await;
    let report = host.call(&server, "long-task", "{}").await;
    assert_eq!(report.request.end, RequestEnd::Result, "{report:?}");
    host.inspector
        .servers
        .open_connections
        .disconnect(&server)
        .await;
    let sent = proxy.sent().to_lowercase();
    assert!(sent.contains("\r\nlast-event-id: "), "{sent}");
    proxy.compare(&host).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_server_that_tells_of_a_list_on_the_stream_of_its_own() {
    let (_running, proxy, host, server) =
        example("standaloneSseWithGetStreamableHttp", "/mcp").await;
    let before = host.names(&server, ListKind::Resources).len();
    host.eventually("a longer list", || {
        (host.names(&server, ListKind::Resources).len() > before).then_some(())
    })
    .await;
    host.inspector
        .servers
        .open_connections
        .disconnect(&server)
        .await;
    proxy.compare(&host).await;
}
