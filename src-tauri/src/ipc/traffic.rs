//! Commands that read a record, page by page: that of an opened session file, or without one this
//! program's own.

use sightglass_inspector::{
    Causality, ExchangeDetail, ExchangeId, FrameId, LinePage, OperationPage, OperationQuery,
    OperationTimeline, OperationTree, PayloadMatches, PayloadQuery, ServerId, Timeline,
    TimelinePlace, TimelineQuery, TimelineStep, TrafficPage, TrafficQuery,
    view::{CopyForm, PastCall, SessionId, ToolCallPage},
};
use tauri::{AppHandle, Runtime};
use tauri_plugin_dialog::DialogExt;

use super::system::chosen;
use crate::error::{CommandResult, contained};
use crate::projects::Current;

/// Rows that match `query`, oldest first; `offset` counts from the newest.
#[tauri::command]
#[specta::specta]
pub async fn traffic_window(
    inspector: Current,
    session: Option<SessionId>,
    query: TrafficQuery,
    offset: u32,
    limit: u32,
) -> CommandResult<TrafficPage> {
    contained(async move {
        let record = inspector.record.recording.record_of(session)?;
        Ok(record.window(query, offset, limit).await?)
    })
    .await
}

/// Operations of which a row matches `query`, oldest first; `offset` counts from the newest.
#[tauri::command]
#[specta::specta]
pub async fn traffic_operations(
    inspector: Current,
    session: Option<SessionId>,
    query: TrafficQuery,
    offset: u32,
    limit: u32,
) -> CommandResult<OperationPage> {
    contained(async move {
        let record = inspector.record.recording.record_of(session)?;
        Ok(record.operations(query, offset, limit).await?)
    })
    .await
}

/// Rows of the tree of an operation, `limit` of them after the first `offset`.
#[tauri::command]
#[specta::specta]
pub async fn traffic_operation(
    inspector: Current,
    session: Option<SessionId>,
    query: OperationQuery,
    offset: u32,
    limit: u32,
) -> CommandResult<OperationTree> {
    contained(async move {
        let record = inspector.record.recording.record_of(session)?;
        Ok(record.operation(query, offset, limit).await?)
    })
    .await
}

/// A part of the timeline of operations.
#[tauri::command]
#[specta::specta]
pub async fn traffic_timeline(
    inspector: Current,
    session: Option<SessionId>,
    query: TimelineQuery,
) -> CommandResult<Timeline> {
    contained(async move {
        Ok(inspector
            .record
            .recording
            .record_of(session)?
            .timeline(query)
            .await?)
    })
    .await
}

/// The operation on the timeline that a step leads to; the newest where there is none to begin at.
#[tauri::command]
#[specta::specta]
pub async fn traffic_timeline_step(
    inspector: Current,
    session: Option<SessionId>,
    query: TrafficQuery,
    from: Option<ExchangeId>,
    step: TimelineStep,
) -> CommandResult<Option<TimelinePlace>> {
    contained(async move {
        let record = inspector.record.recording.record_of(session)?;
        Ok(record.timeline_step(query, from, step).await?)
    })
    .await
}

/// An operation in its parts, with its critical path and its links to others.
#[tauri::command]
#[specta::specta]
pub async fn traffic_timeline_operation(
    inspector: Current,
    session: Option<SessionId>,
    id: ExchangeId,
) -> CommandResult<OperationTimeline> {
    contained(async move {
        Ok(inspector
            .record
            .recording
            .record_of(session)?
            .timeline_operation(id)
            .await?)
    })
    .await
}

/// Causes and effects of a row.
#[tauri::command]
#[specta::specta]
pub async fn traffic_causality(
    inspector: Current,
    session: Option<SessionId>,
    id: ExchangeId,
) -> CommandResult<Causality> {
    contained(async move {
        Ok(inspector
            .record
            .recording
            .record_of(session)?
            .causality(id)
            .await?)
    })
    .await
}

/// Calls of a tool that are on record, the newest first.
#[tauri::command]
#[specta::specta]
pub async fn tool_calls(
    inspector: Current,
    session: Option<SessionId>,
    server: ServerId,
    tool: String,
    offset: u32,
    limit: u32,
) -> CommandResult<ToolCallPage> {
    contained(async move {
        let record = inspector.record.recording.record_of(session)?;
        Ok(sightglass_inspector::tool_calls(&record, server, tool, offset, limit).await?)
    })
    .await
}

/// One call on record, taken apart as it was when it ended.
#[tauri::command]
#[specta::specta]
pub async fn past_call(
    inspector: Current,
    session: Option<SessionId>,
    id: ExchangeId,
) -> CommandResult<PastCall> {
    contained(async move {
        let record = inspector.record.recording.record_of(session)?;
        Ok(sightglass_inspector::past_call(&record, id).await?)
    })
    .await
}

/// One row with its frames and the HTTP request that carried it.
#[tauri::command]
#[specta::specta]
pub async fn traffic_detail(
    inspector: Current,
    session: Option<SessionId>,
    id: ExchangeId,
) -> CommandResult<ExchangeDetail> {
    contained(async move {
        Ok(inspector
            .record
            .recording
            .record_of(session)?
            .detail(id)
            .await?)
    })
    .await
}

/// Lines of a payload.
#[tauri::command]
#[specta::specta]
pub async fn payload_lines(
    inspector: Current,
    session: Option<SessionId>,
    query: PayloadQuery,
    first_line: u32,
    count: u32,
) -> CommandResult<LinePage> {
    contained(async move {
        let record = inspector.record.recording.record_of(session)?;
        Ok(record.payload_lines(query, first_line, count).await?)
    })
    .await
}

/// A payload as one text, at most 1 MiB of it.
#[tauri::command]
#[specta::specta]
pub async fn payload_text(
    inspector: Current,
    session: Option<SessionId>,
    query: PayloadQuery,
) -> CommandResult<String> {
    contained(async move {
        Ok(inspector
            .record
            .recording
            .record_of(session)?
            .payload_text(query)
            .await?)
    })
    .await
}

/// The places of a text in a payload, whatever its case.
#[tauri::command]
#[specta::specta]
pub async fn search_payload(
    inspector: Current,
    session: Option<SessionId>,
    query: PayloadQuery,
    text: String,
) -> CommandResult<PayloadMatches> {
    contained(async move {
        let record = inspector.record.recording.record_of(session)?;
        Ok(record.search_payload(query, text).await?)
    })
    .await
}

/// Lines of a hex dump of the base64 string at `pointer`, sixteen bytes a line.
#[tauri::command]
#[specta::specta]
pub async fn blob_hex(
    inspector: Current,
    session: Option<SessionId>,
    frame: FrameId,
    pointer: String,
    first_line: u32,
    count: u32,
) -> CommandResult<LinePage> {
    contained(async move {
        let record = inspector.record.recording.record_of(session)?;
        Ok(record.blob_hex(frame, pointer, first_line, count).await?)
    })
    .await
}

/// The base64 string at `pointer`, for an image or a sound; at most 64 MiB.
#[tauri::command]
#[specta::specta]
pub async fn blob_base64(
    inspector: Current,
    session: Option<SessionId>,
    frame: FrameId,
    pointer: String,
) -> CommandResult<String> {
    contained(async move {
        let record = inspector.record.recording.record_of(session)?;
        Ok(record.blob_base64(frame, pointer).await?)
    })
    .await
}

/// A row as text for the clipboard.
#[tauri::command]
#[specta::specta]
pub async fn copy_exchange(
    inspector: Current,
    session: Option<SessionId>,
    id: ExchangeId,
    form: CopyForm,
) -> CommandResult<String> {
    contained(async move {
        let record = inspector.record.recording.record_of(session)?;
        Ok(record.copy_exchange(id, form).await?)
    })
    .await
}

/// Asks where to save a part of a payload, and saves it there: the decoded bytes of a base64
/// string (`data` and `blob`), the text of any other, and JSON as it is. Returns the path, or
/// nothing when the user cancelled.
#[tauri::command]
#[specta::specta]
pub async fn save_part<R: Runtime>(
    app: AppHandle<R>,
    inspector: Current,
    session: Option<SessionId>,
    frame: FrameId,
    pointer: String,
    suggested_name: String,
) -> CommandResult<Option<String>> {
    contained(async move {
        let record = inspector.record.recording.record_of(session)?;
        let dialog = app.dialog().file().set_file_name(suggested_name);
        let Some(path) = chosen(move || dialog.blocking_save_file()).await? else {
            return Ok(None);
        };
        record.save_part(frame, pointer, path.clone()).await?;
        Ok(Some(path.display().to_string()))
    })
    .await
}

/// Puts a bookmark with a note, which may be empty, on a row, or without a note takes it away.
#[tauri::command]
#[specta::specta]
pub async fn set_bookmark(
    inspector: Current,
    id: ExchangeId,
    note: Option<String>,
) -> CommandResult<()> {
    contained(async move { Ok(inspector.record.recording.set_bookmark(id, note).await?) }).await
}

/// Removes everything from the record.
#[tauri::command]
#[specta::specta]
pub async fn clear_traffic(inspector: Current) -> CommandResult<()> {
    contained(async move { Ok(inspector.record.recording.clear_traffic().await?) }).await
}

/// Removes what is on record of one server.
#[tauri::command]
#[specta::specta]
pub async fn clear_server_traffic(inspector: Current, server: ServerId) -> CommandResult<()> {
    contained(async move {
        Ok(inspector
            .record
            .recording
            .clear_server_traffic(&server)
            .await?)
    })
    .await
}

/// Tries to record again after recording stopped by itself.
#[tauri::command]
#[specta::specta]
pub async fn retry_recording(inspector: Current) -> CommandResult<()> {
    contained(async move { Ok(inspector.record.recording.retry_recording().await?) }).await
}
