//! Clock by which retention decides what is too old; a jump ahead does not move it.
//!
//! A computer whose clock jumps ahead, because its battery is dead or it was resumed from a
//! snapshot, would otherwise delete the whole record at the next look, for ever. So the clock is
//! believed only while it goes on from what is known: from the newest frame on record when the
//! program starts, and from the last look later on. A user who was away for long keeps what is
//! too old for one session more; the limit of size holds all the same.

use std::time::{Duration, Instant};

/// Time that the clock may be ahead of what is known, in milliseconds.
const MAX_CLOCK_STEP: f64 = 7.0 * 86_400_000.0;

/// A clock that does not jump ahead. Times are milliseconds since the Unix epoch.
#[derive(Debug)]
pub(crate) struct RetentionClock {
    trusted: f64,
    looked: Instant,
}

impl RetentionClock {
    /// Begins with the time of the newest frame on record, or without one with `wall`.
    pub fn new(newest: Option<f64>, wall: f64) -> Self {
        Self {
            trusted: newest.unwrap_or(wall),
            looked: Instant::now(),
        }
    }

    /// The time to judge by, now that the system's clock says `wall`.
    pub fn now(&mut self, wall: f64) -> f64 {
        let elapsed = self.looked.elapsed();
        self.looked = Instant::now();
        self.advance(elapsed, wall)
    }

    fn advance(&mut self, elapsed: Duration, wall: f64) -> f64 {
        let expected = self.trusted + elapsed.as_secs_f64() * 1000.0;
        let is_ahead = wall - expected > MAX_CLOCK_STEP;
        self.trusted = if is_ahead { expected } else { wall };
        self.trusted
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const DAY: f64 = 86_400_000.0;
    const HOUR: Duration = Duration::from_secs(3600);

    #[test]
    fn a_clock_that_jumps_ahead_is_not_believed_and_one_that_goes_on_is() {
        let mut clock = RetentionClock::new(Some(100.0 * DAY), 101.0 * DAY);
        assert_eq!(clock.advance(HOUR, 101.0 * DAY), 101.0 * DAY);
        let jumped = clock.advance(HOUR, 200.0 * DAY);
        assert!(jumped < 101.1 * DAY, "{jumped}");
        assert_eq!(clock.advance(HOUR, 101.2 * DAY), 101.2 * DAY);
        assert_eq!(
            clock.advance(HOUR, 50.0 * DAY),
            50.0 * DAY,
            "it was set back"
        );
    }

    #[test]
    fn what_is_on_record_says_when_it_was_at_least() {
        let mut clock = RetentionClock::new(Some(100.0 * DAY), 900.0 * DAY);
        assert!(clock.advance(HOUR, 900.0 * DAY) < 101.0 * DAY);
        let mut without = RetentionClock::new(None, 900.0 * DAY);
        assert_eq!(without.advance(HOUR, 900.0 * DAY), 900.0 * DAY);
    }
}
