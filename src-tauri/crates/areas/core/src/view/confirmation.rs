//! Calls that wait for the user's confirmation.

use serde::{Deserialize, Serialize};
use sightglass_llm_tools::permissions::PermissionRule;
use sightglass_model::ServerId;

/// A call that waits for the user.
#[derive(Debug, Clone, PartialEq, Serialize, specta::Type)]
pub struct CallConfirmation {
    pub id: u32,
    pub server: ServerId,
    pub tool: String,
    /// Identity as which the tool is called; absent for the chosen one.
    pub identity: Option<String>,
    /// JSON text of the arguments, with secrets that are known masked; of all parameters where the
    /// call could be read in several ways.
    pub arguments: String,
    /// Reasons for asking; one at least.
    pub reasons: Vec<ConfirmationReason>,
    /// Number of times that the call is sent.
    pub count: u32,
}

/// Reason why a call is confirmed.
#[derive(Debug, Clone, PartialEq, Serialize, specta::Type)]
#[serde(
    tag = "type",
    rename_all = "camelCase",
    rename_all_fields = "camelCase"
)]
pub enum ConfirmationReason {
    /// The tool declares `destructiveHint: true` (MCP 2025-11-25, ToolAnnotations).
    Destructive,
    /// Readers of JSON do not agree on which tool the parameters name.
    Ambiguous,
    /// The rules of a client, to which the server's calls are held, ask.
    Rule {
        client_title: String,
        /// Rule that asks; absent where none speaks of the call.
        rule: Option<PermissionRule>,
        reason: String,
    },
}

/// Answer of the user to a confirmation.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, specta::Type)]
#[serde(rename_all = "camelCase")]
pub enum ConfirmationAnswer {
    /// Sends the call.
    Call,
    /// Sends the call, and asks no more about the tool, as it is defined now, until the application
    /// ends.
    CallForSession,
    /// Sends nothing.
    Refuse,
}
