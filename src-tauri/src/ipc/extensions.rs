//! Commands for the extensions of the protocol.

use sightglass_inspector::{
    ServerId,
    view::{ExtensionsView, SurfaceDifference},
};

use crate::error::{CommandResult, contained};
use crate::projects::Current;

/// Returns the extensions that this client and a server declare.
#[tauri::command]
#[specta::specta]
pub async fn extensions(inspector: Current, server: ServerId) -> CommandResult<ExtensionsView> {
    contained(async move { Ok(inspector.calls.extensions.extensions(&server)) }).await
}

/// Declares an extension to a server, or no longer; returns the changes of its lists.
#[tauri::command]
#[specta::specta]
pub async fn switch_extension(
    inspector: Current,
    server: ServerId,
    id: String,
    is_declared: bool,
) -> CommandResult<Option<SurfaceDifference>> {
    contained(async move {
        Ok(inspector
            .calls
            .extensions
            .switch_extension(&server, &id, is_declared)
            .await?)
    })
    .await
}

/// Declares the extensions in a JSON object and none else; returns the changes of the server's
/// lists.
#[tauri::command]
#[specta::specta]
pub async fn declare_extensions(
    inspector: Current,
    server: ServerId,
    extensions: String,
) -> CommandResult<Option<SurfaceDifference>> {
    contained(async move {
        Ok(inspector
            .calls
            .extensions
            .declare_extensions(&server, extensions)
            .await?)
    })
    .await
}
