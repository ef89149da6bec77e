//! Commands that export recorded traffic.

use sightglass_inspector::view::{
    CollectorHeader, ExportPreview, ExportReport, SentSpans, TrafficExport,
};
use tauri::{AppHandle, Runtime};
use tauri_plugin_dialog::DialogExt;

use super::system::chosen;
use crate::error::{CommandResult, contained};
use crate::projects::Current;

/// What an export would hold, and what is masked in it. `run` is a number of the caller's, by which
/// it is stopped and whose progress is told.
#[tauri::command]
#[specta::specta]
pub async fn preview_export(
    inspector: Current,
    exported: TrafficExport,
    run: u32,
) -> CommandResult<ExportPreview> {
    contained(async move {
        Ok(inspector
            .record
            .exports
            .preview_export(exported, run)
            .await?)
    })
    .await
}

/// Asks where to save an export, and saves it there. Returns nothing when the user cancelled.
#[tauri::command]
#[specta::specta]
pub async fn export_traffic<R: Runtime>(
    app: AppHandle<R>,
    inspector: Current,
    exported: TrafficExport,
    suggested_name: String,
    run: u32,
) -> CommandResult<Option<ExportReport>> {
    contained(async move {
        let dialog = app.dialog().file().set_file_name(suggested_name);
        let Some(path) = chosen(move || dialog.blocking_save_file()).await? else {
            return Ok(None);
        };
        Ok(Some(
            inspector
                .record
                .exports
                .export_traffic(exported, &path, run)
                .await?,
        ))
    })
    .await
}

/// The address that spans are sent to, of the address of a collector.
#[tauri::command]
#[specta::specta]
pub async fn collector_address(inspector: Current, endpoint: String) -> CommandResult<String> {
    contained(async move { Ok(inspector.record.exports.collector_address(&endpoint)?) }).await
}

/// Sends spans to this address.
#[tauri::command]
#[specta::specta]
pub async fn send_spans(
    inspector: Current,
    exported: TrafficExport,
    address: String,
    headers: Vec<CollectorHeader>,
    run: u32,
) -> CommandResult<SentSpans> {
    contained(async move {
        Ok(inspector
            .record
            .exports
            .send_spans(exported, &address, headers, run)
            .await?)
    })
    .await
}

/// Stops an export.
#[tauri::command]
#[specta::specta]
pub async fn stop_export(inspector: Current, run: u32) -> CommandResult<()> {
    contained(async move {
        inspector.record.exports.stop_export(run);
        Ok(())
    })
    .await
}
