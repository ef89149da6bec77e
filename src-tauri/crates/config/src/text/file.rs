//! States of a configuration file, and the text of its bytes.

use std::{io, path::Path};

use sightglass_files::ReadError;

use crate::text::{
    problem::{Problem, ProblemKind},
    source::{Position, Source},
};

/// Returns true for the file of Claude Code's own state, which holds servers among much else.
pub(crate) fn is_claude_state(path: &Path) -> bool {
    path.file_name().is_some_and(|name| name == ".claude.json")
}

/// Result of reading a file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum FileState {
    /// There is no such file, which is no fault.
    Missing,
    /// The file was read. Single entries may still be wrong; they say so themselves.
    Loaded,
    /// The text is not what it has to be, so nothing in it counts, as for every client that
    /// reads this file.
    Broken { problems: Vec<Problem> },
    /// The file is there and its bytes could not be had.
    Unreadable { message: String },
}

impl FileState {
    /// Problems of the text as a whole.
    pub(crate) fn problems(&self) -> &[Problem] {
        match self {
            Self::Broken { problems } => problems,
            Self::Missing | Self::Loaded | Self::Unreadable { .. } => &[],
        }
    }
}

/// Describes why a file could not be read, and what to do.
pub(crate) fn unreadable_reason(error: &ReadError, path: &Path) -> String {
    let error = match error {
        ReadError::TooLarge { .. } if is_claude_state(path) => {
            return format!(
                "{error} Claude Code keeps its history in this file as well: leave the file as it is, \
                 and change its servers with `claude mcp add` and `claude mcp remove`."
            );
        }
        ReadError::TooLarge { .. } => return format!("{error} Make it smaller."),
        ReadError::Io(error) => error,
        ReadError::NotRegular { .. } => {
            return format!("{error} Put a regular file here, or remove it.");
        }
    };
    match error.kind() {
        io::ErrorKind::PermissionDenied => {
            "You have no permission to read this file. Allow it, for instance with chmod u+r."
                .into()
        }
        io::ErrorKind::NotADirectory => {
            "A part of this path is a file, not a directory. Rename or remove that file.".into()
        }
        _ => format!("The system says: {error}."),
    }
}

/// The text of a file's bytes.
pub(crate) fn decode(bytes: Vec<u8>) -> Result<String, Problem> {
    if bytes.starts_with(&[0xff, 0xfe]) || bytes.starts_with(&[0xfe, 0xff]) {
        return Err(Problem::error(
            ProblemKind::Encoding,
            Position::START,
            "The file is saved as UTF-16. Save it as UTF-8.",
        ));
    }
    String::from_utf8(bytes).map_err(|error| {
        let valid = error.utf8_error().valid_up_to();
        let text = String::from_utf8_lossy(&error.as_bytes()[..valid]).into_owned();
        Problem::error(
            ProblemKind::Encoding,
            Source::new(&text).position(text.len()),
            "The file is not UTF-8 from here on. Save it as UTF-8.",
        )
    })
}
