//! Settings of Codex about its servers.

use serde_json::Value;
use sightglass_config::PermissionFile;
use sightglass_llm_tools::permissions::{
    CodexApproval, CodexSettings, PermissionRule, Placed, codex_rules,
};

use super::{MAX_RULES, place};

/// Reads the settings of all servers that a file names, as rules.
pub(super) fn rules(files: &[PermissionFile]) -> Vec<PermissionRule> {
    let mut servers: Vec<String> = Vec::new();
    for file in files {
        for server in file.keys(&["mcp_servers"]) {
            if servers.len() < MAX_RULES && !servers.contains(&server) {
                servers.push(server);
            }
        }
    }
    let mut rules: Vec<PermissionRule> = servers
        .iter()
        .flat_map(|server| codex_rules(&codex_settings(files, server), server))
        .collect();
    rules.truncate(MAX_RULES);
    rules
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
