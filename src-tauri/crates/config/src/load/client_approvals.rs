//! Reads client-side approvals: which definitions a client takes into account, by the lists that
//! stand beside its servers.
//!
//! - Claude Code asks before it uses a server of the project's `.mcp.json`, and until then the
//!   definition of another scope counts. The answers are `enabledMcpjsonServers`,
//!   `enableAllProjectMcpServers` and `disabledMcpjsonServers` in its settings and, from older
//!   versions, in the project's entry of `~/.claude.json`. What the project's own settings
//!   approve counts once the user trusts the project (`hasTrustDialogAccepted`); what they
//!   reject always counts. `disabledMcpServers` of the project's entry switches servers of any
//!   scope off, and `enabledPlugins` of the settings plugins (<https://code.claude.com/docs/en/settings#available-settings>; the details as
//!   `claude mcp list` of version 2.1.330 has them).
//! - Codex reads the project's file once the user trusts the project:
//!   `projects."PATH".trust_level` (<https://developers.openai.com/codex/config-advanced>).
//! - Gemini CLI: `mcp.excluded` of any settings file switches a server off, and so does an
//!   `mcp.allowed` that does not name it (`packages/cli/src/config/settings.ts`) and
//!   `~/.gemini/mcp-server-enablement.json`; names are compared without regard to case
//!   (`packages/cli/src/config/mcp/mcpServerEnablement.ts` of
//!   <https://github.com/google-gemini/gemini-cli>; as version 0.61.0 has it). In a folder that its
//!   user does not trust it reads no settings of the project and connects to no server of any scope
//!   (<https://geminicli.com/docs/cli/trusted-folders>; the rules as `checkPathTrust` in
//!   `packages/core/src/utils/trust.ts` there has them).

use std::{
    collections::{HashMap, HashSet},
    path::{Path, PathBuf},
};

use serde_json::Value;
use sightglass_files::ReadError;

use crate::{
    client::git::repository,
    client::{Client, Machine, Target},
    definition::definition_state::DefinitionState,
    load::claude_state::state_excerpt,
    scopes::{
        claude_project, claude_settings, claude_state, managed_settings, scope_place, scopes,
    },
    text::format::FileFormat,
};

/// Gemini CLI's list of folders with the trust of its user in each, below the home directory.
pub(crate) const TRUSTED_FOLDERS: &str = ".gemini/trustedFolders.json";

/// Approval of a definition by the user of its client: whether it is taken into account at all.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ClientApproval {
    Approved,
    /// Not before the user approves it in the client.
    Pending,
    /// The user said no.
    Rejected,
}

/// Lists of a client, as they are now.
#[derive(Debug, Clone, Default)]
pub struct ClientApprovals {
    project: ProjectRule,
    /// Off in whatever scope.
    off: NameSet,
    /// Plugins that are off, by their ids.
    plugins_off: HashSet<String>,
    /// Allow lists; what is not on each of them is off.
    only: Vec<NameSet>,
    /// The folder's trust, where the servers of every scope depend on it.
    folder: FolderTrust,
}

/// Trust of a client's user in the folder that it runs in.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
enum FolderTrust {
    /// The folder is trusted, or the client does not ask.
    #[default]
    Trusted,
    /// The client asks before it uses anything.
    Unknown,
    Refused,
}

/// Rule for the servers of the project's scope.
#[derive(Debug, Clone, Default)]
enum ProjectRule {
    #[default]
    Counts,
    Waits,
    /// Each server is asked about.
    Asks {
        approved: NameSet,
        approves_all: bool,
        rejected: NameSet,
    },
}

/// Names as a client compares them.
#[derive(Debug, Clone, Default)]
struct NameSet {
    names: Vec<String>,
    comparison: NameComparison,
}

#[derive(Debug, Clone, Copy, Default)]
enum NameComparison {
    #[default]
    Exact,
    /// Claude Code takes what is no letter, digit, `-` or `_` for `_`.
    Words,
    /// Gemini CLI disregards case and surrounding spaces.
    Caseless,
}

impl NameSet {
    fn holds(&self, name: &str) -> bool {
        let fold = |name: &str| match self.comparison {
            NameComparison::Exact => name.to_owned(),
            NameComparison::Words => name.replace(
                |c: char| !c.is_ascii_alphanumeric() && c != '-' && c != '_',
                "_",
            ),
            NameComparison::Caseless => name.trim().to_lowercase(),
        };
        let name = fold(name);
        self.names.iter().any(|listed| fold(listed) == name)
    }
}

impl ClientApprovals {
    /// Reads the lists of a client.
    pub fn load(client: Client, machine: &Machine) -> Self {
        match client {
            Client::ClaudeCode => Self::of_claude_code(machine),
            Client::Codex => Self::of_codex(machine),
            Client::Gemini => Self::of_gemini(machine),
            _ => Self::default(),
        }
    }

    fn of_claude_code(machine: &Machine) -> Self {
        let places = &machine.places;
        let key = claude_project(machine).display().to_string();
        let own = claude_state(machine)
            .and_then(|path| read_state(&path))
            .and_then(|state| state.get("projects")?.get(key).cloned());
        let trust = own
            .as_ref()
            .and_then(|own| own.get("hasTrustDialogAccepted"));
        let is_trusted = trust == Some(&Value::Bool(true));
        let of_project = places.project.join(".claude");
        let settings = |path: PathBuf| read(&path, FileFormat::Jsonc);
        // The lowest precedence first, each with whether its approvals count.
        let sources = [
            (settings(claude_settings(machine)), true),
            (own.clone(), is_trusted),
            (settings(of_project.join("settings.json")), is_trusted),
            (settings(of_project.join("settings.local.json")), is_trusted),
        ];
        let managed = managed_settings(machine)
            .into_iter()
            .map(|path| (settings(path), true));
        let mut approved = NameSet::default();
        let mut approves_all = false;
        let mut rejected = NameSet {
            comparison: NameComparison::Words,
            ..NameSet::default()
        };
        let mut plugins: HashMap<String, bool> = HashMap::new();
        for (file, counts) in sources.into_iter().chain(managed) {
            let Some(file) = file else { continue };
            let switches = file.get("enabledPlugins").and_then(Value::as_object);
            for (id, switch) in switches.into_iter().flatten() {
                let is_on = switch != &Value::Bool(false);
                // A project may switch a plugin off, and one on where the project is trusted.
                if counts || !is_on {
                    plugins.insert(id.clone(), is_on);
                }
            }
            rejected
                .names
                .extend(names(&file, "disabledMcpjsonServers"));
            if !counts {
                continue;
            }
            approved.names.extend(names(&file, "enabledMcpjsonServers"));
            if let Some(all) = file.get("enableAllProjectMcpServers") {
                approves_all = all == &Value::Bool(true);
            }
        }
        Self {
            project: ProjectRule::Asks {
                approved,
                approves_all,
                rejected,
            },
            off: NameSet {
                names: own
                    .iter()
                    .flat_map(|entry| names(entry, "disabledMcpServers"))
                    .collect(),
                comparison: NameComparison::Exact,
            },
            plugins_off: plugins
                .into_iter()
                .filter_map(|(id, is_on)| (!is_on).then_some(id))
                .collect(),
            ..Self::default()
        }
    }

    fn of_codex(machine: &Machine) -> Self {
        let config = scope_place(&Target::new(Client::Codex, "user"), machine)
            .and_then(|place| read(&place.path, FileFormat::Toml));
        let is_trusted = |project: &Path| {
            let projects = config.as_ref().and_then(|config| config.get("projects"));
            let entry = projects.and_then(|all| all.get(project.display().to_string()));
            let level = entry.and_then(|entry| entry.get("trust_level"));
            level.and_then(Value::as_str) == Some("trusted")
        };
        let project = &machine.places.project;
        let trusted = is_trusted(project) || repository(project).is_some_and(is_trusted);
        Self {
            project: if trusted {
                ProjectRule::Counts
            } else {
                ProjectRule::Waits
            },
            ..Self::default()
        }
    }

    fn of_gemini(machine: &Machine) -> Self {
        let caseless = |names: Vec<String>| NameSet {
            names,
            comparison: NameComparison::Caseless,
        };
        let mut off = Vec::new();
        let mut only = Vec::new();
        for place in scopes(Client::Gemini, machine) {
            let file = read(&place.path, FileFormat::Jsonc);
            let Some(mcp) = file.as_ref().and_then(|file| file.get("mcp")) else {
                continue;
            };
            off.extend(names(mcp, "excluded"));
            if mcp.get("allowed").is_some() {
                only.push(caseless(names(mcp, "allowed")));
            }
        }
        let switched = machine
            .places
            .home
            .join(".gemini/mcp-server-enablement.json");
        if let Some(Value::Object(servers)) = read(&switched, FileFormat::Json) {
            let is_off = |state: &Value| state.get("enabled") == Some(&Value::Bool(false));
            let names = servers.into_iter().filter(|(_, state)| is_off(state));
            off.extend(names.map(|(name, _)| name));
        }
        let folder = gemini_folder_trust(machine);
        Self {
            project: match folder {
                FolderTrust::Trusted => ProjectRule::Counts,
                FolderTrust::Unknown | FolderTrust::Refused => ProjectRule::Waits,
            },
            off: caseless(off),
            only,
            folder,
            ..Self::default()
        }
    }

    /// Returns the client's own approval of the definition `name` in `scope`.
    pub fn of(&self, scope: &str, name: &str) -> ClientApproval {
        match &self.project {
            _ if scope != "project" => ClientApproval::Approved,
            ProjectRule::Counts => ClientApproval::Approved,
            ProjectRule::Waits => ClientApproval::Pending,
            ProjectRule::Asks { rejected, .. } if rejected.holds(name) => ClientApproval::Rejected,
            ProjectRule::Asks {
                approved,
                approves_all,
                ..
            } if *approves_all || approved.holds(name) => ClientApproval::Approved,
            ProjectRule::Asks { .. } => ClientApproval::Pending,
        }
    }

    /// The reason why no server of any scope is used in this folder, in one sentence.
    pub fn folder_reason(&self) -> Option<&'static str> {
        match self.folder {
            FolderTrust::Trusted => None,
            FolderTrust::Unknown => Some(
                "Gemini CLI asks whether you trust this folder before it uses any server in it, \
                 yours among them.",
            ),
            FolderTrust::Refused => Some(
                "You do not trust this folder in Gemini CLI, so it uses no server in it, also none \
                 of yours.",
            ),
        }
    }

    /// Returns the state that the lists give a definition, if they hinder it.
    pub fn state(&self, scope: &str, name: &str) -> Option<DefinitionState> {
        let plugin = scope.strip_prefix("plugin:");
        let plugin = plugin.map(|id| id.split(':').next().unwrap_or(id));
        let is_off = self.folder != FolderTrust::Trusted
            || self.off.holds(name)
            || plugin.is_some_and(|id| self.plugins_off.contains(id))
            || self.only.iter().any(|only| !only.holds(name));
        match self.of(scope, name) {
            ClientApproval::Pending => Some(DefinitionState::Waiting),
            ClientApproval::Rejected => Some(DefinitionState::Disabled),
            ClientApproval::Approved => is_off.then_some(DefinitionState::Disabled),
        }
    }
}

/// Trust of Gemini CLI's user in the project's folder. Of several rules the one with the longest path
/// counts.
fn gemini_folder_trust(machine: &Machine) -> FolderTrust {
    match machine.variable("GEMINI_CLI_TRUST_WORKSPACE").as_deref() {
        Some("true") => return FolderTrust::Trusted,
        Some("false") => return FolderTrust::Refused,
        _ => {}
    }
    // The project itself cannot say that it is trusted. The highest of the others counts.
    let switch = scopes(Client::Gemini, machine)
        .into_iter()
        .rev()
        .filter(|place| place.target.scope != "project")
        .find_map(|place| {
            let settings = read(&place.path, FileFormat::Jsonc)?;
            settings
                .get("security")?
                .get("folderTrust")?
                .get("enabled")?
                .as_bool()
        });
    if switch == Some(false) {
        return FolderTrust::Trusted;
    }
    let home = &machine.places.home;
    let rules = match machine.variable("GEMINI_CLI_TRUSTED_FOLDERS_PATH") {
        Some(path) => home.join(path),
        None => home.join(TRUSTED_FOLDERS),
    };
    let Some(Value::Object(rules)) = read(&rules, FileFormat::Jsonc) else {
        return FolderTrust::Unknown;
    };
    let real = |path: &Path| path.canonicalize().unwrap_or_else(|_| path.to_owned());
    let project = real(&machine.places.project);
    let applies = |(path, level): (String, Value)| {
        let level = level.as_str()?.to_owned();
        let folder = match level.as_str() {
            "TRUST_PARENT" => Path::new(&path).parent()?,
            _ => Path::new(&path),
        };
        project
            .starts_with(real(folder))
            .then_some((path.len(), level))
    };
    let rule = rules.into_iter().filter_map(applies).max();
    match rule.as_ref().map(|(_, level)| level.as_str()) {
        Some("TRUST_FOLDER" | "TRUST_PARENT") => FolderTrust::Trusted,
        Some("DO_NOT_TRUST") => FolderTrust::Refused,
        _ => FolderTrust::Unknown,
    }
}

/// Reads what Claude Code's state says of its projects, also where it is too large to be read whole.
fn read_state(path: &Path) -> Option<Value> {
    match sightglass_files::read(path) {
        Err(ReadError::TooLarge { .. }) => serde_json::from_slice(&state_excerpt(path).ok()?).ok(),
        bytes => parsed(bytes.ok()?, FileFormat::Jsonc),
    }
}

fn read(path: &Path, format: FileFormat) -> Option<Value> {
    parsed(sightglass_files::read(path).ok()?, format)
}

fn parsed(bytes: Vec<u8>, format: FileFormat) -> Option<Value> {
    let document = format.parse(&String::from_utf8(bytes).ok()?);
    document.root.as_ref().map(crate::entry::dialect::plain)
}

/// The names of a list, or a lone one.
fn names(file: &Value, key: &str) -> Vec<String> {
    match file.get(key) {
        Some(Value::String(name)) => vec![name.clone()],
        Some(Value::Array(names)) => names
            .iter()
            .filter_map(|name| name.as_str().map(str::to_owned))
            .collect(),
        _ => Vec::new(),
    }
}
