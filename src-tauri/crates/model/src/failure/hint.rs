//! What to do about a failure.

use serde::Serialize;

use super::{Failure, NetworkStage, UnansweredRequest};
use crate::{Era, LimitSource, Phase};

/// What to do next.
#[derive(Debug, Clone, PartialEq, Serialize, specta::Type)]
pub struct Hint {
    /// One or two sentences.
    pub text: String,
    /// The one primary action.
    pub action: HintAction,
}

/// An action that the window can offer.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, specta::Type)]
#[serde(rename_all = "snake_case")]
pub enum HintAction {
    Reconnect,
    EditServer,
    SignIn,
    ShowTraffic,
    /// Put the fingerprint of the server's certificate into its entry.
    AcceptCertificate,
}

impl Failure {
    /// The most likely cause and what to do about it.
    pub fn hint(&self) -> Hint {
        let (text, action) = match self {
            Failure::SpawnFailed { command_line, program_missing: true, .. } => (
                format!(
                    "The program {} was not found on the PATH. Install it, or give its full path.",
                    first_word(command_line)
                ),
                HintAction::EditServer,
            ),
            Failure::SpawnFailed { .. } => (
                "The program exists but could not be run. Check its permissions and its working \
                 directory."
                    .to_owned(),
                HintAction::EditServer,
            ),
            Failure::Exited { stderr, unanswered, .. } => (exit_hint(stderr, unanswered), HintAction::EditServer),
            Failure::TimedOut { phase, set_by, stderr, .. } => {
                (timeout_hint(*phase, set_by, stderr), HintAction::Reconnect)
            }
            Failure::SignInRequired { status: 403, .. } => (
                "The token is valid but lacks a permission that this server asks for. Sign in again \
                 to ask for it as well."
                    .to_owned(),
                HintAction::SignIn,
            ),
            Failure::SignInRequired { .. } => (
                "The server wants to know who you are. Sign in, or give it a token of your own in an \
                 Authorization header."
                    .to_owned(),
                HintAction::SignIn,
            ),
            Failure::TokenUnreadable { .. } => (
                "Unlock the keychain, then connect again. The secrets can also be moved to a file."
                    .to_owned(),
                HintAction::Reconnect,
            ),
            Failure::ClientRegistrationRequired { issuer } => (
                format!("{issuer} registers no clients by itself. Register one there and enter its client id."),
                HintAction::EditServer,
            ),
            Failure::RefusedByPolicy { rule } => (
                format!("The managed policy refuses this server by the rule {rule}. Ask whoever manages this machine."),
                HintAction::EditServer,
            ),
            Failure::SessionExpired { .. } => (
                "The server no longer knows the session, for instance after a restart. Connect again.".to_owned(),
                HintAction::Reconnect,
            ),
            Failure::ProtocolError {
                unknown_era: Some(era),
                ..
            } => (era_hint(*era), HintAction::EditServer),
            Failure::ProtocolError { .. } => (
                "The server answered in a way the protocol does not allow. The traffic shows the exact messages."
                    .to_owned(),
                HintAction::ShowTraffic,
            ),
            Failure::Network { stage, status, url, .. } => network_hint(*stage, *status, url),
            Failure::CertificateRefused { fault, .. } => {
                (fault.advice().to_owned(), HintAction::AcceptCertificate)
            }
            Failure::Configuration { .. } => (
                "Complete the entry, then connect again.".to_owned(),
                HintAction::EditServer,
            ),
            Failure::InternalError { .. } => (
                "This is a defect of Sightglass and not of the server. Other connections go on. Copy the \
                 report and send it to its developers, then connect again."
                    .to_owned(),
                HintAction::Reconnect,
            ),
        };
        Hint { text, action }
    }
}

fn first_word(command_line: &str) -> &str {
    command_line
        .split_whitespace()
        .next()
        .unwrap_or(command_line)
}

fn exit_hint(stderr: &[String], unanswered: &[UnansweredRequest]) -> String {
    let said = stderr.join("\n").to_lowercase();
    let named;
    let cause = if let Some(variable) = missing_variable(stderr) {
        named = format!(
            "Its last lines name the variable {variable}. Set it in the environment of this server."
        );
        named.as_str()
    } else if said.contains("cannot find module") || said.contains("modulenotfounderror") {
        "A package that the server needs is not installed."
    } else if said.contains("404 not found") || said.contains("e404") {
        "The package runner did not find the package. Check its name and version."
    } else if said.contains("eaddrinuse") || said.contains("address already in use") {
        "Its port is taken by another program."
    } else if said.contains("usage:") || said.contains("required") && said.contains("argument") {
        "It looks as if an argument is missing or wrong."
    } else if ["api_key", "api key", "token", "credential"]
        .iter()
        .any(|word| said.contains(word))
    {
        "It looks as if a key or token is missing from its environment."
    } else if stderr.is_empty() {
        "It wrote nothing to stderr. Run the command line in a terminal to see what happens."
    } else {
        "Its last lines on stderr usually name the cause."
    };
    match unanswered.first() {
        Some(request) => format!(
            "The server ended before it answered {}. {cause}",
            request.method
        ),
        None => cause.to_owned(),
    }
}

/// The environment variable that a line complains about: a word in capitals with an
/// underscore, on a line that says that something is missing.
fn missing_variable(stderr: &[String]) -> Option<&str> {
    const COMPLAINTS: [&str; 6] = [
        "not set",
        "missing",
        "required",
        "must be set",
        "undefined",
        "not found",
    ];
    let is_variable = |word: &&str| {
        word.contains('_')
            && word.starts_with(|first: char| first.is_ascii_uppercase())
            && word.chars().all(|character| {
                character.is_ascii_uppercase() || character.is_ascii_digit() || character == '_'
            })
    };
    stderr
        .iter()
        .rev()
        .filter(|line| {
            let line = line.to_lowercase();
            COMPLAINTS.iter().any(|complaint| line.contains(complaint))
        })
        .find_map(|line| {
            line.split(|character: char| !(character.is_ascii_alphanumeric() || character == '_'))
                .find(is_variable)
        })
}

fn timeout_hint(phase: Phase, source: &LimitSource, stderr: &[String]) -> String {
    let setting = match source {
        LimitSource::Variable { name } => {
            format!("If it is only slow, raise the variable {name} (milliseconds).")
        }
        LimitSource::Entry { field } if field == "startup_timeout" => {
            "If it is only slow, raise `startup_timeout` in its entry (seconds).".to_owned()
        }
        LimitSource::Default | LimitSource::PackageRunner { .. } | LimitSource::Entry { .. } => {
            let seconds = match source {
                LimitSource::PackageRunner { .. } => 300,
                _ => 60,
            };
            format!(
                "If it is only slow, raise the limit: `\"phase_timeouts\": {{\"{}\": {seconds}}}` in its \
                 entry (seconds).",
                phase.name()
            )
        }
    };
    match phase {
        Phase::Initializing if stderr.is_empty() => format!(
            "The server started but never answered. Check that it speaks MCP on stdout, and not \
             only over a port. {setting}"
        ),
        _ => format!("The server stopped answering. {setting}"),
    }
}

fn era_hint(era: Era) -> String {
    let (set, other) = match era {
        Era::Modern => ("the stateless era (2026-07-28)", "legacy"),
        Era::Legacy => ("the era with a handshake (2025-11-25 and before)", "modern"),
    };
    format!(
        "Its era is set to {set}, which this server does not seem to speak. Set `\"era\": \"auto\"` \
         in its entry, and the one that it speaks is found, or \"{other}\"."
    )
}

fn network_hint(stage: NetworkStage, status: Option<u16>, url: &str) -> (String, HintAction) {
    match (stage, status) {
        (NetworkStage::Dns, _) => {
            (format!("The host name in {url} does not resolve. Check its spelling."), HintAction::EditServer)
        }
        (NetworkStage::Tcp, _) => {
            (format!("Nothing accepts connections at {url}. Is the server running?"), HintAction::Reconnect)
        }
        (NetworkStage::Tls, _) => (
            "The server does not speak TLS on this port, or none that this client knows. If it speaks plain HTTP, write http:// in the address.".to_owned(),
            HintAction::EditServer,
        ),
        (NetworkStage::Http, Some(404 | 405)) => (
            "There is a web server, but no MCP endpoint at this path. Most servers use a path such as /mcp."
                .to_owned(),
            HintAction::EditServer,
        ),
        (NetworkStage::Http, Some(429)) => (
            "The server gets more requests than it takes. Wait as long as it asks, then connect again."
                .to_owned(),
            HintAction::Reconnect,
        ),
        (NetworkStage::Http, Some(200..=299)) => (
            "What answers at this address does not do so as an MCP server should. Check the address; most servers use a path such as /mcp."
                .to_owned(),
            HintAction::EditServer,
        ),
        (NetworkStage::Http, Some(300..=399)) => (
            "The server sends its clients to another address. If it is right, put it into the entry."
                .to_owned(),
            HintAction::EditServer,
        ),
        (NetworkStage::Http, Some(status)) if status >= 500 => (
            "The server has a fault of its own. Its log says more; try again when it is mended.".to_owned(),
            HintAction::Reconnect,
        ),
        (NetworkStage::Http, Some(_)) => (
            "The server refused the request. The body of its answer usually says why.".to_owned(),
            HintAction::ShowTraffic,
        ),
        (NetworkStage::Http, None) => (
            "The connection broke off in the middle of an answer. Connect again.".to_owned(),
            HintAction::Reconnect,
        ),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::FailureReport;

    #[test]
    fn every_reason_reads_well_after_failed() {
        let exited = Failure::Exited {
            command_line: "node server.js".into(),
            code: Some(3),
            signal: None,
            stderr: vec!["Error: Cannot find module 'x'".into()],
            unanswered: vec![UnansweredRequest {
                id: "0".into(),
                method: "initialize".into(),
                waited: 12.0,
            }],
        };
        let report = FailureReport::from(exited);
        assert_eq!(report.reason, "exited with code 3");
        assert!(
            report.hint.text.contains("before it answered initialize"),
            "{}",
            report.hint.text
        );
        assert!(
            report.hint.text.contains("not installed"),
            "{}",
            report.hint.text
        );
    }

    #[test]
    fn a_variable_that_stderr_complains_about_is_named() {
        let failure = Failure::Exited {
            command_line: "npx server".into(),
            code: Some(1),
            signal: None,
            stderr: vec![
                "GITHUB_TOKEN environment variable is not set".into(),
                "    at main".into(),
            ],
            unanswered: Vec::new(),
        };
        assert!(
            failure.hint().text.contains("GITHUB_TOKEN"),
            "{}",
            failure.hint().text
        );
    }

    #[test]
    fn a_missing_program_is_named() {
        let failure = Failure::SpawnFailed {
            command_line: "uvx mcp-server-time".into(),
            message: "No such file or directory".into(),
            program_missing: true,
        };
        assert!(
            failure
                .hint()
                .text
                .contains("uvx was not found on the PATH")
                || failure.hint().text.contains("program uvx")
        );
    }

    #[test]
    fn a_timeout_names_its_phase_and_its_setting() {
        let failure = Failure::TimedOut {
            phase: Phase::ListingTools,
            limit: 30_000.0,
            set_by: LimitSource::Default,
            unanswered: Vec::new(),
            stderr: Vec::new(),
        };
        assert_eq!(failure.to_string(), "timed out while listing tools");
        assert!(failure.hint().text.contains("\"listing_tools\": 60"));
    }
}
