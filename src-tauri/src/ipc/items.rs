//! Commands for lists of tools, resources, templates and prompts.

use sightglass_inspector::{
    ItemWindow, ListKind, ListOutline, ServerId,
    view::{DefinitionChanges, ItemView},
};

use crate::error::{CommandResult, contained};
use crate::projects::Current;

/// A page of one list of one server.
#[tauri::command]
#[specta::specta]
pub async fn items(
    inspector: Current,
    server: ServerId,
    list: ListKind,
    filter: String,
    offset: u32,
    limit: u32,
) -> CommandResult<ItemWindow> {
    contained(async move {
        Ok(inspector
            .calls
            .lists
            .items(&server, list, &filter, offset, limit)?)
    })
    .await
}

/// Returns the beginnings that the names of a whole list share.
#[tauri::command]
#[specta::specta]
pub async fn list_outline(
    inspector: Current,
    server: ServerId,
    list: ListKind,
) -> CommandResult<ListOutline> {
    contained(async move { Ok(inspector.calls.lists.list_outline(&server, list)?) }).await
}

/// One item, whole.
#[tauri::command]
#[specta::specta]
pub async fn item(
    inspector: Current,
    server: ServerId,
    list: ListKind,
    index: u32,
) -> CommandResult<ItemView> {
    contained(async move { Ok(inspector.calls.lists.item(&server, list, index)?) }).await
}

/// Returns the position of the item of this name in its list, if it is there.
#[tauri::command]
#[specta::specta]
pub async fn find_item(
    inspector: Current,
    server: ServerId,
    list: ListKind,
    name: String,
) -> CommandResult<Option<u32>> {
    contained(async move { Ok(inspector.calls.lists.find_item(&server, list, &name)) }).await
}

/// Changes of one item: since the last `list_changed`, or without one since the surface that was
/// agreed to.
#[tauri::command]
#[specta::specta]
pub async fn definition_changes(
    inspector: Current,
    server: ServerId,
    list: ListKind,
    index: u32,
) -> CommandResult<Option<DefinitionChanges>> {
    contained(async move {
        Ok(inspector
            .checks
            .surfaces
            .definition_changes(&server, list, index)?)
    })
    .await
}

/// Loads a list again.
#[tauri::command]
#[specta::specta]
pub async fn refresh_list(
    inspector: Current,
    server: ServerId,
    list: ListKind,
) -> CommandResult<()> {
    contained(async move { Ok(inspector.calls.lists.refresh_list(&server, list).await?) }).await
}
