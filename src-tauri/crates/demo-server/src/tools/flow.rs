//! Tools that take their time: progress, cancellation, silence.

use std::{future::pending, time::Duration};

use serde::Deserialize;
use serde_json::{Value, json};

use super::{Call, Tool, object_schema, structured_result, text_result};
use crate::{context::Outcome, protocol::Level, sink::Sink};

pub(super) fn tools() -> Vec<Tool> {
    vec![
        Tool::new("long_running", long_running_definition, long_running),
        Tool::new("sleep", sleep_definition, sleep),
        Tool::new("hang", hang_definition, hang),
        Tool::new("drop_stream", drop_stream_definition, drop_stream),
    ]
}

fn milliseconds_schema(default: u64) -> Value {
    json!({ "type": "integer", "minimum": 0, "maximum": 600_000, "default": default, "description": "Milliseconds" })
}

fn long_running_definition() -> Value {
    json!({
        "name": "long_running",
        "title": "Long running",
        "description": "Works in steps and reports progress after each, and a log message.",
        "inputSchema": object_schema(
            json!({
                "steps": { "type": "integer", "minimum": 1, "maximum": 1000, "default": 5 },
                "ms": milliseconds_schema(2000)
            }),
            &[],
        ),
        "annotations": { "readOnlyHint": true }
    })
}

#[derive(Deserialize)]
struct LongRunning {
    steps: Option<u64>,
    ms: Option<u64>,
}

fn long_running(call: Call) -> Outcome {
    call.with(|context, LongRunning { steps, ms }| {
        let steps = steps.unwrap_or(5).clamp(1, 1000);
        let pause = Duration::from_millis(ms.unwrap_or(2000).min(600_000)) / steps as u32;
        Outcome::later(async move {
            for step in 1..=steps {
                tokio::time::sleep(pause).await;
                context
                    .progress(step, steps, &format!("Step {step} of {steps}"))
                    .await;
                context.log(Level::Info, json!({ "step": step })).await;
            }
            text_result(format!("Finished {steps} steps."))
        })
    })
}

fn sleep_definition() -> Value {
    json!({
        "name": "sleep",
        "title": "Sleep",
        "description": "Answers after a while, or not at all when it is cancelled.",
        "inputSchema": object_schema(json!({ "ms": milliseconds_schema(1000) }), &[]),
        "annotations": { "readOnlyHint": true }
    })
}

#[derive(Deserialize)]
struct Sleep {
    ms: Option<u64>,
}

fn sleep(call: Call) -> Outcome {
    call.with(|_, Sleep { ms }| {
        let ms = ms.unwrap_or(1000).min(600_000);
        Outcome::later(async move {
            tokio::time::sleep(Duration::from_millis(ms)).await;
            structured_result(json!({ "sleptMs": ms }))
        })
    })
}

fn hang_definition() -> Value {
    json!({
        "name": "hang",
        "title": "Hang",
        "description": "Never answers.",
        "inputSchema": { "type": "object", "properties": {} }
    })
}

fn hang(_: Call) -> Outcome {
    Outcome::later(pending())
}

fn drop_stream_definition() -> Value {
    json!({
        "name": "drop_stream",
        "title": "Drop the stream",
        "description": "Over HTTP in the initialize era: closes the event stream of this very request, and answers a while later. A client gets the answer when it comes back with Last-Event-ID (2025-11-25, polling). Elsewhere it only waits.",
        "inputSchema": object_schema(json!({ "ms": milliseconds_schema(500) }), &[])
    })
}

fn drop_stream(call: Call) -> Outcome {
    call.with(|context, Sleep { ms }| {
        Outcome::later(async move {
            if let Sink::Events(stream) = &context.sink
                && stream.offers_resumption()
            {
                context
                    .log(
                        Level::Notice,
                        json!("The stream ends here and goes on later."),
                    )
                    .await;
                stream.prime(100);
                stream.end_response();
            }
            tokio::time::sleep(Duration::from_millis(ms.unwrap_or(500).min(600_000))).await;
            text_result("You came back for this.")
        })
    })
}
