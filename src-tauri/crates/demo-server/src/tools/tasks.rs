//! Tools that become tasks, and one that makes a task of a question to the client.

use std::time::Duration;

use serde::Deserialize;
use serde_json::{Value, json};

use super::{Call, Tool, error_result, object_schema, structured_result, text_result};
use crate::{
    context::{Context, Outcome, Reply},
    protocol::Era,
    question::{Ability, Question},
    sink::Sink,
    tasks::{self, becomes_task, refuse_without_task},
};

/// Time between two questions about a task of the client.
const POLL_INTERVAL: Duration = Duration::from_millis(200);

pub(super) fn tools() -> Vec<Tool> {
    vec![
        Tool::new("background_work", optional_definition, optional),
        Tool::new("background_only", required_definition, required),
        Tool::new("ask_as_task", ask_definition, ask),
    ]
}

fn schema() -> Value {
    object_schema(
        json!({
            "steps": { "type": "integer", "minimum": 1, "maximum": 1000, "default": 5 },
            "ms": { "type": "integer", "minimum": 0, "maximum": 600_000, "default": 5000, "description": "Milliseconds in all" },
            "ask": { "type": "boolean", "default": false, "description": "Asks a question half-way" },
            "fail": { "type": "boolean", "default": false, "description": "Ends with an error" }
        }),
        &[],
    )
}

fn optional_definition() -> Value {
    json!({
        "name": "background_work",
        "title": "Work in the background",
        "description": "Works in steps: as a task where the client asks for one or takes one, otherwise at once.",
        "inputSchema": schema(),
        "execution": { "taskSupport": "optional" },
        "annotations": { "readOnlyHint": true }
    })
}

fn required_definition() -> Value {
    json!({
        "name": "background_only",
        "title": "Work as a task only",
        "description": "Works in steps, and only as a task: another call of it is refused.",
        "inputSchema": schema(),
        "execution": { "taskSupport": "required" },
        "annotations": { "readOnlyHint": true }
    })
}

#[derive(Deserialize)]
struct WorkArguments {
    steps: Option<u32>,
    ms: Option<u64>,
    #[serde(default)]
    ask: bool,
    #[serde(default)]
    fail: bool,
}

fn optional(call: Call) -> Outcome {
    let is_task = becomes_task(&call.context, call.task.as_ref());
    let wish = call.task.clone();
    call.with(|context, work| match is_task {
        true => begin(&context, wish.as_ref(), work).into(),
        false => Outcome::later(async move {
            let steps = work.steps.unwrap_or(5).clamp(1, 1000);
            for step in 1..=steps {
                tokio::time::sleep(work.pause(steps)).await;
                let text = format!("Step {step} of {steps}");
                context.progress(step.into(), steps.into(), &text).await;
            }
            text_result(format!("Finished {steps} steps at once."))
        }),
    })
}

fn required(call: Call) -> Outcome {
    if let Some(refusal) = refuse_without_task(&call.context, call.task.as_ref()) {
        return refusal;
    }
    let wish = call.task.clone();
    call.with(|context, work| begin(&context, wish.as_ref(), work).into())
}

impl WorkArguments {
    fn pause(&self, steps: u32) -> Duration {
        Duration::from_millis(self.ms.unwrap_or(5000).min(600_000)) / steps
    }
}

/// Begins the work as a task.
fn begin(context: &Context, wish: Option<&Value>, work: WorkArguments) -> Reply {
    let mut context = context.clone();
    // The stream of the call ends with the answer that announces the task.
    if let Sink::Events(_) | Sink::Nowhere = context.sink {
        context.sink = context.connection.home().clone();
    }
    let working = context.clone();
    tasks::begin(&context, wish, |task| async move {
        let context = working;
        let steps = work.steps.unwrap_or(5).clamp(1, 1000);
        let mut answer = Value::Null;
        for step in 1..=steps {
            tokio::time::sleep(work.pause(steps)).await;
            let text = format!("Step {step} of {steps}");
            context.progress(step.into(), steps.into(), &text).await;
            task.report(&context, text).await;
            if work.ask && step == steps.div_ceil(2) {
                let question = Question::form("answer", "Which way shall the work go on?");
                let mut answers = task.ask(&context, vec![question]).await;
                answer = answers.remove("answer").unwrap_or_default();
            }
        }
        let reply = match work.fail {
            true => error_result("The work failed, as it was asked to."),
            false => structured_result(json!({ "steps": steps, "answer": answer })),
        };
        match reply {
            Reply::Result(result) => Ok(result),
            _ => Ok(json!({ "content": [] })),
        }
    })
}

fn ask_definition() -> Value {
    json!({
        "name": "ask_as_task",
        "title": "Ask as a task",
        "description": "Asks the user to fill in a form, and makes a task of the question (2025-11-25): the client says at once that it is a task, and is asked for its result.",
        "inputSchema": { "type": "object", "properties": {} }
    })
}

fn ask(call: Call) -> Outcome {
    let context = call.context;
    let is_declared = context
        .capabilities
        .pointer("/tasks/requests/elicitation/create")
        .is_some();
    if context.era == Era::Modern || !is_declared {
        let text = "This client did not declare that it takes questions as tasks.";
        return error_result(text).into();
    }
    Outcome::later(async move {
        match ask_as_task(&context).await {
            Some(answer) => structured_result(answer),
            None => Reply::Silence,
        }
    })
}

async fn ask_as_task(context: &Context) -> Option<Value> {
    let sink = match &context.sink {
        Sink::Nowhere => context.connection.home(),
        sink => sink,
    };
    let mut question = Question::form("answer", "This question is a task. What is your answer?");
    debug_assert_eq!(question.needs, Ability::ElicitationForm);
    question.params["task"] = json!({ "ttl": 600_000 });
    let connection = &context.connection;
    let created = connection
        .ask(sink, question.method, &question.params)
        .await?;
    let Some(id) = created
        .as_ref()
        .ok()
        .and_then(|created| created.pointer("/task/taskId"))
    else {
        return Some(json!({ "refused": created.unwrap_or_else(|error| error) }));
    };
    let params = json!({ "taskId": id });
    let mut asked = 0;
    loop {
        let status = connection.ask(sink, "tasks/get", &params).await?;
        asked += 1;
        let status = status.unwrap_or_else(|error| error);
        if status["status"] != "working" {
            let result = connection.ask(sink, "tasks/result", &params).await?;
            let result = result.unwrap_or_else(|error| error);
            return Some(json!({ "status": status["status"], "asked": asked, "result": result }));
        }
        tokio::time::sleep(POLL_INTERVAL).await;
    }
}
