//! Failures that are explained where they happen: the cause, the evidence, and what to do next.

use std::{fs, os::unix::fs::PermissionsExt, path::Path, time::Duration};

use serde_json::{Value, json};
use sightglass_inspector::{
    Failure, HintAction, Outcome, Phase, RequestEnd, Secret,
    view::{CallReport, ConformanceOptions},
};
use sightglass_tests::{
    TestHost, programs,
    scripted::{GUARDED_TOOL, Scripted},
    user::User,
};
use tempfile::TempDir;

use crate::{command_line::Machine, requests::call};

const TOOLS: &str = r#"{"tools":[{"name":"boom","inputSchema":{"type":"object"}}]}"#;
const TRACE: &str = "KeyError: 'DATABASE_URL'";

/// The entry of a server that dies in every call of its tool.
fn fragile(folder: &Path) -> Value {
    let initialize = r#"{"protocolVersion":"2025-11-25","capabilities":{"tools":{}},"serverInfo":{"name":"fragile","version":"1"}}"#;
    let lines = format!(
        "initialize {initialize}\ntools/list {TOOLS}\nping {{}}\ntools/call (crash) {TRACE}\n"
    );
    let results = folder.join("results.txt");
    fs::write(&results, lines).expect("written");
    let script = programs::repository().join("tests/support/scripted.mjs");
    json!({ "command": "node", "args": [script, results], "era": "legacy" })
}

/// Makes a file that may be run.
fn executable(folder: &Path, name: &str, text: &str) -> String {
    let file = folder.join(name);
    fs::write(&file, text).expect("written");
    fs::set_permissions(&file, fs::Permissions::from_mode(0o755)).expect("executable");
    file.display().to_string()
}

/// Why an entry does not start, as JSON, and how the doctor's row about the program ends.
async fn start_of(entry: Value) -> (Value, String) {
    let host = TestHost::with_servers(json!({ "broken": entry }));
    let broken = TestHost::id("broken");
    let status = host.try_connect(&broken).await;
    assert_eq!(status.phase, Phase::Failed, "{status:?}");
    let report = host
        .inspector
        .checks
        .doctor
        .run_doctor(&broken)
        .await
        .expect("examined");
    let program = report
        .checks
        .iter()
        .find(|check| check.title == "Program")
        .expect("a check of the program");
    let verdict = serde_json::to_value(program.verdict).expect("JSON");
    assert_eq!(verdict, "failed", "{program:?}");
    let failure = serde_json::to_value(status.failure.expect("a reason")).expect("JSON");
    assert_eq!(report.cause.as_deref(), failure["hint"]["text"].as_str());
    (failure, program.words().to_owned())
}

#[tokio::test(flavor = "multi_thread")]
async fn a_program_that_cannot_start_says_which_of_its_faults_it_is() {
    let folder = TempDir::new().expect("a folder");
    let lost = executable(folder.path(), "lost", "#!/nowhere/python3\n");
    let windows = executable(folder.path(), "windows", "#!/bin/sh\r\nexit 0\r\n");
    let directory = folder.path().display().to_string();
    let cases = [
        (
            json!({ "command": "uv run server.py" }),
            "argumentsInCommand",
            "`args`",
        ),
        (
            json!({ "command": "API_KEY=hunter22 npx server" }),
            "variablesInCommand",
            "Move `API_KEY` there",
        ),
        (
            json!({ "command": lost }),
            "interpreterMissing",
            "/nowhere/python3",
        ),
        (
            json!({ "command": windows }),
            "carriageReturn",
            "Unix line ends",
        ),
        (json!({ "command": directory }), "folder", "is a folder"),
        (
            json!({ "command": "cmd", "args": ["/c", "npx", "-y", "server"] }),
            "forWindows",
            "make `npx` the command",
        ),
        (
            json!({ "command": r"C:\Program Files\nodejs\node.exe" }),
            "forWindows",
            "written for Windows",
        ),
    ];
    for (entry, kind, wanted) in cases {
        let (failure, row) = start_of(entry).await;
        assert_eq!(failure["failure"]["fault"]["type"], kind, "{failure}");
        let hint = failure["hint"]["text"].as_str().expect("a hint");
        assert!(hint.contains(wanted), "{hint}");
        assert_eq!(failure["failure"]["message"], row.as_str());
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_question_without_a_line_end_is_shown_while_the_start_waits() {
    let folder = TempDir::new().expect("a folder");
    let script = "#!/bin/sh\nprintf 'Ok to proceed? (y) ' >&2\nexec sleep 60\n";
    let asks = executable(folder.path(), "asks", script);
    let host = TestHost::with_servers(json!({
        "asks": { "command": asks, "era": "legacy", "phase_timeouts": { "initializing": 2 } }
    }));
    let server = TestHost::id("asks");
    host.inspector
        .servers
        .lifecycle
        .connect(&server)
        .expect("it starts");
    let shown = "Ok to proceed? (y) ";
    host.wait_for(&server, |status| {
        status.phase == Phase::Initializing && status.output.iter().any(|line| line == shown)
    })
    .await;
    let status = host
        .wait_for(&server, |status| status.phase == Phase::Failed)
        .await;
    let report = status.failure.expect("a reason");
    let Failure::TimedOut { prompt, stderr, .. } = &report.failure else {
        panic!("{report:?}");
    };
    assert_eq!(prompt.as_deref(), Some(shown));
    assert_eq!(stderr.last().map(String::as_str), Some(shown));
    let hint = &report.hint.text;
    assert!(
        hint.contains("“Ok to proceed? (y)”") && hint.contains("`-y`"),
        "{hint}"
    );
}

#[tokio::test(flavor = "multi_thread")]
async fn a_crash_in_a_call_is_explained_in_its_result_and_remembered() {
    let folder = TempDir::new().expect("a folder");
    let host = TestHost::with_servers(json!({ "fragile": fragile(folder.path()) }));
    let server = TestHost::id("fragile");
    host.connect(&server).await;
    let report = host.call(&server, "boom", "{}").await;
    assert_eq!(report.request.end, RequestEnd::ConnectionLost);
    let failure = report.request.failure.as_deref().expect("why");
    let Failure::Exited {
        code,
        stderr,
        unanswered,
        ..
    } = &failure.failure
    else {
        panic!("{failure:?}");
    };
    assert_eq!(
        (*code, stderr.as_slice()),
        (Some(1), [TRACE.to_owned()].as_slice())
    );
    assert_eq!(failure.headline.as_deref(), Some(TRACE));
    assert_eq!(failure.reason, "DATABASE_URL is not set (exit 1)");
    assert_eq!(unanswered[0].target.as_deref(), Some("boom"));
    assert!(
        failure.hint.text.contains("DATABASE_URL"),
        "{}",
        failure.hint.text
    );
    let name = "DATABASE_URL".to_owned();
    assert_eq!(failure.hint.action, HintAction::SetVariable { name });
    let message = report.request.message.as_deref().unwrap_or_default();
    assert!(
        message.contains("exited with code 1 before it answered"),
        "{message}"
    );

    let status = host
        .wait_for(&server, |status| {
            status.phase == Phase::Ready && status.loss.is_some()
        })
        .await;
    let loss = status.loss.expect("it is remembered");
    assert_eq!(loss.count, 1);
    assert_eq!(loss.failure.failure, failure.failure);
    assert!(loss.back.is_some_and(|back| back >= loss.at));

    host.call(&server, "boom", "{}").await;
    let status = host
        .wait_for(&server, |status| {
            status.phase == Phase::Ready && status.loss.as_ref().is_some_and(|loss| loss.count == 2)
        })
        .await;
    assert!(status.loss.expect("twice").back.is_some());
    // Whoever connects anew begins anew.
    host.inspector
        .servers
        .open_connections
        .disconnect(&server)
        .await;
    assert_eq!(host.connect(&server).await.loss, None);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_variable_that_a_program_lacked_can_be_set_for_this_session() {
    let program = programs::own("sightglass-demo-server");
    let script = format!(
        "test -n \"$DATABASE_URL\" || {{ echo \"{TRACE}\" >&2; exit 1; }}; exec '{}'",
        program.display()
    );
    let host = TestHost::with_servers(json!({
        "orders": { "command": "/bin/sh", "args": ["-c", script] }
    }));
    let server = TestHost::id("orders");
    let set = |name: &str| {
        let value = Some(Secret::new("postgres://localhost/orders".to_owned()));
        let variables = &host.inspector.servers.session_variables;
        variables.update_session_variable(&server, name, value)
    };
    set("DATABASE_URL").expect_err("nothing said that it lacks it");
    assert_eq!(host.try_connect(&server).await.phase, Phase::Failed);
    set("LD_PRELOAD").expect_err("the program lacks another");
    set("DATABASE_URL").expect("the program said so");
    host.connect(&server).await;
}

#[test]
fn a_crash_shows_the_same_on_every_command() {
    let machine = Machine::new();
    let servers = json!({ "mcpServers": { "fragile": fragile(&machine.path("data")) } });
    fs::write(machine.path("home/.claude/.mcp.json"), servers.to_string()).expect("written");
    let called = machine.run(&["tools", "call", "fragile", "boom", "{}"]);
    assert_eq!(called.code, Some(3), "{}", called.stderr);
    assert!(
        called.stderr.contains(&format!("stderr │ {TRACE}")),
        "{}",
        called.stderr
    );
    assert!(
        called.stderr.contains("DATABASE_URL is not set (exit 1)"),
        "{}",
        called.stderr
    );
    assert!(
        called.stderr.contains("`--env DATABASE_URL=VALUE`"),
        "{}",
        called.stderr
    );

    let requests = machine.path("project/.sightglass/requests");
    fs::create_dir_all(&requests).expect("made");
    for (name, server, tool) in [("boom", "fragile", "boom"), ("stops", "stops", "echo")] {
        let text = call(tool, "{}", "").replace("\"demo\"", &format!("\"{server}\""));
        fs::write(requests.join(format!("{name}.toml")), text).expect("written");
    }
    let stops = json!({ "mcpServers": {
        "fragile": fragile(&machine.path("data")),
        "stops": { "command": "sh", "args": ["-c", "echo 'GITHUB_TOKEN is not set' >&2; exit 3"] },
    }});
    fs::write(machine.path("home/.claude/.mcp.json"), stops.to_string()).expect("written");
    let trusted = machine.run(&["config", "trust", "--yes"]);
    assert_eq!(trusted.code, Some(0), "{}", trusted.stderr);
    let junit = machine.path("junit.xml");
    let tested = machine.run(&["test", "--junit", junit.to_str().expect("UTF-8")]);
    let said = format!("{}{}", tested.stdout, tested.stderr);
    for wanted in [
        &format!("stderr │ {TRACE}"),
        "stderr │ GITHUB_TOKEN is not set",
        "name the variable GITHUB_TOKEN",
    ] {
        assert!(said.contains(wanted), "{wanted}: {said}");
    }
    let report = fs::read_to_string(junit).expect("written");
    assert!(report.contains("GITHUB_TOKEN is not set"), "{report}");
}

/// The newest row of the call of a tool.
async fn row_of(host: &TestHost, report: &CallReport) -> (Outcome, Option<i32>) {
    let frame = report.request.request_frame.expect("it was sent");
    let rows = host.traffic(&format!("id:{frame}"), &[]).await;
    let row = rows.last().expect("on record");
    (row.outcome, row.code)
}

#[tokio::test(flavor = "multi_thread")]
async fn a_call_that_lacks_a_scope_names_it_and_its_row_ends_as_403() {
    let scripted = Scripted::start().await;
    let (host, server) = TestHost::guarded(&scripted, &User::signs_in("ada"));
    host.signs_in(&server).await;
    let report = host.call(&server, GUARDED_TOOL, r#"{"a":1,"b":2}"#).await;
    assert_eq!(report.request.end, RequestEnd::Refused);
    let failure = report.request.failure.as_deref().expect("why");
    let Failure::SignInRequired { status, scopes, .. } = &failure.failure else {
        panic!("{failure:?}");
    };
    assert_eq!(
        (*status, scopes.as_slice()),
        (403, ["admin".to_owned()].as_slice())
    );
    assert_eq!(failure.reason, "permission admin is missing");
    assert!(
        failure.hint.text.contains("`admin`"),
        "{}",
        failure.hint.text
    );
    assert_eq!(row_of(&host, &report).await, (Outcome::Error, Some(403)));
    assert_eq!(
        host.inspector
            .servers
            .open_connections
            .status(&server)
            .phase,
        Phase::Ready
    );
    // What the button does: the sign-in asks for the scope, and the call succeeds then.
    host.sign_in(&server).await;
    let report = host.call(&server, GUARDED_TOOL, r#"{"a":1,"b":2}"#).await;
    assert_eq!(report.request.end, RequestEnd::Result, "{report:?}");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_call_that_http_refuses_is_not_a_lost_connection() {
    let faulty = programs::faulty(&[]);
    let url = format!("{}/lock", faulty.url);
    let host = TestHost::with_servers(json!({ "locked": { "type": "http", "url": url } }));
    let server = TestHost::id("locked");
    host.connect(&server).await;
    let report = host.call(&server, "echo", "{}").await;
    assert_eq!(report.request.end, RequestEnd::Refused);
    let failure = report.request.failure.as_deref().expect("why");
    assert_eq!(failure.reason, "HTTP 500");
    assert_eq!(row_of(&host, &report).await, (Outcome::Error, Some(500)));
    assert_eq!(
        host.inspector
            .servers
            .open_connections
            .status(&server)
            .phase,
        Phase::Ready
    );
}

#[tokio::test(flavor = "multi_thread")]
async fn what_checks_do_is_not_told_as_something_that_happened_to_the_server() {
    let demo = json!({ "command": programs::own("sightglass-demo-server") });
    let host = TestHost::with_servers(json!({ "checked": demo }));
    let server = TestHost::id("checked");
    host.connect(&server).await;
    host.inspector
        .checks
        .doctor
        .run_doctor(&server)
        .await
        .expect("examined");
    let options = ConformanceOptions::default();
    let spec = host
        .inspector
        .servers
        .specs
        .spec(&server)
        .expect("an entry");
    let stop = Default::default();
    let report = host
        .inspector
        .checks
        .conformance
        .conformance_as(&server, spec, &options, &|_| {}, &stop)
        .await
        .expect("checked");
    assert!(!report.checks.is_empty());
    let exits = host.traffic("exit kind:phase", &[]).await;
    assert!(!exits.is_empty(), "the processes of the checks have ended");
    for row in exits {
        assert_eq!(
            (row.server.as_str(), row.server_id.is_of_check()),
            ("checked (check)", true)
        );
    }
    assert!(
        !host
            .traffic("is:check method:tools/list", &[])
            .await
            .is_empty()
    );
    // Evidence can still be looked at: it is asked for by its number.
    let evidence = report
        .checks
        .iter()
        .find_map(|check| check.exchanges.first());
    let shown = host
        .traffic(&format!("id:{}", evidence.expect("some")), &[])
        .await;
    assert_eq!(shown.len(), 1);
    tokio::time::sleep(Duration::from_millis(50)).await;
    assert_eq!(
        host.inspector
            .servers
            .open_connections
            .status(&server)
            .phase,
        Phase::Ready
    );
}
