//! Turns the diagnostics of a connection into checks.

use sightglass_model::{
    ConnectionStatus, Era, Failure, Finding, Millis, Phase, RemoteEndpoint, StepOutcome,
    TransportKind, Verdict,
};

use super::check;
use crate::{
    ListState,
    session::list::Lists,
    status::diagnostics::{Entries, RequestNote},
    status::item::ListKind,
};

/// The lists and the capability that declares each.
pub(super) const LISTS: [(ListKind, &str); 3] = [
    (ListKind::Tools, "tools"),
    (ListKind::Resources, "resources"),
    (ListKind::Prompts, "prompts"),
];

/// Items of a list of which it is told what is wrong with them.
const MAX_COMPLAINTS: usize = 20;

fn failure(status: &ConnectionStatus) -> Option<&Failure> {
    status.failure.as_ref().map(|report| &report.failure)
}

fn took(status: &ConnectionStatus, phase: Phase) -> Option<Millis> {
    let mut phases = status.timeline.iter();
    phases.find(|record| record.phase == phase)?.duration
}

pub(super) fn start(status: &ConnectionStatus) -> Finding<()> {
    const TITLE: &str = "Start";
    match failure(status) {
        Some(Failure::SpawnFailed {
            command_line,
            message,
            ..
        }) => check(
            TITLE,
            Verdict::Failed,
            message.clone(),
            vec![command_line.clone()],
        ),
        Some(Failure::Configuration { message }) => {
            check(TITLE, Verdict::Failed, message.clone(), vec![])
        }
        _ => {
            let process = status.handshake.as_ref().and_then(|facts| facts.process);
            let summary = match process {
                Some(id) => format!("the program runs as process {id}"),
                None => "started".to_owned(),
            };
            Finding {
                duration: took(status, Phase::Connecting),
                ..check(TITLE, Verdict::Passed, summary, vec![])
            }
        }
    }
}

pub(super) fn exit(status: &ConnectionStatus, entries: &Entries) -> Finding<()> {
    const TITLE: &str = "Exit";
    match failure(status) {
        Some(Failure::SpawnFailed { .. }) => check(TITLE, Verdict::Skipped, "not started", vec![]),
        Some(
            exited @ Failure::Exited {
                unanswered, stdout, ..
            },
        ) => {
            let mut evidence: Vec<String> = unanswered
                .iter()
                .map(|request| format!("no answer to {} (id {})", request.method, request.id))
                .collect();
            evidence.extend(entries.stderr.iter().map(|line| format!("stderr: {line}")));
            evidence.extend(stdout.iter().map(|line| format!("stdout: {line}")));
            check(
                TITLE,
                Verdict::Failed,
                format!("the program {exited}"),
                evidence,
            )
        }
        _ => check(TITLE, Verdict::Passed, "still running", vec![]),
    }
}

pub(super) fn output(entries: &Entries) -> Finding<()> {
    const TITLE: &str = "Output";
    let stderr = entries.stderr.iter().map(|line| format!("stderr: {line}"));
    if entries.stray.is_empty() {
        let summary = "stdout carries only MCP messages";
        return check(TITLE, Verdict::Passed, summary, stderr.collect());
    }
    let first = &entries.stray[0];
    let summary = match entries.stray_count {
        0 | 1 => format!("1 line on stdout is not JSON-RPC (\"{first}\"). Log to stderr instead"),
        count => format!(
            "{count} lines on stdout are not JSON-RPC (\"{first}\" and others). Log to stderr instead"
        ),
    };
    let stray = entries.stray.iter().map(|line| format!("stdout: {line}"));
    check(
        TITLE,
        Verdict::Warning,
        summary,
        stray.chain(stderr).collect(),
    )
}

pub(super) fn tls(remote: &RemoteEndpoint, entries: &Entries) -> Finding<()> {
    const TITLE: &str = "Certificate (TLS)";
    let secure = ["https:", "wss:"]
        .iter()
        .any(|scheme| remote.url.starts_with(scheme));
    let Some(shown) = &entries.certificates else {
        let (verdict, message) = match secure {
            true => (Verdict::Skipped, "no certificate received"),
            false => (Verdict::Skipped, "not an https address"),
        };
        return check(TITLE, verdict, message, vec![]);
    };
    let evidence = shown
        .chain
        .iter()
        .flat_map(|certificate| {
            [
                format!("{} issued by {}", certificate.subject, certificate.issuer),
                format!("for {}", certificate.names.join(", ")),
                format!("SHA-256 {}", certificate.fingerprint),
            ]
        })
        .collect();
    match &shown.refusal {
        Some((fault, message)) => check(
            TITLE,
            Verdict::Failed,
            format!("{fault}: {message}"),
            evidence,
        ),
        None if remote.trust.fingerprint.is_some() => check(
            TITLE,
            Verdict::Passed,
            "matches the pinned certificate",
            evidence,
        ),
        None => check(TITLE, Verdict::Passed, "trusted by this system", evidence),
    }
}

fn line(note: &RequestNote) -> String {
    let response = match (note.status, &note.error) {
        (Some(status), _) => {
            let kind = note.content_type.as_deref().unwrap_or("no content type");
            format!("{status}, {kind}")
        }
        (None, Some(error)) => format!("no answer: {error}"),
        (None, None) => "no answer".to_owned(),
    };
    format!(
        "{} {}: {response} ({:.0} ms)",
        note.method,
        note.url,
        Millis::from(note.duration).as_f64()
    )
}

pub(super) fn http(status: &ConnectionStatus, entries: &Entries) -> Finding<()> {
    const TITLE: &str = "HTTP";
    let evidence: Vec<String> = entries.requests.iter().map(line).collect();
    let Some(last) = entries.requests.last() else {
        return check(TITLE, Verdict::Skipped, "no request was sent", evidence);
    };
    match failure(status) {
        Some(Failure::Network {
            message,
            proxy: Some(proxy),
            ..
        }) => {
            let summary = format!("the proxy {}: {message}", proxy.address);
            check(TITLE, Verdict::Failed, summary, evidence)
        }
        Some(Failure::Network { message, body, .. }) => {
            let body = body.iter().flat_map(|body| body.lines());
            let answer = body.map(|line| format!("body: {line}"));
            let evidence = evidence.into_iter().chain(answer).collect();
            check(TITLE, Verdict::Failed, message.clone(), evidence)
        }
        Some(Failure::SessionExpired { .. }) => {
            check(TITLE, Verdict::Failed, "the session expired", evidence)
        }
        Some(Failure::CertificateRefused { .. }) => {
            check(TITLE, Verdict::Skipped, "no secure connection", evidence)
        }
        _ => {
            let last = match last.status {
                Some(status) => format!("answered with {status}"),
                None => "without an answer".to_owned(),
            };
            let summary = match entries.requests.len() {
                1 => format!("1 request, {last}"),
                count => format!("{count} requests, the last {last}"),
            };
            check(TITLE, Verdict::Passed, summary, evidence)
        }
    }
}

pub(super) fn content(entries: &Entries) -> Finding<()> {
    const TITLE: &str = "Content type";
    let answers: Vec<&RequestNote> = entries
        .requests
        .iter()
        .filter(|note| note.status == Some(200))
        .collect();
    if answers.is_empty() {
        return check(TITLE, Verdict::Skipped, "no answer with status 200", vec![]);
    }
    let allowed = |note: &&RequestNote| {
        let given = note
            .content_type
            .as_deref()
            .unwrap_or_default()
            .to_lowercase();
        ["application/json", "text/event-stream"]
            .iter()
            .any(|kind| given.starts_with(kind))
    };
    match answers
        .iter()
        .find(|note| note.method != "DELETE" && !allowed(note))
    {
        Some(odd) => check(TITLE, Verdict::Warning, instead(odd), vec![line(odd)]),
        None => check(TITLE, Verdict::Passed, "JSON or event streams", vec![]),
    }
}

/// Says what came in place of a content type that MCP knows.
fn instead(odd: &RequestNote) -> String {
    let given = odd.content_type.as_deref().unwrap_or("none");
    match odd.method.as_str() {
        // Streamable HTTP, listening for messages from the server.
        "GET" => format!(
            "GET was answered with {given} instead of an event stream; a server that has none to \
             offer answers 405"
        ),
        _ => format!("{given} instead of JSON or an event stream"),
    }
}

pub(super) fn redirects(entries: &Entries) -> Finding<()> {
    let hops: Vec<String> = entries
        .requests
        .iter()
        .filter_map(|note| {
            let location = note.location.as_ref()?;
            Some(format!("{} → {location}", note.url))
        })
        .collect();
    match hops.first() {
        None => check("Redirects", Verdict::Passed, "none", vec![]),
        // The last request was answered with another redirect.
        Some(first)
            if entries
                .requests
                .last()
                .is_some_and(|note| note.location.is_some()) =>
        {
            let summary = format!("{first}; no answer there");
            check("Redirects", Verdict::Failed, summary, hops)
        }
        Some(first) => {
            let summary = format!("{first}; use the final address in the entry");
            check("Redirects", Verdict::Warning, summary, hops)
        }
    }
}

pub(super) fn access(status: &ConnectionStatus, entries: &Entries) -> Finding<()> {
    const TITLE: &str = "Sign-in";
    match failure(status) {
        Some(Failure::SignInRequired {
            status,
            challenge,
            body,
            token,
            ..
        }) => {
            let summary = match (status, token) {
                (403, _) => "the token lacks a permission (403)".to_owned(),
                (status, Some(_)) => format!("the server refused the token ({status})"),
                (status, None) => format!("the server requires a token ({status})"),
            };
            let challenge = challenge
                .as_ref()
                .map_or("no WWW-Authenticate header".to_owned(), |challenge| {
                    format!("WWW-Authenticate: {challenge}")
                });
            let body = body.as_ref().map(|body| format!("body: {body}"));
            let faults = entries.token_faults.iter();
            let faults = faults.map(|fault| format!("possible reason: {fault}"));
            let evidence = [Some(challenge), body].into_iter().flatten();
            let evidence = evidence.chain(faults).collect();
            check(TITLE, Verdict::Failed, summary, evidence)
        }
        Some(_) => check(TITLE, Verdict::Skipped, "not reached", vec![]),
        None => check(TITLE, Verdict::Passed, "access granted", vec![]),
    }
}

fn transport_name(transport: TransportKind) -> &'static str {
    match transport {
        TransportKind::Stdio => "stdio",
        TransportKind::Http => "Streamable HTTP",
        TransportKind::Sse => "Server-Sent Events",
        TransportKind::WebSocket => "WebSocket",
    }
}

pub(super) fn handshake(status: &ConnectionStatus) -> Finding<()> {
    const TITLE: &str = "Handshake";
    let evidence: Vec<String> = status
        .steps
        .iter()
        .map(|step| {
            let outcome = match step.outcome {
                StepOutcome::Succeeded => "succeeded",
                StepOutcome::Failed => "failed",
                StepOutcome::Superseded => "superseded",
                StepOutcome::Running => "running",
            };
            let message = step.summary.as_deref().unwrap_or(outcome);
            format!(
                "{} {}: {message}",
                transport_name(step.transport),
                step.what
            )
        })
        .collect();
    match (&status.handshake, failure(status)) {
        (Some(facts), _) => Finding {
            duration: took(status, Phase::Initializing),
            ..check(
                TITLE,
                Verdict::Passed,
                format!(
                    "{} {} over {}",
                    facts.server_name,
                    facts.server_version,
                    transport_name(facts.transport)
                ),
                evidence,
            )
        },
        (None, Some(failure)) if !status.steps.is_empty() => {
            check(TITLE, Verdict::Failed, failure.to_string(), evidence)
        }
        _ => check(TITLE, Verdict::Skipped, "not reached", evidence),
    }
}

pub(super) fn protocol(status: &ConnectionStatus) -> Finding<()> {
    const TITLE: &str = "Protocol version";
    match &status.handshake {
        Some(facts) => {
            let era = match facts.era {
                Era::Legacy => "legacy (up to 2025-11-25)",
                Era::Modern => "modern (2026-07-28)",
            };
            let summary = format!("{}, {era}", facts.protocol_version);
            let declared = format!("capabilities: {}", facts.capabilities.join(", "));
            check(TITLE, Verdict::Passed, summary, vec![declared])
        }
        None => check(TITLE, Verdict::Skipped, "no handshake", vec![]),
    }
}

/// Tells of notifications that the server answered; nothing where it answered none.
pub(super) fn notifications(entries: &Entries) -> Option<Finding<()>> {
    let first = entries.answered_notifications.first()?;
    let answers = entries.answered_notifications.iter();
    let evidence = answers.map(|answered| format!("{}: {}", answered.method, answered.answer));
    Some(check(
        "Notifications",
        Verdict::Warning,
        format!(
            "the server answered {}. A notification must not be answered (JSON-RPC 2.0), and some \
             clients drop the server for it",
            first.method
        ),
        evidence.collect(),
    ))
}

/// Tells of an event stream that a server refuses in another way than one that it does not have;
/// nothing where it has one, where the refusal is the usual one, and where the connection failed.
pub(super) fn event_stream(status: &ConnectionStatus, entries: &Entries) -> Option<Finding<()>> {
    let facts = status.handshake.as_ref()?;
    if facts.transport != TransportKind::Http || status.failure.is_some() {
        return None;
    }
    let asked = entries.requests.iter().rfind(|note| note.method == "GET")?;
    let refusal = asked.status.filter(|code| *code >= 400 && *code != 405)?;
    Some(check(
        "Event stream",
        Verdict::Warning,
        format!(
            "GET, which asks for a stream of events, was answered with {refusal}, which some clients \
             take for a failure of the server. One that has no stream to offer answers 405"
        ),
        vec![line(asked)],
    ))
}

/// Tells of answers that had both a result and an error; nothing where none had.
pub(super) fn double_answers(entries: &Entries) -> Option<Finding<()>> {
    let first = entries.double_answers.first()?;
    Some(check(
        "Answers",
        Verdict::Warning,
        format!(
            "{first} was answered with both a result and an error, of which one is null. JSON-RPC \
             2.0 (section 5) has one of the two, and some clients refuse such an answer"
        ),
        entries.double_answers.clone(),
    ))
}

/// Checks that the server answers the lists that it declares, and declares those that it answers.
pub(super) fn list(
    kind: ListKind,
    name: &str,
    status: &ConnectionStatus,
    lists: &Lists,
    undeclared: &[(ListKind, bool)],
) -> Finding<()> {
    let title = match kind {
        ListKind::Tools => "Tools",
        ListKind::Prompts => "Prompts",
        ListKind::Resources | ListKind::ResourceTemplates => "Resources",
    };
    if status.handshake.is_none() {
        return check(title, Verdict::Skipped, "no handshake", vec![]);
    }
    match undeclared.iter().find(|(of, _)| *of == kind) {
        Some((_, true)) => check(
            title,
            Verdict::Warning,
            format!(
                "the server answers {} but does not declare the capability {name}, so clients do \
                 not use it",
                kind.method()
            ),
            vec![],
        ),
        Some((_, false)) => check(title, Verdict::Passed, "not offered", vec![]),
        None => match lists.state(kind) {
            ListState::Loaded => {
                let items = lists.current(kind);
                let warning = items.warning();
                let listed = match &warning {
                    Some(warning) => {
                        let warning = warning.trim_end_matches('.');
                        format!("{} listed. {warning}", items.len())
                    }
                    None => format!("{} listed", items.len()),
                };
                let complaints = items.complaints();
                let summary = match complaints.as_slice() {
                    [] => listed,
                    [only] => format!("{listed}; {only}"),
                    [first, others @ ..] => {
                        format!("{listed}; {first}; {} more are not right", others.len())
                    }
                };
                let shown = complaints.into_iter().take(MAX_COMPLAINTS);
                let evidence: Vec<String> = warning.into_iter().chain(shown).collect();
                let verdict = match evidence.is_empty() {
                    true => Verdict::Passed,
                    false => Verdict::Warning,
                };
                check(title, verdict, summary, evidence)
            }
            ListState::Failed { message } => check(
                title,
                Verdict::Failed,
                format!("declared, but {} failed: {message}", kind.method()),
                vec![],
            ),
            ListState::Unsupported | ListState::Loading => check(
                title,
                Verdict::Skipped,
                "the list was not fully loaded",
                vec![],
            ),
        },
    }
}
