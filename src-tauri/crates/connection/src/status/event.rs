//! Events of a connection for the rest of the program.

use std::sync::Arc;

use bytes::Bytes;
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
    /// The server refused to go on with a subscription, so that there is none now: the connection
    /// was lost and is back, or another subscription was to be added.
    SubscriptionRefused { server: ServerId, uri: String },
    /// The server asks something of the person.
    RequestArrived { request: ServerRequest },
    /// That question is settled and can no longer be answered.
    RequestSettled { id: u32, how: Settlement },
    /// A question was answered without asking the user.
    AnsweredAutomatically { answer: AutomaticAnswer },
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

/// Outcome of a request of ours.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, specta::Type)]
#[serde(rename_all = "snake_case")]
pub enum RequestEnd {
    /// A JSON-RPC result came.
    Result,
    /// A JSON-RPC error came.
    Error,
    /// The person cancelled it.
    Cancelled,
    /// No answer within the limit.
    TimedOut,
    /// The connection ended first.
    ConnectionLost,
    /// The answer was larger than the limit for messages.
    TooLarge,
}

/// One finished request of ours.
#[derive(Debug, Clone, PartialEq, Serialize, specta::Type)]
pub struct RequestReport {
    pub end: RequestEnd,
    /// The frames on record; the last request's in a multi-round call.
    pub request_frame: Option<FrameId>,
    pub response_frame: Option<FrameId>,
    /// Milliseconds from sending to the answer.
    pub duration: f64,
    /// Milliseconds of the duration in which a question of the server waited for the user.
    pub waited: f64,
    /// Bytes of the answer.
    pub size: f64,
    /// In words, where no answer came.
    pub message: Option<String>,
}

/// A finished request, with the answer as it crossed the wire. The record masks secrets; this
/// does not, so it is for whoever asked and not for keeping.
#[derive(Debug, Clone, PartialEq)]
pub struct Verbatim {
    pub report: RequestReport,
    /// The whole JSON-RPC response, where one came.
    pub answer: Option<Bytes>,
}

/// Receiver of events. Called from many tasks; must not block.
pub(crate) type EventSink = Arc<dyn Fn(ConnectionEvent) + Send + Sync>;
