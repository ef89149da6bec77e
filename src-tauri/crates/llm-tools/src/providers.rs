//! The tool list as a model interface gets it, and each change that was made to it.
//!
//! A client does not send a tool as the server gave it: it leaves members out, and rewrites the schema
//! to what its model interface accepts. For each interface the conversion is that of one client or
//! library, named by [`Provider::converter`].
//!
//! ```text
//! change      SchemaChange: one difference, with path, kind, reason and source
//! envelope    members of a tool, names, and numbers of tools
//! responses   input schemas for OpenAI's Responses, as Codex rewrites them
//! chat        … for OpenAI's Chat Completions, as OpenCode does
//! gemini      … for Gemini's function declarations, as the AI SDK does
//! refused     keywords that an interface refuses
//! findings    changes as findings of the lint
//! ```

mod change;
mod chat;
mod envelope;
mod findings;
mod gemini;
mod refused;
mod responses;
#[cfg(test)]
mod tests;

use serde::{Deserialize, Serialize};
use serde_json::Value;
use specta::Type;

pub use change::{ChangeKind, SchemaChange};
pub use findings::{PORTABILITY_RULES, portability, portability_rule};

use change::Changes;

/// Number of tools that are converted.
const MAX_TOOLS: usize = 20_000;

/// Interface to a model.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize, Type)]
#[serde(rename_all = "camelCase")]
pub enum Provider {
    AnthropicMessages,
    OpenaiResponses,
    OpenaiChat,
    Gemini,
    BedrockConverse,
}

impl Provider {
    pub const ALL: [Self; 5] = [
        Self::AnthropicMessages,
        Self::OpenaiResponses,
        Self::OpenaiChat,
        Self::Gemini,
        Self::BedrockConverse,
    ];

    /// Returns the name, as scripts write it.
    pub fn id(self) -> &'static str {
        match self {
            Self::AnthropicMessages => "anthropic",
            Self::OpenaiResponses => "openai-responses",
            Self::OpenaiChat => "openai-chat",
            Self::Gemini => "gemini",
            Self::BedrockConverse => "bedrock",
        }
    }

    /// Returns the name, as the provider has it.
    pub fn title(self) -> &'static str {
        match self {
            Self::AnthropicMessages => "Anthropic Messages",
            Self::OpenaiResponses => "OpenAI Responses",
            Self::OpenaiChat => "OpenAI Chat Completions",
            Self::Gemini => "Gemini",
            Self::BedrockConverse => "Bedrock Converse",
        }
    }

    /// Returns the program whose conversion is shown, with its source.
    pub fn converter(self) -> &'static str {
        match self {
            Self::AnthropicMessages => {
                "Claude Code, which does not change the schema (observed in 2.1.50)"
            }
            Self::OpenaiResponses => {
                "Codex (https://github.com/openai/codex, codex-rs/tools/src/json_schema.rs)"
            }
            Self::OpenaiChat => {
                "OpenCode (https://github.com/anomalyco/opencode, \
                 packages/opencode/src/mcp/catalog.ts)"
            }
            Self::Gemini => {
                "the AI SDK, for `parameters` (https://github.com/vercel/ai, \
                 packages/google/src/convert-json-schema-to-openapi-schema.ts). Gemini CLI sends \
                 the schema unchanged, in `parametersJsonSchema`"
            }
            Self::BedrockConverse => {
                "the form of the interface, with the schema unchanged \
                 (https://docs.aws.amazon.com/bedrock/latest/APIReference/API_runtime_ToolSpecification.html)"
            }
        }
    }
}

/// A tool list as an interface gets it.
#[derive(Debug, Clone, PartialEq)]
pub struct SentList {
    pub provider: Provider,
    /// One for each tool, in the order of the server.
    pub tools: Vec<Value>,
    pub changes: Vec<SchemaChange>,
    /// True when there are more changes than are kept.
    pub has_more_changes: bool,
}

/// Returns the changes that concern a list of this many tools as a whole.
pub fn list_changes(provider: Provider, number: usize) -> Vec<SchemaChange> {
    let mut changes = Changes::default();
    envelope::check_number(provider, number, &mut changes);
    changes.finish().0
}

/// Converts a tool list for an interface. `names` has the name under which each tool is sent; for a
/// missing one it is the server's.
pub fn sent_list(provider: Provider, tools: &[Value], names: &[String]) -> SentList {
    let tools = tools.get(..MAX_TOOLS).unwrap_or(tools);
    let mut changes = Changes::default();
    envelope::check_number(provider, tools.len(), &mut changes);
    let sent = tools
        .iter()
        .enumerate()
        .map(|(index, tool)| {
            let own_name = tool.get("name").and_then(Value::as_str).unwrap_or_default();
            let name = names.get(index).map_or(own_name, String::as_str);
            changes.begin(own_name);
            envelope::check(provider, tool, name, &mut changes);
            let schema = tool.get("inputSchema").unwrap_or(&Value::Null);
            refused::check(provider, schema, &mut changes);
            let schema = match provider {
                Provider::AnthropicMessages | Provider::BedrockConverse => Some(schema.clone()),
                Provider::OpenaiResponses => Some(responses::converted(schema, &mut changes)),
                Provider::OpenaiChat => Some(chat::converted(schema, &mut changes)),
                Provider::Gemini => gemini::converted(schema, &mut changes),
            };
            envelope::wrap(provider, tool, name, schema)
        })
        .collect();
    let (changes, has_more_changes) = changes.finish();
    SentList {
        provider,
        tools: sent,
        changes,
        has_more_changes,
    }
}
