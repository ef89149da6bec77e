//! Signing in: what the window and the command line can ask about it.

use std::{
    sync::{Arc, Weak},
    time::Duration,
};

use sightglass_auth::{
    AuthError, AuthMode, AuthSettings, AuthSettingsView, AuthView, BROWSER_PATIENCE, NamedClient,
    RequestDraft, SettingSecret, SignInExport, SignInRequest, SignIns, SignInsOptions,
    SignOutReport, StepKind, Target, TokenAction, TokenKind, TokenReaction, TokensView, VaultKind,
    VaultView,
};
use sightglass_config::SignInFields;
use sightglass_connection::{ConnectionEvent, http_ways};
use sightglass_model::{ConnectionId, Endpoint, ServerId, ServerSpec};
use sightglass_secrets::{Keychain, Secret, Vault, VaultOptions};
use sightglass_traffic::Recorder;

use crate::{
    Host, Inspector, InspectorError, InspectorOptions, lock,
    publisher::Publisher,
    view::{CallReport, Fact, ServerView},
};

/// How often a connection that is being made is looked at.
const GLANCE: Duration = Duration::from_millis(40);

/// Connections under this client are those of another identity, for one call.
const AS_IDENTITY: &str = "as-identity";

/// A server as whoever drives the façade described it.
pub(crate) struct Introduced {
    spec: ServerSpec,
    settings: AuthSettings,
    client_secret: Option<Secret<String>>,
}

/// What an [`Inspector`] signs in with.
pub(crate) fn sign_ins(
    inspector: &Weak<Inspector>,
    options: &InspectorOptions,
    recorder: Recorder,
    publisher: &Arc<Publisher>,
    host: Arc<dyn Host>,
) -> SignIns {
    let is_off = (options.environment)("SIGHTGLASS_KEYCHAIN").is_some_and(|word| word == "off");
    let keychain = if is_off {
        Keychain::none()
    } else {
        Keychain::of_the_system()
    };
    let publisher = Arc::clone(publisher);
    let inspector = inspector.clone();
    SignIns::new(SignInsOptions {
        recorder,
        vault: Vault::open(VaultOptions {
            directory: options.data_directory.clone(),
            keychain,
        }),
        http: Box::new(http_ways),
        directory: options.data_directory.clone(),
        environment: Arc::clone(&options.environment),
        open_browser: Arc::new(move |address| host.open_address(address)),
        browser_patience: BROWSER_PATIENCE,
        reconnect: Arc::new(move |server| {
            let inspector = inspector.clone();
            Box::pin(async move {
                match inspector.upgrade() {
                    Some(inspector) => inspector.reconnect(&server).await,
                    None => Err("the application is closing".to_owned()),
                }
            })
        }),
        on_change: Arc::new(move |view| {
            publisher.publish(Fact::Auth {
                view: Box::new(view),
            });
        }),
    })
}

/// The events of connections that were made for one call as another identity stay inside,
/// but for what the server asks of the person.
pub(crate) fn outward(event: ConnectionEvent) -> Option<ConnectionEvent> {
    match event {
        ConnectionEvent::RequestArrived { mut request } => {
            if let Some((_, server)) = behind(&request.server) {
                request.server = server;
            }
            Some(ConnectionEvent::RequestArrived { request })
        }
        ConnectionEvent::Status { ref server, .. }
        | ConnectionEvent::List { ref server, .. }
        | ConnectionEvent::Progress { ref server, .. }
        | ConnectionEvent::ResourceUpdated { ref server, .. } => {
            behind(server).is_none().then_some(event)
        }
        event => Some(event),
    }
}

/// What stands for a server as another identity.
fn disguise(server: &ServerId, identity: &str) -> ServerId {
    ServerId::new(AS_IDENTITY, &format!("{identity}@{server}"))
}

fn behind(disguised: &ServerId) -> Option<(String, ServerId)> {
    let (identity, server) = disguised
        .as_str()
        .strip_prefix(AS_IDENTITY)?
        .strip_prefix(':')?
        .split_once('@')?;
    Some((identity.to_owned(), ServerId::from(server.to_owned())))
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

impl Inspector {
    /// How a server stands with signing in.
    ///
    /// # Errors
    /// When there is no such server, or it is not reached over HTTP.
    pub async fn auth_view(&self, server: &ServerId) -> Result<AuthView, InspectorError> {
        Ok(self.sign_ins.view(&self.auth_target(server)?))
    }

    /// Starts to sign in and returns at once; how it goes is told as facts. One that runs for
    /// this server is cancelled first.
    ///
    /// # Errors
    /// When there is no such server, or it has nothing to sign in to.
    pub fn sign_in(&self, server: &ServerId, request: SignInRequest) -> Result<(), InspectorError> {
        let target = self.auth_target(server)?;
        Ok(self.sign_ins.start(target, request)?)
    }

    /// Stops a sign-in, wherever it is. Says whether there was one.
    pub fn cancel_sign_in(&self, server: &ServerId) -> bool {
        self.sign_ins.cancel(server)
    }

    /// Goes on after a pause.
    ///
    /// # Errors
    /// When nothing is paused, or the edited request cannot be sent.
    pub fn continue_sign_in(
        &self,
        server: &ServerId,
        edited: Option<RequestDraft>,
        pauses: Vec<StepKind>,
    ) -> Result<(), InspectorError> {
        Ok(self.sign_ins.go_on(server, edited, pauses)?)
    }

    /// Sets the steps to pause before, while a sign-in runs.
    ///
    /// # Errors
    /// When none runs.
    pub fn set_sign_in_pauses(
        &self,
        server: &ServerId,
        pauses: Vec<StepKind>,
    ) -> Result<(), InspectorError> {
        Ok(self.sign_ins.set_pauses(server, pauses)?)
    }

    /// Does a sign-in again from a step on, keeping what the steps before it found.
    ///
    /// # Errors
    /// When there was no sign-in since the program started.
    pub fn restart_sign_in(
        &self,
        server: &ServerId,
        from: StepKind,
        pauses: Vec<StepKind>,
    ) -> Result<(), InspectorError> {
        let target = self.auth_target(server)?;
        Ok(self.sign_ins.restart(target, from, pauses)?)
    }

    /// Hands over the address that the browser was sent back to.
    ///
    /// # Errors
    /// When no sign-in waits for one, or it is not an address.
    pub fn paste_redirect(&self, server: &ServerId, address: &str) -> Result<(), InspectorError> {
        Ok(self.sign_ins.paste(server, address)?)
    }

    /// Revokes the grant where the authorization server can, and forgets it.
    ///
    /// # Errors
    /// When there is no such server, or the vault refuses.
    pub async fn sign_out(
        &self,
        server: &ServerId,
        identity: Option<String>,
    ) -> Result<SignOutReport, InspectorError> {
        let target = self.auth_target(server)?;
        Ok(self.sign_ins.sign_out(&target, identity).await?)
    }

    /// Uses this identity from the next connection on; a new name makes a new one.
    ///
    /// # Errors
    /// When there is no such server, or the name is empty.
    pub async fn choose_identity(
        &self,
        server: &ServerId,
        identity: &str,
    ) -> Result<AuthView, InspectorError> {
        let target = self.auth_target(server)?;
        self.sign_ins.choose_identity(&target, identity)?;
        Ok(self.sign_ins.view(&target))
    }

    /// Forgets an identity and what it holds.
    ///
    /// # Errors
    /// When there is no such server, or the vault refuses.
    pub async fn forget_identity(
        &self,
        server: &ServerId,
        identity: &str,
    ) -> Result<AuthView, InspectorError> {
        let target = self.auth_target(server)?;
        self.sign_ins.forget_identity(&target, identity).await?;
        Ok(self.sign_ins.view(&target))
    }

    /// The tokens of an identity, decoded and judged.
    ///
    /// # Errors
    /// When there is no such server, or the vault refuses.
    pub async fn tokens(
        &self,
        server: &ServerId,
        identity: &str,
    ) -> Result<Option<TokensView>, InspectorError> {
        let target = self.auth_target(server)?;
        Ok(self.sign_ins.tokens(&target, identity).await?)
    }

    /// A token itself: only when a person asks to see it.
    ///
    /// # Errors
    /// When the identity holds no such token.
    pub async fn reveal_token(
        &self,
        server: &ServerId,
        identity: &str,
        token: TokenKind,
    ) -> Result<String, InspectorError> {
        let target = self.auth_target(server)?;
        Ok(self.sign_ins.reveal(&target, identity, token).await?)
    }

    /// Does something to a token and shows how the servers take it.
    ///
    /// # Errors
    /// When the identity holds no token.
    pub async fn token_action(
        &self,
        server: &ServerId,
        identity: &str,
        action: TokenAction,
    ) -> Result<TokenReaction, InspectorError> {
        let target = self.auth_target(server)?;
        Ok(self.sign_ins.act(&target, identity, action).await?)
    }

    /// What is set for signing in to a server.
    ///
    /// # Errors
    /// When there is no such server.
    pub async fn auth_settings(
        &self,
        server: &ServerId,
    ) -> Result<AuthSettingsView, InspectorError> {
        Ok(self.sign_ins.settings(&self.auth_target(server)?))
    }

    /// Saves what a person set for signing in to a server.
    ///
    /// # Errors
    /// When a setting is not usable, or cannot be written.
    pub async fn save_auth_settings(
        &self,
        server: &ServerId,
        settings: AuthSettings,
    ) -> Result<AuthSettingsView, InspectorError> {
        let target = self.auth_target(server)?;
        self.sign_ins.save_settings(&target, settings)?;
        Ok(self.sign_ins.settings(&target))
    }

    /// Keeps a secret for signing in, or forgets it when there is no value.
    ///
    /// # Errors
    /// When the vault refuses.
    pub async fn keep_auth_secret(
        &self,
        server: &ServerId,
        secret: SettingSecret,
        value: Option<String>,
    ) -> Result<AuthSettingsView, InspectorError> {
        let target = self.auth_target(server)?;
        self.sign_ins
            .keep(&target, &secret, value.map(Into::into))
            .await?;
        Ok(self.sign_ins.settings(&target))
    }

    /// The last sign-in as text to hand on, without its secrets.
    ///
    /// # Errors
    /// When there was none since the program started.
    pub fn export_sign_in(
        &self,
        server: &ServerId,
        form: SignInExport,
    ) -> Result<String, InspectorError> {
        Ok(self.sign_ins.export(server, form)?)
    }

    /// Moves every secret between the keychain and the file.
    ///
    /// # Errors
    /// When one of them refuses; nothing is lost then.
    pub async fn move_secrets(&self, to: VaultKind) -> Result<VaultView, InspectorError> {
        Ok(self.sign_ins.move_secrets(to).await?)
    }

    /// Calls a tool as another identity, over a connection of its own that is closed after it.
    ///
    /// # Errors
    /// When the arguments are not a JSON object, or no connection comes about.
    pub async fn call_tool_as(
        &self,
        server: &ServerId,
        identity: &str,
        key: &str,
        tool: &str,
        arguments: &str,
    ) -> Result<CallReport, InspectorError> {
        let target = self.auth_target(server)?;
        let mut spec = self.spoken_of(server)?;
        spec.name = format!("{} as {identity}", spec.name);
        let authorizer = self.sign_ins.authorizer(&target, Some(identity));
        let disguised = disguise(server, identity);
        let before = self.status(&disguised).connection;
        self.connections
            .connect_with(disguised.clone(), spec, Some(authorizer));
        let reached = self.settled(&disguised, before).await;
        let outcome = match reached {
            Ok(_) => {
                let definition = self.definition(server, tool);
                self.call_on(&disguised, key, tool, arguments, definition)
                    .await
            }
            Err(words) => Err(InspectorError::InvalidInput(format!(
                "As {identity} there is no connection: {words}."
            ))),
        };
        self.connections.disconnect(&disguised).await;
        outcome
    }

    /// Connects again, and says how that went.
    async fn reconnect(&self, server: &ServerId) -> Result<String, String> {
        self.connections.disconnect(server).await;
        let before = self.status(server).connection;
        let spec = self.spoken_of(server).map_err(|error| error.to_string())?;
        self.connect_authorized(server, spec)
            .map_err(|error| error.to_string())?;
        self.settled(server, before).await
    }

    /// Waits until a connection other than `before` is made or failed.
    async fn settled(
        &self,
        server: &ServerId,
        before: Option<ConnectionId>,
    ) -> Result<String, String> {
        loop {
            let status = self.status(server);
            if status.connection == before {
                tokio::time::sleep(GLANCE).await;
                continue;
            }
            if status.phase.is_live() {
                return Ok("connected".to_owned());
            }
            if let Some(failure) = status.failure.filter(|_| status.phase.is_at_rest()) {
                return Err(failure.reason);
            }
            tokio::time::sleep(GLANCE).await;
        }
    }

    /// Makes a server known that is in no file, or is reached otherwise than its file says.
    pub fn introduce(&self, server: &ServerId, spec: ServerSpec) {
        let mut introduced = lock(&self.introduced);
        match introduced.get_mut(server) {
            Some(known) => known.spec = spec,
            None => {
                let known = Introduced {
                    spec,
                    settings: AuthSettings::default(),
                    client_secret: None,
                };
                introduced.insert(server.clone(), known);
            }
        }
    }

    /// Makes a server known together with the client to sign in with.
    pub fn introduce_client(
        &self,
        server: &ServerId,
        spec: ServerSpec,
        settings: AuthSettings,
        client_secret: Option<Secret<String>>,
    ) {
        let known = Introduced {
            spec,
            settings,
            client_secret,
        };
        lock(&self.introduced).insert(server.clone(), known);
    }

    /// How a server is reached: as it was introduced, or as its file says.
    fn spoken_of(&self, server: &ServerId) -> Result<ServerSpec, InspectorError> {
        let introduced = lock(&self.introduced)
            .get(server)
            .map(|known| known.spec.clone());
        introduced.map_or_else(|| self.spec(server), Ok)
    }

    /// How the servers of a snapshot stand with signing in.
    pub(crate) fn auth_views(&self, servers: &[ServerView]) -> Vec<AuthView> {
        servers
            .iter()
            .filter_map(|server| self.auth_target(&server.id).ok())
            .map(|target| self.sign_ins.view(&target))
            .collect()
    }

    /// The server as signing in sees it.
    ///
    /// # Errors
    /// When there is no such server, its entry cannot be used, or it is not reached over the
    /// network.
    pub(crate) fn auth_target(&self, server: &ServerId) -> Result<Target, InspectorError> {
        if *server == ServerId::demo() {
            return Err(AuthError::NothingToSignIn.into());
        }
        let spec = self.spoken_of(server)?;
        let Endpoint::Remote(remote) = spec.endpoint else {
            return Err(AuthError::NothingToSignIn.into());
        };
        if remote.url.starts_with("unix:") {
            return Err(AuthError::NothingToSignIn.into());
        }
        let mut fields = match self.effective(server) {
            Ok(effective) => {
                let raw = &effective.entry.raw;
                // Other dialects are said in the common one first.
                let common = (!raw.expose().trim_start().starts_with('{'))
                    .then(|| self.definition_of(&effective))
                    .flatten()
                    .map(|definition| {
                        let common = definition.common.expose().clone();
                        Secret::new(serde_json::Value::Object(common).to_string())
                    });
                let entry = common.as_ref().unwrap_or(raw);
                sightglass_config::sign_in_fields(entry, &*self.options.environment)
            }
            Err(_) => SignInFields::default(),
        };
        let configured_secret = fields.client_secret.take();
        let mut configured = settings_of(fields);
        let mut client = None;
        if let Some(introduced) = lock(&self.introduced).get(server) {
            let said = introduced.settings.clone();
            client = said.client_id.map(|id| NamedClient {
                id,
                secret: introduced.client_secret.clone(),
            });
            configured.client_metadata_url =
                said.client_metadata_url.or(configured.client_metadata_url);
        }
        Ok(Target {
            server: server.clone(),
            name: spec.name,
            url: remote.url,
            trust: remote.trust,
            headers: remote.headers.into_iter().collect(),
            configured_secret,
            configured,
            client,
        })
    }
}
