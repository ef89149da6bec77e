//! Servers that the user tries without saving them.
//!
//! They are in no file: they exist until the application ends, or until the user forgets or saves
//! them. What the user typed needs no approval; the folder's trust and the managed policy hold for
//! it as for any other server.

use std::sync::Mutex;

use sightglass_config::{Draft, LaunchPlan};
use sightglass_model::{ServerId, ServerSpec};

use crate::{Inspector, InspectorError, defined_by::TRIED, lock};

/// The servers that are tried, in the order in which they were.
#[derive(Default)]
pub(crate) struct TriedServers(Mutex<Vec<TriedServer>>);

#[derive(Clone)]
pub(crate) struct TriedServer {
    pub id: ServerId,
    pub draft: Draft,
}

impl TriedServers {
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

impl Inspector {
    /// The draft of a server that is tried, to save it.
    pub fn tried_draft(&self, server: &ServerId) -> Result<Draft, InspectorError> {
        let tried = self.tried.get(server).map(|tried| tried.draft);
        tried.ok_or_else(|| InspectorError::UnknownServer(server.clone()))
    }

    /// Resolves how a server that is tried is reached; nothing for any other.
    pub(crate) fn tried_spec(
        &self,
        server: &ServerId,
    ) -> Option<Result<ServerSpec, InspectorError>> {
        let tried = server.is_of(TRIED).then(|| self.tried.get(server))??;
        Some(self.resolve_draft(server, &tried.draft))
    }

    pub(crate) fn resolve_draft(
        &self,
        server: &ServerId,
        draft: &Draft,
    ) -> Result<ServerSpec, InspectorError> {
        let environment = self.options.environment.clone();
        let spec = LaunchPlan::of_draft(draft)
            .resolve(self.resolve_options(&*environment))
            .map_err(InspectorError::InvalidEntry)?;
        Ok(self.with_settings(server, spec))
    }
}
