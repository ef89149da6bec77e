//! Errors of commands: an exit code, a message, evidence, and what to do next.

use sightglass_inspector::{
    Awaited, ConnectionError, EndpointQuestion, ErrorCode, Failure, FailureReport, HintAction,
    InspectorError, MASK, RequestEnd, RequestOutcome, TransportKind, shell_quoted,
};

use crate::{
    json::{self, RpcError, object, quoted},
    style::{BAD, FAINT, HEADING, harmless, styled},
};

/// Exit code of the program.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[repr(u8)]
pub(crate) enum Exit {
    Done = 0,
    Usage = 1,
    /// The server answered with an error.
    ServerError = 2,
    /// Network, time-out, or a server that does not run.
    Network = 3,
    /// A sign-in is missing, or failed.
    Authentication = 4,
    /// A check failed, or a surface changed.
    CheckFailed = 5,
    /// By Ctrl-C or SIGTERM, as shells have it.
    Interrupted = 130,
}

#[derive(Debug)]
pub(crate) struct CliError {
    pub exit: Exit,
    /// JSON: the server's own number, or one of our words.
    code: Box<str>,
    pub message: String,
    /// JSON.
    data: Option<Box<str>>,
    pub hint: Option<String>,
    /// Lines shown to a human reader besides the message.
    evidence: Vec<String>,
}

impl CliError {
    fn new(exit: Exit, code: &str, message: &str) -> Self {
        Self {
            exit,
            code: quoted(code).into(),
            message: sentence(message),
            data: None,
            hint: None,
            evidence: Vec::new(),
        }
    }

    pub(crate) fn with_hint(mut self, hint: &str) -> Self {
        self.hint = Some(hint.to_owned());
        self
    }

    pub(crate) fn usage(message: &str, hint: &str) -> Self {
        Self::new(Exit::Usage, "usage", message).with_hint(hint)
    }

    pub(crate) fn authentication(code: &str, message: &str, hint: &str) -> Self {
        Self::new(Exit::Authentication, code, message).with_hint(hint)
    }

    /// Entered secrets would go to an authorization server that the user has not agreed to.
    pub(crate) fn not_agreed(server: &str, issuer: &str) -> Self {
        Self::authentication(
            "issuer_not_agreed",
            &format!(
                "{server} names {issuer} as its authorization server, and what you entered was not \
                 sent there."
            ),
            &format!(
                "If your client is registered there, agree to it: `sightglass-cli login {} \
                 --issuer {}`.",
                target_word(server),
                shell_quoted(issuer)
            ),
        )
    }

    /// The code of one origin would go to another that the user did not agree to.
    pub(crate) fn endpoints_not_agreed(server: &str, question: &EndpointQuestion) -> Self {
        Self::authentication(
            "endpoints_not_agreed",
            &format!("{server}: {} Nothing was sent.", question.message()),
            &format!(
                "If both belong to {}, agree to it: `sightglass-cli login {} --token-origin {}`.",
                question.issuer,
                target_word(server),
                shell_quoted(&question.token)
            ),
        )
    }

    /// The token lacks a scope that a request needs.
    pub(crate) fn insufficient_scope(server: &str, scope: Option<&str>) -> Self {
        let lacks = match scope {
            Some(scope) => format!("the token lacks the scope {scope}"),
            None => "the token lacks a scope".to_owned(),
        };
        Self::authentication(
            "insufficient_scope",
            &format!("{server}: {lacks}, which this request needs (HTTP 403)."),
            &format!(
                "`sightglass-cli login {}` asks for it together with the scopes that the token has.",
                target_word(server)
            ),
        )
    }

    /// With something more that a user has to know.
    pub(crate) fn with_evidence(mut self, line: &str) -> Self {
        self.evidence.push(line.to_owned());
        self
    }

    /// Requests that did not pass. A request that could not be judged counts more than one that
    /// failed: `exit` says why.
    pub(crate) fn requests(exit: Exit, message: &str) -> Self {
        Self::new(exit, "requests", message)
    }

    /// A check failed, or a call of a load run.
    pub(crate) fn check(message: &str) -> Self {
        Self::new(Exit::CheckFailed, "check_failed", message)
    }

    /// A report could not be written.
    pub(crate) fn unwritten(path: &std::path::Path, error: &str) -> Self {
        Self::usage(
            &format!("{} was not written: {error}.", path.display()),
            "Name a file that can be written.",
        )
    }

    /// A server's surface changed more than it may.
    pub(crate) fn drift(message: &str) -> Self {
        Self::new(Exit::CheckFailed, "drift", message).with_hint(
            "If the changes are right, `sightglass-cli pin` takes them for the ones to compare with.",
        )
    }

    /// The machine refused something.
    pub(crate) fn system(message: &str) -> Self {
        Self::new(Exit::Network, "system", message)
    }

    pub(crate) fn interrupted() -> Self {
        Self::new(Exit::Interrupted, "interrupted", "Interrupted.")
    }

    /// The connection that was lost while it was being used, or never came about.
    pub(crate) fn connection(server: &str, report: &FailureReport) -> Self {
        let (exit, code) = kind(&report.failure);
        let mut error = Self::new(exit, code, &format!("{server}: {}", report.reason));
        error.evidence = report.evidence();
        error.data = serde_json::to_string(&report.failure).ok().map(Into::into);
        error.hint = Some(match &report.failure {
            Failure::TimedOut {
                awaited: awaited @ Awaited::Events,
                phase,
                ..
            } => format!(
                "{} If it is only slow, give it longer with --connect-timeout MS.",
                awaited.likely_cause(*phase).unwrap_or_default()
            ),
            Failure::TimedOut { prompt: None, .. } => {
                "Give it longer with --connect-timeout MS; --verbose \
                                         shows what it says meanwhile."
                    .to_owned()
            }
            Failure::ProtocolError {
                unknown_era: Some(_),
                ..
            } => "The server does not seem to speak the era that is set. Give `--era auto`, and \
                  the one that it speaks is found."
                .to_owned(),
            // It is nothing that a sign-in would mend.
            Failure::SignInRequired { .. } if report.hint.action != HintAction::SignIn => {
                report.hint.text.clone()
            }
            Failure::SignInRequired {
                token: Some(_),
                status: 401,
                ..
            } => format!(
                "{} To sign in again: `sightglass-cli login {}`.",
                report.hint.text,
                target_word(server)
            ),
            Failure::SignInRequired {
                challenge: None,
                body: Some(_),
                status: 401,
                ..
            } => format!(
                "The server names no way to sign in; the body of its answer says why it refuses. If \
                 it is about a token or a key, sign in with `sightglass-cli login {}`, or give a \
                 token with `--header 'Authorization: Bearer TOKEN'`.",
                target_word(server)
            ),
            Failure::SignInRequired { status: 401, .. } => format!(
                "Sign in with `sightglass-cli login {}`, or give a token with `--header \
                 'Authorization: Bearer TOKEN'`.",
                target_word(server)
            ),
            _ => match &report.hint.action {
                HintAction::SetVariable { name } => format!(
                    "{} For one call, `--env {name}=VALUE` sets it there.",
                    report.hint.text
                ),
                _ => report.hint.text.clone(),
            },
        });
        error
    }

    /// The program did not start in the project, which it may have needed.
    pub(crate) fn outside(mut self, folder: &str) -> Self {
        self.evidence.push(format!(
            "It was started in an empty directory, because {folder} is not trusted. \
             `sightglass-cli config trust` trusts it."
        ));
        self
    }

    /// The server's own error.
    pub(crate) fn answered(rpc: &RpcError<'_>, method: &str) -> Self {
        let mut error = Self::new(
            Exit::ServerError,
            "",
            &format!("The server refused {method}."),
        );
        if !rpc.message.is_empty() {
            error.message = rpc.message.clone();
        }
        error.code = rpc.code.into();
        error.data = rpc.data.map(Into::into);
        error.evidence.push(format!("code {}", rpc.code));
        error.evidence.extend(rpc.data.map(json::pretty));
        error.hint = rpc_hint(rpc.code, method).map(str::to_owned);
        error
    }

    /// A request that has no answer.
    pub(crate) fn unanswered(report: &RequestOutcome, transport: TransportKind) -> Self {
        let message = report.message.clone().unwrap_or_default();
        match report.end {
            RequestEnd::TimedOut => Self::new(Exit::Network, "timed_out", &message)
                .with_hint("Give it longer with --timeout MS."),
            RequestEnd::TooLarge => Self::new(Exit::ServerError, "too_large", &message)
                .with_hint("The limit for messages is among the settings of the window."),
            RequestEnd::Cancelled => Self::new(Exit::Network, "cancelled", "It was cancelled."),
            RequestEnd::Error | RequestEnd::Refused => {
                Self::new(Exit::ServerError, "protocol", &message)
            }
            RequestEnd::Result | RequestEnd::ConnectionLost => {
                Self::new(Exit::Network, "connection_lost", &message).with_hint(match transport {
                    TransportKind::Stdio => "`--verbose` shows what the server says on stderr.",
                    _ => "`--verbose` shows the requests and what came back.",
                })
            }
        }
    }

    /// The server did not do what it was asked, in words of ours.
    pub(crate) fn refused(message: &str) -> Self {
        Self::new(Exit::ServerError, "refused", message)
            .with_hint("`info` shows what the server offers, and --verbose what it answered.")
    }

    /// A tool's result that says it is an error.
    pub(crate) fn tool(tool: &str) -> Self {
        Self::new(
            Exit::ServerError,
            "tool_error",
            &format!("The tool {tool} reported an error."),
        )
        .with_hint("Its result says what went wrong.")
    }

    /// An answer that is not the text that JSON has to be (RFC 8259, section 8.1).
    pub(crate) fn damaged() -> Self {
        let message = "The answer is not valid UTF-8; what is not stands as \u{fffd}.";
        Self::new(Exit::ServerError, "protocol", message)
            .with_hint("The server has to write UTF-8, whatever the system's own encoding is.")
    }

    /// As JSON, on one line.
    pub(crate) fn to_json(&self) -> String {
        let message = quoted(&self.message);
        let hint = self
            .hint
            .as_deref()
            .map_or_else(|| "null".to_owned(), quoted);
        let error = object([
            ("code", &*self.code),
            ("message", &message),
            ("data", self.data.as_deref().unwrap_or("null")),
            ("hint", &hint),
        ]);
        object([("error", error.as_str())])
    }

    /// For a user.
    pub(crate) fn to_text(&self) -> String {
        let mut text = format!("{} {}\n", styled(BAD, "error:"), harmless(&self.message));
        for evidence in &self.evidence {
            for line in harmless(evidence).lines() {
                text.push_str(&format!("  {}\n", styled(FAINT, line)));
            }
        }
        if let Some(hint) = &self.hint {
            text.push_str(&format!(
                "{} {}\n",
                styled(HEADING, "hint:"),
                harmless(hint)
            ));
        }
        text
    }
}

impl From<InspectorError> for CliError {
    fn from(error: InspectorError) -> Self {
        if let InspectorError::Connection(ConnectionError::ListFailed {
            answer: Some(answer),
            ..
        }) = &error
            && let Some(json::Response::Error(refusal)) = json::response(answer)
        {
            return Self::answered(&refusal, "the list");
        }
        if let InspectorError::Connection(ConnectionError::Refused { .. }) = &error {
            return Self::refused(&error.to_string());
        }
        let (exit, code) = match error.code() {
            ErrorCode::UnknownServer => (Exit::Usage, "unknown_server"),
            ErrorCode::Configuration => (Exit::Usage, "configuration"),
            ErrorCode::RefusedByPolicy => (Exit::Usage, "refused_by_policy"),
            ErrorCode::DeniedByRule => (Exit::Usage, "denied_by_rule"),
            ErrorCode::NotConfirmed => (Exit::Usage, "not_confirmed"),
            ErrorCode::NotApproved => (Exit::Usage, "not_approved"),
            ErrorCode::FolderNotTrusted => (Exit::Usage, "folder_not_trusted"),
            ErrorCode::InvalidInput | ErrorCode::NotFound => (Exit::Usage, "usage"),
            ErrorCode::Record => (Exit::Usage, "record"),
            _ => (Exit::Network, "connection_lost"),
        };
        Self {
            hint: error.hint(),
            ..Self::new(exit, code, &error.to_string())
        }
    }
}

fn kind(failure: &Failure) -> (Exit, &'static str) {
    match failure {
        Failure::SpawnFailed { .. } => (Exit::Network, "start_failed"),
        Failure::Exited { .. } => (Exit::Network, "exited"),
        Failure::TimedOut { .. } => (Exit::Network, "timed_out"),
        Failure::SignInRequired { .. } => (Exit::Authentication, "sign_in_required"),
        Failure::ClientRegistrationRequired { .. } => {
            (Exit::Authentication, "client_registration_required")
        }
        Failure::RefusedByPolicy { .. } => (Exit::Usage, "refused_by_policy"),
        Failure::SessionExpired { .. } => (Exit::Network, "session_expired"),
        Failure::ProtocolError { .. } => (Exit::ServerError, "protocol"),
        Failure::Network { .. } => (Exit::Network, "network"),
        Failure::CertificateRefused { .. } => (Exit::Network, "certificate_refused"),
        Failure::TokenUnreadable { .. } => (Exit::Authentication, "token_unreadable"),
        Failure::Configuration { .. } => (Exit::Usage, "configuration"),
        Failure::InternalError { .. } => (Exit::Network, "internal_error"),
    }
}

fn rpc_hint(code: &str, method: &str) -> Option<&'static str> {
    match (code, method) {
        ("-32601", _) => Some("The server does not offer this; `info` shows what it offers."),
        ("-32602", "tools/call") => {
            Some("`tools list` shows the tools, and with --json what arguments they take.")
        }
        ("-32602" | "-32002", "resources/read") => Some("`resources list` shows what there is."),
        ("-32602", "prompts/get") => {
            Some("`prompts list` shows the prompts, and with --json what arguments they take.")
        }
        _ => None,
    }
}

/// Returns the word that stands for a server in a command that can be pasted. An address in which a
/// secret is masked leads nowhere: a placeholder stands for the one that was given.
pub(crate) fn target_word(server: &str) -> String {
    match server.contains(MASK) {
        true => "URL".to_owned(),
        false => shell_quoted(server),
    }
}

/// A text as a sentence: with a capital letter, and an end.
fn sentence(text: &str) -> String {
    let text = text.trim();
    let mut characters = text.chars();
    let Some(first) = characters.next() else {
        return String::new();
    };
    // A word such as `tools/call`, a name or an address keeps its letters.
    let first: String = match text.split(' ').next() {
        Some(word) if word.chars().all(char::is_alphabetic) && !text.contains(": ") => {
            first.to_uppercase().collect()
        }
        _ => first.to_string(),
    };
    let end = if text.ends_with(['.', '?', '!', ':', '…']) {
        ""
    } else {
        "."
    };
    format!("{first}{}{end}", characters.as_str())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_command_in_a_hint_can_be_pasted_whatever_the_server_is_called() {
        let error = CliError::not_agreed("x; touch mark", "https://a.test/$(touch mark)");
        assert_eq!(
            error.hint.as_deref(),
            Some(
                "If your client is registered there, agree to it: `sightglass-cli login \
                 'x; touch mark' --issuer 'https://a.test/$(touch mark)'`."
            )
        );
    }

    #[test]
    fn a_command_in_a_hint_names_no_address_that_is_masked() {
        for error in [
            CliError::not_agreed("https://•••@h.test/mcp", "https://a.test"),
            CliError::insufficient_scope("https://h.test/mcp?key=•••", None),
        ] {
            let hint = error.hint.expect("a hint");
            assert!(hint.contains("`sightglass-cli login URL"), "{hint}");
            assert!(!hint.contains(MASK), "{hint}");
        }
    }

    #[test]
    fn an_error_as_json_keeps_the_servers_own_texts() {
        let error = RpcError {
            code: "-32000",
            message: "out of \"order\"".to_owned(),
            data: Some(r#"{"n":12345678901234567890}"#),
        };
        assert_eq!(
            CliError::answered(&error, "tools/call").to_json(),
            r#"{"error":{"code":-32000,"message":"out of \"order\"","data":{"n":12345678901234567890},"hint":null}}"#
        );
    }
}
