//! Signals of a peer to the session above it: signs of life, the handshake's answers, changed
//! lists.

use std::{
    sync::{
        Mutex,
        atomic::{AtomicBool, AtomicU8, AtomicU64, Ordering},
    },
    time::{Duration, Instant},
};

use bytes::Bytes;
use tokio::sync::{Notify, mpsc};

use super::{AdapterMessage, PeerEnd};
use crate::{ListKind, sync::lock};

/// Signs of life, and the end.
pub(super) struct Liveness {
    began: Instant,
    /// When the newest message came, in milliseconds after `began`.
    heard: AtomicU64,
    /// True when it is known that the transport will end.
    is_ending: AtomicBool,
    end: Mutex<Option<PeerEnd>>,
}

impl Liveness {
    pub(super) fn new() -> Self {
        Self {
            began: Instant::now(),
            heard: AtomicU64::new(0),
            is_ending: AtomicBool::new(false),
            end: Mutex::default(),
        }
    }

    /// Notes that a message came.
    pub(super) fn record_heard(&self) {
        let elapsed = u64::try_from(self.began.elapsed().as_millis()).unwrap_or(u64::MAX);
        self.heard.store(elapsed, Ordering::Relaxed);
    }

    /// When the newest message came.
    pub(super) fn last_heard(&self) -> Instant {
        self.began + Duration::from_millis(self.heard.load(Ordering::Relaxed))
    }

    /// Notes that the end is near; false when that was known.
    pub(super) fn begin_ending(&self) -> bool {
        !self.is_ending.swap(true, Ordering::AcqRel)
    }

    pub(super) fn is_ending(&self) -> bool {
        self.is_ending.load(Ordering::Acquire)
    }

    /// Notes the end; false when there was one before, which counts.
    pub(super) fn set_end(&self, end: impl FnOnce() -> PeerEnd) -> bool {
        let mut slot = lock(&self.end);
        let is_first = slot.is_none();
        if is_first {
            *slot = Some(end());
        }
        is_first
    }

    pub(super) fn end(&self) -> Option<PeerEnd> {
        lock(&self.end).clone()
    }
}

/// The way to rmcp, and what came instead of the handshake's answer.
#[derive(Default)]
pub(super) struct HandshakeSignals {
    /// Channel for the requests of the server that rmcp answers.
    pub adapter: Mutex<Option<mpsc::UnboundedSender<AdapterMessage>>>,
    /// A line during the handshake that should have been an answer.
    broken_answer: Mutex<Option<Bytes>>,
    broken: Notify,
    /// Told when an answer came that fits no request.
    stray: Notify,
}

impl HandshakeSignals {
    pub(super) fn set_broken_answer(&self, text: Bytes) {
        *lock(&self.broken_answer) = Some(text);
        self.broken.notify_one();
    }

    pub(super) fn broken_answer(&self) -> Option<Bytes> {
        lock(&self.broken_answer).clone()
    }

    pub(super) fn strayed(&self) {
        self.stray.notify_one();
    }

    /// Waits until an answer came that fits no request.
    pub(super) async fn stray(&self) {
        self.stray.notified().await;
    }

    /// Waits until an answer of the handshake was broken.
    pub(super) async fn broken(&self) {
        self.broken.notified().await;
    }
}

/// The lists that the server says have changed.
#[derive(Default)]
pub(crate) struct ListSignals {
    /// One bit each, in the order of [`ListKind::ALL`].
    bits: AtomicU8,
    arrived: Notify,
}

impl ListSignals {
    pub(super) fn mark(&self, list: ListKind) {
        let position = ListKind::ALL
            .iter()
            .position(|kind| *kind == list)
            .unwrap_or_default();
        self.bits.fetch_or(1 << position, Ordering::AcqRel);
        self.arrived.notify_one();
    }

    /// Waits until a list changed.
    pub(crate) async fn changed(&self) {
        self.arrived.notified().await;
    }

    /// Takes the lists that have changed since the last look.
    pub(crate) fn take(&self) -> Vec<ListKind> {
        let bits = self.bits.swap(0, Ordering::AcqRel);
        ListKind::ALL
            .into_iter()
            .enumerate()
            .filter(|(position, _)| bits & (1 << position) != 0)
            .map(|(_, kind)| kind)
            .collect()
    }
}
