//! An MCP server that shows everything a client has to handle.
//!
//! Users learn MCP with it, and clients are tested and measured against it: every
//! kind of schema and result, pages, subscriptions, requests to the client, floods,
//! large results, and failures on purpose. It speaks both eras of the protocol
//! (`initialize`, 2024-11-05 to 2025-11-25, and the stateless 2026-07-28) over stdio
//! and Streamable HTTP.
//!
//! # Why it is written on raw JSON-RPC
//!
//! No MCP library is used. A library's types rule out exactly what a client has to
//! survive: malformed results, duplicate answers, stray output, unknown content. And
//! a server built on the library of the client under test would share its
//! misunderstandings. Raw text also lets lists and large results be serialised once
//! and sent without copying, so that measurements measure the client.
//!
//! # How a message travels
//!
//! ```text
//! stdio │ http → dispatch → handshake │ methods → tools/ prompts resources listing
//!                   ↑                                  │ context::Reply, or a task
//!                 server, connection (state)           ↓
//!        client ←──────────────── sink: line writer or event stream
//! ```
//!
//! `dispatch` finds the era and the method; a handler answers with a `context::Reply`, at
//! once or as a task, whose other messages go to its `sink::Sink`. Differences between revisions
//! within the `initialize` era are not acted out: older clients also see titles, icons and audio.
//!
//! # Use
//!
//! ```no_run
//! use sightglass_demo_server::{Options, Parsed, run};
//!
//! # async fn example() -> Result<(), Box<dyn std::error::Error>> {
//! if let Parsed::Serve(options) = Options::parse(["--http", "0"])? {
//!     run(*options).await?;
//! }
//! # Ok(())
//! # }
//! ```

mod answer;
mod caching;
mod catalog;
mod completion;
mod connection;
mod context;
mod dispatch;
mod handshake;
mod http;
mod lifecycle;
mod listeners;
mod listing;
mod load;
mod lock;
mod media;
mod message;
mod methods;
mod options;
mod params;
mod prompts;
mod protocol;
mod question;
mod resources;
mod responder;
mod server;
mod serving;
mod sink;
mod skills;
mod stdio;
mod task;
mod tasks;
mod tools;

use std::{io, process::ExitCode};

pub use options::{
    Answers, Catalogue, Fault, HELP, ListenTransport, Options, OptionsError, Parsed,
};
pub use protocol::{Era, Eras};
pub use responder::{Responder, Response};
pub use serving::serve;

/// Reason why the server could not serve.
#[derive(Debug, thiserror::Error)]
pub enum Error {
    /// The port is taken or may not be used.
    #[error("cannot listen on 127.0.0.1:{port}: {source}")]
    Listen {
        /// The port asked for.
        port: u16,
        /// The error of the system.
        source: io::Error,
    },
    /// A connection could not be accepted.
    #[error("HTTP serving ended: {0}")]
    Http(io::Error),
    /// The system refused a thread.
    #[error("cannot start a thread: {0}")]
    Thread(io::Error),
    /// SIGTERM could not be caught.
    #[error("cannot ignore SIGTERM: {0}")]
    Signal(io::Error),
    /// The child of `--fork-child` could not be started.
    #[error("cannot start the child process: {0}")]
    Child(io::Error),
}

/// The first argument on which the other executables of Sightglass are the demo server.
pub const ARGUMENT: &str = "demo-server";

/// Serves until the client goes away, and returns the exit code.
///
/// The server treats the process as its own: the tool `crash` ends it, and over
/// stdio it owns stdin and stdout. Call it from a program that does nothing else.
///
/// # Errors
///
/// When it cannot start serving; never because of what a client does.
pub async fn run(options: Options) -> Result<ExitCode, Error> {
    lifecycle::run(options).await
}

/// Reads a command line, serves, and returns the exit code: everything a `main`
/// has to do. `--help` and `--version` are printed to stdout, mistakes to stderr
/// (exit code 2).
pub fn main<I>(arguments: I) -> ExitCode
where
    I: IntoIterator,
    I::Item: Into<String>,
{
    lifecycle::main(arguments)
}
