//! Measures the time limit of a request, which stands still while a question of the server waits
//! for the user: a server cannot answer before it has been answered itself.
//!
//! Each moment is given by the caller, so that nothing has to be waited for to check it.

use std::time::{Duration, Instant};

/// Measures how long a server takes, apart from how long the user is awaited.
pub(crate) struct CallClock {
    limit: Option<Duration>,
    /// The rest of the limit, counted from `since`.
    left: Option<Duration>,
    since: Instant,
    /// Since when a question waits.
    held: Option<Instant>,
    waited: Duration,
}

impl CallClock {
    pub(crate) fn start(limit: Option<Duration>, now: Instant) -> Self {
        Self {
            limit,
            left: limit,
            since: now,
            held: None,
            waited: Duration::ZERO,
        }
    }

    /// The end of the time. Absent without a limit, and while a question waits.
    pub(crate) fn due(&self) -> Option<Instant> {
        let left = self.left.filter(|_| self.held.is_none())?;
        self.since.checked_add(left)
    }

    /// The rest of the limit; absent without one.
    pub(crate) fn left(&self, now: Instant) -> Option<Duration> {
        let used = match self.held {
            Some(_) => Duration::ZERO,
            None => now.saturating_duration_since(self.since),
        };
        self.left.map(|left| left.saturating_sub(used))
    }

    /// Grants the whole limit again.
    pub(crate) fn sign_of_life(&mut self, now: Instant) {
        self.left = self.limit;
        self.since = now;
    }

    /// Stops the clock while a question waits, and lets it go on afterwards.
    pub(crate) fn set_waiting(&mut self, waiting: bool, now: Instant) {
        match (waiting, self.held) {
            (true, None) => {
                self.left = self.left(now);
                self.held = Some(now);
            }
            (false, Some(held)) => {
                self.waited += now.saturating_duration_since(held);
                self.held = None;
                self.since = now;
            }
            _ => {}
        }
    }

    /// The time in which questions have waited for the user.
    pub(crate) fn waited(&self, now: Instant) -> Duration {
        let waits = |held| now.saturating_duration_since(held);
        self.waited + self.held.map_or(Duration::ZERO, waits)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const MINUTE: Duration = Duration::from_secs(60);
    const HOUR: Duration = Duration::from_secs(3600);

    #[test]
    fn the_limit_stands_still_while_a_question_waits() {
        let start = Instant::now();
        let mut clock = CallClock::start(Some(MINUTE), start);
        assert_eq!(clock.due(), Some(start + MINUTE));
        let asked = start + MINUTE / 3;
        clock.set_waiting(true, asked);
        assert_eq!(clock.due(), None);
        assert_eq!(clock.left(asked + HOUR), Some(MINUTE * 2 / 3));
        clock.set_waiting(false, asked + HOUR);
        assert_eq!(clock.due(), Some(asked + HOUR + MINUTE * 2 / 3));
        assert_eq!(clock.waited(asked + HOUR * 2), HOUR);
    }

    #[test]
    fn a_sign_of_life_grants_the_whole_limit_also_while_a_question_waits() {
        let start = Instant::now();
        let mut clock = CallClock::start(Some(MINUTE), start);
        clock.set_waiting(true, start + MINUTE / 2);
        clock.sign_of_life(start + HOUR);
        assert_eq!(clock.due(), None, "the question still waits");
        clock.set_waiting(false, start + HOUR * 2);
        assert_eq!(clock.due(), Some(start + HOUR * 2 + MINUTE));
    }

    #[test]
    fn without_a_limit_a_request_is_never_due() {
        let start = Instant::now();
        let mut clock = CallClock::start(None, start);
        clock.set_waiting(true, start + HOUR);
        clock.set_waiting(false, start + HOUR * 2);
        assert_eq!((clock.due(), clock.left(start + HOUR)), (None, None));
    }
}
