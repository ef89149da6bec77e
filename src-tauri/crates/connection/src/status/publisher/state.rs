//! State of a [`StatusPublisher`](super::StatusPublisher), and its transitions from phase to phase.

use std::{
    sync::Arc,
    time::{Duration, Instant},
};

use sightglass_model::{
    ConnectionStatus, HandshakeResult, MethodCount, Phase, PhaseRecord, TimeLimits, Timestamp,
};
use sightglass_traffic::ConnectionRecorder;

use super::deadline::Deadline;
use crate::sync::moment_after;

/// State of a connection, and what its way on depends on.
pub(super) struct State {
    pub status: ConnectionStatus,
    pub entered: Instant,
    pub recorder: Option<ConnectionRecorder>,
    pub limits: TimeLimits,
    pub startup: Option<Deadline>,
    /// Start of the time in which the limits do not count, because the user is awaited.
    pub held: Option<Instant>,
    /// Time that did not count in this phase.
    pub allowance: Duration,
    pub detail_told: Option<Instant>,
    /// The user's requests under way.
    pub running: u32,
    /// The user's requests that wait for the connection to come back.
    pub waiting: u32,
    /// When this session became ready.
    pub ready: Option<Instant>,
    /// Requests that were sent ahead of the phase that they belong to, in their order.
    pub sent_ahead: Vec<(Phase, MethodCount)>,
}

impl State {
    /// Enters `connecting`, with all of the start ahead.
    pub fn start(&mut self, detail: String) {
        self.startup = self.limits.startup_limit().and_then(|limit| {
            Some(Deadline {
                phase: Phase::Connecting,
                limit: limit.duration,
                set_by: limit.source,
                at: moment_after(limit.duration)?,
            })
        });
        self.ready = None;
        self.sent_ahead.clear();
        self.status.health = None;
        self.enter(Phase::Connecting, Some(detail));
    }

    /// A text with everything masked that the record masks.
    pub fn masked(&self, text: String) -> String {
        match &self.recorder {
            Some(recorder) => recorder.masked(&text),
            None => text,
        }
    }

    /// Masks what the server says of itself, which may repeat what it was given.
    pub fn masked_facts(&self, facts: HandshakeResult) -> HandshakeResult {
        let text = |text: String| self.masked(text);
        HandshakeResult {
            server_name: text(facts.server_name),
            server_title: facts.server_title.map(text),
            server_version: text(facts.server_version),
            instructions: facts.instructions.map(text),
            ..facts
        }
    }

    pub fn enter(&mut self, phase: Phase, detail: Option<String>) {
        let started = Timestamp::now();
        let detail = detail.map(|detail| self.masked(detail));
        if let Some(last) = self.status.timeline.last_mut() {
            Arc::make_mut(last).duration = Some(self.entered.elapsed().into());
        }
        // A connection can go between ready and executing for days. The timeline keeps the
        // way up to the first of them and the two that are current; the record has all.
        if phase.is_live() {
            let timeline = &mut self.status.timeline;
            let start = timeline.iter().rposition(|record| !record.phase.is_live());
            let first_live = start.map_or(0, |start| start + 1);
            if timeline.len() >= first_live + 2 {
                timeline.remove(first_live);
            }
            self.ready.get_or_insert_with(Instant::now);
            if let Some(loss) = &mut self.status.loss {
                loss.back.get_or_insert(started);
            }
        }
        if phase.is_live() || phase == Phase::Disconnected {
            self.status.reconnection = None;
        }
        if !phase.is_start() {
            self.status.output.clear();
        }
        let ahead = std::mem::take(&mut self.sent_ahead);
        let (mine, ahead): (Vec<_>, Vec<_>) = ahead.into_iter().partition(|(of, _)| *of == phase);
        self.sent_ahead = ahead;
        if let Some(recorder) = &self.recorder {
            recorder.phase(phase, detail.as_deref());
        }
        self.status.timeline.push(Arc::new(PhaseRecord {
            phase,
            started,
            duration: None,
            detail,
            exchanged: mine.into_iter().map(|(_, exchanged)| exchanged).collect(),
        }));
        self.status.phase = phase;
        self.status.since = started;
        self.entered = Instant::now();
        self.allowance = Duration::ZERO;
        self.detail_told = None;
    }
}

/// Counts one more message of this method.
pub(super) fn count(exchanged: &mut Vec<MethodCount>, method: &str) {
    match exchanged.iter_mut().find(|known| known.method == method) {
        Some(known) => known.count += 1,
        None => exchanged.push(first(method)),
    }
}

pub(super) fn first(method: &str) -> MethodCount {
    MethodCount {
        method: method.to_owned(),
        count: 1,
    }
}
