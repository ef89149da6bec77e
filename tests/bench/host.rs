//! The application without its window.

use std::{sync::Arc, time::Duration};

use serde_json::Value;
use sightglass_inspector::{
    ConfirmationMode, Inspector, InspectorOptions, ListKind, Persistence, Phase, Places,
    ReaperCommand, ServerId,
};
use sightglass_tests::window::Directories;

use crate::setting::{Outcome, application, directories};

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
        let reaper = ReaperCommand {
            program: application(),
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
        let mut asked = Vec::new();
        for server in servers {
            // A connection before this one may have failed, and says so until this one begins.
            let before = self
                .inspector
                .servers
                .open_connections
                .status(server)
                .connection;
            self.inspector.servers.lifecycle.connect(server)?;
            asked.push((server, before));
        }
        let waiting = async {
            loop {
                let mut failed = None;
                asked.retain(|(server, before)| {
                    let status = self.inspector.servers.open_connections.status(server);
                    if status.phase == Phase::Failed && status.connection != *before {
                        failed = Some(format!("{server} failed: {:?}", status.failure));
                    }
                    status.phase != Phase::Ready
                });
                if let Some(failure) = failed {
                    return Err(failure);
                }
                if asked.is_empty() {
                    return Ok(());
                }
                if facts.next_batch().await.is_none() {
                    return Err("the application ended".to_owned());
                }
            }
        };
        Ok(tokio::time::timeout(CONNECT_TIMEOUT, waiting).await??)
    }
}
