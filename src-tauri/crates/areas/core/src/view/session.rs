//! Opened session files.

use serde::{Deserialize, Serialize};
use sightglass_model::{ByteCount, ServerId, Timestamp};

/// Number of an opened session file, until the program ends.
#[derive(
    Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize, specta::Type,
)]
#[serde(transparent)]
pub struct SessionId(pub u32);

/// An opened session file.
#[derive(Debug, Clone, PartialEq, Serialize, specta::Type)]
#[serde(rename_all = "camelCase")]
pub struct SessionView {
    pub id: SessionId,
    /// Name of the file.
    pub name: String,
    pub path: String,
    /// The program that wrote it.
    pub application: String,
    /// Version of the format.
    pub version: u32,
    pub written_at: Option<Timestamp>,
    pub state: SessionState,
    /// Bytes of the file, and how many of them were read.
    pub size: ByteCount,
    pub read: ByteCount,
    /// Frames that are on its record.
    pub frames: u32,
    /// Names of the servers whose traffic it holds.
    pub servers: Vec<String>,
    /// True when secrets were masked in it.
    pub is_masked: bool,
    /// Defects of the file, in sentences; at most 100 of them.
    pub remarks: Vec<String>,
    /// Remarks that are not among them.
    pub more_remarks: u32,
    /// The command line that serves it as an MCP server.
    pub mock_command: String,
}

/// State of reading a session file.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, specta::Type)]
#[serde(tag = "type", rename_all = "camelCase")]
pub enum SessionState {
    Loading,
    /// All of the file was read.
    Loaded,
    /// Reading stopped early; what was read before is there.
    Stopped {
        reason: String,
    },
}

/// A server of an opened session file.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, specta::Type)]
pub struct RecordedServer {
    pub session: SessionId,
    /// Its name, of a file with several servers.
    pub name: Option<String>,
}

/// Number of a listed replay, until the program ends.
#[derive(
    Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize, specta::Type,
)]
#[serde(transparent)]
pub struct ReplayId(pub u32);

/// Recorded requests that can be sent to a server, in their order.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, specta::Type)]
pub struct ReplayView {
    pub id: ReplayId,
    pub server: ServerId,
    pub steps: Vec<ReplayStep>,
}

/// A recorded request that can be sent again.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, specta::Type)]
#[serde(rename_all = "camelCase")]
pub struct ReplayStep {
    /// Its place among the requests.
    pub index: u32,
    pub method: String,
    /// The tool or prompt, or the resource's address.
    pub name: Option<String>,
    /// The parameters as JSON, shortened.
    pub params: String,
    /// True for a call of a tool that is not declared read-only, or is declared destructive.
    pub may_change: bool,
    /// True when secrets were masked in the request, which is then another one.
    pub is_masked: bool,
}

/// Outcome of a request that was sent again.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, specta::Type)]
#[serde(tag = "type", rename_all = "camelCase")]
pub enum ReplayOutcome {
    /// The answer is the recorded one, but for what differs from run to run.
    Same,
    /// Another answer: a unified diff.
    Different {
        difference: String,
    },
    /// No answer was recorded.
    NothingToCompare,
    Unanswered {
        reason: String,
    },
    /// It was not sent, since that was not agreed to.
    Skipped,
}
