//! Commands for servers and their connections.

use sightglass_inspector::{
    DoctorReport, Draft, Millis, Secret, ServerId,
    view::{RestartView, ServerSettings, Snapshot},
};

use crate::error::{CommandResult, blocking, contained};
use crate::projects::Current;

/// Everything that the window shows, at one moment.
#[tauri::command]
#[specta::specta]
pub async fn snapshot(inspector: Current) -> CommandResult<Snapshot> {
    blocking(&inspector, |inspector| Ok(inspector.snapshot())).await
}

/// Starts to connect; how it goes arrives as events.
#[tauri::command]
#[specta::specta]
pub async fn connect(inspector: Current, server: ServerId) -> CommandResult<()> {
    contained(async move {
        Ok(inspector
            .servers
            .lifecycle
            .connect_with_secrets(&server)
            .await?)
    })
    .await
}

/// Sets a variable for one server until the application ends; nothing takes it back.
#[tauri::command]
#[specta::specta]
pub async fn set_session_variable(
    inspector: Current,
    server: ServerId,
    name: String,
    value: Option<String>,
) -> CommandResult<()> {
    let value = value.map(Secret::new);
    blocking(&inspector, move |inspector| {
        inspector
            .servers
            .session_variables
            .set_session_variable(&server, &name, value)
    })
    .await
}

/// Keeps a secret that the entry of a server refers to, for the entry as it is now; nothing forgets
/// it.
#[tauri::command]
#[specta::specta]
pub async fn store_entry_secret(
    inspector: Current,
    server: ServerId,
    name: String,
    value: Option<String>,
) -> CommandResult<()> {
    let value = value.map(Secret::new);
    contained(async move {
        let kept = inspector
            .servers
            .entry_secrets
            .store_entry_secret(&server, &name, value);
        Ok(kept.await?)
    })
    .await
}

/// Forgets with which transport and era a server was reached.
#[tauri::command]
#[specta::specta]
pub async fn forget_found(inspector: Current, server: ServerId) -> CommandResult<()> {
    contained(async move {
        inspector.servers.open_connections.forget_found(&server);
        Ok(())
    })
    .await
}

/// Examines a server and answers what was found; each check is told when it ends.
#[tauri::command]
#[specta::specta]
pub async fn run_doctor(inspector: Current, server: ServerId) -> CommandResult<DoctorReport> {
    contained(async move { Ok(inspector.checks.doctor.doctor(&server).await?) }).await
}

/// Stops an examination.
#[tauri::command]
#[specta::specta]
pub async fn stop_doctor(inspector: Current, server: ServerId) -> CommandResult<()> {
    contained(async move {
        inspector.checks.doctor.stop_doctor(&server);
        Ok(())
    })
    .await
}

/// Closes the connection, or stops connecting.
#[tauri::command]
#[specta::specta]
pub async fn disconnect(inspector: Current, server: ServerId) -> CommandResult<()> {
    contained(async move {
        inspector.servers.open_connections.disconnect(&server).await;
        Ok(())
    })
    .await
}

/// Trusts the project's folder: programs may start in it from now on.
#[tauri::command]
#[specta::specta]
pub async fn trust_folder(inspector: Current) -> CommandResult<()> {
    blocking(&inspector, |inspector| {
        inspector.servers.folder_trust.trust_folder()
    })
    .await
}

/// Does not trust the project's folder: programs start outside it, and the user is not asked again.
#[tauri::command]
#[specta::specta]
pub async fn distrust_folder(inspector: Current) -> CommandResult<()> {
    blocking(&inspector, |inspector| {
        inspector.servers.folder_trust.distrust_folder()
    })
    .await
}

/// Sets the folders that a server is told it may use; nothing for the default again.
#[tauri::command]
#[specta::specta]
pub async fn save_roots(
    inspector: Current,
    server: ServerId,
    folders: Option<Vec<String>>,
) -> CommandResult<()> {
    blocking(&inspector, move |inspector| {
        inspector.servers.roots.save_roots(&server, folders)
    })
    .await
}

/// Connects to a server that is in no file, and answers its id.
#[tauri::command]
#[specta::specta]
pub async fn try_server(inspector: Current, draft: Draft) -> CommandResult<ServerId> {
    contained(async move { Ok(inspector.servers.lifecycle.try_server(draft).await?) }).await
}

/// The draft of a server that is tried, to save it.
#[tauri::command]
#[specta::specta]
pub async fn tried_draft(inspector: Current, server: ServerId) -> CommandResult<Draft> {
    contained(async move { Ok(inspector.servers.tried.tried_draft(&server)?) }).await
}

/// Disconnects a server that was tried, and forgets it.
#[tauri::command]
#[specta::specta]
pub async fn forget_tried(inspector: Current, server: ServerId) -> CommandResult<()> {
    contained(async move {
        inspector.servers.lifecycle.forget_tried(&server).await;
        Ok(())
    })
    .await
}

/// Pings a server that is connected. Answers the round-trip time; nothing where no answer came in
/// time.
#[tauri::command]
#[specta::specta]
pub async fn ping(inspector: Current, server: ServerId) -> CommandResult<Option<Millis>> {
    contained(async move { Ok(inspector.servers.open_connections.ping(&server).await?) }).await
}

/// Returns the settings of a server that the application keeps itself.
#[tauri::command]
#[specta::specta]
pub async fn server_settings(
    inspector: Current,
    server: ServerId,
) -> CommandResult<ServerSettings> {
    contained(async move { Ok(inspector.servers.server_settings.server_settings(&server)) }).await
}

/// Keeps the settings of a server. They count from the next connection on.
#[tauri::command]
#[specta::specta]
pub async fn save_server_settings(
    inspector: Current,
    server: ServerId,
    settings: ServerSettings,
) -> CommandResult<()> {
    blocking(&inspector, move |inspector| {
        inspector
            .servers
            .settings_changes
            .save_server_settings(&server, settings)
    })
    .await
}

/// Starts a server anew whenever something below a path changes.
#[tauri::command]
#[specta::specta]
pub async fn restart_on_change(
    inspector: Current,
    server: ServerId,
    path: String,
) -> CommandResult<()> {
    contained(async move {
        Ok(inspector
            .servers
            .restarts
            .restart_on_change(&server, &path)?)
    })
    .await
}

/// Ends the watch of a server.
#[tauri::command]
#[specta::specta]
pub async fn stop_restart_on_change(inspector: Current, server: ServerId) -> CommandResult<()> {
    contained(async move {
        inspector.servers.restarts.stop_restart_on_change(&server);
        Ok(())
    })
    .await
}

/// The servers that are started anew on a change.
#[tauri::command]
#[specta::specta]
pub async fn restarts(inspector: Current) -> CommandResult<Vec<RestartView>> {
    contained(async move { Ok(inspector.servers.restarts.restarts()) }).await
}
