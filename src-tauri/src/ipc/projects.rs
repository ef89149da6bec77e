//! Commands for the projects that are open.

use std::{path::PathBuf, sync::Arc};

use sightglass_inspector::{CommandError, contained};
use tauri::{AppHandle, Runtime, State};
use tauri_plugin_dialog::DialogExt;

use super::dialogs::chosen;
use crate::{
    error::CommandResult,
    projects::{ProjectEntry, Projects},
};

/// The open projects, then those that were opened before.
#[tauri::command]
#[specta::specta]
pub async fn list_projects(projects: State<'_, Arc<Projects>>) -> CommandResult<Vec<ProjectEntry>> {
    let projects = Arc::clone(&projects);
    contained(async move {
        let entries = tokio::task::spawn_blocking(move || projects.entries()).await;
        entries.map_err(|error| CommandError::system(error.to_string()))
    })
    .await
}

/// Shows a project. Returns true when another one was shown before, so that the page has to load
/// anew.
#[tauri::command]
#[specta::specta]
pub async fn open_project(projects: State<'_, Arc<Projects>>, path: String) -> CommandResult<bool> {
    contained(async move {
        projects
            .show(&PathBuf::from(path))
            .map_err(CommandError::system)
    })
    .await
}

/// Asks for a folder and shows it as a project; as [`open_project`].
#[tauri::command]
#[specta::specta]
pub async fn choose_project<R: Runtime>(
    app: AppHandle<R>,
    projects: State<'_, Arc<Projects>>,
) -> CommandResult<bool> {
    contained(async move {
        let dialog = app.dialog().file();
        let Some(path) = chosen(move || dialog.blocking_pick_folder()).await? else {
            return Ok(false);
        };
        projects.show(&path).map_err(CommandError::system)
    })
    .await
}

/// Closes a project that is not shown, with its connections. One in which a change is not saved
/// stays open, and the error says so.
#[tauri::command]
#[specta::specta]
pub async fn close_project(projects: State<'_, Arc<Projects>>, path: String) -> CommandResult<()> {
    contained(async move {
        let closed = projects.close(&PathBuf::from(path)).await;
        closed.map_err(CommandError::system)
    })
    .await
}

/// Keeps what was edited in a project and not saved, in memory; `None` forgets it.
#[tauri::command]
#[specta::specta]
pub async fn update_unsaved(
    projects: State<'_, Arc<Projects>>,
    project: String,
    draft: Option<String>,
) -> CommandResult<()> {
    contained(async move {
        projects.store_draft(PathBuf::from(project), draft);
        Ok(())
    })
    .await
}

/// Returns the changes of the current project that are not saved.
#[tauri::command]
#[specta::specta]
pub async fn get_unsaved(projects: State<'_, Arc<Projects>>) -> CommandResult<Option<String>> {
    contained(async move { Ok(projects.draft()) }).await
}
