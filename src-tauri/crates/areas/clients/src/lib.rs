//! Clients: what agents get of a server.
//!
//! ```text
//! area                           Clients: the parts, put together; its commands
//! model_endpoints/               models that can be asked, for the user and for servers
//! llm_tools/                     names, lists, cost and choice of tools, as a client has them
//! ```
//!
//! Modules use those below them.

mod area;
pub mod llm_tools;
pub mod model_endpoints;

pub use area::Clients;
