//! Examines a server with the doctor.

use std::sync::Arc;

use sightglass_area_core::{command::commands, core::Core, error::InspectorError, jobs::Jobs};
use sightglass_area_servers::{lifecycle::ServerLifecycle, server_spec::ServerSpecs};
use sightglass_connection::DoctorReport;
use sightglass_model::{ServerId, ServerSpec};

/// Examines a server with the doctor.
pub struct ServerDoctor {
    pub(crate) core: Arc<Core>,
    pub(crate) specs: Arc<ServerSpecs>,
    pub(crate) lifecycle: Arc<ServerLifecycle>,
    pub(crate) jobs: Arc<Jobs<ServerId, DoctorReport>>,
}

#[commands]
impl ServerDoctor {
    /// Examines a server, connected or not, and answers what was found. Each check is told as
    /// a fact when it ends. One examination per server runs at a time: a new one stops the one
    /// before it.
    ///
    /// # Errors
    /// As for [`ServerLifecycle::connect`], since it connects.
    #[command]
    pub async fn run_doctor(&self, server: &ServerId) -> Result<DoctorReport, InspectorError> {
        self.lifecycle.read_entry_secrets(server).await?;
        let spec = self.specs.spec(server)?;
        self.doctor_as(server, spec).await
    }

    /// Examines a server that need not be in any file, under the name `server`.
    ///
    /// # Errors
    /// When the managed policy refuses it, it waits for approval, or it needs a folder that is
    /// not trusted.
    pub async fn doctor_as(
        &self,
        server: &ServerId,
        spec: ServerSpec,
    ) -> Result<DoctorReport, InspectorError> {
        let (spec, authorizer) = self.lifecycle.permitted(server, spec)?;
        let job = self.jobs.begin(server.clone());
        let tell = |report| job.report(report);
        Ok(self
            .core
            .connections
            .doctor(server.clone(), spec, authorizer, job.stop.clone(), &tell)
            .await)
    }

    /// Stops the examination of a server, if one runs. Its report then says so.
    #[command]
    pub fn stop_doctor(&self, server: &ServerId) {
        self.jobs.stop(server);
    }
}
