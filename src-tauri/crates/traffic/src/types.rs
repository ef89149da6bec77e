//! Public types of the record: rows, their details, and pages of both.

use std::time::Duration;

use serde::{Deserialize, Serialize};
use sightglass_model::{ByteCount, ConnectionId, ExchangeId, FrameId, Millis, ServerId, Timestamp};

/// Direction in which something crossed the wire, seen from the client.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize, specta::Type)]
#[serde(rename_all = "camelCase")]
pub enum Direction {
    /// From us to the server (↑).
    Sent,
    /// From the server to us (↓).
    Received,
}

/// Kind of a row. The chips above the table select by it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize, specta::Type)]
#[serde(rename_all = "camelCase")]
pub enum ExchangeKind {
    /// A JSON-RPC request and its response, in either direction.
    Request,
    /// A JSON-RPC notification other than a log message.
    Notification,
    /// `notifications/message`.
    Log,
    /// An HTTP request and its response, headers included.
    Http,
    /// An HTTP request of a sign-in.
    Oauth,
    /// A line that the server wrote to stderr, or one on stdout that is not JSON-RPC.
    Stderr,
    /// A phase change, a process exit, or a remark of the recorder's own.
    Phase,
}

/// Outcome of an exchange.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize, specta::Type)]
#[serde(rename_all = "camelCase")]
pub enum Outcome {
    /// No answer yet.
    Pending,
    Ok,
    /// A JSON-RPC error, a tool result with `isError`, an HTTP status of 400 or more, or a
    /// line that is not a message.
    Error,
    /// Ended by `notifications/cancelled`.
    Cancelled,
    /// The connection ended before the answer came.
    Unanswered,
    /// Nothing to answer: notifications, stderr, phases.
    None,
}

/// One row of the record.
#[derive(Debug, Clone, PartialEq, Serialize, specta::Type)]
#[serde(rename_all = "camelCase")]
pub struct ExchangeRow {
    pub id: ExchangeId,
    pub kind: ExchangeKind,
    pub direction: Direction,
    pub connection: ConnectionId,
    pub server_id: ServerId,
    /// The server's name, as it was then.
    pub server: String,
    /// Path of the project that it was connected in; empty where the record does not have it.
    pub project: String,
    /// End of the project's path that tells this server from those of the same name in other
    /// projects; absent where no other project on record has one.
    pub project_label: Option<String>,
    /// The moment when it began.
    pub at: Timestamp,
    /// The JSON-RPC method; `POST /mcp` for HTTP; `stderr` or `stdout` for lines; the phase's
    /// name for phases.
    pub method: String,
    /// Target: the tool, resource or prompt, the text of a line, the page of a list.
    /// At most 200 characters.
    pub target: String,
    pub outcome: Outcome,
    /// The JSON-RPC error code or the HTTP status, where there is one.
    pub code: Option<i32>,
    /// Duration from request to response.
    pub duration: Option<Millis>,
    /// Size of request and response together, before redaction.
    pub size: ByteCount,
    pub request_frame: FrameId,
    pub response_frame: Option<FrameId>,
    /// The call during which it came: of progress, log messages and requests of the server.
    pub parent: Option<ExchangeId>,
    /// Phases that a quiet view folds away right before this row, the newest last; at most 32.
    pub folded_before: Vec<FoldedPhase>,
    /// Rows of this call that the query folds away.
    pub folded_rows: u32,
    /// Note of its bookmark, which may be empty; absent where it has none.
    pub bookmark: Option<String>,
    /// True when it asks whether the server is still there, and nothing else.
    #[serde(skip)]
    pub is_heartbeat: bool,
}

/// A row that a quiet view folds away.
#[derive(Debug, Clone, PartialEq, Serialize, specta::Type)]
#[serde(rename_all = "camelCase")]
pub struct FoldedPhase {
    pub id: ExchangeId,
    pub server: String,
    pub project_label: Option<String>,
    /// The phase's name, or `doctor`.
    pub method: String,
    pub target: String,
}

/// Query for rows.
#[derive(Debug, Clone, Default, PartialEq, Eq, Hash, Serialize, Deserialize, specta::Type)]
#[serde(rename_all = "camelCase")]
pub struct TrafficQuery {
    /// The filter language: words, `/expressions/`, and `method:` `tool:` `status:` `server:`
    /// `project:` `kind:` `level:` `from:` `time:` `dur:` `size:` `is:` `note:` `id:` terms.
    pub filter: String,
    /// Only these kinds; all when empty.
    pub kinds: Vec<ExchangeKind>,
    /// Only the rows that do *not* match `filter`.
    pub invert: bool,
    /// Only this server, of the project of the [`Recorder`](crate::Recorder) that is asked.
    pub server: Option<ServerId>,
    /// Only calls of the tool of this name, exactly as it is written.
    #[serde(default)]
    pub tool: Option<String>,
    /// Only rows up to this one: what a paused view shows.
    pub until: Option<ExchangeId>,
    /// Leaves out phases, the checks of the doctor and heartbeats, unless the filter asks for them;
    /// of operations also what is no call, unless kinds are named.
    #[serde(default)]
    pub quiet: bool,
    /// Leaves out the connections that check servers, unless the filter asks for them (`is:check`).
    #[serde(default)]
    pub without_checks: bool,
    /// Calls whose rows are left out where there is nothing else to select by.
    #[serde(default)]
    pub folded: Vec<ExchangeId>,
}

/// A page of the matching rows.
#[derive(Debug, Clone, PartialEq, Serialize, specta::Type)]
#[serde(rename_all = "camelCase")]
pub struct TrafficPage {
    /// The rows asked for, oldest first.
    pub rows: Vec<ExchangeRow>,
    /// Number of matches so far.
    pub total: u32,
    /// Number of rows without the filter, the kinds and the server.
    pub of: u32,
    /// Number of rows of connections that check servers, without phases, as far as they are known.
    pub of_checks: u32,
    /// True when `total` is final: the search of older rows goes on in the background, newest
    /// first, and each further query of the same text sees more.
    pub complete: bool,
    /// Problem of the filter text, if any; the rows then ignore that term.
    pub problem: Option<FilterProblem>,
}

/// A mistake in a filter. Its place is a range: the text has one line, in which the term is marked.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, specta::Type)]
pub struct FilterProblem {
    pub message: String,
    /// Range of the term, in characters.
    pub start: u32,
    pub end: u32,
}

/// Everything about one row except its payloads.
#[derive(Debug, Clone, PartialEq, Serialize, specta::Type)]
pub struct ExchangeDetail {
    pub row: ExchangeRow,
    /// Its frames in order: request, response.
    pub frames: Vec<FrameSummary>,
    /// The HTTP request that carried it, where it travelled over HTTP.
    pub http: Option<HttpFacts>,
}

#[derive(Debug, Clone, PartialEq, Serialize, specta::Type)]
pub struct FrameSummary {
    pub id: FrameId,
    pub direction: Direction,
    pub at: Timestamp,
    /// Size on the wire.
    pub size: ByteCount,
    /// True when a secret was masked before this was written.
    pub redacted: bool,
    /// False when its text is in memory only, since its server is not recorded.
    pub recorded: bool,
}

/// One HTTP request and its response. Values of secret headers are masked.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize, specta::Type)]
#[serde(rename_all = "camelCase")]
pub struct HttpFacts {
    pub method: String,
    pub url: String,
    pub request_headers: Vec<(String, String)>,
    /// Absent while no answer came.
    pub status: Option<u16>,
    pub response_headers: Vec<(String, String)>,
    /// Reason why no answer came.
    pub error: Option<String>,
    /// Duration until the response's headers were there.
    pub time_to_headers: Option<Millis>,
}

/// Form in which to show a payload.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize, specta::Type)]
#[serde(rename_all = "camelCase")]
pub enum PayloadForm {
    /// Exactly what crossed the wire.
    Raw,
    /// JSON with two spaces of indentation; numbers and strings exactly as they came. Text
    /// that is not JSON is as in `raw`.
    Pretty,
    /// The string value at the pointer, unescaped.
    Text,
}

/// Query for a part of a payload.
#[derive(Debug, Clone, PartialEq, Eq, Hash, Serialize, Deserialize, specta::Type)]
pub struct PayloadQuery {
    pub frame: FrameId,
    /// A JSON pointer (RFC 6901) into the payload; empty for all of it.
    pub pointer: String,
    pub form: PayloadForm,
}

/// A page of a payload, in lines.
#[derive(Debug, Clone, PartialEq, Serialize, specta::Type)]
#[serde(rename_all = "camelCase")]
pub struct LinePage {
    /// The lines asked for. A line longer than 2,000 characters continues on the next.
    pub lines: Vec<String>,
    /// Number of each of them in the text, from 1; none where it continues the one before.
    pub numbers: Vec<Option<u32>>,
    pub first_line: u32,
    pub total_lines: u32,
    /// Size of the whole text in this form.
    pub total_size: ByteCount,
}

/// The places of a text in a payload.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, specta::Type)]
pub struct PayloadMatches {
    /// The lines, as a [`LinePage`] counts them, from 0; one for each match, at most 10,000.
    pub lines: Vec<u32>,
    /// The number of all matches.
    pub total: u32,
}

/// State of recording.
#[derive(Debug, Clone, PartialEq, Serialize, specta::Type)]
pub struct RecordingState {
    /// The number of frames on record.
    pub frames: u32,
    /// Size on disk.
    pub size: ByteCount,
    /// Frames that could not be recorded since recording stopped by itself.
    pub dropped: u32,
    /// Reason why nothing is being recorded; absent while recording works.
    pub off: Option<String>,
    /// Path of the record.
    pub path: String,
}

/// Revision of the record: how much there is of it, and whether it changed.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, specta::Type)]
pub struct RecordRevision {
    /// The number of frames on record.
    pub frames: u32,
    /// Moves whenever a row appears, changes or disappears, or recording turns on or off.
    pub revision: u32,
}

/// Limits of age and size of the record.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize, specta::Type)]
pub struct Retention {
    /// Days; frames older than this are removed.
    pub days: u32,
    /// Mebibytes; the oldest frames are removed when the record is larger.
    pub mebibytes: u32,
}

impl Retention {
    /// Returns the oldest moment of what may stay.
    pub(crate) fn oldest_allowed(self, now: Timestamp) -> Timestamp {
        now - Duration::from_secs(u64::from(self.days) * 86_400)
    }
}

impl Default for Retention {
    fn default() -> Self {
        Self {
            days: 30,
            mebibytes: 2048,
        }
    }
}
