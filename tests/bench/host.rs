//! The application without its window.

use std::{collections::HashMap, sync::Arc, time::Duration};

use serde_json::Value;
use sightglass_inspector::{
    ConfirmationMode, ConnectionEvent, Inspector, InspectorOptions, ListKind, Persistence, Phase,
    Places, ReaperCommand, ServerId, view::Fact,
};
use sightglass_tests::{programs, window::Directories};

use crate::setting::{Outcome, directories};

/// The longest that servers may take to become ready.
const CONNECT_TIMEOUT: Duration = Duration::from_secs(60);

pub struct Host {
    pub inspector: Arc<Inspector>,
    _directories: Arc<Directories>,
}

impl Host {
    /// Opens it as the window does, with these servers.
    pub fn open(servers: Value) -> Outcome<Self> {
        let directories = directories(servers)?;
        // As the window has it: the executable beside it, which links no part of a window.
        let reaper = ReaperCommand {
            program: programs::own("sightglass-cli"),
            arguments: vec!["--reap-servers".into()],
        };
        let inspector = Inspector::open(InspectorOptions {
            places: Places {
                home: directories.home(),
                project: directories.project(),
            },
            data_directory: directories.data(),
            persistence: Persistence::Everything,
            lists: ListKind::ALL.to_vec(),
            demo: None,
            reaper: Some(reaper),
            environment: Arc::new(|name| std::env::var(name).ok()),
            system_root: directories.home(),
            confirmation: ConfirmationMode::Agreed,
        });
        Ok(Self {
            inspector,
            _directories: directories,
        })
    }

    /// Connects to all of these at once and waits until each is ready.
    pub async fn connect(&self, servers: &[ServerId]) -> Outcome {
        // Told rather than asked every millisecond: a connection takes but a few.
        let mut facts = self.inspector.subscribe();
        let mut asked = HashMap::new();
        for server in servers {
            // A connection before this one may have failed, and says so until this one begins.
            let before = self
                .inspector
                .servers
                .open_connections
                .status(server)
                .connection;
            self.inspector.servers.lifecycle.connect(server)?;
            asked.insert(server, before);
        }
        let waiting = async {
            while !asked.is_empty() {
                let Some(batch) = facts.next_batch().await else {
                    return Err("the application ended".to_owned());
                };
                // By what is told alone: asking after each server for each fact of any would be
                // most of the work.
                for event in batch {
                    let Fact::Connection { event } = event.fact else {
                        continue;
                    };
                    let ConnectionEvent::Status { server, status } = *event else {
                        continue;
                    };
                    let Some(before) = asked.get(&server) else {
                        continue;
                    };
                    if status.connection == *before {
                        continue;
                    }
                    match status.phase {
                        Phase::Failed => {
                            return Err(format!("{server} failed: {:?}", status.failure));
                        }
                        Phase::Ready => {
                            asked.remove(&server);
                        }
                        _ => {}
                    }
                }
            }
            Ok(())
        };
        Ok(tokio::time::timeout(CONNECT_TIMEOUT, waiting).await??)
    }
}
