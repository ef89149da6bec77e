//! Commands for opened session files. Their records are read by the commands of
//! [`traffic`](super::traffic).

use std::path::PathBuf;

use sightglass_inspector::{
    ServerId, SessionReport,
    view::{
        RecordedServer, ReplayId, ReplayOutcome, ReplayView, SessionId, SessionView,
        SurfaceDifference,
    },
};

use crate::error::{CommandResult, contained};
use crate::projects::Current;

/// Opens a session file. Its rows come in the background.
#[tauri::command]
#[specta::specta]
pub async fn open_session(inspector: Current, path: String) -> CommandResult<SessionView> {
    contained(async move {
        Ok(inspector
            .record
            .sessions
            .open_session(&PathBuf::from(path))
            .await?)
    })
    .await
}

/// Returns the opened session files.
#[tauri::command]
#[specta::specta]
pub async fn sessions(inspector: Current) -> CommandResult<Vec<SessionView>> {
    contained(async move { Ok(inspector.record.sessions.sessions()) }).await
}

/// Closes a session file and deletes its record.
#[tauri::command]
#[specta::specta]
pub async fn close_session(inspector: Current, session: SessionId) -> CommandResult<()> {
    contained(async move {
        inspector.record.sessions.close_session(session).await;
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
    contained(async move { Ok(inspector.record.sessions.check_session(session).await?) }).await
}

/// Compares what two recorded servers showed.
#[tauri::command]
#[specta::specta]
pub async fn compare_recordings(
    inspector: Current,
    before: RecordedServer,
    after: RecordedServer,
) -> CommandResult<SurfaceDifference> {
    contained(async move {
        Ok(inspector
            .checks
            .surfaces
            .compare_recordings(&before, &after)
            .await?)
    })
    .await
}

/// Lists the requests of a recorded server that can be sent to a connected one.
#[tauri::command]
#[specta::specta]
pub async fn list_replay(
    inspector: Current,
    recorded: RecordedServer,
    server: ServerId,
) -> CommandResult<ReplayView> {
    contained(async move {
        Ok(inspector
            .record
            .replays
            .list_replay(&recorded, server)
            .await?)
    })
    .await
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
    contained(async move {
        Ok(inspector
            .record
            .replays
            .replay_step(replay, index, is_agreed)
            .await?)
    })
    .await
}

/// Forgets a listed replay.
#[tauri::command]
#[specta::specta]
pub async fn forget_replay(inspector: Current, replay: ReplayId) -> CommandResult<()> {
    contained(async move {
        inspector.record.replays.forget_replay(replay);
        Ok(())
    })
    .await
}
