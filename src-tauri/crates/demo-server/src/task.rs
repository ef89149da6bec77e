//! The tasks that a process keeps, as values: their status, their questions and their end. What is
//! done with them is in [`tasks`](crate::tasks).

use std::{
    collections::HashMap,
    sync::{Arc, Mutex},
    time::{Duration, Instant},
};

use chrono::{DateTime, SecondsFormat, Utc};
use serde_json::{Map, Value, json};
use tokio::sync::watch;
use tokio_util::sync::CancellationToken;

use crate::{lock::lock, message::RpcError, protocol::Era, question::Question};

/// Tasks that are kept; a new one is refused when all of them are under way.
const MAX_TASKS: usize = 1000;
/// Time for which a task is kept when the client does not say.
const TTL: Duration = Duration::from_mins(5);
/// Longest time that a client may ask for.
const MAX_TTL: Duration = Duration::from_hours(1);
/// Time between two questions that is suggested to clients, in milliseconds.
const POLL_INTERVAL_MS: u64 = 500;

/// The tasks of one process.
#[derive(Default)]
pub struct TaskList(Mutex<HashMap<String, Arc<Task>>>);

impl TaskList {
    /// Keeps a task; `None` when there are too many.
    pub fn add(&self, task: Task) -> Option<Arc<Task>> {
        let mut tasks = lock(&self.0);
        tasks.retain(|_, task| !task.is_expired());
        if tasks.len() >= MAX_TASKS {
            return None;
        }
        let task = Arc::new(task);
        tasks.insert(task.id.clone(), task.clone());
        Some(task)
    }

    /// Returns the task with this id, unless its time is over.
    pub fn get(&self, id: &str) -> Option<Arc<Task>> {
        let task = lock(&self.0).get(id).cloned();
        task.filter(|task| !task.is_expired())
    }

    /// Returns the facts of all tasks, the oldest first.
    pub fn facts(&self) -> Vec<Value> {
        let mut tasks = lock(&self.0);
        tasks.retain(|_, task| !task.is_expired());
        let mut known: Vec<&Arc<Task>> = tasks.values().collect();
        known.sort_by_key(|task| task.created.1);
        known.into_iter().map(|task| task.facts()).collect()
    }
}

/// One task.
pub struct Task {
    pub id: String,
    pub era: Era,
    created: (DateTime<Utc>, Instant),
    ttl: Duration,
    state: watch::Sender<TaskState>,
    pub cancelled: CancellationToken,
}

/// State of a task.
#[derive(Clone)]
pub struct TaskState {
    pub status: &'static str,
    pub message: String,
    updated: DateTime<Utc>,
    /// The questions without an answer so far.
    pub questions: Vec<Question>,
    pub answers: Map<String, Value>,
    /// The end of the work.
    pub end: Option<Result<Value, RpcError>>,
}

impl Task {
    /// Makes a task that has begun. `wish` is `params.task`.
    pub fn new(id: String, era: Era, wish: Option<&Value>) -> Task {
        let asked = wish.and_then(|wish| wish.get("ttl")?.as_u64());
        let now = Utc::now();
        Task {
            id,
            era,
            created: (now, Instant::now()),
            ttl: asked.map_or(TTL, Duration::from_millis).min(MAX_TTL),
            state: watch::Sender::new(TaskState {
                status: "working",
                message: "Started".to_owned(),
                updated: now,
                questions: Vec::new(),
                answers: Map::new(),
                end: None,
            }),
            cancelled: CancellationToken::new(),
        }
    }

    /// Follows the state.
    pub fn states(&self) -> watch::Receiver<TaskState> {
        self.state.subscribe()
    }

    /// Changes the state.
    pub fn update(&self, change: impl FnOnce(&mut TaskState)) {
        self.state.send_modify(|state| {
            change(state);
            state.updated = Utc::now();
        });
    }

    /// True when it has ended.
    pub fn is_over(&self) -> bool {
        matches!(
            self.state.borrow().status,
            "completed" | "failed" | "cancelled"
        )
    }

    fn is_expired(&self) -> bool {
        self.created.1.elapsed() > self.ttl
    }

    /// The members that both formats have, each in its words.
    pub fn facts(&self) -> Value {
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
    pub fn status(&self) -> Value {
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
}
