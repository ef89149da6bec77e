//! Servers that the user tries without saving them.
//!
//! They are in no file: they exist until the application ends, or until the user forgets or saves
//! them. What the user typed needs no approval; the folder's trust and the managed policy hold for
//! it as for any other server.

use std::sync::Arc;

use sightglass_area_core::{
    command::commands, core::Core, defined_by::TRIED, error::InspectorError,
};
use sightglass_config::{Draft, LaunchPlan};
use sightglass_model::{ServerId, ServerSpec};

use crate::{
    resolution::SpecResolver, server_settings::SettingsByServer,
    tried_definitions::TriedDefinitions,
};

/// Servers that the user tries without saving them.
pub struct TriedServers {
    pub(crate) core: Arc<Core>,
    pub(crate) resolution: Arc<SpecResolver>,
    pub(crate) server_settings: Arc<SettingsByServer>,
    /// Servers that the user tries without saving them.
    pub definitions: Arc<TriedDefinitions>,
}

#[commands]
impl TriedServers {
    /// The draft of a server that is tried, to save it.
    #[command(name = "get_tried_draft")]
    pub fn tried_draft(&self, server: &ServerId) -> Result<Draft, InspectorError> {
        let tried = self.definitions.get(server).map(|tried| tried.draft);
        tried.ok_or_else(|| InspectorError::UnknownServer(server.clone()))
    }

    /// Resolves how a server that is tried is reached; nothing for any other.
    pub fn tried_spec(&self, server: &ServerId) -> Option<Result<ServerSpec, InspectorError>> {
        let tried = server
            .is_of(TRIED)
            .then(|| self.definitions.get(server))??;
        Some(self.resolve_draft(server, &tried.draft))
    }

    pub fn resolve_draft(
        &self,
        server: &ServerId,
        draft: &Draft,
    ) -> Result<ServerSpec, InspectorError> {
        let environment = self.core.options.environment.clone();
        let spec = LaunchPlan::of_draft(draft)
            .resolve(self.resolution.resolve_options(&*environment))
            .map_err(InspectorError::InvalidEntry)?;
        Ok(self.server_settings.with_settings(server, spec))
    }
}
