//! Words for the ways in which a value is not as its schema says.
//!
//! They say what has to be, so that they fit the field that a user fills in as well as the answer of
//! a server. Values of the schema are written as they are there, digit by digit.

use std::fmt::{self, Write as _};

use jsonschema::{
    JsonType, ValidationError,
    error::{TypeKind, ValidationErrorKind as Kind},
};
use serde_json::Value;
use sightglass_json_text::{elements, value_at};
use sightglass_model::brief;

/// Characters of one message: names and patterns of a stranger are repeated in it.
pub(super) const MAX_MESSAGE_CHARACTERS: usize = 500;

/// Alternatives that are listed in full.
const MAX_LISTED: usize = 6;

/// Characters of a value that are told.
const MAX_VALUE_CHARACTERS: usize = 40;

/// Items that are compared with one another, to name the two that are the same.
const MAX_COMPARED: usize = 500;

pub(super) const REQUIRED: &str = "Required.";

/// Says why a member is required that is not always.
pub(super) fn required_because(reason: &str) -> String {
    format!("Required, because {reason}.")
}

pub(super) fn unknown_field(name: &str) -> String {
    format!("`{name}` is not a known field.")
}

/// Puts a message and its place into one sentence.
pub(super) fn sentence(pointer: &str, message: &str) -> String {
    match pointer.strip_prefix('/').unwrap_or_default() {
        "" => message.to_owned(),
        name => format!("`{name}`: {message}"),
    }
}

/// Says in a sentence that a member is missing, and why it is required where it is not always.
pub(super) fn missing_sentence(pointer: &str, reason: Option<&str>) -> String {
    let name = pointer.strip_prefix('/').unwrap_or_default();
    match reason {
        Some(reason) => format!("Because {reason}, `{name}` is required."),
        None => format!("`{name}` is missing."),
    }
}

/// Says in one sentence what has to be instead. `schema` is the text of the whole schema.
pub(super) fn message(error: &ValidationError<'_>, schema: &str) -> String {
    match error.kind() {
        Kind::AnyOf { .. } | Kind::OneOfNotValid { .. } => {
            "None of the alternatives fits.".to_owned()
        }
        Kind::OneOfMultipleValid { .. } => "More than one of the alternatives fits.".to_owned(),
        Kind::Not { .. } | Kind::FalseSchema => "This value is not allowed.".to_owned(),
        Kind::Type { kind } => type_message(error, kind, schema),
        Kind::Constant { expected_value } => {
            format!("Must be {}.", exact(error, schema, expected_value))
        }
        Kind::Enum { options } => enum_message(options, verbatim(error, schema, options)),
        Kind::Format { format } => format_message(format),
        Kind::Pattern { pattern } => format!("Does not match the pattern {pattern}."),
        Kind::MinItems { limit } => at_least(*limit, "item"),
        Kind::MaxItems { limit } => at_most(*limit, "item"),
        Kind::MinLength { limit } => at_least(*limit, "character"),
        Kind::MaxLength { limit } => at_most(*limit, "character"),
        Kind::MinProperties { limit } => at_least(*limit, "field"),
        Kind::MaxProperties { limit } => at_most(*limit, "field"),
        Kind::UniqueItems => repetition_message(error.instance()),
        Kind::Minimum { limit } => format!("Must be {} or more.", exact(error, schema, limit)),
        Kind::Maximum { limit } => format!("Must be {} or less.", exact(error, schema, limit)),
        Kind::ExclusiveMinimum { limit } => {
            format!("Must be more than {}.", exact(error, schema, limit))
        }
        Kind::ExclusiveMaximum { limit } => {
            format!("Must be less than {}.", exact(error, schema, limit))
        }
        Kind::MultipleOf { multiple_of } => {
            let text = keyword_text(error, schema);
            let number = text.map_or_else(|| multiple_of.to_string(), str::to_owned);
            format!("Must be a multiple of {number}.")
        }
        Kind::PropertyNames { error: inner } => {
            let name = inner.instance().as_str().unwrap_or_default();
            format!(
                "`{name}` is not allowed as a name: {}",
                message(inner, schema)
            )
        }
        _ => format!("{}.", engine_message(error)),
    }
}

fn at_least(limit: u64, noun: &str) -> String {
    format!("Must have at least {}.", counted(limit, noun))
}

fn at_most(limit: u64, noun: &str) -> String {
    format!("Must have at most {}.", counted(limit, noun))
}

/// "one item", "5 items".
fn counted(count: u64, noun: &str) -> String {
    match count {
        1 => format!("one {noun}"),
        2 => format!("two {noun}s"),
        3 => format!("three {noun}s"),
        _ => format!("{count} {noun}s"),
    }
}

fn type_message(error: &ValidationError<'_>, kind: &TypeKind, schema: &str) -> String {
    let several = match kind {
        TypeKind::Single(only) => return format!("Must be {}.", type_name(*only)),
        TypeKind::Multiple(types) => types,
    };
    // In the order of the schema, which the set has lost.
    let names = keyword_text(error, schema)
        .and_then(|text| serde_json::from_str::<Vec<String>>(text).ok())
        .unwrap_or_else(|| several.iter().map(|name| name.to_string()).collect());
    let value: &Value = error.instance();
    format!(
        "Must be {}, not {}.",
        names.join(" or "),
        JsonType::from(value)
    )
}

fn type_name(of: JsonType) -> &'static str {
    match of {
        JsonType::Integer => "a whole number",
        JsonType::Number => "a number",
        JsonType::String => "text",
        JsonType::Boolean => "true or false",
        JsonType::Array => "a list",
        JsonType::Object => "an object",
        JsonType::Null => "null",
    }
}

fn enum_message(options: &Value, text: Option<&str>) -> String {
    let values = options.as_array().map(Vec::as_slice).unwrap_or_default();
    if values.is_empty() || values.len() > MAX_LISTED {
        return "Must be one of the listed values.".to_owned();
    }
    let texts = text.and_then(elements).unwrap_or_default();
    let listed: Vec<String> = values
        .iter()
        .enumerate()
        .map(|(index, value)| written(value, texts.get(index).copied()))
        .collect();
    format!("Must be one of {}.", listed.join(", "))
}

/// Describes the value of each format (JSON Schema Validation, section 7.3).
fn format_message(format: &str) -> String {
    let described = match format {
        "date" => "a date, as in 2025-11-25",
        "time" => "a time, as in 14:02:11Z",
        "date-time" => "a date and time, as in 2025-11-25T14:02:11Z",
        "duration" => "a duration, as in P3DT12H",
        "email" => "an email address",
        "hostname" => "a host name",
        "ipv4" => "an IPv4 address",
        "ipv6" => "an IPv6 address",
        "uri" => "a URL, as in https://example.com/path",
        "uri-reference" => "a URL or a path",
        "uuid" => "a UUID",
        "regex" => "a regular expression",
        "json-pointer" => "a JSON pointer",
        _ => return format!("Not in the format {format}."),
    };
    format!("Must be {described}.")
}

fn repetition_message(value: &Value) -> String {
    let items = value.as_array().map(Vec::as_slice).unwrap_or_default();
    let repeated = items
        .iter()
        .take(MAX_COMPARED)
        .enumerate()
        .find_map(|(index, item)| {
            let first = items[..index].iter().position(|other| other == item)?;
            Some((first, index))
        });
    match repeated {
        Some((first, second)) => format!("Items {} and {} are the same.", first + 1, second + 1),
        None => "Each item may appear once.".to_owned(),
    }
}

/// Writes a value of the schema in short. `text` is how the schema has it.
pub(super) fn written(value: &Value, text: Option<&str>) -> String {
    let whole = match (value, text) {
        (Value::Number(_) | Value::Array(_) | Value::Object(_), Some(text)) => text.to_owned(),
        _ => value.to_string(),
    };
    brief(&whole, MAX_VALUE_CHARACTERS).into_owned()
}

/// Writes the value of the keyword that an error is about.
fn exact(error: &ValidationError<'_>, schema: &str, value: &Value) -> String {
    written(value, verbatim(error, schema, value))
}

/// The text of the keyword that an error is about, where it says `value`.
fn verbatim<'a>(error: &ValidationError<'_>, schema: &'a str, value: &Value) -> Option<&'a str> {
    keyword_text(error, schema)
        .filter(|text| serde_json::from_str::<Value>(text).is_ok_and(|read| read == *value))
}

fn keyword_text<'a>(error: &ValidationError<'_>, schema: &'a str) -> Option<&'a str> {
    let text = value_at(schema.as_bytes(), error.schema_path().as_str())?;
    std::str::from_utf8(text).ok()
}

/// The error in the engine's words, of which only the beginning is written out: it repeats the value
/// in them.
pub(super) fn engine_message(error: &ValidationError<'_>) -> String {
    let mut message = Beginning(String::new());
    if write!(message, "{error}").is_err() {
        message.0.push('…');
    }
    message.0
}

/// Takes text up to a limit, in bytes, and fails from there on.
struct Beginning(String);

impl fmt::Write for Beginning {
    fn write_str(&mut self, text: &str) -> fmt::Result {
        let room = MAX_MESSAGE_CHARACTERS.saturating_sub(self.0.len());
        if text.len() <= room {
            self.0.push_str(text);
            return Ok(());
        }
        self.0.push_str(&text[..text.floor_char_boundary(room)]);
        Err(fmt::Error)
    }
}
