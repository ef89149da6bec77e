//! Layouts: the place of the servers in a file, and the form in which they are written.

use std::ops::RangeInclusive;

use serde_json::{Map, Value};

use crate::{
    client::Client,
    entry::dialect::Dialect,
    text::{
        format::{FileFormat, TextEditor, object},
        json::{Document, Member, Node, NodeValue, Object, SyntaxErrorKind},
        json_edit::object_at,
        named_list,
        problem::Problem,
        source::Source,
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
    /// The members that a new file begins with, where its client needs some.
    pub head: &'static [(&'static str, &'static str)],
    /// The reason why the file may hold one server only, where it may.
    pub one_server: Option<&'static str>,
}

/// An object of a file that holds servers, or a list of them.
#[derive(Clone)]
pub(crate) struct LayoutSection {
    /// The keys that lead to it.
    pub path: Vec<String>,
    pub dialect: &'static Dialect,
    /// True for a list of servers, each of which says its name.
    pub is_list: bool,
}

impl LayoutSection {
    fn new(path: &[&str], dialect: &'static Dialect) -> Self {
        Self {
            path: path.iter().map(|key| (*key).to_owned()).collect(),
            dialect,
            is_list: false,
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
        Self::in_dialect(format, Dialect::of(client), section)
    }

    /// Layout of a file in one dialect.
    pub fn in_dialect(format: FileFormat, dialect: &'static Dialect, section: &[&str]) -> Self {
        Self {
            format,
            sections: vec![LayoutSection::new(section, dialect)],
            client: dialect.client,
            refuses_two_endpoints: false,
            head: &[],
            one_server: None,
        }
    }

    /// Returns this layout with the servers in a list.
    pub fn of_list(mut self) -> Self {
        for section in &mut self.sections {
            section.is_list = true;
        }
        self
    }

    /// Layout of an `.mcp.json` file.
    pub fn mcp_json() -> Self {
        let client = Client::McpJson;
        Self {
            sections: MCP_JSON_SECTIONS
                .into_iter()
                .map(|key| LayoutSection::new(&[key], Dialect::of(client)))
                .collect(),
            ..Self::new(FileFormat::Json, client, &[])
        }
    }

    /// Layout of the `.mcp.json` file of a project.
    pub fn mcp_json_of_project() -> Self {
        Self {
            refuses_two_endpoints: true,
            ..Self::mcp_json()
        }
    }

    /// Layout of OpenCode's files: servers by name under `mcp`, or under `mcp.servers` in the form
    /// of its second version. For a name in both, the former wins.
    pub fn opencode() -> Self {
        let client = Client::Opencode;
        Self {
            sections: vec![
                LayoutSection::new(&["mcp"], Dialect::of(client)),
                LayoutSection::new(&["mcp", "servers"], Dialect::opencode_servers()),
            ],
            ..Self::new(FileFormat::Jsonc, client, &[])
        }
    }

    /// Returns this layout for an editor, which accepts faults that do not prevent an edit.
    pub fn for_editing(&self) -> Self {
        Self {
            format: self.format.for_editing(),
            ..self.clone()
        }
    }

    /// The tree of a text, with a list of servers as an object by their names.
    pub fn parse(&self, text: &str) -> Document {
        let mut document = self.format.parse(text);
        if let Some(list) = self.list() {
            named_list::show_by_name(&mut document, list);
        }
        document
    }

    /// A text under change, in which each server is found by its name.
    pub fn editor(&self, text: String) -> TextEditor {
        let editor = TextEditor::new(self.format, text);
        match self.list() {
            Some(list) => editor.with_named_list(list.to_vec()),
            None => editor,
        }
    }

    /// The text of a new file with one server in it.
    pub fn new_text(
        &self,
        name: &str,
        entry: Map<String, Value>,
        line_end: &'static str,
    ) -> String {
        let mut servers = object(name, Value::Object(entry));
        if self.sections[0].is_list {
            servers = named_list::list(&servers);
        }
        for key in self.sections[0].path.iter().rev() {
            servers = object(key, servers);
        }
        let head = self.head.iter();
        let mut root: Map<String, Value> = head
            .map(|(key, value)| ((*key).to_owned(), (*value).into()))
            .collect();
        if let Value::Object(members) = servers {
            root.extend(members);
        }
        self.format.new_text(&Value::Object(root), line_end)
    }

    /// The errors of a text that keep its servers from being read: all that its format does not
    /// allow, but of YAML's anchors, aliases and tags those alone that a server depends on.
    pub fn problems(&self, source: &Source<'_>, document: &Document) -> Vec<Problem> {
        let sections = self.sections.iter();
        let needed: Vec<RangeInclusive<usize>> = sections
            .flat_map(|section| places_needed(source, document, &section.path))
            .collect();
        let errors = document.errors.iter().filter(|error| {
            error.kind != SyntaxErrorKind::YamlReference
                || needed.iter().any(|place| place.contains(&error.at))
        });
        let counting = Document {
            root: None,
            errors: errors.cloned().collect(),
            comments: Vec::new(),
        };
        self.format.problems(source, &counting)
    }

    fn list(&self) -> Option<&[String]> {
        let section = self.sections.iter().find(|section| section.is_list)?;
        Some(&section.path)
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

/// Returns the places on which what stands at the end of a path depends: its own, that of braces or
/// brackets around it, and those of what is merged into an object on the way.
fn places_needed(
    source: &Source<'_>,
    document: &Document,
    path: &[String],
) -> Vec<RangeInclusive<usize>> {
    let everything = || vec![0..=source.text().len()];
    let place = |node: &Node| node.range.start..=node.range.end;
    let Some(mut node) = document.root.as_ref() else {
        return everything();
    };
    let mut needed = Vec::new();
    for key in path {
        if source.text()[node.range.start..].starts_with(['{', '[']) {
            needed.push(place(node));
        }
        let NodeValue::Object(object) = &node.value else {
            return everything();
        };
        let merged = object.get("<<");
        needed.extend(merged.map(|member| place(&member.value)));
        match object.get(key) {
            Some(member) => node = &member.value,
            None => return needed,
        }
    }
    needed.push(place(node));
    needed
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
