//! The table of clients: which files each reads on this machine, and in which order.

use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};
use serde_json::Value as NewValue;

use crate::{
    client::{Client, Machine, Platform, Target},
    document::FileFormat,
    layout::Layout,
    places::Scope,
};

use FileFormat::{Json, Jsonc, Toml};

/// Who may change a file.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize, specta::Type)]
#[serde(rename_all = "snake_case")]
pub enum Writer {
    /// The person whose machine it is.
    Person,
    /// Everybody who works on the project: it is usually under version control.
    Project,
    /// Whoever manages the machine.
    Administrator,
    /// A program puts it in place, and overwrites what others write.
    Program,
}

/// How a client treats a server that several of its files define.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum MergeRule {
    /// The highest definition counts, whole.
    Whole,
    /// Fields are merged; of a field that several files have, the highest counts.
    Fields,
}

/// One scope of one client on this machine.
#[derive(Clone)]
pub struct ScopePlace {
    pub target: Target,
    pub title: &'static str,
    /// What it is for, in one sentence.
    pub note: &'static str,
    pub path: PathBuf,
    pub writer: Writer,
    pub(crate) layout: Layout,
    /// What the client puts before the names of its servers.
    pub(crate) name_prefix: String,
}

impl ScopePlace {
    pub fn format(&self) -> FileFormat {
        self.layout.format
    }

    /// Where in the file the servers stand, for a person.
    pub fn section(&self) -> String {
        self.layout.sections[0].join(" › ")
    }

    /// Whether the file lies in the project.
    pub fn is_of_project(&self, machine: &Machine) -> bool {
        self.path.starts_with(&machine.places.project)
    }

    /// The path as a person would write it.
    pub fn label(&self, machine: &Machine) -> String {
        label(&self.path, machine)
    }
}

/// A path relative to the project or to `~`, where it lies in one of them.
pub(crate) fn label(path: &Path, machine: &Machine) -> String {
    if let Ok(inside) = path.strip_prefix(&machine.places.project) {
        return inside.display().to_string();
    }
    match path.strip_prefix(&machine.places.home) {
        Ok(inside) => format!("~/{}", inside.display()),
        Err(_) => path.display().to_string(),
    }
}

/// What is true of all scopes of a client.
pub struct ClientFacts {
    /// Where its format is documented.
    pub documentation: &'static str,
    /// How its scopes override each other, in one sentence.
    pub precedence: &'static str,
    pub merge: MergeRule,
}

/// What is true of all scopes of a client.
pub fn facts(client: Client) -> ClientFacts {
    let (documentation, precedence, merge) = match client {
        Client::McpJson => (
            "https://modelcontextprotocol.io/docs/develop/connect-local-servers",
            "Local wins over project, project over project root, project root over user, user \
             over Chimera; a server is replaced whole.",
            MergeRule::Whole,
        ),
        Client::ClaudeCode => (
            "https://code.claude.com/docs/en/mcp",
            "Local wins over project, project over user; a server is replaced whole, and where \
             there is a managed file it alone counts.",
            MergeRule::Whole,
        ),
        Client::Codex => (
            "https://developers.openai.com/codex/mcp",
            "The project wins over the user, the user over the system, field by field; the \
             project's file counts once the project is trusted.",
            MergeRule::Fields,
        ),
        Client::Opencode => (
            "https://opencode.ai/docs/mcp-servers",
            "The project wins over the user, field by field.",
            MergeRule::Fields,
        ),
        Client::Caliban => (
            "https://github.com/caliban-ai/caliban/blob/main/docs/adr/0023-mcp-v2-transports-and-oauth.md",
            "The project wins over the user; a server is replaced whole.",
            MergeRule::Whole,
        ),
        Client::ClaudeDesktop => (
            "https://modelcontextprotocol.io/docs/develop/connect-local-servers",
            "There is one file.",
            MergeRule::Whole,
        ),
        Client::Vscode => (
            "https://code.visualstudio.com/docs/copilot/reference/mcp-configuration",
            "The workspace wins over the user; a server is replaced whole.",
            MergeRule::Whole,
        ),
        Client::Cursor => (
            "https://cursor.com/docs/context/mcp",
            "The project wins over the user; a server is replaced whole.",
            MergeRule::Whole,
        ),
        Client::Windsurf => (
            "https://docs.windsurf.com/windsurf/cascade/mcp",
            "There is one file.",
            MergeRule::Whole,
        ),
        Client::Zed => (
            "https://zed.dev/docs/ai/mcp",
            "The project wins over the user; a server is replaced whole.",
            MergeRule::Whole,
        ),
        Client::Gemini => (
            "https://github.com/google-gemini/gemini-cli/blob/main/docs/tools/mcp-server.md",
            "The system's file wins over the project, the project over the user; a server is \
             replaced whole.",
            MergeRule::Whole,
        ),
    };
    ClientFacts {
        documentation,
        precedence,
        merge,
    }
}

/// The scopes of a client, the lowest precedence first, whether their files exist or not.
pub fn scopes(client: Client, machine: &Machine) -> Vec<ScopePlace> {
    Table { client, machine }.scopes()
}

/// The scope of a target.
pub fn scope_place(target: &Target, machine: &Machine) -> Option<ScopePlace> {
    scopes(target.client, machine)
        .into_iter()
        .find(|place| place.target == *target)
}

struct Table<'a> {
    client: Client,
    machine: &'a Machine,
}

impl Table<'_> {
    fn home(&self, path: &str) -> PathBuf {
        self.machine.places.home.join(path)
    }

    fn project(&self, path: &str) -> PathBuf {
        self.machine.places.project.join(path)
    }

    /// The directory that a variable names, or one in the home directory.
    fn moved_by(&self, variable: &str, otherwise: &str) -> PathBuf {
        match self.machine.variable(variable) {
            Some(directory) => self.machine.places.home.join(directory),
            None => self.home(otherwise),
        }
    }

    /// `~/.config`, wherever it was moved to.
    fn xdg_config(&self) -> PathBuf {
        self.moved_by("XDG_CONFIG_HOME", ".config")
    }

    /// Where applications keep what belongs to one person.
    fn application_data(&self) -> PathBuf {
        match self.machine.platform {
            Platform::Linux => self.xdg_config(),
            Platform::MacOs => self.home("Library/Application Support"),
            Platform::Windows => self.moved_by("APPDATA", "AppData/Roaming"),
        }
    }

    /// A path that an administrator writes.
    fn system(&self, linux: &str, mac: &str, windows: &str) -> PathBuf {
        let path = match self.machine.platform {
            Platform::Linux => linux,
            Platform::MacOs => mac,
            Platform::Windows => windows,
        };
        self.machine.system_root.join(path)
    }

    fn place(
        &self,
        scope: &str,
        title: &'static str,
        writer: Writer,
        path: PathBuf,
        layout: Layout,
        note: &'static str,
    ) -> ScopePlace {
        ScopePlace {
            target: Target::new(self.client, scope),
            title,
            note,
            path,
            writer,
            layout,
            name_prefix: String::new(),
        }
    }

    /// The layout with servers under one key.
    fn under(&self, format: FileFormat, key: &str) -> Layout {
        Layout::new(format, self.client, &[key])
    }

    fn user(&self, path: PathBuf, layout: Layout) -> ScopePlace {
        self.place(
            "user",
            "User",
            Writer::Person,
            path,
            layout,
            "Your servers, in every project.",
        )
    }

    fn of_project(&self, path: PathBuf, layout: Layout) -> ScopePlace {
        self.place(
            "project",
            "Project",
            Writer::Project,
            path,
            layout,
            "The project's servers, for everybody who works on it.",
        )
    }

    fn scopes(&self) -> Vec<ScopePlace> {
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
        }
    }

    fn mcp_json(&self, scope: Scope) -> ScopePlace {
        let (writer, note) = match scope {
            Scope::Chimera => (Writer::Person, "What Chimera set up for you."),
            Scope::User => (Writer::Person, "Your servers, in every project."),
            Scope::ProjectRoot => (
                Writer::Project,
                "The project's servers, at the place that most clients share.",
            ),
            Scope::Project => (
                Writer::Project,
                "The project's servers, for everybody who works on it.",
            ),
            Scope::Local => (Writer::Person, "Your servers in this project alone."),
        };
        let path = self.machine.places.path(scope);
        self.place(
            scope.id(),
            scope.title(),
            writer,
            path,
            Layout::mcp_json(),
            note,
        )
    }

    /// <https://code.claude.com/docs/en/mcp#mcp-installation-scopes>; the managed file,
    /// <https://code.claude.com/docs/en/managed-mcp>.
    fn claude_code(&self) -> Vec<ScopePlace> {
        let state = match self.machine.variable("CLAUDE_CONFIG_DIR") {
            Some(directory) => self
                .machine
                .places
                .home
                .join(directory)
                .join(".claude.json"),
            None => self.home(".claude.json"),
        };
        let project = self.machine.places.project.display().to_string();
        let mut places = self.claude_plugins();
        places.push(self.user(state.clone(), self.under(Json, "mcpServers")));
        places.push(self.of_project(self.project(".mcp.json"), self.under(Json, "mcpServers")));
        places.push(self.place(
            "local",
            "Local",
            Writer::Person,
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
        let Some(NewValue::Object(plugins)) = std::fs::read(registry)
            .ok()
            .and_then(|bytes| serde_json::from_slice::<NewValue>(&bytes).ok())
            .and_then(|mut registry| registry.get_mut("plugins").map(NewValue::take))
        else {
            return Vec::new();
        };
        let mut places = Vec::new();
        for (id, installed) in plugins {
            let name = id.split('@').next().unwrap_or(&id);
            let places_of_plugin = match &installed {
                NewValue::Array(installations) => installations.last(),
                other => Some(other),
            };
            let Some(root) = places_of_plugin
                .and_then(|installation| installation.get("installPath"))
                .and_then(NewValue::as_str)
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

    /// <https://developers.openai.com/codex/config-basic>.
    fn codex(&self) -> Vec<ScopePlace> {
        let servers = || self.under(Toml, "mcp_servers");
        vec![
            self.place(
                "system",
                "System",
                Writer::Administrator,
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

    /// <https://opencode.ai/docs/config#locations>. The same directory on every system.
    fn opencode(&self) -> Vec<ScopePlace> {
        let servers = || self.under(Jsonc, "mcp");
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
                Writer::Person,
                self.machine.places.project.join(path),
                servers(),
                "The file that OPENCODE_CONFIG names.",
            ));
        }
        places.push(self.of_project(either(self.machine.places.project.clone()), servers()));
        places.push(self.place(
            "directory",
            "Project directory",
            Writer::Project,
            either(self.project(".opencode")),
            servers(),
            "The project's servers, beside its agents and commands.",
        ));
        places
    }

    /// `discovery_paths` in `crates/caliban-mcp-client/src/config.rs` of
    /// <https://github.com/caliban-ai/caliban>.
    fn caliban(&self) -> Vec<ScopePlace> {
        let usual = self.xdg_config().join("caliban/mcp.toml");
        let native = self.application_data().join("caliban/mcp.toml");
        let user = if !usual.exists() && native.exists() {
            native
        } else {
            usual
        };
        vec![
            self.user(user, self.under(Toml, "server")),
            self.of_project(
                self.project(".caliban/mcp.toml"),
                self.under(Toml, "server"),
            ),
        ]
    }

    /// <https://code.visualstudio.com/docs/copilot/reference/mcp-configuration>.
    fn vscode(&self) -> Vec<ScopePlace> {
        vec![
            self.user(
                self.application_data().join("Code/User/mcp.json"),
                self.under(Jsonc, "servers"),
            ),
            self.place(
                "workspace",
                "Workspace",
                Writer::Project,
                self.project(".vscode/mcp.json"),
                self.under(Jsonc, "servers"),
                "The project's servers, for everybody who works on it.",
            ),
        ]
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
                Writer::Administrator,
                directory.join("system-defaults.json"),
                servers(),
                "What the machine's administrator sets where nobody else says otherwise.",
            ),
            self.user(self.home(".gemini/settings.json"), servers()),
            self.of_project(self.project(".gemini/settings.json"), servers()),
            self.place(
                "system",
                "System",
                Writer::Administrator,
                directory.join("settings.json"),
                servers(),
                "What the machine's administrator prescribes for everybody.",
            ),
        ]
    }
}

/// The directories in which an administrator keeps what holds for Claude Code.
pub(crate) fn managed_directory(machine: &Machine) -> PathBuf {
    Table {
        client: Client::ClaudeCode,
        machine,
    }
    .managed_directory()
}

/// Claude Code's own state, which holds the user's and the local servers.
pub(crate) fn claude_state(machine: &Machine) -> Option<PathBuf> {
    scope_place(&Target::new(Client::ClaudeCode, "user"), machine).map(|place| place.path)
}
