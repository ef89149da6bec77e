//! Edits JSON text without re-writing it.
//!
//! Input of the user reaches the server byte for byte: numbers beyond 2^53, the order of
//! keys and duplicate spaces included. So members that the protocol needs are inserted
//! into the text at the right offset instead of parsing and printing it again.

use std::ops::Range;

use serde_json::{error::Category, value::RawValue};
use sightglass_json_text::{ErrorObject, Members, Message, object, quoted, string_end};
use thiserror::Error;

/// `params` of a request: the text of a JSON object, on one line, checked once.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Params {
    text: String,
    /// Place of the value of `_meta`.
    meta: Option<Range<usize>>,
}

/// Reason why a text cannot be the parameters of a request.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
pub enum ParamsError {
    #[error("the parameters must be a JSON object")]
    NotObject,
    #[error("the parameters are not JSON: line {line}, column {column}")]
    NotJson { line: usize, column: usize },
}

impl Params {
    /// Checks that `text` is one JSON object. Line breaks, which JSON allows only between
    /// tokens, become spaces: over stdio one message is one line. Everything else is sent as it is
    /// written: numbers of any size, the order of keys.
    pub fn parse(text: &str) -> Result<Self, ParamsError> {
        let text = text.trim();
        let members = Members::parse(text).map_err(|error| match error.classify() {
            Category::Data => ParamsError::NotObject,
            Category::Syntax | Category::Eof | Category::Io => ParamsError::NotJson {
                line: error.line(),
                column: error.column(),
            },
        })?;
        let meta = members.text("_meta").map(|meta| {
            let start = meta.as_ptr() as usize - text.as_ptr() as usize;
            start..start + meta.len()
        });
        Ok(Self {
            text: text.replace(['\n', '\r'], " "),
            meta,
        })
    }

    pub fn empty() -> Self {
        Self {
            text: "{}".to_owned(),
            meta: None,
        }
    }

    /// Makes an object of members whose values are JSON text, none of them `_meta`.
    pub fn object(members: &[(&str, &str)]) -> Self {
        Self {
            text: object(members.iter().copied()),
            meta: None,
        }
    }

    /// Makes the parameters of `tools/call`.
    pub fn tool_call(tool: &str, arguments: &Self) -> Self {
        Self::object(&[("name", &quoted(tool)), ("arguments", arguments.text())])
    }

    /// Makes the parameters of `tools/call` that ask for a task (MCP 2025-11-25, Tasks), to be
    /// kept for `ttl_ms` milliseconds where that is given.
    pub fn tool_call_as_task(tool: &str, arguments: &Self, ttl_ms: Option<u32>) -> Self {
        let task = match ttl_ms {
            Some(ttl) => format!(r#"{{"ttl":{ttl}}}"#),
            None => "{}".to_owned(),
        };
        Self::object(&[
            ("name", &quoted(tool)),
            ("arguments", arguments.text()),
            ("task", &task),
        ])
    }

    /// Makes the parameters that ask for the page after `cursor`.
    pub(crate) fn page(cursor: Option<&RawValue>) -> Self {
        match cursor {
            Some(cursor) => Self::object(&[("cursor", cursor.get())]),
            None => Self::empty(),
        }
    }

    pub fn text(&self) -> &str {
        &self.text
    }

    /// Adds members to the object. Their values are JSON text.
    pub(crate) fn with_members(&self, members: &[(&str, &str)]) -> Self {
        let text = insert_members(&self.text, 0, members);
        let added = text.len() - self.text.len();
        Self {
            meta: self
                .meta
                .as_ref()
                .map(|meta| meta.start + added..meta.end + added),
            text,
        }
    }

    /// Adds members to the object's `_meta`, making one where there is none. A member that
    /// the user wrote wins, and so does a `_meta` that is not an object: this is a tool
    /// for trying things out.
    pub(crate) fn with_meta(&self, wanted: &[(&str, &str)]) -> Self {
        if wanted.is_empty() {
            return self.clone();
        }
        let Some(meta) = self.meta.clone() else {
            let meta = object(wanted.iter().copied());
            let start = r#"{"_meta":"#.len();
            return Self {
                text: insert_members(&self.text, 0, &[("_meta", &meta)]),
                meta: Some(start..start + meta.len()),
            };
        };
        let Ok(present) = Members::parse(&self.text[meta.clone()]) else {
            return self.clone();
        };
        let missing: Vec<(&str, &str)> = wanted
            .iter()
            .filter(|(name, _)| present.text(name).is_none())
            .copied()
            .collect();
        let text = insert_members(&self.text, meta.start, &missing);
        let added = text.len() - self.text.len();
        Self {
            text,
            meta: Some(meta.start..meta.end + added),
        }
    }
}

/// Inserts `members` at the beginning of the object that starts at `offset` in `text`.
fn insert_members(text: &str, offset: usize, members: &[(&str, &str)]) -> String {
    if members.is_empty() {
        return text.to_owned();
    }
    let (before, after) = text.split_at(offset + 1);
    let inserted = object(members.iter().copied());
    let inserted = &inserted[1..inserted.len() - 1];
    let comma = match after.trim_start().starts_with('}') {
        true => "",
        false => ",",
    };
    [before, inserted, comma, after].concat()
}

/// The text of a request.
pub(crate) fn request_text(id: u64, method: &str, params: &Params) -> String {
    let method = quoted(method);
    let params = params.text();
    format!(r#"{{"jsonrpc":"2.0","id":{id},"method":{method},"params":{params}}}"#)
}

/// The id at the top level of a message of which only the beginning or the end is known.
///
/// Looks at the depth of the message's own members, so that an `"id"` inside the result is
/// not mistaken for it. At the end of a message only a member that closes it counts.
pub(crate) fn id_of_fragment(beginning: &[u8], end: &[u8]) -> Option<u64> {
    id_at_top_level(beginning).or_else(|| id_before_the_end(end))
}

fn id_at_top_level(text: &[u8]) -> Option<u64> {
    let mut depth = 0usize;
    let mut position = 0;
    while position < text.len() {
        match text[position] {
            b'{' | b'[' => depth += 1,
            b'}' | b']' => depth = depth.checked_sub(1)?,
            b'"' => {
                let end = string_end(text, position).ok()? - 1;
                if depth == 1 && &text[position + 1..end] == b"id" {
                    let rest = std::str::from_utf8(
                        text.get(end + 1..)?.get(..24.min(text.len() - end - 1))?,
                    )
                    .ok();
                    if let Some(id) = rest
                        .and_then(|rest| rest.trim_start().strip_prefix(':'))
                        .and_then(leading_number)
                    {
                        return Some(id);
                    }
                }
                position = end;
            }
            _ => {}
        }
        position += 1;
    }
    None
}

fn id_before_the_end(text: &[u8]) -> Option<u64> {
    let text = String::from_utf8_lossy(text);
    let text = text.trim_end().strip_suffix('}')?;
    let (_, value) = text.rsplit_once("\"id\"")?;
    let value = value.trim_start().strip_prefix(':')?.trim();
    value.trim_matches('"').parse().ok()
}

fn leading_number(text: &str) -> Option<u64> {
    let text = text.trim_start().trim_start_matches('"');
    let digits = text.find(|character: char| !character.is_ascii_digit())?;
    text[..digits].parse().ok()
}

/// Tells if a text is an error response (JSON-RPC 2.0, sections 5 and 5.1): the version, and an
/// error object with a number and a message.
pub(crate) fn is_error_response(text: &[u8]) -> bool {
    let text = String::from_utf8_lossy(text);
    Message::parse(&text).is_ok_and(|message| {
        let error = message.error().and_then(ErrorObject::parse);
        message.members().string("jsonrpc").as_deref() == Some("2.0")
            && error.is_some_and(|error| {
                error.code().is_some_and(|code| code.parse::<i64>().is_ok())
                    && error.message().is_some()
            })
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_error_of_json_rpc_is_told_from_any_other_json() {
        let error = br#"{"jsonrpc":"2.0","id":null,"error":{"code":-32600,"message":"no"}}"#;
        assert!(is_error_response(error));
        for other in [
            r#"{"error":"database is locked"}"#,
            r#"{"error":{"code":403,"message":"no","status":"PERMISSION_DENIED"}}"#,
            r#"{"jsonrpc":"2.0","id":1,"error":"no"}"#,
            r#"{"jsonrpc":"2.0","id":1,"error":{"code":"E1","message":"no"}}"#,
            "<html>",
        ] {
            assert!(!is_error_response(other.as_bytes()), "{other}");
        }
    }

    #[test]
    fn members_are_added_and_the_rest_stays_as_it_was_typed() {
        let params = Params::parse(r#"{ "b": 12345678901234567890123,  "a": 1.50 }"#).unwrap();
        assert_eq!(
            params.with_meta(&[("progressToken", "7")]).text(),
            r#"{"_meta":{"progressToken":7}, "b": 12345678901234567890123,  "a": 1.50 }"#
        );
        assert_eq!(
            Params::empty().with_meta(&[("progressToken", "7")]).text(),
            r#"{"_meta":{"progressToken":7}}"#
        );
    }

    #[test]
    fn what_the_user_wrote_into_meta_wins() {
        let params =
            Params::parse(r#"{"x":{"_meta":{}},"_meta": {"progressToken":"mine"}}"#).unwrap();
        assert_eq!(
            params
                .with_meta(&[("progressToken", "7"), ("other", "{}")])
                .text(),
            r#"{"x":{"_meta":{}},"_meta": {"other":{},"progressToken":"mine"}}"#
        );
        let odd = Params::parse(r#"{"_meta":null}"#).unwrap();
        assert_eq!(odd.with_meta(&[("progressToken", "7")]), odd);
    }

    #[test]
    fn arguments_of_a_tool_stay_as_they_were_typed() {
        let arguments = Params::parse(r#" {"b": 1.10, "_meta": 9007199254740993} "#).unwrap();
        assert_eq!(
            Params::tool_call("t", &arguments)
                .with_meta(&[("progressToken", "7")])
                .with_meta(&[("other", "8")])
                .text(),
            r#"{"_meta":{"other":8,"progressToken":7},"name":"t","arguments":{"b": 1.10, "_meta": 9007199254740993}}"#
        );
    }

    #[test]
    fn parameters_become_one_line_and_must_be_an_object() {
        assert_eq!(
            Params::parse("{\n  \"a\": \"x\\ny\"\r\n}").unwrap().text(),
            "{   \"a\": \"x\\ny\"  }"
        );
        assert_eq!(Params::parse("[1]"), Err(ParamsError::NotObject));
        assert_eq!(
            Params::parse("{\"a\":\n}"),
            Err(ParamsError::NotJson { line: 2, column: 1 })
        );
        assert!(Params::parse("{} {}").is_err());
    }

    #[test]
    fn the_id_of_a_message_is_found_in_its_beginning_or_its_end() {
        assert_eq!(
            id_of_fragment(br#"{"jsonrpc":"2.0","id":42,"result":{"id":1"#, b""),
            Some(42)
        );
        assert_eq!(
            id_of_fragment(
                br#"{"result":{"id":1,"x":"aaaa"#,
                br#"aaa"},"jsonrpc":"2.0","id":42}"#
            ),
            Some(42)
        );
        assert_eq!(
            id_of_fragment(br#"{"result":{"id":1,"x":"aaaa"#, br#"aaa"}}"#),
            None
        );
        assert_eq!(id_of_fragment(br#"{"id":"9","result""#, b""), Some(9));
    }
}
