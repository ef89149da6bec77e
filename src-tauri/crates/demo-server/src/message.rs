//! JSON-RPC messages as text: what comes in is split, not interpreted; what goes
//! out is a list of byte pieces that nobody copies together.
//!
//! The product reads messages with `json-text`. This server is an implementation of its own on
//! purpose, so that a misreading there shows when the two meet.

use std::{borrow::Cow, fmt};

use bytes::Bytes;
use serde::Deserialize;
use serde_json::{Value, json, value::RawValue};

use crate::protocol::code;

/// One incoming JSON-RPC object with its parts still as text.
#[derive(Debug, Deserialize)]
pub struct Incoming<'a> {
    #[serde(borrow)]
    pub jsonrpc: Option<Cow<'a, str>>,
    #[serde(borrow)]
    pub id: Option<&'a RawValue>,
    #[serde(borrow)]
    pub method: Option<Cow<'a, str>>,
    #[serde(borrow)]
    pub params: Option<&'a RawValue>,
    #[serde(borrow)]
    pub result: Option<&'a RawValue>,
    #[serde(borrow)]
    pub error: Option<&'a RawValue>,
}

/// The id of a request: a JSON number or string, kept as text so that ids beyond
/// 2^53 come back as they were sent.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct RequestId(Box<str>);

impl RequestId {
    /// Reads an id, or `None` when it is neither a number nor a string.
    pub fn from_raw(raw: &RawValue) -> Option<RequestId> {
        let text = raw.get();
        match text.as_bytes().first()? {
            // Re-encoding makes two spellings of one string ("a", "\u0061") equal.
            b'"' => {
                let decoded: String = serde_json::from_str(text).ok()?;
                Some(RequestId(Value::String(decoded).to_string().into()))
            }
            b'-' | b'0'..=b'9' => Some(RequestId(text.into())),
            _ => None,
        }
    }

    /// The id as JSON text.
    pub fn as_json(&self) -> &str {
        &self.0
    }

    /// The id as a JSON value, for embedding in `_meta`.
    pub fn to_value(&self) -> Value {
        serde_json::from_str(&self.0).unwrap_or(Value::Null)
    }
}

impl fmt::Display for RequestId {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(&self.0)
    }
}

/// The `error` member of an answer.
#[derive(Debug, Clone, PartialEq)]
pub struct RpcError {
    /// One of [`code`], or whatever a tool was asked to send.
    pub code: i64,
    /// One sentence.
    pub message: String,
    /// Anything that helps.
    pub data: Option<Value>,
}

impl RpcError {
    /// An error without data.
    pub fn new(code: i32, message: impl Into<String>) -> RpcError {
        RpcError {
            code: code.into(),
            message: message.into(),
            data: None,
        }
    }

    /// Adds the `data` member.
    pub fn with_data(mut self, data: Value) -> RpcError {
        self.data = Some(data);
        self
    }

    /// `-32602` with a message.
    pub fn invalid_params(message: impl Into<String>) -> RpcError {
        RpcError::new(code::INVALID_PARAMS, message)
    }

    /// `-32601` naming the method.
    pub fn method_not_found(method: &str) -> RpcError {
        RpcError::new(
            code::METHOD_NOT_FOUND,
            format!("Method not found: {method}"),
        )
    }

    /// The whole answer; without an id, `"id": null` as JSON-RPC 2.0 section 5 wants.
    pub fn to_message(&self, id: Option<&RequestId>) -> Message {
        let mut error = json!({ "code": self.code, "message": self.message });
        if let Some(data) = &self.data {
            error["data"] = data.clone();
        }
        let id = id.map_or("null", RequestId::as_json);
        Message::from(format!(r#"{{"jsonrpc":"2.0","id":{id},"error":{error}}}"#))
    }
}

/// One outgoing message: the bytes of a JSON text without a newline in it.
#[derive(Debug, Clone)]
pub enum Message {
    /// All of it.
    Whole(Bytes),
    /// Pieces to be written one after the other; lets a 50 MB answer be shared text.
    Pieces(Vec<Bytes>),
}

impl Message {
    /// A notification with these parameters.
    pub fn notification(method: &str, params: &Value) -> Message {
        Message::from(format!(
            r#"{{"jsonrpc":"2.0","method":"{method}","params":{params}}}"#
        ))
    }

    /// Size in bytes.
    pub fn len(&self) -> usize {
        match self {
            Message::Whole(bytes) => bytes.len(),
            Message::Pieces(pieces) => pieces.iter().map(Bytes::len).sum(),
        }
    }

    /// The pieces in order.
    pub fn pieces(&self) -> &[Bytes] {
        match self {
            Message::Whole(bytes) => std::slice::from_ref(bytes),
            Message::Pieces(pieces) => pieces,
        }
    }

    /// The pieces in order, taken apart.
    pub fn into_pieces(self) -> Vec<Bytes> {
        match self {
            Message::Whole(bytes) => vec![bytes],
            Message::Pieces(pieces) => pieces,
        }
    }
}

impl From<String> for Message {
    fn from(text: String) -> Message {
        Message::Whole(Bytes::from(text))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn id(text: &str) -> Option<RequestId> {
        let raw: &RawValue = serde_json::from_str(text).unwrap();
        RequestId::from_raw(raw)
    }

    #[test]
    fn an_id_beyond_two_to_the_53_is_kept_digit_by_digit() {
        assert_eq!(
            id("9007199254740993").unwrap().as_json(),
            "9007199254740993"
        );
    }

    #[test]
    fn two_spellings_of_one_string_id_are_the_same_id() {
        assert_eq!(id(r#""a""#), id(r#""\u0061""#));
        assert_ne!(id(r#""1""#), id("1"));
    }

    #[test]
    fn objects_and_null_are_no_ids() {
        assert_eq!(id("{}"), None);
        assert_eq!(id("null"), None);
    }

    #[test]
    fn an_error_without_an_id_says_null() {
        let message = RpcError::new(code::PARSE_ERROR, "no").to_message(None);
        let text = std::str::from_utf8(&message.pieces()[0])
            .unwrap()
            .to_owned();
        assert_eq!(
            text,
            r#"{"jsonrpc":"2.0","id":null,"error":{"code":-32700,"message":"no"}}"#
        );
    }
}
