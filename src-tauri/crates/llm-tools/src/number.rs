//! Numbers as they cross to the window, which has no 64-bit integers.

/// Number of something, at most [`u32::MAX`].
pub(crate) fn count(number: usize) -> u32 {
    u32::try_from(number).unwrap_or(u32::MAX)
}
