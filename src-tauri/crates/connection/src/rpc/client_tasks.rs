//! Tasks that a server makes of its questions (MCP 2025-11-25, Tasks): sampling and elicitation
//! with `params.task`. They are acknowledged at once, and the server asks for them with
//! `tasks/get`, `tasks/result`, `tasks/list` and `tasks/cancel` of its own.

use std::{collections::BTreeMap, sync::Mutex, time::Duration};

use chrono::{DateTime, SecondsFormat, Utc};
use serde_json::{Value, json};
use sightglass_json_text::{Members, quoted};
use tokio::sync::watch;

use crate::{ServerAnswer, sync::lock};

/// Tasks that are kept. Those that have ended go first, the oldest of them.
const MAX_TASKS: usize = 200;
/// Longest time that a task is kept, whatever the server asked for.
const MAX_TTL: Duration = Duration::from_hours(1);
/// Time that is suggested between two questions about a task, in milliseconds.
const POLL_INTERVAL_MS: u64 = 1000;
/// JSON-RPC: invalid parameters, which is also the code for a task that is not known.
const INVALID_PARAMS: i32 = -32602;

pub(crate) const RELATED_TASK: &str = "io.modelcontextprotocol/related-task";

/// The tasks of one connection.
#[derive(Default)]
pub(crate) struct ClientTasks {
    tasks: Mutex<BTreeMap<u64, ClientTask>>,
}

struct ClientTask {
    id: String,
    /// The JSON text of the id under which the server asked the question.
    wire_id: String,
    created: DateTime<Utc>,
    updated: DateTime<Utc>,
    ttl: Duration,
    /// Absent while the question waits for its answer.
    end: watch::Sender<Option<TaskEnd>>,
}

#[derive(Clone)]
enum TaskEnd {
    Answered(ServerAnswer),
    Cancelled,
}

/// Answer to a request about tasks.
pub(crate) enum TaskReply {
    Now(ServerAnswer),
    /// Comes when the task ends.
    Later(TaskResult),
}

/// Result of a task, once it has ended.
pub(crate) struct TaskResult {
    id: String,
    end: watch::Receiver<Option<TaskEnd>>,
}

impl TaskResult {
    /// Waits for the end of the task: its answer exactly as it would have been given, with the
    /// task in `_meta`.
    pub(crate) async fn wait(mut self) -> ServerAnswer {
        let end = self.end.wait_for(Option::is_some).await;
        let end = end.ok().and_then(|end| end.clone());
        match end {
            Some(TaskEnd::Answered(ServerAnswer::Result { json })) => ServerAnswer::Result {
                json: with_related_task(&json, &self.id),
            },
            Some(TaskEnd::Answered(error)) => error,
            Some(TaskEnd::Cancelled) | None => invalid("The task was cancelled"),
        }
    }
}

impl ClientTasks {
    /// Makes a task of a question. Returns its number here and the answer that announces it.
    /// `params` are those of the question.
    pub(crate) fn create(&self, wire_id: String, params: &str) -> (u64, ServerAnswer) {
        let wanted = Members::parse(params)
            .ok()
            .and_then(|params| params.object("task")?.text("ttl"))
            .and_then(|ttl| ttl.parse::<f64>().ok())
            .filter(|ttl| ttl.is_finite() && *ttl >= 0.0)
            .and_then(|ttl| Duration::try_from_secs_f64(ttl / 1000.0).ok());
        let now = Utc::now();
        let mut tasks = lock(&self.tasks);
        let number = tasks.keys().next_back().map_or(1, |last| last + 1);
        let task = ClientTask {
            // Nobody but the server of this connection can ask for it, so that it need not be
            // hard to guess.
            id: format!("question-{number}-{:08x}", fastrand::u32(..)),
            wire_id,
            created: now,
            updated: now,
            ttl: wanted.unwrap_or(MAX_TTL).min(MAX_TTL),
            end: watch::Sender::new(None),
        };
        let json = json!({ "task": task.facts() }).to_string();
        tasks.insert(number, task);
        (number, ServerAnswer::Result { json })
    }

    /// Ends a task: with the answer to its question, or without one, as the question was taken
    /// back. Returns the notification about it; `None` when it had ended before.
    pub(crate) fn end(&self, number: u64, answer: Option<ServerAnswer>) -> Option<String> {
        let mut tasks = lock(&self.tasks);
        let task = tasks.get_mut(&number)?;
        let end = answer.map_or(TaskEnd::Cancelled, TaskEnd::Answered);
        task.finish(end)?;
        let facts = task.facts();
        let ended: Vec<u64> = tasks
            .iter()
            .filter(|(_, task)| task.end.borrow().is_some())
            .map(|(number, _)| *number)
            .collect();
        for number in ended.iter().take(tasks.len().saturating_sub(MAX_TASKS)) {
            tasks.remove(number);
        }
        Some(
            json!({ "jsonrpc": "2.0", "method": "notifications/tasks/status", "params": facts })
                .to_string(),
        )
    }

    /// Answers a request of the server's about tasks. The second part is the id of the question
    /// that is to be taken back.
    pub(crate) fn answer(&self, method: &str, params: &str) -> (TaskReply, Option<String>) {
        let mut tasks = lock(&self.tasks);
        tasks.retain(|_, task| !task.is_expired());
        if method == "tasks/list" {
            let all: Vec<Value> = tasks.values().map(ClientTask::facts).collect();
            let json = json!({ "tasks": all }).to_string();
            return (TaskReply::Now(ServerAnswer::Result { json }), None);
        }
        let id = Members::parse(params)
            .ok()
            .and_then(|params| params.string("taskId"));
        let task = tasks
            .values_mut()
            .find(|task| Some(&task.id) == id.as_ref());
        let Some(task) = task else {
            let refusal = invalid("There is no such task: it never was, or its time is over");
            return (TaskReply::Now(refusal), None);
        };
        match method {
            "tasks/result" => {
                let result = TaskResult {
                    id: task.id.clone(),
                    end: task.end.subscribe(),
                };
                (TaskReply::Later(result), None)
            }
            "tasks/cancel" => {
                if task.finish(TaskEnd::Cancelled).is_none() {
                    let refusal = invalid("The task has ended already");
                    return (TaskReply::Now(refusal), None);
                }
                let json = task.facts().to_string();
                let withdrawn = Some(task.wire_id.clone());
                (TaskReply::Now(ServerAnswer::Result { json }), withdrawn)
            }
            _ => {
                let json = task.facts().to_string();
                (TaskReply::Now(ServerAnswer::Result { json }), None)
            }
        }
    }
}

impl ClientTask {
    /// Ends the task, unless it has ended.
    fn finish(&mut self, end: TaskEnd) -> Option<()> {
        if self.end.borrow().is_some() {
            return None;
        }
        self.updated = Utc::now();
        self.end.send_replace(Some(end));
        Some(())
    }

    /// True when it ended and its time is over. A question that waits stays.
    fn is_expired(&self) -> bool {
        let age = (Utc::now() - self.created).to_std().unwrap_or_default();
        self.end.borrow().is_some() && age > self.ttl
    }

    fn facts(&self) -> Value {
        let status = match &*self.end.borrow() {
            None => "working",
            Some(TaskEnd::Answered(ServerAnswer::Result { .. })) => "completed",
            Some(TaskEnd::Answered(ServerAnswer::Error { .. })) => "failed",
            Some(TaskEnd::Cancelled) => "cancelled",
        };
        let time = |time: DateTime<Utc>| time.to_rfc3339_opts(SecondsFormat::Millis, true);
        json!({
            "taskId": self.id,
            "status": status,
            "createdAt": time(self.created),
            "lastUpdatedAt": time(self.updated),
            "ttl": u64::try_from(self.ttl.as_millis()).unwrap_or(u64::MAX),
            "pollInterval": POLL_INTERVAL_MS,
        })
    }
}

fn invalid(message: &str) -> ServerAnswer {
    ServerAnswer::Error {
        code: INVALID_PARAMS,
        message: message.to_owned(),
    }
}

/// Adds the task to `_meta` of a result's text.
fn with_related_task(json: &str, id: &str) -> String {
    let related = format!(r#"{{"taskId":{}}}"#, quoted(id));
    match crate::Params::parse(json) {
        Ok(result) => result
            .with_meta(&[(RELATED_TASK, &related)])
            .text()
            .to_owned(),
        Err(_) => json.to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn json_of(reply: TaskReply) -> Value {
        match reply {
            TaskReply::Now(ServerAnswer::Result { json }) => serde_json::from_str(&json).unwrap(),
            TaskReply::Now(ServerAnswer::Error { code, .. }) => json!(code),
            TaskReply::Later(_) => panic!("it waits"),
        }
    }

    fn created(tasks: &ClientTasks, wire_id: &str) -> (u64, String) {
        let (number, answer) = tasks.create(wire_id.to_owned(), r#"{"task":{"ttl":60000}}"#);
        let id = json_of(TaskReply::Now(answer))["task"]["taskId"].clone();
        (number, id.as_str().unwrap().to_owned())
    }

    fn params(id: &str) -> String {
        json!({ "taskId": id }).to_string()
    }

    #[tokio::test]
    async fn the_result_comes_when_the_question_is_answered_and_names_the_task() {
        let tasks = ClientTasks::default();
        let (number, id) = created(&tasks, "7");
        let working = json_of(tasks.answer("tasks/get", &params(&id)).0);
        assert_eq!(
            (&working["status"], &working["ttl"]),
            (&json!("working"), &json!(60_000))
        );
        let (TaskReply::Later(result), None) = tasks.answer("tasks/result", &params(&id)) else {
            panic!("it waits");
        };
        let answer = ServerAnswer::Result {
            json: r#"{"action":"accept","content":{"n":1.50}}"#.to_owned(),
        };
        let told = tasks.end(number, Some(answer)).expect("it is told");
        assert!(told.contains(r#""status":"completed""#), "{told}");
        let ServerAnswer::Result { json } = result.wait().await else {
            panic!("a result");
        };
        assert!(json.contains(r#""content":{"n":1.50}"#), "{json}");
        assert!(json.contains(&id), "{json}");
        assert!(tasks.end(number, None).is_none(), "it has ended");
    }

    #[tokio::test]
    async fn a_cancelled_task_takes_its_question_back_and_has_no_result() {
        let tasks = ClientTasks::default();
        let (_, id) = created(&tasks, "\"q\"");
        let (reply, withdrawn) = tasks.answer("tasks/cancel", &params(&id));
        assert_eq!(json_of(reply)["status"], "cancelled");
        assert_eq!(withdrawn.as_deref(), Some("\"q\""));
        let (reply, withdrawn) = tasks.answer("tasks/cancel", &params(&id));
        assert_eq!((json_of(reply), withdrawn), (json!(-32602), None));
        let (TaskReply::Later(result), _) = tasks.answer("tasks/result", &params(&id)) else {
            panic!("it is there");
        };
        assert!(matches!(
            result.wait().await,
            ServerAnswer::Error { code: -32602, .. }
        ));
    }

    #[test]
    fn unknown_ids_are_refused_and_ended_tasks_do_not_pile_up() {
        let tasks = ClientTasks::default();
        for text in ["{}", "[]", r#"{"taskId":7}"#, r#"{"taskId":"other"}"#] {
            assert_eq!(
                json_of(tasks.answer("tasks/get", text).0),
                json!(-32602),
                "{text}"
            );
        }
        for wire_id in 0..MAX_TASKS + 50 {
            let (number, _) = created(&tasks, &wire_id.to_string());
            tasks.end(number, None);
        }
        let listed = json_of(tasks.answer("tasks/list", "{}").0);
        assert_eq!(listed["tasks"].as_array().map(Vec::len), Some(MAX_TASKS));
    }

    #[test]
    fn the_time_that_a_server_asks_for_is_bounded() {
        let tasks = ClientTasks::default();
        for (asked, ttl) in [
            ("1e300", 3_600_000),
            ("-1", 3_600_000),
            ("\"x\"", 3_600_000),
            ("0", 0),
        ] {
            let (_, answer) =
                tasks.create("1".to_owned(), &format!(r#"{{"task":{{"ttl":{asked}}}}}"#));
            assert_eq!(
                json_of(TaskReply::Now(answer))["task"]["ttl"],
                ttl,
                "{asked}"
            );
        }
    }
}
