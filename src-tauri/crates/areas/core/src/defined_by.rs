//! Decides who defines a server, from its id and the files as they are.
//!
//! A name says nothing: a link or a project's file can choose the name of one of the user's own
//! servers. So folder trust, approvals, rules that answer, settings and sign-in ask here.

use std::sync::Arc;

use sightglass_config::Client;
use sightglass_model::{DefinedBy, ServerId};

use crate::config_workspace::ConfigFiles;

/// Stands for the client in the ids of servers that are in no file.
pub const TRIED: &str = "tried";

/// Stands for the client in the ids of servers that request files define, and of connections that
/// a run makes for itself.
pub const REQUESTS: &str = "requests";

/// Returns who defines a server, also one that no file defines any more. What is not known counts
/// as a stranger's.
pub fn defined_by(server: &ServerId, files: &Arc<ConfigFiles>) -> DefinedBy {
    if *server == ServerId::demo() {
        return DefinedBy::BuiltIn;
    }
    if let Some(defined) = files.server(server) {
        return match defined.comes_with_project {
            true => DefinedBy::Project,
            false => DefinedBy::User,
        };
    }
    let is_of_file = Client::ALL.iter().any(|client| server.is_of(client.id()));
    if is_of_file || server.is_of(REQUESTS) {
        DefinedBy::Project
    } else if server.is_named_on_command_line() {
        DefinedBy::CommandLine
    } else {
        DefinedBy::Unsaved
    }
}
