//! Writes values as YAML.

use serde_json::{Map, Value};
use sightglass_json_text::quoted;

use crate::text::json::{Node, NodeValue, Object};

/// Spaces of one level in what is written.
const INDENT: usize = 2;

/// The value of a node.
pub(super) fn json_of(node: &Node) -> Value {
    match &node.value {
        NodeValue::Null => Value::Null,
        NodeValue::Bool(flag) => (*flag).into(),
        NodeValue::Number(digits) => serde_json::from_str(digits).unwrap_or(Value::Null),
        NodeValue::String(text) => text.as_str().into(),
        NodeValue::Array(elements) => elements.iter().map(json_of).collect(),
        NodeValue::Object(object) => json_of_object(object),
    }
}

pub(super) fn json_of_object(object: &Object) -> Value {
    let members = object.members.iter();
    members
        .map(|member| (member.key.clone(), json_of(&member.value)))
        .collect()
}

/// A member of a block mapping, with its line end.
pub(super) fn member_text(indent: usize, key: &str, value: &Value, line_end: &str) -> String {
    let value = value_text(indent, value, line_end);
    format!("{:indent$}{}:{value}{line_end}", "", scalar_text(key))
}

/// A value after the colon of its member.
pub(super) fn value_text(indent: usize, value: &Value, line_end: &str) -> String {
    let deeper = indent + INDENT;
    match value {
        Value::Object(members) if !members.is_empty() => {
            format!("{line_end}{}", members_text(deeper, members, line_end))
        }
        Value::Array(elements) if !elements.is_empty() => elements
            .iter()
            .map(|element| format!("{line_end}{}", element_text(deeper, element, line_end)))
            .collect(),
        value => format!(" {}", inline_text(value)),
    }
}

/// The members of a block mapping, without the last line end.
pub(super) fn members_text(indent: usize, members: &Map<String, Value>, line_end: &str) -> String {
    let lines: String = members
        .iter()
        .map(|(key, value)| member_text(indent, key, value, line_end))
        .collect();
    lines.trim_end().to_owned()
}

/// An element of a block sequence whose dash stands after `indent` spaces, without the last line
/// end.
pub(super) fn element_text(indent: usize, element: &Value, line_end: &str) -> String {
    let text = match element {
        Value::Object(members) if !members.is_empty() => {
            let members = members_text(indent + INDENT, members, line_end);
            members.trim_start().to_owned()
        }
        element => inline_text(element),
    };
    format!("{:indent$}- {text}", "")
}

/// A value on one line. JSON is YAML (YAML 1.2.2, section 1.2).
fn inline_text(value: &Value) -> String {
    match value {
        Value::String(text) => scalar_text(text),
        value => value.to_string(),
    }
}

/// A text, without quotes where nothing could be taken for something else.
pub(super) fn scalar_text(text: &str) -> String {
    let is_safe =
        |character: char| character.is_ascii_alphanumeric() || "_-./@+=~ ".contains(character);
    let begins_well =
        text.starts_with(|first: char| first.is_ascii_alphabetic() || "/._".contains(first));
    // Words that YAML 1.1 takes for booleans stay texts in every reader with quotes.
    let is_word = matches!(
        text.to_ascii_lowercase().as_str(),
        "null" | "true" | "false" | "yes" | "no" | "on" | "off" | "y" | "n" | "." | ".inf" | ".nan"
    );
    if begins_well && !is_word && text.chars().all(is_safe) && !text.ends_with(' ') {
        return text.to_owned();
    }
    quoted(text)
}
