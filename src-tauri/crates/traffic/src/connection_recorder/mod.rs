//! Records one connection: messages verbatim, lines of output, HTTP requests, changes of phase.
//!
//! Secrets are masked before anything enters the queue. Only what a server can send without end
//! waits for room in the queue; the rest never waits.

mod message;
mod response_matcher;
mod restored;
mod target;

use std::{
    borrow::Cow,
    sync::{
        Arc, Mutex, PoisonError, RwLock, RwLockReadGuard,
        atomic::{AtomicBool, Ordering},
    },
    time::Instant,
};

use bytes::Bytes;
use sightglass_model::{ConnectionId, ExchangeId, FrameId, Phase, Timestamp, lock};
use sightglass_secrets::{Redactor, Secret, SplitSecrets, mask_urls};

use crate::{
    Direction, Envelope, ExchangeKind, HttpFacts, HttpKind, Outcome,
    block::{NewFrame, RowSettlement},
    http,
    queue::{QueueFull, WriteQueue},
    shortened::{MAX_TARGET_CHARACTERS, shortened},
    threads::RecorderThreads,
};
use message::Moment;
use response_matcher::ResponseMatcher;
pub use restored::{RestoredConnection, RestoredFrames};

/// The longest remark, in bytes. What a server makes us remark on can be as long as a message.
const MAX_REMARK_BYTES: usize = 4 * 1024;
/// As much of a longer text is searched for secrets before it is shortened.
const MAX_MASKED_REMARK_BYTES: usize = 1 << 20;

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
pub struct Recorded<'a> {
    pub frame: FrameId,
    /// Envelope of the message, so that it is not parsed a second time.
    pub envelope: Envelope<'a>,
    /// Text as it is on record, with secrets masked; shares the message's own where it has none.
    pub text: Bytes,
}

/// Records what crosses the wire of one connection. Cheap to clone.
#[derive(Clone)]
pub struct ConnectionRecorder {
    inner: Arc<Inner>,
}

struct Inner {
    connection: ConnectionId,
    /// True when texts may be written to the disk.
    is_recorded: AtomicBool,
    redactor: RwLock<Redactor>,
    matcher: Mutex<ResponseMatcher>,
    threads: Arc<RecorderThreads>,
}

impl ConnectionRecorder {
    pub(crate) fn new(
        connection: ConnectionId,
        redactor: Redactor,
        threads: Arc<RecorderThreads>,
    ) -> Self {
        Self {
            inner: Arc::new(Inner {
                connection,
                is_recorded: AtomicBool::new(true),
                redactor: RwLock::new(redactor),
                matcher: Mutex::default(),
                threads,
            }),
        }
    }

    /// Keeps the texts of this connection in memory, the newest of them, and writes none of them
    /// to the disk. On record are method, size, time and outcome of each message.
    pub fn in_memory(self) -> Self {
        self.inner.is_recorded.store(false, Ordering::Relaxed);
        self
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
    pub async fn message<'a>(
        &self,
        direction: Direction,
        text: &'a Bytes,
        carrier: Option<CarrierId>,
    ) -> Recorded<'a> {
        let prepared = self.prepare(direction, text, carrier, Moment::now());
        let frame = self.with_room(|queue| self.record(queue, &prepared)).await;
        Recorded {
            frame,
            envelope: prepared.peek.envelope(),
            text: prepared.payload,
        }
    }

    /// Records a line that the server wrote to stderr, and returns it as it was recorded.
    /// `split` goes from one line of the same output to the next.
    pub async fn stderr(&self, line: Bytes, split: &mut SplitSecrets) -> String {
        let size = line.len();
        let masked = self.redactor().line(&line, split);
        let (payload, redacted) = masked.map_or((line, false), |masked| (masked.into(), true));
        let shown = String::from_utf8_lossy(&payload).into_owned();
        self.line("stderr", Outcome::None, size, (payload, redacted))
            .await;
        shown
    }

    /// Returns the beginning of a line of the same output as it would be recorded. It is on no
    /// record until it ends.
    pub fn unfinished_line(&self, beginning: &[u8], split: &SplitSecrets) -> String {
        let line = Bytes::copy_from_slice(beginning);
        let masked = self.redactor().line(&line, &mut split.clone());
        let shown = masked.map_or(line, Bytes::from);
        String::from_utf8_lossy(&shown).into_owned()
    }

    /// The text with the secrets masked that the record masks, and those of every URL in it.
    /// What is shown of a connection beside its record passes here.
    pub fn masked(&self, text: &str) -> String {
        let text = mask_urls(text);
        self.redactor().text(Cow::Owned(text)).into_owned()
    }

    /// Records a line on stdout that is not JSON-RPC.
    pub async fn stray(&self, line: Bytes) {
        let size = line.len();
        let masked = masked_payload(&self.redactor(), line);
        self.line("stdout", Outcome::Error, size, masked).await;
    }

    async fn line(
        &self,
        method: &str,
        outcome: Outcome,
        size: usize,
        (payload, redacted): (Bytes, bool),
    ) {
        let text = String::from_utf8_lossy(beginning(&payload));
        let target = shortened(&text);
        let frame = NewFrame {
            kind: ExchangeKind::Stderr,
            outcome,
            size,
            redacted,
            ..self.frame(Timestamp::now(), method, &target, payload.clone())
        };
        self.with_room(|queue| queue.push(frame.clone())).await;
    }

    /// Records a change of phase. Never waits.
    pub fn phase(&self, phase: Phase, detail: Option<&str>) {
        let remark = self.remark(detail.unwrap_or_default());
        let mut frame = self.remark_frame(phase.name(), &remark);
        if phase == Phase::Failed {
            frame.outcome = Outcome::Error;
        }
        self.at_once(|queue| queue.push(frame));
    }

    /// Records a remark, for instance that the process exited, shortened to 4 KiB. Never waits,
    /// so it is for what a server cannot cause without end.
    pub fn note(&self, method: &str, text: &str) {
        let remark = self.remark(text);
        let frame = self.remark_frame(method, &remark);
        self.at_once(|queue| queue.push(frame));
    }

    /// Records a remark on something that the server sent, shortened to 4 KiB. Waits like
    /// [`message`](Self::message), since a server can send without end.
    pub async fn note_received(&self, method: &str, text: &str) {
        let remark = self.remark(text);
        let frame = self.remark_frame(method, &remark);
        self.with_room(|queue| queue.push(frame.clone())).await;
    }

    /// Masks a remark and then shortens it.
    fn remark(&self, text: &str) -> Remark {
        // Each call of a tool changes the phase twice, with nothing to say of it.
        if text.is_empty() {
            return Remark::default();
        }
        let searched = &text[..text.floor_char_boundary(MAX_MASKED_REMARK_BYTES)];
        let mut masked = self.masked(searched);
        let redacted = masked != searched;
        if masked.len() > MAX_REMARK_BYTES {
            masked.truncate(masked.floor_char_boundary(MAX_REMARK_BYTES));
            masked.push_str(&format!("… ({} bytes in all)", text.len()));
        }
        Remark {
            target: shortened(&masked).into_owned(),
            text: masked.into(),
            size: text.len(),
            redacted,
        }
    }

    fn remark_frame<'a>(&self, method: &'a str, remark: &'a Remark) -> NewFrame<'a> {
        NewFrame {
            kind: ExchangeKind::Phase,
            size: remark.size,
            redacted: remark.redacted,
            ..self.frame(
                Timestamp::now(),
                method,
                &remark.target,
                remark.text.clone(),
            )
        }
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
        let masked = http::masked(facts, &self.redactor());
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
            ..self.frame(Timestamp::now(), &method, &target, text.into())
        };
        let began = Instant::now();
        let frame = self.at_once(|queue| {
            let (frame, row) = queue.push(frame);
            self.matcher().http_started(frame, row, began);
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
        let masked = http::masked(facts, &self.redactor());
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
            ..self.frame(Timestamp::now(), "", "", text.into())
        };
        self.at_once(|queue| {
            let finished = self.matcher().http_finished(carrier.0.0, finished);
            let Some((row, elapsed)) = finished.filter(|(row, _)| *row >= queue.live_from) else {
                return;
            };
            frame.row = Some(row);
            let (frame, _) = queue.push(frame);
            queue.settle(RowSettlement {
                row,
                outcome,
                code: status.map(i32::from),
                duration: Some(measured.map_or(elapsed, Into::into)),
                response_frame: Some(frame),
                response_size: u32::try_from(size).unwrap_or(u32::MAX),
            });
        });
    }

    /// No answer comes to the request `id` of ours, though the connection goes on: HTTP refused it
    /// with `status`, or its exchange broke off. Never waits.
    pub fn refused(&self, id: u64, status: Option<u16>) {
        let now = Instant::now();
        self.at_once(|queue| {
            let settlement = self.matcher().refused(&id.to_string(), status, now);
            if let Some(settlement) = settlement {
                queue.settle(settlement);
            }
        });
    }

    /// The connection is over: requests without an answer become [`Outcome::Unanswered`].
    /// Never waits.
    pub fn ended(&self) {
        let now = Instant::now();
        self.at_once(|queue| {
            for settlement in self.matcher().ended(now) {
                queue.settle(settlement);
            }
        });
    }

    /// Locked only while the log is, so that the two never wait for each other.
    fn matcher(&self) -> std::sync::MutexGuard<'_, ResponseMatcher> {
        lock(&self.inner.matcher)
    }

    /// A received frame that stands alone, for the caller to vary.
    fn frame<'a>(
        &self,
        at: Timestamp,
        method: &'a str,
        target: &'a str,
        payload: Bytes,
    ) -> NewFrame<'a> {
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
            is_unrecorded: !self.inner.is_recorded.load(Ordering::Relaxed),
            is_heartbeat: false,
            method,
            target,
            payload,
        }
    }

    fn at_once<T>(&self, write: impl FnOnce(&mut WriteQueue) -> T) -> T {
        self.inner.threads.shared.change(write)
    }

    /// Runs `write` as soon as the queue has room.
    async fn with_room<T>(&self, mut write: impl FnMut(&mut WriteQueue) -> T) -> T {
        let shared = &self.inner.threads.shared;
        let limit = shared.options.queue_bytes;
        let mut attempt = || {
            shared.change(|queue| {
                if queue.is_full(limit) {
                    Err(QueueFull)
                } else {
                    Ok(write(queue))
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

/// A text about the connection, on its way into the record.
#[derive(Default)]
struct Remark {
    target: String,
    text: Bytes,
    /// Bytes before it was masked and shortened.
    size: usize,
    redacted: bool,
}

/// A payload with every secret masked, and whether there was one.
fn masked_payload(redactor: &Redactor, payload: Bytes) -> (Bytes, bool) {
    match redactor.bytes(&payload) {
        Some(masked) => (Bytes::from(masked), true),
        None => (payload, false),
    }
}

/// As much of a payload as a target can show.
fn beginning(payload: &[u8]) -> &[u8] {
    &payload[..payload.len().min(4 * MAX_TARGET_CHARACTERS + 4)]
}
