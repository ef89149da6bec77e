//! Clock by which retention decides what is too old; a jump ahead does not move it.
//!
//! A computer whose clock jumps ahead, because its battery is dead or it was resumed from a
//! snapshot, would otherwise delete the whole record at the next look, for ever. So the clock is
//! believed only while it goes on from what is known: from the newest frame on record when the
//! program starts, and from the last look later on. A user who was away for long keeps what is
//! too old for one session more; the limit of size holds all the same.

use std::time::{Duration, Instant};

use sightglass_model::Timestamp;

/// Time that the clock may be ahead of what is known: a week.
const MAX_CLOCK_STEP: Duration = Duration::from_secs(7 * 86_400);

/// A clock that does not jump ahead.
#[derive(Debug)]
pub(crate) struct RetentionClock {
    trusted: Timestamp,
    looked: Instant,
}

impl RetentionClock {
    /// Begins with the time of the newest frame on record, or without one with `wall`.
    pub fn new(newest: Option<Timestamp>, wall: Timestamp) -> Self {
        Self {
            trusted: newest.unwrap_or(wall),
            looked: Instant::now(),
        }
    }

    /// The time to judge by, now that the system's clock says `wall`.
    pub fn now(&mut self, wall: Timestamp) -> Timestamp {
        let elapsed = self.looked.elapsed();
        self.looked = Instant::now();
        self.advance(elapsed, wall)
    }

    fn advance(&mut self, elapsed: Duration, wall: Timestamp) -> Timestamp {
        let expected = self.trusted + elapsed;
        let is_ahead = wall > expected + MAX_CLOCK_STEP;
        self.trusted = if is_ahead { expected } else { wall };
        self.trusted
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const HOUR: Duration = Duration::from_secs(3600);

    fn day(number: f64) -> Timestamp {
        Timestamp::from_seconds(number * 86_400.0)
    }

    #[test]
    fn a_clock_that_jumps_ahead_is_not_believed_and_one_that_goes_on_is() {
        let mut clock = RetentionClock::new(Some(day(100.0)), day(101.0));
        assert_eq!(clock.advance(HOUR, day(101.0)), day(101.0));
        let jumped = clock.advance(HOUR, day(200.0));
        assert!(jumped < day(101.1), "{jumped:?}");
        assert_eq!(clock.advance(HOUR, day(101.2)), day(101.2));
        assert_eq!(clock.advance(HOUR, day(50.0)), day(50.0), "it was set back");
    }

    #[test]
    fn what_is_on_record_says_when_it_was_at_least() {
        let mut clock = RetentionClock::new(Some(day(100.0)), day(900.0));
        assert!(clock.advance(HOUR, day(900.0)) < day(101.0));
        let mut without = RetentionClock::new(None, day(900.0));
        assert_eq!(without.advance(HOUR, day(900.0)), day(900.0));
    }
}
