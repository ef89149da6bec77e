//! Measures the time limit of a request, which stands still while a question of the server waits
//! for the user: a server cannot answer before it has been answered itself.

use std::time::{Duration, Instant};

/// Measures how long a server takes, apart from how long the user is awaited.
pub(super) struct CallClock {
    limit: Option<Duration>,
    /// The rest of the limit, counted from `since`.
    left: Option<Duration>,
    since: Instant,
    /// Since when a question waits.
    held: Option<Instant>,
    waited: Duration,
}

impl CallClock {
    pub(super) fn start(limit: Option<Duration>) -> Self {
        Self {
            limit,
            left: limit,
            since: Instant::now(),
            held: None,
            waited: Duration::ZERO,
        }
    }

    pub(super) fn limit(&self) -> Duration {
        self.limit.unwrap_or_default()
    }

    /// The end of the time. Absent without a limit, and while a question waits.
    pub(super) fn due(&self) -> Option<Instant> {
        let left = self.left.filter(|_| self.held.is_none())?;
        self.since.checked_add(left)
    }

    /// Grants the whole limit again.
    pub(super) fn sign_of_life(&mut self) {
        self.left = self.limit;
        self.since = Instant::now();
    }

    /// Stops the clock while a question waits, and lets it go on afterwards.
    pub(super) fn set_waiting(&mut self, waiting: bool) {
        match (waiting, self.held) {
            (true, None) => {
                let used = self.since.elapsed();
                self.left = self.left.map(|left| left.saturating_sub(used));
                self.held = Some(Instant::now());
            }
            (false, Some(held)) => {
                self.waited += held.elapsed();
                self.held = None;
                self.since = Instant::now();
            }
            _ => {}
        }
    }

    /// The time in which questions have waited for the user.
    pub(super) fn waited(&self) -> Duration {
        self.waited + self.held.map_or(Duration::ZERO, |held| held.elapsed())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_limit_stands_still_while_a_question_waits() {
        let limit = Duration::from_secs(60);
        let mut clock = CallClock::start(Some(limit));
        let at_first = clock.due().expect("a limit");
        clock.set_waiting(true);
        assert_eq!(clock.due(), None);
        std::thread::sleep(Duration::from_millis(20));
        clock.sign_of_life();
        assert_eq!(clock.due(), None, "the question still waits");
        clock.set_waiting(false);
        let afterwards = clock.due().expect("a limit");
        assert!(afterwards >= at_first + Duration::from_millis(20));
        assert!(clock.waited() >= Duration::from_millis(20));
    }

    #[test]
    fn without_a_limit_a_request_is_never_due() {
        let mut clock = CallClock::start(None);
        clock.set_waiting(true);
        clock.set_waiting(false);
        assert_eq!(clock.due(), None);
    }
}
