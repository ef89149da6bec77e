//! Observation of one request: everything that an expectation can look at.

use std::time::Duration;

use serde_json::Value;
use sightglass_json_text::Message;

use crate::exact;

/// Everything that is known of a request after it ended with an answer.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Observation {
    /// `result` of the response; absent where it is an error.
    pub result: Option<Value>,
    pub error: Option<ObservedError>,
    /// Time from sending to the answer, without the time in which questions of the server waited.
    pub duration: Duration,
    /// Number of requests that the call took (MCP 2026-07-28, multi round-trip requests).
    pub rounds: u32,
    /// `params` of the progress notifications.
    pub progress: Vec<Value>,
    /// The notifications that came during the call, whole.
    pub notifications: Vec<Value>,
    /// Output of the server to stderr during the call.
    pub stderr: String,
    /// Status of the HTTP response that carried the answer.
    pub http_status: Option<u16>,
    /// Size of the response in bytes.
    pub size: u64,
    /// Absent where the tool has no output schema.
    pub output_schema: Option<OutputSchemaResult>,
}

/// A JSON-RPC error (JSON-RPC 2.0, section 5.1).
#[derive(Debug, Clone, PartialEq)]
pub struct ObservedError {
    pub code: Value,
    pub message: String,
    pub data: Option<Value>,
}

/// The outcome of checking a result against the tool's output schema.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct OutputSchemaResult {
    pub is_valid: bool,
    pub problems: Vec<String>,
}

impl Observation {
    /// Reads the `result` or the `error` of a response's text.
    pub fn of_response(text: &str) -> Result<Self, serde_json::Error> {
        let response = Message::parse(text)?;
        let error = response.error().map(exact::read).transpose()?;
        let error = error.map(|mut error| ObservedError {
            code: error.get_mut("code").map(Value::take).unwrap_or_default(),
            message: error
                .get("message")
                .and_then(Value::as_str)
                .unwrap_or_default()
                .to_owned(),
            data: error.get_mut("data").map(Value::take),
        });
        Ok(Self {
            result: response.result().map(exact::read).transpose()?,
            error,
            size: u64::try_from(text.len()).unwrap_or(u64::MAX),
            rounds: 1,
            ..Self::default()
        })
    }

    /// Adds a notification that came during the call.
    pub fn add_notification(&mut self, text: &str) {
        let Ok(notification) = exact::read(text) else {
            return;
        };
        if notification.get("method").and_then(Value::as_str) == Some("notifications/progress") {
            self.progress
                .push(notification.get("params").cloned().unwrap_or_default());
        }
        self.notifications.push(notification);
    }
}
