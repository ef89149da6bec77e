//! Commands for the surfaces of servers.
//!
//! Examining one of many tools takes a while, so they run on threads that may block.

use sightglass_inspector::{
    ServerId, Silence,
    view::{SurfaceCounterpart, SurfaceDifference, SurfaceView},
};

use crate::error::{CommandResult, blocking, contained};
use crate::projects::Current;

/// Returns what changed in a server's surface, and what is to be found fault with in it.
#[tauri::command]
#[specta::specta]
pub async fn surface(inspector: Current, server: ServerId) -> CommandResult<SurfaceView> {
    blocking(&inspector, move |inspector| {
        inspector.checks.surfaces.surface(&server)
    })
    .await
}

/// Pins the surface that a server has now.
#[tauri::command]
#[specta::specta]
pub async fn pin_surface(inspector: Current, server: ServerId) -> CommandResult<SurfaceView> {
    blocking(&inspector, move |inspector| {
        inspector.checks.surfaces.pin_surface(&server)
    })
    .await
}

/// Takes the surface that a server has now for the one to compare with.
#[tauri::command]
#[specta::specta]
pub async fn accept_surface(inspector: Current, server: ServerId) -> CommandResult<SurfaceView> {
    blocking(&inspector, move |inspector| {
        inspector.checks.surfaces.accept_surface(&server)
    })
    .await
}

/// Keeps comparing with the stored surface.
#[tauri::command]
#[specta::specta]
pub async fn keep_surface_alarm(
    inspector: Current,
    server: ServerId,
) -> CommandResult<SurfaceView> {
    blocking(&inspector, move |inspector| {
        inspector.checks.surfaces.keep_surface_alarm(&server)
    })
    .await
}

/// Forgets the stored surface of a server.
#[tauri::command]
#[specta::specta]
pub async fn forget_surface(inspector: Current, server: ServerId) -> CommandResult<()> {
    blocking(&inspector, move |inspector| {
        inspector.checks.surfaces.forget_surface(&server)
    })
    .await
}

/// Silences findings, or shows them again.
#[tauri::command]
#[specta::specta]
pub async fn silence_findings(
    inspector: Current,
    server: ServerId,
    silence: Silence,
    is_silenced: bool,
) -> CommandResult<SurfaceView> {
    blocking(&inspector, move |inspector| {
        inspector
            .checks
            .surfaces
            .silence_findings(&server, silence, is_silenced)
    })
    .await
}

/// Compares the surface of a connected server with that of another, or with its own in another
/// situation.
#[tauri::command]
#[specta::specta]
pub async fn compare_surface(
    inspector: Current,
    server: ServerId,
    counterpart: SurfaceCounterpart,
) -> CommandResult<SurfaceDifference> {
    contained(async move {
        Ok(inspector
            .checks
            .surfaces
            .compare_surface(&server, &counterpart)
            .await?)
    })
    .await
}
