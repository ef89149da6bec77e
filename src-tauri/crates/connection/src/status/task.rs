//! Tasks as servers describe them, in either format.
//!
//! MCP 2025-11-25 (Basic, Utilities, Tasks) has the client ask for a task; in the extension
//! (SEP-2663, MCP 2026-07-28) the server makes one of its own accord. The members differ in
//! little: `ttl` and `pollInterval` there, `ttlMs` and `pollIntervalMs` here.

use memchr::memmem;
use serde::{Deserialize, Serialize};
use serde_json::value::RawValue;
use sightglass_json_text::Members;
use sightglass_traffic::TaskStatus;

/// Longest id of a task that is taken: it is kept, shown and sent with every question about it.
const MAX_ID_BYTES: usize = 1024;

/// Facts of a task as its server wrote them. A member that has another type than the protocol
/// says is absent.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, specta::Type)]
#[serde(rename_all = "camelCase")]
pub struct TaskFacts {
    pub id: String,
    pub status: TaskStatus,
    /// `statusMessage`.
    pub message: Option<String>,
    /// Milliseconds from its creation for which the server keeps it; `None` without a limit.
    pub ttl_ms: Option<f64>,
    /// Milliseconds that the server wants between two questions about it.
    pub poll_interval_ms: Option<f64>,
    /// `createdAt` as it came: ISO 8601 by the server's clock.
    pub created_at: Option<String>,
}

/// Name of the request that waits for a task's result, and so of the call that the questions of
/// the task belong to.
pub fn task_call(id: &str) -> String {
    format!("task {id}")
}

/// Questions of a task that needs input (SEP-2663, `inputRequests`), by their keys.
pub type TaskQuestions = Vec<(String, TaskQuestion)>;

/// One question of a task.
#[derive(Debug, Clone, PartialEq)]
pub struct TaskQuestion {
    pub method: String,
    /// JSON text.
    pub params: String,
}

impl TaskFacts {
    /// Reads the task that a response creates: `result.task`, or a result with `resultType`
    /// `task`. `None` for any other response.
    pub fn created(response: &[u8]) -> Option<Self> {
        // Few results create a task, and parsing large ones takes long.
        memmem::find(response, b"\"taskId\"")?;
        let response = std::str::from_utf8(response).ok()?;
        let result = Members::parse(response).ok()?.text("result")?;
        let members = Members::parse(result).ok()?;
        if members.string("resultType").as_deref() == Some("task") {
            return Self::read(result);
        }
        // A result that has content is one, whatever else it says.
        match (members.given("task"), members.given("content")) {
            (Some(task), None) => Self::read(task),
            _ => None,
        }
    }

    /// Reads a task from the text of an object: a result of `tasks/get` or `tasks/cancel`, an
    /// entry of `tasks/list`, the parameters of a notification. `None` without an id or a known
    /// status.
    pub fn read(object: &str) -> Option<Self> {
        let members = Members::parse(object).ok()?;
        let number = |names: [&str; 2]| {
            let text = names.into_iter().find_map(|name| members.given(name))?;
            text.parse::<f64>()
                .ok()
                .filter(|number| number.is_finite() && *number >= 0.0)
        };
        let id = members.string("taskId")?;
        if id.is_empty() || id.len() > MAX_ID_BYTES {
            return None;
        }
        Some(Self {
            id,
            status: serde_json::from_str(members.text("status")?).ok()?,
            message: members.string("statusMessage"),
            ttl_ms: number(["ttlMs", "ttl"]),
            poll_interval_ms: number(["pollIntervalMs", "pollInterval"]),
            created_at: members.string("createdAt"),
        })
    }

    /// Returns true when the task has ended, so that its status is the last.
    pub fn is_over(&self) -> bool {
        is_over(self.status)
    }
}

/// Returns true for the status of a task that has ended.
pub fn is_over(status: TaskStatus) -> bool {
    match status {
        TaskStatus::Working | TaskStatus::InputRequired => false,
        TaskStatus::Completed | TaskStatus::Failed | TaskStatus::Cancelled => true,
    }
}

/// Reads the questions of a task from the text of its object; none where it asks nothing.
pub fn task_questions(object: &str) -> TaskQuestions {
    #[derive(Deserialize)]
    struct InputQuestion<'a> {
        method: String,
        #[serde(borrow)]
        params: Option<&'a RawValue>,
    }
    let questions = Members::parse(object)
        .ok()
        .and_then(|members| members.object("inputRequests"));
    let Some(questions) = questions else {
        return Vec::new();
    };
    questions
        .iter()
        .filter_map(|(key, text)| {
            let question: InputQuestion<'_> = serde_json::from_str(text).ok()?;
            let params = question.params.map_or("{}", RawValue::get).to_owned();
            let method = question.method;
            Some((key.to_owned(), TaskQuestion { method, params }))
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_task_is_read_from_either_format() {
        let older = r#"{"result":{"task":{"taskId":"a","status":"working","ttl":60000,"pollInterval":500,"createdAt":"2025-11-25T10:30:00Z"}}}"#;
        let extension = r#"{"result":{"resultType":"task","taskId":"a","status":"working","ttlMs":60000,"pollIntervalMs":500,"createdAt":"2025-11-25T10:30:00Z"}}"#;
        let task = TaskFacts::created(older.as_bytes()).expect("a task");
        let created = TaskFacts::created(extension.as_bytes());
        assert_eq!(Some(&task), created.as_ref());
        assert_eq!(
            (task.ttl_ms, task.poll_interval_ms),
            (Some(60_000.0), Some(500.0))
        );
        assert!(!task.is_over());
    }

    #[test]
    fn what_is_no_task_is_none() {
        for text in [
            r#"{"result":{"content":[],"task":{"taskId":"a","status":"working"}}}"#,
            r#"{"result":{"content":[{"type":"text","text":"\"taskId\""}]}}"#,
            r#"{"result":{"task":{"taskId":"","status":"working"}}}"#,
            r#"{"result":{"task":{"taskId":"a","status":"dreaming"}}}"#,
            r#"{"result":{"resultType":"complete","taskId":"a","status":"working"}}"#,
            r#"{"error":{"code":1,"message":"\"taskId\""}}"#,
            "\"taskId\"",
        ] {
            assert_eq!(TaskFacts::created(text.as_bytes()), None, "{text}");
        }
        let long = format!(r#"{{"taskId":"{}","status":"working"}}"#, "x".repeat(2000));
        assert_eq!(TaskFacts::read(&long), None);
    }

    #[test]
    fn members_of_other_types_are_absent() {
        let task = TaskFacts::read(
            r#"{"taskId":"a","status":"input_required","ttl":null,"pollInterval":"soon","statusMessage":7}"#,
        )
        .expect("a task");
        assert_eq!((task.ttl_ms, task.poll_interval_ms), (None, None));
        assert_eq!(task.message, None);
        let negative = TaskFacts::read(r#"{"taskId":"a","status":"failed","ttlMs":-5}"#);
        assert_eq!(negative.and_then(|task| task.ttl_ms), None);
    }

    #[test]
    fn questions_keep_their_keys_and_their_exact_parameters() {
        let questions = task_questions(
            r#"{"taskId":"a","inputRequests":{"name":{"method":"elicitation/create","params":{"n":1.50}},"bad":7,"roots":{"method":"roots/list"}}}"#,
        );
        let keys: Vec<&str> = questions.iter().map(|(key, _)| key.as_str()).collect();
        assert_eq!(keys, ["name", "roots"]);
        assert_eq!(questions[0].1.params, r#"{"n":1.50}"#);
        assert_eq!(questions[1].1.params, "{}");
    }
}
