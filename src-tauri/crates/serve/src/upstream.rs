//! Requests to servers for agents: what they carry, and what comes back.

use sightglass_inspector::{Inspector, ListKind, Params, ServerId};
use sightglass_json_text::{Message, object, quoted};

use crate::{
    agent::AgentRequest,
    message::RefusedRequest,
    protocol::{META_AGENT, code},
    reach::ServingError,
};

/// Names that are suggested in place of one that is not there.
const MAX_SUGGESTED: u32 = 5;

/// Returns the `_meta` of a request to a server: what the agent added itself, and its name, which goes
/// on record with the request.
pub fn request_meta(request: &AgentRequest) -> String {
    let name = quoted(&request.facts.name);
    let own = request.meta.iter();
    let own = own.map(|(name, text)| (name.as_str(), text.as_str()));
    object(own.chain([(META_AGENT, name.as_str())]))
}

/// Reads parameters.
pub fn params(text: &str) -> Result<Params, ServingError> {
    Params::parse(text).map_err(|error| ServingError::Arguments(error.to_string()))
}

/// Refuses a name that a server does not list: what is not listed says nothing of what it does, such
/// as that it destroys something.
pub fn check_listed(
    inspector: &Inspector,
    server: &ServerId,
    list: ListKind,
    name: &str,
) -> Result<(), ServingError> {
    let connections = &inspector.core.connections;
    if connections.find(server, list, name).is_some() {
        return Ok(());
    }
    let kind = match list {
        ListKind::Tools => "tool",
        ListKind::Prompts => "prompt",
        ListKind::Resources | ListKind::ResourceTemplates => "resource",
    };
    let alike = connections.items(server, list, name, 0, MAX_SUGGESTED);
    let alike = alike.ok().filter(|found| !found.rows.is_empty());
    let others = alike.or_else(|| connections.items(server, list, "", 0, MAX_SUGGESTED).ok());
    let names: Vec<String> = others
        .map(|found| found.rows.into_iter().map(|row| row.name).collect())
        .unwrap_or_default();
    let suggestion = match names.as_slice() {
        [] => String::new(),
        names => format!(" Some that it has: {}.", names.join(", ")),
    };
    Err(ServingError::NotListed {
        server: server.name().to_owned(),
        kind,
        name: name.to_owned(),
        suggestion,
    })
}

/// Learns the secrets in the arguments of a call, so that they are masked on record.
pub fn learn_arguments(inspector: &Inspector, server: &ServerId, tool: &str, arguments: &str) {
    let definition = inspector.calls.lists.definition(server, tool);
    let saved = &inspector.calls.arguments;
    drop(saved.without_secrets(server, arguments, definition.as_deref()));
}

/// Returns the result of a response, or its error, as they were written. Of a task the outcome stands
/// within its status (SEP-2663).
pub fn outcome(text: &str) -> Result<&str, &str> {
    const NOTHING: &str =
        r#"{"code":-32603,"message":"The server sent no answer that can be read"}"#;
    let Ok(message) = Message::parse(text) else {
        return Err(NOTHING);
    };
    match (message.error(), message.result()) {
        (Some(error), _) => Err(error),
        (None, Some(status)) if is_task(status) => outcome(status),
        (None, Some(result)) => Ok(result),
        (None, None) => Err(NOTHING),
    }
}

fn is_task(result: &str) -> bool {
    Message::parse(result).is_ok_and(|status| {
        let members = status.members();
        members.given("taskId").is_some()
            && members.given("content").is_none()
            && (status.result().is_some() || status.error().is_some())
    })
}

/// Returns a result of a tool that says what went wrong.
pub fn tool_error(words: &str) -> String {
    let block = object([("type", "\"text\""), ("text", quoted(words).as_str())]);
    let content = format!("[{block}]");
    object([("content", content.as_str()), ("isError", "true")])
}

/// Returns the answer to a request that has none of its server: for a tool its result, which a model
/// reads.
pub fn failed(method: &str, words: &str) -> Result<String, RefusedRequest> {
    match method {
        "tools/call" => Ok(tool_error(words)),
        _ => Err(RefusedRequest::new(code::INTERNAL_ERROR, words)),
    }
}
