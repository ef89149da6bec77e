//! One connection's way into the record.

use std::{
    borrow::Cow,
    fmt::Write as _,
    sync::{Arc, Mutex, PoisonError, RwLock, RwLockReadGuard},
    time::Instant,
};

use bytes::Bytes;
use sightglass_model::{ConnectionId, ExchangeId, FrameId, Phase};
use sightglass_secrets::Secret;

use crate::{
    Direction, Envelope, ExchangeKind, HttpFacts, HttpKind, Outcome, Redactor,
    block::{NewFrame, Settlement},
    correlation::Correlation,
    envelope::{Message, MessageKind, Peek},
    http,
    log::{Full, Log, now},
    recorder::Handle,
    target::{self, Subject, shortened},
};

/// An HTTP request that is on record, for the messages that it carries to refer to.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct CarrierId(FrameId);

impl CarrierId {
    /// The frame of the HTTP request.
    pub fn frame(self) -> FrameId {
        self.0
    }

    /// The row that the request begins: each has the number of its first frame.
    pub fn exchange(self) -> ExchangeId {
        ExchangeId(self.0.0)
    }
}

/// A message that was recorded.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Recorded {
    pub frame: FrameId,
    /// What the message is, so that nobody has to parse it a second time.
    pub envelope: Envelope,
}

/// Records what crosses the wire of one connection. Cheap to clone.
#[derive(Clone)]
pub struct Tape {
    inner: Arc<Inner>,
}

struct Inner {
    connection: ConnectionId,
    redactor: RwLock<Redactor>,
    correlation: Mutex<Correlation>,
    handle: Arc<Handle>,
}

impl Tape {
    pub(crate) fn new(connection: ConnectionId, redactor: Redactor, handle: Arc<Handle>) -> Self {
        Self {
            inner: Arc::new(Inner {
                connection,
                redactor: RwLock::new(redactor),
                correlation: Mutex::default(),
                handle,
            }),
        }
    }

    /// The number under which this connection is on record.
    pub fn connection(&self) -> ConnectionId {
        self.inner.connection
    }

    /// Masks these values too, from now on.
    pub fn learn(&self, secrets: &[Secret<String>]) {
        let mut redactor = self
            .inner
            .redactor
            .write()
            .unwrap_or_else(PoisonError::into_inner);
        if let Some(wider) = redactor.with(secrets) {
            *redactor = wider;
        }
    }

    fn redactor(&self) -> RwLockReadGuard<'_, Redactor> {
        self.inner
            .redactor
            .read()
            .unwrap_or_else(PoisonError::into_inner)
    }

    /// Records one JSON-RPC message, or what stands in the place of one, verbatim.
    ///
    /// Waits only while the queue holds
    /// [`queue_bytes`](crate::RecorderOptions::queue_bytes); never drops.
    pub async fn message(
        &self,
        direction: Direction,
        text: Bytes,
        carrier: Option<CarrierId>,
    ) -> Recorded {
        let prepared = self.prepare(direction, &text, carrier);
        let envelope = prepared.peek.envelope();
        let frame = self.with_room(|log| self.record(log, &prepared)).await;
        Recorded { frame, envelope }
    }

    /// Records a line that the server wrote to stderr.
    pub async fn stderr(&self, line: Bytes) {
        self.line("stderr", Outcome::None, line).await;
    }

    /// The text with the secrets masked that the record masks.
    pub fn masked(&self, text: &str) -> String {
        self.redactor().text(Cow::Borrowed(text)).into_owned()
    }

    /// Records a line on stdout that is not JSON-RPC.
    pub async fn stray(&self, line: Bytes) {
        self.line("stdout", Outcome::Error, line).await;
    }

    async fn line(&self, method: &str, outcome: Outcome, line: Bytes) {
        let size = line.len();
        let (payload, redacted) = self.redactor().payload(line);
        let text = String::from_utf8_lossy(beginning(&payload));
        let target = shortened(&text);
        let at = now();
        self.with_room(|log| {
            log.push(NewFrame {
                kind: ExchangeKind::Stderr,
                direction: Direction::Received,
                outcome,
                size,
                redacted,
                ..self.frame(at, method, &target, payload.clone())
            });
        })
        .await;
    }

    /// Records a change of phase. Never waits.
    pub fn phase(&self, phase: Phase, detail: Option<&str>) {
        let outcome = if phase == Phase::Failed {
            Outcome::Error
        } else {
            Outcome::None
        };
        self.remark(phase.name(), detail.unwrap_or_default(), outcome);
    }

    /// Records a remark, for instance that the process exited. Never waits.
    pub fn note(&self, method: &str, text: &str) {
        self.remark(method, text, Outcome::None);
    }

    fn remark(&self, method: &str, text: &str, outcome: Outcome) {
        let masked = self.redactor().text(Cow::Borrowed(text));
        let redacted = *masked != *text;
        let target = shortened(&masked);
        let frame = NewFrame {
            kind: ExchangeKind::Phase,
            direction: Direction::Received,
            outcome,
            size: text.len(),
            redacted,
            ..self.frame(
                now(),
                method,
                &target,
                Bytes::copy_from_slice(masked.as_bytes()),
            )
        };
        self.at_once(|log| log.push(frame));
    }

    /// Records an HTTP request that is about to be sent. The messages that it carries, in
    /// either direction, refer to it. Never waits.
    pub fn http_started(&self, facts: HttpFacts, kind: HttpKind) -> CarrierId {
        self.http_started_with(facts, kind, None)
    }

    /// Like [`http_started`](Self::http_started), with the body, masked.
    pub fn http_started_with(
        &self,
        facts: HttpFacts,
        kind: HttpKind,
        body: Option<&str>,
    ) -> CarrierId {
        let body = body.map(|body| self.redactor().text(Cow::Borrowed(body)).into_owned());
        let size = http::with_body(http::request_text(&facts), body.as_deref()).len();
        let given = facts.clone();
        let masked = self.redactor().http(facts);
        let text = http::with_body(http::request_text(&masked), body.as_deref());
        let method = http::request_line(&masked);
        let (method, target) = (shortened(&method), shortened(&masked.url));
        let frame = NewFrame {
            kind: match kind {
                HttpKind::Mcp => ExchangeKind::Http,
                HttpKind::Oauth => ExchangeKind::Oauth,
            },
            direction: Direction::Sent,
            outcome: Outcome::Pending,
            size,
            redacted: masked != given,
            ..self.frame(now(), &method, &target, text.into())
        };
        let began = Instant::now();
        let frame = self.at_once(|log| {
            let (frame, row) = log.push(frame);
            self.correlation().http_started(frame, row, began);
            frame
        });
        CarrierId(FrameId(frame))
    }

    /// Records the answer to an HTTP request, or that none came. Never waits.
    pub fn http_finished(&self, carrier: CarrierId, facts: HttpFacts) {
        self.http_finished_with(carrier, facts, None);
    }

    /// Like [`http_finished`](Self::http_finished), with the body, masked.
    pub fn http_finished_with(&self, carrier: CarrierId, facts: HttpFacts, body: Option<&str>) {
        let body = body.map(|body| self.redactor().text(Cow::Borrowed(body)).into_owned());
        let size = http::with_body(http::response_text(&facts), body.as_deref()).len();
        let status = facts.status;
        let failed = facts.error.is_some() || status.is_none_or(|status| status >= 400);
        let measured = facts.time_to_headers;
        let given = facts.clone();
        let masked = self.redactor().http(facts);
        let text = http::with_body(http::response_text(&masked), body.as_deref());
        let finished = Instant::now();
        let outcome = if failed { Outcome::Error } else { Outcome::Ok };
        let mut frame = NewFrame {
            kind: ExchangeKind::Http,
            direction: Direction::Received,
            carrier: carrier.0.0,
            outcome,
            size,
            redacted: masked != given,
            ..self.frame(now(), "", "", text.into())
        };
        self.at_once(|log| {
            let finished = self.correlation().http_finished(carrier.0.0, finished);
            let Some((row, elapsed)) = finished.filter(|(row, _)| *row >= log.live_from) else {
                return;
            };
            frame.row = Some(row);
            let (frame, _) = log.push(frame);
            log.settle(Settlement {
                row,
                outcome,
                code: status.map(i32::from),
                duration: measured.or(Some(elapsed)),
                response_frame: Some(frame),
                response_size: u32::try_from(size).unwrap_or(u32::MAX),
            });
        });
    }

    /// The connection is over: requests without an answer become [`Outcome::Unanswered`].
    /// Never waits.
    pub fn ended(&self) {
        let now = Instant::now();
        self.at_once(|log| {
            for settlement in self.correlation().ended(now) {
                log.settle(settlement);
            }
        });
    }

    /// Locked only while the log is, so that the two never wait for each other.
    fn correlation(&self) -> std::sync::MutexGuard<'_, Correlation> {
        self.inner
            .correlation
            .lock()
            .unwrap_or_else(PoisonError::into_inner)
    }

    /// A received frame that stands alone, for the caller to vary.
    fn frame<'a>(&self, at: f64, method: &'a str, target: &'a str, payload: Bytes) -> NewFrame<'a> {
        NewFrame {
            row: None,
            connection: self.inner.connection.0,
            carrier: 0,
            size: payload.len(),
            at,
            kind: ExchangeKind::Notification,
            direction: Direction::Received,
            outcome: Outcome::None,
            code: 0,
            redacted: false,
            method,
            target,
            payload,
        }
    }

    fn at_once<T>(&self, write: impl FnOnce(&mut Log) -> T) -> T {
        self.inner.handle.shared.change(write)
    }

    /// Runs `write` as soon as the queue has room.
    async fn with_room<T>(&self, mut write: impl FnMut(&mut Log) -> T) -> T {
        let shared = &self.inner.handle.shared;
        let limit = shared.options.queue_bytes;
        let mut attempt = || {
            shared.change(|log| {
                if log.is_full(limit) {
                    Err(Full)
                } else {
                    Ok(write(log))
                }
            })
        };
        if let Ok(written) = attempt() {
            return written;
        }
        loop {
            let notified = shared.room.notified();
            tokio::pin!(notified);
            // Listens before it looks again, so that room made in between is not missed.
            notified.as_mut().enable();
            if let Ok(written) = attempt() {
                return written;
            }
            notified.await;
        }
    }
}

/// As much of a payload as a target can show.
fn beginning(payload: &[u8]) -> &[u8] {
    &payload[..payload.len().min(4 * target::TARGET_LIMIT + 4)]
}

/// A message with everything that can be known before it has a number.
struct Prepared<'a> {
    peek: Peek<'a>,
    direction: Direction,
    carrier: u32,
    at: f64,
    now: Instant,
    size: usize,
    payload: Bytes,
    redacted: bool,
    method: Cow<'a, str>,
    subject: Subject<'a>,
}

impl Tape {
    fn prepare<'a>(
        &self,
        direction: Direction,
        text: &'a Bytes,
        carrier: Option<CarrierId>,
    ) -> Prepared<'a> {
        let redactor = self.redactor();
        let peek = Peek::at(text);
        let (payload, redacted) = redactor.payload(text.clone());
        let mut subject = Subject::default();
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
            at: now(),
            now: Instant::now(),
            size: text.len(),
            payload,
            redacted,
            method,
            subject,
        }
    }

    fn record(&self, log: &mut Log, prepared: &Prepared<'_>) -> FrameId {
        let mut correlation = self.correlation();
        match &prepared.peek {
            Peek::One(message) => self.record_one(log, &mut correlation, prepared, message),
            Peek::Batch(messages) => self.record_batch(log, &mut correlation, prepared, messages),
            Peek::Invalid => {
                let frame = NewFrame {
                    outcome: Outcome::Error,
                    ..self.message_frame(prepared)
                };
                FrameId(log.push(frame).0)
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
        log: &mut Log,
        correlation: &mut Correlation,
        prepared: &Prepared<'_>,
        message: &Message<'_>,
    ) -> FrameId {
        let (direction, now) = (prepared.direction, prepared.now);
        let frame = self.message_frame(prepared);
        match (message.kind(), message.id) {
            (MessageKind::Request, Some(id)) => {
                let mut paged = String::new();
                if prepared.method.ends_with("/list")
                    && let Some(page) =
                        correlation.page(&prepared.method, prepared.subject.has_cursor)
                {
                    let _ = write!(paged, "page {page}");
                }
                let (frame, row) = log.push(NewFrame {
                    kind: ExchangeKind::Request,
                    outcome: Outcome::Pending,
                    target: if paged.is_empty() {
                        frame.target
                    } else {
                        &paged
                    },
                    ..frame
                });
                correlation.asked(std::iter::once(id), direction, row, now);
                FrameId(frame)
            }
            (MessageKind::Notification, _) => {
                let kind = if prepared.method == "notifications/message" {
                    ExchangeKind::Log
                } else {
                    ExchangeKind::Notification
                };
                let (frame, _) = log.push(NewFrame { kind, ..frame });
                if prepared.method == "notifications/cancelled"
                    && let Some(id) = prepared.subject.request_id
                    && let Some(settlement) = correlation.cancelled(id, direction, now)
                {
                    log.settle(settlement);
                }
                FrameId(frame)
            }
            _ => match correlation.answered(message, direction, now) {
                // Rows older than the record's first were cleared while the request was open.
                Some(answered) if answered.row >= log.live_from => {
                    let size = u32::try_from(prepared.size).unwrap_or(u32::MAX);
                    let (frame, _) = log.push(NewFrame {
                        row: Some(answered.row),
                        kind: ExchangeKind::Request,
                        target: "",
                        ..frame
                    });
                    log.settle(answered.settlement(message, frame, size));
                    FrameId(frame)
                }
                answered => {
                    let target = match answered {
                        Some(_) => "its request was cleared from the record",
                        None => "no request has this id",
                    };
                    let error = message.error.as_ref();
                    let (frame, _) = log.push(NewFrame {
                        kind: ExchangeKind::Request,
                        outcome: Outcome::Error,
                        code: error.and_then(|error| error.code).unwrap_or(0),
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
        log: &mut Log,
        correlation: &mut Correlation,
        prepared: &Prepared<'_>,
        messages: &[Message<'_>],
    ) -> FrameId {
        let (direction, now) = (prepared.direction, prepared.now);
        let requests: Vec<&str> = messages
            .iter()
            .filter(|message| message.kind() == MessageKind::Request)
            .filter_map(|message| message.id)
            .collect();
        let asks = !requests.is_empty();
        let (frame, row) = log.push(NewFrame {
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
        correlation.asked(requests.into_iter(), direction, row, now);
        for message in messages {
            if let Some(answered) = correlation.answered(message, direction, now) {
                let size = u32::try_from(prepared.size).unwrap_or(u32::MAX);
                log.settle(answered.settlement(message, frame, size));
            }
        }
        FrameId(frame)
    }
}

/// `3 messages: tools/list, ping, response`.
fn batch_words(messages: &[Message<'_>]) -> String {
    let names: Vec<&str> = messages
        .iter()
        .take(8)
        .map(|message| message.method.as_deref().unwrap_or("response"))
        .collect();
    format!("{} messages: {}", messages.len(), names.join(", "))
}
