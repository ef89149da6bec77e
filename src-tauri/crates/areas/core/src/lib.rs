//! The core of all areas: what they share, the facts that they publish, and what is shown of them.

// For code that `#[commands]` makes here as in other crates.
extern crate self as sightglass_area_core;

pub mod approvals;
pub mod blob;
pub mod blocking;
pub mod command;
pub mod config_workspace;
pub mod core;
pub mod defined_by;
pub mod effects;
pub mod error;
pub mod file_watch;
pub mod files;
pub mod host;
pub mod jobs;
pub mod known_endpoints;
pub mod log_fields;
pub mod options;
pub mod per_server;
pub mod persistence;
pub mod publisher;
pub mod recent_projects;
pub mod record_queries;
pub mod sensitive;
pub mod settings;
pub mod stored_change;
pub mod stored_task;
pub mod text_hash;
pub mod view;
