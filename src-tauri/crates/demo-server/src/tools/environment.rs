//! Tools that show the environment of the server's process.

use serde::Deserialize;
use serde_json::{Map, Value, json};

use super::{Call, Tool, object_schema, structured_result};
use crate::{context::Outcome, protocol::Era};

pub(super) fn tools() -> Vec<Tool> {
    vec![
        Tool::new("environment", environment_definition, environment),
        Tool::new(
            "describe_client",
            describe_client_definition,
            describe_client,
        ),
    ]
}

fn environment_definition() -> Value {
    json!({
        "name": "environment",
        "title": "Environment",
        "description": "The process id, the working directory, the arguments and the environment variables of the server, their values masked unless asked for.",
        "inputSchema": object_schema(
            json!({
                "show_values": { "type": "boolean", "default": false, "description": "Show values, which may be secret" },
                "names": { "type": "array", "items": { "type": "string" }, "description": "Only these variables" }
            }),
            &[],
        ),
        "annotations": { "readOnlyHint": true }
    })
}

#[derive(Deserialize)]
struct EnvironmentArguments {
    show_values: Option<bool>,
    names: Option<Vec<String>>,
}

fn environment(call: Call) -> Outcome {
    call.with(|context, EnvironmentArguments { show_values, names }| {
        let mut variables: Vec<(String, String)> = std::env::vars_os()
            .map(|(name, value)| {
                (
                    name.to_string_lossy().into_owned(),
                    value.to_string_lossy().into_owned(),
                )
            })
            .filter(|(name, _)| names.as_ref().is_none_or(|names| names.contains(name)))
            .collect();
        variables.sort();
        let variables: Map<String, Value> = variables
            .into_iter()
            .map(|(name, value)| {
                let shown = if show_values == Some(true) {
                    value
                } else {
                    "•••".to_owned()
                };
                (name, Value::String(shown))
            })
            .collect();
        let directory = std::env::current_dir()
            .map(|path| path.display().to_string())
            .unwrap_or_else(|error| format!("unknown: {error}"));
        let arguments: Vec<String> = std::env::args_os()
            .skip(1)
            .map(|argument| argument.to_string_lossy().into_owned())
            .collect();
        structured_result(json!({
            "pid": std::process::id(),
            "directory": directory,
            "arguments": arguments,
            "uptimeMs": context.server.started().elapsed().as_millis() as u64,
            "variables": variables
        }))
        .into()
    })
}

fn describe_client_definition() -> Value {
    json!({
        "name": "describe_client",
        "title": "Describe the client",
        "description": "What this server knows about the client that calls: revision, name, capabilities.",
        "inputSchema": { "type": "object", "properties": {} },
        "annotations": { "readOnlyHint": true }
    })
}

fn describe_client(call: Call) -> Outcome {
    let context = call.context;
    let negotiated = context.connection.negotiated();
    let (version, client) = match (&context.era, negotiated) {
        (Era::Initialize, Some(it)) => (it.version, (*it.client).clone()),
        _ => (crate::protocol::MODERN_VERSION, Value::Null),
    };
    structured_result(json!({
        "protocolVersion": version,
        "clientInfo": client,
        "capabilities": *context.capabilities
    }))
    .into()
}
