//! Attacks, and what the user sees of them: a module per theme.

#[cfg(unix)]
mod disconnect;
mod durations;
mod flood;
mod retry;
