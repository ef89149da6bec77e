//! Events of a connection for the rest of the program.

use std::sync::Arc;

use serde::{Deserialize, Serialize};
use sightglass_model::{ConnectionStatus, FrameId, ServerId};
use sightglass_secrets::Secret;

use crate::ListChange;

/// Something that happened on a connection. Facts, not requests to look again.
#[derive(Debug, Clone, PartialEq, Serialize, specta::Type)]
#[serde(tag = "type", rename_all = "camelCase")]
pub enum ConnectionEvent {
    /// The phase, or what is known of the connection, changed.
    // Each call changes it twice, and all who hear of it share one copy.
    Status {
        server: ServerId,
        status: Arc<ConnectionStatus>,
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
    QuestionArrived { question: ServerQuestion },
    /// That question is settled and can no longer be answered.
    QuestionSettled { id: u32, how: Settlement },
    /// A question was answered without asking the user.
    AnsweredAutomatically { answer: AutomaticAnswer },
    /// The server announced that a resource changed, told before announcements are limited. For the
    /// cache of resources that were read.
    #[serde(skip)]
    ResourceAnnounced { server: ServerId, uri: String },
    /// The server told of a task (`notifications/tasks/status`, `notifications/tasks`). For the
    /// store of tasks.
    #[serde(skip)]
    TaskReported {
        server: ServerId,
        /// The notification's `params`, verbatim JSON.
        params: String,
    },
}

/// The end of a question of a server.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, specta::Type)]
#[serde(rename_all = "camelCase")]
pub enum Settlement {
    Answered,
    /// The server took it back (`notifications/cancelled`).
    Withdrawn,
    /// The call it belonged to was cancelled, timed out, or was lost with its connection.
    CallEnded,
    /// The connection ended; it belonged to no call.
    ConnectionEnded,
}

/// A question of a server that was answered without asking the user, since a setting or a rule
/// says what to answer.
#[derive(Debug, Clone, PartialEq, Serialize, specta::Type)]
pub struct AutomaticAnswer {
    pub server: ServerId,
    /// `roots/list`, `sampling/createMessage` or `elicitation/create`.
    pub method: String,
    /// Name of the rule that answered; absent for `roots/list`, which a setting answers.
    pub rule: Option<String>,
    /// The beginning of the message that the server asked with, where there is one.
    pub message: Option<String>,
    /// The `result` or the `error`, as JSON, with secrets masked.
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
#[serde(rename_all = "camelCase")]
pub struct ServerQuestion {
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
    /// Milliseconds that the call had left of its time limit when this came. The limit stands still
    /// until it is answered. Absent without a limit, or where the call is not known.
    pub time_left: Option<f64>,
    /// Deed of a rule that is about it, or the reason why it did not answer, as a sentence.
    pub remark: Option<String>,
    /// True while a model is asked for the answer, as a rule wants it.
    pub awaits_model: bool,
}

/// Answer of the user to a [`ServerQuestion`].
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, specta::Type)]
#[serde(tag = "type", rename_all = "camelCase")]
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

/// Answer that a rule gives in the user's place.
#[derive(Debug, Clone)]
pub struct RuleAnswer {
    /// Name of the rule.
    pub rule: String,
    pub answer: ServerAnswer,
    /// The answer as JSON with secrets masked, to be shown.
    pub shown: String,
    /// The beginning of the server's message, to be shown.
    pub message: Option<String>,
    /// Values in the answer that must not be recorded.
    pub private: Vec<Secret<String>>,
}

/// Outcome of the user's rules for a question.
#[derive(Debug, Clone)]
pub enum ByRule {
    /// No rule is about it.
    None,
    /// The user is asked, for the reason that is given as a sentence.
    Ask {
        remark: String,
    },
    /// A model is asked, while the user may still answer.
    Model {
        remark: String,
    },
    Answer(RuleAnswer),
}

/// Rules of the user's about questions of servers.
pub trait QuestionRules: Send + Sync {
    /// Applies the rules to a question. Called on the path of every message; must not block.
    fn decide(&self, question: &ServerQuestion) -> ByRule;
}

/// Receiver of the events of one connection. Called from many tasks; must not block.
pub(crate) type EventSink = Arc<dyn Fn(ConnectionEvent) + Send + Sync>;
