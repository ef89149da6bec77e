//! Sends changes to the window, over two channels.

use std::time::Duration;

use sightglass_inspector::{
    RecordRevision,
    view::{Fact, InspectorEvent, SessionId},
};
use tauri::ipc::Channel;

use crate::error::{CommandResult, contained};
use crate::projects::Current;

/// Time between two messages of which one is large: the window draws the first before it reads the
/// second.
const PAUSE: Duration = Duration::from_millis(32);

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
                let mut messages = messages_of(batch).into_iter().peekable();
                while let Some(message) = messages.next() {
                    if channel.send(message).is_err() {
                        return;
                    }
                    if messages.peek().is_some() {
                        tokio::time::sleep(PAUSE).await;
                    }
                }
            }
        });
        Ok(())
    })
    .await
}

/// Parts a batch, in its order: the configuration of hundreds of servers goes by itself.
fn messages_of(batch: Vec<InspectorEvent>) -> Vec<Vec<InspectorEvent>> {
    let is_large = |event: &InspectorEvent| matches!(event.fact, Fact::Configuration { .. });
    let mut messages: Vec<Vec<InspectorEvent>> = Vec::new();
    let mut is_open = false;
    for event in batch {
        let is_alone = is_large(&event);
        match messages.last_mut().filter(|_| is_open && !is_alone) {
            Some(message) => message.push(event),
            None => messages.push(vec![event]),
        }
        is_open = !is_alone;
    }
    messages
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
