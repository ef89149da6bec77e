//! Runs requests again whenever the source of their servers changes.

use std::{
    collections::BTreeSet,
    path::PathBuf,
    sync::{Arc, Mutex},
};

use sightglass_area_core::{
    command::commands,
    core::Core,
    error::InspectorError,
    view::{Fact, RequestRunEvent, RequestRunOptions, RequestSelection},
};
use sightglass_area_servers::{
    readiness::ServerReadiness,
    server_names::ServerNames,
    source_watch::{SourceChanges, SourceWatch, watch_source},
};
use sightglass_model::{ServerId, lock};
use sightglass_requests::RequestServer;

use super::run::BegunRun;
use crate::requests::{RequestFiles, run::RequestRuns};

/// Runs requests again whenever the source of their servers changes.
pub struct RequestWatches {
    pub(crate) core: Arc<Core>,
    pub(crate) readiness: Arc<ServerReadiness>,
    pub(crate) files: Arc<RequestFiles>,
    pub(crate) runs: Arc<RequestRuns>,
    pub(crate) names: Arc<ServerNames>,
    /// Ends when this is dropped.
    pub(crate) watch: Mutex<Option<SourceWatch>>,
}

#[commands]
impl RequestWatches {
    /// Runs requests of the project, and again whenever something below `path` changes: their
    /// servers that are connected are started anew first. A relative path is understood from the
    /// project. Takes the place of an earlier watch.
    #[command(name = "start_watch")]
    pub fn watch_and_run(
        self: &Arc<Self>,
        options: RequestRunOptions,
        path: &str,
    ) -> Result<(), InspectorError> {
        let path = self.core.options.places.project.join(path.trim());
        let changes = watch_source(std::slice::from_ref(&path))?;
        let run = self.runs.begin_request_run(options.clone())?;
        let this = Arc::clone(self);
        let task = tokio::spawn(async move { this.run_on_change(options, changes, run).await });
        *lock(&self.watch) = Some(SourceWatch::of(&task));
        self.publish_watching(Some(path));
        Ok(())
    }

    /// Ends the watch.
    #[command]
    pub fn stop_watch(&self) {
        lock(&self.watch).take();
        self.publish_watching(None);
    }

    fn publish_watching(&self, path: Option<PathBuf>) {
        self.core.publisher.publish(Fact::RequestRun {
            event: Box::new(RequestRunEvent::Watching {
                path: path.map(|path| path.display().to_string()),
            }),
        });
    }

    async fn run_on_change(
        self: Arc<Self>,
        options: RequestRunOptions,
        mut changes: SourceChanges,
        run: BegunRun,
    ) {
        let mut last = Some(run);
        while changes.next().await.is_some() {
            if let Some(run) = last.take() {
                // Two runs would take each other's servers away.
                self.runs.stop_request_run(run.number);
                let _ = run.task.await;
            }
            for server in self.servers_of(&options.selection) {
                self.readiness.start_anew(&server).await;
            }
            match self.runs.begin_request_run(options.clone()) {
                Ok(run) => last = Some(run),
                Err(error) => tracing::warn!("requests are not run again: {error}"),
            }
        }
    }

    /// The configured servers of requests.
    fn servers_of(&self, selection: &RequestSelection) -> BTreeSet<ServerId> {
        let requests = self
            .runs
            .selected_requests(&self.files.requests_directory(), selection);
        let files = requests
            .into_iter()
            .flatten()
            .filter_map(|request| request.file.ok());
        files
            .filter_map(|file| match &file.server {
                RequestServer::Named(name) => self.names.find_server(name).ok(),
                RequestServer::Inline(_) => None,
            })
            .collect()
    }
}
