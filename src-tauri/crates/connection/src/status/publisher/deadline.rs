//! Deadlines of the phases of the start, and when they stand still.

use std::time::{Duration, Instant};

use sightglass_model::{LimitSource, Phase};

use super::StatusPublisher;
use crate::sync::lock;

/// When a phase runs out of time.
#[derive(Debug, Clone)]
pub(crate) struct Deadline {
    pub phase: Phase,
    pub limit: Duration,
    pub set_by: LimitSource,
    pub at: Instant,
}

impl StatusPublisher {
    /// Stops the limits of the start, because the user is awaited, and says so.
    pub(crate) fn hold(&self, message: &str) {
        {
            let mut state = lock(&self.state);
            if state.held.is_some() {
                return;
            }
            state.held = Some(Instant::now());
        }
        self.set_deadline();
        self.tried(message);
    }

    /// Lets the limits go on where they stopped: the user is back.
    pub(crate) fn resume(&self) {
        {
            let mut state = lock(&self.state);
            let Some(held) = state.held.take() else {
                return;
            };
            let waited = held.elapsed();
            state.allowance += waited;
            if let Some(startup) = &mut state.startup {
                startup.at = startup.at.checked_add(waited).unwrap_or(startup.at);
            }
        }
        self.set_deadline();
    }

    /// Waits until a phase of the start takes longer than it may.
    pub(crate) async fn overdue(&self) -> Deadline {
        let mut deadline = self.deadline.subscribe();
        loop {
            let current = deadline.borrow_and_update().clone();
            let due = async {
                match &current {
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
    pub(super) fn set_deadline(&self) {
        let deadline = {
            let state = lock(&self.state);
            let phase = state.status.phase;
            let own = state.limits.limit(phase).and_then(|limit| {
                Some(Deadline {
                    phase,
                    limit: limit.duration,
                    set_by: limit.source,
                    at: state
                        .entered
                        .checked_add(limit.duration)?
                        .checked_add(state.allowance)?,
                })
            });
            let startup = state.startup.clone();
            let startup = startup.map(|startup| Deadline { phase, ..startup });
            own.into_iter()
                .chain(startup)
                .filter(|_| phase.is_start() && state.held.is_none())
                .min_by_key(|deadline| deadline.at)
        };
        self.deadline.send_replace(deadline);
    }
}
