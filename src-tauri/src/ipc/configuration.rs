//! The configuration files of every client: shown, explained, changed, approved.

use std::{collections::BTreeMap, path::Path};

use sightglass_inspector::{
    Backup, Bundle, Client, ConfigAction, Draft, Exported, ImportSource, Inspector, RemoteBundle,
    Secret, ServerId, Target,
    view::{
        AnnouncedServer, ApplyOutcome, ApprovalDecision, ApprovalReport, Candidate, ConfigTextView,
        ConfigurationView, DraftCheck, DraftLaunchView, ExplanationView, ExportRequest, PlanView,
        RegistryPage, RegistryServer, TextReading, TrustView, UnusedBundle,
    },
};
use tauri::{AppHandle, Runtime};
use tauri_plugin_dialog::DialogExt;

use super::system::chosen;
use crate::error::{CommandResult, blocking, contained};
use crate::projects::Current;

/// All configuration files of all clients, and what comes out of them.
#[tauri::command]
#[specta::specta]
pub async fn configuration(inspector: Current) -> CommandResult<ConfigurationView> {
    blocking(&inspector, move |inspector| {
        Ok(inspector.servers.projection.configuration())
    })
    .await
}

/// Explains why one server of a client is what it is.
#[tauri::command]
#[specta::specta]
pub async fn explain_configuration(
    inspector: Current,
    client: Client,
    name: String,
) -> CommandResult<ExplanationView> {
    blocking(&inspector, move |inspector| {
        inspector
            .setup
            .explanations
            .explain_configuration(client, &name)
    })
    .await
}

/// A server of a scope as the form shows it.
#[tauri::command]
#[specta::specta]
pub async fn definition_draft(
    inspector: Current,
    target: Target,
    name: String,
) -> CommandResult<Draft> {
    blocking(&inspector, move |inspector| {
        inspector.setup.text.definition_draft(&target, &name)
    })
    .await
}

/// Holds a draft against the client that is to have it. `replaces` is the server of that scope
/// that is being edited.
#[tauri::command]
#[specta::specta]
pub async fn check_draft(
    inspector: Current,
    target: Target,
    draft: Draft,
    replaces: Option<String>,
) -> CommandResult<DraftCheck> {
    let checked = async move {
        let checked = inspector
            .setup
            .drafts
            .check_draft(&target, &draft, replaces.as_deref());
        Ok(checked.await?)
    };
    contained(checked).await
}

/// Everything that connecting to a draft does.
#[tauri::command]
#[specta::specta]
pub async fn draft_launch(inspector: Current, draft: Draft) -> CommandResult<DraftLaunchView> {
    blocking(&inspector, move |inspector| {
        Ok(inspector.setup.drafts.draft_launch(&draft))
    })
    .await
}

/// Plans an action. Nothing is written.
#[tauri::command]
#[specta::specta]
pub async fn plan_configuration(
    inspector: Current,
    action: ConfigAction,
) -> CommandResult<PlanView> {
    blocking(&inspector, move |inspector| {
        inspector.setup.changes.plan_configuration(&action)
    })
    .await
}

/// Does what a plan says, if the files are still as they were.
#[tauri::command]
#[specta::specta]
pub async fn apply_configuration(inspector: Current, plan: u32) -> CommandResult<ApplyOutcome> {
    blocking(&inspector, move |inspector| {
        inspector.setup.changes.apply_configuration(plan)
    })
    .await
}

/// Does what a plan says that writes outside the project, after the user confirmed that.
#[tauri::command]
#[specta::specta]
pub async fn apply_configuration_outside(
    inspector: Current,
    plan: u32,
) -> CommandResult<ApplyOutcome> {
    blocking(&inspector, move |inspector| {
        inspector.setup.changes.apply_configuration_outside(plan)
    })
    .await
}

/// Does what a plan says, and keeps secrets for the entries that it writes, by the names in their
/// `${secret:NAME}`s. `is_confirmed_outside`: the user confirmed what is written outside the
/// project.
#[tauri::command]
#[specta::specta]
pub async fn apply_configuration_with_secrets(
    inspector: Current,
    plan: u32,
    is_confirmed_outside: bool,
    secrets: BTreeMap<String, String>,
) -> CommandResult<ApplyOutcome> {
    let secrets = secrets
        .into_iter()
        .map(|(name, value)| (name, Secret::new(value)))
        .collect();
    contained(async move {
        let applied = inspector
            .setup
            .plan_secrets
            .apply_configuration_with_secrets(plan, is_confirmed_outside, secrets);
        Ok(applied.await?)
    })
    .await
}

/// The unpacked bundles that no configuration file names.
#[tauri::command]
#[specta::specta]
pub async fn unused_bundles(inspector: Current) -> CommandResult<Vec<UnusedBundle>> {
    blocking(&inspector, move |inspector| {
        inspector.setup.unused_bundles.unused_bundles()
    })
    .await
}

/// Removes unpacked bundles, as far as no configuration file names them by now. Returns their
/// number.
#[tauri::command]
#[specta::specta]
pub async fn remove_unused_bundles(inspector: Current, names: Vec<String>) -> CommandResult<u32> {
    blocking(&inspector, move |inspector| {
        inspector.setup.unused_bundles.remove_unused_bundles(&names)
    })
    .await
}

/// Brings bundles back that were removed.
#[tauri::command]
#[specta::specta]
pub async fn restore_bundles(inspector: Current, names: Vec<String>) -> CommandResult<()> {
    blocking(&inspector, move |inspector| {
        inspector.setup.unused_bundles.restore_bundles(&names)
    })
    .await
}

/// The text of a scope's file, with a schema for completion.
#[tauri::command]
#[specta::specta]
pub async fn configuration_text(
    inspector: Current,
    target: Target,
) -> CommandResult<ConfigTextView> {
    blocking(&inspector, move |inspector| {
        inspector.setup.text.configuration_text(&target)
    })
    .await
}

/// Reads a text for a scope's file, without saving it.
#[tauri::command]
#[specta::specta]
pub async fn read_configuration_text(
    inspector: Current,
    target: Target,
    text: String,
) -> CommandResult<TextReading> {
    blocking(&inspector, move |inspector| {
        inspector.setup.text.read_configuration_text(&target, &text)
    })
    .await
}

/// A text for a scope's file with what a draft says, for the server `name` or a new one.
#[tauri::command]
#[specta::specta]
pub async fn draft_into_text(
    inspector: Current,
    target: Target,
    text: String,
    name: Option<String>,
    draft: Draft,
) -> CommandResult<String> {
    blocking(&inspector, move |inspector| {
        inspector
            .setup
            .text
            .draft_into_text(&target, &text, name.as_deref(), &draft)
    })
    .await
}

/// The copies that were kept of files, the latest first.
#[tauri::command]
#[specta::specta]
pub async fn configuration_backups(inspector: Current) -> CommandResult<Vec<Backup>> {
    blocking(&inspector, move |inspector| {
        Ok(inspector.setup.changes.configuration_backups())
    })
    .await
}

/// Everything that a server would be started with, for a user to approve.
#[tauri::command]
#[specta::specta]
pub async fn trust_request(inspector: Current, server: ServerId) -> CommandResult<TrustView> {
    blocking(&inspector, move |inspector| {
        inspector.servers.trust.trust_request(&server)
    })
    .await
}

/// The servers of the project that wait for approval, each with everything it would do.
#[tauri::command]
#[specta::specta]
pub async fn trust_requests(inspector: Current) -> CommandResult<Vec<TrustView>> {
    blocking(&inspector, move |inspector| {
        Ok(inspector.servers.trust.trust_requests())
    })
    .await
}

/// Approves the versions of several servers' entries that were shown. What changed meanwhile is
/// named and not approved.
#[tauri::command]
#[specta::specta]
pub async fn approve_servers(
    inspector: Current,
    decisions: Vec<ApprovalDecision>,
) -> CommandResult<ApprovalReport> {
    blocking(&inspector, move |inspector| {
        inspector.servers.trust.approve_servers(&decisions)
    })
    .await
}

/// Approves the version of a server's entry that `fingerprint` names.
#[tauri::command]
#[specta::specta]
pub async fn approve_server(
    inspector: Current,
    server: ServerId,
    fingerprint: String,
) -> CommandResult<()> {
    blocking(&inspector, move |inspector| {
        inspector
            .servers
            .trust
            .approve_server(&server, &fingerprint)
    })
    .await
}

/// Takes every approval of a server back.
#[tauri::command]
#[specta::specta]
pub async fn revoke_approval(inspector: Current, server: ServerId) -> CommandResult<()> {
    blocking(&inspector, move |inspector| {
        inspector.servers.trust.revoke_approval(&server)
    })
    .await
}

/// The servers of a snippet, a command line, a bundle, an address or a package. Nothing is run,
/// fetched or written.
#[tauri::command]
#[specta::specta]
pub async fn import_candidates(
    inspector: Current,
    source: ImportSource,
) -> CommandResult<Vec<Candidate>> {
    blocking(&inspector, move |inspector| {
        inspector.setup.import_sources.import_candidates(&source)
    })
    .await
}

/// Servers of the registry, a page at a time.
#[tauri::command]
#[specta::specta]
pub async fn search_registry(
    inspector: Current,
    text: String,
    cursor: Option<String>,
) -> CommandResult<RegistryPage> {
    contained(async move {
        Ok(inspector
            .setup
            .registry
            .search_registry(&text, cursor.as_deref())
            .await?)
    })
    .await
}

/// Servers in the form of a client, for the clipboard.
#[tauri::command]
#[specta::specta]
pub async fn export_servers(inspector: Current, request: ExportRequest) -> CommandResult<Exported> {
    blocking(&inspector, move |inspector| {
        inspector.setup.server_export.export_servers(&request)
    })
    .await
}

/// Asks where to save servers in the form of a client, and saves them there. Returns the path,
/// or nothing when the user changed their mind.
#[tauri::command]
#[specta::specta]
pub async fn save_export<R: Runtime>(
    app: AppHandle<R>,
    inspector: Current,
    request: ExportRequest,
    suggested_name: String,
) -> CommandResult<Option<String>> {
    contained(async move {
        let dialog = app.dialog().file().set_file_name(suggested_name);
        let Some(path) = chosen(move || dialog.blocking_save_file()).await? else {
            return Ok(None);
        };
        blocking(&inspector, move |inspector| {
            inspector.setup.server_export.save_export(&request, &path)?;
            Ok(Some(path.display().to_string()))
        })
        .await
    })
    .await
}

/// Every version of one server of the registry, the newest first.
#[tauri::command]
#[specta::specta]
pub async fn registry_versions(
    inspector: Current,
    name: String,
) -> CommandResult<Vec<RegistryServer>> {
    contained(async move { Ok(inspector.setup.registry.registry_versions(&name).await?) }).await
}

/// Asks for an `.mcpb` bundle and reads its manifest. Nothing is run. Nothing is returned when
/// the user changed their mind.
#[tauri::command]
#[specta::specta]
pub async fn choose_bundle<R: Runtime>(
    app: AppHandle<R>,
    inspector: Current,
) -> CommandResult<Option<Bundle>> {
    contained(async move {
        let dialog = app
            .dialog()
            .file()
            .add_filter("MCP bundle", &["mcpb", "dxt"]);
        let Some(path) = chosen(move || dialog.blocking_pick_file()).await? else {
            return Ok(None);
        };
        let read =
            move |inspector: &Inspector| inspector.setup.bundles.read_bundle(&path).map(Some);
        blocking(&inspector, read).await
    })
    .await
}

/// Reads an `.mcpb` bundle's description of itself. Nothing is run.
#[tauri::command]
#[specta::specta]
pub async fn read_bundle(inspector: Current, path: String) -> CommandResult<Bundle> {
    blocking(&inspector, move |inspector| {
        inspector.setup.bundles.read_bundle(Path::new(&path))
    })
    .await
}

/// Downloads a bundle that the registry lists, and reads its description of itself. Nothing is
/// unpacked and nothing is run.
#[tauri::command]
#[specta::specta]
pub async fn download_bundle(inspector: Current, listed: RemoteBundle) -> CommandResult<Bundle> {
    contained(async move { Ok(inspector.setup.bundles.download_bundle(&listed).await?) }).await
}

/// The servers that are announced on the local network within a few seconds. None of them is
/// contacted.
#[tauri::command]
#[specta::specta]
pub async fn look_on_local_network(inspector: Current) -> CommandResult<Vec<AnnouncedServer>> {
    contained(async move {
        Ok(inspector
            .setup
            .local_network
            .look_on_local_network()
            .await?)
    })
    .await
}
