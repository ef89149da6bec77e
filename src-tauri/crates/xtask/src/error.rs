//! Errors that stop a command, each with the one thing to do about it.

use std::fmt;
use std::io;
use std::path::PathBuf;
use std::process::ExitStatus;
use std::time::Duration;

/// A reason to stop. Its text ends with what to do next.
#[derive(Debug)]
pub enum TaskError {
    /// The command line was not understood.
    Usage {
        problem: String,
        usage: &'static str,
    },
    /// Something the task needs is not on this machine.
    Missing { what: String, fix: String },
    /// A program could not be started at all.
    Start { program: String, source: io::Error },
    /// A program ran and reported failure.
    Failed {
        what: String,
        status: ExitStatus,
        fix: String,
    },
    /// A program was stopped because it took longer than it may.
    TimedOut {
        what: String,
        limit: Duration,
        fix: String,
    },
    /// A program ended well without leaving what it was asked for.
    NoResult { what: String, fix: String },
    /// A file or folder could not be read or written.
    File { path: PathBuf, source: io::Error },
}

impl fmt::Display for TaskError {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Usage { problem, usage } => write!(formatter, "{problem}\n{usage}"),
            Self::Missing { what, fix } => write!(formatter, "{what} is missing.\n  fix: {fix}"),
            Self::Start { program, source } => write!(
                formatter,
                "{program} did not start: {source}.\n  fix: install {program}, or put it on PATH"
            ),
            Self::Failed { what, status, fix } => {
                write!(formatter, "{what} failed ({status}).\n  fix: {fix}")
            }
            Self::TimedOut { what, limit, fix } => write!(
                formatter,
                "{what} was stopped after {} seconds.\n  fix: {fix}",
                limit.as_secs()
            ),
            Self::NoResult { what, fix } => write!(formatter, "{what}.\n  fix: {fix}"),
            Self::File { path, source } => write!(
                formatter,
                "{}: {source}.\n  fix: make that path readable and writable",
                path.display()
            ),
        }
    }
}

impl std::error::Error for TaskError {}
