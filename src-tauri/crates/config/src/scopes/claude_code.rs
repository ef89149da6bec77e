//! Files in which Claude Code keeps servers, and what else concerns them.

use std::{
    collections::HashSet,
    path::{Path, PathBuf},
};

use serde_json::{Map, Value};

use super::{FileOwner, ScopePlace, scope_place, table::ScopeTable};
use crate::{
    client::git::repository,
    client::{Client, Machine, Target},
    definition::layout::Layout,
    entry::client_variable::ClientVariable,
    text::format::FileFormat::Json,
};

impl ScopeTable<'_> {
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
            FileOwner::User,
            state,
            Layout::new(Json, self.client, &["projects", &project, "mcpServers"]),
            "Your servers in this project alone.",
        ));
        places.push(self.place(
            "managed",
            "Managed",
            FileOwner::Administrator,
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
    /// (<https://code.claude.com/docs/en/plugins-reference#mcp-servers>): in a file beside their
    /// manifest, in files that the manifest names, or in the manifest itself.
    fn claude_plugins(&self) -> Vec<ScopePlace> {
        let directory = self.moved_by("CLAUDE_CONFIG_DIR", ".claude");
        let registry = read_object(&directory.join("plugins/installed_plugins.json"));
        let Some(Value::Object(plugins)) = registry.and_then(|mut all| all.remove("plugins"))
        else {
            return Vec::new();
        };
        let mut places = Vec::new();
        for (id, installed) in plugins {
            let installation = match &installed {
                Value::Array(installations) => installations.last(),
                other => Some(other),
            };
            let root = installation
                .and_then(|installation| installation.get("installPath"))
                .and_then(Value::as_str);
            if let Some(root) = root {
                places.extend(self.places_of_plugin(&id, &self.machine.places.home.join(root)));
            }
        }
        places
    }

    /// The files of one plugin that hold servers. `id` is its name and its marketplace's.
    fn places_of_plugin(&self, id: &str, root: &Path) -> Vec<ScopePlace> {
        let name = id.split('@').next().unwrap_or(id);
        let manifest = root.join(".claude-plugin/plugin.json");
        let declared = read_object(&manifest).and_then(|mut all| all.remove("mcpServers"));
        let mut files = vec![root.join(".mcp.json")];
        let mut is_inline = false;
        match declared {
            Some(Value::String(file)) => files.push(root.join(file)),
            Some(Value::Array(more)) => {
                let more = more.iter().filter_map(Value::as_str);
                files.extend(more.map(|file| root.join(file)));
            }
            Some(Value::Object(_)) => is_inline = true,
            _ => {}
        }
        // The manifest may name the usual file, which then counts once.
        let mut known = HashSet::new();
        files.retain(|file| file.is_file() && known.insert(file.canonicalize().ok()));
        let of_files = files.into_iter().map(|file| {
            let layout = match read_object(&file) {
                Some(all) if !all.contains_key("mcpServers") => Layout::new(Json, self.client, &[]),
                _ => self.under(Json, "mcpServers"),
            };
            (file, layout)
        });
        let inline = is_inline.then(|| (manifest, self.under(Json, "mcpServers")));
        let data = self
            .moved_by("CLAUDE_CONFIG_DIR", ".claude")
            .join("plugins/data")
            .join(id.replace(
                |part: char| !part.is_ascii_alphanumeric() && part != '-' && part != '_',
                "-",
            ));
        of_files
            .chain(inline)
            .enumerate()
            .map(|(index, (path, layout))| {
                let scope = match index {
                    0 => format!("plugin:{id}"),
                    further => format!("plugin:{id}:{further}"),
                };
                let mut place = self.place(
                    &scope,
                    "Plugin",
                    FileOwner::Program,
                    path,
                    layout,
                    "Servers that a plugin brings along.",
                );
                place.name_prefix = format!("plugin:{name}:");
                let directories = [("CLAUDE_PLUGIN_ROOT", root), ("CLAUDE_PLUGIN_DATA", &data)];
                place.variables.extend(directories.map(|(name, path)| {
                    (name, ClientVariable::of_client(path.display().to_string()))
                }));
                place
            })
            .collect()
    }
}

/// The members of a file that holds an object.
fn read_object(path: &Path) -> Option<Map<String, Value>> {
    let bytes = sightglass_files::read(path).ok()?;
    match serde_json::from_slice(&bytes).ok()? {
        Value::Object(members) => Some(members),
        _ => None,
    }
}

/// The directories in which an administrator keeps what holds for Claude Code.
fn managed_directory(machine: &Machine) -> PathBuf {
    ScopeTable {
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
    let table = ScopeTable {
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
