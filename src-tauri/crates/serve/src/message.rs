//! JSON-RPC messages to and from an agent.

use sightglass_json_text::{Members, Message, object, quoted};

use crate::protocol::code;

/// A message of an agent.
#[derive(Debug)]
pub enum AgentMessage<'a> {
    Request {
        /// The id as it was written.
        id: &'a str,
        method: String,
        params: Option<&'a str>,
    },
    Notification {
        method: String,
        params: Option<&'a str>,
    },
    /// Answer to a request of ours: its result, or its error.
    Answer {
        id: &'a str,
        outcome: Result<&'a str, &'a str>,
    },
}

/// The error of an answer (JSON-RPC 2.0, section 5.1).
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RefusedRequest {
    pub code: i32,
    pub message: String,
    /// JSON text.
    pub data: Option<String>,
}

impl RefusedRequest {
    pub fn new(code: i32, message: impl Into<String>) -> Self {
        Self {
            code,
            message: message.into(),
            data: None,
        }
    }

    pub fn invalid_params(message: impl Into<String>) -> Self {
        Self::new(code::INVALID_PARAMS, message)
    }

    pub fn unknown_method(method: &str) -> Self {
        Self::new(
            code::METHOD_NOT_FOUND,
            format!("Method not found: {method}"),
        )
    }

    /// Adds the member `data`, a JSON text.
    pub fn with_data(mut self, data: String) -> Self {
        self.data = Some(data);
        self
    }

    /// Returns the text of the member `error`.
    pub fn text(&self) -> String {
        let code = self.code.to_string();
        let message = quoted(&self.message);
        let members = [("code", code.as_str()), ("message", message.as_str())];
        let data = self.data.as_deref().map(|data| ("data", data));
        object(members.into_iter().chain(data))
    }
}

/// Reads a message. The error goes with the id of the request, where it has one.
pub fn read(text: &str) -> Result<AgentMessage<'_>, (Option<&str>, RefusedRequest)> {
    let refuse = |id, code, words: &str| Err((id, RefusedRequest::new(code, words)));
    let message = match Message::parse(text) {
        Ok(message) => message,
        Err(error) if error.is_data() => {
            return refuse(None, code::INVALID_REQUEST, "A message is one JSON object");
        }
        Err(_) => return refuse(None, code::PARSE_ERROR, "This is not JSON"),
    };
    let written = message.id();
    let id = written.filter(|id| id.starts_with(['"', '-']) || id.starts_with(is_digit));
    if written.is_some() && id.is_none() {
        let words = "An id is a string or a number";
        return refuse(None, code::INVALID_REQUEST, words);
    }
    if message.members().string("jsonrpc").as_deref() != Some("2.0") {
        return refuse(id, code::INVALID_REQUEST, "\"jsonrpc\" must be \"2.0\"");
    }
    let params = message.params();
    match (message.method(), id) {
        (Some(method), Some(id)) => Ok(AgentMessage::Request { id, method, params }),
        (Some(method), None) => Ok(AgentMessage::Notification { method, params }),
        (None, Some(id)) => {
            let outcome = match (message.error(), message.result()) {
                (Some(error), _) => Err(error),
                (None, Some(result)) => Ok(result),
                (None, None) => {
                    return refuse(Some(id), code::INVALID_REQUEST, "Neither method nor result");
                }
            };
            Ok(AgentMessage::Answer { id, outcome })
        }
        (None, None) => refuse(None, code::INVALID_REQUEST, "Neither method nor id"),
    }
}

fn is_digit(character: char) -> bool {
    character.is_ascii_digit()
}

/// Returns the text of a response with a result, which is JSON text on one line.
pub fn response(id: &str, result: &str) -> String {
    format!(r#"{{"jsonrpc":"2.0","id":{id},"result":{result}}}"#)
}

/// Returns the text of a response with an error, a JSON text. Without an id it is `null` (JSON-RPC
/// 2.0, section 5).
pub fn error_response(id: Option<&str>, error: &str) -> String {
    let id = id.unwrap_or("null");
    format!(r#"{{"jsonrpc":"2.0","id":{id},"error":{error}}}"#)
}

/// Returns the text of a notification.
pub fn notification(method: &str, params: &str) -> String {
    format!(r#"{{"jsonrpc":"2.0","method":"{method}","params":{params}}}"#)
}

/// Returns the text of a request of ours.
pub fn request(id: &str, method: &str, params: &str) -> String {
    let (id, method) = (quoted(id), quoted(method));
    format!(r#"{{"jsonrpc":"2.0","id":{id},"method":{method},"params":{params}}}"#)
}

/// Returns an object with a member that it has to have, which is added in front where it lacks it.
pub fn with_member(text: &str, name: &str, value: &str) -> String {
    let has_it = Members::parse(text).is_ok_and(|members| members.given(name).is_some());
    match text.trim_start().strip_prefix('{') {
        Some(rest) if !has_it => {
            let comma = match rest.trim_start().starts_with('}') {
                true => "",
                false => ",",
            };
            format!("{{{}:{value}{comma}{rest}", quoted(name))
        }
        _ => text.to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_message_is_a_request_a_notification_or_an_answer() {
        let read_request = read(r#"{"jsonrpc":"2.0","id":9007199254740993,"method":"ping"}"#);
        assert!(matches!(
            read_request,
            Ok(AgentMessage::Request {
                id: "9007199254740993",
                ..
            })
        ));
        let told = read(r#"{"jsonrpc":"2.0","method":"a","params":{"b":1}}"#);
        assert!(matches!(
            told,
            Ok(AgentMessage::Notification {
                params: Some(r#"{"b":1}"#),
                ..
            })
        ));
        let answer = read(r#"{"jsonrpc":"2.0","id":"s-1","result":{}}"#);
        assert!(matches!(
            answer,
            Ok(AgentMessage::Answer {
                outcome: Ok("{}"),
                ..
            })
        ));
    }

    #[test]
    fn what_is_no_message_is_refused_with_the_code_of_its_fault() {
        for (text, refused) in [
            ("{", code::PARSE_ERROR),
            ("7", code::INVALID_REQUEST),
            ("[]", code::INVALID_REQUEST),
            (r#"{"jsonrpc":"2.0"}"#, code::INVALID_REQUEST),
            (r#"{"id":1,"method":"ping"}"#, code::INVALID_REQUEST),
            (
                r#"{"jsonrpc":"2.0","id":{},"method":"ping"}"#,
                code::INVALID_REQUEST,
            ),
        ] {
            let (_, error) = read(text).expect_err("no message");
            assert_eq!(error.code, refused, "{text}");
        }
    }

    #[test]
    fn a_member_is_added_once() {
        let add = |text| with_member(text, "a", "1");
        assert_eq!(add("{}"), r#"{"a":1}"#);
        assert_eq!(add(r#"{"b":2}"#), r#"{"a":1,"b":2}"#);
        assert_eq!(add(r#"{"a":3}"#), r#"{"a":3}"#);
        assert_eq!(add("7"), "7");
    }
}
