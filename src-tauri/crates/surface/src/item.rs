//! Items of lists, as the text that came.

use std::fmt;

use bytes::Bytes;
use serde::{Serialize, Serializer, ser::Error};
use serde_json::{Value, value::RawValue};
use sightglass_json_text::{Members, is_compact, string_end};

use crate::change::Part;

/// Definition of a tool, prompt, resource or template: its JSON text, as `serde_json` writes it.
///
/// Ten thousand tools are many megabytes of text, and ten times that as values. So all who hold a
/// definition share the text of its list, and a value is made of one where it is looked at.
#[derive(Clone)]
pub struct ItemDefinition(Bytes);

impl ItemDefinition {
    /// Reads the text of an item; `None` for what is no JSON, or too deep. A text that is written as
    /// `serde_json` writes it, as most are, is shared.
    pub fn read(text: Bytes) -> Option<Self> {
        if std::str::from_utf8(&text).is_ok_and(is_compact) {
            return Some(Self(text));
        }
        let value: Value = serde_json::from_slice(&text).ok()?;
        Some(value.into())
    }

    /// Returns the compact JSON text.
    pub fn text(&self) -> &str {
        std::str::from_utf8(&self.0).unwrap_or_default()
    }

    /// Makes a value of the text.
    pub fn value(&self) -> Value {
        serde_json::from_str(self.text()).unwrap_or_default()
    }

    /// Returns a member that is a string.
    pub fn string(&self, member: &str) -> Option<String> {
        let text = self.text();
        // Names come first in what most servers send: the rest is not read then.
        let first = text
            .strip_prefix("{\"")
            .and_then(|rest| rest.strip_prefix(member)?.strip_prefix("\":"))
            .filter(|value| value.starts_with('"'));
        let written = match first {
            Some(value) => value.get(..string_end(value.as_bytes(), 0).ok()?)?,
            None => Members::parse(text).ok()?.text(member)?,
        };
        serde_json::from_str(written).ok()
    }

    /// Returns the name of an item of a part; empty when it has none.
    pub fn name(&self, part: Part) -> String {
        self.string(key(part)).unwrap_or_default()
    }
}

impl From<Value> for ItemDefinition {
    fn from(value: Value) -> Self {
        Self(value.to_string().into())
    }
}

/// Returns the member by which an item is known in its list.
fn key(part: Part) -> &'static str {
    match part {
        Part::Resource => "uri",
        Part::Template => "uriTemplate",
        _ => "name",
    }
}

/// Returns the name of an argument of a prompt; empty when it has none.
pub(crate) fn argument_name(argument: &Value) -> &str {
    argument
        .get("name")
        .and_then(Value::as_str)
        .unwrap_or_default()
}

/// Equal texts are equal values; of others the order of members does not count.
impl PartialEq for ItemDefinition {
    fn eq(&self, other: &Self) -> bool {
        self.0 == other.0 || self.value() == other.value()
    }
}

impl fmt::Debug for ItemDefinition {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(self.text())
    }
}

impl Serialize for ItemDefinition {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let text: &RawValue = serde_json::from_str(self.text()).map_err(S::Error::custom)?;
        text.serialize(serializer)
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn read(text: &'static str) -> ItemDefinition {
        ItemDefinition::read(Bytes::from_static(text.as_bytes())).expect("JSON")
    }

    #[test]
    fn a_compact_text_is_shared_and_any_other_written_anew() {
        let text = Bytes::from_static(br#"{"name":"a","inputSchema":{"type":"object"}}"#);
        let shared = ItemDefinition::read(text.clone()).expect("JSON");
        assert_eq!(shared.text().as_ptr(), text.as_ptr());
        let other = read(r#"{ "name": "\u0061", "inputSchema": {"type": "object"}, "name": "a" }"#);
        assert_eq!(other.text(), shared.text());
    }

    #[test]
    fn what_is_no_value_is_no_definition() {
        let deep = format!("{}{}", "[".repeat(500), "]".repeat(500));
        for text in ["", "{", "[1e999]", deep.as_str()] {
            let text = Bytes::copy_from_slice(text.as_bytes());
            assert!(ItemDefinition::read(text).is_none());
        }
    }

    #[test]
    fn a_member_is_found_wherever_it_stands() {
        for text in [
            r#"{"name":"a \"b\"","x":{"name":"c"}}"#,
            r#"{"x":{"name":"c"},"name":"a \"b\""}"#,
        ] {
            assert_eq!(read(text).string("name").as_deref(), Some("a \"b\""));
        }
        for text in [r#"{"name":1}"#, r#"{"names":"a"}"#, "[]", "null"] {
            assert_eq!(read(text).string("name"), None, "{text}");
        }
    }

    #[test]
    fn the_order_of_members_makes_no_other_definition() {
        let other = ItemDefinition::from(json!({"b": 2, "a": 1}));
        assert_eq!(read(r#"{"a":1,"b":2}"#), other);
        assert_ne!(read(r#"{"a":1,"b":3}"#), other);
    }
}
