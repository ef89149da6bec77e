//! The names of VS Code, as `McpPrefixGenerator` and `McpTool` of `mcpServer.ts`
//! (<https://github.com/microsoft/vscode>) compute them.
//!
//! A server has a prefix of at most 18 characters, made of the name that it gives of itself; of two
//! with the same one the later gets a number. `.` becomes `_`, and a name is cut after 64.

use std::collections::HashMap;

use super::{
    ItemKind, MAX_NAMES, NameWarning, NameWarningKind, NamedServer, QualifiedName,
    text::{change_warning, is_word_or_dash, replaced_units},
};

const PREFIX: &str = "mcp_";
const MAX_PREFIX: usize = 18;
const MAX_NAME: usize = 64;

pub(super) fn tool_names(servers: &[NamedServer]) -> Vec<Vec<QualifiedName>> {
    let mut taken: HashMap<String, usize> = HashMap::new();
    servers
        .iter()
        .map(|server| {
            let label = server
                .own_name
                .as_deref()
                .filter(|name| !name.is_empty())
                .unwrap_or(&server.name);
            let (prefix, prefix_warnings) = prefix(label, &mut taken);
            let tools = server.tools.iter().take(MAX_NAMES);
            tools
                .map(|tool| {
                    let mut warnings = prefix_warnings.clone();
                    // Invalid characters are replaced when the list is read (`toolInvalidCharRe`).
                    let valid = replaced_units(tool, is_word_or_dash);
                    warnings.extend(change_warning("tool", tool, &valid));
                    let whole = format!("{prefix}{valid}").replace('.', "_");
                    let name: String = whole.chars().take(MAX_NAME).collect();
                    if name.len() < whole.len() {
                        warnings.push(NameWarning {
                            kind: NameWarningKind::Truncated,
                            text: format!(
                                "It had {} characters and is cut after {MAX_NAME}.",
                                whole.len()
                            ),
                        });
                    }
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
        .collect()
}

fn prefix(label: &str, taken: &mut HashMap<String, usize>) -> (String, Vec<NameWarning>) {
    let passes =
        |c: char| c.is_ascii_lowercase() || c.is_ascii_digit() || matches!(c, '_' | '.' | '-');
    let mut safe = String::new();
    let mut was_replaced = false;
    for character in label.to_lowercase().chars() {
        if passes(character) {
            safe.push(character);
        } else if !was_replaced {
            safe.push('_');
        }
        was_replaced = !passes(character);
    }
    let mut warnings: Vec<NameWarning> =
        change_warning("server", label, &safe).into_iter().collect();
    let kept: String = safe.chars().take(MAX_PREFIX - PREFIX.len() - 1).collect();
    if kept.len() < safe.len() {
        warnings.push(NameWarning {
            kind: NameWarningKind::Truncated,
            text: format!("The server is cut to \u{201c}{kept}\u{201d}."),
        });
    }
    let number = taken.entry(kept.clone()).or_default();
    *number += 1;
    let suffix = match number {
        1 => "_".to_owned(),
        number => {
            warnings.push(NameWarning {
                kind: NameWarningKind::Replaced,
                text: format!(
                    "Another server has the same prefix, so this one has the number {number}, by \
                     the order in which they start."
                ),
            });
            format!("{number}_")
        }
    };
    let room = MAX_PREFIX.saturating_sub(PREFIX.len() + suffix.len());
    let start: String = kept.chars().take(room).collect();
    (format!("{PREFIX}{start}{suffix}"), warnings)
}
