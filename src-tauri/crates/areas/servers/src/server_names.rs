//! Finds servers by what a user calls them.

use std::sync::Arc;

use sightglass_area_core::{error::InspectorError, view::ServerView};
use sightglass_config::Client;
use sightglass_model::{DefinedBy, ServerId};

use crate::{configuration::Configuration, sidebar::Sidebar};

/// Finds servers by what a user calls them.
pub struct ServerNames {
    pub(crate) configuration: Arc<Configuration>,
    pub(crate) sidebar: Arc<Sidebar>,
}

impl ServerNames {
    /// Finds a server by its id, or by its name in the effective configuration. Where several
    /// clients have one of the name, that of `.mcp.json` is meant. The very same server of another
    /// client is found by its id there too. One that is in no file is found by its id alone: whoever
    /// made its link chose the name.
    ///
    /// # Errors
    /// When there is none, or several and none of them of `.mcp.json`.
    pub fn find_server(&self, name: &str) -> Result<ServerId, InspectorError> {
        let servers = self.sidebar.server_views();
        let has_id = |server: &&ServerView| {
            let same = server.also.iter().map(|place| &place.server);
            same.chain([&server.id]).any(|id| id.as_str() == name)
        };
        if let Some(exact) = servers.iter().find(has_id) {
            return Ok(exact.id.clone());
        }
        let is_named = |server: &&ServerView| {
            (server.name == name && self.configuration.defined_by(&server.id) != DefinedBy::Unsaved)
                || (server.id == ServerId::demo() && name.eq_ignore_ascii_case("demo"))
        };
        let named: Vec<&ServerView> = servers.iter().filter(is_named).collect();
        let is_own = |server: &&&ServerView| match &server.target {
            Some(target) => target.client == Client::McpJson,
            None => true,
        };
        match named.as_slice() {
            [] => Err(InspectorError::InvalidInput(format!(
                "There is no server named {name}. {}",
                match servers.as_slice() {
                    [] => "None is configured here.".to_owned(),
                    servers => {
                        let names: Vec<_> =
                            servers.iter().map(|server| server.name.as_str()).collect();
                        format!("Configured are: {}.", names.join(", "))
                    }
                }
            ))),
            [one] => Ok(one.id.clone()),
            several => match several.iter().find(is_own) {
                Some(own) => Ok(own.id.clone()),
                None => {
                    let ids: Vec<&str> = several.iter().map(|server| server.id.as_str()).collect();
                    Err(InspectorError::InvalidInput(format!(
                        "Several clients have a server named {name}. Say which: {}.",
                        ids.join(", ")
                    )))
                }
            },
        }
    }
}
