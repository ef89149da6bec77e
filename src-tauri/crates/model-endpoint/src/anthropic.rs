//! Anthropic's Messages (<https://platform.claude.com/docs/en/api/messages>).

use serde_json::{Value, json};

use crate::{
    Completion, ContentBlock, Conversation, EndpointError, Message, OfferedTool, Role,
    ToolChoiceMode,
};

pub(crate) fn request(model: &str, conversation: &Conversation) -> Result<Value, EndpointError> {
    let messages = conversation.messages.iter().map(message);
    let mut body = json!({
        "model": model,
        "max_tokens": conversation.max_tokens,
        "messages": messages.collect::<Result<Vec<_>, _>>()?,
    });
    if let Some(system) = &conversation.system {
        body["system"] = json!(system);
    }
    if let Some(temperature) = conversation.temperature {
        body["temperature"] = json!(temperature);
    }
    if !conversation.stop_sequences.is_empty() {
        body["stop_sequences"] = json!(conversation.stop_sequences);
    }
    if !conversation.tools.is_empty() {
        body["tools"] = conversation.tools.iter().map(tool).collect();
        body["tool_choice"] = match conversation.choice {
            ToolChoiceMode::Auto => json!({ "type": "auto" }),
            ToolChoiceMode::Required => json!({ "type": "any" }),
            ToolChoiceMode::None => json!({ "type": "none" }),
        };
    }
    Ok(body)
}

fn tool(tool: &OfferedTool) -> Value {
    let mut sent = json!({ "name": tool.name, "input_schema": tool.schema });
    if let Some(description) = &tool.description {
        sent["description"] = json!(description);
    }
    sent
}

fn message(message: &Message) -> Result<Value, EndpointError> {
    let blocks = message.blocks.iter().map(block);
    Ok(json!({
        "role": match message.role {
            Role::User => "user",
            Role::Assistant => "assistant",
        },
        "content": blocks.collect::<Result<Vec<_>, _>>()?,
    }))
}

fn block(content: &ContentBlock) -> Result<Value, EndpointError> {
    Ok(match content {
        ContentBlock::Text(text) => json!({ "type": "text", "text": text }),
        ContentBlock::Image { mime_type, data } => json!({
            "type": "image",
            "source": { "type": "base64", "media_type": mime_type, "data": data },
        }),
        ContentBlock::Audio { .. } => {
            return Err(EndpointError::Unsupported(
                "Anthropic's Messages take no sound.".to_owned(),
            ));
        }
        ContentBlock::ToolUse { id, name, input } => {
            json!({ "type": "tool_use", "id": id, "name": name, "input": input })
        }
        ContentBlock::ToolResult {
            id,
            content,
            is_error,
        } => {
            let content = content.iter().map(block);
            json!({
                "type": "tool_result",
                "tool_use_id": id,
                "content": content.collect::<Result<Vec<_>, _>>()?,
                "is_error": is_error,
            })
        }
    })
}

pub(crate) fn completion(answer: &Value) -> Result<Completion, EndpointError> {
    let content = answer.get("content").and_then(Value::as_array);
    let content = content.ok_or_else(|| EndpointError::answer("it has no content"))?;
    let text = |value: &Value, name: &str| -> String {
        let text = value.get(name).and_then(Value::as_str);
        text.unwrap_or_default().to_owned()
    };
    let blocks = content
        .iter()
        .filter_map(|block| match block.get("type")?.as_str()? {
            "text" => Some(ContentBlock::Text(text(block, "text"))),
            "tool_use" => Some(ContentBlock::ToolUse {
                id: text(block, "id"),
                name: text(block, "name"),
                input: block.get("input").cloned().unwrap_or_default(),
            }),
            _ => None,
        });
    let reason = text(answer, "stop_reason");
    Ok(Completion {
        blocks: blocks.collect(),
        model: text(answer, "model"),
        stop_reason: match reason.as_str() {
            "end_turn" => "endTurn".to_owned(),
            "max_tokens" => "maxTokens".to_owned(),
            "stop_sequence" => "stopSequence".to_owned(),
            "tool_use" => "toolUse".to_owned(),
            _ => reason,
        },
    })
}
