//! Reads and shows JSON as text. What a user typed and what a server sent is never printed anew,
//! so that no number is rounded, no key moves and no field is lost.

use serde_json::value::RawValue;
use sightglass_inspector::hidden_characters;
use sightglass_json_text::{ErrorObject, Message, indented};

/// JSON text with the characters escaped that a terminal would obey or that would make it look like
/// another text. All but white space can only stand in strings, so that the value stays the same.
pub(crate) fn harmless(text: &str) -> String {
    let mut shown = String::with_capacity(text.len());
    let mut copied = 0;
    for (at, hidden) in hidden_characters(text) {
        shown.push_str(&text[copied..at]);
        copied = at + hidden.len_utf8();
        match hidden {
            '\n' | '\t' => shown.push(hidden),
            // A terminal writes over the line.
            '\r' => shown.push(' '),
            hidden => {
                for unit in hidden.encode_utf16(&mut [0; 2]) {
                    shown.push_str(&format!("\\u{unit:04x}"));
                }
            }
        }
    }
    shown.push_str(&text[copied..]);
    shown
}

/// `text` without the white space around it, if it is one JSON value.
pub(crate) fn value(text: &str) -> Option<&str> {
    serde_json::from_str::<&RawValue>(text)
        .ok()
        .map(RawValue::get)
}

/// `result` or `error` of a JSON-RPC response.
pub(crate) enum Response<'a> {
    Result(&'a str),
    Error(ResponseError<'a>),
}

/// A JSON-RPC error; the members are JSON texts.
pub(crate) struct ResponseError<'a> {
    pub code: &'a str,
    pub message: String,
    pub data: Option<&'a str>,
}

/// Reads a response.
pub(crate) fn response(text: &str) -> Option<Response<'_>> {
    let message = Message::parse(text).ok()?;
    let Some(error) = message.error() else {
        return message.result().map(Response::Result);
    };
    Some(Response::Error(match ErrorObject::parse(error) {
        Some(parsed) => ResponseError {
            code: parsed.code().unwrap_or("null"),
            message: parsed.message().unwrap_or_default(),
            data: parsed.data(),
        },
        None => ResponseError {
            code: "null",
            message: "the error is not an object with code and message".to_owned(),
            data: Some(error),
        },
    }))
}

/// JSON text with line breaks and indentation; values are the texts that they were, but for
/// characters that [`harmless`] escapes. What is no JSON keeps its lines.
pub(crate) fn pretty(text: &str) -> String {
    let text = harmless(text);
    indented(text.as_bytes(), usize::MAX).unwrap_or(text)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_string_cannot_drive_the_terminal() {
        let text = "{\"a\":\"\u{9b}31m\u{202e}é\"}";
        assert_eq!(harmless(text), r#"{"a":"\u009b31m\u202eé"}"#);
        assert_eq!(pretty(text), "{\n  \"a\": \"\\u009b31m\\u202eé\"\n}");
        assert_eq!(
            harmless("[\r\n\"\u{e0041}\u{200b}\"]"),
            "[ \n\"\\udb40\\udc41\\u200b\"]"
        );
    }

    #[test]
    fn an_error_keeps_its_code_and_its_data() {
        let text = r#"{"id":1,"error":{"code":-32602.0,"message":"no","data":{"n":12345678901234567890}}}"#;
        let Some(Response::Error(error)) = response(text) else {
            panic!("no error");
        };
        assert_eq!(
            (error.code, error.data),
            ("-32602.0", Some(r#"{"n":12345678901234567890}"#))
        );
    }
}
