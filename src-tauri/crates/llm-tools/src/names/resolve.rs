//! The way back: from a name out of a log to the server and the item.

use std::collections::HashSet;

use serde::{Deserialize, Serialize};
use specta::Type;

use super::{ItemKind, NamedServer, NamingScheme, qualified_names};

/// Number of candidates for one name.
const MAX_CANDIDATES: usize = 50;

/// Characters of a name that is looked at.
const MAX_NAME: usize = 1_000;

/// Item that a name may mean.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, Type)]
#[serde(rename_all = "camelCase")]
pub struct NameCandidate {
    pub scheme: NamingScheme,
    pub kind: ItemKind,
    pub server: String,
    pub item: String,
    pub basis: CandidateBasis,
}

/// Ground on which a candidate stands.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, Type)]
#[serde(rename_all = "camelCase")]
pub enum CandidateBasis {
    /// The client gives this very name to an item that the server lists.
    Listed,
    /// The server is known, and does not list the item.
    KnownServer,
    /// The name has the form; neither part is known.
    Form,
}

/// Returns the items that a name may mean in a client, the likeliest first: those that servers list,
/// then those of known servers, then each way to take the name apart. Several remain where a server's
/// or a tool's name holds the separator.
pub fn resolve(scheme: NamingScheme, servers: &[NamedServer], name: &str) -> Vec<NameCandidate> {
    let name = name.trim();
    if name.is_empty() || name.chars().count() > MAX_NAME {
        return Vec::new();
    }
    let bare = name.strip_suffix(" (MCP)").unwrap_or(name);
    let mut candidates: Vec<NameCandidate> = qualified_names(scheme, servers)
        .into_iter()
        .filter(|known| known.name == bare || known.name.strip_prefix('/') == Some(bare))
        .map(|known| NameCandidate {
            scheme,
            kind: known.kind,
            server: known.server,
            item: known.item,
            basis: CandidateBasis::Listed,
        })
        .collect();
    if candidates.is_empty() {
        candidates = parsed(scheme, servers, bare);
    }
    candidates.truncate(MAX_CANDIDATES);
    candidates
}

fn parsed(scheme: NamingScheme, servers: &[NamedServer], name: &str) -> Vec<NameCandidate> {
    let (kind, splits) = splits(scheme, name);
    // Each known server with the parts that its name becomes.
    let written: Vec<(&str, HashSet<String>)> = servers
        .iter()
        .map(|server| (server.name.as_str(), server_parts(scheme, server)))
        .collect();
    let mut known = Vec::new();
    let mut unknown = Vec::new();
    for (server, item) in splits {
        let matching: Vec<&str> = written
            .iter()
            .filter(|(_, parts)| parts.contains(server))
            .map(|(name, _)| *name)
            .collect();
        let candidate = |server: &str, basis| NameCandidate {
            scheme,
            kind,
            server: server.to_owned(),
            item: item.to_owned(),
            basis,
        };
        if matching.is_empty() {
            unknown.push(candidate(server, CandidateBasis::Form));
        }
        known.extend(
            matching
                .into_iter()
                .map(|server| candidate(server, CandidateBasis::KnownServer)),
        );
    }
    if known.is_empty() { unknown } else { known }
}

/// Parts that stand for a server in a name: with a probe of a tool, the name before the tool.
fn server_parts(scheme: NamingScheme, server: &NamedServer) -> HashSet<String> {
    const PROBE: &str = "probe";
    let probe = NamedServer {
        tools: vec![PROBE.to_owned()],
        prompts: Vec::new(),
        resources: Vec::new(),
        ..server.clone()
    };
    let mut parts: HashSet<String> = qualified_names(scheme, &[probe])
        .iter()
        .filter_map(|name| {
            let (_, splits) = splits(scheme, &name.name);
            let (server, _) = splits.into_iter().find(|(_, item)| *item == PROBE)?;
            Some(server.to_owned())
        })
        .collect();
    parts.insert(server.name.clone());
    parts
}

/// Takes a name apart in each way that its form allows, as the client itself does first.
fn splits(scheme: NamingScheme, name: &str) -> (ItemKind, Vec<(&str, &str)>) {
    if let Some(rest) = name.strip_prefix('@') {
        return (ItemKind::Resource, at_separators(rest, ":"));
    }
    let (kind, name) = match name.strip_prefix('/') {
        Some(name) => (ItemKind::Prompt, name),
        None => (ItemKind::Tool, name),
    };
    let splits = match (scheme, kind) {
        (NamingScheme::Opencode, ItemKind::Prompt) => at_separators(name, ":"),
        (NamingScheme::Opencode, _) => at_separators(name, "_"),
        (NamingScheme::Vscode, ItemKind::Prompt) => after(name, "mcp.", "."),
        (NamingScheme::GeminiCli, ItemKind::Prompt) => Vec::new(),
        (NamingScheme::GeminiCli | NamingScheme::Vscode, _) => after(name, "mcp_", "_"),
        _ => after(name, "mcp__", "__"),
    };
    (kind, splits)
}

fn after<'a>(name: &'a str, prefix: &str, separator: &str) -> Vec<(&'a str, &'a str)> {
    name.strip_prefix(prefix)
        .map(|rest| at_separators(rest, separator))
        .unwrap_or_default()
}

fn at_separators<'a>(text: &'a str, separator: &str) -> Vec<(&'a str, &'a str)> {
    text.match_indices(separator)
        .filter_map(|(at, _)| Some((text.get(..at)?, text.get(at + separator.len()..)?)))
        .filter(|(server, item)| !server.is_empty() && !item.is_empty())
        .collect()
}
