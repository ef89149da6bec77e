//! Problems of a file, with their place in it.

use std::{fmt, ops::Range};

use serde::{Deserialize, Serialize};
use sightglass_model::sentence;

/// Something wrong with a file of requests, at a place that the user can go to. A file is used whole
/// or not at all, so that it has neither the severity nor the kind that problems of configurations
/// have.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, specta::Type)]
pub struct RequestProblem {
    /// From 1.
    pub line: u32,
    /// From 1, in characters.
    pub column: u32,
    pub message: String,
}

impl RequestProblem {
    /// Makes a problem at a byte offset of a text.
    pub fn at(text: &str, offset: usize, message: impl Into<String>) -> Self {
        let before = text.get(..offset).unwrap_or(text);
        let line_start = before.rfind('\n').map_or(0, |newline| newline + 1);
        let number = |count: usize| u32::try_from(count + 1).unwrap_or(u32::MAX);
        Self {
            line: number(before.matches('\n').count()),
            column: number(before[line_start..].chars().count()),
            message: message.into(),
        }
    }
}

impl fmt::Display for RequestProblem {
    /// `line:column: message`, as compilers print it.
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(formatter, "{}:{}: {}", self.line, self.column, self.message)
    }
}

/// Makes a problem of an error of the TOML reader.
pub fn toml_problem(text: &str, error: &toml::de::Error) -> RequestProblem {
    let offset = error.span().map_or(0, |span| span.start);
    RequestProblem::at(text, offset, toml_message(error))
}

/// Makes a sentence of the first line of what the TOML reader says.
pub(crate) fn toml_message(error: &toml::de::Error) -> String {
    sentence(error.message().lines().next().unwrap_or_default())
}

/// Returns the offset at which the content of a string begins whose quoted form stands at `span`.
pub(crate) fn content_start(text: &str, span: &Range<usize>) -> usize {
    let raw = text.get(span.clone()).unwrap_or_default();
    for quotes in ["'''", "\"\"\""] {
        if let Some(rest) = raw.strip_prefix(quotes) {
            // TOML 1.0, String: a newline right after the opening delimiter is trimmed.
            let newline = match rest.as_bytes() {
                [b'\r', b'\n', ..] => 2,
                [b'\n', ..] => 1,
                _ => 0,
            };
            return span.start + quotes.len() + newline;
        }
    }
    span.start + 1
}

/// Returns the offset of a line and column (both from 1, in bytes) of a text within a file.
pub(crate) fn offset_in(content: &str, line: usize, column: usize) -> usize {
    let before: usize = content
        .split_inclusive('\n')
        .take(line.saturating_sub(1))
        .map(str::len)
        .sum();
    before + column.saturating_sub(1)
}
