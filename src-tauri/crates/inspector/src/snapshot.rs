//! Takes a snapshot of everything, for a host to start from.

use sightglass_area_core::{
    command::commands,
    view::{ProjectView, Snapshot},
};

use crate::Inspector;

#[commands(snapshot_commands)]
impl Inspector {
    /// Everything that is shown, at one moment.
    #[command(name = "get_snapshot")]
    pub fn snapshot(&self) -> Snapshot {
        // The number comes first: a fact that arises meanwhile is applied once more, which
        // changes nothing, and never missed.
        let sequence = self.core.publisher.sequence();
        let (servers, files) = self.servers.sidebar.sidebar();
        let project = &self.core.options.places.project;
        Snapshot {
            sequence,
            version: env!("CARGO_PKG_VERSION").to_owned(),
            project: ProjectView {
                name: project.file_name().map_or_else(
                    || project.display().to_string(),
                    |name| name.to_string_lossy().into_owned(),
                ),
                path: project.display().to_string(),
                data_directory: self.core.data.directory().display().to_string(),
            },
            auth: self.sign_in.auth_views(&servers),
            servers,
            files,
            folder: self.servers.folder_trust.answers.view(),
            questions: self.core.connections.questions(),
            automatic_answers: self.core.connections.automatic_answers(),
            answer_rules: self.calls.answer_rules.answer_rules(),
            confirmations: self.calls.confirmations.open.open(),
            recording: self.core.recorder.state(),
            settings: self.core.settings(),
        }
    }
}
