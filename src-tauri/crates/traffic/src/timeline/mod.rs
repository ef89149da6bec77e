//! Layout of operations on a time axis: bars on lanes, and the path that a duration hangs on.
//!
//! Moments in, places out: nothing here reads the record.
//!
//! ```text
//! critical_path   the parts of a tree that its duration hangs on
//! lanes           bars on as few lanes as possible
//! ```

mod critical_path;
mod lanes;

pub use critical_path::{CriticalSection, TreeSpan, critical_path};
pub use lanes::{Lanes, pack};
