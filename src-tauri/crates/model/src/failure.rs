//! Failures of a connection as data: what was tried, what came back, and what to do next.

mod diagnosis;
mod hint;

use serde::Serialize;
use thiserror::Error;

use crate::{CertificateFacts, CertificateFault, Era, InternalError, LimitSource, Millis, Phase};

pub use diagnosis::essential_lines;
pub use hint::{Hint, HintAction, other_paths};

/// Reason why a connection is in [`Phase::Failed`]. The `Display` text is the short reason, fit to
/// stand after "Failed: ".
#[derive(Debug, Clone, PartialEq, Error, Serialize, specta::Type)]
#[serde(tag = "kind", rename_all = "snake_case")]
pub enum Failure {
    /// The program could not be started at all.
    #[error("could not start")]
    SpawnFailed {
        command_line: String,
        message: String,
        program_missing: bool,
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
        set_by: LimitSource,
        unanswered: Vec<UnansweredRequest>,
        stderr: Vec<String>,
    },
    /// The server wants a token (401), or another one (403).
    #[error("sign-in required")]
    SignInRequired {
        url: String,
        status: u16,
        challenge: Option<String>,
        /// The beginning of the body of the answer, where there was one.
        body: Option<String>,
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
    #[error("{}", network_words(*.stage, *.status))]
    Network {
        stage: NetworkStage,
        url: String,
        status: Option<u16>,
        message: String,
        /// The beginning of the body of the answer, where there was one.
        body: Option<String>,
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
    /// Time it had been open.
    pub waited: Millis,
}

/// Stage that the network reached.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, specta::Type)]
#[serde(rename_all = "snake_case")]
pub enum NetworkStage {
    Dns,
    Tcp,
    Tls,
    Http,
}

/// A failure together with its words and the next step.
#[derive(Debug, Clone, PartialEq, Serialize, specta::Type)]
pub struct FailureReport {
    pub failure: Failure,
    /// The short reason, as in "Failed: exited with code 1".
    pub reason: String,
    pub hint: Hint,
}

impl From<Failure> for FailureReport {
    fn from(failure: Failure) -> Self {
        Self {
            reason: failure.to_string(),
            hint: failure.hint(),
            failure,
        }
    }
}

impl Failure {
    /// Changes every text that came from outside, for instance to mask what is secret in it.
    pub fn rewrite(&mut self, change: impl Fn(&mut String)) {
        let all = |texts: &mut [String]| texts.iter_mut().for_each(&change);
        match self {
            Failure::SpawnFailed {
                command_line,
                message,
                program_missing: _,
            } => {
                change(command_line);
                change(message);
            }
            Failure::Exited {
                command_line,
                stderr,
                stdout,
                code: _,
                signal: _,
                unanswered: _,
            } => {
                change(command_line);
                all(stderr);
                all(stdout);
            }
            Failure::TimedOut {
                stderr,
                phase: _,
                limit: _,
                set_by: _,
                unanswered: _,
            } => all(stderr),
            Failure::SignInRequired {
                url,
                challenge,
                body,
                status: _,
            } => {
                change(url);
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
                stage: _,
                status: _,
            } => {
                change(url);
                change(message);
                body.iter_mut().for_each(&change);
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

fn exit_words(code: Option<i32>, signal: Option<i32>) -> String {
    match (code, signal) {
        (Some(code), _) => format!("exited with code {code}"),
        (None, Some(signal)) => format!("killed by signal {signal}"),
        (None, None) => "exited".to_owned(),
    }
}

fn network_words(stage: NetworkStage, status: Option<u16>) -> String {
    match (stage, status) {
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
