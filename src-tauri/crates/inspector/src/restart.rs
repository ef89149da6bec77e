//! Starts a server anew whenever its source changes, for those who write it.

use std::{
    collections::HashMap,
    path::PathBuf,
    sync::{Arc, Mutex},
};

use sightglass_model::ServerId;

use crate::{
    Inspector, InspectorError, lock,
    source_watch::SourceWatch,
    view::{Fact, RestartView},
};

/// Watches that start servers anew, by server.
pub(crate) type RestartWatches = Mutex<HashMap<ServerId, (PathBuf, SourceWatch)>>;

impl Inspector {
    /// Starts a connected server anew whenever something below `path` changes. A relative path is
    /// understood from the project. Takes the place of an earlier watch of the server.
    pub fn restart_on_change(
        self: &Arc<Self>,
        server: &ServerId,
        path: &str,
    ) -> Result<(), InspectorError> {
        let path = self.options.places.project.join(path.trim());
        let mut changes = self.watch_source(std::slice::from_ref(&path))?;
        let inspector = Arc::downgrade(self);
        let of = server.clone();
        let task = tokio::spawn(async move {
            while changes.next().await.is_some() {
                let Some(inspector) = inspector.upgrade() else {
                    break;
                };
                inspector.start_anew(&of).await;
            }
        });
        let watch = SourceWatch::of(&task);
        lock(&self.restart_watches).insert(server.clone(), (path, watch));
        self.publish_restarts();
        Ok(())
    }

    /// Ends the watch of a server.
    pub fn stop_restart_on_change(&self, server: &ServerId) {
        lock(&self.restart_watches).remove(server);
        self.publish_restarts();
    }

    /// The servers that are started anew on a change.
    pub fn restarts(&self) -> Vec<RestartView> {
        let watches = lock(&self.restart_watches);
        let view = |(server, (path, _)): (&ServerId, &(PathBuf, SourceWatch))| RestartView {
            server: server.clone(),
            path: path.display().to_string(),
        };
        watches.iter().map(view).collect()
    }

    fn publish_restarts(&self) {
        self.publisher.publish(Fact::Restarts {
            restarts: self.restarts(),
        });
    }
}
