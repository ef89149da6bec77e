use std::{any::Any, path::PathBuf};

use sightglass_auth::AuthError;
use sightglass_config::{Client, ConfigError, Problem};
use sightglass_connection::{ConnectionError, ParamsError, RequestEnd};
use sightglass_llm_tools::{permissions::PermissionRule, tokens::TokenError};
use sightglass_model::{ErrorCode, InternalError, ServerId, sentence};
use sightglass_model_endpoint::EndpointError;
use sightglass_traffic::RecordError;
use thiserror::Error;

use crate::view::ConfirmationReason;

/// Error of an area, as hosts show it.
#[derive(Debug, Error)]
pub enum InspectorError {
    #[error("There is no server {0}.")]
    UnknownServer(ServerId),
    #[error("The built-in server has no entry in a file.")]
    BuiltIn,
    /// The entry itself cannot be used.
    #[error("The entry cannot be used: {}", first_message(.0))]
    InvalidEntry(Vec<Problem>),
    /// A client has no server of that name.
    #[error("{} has no server named {name}.", client.title())]
    NotConfigured { client: Client, name: String },
    /// Something on the network could not be reached.
    #[error("{what} could not be reached: {reason}.")]
    Offline { what: String, reason: String },
    #[error("This change was already applied or is too old. Start it again.")]
    UnknownPlan,
    /// A rule forbids this server: a managed one, or one of the settings of its client in
    /// `own_file`.
    #[error("{} {server} by the rule {rule}.", refusing(own_file.is_some()))]
    RefusedByPolicy {
        server: ServerId,
        rule: String,
        own_file: Option<PathBuf>,
    },
    /// It comes from a project file, and nobody approved it for this project.
    #[error("{server} comes from {path} and is not approved for this project yet.")]
    NotApproved { server: ServerId, path: String },
    /// As [`NotApproved`](Self::NotApproved), and the folder it would start in is not trusted
    /// either.
    #[error(
        "{server} comes from {path} and was not approved for this project yet, and the folder \
         {folder} is not trusted."
    )]
    NotApprovedNorTrusted {
        server: ServerId,
        path: String,
        folder: String,
    },
    /// It would start in a folder, or use what lies there, that the user does not trust. `reason`
    /// says in a sentence what it uses.
    #[error("{server} needs the folder {folder}, which is not trusted. {reason}")]
    FolderNotTrusted {
        server: ServerId,
        folder: String,
        reason: String,
    },
    /// There is no empty directory for a program that must not start in the folder.
    #[error("There is no empty directory to start {server} in: {source}.")]
    NoPlaceToStart {
        server: ServerId,
        source: std::io::Error,
    },
    /// The file says something else by now than what was approved.
    #[error("The entry of {server} has changed. Check it again before you approve it.")]
    EntryChanged { server: ServerId },
    #[error("{}", sentence(.0))]
    Connection(#[from] ConnectionError),
    #[error(transparent)]
    Configuration(#[from] ConfigError),
    #[error("{}", sentence(.0))]
    Auth(#[from] AuthError),
    #[error("{}", sentence(.0))]
    Record(#[from] RecordError),
    /// The input is not valid.
    #[error("{0}")]
    InvalidInput(String),
    /// The server answered with an error, or with what cannot be used.
    #[error("{0}")]
    BadAnswer(String),
    /// A request has no answer.
    #[error("{message}")]
    Unanswered { end: RequestEnd, message: String },
    /// A session file cannot be used.
    #[error("{path} cannot be used: {}", full_stop(reason))]
    SessionFile { path: String, reason: String },
    /// A session file has several servers, and none was chosen.
    #[error("{path} has several servers: {}. Choose one.", names.join(", "))]
    SeveralRecorded { path: String, names: Vec<String> },
    #[error("{what} could not be saved: {source}.")]
    Save {
        what: String,
        source: std::io::Error,
    },
    /// A load run would call a host that is not this machine, and the user did not allow that.
    #[error("The load run would send {total} calls to {host}, which is not this machine.")]
    RemoteLoad { host: String, total: u32 },
    /// The official suite would be run against a host that is not this machine, and the user did
    /// not allow that.
    #[error("The official suite would be run against {host}, which is not this machine.")]
    RemoteSuite { host: String },
    /// A tool that the user named is none of the server's, which are these.
    #[error("The server has no tool named {tool}.")]
    NoSuchTool { tool: String, tools: Vec<String> },
    /// A load run would call a tool that may change something, and the user did not allow that.
    #[error(
        "The tool {tool} does not say that it only reads, so that calling it often may do harm."
    )]
    ToolWithEffects { tool: String },
    /// A rule of a client, to which the calls of the server are held, denies the call.
    #[error("{}", denied(tool, *client, rule.as_deref(), reason))]
    DeniedByRule {
        tool: String,
        client: Client,
        rule: Option<Box<PermissionRule>>,
        reason: String,
    },
    /// A call has to be confirmed, and there is nobody to ask.
    #[error("{}", unconfirmed(tool, reasons))]
    NotConfirmed {
        tool: String,
        reasons: Vec<ConfirmationReason>,
    },
    /// The user did not confirm a call, or cancelled it while it waited.
    #[error("The call of {tool} was not confirmed. Nothing was sent.")]
    CallRefused { tool: String },
    /// A bundle was not unpacked.
    #[error("{0}")]
    Unpack(String),
    /// The user stopped it.
    #[error("It was stopped. Nothing was written.")]
    Stopped,
    /// A background task ended before it was done, as when the application closes.
    #[error("The application is closing.")]
    Closing,
    /// A defect of the program itself.
    #[error("Sightglass had an internal error: {0}.")]
    Internal(InternalError),
}

impl InspectorError {
    /// The code that the window acts on.
    pub fn code(&self) -> ErrorCode {
        match self {
            Self::UnknownServer(_) | Self::NotConfigured { .. } => ErrorCode::UnknownServer,
            Self::UnknownPlan => ErrorCode::NotFound,
            Self::Offline { .. } => ErrorCode::Offline,
            Self::RefusedByPolicy { .. } => ErrorCode::RefusedByPolicy,
            Self::DeniedByRule { .. } => ErrorCode::DeniedByRule,
            Self::NotConfirmed { .. } => ErrorCode::NotConfirmed,
            Self::NotApproved { .. }
            | Self::NotApprovedNorTrusted { .. }
            | Self::EntryChanged { .. } => ErrorCode::NotApproved,
            Self::FolderNotTrusted { .. } => ErrorCode::FolderNotTrusted,
            Self::Unanswered {
                end: RequestEnd::Cancelled | RequestEnd::TimedOut,
                ..
            } => ErrorCode::Cancelled,
            Self::Unanswered {
                end: RequestEnd::ConnectionLost,
                ..
            } => ErrorCode::ConnectionLost,
            Self::BuiltIn
            | Self::InvalidInput(_)
            | Self::BadAnswer(_)
            | Self::Unanswered { .. }
            | Self::SessionFile { .. }
            | Self::SeveralRecorded { .. }
            | Self::RemoteLoad { .. }
            | Self::RemoteSuite { .. }
            | Self::NoSuchTool { .. }
            | Self::ToolWithEffects { .. } => ErrorCode::InvalidInput,
            Self::InvalidEntry(_) | Self::Configuration(_) => ErrorCode::Configuration,
            Self::Connection(ConnectionError::NotConnected) => ErrorCode::NotConnected,
            Self::Connection(
                ConnectionError::InvalidParams { .. } | ConnectionError::Refused { .. },
            ) => ErrorCode::InvalidInput,
            Self::Connection(ConnectionError::NotFound { .. }) => ErrorCode::NotFound,
            Self::Connection(ConnectionError::ListFailed { .. }) => ErrorCode::ConnectionLost,
            Self::Record(
                RecordError::NoSuchFrame(_)
                | RecordError::NoSuchExchange(_)
                | RecordError::NoSuchValue(_),
            ) => ErrorCode::NotFound,
            Self::Record(
                RecordError::TooLarge | RecordError::TooManyBookmarks | RecordError::NoteTooLong,
            ) => ErrorCode::InvalidInput,
            Self::Record(_) => ErrorCode::Record,
            Self::Auth(error) => match error {
                AuthError::NothingToSignIn
                | AuthError::TurnedOff
                | AuthError::NotUnderWay
                | AuthError::Invalid(_) => ErrorCode::InvalidInput,
                AuthError::NoAttempt | AuthError::NoToken => ErrorCode::NotFound,
                AuthError::Vault(_) | AuthError::Store(_) => ErrorCode::System,
            },
            Self::Save { .. } | Self::Unpack(_) | Self::NoPlaceToStart { .. } => ErrorCode::System,
            Self::Closing | Self::Stopped | Self::CallRefused { .. } => ErrorCode::Cancelled,
            Self::Internal(_) => ErrorCode::Internal,
        }
    }

    /// Returns advice for the window, where the message does not give it itself. The command line
    /// names its commands and options instead.
    pub fn hint(&self) -> Option<String> {
        let hint = match self {
            Self::Connection(ConnectionError::NotConnected) => "Connect first.",
            Self::RefusedByPolicy {
                own_file: Some(file),
                ..
            } => {
                return Some(format!(
                    "No administrator set this: change the rule in {}.",
                    file.display()
                ));
            }
            Self::RefusedByPolicy { own_file: None, .. } => {
                "Only the administrator of this computer can change the policy."
            }
            Self::RemoteLoad { .. } | Self::RemoteSuite { .. } => {
                "Only test servers of your own. If this is one, allow its host."
            }
            Self::ToolWithEffects { .. } => "If it may be called, allow it.",
            Self::DeniedByRule { .. } => {
                "Calls of this server are held to these rules: change the rule, or end that in the \
                 tab In clients, under Permissions."
            }
            Self::NotConfirmed { .. } => "If it is to be called, confirm it.",
            Self::Offline { .. } => "Check the internet connection and try again.",
            Self::NotApproved { .. } => "See under Overview what it starts, and approve it.",
            Self::NotApprovedNorTrusted { .. } => {
                "See under Overview what it starts, then approve it and trust the folder."
            }
            Self::FolderNotTrusted { .. } => "Trust the folder, if you trust whoever wrote it.",
            Self::NoPlaceToStart { .. } => {
                "Trust the folder so that it can start there, or set SIGHTGLASS_DATA_DIR to a \
                 directory outside the folder."
            }
            Self::Auth(AuthError::TurnedOff) => {
                "Turn it on in its entry, or choose another way under Sign-in, Client."
            }
            Self::Auth(AuthError::NoToken) => "Sign in first.",
            Self::Save { .. } => "Choose another place, or free some space.",
            Self::Internal(_) => {
                "Copy the report and send it to the developers of Sightglass. Everything else \
                 keeps working."
            }
            _ => return None,
        };
        Some(hint.to_owned())
    }
}

impl From<EndpointError> for InspectorError {
    fn from(error: EndpointError) -> Self {
        Self::InvalidInput(error.to_string())
    }
}

impl From<ParamsError> for InspectorError {
    fn from(error: ParamsError) -> Self {
        Self::InvalidInput(sentence(error))
    }
}

impl InspectorError {
    /// Turns a panic that was caught on the calling thread into an error.
    pub fn caught(panic: &(dyn Any + Send)) -> Self {
        Self::Internal(InternalError::caught(panic))
    }
}

fn denied(tool: &str, client: Client, rule: Option<&PermissionRule>, reason: &str) -> String {
    let title = client.title();
    match rule {
        Some(rule) => format!(
            "The rules of {title} deny calls of {tool}: {}.",
            place_of(rule)
        ),
        None => format!(
            "The rules of {title} deny calls of {tool}: {}",
            full_stop(reason)
        ),
    }
}

fn unconfirmed(tool: &str, reasons: &[ConfirmationReason]) -> String {
    let sentences = reasons.iter().map(|reason| match reason {
        ConfirmationReason::Destructive => {
            format!("{tool} declares that it may destroy something")
        }
        ConfirmationReason::Ambiguous => {
            "its parameters name a tool in a way that servers may read otherwise".to_owned()
        }
        ConfirmationReason::Rule {
            client_title,
            rule: Some(rule),
            ..
        } => format!(
            "the rules of {client_title} ask before {tool} is called: {}",
            place_of(rule)
        ),
        ConfirmationReason::Rule { client_title, .. } => {
            format!("no rule of {client_title} allows {tool}, so that it asks")
        }
    });
    let sentences: Vec<String> = sentences.collect();
    format!(
        "The call was not sent, since it was not confirmed: {}.",
        sentences.join("; ")
    )
}

/// A rule with the place where it stands.
fn place_of(rule: &PermissionRule) -> String {
    let line = rule.place.line.map(|line| format!(":{line}"));
    format!(
        "{} in {}{}",
        rule.text,
        rule.place.file,
        line.unwrap_or_default()
    )
}

fn refusing(is_own: bool) -> &'static str {
    match is_own {
        true => "The settings of its client refuse",
        false => "The managed policy refuses",
    }
}

fn full_stop(text: &str) -> String {
    format!("{}.", text.trim_end_matches('.'))
}

fn first_message(problems: &[Problem]) -> String {
    match problems {
        [] => "it is invalid".to_owned(),
        [problem, ..] => format!("{} (line {})", problem.message, problem.line),
    }
}

impl From<TokenError> for InspectorError {
    fn from(error: TokenError) -> Self {
        Self::InvalidInput(error.to_string())
    }
}
