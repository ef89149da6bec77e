//! Tools that the official conformance suite asks for in its scenarios of the tasks extension
//! (`@modelcontextprotocol/conformance`, `tasks-*`). They are listed with `--conformance`.

use std::{sync::Arc, time::Duration};

use serde::Deserialize;
use serde_json::{Value, json};

use super::{Call, Tool, object_schema, text_result, unanswered_result};
use crate::{
    context::{Context, Outcome, Reply},
    message::RpcError,
    protocol::code,
    question::Question,
    task::Task,
    tasks::{self, becomes_task, refuse_without_task},
};

pub fn tools() -> Vec<Tool> {
    vec![
        Tool::new("greet", greet_definition, greet),
        Tool::new("slow_compute", slow_compute_definition, slow_compute),
        Tool::new("failing_job", failing_job_definition, failing_job),
        Tool::new(
            "protocol_error_job",
            protocol_error_definition,
            protocol_error,
        ),
        Tool::new("confirm_delete", confirm_definition, confirm),
        Tool::new("multi_input", multi_input_definition, multi_input),
        Tool::new("test_tool_with_task", with_task_definition, with_task),
    ]
}

fn definition(name: &str, description: &str, properties: Value, support: Option<&str>) -> Value {
    let mut definition = json!({
        "name": name,
        "description": description,
        "inputSchema": object_schema(properties, &[]),
    });
    if let Some(support) = support {
        definition["execution"] = json!({ "taskSupport": support });
    }
    definition
}

/// Makes a task of the call, where the client takes tasks; otherwise the work is done at once.
fn optional<W>(call: &Call, work: impl FnOnce(Context) -> W + Send + 'static) -> Outcome
where
    W: Future<Output = Result<Value, RpcError>> + Send + 'static,
{
    let context = call.context.clone();
    if becomes_task(&context, call.task.as_ref()) {
        return begin(call, |_| work(context));
    }
    Outcome::later(async move {
        match work(context).await {
            Ok(result) => Reply::Result(result),
            Err(error) => Reply::Error(error),
        }
    })
}

fn begin<W>(call: &Call, work: impl FnOnce(Arc<Task>) -> W) -> Outcome
where
    W: Future<Output = Result<Value, RpcError>> + Send + 'static,
{
    tasks::begin(&call.context, call.task.as_ref(), work).into()
}

fn text(text: impl Into<String>) -> Value {
    let text: String = text.into();
    json!({ "content": [{ "type": "text", "text": text }] })
}

fn greet_definition() -> Value {
    let properties = json!({ "name": { "type": "string" } });
    definition("greet", "Greets somebody, at once.", properties, None)
}

#[derive(Deserialize)]
struct NameArguments {
    name: Option<String>,
}

fn greet(call: Call) -> Outcome {
    call.with(|_, NameArguments { name }| {
        text_result(format!("Hello, {}!", name.unwrap_or_default())).into()
    })
}

fn slow_compute_definition() -> Value {
    let properties = json!({ "seconds": { "type": "number", "minimum": 0, "maximum": 600 } });
    definition(
        "slow_compute",
        "Computes for a while.",
        properties,
        Some("optional"),
    )
}

#[derive(Deserialize)]
struct Seconds {
    seconds: Option<f64>,
}

fn slow_compute(call: Call) -> Outcome {
    let asked: Result<Seconds, _> = serde_json::from_str(call.arguments_text());
    let seconds = asked.ok().and_then(|asked| asked.seconds).unwrap_or(1.0);
    optional(&call, move |_| async move {
        let pause = Duration::try_from_secs_f64(seconds.clamp(0.0, 600.0));
        tokio::time::sleep(pause.unwrap_or_default()).await;
        Ok(text(format!("Computed for {seconds} s.")))
    })
}

fn failing_job_definition() -> Value {
    let description = "Fails after a second, with a result that says so.";
    definition("failing_job", description, json!({}), Some("required"))
}

fn failing_job(call: Call) -> Outcome {
    if let Some(refusal) = refuse_without_task(&call.context, call.task.as_ref()) {
        return refusal;
    }
    begin(&call, |_| async {
        tokio::time::sleep(Duration::from_secs(1)).await;
        let mut result = text("The job failed.");
        result["isError"] = json!(true);
        Ok(result)
    })
}

fn protocol_error_definition() -> Value {
    let description = "Fails with an error of the protocol.";
    definition(
        "protocol_error_job",
        description,
        json!({}),
        Some("optional"),
    )
}

fn protocol_error(call: Call) -> Outcome {
    optional(&call, |_| async {
        Err(RpcError::new(code::INTERNAL_ERROR, "The job broke down."))
    })
}

fn confirm_definition() -> Value {
    let properties = json!({ "filename": { "type": "string" } });
    let description = "Asks before it pretends to delete a file.";
    definition("confirm_delete", description, properties, Some("optional"))
}

fn confirm(call: Call) -> Outcome {
    ask_as_task(&call, vec![Question::form("confirm", "Delete the file?")])
}

fn multi_input_definition() -> Value {
    let description = "Asks two things at once.";
    definition("multi_input", description, json!({}), Some("optional"))
}

fn multi_input(call: Call) -> Outcome {
    let questions = vec![
        Question::form("first", "The first thing?"),
        Question::form("second", "The second thing?"),
    ];
    ask_as_task(&call, questions)
}

fn ask_as_task(call: &Call, questions: Vec<Question>) -> Outcome {
    if let Some(refusal) = refuse_without_task(&call.context, call.task.as_ref()) {
        return refusal;
    }
    let context = call.context.clone();
    begin(call, |task| async move {
        let answers = task.ask(&context, questions).await;
        Ok(text(Value::Object(answers).to_string()))
    })
}

fn with_task_definition() -> Value {
    let description = "Asks for a name in a round of its own, then works as a task.";
    definition(
        "test_tool_with_task",
        description,
        json!({}),
        Some("required"),
    )
}

fn with_task(call: Call) -> Outcome {
    if let Some(refusal) = refuse_without_task(&call.context, call.task.as_ref()) {
        return refusal;
    }
    Outcome::later(async move {
        let mut question = Question::form("user_name", "What is your name?");
        question.params["requestedSchema"] =
            object_schema(json!({ "name": { "type": "string" } }), &["name"]);
        let answer = match call.context.ask(question).await {
            Ok(answer) => answer,
            Err(unanswered) => return unanswered_result(&call.context, unanswered),
        };
        let begun = begin(&call, |_| async move {
            Ok(text(format!("Done for {}.", answer["content"])))
        });
        match begun {
            Outcome::Now(reply) => reply,
            Outcome::Later(work) => work.await,
        }
    })
}
