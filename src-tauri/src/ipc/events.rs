//! Sends changes to the window, over two channels.
//!
//! A change of a file is one of a few servers, and all of them are hundreds of kilobytes that the
//! window would read, compare and throw away in one frame. So it is sent those that differ from what
//! it has: it reads the servers once, after it subscribed, and misses nothing that comes later.

use std::{collections::HashMap, time::Duration};

use sightglass_inspector::{
    RecordRevision, ServerId, contained,
    view::{Fact, InspectorEvent, ServerView, SessionId},
};
use tauri::ipc::Channel;

use crate::error::CommandResult;
use crate::projects::Current;

/// Time between two messages of which one is large: the window draws the first before it reads the
/// second. It draws the rows of hundreds of servers in pieces, and begins anew where something else
/// changes meanwhile.
const PAUSE: Duration = Duration::from_millis(80);

/// Sends every fact from now on, several at a time when they come fast.
#[tauri::command]
#[specta::specta]
pub async fn subscribe_events(
    inspector: Current,
    channel: Channel<Vec<InspectorEvent>>,
) -> CommandResult<()> {
    contained(async move {
        let mut events = inspector.subscribe();
        let mut sent = SentServers::from(inspector.servers.sidebar.server_views());
        tokio::spawn(async move {
            while let Some(batch) = events.next_batch().await {
                let batch = batch.into_iter().map(|event| sent.changes(event)).collect();
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

/// The servers as the window knows them.
struct SentServers(HashMap<ServerId, ServerView>);

impl From<Vec<ServerView>> for SentServers {
    fn from(servers: Vec<ServerView>) -> Self {
        let by_id = servers
            .into_iter()
            .map(|server| (server.id.clone(), server));
        Self(by_id.collect())
    }
}

impl SentServers {
    /// Leaves the servers out that are known as they are. Other facts stay as they are.
    fn changes(&mut self, event: InspectorEvent) -> InspectorEvent {
        let (servers, files) = match event.fact {
            Fact::Servers { servers, files } => (servers, files),
            fact => {
                // One that the window does not know yet comes with the next list.
                if let Fact::Server { server } = &fact
                    && let Some(known) = self.0.get_mut(&server.id)
                {
                    known.clone_from(server);
                }
                let sequence = event.sequence;
                return InspectorEvent { sequence, fact };
            }
        };
        let order = servers.iter().map(|server| server.id.clone()).collect();
        let is_new = |server: &&ServerView| self.0.get(&server.id) != Some(*server);
        let changed = servers.iter().filter(is_new).cloned().collect();
        *self = Self::from(servers);
        InspectorEvent {
            sequence: event.sequence,
            fact: Fact::ServersChanged {
                order,
                changed,
                files,
            },
        }
    }
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
        let mut revisions = inspector.record.recording.record_of(session)?.watch();
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
