//! Lists of tools, resources, templates and prompts.

use std::sync::Arc;

use sightglass_inspector::{Inspector, ItemWindow, ListKind, ServerId, view::ItemView};
use tauri::State;

use crate::error::CommandResult;

/// A window onto one list of one server.
#[tauri::command]
#[specta::specta]
pub async fn items(
    inspector: State<'_, Arc<Inspector>>,
    server: ServerId,
    list: ListKind,
    filter: String,
    offset: u32,
    limit: u32,
) -> CommandResult<ItemWindow> {
    Ok(inspector.items(&server, list, &filter, offset, limit)?)
}

/// One item, whole.
#[tauri::command]
#[specta::specta]
pub async fn item(
    inspector: State<'_, Arc<Inspector>>,
    server: ServerId,
    list: ListKind,
    index: u32,
) -> CommandResult<ItemView> {
    Ok(inspector.item(&server, list, index)?)
}

/// Where an item of this name stands in its list, if it does.
#[tauri::command]
#[specta::specta]
pub async fn find_item(
    inspector: State<'_, Arc<Inspector>>,
    server: ServerId,
    list: ListKind,
    name: String,
) -> CommandResult<Option<u32>> {
    Ok(inspector.find_item(&server, list, &name))
}

/// Loads a list again.
#[tauri::command]
#[specta::specta]
pub async fn refresh_list(
    inspector: State<'_, Arc<Inspector>>,
    server: ServerId,
    list: ListKind,
) -> CommandResult<()> {
    Ok(inspector.refresh_list(&server, list).await?)
}
