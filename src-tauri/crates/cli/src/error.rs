//! Errors of commands: an exit code, a message, evidence, and what to do next.

use std::path::Path;

use serde_json::Value;
use sightglass_control::ControlError;
use sightglass_inspector::{
    ConnectionError, EndpointQuestion, ErrorCode, Failure, FailureReport, InspectorError,
    RequestEnd, TransportKind, shell_quoted,
};
use sightglass_json_text::{object, quoted};

use crate::{
    json::{self, ResponseError},
    next_step,
    session_name::SessionName,
    style::{BAD, FAINT, HEADING, harmless, styled},
    target::{Target, command},
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

impl Exit {
    /// The one with a code.
    pub(crate) fn of(code: u8) -> Self {
        [
            Self::Done,
            Self::Usage,
            Self::ServerError,
            Self::Authentication,
            Self::CheckFailed,
            Self::Interrupted,
        ]
        .into_iter()
        .find(|exit| *exit as u8 == code)
        .unwrap_or(Self::Network)
    }
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
            message: ended(message),
            data: None,
            hint: None,
            evidence: Vec::new(),
        }
    }

    pub(crate) fn with_hint(mut self, hint: &str) -> Self {
        self.hint = Some(hint.to_owned());
        self
    }

    /// Adds a sentence to the hint.
    pub(crate) fn with_step(mut self, step: &str) -> Self {
        self.hint = Some(match self.hint {
            Some(hint) => format!("{hint} {step}"),
            None => step.to_owned(),
        });
        self
    }

    /// Names the project in the commands that it shows, so that they do what is meant from any
    /// directory.
    pub(crate) fn in_project(mut self, project: &Path) -> Self {
        const PROGRAM: &str = "`sightglass-cli ";
        let named = format!(
            "{PROGRAM}--project {} ",
            shell_quoted(&project.to_string_lossy())
        );
        for text in self.hint.iter_mut().chain(&mut self.evidence) {
            *text = text.replace(PROGRAM, &named);
        }
        self
    }

    pub(crate) fn usage(message: &str, hint: &str) -> Self {
        Self::new(Exit::Usage, "usage", message).with_hint(hint)
    }

    /// Something of a stranger's would be started or contacted that the user did not agree to.
    pub(crate) fn not_approved(message: &str, hint: &str) -> Self {
        Self::new(Exit::Usage, "not_approved", message).with_hint(hint)
    }

    /// The command is about one of the things that a server lists, and none is named. `advice` says
    /// what to give.
    pub(crate) fn unnamed(message: &str, advice: &str, target: &Target, list: &str) -> Self {
        let shown = target.command(list, "");
        Self::usage(
            message,
            &format!("{advice} after the target; {shown} shows them."),
        )
    }

    pub(crate) fn authentication(code: &str, message: &str, hint: &str) -> Self {
        Self::new(Exit::Authentication, code, message).with_hint(hint)
    }

    /// Entered secrets would go to an authorization server that the user has not agreed to.
    pub(crate) fn not_agreed(server: &str, target: &Target, issuer: &str) -> Self {
        Self::authentication(
            "issuer_not_agreed",
            &format!(
                "{server} names {issuer} as its authorization server, and what you entered was not \
                 sent there."
            ),
            &format!(
                "If your client is registered there, agree to it: {}.",
                target.command("login", &format!("--issuer {}", shell_quoted(issuer)))
            ),
        )
    }

    /// The code of one origin would go to another that the user did not agree to.
    pub(crate) fn endpoints_not_agreed(
        server: &str,
        target: &Target,
        question: &EndpointQuestion,
    ) -> Self {
        let option = format!("--token-origin {}", shell_quoted(&question.token));
        Self::authentication(
            "endpoints_not_agreed",
            &format!("{server}: {} Nothing was sent.", question.message()),
            &format!(
                "If both belong to {}, agree to it: {}.",
                question.issuer,
                target.command("login", &option)
            ),
        )
    }

    /// The token lacks a scope that a request needs.
    pub(crate) fn insufficient_scope(server: &str, target: &Target, scope: Option<&str>) -> Self {
        let lacks = match scope {
            Some(scope) => format!("the token lacks the scope {scope}"),
            None => "the token lacks a scope".to_owned(),
        };
        Self::authentication(
            "insufficient_scope",
            &format!("{server}: {lacks}, which this request needs (HTTP 403)."),
            &format!(
                "{} asks for it together with the scopes that the token has.",
                target.command("login", "")
            ),
        )
    }

    /// With something more that a user has to know.
    pub(crate) fn with_evidence(mut self, line: &str) -> Self {
        self.evidence.push(line.to_owned());
        self
    }

    /// With what a program has to know although the command failed.
    pub(crate) fn with_data(mut self, data: &Value) -> Self {
        self.data = Some(data.to_string().into());
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
    pub(crate) fn unwritten(path: &Path, error: &str) -> Self {
        Self::usage(
            &format!("{} was not written: {error}.", path.display()),
            "Name a file that can be written.",
        )
    }

    /// A server's surface changed more than it may.
    pub(crate) fn drift(target: &Target, message: &str) -> Self {
        Self::new(Exit::CheckFailed, "drift", message).with_hint(&format!(
            "If the changes are right, {} makes the server as it is now the one to compare with.",
            target.command("pin", "")
        ))
    }

    /// The machine refused something.
    /// Returns true where the user has to approve or to trust something first.
    pub(crate) fn waits_for_user(&self) -> bool {
        ["\"not_approved\"", "\"folder_not_trusted\""].contains(&&*self.code)
    }

    pub(crate) fn system(message: &str) -> Self {
        Self::new(Exit::Network, "system", &sentence(message))
    }

    /// The connection of a session did not come back in time.
    pub(crate) fn not_back(session: &SessionName) -> Self {
        let message = format!("The connection of {session} did not come back in time");
        Self::system(&message).with_hint(&next_step::of_session(session))
    }

    pub(crate) fn interrupted() -> Self {
        Self::new(Exit::Interrupted, "interrupted", "Interrupted.")
    }

    /// The connection that was lost while it was being used, or never came about.
    pub(crate) fn connection(server: &str, target: &Target, report: &FailureReport) -> Self {
        let (exit, code) = kind(&report.failure);
        let mut error = Self::new(exit, code, &format!("{server}: {}", report.reason));
        error.evidence = report.evidence();
        error.data = serde_json::to_string(&report.failure).ok().map(Into::into);
        error.hint = Some(next_step::after_failure(target, report));
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

    /// The server's own error. Without a target the hint has a word that stands for it.
    pub(crate) fn answered(rpc: &ResponseError<'_>, method: &str, target: Option<&Target>) -> Self {
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
        error.hint = rpc_hint(rpc.code, method, target);
        error
    }

    /// A request that has no answer, with the transport where it is known.
    pub(crate) fn unanswered(
        end: &RequestEnd,
        message: &str,
        transport: Option<TransportKind>,
    ) -> Self {
        let message = sentence(message);
        match end {
            RequestEnd::TimedOut => Self::new(Exit::Network, "timed_out", &message)
                .with_hint("Give it longer with `--timeout MS`."),
            RequestEnd::TooLarge => Self::new(Exit::ServerError, "too_large", &message).with_hint(
                "The limit is “Largest message” in the settings of the window, which holds here \
                 too.",
            ),
            RequestEnd::Cancelled => Self::new(Exit::Network, "cancelled", "It was cancelled."),
            RequestEnd::Error | RequestEnd::Refused => {
                Self::new(Exit::ServerError, "protocol", &message)
                    .with_hint("`--verbose` shows what came.")
            }
            RequestEnd::Result | RequestEnd::ConnectionLost => {
                Self::new(Exit::Network, "connection_lost", &message).with_hint(match transport {
                    Some(TransportKind::Stdio) => {
                        "`--verbose` shows what the server says on stderr."
                    }
                    _ => "`--verbose` shows the requests and what came back.",
                })
            }
        }
    }

    /// The server did not do what it was asked, in words of ours. Without a target the hint has a
    /// word that stands for it.
    fn refused(message: &str, target: Option<&Target>) -> Self {
        Self::new(Exit::ServerError, "refused", &sentence(message)).with_hint(&format!(
            "{} shows what the server offers, and `--verbose` what it answered.",
            command("info", target, "")
        ))
    }

    /// An error of the façade about a target, which the hint names.
    pub(crate) fn about(target: &Target, error: InspectorError) -> Self {
        match is_refusal(&error) {
            true => Self::refused(&error.to_string(), Some(target)),
            false => error.into(),
        }
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

impl From<ControlError> for CliError {
    fn from(error: ControlError) -> Self {
        match &error {
            ControlError::Foreign { .. } => Self::usage(
                &error.to_string(),
                "Make it your own, or remove it. Sessions are kept by a process that is reached \
                 there, which nobody else may reach.",
            ),
            _ => Self::system(&error.to_string()),
        }
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
            return Self::answered(&refusal, "the list", None);
        }
        if is_refusal(&error) {
            return Self::refused(&error.to_string(), None);
        }
        if let InspectorError::Unanswered { end, message } = &error {
            return Self::unanswered(end, message, None);
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
            hint: next_step::after(&error),
            ..Self::new(exit, code, &sentence(&error.to_string()))
        }
    }
}

/// Returns true where the server answered, and did not do what it was asked.
fn is_refusal(error: &InspectorError) -> bool {
    matches!(
        error,
        InspectorError::BadAnswer(_) | InspectorError::Connection(ConnectionError::Refused { .. })
    )
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

fn rpc_hint(code: &str, method: &str, target: Option<&Target>) -> Option<String> {
    let shown = |verb: &str| command(verb, target, "");
    Some(match (code, method) {
        ("-32601", _) => format!(
            "The server does not offer this; {} shows what it offers.",
            shown("info")
        ),
        ("-32602", "tools/call") => format!(
            "{} shows the tools, and with `--json` what arguments they take.",
            shown("tools list")
        ),
        ("-32602" | "-32002", "resources/read") => {
            format!("{} shows what there is.", shown("resources list"))
        }
        ("-32602", "prompts/get") => format!(
            "{} shows the prompts, and with `--json` what arguments they take.",
            shown("prompts list")
        ),
        _ => return None,
    })
}

/// A text of the façade as a sentence: with a capital letter, and an end.
fn sentence(text: &str) -> String {
    let text = ended(text);
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
    format!("{first}{}", characters.as_str())
}

/// A text with one end. Its first word keeps its letters: it may be a name.
fn ended(text: &str) -> String {
    let text = text.trim();
    match text.strip_suffix("..").filter(|rest| !rest.ends_with('.')) {
        // A sentence stands within another one.
        Some(rest) => format!("{rest}."),
        None if text.is_empty() || text.ends_with(['.', '?', '!', ':', '…']) => text.to_owned(),
        None => format!("{text}."),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_command_in_a_hint_can_be_pasted_whatever_the_server_is_called() {
        let name = "x; touch mark";
        let target = Target::Named(name.to_owned());
        let error = CliError::not_agreed(name, &target, "https://a.test/$(touch mark)");
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
        for address in ["https://me:secret@h.test/mcp", "h.test/mcp?api_key=secret"] {
            let target = Target::of(address.to_owned());
            let hint = CliError::not_agreed("h.test", &target, "https://a.test").hint;
            let hint = hint.expect("a hint");
            assert!(hint.contains("`sightglass-cli login URL "), "{hint}");
            assert!(!hint.contains("secret"), "{hint}");
        }
    }

    #[test]
    fn a_command_in_a_hint_means_the_project_that_was_named() {
        let hint = "Trust it: `sightglass-cli config trust`.";
        let error = CliError::usage("No.", hint).in_project(Path::new("/srv/two words"));
        assert_eq!(
            error.hint.as_deref(),
            Some("Trust it: `sightglass-cli --project '/srv/two words' config trust`.")
        );
    }

    #[test]
    fn a_name_keeps_its_letters_and_a_sentence_has_one_end() {
        for (text, shown) in [
            ("files has no tool nope", "files has no tool nope."),
            (
                "x cannot be used: it is a folder..",
                "x cannot be used: it is a folder.",
            ),
            ("Is it there?", "Is it there?"),
            ("and so on...", "and so on..."),
            ("", ""),
        ] {
            assert_eq!(CliError::usage(text, "").message, shown);
        }
        assert_eq!(
            sentence("the server is not connected"),
            "The server is not connected."
        );
    }

    #[test]
    fn a_refusal_is_told_apart_from_a_request_without_an_answer() {
        let target = Target::Named("notes".to_owned());
        let unanswered = |end| InspectorError::Unanswered {
            end,
            message: "There is no result.".to_owned(),
        };
        for (error, exit, code) in [
            (
                InspectorError::BadAnswer("It was refused.".to_owned()),
                Exit::ServerError,
                "\"refused\"",
            ),
            (
                unanswered(RequestEnd::Cancelled),
                Exit::Network,
                "\"cancelled\"",
            ),
            (
                unanswered(RequestEnd::TimedOut),
                Exit::Network,
                "\"timed_out\"",
            ),
        ] {
            let is_refused = exit == Exit::ServerError;
            let error = CliError::about(&target, error);
            assert_eq!((error.exit, &*error.code), (exit, code));
            let hint = error.hint.unwrap_or_default();
            assert_eq!(hint.contains("`sightglass-cli info notes`"), is_refused);
        }
    }

    #[test]
    fn an_error_as_json_keeps_the_servers_own_texts() {
        let error = ResponseError {
            code: "-32000",
            message: "out of \"order\"".to_owned(),
            data: Some(r#"{"n":12345678901234567890}"#),
        };
        assert_eq!(
            CliError::answered(&error, "tools/call", None).to_json(),
            r#"{"error":{"code":-32000,"message":"out of \"order\"","data":{"n":12345678901234567890},"hint":null}}"#
        );
    }
}
