//! Commands for the tasks of servers.

use sightglass_inspector::{
    ServerId,
    view::{CallReport, TaskView},
};

use crate::error::{CommandResult, contained};
use crate::projects::Current;

/// Tasks that are kept, the newest first. Facts bring their changes.
#[tauri::command]
#[specta::specta]
pub async fn tasks(inspector: Current) -> CommandResult<Vec<TaskView>> {
    contained(async move { Ok(inspector.calls.tasks.tasks()) }).await
}

/// Asks for the status of a task now.
#[tauri::command]
#[specta::specta]
pub async fn refresh_task(inspector: Current, server: ServerId, id: String) -> CommandResult<()> {
    contained(async move { Ok(inspector.calls.tasks.refresh_task(&server, &id)?) }).await
}

/// Asks the server to cancel a task, which is a wish.
#[tauri::command]
#[specta::specta]
pub async fn cancel_task(inspector: Current, server: ServerId, id: String) -> CommandResult<()> {
    contained(async move { Ok(inspector.calls.tasks.cancel_task(&server, &id).await?) }).await
}

/// Result of a task: the one that is here, or the one that its server still has.
#[tauri::command]
#[specta::specta]
pub async fn task_result(
    inspector: Current,
    server: ServerId,
    id: String,
) -> CommandResult<CallReport> {
    contained(async move { Ok(inspector.calls.tasks.task_result(&server, &id).await?) }).await
}

/// Takes over the tasks that a server lists (MCP 2025-11-25). Says how many were not known.
#[tauri::command]
#[specta::specta]
pub async fn list_server_tasks(inspector: Current, server: ServerId) -> CommandResult<u32> {
    contained(async move { Ok(inspector.calls.tasks.list_server_tasks(&server).await?) }).await
}

/// Forgets a task. The server is not told.
#[tauri::command]
#[specta::specta]
pub async fn forget_task(inspector: Current, server: ServerId, id: String) -> CommandResult<()> {
    contained(async move {
        inspector.calls.tasks.forget_task(&server, &id);
        Ok(())
    })
    .await
}
