//! Exports of recorded traffic.

use serde::{Deserialize, Serialize};
use sightglass_model::{ByteCount, ConnectionId, ExchangeId, ServerId};
use sightglass_traffic::TrafficQuery;

/// Format of an export.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize, specta::Type)]
#[serde(rename_all = "camelCase")]
pub enum ExportFormat {
    /// Lines of JSON, a frame each: the format of our own, complete.
    Ndjson,
    /// HTTP Archive 1.2, of what crossed the wire over HTTP.
    Har,
    /// Spans in the JSON form of the OpenTelemetry protocol.
    Otlp,
    /// A report for an issue.
    Markdown,
    /// A page that needs no other file.
    Html,
}

/// Rows that are exported.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, specta::Type)]
#[serde(tag = "type", rename_all = "camelCase")]
pub enum ExportScope {
    Everything,
    Server { server: ServerId },
    Connection { connection: ConnectionId },
    Rows { rows: Vec<ExchangeId> },
    Query { query: TrafficQuery },
}

/// An export: what, and in which form.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, specta::Type)]
#[serde(rename_all = "camelCase")]
pub struct TrafficExport {
    pub scope: ExportScope,
    pub format: ExportFormat,
    /// Name of what is exported, for the title and the name of the file.
    pub name: String,
    /// False to leave the texts of messages out.
    pub texts: bool,
    /// Adds the arguments and the results of tools to spans.
    pub arguments_and_results: bool,
    /// The newest row that is exported, as the preview said; all rows of now without.
    pub until: Option<ExchangeId>,
}

/// Content of an export, before it is written.
#[derive(Debug, Clone, PartialEq, Serialize, specta::Type)]
#[serde(rename_all = "camelCase")]
pub struct ExportPreview {
    /// Rows that were looked at.
    pub rows: u32,
    /// Operations that the rows or frames belong to; phases and lines of output belong to none.
    pub operations: u32,
    /// Entries, spans, rows or frames in the file.
    pub items: u32,
    pub size: ByteCount,
    /// The newest row of it.
    pub until: Option<ExchangeId>,
    /// Remarks on what is left out.
    pub left_out: Vec<String>,
    /// Places that were masked before they were recorded.
    pub masked_before: Vec<MaskedPlace>,
    /// Places that are masked in the export.
    pub masked_now: Vec<MaskedPlace>,
    /// The first bytes of the file.
    pub beginning: String,
    pub suggested_name: String,
}

/// A place in which something was masked.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, specta::Type)]
pub struct MaskedPlace {
    /// Place, such as `tools/call request: params.arguments.apiKey` or `header authorization`.
    pub place: String,
    pub count: u32,
}

/// A file that was written.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, specta::Type)]
pub struct ExportReport {
    pub path: String,
    pub items: u32,
    pub size: ByteCount,
}

/// Progress of an export.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, specta::Type)]
pub struct ExportProgress {
    /// The number that the export was started with.
    pub run: u32,
    pub done: u32,
    pub of: u32,
}

/// A header for a collector.
#[derive(Clone, Deserialize, specta::Type)]
pub struct CollectorHeader {
    pub name: String,
    /// A secret: it is sent, and kept nowhere.
    pub value: String,
}

/// Answer of a collector.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, specta::Type)]
pub struct SentSpans {
    pub address: String,
    pub spans: u32,
    /// Spans that the collector refused.
    pub rejected: u32,
    /// Its reason.
    pub reason: String,
}
