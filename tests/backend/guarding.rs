//! A server that was not approved or is refused is started by no path. The programs leave a
//! mark when they start.

use std::{fs, path::Path};

use serde_json::{Value, json};
use sightglass_inspector::{
    Client, ErrorCode, Phase,
    view::{Blocked, ServerView},
};
use sightglass_tests::{TestHost, programs};

use crate::command_line::Machine;

/// A demo server that writes a line to a file when it starts.
fn marking(mark: &Path, word: &str) -> Value {
    let demo = programs::own("sightglass-demo-server");
    let script = format!(
        "echo {word} $$ >> '{}'; exec '{}'",
        mark.display(),
        demo.display()
    );
    json!({ "command": "/bin/sh", "args": ["-c", script] })
}

/// The processes that were started, by the word of their entry.
fn started(mark: &Path) -> Vec<(String, i32)> {
    let text = fs::read_to_string(mark).unwrap_or_default();
    let of_line = |line: &str| {
        let (word, process) = line.split_once(' ').expect("two words");
        (word.to_owned(), process.parse().expect("a number"))
    };
    text.lines().map(of_line).collect()
}

fn starts(mark: &Path) -> usize {
    fs::read_to_string(mark).map_or(0, |text| text.lines().count())
}

fn shown(host: &TestHost, name: &str) -> ServerView {
    let servers = host.inspector.snapshot().servers;
    let found = servers.into_iter().find(|server| server.name == name);
    found.expect("it is shown")
}

/// Tries every path of the window; none may start it.
async fn nothing_starts(host: &TestHost, wanted: ErrorCode) {
    let id = TestHost::id("theirs");
    let error = host
        .inspector
        .servers
        .lifecycle
        .connect(&id)
        .expect_err("connect");
    assert_eq!(error.code(), wanted);
    let error = host
        .inspector
        .checks
        .doctor
        .run_doctor(&id)
        .await
        .expect_err("doctor");
    assert_eq!(error.code(), wanted);
    host.inspector
        .servers
        .specs
        .spec(&id)
        .expect_err("a way to reach it");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_server_that_nobody_approved_is_started_by_no_path() {
    let marks = tempfile::tempdir().expect("a temporary directory");
    let mark = marks.path().join("mark");
    let host = TestHost::with_foreign_servers(json!({ "theirs": marking(&mark, "one") }));
    let id = TestHost::id("theirs");
    nothing_starts(&host, ErrorCode::NotApproved).await;
    host.inspector
        .calls
        .requests
        .call_tool(&id, "call", "echo", "{}", None, None)
        .await
        .expect_err("there is no connection");
    assert_eq!(starts(&mark), 0);

    let request = host
        .inspector
        .servers
        .trust
        .trust_request(&id)
        .expect("there");
    host.inspector
        .servers
        .trust
        .approve_server(&id, &request.fingerprint)
        .expect("approved");
    host.connect(&id).await;
    assert_eq!(starts(&mark), 1);

    // The entry changes while it is connected: said, and not started before it is approved.
    let path = host.project().join(".claude/.mcp.json");
    let changed = json!({ "mcpServers": { "theirs": marking(&mark, "two") } });
    host.write(&path, &changed.to_string());
    host.eventually("the change", || {
        (shown(&host, "theirs").blocked == Some(Blocked::Waiting)).then_some(())
    })
    .await;
    let view = host.inspector.servers.projection.configuration();
    let own = view
        .clients
        .iter()
        .find(|found| found.client == Client::McpJson);
    let row = own.and_then(|own| own.servers.iter().find(|row| row.name == "theirs"));
    assert!(row.expect("its row").outdated);
    nothing_starts(&host, ErrorCode::NotApproved).await;
    assert_eq!(
        host.inspector.servers.open_connections.status(&id).phase,
        Phase::Ready
    );
    assert_eq!(starts(&mark), 1);

    // What is connected again after a drop is what was approved.
    let (_, process) = started(&mark)[0].clone();
    let before = host.inspector.servers.open_connections.status(&id);
    // SAFETY: a signal to a process of this test.
    assert_eq!(unsafe { libc::kill(process, libc::SIGKILL) }, 0);
    host.wait_for(&id, |status| {
        (status.connection, status.since) != (before.connection, before.since)
            && matches!(
                status.phase,
                Phase::Ready | Phase::Failed | Phase::Disconnected
            )
    })
    .await;
    assert!(started(&mark).iter().all(|(word, _)| word == "one"));

    // An approval that is taken back ends what it allowed.
    host.inspector
        .servers
        .trust
        .revoke_approval(&id)
        .expect("revoked");
    host.wait_for(&id, |status| {
        matches!(status.phase, Phase::Failed | Phase::Disconnected)
    })
    .await;
    let before = starts(&mark);
    nothing_starts(&host, ErrorCode::NotApproved).await;
    assert_eq!(starts(&mark), before);
    assert!(started(&mark).iter().all(|(word, _)| word == "one"));
}

#[tokio::test(flavor = "multi_thread")]
async fn a_rule_that_comes_while_a_server_is_connected_ends_it() {
    let marks = tempfile::tempdir().expect("a temporary directory");
    let mark = marks.path().join("mark");
    let host = TestHost::with_servers(json!({ "theirs": marking(&mark, "one") }));
    let id = TestHost::id("theirs");
    host.connect(&id).await;
    host.write(
        &host.system().join("etc/claude-code/managed-settings.json"),
        r#"{"deniedMcpServers":[{"serverName":"theirs"}]}"#,
    );
    host.wait_for(&id, |status| status.phase == Phase::Disconnected)
        .await;
    assert!(matches!(
        shown(&host, "theirs").blocked,
        Some(Blocked::Refused { .. })
    ));
    nothing_starts(&host, ErrorCode::RefusedByPolicy).await;
    assert_eq!(starts(&mark), 1);
}

#[test]
fn no_command_starts_a_server_that_nobody_approved() {
    let machine = Machine::new();
    let mark = machine.path("mark");
    let entry = json!({ "mcpServers": { "theirs": marking(&mark, "one") } });
    fs::write(machine.path("project/.mcp.json"), entry.to_string()).expect("written");
    for words in [
        ["ping", "theirs"].as_slice(),
        &["info", "theirs"],
        &["doctor", "theirs"],
        &["tools", "list", "theirs"],
        &["tools", "call", "theirs", "echo", "{}"],
        &["resources", "list", "theirs"],
        &["prompts", "list", "theirs"],
    ] {
        let ran = machine.run(words);
        assert_eq!(ran.code, Some(1), "{words:?}: {}{}", ran.stdout, ran.stderr);
        assert!(
            ran.stderr.contains("config approve"),
            "{words:?}: {}",
            ran.stderr
        );
    }
    assert_eq!(starts(&mark), 0);
}
