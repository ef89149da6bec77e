//! Pairs the requests of a recording with their answers.
//!
//! An answer belongs to the request that has its id, as it was written, on the same connection and
//! in the other direction. A request is open until its answer comes, or its id is used again. What
//! is remembered of it until then is up to the reader, who keeps no more than [`MAX_OPEN`].

use sightglass_json_text::Message;
use sightglass_model::ConnectionId;
use sightglass_traffic::{Direction, ExchangeKind, RecordedFrame};

use crate::message::messages;

/// Requests of a recording that may be open at one time.
pub(crate) const MAX_OPEN: usize = 100_000;

/// Name of a request among all that are open.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub(crate) struct RequestKey {
    pub connection: ConnectionId,
    /// Direction of the request.
    pub asked: Direction,
    pub id: String,
}

impl RequestKey {
    pub fn new(connection: ConnectionId, asked: Direction, id: &str) -> Self {
        Self {
            connection,
            asked,
            id: id.to_owned(),
        }
    }
}

/// One message of a frame, with its place in an exchange.
pub(crate) struct ExchangeStep<'a> {
    pub message: Message<'a>,
    /// Absent for an answer.
    pub method: Option<String>,
    /// The request that the message is, or that it answers; absent where it has no id.
    pub request: Option<RequestKey>,
}

/// Returns the messages of a frame; none where it has none that can be read.
pub(crate) fn steps(frame: &RecordedFrame) -> Vec<ExchangeStep<'_>> {
    let is_message = matches!(
        frame.kind,
        ExchangeKind::Request | ExchangeKind::Notification | ExchangeKind::Log
    );
    let payload = frame.payload.as_ref().filter(|_| is_message);
    let messages = payload.and_then(|payload| messages(payload));
    messages
        .unwrap_or_default()
        .into_iter()
        .map(|message| {
            let method = message.method();
            let asked = match (&method, frame.direction) {
                (Some(_), direction) => direction,
                (None, Direction::Sent) => Direction::Received,
                (None, Direction::Received) => Direction::Sent,
            };
            let id = message.id();
            ExchangeStep {
                request: id.map(|id| RequestKey::new(frame.connection, asked, id)),
                method,
                message,
            }
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use bytes::Bytes;
    use sightglass_model::{FrameId, Timestamp};

    use super::*;

    fn keys(connection: u32, direction: Direction, text: &str) -> Vec<Option<RequestKey>> {
        let frame = RecordedFrame {
            frame: FrameId(1),
            connection: ConnectionId(connection),
            carrier: None,
            at: Timestamp::from_millis(0.0),
            kind: ExchangeKind::Request,
            direction,
            method: String::new(),
            redacted: false,
            size: text.len().into(),
            payload: Some(Bytes::from(text.to_owned())),
            bookmark: None,
        };
        steps(&frame).into_iter().map(|step| step.request).collect()
    }

    #[test]
    fn an_answer_has_the_key_of_its_request_and_of_no_other() {
        use Direction::{Received, Sent};
        let asked = keys(1, Sent, r#"[{"id":1,"method":"a"},{"method":"b"}]"#);
        assert!(asked.len() == 2 && asked[0].is_some() && asked[1].is_none());
        let answer = r#"{"id":1,"result":{}}"#;
        assert_eq!(keys(1, Received, answer)[0], asked[0]);
        for other in [
            keys(1, Sent, answer),
            keys(2, Received, answer),
            keys(1, Received, r#"{"id":"1","result":{}}"#),
            keys(1, Received, r#"{"id":1,"method":"a"}"#),
        ] {
            assert_ne!(other[0], asked[0]);
        }
    }
}
