//! Examines a server with the doctor.

use std::{
    collections::HashMap,
    sync::{Arc, Mutex},
};

use sightglass_area_core::{core::Core, error::InspectorError, view::Fact};
use sightglass_area_servers::{lifecycle::ServerLifecycle, server_spec::ServerSpecs};
use sightglass_connection::DoctorReport;
use sightglass_model::{ServerId, ServerSpec, lock};
use tokio_util::sync::CancellationToken;

/// Examines a server with the doctor.
pub struct ServerDoctor {
    pub(crate) core: Arc<Core>,
    pub(crate) specs: Arc<ServerSpecs>,
    pub(crate) lifecycle: Arc<ServerLifecycle>,
    /// Examinations under way.
    pub(crate) examinations: Mutex<HashMap<ServerId, CancellationToken>>,
}

impl ServerDoctor {
    /// Examines a server, connected or not, and answers what was found. Each check is told as
    /// a [`Fact::Doctor`] when it ends. One examination per server runs at a time: a new one
    /// stops the one before it.
    ///
    /// # Errors
    /// As for [`ServerLifecycle::connect`], since it connects.
    pub async fn doctor(&self, server: &ServerId) -> Result<DoctorReport, InspectorError> {
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
        let cancel = CancellationToken::new();
        if let Some(before) = lock(&self.examinations).insert(server.clone(), cancel.clone()) {
            before.cancel();
        }
        let publisher = self.core.publisher.clone();
        let tell = move |report: DoctorReport| {
            publisher.publish(Fact::Doctor {
                report: Box::new(report),
            });
        };
        Ok(self
            .core
            .connections
            .doctor(server.clone(), spec, authorizer, cancel, &tell)
            .await)
    }

    /// Stops the examination of a server, if one runs. Its report then says so.
    pub fn stop_doctor(&self, server: &ServerId) {
        if let Some(running) = lock(&self.examinations).remove(server) {
            running.cancel();
        }
    }
}
