//! Reads a record, page by page: that of an opened session file, or without one this program's own.

use std::sync::Arc;

use sightglass_area_calls::call_history;
use sightglass_area_core::{
    command::commands,
    error::InspectorError,
    view::{CopyForm, PastCall, SessionId, ToolCallPage},
};
use sightglass_model::{ExchangeId, FrameId, ServerId};
use sightglass_traffic::{
    Causality, ExchangeDetail, LinePage, OperationPage, OperationQuery, OperationTimeline,
    OperationTree, PayloadMatches, PayloadQuery, Timeline, TimelinePlace, TimelineQuery,
    TimelineStep, TrafficPage, TrafficQuery,
};

use crate::recording::Recording;

/// Reads a record, page by page.
pub struct RecordReader {
    pub(crate) recording: Arc<Recording>,
}

#[commands]
impl RecordReader {
    /// Rows that match `query`, oldest first; `offset` counts from the newest.
    #[command]
    pub async fn list_traffic(
        &self,
        session: Option<SessionId>,
        query: TrafficQuery,
        offset: u32,
        limit: u32,
    ) -> Result<TrafficPage, InspectorError> {
        let record = self.recording.record_of(session)?;
        record.window(query, offset, limit).await
    }

    /// Operations of which a row matches `query`, oldest first; `offset` counts from the newest.
    #[command]
    pub async fn list_traffic_operations(
        &self,
        session: Option<SessionId>,
        query: TrafficQuery,
        offset: u32,
        limit: u32,
    ) -> Result<OperationPage, InspectorError> {
        let record = self.recording.record_of(session)?;
        record.operations(query, offset, limit).await
    }

    /// Rows of the tree of an operation, `limit` of them after the first `offset`.
    #[command]
    pub async fn get_traffic_operation(
        &self,
        session: Option<SessionId>,
        query: OperationQuery,
        offset: u32,
        limit: u32,
    ) -> Result<OperationTree, InspectorError> {
        let record = self.recording.record_of(session)?;
        record.operation(query, offset, limit).await
    }

    /// A part of the timeline of operations.
    #[command]
    pub async fn get_traffic_timeline(
        &self,
        session: Option<SessionId>,
        query: TimelineQuery,
    ) -> Result<Timeline, InspectorError> {
        self.recording.record_of(session)?.timeline(query).await
    }

    /// The operation on the timeline that a step leads to; the newest where there is none to begin
    /// at.
    #[command]
    pub async fn get_traffic_timeline_step(
        &self,
        session: Option<SessionId>,
        query: TrafficQuery,
        from: Option<ExchangeId>,
        step: TimelineStep,
    ) -> Result<Option<TimelinePlace>, InspectorError> {
        let record = self.recording.record_of(session)?;
        record.timeline_step(query, from, step).await
    }

    /// An operation in its parts, with its critical path and its links to others.
    #[command]
    pub async fn get_traffic_timeline_operation(
        &self,
        session: Option<SessionId>,
        id: ExchangeId,
    ) -> Result<OperationTimeline, InspectorError> {
        let record = self.recording.record_of(session)?;
        record.timeline_operation(id).await
    }

    /// Causes and effects of a row.
    #[command]
    pub async fn get_traffic_causality(
        &self,
        session: Option<SessionId>,
        id: ExchangeId,
    ) -> Result<Causality, InspectorError> {
        self.recording.record_of(session)?.causality(id).await
    }

    /// One row with its frames and the HTTP request that carried it.
    #[command]
    pub async fn get_traffic_detail(
        &self,
        session: Option<SessionId>,
        id: ExchangeId,
    ) -> Result<ExchangeDetail, InspectorError> {
        self.recording.record_of(session)?.detail(id).await
    }

    /// Calls of a tool that are on record, the newest first.
    #[command(name = "list_tool_calls")]
    pub async fn tool_calls(
        &self,
        session: Option<SessionId>,
        server: ServerId,
        tool: String,
        offset: u32,
        limit: u32,
    ) -> Result<ToolCallPage, InspectorError> {
        let record = self.recording.record_of(session)?;
        call_history::tool_calls(&record, server, tool, offset, limit).await
    }

    /// One call on record, taken apart as it was when it ended.
    #[command]
    pub async fn get_past_call(
        &self,
        session: Option<SessionId>,
        id: ExchangeId,
    ) -> Result<PastCall, InspectorError> {
        let record = self.recording.record_of(session)?;
        call_history::get_past_call(&record, id).await
    }

    /// Lines of a payload.
    #[command(name = "get_payload_lines")]
    pub async fn payload_lines(
        &self,
        session: Option<SessionId>,
        query: PayloadQuery,
        first_line: u32,
        count: u32,
    ) -> Result<LinePage, InspectorError> {
        let record = self.recording.record_of(session)?;
        record.payload_lines(query, first_line, count).await
    }

    /// A payload as one text, at most 1 MiB of it.
    #[command(name = "get_payload_text")]
    pub async fn payload_text(
        &self,
        session: Option<SessionId>,
        query: PayloadQuery,
    ) -> Result<String, InspectorError> {
        self.recording.record_of(session)?.payload_text(query).await
    }

    /// The places of a text in a payload, whatever its case.
    #[command]
    pub async fn search_payload(
        &self,
        session: Option<SessionId>,
        query: PayloadQuery,
        text: String,
    ) -> Result<PayloadMatches, InspectorError> {
        let record = self.recording.record_of(session)?;
        record.search_payload(query, text).await
    }

    /// Lines of a hex dump of the base64 string at `pointer`, sixteen bytes a line.
    #[command(name = "get_blob_hex")]
    pub async fn blob_hex(
        &self,
        session: Option<SessionId>,
        frame: FrameId,
        pointer: String,
        first_line: u32,
        count: u32,
    ) -> Result<LinePage, InspectorError> {
        let record = self.recording.record_of(session)?;
        record.blob_hex(frame, pointer, first_line, count).await
    }

    /// The base64 string at `pointer`, for an image or a sound; at most 64 MiB.
    #[command(name = "get_blob_base64")]
    pub async fn blob_base64(
        &self,
        session: Option<SessionId>,
        frame: FrameId,
        pointer: String,
    ) -> Result<String, InspectorError> {
        let record = self.recording.record_of(session)?;
        record.blob_base64(frame, pointer).await
    }

    /// A row as text for the clipboard.
    #[command]
    pub async fn copy_exchange(
        &self,
        session: Option<SessionId>,
        id: ExchangeId,
        form: CopyForm,
    ) -> Result<String, InspectorError> {
        let record = self.recording.record_of(session)?;
        record.copy_exchange(id, form).await
    }
}
