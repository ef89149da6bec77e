//! Resolves how a server is reached that may be connected.

use std::sync::Arc;

use sightglass_area_core::{config_workspace::ConfiguredServer, error::InspectorError};
use sightglass_model::{ServerId, ServerSpec};

use crate::{
    configuration::Configuration, resolution::SpecResolver, tried::TriedServers, trust::ServerTrust,
};

/// Resolves how a server is reached that may be connected.
pub struct ServerSpecs {
    pub(crate) configuration: Arc<Configuration>,
    pub(crate) resolution: Arc<SpecResolver>,
    pub(crate) tried: Arc<TriedServers>,
    pub(crate) trust: Arc<ServerTrust>,
}

impl ServerSpecs {
    /// Resolves how a server is reached: its entry with all variables expanded.
    pub fn spec(&self, server: &ServerId) -> Result<ServerSpec, InspectorError> {
        if *server == ServerId::demo() {
            return self
                .resolution
                .demo_spec()
                .ok_or_else(|| InspectorError::UnknownServer(server.clone()));
        }
        if let Some(spec) = self.tried.tried_spec(server) {
            return spec;
        }
        self.spec_of(&self.configuration.configured(server)?)
    }

    /// Resolves how a server of the files would be reached that the managed policy refuses. Nothing
    /// else may keep it from being reached.
    ///
    /// # Errors
    /// When it waits for approval, or its entry cannot be used.
    pub fn refused_spec(&self, server: &ServerId) -> Result<ServerSpec, InspectorError> {
        let server = self.configuration.configured(server)?;
        self.trust.permit_unmanaged(&server)?;
        self.resolution.resolved(&server)
    }

    /// Resolves how a server is reached, by the very definition that is judged here.
    pub fn spec_of(&self, server: &ConfiguredServer) -> Result<ServerSpec, InspectorError> {
        self.trust.permit(server)?;
        self.resolution.resolved(server)
    }
}
