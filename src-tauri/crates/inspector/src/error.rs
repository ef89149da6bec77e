use sightglass_config::{ConfigError, Problem};
use sightglass_connection::ConnectionError;
use sightglass_model::{ErrorCode, ServerId};
use sightglass_traffic::RecordError;
use thiserror::Error;

/// Why something could not be done.
#[derive(Debug, Error)]
pub enum InspectorError {
    #[error("There is no server {0}.")]
    UnknownServer(ServerId),
    #[error("The built-in server has no entry in a file.")]
    BuiltIn,
    /// The entry itself cannot be used.
    #[error("The entry cannot be used: {}", first_message(.0))]
    InvalidEntry(Vec<Problem>),
    #[error("{}", sentence(.0))]
    Connection(#[from] ConnectionError),
    #[error(transparent)]
    Configuration(#[from] ConfigError),
    #[error("{}", sentence(.0))]
    Record(#[from] RecordError),
    /// What was asked for is not what it would have to be.
    #[error("{0}")]
    InvalidInput(String),
    #[error("{what} could not be saved: {source}.")]
    Save {
        what: String,
        source: std::io::Error,
    },
    /// A background task ended before it was done, as when the application closes.
    #[error("The application is closing.")]
    Closing,
}

impl InspectorError {
    /// The code that the window acts on.
    pub fn code(&self) -> ErrorCode {
        match self {
            Self::UnknownServer(_) => ErrorCode::UnknownServer,
            Self::BuiltIn | Self::InvalidInput(_) => ErrorCode::InvalidInput,
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
            Self::Record(_) => ErrorCode::Record,
            Self::Save { .. } => ErrorCode::System,
            Self::Closing => ErrorCode::Cancelled,
        }
    }

    /// What to do about it, where the message does not say so itself.
    pub fn hint(&self) -> Option<String> {
        let hint = match self {
            Self::Connection(ConnectionError::NotConnected) => "Connect to it first.",
            Self::Save { .. } => "Choose another place, or free some space.",
            _ => return None,
        };
        Some(hint.to_owned())
    }
}

fn first_message(problems: &[Problem]) -> String {
    match problems {
        [] => "it is invalid".to_owned(),
        [problem, ..] => format!("{} (line {})", problem.message, problem.line),
    }
}

/// An error's text as a sentence of its own.
fn sentence(error: &dyn std::fmt::Display) -> String {
    let text = error.to_string();
    let mut characters = text.chars();
    let capitalised: String = characters
        .next()
        .into_iter()
        .flat_map(char::to_uppercase)
        .chain(characters)
        .collect();
    if capitalised.ends_with(['.', '?']) {
        capitalised
    } else {
        format!("{capitalised}.")
    }
}
