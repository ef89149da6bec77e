//! Qualified names: the names under which a client's model or its user reaches what a server offers.
//!
//! ```text
//! scheme    NamingScheme: the clients whose rules are known, with the source of the rules
//! text      replacement of characters
//! codex     the names of Codex, which depend on all servers together
//! vscode    the names of VS Code, likewise
//! resolve   a name out of a log → server and item
//! findings  names that clients refuse or change, for the lint
//! ```

mod codex;
mod findings;
mod resolve;
mod scheme;
#[cfg(test)]
mod tests;
mod text;
mod vscode;

use std::collections::HashMap;

use serde::{Deserialize, Serialize};
use specta::Type;

pub use findings::{NAME_RULES, name_findings};
pub use resolve::{CandidateBasis, NameCandidate, resolve};
pub use scheme::NamingScheme;

/// Number of names that are computed; a hostile server could list millions of items.
const MAX_NAMES: usize = 100_000;

/// A server of a client, with what it offers.
#[derive(Debug, Clone, Default)]
pub struct NamedServer {
    /// Name in the client's configuration.
    pub name: String,
    /// Name that the server gives of itself (`serverInfo.name`); VS Code prefers it.
    pub own_name: Option<String>,
    pub tools: Vec<String>,
    pub prompts: Vec<String>,
    pub resources: Vec<NamedResource>,
}

/// A resource as clients name it: by its address, or by its name.
#[derive(Debug, Clone)]
pub struct NamedResource {
    pub name: String,
    pub uri: String,
}

/// Kind of what a name names.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize, Type)]
#[serde(rename_all = "camelCase")]
pub enum ItemKind {
    Tool,
    Prompt,
    Resource,
}

/// Name of one item in one client.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, Type)]
#[serde(rename_all = "camelCase")]
pub struct QualifiedName {
    pub kind: ItemKind,
    pub server: String,
    /// Name of the tool or prompt, or address of the resource, as the server gives it.
    pub item: String,
    pub name: String,
    pub warnings: Vec<NameWarning>,
}

/// Fault that a name has, or a difference from what the server calls the item. It belongs to the name
/// in one client; the findings of a tool sum up those of all clients.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, Type)]
#[serde(rename_all = "camelCase")]
pub struct NameWarning {
    pub kind: NameWarningKind,
    pub text: String,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, Type)]
#[serde(rename_all = "camelCase")]
pub enum NameWarningKind {
    /// Another item has the same name, and a call reaches one of them.
    Collision,
    /// The client appended a hash, because of a collision or of the length.
    Hashed,
    Truncated,
    /// Characters, or their case, were changed.
    Replaced,
    /// Longer than the model interface accepts, and the client does not shorten it.
    TooLong,
    /// Characters that the model interface refuses, and the client does not replace them.
    Refused,
    /// The files of the client take the tool from the model.
    NotSent,
}

/// Computes the names of all items of a client's servers, in the order of the servers, with tools
/// before prompts before resources. Kinds to which the client gives no name are left out.
pub fn qualified_names(scheme: NamingScheme, servers: &[NamedServer]) -> Vec<QualifiedName> {
    let mut tools = tool_names(scheme, servers);
    let mut names = Vec::new();
    for (index, server) in servers.iter().enumerate() {
        let own: Vec<QualifiedName> = tools.get_mut(index).map(std::mem::take).unwrap_or_default();
        names.extend(own);
        for prompt in &server.prompts {
            if let Some(name) = scheme.prompt_name(&server.name, prompt) {
                names.push(plain(ItemKind::Prompt, server, prompt, name));
            }
        }
        for resource in &server.resources {
            if let Some(name) = scheme.resource_name(&server.name, resource) {
                names.push(plain(ItemKind::Resource, server, &resource.uri, name));
            }
        }
        if names.len() >= MAX_NAMES {
            names.truncate(MAX_NAMES);
            break;
        }
    }
    add_collisions(&mut names);
    names
}

/// Computes the names of the tools, a list for each server.
fn tool_names(scheme: NamingScheme, servers: &[NamedServer]) -> Vec<Vec<QualifiedName>> {
    match scheme {
        NamingScheme::Codex => codex::tool_names(servers),
        NamingScheme::Vscode => vscode::tool_names(servers),
        _ => servers
            .iter()
            .map(|server| {
                server
                    .tools
                    .iter()
                    .take(MAX_NAMES)
                    .map(|tool| {
                        let (name, mut warnings) = scheme.tool_name(&server.name, tool);
                        warnings.extend(scheme.limit_warnings(&name));
                        QualifiedName {
                            kind: ItemKind::Tool,
                            server: server.name.clone(),
                            item: tool.clone(),
                            name,
                            warnings,
                        }
                    })
                    .collect()
            })
            .collect(),
    }
}

fn plain(kind: ItemKind, server: &NamedServer, item: &str, name: String) -> QualifiedName {
    QualifiedName {
        kind,
        server: server.name.clone(),
        item: item.to_owned(),
        name,
        warnings: Vec::new(),
    }
}

/// Marks the names that more than one item of a kind has.
fn add_collisions(names: &mut [QualifiedName]) {
    let mut owners: HashMap<(ItemKind, String), Vec<usize>> = HashMap::new();
    for (index, name) in names.iter().enumerate() {
        let key = (name.kind, name.name.clone());
        owners.entry(key).or_default().push(index);
    }
    for indices in owners.into_values().filter(|indices| indices.len() > 1) {
        for index in &indices {
            let other = indices
                .iter()
                .find(|other| *other != index)
                .and_then(|other| names.get(*other))
                .map(|other| format!("{} of {}", other.item, other.server));
            let (Some(other), Some(name)) = (other, names.get_mut(*index)) else {
                continue;
            };
            name.warnings.push(NameWarning {
                kind: NameWarningKind::Collision,
                text: format!("{other} has the same name; a call reaches only one of them."),
            });
        }
    }
}
