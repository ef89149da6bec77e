//! Files in which clients keep their rules about calls, each value with its line.
//!
//! - Claude Code: `permissions` of its settings, those of the administrator included
//!   (<https://code.claude.com/docs/en/settings>).
//! - Chimera, whose servers are those of `.mcp.json`: `permissions` of `.chimera/settings.json`
//!   (`chimera/permissions/loader.py` of <https://github.com/0bserver07/chimera>).
//! - caliban: `permissions` of each server in `mcp.toml`, and of `settings.toml` beside it
//!   (ADR 0045 of <https://github.com/caliban-ai/caliban>).
//! - OpenCode: `permission` and the older `tools` of its configuration
//!   (<https://opencode.ai/docs/permissions>).
//! - Codex: `config.toml`, that of the project once its user trusts it
//!   (<https://developers.openai.com/codex/config-reference>).

use std::path::PathBuf;

use serde_json::Value;

use super::client_approvals::{ClientApproval, ClientApprovals};
use crate::{
    client::{Client, Machine, Target},
    entry::dialect::plain,
    scopes::{FileOwner, ScopePlace, claude_settings, managed_settings, scope_place, scopes},
    text::{
        format::FileFormat,
        json::{Node, NodeValue},
        source::Source,
    },
};

/// A file that may hold rules.
pub struct PermissionFile {
    pub path: PathBuf,
    /// True for a file that the client reads of the open project, and none elsewhere.
    pub is_of_project: bool,
    text: String,
    root: Node,
}

/// A value of a file, with the line in which it begins.
#[derive(Debug, Clone, PartialEq)]
pub struct PlacedValue {
    pub value: Value,
    /// From 1.
    pub line: u32,
}

impl PermissionFile {
    fn read(path: PathBuf, is_of_project: bool, format: FileFormat) -> Option<Self> {
        let text = String::from_utf8(sightglass_files::read(&path).ok()?).ok()?;
        let root = format.parse(&text).root?;
        Some(Self {
            path,
            is_of_project,
            text,
            root,
        })
    }

    /// Returns the value at a path of keys.
    pub fn value(&self, path: &[&str]) -> Option<PlacedValue> {
        let source = Source::new(&self.text);
        self.node(path).map(|node| placed(&source, node))
    }

    /// Returns the elements of a list, or a value that is no list by itself.
    pub fn elements(&self, path: &[&str]) -> Vec<PlacedValue> {
        let source = Source::new(&self.text);
        match self.node(path) {
            Some(Node {
                value: NodeValue::Array(elements),
                ..
            }) => elements.iter().map(|node| placed(&source, node)).collect(),
            Some(node) => vec![placed(&source, node)],
            None => Vec::new(),
        }
    }

    /// Returns the keys of a table.
    pub fn keys(&self, path: &[&str]) -> Vec<String> {
        match self.node(path).map(|node| &node.value) {
            Some(NodeValue::Object(object)) => {
                let members = object.members.iter();
                members.map(|member| member.key.clone()).collect()
            }
            _ => Vec::new(),
        }
    }

    /// Returns the members of a table, in their order.
    pub fn members(&self, path: &[&str]) -> Vec<(String, PlacedValue)> {
        let source = Source::new(&self.text);
        match self.node(path).map(|node| &node.value) {
            Some(NodeValue::Object(object)) => {
                let members = object.members.iter();
                members
                    .map(|member| (member.key.clone(), placed(&source, &member.value)))
                    .collect()
            }
            _ => Vec::new(),
        }
    }

    fn node(&self, path: &[&str]) -> Option<&Node> {
        let mut node = &self.root;
        for key in path {
            let NodeValue::Object(object) = &node.value else {
                return None;
            };
            node = &object.get(key)?.value;
        }
        Some(node)
    }
}

fn placed(source: &Source<'_>, node: &Node) -> PlacedValue {
    PlacedValue {
        value: plain(node),
        line: source.position(node.range.start).line,
    }
}

/// Reads the files in which a client keeps rules about calls, the highest first. Those that are
/// missing, or cannot be read, are left out.
pub fn permission_files(client: Client, machine: &Machine) -> Vec<PermissionFile> {
    let (home, project) = (&machine.places.home, &machine.places.project);
    let format = match client {
        Client::Caliban | Client::Codex => FileFormat::Toml,
        _ => FileFormat::Jsonc,
    };
    let of_scope = |place: ScopePlace| (place.path, place.writer == FileOwner::Project);
    let files: Vec<(PathBuf, bool)> = match client {
        Client::ClaudeCode => {
            let own = [
                (project.join(".claude/settings.local.json"), true),
                (project.join(".claude/settings.json"), true),
                (claude_settings(machine), false),
            ];
            let managed = managed_settings(machine).into_iter();
            managed.map(|path| (path, false)).chain(own).collect()
        }
        Client::McpJson => [(project, true), (home, false)]
            .map(|(directory, of_project)| (directory.join(".chimera/settings.json"), of_project))
            .into(),
        Client::Caliban => scopes(Client::Caliban, machine)
            .into_iter()
            .map(of_scope)
            .flat_map(|(path, of_project)| {
                let beside = path.with_file_name("settings.toml");
                [(path, of_project), (beside, of_project)]
            })
            .collect(),
        Client::Opencode => scopes(Client::Opencode, machine)
            .into_iter()
            .rev()
            .map(of_scope)
            .collect(),
        Client::Codex => {
            let approvals = ClientApprovals::load(Client::Codex, machine);
            ["project", "user"]
                .into_iter()
                .filter(|scope| approvals.of(scope, "") == ClientApproval::Approved)
                .filter_map(|scope| scope_place(&Target::new(Client::Codex, scope), machine))
                .map(of_scope)
                .collect()
        }
        _ => Vec::new(),
    };
    files
        .into_iter()
        .filter_map(|(path, is_of_project)| PermissionFile::read(path, is_of_project, format))
        .collect()
}
