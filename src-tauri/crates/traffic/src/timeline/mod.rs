//! Layout of operations on a time axis: bars on lanes, and the path that a duration hangs on.
//!
//! Moments in, places out: nothing here reads the record.
//!
//! ```text
//! critical_path   the parts of a tree that its duration hangs on
//! lanes           bars on as few lanes as possible
//! layout          the bars of a record, and the part of them that is drawn
//! types           public types
//! ```

mod critical_path;
mod lanes;
mod layout;
mod types;

pub(crate) use critical_path::{TreeSpan, critical_path};
pub(crate) use lanes::pack;
pub(crate) use layout::{Bar, TimelineLayout, VisiblePart};
pub use types::*;
