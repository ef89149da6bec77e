//! Takes a snapshot of everything, for a host to start from.

use crate::{
    Inspector,
    view::{ProjectView, Snapshot},
};

impl Inspector {
    /// Everything, at one moment.
    pub fn snapshot(&self) -> Snapshot {
        // The number comes first: a fact that arises meanwhile is applied once more, which
        // changes nothing, and never missed.
        let sequence = self.publisher.sequence();
        let (servers, files) = self.sidebar();
        let project = &self.options.places.project;
        Snapshot {
            sequence,
            version: env!("CARGO_PKG_VERSION").to_owned(),
            project: ProjectView {
                name: project.file_name().map_or_else(
                    || project.display().to_string(),
                    |name| name.to_string_lossy().into_owned(),
                ),
                path: project.display().to_string(),
                data_directory: self.data.directory().display().to_string(),
            },
            auth: self.auth_views(&servers),
            servers,
            files,
            folder: self.folder.view(),
            requests: self.connections.requests(),
            automatic_answers: self.connections.automatic_answers(),
            answer_rules: self.answer_rules(),
            confirmations: self.confirmations.open(),
            recording: self.recorder.state(),
            settings: self.settings(),
        }
    }
}
