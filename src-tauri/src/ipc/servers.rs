//! Servers and their connections.

use std::sync::Arc;

use sightglass_inspector::{Inspector, ServerId, view::Snapshot};
use tauri::State;

use crate::error::CommandResult;

/// Everything that the window shows, at one moment.
#[tauri::command]
#[specta::specta]
pub async fn snapshot(inspector: State<'_, Arc<Inspector>>) -> CommandResult<Snapshot> {
    Ok(inspector.snapshot())
}

/// Starts to connect; how it goes arrives as events.
#[tauri::command]
#[specta::specta]
pub async fn connect(inspector: State<'_, Arc<Inspector>>, server: ServerId) -> CommandResult<()> {
    Ok(inspector.connect(&server)?)
}

/// Closes the connection, or stops connecting.
#[tauri::command]
#[specta::specta]
pub async fn disconnect(
    inspector: State<'_, Arc<Inspector>>,
    server: ServerId,
) -> CommandResult<()> {
    inspector.disconnect(&server).await;
    Ok(())
}
