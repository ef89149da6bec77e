//! Clients: what agents get of a server.

mod area;
pub mod llm_tools;
pub mod model_endpoints;

pub use area::Clients;
