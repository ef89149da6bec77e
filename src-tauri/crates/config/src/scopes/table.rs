//! The table of clients: which files each reads on this machine, and in which order.

use std::{
    collections::BTreeMap,
    path::{Path, PathBuf},
};

use super::{FileOwner, MistakenFile, ScopePlace, label};
use crate::{
    client::places::Scope,
    client::{Client, Machine, Platform, Target},
    definition::layout::Layout,
    entry::client_variable::{ClientVariable, ClientVariables},
    entry::dialect::clients::plain_clients::{self, Base, PlainClient, PlainPlace, PlainScope},
    text::format::FileFormat,
};

use FileFormat::{Json, Jsonc, Toml};

/// The most files that are read of a directory of files, such as the profiles of VS Code.
const MAX_FILES: usize = 50;

/// The files of a directory with one of these endings, the one that wins last: of several files the
/// first by name counts.
fn files_in(directory: &Path, endings: &[&str]) -> Vec<PathBuf> {
    let entries = std::fs::read_dir(directory).into_iter().flatten();
    let has_ending = |path: &PathBuf| {
        let ending = path.extension().and_then(|ending| ending.to_str());
        ending.is_some_and(|ending| endings.contains(&ending)) && path.is_file()
    };
    let mut files: Vec<PathBuf> = entries
        .filter_map(|entry| Some(entry.ok()?.path()))
        .filter(has_ending)
        .collect();
    files.sort();
    files.truncate(MAX_FILES);
    files.reverse();
    files
}

/// The directories that exist and in which any file may come to hold servers.
pub(crate) fn directories(machine: &Machine) -> Vec<PathBuf> {
    let of_client = |client| {
        let table = ScopeTable { client, machine };
        let entry = plain_clients::find(client)?;
        let places = entry.places.iter();
        let several = places.filter(|place| !place.form.endings.is_empty());
        Some(several.map(move |place| table.path_of(place)))
    };
    Client::ALL
        .into_iter()
        .filter_map(of_client)
        .flatten()
        .filter(|directory| directory.is_dir())
        .collect()
}

/// The scopes of one client.
pub(super) struct ScopeTable<'a> {
    pub(super) client: Client,
    pub(super) machine: &'a Machine,
}

impl ScopeTable<'_> {
    pub(super) fn home(&self, path: &str) -> PathBuf {
        self.machine.places.home.join(path)
    }

    pub(super) fn project(&self, path: &str) -> PathBuf {
        self.machine.places.project.join(path)
    }

    /// The directory that a variable names, or one in the home directory.
    pub(super) fn moved_by(&self, variable: &str, otherwise: &str) -> PathBuf {
        match self.machine.variable(variable) {
            Some(directory) => self.machine.places.home.join(directory),
            None => self.home(otherwise),
        }
    }

    /// `~/.config`, wherever it was moved to.
    fn xdg_config(&self) -> PathBuf {
        self.moved_by("XDG_CONFIG_HOME", ".config")
    }

    /// Returns the directory of the user's application data.
    fn application_data(&self) -> PathBuf {
        match self.machine.platform {
            Platform::Linux => self.xdg_config(),
            Platform::MacOs => self.home("Library/Application Support"),
            Platform::Windows => self.moved_by("APPDATA", "AppData/Roaming"),
        }
    }

    /// A path that an administrator writes.
    pub(super) fn system(&self, linux: &str, mac: &str, windows: &str) -> PathBuf {
        let path = match self.machine.platform {
            Platform::Linux => linux,
            Platform::MacOs => mac,
            Platform::Windows => windows,
        };
        self.machine.system_root.join(path)
    }

    pub(super) fn place(
        &self,
        scope: &str,
        title: &'static str,
        writer: FileOwner,
        path: PathBuf,
        layout: Layout,
        note: &'static str,
    ) -> ScopePlace {
        ScopePlace {
            target: Target::new(self.client, scope),
            title,
            note,
            mistaken: self.mistaken_files(scope, &path),
            path,
            writer,
            layout,
            home: self.machine.places.home.clone(),
            name_prefix: String::new(),
            variables: self.variables(),
        }
    }

    /// The files in which servers of a scope are written by mistake.
    ///
    /// VS Code had servers in its settings before version 1.102
    /// (<https://code.visualstudio.com/updates/v1_102>); Claude Code never had
    /// (<https://github.com/anthropics/claude-code/issues/37245>).
    fn mistaken_files(&self, scope: &str, path: &Path) -> Vec<MistakenFile> {
        let (path, section, advice): (PathBuf, &'static [&'static str], _) =
            match (self.client, scope) {
                (Client::Vscode | Client::VscodeInsiders | Client::Vscodium, _) => (
                    path.with_file_name("settings.json"),
                    &["mcp", "servers"],
                    "where VS Code no longer wants them. Move them into mcp.json, under servers.",
                ),
                (Client::ClaudeCode, "user") => (
                    self.moved_by("CLAUDE_CONFIG_DIR", ".claude")
                        .join("settings.json"),
                    &["mcpServers"],
                    "where Claude Code does not look for any. Add them with `claude mcp add`, or \
                     move them into .claude.json.",
                ),
                (Client::ClaudeCode, "project") if !self.machine.places.project_is_home() => (
                    self.project(".claude/settings.json"),
                    &["mcpServers"],
                    "where Claude Code does not look for any. Move them into .mcp.json.",
                ),
                _ => return Vec::new(),
            };
        let label = label(&path, self.machine);
        vec![MistakenFile {
            path,
            label,
            section,
            advice,
        }]
    }

    /// The variables that the client itself sets for its servers.
    ///
    /// VS Code: <https://code.visualstudio.com/docs/reference/variables-reference>; Cursor:
    /// <https://cursor.com/docs/context/mcp#config-interpolation>; Claude Code:
    /// <https://code.claude.com/docs/en/plugins-reference#environment-variables>.
    fn variables(&self) -> ClientVariables {
        let places = &self.machine.places;
        let project = places.project.display().to_string();
        let home = places.home.display().to_string();
        let separator = || ClientVariable::of_client(std::path::MAIN_SEPARATOR_STR.to_owned());
        match self.client {
            Client::Vscode
            | Client::VscodeInsiders
            | Client::Vscodium
            | Client::Cursor
            | Client::RooCode => {
                let name = places.project.file_name().unwrap_or_default();
                BTreeMap::from([
                    (
                        "workspaceFolderBasename",
                        ClientVariable::of_project(name.to_string_lossy().into_owned()),
                    ),
                    ("workspaceFolder", ClientVariable::of_project(project)),
                    ("userHome", ClientVariable::of_client(home)),
                    ("pathSeparator", separator()),
                    ("/", separator()),
                ])
            }
            Client::ClaudeCode => {
                BTreeMap::from([("CLAUDE_PROJECT_DIR", ClientVariable::of_project(project))])
            }
            _ => BTreeMap::new(),
        }
    }

    /// The layout with servers under one key.
    pub(super) fn under(&self, format: FileFormat, key: &str) -> Layout {
        Layout::new(format, self.client, &[key])
    }

    pub(super) fn user(&self, path: PathBuf, layout: Layout) -> ScopePlace {
        self.place(
            "user",
            "User",
            FileOwner::User,
            path,
            layout,
            "Your servers, in every project.",
        )
    }

    pub(super) fn of_project(&self, path: PathBuf, layout: Layout) -> ScopePlace {
        self.place(
            "project",
            "Project",
            FileOwner::Project,
            path,
            layout,
            "The project's servers, for everybody who works on it.",
        )
    }

    pub(super) fn scopes(&self) -> Vec<ScopePlace> {
        match self.client {
            Client::McpJson => Scope::ALL.map(|scope| self.mcp_json(scope)).into(),
            Client::ClaudeCode => self.claude_code(),
            Client::Codex => self.codex(),
            Client::Opencode => self.opencode(),
            Client::Caliban => self.caliban(),
            Client::ClaudeDesktop => vec![
                self.user(
                    self.application_data()
                        .join("Claude/claude_desktop_config.json"),
                    self.under(Json, "mcpServers"),
                ),
            ],
            Client::Vscode => self.vscode(),
            Client::Cursor => vec![
                self.user(
                    self.home(".cursor/mcp.json"),
                    self.under(Jsonc, "mcpServers"),
                ),
                self.of_project(
                    self.project(".cursor/mcp.json"),
                    self.under(Jsonc, "mcpServers"),
                ),
            ],
            Client::Windsurf => vec![self.user(
                self.home(".codeium/windsurf/mcp_config.json"),
                self.under(Json, "mcpServers"),
            )],
            Client::Zed => self.zed(),
            Client::Gemini => self.gemini(),
            plain => {
                let entry = plain_clients::of(plain);
                let places = entry.places.iter();
                places.flat_map(|place| self.plain(place, entry)).collect()
            }
        }
    }

    /// The path of a place in a client's table entry.
    fn path_of(&self, place: &PlainPlace) -> PathBuf {
        match place.base {
            Base::Home => self.home(place.path),
            Base::MovedHome(variable, directory) => {
                self.moved_by(variable, directory).join(place.path)
            }
            Base::ApplicationData => self.application_data().join(place.path),
            Base::Goose => match self.machine.platform {
                Platform::Windows => self.application_data().join("Block/goose/config"),
                _ => self.home(".config/goose"),
            }
            .join(place.path),
            // `resolveMcpSettingsPath` in `sdk/packages/shared/src/storage/paths.ts` of
            // <https://github.com/cline/cline>.
            Base::Cline => match self.machine.variable("CLINE_MCP_SETTINGS_PATH") {
                Some(path) => self.home(&path),
                None => match self.machine.variable("CLINE_DATA_DIR") {
                    Some(directory) => self.home(&directory),
                    None => self.moved_by("CLINE_DIR", ".cline").join("data"),
                }
                .join("settings")
                .join(place.path),
            },
            Base::Project => self.project(place.path),
        }
    }

    /// The files at a place of a client that its table entry says everything about.
    fn plain(&self, place: &PlainPlace, entry: &'static PlainClient) -> Vec<ScopePlace> {
        let path = self.path_of(place);
        let (format, dialect) = place.form.other.unwrap_or((entry.format, &entry.dialect));
        let mut layout = Layout::in_dialect(format, dialect, &[place.section]);
        layout.head = place.form.head;
        layout.one_server = place.form.one_server;
        if place.form.is_list {
            layout = layout.of_list();
        }
        if !place.form.endings.is_empty() {
            let single: Vec<PathBuf> = entry
                .places
                .iter()
                .filter(|other| other.form.endings.is_empty())
                .map(|other| self.path_of(other))
                .collect();
            let files = files_in(&path, place.form.endings).into_iter();
            return files
                .filter(|file| !single.contains(file))
                .map(|file| self.one_of_several(place.scope, file, layout.clone()))
                .collect();
        }
        vec![match place.scope {
            PlainScope::User | PlainScope::Agents => self.user(path, layout),
            PlainScope::Project | PlainScope::ProjectAgents => self.of_project(path, layout),
            PlainScope::Earlier => self.place(
                "earlier",
                "Earlier place",
                FileOwner::User,
                path,
                layout,
                "Your servers, where earlier versions had them.",
            ),
        }]
    }

    /// A file of a directory, each of whose files holds servers.
    fn one_of_several(&self, scope: PlainScope, path: PathBuf, layout: Layout) -> ScopePlace {
        let name = path.file_name().unwrap_or_default().to_string_lossy();
        let (id, title, writer, note) = match scope {
            PlainScope::Project => (
                format!("project:{name}"),
                "Project file",
                FileOwner::Project,
                "Servers of the project in a file of their own.",
            ),
            PlainScope::User | PlainScope::Earlier => (
                format!("user:{name}"),
                "User file",
                FileOwner::User,
                "Servers of yours in a file of their own.",
            ),
            PlainScope::Agents => (
                format!("agent:{name}"),
                "Agent",
                FileOwner::User,
                "The servers of an agent of yours, in use while the agent is.",
            ),
            PlainScope::ProjectAgents => (
                format!("project-agent:{name}"),
                "Project agent",
                FileOwner::Project,
                "The servers of an agent of the project, in use while the agent is.",
            ),
        };
        self.place(&id, title, writer, path, layout, note)
    }

    fn mcp_json(&self, scope: Scope) -> ScopePlace {
        let (writer, note) = match scope {
            Scope::Chimera => (FileOwner::User, "What Chimera set up for you."),
            Scope::User => (
                FileOwner::User,
                "Your servers in Sightglass, in every project.",
            ),
            Scope::ProjectRoot => (
                FileOwner::Project,
                "The project's servers, for everybody who works on it with Claude Code or \
                 Sightglass.",
            ),
            Scope::Project => (
                FileOwner::Project,
                "The project's servers, for everybody who works on it with Sightglass.",
            ),
            Scope::Local => (
                FileOwner::User,
                "Your servers in Sightglass, in this project alone.",
            ),
        };
        let path = self.machine.places.path(scope);
        let layout = if scope.is_of_project() {
            Layout::mcp_json_of_project()
        } else {
            Layout::mcp_json()
        };
        self.place(scope.id(), scope.title(), writer, path, layout, note)
    }

    /// <https://developers.openai.com/codex/config-basic>.
    fn codex(&self) -> Vec<ScopePlace> {
        let servers = || self.under(Toml, "mcp_servers");
        vec![
            self.place(
                "system",
                "System",
                FileOwner::Administrator,
                self.system(
                    "etc/codex/config.toml",
                    "etc/codex/config.toml",
                    "ProgramData/OpenAI/Codex/config.toml",
                ),
                servers(),
                "What the machine's administrator sets for everybody.",
            ),
            self.user(
                self.moved_by("CODEX_HOME", ".codex").join("config.toml"),
                servers(),
            ),
            self.of_project(self.project(".codex/config.toml"), servers()),
        ]
    }

    /// <https://opencode.ai/docs/config#locations>. The same directory on every system. Every
    /// form of a server that the program reads is brought into one, then the files are merged.
    fn opencode(&self) -> Vec<ScopePlace> {
        let servers = Layout::opencode;
        let either = |directory: PathBuf| {
            let with_comments = directory.join("opencode.jsonc");
            if with_comments.exists() {
                with_comments
            } else {
                directory.join("opencode.json")
            }
        };
        let mut places = vec![self.user(either(self.xdg_config().join("opencode")), servers())];
        if let Some(path) = self.machine.variable("OPENCODE_CONFIG") {
            places.push(self.place(
                "custom",
                "Custom",
                FileOwner::User,
                self.machine.places.project.join(path),
                servers(),
                "The file that OPENCODE_CONFIG names.",
            ));
        }
        places.push(self.of_project(either(self.machine.places.project.clone()), servers()));
        places.push(self.place(
            "directory",
            "Project directory",
            FileOwner::Project,
            either(self.project(".opencode")),
            servers(),
            "The project's servers, beside its agents and commands.",
        ));
        places
    }

    /// `discovery_paths` in `crates/caliban-mcp-client/src/config.rs` of
    /// <https://github.com/caliban-ai/caliban>. Where a `settings.toml` has `mcp_servers`, caliban
    /// reads neither (`maybe_load_legacy_mcp` in `crates/caliban-settings/src/compat.rs` there).
    fn caliban(&self) -> Vec<ScopePlace> {
        let usual = self.xdg_config().join("caliban/mcp.toml");
        let native = self.application_data().join("caliban/mcp.toml");
        let user = if !usual.exists() && native.exists() {
            native
        } else {
            usual
        };
        let read_unless = |place: ScopePlace, note| ScopePlace { note, ..place };
        vec![
            read_unless(
                self.user(user, self.under(Toml, "server")),
                "Your servers, in every project; read where no settings.toml has mcp_servers.",
            ),
            read_unless(
                self.of_project(
                    self.project(".caliban/mcp.toml"),
                    self.under(Toml, "server"),
                ),
                "The project's servers; read where no settings.toml has mcp_servers.",
            ),
        ]
    }

    /// <https://code.visualstudio.com/docs/copilot/reference/mcp-configuration>.
    /// A profile has a file of its own, which counts instead of the user's while it is active
    /// (<https://code.visualstudio.com/docs/configure/profiles>).
    fn vscode(&self) -> Vec<ScopePlace> {
        let user = self.application_data().join("Code/User");
        let mut places = vec![self.user(user.join("mcp.json"), self.under(Jsonc, "servers"))];
        let profiles = std::fs::read_dir(user.join("profiles"));
        let mut profiles: Vec<PathBuf> = profiles
            .into_iter()
            .flatten()
            .filter_map(|entry| Some(entry.ok()?.path()))
            .filter(|directory| directory.join("mcp.json").is_file())
            .collect();
        profiles.sort();
        places.extend(profiles.into_iter().take(MAX_FILES).map(|directory| {
            let name = directory.file_name().unwrap_or_default().to_string_lossy();
            self.place(
                &format!("profile:{name}"),
                "Profile",
                FileOwner::User,
                directory.join("mcp.json"),
                self.under(Jsonc, "servers"),
                "The servers of a profile of VS Code.",
            )
        }));
        places.push(self.place(
            "workspace",
            "Workspace",
            FileOwner::Project,
            self.project(".vscode/mcp.json"),
            self.under(Jsonc, "servers"),
            "The project's servers, for everybody who works on it.",
        ));
        places
    }

    /// <https://zed.dev/docs/configuring-zed>. macOS uses `~/.config` as well.
    fn zed(&self) -> Vec<ScopePlace> {
        let user = match self.machine.platform {
            Platform::Linux => self.xdg_config().join("zed/settings.json"),
            Platform::MacOs => self.home(".config/zed/settings.json"),
            Platform::Windows => self.application_data().join("Zed/settings.json"),
        };
        vec![
            self.user(user, self.under(Jsonc, "context_servers")),
            self.of_project(
                self.project(".zed/settings.json"),
                self.under(Jsonc, "context_servers"),
            ),
        ]
    }

    /// <https://geminicli.com/docs/cli/configuration>.
    fn gemini(&self) -> Vec<ScopePlace> {
        let servers = || self.under(Jsonc, "mcpServers");
        let directory = self.system(
            "etc/gemini-cli",
            "Library/Application Support/GeminiCli",
            "ProgramData/gemini-cli",
        );
        vec![
            self.place(
                "system-defaults",
                "System defaults",
                FileOwner::Administrator,
                directory.join("system-defaults.json"),
                servers(),
                "What the machine's administrator sets where nobody else says otherwise.",
            ),
            self.user(self.home(".gemini/settings.json"), servers()),
            self.of_project(self.project(".gemini/settings.json"), servers()),
            self.place(
                "system",
                "System",
                FileOwner::Administrator,
                directory.join("settings.json"),
                servers(),
                "What the machine's administrator prescribes for everybody.",
            ),
        ]
    }
}
