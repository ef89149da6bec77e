//! Commands for opened session files: the same as for the record, each on the record of a session.

use std::path::PathBuf;

use sightglass_inspector::{
    Causality, ExchangeDetail, ExchangeId, FrameId, LinePage, OperationPage, OperationQuery,
    OperationTree, PayloadMatches, PayloadQuery, RecordRevision, ServerId, SessionReport,
    TrafficPage, TrafficQuery,
    view::{
        CopyForm, RecordedServer, ReplayId, ReplayOutcome, ReplayView, SessionId, SessionView,
        SurfaceDifference,
    },
};
use tauri::{AppHandle, Runtime, ipc::Channel};
use tauri_plugin_dialog::DialogExt;

use super::system::chosen;
use crate::error::{CommandResult, contained};
use crate::projects::Current;

/// Opens a session file. Its rows come in the background.
#[tauri::command]
#[specta::specta]
pub async fn open_session(inspector: Current, path: String) -> CommandResult<SessionView> {
    contained(async move { Ok(inspector.open_session(&PathBuf::from(path)).await?) }).await
}

/// Returns the opened session files.
#[tauri::command]
#[specta::specta]
pub async fn sessions(inspector: Current) -> CommandResult<Vec<SessionView>> {
    contained(async move { Ok(inspector.sessions()) }).await
}

/// Closes a session file and deletes its record.
#[tauri::command]
#[specta::specta]
pub async fn close_session(inspector: Current, session: SessionId) -> CommandResult<()> {
    contained(async move {
        inspector.close_session(session).await;
        Ok(())
    })
    .await
}

/// Checks a session, or without one the record of this program.
#[tauri::command]
#[specta::specta]
pub async fn check_session(
    inspector: Current,
    session: Option<SessionId>,
) -> CommandResult<SessionReport> {
    contained(async move { Ok(inspector.check_session(session).await?) }).await
}

/// Compares what two recorded servers showed.
#[tauri::command]
#[specta::specta]
pub async fn compare_recordings(
    inspector: Current,
    before: RecordedServer,
    after: RecordedServer,
) -> CommandResult<SurfaceDifference> {
    contained(async move { Ok(inspector.compare_recordings(&before, &after).await?) }).await
}

/// Lists the requests of a recorded server that can be sent to a connected one.
#[tauri::command]
#[specta::specta]
pub async fn list_replay(
    inspector: Current,
    recorded: RecordedServer,
    server: ServerId,
) -> CommandResult<ReplayView> {
    contained(async move { Ok(inspector.list_replay(recorded, server).await?) }).await
}

/// Sends one request of a listed replay. One that may change something is sent only when the user
/// agreed to it.
#[tauri::command]
#[specta::specta]
pub async fn replay_step(
    inspector: Current,
    replay: ReplayId,
    index: u32,
    is_agreed: bool,
) -> CommandResult<ReplayOutcome> {
    contained(async move { Ok(inspector.replay_step(replay, index, is_agreed).await?) }).await
}

/// Forgets a listed replay.
#[tauri::command]
#[specta::specta]
pub async fn forget_replay(inspector: Current, replay: ReplayId) -> CommandResult<()> {
    contained(async move {
        inspector.forget_replay(replay);
        Ok(())
    })
    .await
}

/// Sends the revision of a session's record whenever it changed, at most fifteen times a second.
#[tauri::command]
#[specta::specta]
pub async fn subscribe_session(
    inspector: Current,
    session: SessionId,
    channel: Channel<RecordRevision>,
) -> CommandResult<()> {
    contained(async move {
        let mut revisions = inspector.session_record(session)?.watch();
        tokio::spawn(async move {
            loop {
                let revision = *revisions.borrow_and_update();
                if channel.send(revision).is_err() || revisions.changed().await.is_err() {
                    break;
                }
            }
        });
        Ok(())
    })
    .await
}

/// Rows of a session that match `query`, oldest first; `offset` counts from the newest.
#[tauri::command]
#[specta::specta]
pub async fn session_window(
    inspector: Current,
    session: SessionId,
    query: TrafficQuery,
    offset: u32,
    limit: u32,
) -> CommandResult<TrafficPage> {
    contained(async move {
        let record = inspector.session_record(session)?;
        Ok(record.window(query, offset, limit).await?)
    })
    .await
}

/// Operations of a session of which a row matches `query`, oldest first; `offset` counts from the
/// newest.
#[tauri::command]
#[specta::specta]
pub async fn session_operations(
    inspector: Current,
    session: SessionId,
    query: TrafficQuery,
    offset: u32,
    limit: u32,
) -> CommandResult<OperationPage> {
    contained(async move {
        let record = inspector.session_record(session)?;
        Ok(record.operations(query, offset, limit).await?)
    })
    .await
}

/// Rows of the tree of an operation of a session, `limit` of them after the first `offset`.
#[tauri::command]
#[specta::specta]
pub async fn session_operation(
    inspector: Current,
    session: SessionId,
    query: OperationQuery,
    offset: u32,
    limit: u32,
) -> CommandResult<OperationTree> {
    contained(async move {
        let record = inspector.session_record(session)?;
        Ok(record.operation(query, offset, limit).await?)
    })
    .await
}

/// Causes and effects of a row of a session.
#[tauri::command]
#[specta::specta]
pub async fn session_causality(
    inspector: Current,
    session: SessionId,
    id: ExchangeId,
) -> CommandResult<Causality> {
    contained(async move { Ok(inspector.session_record(session)?.causality(id).await?) }).await
}

/// One row of a session with its frames and the HTTP request that carried it.
#[tauri::command]
#[specta::specta]
pub async fn session_detail(
    inspector: Current,
    session: SessionId,
    id: ExchangeId,
) -> CommandResult<ExchangeDetail> {
    contained(async move { Ok(inspector.session_record(session)?.detail(id).await?) }).await
}

/// Lines of a payload of a session.
#[tauri::command]
#[specta::specta]
pub async fn session_payload_lines(
    inspector: Current,
    session: SessionId,
    query: PayloadQuery,
    first_line: u32,
    count: u32,
) -> CommandResult<LinePage> {
    contained(async move {
        let record = inspector.session_record(session)?;
        Ok(record.payload_lines(query, first_line, count).await?)
    })
    .await
}

/// A payload of a session as one text, at most 1 MiB of it.
#[tauri::command]
#[specta::specta]
pub async fn session_payload_text(
    inspector: Current,
    session: SessionId,
    query: PayloadQuery,
) -> CommandResult<String> {
    contained(async move {
        Ok(inspector
            .session_record(session)?
            .payload_text(query)
            .await?)
    })
    .await
}

/// The places of a text in a payload of a session, whatever its case.
#[tauri::command]
#[specta::specta]
pub async fn session_search_payload(
    inspector: Current,
    session: SessionId,
    query: PayloadQuery,
    text: String,
) -> CommandResult<PayloadMatches> {
    contained(async move {
        let record = inspector.session_record(session)?;
        Ok(record.search_payload(query, text).await?)
    })
    .await
}

/// Lines of a hex dump of a base64 string of a session, sixteen bytes a line.
#[tauri::command]
#[specta::specta]
pub async fn session_blob_hex(
    inspector: Current,
    session: SessionId,
    frame: FrameId,
    pointer: String,
    first_line: u32,
    count: u32,
) -> CommandResult<LinePage> {
    contained(async move {
        let record = inspector.session_record(session)?;
        Ok(record.blob_hex(frame, pointer, first_line, count).await?)
    })
    .await
}

/// A base64 string of a session, for an image or a sound; at most 64 MiB.
#[tauri::command]
#[specta::specta]
pub async fn session_blob_base64(
    inspector: Current,
    session: SessionId,
    frame: FrameId,
    pointer: String,
) -> CommandResult<String> {
    contained(async move {
        let record = inspector.session_record(session)?;
        Ok(record.blob_base64(frame, pointer).await?)
    })
    .await
}

/// A row of a session as text for the clipboard.
#[tauri::command]
#[specta::specta]
pub async fn copy_session_exchange(
    inspector: Current,
    session: SessionId,
    id: ExchangeId,
    form: CopyForm,
) -> CommandResult<String> {
    contained(async move {
        let record = inspector.session_record(session)?;
        Ok(record.copy_exchange(id, form).await?)
    })
    .await
}

/// Asks where to save a part of a payload of a session, and saves it there as `save_part` does.
#[tauri::command]
#[specta::specta]
pub async fn save_session_part<R: Runtime>(
    app: AppHandle<R>,
    inspector: Current,
    session: SessionId,
    frame: FrameId,
    pointer: String,
    suggested_name: String,
) -> CommandResult<Option<String>> {
    contained(async move {
        let record = inspector.session_record(session)?;
        let dialog = app.dialog().file().set_file_name(suggested_name);
        let Some(path) = chosen(move || dialog.blocking_save_file()).await? else {
            return Ok(None);
        };
        record.save_part(frame, pointer, path.clone()).await?;
        Ok(Some(path.display().to_string()))
    })
    .await
}
