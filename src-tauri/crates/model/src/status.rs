use serde::{Deserialize, Serialize};

use crate::{ConnectionId, FailureReport, FrameId, Phase};

/// How messages travel.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize, specta::Type)]
#[serde(rename_all = "snake_case")]
pub enum TransportKind {
    Stdio,
    /// Streamable HTTP.
    Http,
    /// HTTP with Server-Sent Events, of protocol revision 2024-11-05.
    Sse,
    WebSocket,
}

/// The era that was found or chosen.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize, specta::Type)]
#[serde(rename_all = "snake_case")]
pub enum Era {
    /// With an `initialize` handshake: 2025-11-25 and earlier.
    Legacy,
    /// Stateless: 2026-07-28.
    Modern,
}

/// What is known of a connection at one moment. A projection: the session itself never
/// leaves its task.
#[derive(Debug, Clone, PartialEq, Serialize, specta::Type)]
pub struct ConnectionStatus {
    pub phase: Phase,
    /// When this phase began, in milliseconds since the Unix epoch.
    pub since: f64,
    /// The attempt that this is about; absent before the first.
    pub connection: Option<ConnectionId>,
    /// Why it stopped, in phase `failed`.
    pub failure: Option<FailureReport>,
    /// What the handshake settled, from then on.
    pub handshake: Option<HandshakeFacts>,
    /// The phases gone through in this attempt, in order, the current one last.
    pub timeline: Vec<PhaseRecord>,
}

/// One phase of one attempt.
#[derive(Debug, Clone, PartialEq, Serialize, specta::Type)]
pub struct PhaseRecord {
    pub phase: Phase,
    /// Milliseconds since the Unix epoch.
    pub started: f64,
    /// Milliseconds; absent while the phase lasts.
    pub duration: Option<f64>,
    /// What happened in it, in a few words: `probing server/discover`, `page 3, 300 so far`.
    pub detail: Option<String>,
}

/// What the server and the client agreed on.
#[derive(Debug, Clone, PartialEq, Serialize, specta::Type)]
pub struct HandshakeFacts {
    pub era: Era,
    /// For instance `2025-11-25`.
    pub protocol_version: String,
    pub server_name: String,
    pub server_title: Option<String>,
    pub server_version: String,
    pub instructions: Option<String>,
    /// The top-level names in the server's `capabilities`.
    pub capabilities: Vec<String>,
    /// How long the answer to the first request took, in milliseconds.
    pub round_trip: f64,
    /// The frames that hold both sides' handshake, verbatim.
    pub request_frame: FrameId,
    pub response_frame: FrameId,
    /// Process id of the server, over stdio.
    pub process: Option<u32>,
}

impl ConnectionStatus {
    /// No connection, and none attempted yet.
    pub fn disconnected(now: f64) -> Self {
        Self {
            phase: Phase::Disconnected,
            since: now,
            connection: None,
            failure: None,
            handshake: None,
            timeline: Vec::new(),
        }
    }
}
