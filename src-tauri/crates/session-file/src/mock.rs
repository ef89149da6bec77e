//! Answers requests as a recording did: by method and parameters, without what differs from call to
//! call, and in the order of the recording.
//!
//! `initialize` and `server/discover` are answered whoever asks. The same request gets the recorded
//! answers one after another; the last one is given again. What was not asked in the recording is a
//! miss, which names the nearest request that was.

use std::collections::{HashMap, VecDeque};

use serde_json::Value;
use sightglass_json_text::{Message, object};
use sightglass_model::{FrameId, brief};
use sightglass_traffic::{Direction, RecordedFrame};

use crate::{
    exchanges::{MAX_OPEN, RequestKey, steps},
    message::{messages, string_within, within, without_volatile_meta},
};

/// Answers that are kept, in bytes.
const MAX_BYTES: usize = 1 << 30;
/// Bytes that a request takes besides its parameters.
const BYTES_OF_REQUEST: usize = 256;
/// Notifications that are kept of one request.
const MAX_NOTIFICATIONS: usize = 10_000;
/// Recorded requests that a miss is compared with.
const MAX_COMPARED: usize = 2_000;
/// Characters of parameters that are compared and shown.
const MAX_SHOWN: usize = 400;

/// Member of `_meta` that ties a notification to its subscription (2026-07-28).
const SUBSCRIPTION_ID: &str = "io.modelcontextprotocol/subscriptionId";

/// Reason why a recording cannot be served.
#[derive(Debug, thiserror::Error)]
pub enum MockError {
    #[error("the recording has no answered request, so there is nothing to serve")]
    Empty,
    #[error(
        "secrets were masked in {0} of the messages to serve, so that the answers are not those of \
         the server. Allow that with --allow-masked"
    )]
    Masked(u32),
    #[error("the recording has more than 1 GiB of answers, or 100,000 requests without one")]
    TooLarge,
}

/// A recording as a server that answers.
#[derive(Debug, Default)]
pub struct Mock {
    answers: HashMap<String, MethodAnswers>,
    /// The keys in the order of the recording.
    order: Vec<AskedRequest>,
    has_initialize: bool,
    is_modern: bool,
}

/// Answer for a caller.
#[derive(Debug, Clone, PartialEq)]
pub struct MockAnswer {
    /// Notifications before the answer.
    pub notifications: Vec<String>,
    /// The response; `None` for one that the recording does not have since it stayed open.
    pub response: Option<String>,
}

/// A request that the recording does not have.
#[derive(Debug, Clone, PartialEq)]
pub struct Miss {
    /// True when no request had this method.
    pub is_unknown_method: bool,
    pub message: String,
}

#[derive(Debug)]
struct AskedRequest {
    method: String,
    params: String,
}

#[derive(Debug, Default)]
struct MethodAnswers {
    /// The answers that were not given yet, and the last one.
    left: VecDeque<RecordedAnswer>,
}

#[derive(Debug, Clone, Default)]
struct RecordedAnswer {
    notifications: Vec<String>,
    response: Option<String>,
}

/// Reads a recording into a [`Mock`].
#[derive(Debug, Default)]
pub struct MockBuilder {
    open: HashMap<RequestKey, ServedRequest>,
    /// Requests in the order of the recording, with what answered them.
    closed: Vec<(u32, AskedRequest, RecordedAnswer)>,
    carriers: HashMap<FrameId, RequestKey>,
    number: u32,
    masked: u32,
    bytes: usize,
    is_modern: bool,
}

/// A request, with what the recording answers to it.
#[derive(Debug)]
struct ServedRequest {
    number: u32,
    asked: AskedRequest,
    recorded: RecordedAnswer,
    is_masked: bool,
}

impl MockBuilder {
    /// Takes the next frame of the recording.
    pub fn frame(&mut self, frame: &RecordedFrame) -> Result<(), MockError> {
        for step in steps(frame) {
            let message = &step.message;
            match (&step.method, step.request) {
                (Some(method), Some(key)) if key.asked == Direction::Sent => {
                    self.asked(frame, key, method, message.params())?;
                }
                (Some(_), None) if frame.direction == Direction::Received => {
                    self.told(frame, message);
                }
                (None, Some(key)) => self.answered(frame, &key, message)?,
                _ => {}
            }
        }
        Ok(())
    }

    fn asked(
        &mut self,
        frame: &RecordedFrame,
        key: RequestKey,
        method: &str,
        params: Option<&str>,
    ) -> Result<(), MockError> {
        let asked = AskedRequest::new(method, params);
        // The id stands beside the request and beside its two carriers.
        self.bytes += asked.params.len() + method.len() + 3 * key.id.len() + BYTES_OF_REQUEST;
        if self.bytes > MAX_BYTES || self.open.len() >= MAX_OPEN {
            return Err(MockError::TooLarge);
        }
        self.number += 1;
        self.is_modern |= method == "server/discover"
            || string_within(
                params,
                &["_meta", "io.modelcontextprotocol/protocolVersion"],
            )
            .is_some();
        for carrier in std::iter::once(frame.frame).chain(frame.carrier) {
            self.carriers.insert(carrier, key.clone());
        }
        let open = ServedRequest {
            number: self.number,
            asked,
            recorded: RecordedAnswer::default(),
            is_masked: frame.redacted,
        };
        self.open.insert(key, open);
        Ok(())
    }

    /// Keeps a notification that came during a request.
    fn told(&mut self, frame: &RecordedFrame, message: &Message<'_>) {
        let params = message.params();
        let subscription = within(params, &["_meta", SUBSCRIPTION_ID]);
        let key = match subscription {
            Some(id) => Some(RequestKey::new(frame.connection, Direction::Sent, id)),
            None => frame
                .carrier
                .and_then(|carrier| self.carriers.get(&carrier).cloned()),
        };
        let Some(open) = key.and_then(|key| self.open.get_mut(&key)) else {
            return;
        };
        let text = rewritten(message, None);
        if self.bytes + text.len() <= MAX_BYTES
            && open.recorded.notifications.len() < MAX_NOTIFICATIONS
        {
            self.bytes += text.len();
            open.is_masked |= frame.redacted;
            open.recorded.notifications.push(text);
        }
    }

    fn answered(
        &mut self,
        frame: &RecordedFrame,
        key: &RequestKey,
        message: &Message<'_>,
    ) -> Result<(), MockError> {
        let Some(mut open) = self.open.remove(key) else {
            return Ok(());
        };
        let text = rewritten(message, None);
        self.bytes += text.len();
        if self.bytes > MAX_BYTES {
            return Err(MockError::TooLarge);
        }
        self.masked += u32::from(open.is_masked || frame.redacted);
        open.recorded.response = Some(text);
        self.closed.push((open.number, open.asked, open.recorded));
        Ok(())
    }

    /// Makes the server.
    ///
    /// # Errors
    /// When nothing was answered, or secrets were masked in what would be served.
    pub fn finish(mut self, allow_masked: bool) -> Result<Mock, MockError> {
        // A subscription stays open; what it told at first is its answer.
        let listening = self
            .open
            .into_values()
            .filter(|open| open.asked.method == "subscriptions/listen");
        self.closed
            .extend(listening.map(|open| (open.number, open.asked, open.recorded)));
        if !self
            .closed
            .iter()
            .any(|(_, _, recorded)| recorded.response.is_some())
        {
            return Err(MockError::Empty);
        }
        if self.masked > 0 && !allow_masked {
            return Err(MockError::Masked(self.masked));
        }
        self.closed.sort_by_key(|(number, ..)| *number);
        let mut mock = Mock {
            is_modern: self.is_modern,
            ..Mock::default()
        };
        for (_, asked, recorded) in self.closed {
            mock.has_initialize |= asked.method == "initialize";
            let answers = mock.answers.entry(asked.key()).or_default();
            if answers.left.is_empty() {
                mock.order.push(asked);
            }
            answers.left.push_back(recorded);
        }
        Ok(mock)
    }
}

impl Mock {
    /// True when the recording has an `initialize` (revisions up to 2025-11-25).
    pub fn has_initialize(&self) -> bool {
        self.has_initialize
    }

    /// True when the recording has requests of revision 2026-07-28.
    pub fn is_modern(&self) -> bool {
        self.is_modern
    }

    /// Answers a request, under the caller's id. All are JSON as it was written.
    pub fn answer(
        &mut self,
        method: &str,
        id: &str,
        params: Option<&str>,
    ) -> Result<MockAnswer, Miss> {
        let asked = AskedRequest::new(method, params);
        let Some(answers) = self.answers.get_mut(&asked.key()) else {
            // A sign of life is no part of a recording's content.
            if method == "ping" {
                return Ok(MockAnswer {
                    notifications: Vec::new(),
                    response: Some(format!(r#"{{"jsonrpc":"2.0","id":{id},"result":{{}}}}"#)),
                });
            }
            return Err(self.miss(&asked));
        };
        let recorded = match answers.left.len() {
            0 | 1 => answers.left.front().cloned(),
            _ => answers.left.pop_front(),
        };
        let recorded = recorded.unwrap_or_default();
        let token = within(params, &["_meta", "progressToken"]);
        let notifications = recorded
            .notifications
            .iter()
            .filter_map(|text| addressed(text, token, id))
            .collect();
        let response = recorded.response.as_ref().and_then(|text| {
            let messages = messages(text.as_bytes())?;
            Some(rewritten(messages.first()?, Some(id)))
        });
        Ok(MockAnswer {
            notifications,
            response,
        })
    }

    fn miss(&self, asked: &AskedRequest) -> Miss {
        let is_unknown_method = !self.order.iter().any(|known| known.method == asked.method);
        let nearest = self
            .order
            .iter()
            .filter(|known| is_unknown_method || known.method == asked.method)
            .take(MAX_COMPARED)
            .max_by(|left, right| asked.likeness(left).total_cmp(&asked.likeness(right)));
        let nearest = nearest.map_or_else(
            || "It has no request at all.".to_owned(),
            |nearest| format!("The nearest recorded request is {}.", nearest.shown()),
        );
        Miss {
            is_unknown_method,
            message: format!(
                "The recording has no answer to {}. {nearest}",
                asked.shown()
            ),
        }
    }
}

/// A notification for another caller: with its progress token and its id. `None` when the caller
/// wants no progress.
fn addressed(text: &str, token: Option<&str>, id: &str) -> Option<String> {
    let mut message: Value = serde_json::from_str(text).ok()?;
    let params = message.get_mut("params").and_then(Value::as_object_mut);
    if let Some(params) = params {
        if let Some(place) = params.get_mut("progressToken") {
            *place = serde_json::from_str(token?).ok()?;
        }
        let subscription = params
            .get_mut("_meta")
            .and_then(|meta| meta.get_mut(SUBSCRIPTION_ID));
        if let Some(place) = subscription {
            *place = serde_json::from_str(id).ok()?;
        }
    }
    Some(message.to_string())
}

impl AskedRequest {
    fn new(method: &str, params: Option<&str>) -> Self {
        let params = match method {
            // These say who asks, and what the caller can do.
            "initialize" | "server/discover" => String::new(),
            _ => canonical(params),
        };
        Self {
            method: method.to_owned(),
            params,
        }
    }

    fn key(&self) -> String {
        format!("{}\n{}", self.method, self.params)
    }

    fn shown(&self) -> String {
        let text = format!("{} {}", self.method, self.params);
        brief(text.trim_end(), MAX_SHOWN).into_owned()
    }

    /// Likeness of two requests, from 0 to 1.
    fn likeness(&self, other: &Self) -> f64 {
        strsim::sorensen_dice(&self.shown(), &other.shown())
    }
}

/// Parameters with sorted members and without what differs from call to call.
fn canonical(params: Option<&str>) -> String {
    let params = without_volatile_meta(params);
    let Ok(mut value) = serde_json::from_str::<Value>(&params) else {
        return params;
    };
    value.sort_all_objects();
    value.to_string()
}

/// A message with another id, its other members as they were written.
fn rewritten(message: &Message<'_>, id: Option<&str>) -> String {
    object(message.members().iter().map(|(name, value)| match id {
        Some(id) if name == "id" => (name, id),
        _ => (name, value),
    }))
}

#[cfg(test)]
mod tests {
    use bytes::Bytes;
    use sightglass_model::{ConnectionId, Timestamp};
    use sightglass_traffic::ExchangeKind;

    use super::*;

    fn built(lines: &[&str]) -> MockBuilder {
        let mut builder = MockBuilder::default();
        for (line, number) in lines.iter().zip(1..) {
            let (mark, text) = line.split_once(' ').expect("a mark");
            let frame = RecordedFrame {
                frame: FrameId(number),
                connection: ConnectionId(1),
                carrier: (mark.len() > 1).then_some(FrameId(number - 1)),
                at: Timestamp::from_millis(0.0),
                kind: ExchangeKind::Request,
                direction: match mark.starts_with('>') {
                    true => Direction::Sent,
                    false => Direction::Received,
                },
                method: String::new(),
                redacted: text.contains('•'),
                size: text.len().into(),
                payload: Some(Bytes::from(text.to_owned())),
                bookmark: None,
            };
            builder.frame(&frame).expect("kept");
        }
        builder
    }

    const CALL: &str = r#"> {"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"echo","arguments":{"b":1,"a":"x"},"_meta":{"progressToken":5,"traceparent":"t"}}}"#;

    fn response(mock: &mut Mock, params: &str) -> String {
        let answer = mock.answer("tools/call", "\"mine\"", Some(params));
        answer.expect("an answer").response.expect("a response")
    }

    #[test]
    fn answers_come_in_order_under_the_callers_id_and_the_last_again() {
        let mut mock = built(&[
            CALL,
            r#"< {"jsonrpc":"2.0","id":1,"result":{"n":1.50,"later":{}}}"#,
            &CALL.replace("\"id\":1", "\"id\":2"),
            r#"< {"jsonrpc":"2.0","id":2,"error":{"code":7}}"#,
        ])
        .finish(false)
        .expect("a mock");
        let params = r#"{"arguments":{"a":"x","b":1},"name":"echo","_meta":{"baggage":"z"}}"#;
        let first = r#"{"jsonrpc":"2.0","id":"mine","result":{"n":1.50,"later":{}}}"#;
        let second = r#"{"jsonrpc":"2.0","id":"mine","error":{"code":7}}"#;
        for expected in [first, second, second] {
            assert_eq!(response(&mut mock, params), expected);
        }
    }

    #[test]
    fn a_miss_names_the_nearest_request() {
        let list = r#"> {"id":9,"method":"tools/list"}"#;
        let mut mock = built(&[
            CALL,
            r#"< {"id":1,"result":{}}"#,
            list,
            r#"< {"id":9,"result":{}}"#,
        ])
        .finish(false)
        .expect("a mock");
        let params = r#"{"name":"echo","arguments":{"a":"y","b":1}}"#;
        let miss = mock
            .answer("tools/call", "1", Some(params))
            .expect_err("a miss");
        assert!(!miss.is_unknown_method);
        assert_eq!(
            miss.message,
            "The recording has no answer to tools/call \
             {\"arguments\":{\"a\":\"y\",\"b\":1},\"name\":\"echo\"}. The nearest recorded request \
             is tools/call {\"arguments\":{\"a\":\"x\",\"b\":1},\"name\":\"echo\"}."
        );
        let miss = mock.answer("tools/lists", "1", None).expect_err("a miss");
        assert!(
            miss.is_unknown_method && miss.message.ends_with("tools/list {}."),
            "{miss:?}"
        );
        assert!(mock.answer("ping", "1", None).is_ok());
    }

    #[test]
    fn who_asks_first_does_not_matter() {
        let initialize = r#"> {"id":0,"method":"initialize","params":{"clientInfo":{"name":"a"}}}"#;
        let mut mock = built(&[
            initialize,
            r#"< {"id":0,"result":{"protocolVersion":"2025-06-18"}}"#,
        ])
        .finish(false)
        .expect("a mock");
        assert!(mock.has_initialize() && !mock.is_modern());
        let params = r#"{"clientInfo":{"name":"b"},"protocolVersion":"2025-11-25"}"#;
        assert!(mock.answer("initialize", "1", Some(params)).is_ok());
    }

    #[test]
    fn notifications_during_a_call_get_the_callers_token() {
        let mut mock = built(&[
            CALL,
            r#"<c {"method":"notifications/progress","params":{"progressToken":5,"progress":1}}"#,
            r#"< {"id":1,"result":{}}"#,
        ])
        .finish(false)
        .expect("a mock");
        let with = r#"{"name":"echo","arguments":{"a":"x","b":1},"_meta":{"progressToken":"p"}}"#;
        let answer = mock
            .answer("tools/call", "1", Some(with))
            .expect("an answer");
        assert_eq!(
            answer.notifications,
            [r#"{"method":"notifications/progress","params":{"progressToken":"p","progress":1}}"#]
        );
        let without = r#"{"name":"echo","arguments":{"a":"x","b":1}}"#;
        let answer = mock
            .answer("tools/call", "1", Some(without))
            .expect("an answer");
        assert!(answer.notifications.is_empty());
    }

    #[test]
    fn masked_and_empty_recordings_are_refused() {
        let masked = [CALL, r#"< {"id":1,"result":{"token":"•••"}}"#];
        assert!(matches!(
            built(&masked).finish(false),
            Err(MockError::Masked(1))
        ));
        assert!(built(&masked).finish(true).is_ok());
        assert!(matches!(built(&[CALL]).finish(true), Err(MockError::Empty)));
    }
}
