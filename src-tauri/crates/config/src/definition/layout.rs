//! Layouts: the place of the servers in a file, and the form in which they are written.

use crate::{
    client::Client,
    entry::dialect::Dialect,
    text::{
        format::FileFormat,
        json::{Document, Member, NodeValue, Object},
        json_edit::object_at,
    },
};

/// Layout of the servers in one file.
#[derive(Clone)]
pub(crate) struct Layout {
    pub format: FileFormat,
    /// The objects that hold servers, the one that wins first.
    pub sections: Vec<LayoutSection>,
    pub client: Client,
    /// True when an entry with both a `command` and a `url` is refused whatever its type says. In a
    /// project's file one of them could pose as what starts.
    pub refuses_two_endpoints: bool,
}

/// An object of a file that holds servers.
#[derive(Clone)]
pub(crate) struct LayoutSection {
    /// The keys that lead to it.
    pub path: Vec<String>,
    pub dialect: &'static Dialect,
}

impl LayoutSection {
    fn new(path: &[&str], dialect: &'static Dialect) -> Self {
        Self {
            path: path.iter().map(|key| (*key).to_owned()).collect(),
            dialect,
        }
    }
}

/// The keys of an `.mcp.json` file under which servers stand. For a name in both, the first
/// counts.
const MCP_JSON_SECTIONS: [&str; 2] = ["mcpServers", "servers"];

/// Members that OpenCode has under `mcp` beside servers.
const OPENCODE_GROUPS: [&str; 2] = ["servers", "timeout"];

impl Layout {
    pub fn new(format: FileFormat, client: Client, section: &[&str]) -> Self {
        Self {
            format,
            sections: vec![LayoutSection::new(section, Dialect::of(client))],
            client,
            refuses_two_endpoints: false,
        }
    }

    /// That of the `.mcp.json` scopes.
    pub fn mcp_json() -> Self {
        let client = Client::McpJson;
        Self {
            format: FileFormat::Json,
            sections: MCP_JSON_SECTIONS
                .into_iter()
                .map(|key| LayoutSection::new(&[key], Dialect::of(client)))
                .collect(),
            client,
            refuses_two_endpoints: false,
        }
    }

    /// That of an `.mcp.json` scope of a project.
    pub fn mcp_json_of_project() -> Self {
        Self {
            refuses_two_endpoints: true,
            ..Self::mcp_json()
        }
    }

    /// That of OpenCode: servers by name under `mcp`, or under `mcp.servers` in the form of its
    /// second version. For a name in both, the former wins.
    pub fn opencode() -> Self {
        let client = Client::Opencode;
        Self {
            format: FileFormat::Jsonc,
            sections: vec![
                LayoutSection::new(&["mcp"], Dialect::of(client)),
                LayoutSection::new(&["mcp", "servers"], Dialect::opencode_servers()),
            ],
            client,
            refuses_two_endpoints: false,
        }
    }

    /// The same with what does not hinder an edit allowed.
    pub fn for_editing(&self) -> Self {
        Self {
            format: self.format.for_editing(),
            ..self.clone()
        }
    }

    /// The dialect of what is new.
    pub fn dialect(&self) -> &'static Dialect {
        self.sections[0].dialect
    }

    /// The keys that lead to a section.
    pub fn section(&self, index: usize) -> Vec<&str> {
        self.sections[index]
            .path
            .iter()
            .map(String::as_str)
            .collect()
    }

    /// The section that a new server goes into: of those that are there, the innermost, so that
    /// a file keeps to one form, and of those the one that wins.
    pub fn section_for_new(&self, document: &Document) -> usize {
        let is_there = |index: &usize| {
            let depth = self.sections[*index].path.len();
            object_at(document, &self.section(*index))
                .is_some_and(|(_, object)| depth < 2 || !self.is_server_instead(object))
        };
        (0..self.sections.len())
            .rev()
            .filter(is_there)
            .max_by_key(|index| self.sections[*index].path.len())
            .unwrap_or(0)
    }

    /// Returns true when an object that could be a group of servers is a server of that name
    /// instead.
    pub fn is_server_instead(&self, object: &Object) -> bool {
        self.client == Client::Opencode && is_opencode_server(object)
    }

    /// Returns true when a member of a section is a group of other things rather than a server.
    pub fn is_group(&self, section: usize, member: &Member) -> bool {
        self.client == Client::Opencode
            && self.sections[section].path.len() == 1
            && OPENCODE_GROUPS.contains(&member.key.as_str())
            && matches!(&member.value.value, NodeValue::Object(group) if !is_opencode_server(group))
    }
}

/// Returns true when an object under `mcp` is a server: it names its kind, or is switched.
fn is_opencode_server(object: &Object) -> bool {
    let has = |key: &str, is: fn(&NodeValue) -> bool| {
        object
            .get(key)
            .is_some_and(|member| is(&member.value.value))
    };
    has("type", |value| matches!(value, NodeValue::String(_)))
        || has("command", |value| matches!(value, NodeValue::Array(_)))
        || has("enabled", |value| matches!(value, NodeValue::Bool(_)))
}
