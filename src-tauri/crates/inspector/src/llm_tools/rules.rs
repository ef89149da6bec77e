//! Rules of clients about calls, read from their files.

mod codex;
mod opencode;

use serde_json::Value;
use sightglass_config::{Client, PermissionFile, PlacedValue};
use sightglass_llm_tools::permissions::{
    Effect, PermissionCall, PermissionRule, RuleDialect, RuleLevel, RulePlace,
    opencode_hiding_rule, verdict,
};

pub(super) use codex::codex_settings;

/// Number of rules that are read.
const MAX_RULES: usize = 10_000;

const EFFECTS: [(&str, Effect); 3] = [
    ("deny", Effect::Deny),
    ("ask", Effect::Ask),
    ("allow", Effect::Allow),
];

/// Manner in which a client decides on calls.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum RuleKind {
    /// By rules that deny, then those that ask, then those that allow.
    ByEffect(RuleDialect),
    /// By the last rule that matches.
    LastMatch,
    /// By settings of each server.
    Settings,
}

/// Manner in which a client decides; `None` where it is not known.
pub(super) fn rule_kind(client: Client) -> Option<RuleKind> {
    match client {
        Client::ClaudeCode => Some(RuleKind::ByEffect(RuleDialect::ClaudeCode)),
        Client::McpJson => Some(RuleKind::ByEffect(RuleDialect::Chimera)),
        Client::Caliban => Some(RuleKind::ByEffect(RuleDialect::Caliban)),
        Client::Opencode => Some(RuleKind::LastMatch),
        Client::Codex => Some(RuleKind::Settings),
        _ => None,
    }
}

/// Returns true for a client of which the rules take tools from the model.
pub(super) fn hides_denied(client: Client) -> bool {
    matches!(client, Client::ClaudeCode | Client::Opencode)
}

/// Returns the rule that takes a tool from the model, of which `name` is what the client calls it.
pub(super) fn hiding_rule<'a>(
    kind: RuleKind,
    rules: &'a [PermissionRule],
    server: &str,
    tool: &str,
    name: &str,
) -> Option<&'a PermissionRule> {
    match kind {
        RuleKind::ByEffect(dialect) => denying(dialect, rules, server, tool).next(),
        RuleKind::LastMatch => opencode_hiding_rule(rules.iter(), name),
        RuleKind::Settings => None,
    }
}

/// Returns the rules that deny a tool by themselves.
pub(super) fn denying<'a>(
    dialect: RuleDialect,
    rules: &'a [PermissionRule],
    server: &str,
    tool: &str,
) -> impl Iterator<Item = &'a PermissionRule> {
    let call = PermissionCall::Tool {
        server: server.to_owned(),
        tool: tool.to_owned(),
    };
    rules
        .iter()
        .filter(|rule| rule.effect == Effect::Deny)
        .filter(move |rule| {
            verdict(dialect, std::slice::from_ref(*rule), &call)
                .rule
                .is_some()
        })
}

/// Reads the rules of a client's files. `files` begin with the highest; where the last rule that
/// matches decides, the rules are in that order.
pub(super) fn rules(client: Client, files: &[PermissionFile]) -> Vec<PermissionRule> {
    match rule_kind(client) {
        Some(RuleKind::ByEffect(_)) => rules_by_effect(files),
        Some(RuleKind::LastMatch) => opencode::rules(files),
        Some(RuleKind::Settings) => codex::rules(files),
        None => Vec::new(),
    }
}

/// Reads the lists `deny`, `ask` and `allow`.
fn rules_by_effect(files: &[PermissionFile]) -> Vec<PermissionRule> {
    let mut rules = Vec::new();
    for file in files {
        for (key, effect) in EFFECTS {
            let texts = file.elements(&["permissions", key]);
            rules.extend(global(file, texts, effect));
        }
        // The ordered form of caliban.
        for rule in file.elements(&["permissions", "rules"]) {
            let text = |key: &str| rule.value.get(key).and_then(Value::as_str);
            let action = text("action").unwrap_or_default();
            let effect = EFFECTS.iter().find(|(key, _)| *key == action);
            if let (Some(pattern), Some((_, effect))) = (text("pattern"), effect) {
                let placed = PlacedValue {
                    value: pattern.into(),
                    line: rule.line,
                };
                rules.extend(global(file, vec![placed], *effect));
            }
        }
        for server in file.keys(&["server"]) {
            for (key, effect) in EFFECTS {
                let path = ["server", &server, "permissions", key];
                for rule in global(file, file.elements(&path), effect) {
                    rules.push(PermissionRule {
                        level: RuleLevel::Server,
                        server: Some(server.clone()),
                        ..rule
                    });
                }
            }
        }
    }
    rules.truncate(MAX_RULES);
    rules
}

fn global(file: &PermissionFile, texts: Vec<PlacedValue>, effect: Effect) -> Vec<PermissionRule> {
    texts
        .into_iter()
        .filter_map(|text| {
            Some(PermissionRule {
                text: text.value.as_str()?.to_owned(),
                arguments: None,
                effect,
                level: RuleLevel::Global,
                server: None,
                place: place(file, text.line),
            })
        })
        .collect()
}

fn place(file: &PermissionFile, line: u32) -> RulePlace {
    RulePlace {
        file: file.path.display().to_string(),
        line: Some(line),
    }
}
