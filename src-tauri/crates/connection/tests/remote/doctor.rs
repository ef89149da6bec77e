//! What the doctor says of servers that are well and of those that are not.

use std::sync::Mutex;

use sightglass_connection::{DoctorReport, DoctorState, Verdict};
use sightglass_model::{HintAction, ServerSpec};
use tokio_util::sync::CancellationToken;

use crate::{
    peer,
    support::{Bench, demo, http, server, stdio},
};

/// Examines a server; each report that was told on the way has one check more.
async fn examined(bench: &Bench, spec: ServerSpec) -> DoctorReport {
    let told = Mutex::new(Vec::new());
    let tell = |report: DoctorReport| told.lock().unwrap().push(report.checks.len());
    let report = bench
        .connections
        .doctor(
            server("patient"),
            spec,
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
    assert!(report.text.contains("Nothing is wrong."), "{}", report.text);
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
            "Era and version",
            "Tools",
            "Resources",
            "Prompts"
        ]
    );
    // The person's own connection is none of the doctor's.
    assert!(bench.connections.status(&server("patient")).is_none());
    assert!(crate::recorded(&bench.recorder).contains("doctor"));
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
        (exit.verdict, exit.summary.as_str()),
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
            ("Era and version", Verdict::Passed),
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
        .doctor(server("slow"), http(&url), None, cancel, &tell)
        .await;
    assert_eq!(report.state, DoctorState::Cancelled);
    assert_eq!(report.checks.len(), 4);
}
