//! Tools that do what servers should not do, but do.

use std::{io::Write, time::Duration};

use bytes::Bytes;
use serde::Deserialize;
use serde_json::{Value, json};

use super::{Call, Tool, error_result, object_schema, text_result};
use crate::{
    context::{Outcome, Reply},
    message::Message,
};

pub(super) fn tools() -> Vec<Tool> {
    vec![
        Tool::new("stray_stdout", stray_definition, stray),
        Tool::new("write_stderr", stderr_definition, stderr),
        Tool::new(
            "malformed_result",
            malformed_result_definition,
            malformed_result,
        ),
        Tool::new("duplicate_response", duplicate_definition, duplicate),
        Tool::new("expire_session", expire_definition, expire),
        Tool::new("crash", crash_definition, crash),
    ]
}

fn stray_definition() -> Value {
    json!({
        "name": "stray_stdout",
        "title": "Stray stdout",
        "description": "Writes lines to stdout that are no messages: text, JSON of a wrong shape, an answer nobody asked for. Only over stdio.",
        "inputSchema": { "type": "object", "properties": {} }
    })
}

const STRAY: &str = "Server ready, listening for requests...\n\
    [2026-07-28 12:00:00] DEBUG \u{1b}[32mcoloured\u{1b}[0m output\n\
    {\"level\":\"info\",\"message\":\"JSON, but not JSON-RPC\"}\n\
    {\"jsonrpc\":\"2.0\",\"id\":\"nobody-asked\",\"result\":{}}\n\
    {\"jsonrpc\":\"2.0\",\"id\":\n\
    \n\
    [1,2,3]\n\
    \"a string\"\n";

fn stray(call: Call) -> Outcome {
    Outcome::later(async move {
        if call
            .context
            .sink
            .stray(Bytes::from_static(STRAY.as_bytes()))
            .await
        {
            text_result(format!(
                "{} stray lines came before this.",
                STRAY.lines().count()
            ))
        } else {
            error_result("Over HTTP there is no stdout to stray onto.")
        }
    })
}

fn stderr_definition() -> Value {
    json!({
        "name": "write_stderr",
        "title": "Write to stderr",
        "description": "Writes numbered lines to stderr.",
        "inputSchema": object_schema(
            json!({
                "lines": { "type": "integer", "minimum": 1, "maximum": 10_000, "default": 3 },
                "text": { "type": "string", "default": "something on stderr" }
            }),
            &[],
        )
    })
}

#[derive(Deserialize)]
struct WriteStderr {
    lines: Option<u32>,
    text: Option<String>,
}

fn stderr(call: Call) -> Outcome {
    call.with(|_, WriteStderr { lines, text }| {
        let lines = lines.unwrap_or(3).clamp(1, 10_000);
        let text = text.unwrap_or_else(|| "something on stderr".to_owned());
        let mut all = String::new();
        for line in 1..=lines {
            all.push_str(&format!("{line}: {text}\n"));
        }
        match std::io::stderr().write_all(all.as_bytes()) {
            Ok(()) => text_result(format!("Wrote {lines} lines.")).into(),
            Err(error) => error_result(format!("stderr cannot be written: {error}")).into(),
        }
    })
}

/// The ways in which `malformed_result` answers.
const MALFORMATIONS: [&str; 9] = [
    "content_not_array",
    "missing_content",
    "null_result",
    "result_and_error",
    "neither_result_nor_error",
    "wrong_jsonrpc_version",
    "unknown_id",
    "invalid_json",
    "error_without_id",
];

fn malformed_result_definition() -> Value {
    json!({
        "name": "malformed_result",
        "title": "Malformed result",
        "description": "Answers with a message that is wrong in the way you choose. Some of these leave the call without an answer.",
        "inputSchema": object_schema(
            json!({ "kind": { "type": "string", "enum": MALFORMATIONS, "default": "content_not_array" } }),
            &[],
        )
    })
}

#[derive(Deserialize)]
struct MalformedResult {
    kind: Option<String>,
}

fn malformed_result(call: Call) -> Outcome {
    call.with(|context, MalformedResult { kind }| {
        let id = &context.id;
        let text = match kind.as_deref().unwrap_or("content_not_array") {
            "content_not_array" => format!(r#"{{"jsonrpc":"2.0","id":{id},"result":{{"content":"not an array"}}}}"#),
            "missing_content" => format!(r#"{{"jsonrpc":"2.0","id":{id},"result":{{"unexpected":[1,2,3]}}}}"#),
            "null_result" => format!(r#"{{"jsonrpc":"2.0","id":{id},"result":null}}"#),
            "result_and_error" => format!(r#"{{"jsonrpc":"2.0","id":{id},"result":{{"content":[]}},"error":{{"code":-32000,"message":"both"}}}}"#),
            "neither_result_nor_error" => format!(r#"{{"jsonrpc":"2.0","id":{id}}}"#),
            "wrong_jsonrpc_version" => format!(r#"{{"jsonrpc":"1.0","id":{id},"result":{{"content":[]}}}}"#),
            "unknown_id" => r#"{"jsonrpc":"2.0","id":"no-such-request","result":{"content":[]}}"#.to_owned(),
            "invalid_json" => format!(r#"{{"jsonrpc":"2.0","id":{id},"result":{{"content":["#),
            "error_without_id" => r#"{"jsonrpc":"2.0","id":null,"error":{"code":-32700,"message":"Could not read that"}}"#.to_owned(),
            other => return error_result(format!("Unknown kind {other}; one of {MALFORMATIONS:?}")).into(),
        };
        Reply::Verbatim(Message::from(text)).into()
    })
}

fn duplicate_definition() -> Value {
    json!({
        "name": "duplicate_response",
        "title": "Duplicate response",
        "description": "Answers twice with the same id.",
        "inputSchema": { "type": "object", "properties": {} }
    })
}

fn duplicate(call: Call) -> Outcome {
    let context = call.context;
    Outcome::later(async move {
        let first = format!(
            r#"{{"jsonrpc":"2.0","id":{},"result":{{"content":[{{"type":"text","text":"The first answer."}}]}}}}"#,
            context.id
        );
        context.sink.send(Message::from(first)).await;
        text_result("The second answer.")
    })
}

fn expire_definition() -> Value {
    json!({
        "name": "expire_session",
        "title": "Expire the session",
        "description": "Over HTTP in the initialize era: forgets the session after answering, so that the next request gets 404. Elsewhere it does nothing.",
        "inputSchema": { "type": "object", "properties": {} }
    })
}

fn expire(call: Call) -> Outcome {
    call.context.connection.expire();
    text_result("From now on this session is unknown.").into()
}

fn crash_definition() -> Value {
    json!({
        "name": "crash",
        "title": "Crash",
        "description": "Ends the server's process without an answer.",
        "inputSchema": object_schema(
            json!({
                "exit_code": { "type": "integer", "minimum": 0, "maximum": 255, "default": 42 },
                "after_ms": { "type": "integer", "minimum": 0, "default": 0 },
                "stderr": { "type": "string", "default": "fatal: the demo server was asked to crash" }
            }),
            &[],
        ),
        "annotations": { "destructiveHint": true }
    })
}

#[derive(Deserialize)]
struct Crash {
    exit_code: Option<u8>,
    after_ms: Option<u64>,
    stderr: Option<String>,
}

fn crash(call: Call) -> Outcome {
    call.with(
        |_,
         Crash {
             exit_code,
             after_ms,
             stderr,
         }| {
            Outcome::later(async move {
                tokio::time::sleep(Duration::from_millis(after_ms.unwrap_or(0))).await;
                let text = stderr
                    .unwrap_or_else(|| "fatal: the demo server was asked to crash".to_owned());
                // Whether the last words were heard makes no difference to a crash.
                let _unheard = writeln!(std::io::stderr(), "{text}");
                std::process::exit(exit_code.unwrap_or(42).into())
            })
        },
    )
}

/// The entry that `--fault malformed-tool` adds to `tools/list`.
pub fn malformed_definition() -> String {
    json!({
        "name": 42,
        "description": ["not", "text"],
        "inputSchema": "not a schema"
    })
    .to_string()
}

/// The entry that `--fault invalid-header-tool` adds: an HTTP client of 2026-07-28
/// must leave the tool out, because two arguments claim the same header.
pub fn invalid_header_definition() -> String {
    json!({
        "name": "invalid_header_tool",
        "description": "Two arguments claim one header.",
        "inputSchema": object_schema(
            json!({
                "first": { "type": "string", "x-mcp-header": "Region" },
                "second": { "type": "string", "x-mcp-header": "region" }
            }),
            &[],
        )
    })
    .to_string()
}
