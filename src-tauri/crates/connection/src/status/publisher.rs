//! Publishes the status of one connection: its phase, the timeline that led there, and
//! the result of the handshake. Every change is recorded, and sent as an event.

mod deadline;
mod state;

use std::{
    sync::{Arc, Mutex},
    time::{Duration, Instant},
};

use sightglass_model::{
    ConnectStep, ConnectionLoss, ConnectionStatus, Failure, FailureReport, HandshakeResult, Health,
    KnownEndpoint, Phase, Reconnection, ServerId, StepOutcome, StrayOutput, TimeLimits, Timestamp,
    TransportKind,
};
use sightglass_secrets::Secret;
use sightglass_traffic::ConnectionRecorder;
use tokio::sync::watch;

use crate::{ConnectionEvent, status::event::EventSink, sync::lock};
use deadline::Deadline;
use state::{State, count, first};

/// Changes of a phase's detail are told at most this often.
const DETAIL_INTERVAL: Duration = Duration::from_millis(50);

pub(crate) struct StatusPublisher {
    server: ServerId,
    events: EventSink,
    state: Mutex<State>,
    /// Held while an event is told, so that events come in the order of the changes, and
    /// a listener can ask for the status meanwhile.
    telling: Mutex<()>,
    deadline: watch::Sender<Option<Deadline>>,
}

impl StatusPublisher {
    pub(crate) fn new(server: ServerId, events: EventSink, found: Option<KnownEndpoint>) -> Self {
        Self {
            server,
            events,
            state: Mutex::new(State {
                status: ConnectionStatus {
                    known_endpoint: found,
                    ..ConnectionStatus::disconnected(Timestamp::now())
                },
                entered: Instant::now(),
                recorder: None,
                limits: TimeLimits::default(),
                startup: None,
                held: None,
                allowance: Duration::ZERO,
                detail_told: None,
                running: 0,
                waiting: 0,
                ready: None,
                sent_ahead: Vec::new(),
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
    pub(crate) fn begin(&self, beginning: AttemptStart) {
        self.change(|state| {
            let found = state.status.known_endpoint.take();
            let before = std::mem::replace(
                &mut state.status,
                ConnectionStatus {
                    connection: Some(beginning.recorder.connection()),
                    first_connection: Some(beginning.recorder.connection()),
                    known_endpoint: found,
                    ..ConnectionStatus::disconnected(Timestamp::now())
                },
            );
            if let Some(reconnection) = beginning.reconnection {
                // A choice of the user's lives as long as the connection is wanted.
                state.status.log_level = before.log_level;
                state.status.loss = before.loss;
                state.status.first_connection = before.first_connection;
                state.status.reconnection = Some(Reconnection {
                    waiting: state.waiting,
                    ..reconnection
                });
            }
            state.recorder = Some(beginning.recorder);
            state.limits = beginning.limits;
            state.running = 0;
            state.held = None;
            state.start(beginning.detail);
            true
        });
        self.set_deadline();
    }

    /// The server forgot the session; a new one is begun on the same connection.
    pub(crate) fn renew(&self, detail: String) {
        self.change(|state| {
            // One session back is enough; the record has all.
            let earlier = state
                .status
                .timeline
                .iter()
                .rposition(|record| record.phase == Phase::Connecting);
            state.status.timeline.drain(..earlier.unwrap_or_default());
            state.start(detail);
            true
        });
        self.set_deadline();
    }

    /// Enters a phase.
    pub(crate) fn enter(&self, phase: Phase, detail: Option<String>) {
        self.change(|state| {
            state.enter(phase, detail);
            true
        });
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
        self.change(|state| {
            let detail = state.masked(detail);
            if let Some(record) = state.status.timeline.last_mut() {
                Arc::make_mut(record).detail = Some(detail);
            }
            let told = state.detail_told;
            let is_due = told.is_none_or(|told| told.elapsed() >= DETAIL_INTERVAL);
            if is_due {
                state.detail_told = Some(Instant::now());
            }
            is_due
        });
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
        if let Some(recorder) = &lock(&self.state).recorder {
            recorder.note("handshake", step);
        }
        self.detail(detail);
    }

    /// A way to connect is being tried; the number is for [`Self::step_ended`].
    pub(crate) fn step_started(&self, transport: TransportKind, what: &str) -> usize {
        let mut number = 0;
        self.update(|status| {
            number = status.steps.len();
            status.steps.push(ConnectStep {
                transport,
                what: what.to_owned(),
                outcome: StepOutcome::Running,
                summary: None,
                started: Timestamp::now(),
                duration: None,
            });
        });
        number
    }

    pub(crate) fn step_ended(&self, number: usize, outcome: StepOutcome, message: String) {
        let recorder = lock(&self.state).recorder.clone();
        let message =
            recorder.map_or_else(|| message.clone(), |recorder| recorder.masked(&message));
        self.update(|status| {
            if let Some(step) = status.steps.get_mut(number) {
                end_step(step, outcome, Some(message));
            }
        });
    }

    /// Masks these values too, from now on.
    pub(crate) fn learn(&self, secrets: &[Secret<String>]) {
        if let Some(recorder) = &lock(&self.state).recorder {
            recorder.learn(secrets);
        }
    }

    pub(crate) fn masked(&self, text: &str) -> Option<String> {
        let recorder = lock(&self.state).recorder.clone();
        recorder.map(|recorder| recorder.masked(text))
    }

    /// Returns what an earlier attempt found.
    pub(crate) fn found(&self) -> Option<KnownEndpoint> {
        lock(&self.state).status.known_endpoint.clone()
    }

    pub(crate) fn set_found(&self, found: Option<KnownEndpoint>) {
        self.change(|state| {
            let is_new = state.status.known_endpoint != found;
            state.status.known_endpoint = found;
            is_new
        });
    }

    /// Changes what is no phase, and tells it.
    fn update(&self, change: impl FnOnce(&mut ConnectionStatus)) {
        self.change(|state| {
            change(&mut state.status);
            true
        });
    }

    /// The handshake is complete: what else was tried is not waited for any more.
    pub(crate) fn settled(&self, facts: HandshakeResult) {
        self.change(|state| {
            let open = state.status.steps.iter_mut();
            for step in open.filter(|step| step.outcome == StepOutcome::Running) {
                end_step(step, StepOutcome::Superseded, None);
            }
            state.status.handshake = Some(Arc::new(state.masked_facts(facts)));
            true
        });
    }

    /// Nothing that was tried is answered any more; `message` says so.
    pub(crate) fn unanswered(&self, message: &str) {
        let message = &lock(&self.state).masked(message.to_owned());
        self.update(|status| end_open_steps(status, message));
    }

    /// The attempt is over; with a `reconnection` another one follows. What the record masks is
    /// masked in the reason too.
    pub(crate) fn failed(&self, mut failure: Failure, reconnection: Option<Reconnection>) {
        self.change(|state| {
            if let Some(recorder) = &state.recorder {
                failure.rewrite(|text| *text = recorder.masked(text));
            }
            let reason = failure.to_string();
            end_open_steps(&mut state.status, "had no answer");
            let report = FailureReport::from(failure);
            if state.ready.is_some() {
                let before = state.status.loss.take().map_or(0, |loss| loss.count);
                state.status.loss = Some(ConnectionLoss {
                    count: before.saturating_add(1),
                    at: Timestamp::now(),
                    connection: state.status.connection,
                    back: None,
                    failure: report.clone(),
                });
            }
            state.status.failure = Some(report);
            state.status.reconnection = reconnection.map(|reconnection| Reconnection {
                waiting: state.waiting,
                ..reconnection
            });
            state.enter(Phase::Failed, Some(reason));
            true
        });
        self.set_deadline();
    }

    /// No other attempt follows after all.
    pub(crate) fn gave_up(&self) {
        self.change(|state| state.status.reconnection.take().is_some());
    }

    /// Returns true when the connection was lost and its next try has a time.
    pub(crate) fn awaits_next_try(&self) -> bool {
        let state = lock(&self.state);
        let reconnection = state.status.reconnection.as_ref();
        reconnection.is_some_and(|reconnection| reconnection.next_try.is_some())
    }

    /// Sets the number of the user's requests that wait for the connection.
    pub(crate) fn waiting(&self, count: u32) {
        self.change(|state| {
            state.waiting = count;
            match &mut state.status.reconnection {
                Some(reconnection) => {
                    reconnection.waiting = count;
                    true
                }
                None => false,
            }
        });
    }

    /// Publishes the result of the newest ping.
    pub(crate) fn health(&self, health: Health) {
        self.update(|status| status.health = Some(health));
    }

    pub(crate) fn log_level(&self, level: String) {
        self.update(|status| status.log_level = Some(level));
    }

    /// The last lines of stderr, which are shown while the server starts.
    pub(crate) fn output(&self, lines: Vec<String>) {
        self.change(|state| {
            let shown = state.status.phase.is_start();
            if shown {
                state.status.output = lines;
            }
            shown
        });
    }

    /// The text on stdout that is no message.
    pub(crate) fn stray(&self, stray: StrayOutput) {
        self.change(|state| {
            let is_new = state.status.stray.as_ref() != Some(&stray);
            state.status.stray = Some(stray);
            is_new
        });
    }

    /// A message was sent. The next change tells of it.
    pub(crate) fn sent(&self, method: &str) {
        let mut state = lock(&self.state);
        if !state.status.phase.is_start() {
            return;
        }
        // The lists are loaded at once, and their phases follow each other.
        let phase = match method {
            "resources/list" | "resources/templates/list" => Phase::ListingResources,
            "tools/list" => Phase::ListingTools,
            "prompts/list" => Phase::ListingPrompts,
            _ => state.status.phase,
        };
        let records = &mut state.status.timeline;
        match records.iter_mut().rfind(|record| record.phase == phase) {
            Some(record) => count(&mut Arc::make_mut(record).exchanged, method),
            None => {
                let ahead = &mut state.sent_ahead;
                let known = ahead
                    .iter_mut()
                    .find(|(of, exchanged)| *of == phase && exchanged.method == method);
                match known {
                    Some((_, exchanged)) => exchanged.count += 1,
                    None => ahead.push((phase, first(method))),
                }
            }
        }
    }

    /// Returns the time that the session has been up; `None` while it never was.
    pub(crate) fn lived(&self) -> Option<Duration> {
        lock(&self.state).ready.map(|ready| ready.elapsed())
    }

    /// Notes that a request of the user's starts: the phase is `executing` until the last one ends.
    pub(crate) fn request_started(&self) {
        self.change(|state| {
            state.running += 1;
            let first = state.running == 1 && state.status.phase == Phase::Ready;
            if first {
                state.enter(Phase::Executing, None);
            }
            first
        });
    }

    pub(crate) fn request_ended(&self) {
        self.change(|state| {
            state.running = state.running.saturating_sub(1);
            let last = state.running == 0 && state.status.phase == Phase::Executing;
            if last {
                state.enter(Phase::Ready, None);
            }
            last
        });
    }

    /// Changes the state, and tells the status when `change` says so.
    fn change(&self, change: impl FnOnce(&mut State) -> bool) {
        let _telling = lock(&self.telling);
        let status = {
            let mut state = lock(&self.state);
            if !change(&mut state) {
                return;
            }
            Arc::new(state.status.clone())
        };
        let server = self.server.clone();
        (self.events)(ConnectionEvent::Status { server, status });
    }
}

/// State that a new attempt begins with.
pub(crate) struct AttemptStart {
    pub recorder: ConnectionRecorder,
    pub limits: TimeLimits,
    /// Server that is connected to.
    pub detail: String,
    /// When this is not the first attempt.
    pub reconnection: Option<Reconnection>,
}

fn end_open_steps(status: &mut ConnectionStatus, message: &str) {
    let open = status.steps.iter_mut();
    for step in open.filter(|step| step.outcome == StepOutcome::Running) {
        end_step(step, StepOutcome::Failed, Some(message.to_owned()));
    }
}

fn end_step(step: &mut ConnectStep, outcome: StepOutcome, message: Option<String>) {
    step.outcome = outcome;
    step.summary = message;
    step.duration = Some(step.started.elapsed().into());
}
