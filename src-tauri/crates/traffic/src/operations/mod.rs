//! Operations: one thing that was done, out of many messages.
//!
//! An operation is a tree over the rows of the record: a call with its input-required rounds, the
//! server's questions, its task, its progress, its cancellation, the HTTP requests that carried it
//! and the sign-in that it needed. Its id is that of the row at its root, and each row is part of
//! exactly one operation, so that one operation counts once wherever rows are counted. Beside the
//! tree stand edges between operations: what was caused by what, without being a part of it.
//!
//! ```text
//! linker       the rules: which row is part of which, and which caused which
//! links        links by child and by parent, in bounded memory
//! facts        what a frame's text says that the rules need
//! time         the time of an operation, split into the server's and a person's
//! recent       a map that forgets its oldest entries
//! types        public types
//! ```
//!
//! Rules follow what the protocol says belongs together (ids and tokens of MCP, `requestState` of
//! SEP-2322, streams of SEP-2260, task ids of SEP-2663). A link is *sure* where the messages
//! themselves say so, and *inferred* where exactly one candidate is left. Where there are two, there
//! is no link: a wrong one is worse than none. Answers need no rule here, since a request and its
//! answer are one row already. A repeated send is linked only once the answer comes on it, since one
//! message is recorded once however often it was sent.
//!
//! Links are computed from the frames when they are asked for, and are not stored: what earlier
//! versions recorded is read like anything else, a better rule holds for old records too, and the
//! database needs no change. Measured in a record that was closed and opened again, 100,000 calls
//! with four notifications of progress each, and one with 10,000, take one core less than two
//! seconds to look through, once a run. That begins with the newest frames and goes on with older
//! ones in slices of time, until the oldest is reached, so that the newest operations are there at
//! once. While it is under way, what would need an older frame is not linked. At most a million
//! links are kept, of the newest rows.

mod facts;
mod linker;
mod links;
mod recent;
mod time;
mod types;

pub(crate) use facts::asks_person;
pub(crate) use linker::{Found, ObservedFrame, OperationLinker};
pub(crate) use links::{Link, Links};
pub(crate) use time::{RequestTime, Times, merged, total};
pub use types::*;
