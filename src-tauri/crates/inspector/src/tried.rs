//! Servers that the user tries without saving them.
//!
//! They are in no file: they exist until the application ends, or until the user forgets or saves
//! them. What the user typed needs no approval; the folder's trust and the managed policy hold for
//! it as for any other server.

use std::sync::Mutex;

use sightglass_config::{Draft, LaunchPlan};
use sightglass_model::{ServerId, ServerSpec};

use crate::{
    Inspector, InspectorError,
    defined_by::TRIED,
    limits, lock,
    publisher::Notice,
    servers::without_values,
    view::{ServerOrigin, ServerView},
};

/// The servers that are tried, in the order in which they were.
#[derive(Default)]
pub(crate) struct TriedServers(Mutex<Vec<TriedServer>>);

#[derive(Clone)]
struct TriedServer {
    id: ServerId,
    draft: Draft,
}

impl TriedServers {
    fn all(&self) -> Vec<TriedServer> {
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

    fn change(&self, change: impl FnOnce(&mut Vec<TriedServer>)) {
        change(&mut lock(&self.0));
    }
}

impl Inspector {
    /// Connects to a server that is in no file. Returns its id at once; how it goes is told as
    /// facts. One of the same name that was tried before is replaced.
    ///
    /// # Errors
    /// When the draft cannot be used or a variable of it is not set, the managed policy refuses
    /// it, or it needs a folder that is not trusted. Nothing is kept then.
    pub async fn try_server(&self, draft: Draft) -> Result<ServerId, InspectorError> {
        let id = ServerId::new(TRIED, draft.name.trim());
        // A draft that cannot be used leaves the one before it connected.
        self.resolve_draft(&id, &draft)?;
        self.disconnect(&id).await;
        let before = self.tried.get(&id);
        self.tried.change(|tried| {
            tried.retain(|known| known.id != id);
            tried.push(TriedServer {
                id: id.clone(),
                draft: draft.clone(),
            });
        });
        // Resolved again: until now the settings were those of what was tried under this id before.
        let spec = self.resolve_draft(&id, &draft);
        match spec.and_then(|spec| self.connect_as(&id, spec)) {
            Ok(()) => {
                self.publisher.notify(&Notice::Servers);
                Ok(id)
            }
            Err(error) => {
                self.tried.change(|tried| {
                    tried.retain(|known| known.id != id);
                    tried.extend(before);
                });
                Err(error)
            }
        }
    }

    /// The draft of a server that is tried, to save it.
    pub fn tried_draft(&self, server: &ServerId) -> Result<Draft, InspectorError> {
        let tried = self.tried.get(server).map(|tried| tried.draft);
        tried.ok_or_else(|| InspectorError::UnknownServer(server.clone()))
    }

    /// Disconnects a server that was tried, and forgets it.
    pub async fn forget_tried(&self, server: &ServerId) {
        self.disconnect(server).await;
        self.tried
            .change(|tried| tried.retain(|known| known.id != *server));
        lock(&self.ad_hoc_servers).remove(server);
        self.publisher.notify(&Notice::Servers);
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

    /// The servers that are tried, for the sidebar.
    pub(crate) fn tried_views(&self) -> Vec<ServerView> {
        let tried = self.tried.all().into_iter();
        tried.filter_map(|tried| self.tried_view(tried)).collect()
    }

    fn tried_view(&self, tried: TriedServer) -> Option<ServerView> {
        let plan = LaunchPlan::of_draft(&tried.draft);
        let endpoint = without_values(plan.endpoint()?);
        let limits = self.complete_limits(&tried.id, &plan.limits()?, &endpoint);
        Some(ServerView {
            origin: ServerOrigin::Tried,
            summary: endpoint.summary(),
            transport: Some(endpoint.transport()),
            era: self.era(&tried.id, tried.draft.era),
            limits: limits::view(&limits),
            ..self.view_of_none(tried.id, tried.draft.name)
        })
    }
}
