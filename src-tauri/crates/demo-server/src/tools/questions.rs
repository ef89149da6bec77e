//! Tools that ask the client something: by requests of their own in the initialize
//! era, by `input_required` rounds in the modern one.

use std::time::Instant;

use serde::Deserialize;
use serde_json::{Value, json};

use super::{Call, Tool, error_result, object_schema, structured_result, unanswered_result};
use crate::{
    context::{Context, Outcome, Reply},
    media,
    message::{Message, RpcError},
    protocol::{Era, code},
    question::{Ability, Question},
};

pub(super) fn tools() -> Vec<Tool> {
    vec![
        Tool::new("ask_for_sampling", sampling_definition, sampling),
        Tool::new("ask_for_sampling_with_tools", tool_use_definition, tool_use),
        Tool::new("ask_elicitation", elicitation_definition, elicitation),
        Tool::new("ask_elicitation_url", url_definition, url),
        Tool::new("ask_in_rounds", rounds_definition, rounds),
        Tool::new("ask_everything", everything_definition, everything),
        Tool::new("list_roots", roots_definition, roots),
        Tool::new("come_back_later", later_definition, later),
        Tool::new("ping_client", ping_definition, ping),
    ]
}

/// Asks and shows the answer.
fn ask_and_show(context: Context, question: Question) -> Outcome {
    Outcome::later(async move {
        match context.ask(question).await {
            Ok(answer) => structured_result(json!({ "answer": answer })),
            Err(unanswered) => unanswered_result(&context, unanswered),
        }
    })
}

fn sampling_definition() -> Value {
    json!({
        "name": "ask_for_sampling",
        "title": "Ask for sampling",
        "description": "Asks the client's model to continue a conversation (sampling/createMessage).",
        "inputSchema": object_schema(
            json!({
                "prompt": { "type": "string", "default": "Say hello in three languages." },
                "maxTokens": { "type": "integer", "minimum": 1, "default": 100 },
                "media": {
                    "type": "boolean",
                    "default": false,
                    "description": "Show the model a picture and play it a sound, too."
                }
            }),
            &[],
        )
    })
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct Sampling {
    prompt: Option<String>,
    max_tokens: Option<u32>,
    media: Option<bool>,
}

fn sampling(call: Call) -> Outcome {
    call.with(|context, arguments: Sampling| {
        let prompt = arguments.prompt;
        let prompt = prompt.unwrap_or_else(|| "Say hello in three languages.".to_owned());
        let max_tokens = arguments.max_tokens.unwrap_or(100);
        let mut question = sampling_question("sampling", &prompt, max_tokens);
        if arguments.media == Some(true)
            && let Some(messages) = question.params["messages"].as_array_mut()
        {
            // A message each: only 2025-11-25 knows several blocks in one.
            messages.extend([
                json!({ "role": "user", "content": {
                    "type": "image",
                    "mimeType": "image/png",
                    "data": media::base64(&media::png(64)),
                }}),
                json!({ "role": "user", "content": {
                    "type": "audio",
                    "mimeType": "audio/wav",
                    "data": media::base64(&media::wav(250)),
                }}),
            ]);
        }
        ask_and_show(context, question)
    })
}

fn tool_use_definition() -> Value {
    json!({
        "name": "ask_for_sampling_with_tools",
        "title": "Ask for sampling with tools",
        "description": "Asks the client's model a question and offers it a tool; what the model calls is answered, and the model asked again (2025-11-25).",
        "inputSchema": object_schema(
            json!({
                "prompt": { "type": "string", "default": "What is the weather in Paris and in Oslo?" },
                "toolChoice": {
                    "type": "string",
                    "enum": ["auto", "required", "none"],
                    "default": "auto"
                }
            }),
            &[],
        )
    })
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct ToolUse {
    prompt: Option<String>,
    tool_choice: Option<String>,
}

/// Times that the model may use tools before it has to answer.
const MAX_TURNS: usize = 3;

fn tool_use(call: Call) -> Outcome {
    call.with(|context, arguments: ToolUse| {
        let prompt = arguments.prompt;
        let prompt =
            prompt.unwrap_or_else(|| "What is the weather in Paris and in Oslo?".to_owned());
        let choice = arguments.tool_choice.unwrap_or_else(|| "auto".to_owned());
        Outcome::later(async move {
            let mut messages = vec![json!({
                "role": "user",
                "content": [{ "type": "text", "text": prompt }]
            })];
            for turn in 1..=MAX_TURNS {
                let mode = if turn == MAX_TURNS { "none" } else { &choice };
                let question = Question {
                    key: format!("turn-{turn}"),
                    method: "sampling/createMessage",
                    params: json!({
                        "messages": messages,
                        "tools": [weather_tool()],
                        "toolChoice": { "mode": mode },
                        "maxTokens": 1000
                    }),
                    needs: Ability::SamplingTools,
                };
                let answer = match context.ask(question).await {
                    Ok(answer) => answer,
                    Err(unanswered) => return unanswered_result(&context, unanswered),
                };
                let results = results_of(&answer["content"]);
                if results.is_empty() {
                    return structured_result(json!({ "turns": turn, "answer": answer }));
                }
                messages.push(json!({ "role": "assistant", "content": answer["content"] }));
                messages.push(json!({ "role": "user", "content": results }));
            }
            error_result("The model used a tool where it was asked not to")
        })
    })
}

fn weather_tool() -> Value {
    json!({
        "name": "get_weather",
        "description": "Tells the weather of a city.",
        "inputSchema": object_schema(
            json!({
                "city": { "type": "string", "minLength": 1 },
                "unit": { "type": "string", "enum": ["celsius", "fahrenheit"], "default": "celsius" }
            }),
            &["city"],
        )
    })
}

/// The results of the tools that an answer uses, a `tool_result` each.
fn results_of(content: &Value) -> Vec<Value> {
    let blocks = match content {
        Value::Array(blocks) => blocks.as_slice(),
        block => std::slice::from_ref(block),
    };
    let uses = blocks.iter().filter(|block| block["type"] == "tool_use");
    uses.map(|usage| {
        let text = match usage["input"]["city"].as_str() {
            Some(city) => format!("It is sunny in {city}."),
            None => "The city is missing.".to_owned(),
        };
        json!({
            "type": "tool_result",
            "toolUseId": usage["id"],
            "content": [{ "type": "text", "text": text }],
            "isError": !usage["input"]["city"].is_string(),
        })
    })
    .collect()
}

fn sampling_question(key: &str, prompt: &str, max_tokens: u32) -> Question {
    Question {
        key: key.to_owned(),
        method: "sampling/createMessage",
        params: json!({
            "messages": [{ "role": "user", "content": { "type": "text", "text": prompt } }],
            "systemPrompt": "You are the model behind a demonstration.",
            "modelPreferences": {
                "hints": [{ "name": "small" }],
                "costPriority": 0.8,
                "speedPriority": 0.9,
                "intelligencePriority": 0.1
            },
            "temperature": 0.5,
            "stopSequences": ["END"],
            "maxTokens": max_tokens
        }),
        needs: Ability::Sampling,
    }
}

fn elicitation_definition() -> Value {
    json!({
        "name": "ask_elicitation",
        "title": "Ask with a form",
        "description": "Asks the user to fill in a form (elicitation/create), with every kind of field that is allowed.",
        "inputSchema": object_schema(
            json!({ "message": { "type": "string", "default": "Please introduce yourself." } }),
            &[],
        )
    })
}

#[derive(Deserialize)]
struct Elicitation {
    message: Option<String>,
}

fn elicitation(call: Call) -> Outcome {
    call.with(|context, Elicitation { message }| {
        let message = message.unwrap_or_else(|| "Please introduce yourself.".to_owned());
        let mut question = Question::form("introduction", &message);
        question.params["requestedSchema"] = object_schema(
            json!({
                "name": { "type": "string", "title": "Name", "minLength": 1, "maxLength": 60 },
                "email": { "type": "string", "title": "Email", "format": "email" },
                "website": { "type": "string", "format": "uri" },
                "birthday": { "type": "string", "format": "date" },
                "age": { "type": "integer", "minimum": 0, "maximum": 150 },
                "height": { "type": "number", "title": "Height in metres", "default": 1.7 },
                "newsletter": { "type": "boolean", "default": false },
                "colour": { "type": "string", "enum": ["red", "green", "blue"], "default": "green" },
                "size": {
                    "type": "string",
                    "title": "Size",
                    "oneOf": [{ "const": "s", "title": "Small" }, { "const": "l", "title": "Large" }],
                    "default": "l"
                },
                "days": {
                    "type": "array",
                    "title": "Days",
                    "minItems": 1,
                    "maxItems": 2,
                    "items": { "type": "string", "enum": ["monday", "tuesday", "wednesday"] },
                    "default": ["monday"]
                }
            }),
            &["name", "email"],
        );
        ask_and_show(context, question)
    })
}

fn url_definition() -> Value {
    json!({
        "name": "ask_elicitation_url",
        "title": "Ask to visit a page",
        "description": "Asks the user to visit a URL: by a request, or (2025-11-25) by the error -32042.",
        "inputSchema": object_schema(
            json!({
                "url": { "type": "string", "format": "uri", "default": "https://example.com/connect" },
                "via": { "type": "string", "enum": ["request", "error"], "default": "request" }
            }),
            &[],
        )
    })
}

#[derive(Deserialize)]
struct VisitUrl {
    url: Option<String>,
    via: Option<String>,
}

fn url(call: Call) -> Outcome {
    call.with(|context, VisitUrl { url, via }| {
        let url = url.unwrap_or_else(|| "https://example.com/connect".to_owned());
        let id = context.server.unguessable("elicitation");
        let mut params = json!({
            "mode": "url",
            "message": "Please connect your account on this page.",
            "url": url
        });
        // 2026-07-28 has no such id: the round's requestState does its work.
        if context.era == Era::Initialize {
            params["elicitationId"] = json!(id);
        }
        if via.as_deref() == Some("error") && context.era == Era::Initialize {
            return RpcError::new(
                code::URL_ELICITATION_REQUIRED,
                "A page must be visited first",
            )
            .with_data(json!({ "elicitations": [params] }))
            .into();
        }
        let question = Question {
            key: "visit".to_owned(),
            method: "elicitation/create",
            params,
            needs: Ability::ElicitationUrl,
        };
        Outcome::later(async move {
            let answer = match context.ask(question).await {
                Ok(answer) => answer,
                Err(unanswered) => return unanswered_result(&context, unanswered),
            };
            if context.era == Era::Initialize {
                let done = json!({ "elicitationId": id });
                context
                    .sink
                    .send(Message::notification(
                        "notifications/elicitation/complete",
                        &done,
                    ))
                    .await;
            }
            structured_result(json!({ "answer": answer }))
        })
    })
}

fn rounds_definition() -> Value {
    json!({
        "name": "ask_in_rounds",
        "title": "Ask in rounds",
        "description": "Asks one question after the other; in the 2026-07-28 era each is a round of its own, tied together by requestState.",
        "inputSchema": object_schema(
            json!({ "rounds": { "type": "integer", "minimum": 1, "maximum": 9, "default": 3 } }),
            &[],
        )
    })
}

#[derive(Deserialize)]
struct RoundArguments {
    rounds: Option<usize>,
}

fn rounds(call: Call) -> Outcome {
    call.with(|context, RoundArguments { rounds }| {
        let rounds = rounds.unwrap_or(3).clamp(1, 9);
        Outcome::later(async move {
            let mut answers = Vec::with_capacity(rounds);
            for round in 1..=rounds {
                let message = format!("Question {round} of {rounds}: what comes next?");
                match context
                    .ask(Question::form(&format!("round-{round}"), &message))
                    .await
                {
                    Ok(answer) => answers.push(answer),
                    Err(unanswered) => return unanswered_result(&context, unanswered),
                }
            }
            structured_result(json!({ "answers": answers }))
        })
    })
}

fn everything_definition() -> Value {
    json!({
        "name": "ask_everything",
        "title": "Ask everything",
        "description": "Asks for a form, a sample and the roots; in the 2026-07-28 era all at once.",
        "inputSchema": { "type": "object", "properties": {} }
    })
}

fn everything(call: Call) -> Outcome {
    let context = call.context;
    Outcome::later(async move {
        let questions = vec![
            Question::form("form", "What is your favourite colour?"),
            sampling_question("sample", "Name a colour.", 20),
            roots_question(),
        ];
        match context.ask_all(questions).await {
            Ok(answers) => structured_result(json!({ "answers": answers })),
            Err(unanswered) => unanswered_result(&context, unanswered),
        }
    })
}

fn roots_definition() -> Value {
    json!({
        "name": "list_roots",
        "title": "List roots",
        "description": "Asks the client for its roots (roots/list).",
        "inputSchema": { "type": "object", "properties": {} }
    })
}

fn roots_question() -> Question {
    Question {
        key: "roots".to_owned(),
        method: "roots/list",
        params: json!({}),
        needs: Ability::Roots,
    }
}

fn roots(call: Call) -> Outcome {
    ask_and_show(call.context, roots_question())
}

fn later_definition() -> Value {
    json!({
        "name": "come_back_later",
        "title": "Come back later",
        "description": "In the 2026-07-28 era: answers the first rounds with a requestState and no questions, as a server does that sheds load. Earlier it answers at once.",
        "inputSchema": object_schema(
            json!({ "rounds": { "type": "integer", "minimum": 1, "maximum": 9, "default": 2 } }),
            &[],
        )
    })
}

/// Key under which `come_back_later` counts its rounds among the remembered answers.
const ROUNDS_SO_FAR: &str = "rounds so far";

fn later(call: Call) -> Outcome {
    call.with(|mut context, RoundArguments { rounds }| {
        let rounds = rounds.unwrap_or(2).clamp(1, 9) as u64;
        let past = context
            .answers
            .get(ROUNDS_SO_FAR)
            .and_then(Value::as_u64)
            .unwrap_or(0);
        if context.era == Era::Modern && past < rounds {
            context
                .answers
                .insert(ROUNDS_SO_FAR.to_owned(), json!(past + 1));
            return context.input_required(None).into();
        }
        structured_result(json!({ "rounds": past })).into()
    })
}

fn ping_definition() -> Value {
    json!({
        "name": "ping_client",
        "title": "Ping the client",
        "description": "Sends a ping to the client and measures the way there and back. The 2026-07-28 era has no ping.",
        "inputSchema": { "type": "object", "properties": {} }
    })
}

fn ping(call: Call) -> Outcome {
    let context = call.context;
    if context.era == Era::Modern {
        return error_result("2026-07-28 has no ping").into();
    }
    Outcome::later(async move {
        let sent = Instant::now();
        match context
            .connection
            .ask(&context.sink, "ping", &json!({}))
            .await
        {
            Some(Ok(_)) => {
                structured_result(json!({ "microseconds": sent.elapsed().as_micros() as u64 }))
            }
            Some(Err(error)) => error_result(format!("The client answered with an error: {error}")),
            None => Reply::Silence,
        }
    })
}
