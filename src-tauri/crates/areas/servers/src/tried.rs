//! Servers that the user tries without saving them.
//!
//! They are in no file: they exist until the application ends, or until the user forgets or saves
//! them. What the user typed needs no approval; the folder's trust and the managed policy hold for
//! it as for any other server.

use std::sync::{Arc, Mutex};

use sightglass_area_core::{core::Core, defined_by::TRIED, error::InspectorError};
use sightglass_config::{Draft, LaunchPlan};
use sightglass_model::{ServerId, ServerSpec, lock};

use crate::{resolution::SpecResolver, server_settings::SettingsByServer};

/// The servers that are tried, in the order in which they were.
#[derive(Default)]
pub struct TriedDefinitions(Mutex<Vec<TriedServer>>);

#[derive(Clone)]
pub struct TriedServer {
    pub id: ServerId,
    pub draft: Draft,
}

impl TriedDefinitions {
    pub fn all(&self) -> Vec<TriedServer> {
        lock(&self.0).clone()
    }

    fn get(&self, server: &ServerId) -> Option<TriedServer> {
        self.all().into_iter().find(|tried| tried.id == *server)
    }

    /// Names what is connected under an id; `None` for one that is not tried.
    pub fn fingerprint(&self, server: &ServerId) -> Option<String> {
        let tried = self.get(server)?;
        Some(LaunchPlan::of_draft(&tried.draft).fingerprint())
    }

    /// Puts a server behind all others. Returns the one of the same id, which it replaces.
    pub fn insert(&self, server: TriedServer) -> Option<TriedServer> {
        let mut tried = lock(&self.0);
        let before = tried.iter().position(|known| known.id == server.id);
        let before = before.map(|index| tried.remove(index));
        tried.push(server);
        before
    }

    pub fn remove(&self, server: &ServerId) {
        lock(&self.0).retain(|known| known.id != *server);
    }
}

/// Servers that the user tries without saving them.
pub struct TriedServers {
    pub(crate) core: Arc<Core>,
    pub(crate) resolution: Arc<SpecResolver>,
    pub(crate) server_settings: Arc<SettingsByServer>,
    /// Servers that the user tries without saving them.
    pub definitions: Arc<TriedDefinitions>,
}

impl TriedServers {
    /// The draft of a server that is tried, to save it.
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
