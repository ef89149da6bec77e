//! Hints: advice on what to do about a failure. All of it is worded here, in [`diagnosis`], in
//! [`http_hint`] and in the advice of [`CertificateFault`](crate::CertificateFault).

use serde::Serialize;

use super::{Awaited, Failure, HttpFault, NetworkStage, UnansweredRequest, diagnosis, http_hint};
use crate::{Era, LimitSource, Phase};

/// Advice on what to do next.
#[derive(Debug, Clone, PartialEq, Serialize, specta::Type)]
pub struct Hint {
    /// One or two sentences.
    pub text: String,
    /// The one primary action.
    pub action: HintAction,
}

/// An action that the window can offer.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, specta::Type)]
#[serde(tag = "type", rename_all = "camelCase")]
pub enum HintAction {
    Reconnect,
    EditServer,
    /// Set a variable of the environment, which the program lacks, in the server's entry.
    SetVariable {
        name: String,
    },
    /// Set a secret header, which holds the key that the server asks for.
    SetHeader {
        name: String,
    },
    SignIn,
    ShowTraffic,
    /// Put the fingerprint of the server's certificate into its entry.
    AcceptCertificate,
}

impl Failure {
    /// Returns true when a web server answers that it has nothing at the address, or something that
    /// is no MCP, so that the endpoint may be at another path.
    pub fn may_be_elsewhere(&self) -> bool {
        matches!(
            self,
            Failure::Network {
                stage: NetworkStage::Http,
                status: Some(404 | 405 | 200..=299),
                proxy: None,
                fault: None | Some(HttpFault::NoEventStream),
                ..
            }
        )
    }

    /// Returns true when the server does not speak the version of the protocol that it was offered.
    pub fn refuses_version(&self) -> bool {
        self.hint().text == http_hint::VERSION_REFUSED
    }

    /// The most likely cause and what to do about it.
    pub fn hint(&self) -> Hint {
        let (text, action) = match self {
            Failure::SpawnFailed { fault, .. } => return fault.hint(),
            Failure::Exited {
                command_line,
                stderr,
                stdout,
                unanswered,
                ..
            } => return exit_hint(command_line, stderr, stdout, unanswered),
            Failure::TimedOut {
                phase,
                set_by,
                stderr,
                prompt,
                awaited,
                ..
            } => match prompt {
                Some(prompt) => (prompt_hint(prompt), HintAction::EditServer),
                None => (
                    timeout_hint(*phase, *awaited, set_by, stderr),
                    HintAction::Reconnect,
                ),
            },
            Failure::SignInRequired {
                status: 403,
                scopes,
                ..
            } => (scope_hint(scopes), HintAction::SignIn),
            Failure::SignInRequired {
                challenge: Some(challenge),
                token: None,
                sent_password,
                ..
            } if http_hint::wants_password(challenge) => (
                http_hint::password_hint(*sent_password).to_owned(),
                HintAction::EditServer,
            ),
            Failure::SignInRequired {
                challenge,
                body,
                token,
                ..
            } => http_hint::sign_in_hint(challenge.is_some(), body.as_deref(), *token),
            Failure::TokenUnreadable { .. } => (
                "Unlock the keychain, or make the file of the secrets readable; then connect again."
                    .to_owned(),
                HintAction::Reconnect,
            ),
            Failure::ClientRegistrationRequired { issuer } => (
                format!(
                    "{issuer} does not offer dynamic client registration. Register a client \
                         there and enter its client id."
                ),
                HintAction::EditServer,
            ),
            Failure::RefusedByPolicy { rule } => (
                format!(
                    "The managed policy refuses this server (rule {rule}). Ask the \
                         administrator of this computer."
                ),
                HintAction::EditServer,
            ),
            Failure::SessionExpired { .. } => (
                "The server no longer knows the session; it may have restarted, or another of \
                 several instances answered. Connect again."
                    .to_owned(),
                HintAction::Reconnect,
            ),
            Failure::ProtocolError {
                unknown_era: Some(era),
                ..
            } => (era_hint(*era), HintAction::EditServer),
            Failure::ProtocolError {
                message, received, ..
            } => http_hint::protocol_hint(message, received.as_deref()),
            Failure::Network {
                stage,
                status,
                url,
                body,
                proxy,
                fault,
                ..
            } => match proxy {
                Some(proxy) => (
                    http_hint::proxy_hint(*stage, *status, url, proxy),
                    HintAction::Reconnect,
                ),
                None => http_hint::network_hint(*stage, *status, url, body.as_deref(), *fault),
            },
            Failure::CertificateRefused { fault, .. } => {
                (fault.advice().to_owned(), HintAction::AcceptCertificate)
            }
            Failure::Configuration { .. } => (
                "Correct what is wrong there, then connect again.".to_owned(),
                HintAction::EditServer,
            ),
            Failure::InternalError { .. } => (
                "This is a fault in Sightglass, not in the server. Other connections stay open. \
                 Copy the report, send it to the developers, then connect again."
                    .to_owned(),
                HintAction::Reconnect,
            ),
        };
        Hint { text, action }
    }
}

fn exit_hint(
    command_line: &str,
    stderr: &[String],
    stdout: &[String],
    unanswered: &[UnansweredRequest],
) -> Hint {
    let found = diagnosis::hint_of_exit(command_line, stderr, stdout);
    let Hint { text, action } = found.unwrap_or_else(|| Hint {
        text: last_words(stderr, stdout).to_owned(),
        action: HintAction::EditServer,
    });
    let text = match unanswered.first() {
        Some(request) => format!(
            "The server ended before it answered {}. {text}",
            request.method
        ),
        None => text,
    };
    Hint { text, action }
}

/// Advice for a program whose last words name no cause that is known.
fn last_words(stderr: &[String], stdout: &[String]) -> &'static str {
    match (stderr.is_empty(), stdout.is_empty()) {
        (_, false) => {
            "The program printed to stdout, which is reserved for MCP messages. Its last \
                 lines there may name the cause. Log to stderr instead."
        }
        (true, true) => {
            "It wrote nothing to stderr or stdout. Run the command in a terminal to see \
                 what happens."
        }
        (false, true) => "Its last lines on stderr usually name the cause.",
    }
}

/// Advice for a program that waits for someone to type.
fn prompt_hint(prompt: &str) -> String {
    format!(
        "The program seems to wait for an answer to “{}”, and nobody can type one here. Run its \
         command once in a terminal, or add the option that answers, such as `-y` for npx.",
        prompt.trim()
    )
}

/// Advice for a token that allows too little.
fn scope_hint(scopes: &[String]) -> String {
    match scopes {
        [] => "The token lacks a permission that this server requires. Sign in again to request \
               it."
        .to_owned(),
        [one] => format!(
            "The token lacks the permission `{one}`, which this server requires. Sign in again to \
             request it."
        ),
        several => format!(
            "The token lacks permissions that this server requires: `{}`. Sign in again to request \
             them.",
            several.join("`, `")
        ),
    }
}

fn timeout_hint(phase: Phase, awaited: Awaited, source: &LimitSource, stderr: &[String]) -> String {
    let setting = match source {
        LimitSource::Variable { name } => {
            format!("If it is only slow, raise the variable {name} (milliseconds).")
        }
        LimitSource::ServerSetting => {
            "If it is only slow, raise the limit in its connection settings.".to_owned()
        }
        LimitSource::Setting => {
            "If it is only slow, raise the limit in the Settings, or in the server's own connection \
             settings."
                .to_owned()
        }
        LimitSource::Client { client } => format!(
            "{client} waits as long where nothing says otherwise. If it is only slow, set a limit in \
             its entry or in its connection settings."
        ),
        LimitSource::Entry { field } if field.starts_with("startup_timeout") => {
            format!("If it is only slow, raise `{field}` in its entry (seconds).")
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
    if let Some(cause) = awaited.likely_cause(phase) {
        return format!("{cause} {setting}");
    }
    if phase == Phase::Initializing
        && let Some(address) = diagnosis::listening_address(stderr)
    {
        return format!(
            "The server says that it listens on {address}, and never answered over stdio. Start it \
             with the option that makes it speak stdio, or start it by itself and connect to that \
             address over HTTP. {setting}"
        );
    }
    match phase {
        Phase::Initializing if stderr.is_empty() => format!(
            "The server started but never answered. Check that it speaks MCP over stdio, not only \
             on a port. {setting}"
        ),
        _ => format!("The server stopped answering. {setting}"),
    }
}

fn era_hint(era: Era) -> String {
    let (set, other) = match era {
        Era::Modern => ("modern (2026-07-28)", "legacy"),
        Era::Legacy => ("legacy (up to 2025-11-25)", "modern"),
    };
    format!(
        "The entry asks for one generation of the protocol, {set}, which this server does not seem \
         to speak. Set `\"era\": \"auto\"` in the entry, or \"{other}\"."
    )
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{FailureReport, Millis, StartFault};

    #[test]
    fn every_reason_reads_well_after_failed() {
        let exited = Failure::Exited {
            command_line: "node server.js".into(),
            code: Some(3),
            signal: None,
            stderr: vec!["Error: Cannot find module 'x'".into()],
            stdout: Vec::new(),
            unanswered: vec![UnansweredRequest {
                id: "0".into(),
                method: "initialize".into(),
                target: None,
                waited: Millis::from_f64(12.0),
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
    fn an_endpoint_may_be_elsewhere_where_something_else_answers() {
        for (status, wanted) in [
            (404, true),
            (405, true),
            (200, true),
            (401, false),
            (500, false),
        ] {
            let failure = Failure::Network {
                stage: NetworkStage::Http,
                url: "https://server.example/mcp".into(),
                status: Some(status),
                message: String::new(),
                body: Some("<html>".into()),
                proxy: None,
                fault: None,
            };
            assert_eq!(failure.may_be_elsewhere(), wanted, "{status}");
        }
    }

    #[test]
    fn the_reason_names_a_variable_that_is_missing() {
        let reason = |code: Option<i32>, signal: Option<i32>| {
            let exited = Failure::Exited {
                command_line: "node server.js".into(),
                code,
                signal,
                stderr: vec!["KeyError: 'DATABASE_URL'".into()],
                stdout: Vec::new(),
                unanswered: Vec::new(),
            };
            FailureReport::from(exited).reason
        };
        assert_eq!(reason(Some(1), None), "DATABASE_URL is not set (exit 1)");
        assert_eq!(reason(None, Some(9)), "DATABASE_URL is not set (signal 9)");
    }

    #[test]
    fn a_variable_that_stderr_complains_about_is_named_and_can_be_set() {
        let hint = |command_line: &str, stderr: &[&str]| {
            let failure = Failure::Exited {
                command_line: command_line.to_owned(),
                code: Some(1),
                signal: None,
                stderr: stderr.iter().map(|line| (*line).to_owned()).collect(),
                stdout: Vec::new(),
                unanswered: Vec::new(),
            };
            failure.hint()
        };
        let set = HintAction::SetVariable {
            name: "GITHUB_TOKEN".to_owned(),
        };
        let lines = [
            "GITHUB_TOKEN environment variable is not set",
            "    at main",
        ];
        let found = hint("npx server", &lines);
        assert!(found.text.contains("GITHUB_TOKEN"), "{}", found.text);
        assert_eq!(found.action, set);
        // A container gets only what it is given.
        let found = hint("docker run -i image", &lines);
        assert!(found.text.contains("`-e GITHUB_TOKEN`"), "{}", found.text);
        assert_eq!(found.action, set);
        let found = hint("docker run -i -e GITHUB_TOKEN image", &lines);
        assert!(!found.text.contains("container"), "{}", found.text);
        for other in ["Error: API key is required", "Server started"] {
            assert_eq!(hint("npx server", &[other]).action, HintAction::EditServer);
        }
    }

    #[test]
    fn a_password_that_was_sent_is_told_to_be_refused() {
        for (sent_password, wanted) in [(true, "did not accept"), (false, "Give those")] {
            let failure = Failure::SignInRequired {
                url: "https://server.example/mcp".into(),
                status: 401,
                challenge: Some("Basic realm=\"x\"".into()),
                scopes: Vec::new(),
                body: None,
                token: None,
                sent_password,
            };
            let hint = failure.hint();
            assert!(hint.text.contains(wanted), "{}", hint.text);
            assert_eq!(hint.action, HintAction::EditServer);
        }
    }

    #[test]
    fn a_missing_program_is_named() {
        let failure = Failure::SpawnFailed {
            command_line: "uvx mcp-server-time".into(),
            message: "uvx is not on the PATH".into(),
            fault: StartFault::NotOnPath {
                command: "uvx".into(),
                nearest: None,
            },
        };
        let hint = failure.hint().text;
        assert!(hint.contains("uvx was not found on the PATH"), "{hint}");
    }

    #[test]
    fn a_timeout_names_its_phase_and_its_setting() {
        let failure = Failure::TimedOut {
            phase: Phase::ListingTools,
            limit: Millis::from_f64(30_000.0),
            set_by: Box::new(LimitSource::Default),
            unanswered: Vec::new(),
            stderr: Vec::new(),
            prompt: None,
            awaited: Awaited::Program,
        };
        assert_eq!(failure.to_string(), "timed out while listing tools");
        assert!(failure.hint().text.contains("\"listing_tools\": 60"));
    }

    #[test]
    fn a_server_that_listens_on_an_address_is_told_from_one_over_stdio() {
        let hint = |phase: Phase, line: &str| {
            let failure = Failure::TimedOut {
                phase,
                limit: Millis::from_f64(30_000.0),
                set_by: Box::new(LimitSource::Default),
                unanswered: Vec::new(),
                stderr: vec!["Starting".to_owned(), line.to_owned()],
                prompt: None,
                awaited: Awaited::Program,
            };
            failure.hint().text
        };
        for line in [
            "listening on http://127.0.0.1:3000/mcp",
            "INFO: Uvicorn running on http://127.0.0.1:3000/mcp (Press CTRL+C to quit)",
            "Server started: \"http://127.0.0.1:3000/mcp\".",
        ] {
            let hint = hint(Phase::Initializing, line);
            assert!(hint.contains("on http://127.0.0.1:3000/mcp,"), "{hint}");
            assert!(
                hint.contains("stdio") && hint.contains("over HTTP"),
                "{hint}"
            );
        }
        for (phase, line) in [
            (Phase::Initializing, "see http://127.0.0.1:3000/docs"),
            (Phase::ListingTools, "listening on http://127.0.0.1:3000/"),
        ] {
            let hint = hint(phase, line);
            assert!(hint.contains("stopped answering"), "{hint}");
        }
    }

    #[test]
    fn a_program_that_printed_to_stdout_is_told_so_and_silence_is_told_too() {
        let exited = |stdout: &[&str]| Failure::Exited {
            command_line: "server".into(),
            code: Some(0),
            signal: None,
            stderr: Vec::new(),
            stdout: stdout.iter().map(|line| (*line).to_owned()).collect(),
            unanswered: Vec::new(),
        };
        let hint = exited(&["Server listening on 3000"]).hint().text;
        assert!(hint.contains("printed to stdout"), "{hint}");
        let hint = exited(&["usage: server DIR"]).hint().text;
        assert!(hint.contains("argument"), "{hint}");
        let hint = exited(&[]).hint().text;
        assert!(hint.contains("wrote nothing"), "{hint}");
    }
}
