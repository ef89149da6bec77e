//! Disables servers in the lists that some clients keep beside the servers. The meaning of the
//! lists is read by [`ClientApprovals`](crate::load::client_approvals::ClientApprovals).

use std::path::PathBuf;

use crate::{
    change::{file_edit::FileEdit, name_list::NameList},
    client::{Client, Machine},
    scopes::{ScopePlace, claude_project, claude_state},
    text::format::FileFormat,
};

/// The lists of one scope.
pub(crate) struct DisabledServers {
    /// List of the names that are switched off.
    off: NameList,
    /// List of the names that were switched on, where the client asks for that.
    on: Option<NameList>,
}

/// The lists of a scope, where its client has some.
pub(crate) fn disabled_servers(place: &ScopePlace, machine: &Machine) -> Option<DisabledServers> {
    let client = place.target.client;
    let list = |path: PathBuf, format, object: &[&str], key| {
        NameList::new(client, path, format, object, key)
    };
    match place.target.client {
        Client::ClaudeCode if place.target.scope == "managed" => None,
        Client::ClaudeCode if place.target.scope == "project" => {
            let path = machine.places.project.join(".claude/settings.local.json");
            Some(DisabledServers {
                off: list(
                    path.clone(),
                    FileFormat::Json,
                    &[],
                    "disabledMcpjsonServers",
                ),
                on: Some(list(path, FileFormat::Json, &[], "enabledMcpjsonServers")),
            })
        }
        Client::ClaudeCode => {
            let project = claude_project(machine).display().to_string();
            Some(DisabledServers {
                off: list(
                    claude_state(machine)?,
                    FileFormat::Json,
                    &["projects", &project],
                    "disabledMcpServers",
                ),
                on: None,
            })
        }
        Client::Gemini => Some(DisabledServers {
            off: list(place.path.clone(), FileFormat::Jsonc, &["mcp"], "excluded"),
            on: Some(list(place.path.clone(), FileFormat::Jsonc, &["mcp"], "allowed").if_present()),
        }),
        _ => None,
    }
}

impl DisabledServers {
    /// Changes of the lists.
    pub fn lists(&self, names: &[String], disabled: bool) -> Vec<FileEdit> {
        let on = self.on.iter().map(|list| list.change(names, !disabled));
        std::iter::once(self.off.change(names, disabled))
            .chain(on)
            .collect()
    }
}
