//! Mistakes in the syntax of a text, and the messages about them.

use crate::text::{
    limits::{MAX_DEPTH, MAX_MISTAKES, MAX_REPEATED_NAMES, MAX_VALUES, NO_MORE, shortened},
    problem::{Problem, ProblemKind},
    source::Source,
};

/// A mistake in a JSON text.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct SyntaxError {
    pub kind: SyntaxErrorKind,
    /// The offset of the character at which it shows.
    pub at: usize,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum SyntaxErrorKind {
    Comment,
    TrailingComma,
    MissingComma,
    StrayComma,
    Empty,
    UnclosedComment,
    UnclosedString,
    ControlCharacterInString(char),
    InvalidEscape,
    SingleQuotes,
    NameWithoutQuotes(String),
    InvalidNumber,
    UnknownWord(String),
    UnexpectedCharacter(char),
    /// The kind of bracket, and the offset of the one that opened.
    Unclosed(char, usize),
    /// Bracket that was found, and the one that would have closed the innermost.
    WrongBracket {
        found: char,
        expected: char,
    },
    StrayBracket(char),
    MissingColon,
    MissingValue,
    MissingName,
    TextAfterEnd,
    TooDeep,
    TooManyValues,
    TooManyRepeatedNames,
    TooManyMistakes,
    /// A mistake in a TOML text, in a sentence.
    Toml(String),
    /// A mistake in a YAML text, in a sentence.
    Yaml(String),
    /// An anchor, an alias or a tag in a YAML text.
    YamlReference,
}

impl SyntaxErrorKind {
    /// Returns true when the structure of the text is clear in spite of it.
    pub(crate) fn is_harmless(&self) -> bool {
        matches!(
            self,
            SyntaxErrorKind::Comment | SyntaxErrorKind::TrailingComma
        )
    }
}

impl SyntaxError {
    /// Returns the error as a user reads it, in a file that has to be strict JSON.
    pub(crate) fn to_problem(&self, source: &Source<'_>) -> Problem {
        let kind = match self.kind {
            SyntaxErrorKind::Comment => ProblemKind::Comment,
            SyntaxErrorKind::TrailingComma => ProblemKind::TrailingComma,
            SyntaxErrorKind::MissingComma => ProblemKind::MissingComma,
            _ => ProblemKind::Syntax,
        };
        Problem::error(kind, source.position(self.at), self.message(source))
    }

    fn message(&self, source: &Source<'_>) -> String {
        match &self.kind {
            SyntaxErrorKind::Comment => {
                "Comments are not allowed here: this file is strict JSON.".into()
            }
            SyntaxErrorKind::TrailingComma => {
                "Trailing comma: JSON allows none after the last entry. Remove it.".into()
            }
            SyntaxErrorKind::MissingComma => "A comma is missing here.".into(),
            SyntaxErrorKind::StrayComma => "There is nothing before this comma. Remove it.".into(),
            SyntaxErrorKind::Empty => {
                "The file is empty; JSON needs a value. Write {} for no servers.".into()
            }
            SyntaxErrorKind::UnclosedComment => "This comment is never closed.".into(),
            SyntaxErrorKind::UnclosedString => {
                "This text in quotes is not closed on its line: a \" is missing.".into()
            }
            SyntaxErrorKind::ControlCharacterInString(character) => format!(
                "A control character (U+{:04X}) has to be written as an escape inside quotes.",
                u32::from(*character)
            ),
            SyntaxErrorKind::InvalidEscape => {
                "This escape is not one of \\\" \\\\ \\/ \\b \\f \\n \\r \\t \\uXXXX. \
                 A backslash itself is written \\\\."
                    .into()
            }
            SyntaxErrorKind::SingleQuotes => "JSON wants double quotes here.".into(),
            SyntaxErrorKind::NameWithoutQuotes(name) => {
                let name = shortened(name);
                format!("The name {name} has to stand in double quotes.")
            }
            SyntaxErrorKind::InvalidNumber => "This is not a number as JSON writes it.".into(),
            SyntaxErrorKind::UnknownWord(word) => format!(
                "{} is not a JSON value. Text stands in double quotes; the only words are true, \
                 false and null.",
                shortened(word)
            ),
            SyntaxErrorKind::UnexpectedCharacter(character) if character.is_ascii_graphic() => {
                format!("The character {character} cannot stand here.")
            }
            SyntaxErrorKind::UnexpectedCharacter(character) => format!(
                "An unexpected character (U+{:04X}) stands here.",
                u32::from(*character)
            ),
            SyntaxErrorKind::Unclosed(bracket, opened) => {
                let opened = source.position(*opened);
                format!(
                    "The file ends here, but the {bracket} of line {}, column {} is not closed.",
                    opened.line, opened.column
                )
            }
            SyntaxErrorKind::WrongBracket { found, expected } => {
                format!("Found {found} where {expected} was expected.")
            }
            SyntaxErrorKind::StrayBracket(found) => format!("This {found} closes nothing."),
            SyntaxErrorKind::MissingColon => "A colon is missing after the name.".into(),
            SyntaxErrorKind::MissingValue => "A value is missing here.".into(),
            SyntaxErrorKind::MissingName => "A name in double quotes was expected here.".into(),
            SyntaxErrorKind::TextAfterEnd => "The JSON value ended before this.".into(),
            SyntaxErrorKind::TooDeep => {
                format!("This is nested more than {MAX_DEPTH} levels deep; {NO_MORE}")
            }
            SyntaxErrorKind::TooManyValues => {
                format!("The file has more than {MAX_VALUES} values; {NO_MORE}")
            }
            SyntaxErrorKind::TooManyRepeatedNames => format!(
                "More than {MAX_REPEATED_NAMES} names of the file stand in their object again; \
                 {NO_MORE}"
            ),
            SyntaxErrorKind::TooManyMistakes => {
                format!("The file has more than {MAX_MISTAKES} mistakes; {NO_MORE}")
            }
            SyntaxErrorKind::Toml(message) | SyntaxErrorKind::Yaml(message) => message.clone(),
            SyntaxErrorKind::YamlReference => {
                "An anchor (&), an alias (*) or a tag (!) stands here; servers are read without \
                 them. Write the value out."
                    .into()
            }
        }
    }
}
