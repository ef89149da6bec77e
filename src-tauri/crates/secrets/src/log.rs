//! Decides what may be logged, whatever the user asked for in `SIGHTGLASS_LOG`.

use tracing::{Level, Metadata};

/// Returns whether an event may be logged.
///
/// Libraries log messages and headers at their lower levels, which may hold secrets, so that only
/// their warnings and errors are. The crates of this project log no values.
pub fn may_be_logged(metadata: &Metadata<'_>) -> bool {
    *metadata.level() <= Level::WARN || metadata.target().starts_with("sightglass")
}
