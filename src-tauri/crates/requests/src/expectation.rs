//! Expectations: a value of the answer, a predicate, and what it is compared with.

use std::{fmt, time::Duration};

use regex::{Regex, RegexBuilder};
use serde_json::Value;

use crate::{exact, path::Path};

/// Expectation of an answer.
#[derive(Debug, Clone)]
pub struct Expectation {
    pub source: Source,
    pub predicate: Predicate,
    /// True when it holds where the predicate does not.
    pub is_negated: bool,
    /// Argument of the predicate; null for those without.
    pub argument: Value,
    /// Line of the file, from 1.
    pub line: u32,
}

impl fmt::Display for Expectation {
    /// `$.items count 3`, as a report names it.
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let not = if self.is_negated { "not " } else { "" };
        write!(formatter, "{} {not}{}", self.source, self.predicate.name())?;
        match self.predicate.takes() {
            Argument::None => Ok(()),
            Argument::Schema => Ok(()),
            _ => write!(formatter, " {}", exact::shown(&self.argument)),
        }
    }
}

/// Value of an answer.
#[derive(Debug, Clone)]
pub enum Source {
    /// `$…`: a JSONPath (RFC 9535) on `result`.
    Result(Path),
    ErrorCode,
    ErrorMessage,
    /// `error.data`, and a path below it: `error.data$.retry`.
    ErrorData(Option<Path>),
    IsError,
    /// The text blocks, joined by line breaks.
    Text,
    /// `structured`: `structuredContent`.
    Structured,
    /// `json`, and a path on it: `structuredContent`, else the text read as JSON.
    Json(Option<Path>),
    /// `content[2].type`
    ContentType(usize),
    Duration,
    Rounds,
    /// Number of progress notifications.
    Progress,
    /// `notifications`, and a path on the list of those that came during the call.
    Notifications(Option<Path>),
    Stderr,
    HttpStatus,
    /// Size of the response in bytes.
    Size,
    /// Tokens of the texts, as o200k counts them.
    Tokens,
    /// Outcome of checking the result against the tool's output schema.
    OutputSchema,
}

impl Source {
    /// Reads the `value` of an expectation.
    ///
    /// # Errors
    /// When there is no such value, with those that there are.
    pub fn parse(text: &str) -> Result<Self, String> {
        let text = text.trim();
        if text.starts_with('$') {
            return Path::parse(text).map(Self::Result);
        }
        let below = |name: &str| -> Option<Result<Option<Path>, String>> {
            let rest = text.strip_prefix(name)?;
            match rest {
                "" => Some(Ok(None)),
                rest if rest.starts_with('$') => Some(Path::parse(rest).map(Some)),
                // `error.data.retry` is `error.data$.retry`.
                rest if rest.starts_with(['.', '[']) => {
                    Some(Path::parse(&format!("${rest}")).map(Some))
                }
                _ => None,
            }
        };
        if let Some(path) = below("error.data") {
            return path.map(Self::ErrorData);
        }
        if let Some(path) = below("notifications") {
            return path.map(Self::Notifications);
        }
        if let Some(path) = below("json") {
            return path.map(Self::Json);
        }
        if let Some(index) = text
            .strip_prefix("content[")
            .and_then(|rest| rest.strip_suffix("].type"))
            .and_then(|index| index.parse().ok())
        {
            return Ok(Self::ContentType(index));
        }
        Ok(match text {
            "error.code" => Self::ErrorCode,
            "error.message" => Self::ErrorMessage,
            "is_error" => Self::IsError,
            "text" => Self::Text,
            "structured" => Self::Structured,
            "duration" => Self::Duration,
            "rounds" => Self::Rounds,
            "progress" => Self::Progress,
            "stderr" => Self::Stderr,
            "http.status" => Self::HttpStatus,
            "size" => Self::Size,
            "tokens" => Self::Tokens,
            "output_schema" => Self::OutputSchema,
            _ => {
                return Err(format!(
                    "{text} is no value of an answer. There are: a JSONPath such as $.content[0].text, \
                     is_error, text, structured, json, content[0].type, error.code, error.message, \
                     error.data, duration, rounds, progress, notifications, stderr, http.status, \
                     size, tokens, output_schema."
                ));
            }
        })
    }
}

impl fmt::Display for Source {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (name, path) = match self {
            Self::Result(path) => ("", Some(path)),
            Self::ErrorCode => ("error.code", None),
            Self::ErrorMessage => ("error.message", None),
            Self::ErrorData(path) => ("error.data", path.as_ref()),
            Self::IsError => ("is_error", None),
            Self::Text => ("text", None),
            Self::Structured => ("structured", None),
            Self::Json(path) => ("json", path.as_ref()),
            Self::ContentType(index) => return write!(formatter, "content[{index}].type"),
            Self::Duration => ("duration", None),
            Self::Rounds => ("rounds", None),
            Self::Progress => ("progress", None),
            Self::Notifications(path) => ("notifications", path.as_ref()),
            Self::Stderr => ("stderr", None),
            Self::HttpStatus => ("http.status", None),
            Self::Size => ("size", None),
            Self::Tokens => ("tokens", None),
            Self::OutputSchema => ("output_schema", None),
        };
        formatter.write_str(name)?;
        path.map_or(Ok(()), |path| formatter.write_str(&path.text))
    }
}

/// Predicate of an expectation.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Predicate {
    Equals,
    NotEquals,
    /// A text has a part, a list an element, an object a member.
    Contains,
    /// A regular expression matches a part of the text.
    Matches,
    AtLeast,
    AtMost,
    Above,
    Below,
    /// Number of elements, members or characters.
    Count,
    Exists,
    Absent,
    Empty,
    /// `string`, `number`, `integer`, `boolean`, `array`, `object`, `null`.
    Type,
    OneOf,
    /// A JSON Schema accepts it.
    Schema,
    /// It is as the snapshot beside the file has it.
    Snapshot,
}

/// Argument that a predicate takes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Argument {
    None,
    Any,
    Number,
    Text,
    List,
    Schema,
}

impl Predicate {
    const ALL: [Self; 16] = [
        Self::Equals,
        Self::NotEquals,
        Self::Contains,
        Self::Matches,
        Self::AtLeast,
        Self::AtMost,
        Self::Above,
        Self::Below,
        Self::Count,
        Self::Exists,
        Self::Absent,
        Self::Empty,
        Self::Type,
        Self::OneOf,
        Self::Schema,
        Self::Snapshot,
    ];

    /// Returns the predicate of a name.
    ///
    /// # Errors
    /// When there is none, with those that there are.
    pub fn parse(name: &str) -> Result<Self, String> {
        let known = Self::ALL
            .into_iter()
            .find(|predicate| predicate.name() == name);
        known.ok_or_else(|| {
            let names: Vec<_> = Self::ALL.iter().map(|predicate| predicate.name()).collect();
            format!("{name} is no predicate. There are: {}.", names.join(", "))
        })
    }

    /// The name as files have it.
    pub fn name(self) -> &'static str {
        match self {
            Self::Equals => "equals",
            Self::NotEquals => "not_equals",
            Self::Contains => "contains",
            Self::Matches => "matches",
            Self::AtLeast => "at_least",
            Self::AtMost => "at_most",
            Self::Above => "above",
            Self::Below => "below",
            Self::Count => "count",
            Self::Exists => "exists",
            Self::Absent => "absent",
            Self::Empty => "empty",
            Self::Type => "type",
            Self::OneOf => "one_of",
            Self::Schema => "schema",
            Self::Snapshot => "snapshot",
        }
    }

    pub(crate) fn takes(self) -> Argument {
        match self {
            Self::Equals | Self::NotEquals | Self::Contains => Argument::Any,
            Self::Matches | Self::Type => Argument::Text,
            Self::AtLeast | Self::AtMost | Self::Above | Self::Below | Self::Count => {
                Argument::Number
            }
            Self::Exists | Self::Absent | Self::Empty | Self::Snapshot => Argument::None,
            Self::OneOf => Argument::List,
            Self::Schema => Argument::Schema,
        }
    }

    /// Tells what is wrong with an argument, as a sentence.
    pub(crate) fn problem_with(self, source: &Source, argument: Option<&Value>) -> Option<String> {
        let name = self.name();
        let wants = |what: &str| Some(format!("{name} wants {what} as `to`."));
        match (self.takes(), argument) {
            (Argument::None, None) => None,
            (Argument::None, Some(_)) => Some(format!("{name} takes no `to`.")),
            (_, None) => Some(format!("{name} needs a `to`.")),
            (Argument::Any, Some(_)) => None,
            (Argument::Number, Some(value)) => {
                let is_duration = matches!(source, Source::Duration)
                    && value.as_str().and_then(duration).is_some();
                // A reference to a variable is looked at once it has its value.
                let is_open = value.as_str().is_some_and(|text| text.contains("{{"));
                if exact::number_text(value).is_some() || is_duration || is_open {
                    None
                } else if matches!(source, Source::Duration) {
                    wants("a duration such as \"500ms\"")
                } else {
                    wants("a number")
                }
            }
            // A reference to a variable is looked at once it has its value.
            (Argument::Text, Some(Value::String(text))) if text.contains("{{") => None,
            (Argument::Text, Some(Value::String(text))) => match self {
                Self::Matches => pattern(text).err(),
                Self::Type if !TYPES.contains(&text.as_str()) => {
                    wants(&format!("one of {}", TYPES.join(", ")))
                }
                _ => None,
            },
            (Argument::Text, Some(_)) => wants("a text"),
            (Argument::List, Some(value)) => match value.is_array() {
                true => None,
                false => wants("a list"),
            },
            (Argument::Schema, Some(value)) => jsonschema::meta::validate(value)
                .err()
                .map(|error| format!("This is not a JSON Schema: {error}.")),
        }
    }
}

/// Size of a compiled pattern, in bytes: what it is applied to can be large.
const MAX_PATTERN_BYTES: usize = 1 << 18;

/// Compiles a regular expression. The time that it takes on a text grows with the text alone.
///
/// # Errors
/// When it is none or too large, as a sentence.
pub(crate) fn pattern(text: &str) -> Result<Regex, String> {
    let built = RegexBuilder::new(text)
        .size_limit(MAX_PATTERN_BYTES)
        .build();
    built.map_err(|error| {
        let reason = error.to_string();
        let reason = reason.lines().last().unwrap_or_default();
        let reason = reason.trim().trim_end_matches('.');
        format!("This is not a regular expression: {reason}.")
    })
}

/// The types of JSON Schema (2020-12, Validation, section 6.1.1).
const TYPES: [&str; 7] = [
    "string", "number", "integer", "boolean", "array", "object", "null",
];

/// Reads a duration: `500ms`, `1.5s`, `2m`.
pub(crate) fn duration(text: &str) -> Option<Duration> {
    let text = text.trim();
    let units = [("ms", 0.001), ("s", 1.0), ("m", 60.0), ("h", 3600.0)];
    let (number, unit) = units
        .iter()
        .find_map(|(name, unit)| Some((text.strip_suffix(name)?, unit)))?;
    let seconds = number.trim().parse::<f64>().ok()? * unit;
    Duration::try_from_secs_f64(seconds).ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_value_is_read_and_named_alike() {
        for text in [
            "$",
            "$.a[0]['b.c']",
            "error.code",
            "error.message",
            "error.data",
            "error.data$.retry",
            "is_error",
            "text",
            "structured",
            "json",
            "json$.a",
            "content[12].type",
            "duration",
            "rounds",
            "progress",
            "notifications",
            "notifications$[?@.method=='x']",
            "stderr",
            "http.status",
            "size",
            "tokens",
            "output_schema",
        ] {
            assert_eq!(Source::parse(text).expect(text).to_string(), text);
        }
        assert_eq!(
            Source::parse("error.data.retry")
                .expect("a value")
                .to_string(),
            "error.data$.retry"
        );
        for text in [
            "",
            "$.",
            "result",
            "content[x].type",
            "error",
            "error.datax",
        ] {
            assert!(Source::parse(text).is_err(), "{text}");
        }
    }

    #[test]
    fn durations_have_a_unit() {
        assert_eq!(duration("500ms"), Some(Duration::from_millis(500)));
        assert_eq!(duration("1.5 s"), Some(Duration::from_millis(1500)));
        assert_eq!(duration("2m"), Some(Duration::from_secs(120)));
        for text in ["5", "s", "-1s", "ten s"] {
            assert_eq!(duration(text), None, "{text}");
        }
    }
}
