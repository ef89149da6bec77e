//! Views of tasks.

use serde::{Deserialize, Serialize};
use sightglass_connection::TaskFacts;
use sightglass_model::{Era, FrameId, ServerId, Timestamp};

/// Wish that a call becomes a task (MCP 2025-11-25, Tasks).
#[derive(Debug, Clone, Copy, Default, PartialEq, Serialize, Deserialize, specta::Type)]
#[serde(rename_all = "camelCase")]
pub struct TaskRequest {
    /// Milliseconds for which the server should keep it; its own choice where absent.
    pub ttl_ms: Option<u32>,
}

/// A task of a server.
#[derive(Debug, Clone, PartialEq, Serialize, specta::Type)]
#[serde(rename_all = "camelCase")]
pub struct TaskView {
    pub server: ServerId,
    /// The format: that of MCP 2025-11-25 in the `initialize` era, the extension (SEP-2663) in
    /// the stateless one.
    pub era: Era,
    pub facts: TaskFacts,
    /// The tool that was called; unknown for a task that the server listed.
    pub tool: Option<String>,
    /// The call's key, under which progress is told; absent after a restart.
    pub call: Option<String>,
    /// When it was first heard of, by this machine's clock.
    pub created: Timestamp,
    /// When its status was last heard.
    pub updated: Timestamp,
    pub follow: TaskFollow,
    /// The reason why the newest question about it has no answer.
    pub problem: Option<String>,
    /// The response that holds its result.
    pub result_frame: Option<FrameId>,
}

/// State of following a task.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, specta::Type)]
#[serde(rename_all = "camelCase")]
pub enum TaskFollow {
    /// The server is asked for its status until it ends.
    Following,
    /// The server is not connected. It is asked again once it is.
    NotConnected,
    /// The server says that it does not know the task, or no longer.
    Unknown,
    /// It has ended.
    Ended,
}
