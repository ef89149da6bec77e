//! Servers: which there are, what they start with, and whether they are up.

mod area;
pub mod config_projection;
pub mod configuration;
pub mod entry_secrets;
pub mod folder_answers;
pub mod folder_trust;
pub mod lifecycle;
pub mod limits;
pub mod obstacle;
pub mod open_connections;
pub mod readiness;
pub mod resolution;
pub mod restart;
pub mod roots;
pub mod server_names;
pub mod server_settings;
pub mod server_spec;
pub mod session_variables;
pub mod settings_changes;
pub mod settings_keys;
pub mod sidebar;
pub mod sign_in_target;
pub mod source_watch;
pub mod stores;
pub mod test_connections;
pub mod tried;
pub mod tried_definitions;
pub mod trust;

pub use area::Servers;
