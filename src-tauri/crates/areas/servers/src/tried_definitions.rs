//! Definitions of the servers that are tried.

use std::sync::Mutex;

use sightglass_config::{Draft, LaunchPlan};
use sightglass_model::{ServerId, lock};

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

    pub fn get(&self, server: &ServerId) -> Option<TriedServer> {
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
