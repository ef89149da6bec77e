//! Runs requests again whenever the source of their servers changes.

use crate::{requests::RequestFiles, requests::run::RequestRuns};
use sightglass_area_core::core::Core;
use sightglass_area_servers::{readiness::Readiness, server_names::ServerNames};
use std::{collections::BTreeSet, path::PathBuf, sync::Arc};

use sightglass_model::ServerId;
use sightglass_requests::RequestServer;

use super::run::BegunRun;
use sightglass_area_core::{
    error::InspectorError, view::Fact, view::RequestRunEvent, view::RequestRunOptions,
    view::RequestSelection,
};
use sightglass_area_servers::{
    source_watch::SourceChanges, source_watch::SourceWatch, source_watch::watch_source,
};
use sightglass_model::lock;

/// Runs requests again whenever the source of their servers changes.
pub struct RequestWatches {
    pub core: Arc<Core>,
    pub readiness: Arc<Readiness>,
    pub files: Arc<RequestFiles>,
    pub runs: Arc<RequestRuns>,
    pub names: Arc<ServerNames>,
}

impl RequestWatches {
    /// Runs requests of the project, and again whenever something below `path` changes: their
    /// servers that are connected are started anew first. A relative path is understood from the
    /// project. Takes the place of an earlier watch.
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
        *lock(&self.files.open_runs.watch) = Some(SourceWatch::of(&task));
        self.publish_watching(Some(path));
        Ok(())
    }

    /// Ends the watch.
    pub fn stop_watch(&self) {
        lock(&self.files.open_runs.watch).take();
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
