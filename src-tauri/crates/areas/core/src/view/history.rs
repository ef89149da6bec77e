//! Calls of a tool that are on record.

use serde::Serialize;
use sightglass_model::{ExchangeId, Millis, Timestamp};
use sightglass_traffic::Outcome;

use super::CallReport;

/// One call of a tool, with all its rounds.
#[derive(Debug, Clone, PartialEq, Serialize, specta::Type)]
pub struct ToolCall {
    /// The row of its first request.
    pub id: ExchangeId,
    pub at: Timestamp,
    /// Outcome of the last round.
    pub outcome: Outcome,
    /// The JSON-RPC error code, where it ended with one.
    pub code: Option<i32>,
    /// Duration without the time that a person took to answer; absent while it goes on.
    pub duration: Option<Millis>,
    /// The beginning of the arguments as they were sent, on one line; absent where they are not on
    /// record.
    pub arguments: Option<String>,
}

/// A page of the calls of a tool.
#[derive(Debug, Clone, PartialEq, Serialize, specta::Type)]
pub struct ToolCallPage {
    /// The calls asked for, the newest first.
    pub calls: Vec<ToolCall>,
    /// Number of calls found so far.
    pub total: u32,
    /// True when `total` is final.
    pub complete: bool,
}

/// A call on record, taken apart as it was when it ended.
#[derive(Debug, Clone, PartialEq, Serialize, specta::Type)]
#[serde(rename_all = "camelCase")]
pub struct PastCall {
    pub id: ExchangeId,
    pub at: Timestamp,
    /// The arguments as they were sent, as JSON; absent where they are not on record, or longer
    /// than 1 MiB.
    pub input: Option<String>,
    /// True when secrets were masked in the request, so that it is not what was sent.
    pub is_masked: bool,
    pub report: CallReport,
}
