//! Rules of clients about calls, read from their files.

use serde_json::Value;
use sightglass_config::{Client, PermissionFile, PlacedValue};
use sightglass_llm_tools::permissions::{
    CodexApproval, CodexSettings, Effect, PermissionRule, Placed, RuleDialect, RuleLevel, RulePlace,
};

/// Number of rules that are read.
const MAX_RULES: usize = 10_000;

const EFFECTS: [(&str, Effect); 3] = [
    ("deny", Effect::Deny),
    ("ask", Effect::Ask),
    ("allow", Effect::Allow),
];

/// Grammar of a client's rules; `None` where it has none that are known.
pub(super) fn dialect(client: Client) -> Option<RuleDialect> {
    match client {
        Client::ClaudeCode => Some(RuleDialect::ClaudeCode),
        Client::McpJson => Some(RuleDialect::Chimera),
        Client::Caliban => Some(RuleDialect::Caliban),
        _ => None,
    }
}

/// Returns true for a client whose rules about calls are known.
pub(super) fn has_rules(client: Client) -> bool {
    dialect(client).is_some() || client == Client::Codex
}

/// Reads the rules of a client's files, in the order of the files.
pub(super) fn rules(files: &[PermissionFile]) -> Vec<PermissionRule> {
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

/// Reads the settings of Codex about a server. The highest file that has a key counts.
pub(super) fn codex_settings(files: &[PermissionFile], server: &str) -> CodexSettings {
    let first = |keys: &[&str]| -> Option<Placed<Value>> {
        files.iter().find_map(|file| {
            let found = file.value(keys)?;
            Some(Placed {
                value: found.value,
                place: place(file, found.line),
            })
        })
    };
    let of_server = |key: &str| first(&["mcp_servers", server, key]);
    let texts = |key: &str| {
        let found = of_server(key)?;
        let names = found.value.as_array()?.iter();
        Some(Placed {
            value: names
                .filter_map(|name| Some(name.as_str()?.to_owned()))
                .collect(),
            place: found.place,
        })
    };
    let approval = |found: Placed<Value>| {
        Some(Placed {
            value: CodexApproval::parse(found.value.as_str()?)?,
            place: found.place,
        })
    };
    let mut tools: Vec<(String, Placed<CodexApproval>)> = Vec::new();
    for file in files {
        for tool in file.keys(&["mcp_servers", server, "tools"]) {
            let keys = ["mcp_servers", server, "tools", &tool, "approval_mode"];
            if !tools.iter().any(|(known, _)| *known == tool)
                && let Some(mode) = first(&keys).and_then(approval)
            {
                tools.push((tool, mode));
            }
        }
    }
    let is = |key: &str, word: &str| first(&[key]).is_some_and(|found| found.value == word);
    CodexSettings {
        enabled: of_server("enabled").and_then(|found| {
            Some(Placed {
                value: found.value.as_bool()?,
                place: found.place,
            })
        }),
        enabled_tools: texts("enabled_tools"),
        disabled_tools: texts("disabled_tools"),
        default_tools_approval_mode: of_server("default_tools_approval_mode").and_then(approval),
        tools,
        has_full_access: is("approval_policy", "never") && is("sandbox_mode", "danger-full-access"),
    }
}
