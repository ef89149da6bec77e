//! Decides who defines a server, from its id and the files as they are.
//!
//! A name says nothing: a link or a project's file can choose the name of one of the user's own
//! servers. So folder trust, approvals, rules that answer, settings and sign-in ask here.

use std::{borrow::Cow, sync::Arc};

use sightglass_config::Client;
use sightglass_model::{DefinedBy, ServerId};

use crate::{Inspector, config_workspace::ConfigFiles};

/// Stands for the client in the ids of servers that are in no file.
pub(crate) const TRIED: &str = "tried";

/// Stands for the client in the ids of servers that request files define, and of connections that
/// a run makes for itself.
pub(crate) const REQUESTS: &str = "requests";

/// Stands for the client in the ids of connections to a server as another identity, or in another
/// situation.
const AS_IDENTITY: &str = "as-identity";

/// Returns the id that stands for a server as another identity, or in another situation.
pub(crate) fn alias_id(server: &ServerId, identity: &str) -> ServerId {
    let identity = identity.replace('%', "%25").replace('@', "%40");
    ServerId::new(AS_IDENTITY, &format!("{identity}@{server}"))
}

/// Returns the server that a connection as another identity is to; `None` for every other id.
pub(crate) fn aliased_server(alias: &ServerId) -> Option<ServerId> {
    if !alias.is_of(AS_IDENTITY) {
        return None;
    }
    let (_, server) = alias.name().split_once('@')?;
    Some(ServerId::from(server.to_owned()))
}

/// Returns the server that a connection is to.
pub(crate) fn connected_server(connection: &ServerId) -> Cow<'_, ServerId> {
    aliased_server(connection).map_or(Cow::Borrowed(connection), Cow::Owned)
}

/// Returns who defines a server, also one that no file defines any more. What is not known counts
/// as a stranger's.
pub(crate) fn defined_by(server: &ServerId, files: &Arc<ConfigFiles>) -> DefinedBy {
    let server = &*connected_server(server);
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

impl Inspector {
    /// Returns who defines a server.
    pub(crate) fn defined_by(&self, server: &ServerId) -> DefinedBy {
        defined_by(server, &self.config.files())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_connection_as_another_identity_is_to_its_server() {
        let server = ServerId::new("mcp-json", "a@b");
        for identity in ["bob", "bob@example.com", "50%40"] {
            let alias = alias_id(&server, identity);
            assert_eq!(aliased_server(&alias), Some(server.clone()), "{identity}");
        }
        assert_eq!(aliased_server(&server), None);
    }
}
