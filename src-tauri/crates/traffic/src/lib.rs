//! Durable record of everything that crosses the wire.
//!
//! ```text
//! recorder             Recorder: opens the record, answers queries, ends the threads
//! connection_recorder  ConnectionRecorder: messages, stderr, HTTP and phases become frames
//! threads              what keeps the threads running
//! query/               pages of rows, details, payloads, operations; incremental search; export
//! writer/              the one thread that writes; retention
//! queue                WriteQueue: the newest frames, until they are on disk
//! unrecorded           texts that stay in memory
//! store/               SQLite: schema, transactions, reading back, the index of rows
//! operations/          rules by which rows are parts of operations
//! timeline/            operations on a time axis
//! filter/              the filter language, and a filter compiled for many rows
//! payload/             payloads as pages of lines, raw or indented
//! recorded_server      the servers of connections, and their projects
//! block/               frames in the form in which they are queued, stored and searched
//! bookmarks            notes on rows
//! shortened            targets on one line
//! envelope http types  JSON-RPC envelopes, HTTP texts, public types
//! ```
//!
//! Modules use those below them. A connection writes to its [`ConnectionRecorder`]: messages
//! verbatim, lines of stderr, HTTP requests, changes of phase. Each becomes a frame with a number
//! at once, in the order of the wire, and goes into the queue, a bounded run of blocks in memory.
//! One thread writes the queue to SQLite; nobody waits for it unless the queue is full.
//!
//! Frames make rows ([`ExchangeRow`]): a request and its response are one row that is
//! completed in place, everything else stands alone. The [`Recorder`] answers queries by page, so
//! that they cost the same at ten rows and at ten million, from the queue and the disk together.
//!
//! Nothing that a [`Redactor`](sightglass_secrets::Redactor) knows as a secret enters the queue.
//! When the disk is full, read-only or broken, recording turns off, says so, and keeps the newest
//! frames in memory; connections never notice.

mod block;
mod bookmarks;
mod connection_recorder;
mod envelope;
mod error;
mod filter;
#[cfg(any(fuzzing, test))]
#[doc(hidden)]
pub mod fuzzing;
mod http;
mod operations;
mod options;
mod payload;
mod query;
mod queue;
mod quiet;
mod recorded_server;
mod recorder;
mod shortened;
mod store;
#[cfg(test)]
mod stories;
mod threads;
mod timeline;
mod trace_parent;
mod types;
mod unrecorded;
mod writer;

pub use bookmarks::MAX_NOTE_CHARACTERS;
pub use connection_recorder::{
    CarrierId, ConnectionRecorder, Recorded, RestoredConnection, RestoredFrames,
};
pub use envelope::{Envelope, MessageKind, envelope};
pub use error::RecordError;
pub use http::{HttpKind, HttpText};
pub use operations::{
    Causality, Certainty, Edge, EdgeKind, Operation, OperationNode, OperationPage, OperationQuery,
    OperationTree, RelatedRow, TaskStatus, TimeSpan,
};
pub use options::RecorderOptions;
pub use query::{
    FrameHead, Queries, RecordedExchange, RecordedFrame, RecordedHttp, RecordedText, RowOfMany,
};
pub use recorded_server::SESSION_FILE;
pub use recorder::Recorder;
pub use timeline::{
    OperationTimeline, Timeline, TimelineArrow, TimelineBar, TimelineBin, TimelineBucket,
    TimelineLanes, TimelinePart, TimelinePlace, TimelineQuery, TimelineSection, TimelineStep,
    TimelineTrack,
};
pub use trace_parent::TraceParent;
pub use types::*;
