//! Setup: who has a server, which file wins, and changes of the files.
//!
//! ```text
//! area                           Setup: the parts, put together; its commands
//! config_plans                   an action → a plan, kept and shown; nothing is written
//! plan_secrets                   carries a plan out, with the secrets of its entries
//! stored_changes  config_changes carries it out; stores it, so that it can be taken back
//! import_sources  unused_bundles
//! bundles  registry              what is loaded from the network
//! config_text  draft_check       for the editor: texts, and a form held against a client
//! explanation  server_export  local_network
//! ```
//!
//! Modules use those below them and those to their right. The files themselves are read, changed
//! and written by the crate `config`.

mod area;
pub mod bundles;
pub mod config_changes;
pub mod config_plans;
pub mod config_text;
pub mod draft_check;
pub mod explanation;
pub mod import_sources;
pub mod local_network;
pub mod plan_secrets;
pub mod registry;
pub mod server_export;
pub mod stored_changes;
pub mod unused_bundles;

pub use area::Setup;
