//! The error that a command ends with: a code to act on, words to show, a hint on what to do.

use serde::Serialize;
use sightglass_inspector::{ErrorCode, InspectorError};

/// Why a command failed.
#[derive(Debug, Clone, Serialize, specta::Type)]
pub struct CommandError {
    pub code: ErrorCode,
    /// What went wrong, in one sentence.
    pub message: String,
    /// What to do about it.
    pub hint: Option<String>,
}

impl From<InspectorError> for CommandError {
    fn from(error: InspectorError) -> Self {
        Self {
            code: error.code(),
            hint: error.hint(),
            message: error.to_string(),
        }
    }
}

impl CommandError {
    /// The operating system refused something that has no hint of its own.
    pub fn system(message: impl Into<String>) -> Self {
        Self {
            code: ErrorCode::System,
            message: message.into(),
            hint: None,
        }
    }
}

/// What every command returns.
pub type CommandResult<T> = Result<T, CommandError>;
