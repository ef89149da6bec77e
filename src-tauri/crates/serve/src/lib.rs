//! Serves the inspector to agents, as an MCP server over stdio.
//!
//! An agent gets either the tools of Sightglass itself, by which it sees, explains and tests the
//! servers of the user, or the servers themselves behind one entry ([`Offer`]).
//!
//! # How a message travels
//!
//! ```text
//! stdio → dispatch → handshake │ tools (Sightglass's own) │ lent (those of servers)
//!            │                                 └────┬────┘
//!          agent                              reach, calls → Inspector
//!            ↑                                      │
//!         events ← connections of servers           ↓
//! stdio ←────────────────────────────────── outgoing: masks, then cuts
//! ```
//!
//! Both eras of the protocol are spoken: a request that says its revision itself is of the stateless
//! one (2026-07-28), any other of the session that `initialize` began.
//!
//! # What an agent may do
//!
//! What the user's rules let it. It has no way to approve, trust, confirm or change a file: there
//! is no tool for it. Calls go through the confirmations of the user like any other, and carry the
//! name of the agent. All that is sent to it was masked before, and texts of servers are marked as
//! theirs. Each thing that it can make grow has a bound.

mod agent;
mod calls;
mod dispatch;
mod events;
mod handshake;
mod lent;
mod listening;
mod message;
mod offer;
mod outgoing;
mod protocol;
mod reach;
mod serving;
mod stdio;
mod tools;
mod upstream;

pub use offer::{Offer, ServeOptions, ServedServer};
pub use reach::{NamePatterns, SERVING_VARIABLE};
pub use serving::Serving;
pub use stdio::{ServeError, serve_stdio};
