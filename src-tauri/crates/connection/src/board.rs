//! Where one connection is, for all to see: its phase, the timeline that led there, and
//! what the handshake settled. Every change is recorded, and told as an event.

use std::{
    sync::{Mutex, MutexGuard},
    time::{Duration, Instant, SystemTime, UNIX_EPOCH},
};

use sightglass_model::{
    ConnectionStatus, Failure, HandshakeFacts, Phase, PhaseRecord, ServerId, TimeLimits,
};
use sightglass_traffic::Tape;
use tokio::sync::watch;

use crate::{ConnectionEvent, connections::EventSink, sync::lock, wire::milliseconds};

/// Changes of a phase's detail are told at most this often.
const DETAIL_INTERVAL: Duration = Duration::from_millis(50);

/// When a phase runs out of time.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Deadline {
    pub phase: Phase,
    pub limit: Duration,
    pub at: Instant,
}

struct State {
    status: ConnectionStatus,
    entered: Instant,
    tape: Option<Tape>,
    limits: TimeLimits,
    startup: Option<Deadline>,
    detail_told: Option<Instant>,
    /// The person's requests under way.
    running: u32,
}

pub(crate) struct Board {
    server: ServerId,
    events: EventSink,
    state: Mutex<State>,
    /// Held while an event is told, so that events come in the order of the changes, and
    /// whoever listens can ask for the status meanwhile.
    telling: Mutex<()>,
    deadline: watch::Sender<Option<Deadline>>,
}

impl Board {
    pub(crate) fn new(server: ServerId, events: EventSink) -> Self {
        Self {
            server,
            events,
            state: Mutex::new(State {
                status: ConnectionStatus::disconnected(now()),
                entered: Instant::now(),
                tape: None,
                limits: TimeLimits::default(),
                startup: None,
                detail_told: None,
                running: 0,
            }),
            telling: Mutex::new(()),
            deadline: watch::Sender::new(None),
        }
    }

    pub(crate) fn status(&self) -> ConnectionStatus {
        lock(&self.state).status.clone()
    }

    pub(crate) fn phase(&self) -> Phase {
        lock(&self.state).status.phase
    }

    /// A new attempt begins, in phase `connecting`.
    pub(crate) fn begin(&self, tape: Tape, limits: TimeLimits, detail: String) {
        self.change(|state| {
            state.startup = limits.startup.map(|limit| Deadline {
                phase: Phase::Connecting,
                limit,
                at: Instant::now() + limit,
            });
            state.status = ConnectionStatus {
                connection: Some(tape.connection()),
                ..ConnectionStatus::disconnected(now())
            };
            state.tape = Some(tape);
            state.limits = limits;
            state.running = 0;
            state.enter(Phase::Connecting, Some(detail));
        });
        self.set_deadline();
    }

    /// Enters a phase.
    pub(crate) fn enter(&self, phase: Phase, detail: Option<String>) {
        self.change(|state| state.enter(phase, detail));
        self.set_deadline();
    }

    /// The server answered the first request.
    pub(crate) fn handshaking(&self) {
        if self.phase() == Phase::Initializing {
            self.enter(Phase::Handshaking, None);
        }
    }

    /// Says what is happening in this phase. The record has the last word of each phase.
    pub(crate) fn detail(&self, detail: String) {
        let telling = lock(&self.telling);
        let status = {
            let mut state = lock(&self.state);
            if let Some(record) = state.status.timeline.last_mut() {
                record.detail = Some(detail);
            }
            let recent = state
                .detail_told
                .is_some_and(|told| told.elapsed() < DETAIL_INTERVAL);
            if recent {
                return;
            }
            state.detail_told = Some(Instant::now());
            state.status.clone()
        };
        self.tell(&telling, status);
    }

    /// Says what was tried in this phase, keeping what was said before.
    pub(crate) fn tried(&self, step: &str) {
        let before = lock(&self.state)
            .status
            .timeline
            .last()
            .and_then(|record| record.detail.clone());
        let detail = match before {
            Some(before) => format!("{before}; {step}"),
            None => step.to_owned(),
        };
        if let Some(tape) = &lock(&self.state).tape {
            tape.note("handshake", step);
        }
        self.detail(detail);
    }

    pub(crate) fn settled(&self, facts: HandshakeFacts) {
        self.change(|state| state.status.handshake = Some(facts));
    }

    pub(crate) fn failed(&self, failure: Failure) {
        self.change(|state| {
            let reason = failure.to_string();
            state.status.failure = Some(failure.into());
            state.enter(Phase::Failed, Some(reason));
        });
        self.set_deadline();
    }

    /// A request of the person's starts: the phase is `executing` until the last one ends.
    pub(crate) fn request_started(&self) {
        self.change(|state| {
            state.running += 1;
            if state.running == 1 && state.status.phase == Phase::Ready {
                state.enter(Phase::Executing, None);
            }
        });
    }

    pub(crate) fn request_ended(&self) {
        self.change(|state| {
            state.running = state.running.saturating_sub(1);
            if state.running == 0 && state.status.phase == Phase::Executing {
                state.enter(Phase::Ready, None);
            }
        });
    }

    /// Waits until a phase of the start takes longer than it may.
    pub(crate) async fn overdue(&self) -> Deadline {
        let mut deadline = self.deadline.subscribe();
        loop {
            let current = *deadline.borrow_and_update();
            let due = async {
                match current {
                    Some(current) => tokio::time::sleep_until(current.at.into()).await,
                    None => std::future::pending().await,
                }
            };
            tokio::select! {
                () = due => if let Some(current) = current { return current },
                changed = deadline.changed() => if changed.is_err() { std::future::pending().await },
            }
        }
    }

    /// The nearer of the phase's limit and the limit of the whole start. From `ready` on
    /// each request has its own.
    fn set_deadline(&self) {
        let deadline = {
            let state = lock(&self.state);
            let phase = state.status.phase;
            let starting = !(phase.is_live() || phase.is_at_rest() || phase == Phase::CleaningUp);
            let own = state.limits.for_phase(phase).map(|limit| Deadline {
                phase,
                limit,
                at: state.entered + limit,
            });
            let startup = state.startup.map(|startup| Deadline { phase, ..startup });
            own.into_iter()
                .chain(startup)
                .filter(|_| starting)
                .min_by_key(|deadline| deadline.at)
        };
        self.deadline.send_replace(deadline);
    }

    fn change(&self, change: impl FnOnce(&mut State)) {
        let telling = lock(&self.telling);
        let status = {
            let mut state = lock(&self.state);
            let before = (state.status.phase, state.status.handshake.is_some());
            change(&mut state);
            let after = (state.status.phase, state.status.handshake.is_some());
            if before == after && !after.0.is_at_rest() && after.0 != Phase::Connecting {
                return;
            }
            state.status.clone()
        };
        self.tell(&telling, status);
    }

    fn tell(&self, _telling: &MutexGuard<'_, ()>, status: ConnectionStatus) {
        (self.events)(ConnectionEvent::Status {
            server: self.server.clone(),
            status,
        });
    }
}

impl State {
    fn enter(&mut self, phase: Phase, detail: Option<String>) {
        let started = now();
        if let Some(last) = self.status.timeline.last_mut() {
            last.duration = Some(milliseconds(self.entered.elapsed()));
        }
        // A connection can go between ready and executing for days. The timeline keeps the
        // way up to the first of them and the two that are current; the record has all.
        if phase.is_live() {
            let first_live = self
                .status
                .timeline
                .iter()
                .position(|record| record.phase.is_live());
            let live = first_live.map_or(0, |first| self.status.timeline.len() - first);
            if let (Some(first), true) = (first_live, live >= 2) {
                self.status.timeline.remove(first);
            }
        }
        if let Some(tape) = &self.tape {
            tape.phase(phase, detail.as_deref());
        }
        self.status.timeline.push(PhaseRecord {
            phase,
            started,
            duration: None,
            detail,
        });
        self.status.phase = phase;
        self.status.since = started;
        self.entered = Instant::now();
        self.detail_told = None;
    }
}

/// Milliseconds since the Unix epoch.
pub(crate) fn now() -> f64 {
    SystemTime::now()
        .duration_since(UNIX_EPOCH)
        .map(milliseconds)
        .unwrap_or_default()
}
