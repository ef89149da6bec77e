//! Connections to MCP servers.
//!
//! [`Connections`] owns them all. Each connection has a supervisor, each attempt to connect runs
//! in a task of its own, goes through the phases of [`Phase`](sightglass_model::Phase), and reports
//! what happens as [`ConnectionEvent`]s.
//!
//! # Layers
//!
//! A folder each; imports point downward only, which a test holds.
//!
//! ```text
//! connections   way in: requests, lists, settings        doctor  checks one server
//! supervisor    attempts, backoff, transport fallback
//! session       handshake (rmcp), request queue, calls, lists, subscriptions, keepalive
//! rpc           JSON-RPC peer: pending requests, dispatch, inbox of the server's requests
//! transport     stdio, Streamable HTTP, HTTP with SSE, WebSocket; requests over HTTP
//! status        status publisher, diagnostics, events
//! ```
//!
//! A transport knows of its user only `TransportEvents`: a direct
//! call per message, no channel and no task between. The peer records each message as the exact
//! text that crossed the wire, below anything typed, and only then dispatches it; what the user
//! sees is read from that text. Notifications are handled where they are recorded, in their
//! order, so that a hundred thousand of them cost little more than reading them.
//!
//! rmcp carries out the handshake of either era and the small duties of a client; the head of
//! `session/rmcp_adapter.rs` says which messages those are and why the rest goes below it.

#![cfg_attr(
    test,
    allow(
        clippy::disallowed_methods,
        reason = "tests write the programs that they start"
    )
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
pub use doctor::{DoctorReport, DoctorState};
pub use error::ConnectionError;
pub use json::{Params, ParamsError};
pub use rpc::{
    response::{RequestEnd, RequestOutcome, Response},
    roots::{Root, RootsOf},
};
pub use session::handshake::ClientIdentity;
pub use status::{event::*, item::*, key::ConnectionKey, subscribers::EventSubscriber, task::*};
pub use transport::{
    program::{Program, ProgramError, ProgramOutput, run_program},
    stdio::{
        REAPER_ARGUMENT, ReaperCommand, prepare_to_start_processes, run_reaper, start_in_background,
    },
    streamable_http::{HttpProbe, HttpProbeAnswer},
};
