//! Errors of control connections.

use std::{io, path::PathBuf};

use thiserror::Error;

/// Reason for which there is no connection to another program of the user.
#[derive(Debug, Error)]
pub enum ControlError {
    /// No program listens there.
    #[error("No background process runs.")]
    Absent,
    /// Another program listens there.
    #[error("Another background process runs already.")]
    Taken,
    /// The directory is not the user's alone.
    #[error("{} is not used: {reason}.", path.display())]
    Foreign { path: PathBuf, reason: &'static str },
    /// The program at the other end is of another user.
    #[error("The process at the other end belongs to another user.")]
    OtherUser,
    /// The other end does not know the token.
    #[error("The process at the other end does not know the token.")]
    WrongToken,
    /// A message is longer than it may be, or is none.
    #[error("The process at the other end sent what is no message: {0}.")]
    BadMessage(String),
    /// The path of the socket is longer than the system takes.
    #[error(
        "{} is too long for the path of a socket. Set XDG_RUNTIME_DIR, or SIGHTGLASS_DATA_DIR to a \
         shorter one.",
        path.display()
    )]
    PathTooLong { path: PathBuf },
    /// The system refused something.
    #[error("{what}: {source}.")]
    Io {
        what: String,
        #[source]
        source: io::Error,
    },
}

impl ControlError {
    /// Makes the error of a refusal of the system.
    pub(crate) fn io(what: impl Into<String>) -> impl FnOnce(io::Error) -> Self {
        let what = what.into();
        move |source| Self::Io { what, source }
    }
}
