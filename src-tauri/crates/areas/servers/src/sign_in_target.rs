//! A server as signing in sees it: what its file says, and what the host said of it.

use std::{
    collections::HashMap,
    sync::{Arc, Mutex},
};

use sightglass_area_core::error::InspectorError;
use sightglass_auth::{AuthError, AuthMode, AuthSettings, NamedClient, PermittedTarget, Target};
use sightglass_config::{LaunchKind, SignInFields};
use sightglass_model::{DefinedBy, ServerId, ServerSpec, lock};
use sightglass_secrets::Secret;

use crate::{
    configuration::Configuration, server_spec::ServerSpecs, session_variables::SessionVariables,
    trust::ServerTrust,
};

/// A server as the host described it.
pub struct AdHocServer {
    spec: ServerSpec,
    settings: AuthSettings,
    client_secret: Option<Secret<String>>,
    /// The identity to be, where it is not the chosen one.
    identity: Option<String>,
}

fn settings_of(fields: SignInFields) -> AuthSettings {
    AuthSettings {
        mode: fields.off.then_some(AuthMode::Off),
        client_id: fields.client_id,
        client_metadata_url: fields.client_metadata_url,
        callback_port: fields.callback_port,
        scopes: fields.scopes,
        server_metadata: fields.server_metadata_url,
        bearer_variable: fields.bearer_variable,
        ..AuthSettings::default()
    }
}

/// A server as signing in sees it.
pub struct SignInTargets {
    pub(crate) configuration: Arc<Configuration>,
    pub(crate) specs: Arc<ServerSpecs>,
    pub(crate) session_variables: Arc<SessionVariables>,
    pub(crate) trust: Arc<ServerTrust>,
    /// Servers that are in no file, or are reached otherwise than their file says.
    pub ad_hoc_servers: Mutex<HashMap<ServerId, AdHocServer>>,
}

impl SignInTargets {
    /// Makes a server known that is in no file, or is reached otherwise than its file says.
    pub fn add_ad_hoc_server(&self, server: &ServerId, spec: ServerSpec) {
        let mut servers = lock(&self.ad_hoc_servers);
        match servers.get_mut(server) {
            Some(known) => known.spec = spec,
            None => {
                let known = AdHocServer {
                    spec,
                    settings: AuthSettings::default(),
                    client_secret: None,
                    identity: None,
                };
                servers.insert(server.clone(), known);
            }
        }
    }

    /// Makes a server known together with the client to sign in with, and the identity to be where
    /// it is not the chosen one.
    pub fn add_ad_hoc_client(
        &self,
        server: &ServerId,
        spec: ServerSpec,
        settings: AuthSettings,
        client_secret: Option<Secret<String>>,
        identity: Option<String>,
    ) {
        let known = AdHocServer {
            spec,
            settings,
            client_secret,
            identity,
        };
        lock(&self.ad_hoc_servers).insert(server.clone(), known);
    }

    /// Returns the identity that a server was added with; `None` for the chosen one.
    pub fn ad_hoc_identity(&self, server: &ServerId) -> Option<String> {
        lock(&self.ad_hoc_servers).get(server)?.identity.clone()
    }

    /// Resolves how a server is reached: as it was added, or as its file says.
    pub fn resolved_spec(&self, server: &ServerId) -> Result<ServerSpec, InspectorError> {
        let ad_hoc = lock(&self.ad_hoc_servers)
            .get(server)
            .map(|known| known.spec.clone());
        ad_hoc.map_or_else(|| self.specs.spec(server), Ok)
    }

    /// Returns true for a server of the files that is a program, and has nothing to sign in to. What
    /// it comes to need not be resolved for that.
    pub fn is_program(&self, server: &ServerId) -> bool {
        !lock(&self.ad_hoc_servers).contains_key(server)
            && self
                .configuration
                .configured(server)
                .is_ok_and(|known| known.plan().kind() == LaunchKind::Program)
    }

    /// The server as signing in sees it, to contact it.
    ///
    /// # Errors
    /// When there is no such server, its entry cannot be used, the managed policy refuses it, or it
    /// is not reached over the network.
    pub fn auth_target(&self, server: &ServerId) -> Result<PermittedTarget, InspectorError> {
        let spec = self.resolved_spec(server)?;
        let target = self.described(server, &spec)?;
        let permitted = PermittedTarget::new(target, &self.trust.permit_spec(server, spec)?);
        Ok(permitted.ok_or(AuthError::NothingToSignIn)?)
    }

    /// The server as signing in sees it, to show, change or forget what is kept for it here. The
    /// managed policy is about contacting it.
    pub fn kept_target(&self, server: &ServerId) -> Result<Target, InspectorError> {
        let spec = match self.resolved_spec(server) {
            Err(InspectorError::RefusedByPolicy { .. }) => self.specs.refused_spec(server)?,
            spec => spec?,
        };
        self.described(server, &spec)
    }

    fn described(&self, server: &ServerId, spec: &ServerSpec) -> Result<Target, InspectorError> {
        if *server == ServerId::demo() {
            return Err(AuthError::NothingToSignIn.into());
        }
        let mut target = Target::new(server.clone(), spec).ok_or(AuthError::NothingToSignIn)?;
        let in_files = self.configuration.configured(server).ok();
        let mut fields = in_files
            .as_ref()
            .map_or_else(SignInFields::default, |known| {
                let plan = known.plan();
                let environment =
                    self.session_variables
                        .environment_of(server, &known.place.path, plan);
                plan.sign_in(&*environment)
            });
        let configured_secret = fields.client_secret.take();
        let mut configured = settings_of(fields);
        let mut client = None;
        if let Some(ad_hoc) = lock(&self.ad_hoc_servers).get(server) {
            let said = ad_hoc.settings.clone();
            client = said.client_id.map(|id| NamedClient {
                id,
                secret: ad_hoc.client_secret.clone(),
            });
            configured.client_metadata_url =
                said.client_metadata_url.or(configured.client_metadata_url);
        }
        let is_of_project = self.configuration.defined_by(server) == DefinedBy::Project;
        target.project = is_of_project.then(|| self.trust.project_key());
        target.configured_secret = configured_secret;
        target.configured = configured;
        target.client = client;
        Ok(target)
    }
}
