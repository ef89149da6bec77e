//! Findings of the doctor about servers that are well and about those that are not.

use std::sync::{Arc, Mutex};

use axum::{
    Router,
    extract::Request,
    http::{StatusCode, header},
    response::IntoResponse,
    routing::post,
};
use sightglass_connection::{DoctorReport, DoctorState};
use sightglass_model::{
    Endpoint, EraChoice, Finding, HintAction, RemoteTransport, ServerSpec, Verdict,
};
use sightglass_secrets::Secret;
use tokio_util::sync::CancellationToken;

use super::{
    over, peer,
    tls::{Authority, authority, trusting},
};
use crate::support::{Bench, demo, http, permitted, server, stdio};

/// Examines a server; each report that was told on the way has one check more.
async fn examined(bench: &Bench, spec: ServerSpec) -> DoctorReport {
    let told = Mutex::new(Vec::new());
    let tell = |report: DoctorReport| told.lock().unwrap().push(report.checks.len());
    let report = bench
        .connections
        .doctor(
            server("patient"),
            permitted(spec),
            None,
            CancellationToken::new(),
            &tell,
        )
        .await;
    assert_eq!(report.state, DoctorState::Finished);
    let told = told.into_inner().unwrap();
    assert!(told.windows(2).all(|two| two[1] - two[0] <= 1), "{told:?}");
    report
}

fn verdicts(report: &DoctorReport) -> Vec<(&str, Verdict)> {
    report
        .checks
        .iter()
        .map(|check| (check.title.as_str(), check.verdict))
        .collect()
}

#[tokio::test]
async fn a_program_that_is_well_is_found_so() {
    let bench = Bench::new();
    let report = examined(&bench, demo(&[])).await;
    assert_eq!(
        (report.cause, report.action),
        (None, None),
        "{}",
        report.text
    );
    assert!(
        report.text.contains("All checks passed."),
        "{}",
        report.text
    );
    let titles: Vec<&str> = report
        .checks
        .iter()
        .map(|check| check.title.as_str())
        .collect();
    assert_eq!(
        titles,
        [
            "Program",
            "Start",
            "Exit",
            "Output",
            "Handshake",
            "Protocol version",
            "Tools",
            "Resources",
            "Prompts"
        ]
    );
    // The person's own connection is none of the doctor's.
    assert!(bench.connections.status(server("patient")).is_none());
    assert!(super::recorded(&bench.recorder).contains("doctor"));
}

#[tokio::test]
async fn a_program_that_is_missing_or_ends_is_told_with_its_evidence() {
    let bench = Bench::new();
    let report = examined(&bench, stdio("no-such-program-at-all", &[])).await;
    assert_eq!(verdicts(&report)[0], ("Program", Verdict::Failed));
    assert!(
        report.checks[0]
            .evidence
            .iter()
            .any(|line| line.starts_with("PATH: "))
    );
    assert_eq!(report.action, Some(HintAction::EditServer));
    let script = "echo no key >&2; echo hello; exit 3";
    let report = examined(&bench, stdio("sh", &["-c", script])).await;
    let exit = report
        .checks
        .iter()
        .find(|check| check.title == "Exit")
        .unwrap();
    assert_eq!(
        (exit.verdict, exit.words()),
        (Verdict::Failed, "the program exited with code 3")
    );
    assert!(
        exit.evidence.contains(&"stderr: no key".to_owned()),
        "{exit:?}"
    );
    let output = report
        .checks
        .iter()
        .find(|check| check.title == "Output")
        .unwrap();
    assert_eq!(output.verdict, Verdict::Warning, "{output:?}");
    assert!(report.text.contains("stdout: hello"), "{}", report.text);
}

#[tokio::test]
async fn a_remote_server_is_looked_at_from_its_name_to_its_lists() {
    let bench = Bench::new();
    let url = peer::serve(peer::streamable()).await;
    let report = examined(&bench, http(&format!("{url}/mcp"))).await;
    assert_eq!(
        verdicts(&report),
        [
            ("Address", Verdict::Passed),
            ("Proxy", Verdict::Passed),
            ("Name (DNS)", Verdict::Passed),
            ("Port (TCP)", Verdict::Passed),
            ("Certificate (TLS)", Verdict::Skipped),
            ("HTTP", Verdict::Passed),
            ("Content type", Verdict::Passed),
            ("Redirects", Verdict::Passed),
            ("Sign-in", Verdict::Passed),
            ("Handshake", Verdict::Passed),
            ("Protocol version", Verdict::Passed),
            ("Tools", Verdict::Passed),
            ("Resources", Verdict::Passed),
            ("Prompts", Verdict::Passed),
        ],
        "{}",
        report.text
    );
}

#[tokio::test]
async fn what_stands_in_the_way_to_a_remote_server_is_named() {
    let bench = Bench::new();
    let report = examined(&bench, http("http://no-such-host.invalid/mcp")).await;
    assert!(
        verdicts(&report).contains(&("Name (DNS)", Verdict::Failed)),
        "{}",
        report.text
    );
    assert!(report.cause.unwrap().contains("does not resolve"));
    let report = examined(&bench, http("http://127.0.0.1:1/mcp")).await;
    assert!(
        verdicts(&report).contains(&("Port (TCP)", Verdict::Failed)),
        "{}",
        report.text
    );
    let challenge = &[("www-authenticate", "Bearer realm=\"a\"")];
    let url = peer::serve(peer::always(401, challenge, "")).await;
    let report = examined(&bench, http(&url)).await;
    let access = report
        .checks
        .iter()
        .find(|check| check.title == "Sign-in")
        .unwrap();
    assert_eq!(access.verdict, Verdict::Failed);
    assert_eq!(access.evidence, ["WWW-Authenticate: Bearer realm=\"a\""]);
    assert!(access.words().contains("requires a token"), "{access:?}");
}

#[tokio::test]
async fn a_token_that_is_refused_is_told_with_its_fault() {
    const CHALLENGE: &[(&str, &str)] = &[(
        "www-authenticate",
        "Bearer error=\"invalid_token\", error_description=\"invalid audience\"",
    )];
    let bench = Bench::new();
    let url = peer::serve(peer::always(401, CHALLENGE, "")).await;
    let mut spec = http(&url);
    let Endpoint::Remote(remote) = &mut spec.endpoint else {
        unreachable!("it is a remote one");
    };
    let token = Secret::new("Bearer opaque".to_owned());
    remote.headers.insert("Authorization".to_owned(), token);
    let report = examined(&bench, spec).await;
    let access = found(&report, "Sign-in");
    assert!(access.words().contains("refused the token"), "{access:?}");
    let cause = report.cause.as_deref().unwrap();
    assert!(cause.contains("another audience"), "{cause}");
}

#[tokio::test]
async fn an_entry_that_asks_for_the_wrong_transport_is_told_so() {
    let bench = Bench::new();
    let url = peer::serve(peer::streamable()).await;
    let report = examined(&bench, over(RemoteTransport::Sse, &format!("{url}/mcp"))).await;
    let cause = report.cause.as_deref().unwrap();
    assert!(cause.contains("Streamable HTTP"), "{}", report.text);
}

/// The check of this title.
fn found<'a>(report: &'a DoctorReport, title: &str) -> &'a Finding<()> {
    let mut checks = report.checks.iter();
    checks
        .find(|check| check.title == title)
        .unwrap_or_else(|| panic!("no {title}: {}", report.text))
}

#[tokio::test]
async fn a_certificate_that_does_not_count_is_shown_with_what_it_says() {
    let own = Authority::new("own");
    let bench = Bench::new();
    let url = own
        .serve("localhost", |params| {
            params.not_before = rcgen::date_time_ymd(2020, 1, 1);
            params.not_after = rcgen::date_time_ymd(2021, 1, 1);
        })
        .await;
    let report = examined(&bench, trusting(&url, authority(&own.file))).await;
    let certificate = found(&report, "Certificate (TLS)");
    assert_eq!(certificate.verdict, Verdict::Failed);
    assert!(certificate.words().contains("expired"), "{certificate:?}");
    let evidence = certificate.evidence.join("\n");
    assert!(evidence.contains("for localhost") && evidence.contains("SHA-256 "));
    assert_eq!(report.action, Some(HintAction::AcceptCertificate));

    let unknown = own.serve("localhost", |_| {}).await;
    let report = examined(&bench, http(&unknown)).await;
    let certificate = found(&report, "Certificate (TLS)");
    assert_eq!(certificate.verdict, Verdict::Failed, "{}", report.text);
    assert_eq!(found(&report, "HTTP").verdict, Verdict::Skipped);
}

#[tokio::test]
async fn answers_that_are_not_mcp_are_told_apart() {
    let bench = Bench::new();
    let nothing = peer::serve(peer::always(404, &[], "nothing here")).await;
    let report = examined(&bench, http(&nothing)).await;
    assert_eq!(found(&report, "HTTP").verdict, Verdict::Failed);
    assert!(report.text.contains("404"), "{}", report.text);

    let html = &[("content-type", "text/html")];
    let page = peer::serve(peer::always(200, html, "<title>Hello</title>")).await;
    let report = examined(&bench, over(RemoteTransport::Http, &page)).await;
    let content = found(&report, "Content type");
    assert_eq!(content.verdict, Verdict::Warning, "{}", report.text);
    assert!(content.words().starts_with("text/html"), "{content:?}");

    let circle = peer::serve(peer::always(307, &[("location", "/again")], "")).await;
    let report = examined(&bench, http(&circle)).await;
    let redirects = found(&report, "Redirects");
    assert_eq!(redirects.verdict, Verdict::Failed, "{}", report.text);
    assert!(redirects.words().contains("no answer"), "{redirects:?}");
}

#[tokio::test]
async fn the_usual_paths_are_tried_where_the_given_one_has_no_endpoint() {
    let bench = Bench::new();
    let seen = Arc::new(Mutex::new(Vec::new()));
    let kept = Arc::clone(&seen);
    let note = axum::middleware::map_request(move |request: Request| {
        let secret = request.headers().contains_key("x-api-key");
        kept.lock()
            .unwrap()
            .push((request.uri().path().to_owned(), secret));
        async move { request }
    });
    let url = peer::serve(peer::streamable().layer(note)).await;
    let mut spec = http(&format!("{url}/api?x=1"));
    let Endpoint::Remote(remote) = &mut spec.endpoint else {
        unreachable!("it is a remote one");
    };
    let key = Secret::new("hush".to_owned());
    remote.headers.insert("X-Api-Key".to_owned(), key);
    let report = examined(&bench, spec).await;
    let address = format!("{url}/mcp");
    assert_eq!(report.other_address, Some(address), "{}", report.text);
    assert_eq!(report.action, Some(HintAction::EditServer));
    let cause = report.cause.as_deref().unwrap();
    assert!(cause.contains("/mcp answers as MCP"), "{cause}");
    let seen = seen.lock().unwrap().clone();
    assert!(seen.contains(&("/api".to_owned(), true)), "{seen:?}");
    assert!(seen.contains(&("/mcp".to_owned(), false)), "{seen:?}");
    assert!(!seen.contains(&("/mcp".to_owned(), true)), "{seen:?}");

    let (events, _) = peer::server_sent_events("/messages");
    let url = peer::serve(events).await;
    let report = examined(&bench, http(&format!("{url}/mcp"))).await;
    let address = format!("{url}/sse");
    assert_eq!(report.other_address, Some(address), "{}", report.text);

    let nothing = peer::serve(peer::always(404, &[], "nothing here")).await;
    let report = examined(&bench, http(&nothing)).await;
    assert_eq!(report.other_address, None, "{}", report.text);
    let tried = found(&report, "Other paths");
    assert_eq!(tried.verdict, Verdict::Failed, "{}", report.text);
    assert_eq!(tried.evidence.len(), 3, "{tried:?}");
}

#[tokio::test]
async fn an_entry_that_asks_for_the_wrong_era_is_told_so() {
    let bench = Bench::new();
    let url = peer::serve(peer::streamable()).await;
    let spec = ServerSpec {
        era: EraChoice::Modern,
        ..http(&format!("{url}/mcp"))
    };
    let report = examined(&bench, spec).await;
    assert_eq!(found(&report, "Handshake").verdict, Verdict::Failed);
    let cause = report.cause.unwrap();
    assert!(cause.contains("Set `era` to auto"), "{cause}");
}

#[tokio::test]
async fn what_is_declared_and_what_answers_are_compared() {
    // Declares prompts, which it does not answer, and not its tools, which it does.
    let router = Router::new().route(
        "/mcp",
        post(|text: String| async move {
            let answer = peer::answer(&text)
                .map(|text| text.replace(r#"{"tools":{}}"#, r#"{"prompts":{}}"#));
            match answer {
                Some(text) => ([(header::CONTENT_TYPE, "application/json")], text).into_response(),
                None => StatusCode::ACCEPTED.into_response(),
            }
        }),
    );
    let bench = Bench::new();
    let url = peer::serve(router).await;
    let report = examined(&bench, http(&format!("{url}/mcp"))).await;
    let prompts = found(&report, "Prompts");
    assert_eq!(prompts.verdict, Verdict::Failed, "{}", report.text);
    assert!(
        prompts
            .words()
            .contains("declared, but prompts/list failed")
    );
    let tools = found(&report, "Tools");
    assert_eq!(tools.verdict, Verdict::Warning, "{}", report.text);
    assert!(tools.words().contains("does not declare"), "{tools:?}");
    assert!(report.cause.unwrap().starts_with("Prompts: "));
}

/// A program that is started from a desktop does not have the path of the person's terminal.
#[cfg(unix)]
#[tokio::test]
#[expect(
    clippy::disallowed_methods,
    reason = "a shell of its own is written for the test"
)]
async fn a_program_on_the_path_of_the_login_shell_is_found_where_it_will_be() {
    use std::os::unix::fs::PermissionsExt;

    let directory = tempfile::tempdir().unwrap();
    let folder = directory.path().display();
    let shell = format!("#!/bin/sh\nPATH={folder}:$PATH\neval \"$4\"\n");
    for (name, text) in [
        ("shell", shell.as_str()),
        ("only-here", "#!/bin/sh\nexit 5\n"),
    ] {
        let path = directory.path().join(name);
        std::fs::write(&path, text).unwrap();
        std::fs::set_permissions(&path, std::fs::Permissions::from_mode(0o755)).unwrap();
    }
    let part = "remote::doctor::as_started_from_a_desktop";
    let ran = std::process::Command::new(std::env::current_exe().unwrap())
        .args(["--exact", part, "--ignored", "--nocapture"])
        .env("SHELL", directory.path().join("shell"))
        .output()
        .unwrap();
    let said = String::from_utf8_lossy(&ran.stdout);
    assert!(ran.status.success(), "{said}");
    let found = format!("Program (passed): {folder}/only-here");
    assert!(said.contains(&found), "{said}");
    assert!(said.contains("the program exited with code 5"), "{said}");
}

#[tokio::test]
#[ignore = "a part of a_program_on_the_path_of_the_login_shell_is_found_where_it_will_be"]
async fn as_started_from_a_desktop() {
    let bench = Bench::new();
    bench.connections.use_login_shell(std::env::temp_dir());
    println!("{}", examined(&bench, stdio("only-here", &[])).await.text);
}

#[tokio::test]
async fn an_examination_can_be_stopped() {
    let bench = Bench::new();
    let url = peer::serve(peer::dawdling("application/json", "{")).await;
    let cancel = CancellationToken::new();
    let stop = cancel.clone();
    let tell = move |report: DoctorReport| {
        if report.checks.len() == 4 {
            stop.cancel();
        }
    };
    let report = bench
        .connections
        .doctor(server("slow"), permitted(http(&url)), None, cancel, &tell)
        .await;
    assert_eq!(report.state, DoctorState::Cancelled);
    assert_eq!(report.checks.len(), 4);
}
