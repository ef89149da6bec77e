//! Commands for checks of conformance and for load runs.

use sightglass_inspector::{
    ServerId,
    view::{ConformanceOptions, LoadOptions, LoadPlan, SuiteView},
};

use crate::error::{CommandResult, contained};
use crate::projects::Current;

/// Starts to check a server against the specification; how it goes is told as facts.
#[tauri::command]
#[specta::specta]
pub async fn run_conformance(
    inspector: Current,
    server: ServerId,
    options: ConformanceOptions,
) -> CommandResult<()> {
    contained(async move {
        Ok(inspector
            .checks
            .conformance
            .start_conformance(&server, options)?)
    })
    .await
}

/// Stops the checks of a server.
#[tauri::command]
#[specta::specta]
pub async fn stop_conformance(inspector: Current, server: ServerId) -> CommandResult<()> {
    contained(async move {
        inspector.checks.conformance.stop_conformance(&server);
        Ok(())
    })
    .await
}

/// Returns the official suite, as it is or would be installed.
#[tauri::command]
#[specta::specta]
pub async fn conformance_suite(inspector: Current) -> CommandResult<SuiteView> {
    contained(async move { Ok(inspector.checks.conformance.conformance_suite()) }).await
}

/// Downloads the official suite.
#[tauri::command]
#[specta::specta]
pub async fn install_conformance_suite(inspector: Current) -> CommandResult<SuiteView> {
    contained(async move {
        Ok(inspector
            .checks
            .conformance
            .install_conformance_suite()
            .await?)
    })
    .await
}

/// Returns the host that tests of a server would call, where it is not this machine.
#[tauri::command]
#[specta::specta]
pub async fn remote_host(inspector: Current, server: ServerId) -> CommandResult<Option<String>> {
    contained(async move { Ok(inspector.checks.load.remote_host(&server)?) }).await
}

/// Tells what a load run would do.
#[tauri::command]
#[specta::specta]
pub async fn load_plan(
    inspector: Current,
    server: ServerId,
    options: LoadOptions,
) -> CommandResult<LoadPlan> {
    contained(async move { Ok(inspector.checks.load.load_plan(&server, &options)?) }).await
}

/// Starts a load run; how it goes is told as facts.
#[tauri::command]
#[specta::specta]
pub async fn start_load(
    inspector: Current,
    server: ServerId,
    options: LoadOptions,
) -> CommandResult<()> {
    contained(async move { Ok(inspector.checks.load.start_load(&server, options)?) }).await
}

/// Stops the load run of a server.
#[tauri::command]
#[specta::specta]
pub async fn stop_load(inspector: Current, server: ServerId) -> CommandResult<()> {
    contained(async move {
        inspector.checks.load.stop_load(&server);
        Ok(())
    })
    .await
}
