//! Commands that read the record, page by page.

use crate::error::{CommandResult, contained};
use crate::projects::Current;
use sightglass_inspector::{
    Causality, ExchangeDetail, ExchangeId, FrameId, LinePage, OperationPage, OperationQuery,
    OperationTree, PayloadMatches, PayloadQuery, ServerId, TrafficPage, TrafficQuery,
    view::CopyForm,
};

/// Rows that match `query`, oldest first; `offset` counts from the newest.
#[tauri::command]
#[specta::specta]
pub async fn traffic_window(
    inspector: Current,
    query: TrafficQuery,
    offset: u32,
    limit: u32,
) -> CommandResult<TrafficPage> {
    contained(async move { Ok(inspector.traffic_window(query, offset, limit).await?) }).await
}

/// Operations of which a row matches `query`, oldest first; `offset` counts from the newest.
#[tauri::command]
#[specta::specta]
pub async fn traffic_operations(
    inspector: Current,
    query: TrafficQuery,
    offset: u32,
    limit: u32,
) -> CommandResult<OperationPage> {
    contained(async move { Ok(inspector.traffic_operations(query, offset, limit).await?) }).await
}

/// Rows of the tree of an operation, `limit` of them after the first `offset`.
#[tauri::command]
#[specta::specta]
pub async fn traffic_operation(
    inspector: Current,
    query: OperationQuery,
    offset: u32,
    limit: u32,
) -> CommandResult<OperationTree> {
    contained(async move { Ok(inspector.traffic_operation(query, offset, limit).await?) }).await
}

/// Causes and effects of a row.
#[tauri::command]
#[specta::specta]
pub async fn traffic_causality(inspector: Current, id: ExchangeId) -> CommandResult<Causality> {
    contained(async move { Ok(inspector.traffic_causality(id).await?) }).await
}

/// One row with its frames and the HTTP request that carried it.
#[tauri::command]
#[specta::specta]
pub async fn traffic_detail(inspector: Current, id: ExchangeId) -> CommandResult<ExchangeDetail> {
    contained(async move { Ok(inspector.traffic_detail(id).await?) }).await
}

/// Lines of a payload.
#[tauri::command]
#[specta::specta]
pub async fn payload_lines(
    inspector: Current,
    query: PayloadQuery,
    first_line: u32,
    count: u32,
) -> CommandResult<LinePage> {
    contained(async move { Ok(inspector.payload_lines(query, first_line, count).await?) }).await
}

/// A payload as one text, at most 1 MiB of it.
#[tauri::command]
#[specta::specta]
pub async fn payload_text(inspector: Current, query: PayloadQuery) -> CommandResult<String> {
    contained(async move { Ok(inspector.payload_text(query).await?) }).await
}

/// The places of a text in a payload, whatever its case.
#[tauri::command]
#[specta::specta]
pub async fn search_payload(
    inspector: Current,
    query: PayloadQuery,
    text: String,
) -> CommandResult<PayloadMatches> {
    contained(async move { Ok(inspector.search_payload(query, text).await?) }).await
}

/// Lines of a hex dump of the base64 string at `pointer`, sixteen bytes a line.
#[tauri::command]
#[specta::specta]
pub async fn blob_hex(
    inspector: Current,
    frame: FrameId,
    pointer: String,
    first_line: u32,
    count: u32,
) -> CommandResult<LinePage> {
    contained(async move {
        Ok(inspector
            .blob_hex(frame, pointer, first_line, count)
            .await?)
    })
    .await
}

/// The base64 string at `pointer`, for an image or a sound; at most 64 MiB.
#[tauri::command]
#[specta::specta]
pub async fn blob_base64(
    inspector: Current,
    frame: FrameId,
    pointer: String,
) -> CommandResult<String> {
    contained(async move { Ok(inspector.blob_base64(frame, pointer).await?) }).await
}

/// A row as text for the clipboard.
#[tauri::command]
#[specta::specta]
pub async fn copy_exchange(
    inspector: Current,
    id: ExchangeId,
    form: CopyForm,
) -> CommandResult<String> {
    contained(async move { Ok(inspector.copy_exchange(id, form).await?) }).await
}

/// Removes everything from the record.
#[tauri::command]
#[specta::specta]
pub async fn clear_traffic(inspector: Current) -> CommandResult<()> {
    contained(async move { Ok(inspector.clear_traffic().await?) }).await
}

/// Removes what is on record of one server.
#[tauri::command]
#[specta::specta]
pub async fn clear_server_traffic(inspector: Current, server: ServerId) -> CommandResult<()> {
    contained(async move { Ok(inspector.clear_server_traffic(&server).await?) }).await
}

/// Tries to record again after recording stopped by itself.
#[tauri::command]
#[specta::specta]
pub async fn retry_recording(inspector: Current) -> CommandResult<()> {
    contained(async move { Ok(inspector.retry_recording().await?) }).await
}
