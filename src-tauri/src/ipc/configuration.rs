//! Scope files: what a change would do, and doing it.

use std::sync::Arc;

use sightglass_inspector::{Draft, Inspector, Scope, ServerId, view::PlannedView};
use tauri::State;

use crate::error::CommandResult;

/// A server's entry as the form shows it.
#[tauri::command]
#[specta::specta]
pub async fn server_draft(
    inspector: State<'_, Arc<Inspector>>,
    server: ServerId,
) -> CommandResult<Draft> {
    Ok(inspector.server_draft(&server)?)
}

/// A server's entry in its file, verbatim but for values that look like secrets.
#[tauri::command]
#[specta::specta]
pub async fn server_entry(
    inspector: State<'_, Arc<Inspector>>,
    server: ServerId,
) -> CommandResult<String> {
    Ok(inspector.server_entry(&server)?)
}

/// A server's entry in its file, secrets included: only when a person asks to see them.
#[tauri::command]
#[specta::specta]
pub async fn reveal_server_entry(
    inspector: State<'_, Arc<Inspector>>,
    server: ServerId,
) -> CommandResult<String> {
    Ok(inspector.reveal_server_entry(&server)?)
}

/// What saving `draft` into `scope` would change. `replaces` names the server that is being
/// edited, if it is one of that file.
#[tauri::command]
#[specta::specta]
pub async fn plan_server(
    inspector: State<'_, Arc<Inspector>>,
    draft: Draft,
    scope: Scope,
    replaces: Option<ServerId>,
) -> CommandResult<PlannedView> {
    Ok(inspector.plan_server(&draft, scope, replaces.as_ref())?)
}

/// Saves `draft` into `scope`, and says which server that is now.
#[tauri::command]
#[specta::specta]
pub async fn save_server(
    inspector: State<'_, Arc<Inspector>>,
    draft: Draft,
    scope: Scope,
    replaces: Option<ServerId>,
) -> CommandResult<ServerId> {
    Ok(inspector.save_server(&draft, scope, replaces.as_ref())?)
}

/// What removing a server from its file would change.
#[tauri::command]
#[specta::specta]
pub async fn plan_removal(
    inspector: State<'_, Arc<Inspector>>,
    server: ServerId,
) -> CommandResult<PlannedView> {
    Ok(inspector.plan_removal(&server)?)
}

/// Removes a server from the file that defines it.
#[tauri::command]
#[specta::specta]
pub async fn remove_server(
    inspector: State<'_, Arc<Inspector>>,
    server: ServerId,
) -> CommandResult<()> {
    Ok(inspector.remove_server(&server).await?)
}
