//! The two channels on which the window is told what changed.

use std::sync::Arc;

use serde::Serialize;
use sightglass_inspector::{Inspector, view::InspectorEvent};
use tauri::{State, ipc::Channel};

use crate::error::{CommandResult, contained};

/// "There are now so many": all that the window is told of the record without asking.
#[derive(Debug, Clone, Copy, Serialize, specta::Type)]
pub struct TrafficPulse {
    pub frames: u32,
    /// Moves whenever a row is added or completes.
    pub revision: u32,
}

/// Sends every fact from now on, several at a time when they come fast.
#[tauri::command]
#[specta::specta]
pub async fn subscribe_events(
    inspector: State<'_, Arc<Inspector>>,
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

/// Sends a pulse whenever the record changed, at most about fifteen times a second.
#[tauri::command]
#[specta::specta]
pub async fn subscribe_traffic(
    inspector: State<'_, Arc<Inspector>>,
    channel: Channel<TrafficPulse>,
) -> CommandResult<()> {
    contained(async move {
        let mut revisions = inspector.watch_traffic();
        tokio::spawn(async move {
            loop {
                let revision = *revisions.borrow_and_update();
                let pulse = TrafficPulse {
                    frames: revision.frames,
                    revision: revision.revision,
                };
                if channel.send(pulse).is_err() || revisions.changed().await.is_err() {
                    break;
                }
            }
        });
        Ok(())
    })
    .await
}
