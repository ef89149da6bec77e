//! Sends changes to the window, over two channels.

use sightglass_inspector::{
    RecordRevision,
    view::{InspectorEvent, SessionId},
};
use tauri::ipc::Channel;

use crate::error::{CommandResult, contained};
use crate::projects::Current;

/// Sends every fact from now on, several at a time when they come fast.
#[tauri::command]
#[specta::specta]
pub async fn subscribe_events(
    inspector: Current,
    channel: Channel<Vec<InspectorEvent>>,
) -> CommandResult<()> {
    contained(async move {
        let mut events = inspector.subscribe();
        tokio::spawn(async move {
            while let Some(batch) = events.next_batch().await {
                if channel.send(batch).is_err() {
                    break;
                }
            }
        });
        Ok(())
    })
    .await
}

/// Sends the revision of a record whenever it changed, at most fifteen times a second: all that
/// the window is told of it without asking. Without a session it is this program's own record.
#[tauri::command]
#[specta::specta]
pub async fn subscribe_traffic(
    inspector: Current,
    session: Option<SessionId>,
    channel: Channel<RecordRevision>,
) -> CommandResult<()> {
    contained(async move {
        let mut revisions = inspector.record_of(session)?.watch();
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
