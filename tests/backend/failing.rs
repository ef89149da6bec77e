//! Servers that fail: what is said, and that nothing is left behind.

use serde_json::{Value, json};
use sightglass_inspector::{Phase, RequestEnd};
use sightglass_tests::{TestHost, programs};

/// Connects to the demo server with these options and returns how it failed, as JSON.
async fn failure_of(entry: Value) -> Value {
    let host = TestHost::with_servers(json!({ "faulty": entry }));
    let status = host.try_connect(&TestHost::id("faulty")).await;
    assert_eq!(status.phase, Phase::Failed, "{status:?}");
    serde_json::to_value(status.failure.expect("a reason")).expect("JSON")
}

fn demo(arguments: &[&str]) -> Value {
    json!({ "command": programs::own("sightglass-demo-server"), "args": arguments })
}

#[tokio::test(flavor = "multi_thread")]
async fn a_program_that_is_not_there_is_named() {
    let report = failure_of(json!({ "command": "no-such-program-anywhere" })).await;
    assert_eq!(report["failure"]["type"], "spawnFailed");
    assert!(
        report["hint"]["text"]
            .as_str()
            .expect("text")
            .contains("no-such-program-anywhere")
    );
}

#[tokio::test(flavor = "multi_thread")]
async fn a_server_that_exits_shows_its_code_its_last_words_and_what_it_left_unanswered() {
    let report = failure_of(demo(&[
        "--fault",
        "exit",
        "--exit-code",
        "3",
        "--stderr",
        "DATABASE_URL is not set",
    ]))
    .await;
    assert_eq!(report["failure"]["type"], "exited");
    assert_eq!(report["failure"]["code"], 3);
    assert!(
        report["failure"]["stderr"]
            .to_string()
            .contains("DATABASE_URL is not set")
    );
    assert_eq!(report["reason"], "DATABASE_URL is not set (exit 3)");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_server_that_never_answers_times_out_with_the_request_that_waited() {
    let mut entry = demo(&["--fault", "hang-initialize"]);
    entry["phase_timeouts"] = json!({ "initializing": 0.5 });
    let report = failure_of(entry).await;
    assert_eq!(report["failure"]["type"], "timedOut");
    assert_eq!(report["failure"]["phase"], "initializing");
    assert!(
        !report["failure"]["unanswered"]
            .as_array()
            .expect("a list")
            .is_empty(),
        "{report}"
    );
}

#[tokio::test(flavor = "multi_thread")]
async fn a_protocol_version_that_nobody_knows_is_a_protocol_error() {
    let report = failure_of(demo(&["--fault", "wrong-version", "--era", "legacy"])).await;
    assert_eq!(report["failure"]["type"], "protocolError");
}

#[tokio::test(flavor = "multi_thread")]
async fn nothing_listening_is_told_from_an_http_status() {
    let url = format!("http://127.0.0.1:{}/mcp", programs::free_port());
    let report = failure_of(json!({ "url": url })).await;
    assert_eq!(report["failure"]["type"], "network");
    assert_eq!(report["failure"]["stage"], "tcp");

    let demo = programs::demo_over_http(&[]);
    let report = failure_of(json!({ "url": demo.url.replace("/mcp", "/elsewhere") })).await;
    assert_eq!(report["failure"]["type"], "network");
    assert_eq!(report["failure"]["status"], 404);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_crash_during_a_call_ends_the_call_and_says_why() {
    let host = TestHost::with_servers(json!({ "fragile": demo(&[]) }));
    let server = TestHost::id("fragile");
    host.connect(&server).await;
    let report = host.call(&server, "crash", r#"{"exit_code":7}"#).await;
    assert_eq!(report.request.end, RequestEnd::ConnectionLost);
    let status = host
        .wait_for(&server, |status| status.phase == Phase::Failed)
        .await;
    let failure = serde_json::to_value(status.failure.expect("a reason")).expect("JSON");
    assert_eq!(failure["failure"]["type"], "exited");
}

#[tokio::test(flavor = "multi_thread")]
async fn stray_output_is_on_record_and_harms_nothing() {
    let host = TestHost::with_servers(json!({ "chatty": demo(&[]) }));
    let server = TestHost::id("chatty");
    host.connect(&server).await;
    host.call(&server, "stray_stdout", "{}").await;
    let rows = host.traffic("method:stdout", &[]).await;
    assert!(!rows.is_empty(), "stray lines are rows of their own");
    let report = host.call(&server, "echo", r#"{"message":"fine"}"#).await;
    assert_eq!(report.request.end, RequestEnd::Result);
}

/// Connects to this path of the server that misbehaves over HTTP; the failure as JSON.
async fn failure_at(path: &str, era: &str) -> Value {
    let server = programs::faulty(&[]);
    failure_of(json!({ "url": format!("{}/{path}", server.url), "era": era, "type": "http" })).await
}

#[tokio::test(flavor = "multi_thread")]
async fn a_status_is_told_with_its_body_and_never_with_a_code_that_nobody_sent() {
    for era in ["auto", "legacy", "modern"] {
        let report = failure_at("locked", era).await;
        assert_eq!(report["failure"]["type"], "network", "{era}: {report}");
        assert_eq!(report["failure"]["status"], 500, "{era}");
        assert_eq!(
            report["failure"]["body"], r#"{"error":"database is locked"}"#,
            "{era}"
        );
        assert_eq!(report["reason"], "HTTP 500", "{era}");
        assert_eq!(report["hint"]["action"]["type"], "reconnect", "{era}");
        assert!(!report.to_string().contains("-32603"), "{report}");

        let report = failure_at("forbidden", era).await;
        assert_eq!(report["reason"], "HTTP 403", "{era}");
        assert_eq!(report["failure"]["body"], "Host not allowed: 127.0.0.1");
        let hint = report["hint"]["text"].as_str().expect("a text");
        assert!(hint.contains("host name"), "{era}: {hint}");

        let report = failure_at("object", era).await;
        assert!(
            report["failure"].to_string().contains("database is locked"),
            "{era}: {report}"
        );
        assert!(!report.to_string().contains("-32603"), "{report}");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn the_way_to_a_status_says_the_status_too() {
    let server = programs::faulty(&[]);
    let host =
        TestHost::with_servers(json!({ "faulty": { "url": format!("{}/locked", server.url) } }));
    let status = host.try_connect(&TestHost::id("faulty")).await;
    let status = serde_json::to_value(status).expect("JSON");
    assert!(!status.to_string().contains("-32603"), "{status}");
    let steps = status["steps"].to_string();
    assert!(steps.contains("HTTP 500"), "{steps}");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_call_that_meets_a_status_says_so_with_the_body() {
    let server = programs::faulty(&[]);
    let entry = json!({ "url": format!("{}/lock", server.url), "era": "legacy" });
    let host = TestHost::with_servers(json!({ "faulty": entry }));
    let id = TestHost::id("faulty");
    host.connect(&id).await;
    let report = host.call(&id, "echo", "{}").await;
    let words = report.request.message.expect("words");
    assert!(words.contains("HTTP 500"), "{words}");
    assert!(words.contains("database is locked"), "{words}");
    assert_eq!(report.error, None);
}

#[cfg(unix)]
#[tokio::test(flavor = "multi_thread")]
async fn a_program_that_printed_to_stdout_and_ended_shows_what_it_printed() {
    let script = "echo 'Server listening on port 3000'; printf '{ port: 3000 }'; exit 1";
    let report = failure_of(json!({ "command": "sh", "args": ["-c", script] })).await;
    assert_eq!(report["failure"]["type"], "exited");
    assert_eq!(
        report["failure"]["stdout"],
        json!(["Server listening on port 3000", "{ port: 3000 }"])
    );
    let hint = report["hint"]["text"].as_str().expect("a text");
    assert!(hint.contains("printed to stdout"), "{hint}");
}

#[cfg(unix)]
#[tokio::test(flavor = "multi_thread")]
async fn a_mistake_in_a_programs_text_is_not_taken_for_a_missing_token() {
    let script = "echo \"SyntaxError: Unexpected token ';'\" >&2; exit 1";
    let report = failure_of(json!({ "command": "sh", "args": ["-c", script] })).await;
    let hint = report["hint"]["text"].as_str().expect("a text");
    assert!(hint.contains("syntax error"), "{hint}");
    assert!(!hint.contains("key or token"), "{hint}");
}
