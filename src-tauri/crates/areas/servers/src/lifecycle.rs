//! Connects to servers, and closes the connections of those that may not be connected any more.

use std::sync::{Arc, Mutex, Weak};

use sightglass_area_core::{
    command::commands, core::Core, defined_by::TRIED, error::InspectorError, publisher::Notice,
    view::Blocked,
};
use sightglass_auth::Authorizer;
use sightglass_config::{Draft, Watcher};
use sightglass_model::{Endpoint, PermittedSpec, ServerId, ServerSpec, lock};

use crate::{
    configuration::Configuration, entry_secrets::EntrySecrets, folder_trust::ProjectFolderTrust,
    open_connections::OpenConnections, server_spec::ServerSpecs, sign_in_target::SignInTargets,
    tried::TriedServers, tried_definitions::TriedServer, trust::ServerTrust,
};

/// Connects to servers, and closes the connections of those that may not be connected any more.
pub struct ServerLifecycle {
    pub(crate) core: Arc<Core>,
    pub(crate) configuration: Arc<Configuration>,
    pub(crate) entry_secrets: Arc<EntrySecrets>,
    pub(crate) folder_trust: Arc<ProjectFolderTrust>,
    pub(crate) open_connections: Arc<OpenConnections>,
    pub(crate) specs: Arc<ServerSpecs>,
    pub(crate) sign_in_targets: Arc<SignInTargets>,
    pub(crate) tried: Arc<TriedServers>,
    pub(crate) trust: Arc<ServerTrust>,
    pub watcher: Mutex<Option<Watcher>>,
    /// For work that goes on in the background.
    pub(crate) this: Weak<ServerLifecycle>,
}

#[commands]
impl ServerLifecycle {
    /// Starts to connect. Returns at once; how it goes is told as facts.
    ///
    /// # Errors
    /// When there is no such server, its entry cannot be used, the managed policy refuses it,
    /// it comes from a project file and waits for approval, it needs a folder that is not
    /// trusted, or its secrets were not [read](Self::read_entry_secrets).
    pub fn connect(&self, server: &ServerId) -> Result<(), InspectorError> {
        let mut is_renewed = false;
        if let Some(spec) = self.tried.tried_spec(server) {
            return self.connect_authorized(server, spec?);
        }
        let spec = if *server == ServerId::demo() {
            self.specs.spec(server)?
        } else {
            let configured = self.configuration.configured(server)?;
            let spec = self.specs.spec_of(&configured)?;
            let entry = configured.definition.common.expose();
            let before = lock(&self.core.config.connected).insert(server.clone(), entry.clone());
            is_renewed = before.is_some_and(|before| before != *entry);
            spec
        };
        lock(&self.sign_in_targets.ad_hoc_servers).remove(server);
        self.connect_authorized(server, spec)?;
        if is_renewed {
            // It is no longer connected with another entry than the file has.
            self.core.publisher.notify(&Notice::Configuration);
        }
        Ok(())
    }

    /// Starts to connect to the servers that the user chose for the start of the application.
    /// Those that may not be connected yet stay as they are; the sidebar says why.
    ///
    /// Must be called within a Tokio runtime.
    pub fn connect_at_start(&self) {
        for server in self.core.settings().connect_at_start {
            let Some(this) = self.this.upgrade() else {
                return;
            };
            tokio::spawn(async move {
                if let Err(error) = this.connect_with_secrets(&server).await {
                    tracing::info!("{server} is not connected at the start: {error}");
                }
            });
        }
    }

    /// Reads the secrets of a server from the vault, which may ask the user to unlock it. Nothing
    /// is read for a server that may not be connected.
    ///
    /// # Errors
    /// When there is no such server, it may not be connected, or the vault refuses.
    pub async fn read_entry_secrets(&self, server: &ServerId) -> Result<(), InspectorError> {
        let configured = match self.configuration.configured(server) {
            Ok(configured) => configured,
            // What is built in or tried refers to none.
            Err(InspectorError::BuiltIn | InspectorError::UnknownServer(_)) => return Ok(()),
            Err(error) => return Err(error),
        };
        if !self.entry_secrets.has_unread_secrets(&configured) {
            return Ok(());
        }
        self.trust.permit(&configured)?;
        self.entry_secrets.read_secrets(&configured).await
    }

    /// Reads the secrets of a server, and starts to connect to it. How that goes is told as facts.
    #[command(name = "connect")]
    pub async fn connect_with_secrets(&self, server: &ServerId) -> Result<(), InspectorError> {
        self.read_entry_secrets(server).await?;
        self.connect(server)
    }

    /// Starts to connect to a server that may be in no file, under the name `server`. Returns
    /// at once; how it goes is told as facts.
    ///
    /// # Errors
    /// When the managed policy refuses it, or it needs a folder that is not trusted.
    pub fn connect_as(&self, server: &ServerId, spec: ServerSpec) -> Result<(), InspectorError> {
        self.sign_in_targets.add_ad_hoc_server(server, spec.clone());
        self.connect_authorized(server, spec)
    }

    /// Connects to a server that is in no file. Returns its id at once; how it goes is told as
    /// facts. One of the same name that was tried before is replaced.
    ///
    /// # Errors
    /// When the draft cannot be used or a variable of it is not set, the managed policy refuses
    /// it, or it needs a folder that is not trusted. Nothing is kept then.
    #[command]
    pub async fn try_server(&self, draft: Draft) -> Result<ServerId, InspectorError> {
        let id = ServerId::new(TRIED, draft.name.trim());
        // A draft that cannot be used leaves the one before it connected.
        self.tried.resolve_draft(&id, &draft)?;
        self.open_connections.disconnect(&id).await;
        let before = self.tried.definitions.insert(TriedServer {
            id: id.clone(),
            draft: draft.clone(),
        });
        // Resolved again: until now the settings were those of what was tried under this id before.
        let spec = self.tried.resolve_draft(&id, &draft);
        match spec.and_then(|spec| self.connect_as(&id, spec)) {
            Ok(()) => {
                self.core.publisher.notify(&Notice::Servers);
                Ok(id)
            }
            Err(error) => {
                match before {
                    Some(before) => drop(self.tried.definitions.insert(before)),
                    None => self.tried.definitions.remove(&id),
                }
                Err(error)
            }
        }
    }

    /// Disconnects a server that was tried, and forgets it.
    #[command]
    pub async fn delete_tried(&self, server: &ServerId) {
        self.open_connections.disconnect(server).await;
        self.tried.definitions.remove(server);
        lock(&self.sign_in_targets.ad_hoc_servers).remove(server);
        self.core.publisher.notify(&Notice::Servers);
    }

    /// Connects with a token on every request, where there is one.
    ///
    /// # Errors
    /// When the managed policy refuses it, or it needs a folder that is not trusted.
    pub fn connect_authorized(
        &self,
        server: &ServerId,
        spec: ServerSpec,
    ) -> Result<(), InspectorError> {
        let (permitted, authorizer) = self.permitted(server, spec.clone())?;
        self.core
            .connections
            .connect_with(server.clone(), permitted, authorizer);
        // Files that were read meanwhile may refuse it, and did not find it among the connections.
        if let Err(error) = self.trust.permit_spec(server, spec) {
            self.open_connections.close_all(std::iter::once(server));
            return Err(error);
        }
        Ok(())
    }

    /// Returns what connecting to a server starts or reaches, with the source of its token.
    ///
    /// # Errors
    /// When the managed policy refuses it, or it needs a folder that is not trusted.
    pub fn permitted(
        &self,
        server: &ServerId,
        spec: ServerSpec,
    ) -> Result<(PermittedSpec, Option<Authorizer>), InspectorError> {
        let spec = self.trust.permit_spec(server, spec)?;
        let spec = self.folder_trust.with_working_directory(server, spec)?;
        // The server is resolved once more for its token, and a program has none.
        let authorizer = match &spec.endpoint {
            Endpoint::Stdio { .. } => None,
            Endpoint::Remote(_) => self.authorizer(server),
        };
        Ok((spec, authorizer))
    }

    /// Returns the source of a server's token; `None` where there is nothing to sign in to.
    pub fn authorizer(&self, server: &ServerId) -> Option<Authorizer> {
        let target = self.sign_in_targets.auth_target(server).ok()?;
        let identity = self.sign_in_targets.ad_hoc_identity(server);
        Some(self.core.sign_ins.authorizer(&target, identity.as_deref()))
    }

    /// Reads the files again after one changed, and tells what they say now. Connections that a
    /// managed rule refuses by now are closed, so that none is made again after a drop.
    pub fn reload(&self) {
        self.configuration.read_files();
        let policy = Arc::clone(&self.core.config.files().policy);
        let refused: Vec<ServerId> = self
            .core
            .connections
            .running()
            .into_iter()
            .filter(|(id, spec)| {
                let server = self.configuration.configured(id).ok();
                let blocked = server.and_then(|server| self.trust.blocked(&server));
                matches!(blocked, Some(Blocked::Refused { .. })) || !spec.is_permitted_by(&*policy)
            })
            .map(|(id, _)| id)
            .collect();
        self.open_connections.close_all(refused.iter());
        self.forget_removed();
        self.core.publisher.notify(&Notice::Configuration);
    }

    /// Forgets the connections that were, of servers that are in no file any more.
    fn forget_removed(&self) {
        let mut known = self.configuration.known_servers();
        known.insert(ServerId::demo());
        known.extend(lock(&self.sign_in_targets.ad_hoc_servers).keys().cloned());
        self.core.connections.forget_others(&known);
    }

    pub fn watch_files(self: &Arc<Self>) {
        let this = Arc::downgrade(self);
        let runtime = tokio::runtime::Handle::try_current();
        let watching = sightglass_config::watch(&self.core.config.machine, move |_| {
            // What is found may end connections.
            let _runtime = runtime.as_ref().map(tokio::runtime::Handle::enter);
            if let Some(this) = this.upgrade() {
                this.reload();
            }
        });
        match watching {
            Ok(watcher) => *lock(&self.watcher) = Some(watcher),
            Err(error) => tracing::warn!("{error}"),
        }
    }
}
