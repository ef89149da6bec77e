//! Record: what happened, here and in sessions that were opened.

use std::sync::Arc;

use sightglass_area_calls::Calls;
use sightglass_area_core::{
    command::{Command, within},
    core::Core,
    jobs::Jobs,
    view::Fact,
};
use sightglass_area_servers::Servers;

use crate::{
    reader::RecordReader, recording::Recording, replay::Replays, sessions::SessionFiles,
    traffic_export::TrafficExports,
};

/// Record: what happened, here and in sessions that were opened.
pub struct Record {
    pub sessions: Arc<SessionFiles>,
    pub recording: Arc<Recording>,
    pub reader: Arc<RecordReader>,
    pub replays: Arc<Replays>,
    pub exports: Arc<TrafficExports>,
}

impl Record {
    /// Puts the area together, each part with those that it calls.
    pub fn new(core: &Arc<Core>, servers: &Servers, calls: &Calls) -> Self {
        let sessions = Arc::new_cyclic(|this| SessionFiles {
            core: Arc::clone(core),
            open: Default::default(),
            this: this.clone(),
        });
        let recording = Arc::new(Recording {
            core: Arc::clone(core),
            resources: Arc::clone(&calls.resources),
            sessions: Arc::clone(&sessions),
        });
        let reader = Arc::new(RecordReader {
            recording: Arc::clone(&recording),
        });
        let replays = Arc::new(Replays {
            requests: Arc::clone(&calls.requests),
            lists: Arc::clone(&calls.lists),
            sessions: Arc::clone(&sessions),
            open: Default::default(),
        });
        let exports = Arc::new(TrafficExports {
            core: Arc::clone(core),
            configuration: Arc::clone(&servers.configuration),
            sign_in_targets: Arc::clone(&servers.sign_in_targets),
            jobs: Jobs::new(&core.publisher, |progress| Fact::Export { progress }),
        });
        Self {
            sessions,
            recording,
            reader,
            replays,
            exports,
        }
    }

    /// Stops the exports under way.
    pub fn stop(&self) {
        self.exports.jobs.stop_all();
    }

    /// Lists the commands of the area.
    pub fn commands() -> Vec<Command<Self>> {
        [
            within(SessionFiles::commands(), |area: &Self| &area.sessions),
            within(Recording::commands(), |area: &Self| &area.recording),
            within(RecordReader::commands(), |area: &Self| &area.reader),
            within(RecordReader::payload_commands(), |area: &Self| &area.reader),
            within(Replays::commands(), |area: &Self| &area.replays),
            within(TrafficExports::commands(), |area: &Self| &area.exports),
            within(TrafficExports::collector_commands(), |area: &Self| {
                &area.exports
            }),
        ]
        .into_iter()
        .flatten()
        .collect()
    }
}
