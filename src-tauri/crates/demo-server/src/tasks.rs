//! Tasks in both formats: MCP 2025-11-25, where the client asks for one, and the extension
//! (SEP-2663), where the server decides. They belong to the process, so that a client finds them
//! again over a new connection.

use std::sync::Arc;

use serde_json::{Map, Value, json};

use crate::{
    context::{Context, Outcome, Reply},
    listeners::Change,
    message::{Message, RpcError},
    protocol::{Era, code},
    question::Question,
    task::{Task, TaskState},
};

/// Identifier of the extension.
pub const TASKS_EXTENSION: &str = "io.modelcontextprotocol/tasks";
const RELATED_TASK: &str = "io.modelcontextprotocol/related-task";

/// Returns true when the client declared, in the form of its era, that it takes tasks.
fn is_declared(context: &Context) -> bool {
    match context.era {
        // Every call of this era says for itself whether it is to become a task.
        Era::Initialize => true,
        Era::Modern => context
            .capabilities
            .get("extensions")
            .is_some_and(|extensions| extensions.get(TASKS_EXTENSION).is_some()),
    }
}

/// Refusal of what needs the extension (SEP-2663).
pub fn missing_capability(message: &str) -> RpcError {
    RpcError::new(code::MISSING_CLIENT_CAPABILITY, message)
        .with_data(json!({ "requiredCapabilities": { "extensions": { TASKS_EXTENSION: {} } } }))
}

/// Returns true when a call of a tool becomes a task: as the client asks in the older format, as it
/// declares in the extension.
pub fn becomes_task(context: &Context, wish: Option<&Value>) -> bool {
    match context.era {
        Era::Initialize => wish.is_some(),
        Era::Modern => is_declared(context),
    }
}

/// Refuses a call that cannot become a task, of a tool that runs as one only.
pub fn refuse_without_task(context: &Context, wish: Option<&Value>) -> Option<Outcome> {
    let message = "This tool runs as a task only";
    let refusal = match context.era {
        Era::Initialize => RpcError::new(code::METHOD_NOT_FOUND, message),
        Era::Modern => missing_capability(message),
    };
    (!becomes_task(context, wish)).then(|| refusal.into())
}

/// Makes a task of `work` and returns the answer that announces it. `wish` is `params.task`.
pub fn begin<W>(context: &Context, wish: Option<&Value>, work: impl FnOnce(Arc<Task>) -> W) -> Reply
where
    W: Future<Output = Result<Value, RpcError>> + Send + 'static,
{
    let server = &context.server;
    let task = Task::new(server.unguessable("task"), context.era, wish);
    let Some(task) = server.tasks().add(task) else {
        let full = RpcError::new(code::INTERNAL_ERROR, "Too many tasks are under way");
        return Reply::Error(full);
    };
    let announced = match context.era {
        Era::Initialize => json!({ "task": task.facts() }),
        Era::Modern => {
            let mut facts = task.facts();
            facts["resultType"] = json!("task");
            facts
        }
    };
    let (work, context, running) = (work(task.clone()), context.clone(), task);
    tokio::spawn(async move {
        tokio::select! {
            () = running.cancelled.cancelled() => {}
            end = work => running.end(&context, end).await,
        }
    });
    Reply::Result(announced)
}

/// Handles a request about tasks; `None` where the era has no such method.
pub fn handle(
    context: Context,
    method: &str,
    id: Option<&str>,
    responses: Map<String, Value>,
) -> Option<Outcome> {
    let is_legacy = context.era == Era::Initialize;
    if method == "tasks/list" && is_legacy {
        let all = context.server.tasks().facts();
        return Some(Reply::Result(json!({ "tasks": all })).into());
    }
    let is_known = match method {
        "tasks/get" | "tasks/cancel" => true,
        "tasks/result" => is_legacy,
        "tasks/update" => !is_legacy,
        _ => false,
    };
    if !is_known {
        return None;
    }
    if !is_declared(&context) {
        return Some(missing_capability("Missing required client capability").into());
    }
    let Some(task) = id.and_then(|id| context.server.tasks().get(id)) else {
        let unknown = RpcError::invalid_params("Failed to retrieve task: Task not found");
        return Some(unknown.into());
    };
    Some(match method {
        "tasks/get" => Reply::Result(task.status()).into(),
        "tasks/cancel" => cancel(context, task),
        "tasks/update" => Outcome::later(async move {
            task.answered(&context, responses).await;
            Reply::Fields(Vec::new())
        }),
        _ => Outcome::later(async move { task.result(&context).await }),
    })
}

fn cancel(context: Context, task: Arc<Task>) -> Outcome {
    Outcome::later(async move {
        if task.is_over() && context.era == Era::Modern {
            // An acknowledgement whatever the status (SEP-2663, cancellation).
            return Reply::Fields(Vec::new());
        }
        if task.is_over() {
            let status = task.states().borrow().status;
            return Reply::Error(RpcError::invalid_params(format!(
                "Cannot cancel task: already in terminal status '{status}'"
            )));
        }
        task.cancelled.cancel();
        task.change(&context, |state| {
            state.status = "cancelled";
            state.message = "Cancelled by the client".to_owned();
        })
        .await;
        match context.era {
            Era::Initialize => Reply::Result(task.facts()),
            Era::Modern => Reply::Fields(Vec::new()),
        }
    })
}

impl Task {
    /// Says how far the work is.
    pub async fn report(&self, context: &Context, message: String) {
        self.change(context, |state| state.message = message).await;
    }

    /// Asks the client several things at once and waits for all answers, by the questions' keys.
    pub async fn ask(&self, context: &Context, questions: Vec<Question>) -> Map<String, Value> {
        self.change(context, |state| {
            state.status = "input_required";
            state.questions = questions;
        })
        .await;
        let mut states = self.states();
        let answered = states.wait_for(|state| state.questions.is_empty()).await;
        answered
            .map(|state| state.answers.clone())
            .unwrap_or_default()
    }

    async fn end(&self, context: &Context, end: Result<Value, RpcError>) {
        let is_error = match &end {
            Ok(result) => result.get("isError") == Some(&Value::Bool(true)),
            Err(_) => true,
        };
        self.change(context, |state| {
            // In the older format a result with `isError` is a task that failed.
            state.status = match (self.era, &end) {
                (Era::Modern, Ok(_)) => "completed",
                _ if is_error => "failed",
                _ => "completed",
            };
            state.message = "Finished".to_owned();
            state.end = Some(end);
        })
        .await;
    }

    /// Changes the state, and tells those who listen.
    async fn change(&self, context: &Context, change: impl FnOnce(&mut TaskState)) {
        self.update(change);
        match self.era {
            Era::Initialize => {
                let told = Message::notification("notifications/tasks/status", &self.facts());
                context.connection.home().broadcast(told).await;
            }
            Era::Modern => {
                let change = Change::Task(self.id.clone(), self.status());
                context.server.listeners().tell(&change).await;
            }
        }
    }

    /// Takes the answers to questions that are open; others are ignored, as is said there.
    async fn answered(&self, context: &Context, answers: Map<String, Value>) {
        self.change(context, |state| {
            for (key, answer) in answers {
                let open = state.questions.len();
                state.questions.retain(|question| question.key != key);
                if state.questions.len() < open {
                    state.answers.insert(key, answer);
                }
            }
            if state.status == "input_required" && state.questions.is_empty() {
                state.status = "working";
            }
        })
        .await;
    }

    /// The answer to `tasks/result`, when the task has ended. Until then its questions are asked
    /// on the stream of this request.
    async fn result(&self, context: &Context) -> Reply {
        let related = json!({ RELATED_TASK: { "taskId": self.id } });
        let mut states = self.states();
        loop {
            let state = states.borrow_and_update().clone();
            match state.end {
                Some(Ok(mut result)) => {
                    result["_meta"] = related;
                    return Reply::Result(result);
                }
                Some(Err(error)) => return Reply::Error(error),
                None => {}
            }
            if state.status == "cancelled" {
                return Reply::Error(RpcError::invalid_params("The task was cancelled"));
            }
            if let Some(mut question) = state.questions.into_iter().next() {
                question.params["_meta"] = related.clone();
                let sink = match &context.sink {
                    crate::sink::Sink::Nowhere => context.connection.home(),
                    sink => sink,
                };
                let asked = context
                    .connection
                    .ask(sink, question.method, &question.params);
                tokio::select! {
                    answer = asked => {
                        let answer = match answer {
                            Some(Ok(answer)) => answer,
                            Some(Err(error)) => json!({ "error": error }),
                            None => return Reply::Silence,
                        };
                        let answers = Map::from_iter([(question.key, answer)]);
                        self.answered(context, answers).await;
                    }
                    () = self.cancelled.cancelled() => {}
                }
            } else if states.changed().await.is_err() {
                return Reply::Silence;
            }
        }
    }
}
