//! The clients whose names are known, and their rules for one item.

use serde::{Deserialize, Serialize};
use specta::Type;

use super::{
    NameWarning, NameWarningKind, NamedResource,
    text::{change_warning, is_word_or_dash, replaced, replaced_units},
};

/// Length up to which Anthropic's Messages accept the name of a tool: their refusal says
/// `^[a-zA-Z0-9_-]{1,128}$` (<https://github.com/microsoft/wassette/issues/56>).
const MAX_ANTHROPIC_NAME: usize = 128;

/// Length up to which a tool can be loaded by tool search: longer names are refused in a
/// `tool_reference` (<https://github.com/anthropics/claude-code/issues/19882>).
const MAX_TOOL_REFERENCE: usize = 64;

/// Length from which Gemini CLI shortens a name: `MAX_FUNCTION_NAME_LENGTH - 1`.
const MAX_GEMINI_NAME: usize = 63;

/// Characters that Gemini CLI keeps at each end of a name that it shortens.
const GEMINI_END: usize = 30;

/// A client with rules for names.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize, Type)]
#[serde(rename_all = "camelCase")]
pub enum NamingScheme {
    /// `mcp__server__tool`, `/mcp__server__prompt`, `@server:uri`.
    ClaudeCode,
    /// As Claude Code, in lower case, with `_` for other characters than letters, digits, `_` and `-`.
    /// The form is that of the page on its MCP layer (<https://github.com/0bserver07/chimera>,
    /// "Tool naming"); the characters are those of its parity notes.
    Chimera,
    /// `mcp__server__tool` of letters, digits and `_`, at most 128 long, with hashes.
    Codex,
    /// `server_tool`.
    Opencode,
    /// `mcp__server__tool`, `@server:uri`.
    Caliban,
    /// `mcp_server_tool`, `/prompt`, `@server:uri`.
    GeminiCli,
    /// `mcp_server_tool`, `/mcp.server.prompt`.
    Vscode,
}

impl NamingScheme {
    pub const ALL: [Self; 7] = [
        Self::ClaudeCode,
        Self::Chimera,
        Self::Codex,
        Self::Opencode,
        Self::Caliban,
        Self::GeminiCli,
        Self::Vscode,
    ];

    /// Returns the name, as scripts write it.
    pub fn id(self) -> &'static str {
        match self {
            Self::ClaudeCode => "claude-code",
            Self::Chimera => "chimera",
            Self::Codex => "codex",
            Self::Opencode => "opencode",
            Self::Caliban => "caliban",
            Self::GeminiCli => "gemini-cli",
            Self::Vscode => "vscode",
        }
    }

    /// Returns the name, as the client calls itself.
    pub(super) fn title(self) -> &'static str {
        match self {
            Self::ClaudeCode => "Claude Code",
            Self::Chimera => "Chimera",
            Self::Codex => "Codex",
            Self::Opencode => "opencode",
            Self::Caliban => "Caliban",
            Self::GeminiCli => "Gemini CLI",
            Self::Vscode => "VS Code",
        }
    }

    /// Returns the source of the rules.
    pub fn source(self) -> &'static str {
        match self {
            Self::ClaudeCode => {
                "https://code.claude.com/docs/en/mcp; characters as observed in Claude Code 2.1.330"
            }
            Self::Chimera => {
                "https://github.com/0bserver07/chimera, \"Mink MCP Advanced\", Tool naming; characters \
                 not verified: the public source shows none"
            }
            Self::Codex => {
                "https://github.com/openai/codex, codex-rs/codex-mcp/src/tools.rs; length as \
                 observed in Codex 0.169.0"
            }
            Self::Opencode => {
                "https://github.com/anomalyco/opencode, packages/opencode/src/mcp/catalog.ts and \
                 index.ts"
            }
            Self::Caliban => {
                "https://github.com/caliban-ai/caliban, crates/caliban-mcp-client/src/tool.rs"
            }
            Self::GeminiCli => {
                "https://github.com/google-gemini/gemini-cli, packages/core/src/tools/mcp-tool.ts"
            }
            Self::Vscode => {
                "https://github.com/microsoft/vscode, \
                 src/vs/workbench/contrib/mcp/common/mcpServer.ts"
            }
        }
    }

    /// Returns a server and a tool as they stand in `mcp__SERVER__TOOL`, for the clients that write
    /// each by itself; `None` for others.
    pub(crate) fn mcp_parts(self, server: &str, tool: &str) -> Option<(String, String)> {
        match self {
            Self::ClaudeCode => Some((claude_part(server), claude_part(tool))),
            Self::Chimera => Some((chimera_part(server), chimera_part(tool))),
            Self::Caliban => {
                let tool = match tool {
                    "" => "_".to_owned(),
                    tool => replaced(tool, is_word_or_dash),
                };
                Some((server.to_owned(), tool))
            }
            Self::Codex | Self::Opencode | Self::GeminiCli | Self::Vscode => None,
        }
    }

    /// Computes the name of a tool where it depends on that tool alone.
    pub(crate) fn tool_name(self, server: &str, tool: &str) -> (String, Vec<NameWarning>) {
        let changes = |new_server: &str, new_tool: &str| {
            [
                change_warning("server", server, new_server),
                change_warning("tool", tool, new_tool),
            ]
            .into_iter()
            .flatten()
            .collect::<Vec<_>>()
        };
        if let Some((new_server, new_tool)) = self.mcp_parts(server, tool) {
            let name = format!("mcp__{new_server}__{new_tool}");
            return (name, changes(&new_server, &new_tool));
        }
        match self {
            Self::Opencode => {
                let (new_server, new_tool) = (
                    replaced_units(server, is_word_or_dash),
                    replaced_units(tool, is_word_or_dash),
                );
                let name = format!("{new_server}_{new_tool}");
                (name, changes(&new_server, &new_tool))
            }
            Self::GeminiCli => gemini_name(server, tool),
            // Those of Codex and VS Code depend on all servers together.
            _ => (String::new(), Vec::new()),
        }
    }

    /// Returns the length in characters beyond which the client leaves a tool out of the list that
    /// the model gets; `None` where it sends any.
    pub fn longest_sent_name(self) -> Option<usize> {
        // Observed in Claude Code 2.1.330.
        (self == Self::ClaudeCode).then_some(MAX_ANTHROPIC_NAME)
    }

    /// Warns of names that the client sends and the model interface refuses.
    pub(super) fn limit_warnings(self, name: &str) -> Vec<NameWarning> {
        if !matches!(self, Self::ClaudeCode | Self::Chimera | Self::Caliban) {
            return Vec::new();
        }
        let mut warnings = Vec::new();
        let length = name.chars().count();
        if length > MAX_ANTHROPIC_NAME {
            warnings.push(NameWarning {
                kind: NameWarningKind::TooLong,
                text: match self.longest_sent_name() {
                    Some(longest) => format!(
                        "It has {length} characters; Claude Code leaves out a tool with a name of \
                         more than {longest}."
                    ),
                    None => format!(
                        "It has {length} characters; Anthropic's interface refuses a request with \
                         a name of more than {MAX_ANTHROPIC_NAME}."
                    ),
                },
            });
        } else if length > MAX_TOOL_REFERENCE {
            warnings.push(NameWarning {
                kind: NameWarningKind::TooLong,
                text: format!(
                    "It has {length} characters; tool search cannot load a tool with a name of \
                     more than {MAX_TOOL_REFERENCE}."
                ),
            });
        }
        if !name.chars().all(is_word_or_dash) {
            warnings.push(NameWarning {
                kind: NameWarningKind::Refused,
                text: "Anthropic's interface accepts letters, digits, `_` and `-` alone, and \
                       refuses the whole request."
                    .to_owned(),
            });
        }
        warnings
    }

    /// Computes the name by which the user calls a prompt; `None` where none is known.
    pub(super) fn prompt_name(self, server: &str, prompt: &str) -> Option<String> {
        match self {
            // The prompt's own name is not changed (observed in Claude Code 2.1.50).
            Self::ClaudeCode => Some(format!("/mcp__{}__{prompt}", claude_part(server))),
            Self::Chimera => Some(format!(
                "/mcp__{}__{}",
                chimera_part(server),
                chimera_part(prompt)
            )),
            Self::Opencode => Some(format!(
                "/{}:{}",
                replaced_units(server, is_word_or_dash),
                replaced_units(prompt, is_word_or_dash)
            )),
            // `packages/cli/src/services/McpPromptLoader.ts`: spaces become dashes.
            Self::GeminiCli => {
                let words: Vec<&str> = prompt.split_whitespace().collect();
                Some(format!("/{}", words.join("-")))
            }
            // `mcpPromptPrefix` and `mcpPromptReplaceSpecialChars` of mcpTypes.ts.
            Self::Vscode => {
                let passes = |c: char| is_word_or_dash(c) || c == '.';
                let id = replaced_units(&format!("{server}.{prompt}"), passes);
                Some(format!("/mcp.{id}"))
            }
            Self::Codex | Self::Caliban => None,
        }
    }

    /// Computes the name by which the user mentions a resource; `None` where none is known.
    pub(super) fn resource_name(self, server: &str, resource: &NamedResource) -> Option<String> {
        match self {
            // <https://code.claude.com/docs/en/mcp>, `resource-registry.ts` of Gemini CLI, and
            // caliban's ADR 0023.
            Self::ClaudeCode | Self::Chimera | Self::GeminiCli | Self::Caliban => {
                Some(format!("@{server}:{}", resource.uri))
            }
            // `fetch` of catalog.ts has the name of the resource, not its address.
            Self::Opencode => Some(format!(
                "{}:{}",
                replaced_units(server, is_word_or_dash),
                replaced_units(&resource.name, is_word_or_dash)
            )),
            Self::Codex | Self::Vscode => None,
        }
    }
}

/// A server, tool or prompt as Chimera writes it.
fn chimera_part(name: &str) -> String {
    replaced(&name.to_lowercase(), is_word_or_dash)
}

/// A server or tool as Claude Code writes it: other characters than letters, digits, `_` and `-`
/// become `_`; for connectors of claude.ai runs of `_` are one, and none stands at an end
/// (observed in Claude Code 2.1.50, 2.1.197 and 2.1.330).
fn claude_part(part: &str) -> String {
    let replaced = replaced_units(part, is_word_or_dash);
    if !part.starts_with("claude.ai ") {
        return replaced;
    }
    let words: Vec<&str> = replaced
        .split('_')
        .filter(|word| !word.is_empty())
        .collect();
    words.join("_")
}

/// A name as `generateValidName` of Gemini CLI has it.
fn gemini_name(server: &str, tool: &str) -> (String, Vec<NameWarning>) {
    let raw = format!("{server}_{tool}");
    let prefixed = if raw.starts_with("mcp_") {
        raw
    } else {
        format!("mcp_{raw}")
    };
    let passes = |c: char| is_word_or_dash(c) || matches!(c, '.' | ':');
    let name = replaced_units(&prefixed, passes);
    let mut warnings: Vec<NameWarning> = change_warning("name", &prefixed, &name)
        .into_iter()
        .collect();
    // All characters are of ASCII from here on.
    if name.len() <= MAX_GEMINI_NAME {
        return (name, warnings);
    }
    let start = name.get(..GEMINI_END).unwrap_or_default();
    let end = name.get(name.len() - GEMINI_END..).unwrap_or_default();
    warnings.push(NameWarning {
        kind: NameWarningKind::Truncated,
        text: format!(
            "It had {} characters; of more than {MAX_GEMINI_NAME} Gemini CLI keeps \
             {GEMINI_END} at each end.",
            name.len()
        ),
    });
    (format!("{start}...{end}"), warnings)
}
