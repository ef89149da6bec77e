//! The names of Codex, as `normalize_tools_for_model_with_prefix` of `codex-rs/codex-mcp/src/tools.rs`
//! (<https://github.com/openai/codex>) computes them.
//!
//! A name is a namespace for the server and a name for the tool. Both have letters, digits and `_`
//! alone. Namespaces that collide get a hash each, then tools that collide, then those that are too
//! long together. The hash is of the names as the servers give them, so a name is the same each time
//! as long as no other server comes or goes. The prefix `mcp__` is that of the default; the feature
//! `non_prefixed_mcp_tool_names` leaves it out.

use std::collections::{HashMap, HashSet};

use sha1::{Digest, Sha1};

use super::{
    ItemKind, MAX_NAMES, NameWarning, NameWarningKind, NamedServer, QualifiedName,
    text::{change_warning, replaced},
};

const PREFIX: &str = "mcp__";
const DELIMITER: &str = "__";

/// Length of namespace, delimiter and name up to which a name stays, as observed in Codex 0.169.0.
/// Earlier versions kept 64 characters.
const MAX_NAME: usize = 128;
const HASH_DIGITS: usize = 12;

struct ToolNameCandidate {
    server: usize,
    tool: String,
    namespace: String,
    name: String,
    namespace_identity: String,
    identity: String,
    warnings: Vec<NameWarning>,
}

pub(super) fn tool_names(servers: &[NamedServer]) -> Vec<Vec<QualifiedName>> {
    let mut candidates = candidates(servers);
    hash_colliding_namespaces(&mut candidates);
    hash_colliding_tools(&mut candidates);
    // The order in which names are given out.
    let mut order: Vec<usize> = (0..candidates.len()).collect();
    order.sort_by(|left, right| {
        let identity = |index: &usize| candidates.get(*index).map(|one| one.identity.as_str());
        identity(left).cmp(&identity(right))
    });
    let mut used = HashSet::new();
    for index in order {
        if let Some(candidate) = candidates.get_mut(index) {
            make_unique(candidate, &mut used);
        }
    }
    let mut names: Vec<Vec<QualifiedName>> = servers.iter().map(|_| Vec::new()).collect();
    for candidate in candidates {
        if let (Some(own), Some(server)) = (
            names.get_mut(candidate.server),
            servers.get(candidate.server),
        ) {
            own.push(QualifiedName {
                kind: ItemKind::Tool,
                server: server.name.clone(),
                item: candidate.tool,
                name: format!("{}{DELIMITER}{}", candidate.namespace, candidate.name),
                warnings: candidate.warnings,
            });
        }
    }
    names
}

fn candidates(servers: &[NamedServer]) -> Vec<ToolNameCandidate> {
    let mut seen = HashSet::new();
    let mut candidates = Vec::new();
    for (index, server) in servers.iter().enumerate() {
        let sanitized = sanitized(&server.name);
        let namespace = if sanitized.starts_with(PREFIX) {
            sanitized.clone()
        } else {
            format!("{PREFIX}{sanitized}")
        };
        // Server, namespace and connector; servers of a configuration have no connector.
        let namespace_identity = format!("{0}\0{0}\0", server.name);
        for tool in &server.tools {
            let identity = format!("{namespace_identity}\0{tool}\0{tool}");
            if !seen.insert(identity.clone()) || candidates.len() >= MAX_NAMES {
                continue;
            }
            let name = self::sanitized(tool);
            let warnings = [
                change_warning("server", &server.name, &sanitized),
                change_warning("tool", tool, &name),
            ];
            candidates.push(ToolNameCandidate {
                server: index,
                tool: tool.clone(),
                namespace: namespace.clone(),
                name,
                namespace_identity: namespace_identity.clone(),
                identity,
                warnings: warnings.into_iter().flatten().collect(),
            });
        }
    }
    candidates
}

/// Replaces what the Responses interface does not accept (`sanitize_responses_api_tool_name`; the
/// hyphen too).
fn sanitized(name: &str) -> String {
    let replaced = replaced(name, |c| c.is_ascii_alphanumeric() || c == '_');
    if replaced.is_empty() {
        "_".to_owned()
    } else {
        replaced
    }
}

fn hash_colliding_namespaces(candidates: &mut [ToolNameCandidate]) {
    let mut identities: HashMap<String, HashSet<String>> = HashMap::new();
    for candidate in candidates.iter() {
        identities
            .entry(candidate.namespace.clone())
            .or_default()
            .insert(candidate.namespace_identity.clone());
    }
    for candidate in candidates {
        if identities
            .get(&candidate.namespace)
            .is_some_and(|identities| identities.len() > 1)
        {
            let hash = hash_suffix(&candidate.namespace_identity);
            candidate.namespace = match candidate.namespace.strip_suffix(DELIMITER) {
                Some(start) => format!("{start}{hash}{DELIMITER}"),
                None => format!("{}{hash}", candidate.namespace),
            };
            candidate.warnings.push(NameWarning {
                kind: NameWarningKind::Hashed,
                text: "Another server has the same name after the change of characters, so each \
                       gets a hash."
                    .to_owned(),
            });
        }
    }
}

fn hash_colliding_tools(candidates: &mut [ToolNameCandidate]) {
    let mut identities: HashMap<(String, String), HashSet<String>> = HashMap::new();
    for candidate in candidates.iter() {
        identities
            .entry((candidate.namespace.clone(), candidate.name.clone()))
            .or_default()
            .insert(candidate.identity.clone());
    }
    for candidate in candidates {
        let key = (candidate.namespace.clone(), candidate.name.clone());
        if identities
            .get(&key)
            .is_some_and(|identities| identities.len() > 1)
        {
            candidate.name.push_str(&hash_suffix(&candidate.identity));
            candidate.warnings.push(NameWarning {
                kind: NameWarningKind::Hashed,
                text: "Another tool has the same name after the change of characters, so each \
                       gets a hash."
                    .to_owned(),
            });
        }
    }
}

/// Shortens a name that is too long or taken, and ends it with a hash. The delimiter between the
/// parts counts.
fn make_unique(candidate: &mut ToolNameCandidate, used: &mut HashSet<String>) {
    let joined = format!("{}{}", candidate.namespace, candidate.name);
    if joined.len() + DELIMITER.len() <= MAX_NAME && used.insert(joined) {
        return;
    }
    candidate.warnings.push(NameWarning {
        kind: NameWarningKind::Truncated,
        text: format!(
            "It would have {} characters; of more than {MAX_NAME} the end becomes a hash.",
            candidate.namespace.len() + DELIMITER.len() + candidate.name.len()
        ),
    });
    for attempt in 0..u32::MAX {
        let identity = match attempt {
            0 => candidate.identity.clone(),
            attempt => format!("{}\0{attempt}", candidate.identity),
        };
        let (namespace, name) = fitted(&candidate.namespace, &candidate.name, &identity);
        if used.insert(format!("{namespace}{name}")) {
            candidate.namespace = namespace;
            candidate.name = name;
            return;
        }
    }
}

fn fitted(namespace: &str, name: &str, identity: &str) -> (String, String) {
    let hash = hash_suffix(identity);
    let room = MAX_NAME.saturating_sub(namespace.len() + DELIMITER.len());
    if let Some(kept) = room.checked_sub(hash.len()) {
        let start: String = name.chars().take(kept).collect();
        return (namespace.to_owned(), format!("{start}{hash}"));
    }
    let kept = MAX_NAME.saturating_sub(hash.len() + DELIMITER.len());
    (namespace.chars().take(kept).collect(), hash)
}

fn hash_suffix(identity: &str) -> String {
    let digits: String = Sha1::digest(identity.as_bytes())
        .iter()
        .map(|byte| format!("{byte:02x}"))
        .collect();
    format!("_{}", digits.get(..HASH_DIGITS).unwrap_or_default())
}
