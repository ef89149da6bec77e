//! Tests: request files and their runs.

use std::sync::Arc;

use sightglass_area_calls::Calls;
use sightglass_area_core::{
    command::{Command, within},
    core::Core,
    jobs::Jobs,
    view::Fact,
};
use sightglass_area_servers::Servers;
use sightglass_model::lock;

use crate::requests::{
    RequestFiles, connection::RequestConnections, exchange::RequestExchanges, run::RequestRuns,
    stubs::RequestStubs, watch::RequestWatches,
};

/// Tests: request files and their runs.
pub struct Tests {
    pub files: Arc<RequestFiles>,
    pub connections: Arc<RequestConnections>,
    pub exchanges: Arc<RequestExchanges>,
    pub runs: Arc<RequestRuns>,
    pub watches: Arc<RequestWatches>,
    pub stubs: Arc<RequestStubs>,
}

impl Tests {
    /// Puts the area together, each part with those that it calls.
    pub fn new(core: &Arc<Core>, servers: &Servers, calls: &Calls) -> Self {
        let files = Arc::new(RequestFiles {
            core: Arc::clone(core),
            folder_trust: Arc::clone(&servers.folder_trust),
            names: Arc::clone(&servers.names),
            sidebar: Arc::clone(&servers.sidebar),
            opened_directory: Default::default(),
            watch: Default::default(),
        });
        let connections = Arc::new(RequestConnections {
            core: Arc::clone(core),
            configuration: Arc::clone(&servers.configuration),
            open_connections: Arc::clone(&servers.open_connections),
            readiness: Arc::clone(&servers.readiness),
            names: Arc::clone(&servers.names),
            specs: Arc::clone(&servers.specs),
            lifecycle: Arc::clone(&servers.lifecycle),
            sign_in_targets: Arc::clone(&servers.sign_in_targets),
            tried: Arc::clone(&servers.tried),
        });
        let exchanges = Arc::new(RequestExchanges {
            core: Arc::clone(core),
            mcp_requests: Arc::clone(&calls.requests),
            confirmations: Arc::clone(&calls.confirmations),
        });
        let runs = Arc::new(RequestRuns {
            core: Arc::clone(core),
            answer_rules: Arc::clone(&calls.answer_rules),
            mcp_requests: Arc::clone(&calls.requests),
            configuration: Arc::clone(&servers.configuration),
            folder_trust: Arc::clone(&servers.folder_trust),
            connections: Arc::clone(&connections),
            exchanges: Arc::clone(&exchanges),
            files: Arc::clone(&files),
            names: Arc::clone(&servers.names),
            tried: Arc::clone(&servers.tried),
            trust: Arc::clone(&servers.trust),
            jobs: Jobs::new(&core.publisher, |event| Fact::RequestRun {
                event: Box::new(event),
            }),
            newest: Default::default(),
            sent: Default::default(),
        });
        let watches = Arc::new(RequestWatches {
            core: Arc::clone(core),
            readiness: Arc::clone(&servers.readiness),
            files: Arc::clone(&files),
            runs: Arc::clone(&runs),
            names: Arc::clone(&servers.names),
            watch: Default::default(),
        });
        let stubs = Arc::new(RequestStubs {
            lists: Arc::clone(&calls.lists),
            files: Arc::clone(&files),
        });
        Self {
            files,
            connections,
            exchanges,
            runs,
            watches,
            stubs,
        }
    }

    /// Stops the runs under way, the watch that begins new ones, and that of the files.
    pub fn stop(&self) {
        lock(&self.files.watch).take();
        lock(&self.watches.watch).take();
        self.runs.jobs.stop_all();
    }

    /// Lists the commands of the area.
    pub fn commands() -> Vec<Command<Self>> {
        [
            within(RequestFiles::commands(), |area: &Self| &area.files),
            within(RequestFiles::directory_commands(), |area: &Self| {
                &area.files
            }),
            within(RequestFiles::edit_commands(), |area: &Self| &area.files),
            within(RequestRuns::commands(), |area: &Self| &area.runs),
            within(RequestRuns::approval_commands(), |area: &Self| &area.runs),
            within(RequestWatches::commands(), |area: &Self| &area.watches),
            within(RequestStubs::commands(), |area: &Self| &area.stubs),
        ]
        .into_iter()
        .flatten()
        .collect()
    }
}
