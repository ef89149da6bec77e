//! Commands for requests as files, and for their runs.

use sightglass_inspector::{
    RequestPath, ServerId,
    view::{
        ApprovalDecision, ExpectationDraft, RequestApproval, RequestDraftFile, RequestRunOptions,
        RequestSelection, RequestTextView, RequestsView,
    },
};

use tauri::{AppHandle, Runtime};
use tauri_plugin_dialog::DialogExt;

use super::system::chosen;
use crate::error::{CommandResult, blocking, contained};
use crate::projects::Current;

/// Requests of the project, in the order in which they run.
#[tauri::command]
#[specta::specta]
pub async fn requests(inspector: Current) -> CommandResult<RequestsView> {
    blocking(&inspector, |inspector| Ok(inspector.tests.files.requests())).await
}

/// A request with its text.
#[tauri::command]
#[specta::specta]
pub async fn request_text(inspector: Current, path: String) -> CommandResult<RequestTextView> {
    blocking(&inspector, move |inspector| {
        inspector.tests.files.request_text(&path)
    })
    .await
}

/// Looks at a text as if it were saved.
#[tauri::command]
#[specta::specta]
pub async fn check_request(
    inspector: Current,
    path: String,
    text: String,
) -> CommandResult<RequestTextView> {
    blocking(&inspector, move |inspector| {
        inspector.tests.files.check_request(&path, &text)
    })
    .await
}

/// Saves a request's text, in place of the one with this hash.
#[tauri::command]
#[specta::specta]
pub async fn save_request(
    inspector: Current,
    path: String,
    text: String,
    hash: String,
) -> CommandResult<RequestTextView> {
    blocking(&inspector, move |inspector| {
        inspector.tests.files.save_request(&path, &text, &hash)
    })
    .await
}

/// Saves a new request, and returns its path.
#[tauri::command]
#[specta::specta]
pub async fn create_request(
    inspector: Current,
    draft: RequestDraftFile,
) -> CommandResult<RequestPath> {
    blocking(&inspector, move |inspector| {
        inspector.tests.files.create_request(&draft)
    })
    .await
}

/// Writes a request for each tool of a connected server, and returns their paths.
#[tauri::command]
#[specta::specta]
pub async fn create_request_stubs(
    inspector: Current,
    server: ServerId,
) -> CommandResult<Vec<RequestPath>> {
    blocking(&inspector, move |inspector| {
        inspector.tests.stubs.create_request_stubs(&server)
    })
    .await
}

/// Moves a request with its snapshot.
#[tauri::command]
#[specta::specta]
pub async fn move_request(inspector: Current, from: String, to: String) -> CommandResult<()> {
    blocking(&inspector, move |inspector| {
        inspector.tests.files.move_request(&from, &to)
    })
    .await
}

/// Moves a folder of requests.
#[tauri::command]
#[specta::specta]
pub async fn move_request_folder(
    inspector: Current,
    from: String,
    to: String,
) -> CommandResult<()> {
    blocking(&inspector, move |inspector| {
        inspector.tests.files.move_request_folder(&from, &to)
    })
    .await
}

/// Gives a request another name.
#[tauri::command]
#[specta::specta]
pub async fn rename_request(inspector: Current, path: String, name: String) -> CommandResult<()> {
    blocking(&inspector, move |inspector| {
        inspector.tests.files.rename_request(&path, &name)
    })
    .await
}

/// Deletes a request and its snapshot.
#[tauri::command]
#[specta::specta]
pub async fn delete_request(inspector: Current, path: String) -> CommandResult<()> {
    blocking(&inspector, move |inspector| {
        inspector.tests.files.delete_request(&path)
    })
    .await
}

/// Adds an expectation to a request.
#[tauri::command]
#[specta::specta]
pub async fn add_expectation(
    inspector: Current,
    path: String,
    expectation: ExpectationDraft,
) -> CommandResult<RequestTextView> {
    blocking(&inspector, move |inspector| {
        inspector.tests.files.add_expectation(&path, &expectation)
    })
    .await
}

/// Removes an expectation of a request, counted from 0.
#[tauri::command]
#[specta::specta]
pub async fn remove_expectation(
    inspector: Current,
    path: String,
    index: u32,
) -> CommandResult<RequestTextView> {
    blocking(&inspector, move |inspector| {
        inspector.tests.files.remove_expectation(&path, index)
    })
    .await
}

/// Returns what the selected requests would do and is not approved yet.
#[tauri::command]
#[specta::specta]
pub async fn request_approvals(
    inspector: Current,
    selection: RequestSelection,
) -> CommandResult<Vec<RequestApproval>> {
    blocking(&inspector, move |inspector| {
        inspector.tests.runs.request_approvals(&selection)
    })
    .await
}

/// Approves what the user was shown.
#[tauri::command]
#[specta::specta]
pub async fn approve_requests(
    inspector: Current,
    selection: RequestSelection,
    decisions: Vec<ApprovalDecision>,
) -> CommandResult<()> {
    blocking(&inspector, move |inspector| {
        inspector
            .tests
            .runs
            .approve_requests(&selection, &decisions)
    })
    .await
}

/// Starts to run requests, and returns the number of the run; how it goes is told as facts.
#[tauri::command]
#[specta::specta]
pub async fn run_requests(inspector: Current, options: RequestRunOptions) -> CommandResult<u32> {
    contained(async move { Ok(inspector.tests.runs.start_request_run(options)?) }).await
}

/// Stops a run.
#[tauri::command]
#[specta::specta]
pub async fn stop_request_run(inspector: Current, run: u32) -> CommandResult<()> {
    contained(async move {
        inspector.tests.runs.stop_request_run(run);
        Ok(())
    })
    .await
}

/// Runs requests, and again whenever something below a path changes.
#[tauri::command]
#[specta::specta]
pub async fn watch_and_run(
    inspector: Current,
    options: RequestRunOptions,
    path: String,
) -> CommandResult<()> {
    contained(async move { Ok(inspector.tests.watches.watch_and_run(options, &path)?) }).await
}

/// Ends the watch.
#[tauri::command]
#[specta::specta]
pub async fn stop_watch(inspector: Current) -> CommandResult<()> {
    contained(async move {
        inspector.tests.watches.stop_watch();
        Ok(())
    })
    .await
}

/// Asks for a folder of requests and shows it in place of the project's. Returns false when none
/// was chosen.
#[tauri::command]
#[specta::specta]
pub async fn choose_requests_folder<R: Runtime>(
    app: AppHandle<R>,
    inspector: Current,
) -> CommandResult<bool> {
    contained(async move {
        let dialog = app.dialog().file();
        let Some(path) = chosen(move || dialog.blocking_pick_folder()).await? else {
            return Ok(false);
        };
        inspector.tests.files.open_requests_directory(Some(&path))?;
        Ok(true)
    })
    .await
}

/// Shows the requests of the project again.
#[tauri::command]
#[specta::specta]
pub async fn show_project_requests(inspector: Current) -> CommandResult<()> {
    blocking(&inspector, |inspector| {
        inspector.tests.files.open_requests_directory(None)
    })
    .await
}
