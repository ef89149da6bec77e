//! Options of the client's side of a connection: the protocol that is offered, and what this
//! client says of itself.

use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

use crate::EraChoice;

/// Protocol that is offered to a server.
#[derive(
    Debug, Clone, Copy, Default, PartialEq, Eq, Hash, Serialize, Deserialize, specta::Type,
)]
pub enum ProtocolChoice {
    /// Probe for the stateless protocol and fall back to `initialize`.
    #[default]
    #[serde(rename = "auto")]
    Auto,
    /// The newest revision with an `initialize` handshake, or the one that the server answers.
    #[serde(rename = "initialize")]
    Initialize,
    /// The stateless protocol, and no other.
    #[serde(rename = "2026-07-28")]
    Stateless,
    #[serde(rename = "2025-11-25")]
    V2025_11_25,
    #[serde(rename = "2025-06-18")]
    V2025_06_18,
    #[serde(rename = "2025-03-26")]
    V2025_03_26,
    #[serde(rename = "2024-11-05")]
    V2024_11_05,
}

impl ProtocolChoice {
    /// Returns the era of the protocol.
    pub fn era(self) -> EraChoice {
        match self {
            Self::Auto => EraChoice::Auto,
            Self::Stateless => EraChoice::Modern,
            _ => EraChoice::Legacy,
        }
    }

    /// Returns the revision that `initialize` must agree on, where it is just one.
    pub fn revision(self) -> Option<&'static str> {
        match self {
            Self::Auto | Self::Initialize | Self::Stateless => None,
            Self::V2025_11_25 => Some("2025-11-25"),
            Self::V2025_06_18 => Some("2025-06-18"),
            Self::V2025_03_26 => Some("2025-03-26"),
            Self::V2024_11_05 => Some("2024-11-05"),
        }
    }
}

/// Declarations of the client in the handshake.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct ClientOptions {
    /// The revision that `initialize` offers; a server that answers another one is refused.
    pub revision: Option<&'static str>,
    /// Name in `clientInfo`; the application's own where absent.
    pub name: Option<String>,
    /// Version in `clientInfo`; the application's own where absent.
    pub version: Option<String>,
    pub capabilities: DeclaredCapabilities,
}

/// Capabilities that the client declares (MCP, Lifecycle, capability negotiation).
#[derive(Debug, Clone, PartialEq)]
pub struct DeclaredCapabilities {
    pub roots: bool,
    pub sampling: bool,
    pub elicitation: bool,
    /// Tasks, in the form that the era has: the capability `tasks` of MCP 2025-11-25, the
    /// extension `io.modelcontextprotocol/tasks` (SEP-2663) in the stateless era.
    pub tasks: bool,
    /// Settings by the identifier of the extension (`extensions`).
    pub extensions: Map<String, Value>,
}

impl Default for DeclaredCapabilities {
    fn default() -> Self {
        Self {
            roots: true,
            sampling: true,
            elicitation: true,
            tasks: true,
            extensions: Map::new(),
        }
    }
}
