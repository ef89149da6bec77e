//! Messages between a command and the background process.
//!
//! A command sends [`Hello`](FromCommand::Hello) first, which is answered by
//! [`Hello`](FromBackground::Hello). These two and [`End`](FromCommand::End) stay as they are from
//! version to version, so that different ones can part.

use std::path::PathBuf;

use serde::{Deserialize, Serialize};

/// Message of a command to the background process.
#[derive(Debug, Serialize, Deserialize)]
#[serde(
    tag = "type",
    rename_all = "camelCase",
    rename_all_fields = "camelCase"
)]
pub(crate) enum FromCommand {
    Hello {
        /// Version of the program.
        version: String,
    },
    /// All sessions are to be closed, and the process is to end.
    End,
    Command(Box<SentCommand>),
    /// Text of standard input, which was asked for.
    Input {
        text: String,
        is_last: bool,
    },
    /// Standard input cannot be read, with the reason.
    NoInput {
        reason: String,
    },
    /// Answer of the user to a question of the command's.
    Confirmed {
        is_agreed: bool,
    },
    /// Ctrl-C.
    Cancel,
}

/// One command, and the terminal that it was given on.
#[derive(Debug, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct SentCommand {
    /// Words after the program's name.
    pub words: Vec<String>,
    pub directory: PathBuf,
    pub environment: Vec<(String, String)>,
    pub terminal: TerminalFacts,
}

/// Facts of the terminal that a command was given on.
#[derive(Debug, Clone, Copy, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct TerminalFacts {
    /// Width of standard output; absent where that is no terminal.
    pub width: Option<usize>,
    /// True when standard input is a pipe or a file.
    pub has_input: bool,
    /// True when a user can be asked.
    pub is_interactive: bool,
}

/// Message of the background process to a command.
#[derive(Debug, Serialize, Deserialize)]
#[serde(
    tag = "type",
    rename_all = "camelCase",
    rename_all_fields = "camelCase"
)]
pub(crate) enum FromBackground {
    Hello {
        version: String,
        process: u32,
        /// Number of open sessions.
        sessions: usize,
    },
    Output {
        stream: OutputStream,
        text: String,
    },
    /// Standard input is wanted.
    ReadInput,
    /// The user is asked something.
    Confirm {
        shown: String,
        question: String,
    },
    /// The command is over.
    Ended {
        exit: u8,
    },
}

/// Stream that text is written to.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(crate) enum OutputStream {
    Stdout,
    Stderr,
}
