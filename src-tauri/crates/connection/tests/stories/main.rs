//! Stories of connections: to programs and over a network, what fails, and what comes back.

mod failures;
mod http;
#[cfg(unix)]
mod processes;
mod remote;
mod returning;
mod stdio;
mod support;
