//! Reads a record, page by page: that of an opened session file, or without one this program's own.

pub mod payloads;

use std::sync::Arc;

use sightglass_area_calls::call_history;
use sightglass_area_core::{
    command::commands,
    error::InspectorError,
    view::{CopyForm, PastCall, SessionId, ToolCallPage},
};
use sightglass_model::{ExchangeId, ServerId};
use sightglass_traffic::{
    Causality, ExchangeDetail, OperationPage, OperationQuery, OperationTimeline, OperationTree,
    Recorder, Timeline, TimelinePlace, TimelineQuery, TimelineStep, TrafficPage, TrafficQuery,
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
        self.read(session, move |recorder| Ok(recorder.timeline(&query)?))
            .await
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
        self.read(session, move |recorder| {
            Ok(recorder.timeline_step(&query, from, step)?)
        })
        .await
    }

    /// An operation in its parts, with its critical path and its links to others.
    #[command]
    pub async fn get_traffic_timeline_operation(
        &self,
        session: Option<SessionId>,
        id: ExchangeId,
    ) -> Result<OperationTimeline, InspectorError> {
        self.read(
            session,
            move |recorder| Ok(recorder.timeline_operation(id)?),
        )
        .await
    }

    /// Causes and effects of a row.
    #[command]
    pub async fn get_traffic_causality(
        &self,
        session: Option<SessionId>,
        id: ExchangeId,
    ) -> Result<Causality, InspectorError> {
        self.read(session, move |recorder| Ok(recorder.causality(id)?))
            .await
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
        call_history::past_call(&record, id).await
    }

    /// A row as text for the clipboard.
    #[command]
    pub async fn copy_exchange(
        &self,
        session: Option<SessionId>,
        id: ExchangeId,
        form: CopyForm,
    ) -> Result<String, InspectorError> {
        self.read(session, move |recorder| {
            Ok(match form {
                CopyForm::Json => recorder.copy_as_json(id)?,
                CopyForm::Curl => recorder.copy_as_curl(id)?,
            })
        })
        .await
    }

    /// Reads something of a record that may block on the disk or take long.
    async fn read<T: Send + 'static>(
        &self,
        session: Option<SessionId>,
        work: impl FnOnce(&Recorder) -> Result<T, InspectorError> + Send + 'static,
    ) -> Result<T, InspectorError> {
        self.recording.record_of(session)?.blocking(work).await
    }
}
