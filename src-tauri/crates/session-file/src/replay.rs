//! Gathers the requests of a recording that can be sent again, with what answered them.

use std::collections::HashMap;

use sightglass_json_text::{Members, Message};
use sightglass_traffic::{Direction, RecordedFrame};

use crate::{
    exchanges::{RequestKey, steps},
    message::{messages, within, without_volatile_meta},
};

/// Requests that are kept.
const MAX_CALLS: usize = 10_000;
/// Bytes of requests and answers that are kept.
const MAX_BYTES: usize = 256 << 20;

/// Methods that are sent again: those that ask something of the server, and none that is about the
/// connection itself.
const METHODS: [&str; 8] = [
    "tools/list",
    "tools/call",
    "prompts/list",
    "prompts/get",
    "resources/list",
    "resources/templates/list",
    "resources/read",
    "completion/complete",
];

/// A recorded request and its answer.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RecordedCall {
    pub method: String,
    /// A JSON object as it was written, without what is about the call alone.
    pub params: String,
    /// The tool or prompt, or the resource's address. `None` where the parameters have none, or
    /// where servers could read different ones in them.
    pub name: Option<String>,
    /// The result or the error, as JSON; `None` where no answer was recorded.
    pub answer: Option<String>,
    /// True when secrets were masked in the request, which is then another one.
    pub is_masked: bool,
}

/// Gathers the calls of a recording, in order.
#[derive(Debug, Default)]
pub struct ReplayBuilder {
    /// The places of calls.
    open: HashMap<RequestKey, usize>,
    calls: Vec<RecordedCall>,
    bytes: usize,
}

impl ReplayBuilder {
    /// Takes the next frame of the recording.
    pub fn frame(&mut self, frame: &RecordedFrame) {
        for step in steps(frame) {
            match (step.method, step.request) {
                (Some(method), Some(key)) if key.asked == Direction::Sent => {
                    self.asked(frame, key, method, step.message.params());
                }
                (None, Some(key)) => self.answered(&key, &step.message),
                _ => {}
            }
        }
    }

    fn asked(
        &mut self,
        frame: &RecordedFrame,
        key: RequestKey,
        method: String,
        params: Option<&str>,
    ) {
        self.open.remove(&key);
        // A further round of a call belongs to that call, whose questions are asked anew.
        let is_round = ["requestState", "inputResponses"]
            .iter()
            .any(|name| within(params, &[name]).is_some());
        // A further page has a cursor that the server made up for that list.
        let is_page = within(params, &["cursor"]).is_some();
        if !METHODS.contains(&method.as_str()) || is_round || is_page {
            return;
        }
        let params = without_volatile_meta(params);
        self.bytes += params.len() + key.id.len();
        if self.calls.len() >= MAX_CALLS || self.bytes > MAX_BYTES {
            return;
        }
        self.open.insert(key, self.calls.len());
        self.calls.push(RecordedCall {
            name: ["name", "uri"]
                .iter()
                .find_map(|name| only_string(&params, name)),
            method,
            params,
            answer: None,
            is_masked: frame.redacted,
        });
    }

    fn answered(&mut self, key: &RequestKey, message: &Message<'_>) {
        let call = self
            .open
            .remove(key)
            .and_then(|place| self.calls.get_mut(place));
        let answer = message.result().or_else(|| message.error());
        if let (Some(call), Some(answer)) = (call, answer)
            && self.bytes + answer.len() <= MAX_BYTES
        {
            self.bytes += answer.len();
            call.answer = Some(answer.to_owned());
        }
    }

    pub fn finish(self) -> Vec<RecordedCall> {
        self.calls
    }
}

/// A string member of an object; `None` where another member could be taken for it.
fn only_string(params: &str, name: &str) -> Option<String> {
    Members::parse(params).ok()?.only_string(name)
}

/// The result or the error of a response, as JSON; `None` for what is no response.
pub fn answer_of(response: &str) -> Option<String> {
    let messages = messages(response.as_bytes())?;
    let message = messages.first()?;
    let answer = message.result().or_else(|| message.error())?;
    Some(answer.to_owned())
}

#[cfg(test)]
mod tests {
    use bytes::Bytes;
    use sightglass_model::{ConnectionId, FrameId, Timestamp};
    use sightglass_traffic::ExchangeKind;

    use super::*;

    #[test]
    fn calls_are_gathered_in_order_and_rounds_and_handshakes_are_not() {
        let lines = [
            r#"> {"id":0,"method":"initialize","params":{}}"#,
            r#"< {"id":0,"result":{}}"#,
            r#"> {"id":1,"method":"tools/call","params":{"arguments":{"a":1.50},"_meta":{"progressToken":1},"name":"n"}}"#,
            r#"> {"id":2,"method":"tools/list","params":{"_meta":{"mine":1}}}"#,
            r#"> {"id":3,"method":"tools/list","params":{"cursor":"x"}}"#,
            r#"< {"id":2,"error":{"code":1}}"#,
            r#"> {"id":4,"method":"tools/call","params":{"name":"n","inputResponses":{}}}"#,
            r#"< {"id":1,"result":{"n":1e400}}"#,
        ];
        let mut builder = ReplayBuilder::default();
        for (line, number) in lines.iter().zip(1..) {
            let (mark, text) = line.split_once(' ').expect("a mark");
            builder.frame(&RecordedFrame {
                frame: FrameId(number),
                connection: ConnectionId(1),
                carrier: None,
                at: Timestamp::from_millis(0.0),
                kind: ExchangeKind::Request,
                direction: match mark {
                    ">" => Direction::Sent,
                    _ => Direction::Received,
                },
                method: String::new(),
                redacted: false,
                size: 0_u64.into(),
                payload: Some(Bytes::from(text.to_owned())),
                bookmark: None,
            });
        }
        let calls = builder.finish();
        let told: Vec<_> = calls
            .iter()
            .map(|call| (call.params.as_str(), call.answer.as_deref()))
            .collect();
        assert_eq!(
            told,
            [
                (
                    r#"{"arguments":{"a":1.50},"name":"n"}"#,
                    Some(r#"{"n":1e400}"#)
                ),
                (r#"{"_meta":{"mine":1}}"#, Some(r#"{"code":1}"#)),
            ]
        );
        assert_eq!(calls[0].name.as_deref(), Some("n"));
    }

    #[test]
    fn a_name_that_servers_could_read_otherwise_is_none() {
        for (params, expected) in [
            (r#"{"name":"read","arguments":{"name":"x"}}"#, Some("read")),
            (r#"{"uri":"a:b"}"#, Some("a:b")),
            (r#"{"name":"delete","name":"read"}"#, None),
            (r#"{"name":"read","na\u006de":"delete"}"#, None),
            (r#"{"name":"read","Name":"delete"}"#, None),
            (r#"{"NAME":"delete"}"#, None),
            (r#"{"name":5}"#, None),
        ] {
            let read = ["name", "uri"]
                .iter()
                .find_map(|name| only_string(params, name));
            assert_eq!(read.as_deref(), expected, "{params}");
        }
    }
}
