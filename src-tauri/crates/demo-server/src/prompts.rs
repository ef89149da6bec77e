//! Prompts with arguments, roles and several kinds of content.

use std::collections::HashMap;

use serde_json::{Value, json, value::RawValue};

use crate::{
    context::{Context, Outcome, Reply},
    listing::Listing,
    load, media,
    message::RpcError,
    options::Catalogue,
    question::Question,
};

type Arguments = HashMap<String, String>;

/// The list of the demonstration.
pub fn listing() -> Listing {
    Listing::new(
        [
            json!({
                "name": "simple",
                "title": "Simple",
                "description": "One message, no arguments."
            }),
            json!({
                "name": "review_code",
                "title": "Review code",
                "description": "A required and two optional arguments; language and style are completed.",
                "arguments": [
                    { "name": "code", "title": "Code", "description": "What to review", "required": true },
                    { "name": "language", "title": "Language", "description": "Completed as you type", "required": false },
                    { "name": "style", "description": "strict or friendly" }
                ],
                "icons": [{ "src": media::icon_data_uri(), "mimeType": "image/png", "sizes": ["32x32"] }]
            }),
            json!({
                "name": "conversation",
                "title": "Conversation",
                "description": "Several messages of both roles.",
                "arguments": [{ "name": "topic", "description": "What it is about", "required": true }]
            }),
            json!({
                "name": "media",
                "title": "Media",
                "description": "An image, a sound, a link and an embedded resource."
            }),
            json!({
                "name": "repository",
                "title": "Repository",
                "description": "The second argument is completed from the first.",
                "arguments": [
                    { "name": "user", "required": true },
                    { "name": "repository", "required": true }
                ]
            }),
            json!({
                "name": "ask_first",
                "title": "Asks first",
                "description": "Asks the user before it answers (input_required in 2026-07-28)."
            }),
            json!({
                "name": "failing",
                "title": "Failing",
                "description": "Always answers with a JSON-RPC error."
            }),
        ]
        .map(|item| item.to_string()),
    )
}

/// Answers `prompts/get`.
pub fn get(context: Context, name: &str, arguments: Option<&RawValue>) -> Outcome {
    let arguments: Arguments = match arguments.map(|raw| serde_json::from_str(raw.get())) {
        None => Arguments::new(),
        Some(Ok(arguments)) => arguments,
        Some(Err(error)) => {
            return RpcError::invalid_params(format!("Arguments of prompts are strings: {error}"))
                .into();
        }
    };
    if name == "ask_first" {
        return ask_first(context);
    }
    if let Catalogue::Load { prompts, .. } = context.server.options().catalogue {
        return match load::is_prompt(name, prompts) {
            true => Reply::Result(messages(vec![user(&format!("This is {name}."))])).into(),
            false => unknown(name).into(),
        };
    }
    match fill(name, &arguments) {
        Ok(result) => Reply::Result(result).into(),
        Err(error) => error.into(),
    }
}

fn unknown(name: &str) -> RpcError {
    RpcError::invalid_params(format!("Unknown prompt: {name}"))
}

fn required<'a>(arguments: &'a Arguments, name: &str) -> Result<&'a str, RpcError> {
    arguments
        .get(name)
        .map(String::as_str)
        .ok_or_else(|| RpcError::invalid_params(format!("Missing argument: {name}")))
}

fn user(text: &str) -> Value {
    message("user", json!({ "type": "text", "text": text }))
}

fn assistant(text: &str) -> Value {
    message("assistant", json!({ "type": "text", "text": text }))
}

fn message(role: &str, content: Value) -> Value {
    json!({ "role": role, "content": content })
}

fn messages(messages: Vec<Value>) -> Value {
    json!({ "messages": messages })
}

fn fill(name: &str, arguments: &Arguments) -> Result<Value, RpcError> {
    match name {
        "simple" => Ok(messages(vec![user("Tell me what MCP is in one sentence.")])),
        "review_code" => {
            let code = required(arguments, "code")?;
            let language = arguments.get("language").map_or("", String::as_str);
            let style = arguments.get("style").map_or("friendly", String::as_str);
            let text =
                format!("Please give a {style} review of this code:\n\n```{language}\n{code}\n```");
            let mut result = messages(vec![user(&text)]);
            result["description"] = json!(format!("A {style} review"));
            Ok(result)
        }
        "conversation" => {
            let topic = required(arguments, "topic")?;
            Ok(messages(vec![
                user(&format!("I would like to learn about {topic}.")),
                assistant(&format!("Gladly. What do you know about {topic} already?")),
                user("Nothing at all. Start from the beginning."),
            ]))
        }
        "media" => Ok(messages(vec![
            user("What do you see and hear?"),
            message(
                "user",
                json!({ "type": "image", "data": media::base64(&media::png(64)), "mimeType": "image/png" }),
            ),
            message(
                "user",
                json!({ "type": "audio", "data": media::base64(&media::wav(250)), "mimeType": "audio/wav" }),
            ),
            message(
                "user",
                json!({ "type": "resource_link", "uri": "demo://guide", "name": "guide", "mimeType": "text/markdown" }),
            ),
            message(
                "assistant",
                json!({ "type": "resource", "resource": { "uri": "demo://readme.txt", "mimeType": "text/plain", "text": "Plain text." } }),
            ),
        ])),
        "repository" => {
            let (owner, repository) = (
                required(arguments, "user")?,
                required(arguments, "repository")?,
            );
            Ok(messages(vec![user(&format!(
                "Summarise the repository {owner}/{repository}."
            ))]))
        }
        "failing" => Err(RpcError::new(
            crate::protocol::code::INTERNAL_ERROR,
            "This prompt always fails",
        )
        .with_data(json!({ "prompt": name }))),
        _ => Err(unknown(name)),
    }
}

fn ask_first(context: Context) -> Outcome {
    Outcome::later(async move {
        match context
            .ask(Question::form("mood", "How are you today?"))
            .await
        {
            Ok(answer) => {
                let mood = answer
                    .pointer("/content/answer")
                    .and_then(Value::as_str)
                    .unwrap_or("silent");
                Reply::Result(messages(vec![user(&format!(
                    "I feel {mood}. Cheer me up."
                ))]))
            }
            Err(unanswered) => unanswered.into_reply(context.era),
        }
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_missing_required_argument_is_named() {
        let error = fill("review_code", &Arguments::new()).unwrap_err();
        assert_eq!(error.message, "Missing argument: code");
    }

    #[test]
    fn optional_arguments_may_be_left_out() {
        let arguments = Arguments::from([("code".to_owned(), "fn main() {}".to_owned())]);
        let result = fill("review_code", &arguments).unwrap();
        let text = result
            .pointer("/messages/0/content/text")
            .and_then(Value::as_str)
            .unwrap();
        assert!(text.contains("friendly") && text.contains("fn main() {}"));
    }
}
