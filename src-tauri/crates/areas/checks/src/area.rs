//! Checks: whether a server is good.

use std::sync::Arc;

use sightglass_area_calls::Calls;
use sightglass_area_core::{
    command::{Command, within},
    core::Core,
    jobs::Jobs,
    view::Fact,
};
use sightglass_area_record::Record;
use sightglass_area_servers::Servers;

use crate::{
    conformance::ConformanceChecks,
    doctor::ServerDoctor,
    load::LoadTests,
    surface::{Surfaces, store::SurfaceStore},
};

/// Checks: whether a server is good.
pub struct Checks {
    pub conformance: Arc<ConformanceChecks>,
    pub load: Arc<LoadTests>,
    pub doctor: Arc<ServerDoctor>,
    pub surface_store: Arc<SurfaceStore>,
    pub surfaces: Arc<Surfaces>,
}

impl Checks {
    /// Puts the area together, each part with those that it calls.
    pub fn new(core: &Arc<Core>, servers: &Servers, calls: &Calls, record: &Record) -> Self {
        let conformance = Arc::new(ConformanceChecks {
            core: Arc::clone(core),
            confirmations: Arc::clone(&calls.confirmations),
            specs: Arc::clone(&servers.specs),
            lifecycle: Arc::clone(&servers.lifecycle),
            trust: Arc::clone(&servers.trust),
            jobs: Jobs::new(&core.publisher, |event| Fact::Conformance {
                event: Box::new(event),
            }),
        });
        let load = Arc::new(LoadTests {
            core: Arc::clone(core),
            confirmations: Arc::clone(&calls.confirmations),
            lists: Arc::clone(&calls.lists),
            specs: Arc::clone(&servers.specs),
            lifecycle: Arc::clone(&servers.lifecycle),
            jobs: Jobs::new(&core.publisher, |event| Fact::Load {
                event: Box::new(event),
            }),
        });
        let doctor = Arc::new(ServerDoctor {
            core: Arc::clone(core),
            specs: Arc::clone(&servers.specs),
            lifecycle: Arc::clone(&servers.lifecycle),
            jobs: Jobs::new(&core.publisher, |report| Fact::Doctor {
                report: Box::new(report),
            }),
        });
        let surface_store = Arc::new(SurfaceStore {
            core: Arc::clone(core),
            configuration: Arc::clone(&servers.configuration),
            folder_trust: Arc::clone(&servers.folder_trust),
            tried: Arc::clone(&servers.tried),
        });
        let surfaces = Arc::new(Surfaces {
            core: Arc::clone(core),
            current_surface: Arc::clone(&calls.current_surface),
            open_connections: Arc::clone(&servers.open_connections),
            server_settings: Arc::clone(&servers.server_settings),
            lifecycle: Arc::clone(&servers.lifecycle),
            sessions: Arc::clone(&record.sessions),
            sign_in_targets: Arc::clone(&servers.sign_in_targets),
            surface_store: Arc::clone(&surface_store),
            compared: Default::default(),
        });
        Self {
            conformance,
            load,
            doctor,
            surface_store,
            surfaces,
        }
    }

    /// Stops the runs and the examinations under way.
    pub fn stop(&self) {
        self.conformance.jobs.stop_all();
        self.load.jobs.stop_all();
        self.doctor.jobs.stop_all();
    }

    /// Lists the commands of the area.
    pub fn commands() -> Vec<Command<Self>> {
        [
            within(ConformanceChecks::commands(), |area: &Self| {
                &area.conformance
            }),
            within(ConformanceChecks::suite_commands(), |area: &Self| {
                &area.conformance
            }),
            within(LoadTests::commands(), |area: &Self| &area.load),
            within(ServerDoctor::commands(), |area: &Self| &area.doctor),
            within(Surfaces::commands(), |area: &Self| &area.surfaces),
            within(Surfaces::comparison_commands(), |area: &Self| {
                &area.surfaces
            }),
            within(Surfaces::definition_commands(), |area: &Self| {
                &area.surfaces
            }),
        ]
        .into_iter()
        .flatten()
        .collect()
    }
}
