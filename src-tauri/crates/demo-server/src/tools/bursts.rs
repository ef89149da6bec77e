//! Tools that send much: floods of notifications, and large results. Nothing here
//! allocates per message.

use std::{
    io::Write,
    sync::{Arc, OnceLock},
};

use bytes::Bytes;
use serde::Deserialize;
use serde_json::{Value, json};

use super::{Call, Tool, error_result, object_schema, structured_result};
use crate::{
    context::{Outcome, Reply},
    protocol::Level,
};

const MAX_COUNT: u64 = 1_000_000;
const MEBIBYTE: usize = 1024 * 1024;

pub(super) fn tools() -> Vec<Tool> {
    vec![
        Tool::new("log_burst", log_burst_definition, log_burst),
        Tool::new("progress_burst", progress_burst_definition, progress_burst),
        Tool::new("big_result", big_result_definition, big_result),
    ]
}

fn log_burst_definition() -> Value {
    json!({
        "name": "log_burst",
        "title": "Burst of log messages",
        "description": "Sends log messages as fast as they are taken, numbered by data.seq from 0, then answers. In the 2026-07-28 era the request must ask for a log level.",
        "inputSchema": object_schema(
            json!({
                "count": { "type": "integer", "minimum": 1, "maximum": MAX_COUNT, "default": 1000 },
                "bytes": { "type": "integer", "minimum": 0, "maximum": 100_000, "default": 100, "description": "Length of the text in each message" },
                "level": { "type": "string", "enum": Level::ALL.map(Level::name), "default": "info" }
            }),
            &[],
        ),
        "outputSchema": object_schema(json!({ "sent": { "type": "integer" }, "suppressed": { "type": "integer" } }), &["sent", "suppressed"])
    })
}

#[derive(Deserialize)]
struct LogBurst {
    count: Option<u64>,
    bytes: Option<usize>,
    level: Option<String>,
}

fn log_burst(call: Call) -> Outcome {
    call.with(|context, arguments: LogBurst| {
        let count = arguments.count.unwrap_or(1000);
        let bytes = arguments.bytes.unwrap_or(100);
        if !(1..=MAX_COUNT).contains(&count) || bytes > 100_000 {
            return error_result("count must be 1 to 1000000 and bytes 0 to 100000").into();
        }
        let Some(level) = Level::from_name(arguments.level.as_deref().unwrap_or("info")) else {
            return error_result("level is not one of MCP's").into();
        };
        Outcome::later(async move {
            if !context.wants(level) {
                return structured_result(json!({ "sent": 0, "suppressed": count }));
            }
            let head = format!(
                r#"{{"jsonrpc":"2.0","method":"notifications/message","params":{{"level":"{level}","logger":"burst","data":{{"seq":"#
            );
            let tail = format!(r#","text":"{}"}}}}}}"#, filler(bytes));
            let mut batch = context.sink.batch();
            for sequence in 0..count {
                batch.add(|buffer| write_numbered(buffer, &head, sequence, &tail)).await;
            }
            batch.flush().await;
            structured_result(json!({ "sent": count, "suppressed": 0 }))
        })
    })
}

fn write_numbered(buffer: &mut Vec<u8>, head: &str, number: u64, tail: &str) {
    buffer.extend_from_slice(head.as_bytes());
    write_number(buffer, number);
    buffer.extend_from_slice(tail.as_bytes());
}

fn write_number(buffer: &mut Vec<u8>, number: u64) {
    // Writing to a Vec cannot fail: it grows.
    let _never = write!(buffer, "{number}");
}

/// Text without characters that JSON would escape.
fn filler(bytes: usize) -> String {
    "the quick brown fox jumps over the lazy dog "
        .chars()
        .cycle()
        .take(bytes)
        .collect()
}

fn progress_burst_definition() -> Value {
    json!({
        "name": "progress_burst",
        "title": "Burst of progress",
        "description": "Sends progress notifications as fast as they are taken, then answers. Needs a progress token.",
        "inputSchema": object_schema(
            json!({ "count": { "type": "integer", "minimum": 1, "maximum": MAX_COUNT, "default": 1000 } }),
            &[],
        ),
        "outputSchema": object_schema(json!({ "sent": { "type": "integer" } }), &["sent"])
    })
}

#[derive(Deserialize)]
struct ProgressBurst {
    count: Option<u64>,
}

fn progress_burst(call: Call) -> Outcome {
    call.with(|context, ProgressBurst { count }| {
        let count = count.unwrap_or(1000);
        if !(1..=MAX_COUNT).contains(&count) {
            return error_result("count must be 1 to 1000000").into();
        }
        let Some(token) = context.progress_token.clone() else {
            return structured_result(json!({ "sent": 0 })).into();
        };
        Outcome::later(async move {
            let head = format!(
                r#"{{"jsonrpc":"2.0","method":"notifications/progress","params":{{"progressToken":{token},"progress":"#
            );
            let tail = format!(r#","total":{count}}}}}"#);
            let mut batch = context.sink.batch();
            for sequence in 1..=count {
                batch.add(|buffer| write_numbered(buffer, &head, sequence, &tail)).await;
            }
            batch.flush().await;
            structured_result(json!({ "sent": count }))
        })
    })
}

fn big_result_definition() -> Value {
    json!({
        "name": "big_result",
        "title": "Big result",
        "description": "Answers with 1 to 50 MiB: one text block of many lines, or structured content of many rows.",
        "inputSchema": object_schema(
            json!({
                "mb": { "type": "integer", "minimum": 1, "maximum": 50, "default": 10, "description": "Size in MiB" },
                "kind": { "type": "string", "oneOf": [{ "const": "text", "title": "Text" }, { "const": "json", "title": "Structured content" }], "default": "text" }
            }),
            &[],
        ),
        "annotations": { "readOnlyHint": true }
    })
}

#[derive(Deserialize)]
struct BigResult {
    mb: Option<usize>,
    kind: Option<String>,
}

fn big_result(call: Call) -> Outcome {
    call.with(|_, BigResult { mb, kind }| {
        let mb = mb.unwrap_or(10);
        if !(1..=50).contains(&mb) {
            return error_result("mb must be 1 to 50").into();
        }
        match kind.as_deref().unwrap_or("text") {
            "text" => Reply::Fields(big_text(mb)).into(),
            "json" => Reply::Fields(big_rows(mb)).into(),
            other => error_result(format!("kind is text or json, not {other}")).into(),
        }
    })
}

/// `mb` times the same shared mebibyte: the result costs no memory of its own.
fn big_text(mb: usize) -> Vec<Bytes> {
    let block = text_block();
    let mut fields = vec![Bytes::from_static(br#""content":[{"type":"text","text":""#)];
    fields.extend(std::iter::repeat_n(block, mb));
    fields.push(Bytes::from_static(br#""}]"#));
    fields
}

fn big_rows(mb: usize) -> Vec<Bytes> {
    let block = row_block();
    let mut fields = vec![Bytes::from(format!(
        r#""content":[{{"type":"text","text":"{mb} MiB of rows are in structuredContent."}}],"structuredContent":{{"rows":["#
    ))];
    for index in 0..mb {
        if index > 0 {
            fields.push(Bytes::from_static(b","));
        }
        fields.push(block.clone());
    }
    fields.push(Bytes::from_static(b"]}"));
    fields
}

/// Lines of 128 characters, the line feed included, which decode to exactly 1 MiB.
fn text_block() -> Bytes {
    static BLOCK: OnceLock<Arc<[u8]>> = OnceLock::new();
    shared(BLOCK.get_or_init(|| {
        let text = filler(120);
        let mut block = Vec::with_capacity(MEBIBYTE + MEBIBYTE / 64);
        for line in 0..MEBIBYTE / 128 {
            // Six digits, a space, 120 letters and a line feed are 128 characters.
            let _never = write!(block, "{line:06} {text}\\n");
        }
        block.into()
    }))
}

/// Rows of a table, about 1 MiB of JSON.
fn row_block() -> Bytes {
    static BLOCK: OnceLock<Arc<[u8]>> = OnceLock::new();
    shared(BLOCK.get_or_init(|| {
        let mut block = Vec::with_capacity(MEBIBYTE + 256);
        let mut row = 0_u64;
        while block.len() < MEBIBYTE - 128 {
            if row > 0 {
                block.push(b',');
            }
            let _never = write!(
                block,
                r#"{{"id":{row},"name":"row {row}","ratio":{}.5,"active":{},"tags":["a","b"],"note":null}}"#,
                row % 1000,
                row.is_multiple_of(2)
            );
            row += 1;
        }
        block.into()
    }))
}

fn shared(block: &Arc<[u8]>) -> Bytes {
    Bytes::from_owner(block.clone())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn parse(fields: &[Bytes]) -> Value {
        let mut text = b"{".to_vec();
        fields
            .iter()
            .for_each(|piece| text.extend_from_slice(piece));
        text.push(b'}');
        serde_json::from_slice(&text).unwrap()
    }

    #[test]
    fn a_big_text_decodes_to_exactly_the_size_asked_for() {
        let value = parse(&big_text(2));
        let text = value
            .pointer("/content/0/text")
            .and_then(Value::as_str)
            .unwrap();
        assert_eq!(text.len(), 2 * MEBIBYTE);
        assert!(text.starts_with("000000 the quick"));
        assert!(text.ends_with('\n'));
    }

    #[test]
    fn big_rows_are_valid_json_of_about_the_size_asked_for() {
        let fields = big_rows(2);
        let size: usize = fields.iter().map(Bytes::len).sum();
        assert!(size.abs_diff(2 * MEBIBYTE) < 1024, "{size}");
        let rows = parse(&fields)
            .pointer("/structuredContent/rows")
            .cloned()
            .unwrap();
        assert!(rows.as_array().unwrap().len() > 10_000);
    }
}
