//! Events of a connection for the rest of the program.

use std::sync::Arc;

use serde::{Deserialize, Serialize};
use sightglass_model::{ConnectionStatus, FrameId, ServerId};

use crate::ListChange;

/// Something that happened on a connection. Facts, not requests to look again.
#[derive(Debug, Clone, PartialEq, Serialize, specta::Type)]
#[serde(tag = "type", rename_all = "snake_case")]
#[expect(
    clippy::large_enum_variant,
    reason = "events are passed on one at a time and not kept, so a box would only cost"
)]
pub enum ConnectionEvent {
    /// The phase, or what is known of the connection, changed.
    Status {
        server: ServerId,
        status: ConnectionStatus,
    },
    /// A list was loaded (also page by page) or refreshed.
    List {
        server: ServerId,
        change: ListChange,
    },
    /// A running request made progress.
    Progress {
        server: ServerId,
        call: String,
        progress: Progress,
    },
    /// A subscribed resource changed.
    ResourceUpdated { server: ServerId, uri: String },
    /// More resources changed at once than are told one by one: any may have.
    ResourcesUpdated { server: ServerId },
    /// The server refused to go on with a subscription, so that there is none now: the connection
    /// was lost and is back, or another subscription was to be added.
    SubscriptionRefused { server: ServerId, uri: String },
    /// The server asks something of the user.
    RequestArrived { request: ServerRequest },
    /// That question is settled and can no longer be answered.
    RequestSettled { id: u32, how: Settlement },
    /// A question was answered without asking the user.
    AnsweredAutomatically { answer: AutomaticAnswer },
    /// The server announced that a resource changed, told before announcements are limited. For the
    /// façade, which keeps what it read no longer.
    #[serde(skip)]
    ResourceAnnounced { server: ServerId, uri: String },
    /// The server told of a task (`notifications/tasks/status`, `notifications/tasks`). For the
    /// façade, which follows tasks.
    #[serde(skip)]
    TaskReported {
        server: ServerId,
        /// The notification's `params`, verbatim JSON.
        params: String,
    },
}

/// The end of a question of a server.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, specta::Type)]
#[serde(rename_all = "snake_case")]
pub enum Settlement {
    Answered,
    /// The server took it back (`notifications/cancelled`).
    Withdrawn,
    /// The call it belonged to was cancelled, timed out, or was lost with its connection.
    CallEnded,
    /// The connection ended; it belonged to no call.
    ConnectionEnded,
}

/// A question of a server that was answered without asking the user, since a setting says what
/// to answer.
#[derive(Debug, Clone, PartialEq, Serialize, specta::Type)]
pub struct AutomaticAnswer {
    pub server: ServerId,
    /// `roots/list`.
    pub method: String,
    /// The `result`, as JSON.
    pub json: String,
    /// When it came, in milliseconds since the Unix epoch.
    pub at: f64,
    /// The call it belongs to, where that is known.
    pub call: Option<String>,
    pub frame: Option<FrameId>,
}

/// `notifications/progress`.
#[derive(Debug, Clone, PartialEq, Serialize, specta::Type)]
pub struct Progress {
    pub progress: f64,
    pub total: Option<f64>,
    pub message: Option<String>,
}

/// A question from the server: sampling or elicitation.
#[derive(Debug, Clone, PartialEq, Serialize, specta::Type)]
pub struct ServerRequest {
    /// Unique while the program runs.
    pub id: u32,
    pub server: ServerId,
    /// Name of the input request (MCP 2026-07-28, multi round-trip requests).
    #[serde(skip)]
    pub input: Option<String>,
    /// `sampling/createMessage` or `elicitation/create`.
    pub method: String,
    /// The request's `params`, verbatim JSON.
    pub params: String,
    /// When it came, in milliseconds since the Unix epoch.
    pub at: f64,
    /// The call it belongs to, where that is known.
    pub call: Option<String>,
    pub frame: Option<FrameId>,
    /// True when the call failed for want of this and is sent again once it is answered (MCP
    /// 2025-11-25, error -32042).
    pub before_another_try: bool,
}

/// Answer of the user to a [`ServerRequest`].
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, specta::Type)]
#[serde(tag = "type", rename_all = "snake_case")]
pub enum ServerAnswer {
    /// The `result`, as JSON.
    Result { json: String },
    /// A JSON-RPC error.
    Error { code: i32, message: String },
}

impl ServerAnswer {
    /// Returns the answer as a member of `inputResponses`, as JSON on one line. There is no error
    /// in that place of the protocol (MCP 2026-07-28); declining is the nearest.
    pub fn input_response(self) -> String {
        match self {
            Self::Result { json } => json.replace(['\n', '\r'], " "),
            Self::Error { .. } => r#"{"action":"decline"}"#.to_owned(),
        }
    }
}

/// Receiver of events. Called from many tasks; must not block.
pub(crate) type EventSink = Arc<dyn Fn(ConnectionEvent) + Send + Sync>;
