//! Setup: who has a server, which file wins, and changes of the files.

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
