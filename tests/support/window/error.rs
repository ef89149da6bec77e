use std::{io, time::Duration};

use fantoccini::error::{CmdError, NewSessionError};
use thiserror::Error;

/// Reason why the window could not be opened or driven.
#[derive(Debug, Error)]
pub enum WindowError {
    #[error("{program} could not be started: {source}")]
    Start { program: String, source: io::Error },
    #[error("{what} did not happen within {} s", .patience.as_secs())]
    Patience { what: String, patience: Duration },
    #[error("the window was not opened: {0}")]
    Session(#[from] Box<NewSessionError>),
    #[error("the window did not do as told: {0}")]
    Command(#[from] Box<CmdError>),
    #[error("no window belongs to process {0}")]
    NoWindow(u32),
    #[error("the display could not be used: {0}")]
    Display(String),
    #[error("the accessibility bus could not be used: {0}")]
    Accessibility(String),
    #[error("the application is not running")]
    NotRunning,
    #[error("the script answered {0}, which was not expected")]
    Answer(serde_json::Value),
    #[error(transparent)]
    File(#[from] io::Error),
}

impl From<CmdError> for WindowError {
    fn from(error: CmdError) -> Self {
        Self::Command(Box::new(error))
    }
}

impl From<NewSessionError> for WindowError {
    fn from(error: NewSessionError) -> Self {
        Self::Session(Box::new(error))
    }
}
