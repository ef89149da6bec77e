//! Connections to MCP servers.
//!
//! [`Connections`] owns them all. Each attempt to connect runs in a task of its own, goes
//! through the phases of [`Phase`](sightglass_model::Phase), and tells what happens as
//! [`ConnectionEvent`]s.
//!
//! # How a message travels
//!
//! ```text
//!  person's request ──┐                               ┌── child process: pipes
//!  list loader ───────┼── Wire ── ConnectionRecorder (the record) ──┤
//!  rmcp ────── Port ──┘                               └── Gate: every remote transport
//! ```
//!
//! Every message is recorded as the exact text that crossed the wire, below anything typed,
//! and what a person sees is read from that text.
//!
//! rmcp carries out the handshake of either era and the small duties of a client (`ping`, and
//! refusing unknown methods), through a `Port` onto the wire. Requests of a
//! person's and the loading of lists do not pass through it, for these reasons: its results
//! are an untagged union, so one malformed tool spoils a whole page and unknown fields are
//! lost; parsing 15 MB of tools into it takes 300 ms and 150 MB; its parameters are values,
//! so numbers beyond 2^53 would not arrive as typed; and it handles notifications in tasks
//! of their own, so that their order is lost. All requests share the one sequence of ids
//! that the wire keeps; a port translates between those and rmcp's.
//!
//! Notifications are acted upon where they are recorded, in the order of the wire and
//! without a task each, which is also why a hundred thousand of them cost little more than
//! reading them.

#![allow(
    clippy::disallowed_methods,
    reason = "servers are started here, and only here, as leaders of groups that are ended with them"
)]

mod attempt;
mod backoff;
mod board;
mod browser;
mod call;
mod connections;
mod course;
mod doctor;
mod error;
mod event;
mod event_stream;
#[cfg(any(fuzzing, test))]
#[doc(hidden)]
pub mod fuzzing;
mod gate;
mod handshake;
mod http;
mod idle;
mod inbox;
mod item;
mod journal;
mod json;
mod keep;
mod link_error;
mod list;
mod listing;
mod port;
mod process;
mod queue;
mod roots;
mod server_sent_events;
mod session;
mod subscription;
mod sync;
mod web_socket;
mod wire;
mod wishes;

pub use browser::open_in_browser;
pub use connections::{ClientIdentity, Connections, ConnectionsOptions, DEFAULT_MESSAGE_LIMIT};
pub use doctor::{DoctorCheck, DoctorReport, DoctorState, Verdict};
pub use error::ConnectionError;
pub use event::*;
pub use gate::http_ways;
pub use item::*;
pub use process::{REAPER_ARGUMENT, ReaperCommand, prepare_to_start_processes, run_reaper};
pub use roots::{Root, RootsOf};
