//! Calling, reading, and answering what servers ask meanwhile.

use serde::Deserialize;
use serde_json::{Value, json, value::RawValue};
use sightglass_connection::ServerAnswer;
use sightglass_inspector::{ErrorCode, ListKind, ServerId};
use sightglass_json_text::{Members, lossy, object, quoted};

use crate::{
    agent::AgentRequest,
    calls::{CallStep, Called, OpenCall, ParkedCall, QUESTION_TIMEOUT},
    lent::{SEPARATOR, name_part},
    reach::ServingError,
    serving::Serving,
    upstream::{self, check_listed, learn_arguments, request_meta},
};

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub struct WantedResource {
    server: String,
    uri: String,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub struct WantedPrompt {
    server: String,
    prompt: String,
    #[serde(default)]
    arguments: serde_json::Map<String, Value>,
}

/// Arguments with a part that goes on as it is written.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct CalledTool<'a> {
    server: String,
    tool: String,
    #[serde(borrow, default)]
    arguments: Option<&'a RawValue>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct AnsweredQuestion<'a> {
    question: u32,
    action: AnswerAction,
    #[serde(borrow, default)]
    content: Option<&'a RawValue>,
}

/// Actions of an answer (MCP, Elicitation, Response Actions).
#[derive(Deserialize, Clone, Copy, PartialEq, Eq)]
#[serde(rename_all = "lowercase")]
enum AnswerAction {
    Accept,
    Decline,
    Cancel,
}

fn read<'a, T: Deserialize<'a>>(arguments: &'a str) -> Result<T, ServingError> {
    serde_json::from_str(arguments)
        .map_err(|error| ServingError::Arguments(format!("Invalid arguments: {error}.")))
}

/// Calls a tool.
pub async fn call_tool(
    serving: &Serving,
    request: &AgentRequest,
    arguments: &str,
) -> Result<String, ServingError> {
    let wanted: CalledTool<'_> = read(arguments)?;
    let server = reached(serving, &wanted.server, &wanted.tool).await?;
    check_listed(&serving.inspector, &server, ListKind::Tools, &wanted.tool)?;
    let own = wanted.arguments.map_or("{}", RawValue::get);
    if !own.starts_with('{') {
        let words = "`arguments` has to be an object.".to_owned();
        return Err(ServingError::Arguments(words));
    }
    learn_arguments(&serving.inspector, &server, &wanted.tool, own);
    let name = quoted(&wanted.tool);
    let members = [("name", name.as_str()), ("arguments", own)];
    send(
        serving,
        request,
        server,
        "tools/call",
        &wanted.tool,
        &members,
    )
    .await
}

/// Reads a resource.
pub async fn read_resource(
    serving: &Serving,
    request: &AgentRequest,
    wanted: WantedResource,
) -> Result<String, ServingError> {
    let server = reached(serving, &wanted.server, &wanted.uri).await?;
    let uri = quoted(&wanted.uri);
    let members = [("uri", uri.as_str())];
    send(
        serving,
        request,
        server,
        "resources/read",
        &wanted.uri,
        &members,
    )
    .await
}

/// Gets a prompt.
pub async fn get_prompt(
    serving: &Serving,
    request: &AgentRequest,
    wanted: WantedPrompt,
) -> Result<String, ServingError> {
    let server = reached(serving, &wanted.server, &wanted.prompt).await?;
    let name = quoted(&wanted.prompt);
    let arguments = Value::Object(wanted.arguments).to_string();
    let members = [("name", name.as_str()), ("arguments", arguments.as_str())];
    send(
        serving,
        request,
        server,
        "prompts/get",
        &wanted.prompt,
        &members,
    )
    .await
}

/// Answers a question, and goes on with the call that waits for it.
pub async fn answer_question(
    serving: &Serving,
    request: &AgentRequest,
    arguments: &str,
) -> Result<String, ServingError> {
    let wanted: AnsweredQuestion<'_> = read(arguments)?;
    let Some(parked) = serving.calls.unpark(wanted.question) else {
        return Err(ServingError::Arguments(format!(
            "No call waits for question {}: it was answered, or its call has ended.",
            wanted.question
        )));
    };
    let answer = answer_of(&parked.question.method, &wanted);
    match serving.calls.answer(wanted.question, answer) {
        // The server took it back: the call goes on without an answer.
        Err(error) if error.code() != ErrorCode::NotFound => {
            // It waits on, for an answer that is right.
            if let Err(parked) = serving.calls.park(parked) {
                serving.calls.decline(&parked.question);
            }
            Err(error.into())
        }
        _ => follow(serving, request, parked.call, parked.called).await,
    }
}

fn answer_of(method: &str, wanted: &AnsweredQuestion<'_>) -> ServerAnswer {
    let content = wanted.content.map_or("{}", RawValue::get);
    let json = match (method, wanted.action) {
        ("elicitation/create", AnswerAction::Accept) => {
            object([("action", "\"accept\""), ("content", content)])
        }
        ("elicitation/create", AnswerAction::Decline) => r#"{"action":"decline"}"#.to_owned(),
        ("elicitation/create", AnswerAction::Cancel) => r#"{"action":"cancel"}"#.to_owned(),
        (_, AnswerAction::Accept) => content.to_owned(),
        (_, AnswerAction::Decline | AnswerAction::Cancel) => {
            return ServerAnswer::Error {
                code: -1,
                message: "User rejected sampling request".to_owned(),
            };
        }
    };
    ServerAnswer::Result { json }
}

/// Returns a server that is ready, of which this name may be used.
async fn reached(serving: &Serving, server: &str, name: &str) -> Result<ServerId, ServingError> {
    let server = serving.reach.server(server)?;
    let lent = format!("{}{SEPARATOR}{name}", name_part(server.name()));
    serving.reach.check_name(&lent)?;
    serving.reach.ready(&server).await?;
    Ok(server)
}

async fn send(
    serving: &Serving,
    request: &AgentRequest,
    server: ServerId,
    method: &'static str,
    name: &str,
    members: &[(&str, &str)],
) -> Result<String, ServingError> {
    let meta = request_meta(request);
    let members = members.iter().copied().chain([("_meta", meta.as_str())]);
    let params = upstream::params(&object(members))?;
    let called = Called {
        server: server.to_string(),
        name: name.to_owned(),
    };
    let call = serving.calls.open(&server, method, params);
    follow(serving, request, call, called).await
}

/// Follows a call to its end, or to the next question of its server, for which it then waits.
async fn follow(
    serving: &Serving,
    request: &AgentRequest,
    mut call: OpenCall,
    mut called: Called,
) -> Result<String, ServingError> {
    loop {
        let question = match call.step(request).await {
            CallStep::Ended(report) => {
                let report = report?;
                let text = match &report.request.response {
                    Some(response) => answered(&called, &lossy(&response.recorded)),
                    None => {
                        let reason = report.request.message.as_deref();
                        let reason = reason.unwrap_or("it did not answer");
                        json!({ "server": called.server, "name": called.name, "unanswered": reason })
                            .to_string()
                    }
                };
                return Ok(serving.outgoing.masked_of(&call.server, &text));
            }
            CallStep::Question(question) => question,
        };
        let asked = asked(&called, &question.method, question.id, &question.params);
        let asked = serving.outgoing.masked_of(&call.server, &asked);
        let parked = ParkedCall {
            call,
            question,
            called,
        };
        match serving.calls.park(parked) {
            Ok(()) => return Ok(asked),
            // Too many wait.
            Err(back) => {
                serving.calls.decline(&back.question);
                (call, called) = (back.call, back.called);
            }
        }
    }
}

fn answered(called: &Called, response: &str) -> String {
    let (server, name) = (quoted(&called.server), quoted(&called.name));
    let (is_error, text) = match upstream::outcome(response) {
        Ok(result) => ("false", result),
        Err(error) => ("true", error),
    };
    let is_failed = Members::parse(text).is_ok_and(|result| result.text("isError") == Some("true"));
    object([
        ("server", server.as_str()),
        ("name", name.as_str()),
        ("is_protocol_error", is_error),
        ("is_error", if is_failed { "true" } else { is_error }),
        ("from_server", text),
    ])
}

fn asked(called: &Called, method: &str, question: u32, params: &str) -> String {
    let pending = object([
        ("question", question.to_string().as_str()),
        ("method", quoted(method).as_str()),
        ("from_server", params),
        (
            "seconds_left",
            QUESTION_TIMEOUT.as_secs().to_string().as_str(),
        ),
    ]);
    object([
        ("server", quoted(&called.server).as_str()),
        ("name", quoted(&called.name).as_str()),
        ("question_pending", pending.as_str()),
        (
            "next_step",
            "\"Ask the user where you cannot know the answer, then call answer_question.\"",
        ),
    ])
}
