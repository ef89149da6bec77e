//! OpenAI's Chat Completions (<https://platform.openai.com/docs/api-reference/chat>).

use serde_json::{Value, json};

use crate::{
    Completion, ContentBlock, Conversation, EndpointError, Message, OfferedTool, Role,
    ToolChoiceMode,
};

/// `is_openai`: the service of OpenAI itself, whose newer models refuse `max_tokens`.
pub(crate) fn request(
    model: &str,
    conversation: &Conversation,
    is_openai: bool,
) -> Result<Value, EndpointError> {
    let mut messages = Vec::new();
    if let Some(system) = &conversation.system {
        messages.push(json!({ "role": "system", "content": system }));
    }
    for message in &conversation.messages {
        push(&mut messages, message)?;
    }
    let limit = match is_openai {
        true => "max_completion_tokens",
        false => "max_tokens",
    };
    let mut body = json!({ "model": model, "messages": messages });
    body[limit] = json!(conversation.max_tokens);
    if let Some(temperature) = conversation.temperature {
        body["temperature"] = json!(temperature);
    }
    if !conversation.stop_sequences.is_empty() {
        body["stop"] = json!(conversation.stop_sequences);
    }
    if !conversation.tools.is_empty() {
        body["tools"] = conversation.tools.iter().map(tool).collect();
        body["tool_choice"] = json!(match conversation.choice {
            ToolChoiceMode::Auto => "auto",
            ToolChoiceMode::Required => "required",
            ToolChoiceMode::None => "none",
        });
    }
    Ok(body)
}

fn tool(tool: &OfferedTool) -> Value {
    let mut function = json!({ "name": tool.name, "parameters": tool.schema });
    if let Some(description) = &tool.description {
        function["description"] = json!(description);
    }
    json!({ "type": "function", "function": function })
}

/// Results of tools are messages of their own, before what else the user says.
fn push(messages: &mut Vec<Value>, message: &Message) -> Result<(), EndpointError> {
    let (mut parts, mut calls) = (Vec::new(), Vec::new());
    for block in &message.blocks {
        match block {
            ContentBlock::Text(text) => parts.push(json!({ "type": "text", "text": text })),
            ContentBlock::Image { mime_type, data } => parts.push(json!({
                "type": "image_url",
                "image_url": { "url": format!("data:{mime_type};base64,{data}") },
            })),
            ContentBlock::Audio { mime_type, data } => parts.push(json!({
                "type": "input_audio",
                "input_audio": { "data": data, "format": sound_format(mime_type)? },
            })),
            ContentBlock::ToolUse { id, name, input } => calls.push(json!({
                "id": id,
                "type": "function",
                "function": { "name": name, "arguments": input.to_string() },
            })),
            ContentBlock::ToolResult { id, content, .. } => messages.push(json!({
                "role": "tool",
                "tool_call_id": id,
                "content": result_text(content)?,
            })),
        }
    }
    match message.role {
        Role::User if parts.is_empty() => {}
        Role::User => messages.push(json!({ "role": "user", "content": parts })),
        Role::Assistant => {
            let mut said = json!({ "role": "assistant", "content": text_of(&message.blocks) });
            if !calls.is_empty() {
                said["tool_calls"] = Value::Array(calls);
            }
            messages.push(said);
        }
    }
    Ok(())
}

/// The text of a tool's result: a message of the role `tool` has nothing else.
fn result_text(content: &[ContentBlock]) -> Result<String, EndpointError> {
    match content
        .iter()
        .all(|block| matches!(block, ContentBlock::Text(_)))
    {
        true => Ok(text_of(content)),
        false => Err(EndpointError::Unsupported(
            "Chat Completions take nothing but text as the result of a tool.".to_owned(),
        )),
    }
}

fn sound_format(mime_type: &str) -> Result<&'static str, EndpointError> {
    match mime_type {
        "audio/wav" | "audio/x-wav" | "audio/wave" => Ok("wav"),
        "audio/mpeg" | "audio/mp3" => Ok("mp3"),
        other => Err(EndpointError::Unsupported(format!(
            "Chat Completions take no sound of the type {other}."
        ))),
    }
}

fn text_of(blocks: &[ContentBlock]) -> String {
    let texts = blocks.iter().filter_map(|block| match block {
        ContentBlock::Text(text) => Some(text.as_str()),
        _ => None,
    });
    texts.collect::<Vec<_>>().join("\n")
}

pub(crate) fn completion(answer: &Value) -> Result<Completion, EndpointError> {
    let choice = answer.pointer("/choices/0");
    let choice = choice.ok_or_else(|| EndpointError::answer("it has no choices"))?;
    let message = choice
        .get("message")
        .ok_or_else(|| EndpointError::answer("it has no message"))?;
    let mut blocks = Vec::new();
    if let Some(text) = message.get("content").and_then(Value::as_str)
        && !text.is_empty()
    {
        blocks.push(ContentBlock::Text(text.to_owned()));
    }
    let calls = message.get("tool_calls").and_then(Value::as_array);
    for (index, call) in calls.into_iter().flatten().enumerate() {
        let at = |pointer: &str| call.pointer(pointer).and_then(Value::as_str);
        let input = match call.pointer("/function/arguments") {
            // Some servers write nothing where a tool has no parameters.
            None | Some(Value::Null) => json!({}),
            Some(Value::String(text)) if text.trim().is_empty() => json!({}),
            Some(Value::String(text)) => serde_json::from_str(text)
                .map_err(|_| EndpointError::answer("the arguments of a call are not JSON"))?,
            // … or the object itself.
            Some(value) => value.clone(),
        };
        blocks.push(ContentBlock::ToolUse {
            id: at("/id").map_or_else(|| format!("call_{index}"), str::to_owned),
            name: at("/function/name").unwrap_or_default().to_owned(),
            input,
        });
    }
    let reason = choice.get("finish_reason").and_then(Value::as_str);
    let uses = blocks
        .iter()
        .any(|block| matches!(block, ContentBlock::ToolUse { .. }));
    Ok(Completion {
        model: answer
            .get("model")
            .and_then(Value::as_str)
            .unwrap_or_default()
            .to_owned(),
        stop_reason: match reason {
            // Some servers say that they stopped, although they call a tool.
            _ if uses => "toolUse",
            Some("stop") | None => "endTurn",
            Some("length") => "maxTokens",
            Some(other) => other,
        }
        .to_owned(),
        blocks,
    })
}
