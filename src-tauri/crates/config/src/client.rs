//! The programs that use MCP servers and have configuration files of their own.

pub(crate) mod git;
pub(crate) mod places;

use std::{fmt, path::PathBuf, str::FromStr, sync::Arc};

use serde::{Deserialize, Serialize};

use crate::client::places::Places;

/// A program whose configuration files Sightglass reads and writes.
#[derive(
    Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize, specta::Type,
)]
#[serde(rename_all = "kebab-case")]
pub enum Client {
    /// The `.mcp.json` scopes, which Sightglass itself connects from.
    McpJson,
    ClaudeCode,
    Codex,
    Opencode,
    Caliban,
    ClaudeDesktop,
    Vscode,
    Cursor,
    Windsurf,
    Zed,
    Gemini,
}

impl Client {
    /// All clients, in the order in which they are shown.
    pub const ALL: [Client; 11] = [
        Client::McpJson,
        Client::ClaudeCode,
        Client::Codex,
        Client::Opencode,
        Client::Caliban,
        Client::ClaudeDesktop,
        Client::Vscode,
        Client::Cursor,
        Client::Windsurf,
        Client::Zed,
        Client::Gemini,
    ];

    /// The client as the command line and a [`ServerId`](sightglass_model::ServerId) name it.
    pub fn id(self) -> &'static str {
        match self {
            Client::McpJson => "mcp-json",
            Client::ClaudeCode => "claude-code",
            Client::Codex => "codex",
            Client::Opencode => "opencode",
            Client::Caliban => "caliban",
            Client::ClaudeDesktop => "claude-desktop",
            Client::Vscode => "vscode",
            Client::Cursor => "cursor",
            Client::Windsurf => "windsurf",
            Client::Zed => "zed",
            Client::Gemini => "gemini",
        }
    }

    /// The client as it calls itself.
    pub fn title(self) -> &'static str {
        match self {
            Client::McpJson => ".mcp.json",
            Client::ClaudeCode => "Claude Code",
            Client::Codex => "Codex",
            Client::Opencode => "OpenCode",
            Client::Caliban => "caliban",
            Client::ClaudeDesktop => "Claude Desktop",
            Client::Vscode => "VS Code",
            Client::Cursor => "Cursor",
            Client::Windsurf => "Windsurf",
            Client::Zed => "Zed",
            Client::Gemini => "Gemini CLI",
        }
    }
}

impl fmt::Display for Client {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(self.id())
    }
}

/// A word that names no client.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("There is no client {word}. The clients are {}.", Client::ALL.map(Client::id).join(", "))]
pub struct UnknownClient {
    word: String,
}

impl FromStr for Client {
    type Err = UnknownClient;

    fn from_str(word: &str) -> Result<Self, Self::Err> {
        Client::ALL
            .into_iter()
            .find(|client| client.id() == word)
            .ok_or_else(|| UnknownClient {
                word: word.to_owned(),
            })
    }
}

/// One scope of one client: a file, or a part of one, that defines servers.
#[derive(
    Debug, Clone, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize, specta::Type,
)]
pub struct Target {
    pub client: Client,
    /// The client's own name for it: `user`, `project`, `local`, `managed`, …
    pub scope: String,
}

impl Target {
    pub fn new(client: Client, scope: impl Into<String>) -> Self {
        Self {
            client,
            scope: scope.into(),
        }
    }
}

impl fmt::Display for Target {
    /// `claude-code:project`, as the command line takes it.
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(formatter, "{}:{}", self.client, self.scope)
    }
}

/// The systems on which clients keep their files in different places.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Platform {
    Linux,
    MacOs,
    Windows,
}

impl Platform {
    /// The one that this program was built for.
    pub fn current() -> Self {
        if cfg!(windows) {
            Platform::Windows
        } else if cfg!(target_os = "macos") {
            Platform::MacOs
        } else {
            Platform::Linux
        }
    }
}

/// Answers the value of a variable, if it is set.
pub type Variables = Arc<dyn Fn(&str) -> Option<String> + Send + Sync>;

/// Facts about a machine that are needed to find the files of its clients.
#[derive(Clone)]
pub struct Machine {
    pub places: Places,
    pub platform: Platform,
    /// The directory above the files that an administrator writes: `/`, save in tests.
    pub system_root: PathBuf,
    /// The value of a variable, for `${VARIABLE}` and for the variables that move files
    /// (`CODEX_HOME`, `XDG_CONFIG_HOME`, …).
    pub environment: Variables,
}

impl Machine {
    /// The value of a variable that is set to something.
    pub(crate) fn variable(&self, name: &str) -> Option<String> {
        (self.environment)(name).filter(|value| !value.is_empty())
    }
}

impl fmt::Debug for Machine {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter
            .debug_struct("Machine")
            .field("places", &self.places)
            .field("platform", &self.platform)
            .finish_non_exhaustive()
    }
}
