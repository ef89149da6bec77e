//! Moments, durations and sizes as they cross to the window and stand in files: JSON numbers
//! of milliseconds and bytes.
//!
//! JavaScript knows one kind of number, and the bindings have no 64-bit integer. A type for each
//! quantity keeps a duration from being read as a moment, and seconds from being read as
//! milliseconds.

use std::{
    ops::{Add, AddAssign, Sub},
    time::{Duration, SystemTime, UNIX_EPOCH},
};

use serde::{Deserialize, Deserializer, Serialize, Serializer};

/// Moment, as milliseconds since the Unix epoch.
///
/// Holds the very number that it is read from and written as: an authorization server or a
/// certificate may name a moment that no [`SystemTime`] of some platform can hold.
#[derive(Debug, Clone, Copy, PartialEq, PartialOrd, Serialize, Deserialize, specta::Type)]
#[serde(transparent)]
pub struct Timestamp(#[specta(type = u32)] f64);

impl Timestamp {
    pub fn now() -> Self {
        SystemTime::now().into()
    }

    pub const fn from_millis(milliseconds: f64) -> Self {
        Self(milliseconds)
    }

    pub fn from_seconds(seconds: f64) -> Self {
        Self(seconds * 1000.0)
    }

    pub const fn as_millis(self) -> f64 {
        self.0
    }

    pub fn as_seconds(self) -> f64 {
        self.0 / 1000.0
    }

    /// Returns the time from `earlier` to this moment; zero where `earlier` is later, since the
    /// wall clock can be set back.
    pub fn since(self, earlier: Self) -> Duration {
        duration(self.0 - earlier.0)
    }

    /// Returns the time from this moment until now; zero where it is to come.
    pub fn elapsed(self) -> Duration {
        Self::now().since(self)
    }
}

impl From<SystemTime> for Timestamp {
    fn from(time: SystemTime) -> Self {
        Self(match time.duration_since(UNIX_EPOCH) {
            Ok(since) => Millis(since).as_f64(),
            Err(before) => -Millis(before.duration()).as_f64(),
        })
    }
}

impl Add<Duration> for Timestamp {
    type Output = Self;

    fn add(self, duration: Duration) -> Self {
        Self(self.0 + Millis(duration).as_f64())
    }
}

impl Sub<Duration> for Timestamp {
    type Output = Self;

    fn sub(self, duration: Duration) -> Self {
        Self(self.0 - Millis(duration).as_f64())
    }
}

/// Duration that is written as a number of milliseconds.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, PartialOrd, Ord, specta::Type)]
pub struct Millis(#[specta(type = u32)] Duration);

impl Millis {
    pub const fn as_duration(self) -> Duration {
        self.0
    }

    pub fn as_f64(self) -> f64 {
        self.0.as_secs_f64() * 1000.0
    }

    /// Returns the duration of `milliseconds`; zero for a negative number, and the longest
    /// duration for one that is too large.
    pub fn from_f64(milliseconds: f64) -> Self {
        Self(duration(milliseconds))
    }
}

impl From<Duration> for Millis {
    fn from(duration: Duration) -> Self {
        Self(duration)
    }
}

impl From<Millis> for Duration {
    fn from(millis: Millis) -> Self {
        millis.0
    }
}

impl Serialize for Millis {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_f64(self.as_f64())
    }
}

impl<'de> Deserialize<'de> for Millis {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        f64::deserialize(deserializer).map(Self::from_f64)
    }
}

/// Number of bytes.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, PartialOrd, Ord, specta::Type)]
pub struct ByteCount(#[specta(type = u32)] u64);

impl ByteCount {
    pub const fn as_u64(self) -> u64 {
        self.0
    }
}

impl From<u64> for ByteCount {
    fn from(bytes: u64) -> Self {
        Self(bytes)
    }
}

impl From<u32> for ByteCount {
    fn from(bytes: u32) -> Self {
        Self(bytes.into())
    }
}

impl From<usize> for ByteCount {
    fn from(bytes: usize) -> Self {
        Self(bytes as u64)
    }
}

impl AddAssign for ByteCount {
    fn add_assign(&mut self, other: Self) {
        self.0 += other.0;
    }
}

impl Serialize for ByteCount {
    /// Writes a floating-point number, as scripts that read `--json` know it (`12.0`).
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_f64(self.0 as f64)
    }
}

impl<'de> Deserialize<'de> for ByteCount {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        f64::deserialize(deserializer).map(|bytes| Self(bytes as u64))
    }
}

fn duration(milliseconds: f64) -> Duration {
    Duration::try_from_secs_f64(milliseconds.max(0.0) / 1000.0).unwrap_or(Duration::MAX)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_moment_keeps_the_number_it_was_read_from() {
        for text in ["1795400000000.1235", "-11644473600001.0", "1e300", "0.0"] {
            let moment: Timestamp = serde_json::from_str(text).unwrap();
            let written: f64 =
                serde_json::from_str(&serde_json::to_string(&moment).unwrap()).unwrap();
            assert_eq!(written, text.parse::<f64>().unwrap());
        }
    }

    #[test]
    fn durations_and_sizes_are_written_as_floating_point_numbers() {
        let half_a_minute = Millis::from(Duration::from_secs(30));
        assert_eq!(serde_json::to_string(&half_a_minute).unwrap(), "30000.0");
        let size = ByteCount::from(12_usize);
        assert_eq!(serde_json::to_string(&size).unwrap(), "12.0");
    }

    #[test]
    fn numbers_that_no_duration_can_hold_become_the_nearest() {
        assert_eq!(Millis::from_f64(-1.0).as_duration(), Duration::ZERO);
        assert_eq!(Millis::from_f64(f64::NAN).as_duration(), Duration::ZERO);
        assert_eq!(Millis::from_f64(1e300).as_duration(), Duration::MAX);
    }

    #[test]
    fn moments_have_distances() {
        let moment = Timestamp::from_seconds(10.0);
        let later = moment + Duration::from_millis(1500);
        assert_eq!(later.since(moment), Duration::from_millis(1500));
        assert_eq!(moment.since(later), Duration::ZERO);
        assert_eq!(
            Timestamp::from(UNIX_EPOCH - Duration::from_secs(2)).as_seconds(),
            -2.0
        );
    }
}
