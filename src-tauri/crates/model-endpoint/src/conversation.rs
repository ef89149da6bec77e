//! Conversations as MCP's sampling has them, and their completion.

use serde_json::{Value, json};

use crate::EndpointError;

/// Blocks and messages of a conversation together.
const MAX_BLOCKS: usize = 10_000;
/// Tokens of an answer where the request names more.
const MAX_TOKENS: u64 = 64_000;

/// Party of a message.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Role {
    User,
    Assistant,
}

/// Part of a message (MCP 2025-11-25, Sampling, message content).
#[derive(Debug, Clone, PartialEq)]
pub enum ContentBlock {
    Text(String),
    /// `data` is base64.
    Image {
        mime_type: String,
        data: String,
    },
    /// `data` is base64.
    Audio {
        mime_type: String,
        data: String,
    },
    ToolUse {
        id: String,
        name: String,
        input: Value,
    },
    ToolResult {
        id: String,
        content: Vec<ContentBlock>,
        is_error: bool,
    },
}

/// A message.
#[derive(Debug, Clone, PartialEq)]
pub struct Message {
    pub role: Role,
    pub blocks: Vec<ContentBlock>,
}

/// A tool that the model may use.
#[derive(Debug, Clone, PartialEq)]
pub struct OfferedTool {
    pub name: String,
    pub description: Option<String>,
    /// JSON Schema of the arguments.
    pub schema: Value,
}

/// Permission or duty to use tools.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum ToolChoiceMode {
    #[default]
    Auto,
    Required,
    None,
}

/// Request for a completion.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Conversation {
    pub system: Option<String>,
    pub messages: Vec<Message>,
    pub tools: Vec<OfferedTool>,
    pub choice: ToolChoiceMode,
    /// Most tokens of the answer.
    pub max_tokens: u64,
    pub temperature: Option<f64>,
    pub stop_sequences: Vec<String>,
}

/// Answer of a model.
#[derive(Debug, Clone, PartialEq)]
pub struct Completion {
    /// Texts and uses of tools.
    pub blocks: Vec<ContentBlock>,
    pub model: String,
    /// Reason of the end, as MCP names it: `endTurn`, `maxTokens`, `stopSequence`, `toolUse`, or
    /// the provider's own.
    pub stop_reason: String,
}

impl Conversation {
    /// Reads the parameters of `sampling/createMessage` (MCP 2025-11-25, Sampling).
    pub fn of_sampling(params: &Value) -> Result<Self, EndpointError> {
        let messages = params.get("messages").and_then(Value::as_array);
        let messages = messages.ok_or_else(|| wrong("it has no messages"))?;
        let messages = messages
            .iter()
            .map(message)
            .collect::<Result<Vec<_>, _>>()?;
        let blocks: usize = messages.iter().map(|message| message.blocks.len()).sum();
        if blocks > MAX_BLOCKS {
            return Err(wrong("it has too many messages"));
        }
        let tools = params.get("tools").and_then(Value::as_array);
        let texts = params.get("stopSequences").and_then(Value::as_array);
        let choice = params.pointer("/toolChoice/mode").and_then(Value::as_str);
        let asked = params.get("maxTokens").and_then(Value::as_u64);
        Ok(Self {
            system: text(params, "systemPrompt").map(str::to_owned),
            messages,
            tools: tools.into_iter().flatten().filter_map(tool).collect(),
            choice: match choice {
                Some("required") => ToolChoiceMode::Required,
                Some("none") => ToolChoiceMode::None,
                _ => ToolChoiceMode::Auto,
            },
            max_tokens: asked.unwrap_or(1024).clamp(1, MAX_TOKENS),
            temperature: params.get("temperature").and_then(Value::as_f64),
            stop_sequences: texts
                .into_iter()
                .flatten()
                .filter_map(Value::as_str)
                .map(str::to_owned)
                .collect(),
        })
    }
}

fn wrong(reason: &str) -> EndpointError {
    EndpointError::Unsupported(format!(
        "The request cannot be handed to a model: {reason}."
    ))
}

fn text<'a>(value: &'a Value, name: &str) -> Option<&'a str> {
    value.get(name).and_then(Value::as_str)
}

fn tool(value: &Value) -> Option<OfferedTool> {
    Some(OfferedTool {
        name: text(value, "name")?.to_owned(),
        description: text(value, "description").map(str::to_owned),
        schema: value
            .get("inputSchema")
            .cloned()
            .unwrap_or_else(|| json!({ "type": "object" })),
    })
}

fn message(value: &Value) -> Result<Message, EndpointError> {
    let role = match text(value, "role") {
        Some("user") => Role::User,
        Some("assistant") => Role::Assistant,
        _ => return Err(wrong("a message has no role")),
    };
    let blocks = match value.get("content") {
        Some(Value::Array(blocks)) => blocks.as_slice(),
        Some(block) => std::slice::from_ref(block),
        None => return Err(wrong("a message has no content")),
    };
    let blocks = blocks.iter().map(|value| block(value, true));
    Ok(Message {
        role,
        blocks: blocks.collect::<Result<_, _>>()?,
    })
}

fn block(value: &Value, takes_results: bool) -> Result<ContentBlock, EndpointError> {
    let owned = |name: &str| text(value, name).unwrap_or_default().to_owned();
    Ok(match text(value, "type") {
        Some("text") => ContentBlock::Text(owned("text")),
        Some("image") => ContentBlock::Image {
            mime_type: owned("mimeType"),
            data: owned("data"),
        },
        Some("audio") => ContentBlock::Audio {
            mime_type: owned("mimeType"),
            data: owned("data"),
        },
        Some("tool_use") => ContentBlock::ToolUse {
            id: owned("id"),
            name: owned("name"),
            input: value.get("input").cloned().unwrap_or_default(),
        },
        Some("tool_result") if takes_results => {
            let content = value.get("content").and_then(Value::as_array);
            let content = content.into_iter().flatten();
            ContentBlock::ToolResult {
                id: owned("toolUseId"),
                content: content
                    .map(|value| block(value, false))
                    .collect::<Result<_, _>>()?,
                is_error: value.get("isError").and_then(Value::as_bool) == Some(true),
            }
        }
        Some(kind) => return Err(wrong(&format!("a block is of the type {kind}"))),
        None => return Err(wrong("a block has no type")),
    })
}

impl Completion {
    /// Returns the result of `sampling/createMessage`. One block stands by itself, as revisions
    /// before 2025-11-25 have it.
    pub fn sampling_result(&self) -> Value {
        let mut blocks: Vec<Value> = self.blocks.iter().filter_map(shown).collect();
        if blocks.is_empty() {
            blocks.push(json!({ "type": "text", "text": "" }));
        }
        let content = match blocks.as_slice() {
            [one] => one.clone(),
            _ => Value::Array(blocks),
        };
        json!({
            "role": "assistant",
            "content": content,
            "model": self.model,
            "stopReason": self.stop_reason,
        })
    }
}

fn shown(block: &ContentBlock) -> Option<Value> {
    Some(match block {
        ContentBlock::Text(text) => json!({ "type": "text", "text": text }),
        ContentBlock::ToolUse { id, name, input } => {
            json!({ "type": "tool_use", "id": id, "name": name, "input": input })
        }
        ContentBlock::Image { .. }
        | ContentBlock::Audio { .. }
        | ContentBlock::ToolResult { .. } => return None,
    })
}
