use std::sync::Arc;

use serde::{Deserialize, Serialize};

use crate::{
    ConnectionId, DeclaredFeatures, Era, FailureReport, FrameId, Millis, Phase, Timestamp,
};

/// Transport of the messages.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize, specta::Type)]
#[serde(rename_all = "camelCase")]
pub enum TransportKind {
    Stdio,
    /// Streamable HTTP.
    Http,
    /// HTTP with Server-Sent Events, of protocol revision 2024-11-05.
    Sse,
    WebSocket,
}

/// Status of a connection at one moment. A projection: the session itself never
/// leaves its task.
#[derive(Debug, Clone, PartialEq, Serialize, specta::Type)]
#[serde(rename_all = "camelCase")]
pub struct ConnectionStatus {
    pub phase: Phase,
    /// Begin of this phase.
    pub since: Timestamp,
    /// The attempt that this is about; absent before the first.
    pub connection: Option<ConnectionId>,
    /// The attempt that the user asked for. Attempts that are made by themselves after a
    /// connection was lost keep it, and so do the subscriptions that go on with them.
    pub first_connection: Option<ConnectionId>,
    /// Reason why it stopped, in phase `failed`.
    pub failure: Option<FailureReport>,
    /// Result of the handshake, from then on.
    // Shared: it can hold pictures, and the rest changes with each call.
    pub handshake: Option<Arc<HandshakeResult>>,
    /// The phases gone through in this attempt, in order, the current one last.
    // Each shared: those that are over do not change, and the status is told twice with each call.
    pub timeline: Vec<Arc<PhaseRecord>>,
    /// That the connection was lost and is being made again, and how far that is.
    pub reconnection: Option<Reconnection>,
    /// How often it was lost after it was up, since the user asked for it.
    pub loss: Option<ConnectionLoss>,
    /// The last lines that the server wrote to stderr, while it starts.
    pub output: Vec<String>,
    /// Result of the pings of an idle connection.
    pub health: Option<Health>,
    /// The least severe log messages that were asked for, once the user chose.
    pub log_level: Option<String>,
    /// The ways to connect that this attempt has tried, in order.
    pub steps: Vec<ConnectStep>,
    /// Endpoint that an earlier attempt found, and later ones begin with.
    pub known_endpoint: Option<KnownEndpoint>,
    /// Text on standard output that is no message, where there was any.
    pub stray: Option<StrayOutput>,
}

/// Text that a server wrote to standard output, where only messages belong.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, specta::Type)]
pub struct StrayOutput {
    pub lines: u32,
    /// The first line, without secrets.
    pub first: String,
}

/// A connection that was up and was lost by itself.
#[derive(Debug, Clone, PartialEq, Serialize, specta::Type)]
pub struct ConnectionLoss {
    /// Number of losses since the user asked for the connection.
    pub count: u32,
    /// The moment of the newest.
    pub at: Timestamp,
    /// The attempt that was lost last.
    pub connection: Option<ConnectionId>,
    /// The moment when the connection was up again.
    pub back: Option<Timestamp>,
    /// Reason for the newest.
    pub failure: FailureReport,
}

/// A connection that was lost is being made again.
#[derive(Debug, Clone, PartialEq, Serialize, specta::Type)]
#[serde(rename_all = "camelCase")]
pub struct Reconnection {
    /// The number of the next try, or of the one under way, from 1.
    pub attempt: u32,
    /// Begin of the next try; absent while one is under way.
    pub next_try: Option<Timestamp>,
    /// Reason why the connection was lost, or the last try failed.
    pub reason: String,
    /// The user's requests that wait for the connection.
    pub waiting: u32,
}

/// Health of an idle connection.
#[derive(Debug, Clone, PartialEq, Serialize, specta::Type)]
#[serde(rename_all = "camelCase")]
pub struct Health {
    /// The round-trip time of the newest ping that was answered.
    pub round_trip: Option<Millis>,
    /// Time of the newest ping.
    pub at: Timestamp,
    /// The newest pings that have had no answer, in a row.
    pub missed: u32,
}

/// One way to connect that was tried.
#[derive(Debug, Clone, PartialEq, Serialize, specta::Type)]
pub struct ConnectStep {
    pub transport: TransportKind,
    /// Request that was sent: `server/discover`, `initialize`, or `GET` for an event stream.
    pub what: String,
    pub outcome: StepOutcome,
    /// Summary of the answer.
    pub summary: Option<String>,
    pub started: Timestamp,
    /// Absent while the step runs.
    pub duration: Option<Millis>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, specta::Type)]
#[serde(rename_all = "camelCase")]
pub enum StepOutcome {
    Running,
    Succeeded,
    Failed,
    /// Another step succeeded before this one had an answer.
    Superseded,
}

/// Transport and era by which a server was reached, where its entry leaves them open.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, specta::Type)]
pub struct KnownEndpoint {
    /// A digest of the command line or address that this is about, which may hold a secret.
    pub endpoint: String,
    pub transport: TransportKind,
    pub era: Era,
}

/// One phase of one attempt.
#[derive(Debug, Clone, PartialEq, Serialize, specta::Type)]
pub struct PhaseRecord {
    pub phase: Phase,
    pub started: Timestamp,
    /// Absent while the phase lasts.
    pub duration: Option<Millis>,
    /// Detail of what happens in it: `probing server/discover`, `page 3, 300 so far`.
    pub detail: Option<String>,
    /// The requests and notifications that were sent in it, in their order.
    pub exchanged: Vec<MethodCount>,
}

/// Messages of one method that were sent in one phase.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, specta::Type)]
pub struct MethodCount {
    pub method: String,
    pub count: u32,
}

/// Facts that the server and the client agreed on.
#[derive(Debug, Clone, PartialEq, Serialize, specta::Type)]
#[serde(rename_all = "camelCase")]
pub struct HandshakeResult {
    pub transport: TransportKind,
    pub era: Era,
    /// For instance `2025-11-25`.
    pub protocol_version: String,
    pub server_name: String,
    pub server_title: Option<String>,
    pub server_version: String,
    pub server_description: Option<String>,
    /// The address of the server's home page.
    pub website: Option<String>,
    pub icons: Vec<Icon>,
    pub instructions: Option<String>,
    /// The top-level names in the server's `capabilities`.
    pub capabilities: Vec<String>,
    /// The server's `capabilities`, verbatim JSON.
    pub capabilities_json: String,
    /// Features found in them.
    pub features: DeclaredFeatures,
    /// Time that the answer to the first request took.
    pub round_trip: Millis,
    /// The frames that hold both sides' handshake, verbatim.
    pub request_frame: FrameId,
    pub response_frame: FrameId,
    /// Process id of the server, over stdio.
    pub process: Option<u32>,
}

/// A picture that a server shows of itself (MCP, icons).
#[derive(Debug, Clone, PartialEq, Eq, Serialize, specta::Type)]
pub struct Icon {
    /// A `data:` or `https:` address.
    pub source: String,
    /// `light` or `dark`, where it is meant for one of them.
    pub theme: Option<String>,
}

impl ConnectionStatus {
    /// No connection, and none attempted yet.
    pub fn disconnected(now: Timestamp) -> Self {
        Self {
            phase: Phase::Disconnected,
            since: now,
            connection: None,
            first_connection: None,
            failure: None,
            handshake: None,
            timeline: Vec::new(),
            reconnection: None,
            loss: None,
            output: Vec::new(),
            health: None,
            log_level: None,
            steps: Vec::new(),
            known_endpoint: None,
            stray: None,
        }
    }
}
