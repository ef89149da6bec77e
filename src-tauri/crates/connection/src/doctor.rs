//! Doctor: checks one server in order, with evidence, and names one likely cause.
//!
//! What lies below the protocol is looked at first: the program and the search path, or the
//! name, the port and the proxy. Then a connection of the doctor's own is made, by the same
//! code and on record like any other, and its diagnostics are reported check by check.

mod network;
mod paths;
mod program;
mod verdicts;

use std::sync::Arc;

use serde::Serialize;
use sightglass_http::Proxies;
use sightglass_model::{
    ConnectionId, ConnectionStatus, Endpoint, EraChoice, Failure, FailureReport, Finding,
    HintAction, HttpFault, PermittedSpec, Phase, ServerId, ServerSpec, Verdict, visible,
    visible_lines,
};
use tokio::sync::watch;
use tokio_util::sync::CancellationToken;

use crate::{
    json::Params,
    session::call,
    session::context::LiveSession,
    session::list::Lists,
    status::diagnostics::Diagnostics,
    status::item::ListKind,
    supervisor::attempt::{Attempt, ConnectionEnd},
    transport::stdio::ProgramSearch,
};

/// Findings of the doctor so far.
#[derive(Debug, Clone, PartialEq, Serialize, specta::Type)]
#[serde(rename_all = "camelCase")]
pub struct DoctorReport {
    pub server: ServerId,
    pub state: DoctorState,
    /// The checks that have ended, in order.
    pub checks: Vec<Finding<()>>,
    /// The most likely cause of a failure, or the first finding about a server that works;
    /// nothing when all is well.
    pub cause: Option<String>,
    /// The one thing to do about it.
    pub action: Option<HintAction>,
    /// Failure of the doctor's own connection, if it failed.
    pub failure: Option<FailureReport>,
    /// The address that answers as MCP, where that of the entry has no endpoint.
    pub other_address: Option<String>,
    /// Under which number that connection is on record.
    pub connection: Option<ConnectionId>,
    /// The whole report as text, to be shared.
    pub text: String,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, specta::Type)]
#[serde(rename_all = "camelCase")]
pub enum DoctorState {
    Running,
    Finished,
    Cancelled,
}

/// The glyph that stands before the word.
fn glyph(verdict: Verdict) -> char {
    match verdict {
        Verdict::Passed => '●',
        Verdict::Warning | Verdict::Overridden => '▲',
        Verdict::Failed | Verdict::Error => '✕',
        Verdict::Note => '·',
        Verdict::Skipped | Verdict::NotApplicable => '○',
    }
}

/// Server to examine, and the means.
pub(crate) struct DoctorTarget {
    /// The doctor's own attempt; its status and its lists are shown nowhere else.
    pub attempt: Attempt,
    /// The status of that attempt.
    pub status: watch::Receiver<Option<ConnectionStatus>>,
    pub proxies: Arc<Proxies>,
}

/// Collects checks and tells each as it ends.
pub(crate) struct Findings<'a> {
    report: DoctorReport,
    recorder: sightglass_traffic::ConnectionRecorder,
    tell: &'a (dyn Fn(DoctorReport) + Send + Sync),
}

impl Findings<'_> {
    fn add(&mut self, mut check: Finding<()>) {
        // What a server says must not look like a line of the report.
        for line in check.message.iter_mut().chain(&mut check.evidence) {
            *line = visible(&self.recorder.masked(line)).into_owned();
        }
        self.recorder.note(
            "doctor",
            &format!(
                "{}: {}. {}",
                check.title,
                check.verdict.word(),
                check.words()
            ),
        );
        self.report.checks.push(check);
        (self.tell)(self.report.clone());
    }
}

fn check(
    title: &str,
    verdict: Verdict,
    summary: impl Into<String>,
    evidence: Vec<String>,
) -> Finding<()> {
    Finding {
        message: Some(summary.into()),
        evidence,
        ..Finding::new(title, title, verdict, ())
    }
}

/// Examines a server. Ends early, with what is known by then, when `cancel` says so; nothing
/// of the doctor's own connection is left in any case.
pub(crate) async fn examine(
    patient: DoctorTarget,
    cancel: CancellationToken,
    tell: &(dyn Fn(DoctorReport) + Send + Sync),
) -> DoctorReport {
    let mut findings = Findings {
        report: DoctorReport {
            server: patient.attempt.key.server.clone(),
            state: DoctorState::Running,
            checks: Vec::new(),
            cause: None,
            action: None,
            failure: None,
            other_address: None,
            connection: Some(patient.attempt.recorder.connection()),
            text: String::new(),
        },
        recorder: patient.attempt.recorder.clone(),
        tell,
    };
    (findings.tell)(findings.report.clone());
    let spec = patient.attempt.spec.clone();
    let stop = patient.attempt.cancel.clone();
    // Whatever ends this function ends the connection too.
    let _stopped = stop.drop_guard();
    let finished = tokio::select! {
        () = go_through(patient, &spec, &mut findings) => true,
        () = cancel.cancelled() => false,
    };
    let recorder = findings.recorder.clone();
    let mut report = findings.report;
    report.state = if finished {
        conclude(&mut report, &spec);
        DoctorState::Finished
    } else {
        DoctorState::Cancelled
    };
    // It is meant to be shared.
    report.cause = report.cause.map(|cause| recorder.masked(&cause));
    report.text = recorder.masked(&text(&report, &spec));
    (findings.tell)(report.clone());
    report
}

async fn go_through(patient: DoctorTarget, spec: &PermittedSpec, findings: &mut Findings<'_>) {
    let DoctorTarget {
        attempt,
        status,
        proxies,
    } = patient;
    match &spec.endpoint {
        Endpoint::Stdio {
            command,
            arguments,
            environment,
            working_directory,
        } => {
            let own = environment.get("PATH").map(|path| path.expose().clone());
            let search = ProgramSearch {
                command,
                arguments,
                path: own.or(attempt.login_path().await).map(Into::into),
                directory: working_directory.as_deref(),
            };
            findings.add(program::check_program(&search));
        }
        Endpoint::Remote(remote) => network::check_way(remote, &proxies, findings).await,
    }
    let diagnostics = Arc::clone(&attempt.diagnostics);
    let queue = Arc::clone(&attempt.queue);
    let lists = Arc::clone(&attempt.lists);
    let stop = attempt.cancel.clone();
    let identity = attempt.declaration.identity.clone();
    let prober = attempt.new_peer();
    let running = tokio::spawn(run(attempt));
    let reached = settled(status).await;
    let undeclared = match (&reached, queue.live().ok()) {
        (Some(status), Some(session)) if status.phase.is_live() => {
            ask_for_undeclared(&session, status).await
        }
        _ => Vec::new(),
    };
    stop.cancel();
    // A panic in it is already reported by the panic hook.
    let _ = running.await;
    let Some(status) = reached else {
        return;
    };
    tell_the_rest(spec, &status, &diagnostics, &lists, &undeclared, findings);
    if let Endpoint::Remote(remote) = &spec.endpoint
        && (status.failure.as_ref()).is_some_and(|report| report.may_be_elsewhere)
        && let Some(other) = paths::look(remote, spec, &proxies, &prober, &identity).await
    {
        findings.report.other_address = other.address;
        findings.add(other.check);
    }
}

/// One attempt, without another after it.
async fn run(attempt: Attempt) {
    let (peer, ending) = attempt.run(None).await;
    attempt.clean_up(&peer).await;
    match ending {
        ConnectionEnd::Failed(failure) => attempt.publisher.failed(failure, None),
        ConnectionEnd::Cancelled => attempt.publisher.enter(Phase::Disconnected, None),
    }
    attempt.recorder.ended();
}

/// Waits until the connection is ready or has failed.
async fn settled(
    mut status: watch::Receiver<Option<ConnectionStatus>>,
) -> Option<ConnectionStatus> {
    let reached = status
        .wait_for(|status| {
            status
                .as_ref()
                .is_some_and(|status| status.phase.is_live() || status.phase == Phase::Failed)
        })
        .await;
    reached.ok().and_then(|status| status.clone())
}

/// Asks for what the server does not offer: a server that answers all the same forgot to
/// declare it, and clients will not ask.
async fn ask_for_undeclared(
    session: &Arc<LiveSession>,
    status: &ConnectionStatus,
) -> Vec<(ListKind, bool)> {
    let declared = status
        .handshake
        .as_ref()
        .map(|facts| facts.capabilities.clone())
        .unwrap_or_default();
    let mut answers = Vec::new();
    for (kind, name) in verdicts::LISTS {
        if declared.iter().any(|capability| capability == name) {
            continue;
        }
        let Ok(params) = Params::parse("{}") else {
            continue;
        };
        let key = format!("doctor {name}");
        let cancel = CancellationToken::new();
        let run = call::run(Arc::clone(session), &key, kind.method(), &params, &cancel).await;
        answers.push((kind, run.end == crate::RequestEnd::Result));
    }
    answers
}

fn tell_the_rest(
    spec: &ServerSpec,
    status: &ConnectionStatus,
    diagnostics: &Diagnostics,
    lists: &Lists,
    undeclared: &[(ListKind, bool)],
    findings: &mut Findings<'_>,
) {
    let entries = diagnostics.entries();
    findings.report.failure = status.failure.clone();
    match &spec.endpoint {
        Endpoint::Stdio { .. } => {
            findings.add(verdicts::start(status));
            findings.add(verdicts::exit(status, &entries));
            findings.add(verdicts::output(&entries));
        }
        Endpoint::Remote(remote) => {
            findings.add(verdicts::tls(remote, &entries));
            findings.add(verdicts::http(status, &entries));
            findings.add(verdicts::content(&entries));
            findings.add(verdicts::redirects(&entries));
            findings.add(verdicts::access(status, &entries));
        }
    }
    findings.add(verdicts::handshake(status));
    findings.add(verdicts::protocol(status));
    let odd = [
        verdicts::double_answers(&entries),
        verdicts::notifications(&entries),
        verdicts::event_stream(status, &entries),
    ];
    for check in odd.into_iter().flatten() {
        findings.add(check);
    }
    for (kind, name) in verdicts::LISTS {
        findings.add(verdicts::list(kind, name, status, lists, undeclared));
    }
}

/// The likely cause: that of the failure, or else the first thing that is odd.
fn conclude(report: &mut DoctorReport, spec: &ServerSpec) {
    if let Some(failure) = &report.failure {
        let mut checks = report.checks.iter();
        let tried = checks.find(|check| check.title == paths::TITLE);
        let other_path =
            tried.map(|check| format!("No MCP endpoint at this path: {}.", check.words()));
        let other_era = other_era(&failure.failure, spec.era);
        let likely = match report.other_address {
            Some(_) => other_path.or(other_era),
            // The path is right, where it is the transport that is not.
            None if is_other_transport(&failure.failure) => None,
            None => other_era.or(other_path),
        };
        if let Some(message) = likely {
            report.cause = Some(message);
            report.action = Some(HintAction::EditServer);
            return;
        }
        report.cause = Some(failure.hint.text.clone());
        report.action = Some(failure.hint.action.clone());
        return;
    }
    let by = |verdict| {
        let mut checks = report.checks.iter();
        checks.find(|check| check.verdict == verdict)
    };
    let odd = by(Verdict::Failed).or_else(|| by(Verdict::Warning));
    if let Some(check) = odd {
        report.cause = Some(in_words(check));
        report.action = Some(HintAction::ShowTraffic);
    }
}

fn is_other_transport(failure: &Failure) -> bool {
    let no_stream = Some(HttpFault::NoEventStream);
    matches!(failure, Failure::Network { fault, .. } if *fault == no_stream)
}

/// Likely cause when a server refuses the handshake of the only era that its entry allows.
fn other_era(failure: &Failure, era: EraChoice) -> Option<String> {
    let asked = match era {
        EraChoice::Auto => return None,
        EraChoice::Modern => "modern (2026-07-28)",
        EraChoice::Legacy => "legacy (up to 2025-11-25)",
    };
    let is_refusal = matches!(
        failure,
        Failure::ProtocolError {
            received: Some(_),
            ..
        } | Failure::Network {
            status: Some(400 | 404 | 405),
            fault: None,
            ..
        }
    );
    is_refusal.then(|| {
        format!(
            "The entry allows one generation of the protocol only, {asked}, and the server refuses \
             it. Set `era` to auto."
        )
    })
}

fn in_words(check: &Finding<()>) -> String {
    format!("{}: {}", check.title, check.words())
}

fn text(report: &DoctorReport, spec: &ServerSpec) -> String {
    let mut lines = vec![format!("Doctor: {}", spec.name)];
    if let Some(failure) = &report.failure {
        lines.push(format!("Failed: {}", failure.reason));
    }
    lines.push(match (&report.cause, report.state) {
        (Some(cause), _) if report.failure.is_some() => format!("Likely cause: {cause}"),
        (Some(finding), _) => format!("Found: {finding}"),
        (None, DoctorState::Finished) => "All checks passed.".to_owned(),
        (None, _) => "Stopped before the end.".to_owned(),
    });
    lines.push(String::new());
    for check in &report.checks {
        let (glyph, word) = (glyph(check.verdict), check.verdict.word());
        lines.push(format!(
            "{glyph} {} ({word}): {}",
            check.title,
            check.words()
        ));
        lines.extend(check.evidence.iter().map(|line| format!("    {line}")));
    }
    lines.push(String::new());
    visible_lines(&lines.join("\n")).into_owned()
}
