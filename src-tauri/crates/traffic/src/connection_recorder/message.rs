//! Records messages: prepares what can be known before a message has a number, then starts and
//! ends rows with it.

use std::{borrow::Cow, fmt::Write as _, time::Instant};

use bytes::Bytes;
use sightglass_model::{FrameId, Timestamp};

use super::{
    CarrierId, ConnectionRecorder, beginning, masked_payload,
    response_matcher::ResponseMatcher,
    target::{self, MessageSubject},
};
use crate::{
    Direction, ExchangeKind, Outcome,
    block::NewFrame,
    envelope::{MessageKind, Peek, PeekedMessage},
    query::view::{is_call, opens_stream},
    queue::WriteQueue,
    shortened::shortened,
};

/// A message with everything that can be known before it has a number.
pub(super) struct Prepared<'a> {
    pub peek: Peek<'a>,
    direction: Direction,
    carrier: u32,
    at: Timestamp,
    now: Instant,
    size: usize,
    pub payload: Bytes,
    redacted: bool,
    method: Cow<'a, str>,
    subject: MessageSubject<'a>,
}

/// A moment on the wall clock, and on the clock that durations are measured by.
#[derive(Debug, Clone, Copy)]
pub(super) struct Moment {
    pub at: Timestamp,
    pub now: Instant,
}

impl Moment {
    pub fn now() -> Self {
        Self {
            at: Timestamp::now(),
            now: Instant::now(),
        }
    }
}

impl Prepared<'_> {
    /// Takes over what was true of a message that was recorded before.
    pub fn was(&mut self, size: usize, redacted: bool) {
        self.size = size;
        self.redacted |= redacted;
    }
}

impl ConnectionRecorder {
    pub(super) fn prepare<'a>(
        &self,
        direction: Direction,
        text: &'a Bytes,
        carrier: Option<CarrierId>,
        moment: Moment,
    ) -> Prepared<'a> {
        let redactor = self.redactor();
        let peek = Peek::at(text);
        let (payload, redacted) = masked_payload(&redactor, text.clone());
        let mut subject = MessageSubject::default();
        let method = match &peek {
            Peek::One(message) => match &message.method {
                Some(method) => {
                    subject = target::subject(method, message.params);
                    redactor.text(method.clone())
                }
                None => Cow::Borrowed("response"),
            },
            Peek::Batch(messages) => {
                subject.target = Cow::Owned(batch_words(messages));
                Cow::Borrowed("batch")
            }
            Peek::Invalid => {
                let text = String::from_utf8_lossy(beginning(&payload));
                subject.target = Cow::Owned(text.into_owned());
                Cow::Borrowed("invalid")
            }
        };
        // Masked before it is shortened: half a secret is one too.
        subject.target = redactor.text(subject.target);
        if let Cow::Owned(short) = shortened(&subject.target) {
            subject.target = Cow::Owned(short);
        }
        let method = match shortened(&method) {
            Cow::Owned(short) => Cow::Owned(short),
            Cow::Borrowed(_) => method,
        };
        Prepared {
            peek,
            direction,
            carrier: carrier.map_or(0, |carrier| carrier.0.0),
            at: moment.at,
            now: moment.now,
            size: text.len(),
            payload,
            redacted,
            method,
            subject,
        }
    }

    pub(super) fn record(&self, queue: &mut WriteQueue, prepared: &Prepared<'_>) -> FrameId {
        let mut matcher = self.matcher();
        match &prepared.peek {
            Peek::One(message) => self.record_one(queue, &mut matcher, prepared, message),
            Peek::Batch(messages) => self.record_batch(queue, &mut matcher, prepared, messages),
            Peek::Invalid => {
                let frame = NewFrame {
                    outcome: Outcome::Error,
                    ..self.message_frame(prepared)
                };
                FrameId(queue.push(frame).0)
            }
        }
    }

    fn message_frame<'a>(&self, prepared: &'a Prepared<'_>) -> NewFrame<'a> {
        NewFrame {
            carrier: prepared.carrier,
            size: prepared.size,
            direction: prepared.direction,
            redacted: prepared.redacted,
            ..self.frame(
                prepared.at,
                &prepared.method,
                &prepared.subject.target,
                prepared.payload.clone(),
            )
        }
    }

    fn record_one(
        &self,
        queue: &mut WriteQueue,
        matcher: &mut ResponseMatcher,
        prepared: &Prepared<'_>,
        message: &PeekedMessage<'_>,
    ) -> FrameId {
        let (direction, now) = (prepared.direction, prepared.now);
        let mut frame = self.message_frame(prepared);
        if frame.carrier == 0 && direction == Direction::Received && message.method.is_some() {
            frame.carrier = matcher
                .stream_of(message.params)
                .unwrap_or_else(|| matcher.call_under_way(prepared.subject.progress_token));
        }
        match (message.kind(), message.id) {
            (MessageKind::Request, Some(id)) => {
                let mut paged = String::new();
                if direction == Direction::Sent
                    && prepared.method.ends_with("/list")
                    && let Some(page) = matcher.page(&prepared.method, prepared.subject.has_cursor)
                {
                    let _ = write!(paged, "page {page}");
                }
                let is_heartbeat =
                    direction == Direction::Sent && matcher.is_heartbeat(&prepared.method);
                if is_heartbeat && let Some(row) = matcher.row_of_http(frame.carrier) {
                    queue.note_http_of_heartbeat(frame.connection, row);
                }
                let (frame, row) = queue.push(NewFrame {
                    kind: ExchangeKind::Request,
                    outcome: Outcome::Pending,
                    is_heartbeat,
                    target: if paged.is_empty() {
                        frame.target
                    } else {
                        &paged
                    },
                    ..frame
                });
                let asked = std::iter::once(id);
                for settlement in matcher.asked(asked, direction, row, now) {
                    queue.settle(settlement);
                }
                if direction == Direction::Sent && is_call(ExchangeKind::Request, &prepared.method)
                {
                    matcher.called(id, frame);
                }
                if direction == Direction::Sent
                    && opens_stream(ExchangeKind::Request, &prepared.method)
                {
                    matcher.opened(id, frame);
                }
                FrameId(frame)
            }
            (MessageKind::Notification, _) => {
                let kind = if prepared.method == "notifications/message" {
                    ExchangeKind::Log
                } else {
                    ExchangeKind::Notification
                };
                let (frame, _) = queue.push(NewFrame { kind, ..frame });
                if prepared.method == "notifications/cancelled"
                    && let Some(id) = prepared.subject.request_id
                    && let Some(settlement) = matcher.cancelled(id, direction, now)
                {
                    queue.settle(settlement);
                }
                FrameId(frame)
            }
            _ => match matcher.answered(message, direction, now) {
                // Rows older than the record's first were cleared while the request was open.
                Some(answered) if answered.row >= queue.live_from => {
                    let size = u32::try_from(prepared.size).unwrap_or(u32::MAX);
                    let (frame, _) = queue.push(NewFrame {
                        row: Some(answered.row),
                        kind: ExchangeKind::Request,
                        target: "",
                        ..frame
                    });
                    queue.settle(answered.settlement(message, frame, size));
                    FrameId(frame)
                }
                answered => {
                    let target = match answered {
                        Some(_) => "its request was cleared from the record",
                        None => "no request has this id",
                    };
                    let (frame, _) = queue.push(NewFrame {
                        kind: ExchangeKind::Request,
                        outcome: Outcome::Error,
                        code: message.error_code.unwrap_or(0),
                        target,
                        ..frame
                    });
                    FrameId(frame)
                }
            },
        }
    }

    fn record_batch(
        &self,
        queue: &mut WriteQueue,
        matcher: &mut ResponseMatcher,
        prepared: &Prepared<'_>,
        messages: &[PeekedMessage<'_>],
    ) -> FrameId {
        let (direction, now) = (prepared.direction, prepared.now);
        let requests: Vec<&str> = messages
            .iter()
            .filter(|message| message.kind() == MessageKind::Request)
            .filter_map(|message| message.id)
            .collect();
        let asks = !requests.is_empty();
        let (frame, row) = queue.push(NewFrame {
            kind: if asks {
                ExchangeKind::Request
            } else {
                ExchangeKind::Notification
            },
            outcome: if asks {
                Outcome::Pending
            } else {
                Outcome::None
            },
            ..self.message_frame(prepared)
        });
        for settlement in matcher.asked(requests.into_iter(), direction, row, now) {
            queue.settle(settlement);
        }
        for message in messages {
            if let Some(answered) = matcher.answered(message, direction, now) {
                let size = u32::try_from(prepared.size).unwrap_or(u32::MAX);
                queue.settle(answered.settlement(message, frame, size));
            }
        }
        FrameId(frame)
    }
}

/// `3 messages: tools/list, ping, response`.
fn batch_words(messages: &[PeekedMessage<'_>]) -> String {
    let names: Vec<&str> = messages
        .iter()
        .take(8)
        .map(|message| message.method.as_deref().unwrap_or("response"))
        .collect();
    format!("{} messages: {}", messages.len(), names.join(", "))
}
