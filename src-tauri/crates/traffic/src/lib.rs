//! The durable record of everything that crosses the wire.
//!
//! A connection writes to its [`ConnectionRecorder`]: messages verbatim, lines of stderr, HTTP requests,
//! changes of phase. Each becomes a frame with a number at once, in the order of the wire,
//! and goes into the queue, a bounded run of blocks in memory. One thread writes the
//! queue to SQLite; nobody waits for it unless the queue is full.
//!
//! Frames make rows ([`ExchangeRow`]): a request and its response are one row that is
//! completed in place, everything else stands alone. The [`Recorder`] answers questions
//! about rows by window, so that they cost the same at ten rows and at ten million, from
//! the queue and the disk together.
//!
//! Nothing that a [`Redactor`](sightglass_secrets::Redactor) knows as a secret enters the queue. When the disk is full,
//! read-only or broken, recording turns off, says so, and keeps the newest frames in
//! memory; connections never notice.

mod block;
mod connection_recorder;
mod envelope;
mod error;
mod filter;
#[cfg(any(fuzzing, test))]
#[doc(hidden)]
pub mod fuzzing;
mod http;
mod members;
mod options;
mod payload;
mod query;
mod queue;
mod recorder;
mod store;
#[cfg(test)]
mod stories;
mod threads;
mod time;
mod types;
mod writer;

pub use connection_recorder::{CarrierId, ConnectionRecorder, Recorded};
pub use envelope::{Envelope, MessageKind, envelope};
pub use error::RecordError;
pub use http::HttpKind;
pub use members::Members;
pub use options::RecorderOptions;
pub use payload::value_at;
pub use recorder::Recorder;
pub use types::*;
