//! Locks that a panic does not poison, and moments that no duration can overflow.

use std::time::{Duration, Instant};

pub(crate) use sightglass_model::lock;

/// Returns the moment when `limit` is over from now on; `None` when the clock cannot count that far,
/// which is as good as no limit.
pub(crate) fn moment_after(limit: Duration) -> Option<Instant> {
    Instant::now().checked_add(limit)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_limit_beyond_the_clock_is_none() {
        assert_eq!(moment_after(Duration::MAX), None);
        assert!(moment_after(Duration::from_secs(60)).is_some());
    }
}
