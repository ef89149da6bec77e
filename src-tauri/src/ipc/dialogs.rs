//! Commands that ask for a file or a folder first.

use std::path::PathBuf;

use sightglass_inspector::{
    Bundle, CommandError, FrameId, Inspector, contained,
    view::{ExportReport, ExportRequest, SessionId, TrafficExport},
};
use tauri::{AppHandle, Runtime};
use tauri_plugin_dialog::{DialogExt, FilePath};

use crate::error::{CommandResult, blocking};
use crate::projects::Current;

/// Shows a dialog and returns the path that the user chooses, if any.
pub(super) async fn chosen(
    dialog: impl FnOnce() -> Option<FilePath> + Send + 'static,
) -> CommandResult<Option<PathBuf>> {
    let Ok(Some(chosen)) = tokio::task::spawn_blocking(dialog).await else {
        return Ok(None);
    };
    let path = chosen.into_path();
    path.map(Some)
        .map_err(|error| CommandError::system(error.to_string()))
}

/// Asks for a file of the user's, such as a certificate. Returns its path, or nothing when the user
/// cancelled.
#[tauri::command]
#[specta::specta]
pub async fn choose_file<R: Runtime>(app: AppHandle<R>) -> CommandResult<Option<String>> {
    contained(async move {
        let dialog = app.dialog().file();
        let path = chosen(move || dialog.blocking_pick_file()).await?;
        Ok(path.map(|path| path.display().to_string()))
    })
    .await
}

/// Asks for an `.mcpb` bundle and reads its manifest. Nothing is run. Nothing is returned when
/// the user changed their mind.
#[tauri::command]
#[specta::specta]
pub async fn choose_bundle<R: Runtime>(
    app: AppHandle<R>,
    inspector: Current,
) -> CommandResult<Option<Bundle>> {
    contained(async move {
        let dialog = app
            .dialog()
            .file()
            .add_filter("MCP bundle", &["mcpb", "dxt"]);
        let Some(path) = chosen(move || dialog.blocking_pick_file()).await? else {
            return Ok(None);
        };
        let read =
            move |inspector: &Inspector| inspector.setup.bundles.read_bundle(&path).map(Some);
        blocking(&inspector, read).await
    })
    .await
}

/// Asks for a folder of requests and shows it in place of the project's. Returns false when none
/// was chosen.
#[tauri::command]
#[specta::specta]
pub async fn choose_requests_folder<R: Runtime>(
    app: AppHandle<R>,
    inspector: Current,
) -> CommandResult<bool> {
    contained(async move {
        let dialog = app.dialog().file();
        let Some(path) = chosen(move || dialog.blocking_pick_folder()).await? else {
            return Ok(false);
        };
        inspector.tests.files.open_requests_directory(&path)?;
        Ok(true)
    })
    .await
}

/// Asks where to save servers in the form of a client, and saves them there. Returns the path,
/// or nothing when the user changed their mind.
#[tauri::command]
#[specta::specta]
pub async fn save_export<R: Runtime>(
    app: AppHandle<R>,
    inspector: Current,
    request: ExportRequest,
    suggested_name: String,
) -> CommandResult<Option<String>> {
    contained(async move {
        let dialog = app.dialog().file().set_file_name(suggested_name);
        let Some(path) = chosen(move || dialog.blocking_save_file()).await? else {
            return Ok(None);
        };
        blocking(&inspector, move |inspector| {
            inspector.setup.server_export.save_export(&request, &path)?;
            Ok(Some(path.display().to_string()))
        })
        .await
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
        sightglass_inspector::save_part(&record, frame, pointer, path.clone()).await?;
        Ok(Some(path.display().to_string()))
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
