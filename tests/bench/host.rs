//! The application without its window.

use std::{sync::Arc, time::Duration};

use serde_json::Value;
use sightglass_inspector::{
    Inspector, InspectorOptions, ListKind, Persistence, Phase, Places, ReaperCommand, ServerId,
};
use sightglass_tests::window::Directories;

use crate::setting::{Outcome, application, directories};

/// The longest that servers may take to become ready.
const CONDITION_TIMEOUT: Duration = Duration::from_secs(60);

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
        });
        Ok(Self {
            inspector,
            _directories: directories,
        })
    }

    /// Connects to all of these at once and waits until each is ready.
    pub async fn connect(&self, servers: &[ServerId]) -> Outcome {
        let mut asked = Vec::new();
        for server in servers {
            // A connection before this one may have failed, and says so until this one begins.
            let before = self.inspector.status(server).connection;
            self.inspector.connect(server)?;
            asked.push((server, before));
        }
        let waiting = async {
            for (server, before) in asked {
                loop {
                    let status = self.inspector.status(server);
                    match status.phase {
                        Phase::Ready => break,
                        Phase::Failed if status.connection != before => {
                            return Err(format!("{server} failed: {:?}", status.failure));
                        }
                        _ => tokio::time::sleep(Duration::from_millis(1)).await,
                    }
                }
            }
            Ok(())
        };
        Ok(tokio::time::timeout(CONDITION_TIMEOUT, waiting).await??)
    }
}
