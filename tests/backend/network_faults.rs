//! Network faults on the way to a server, and what the user sees of them, while
//! another connection goes on unharmed.

use std::path::Path;

use serde_json::{Value, json};
use sightglass_inspector::{ListKind, Phase, view::CallReport};
use sightglass_tests::{TestHost, certificates::Authority, programs, text_of};

/// Returns the failure of connecting, having made sure that another connection goes on.
async fn failure_of(entry: Value) -> Value {
    let healthy = programs::faulty(&[]);
    let host = TestHost::with_servers(json!({
        "steady": { "url": format!("{}/mcp", healthy.url) },
        "faulty": entry,
    }));
    let (steady, faulty) = (TestHost::id("steady"), TestHost::id("faulty"));
    host.connect(&steady).await;
    let status = host.try_connect(&faulty).await;
    assert_eq!(status.phase, Phase::Failed, "{status:?}");
    let report = host.call(&steady, "echo", "{}").await;
    assert_eq!(text_of(&report), "unharmed");
    serde_json::to_value(status.failure.expect("a reason")).expect("JSON")
}

fn message(report: &Value) -> &str {
    report["failure"]["message"].as_str().unwrap_or_default()
}

#[tokio::test(flavor = "multi_thread")]
async fn a_busy_or_broken_server_shows_its_status_its_body_and_its_wish_to_be_left_alone() {
    let faulty = programs::faulty(&[]);
    for status in [429, 500, 502] {
        let report = failure_of(json!({ "url": format!("{}/{status}", faulty.url) })).await;
        assert_eq!(report["failure"]["status"], status);
        assert_eq!(report["failure"]["body"], "busy");
        assert!(message(&report).contains("asks to wait 17 s"), "{report}");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn redirects_in_a_circle_end_and_are_named() {
    let faulty = programs::faulty(&[]);
    let report = failure_of(json!({ "url": format!("{}/circle", faulty.url) })).await;
    assert!(message(&report).contains("in a circle"), "{report}");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_web_page_is_shown_with_its_beginning() {
    let faulty = programs::faulty(&[]);
    let report = failure_of(json!({ "url": format!("{}/page", faulty.url) })).await;
    assert!(message(&report).contains("text/html"), "{report}");
    assert_eq!(report["failure"]["body"], "<title>Hello</title>");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_body_that_drips_and_a_server_that_is_silent_run_into_the_limit_of_their_phase() {
    let faulty = programs::faulty(&[]);
    for (path, transport, phase) in [
        ("dawdle", "http", "initializing"),
        ("silent", "http", "initializing"),
        ("silent", "sse", "connecting"),
    ] {
        let report = failure_of(json!({
            "type": transport,
            "url": format!("{}/{path}", faulty.url),
            "phase_timeouts": { phase: 0.7 },
        }))
        .await;
        assert_eq!(report["failure"]["type"], "timedOut", "{path}: {report}");
        assert_eq!(report["failure"]["phase"], phase, "{path}");
    }
}

/// The server at this path, used beside another one that goes on unharmed.
async fn used_beside_another(path: &str) -> CallReport {
    let (faulty, healthy) = (programs::faulty(&[]), programs::faulty(&[]));
    let host = TestHost::with_servers(json!({
        "faulty": { "url": format!("{}/{path}", faulty.url) },
        "steady": { "url": format!("{}/mcp", healthy.url) },
    }));
    let (steady, faulty) = (TestHost::id("steady"), TestHost::id("faulty"));
    host.connect(&steady).await;
    host.connect(&faulty).await;
    assert_eq!(host.names(&faulty, ListKind::Tools), ["echo"], "{path}");
    let report = host.call(&faulty, "echo", "{}").await;
    let beside = host.call(&steady, "echo", "{}").await;
    assert_eq!(text_of(&beside), "unharmed");
    report
}

#[tokio::test(flavor = "multi_thread")]
async fn a_body_that_is_compressed_unasked_is_read() {
    for path in ["gzip", "deflate", "br"] {
        let report = used_beside_another(path).await;
        assert_eq!(text_of(&report), "unharmed", "{path}");
    }
}

/// A body that only looks compressed fails the call that it answers.
#[tokio::test(flavor = "multi_thread")]
async fn a_body_that_cannot_be_unpacked_fails_its_call_alone() {
    let report = used_beside_another("garbled").await;
    let words = report.request.message.expect("what went wrong");
    assert!(words.contains("the answer broke off"), "{words}");
}

#[tokio::test(flavor = "multi_thread")]
async fn an_answer_of_nothing_fails_its_call_alone() {
    let report = used_beside_another("empty").await;
    let words = report.request.message.expect("what went wrong");
    assert!(words.contains("gave no answer"), "{words}");
}

/// All that the format of event streams allows, and JSON that names its encoding.
#[tokio::test(flavor = "multi_thread")]
async fn the_unusual_but_allowed_is_read() {
    for path in ["charset", "stream"] {
        let report = used_beside_another(path).await;
        assert_eq!(text_of(&report), "unharmed", "{path}");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn certificates_that_do_not_count_are_told_and_one_can_be_accepted_by_its_fingerprint() {
    let authority = Authority::new();
    let at = |files: [&Path; 2]| {
        let server = programs::faulty(&files);
        let url = server.url.replace("127.0.0.1", "localhost") + "/mcp";
        (server, url)
    };
    let expired = authority.issue_expired("localhost");
    let (_expired, url) = at(expired.files());
    let trusting = json!({ "url": url, "ca_file": authority.file() });
    let report = failure_of(trusting).await;
    assert_eq!(report["failure"]["type"], "certificateRefused", "{report}");
    assert_eq!(report["failure"]["fault"], "expired");

    let alone = authority.self_signed("localhost");
    let (_alone, url) = at(alone.files());
    let report = failure_of(json!({ "url": url })).await;
    assert_eq!(report["failure"]["fault"], "selfSigned", "{report}");
    assert_eq!(report["hint"]["action"]["type"], "acceptCertificate");
    let fingerprint = &report["failure"]["chain"][0]["fingerprint"];
    let host = TestHost::with_servers(json!({
        "accepted": { "url": url, "tls_fingerprint": fingerprint },
    }));
    host.connect(&TestHost::id("accepted")).await;
}

/// A token that a server repeats is masked wherever a failure is told.
#[tokio::test(flavor = "multi_thread")]
async fn a_token_that_a_server_repeats_is_in_no_failure() {
    let faulty = programs::faulty(&[]);
    let at = |path: &str| {
        json!({
            "url": format!("{}/{path}", faulty.url),
            "headers": { "Authorization": "Bearer not-to-be-seen" },
        })
    };
    let host = TestHost::with_servers(json!({
        "telltale": at("telltale"),
        "gossip": at("gossip"),
    }));
    let status = host.try_connect(&TestHost::id("telltale")).await;
    let told = serde_json::to_string(&status).expect("JSON");
    assert!(told.contains("no such token"), "{told}");
    assert!(!told.contains("to-be-seen"), "{told}");

    let gossip = TestHost::id("gossip");
    host.connect(&gossip).await;
    let report = host.call(&gossip, "echo", "{}").await;
    let words = report.request.message.expect("what went wrong");
    assert!(words.contains("no such token"), "{words}");
    assert!(!words.contains("to-be-seen"), "{words}");
}

#[tokio::test(flavor = "multi_thread")]
async fn nobody_listening_and_no_such_host_are_told_apart() {
    let closed = format!("http://127.0.0.1:{}/mcp", programs::free_port());
    let report = failure_of(json!({ "url": closed })).await;
    assert_eq!(report["failure"]["stage"], "tcp", "{report}");
    let report = failure_of(json!({ "url": "http://mcp.invalid/mcp" })).await;
    assert_eq!(report["failure"]["stage"], "dns", "{report}");
}

/// The transport that a server was found to speak is known after a restart, until it is forgotten.
#[tokio::test(flavor = "multi_thread")]
async fn how_a_server_was_reached_is_remembered_until_it_is_forgotten() {
    let healthy = programs::faulty(&[]);
    let entry = json!({ "url": format!("{}/mcp", healthy.url) });
    let host = TestHost::with_servers(json!({ "auto": entry }));
    let auto = TestHost::id("auto");
    let steps = async |host: &TestHost| -> Vec<String> {
        let status = host.connect(&auto).await;
        status.steps.into_iter().map(|step| step.what).collect()
    };
    assert_eq!(steps(&host).await, ["server/discover", "initialize"]);
    let file = host.data().join("found.json");
    let kept = |part: &str| {
        let text = std::fs::read_to_string(&file).unwrap_or_default();
        text.contains(part).then_some(())
    };
    host.eventually("the note on disk", || kept("legacy")).await;
    let host = host.restart().await;
    assert_eq!(steps(&host).await, ["initialize"], "known from before");
    host.inspector
        .servers
        .open_connections
        .disconnect(&auto)
        .await;
    host.inspector.servers.open_connections.forget_found(&auto);
    assert_eq!(steps(&host).await, ["server/discover", "initialize"]);
}
