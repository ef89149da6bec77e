//! Tasks in both formats: MCP 2025-11-25, where the client asks for one, and the extension
//! (SEP-2663), where the server decides. They belong to the process, so that a client finds them
//! again over a new connection.

use std::{
    collections::HashMap,
    sync::{Arc, Mutex},
    time::{Duration, Instant},
};

use chrono::{DateTime, SecondsFormat, Utc};
use serde_json::{Map, Value, json};
use tokio::sync::watch;
use tokio_util::sync::CancellationToken;

use crate::{
    context::{Context, Outcome, Question, Reply},
    listeners::Change,
    lock::lock,
    message::{Message, RpcError},
    protocol::{Era, code},
};

/// Tasks that are kept; a new one is refused when all of them are under way.
const MAX_TASKS: usize = 1000;
/// Time for which a task is kept when the client does not say.
const TTL: Duration = Duration::from_mins(5);
/// Longest time that a client may ask for.
const MAX_TTL: Duration = Duration::from_hours(1);
/// Time between two questions that is suggested to clients, in milliseconds.
const POLL_INTERVAL_MS: u64 = 500;
/// Identifier of the extension.
pub const TASKS_EXTENSION: &str = "io.modelcontextprotocol/tasks";
const RELATED_TASK: &str = "io.modelcontextprotocol/related-task";

/// The tasks of one process.
#[derive(Default)]
pub struct Tasks(Mutex<HashMap<String, Arc<Task>>>);

/// One task.
pub struct Task {
    pub id: String,
    era: Era,
    created: (DateTime<Utc>, Instant),
    ttl: Duration,
    state: watch::Sender<State>,
    pub cancelled: CancellationToken,
}

#[derive(Clone)]
struct State {
    status: &'static str,
    message: String,
    updated: DateTime<Utc>,
    /// The questions without an answer so far.
    questions: Vec<Question>,
    answers: Map<String, Value>,
    /// The end of the work.
    end: Option<Result<Value, RpcError>>,
}

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

impl Tasks {
    /// Makes a task of `work` and returns the answer that announces it. `wish` is `params.task`.
    pub fn begin<W>(
        &self,
        context: &Context,
        wish: Option<&Value>,
        work: impl FnOnce(Arc<Task>) -> W,
    ) -> Reply
    where
        W: Future<Output = Result<Value, RpcError>> + Send + 'static,
    {
        let asked = wish.and_then(|wish| wish.get("ttl")?.as_u64());
        let now = Utc::now();
        let task = Arc::new(Task {
            id: context.server.unguessable("task"),
            era: context.era,
            created: (now, Instant::now()),
            ttl: asked.map_or(TTL, Duration::from_millis).min(MAX_TTL),
            state: watch::Sender::new(State {
                status: "working",
                message: "Started".to_owned(),
                updated: now,
                questions: Vec::new(),
                answers: Map::new(),
                end: None,
            }),
            cancelled: CancellationToken::new(),
        });
        {
            let mut tasks = lock(&self.0);
            tasks.retain(|_, task| !task.is_expired());
            if tasks.len() >= MAX_TASKS {
                let full = RpcError::new(code::INTERNAL_ERROR, "Too many tasks are under way");
                return Reply::Error(full);
            }
            tasks.insert(task.id.clone(), task.clone());
        }
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
        &self,
        context: Context,
        method: &str,
        id: Option<&str>,
        responses: Map<String, Value>,
    ) -> Option<Outcome> {
        let is_legacy = context.era == Era::Initialize;
        if method == "tasks/list" && is_legacy {
            let mut tasks = lock(&self.0);
            tasks.retain(|_, task| !task.is_expired());
            let mut known: Vec<&Arc<Task>> = tasks.values().collect();
            known.sort_by_key(|task| task.created.1);
            let all: Vec<Value> = known.into_iter().map(|task| task.facts()).collect();
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
        let task = id.and_then(|id| lock(&self.0).get(id).cloned());
        let Some(task) = task.filter(|task| !task.is_expired()) else {
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
}

fn cancel(context: Context, task: Arc<Task>) -> Outcome {
    Outcome::later(async move {
        if task.is_over() && context.era == Era::Modern {
            // An acknowledgement whatever the status (SEP-2663, cancellation).
            return Reply::Fields(Vec::new());
        }
        if task.is_over() {
            let status = task.state.borrow().status;
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
        let mut states = self.state.subscribe();
        // The sender is this task's own.
        let _ = states.wait_for(|state| state.questions.is_empty()).await;
        self.state.borrow().answers.clone()
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
    async fn change(&self, context: &Context, change: impl FnOnce(&mut State)) {
        self.state.send_modify(|state| {
            change(state);
            state.updated = Utc::now();
        });
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

    fn is_over(&self) -> bool {
        matches!(
            self.state.borrow().status,
            "completed" | "failed" | "cancelled"
        )
    }

    fn is_expired(&self) -> bool {
        self.created.1.elapsed() > self.ttl
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

    /// What both formats say of a task, each in its words.
    fn facts(&self) -> Value {
        let state = self.state.borrow();
        let (ttl, poll) = match self.era {
            Era::Initialize => ("ttl", "pollInterval"),
            Era::Modern => ("ttlMs", "pollIntervalMs"),
        };
        let time = |time: DateTime<Utc>| time.to_rfc3339_opts(SecondsFormat::Millis, true);
        json!({
            "taskId": self.id,
            "status": state.status,
            "statusMessage": state.message,
            "createdAt": time(self.created.0),
            "lastUpdatedAt": time(state.updated),
            ttl: u64::try_from(self.ttl.as_millis()).unwrap_or(u64::MAX),
            poll: POLL_INTERVAL_MS,
        })
    }

    /// The answer to `tasks/get`: in the extension with the questions or the result.
    fn status(&self) -> Value {
        let mut facts = self.facts();
        if self.era == Era::Modern {
            let state = self.state.borrow();
            if !state.questions.is_empty() {
                let asked = |question: &Question| {
                    let asked = json!({ "method": question.method, "params": question.params });
                    (question.key.clone(), asked)
                };
                let requests: Map<String, Value> = state.questions.iter().map(asked).collect();
                facts["inputRequests"] = Value::Object(requests);
            }
            match &state.end {
                Some(Ok(result)) => {
                    facts["result"] = result.clone();
                    facts["result"]["resultType"] = json!("complete");
                }
                Some(Err(error)) => {
                    facts["error"] = json!({ "code": error.code, "message": error.message });
                }
                None => {}
            }
        }
        facts
    }

    /// The answer to `tasks/result`, when the task has ended. Until then its questions are asked
    /// on the stream of this request.
    async fn result(&self, context: &Context) -> Reply {
        let related = json!({ RELATED_TASK: { "taskId": self.id } });
        let mut states = self.state.subscribe();
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
