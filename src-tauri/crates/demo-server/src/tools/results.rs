//! Tools that answer with every kind of result.

use serde::Deserialize;
use serde_json::{Value, json};

use super::{Call, Tool, error_result, object_schema, structured_result, text_result};
use crate::{
    context::{Outcome, Reply},
    media,
    message::RpcError,
};

pub(super) fn tools() -> Vec<Tool> {
    vec![
        Tool::new(
            "result_text",
            || simple("result_text", "Plain text of several lines."),
            text,
        ),
        Tool::new(
            "result_markdown",
            || {
                simple(
                    "result_markdown",
                    "Text that is Markdown, with some HTML that must not come alive.",
                )
            },
            markdown,
        ),
        Tool::new(
            "result_image",
            || simple("result_image", "A PNG picture."),
            image,
        ),
        Tool::new(
            "result_audio",
            || simple("result_audio", "A WAV tone of a quarter of a second."),
            audio,
        ),
        Tool::new(
            "result_resource_link",
            || {
                simple(
                    "result_resource_link",
                    "Links to resources of this server and elsewhere.",
                )
            },
            resource_link,
        ),
        Tool::new(
            "result_embedded",
            || {
                simple(
                    "result_embedded",
                    "Resources within the result, one of text and one binary.",
                )
            },
            embedded,
        ),
        Tool::new(
            "result_mixed",
            || {
                simple(
                    "result_mixed",
                    "Several blocks with annotations: audience, priority, time.",
                )
            },
            mixed,
        ),
        Tool::new("result_structured", structured_definition, structured),
        Tool::new(
            "result_structured_wrong",
            structured_wrong_definition,
            structured_wrong,
        ),
        Tool::new(
            "result_error",
            || {
                simple(
                    "result_error",
                    "A result with isError: the tool ran and failed.",
                )
            },
            error,
        ),
        Tool::new("result_rpc_error", rpc_error_definition, rpc_error),
        Tool::new(
            "result_empty",
            || simple("result_empty", "A result without any content."),
            empty,
        ),
        Tool::new(
            "result_unknown_content",
            || {
                simple(
                    "result_unknown_content",
                    "A content type that no revision knows, beside one that all know.",
                )
            },
            unknown_content,
        ),
        Tool::new(
            "result_meta",
            || {
                simple(
                    "result_meta",
                    "A result with `_meta` at every level, and members no revision knows.",
                )
            },
            meta,
        ),
    ]
}

fn simple(name: &str, description: &str) -> Value {
    json!({
        "name": name,
        "title": name.replace("result_", "Result: ").replace('_', " "),
        "description": description,
        "inputSchema": { "type": "object", "properties": {} },
        "annotations": { "readOnlyHint": true }
    })
}

fn content(blocks: Value) -> Outcome {
    Reply::Result(json!({ "content": blocks })).into()
}

fn text(_: Call) -> Outcome {
    text_result("The first line.\nThe second line, with \"quotes\", a tab\tand ünïcödé 👀.\n\n\u{202e}This line is written right to left.\u{202c}").into()
}

fn markdown(_: Call) -> Outcome {
    text_result("# A heading\n\nSome **bold** and *italic* text, `code`, and a [link](https://modelcontextprotocol.io).\n\n| tool | kind |\n|---|---|\n| echo | text |\n| add | structured |\n\n```json\n{ \"a\": 1 }\n```\n\n1. one\n2. two\n\n<script>document.title = \"this must stay text\"</script>\n<img src=\"x\" onerror=\"alert(1)\">\n").into()
}

fn image(_: Call) -> Outcome {
    content(
        json!([{ "type": "image", "data": media::base64(&media::png(64)), "mimeType": "image/png" }]),
    )
}

fn audio(_: Call) -> Outcome {
    content(
        json!([{ "type": "audio", "data": media::base64(&media::wav(250)), "mimeType": "audio/wav" }]),
    )
}

fn resource_link(_: Call) -> Outcome {
    content(json!([
        { "type": "resource_link", "uri": "demo://guide", "name": "guide", "title": "The guide", "description": "A resource of this server", "mimeType": "text/markdown" },
        { "type": "resource_link", "uri": "https://modelcontextprotocol.io/specification", "name": "specification", "mimeType": "text/html" },
        { "type": "resource_link", "uri": "demo://missing", "name": "missing", "description": "Cannot be read", "size": 123_456 }
    ]))
}

fn embedded(_: Call) -> Outcome {
    content(json!([
        { "type": "resource", "resource": { "uri": "demo://config.json", "mimeType": "application/json", "text": "{\n  \"embedded\": true\n}" } },
        { "type": "resource", "resource": { "uri": "demo://picture.png", "mimeType": "image/png", "blob": media::base64(&media::png(32)) } }
    ]))
}

fn mixed(_: Call) -> Outcome {
    content(json!([
        { "type": "text", "text": "For the user.", "annotations": { "audience": ["user"], "priority": 1.0 } },
        { "type": "text", "text": "For the model.", "annotations": { "audience": ["assistant"], "priority": 0.2 } },
        { "type": "image", "data": media::base64(&media::png(32)), "mimeType": "image/png", "annotations": { "audience": ["user", "assistant"] } },
        { "type": "resource_link", "uri": "demo://clock", "name": "clock", "annotations": { "lastModified": "2026-07-28T12:00:00Z" } },
        { "type": "text", "text": "" }
    ]))
}

fn weather_schema() -> Value {
    object_schema(
        json!({
            "city": { "type": "string" },
            "temperature": { "type": "number", "description": "Degrees Celsius" },
            "humidity": { "type": "integer", "minimum": 0, "maximum": 100 },
            "hours": { "type": "array", "items": object_schema(json!({ "hour": { "type": "integer" }, "temperature": { "type": "number" } }), &["hour", "temperature"]) }
        }),
        &["city", "temperature", "humidity"],
    )
}

fn structured_definition() -> Value {
    let mut definition = simple(
        "result_structured",
        "Structured content that fits the output schema.",
    );
    definition["outputSchema"] = weather_schema();
    definition
}

fn structured(_: Call) -> Outcome {
    structured_result(json!({
        "city": "Lisbon",
        "temperature": 21.5,
        "humidity": 60,
        "hours": [{ "hour": 12, "temperature": 22.0 }, { "hour": 18, "temperature": 19.5 }]
    }))
    .into()
}

fn structured_wrong_definition() -> Value {
    let mut definition = simple(
        "result_structured_wrong",
        "Structured content that violates the output schema in three ways, on purpose.",
    );
    definition["outputSchema"] = weather_schema();
    definition
}

fn structured_wrong(_: Call) -> Outcome {
    structured_result(json!({ "city": "Lisbon", "temperature": "warm", "humidity": 130, "hours": [{ "hour": 12 }] })).into()
}

fn error(_: Call) -> Outcome {
    error_result("The printer is out of paper. Add paper and try again.").into()
}

fn rpc_error_definition() -> Value {
    let mut definition = simple(
        "result_rpc_error",
        "A JSON-RPC error with code and data of your choice.",
    );
    definition["inputSchema"] = object_schema(
        json!({
            "code": { "type": "integer", "default": -32050 },
            "message": { "type": "string", "default": "Something failed" },
            "data": { "description": "Anything" }
        }),
        &[],
    );
    definition
}

#[derive(Deserialize)]
struct WantedError {
    code: Option<i64>,
    message: Option<String>,
    data: Option<Value>,
}

fn rpc_error(call: Call) -> Outcome {
    call.with(|_, wanted: WantedError| {
        RpcError {
            code: wanted.code.unwrap_or(-32050),
            message: wanted
                .message
                .unwrap_or_else(|| "Something failed".to_owned()),
            data: Some(wanted.data.unwrap_or_else(
                || json!({ "hint": "This is the data of the error", "attempts": 3 }),
            )),
        }
        .into()
    })
}

fn empty(_: Call) -> Outcome {
    content(json!([]))
}

fn unknown_content(_: Call) -> Outcome {
    content(json!([
        { "type": "hologram", "mimeType": "model/hologram", "data": "AAEC", "depth": 3 },
        { "type": "text", "text": "The block before this one is of an unknown type." }
    ]))
}

fn meta(_: Call) -> Outcome {
    Reply::Result(json!({
        "content": [{ "type": "text", "text": "Look at the raw message.", "_meta": { "example.com/block": 1 } }],
        "_meta": { "example.com/request": "abc", "traceparent": "00-0af7651916cd43dd8448eb211c80319c-00f067aa0ba902b7-01" },
        "memberFromTheFuture": { "kept": true }
    }))
    .into()
}
