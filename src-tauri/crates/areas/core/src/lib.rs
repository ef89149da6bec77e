//! The core of all areas: what they share, the facts that they publish, and what is shown of them.
//!
//! ```text
//! settings  recent_projects      what the user set for all servers
//! core                           Core: the state that every area shares
//! defined_by  config_workspace   the files of all clients as they were last read; plans, approvals
//! record_queries  blob           queries of a record; base64 in payloads
//! known_endpoints  files         what outlives the program, in the data directory
//! approvals  per_server  stored_change  stored_task    what some of these files hold
//! command  jobs  blocking        methods that hosts call by name; work that reports and is stopped
//! live_servers                   which of the facts makes a server usable
//! publisher                      facts for the window, notices for areas above
//! error  view/                   InspectorError; all that crosses to the window, Fact among it
//! host  options  persistence     what a host gives, and what it keeps
//! guide                          the chapters of the guide
//! effects  sensitive             calls that change something; arguments that are secrets
//! file_watch  text_hash  log_fields
//! ```
//!
//! Modules use those below them and those to their right. Nothing here is about one area alone but
//! its views, since the facts name all of them.

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
pub mod guide;
pub mod host;
pub mod jobs;
pub mod known_endpoints;
pub mod live_servers;
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
