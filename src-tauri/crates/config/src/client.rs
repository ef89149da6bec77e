//! The programs that use MCP servers and have configuration files of their own.

pub(crate) mod git;
pub(crate) mod limits;
pub(crate) mod places;

use std::{fmt, path::PathBuf, str::FromStr, sync::Arc};

use serde::{Deserialize, Serialize};

use crate::client::places::Places;

macro_rules! clients {
    ($($(#[$doc:meta])* $client:ident $id:literal $title:literal)*) => {
        /// A program whose configuration files Sightglass reads and writes.
        #[derive(
            Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize,
            specta::Type,
        )]
        #[serde(rename_all = "kebab-case")]
        pub enum Client {
            $($(#[$doc])* $client,)*
        }

        impl Client {
            /// All clients, in the order in which they are shown.
            pub const ALL: [Client; [$($id),*].len()] = [$(Client::$client),*];

            /// The client as the command line and a [`ServerId`](sightglass_model::ServerId) name
            /// it.
            pub fn id(self) -> &'static str {
                match self {
                    $(Client::$client => $id,)*
                }
            }

            /// The client as it calls itself.
            pub fn title(self) -> &'static str {
                match self {
                    $(Client::$client => $title,)*
                }
            }
        }
    };
}

clients! {
    /// The `.mcp.json` scopes, which are Sightglass's own.
    McpJson "mcp-json" ".mcp.json"
    ClaudeCode "claude-code" "Claude Code"
    Codex "codex" "Codex"
    Opencode "opencode" "OpenCode"
    Caliban "caliban" "caliban"
    ClaudeDesktop "claude-desktop" "Claude Desktop"
    Vscode "vscode" "VS Code"
    VscodeInsiders "vscode-insiders" "VS Code Insiders"
    Vscodium "vscodium" "VSCodium"
    VisualStudio "visual-studio" "Visual Studio"
    Cursor "cursor" "Cursor"
    Windsurf "windsurf" "Windsurf"
    Zed "zed" "Zed"
    Gemini "gemini" "Gemini CLI"
    CopilotCli "copilot-cli" "Copilot CLI"
    Cline "cline" "Cline"
    RooCode "roo-code" "Roo Code"
    Kiro "kiro" "Kiro"
    AmazonQ "amazon-q" "Amazon Q"
    Junie "junie" "JetBrains Junie"
    Warp "warp" "Warp"
    LmStudio "lm-studio" "LM Studio"
    Goose "goose" "Goose"
    Continue "continue" "Continue"
}

impl Client {
    /// Returns the program that reads the client's files, for a sentence.
    pub(crate) fn reader(self) -> &'static str {
        match self {
            Client::McpJson => "Sightglass",
            client => client.title(),
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
        // The files of `.mcp.json` are Chimera's too, and names and rules are shown as its own.
        let word = if word == "chimera" {
            Client::McpJson.id()
        } else {
            word
        };
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
