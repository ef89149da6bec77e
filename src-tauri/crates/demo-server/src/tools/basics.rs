//! The first tools to try.

use serde::Deserialize;
use serde_json::{Value, json};

use super::{Call, Tool, object_schema, text_result};
use crate::{context::Outcome, media};

pub(super) fn tools() -> Vec<Tool> {
    vec![
        Tool::new("echo", echo_definition, echo),
        Tool::new("echo_arguments", echo_arguments_definition, echo_arguments),
        Tool::new("add", add_definition, add),
        Tool::new("annotated", annotated_definition, annotated),
        Tool {
            name: "route_by_header",
            definition: route_definition,
            run: route,
            header_parameters: ROUTE_HEADERS,
        },
    ]
}

fn echo_definition() -> Value {
    json!({
        "name": "echo",
        "title": "Echo",
        "description": "Returns the message.",
        "inputSchema": object_schema(
            json!({ "message": { "type": "string", "description": "What to say" } }),
            &["message"],
        ),
        "annotations": { "readOnlyHint": true, "idempotentHint": true, "openWorldHint": false }
    })
}

#[derive(Deserialize)]
struct Echo {
    message: String,
}

fn echo(call: Call) -> Outcome {
    call.with(|_, Echo { message }| text_result(message).into())
}

fn echo_arguments_definition() -> Value {
    json!({
        "name": "echo_arguments",
        "title": "Echo arguments",
        "description": "Returns the text of its arguments exactly as it arrived, so that numbers beyond 2^53, the order of members, null and absent members can be checked. Accepts anything.",
        "inputSchema": { "type": "object", "additionalProperties": true },
        "annotations": { "readOnlyHint": true }
    })
}

fn echo_arguments(call: Call) -> Outcome {
    match &call.arguments {
        Some(arguments) => text_result(arguments.get()).into(),
        None => text_result("(no arguments member)").into(),
    }
}

fn add_definition() -> Value {
    json!({
        "name": "add",
        "title": "Add",
        "description": "Adds two numbers and answers with structured content.",
        "inputSchema": object_schema(
            json!({
                "a": { "type": "number", "description": "First summand" },
                "b": { "type": "number", "description": "Second summand" }
            }),
            &["a", "b"],
        ),
        "outputSchema": object_schema(json!({ "sum": { "type": "number" } }), &["sum"]),
        "annotations": { "readOnlyHint": true, "idempotentHint": true }
    })
}

#[derive(Deserialize)]
struct AddArguments {
    a: f64,
    b: f64,
}

fn add(call: Call) -> Outcome {
    call.with(|_, AddArguments { a, b }| super::structured_result(json!({ "sum": a + b })).into())
}

fn annotated_definition() -> Value {
    json!({
        "name": "annotated",
        "title": "Top-level title",
        "description": "Carries every annotation, icons and `_meta`. Annotations are hints: this tool claims to be destructive and does nothing.",
        "icons": [
            { "src": media::icon_data_uri(), "mimeType": "image/png", "sizes": ["32x32"] },
            {
                "src": format!("data:image/svg+xml;base64,{}", media::base64(media::SVG.as_bytes())),
                "mimeType": "image/svg+xml",
                "sizes": ["any"],
                "theme": "light"
            }
        ],
        "inputSchema": { "type": "object", "properties": {} },
        "annotations": {
            "title": "Title in the annotations",
            "readOnlyHint": false,
            "destructiveHint": true,
            "idempotentHint": false,
            "openWorldHint": true
        },
        "_meta": { "example.com/category": "demonstration" }
    })
}

fn annotated(_: Call) -> Outcome {
    text_result("Nothing was destroyed.").into()
}

const ROUTE_HEADERS: &[(&[&str], &str)] = &[
    (&["region"], "Region"),
    (&["tenant", "priority"], "Priority"),
];

fn route_definition() -> Value {
    json!({
        "name": "route_by_header",
        "title": "Route by header",
        "description": "Some of its arguments are repeated in HTTP headers (x-mcp-header, 2026-07-28), so that a proxy can route without reading the body. The server refuses headers that contradict the body.",
        "inputSchema": object_schema(
            json!({
                "region": {
                    "type": "string",
                    "description": "Repeated as Mcp-Param-Region",
                    "x-mcp-header": "Region"
                },
                "tenant": {
                    "type": "object",
                    "properties": {
                        "name": { "type": "string" },
                        "priority": {
                            "type": "integer",
                            "description": "Repeated as Mcp-Param-Priority",
                            "x-mcp-header": "Priority"
                        }
                    }
                }
            }),
            &["region"],
        )
    })
}

#[derive(Deserialize)]
struct Route {
    region: String,
}

fn route(call: Call) -> Outcome {
    call.with(|_, Route { region }| text_result(format!("Routed to {region}.")).into())
}
