//! Servers: which there are, what they start with, and whether they are up.
//!
//! ```text
//! area                           Servers: the parts, put together; its commands
//! restart  readiness             starts one anew when its source changes; waits for them
//! lifecycle  server_names        connects and closes; finds one by what a user calls it
//! sidebar  config_projection     what the window shows of servers, and of files
//! settings_changes  sign_in_target
//! server_spec  obstacle          how one is reached that may be, or why it may not
//! trust  folder_trust            the managed policy, approvals, the project's folder
//! tried  resolution              servers that are in no file; an entry with its values put in
//! stores                         what connections ask while they run, opened first
//! session_variables  entry_secrets  server_settings  limits  roots
//! configuration  open_connections  test_connections
//! settings_keys  folder_answers  tried_definitions  source_watch
//! ```
//!
//! Modules use those below them and those to their right. Nothing starts and nothing is contacted
//! but by a `PermittedSpec`, which `trust` gives.

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
