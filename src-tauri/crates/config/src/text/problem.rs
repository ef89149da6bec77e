use std::fmt;

use serde::{Deserialize, Serialize};

use crate::text::source::Position;

/// Severity of a problem.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize, specta::Type)]
#[serde(rename_all = "camelCase")]
pub enum Severity {
    /// The part that it stands in cannot be used.
    Error,
    /// The part that it stands in works, though perhaps not as meant.
    Warning,
}

/// Kind of a problem, to act on or to sort by.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize, specta::Type)]
#[serde(rename_all = "camelCase")]
pub enum ProblemKind {
    /// Not JSON (RFC 8259).
    Syntax,
    /// A comment, which JSON does not have.
    Comment,
    /// A comma after the last member, which JSON does not allow.
    TrailingComma,
    /// No comma between two members.
    MissingComma,
    /// The bytes are not UTF-8.
    Encoding,
    /// The same name twice in one object, or one server in both sections of a file.
    DuplicateKey,
    /// A value of another JSON type than the field wants.
    WrongType,
    /// A value of the right type that is not one the field can have.
    InvalidValue,
    /// A field that has to be there is not.
    MissingField,
    /// Two fields contradict each other.
    Conflict,
    /// A `${VARIABLE}` without a value and without a default.
    UnsetVariable,
    /// A secret in a file that git tracks.
    ExposedSecret,
    /// An entry that its client does not accept.
    RefusedByClient,
    /// A reference that its client does not expand.
    NotExpanded,
}

/// Something wrong with a file, at a place the user can go to.
#[derive(Debug, Clone, PartialEq, Eq, Hash, Serialize, Deserialize, specta::Type)]
pub struct Problem {
    pub severity: Severity,
    pub kind: ProblemKind,
    /// From 1.
    pub line: u32,
    /// From 1, in characters.
    pub column: u32,
    /// A sentence without values that may be secret.
    pub message: String,
    /// Path of the file, where that is another than the one it is listed with.
    #[serde(default)]
    pub file: Option<String>,
}

impl Problem {
    /// Returns the path of the file that it is in, given that of the one it is listed with.
    pub fn path<'a>(&'a self, listed: &'a str) -> &'a str {
        self.file.as_deref().unwrap_or(listed)
    }

    pub(crate) fn error(kind: ProblemKind, at: Position, message: impl Into<String>) -> Self {
        Self {
            severity: Severity::Error,
            kind,
            line: at.line,
            column: at.column,
            message: message.into(),
            file: None,
        }
    }

    pub(crate) fn warning(kind: ProblemKind, at: Position, message: impl Into<String>) -> Self {
        Self {
            severity: Severity::Warning,
            ..Self::error(kind, at, message)
        }
    }
}

impl fmt::Display for Problem {
    /// `line:column: message`, as compilers print it.
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(formatter, "{}:{}: {}", self.line, self.column, self.message)
    }
}
