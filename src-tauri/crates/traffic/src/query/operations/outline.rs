//! Summary of an operation: links, times, outcome.

use std::time::Duration;

use sightglass_model::{Millis, Timestamp};

use super::index::OperationIndex;
use crate::{
    Certainty, Direction, EdgeKind, ExchangeRow, Operation, Outcome, RecordError, TaskStatus,
    TimeSpan,
    operations::{RequestTime, asks_person, merged, total},
    query::view::View,
};

/// Requests of one operation whose ends are looked up on disk, since no answer came.
const MAX_LOOKED_UP: usize = 256;

/// Times in which a person was asked that are told of one operation.
const MAX_TIMES: usize = 100;

/// Facts of an operation that follow from its links.
pub(super) struct Outline {
    pub root: u32,
    parts: u32,
    rounds: u32,
    questions: u32,
    progress: u32,
    http: u32,
    sure: bool,
    task: Option<TaskStatus>,
    /// The row of the last round; the root without any.
    last_round: u32,
    /// True when its result asked for input that did not come yet.
    is_waiting: bool,
    /// The moment since which a person is asked for that input.
    asked_since: Option<Timestamp>,
    /// Requests that were cancelled.
    cancelled: Vec<u32>,
    /// The other requests that take its time.
    requests: Vec<(u32, RequestTime)>,
    /// Times between a result that asked a person and the request that brought the answers.
    asked: Vec<TimeSpan>,
}

/// Facts about the row at the root, without its texts.
#[derive(Debug, Clone, Copy)]
pub(super) struct RootFacts {
    pub at: Timestamp,
    pub end: Option<Timestamp>,
    pub outcome: Outcome,
    /// True when a person answers it.
    pub asks_person: bool,
}

/// The time and the outcome of a whole operation.
pub(super) struct WholeOperation {
    pub outcome: Outcome,
    /// The last answer so far.
    pub end: Timestamp,
    pub is_over: bool,
    /// Times that a person took to answer, merged.
    pub person: Vec<TimeSpan>,
    pub waits_for_person: bool,
}

impl Outline {
    pub fn of(index: &OperationIndex, root: u32) -> Self {
        let mut outline = Self {
            root,
            parts: 0,
            rounds: 0,
            questions: 0,
            progress: 0,
            http: 0,
            sure: true,
            task: index.times.task_of(root),
            last_round: root,
            is_waiting: false,
            asked_since: None,
            cancelled: Vec::new(),
            requests: Vec::new(),
            asked: Vec::new(),
        };
        for (link, _) in index.links.beneath(root, |_| false) {
            outline.parts = outline.parts.saturating_add(1);
            outline.sure &= link.edge.certainty == Certainty::Sure;
            match link.edge.kind {
                EdgeKind::Round => {
                    outline.rounds += 1;
                    outline.last_round = outline.last_round.max(link.child);
                    outline.task = outline.task.or(index.times.task_of(link.child));
                }
                EdgeKind::Question => outline.questions += 1,
                EdgeKind::Progress => outline.progress += 1,
                EdgeKind::Carrier | EdgeKind::Repetition | EdgeKind::SignIn => outline.http += 1,
                EdgeKind::Cancellation => outline.cancelled.push(link.parent),
                _ => {}
            }
            if let Some(time) = index.times.request(link.child) {
                outline.requests.push((link.child, time));
                let asked = index.times.asked_before(link.child, time.at);
                outline.asked.extend(asked);
            }
        }
        outline.is_waiting = index.times.is_waiting(outline.last_round);
        outline.asked_since = index.times.asked_since(outline.last_round);
        outline
    }

    /// The operation. Nothing settles rows before `live_from` any more.
    pub fn operation(
        self,
        view: &View<'_>,
        root: ExchangeRow,
        live_from: u32,
    ) -> Result<Operation, RecordError> {
        let facts = RootFacts {
            at: root.at,
            end: root.duration.map(|duration| root.at + duration.into()),
            outcome: root.outcome,
            asks_person: root.direction == Direction::Received && asks_person(&root.method),
        };
        let whole = self.whole(view, facts, live_from)?;
        let late_result = self.has_late_result(view)?;
        let person_time = total(&whole.person).into();
        let mut person = whole.person;
        person.truncate(MAX_TIMES);
        let duration: Duration = whole.end.since(root.at);
        Ok(Operation {
            parts: self.parts,
            outcome: whole.outcome,
            task: self.task,
            rounds: self.rounds,
            questions: self.questions,
            progress: self.progress,
            http: self.http,
            late_result,
            sure: self.sure,
            duration: whole.is_over.then(|| Millis::from(duration)),
            person_time,
            person,
            waits_for_person: whole.waits_for_person,
            root,
        })
    }

    /// The time and the outcome of the whole.
    pub fn whole(
        &self,
        view: &View<'_>,
        root: RootFacts,
        live_from: u32,
    ) -> Result<WholeOperation, RecordError> {
        let outcome = self.outcome(view, root.outcome, live_from)?;
        let mut end = root.end.unwrap_or(root.at);
        let now = Timestamp::now();
        let is_pending = outcome == Outcome::Pending;
        let mut person = self.asked.clone();
        let mut waits_for_person = false;
        if let Some(from) = self.asked_since
            && is_pending
        {
            waits_for_person = true;
            person.push(TimeSpan { from, to: now });
        }
        if root.asks_person {
            waits_for_person |= is_pending && root.end.is_none();
            person.push(TimeSpan {
                from: root.at,
                to: root.end.unwrap_or(now),
            });
        }
        let mut looked_up = 0;
        for (row, time) in &self.requests {
            let answered = match time.end {
                Some(end) => Some(end),
                None if looked_up < MAX_LOOKED_UP => {
                    looked_up += 1;
                    let settlement = view.settlement(*row)?;
                    settlement
                        .and_then(|settlement| settlement.duration)
                        .map(|duration| time.at + duration)
                }
                None => None,
            };
            if time.asks_person {
                waits_for_person |= is_pending && answered.is_none();
                person.push(TimeSpan {
                    from: time.at,
                    to: answered.unwrap_or(now),
                });
            }
            end = match answered {
                Some(answered) if answered > end => answered,
                _ => end,
            };
        }
        let is_over = !is_pending && (root.end.is_some() || self.parts > 0);
        let within = TimeSpan {
            from: root.at,
            to: if is_over { end } else { now },
        };
        Ok(WholeOperation {
            outcome,
            end,
            is_over,
            person: merged(person, within),
            waits_for_person,
        })
    }

    /// The last known status of its task.
    pub fn task(&self) -> Option<TaskStatus> {
        self.task
    }

    fn outcome(
        &self,
        view: &View<'_>,
        root: Outcome,
        live_from: u32,
    ) -> Result<Outcome, RecordError> {
        if self.is_waiting {
            return Ok(match self.last_round < live_from {
                true => Outcome::Unanswered,
                false => Outcome::Pending,
            });
        }
        let outcome = match self.last_round == self.root {
            true => root,
            false => view
                .settlement(self.last_round)?
                .map_or(Outcome::Pending, |settlement| settlement.outcome),
        };
        Ok(match self.task {
            _ if outcome != Outcome::Ok => outcome,
            None | Some(TaskStatus::Completed) => outcome,
            Some(TaskStatus::Failed) => Outcome::Error,
            Some(TaskStatus::Cancelled) => Outcome::Cancelled,
            Some(TaskStatus::Working | TaskStatus::InputRequired) => Outcome::Pending,
        })
    }

    fn has_late_result(&self, view: &View<'_>) -> Result<bool, RecordError> {
        for row in self.cancelled.iter().take(MAX_LOOKED_UP) {
            let is_late = view.settlement(*row)?.is_some_and(|settlement| {
                settlement.outcome == Outcome::Cancelled && settlement.response_frame.is_some()
            });
            if is_late {
                return Ok(true);
            }
        }
        Ok(false)
    }
}
