//! Servers at places of a file where its client does not look for any: under the key of another
//! client, or beside the key instead of under it.

use std::collections::HashSet;

use crate::{
    definition::{Definition, layout::Layout},
    entry::dialect::behaviour::ADDRESSES,
    text::{
        json::{Document, NodeValue, Object},
        json_edit::object_at,
        limits::shortened,
        problem::{Problem, ProblemKind},
        source::Source,
    },
};

/// Places under which one client or another keeps its servers.
const PLACES: [&[&str]; 6] = [
    &["mcpServers"],
    &["servers"],
    &["mcp_servers"],
    &["context_servers"],
    &["mcp"],
    &["mcp", "servers"],
];

/// Members of a file of servers that are none themselves.
const BESIDE_SERVERS: [&str; 2] = ["$schema", "inputs"];

/// Members that tell a server from other objects with a command or an address.
const DETAILS: [&str; 3] = ["args", "env", "headers"];

/// Largest number of warnings of one file.
const MAX_WARNINGS: usize = 20;

/// Returns a warning for each place of a file that holds servers which its client does not read.
/// `definitions` are those that it reads.
pub(crate) fn misplaced_servers(
    layout: &Layout,
    source: &Source<'_>,
    document: &Document,
    definitions: &[Definition],
) -> Vec<Problem> {
    let section = layout.section(0);
    // A section deep within a file is one of several, and the others are read with other scopes.
    let (&[section], Some((_, root))) = (section.as_slice(), object_at(document, &[])) else {
        return Vec::new();
    };
    let file = SearchedFile {
        layout,
        source,
        section,
        root,
        names: { definitions.iter() }
            .map(|definition| definition.name.as_str())
            .collect(),
    };
    let elsewhere = PLACES
        .into_iter()
        .filter_map(|place| file.under(place, document));
    let mut warnings: Vec<Problem> = elsewhere.collect();
    warnings.extend(file.beside());
    warnings.truncate(MAX_WARNINGS);
    warnings
}

/// A file whose servers stand under one key of its root.
struct SearchedFile<'a> {
    layout: &'a Layout,
    source: &'a Source<'a>,
    section: &'a str,
    root: &'a Object,
    /// Names of the servers that are read.
    names: HashSet<&'a str>,
}

impl SearchedFile<'_> {
    /// Returns a warning when servers stand under the key of another client.
    fn under(&self, place: &[&str], document: &Document) -> Option<Problem> {
        let sections = &self.layout.sections;
        if sections.iter().any(|section| section.path == place) {
            return None;
        }
        let (range, servers) = object_at(document, place)?;
        let mut servers = servers.members.iter();
        servers.find(|server| {
            looks_like_server(&server.value.value) && !self.names.contains(server.key.as_str())
        })?;
        let section = self.section;
        let found = place.join(".");
        let advice = match place {
            [_] if self.root.get(section).is_none() => format!("Rename {found} to {section}."),
            _ => format!("Move them to {section} at the top level."),
        };
        let reader = self.layout.client.reader();
        Some(self.warning(
            range.start,
            format!(
                "{reader} reads the servers of this file under {section}, not under {found}. {advice}"
            ),
        ))
    }

    /// Returns a warning for each server that stands beside the key instead of under it.
    fn beside(&self) -> Vec<Problem> {
        let sections = &self.layout.sections;
        let is_section = |key: &str| {
            let mut firsts = sections.iter().filter_map(|section| section.path.first());
            firsts.any(|first| first == key)
        };
        let members = self.root.members.iter();
        let others = members.filter(|member| {
            !is_section(&member.key) && !BESIDE_SERVERS.contains(&member.key.as_str())
        });
        let has_section = self
            .root
            .members
            .iter()
            .any(|member| is_section(&member.key));
        let holds_servers_only = !has_section
            && others
                .clone()
                .all(|member| looks_like_server(&member.value.value));
        others
            .filter(|member| holds_servers_only || is_surely_server(&member.value.value))
            .take(MAX_WARNINGS)
            .map(|member| {
                self.warning(
                    member.key_range.start,
                    format!(
                        "{} looks like a server, but stands at the top level of the file. Servers \
                         are read under {}: move it there.",
                        shortened(&member.key),
                        self.section
                    ),
                )
            })
            .collect()
    }

    fn warning(&self, at: usize, message: String) -> Problem {
        let at = self.source.position(at);
        Problem::warning(ProblemKind::RefusedByClient, at, message)
    }
}

/// Returns true when an object holds something that looks like a server.
pub(crate) fn holds_servers(object: &Object) -> bool {
    let mut members = object.members.iter();
    members.any(|member| looks_like_server(&member.value.value))
}

/// Returns true for an object with a program, or with an address.
fn looks_like_server(value: &NodeValue) -> bool {
    let NodeValue::Object(entry) = value else {
        return false;
    };
    let value = |field: &str| entry.get(field).map(|member| &member.value.value);
    let is_address = |field: &&str| {
        matches!(value(field), Some(NodeValue::String(text))
            if text.starts_with("http://") || text.starts_with("https://"))
    };
    matches!(
        value("command"),
        Some(NodeValue::String(_) | NodeValue::Array(_))
    ) || ADDRESSES.iter().any(is_address)
}

/// Returns true for an object that can hardly be anything else, also among settings.
fn is_surely_server(value: &NodeValue) -> bool {
    let NodeValue::Object(entry) = value else {
        return false;
    };
    let mut details = DETAILS.iter();
    details.any(|field| entry.get(field).is_some()) && looks_like_server(value)
}
