//! A task as the data directory holds it.

use serde::{Deserialize, Serialize};
use sightglass_connection::TaskFacts;
use sightglass_model::{Era, FrameId, ServerId, Timestamp};

/// A task in the data directory.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct StoredTask {
    pub project: String,
    pub server: ServerId,
    pub era: Era,
    #[serde(flatten)]
    pub facts: TaskFacts,
    pub tool: Option<String>,
    pub created: Timestamp,
    pub updated: Timestamp,
    pub is_unknown: bool,
    pub endpoint: Option<String>,
    pub result_frame: Option<FrameId>,
}
