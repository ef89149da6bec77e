//! Scopes of the clients: the files of each on this machine, and their order of precedence.

mod claude_code;
pub(crate) mod schema;
mod table;

use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};
use sightglass_files::leads_into;

use crate::{
    client::{Client, Machine, Target, places::Scope},
    definition::layout::Layout,
    entry::client_variable::ClientVariables,
    entry::dialect::clients::plain_clients,
    text::format::FileFormat,
};
use table::ScopeTable;

pub(crate) use table::directories;

pub(crate) use claude_code::{claude_project, claude_settings, claude_state, managed_settings};

/// Owner of a file: who may change it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize, specta::Type)]
#[serde(rename_all = "camelCase")]
pub enum FileOwner {
    /// The user whose machine it is.
    User,
    /// The project: the file is usually under version control.
    Project,
    /// The administrator of the machine.
    Administrator,
    /// A program puts it in place, and overwrites what others write.
    Program,
}

/// Rule by which a client merges a server that several of its files define.
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
    /// Purpose in one sentence.
    pub note: &'static str,
    pub path: PathBuf,
    pub writer: FileOwner,
    pub(crate) layout: Layout,
    /// The home directory, which `~/` stands for.
    pub(crate) home: PathBuf,
    /// Prefix of the names of its servers.
    pub(crate) name_prefix: String,
    /// The variables that the client itself sets for its servers, beside the environment.
    pub(crate) variables: ClientVariables,
    /// Files in which its servers are written by mistake.
    pub(crate) mistaken: Vec<MistakenFile>,
}

/// File in which servers are written although the client reads none there.
#[derive(Clone)]
pub(crate) struct MistakenFile {
    pub path: PathBuf,
    /// The path as a user would write it.
    pub label: String,
    /// The keys under which the servers stand.
    pub section: &'static [&'static str],
    /// The end of a sentence about servers there, and what to do with them.
    pub advice: &'static str,
}

impl ScopePlace {
    pub fn format(&self) -> FileFormat {
        self.layout.format
    }

    /// Names the section of the file that holds the servers, for display.
    pub fn section(&self) -> String {
        self.layout.section(0).join(" › ")
    }

    /// Returns true when the file may have come with the project, so that what it says may be
    /// anybody's.
    pub fn comes_with_project(&self, machine: &Machine) -> bool {
        if self.target.client == Client::McpJson {
            return Scope::from_id(&self.target.scope).is_none_or(Scope::is_of_project);
        }
        self.writer == FileOwner::Project
            || (self.is_of_project(machine) && !machine.places.is_own_in_project(&self.path))
    }

    /// Returns true when the file lies in the project, however its path is written.
    pub fn is_of_project(&self, machine: &Machine) -> bool {
        leads_into(&machine.places.project, &self.path)
    }

    /// The path as a user would write it.
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

/// Facts about all scopes of a client.
pub struct ClientFacts {
    /// URL of the documentation of its format.
    pub documentation: &'static str,
    /// Precedence of its scopes, in one sentence.
    pub precedence: &'static str,
    pub merge: MergeRule,
}

/// Facts about all scopes of a client.
pub fn facts(client: Client) -> ClientFacts {
    let (documentation, precedence, merge) = match client {
        Client::McpJson => (
            "https://modelcontextprotocol.io/docs/develop/connect-local-servers",
            "Priority: local > project > project root > user > Chimera. The winner replaces the \
             whole entry.",
            MergeRule::Whole,
        ),
        Client::ClaudeCode => (
            "https://code.claude.com/docs/en/mcp",
            "Priority: local > project > user. The winner replaces the whole entry. A project's \
             server counts once you approve it there; a managed file counts alone.",
            MergeRule::Whole,
        ),
        Client::Codex => (
            "https://developers.openai.com/codex/mcp",
            "Priority: project > user > system, field by field. The project's file counts once \
             the project is trusted.",
            MergeRule::Fields,
        ),
        Client::Opencode => (
            "https://opencode.ai/docs/mcp-servers",
            "Priority: project > user, field by field.",
            MergeRule::Fields,
        ),
        Client::Caliban => (
            "https://github.com/caliban-ai/caliban/blob/main/docs/adr/0023-mcp-v2-transports-and-oauth.md",
            "Priority: project > user. The winner replaces the whole entry.",
            MergeRule::Whole,
        ),
        Client::ClaudeDesktop => (
            "https://modelcontextprotocol.io/docs/develop/connect-local-servers",
            "There is one file.",
            MergeRule::Whole,
        ),
        Client::Vscode => (
            "https://code.visualstudio.com/docs/copilot/reference/mcp-configuration",
            "Priority: workspace > user. The winner replaces the whole entry.",
            MergeRule::Whole,
        ),
        Client::Cursor => (
            "https://cursor.com/docs/context/mcp",
            "Priority: project > user. The winner replaces the whole entry.",
            MergeRule::Whole,
        ),
        Client::Windsurf => (
            "https://docs.windsurf.com/windsurf/cascade/mcp",
            "There is one file.",
            MergeRule::Whole,
        ),
        Client::Zed => (
            "https://zed.dev/docs/ai/mcp",
            "Priority: project > user. The winner replaces the whole entry.",
            MergeRule::Whole,
        ),
        Client::Gemini => (
            "https://github.com/google-gemini/gemini-cli/blob/main/docs/tools/mcp-server.md",
            "Priority: system > project > user. The winner replaces the whole entry.",
            MergeRule::Whole,
        ),
        plain => {
            let entry = plain_clients::of(plain);
            (entry.documentation, entry.precedence, MergeRule::Whole)
        }
    };
    ClientFacts {
        documentation,
        precedence,
        merge,
    }
}

/// The scopes of a client, the lowest precedence first, whether their files exist or not.
///
/// Where the project is the home directory, a scope of the project whose file is one of the
/// user's own is left out: the file is the user's.
pub fn scopes(client: Client, machine: &Machine) -> Vec<ScopePlace> {
    let mut places: Vec<ScopePlace> = Vec::new();
    let project_is_home = machine.places.project_is_home();
    for place in (ScopeTable { client, machine }).scopes() {
        let is_listed = |other: &ScopePlace| {
            other.section() == place.section()
                && machine.places.as_of_home(&other.path) == machine.places.as_of_home(&place.path)
        };
        if !(project_is_home && places.iter().any(is_listed)) {
            places.push(place);
        }
    }
    places
}

/// The scope of a target.
pub fn scope_place(target: &Target, machine: &Machine) -> Option<ScopePlace> {
    scopes(target.client, machine)
        .into_iter()
        .find(|place| place.target == *target)
}
