//! Background process: keeps sessions between commands.
//!
//! ```text
//! command ── words, terminal ──▶ client ══ control socket ══▶ server ──▶ commands/ on a session
//!         ◀── stdout, stderr, exit ──                              └ KeptSessions, one record
//! ```
//!
//! The first command about a session starts it, from the same program, and exactly one wins. It runs
//! the code of commands as it is, on the inspector of the session, and writes what they say to the
//! terminal of the one who gave it. It ends itself when nobody uses it. What it is killed in the
//! middle of is in its record as far as it was written, its servers are ended by the reaper, and the
//! names of sessions are on the disk: the next command starts a new one and connects again.

mod client;
mod running;
mod server;

pub(crate) use client::{captured, run};
pub(crate) use server::main;

/// The hidden word on which this program is the background process. The data directory follows.
pub(crate) const ARGUMENT: &str = "keep-sessions";

/// Version that a command and the background process have in common.
const VERSION: &str = env!("CARGO_PKG_VERSION");
