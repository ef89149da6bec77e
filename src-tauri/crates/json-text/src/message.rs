//! Reads JSON-RPC messages without trusting them.

use crate::Members;

/// A message as JSON-RPC 2.0 (sections 4 and 5) describes it: its own members by name, any others
/// beside them. Nothing is checked but that it is an object.
pub struct Message<'a>(Members<'a>);

impl<'a> Message<'a> {
    /// Reads one message.
    ///
    /// # Errors
    /// When the text is no JSON, or is not an object.
    pub fn parse(text: &'a str) -> Result<Self, serde_json::Error> {
        Members::parse(text).map(Self)
    }

    /// Reads the messages of a text: one, or those of a batch.
    ///
    /// # Errors
    /// When the text is no JSON, or is neither an object nor an array of objects.
    pub fn all(text: &'a str) -> Result<Vec<Self>, serde_json::Error> {
        if text.trim_start().starts_with('[') {
            let batch: Vec<Members<'a>> = serde_json::from_str(text)?;
            return Ok(batch.into_iter().map(Self).collect());
        }
        Ok(vec![Self::parse(text)?])
    }

    /// Returns the id as it was written; none where it is `null`.
    pub fn id(&self) -> Option<&'a str> {
        self.0.given("id")
    }

    pub fn method(&self) -> Option<String> {
        self.0.string("method")
    }

    pub fn params(&self) -> Option<&'a str> {
        self.0.given("params")
    }

    /// Returns the result, which may be `null`.
    pub fn result(&self) -> Option<&'a str> {
        self.0.text("result")
    }

    /// Returns the error; none where it is `null`, which some servers add to each result.
    pub fn error(&self) -> Option<&'a str> {
        self.0.given("error")
    }

    /// Returns all members.
    pub fn members(&self) -> &Members<'a> {
        &self.0
    }
}

/// The error of a response (JSON-RPC 2.0, section 5.1). Nothing is checked but that it is an object.
pub struct ErrorObject<'a>(Members<'a>);

impl<'a> ErrorObject<'a> {
    /// Reads an error. `None` where it is no object.
    pub fn parse(text: &'a str) -> Option<Self> {
        Members::parse(text).ok().map(Self)
    }

    /// Returns the code as it was written, which may be no integer.
    pub fn code(&self) -> Option<&'a str> {
        self.0.given("code")
    }

    /// Returns the message where it is a string.
    pub fn message(&self) -> Option<String> {
        self.0.string("message")
    }

    pub fn data(&self) -> Option<&'a str> {
        self.0.given("data")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_message_is_read_as_it_was_written() {
        let text = r#"{"id":9007199254740993,"result":null,"error":null,"other":1.50}"#;
        let message = Message::parse(text).expect("an object");
        assert_eq!(message.id(), Some("9007199254740993"));
        assert_eq!((message.method(), message.params()), (None, None));
        assert_eq!((message.result(), message.error()), (Some("null"), None));
        assert_eq!(message.members().text("other"), Some("1.50"));
    }

    #[test]
    fn an_error_is_read_as_it_was_written() {
        let text = r#"{"code":-32602.0,"message":"a\nb","data":{"n":12345678901234567890}}"#;
        let error = ErrorObject::parse(text).expect("an object");
        assert_eq!(error.code(), Some("-32602.0"));
        assert_eq!(error.message().as_deref(), Some("a\nb"));
        assert_eq!(error.data(), Some(r#"{"n":12345678901234567890}"#));
        let odd = ErrorObject::parse(r#"{"code":null,"message":7}"#).expect("an object");
        assert_eq!((odd.code(), odd.message(), odd.data()), (None, None, None));
        assert!(ErrorObject::parse("\"no\"").is_none());
    }

    #[test]
    fn a_batch_is_each_of_its_messages() {
        fn ids(text: &str) -> Option<Vec<Option<&str>>> {
            let messages = Message::all(text).ok()?;
            Some(messages.iter().map(Message::id).collect())
        }
        assert_eq!(
            ids(r#" [{"id":1},{"id":null}]"#),
            Some(vec![Some("1"), None])
        );
        assert_eq!(ids(r#"{"id":"a"}"#), Some(vec![Some("\"a\"")]));
        for other in ["[1]", "7", "[{}", ""] {
            assert_eq!(ids(other), None, "{other}");
        }
    }
}
