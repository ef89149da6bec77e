//! Starts a server anew whenever its source changes, for those who write it.

use std::{
    collections::HashMap,
    path::PathBuf,
    sync::{Arc, Mutex},
};

use sightglass_area_core::{
    command::commands,
    core::Core,
    error::InspectorError,
    view::{Fact, RestartView},
};
use sightglass_model::{ServerId, lock};

use crate::{
    readiness::ServerReadiness,
    source_watch::{SourceWatch, watch_source},
};

/// Watches that start servers anew, by server.
pub type RestartWatches = Mutex<HashMap<ServerId, (PathBuf, SourceWatch)>>;

/// Starts a server anew whenever its source changes, for those who write it.
pub struct Restarts {
    pub(crate) core: Arc<Core>,
    pub(crate) readiness: Arc<ServerReadiness>,
    pub(crate) watches: RestartWatches,
}

#[commands]
impl Restarts {
    /// Starts a connected server anew whenever something below `path` changes. A relative path is
    /// understood from the project. Takes the place of an earlier watch of the server.
    #[command]
    pub fn start_restart_on_change(
        self: &Arc<Self>,
        server: &ServerId,
        path: &str,
    ) -> Result<(), InspectorError> {
        let path = self.core.options.places.project.join(path.trim());
        let mut changes = watch_source(std::slice::from_ref(&path))?;
        let this = Arc::downgrade(self);
        let of = server.clone();
        let task = tokio::spawn(async move {
            while changes.next().await.is_some() {
                let Some(this) = this.upgrade() else {
                    break;
                };
                this.readiness.start_anew(&of).await;
            }
        });
        let watch = SourceWatch::of(&task);
        lock(&self.watches).insert(server.clone(), (path, watch));
        self.publish_restarts();
        Ok(())
    }

    /// Ends the watch of a server.
    #[command]
    pub fn stop_restart_on_change(&self, server: &ServerId) {
        lock(&self.watches).remove(server);
        self.publish_restarts();
    }

    /// Ends all watches.
    pub fn stop_all(&self) {
        lock(&self.watches).clear();
    }

    /// The servers that are started anew on a change.
    #[command(name = "list_restarts")]
    pub fn restarts(&self) -> Vec<RestartView> {
        let watches = lock(&self.watches);
        let view = |(server, (path, _)): (&ServerId, &(PathBuf, SourceWatch))| RestartView {
            server: server.clone(),
            path: path.display().to_string(),
        };
        watches.iter().map(view).collect()
    }

    fn publish_restarts(&self) {
        self.core.publisher.publish(Fact::Restarts {
            restarts: self.restarts(),
        });
    }
}
