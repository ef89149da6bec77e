//! Failures of a connection as data: what was tried, what came back, and what to do next.

mod diagnosis;
mod hint;
mod http_fault;
mod http_hint;
mod start_fault;

use serde::Serialize;
use thiserror::Error;

use crate::{CertificateFacts, CertificateFault, Era, InternalError, LimitSource, Millis, Phase};

use diagnosis::essential_lines;
pub use hint::{Hint, HintAction};
pub use http_fault::{Awaited, HttpFault, TokenFault};
pub use http_hint::other_paths;
pub use start_fault::StartFault;

/// Reason why a connection is in [`Phase::Failed`]. The `Display` text is the short reason, fit to
/// stand after "Failed: ".
#[derive(Debug, Clone, PartialEq, Error, Serialize, specta::Type)]
#[serde(
    tag = "type",
    rename_all = "camelCase",
    rename_all_fields = "camelCase"
)]
pub enum Failure {
    /// The program could not be started at all.
    #[error("could not start")]
    SpawnFailed {
        command_line: String,
        message: String,
        fault: StartFault,
    },
    /// The program ended by itself.
    #[error("{}", exit_words(*.code, *.signal))]
    Exited {
        command_line: String,
        code: Option<i32>,
        signal: Option<i32>,
        /// The last lines that it wrote to stderr.
        stderr: Vec<String>,
        /// The last lines that it wrote to stdout and that are no messages.
        stdout: Vec<String>,
        unanswered: Vec<UnansweredRequest>,
    },
    /// A phase took longer than its limit.
    #[error("timed out while {}", .phase.to_string().to_lowercase())]
    TimedOut {
        phase: Phase,
        limit: Millis,
        /// Source of that limit.
        set_by: Box<LimitSource>,
        unanswered: Vec<UnansweredRequest>,
        stderr: Vec<String>,
        /// What it wrote to stderr last, where that has no line end: it seems to wait for an answer.
        prompt: Option<String>,
        /// Thing that had not come. The hint says it.
        #[serde(skip)]
        awaited: Awaited,
    },
    /// The server wants a token (401), or another one (403).
    #[error("{}", sign_in_words(*.status, .scopes))]
    SignInRequired {
        url: String,
        status: u16,
        challenge: Option<String>,
        /// The scopes that the challenge names.
        scopes: Vec<String>,
        /// The beginning of the body of the answer, where there was one.
        body: Option<String>,
        /// Fault of the token that the request carried, where it carried one. The hint says it.
        #[serde(skip)]
        token: Option<TokenFault>,
        /// True when the request carried a user name and a password. The hint says it.
        #[serde(skip)]
        sent_password: bool,
    },
    /// The authorization server knows no client for us and registers none.
    #[error("client registration required")]
    ClientRegistrationRequired { issuer: String },
    /// A policy forbids this server.
    #[error("refused by policy")]
    RefusedByPolicy { rule: String },
    /// The server forgot the session and a new one could not be made.
    #[error("session expired")]
    SessionExpired { url: String },
    /// The server answered, but not as the protocol says.
    #[error("protocol error")]
    ProtocolError {
        message: String,
        received: Option<String>,
        /// The era that is set for this server, where the server does not seem to know it.
        unknown_era: Option<Era>,
        stderr: Vec<String>,
    },
    /// The network or HTTP said no.
    #[error("{}", network_words(*.stage, *.status, .proxy.as_deref()))]
    Network {
        stage: NetworkStage,
        url: String,
        status: Option<u16>,
        message: String,
        /// The beginning of the body of the answer, where there was one.
        body: Option<String>,
        /// The proxy, where it and not the server is what failed.
        proxy: Option<Box<ProxyUsed>>,
        /// Fault that status and body do not tell. The hint says it.
        #[serde(skip)]
        fault: Option<HttpFault>,
    },
    /// The server's certificate is not trusted.
    #[error("{fault}")]
    CertificateRefused {
        url: String,
        fault: CertificateFault,
        /// In the words of the check.
        message: String,
        /// Certificates that the server showed, its own first.
        chain: Vec<CertificateFacts>,
    },
    /// There is a token, and the place where it is kept does not give it.
    #[error("token not readable")]
    TokenUnreadable { message: String },
    /// The configuration entry cannot be used as it stands.
    #[error("configuration incomplete")]
    Configuration { message: String },
    /// A defect of the program itself ended the connection; the others go on.
    #[error("Sightglass had an internal error")]
    InternalError { message: String },
}

/// A request that was still open when the connection failed.
#[derive(Debug, Clone, PartialEq, Serialize, specta::Type)]
pub struct UnansweredRequest {
    pub id: String,
    pub method: String,
    /// The tool, prompt or resource that it was about.
    pub target: Option<String>,
    /// Time it had been open.
    pub waited: Millis,
}

/// A proxy that requests go through.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, specta::Type)]
pub struct ProxyUsed {
    /// Its address, without a password.
    pub address: String,
    /// The variable that names it, or the settings of the application.
    pub source: String,
}

impl ProxyUsed {
    /// Source of a proxy that the settings of the application name, in a sentence.
    pub const SETTINGS: &str = "the settings";

    /// Returns true when the settings of the application name it, and no variable.
    pub fn is_of_settings(&self) -> bool {
        self.source == Self::SETTINGS
    }
}

/// Stage that the network reached.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, specta::Type)]
#[serde(rename_all = "camelCase")]
pub enum NetworkStage {
    Dns,
    Tcp,
    Tls,
    Http,
}

/// A failure together with its words and the next step.
#[derive(Debug, Clone, PartialEq, Serialize, specta::Type)]
#[serde(rename_all = "camelCase")]
pub struct FailureReport {
    pub failure: Failure,
    /// The short reason, as in "Failed: exited with code 1".
    pub reason: String,
    /// The line of the program's output that names the error, where one does.
    pub headline: Option<String>,
    /// The place in the user's own files that the program's stack trace leads to.
    pub trace: Option<Box<StackTrace>>,
    pub hint: Hint,
    /// True where the endpoint may be at another path of the address, which the doctor tries.
    pub may_be_elsewhere: bool,
}

/// A place in the user's own files, as a stack trace names it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, specta::Type)]
pub struct StackTrace {
    pub file: String,
    /// From 1.
    pub line: u32,
    /// The lines about that place, and the one that names the error.
    pub excerpt: Vec<String>,
}

impl From<Failure> for FailureReport {
    fn from(failure: Failure) -> Self {
        let hint = failure.hint();
        Self {
            reason: reason(&failure, &hint.action),
            headline: failure.headline(),
            trace: failure.trace().map(Box::new),
            hint,
            may_be_elsewhere: failure.may_be_elsewhere(),
            failure,
        }
    }
}

/// Lines of a server's output, or of an answer of its, that are shown as evidence.
const MAX_EVIDENCE_LINES: usize = 20;

impl FailureReport {
    /// Returns what speaks for it, a line each: the words of the system or of the server, and its
    /// last output without what only fills a stack trace.
    pub fn evidence(&self) -> Vec<String> {
        let mut evidence = Vec::new();
        let mut add = |source: &str, lines: &[String]| {
            let essential = essential_lines(lines);
            let surplus = essential.len().saturating_sub(MAX_EVIDENCE_LINES);
            let last = essential.iter().skip(surplus);
            evidence.extend(last.map(|line| format!("{source} │ {line}")));
        };
        match &self.failure {
            Failure::Exited { stderr, stdout, .. } => {
                add("stdout", stdout);
                add("stderr", stderr);
            }
            Failure::TimedOut { stderr, .. } => add("stderr", stderr),
            Failure::ProtocolError {
                message,
                stderr,
                received,
                ..
            } => {
                add("received", &lines_of(received.as_deref()));
                add("stderr", stderr);
                evidence.insert(0, message.clone());
            }
            Failure::Network { message, body, .. } => {
                add("body", &lines_of(body.as_deref()));
                evidence.insert(0, message.clone());
            }
            Failure::SpawnFailed { message, .. }
            | Failure::TokenUnreadable { message }
            | Failure::Configuration { message }
            | Failure::InternalError { message } => evidence.push(message.clone()),
            Failure::SignInRequired { body, .. } => add("body", &lines_of(body.as_deref())),
            Failure::ClientRegistrationRequired { .. }
            | Failure::RefusedByPolicy { .. }
            | Failure::SessionExpired { .. }
            | Failure::CertificateRefused { .. } => {}
        }
        evidence
    }
}

/// Returns the short reason of a failure: its cause, where the program named one.
fn reason(failure: &Failure, action: &HintAction) -> String {
    match (failure, action) {
        (Failure::SignInRequired { status, .. }, HintAction::SetHeader { name }) => {
            format!("HTTP {status}, {name} is missing or wrong")
        }
        (Failure::Exited { code, signal, .. }, HintAction::SetVariable { name }) => {
            match (code, signal) {
                (Some(code), _) => format!("{name} is not set (exit {code})"),
                (None, Some(signal)) => format!("{name} is not set (signal {signal})"),
                (None, None) => format!("{name} is not set"),
            }
        }
        _ => failure.to_string(),
    }
}

fn lines_of(text: Option<&str>) -> Vec<String> {
    let lines = text.into_iter().flat_map(str::lines);
    lines.map(str::to_owned).collect()
}

impl Failure {
    /// The line of the program's output that names the error.
    fn headline(&self) -> Option<String> {
        diagnosis::headline(self.stderr())
    }

    /// The place in the user's own files that the program's stack trace leads to.
    fn trace(&self) -> Option<StackTrace> {
        diagnosis::stack_trace(self.stderr())
    }

    /// The last lines that the program wrote to stderr.
    fn stderr(&self) -> &[String] {
        match self {
            Self::Exited { stderr, .. }
            | Self::TimedOut { stderr, .. }
            | Self::ProtocolError { stderr, .. } => stderr,
            _ => &[],
        }
    }

    /// Changes every text that came from outside, for instance to mask what is secret in it.
    pub fn rewrite(&mut self, change: impl Fn(&mut String)) {
        let all = |texts: &mut [String]| texts.iter_mut().for_each(&change);
        match self {
            Failure::SpawnFailed {
                command_line,
                message,
                fault,
            } => {
                change(command_line);
                change(message);
                fault.rewrite(&change);
            }
            Failure::Exited {
                command_line,
                stderr,
                stdout,
                code: _,
                signal: _,
                unanswered,
            } => {
                change(command_line);
                all(stderr);
                all(stdout);
                targets(unanswered).for_each(change);
            }
            Failure::TimedOut {
                stderr,
                prompt,
                phase: _,
                limit: _,
                set_by: _,
                unanswered,
                awaited: _,
            } => {
                all(stderr);
                targets(unanswered).chain(prompt).for_each(change);
            }
            Failure::SignInRequired {
                url,
                challenge,
                scopes,
                body,
                status: _,
                token: _,
                sent_password: _,
            } => {
                change(url);
                all(scopes);
                challenge.iter_mut().for_each(&change);
                body.iter_mut().for_each(change);
            }
            Failure::ClientRegistrationRequired { issuer } => change(issuer),
            Failure::RefusedByPolicy { rule } => change(rule),
            Failure::SessionExpired { url } => change(url),
            Failure::ProtocolError {
                message,
                received,
                stderr,
                unknown_era: _,
            } => {
                change(message);
                received.iter_mut().for_each(&change);
                all(stderr);
            }
            Failure::Network {
                url,
                message,
                body,
                proxy,
                stage: _,
                status: _,
                fault: _,
            } => {
                change(url);
                change(message);
                body.iter_mut().for_each(&change);
                proxy
                    .iter_mut()
                    .for_each(|proxy| change(&mut proxy.address));
            }
            Failure::CertificateRefused {
                url,
                message,
                fault: _,
                chain: _,
            } => {
                change(url);
                change(message);
            }
            Failure::TokenUnreadable { message }
            | Failure::Configuration { message }
            | Failure::InternalError { message } => {
                change(message);
            }
        }
    }
}

impl From<InternalError> for Failure {
    fn from(error: InternalError) -> Self {
        Failure::InternalError {
            message: error.to_string(),
        }
    }
}

fn targets(unanswered: &mut [UnansweredRequest]) -> impl Iterator<Item = &mut String> {
    unanswered
        .iter_mut()
        .filter_map(|request| request.target.as_mut())
}

/// Says what a server wants that refused a request with 401, or with 403 for want of a scope.
pub fn sign_in_words(status: u16, scopes: &[String]) -> String {
    match (status, scopes) {
        (403, []) => "permission missing".to_owned(),
        (403, scopes) => format!("permission {} is missing", scopes.join(" ")),
        _ => "sign-in required".to_owned(),
    }
}

fn exit_words(code: Option<i32>, signal: Option<i32>) -> String {
    match (code, signal) {
        (Some(code), _) => format!("exited with code {code}"),
        (None, Some(signal)) => format!("killed by signal {signal}"),
        (None, None) => "exited".to_owned(),
    }
}

fn network_words(stage: NetworkStage, status: Option<u16>, proxy: Option<&ProxyUsed>) -> String {
    match (stage, status) {
        (_, Some(407)) => "the proxy requires a password".to_owned(),
        _ if proxy.is_some() => "the proxy cannot be used".to_owned(),
        (NetworkStage::Http, Some(status @ 200..=299)) => {
            format!("not an MCP server (HTTP {status})")
        }
        (NetworkStage::Http, Some(status)) => format!("HTTP {status}"),
        (NetworkStage::Http, None) => "connection closed early".to_owned(),
        (NetworkStage::Dns, _) => "host not found".to_owned(),
        (NetworkStage::Tcp, _) => "connection refused".to_owned(),
        (NetworkStage::Tls, _) => "no secure connection".to_owned(),
    }
}
