//! Files in which Claude Code keeps servers, and what else concerns them.

use std::path::{Path, PathBuf};

use serde_json::Value;

use super::{ScopePlace, Writer, scope_place, table::Table};
use crate::{
    client::git::repository,
    client::{Client, Machine, Target},
    definition::layout::Layout,
    text::format::FileFormat::Json,
};

impl Table<'_> {
    /// <https://code.claude.com/docs/en/mcp#mcp-installation-scopes>; the managed file,
    /// <https://code.claude.com/docs/en/managed-mcp>.
    pub(super) fn claude_code(&self) -> Vec<ScopePlace> {
        let state = match self.machine.variable("CLAUDE_CONFIG_DIR") {
            Some(directory) => self
                .machine
                .places
                .home
                .join(directory)
                .join(".claude.json"),
            None => self.home(".claude.json"),
        };
        let project = claude_project(self.machine).display().to_string();
        let mut places = self.claude_plugins();
        places.push(self.user(state.clone(), self.under(Json, "mcpServers")));
        places.push(self.of_project(self.project(".mcp.json"), self.under(Json, "mcpServers")));
        places.push(self.place(
            "local",
            "Local",
            Writer::User,
            state,
            Layout::new(Json, self.client, &["projects", &project, "mcpServers"]),
            "Your servers in this project alone.",
        ));
        places.push(self.place(
            "managed",
            "Managed",
            Writer::Administrator,
            self.managed_directory().join("managed-mcp.json"),
            self.under(Json, "mcpServers"),
            "What the organisation prescribes. Where this file exists, it alone counts.",
        ));
        places
    }

    fn managed_directory(&self) -> PathBuf {
        self.system(
            "etc/claude-code",
            "Library/Application Support/ClaudeCode",
            "Program Files/ClaudeCode",
        )
    }

    /// The plugins that are installed and bring servers along
    /// (<https://code.claude.com/docs/en/plugins-reference#mcp-servers>).
    fn claude_plugins(&self) -> Vec<ScopePlace> {
        let directory = self.moved_by("CLAUDE_CONFIG_DIR", ".claude");
        let registry = directory.join("plugins/installed_plugins.json");
        let Some(Value::Object(plugins)) = sightglass_files::read(&registry)
            .ok()
            .and_then(|bytes| serde_json::from_slice::<Value>(&bytes).ok())
            .and_then(|mut registry| registry.get_mut("plugins").map(Value::take))
        else {
            return Vec::new();
        };
        let mut places = Vec::new();
        for (id, installed) in plugins {
            let name = id.split('@').next().unwrap_or(&id);
            let places_of_plugin = match &installed {
                Value::Array(installations) => installations.last(),
                other => Some(other),
            };
            let Some(root) = places_of_plugin
                .and_then(|installation| installation.get("installPath"))
                .and_then(Value::as_str)
            else {
                continue;
            };
            let path = Path::new(root).join(".mcp.json");
            if !path.is_file() {
                continue;
            }
            let mut place = self.place(
                &format!("plugin:{name}"),
                "Plugin",
                Writer::Program,
                path,
                self.under(Json, "mcpServers"),
                "Servers that a plugin brings along.",
            );
            place.name_prefix = format!("plugin:{name}:");
            places.push(place);
        }
        places
    }
}

/// The directories in which an administrator keeps what holds for Claude Code.
fn managed_directory(machine: &Machine) -> PathBuf {
    Table {
        client: Client::ClaudeCode,
        machine,
    }
    .managed_directory()
}

/// The directory under which Claude Code keeps what concerns the project: the repository that
/// it lies in, or else the project itself.
pub(crate) fn claude_project(machine: &Machine) -> &Path {
    let project = &machine.places.project;
    repository(project).unwrap_or(project)
}

/// The settings that an administrator writes for Claude Code, the lowest precedence first:
/// `managed-settings.json`, then the files of `managed-settings.d` by name.
pub(crate) fn managed_settings(machine: &Machine) -> Vec<PathBuf> {
    let directory = managed_directory(machine);
    let mut files = vec![directory.join("managed-settings.json")];
    if let Ok(more) = std::fs::read_dir(directory.join("managed-settings.d")) {
        let mut more: Vec<PathBuf> = more
            .filter_map(|entry| Some(entry.ok()?.path()))
            .filter(|path| {
                path.extension()
                    .is_some_and(|extension| extension == "json")
            })
            .collect();
        more.sort();
        files.extend(more);
    }
    files
}

/// The user's settings of Claude Code.
pub(crate) fn claude_settings(machine: &Machine) -> PathBuf {
    let table = Table {
        client: Client::ClaudeCode,
        machine,
    };
    table
        .moved_by("CLAUDE_CONFIG_DIR", ".claude")
        .join("settings.json")
}

/// Claude Code's own state, which holds the user's and the local servers.
pub(crate) fn claude_state(machine: &Machine) -> Option<PathBuf> {
    scope_place(&Target::new(Client::ClaudeCode, "user"), machine).map(|place| place.path)
}
