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
//!  list loader ───────┼── Peer ── ConnectionRecorder (the record) ──┤
//!  rmcp ────── RmcpAdapter ──┘                               └── HttpClient: every remote transport
//! ```
//!
//! Every message is recorded as the exact text that crossed the wire, below anything typed,
//! and what a person sees is read from that text.
//!
//! rmcp carries out the handshake of either era and the small duties of a client (`ping`, and
//! refusing unknown methods), through a `RmcpAdapter` onto the wire. Requests of a
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

mod browser;
mod connections;
mod doctor;
mod error;
#[cfg(any(fuzzing, test))]
#[doc(hidden)]
pub mod fuzzing;
mod json;
mod rpc;
mod session;
mod status;
mod supervisor;
mod sync;
mod transport;

pub use browser::open_in_browser;
pub use connections::{Connections, ConnectionsOptions, DEFAULT_MESSAGE_LIMIT};
pub use doctor::{DoctorCheck, DoctorReport, DoctorState, Verdict};
pub use error::ConnectionError;
pub use json::{Params, ParamsError};
pub use rpc::{
    response::{RequestEnd, RequestOutcome, Response},
    roots::{Root, RootsOf},
};
pub use session::handshake::ClientIdentity;
pub use status::{event::*, item::*};
pub use transport::{
    http_client::http_ways,
    stdio::{REAPER_ARGUMENT, ReaperCommand, prepare_to_start_processes, run_reaper},
};
