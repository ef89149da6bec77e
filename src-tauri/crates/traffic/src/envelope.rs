//! Reads the envelope of a JSON-RPC message without building a tree of it.
//!
//! Apart from [`sightglass_json_text::Message`], since each message passes through here before it
//! goes on. That one makes a list of all members, is read a second time for what is inside a result,
//! and takes text alone. This one is made of bytes, in the one pass that checks them: `isError` of a
//! result, which may be of many megabytes, is found on the way.

use std::{borrow::Cow, fmt};

use serde::{
    Deserialize, Deserializer,
    de::{self, IgnoredAny, MapAccess, SeqAccess, Visitor},
};
use serde_json::value::RawValue;
use sightglass_json_text::ErrorObject;

/// Kind of a message, by the members that JSON-RPC 2.0 (sections 4 and 5) tells them apart by.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum MessageKind {
    /// `method` and `id`.
    Request,
    /// `id` and `result`.
    Response,
    /// `error`, with an `id` that may be `null`.
    ErrorResponse,
    /// `method` without `id`.
    Notification,
    /// An array of messages (revision 2025-03-26 of MCP allowed these).
    Batch,
    /// Not JSON, or JSON that is none of the above.
    Invalid,
}

/// Kind, id and method of a message, borrowed from its text.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Envelope<'a> {
    pub kind: MessageKind,
    /// The id as it was written, for instance `7` or `"a7"`. Absent for notifications, for
    /// batches and where the id is `null`.
    pub id: Option<&'a str>,
    pub method: Option<Cow<'a, str>>,
}

/// Reads kind, id and method of `text` in one pass that allocates nothing for what is inside.
pub fn envelope(text: &[u8]) -> Envelope<'_> {
    Peek::at(text).envelope()
}

/// One message, borrowed from its text.
#[derive(Debug, Default)]
pub(crate) struct PeekedMessage<'a> {
    pub id: Option<&'a str>,
    pub method: Option<Cow<'a, str>>,
    pub params: Option<&'a RawValue>,
    pub has_result: bool,
    /// `isError` of a tool's result.
    pub result_is_error: bool,
    pub has_error: bool,
    /// `code` of the error, where it is one as JSON-RPC 2.0 (section 5.1) says.
    pub error_code: Option<i32>,
}

/// A text, parsed as far as the record needs it.
#[derive(Debug)]
pub(crate) enum Peek<'a> {
    One(PeekedMessage<'a>),
    Batch(Vec<PeekedMessage<'a>>),
    Invalid,
}

impl<'a> Peek<'a> {
    pub fn at(text: &'a [u8]) -> Self {
        let begins_with = text.iter().find(|byte| !byte.is_ascii_whitespace());
        match begins_with {
            Some(b'{') => match serde_json::from_slice::<PeekedMessage<'a>>(text) {
                Ok(message) if message.kind() != MessageKind::Invalid => Peek::One(message),
                _ => Peek::Invalid,
            },
            Some(b'[') => match serde_json::from_slice::<Vec<PeekedMessage<'a>>>(text) {
                Ok(messages) if !messages.is_empty() => Peek::Batch(messages),
                _ => Peek::Invalid,
            },
            _ => Peek::Invalid,
        }
    }

    pub fn envelope(self) -> Envelope<'a> {
        let (kind, id, method) = match self {
            Peek::One(message) => (message.kind(), message.id, message.method),
            Peek::Batch(_) => (MessageKind::Batch, None, None),
            Peek::Invalid => (MessageKind::Invalid, None, None),
        };
        Envelope { kind, id, method }
    }
}

impl PeekedMessage<'_> {
    pub fn kind(&self) -> MessageKind {
        if self.method.is_some() {
            match self.id {
                Some(_) => MessageKind::Request,
                None => MessageKind::Notification,
            }
        } else if self.has_error {
            MessageKind::ErrorResponse
        } else if self.has_result {
            MessageKind::Response
        } else {
            MessageKind::Invalid
        }
    }
}

/// A string that borrows where it holds no escapes; `None` for anything that is not a string.
pub(crate) struct Text<'a>(pub Option<Cow<'a, str>>);

impl<'de: 'a, 'a> Deserialize<'de> for Text<'a> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        #[derive(Deserialize)]
        struct Borrowed<'a>(#[serde(borrow)] Cow<'a, str>);
        let text = <&RawValue>::deserialize(deserializer)?.get();
        let is_string = text.starts_with('"');
        let read = is_string.then(|| serde_json::from_str(text).ok()).flatten();
        Ok(Self(read.map(|Borrowed(text)| text)))
    }
}

/// `isError` of a result; false for a result that is no object. Read in the one pass over the
/// message, since a result can be large.
struct ResultIsError(bool);

impl<'de> Deserialize<'de> for ResultIsError {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct ResultVisitor;
        impl<'de> Visitor<'de> for ResultVisitor {
            type Value = bool;

            fn expecting(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
                formatter.write_str("any JSON value")
            }

            fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<bool, A::Error> {
                let mut is_error = false;
                while let Some(key) = map.next_key::<Key>()? {
                    match key {
                        Key::IsError => is_error = map.next_value::<&RawValue>()?.get() == "true",
                        _ => drop(map.next_value::<IgnoredAny>()?),
                    }
                }
                Ok(is_error)
            }

            fn visit_seq<A: SeqAccess<'de>>(self, mut items: A) -> Result<bool, A::Error> {
                while items.next_element::<IgnoredAny>()?.is_some() {}
                Ok(false)
            }

            fn visit_str<E: de::Error>(self, _: &str) -> Result<bool, E> {
                Ok(false)
            }

            fn visit_bool<E: de::Error>(self, _: bool) -> Result<bool, E> {
                Ok(false)
            }

            fn visit_i64<E: de::Error>(self, _: i64) -> Result<bool, E> {
                Ok(false)
            }

            fn visit_u64<E: de::Error>(self, _: u64) -> Result<bool, E> {
                Ok(false)
            }

            fn visit_f64<E: de::Error>(self, _: f64) -> Result<bool, E> {
                Ok(false)
            }

            fn visit_unit<E: de::Error>(self) -> Result<bool, E> {
                Ok(false)
            }
        }
        deserializer.deserialize_any(ResultVisitor).map(Self)
    }
}

/// The member names that matter, found without copying them.
enum Key {
    Id,
    Method,
    Params,
    Result,
    Error,
    IsError,
    Other,
}

impl<'de> Deserialize<'de> for Key {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct KeyVisitor;
        impl Visitor<'_> for KeyVisitor {
            type Value = Key;
            fn expecting(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
                formatter.write_str("a member name")
            }
            fn visit_str<E: de::Error>(self, text: &str) -> Result<Key, E> {
                Ok(match text {
                    "id" => Key::Id,
                    "method" => Key::Method,
                    "params" => Key::Params,
                    "result" => Key::Result,
                    "error" => Key::Error,
                    "isError" => Key::IsError,
                    _ => Key::Other,
                })
            }
        }
        deserializer.deserialize_str(KeyVisitor)
    }
}

impl<'de: 'a, 'a> Deserialize<'de> for PeekedMessage<'a> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct MessageVisitor;
        impl<'de> Visitor<'de> for MessageVisitor {
            type Value = PeekedMessage<'de>;
            fn expecting(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
                formatter.write_str("a JSON-RPC message")
            }
            fn visit_map<A: MapAccess<'de>>(
                self,
                mut map: A,
            ) -> Result<PeekedMessage<'de>, A::Error> {
                let mut message = PeekedMessage::default();
                while let Some(key) = map.next_key::<Key>()? {
                    match key {
                        Key::Id => {
                            let id = map.next_value::<&'de RawValue>()?.get();
                            message.id = (id != "null").then_some(id);
                        }
                        Key::Method => message.method = map.next_value::<Text<'de>>()?.0,
                        Key::Params => message.params = Some(map.next_value()?),
                        Key::Result => {
                            message.has_result = true;
                            message.result_is_error = map.next_value::<ResultIsError>()?.0;
                        }
                        Key::Error => {
                            let error = map.next_value::<&'de RawValue>()?;
                            message.has_error = error.get() != "null";
                            message.error_code = ErrorObject::parse(error.get())
                                .and_then(|error| error.code()?.parse().ok());
                        }
                        _ => {
                            map.next_value::<IgnoredAny>()?;
                        }
                    }
                }
                Ok(message)
            }
        }
        deserializer.deserialize_map(MessageVisitor)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn kind(text: &str) -> MessageKind {
        envelope(text.as_bytes()).kind
    }

    #[test]
    fn the_members_tell_messages_apart() {
        use MessageKind::*;
        assert_eq!(kind(r#"{"jsonrpc":"2.0","id":1,"method":"ping"}"#), Request);
        assert_eq!(kind(r#"{"jsonrpc":"2.0","method":"x"}"#), Notification);
        assert_eq!(kind(r#"{"id":1,"result":null}"#), Response);
        assert_eq!(kind(r#"{"id":1,"result":[1,{"isError":true}]}"#), Response);
        assert_eq!(
            kind(r#"{"id":null,"error":{"code":-32700,"message":"no"}}"#),
            ErrorResponse
        );
        assert_eq!(kind(r#"[{"id":1,"method":"ping"}]"#), Batch);
        for invalid in [
            "",
            "hello",
            "{",
            "[]",
            "7",
            r#"{"id":1}"#,
            r#"{"id":1,"result":{}"#,
        ] {
            assert_eq!(kind(invalid), Invalid, "{invalid}");
        }
    }

    #[test]
    fn the_id_is_kept_as_it_was_written() {
        fn id(text: &str) -> Option<&str> {
            envelope(text.as_bytes()).id
        }
        assert_eq!(id(r#"{"id":1,"method":"a"}"#), Some("1"));
        assert_eq!(id(r#"{"id":"1","method":"a"}"#), Some("\"1\""));
        assert_eq!(
            id(r#"{"id":123456789012345678901234567890,"method":"a"}"#),
            Some("123456789012345678901234567890")
        );
        assert_eq!(id(r#"{"id":null,"method":"a"}"#), None);
    }

    #[test]
    fn a_failed_tool_and_an_error_are_seen() {
        let Peek::One(message) = Peek::at(br#"{"id":1,"result":{"content":[],"isError":true}}"#)
        else {
            panic!("a response")
        };
        assert!(message.result_is_error);
        let Peek::One(message) =
            Peek::at(br#"{"id":1,"error":{"code":-32602,"message":"bad \"name\""}}"#)
        else {
            panic!("a response")
        };
        assert!(message.has_error);
        assert_eq!(message.error_code, Some(-32602));
    }

    #[test]
    fn repeated_members_do_not_make_a_message_invalid() {
        assert_eq!(
            kind(r#"{"id":1,"id":2,"method":"a","method":"b"}"#),
            MessageKind::Request
        );
    }
}
