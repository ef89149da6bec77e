//! Resolves how a server is reached that may be connected.

use sightglass_model::{ServerId, ServerSpec};

use crate::{Inspector, InspectorError, config_workspace::ConfiguredServer};

impl Inspector {
    /// Resolves how a server is reached: its entry with all variables expanded.
    pub fn spec(&self, server: &ServerId) -> Result<ServerSpec, InspectorError> {
        if *server == ServerId::demo() {
            return self
                .demo_spec()
                .ok_or_else(|| InspectorError::UnknownServer(server.clone()));
        }
        if let Some(spec) = self.tried_spec(server) {
            return spec;
        }
        self.spec_of(&self.configured(server)?)
    }

    /// Resolves how a server of the files would be reached that the managed policy refuses. Nothing
    /// else may keep it from being reached.
    ///
    /// # Errors
    /// When it waits for approval, or its entry cannot be used.
    pub(crate) fn refused_spec(&self, server: &ServerId) -> Result<ServerSpec, InspectorError> {
        let server = self.configured(server)?;
        self.permit_unmanaged(&server)?;
        self.resolved(&server)
    }

    /// Resolves how a server is reached, by the very definition that is judged here.
    pub(crate) fn spec_of(&self, server: &ConfiguredServer) -> Result<ServerSpec, InspectorError> {
        self.permit(server)?;
        self.resolved(server)
    }
}
