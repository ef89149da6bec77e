//! Signs in on behalf of the window and the command line.

use std::sync::{Arc, Weak};

use sightglass_area_core::{
    command::commands,
    core::Core,
    error::InspectorError,
    host::Host,
    options::InspectorOptions,
    publisher::Publisher,
    view::{Fact, ServerView},
};
use sightglass_area_servers::{
    Servers, lifecycle::ServerLifecycle, open_connections::OpenConnections,
    sign_in_target::SignInTargets,
};
use sightglass_auth::{
    AuthSettings, AuthSettingsView, AuthView, BROWSER_TIMEOUT, Binding, EndpointQuestion,
    RequestDraft, SettingSecret, SignInExport, SignInRequest, SignIns, SignInsOptions,
    SignOutReport, StepKind, TokenAction, TokenKind, TokenReaction, TokensView, VaultKind,
    VaultView,
};
use sightglass_http::{CurrentProxies, HttpOptions};
use sightglass_model::ServerId;
use sightglass_secrets::{Keychain, Vault, VaultOptions};
use sightglass_traffic::Recorder;

/// Opens the store of secrets.
pub fn vault(options: &InspectorOptions) -> Vault {
    let is_off = (options.environment)("SIGHTGLASS_KEYCHAIN").is_some_and(|word| word == "off");
    let keychain = if is_off {
        Keychain::none()
    } else {
        Keychain::of_the_system()
    };
    Vault::open(VaultOptions {
        directory: options.data_directory.clone(),
        keychain,
    })
}

/// Makes the sign-ins of the core. `on_change` is called with the server whose sign-in changed,
/// before that is published.
pub fn sign_ins(
    options: &InspectorOptions,
    vault: Vault,
    recorder: Recorder,
    proxies: &Arc<CurrentProxies>,
    publisher: &Arc<Publisher>,
    host: Arc<dyn Host>,
    on_change: impl Fn(&ServerId) + Send + Sync + 'static,
) -> SignIns {
    let proxies = Arc::clone(proxies);
    let publisher = Arc::clone(publisher);
    SignIns::new(SignInsOptions {
        recorder,
        vault,
        http: Box::new(move |trust| HttpOptions::new(trust, &proxies.get())),
        directory: options.data_directory.clone(),
        environment: Arc::clone(&options.environment),
        open_browser: Arc::new(move |address| host.open_address(address)),
        browser_timeout: BROWSER_TIMEOUT,
        on_change: Arc::new(move |view| {
            on_change(&view.server);
            publisher.publish(Fact::Auth {
                view: Box::new(view),
            });
        }),
    })
}

/// Signs in on behalf of the window and the command line.
pub struct SignIn {
    pub(crate) core: Arc<Core>,
    pub(crate) open_connections: Arc<OpenConnections>,
    pub(crate) lifecycle: Arc<ServerLifecycle>,
    pub(crate) sign_in_targets: Arc<SignInTargets>,
}

#[commands]
impl SignIn {
    /// Signs in for the servers of `servers`, and has them connected again by what a sign-in brings.
    pub fn new(core: &Arc<Core>, servers: &Servers) -> Arc<Self> {
        let sign_in = Arc::new(Self {
            core: Arc::clone(core),
            open_connections: Arc::clone(&servers.open_connections),
            lifecycle: Arc::clone(&servers.lifecycle),
            sign_in_targets: Arc::clone(&servers.sign_in_targets),
        });
        let connecting = Arc::downgrade(&sign_in);
        core.sign_ins.set_reconnect(Arc::new(move |server| {
            let connecting = Weak::clone(&connecting);
            Box::pin(async move {
                match connecting.upgrade() {
                    Some(sign_in) => sign_in.reconnect(&server).await,
                    None => Err("the application is closing".to_owned()),
                }
            })
        }));
        sign_in
    }

    /// Returns the sign-in state of a server.
    #[command(name = "get_auth")]
    pub async fn auth_view(&self, server: &ServerId) -> Result<AuthView, InspectorError> {
        Ok(self
            .core
            .sign_ins
            .view(&self.sign_in_targets.kept_target(server)?))
    }

    /// Starts to sign in and returns at once; how it goes is told as facts. One that runs for
    /// this server is cancelled first.
    ///
    /// # Errors
    /// When there is no such server, or it has nothing to sign in to.
    #[command]
    pub fn sign_in(&self, server: &ServerId, request: SignInRequest) -> Result<(), InspectorError> {
        let target = self.sign_in_targets.auth_target(server)?;
        Ok(self.core.sign_ins.start(target, request)?)
    }

    /// Stops a sign-in, wherever it is. Says whether there was one.
    #[command]
    pub fn cancel_sign_in(&self, server: &ServerId) -> bool {
        self.core.sign_ins.cancel(server)
    }

    /// Goes on after a pause.
    ///
    /// # Errors
    /// When nothing is paused, or the edited request cannot be sent.
    #[command]
    pub fn continue_sign_in(
        &self,
        server: &ServerId,
        edited: Option<RequestDraft>,
        pauses: Vec<StepKind>,
    ) -> Result<(), InspectorError> {
        Ok(self.core.sign_ins.go_on(server, edited, pauses)?)
    }

    /// Sets the steps to pause before, while a sign-in runs.
    #[command]
    pub fn update_sign_in_pauses(
        &self,
        server: &ServerId,
        pauses: Vec<StepKind>,
    ) -> Result<(), InspectorError> {
        Ok(self.core.sign_ins.set_pauses(server, pauses)?)
    }

    /// Does a sign-in again from a step on, keeping what the steps before it found.
    #[command]
    pub fn restart_sign_in(
        &self,
        server: &ServerId,
        from: StepKind,
        pauses: Vec<StepKind>,
    ) -> Result<(), InspectorError> {
        let target = self.sign_in_targets.auth_target(server)?;
        Ok(self.core.sign_ins.restart(target, from, pauses)?)
    }

    /// Hands over the address that the browser was sent back to.
    #[command]
    pub fn paste_redirect(&self, server: &ServerId, address: &str) -> Result<(), InspectorError> {
        Ok(self.core.sign_ins.paste(server, address)?)
    }

    /// Revokes the grant where the authorization server can, and forgets it. That of a server which
    /// the managed policy refuses is forgotten alone.
    #[command]
    pub async fn sign_out(
        &self,
        server: &ServerId,
        identity: Option<String>,
    ) -> Result<SignOutReport, InspectorError> {
        let reason = match self.sign_in_targets.auth_target(server) {
            Ok(target) => return Ok(self.core.sign_ins.sign_out(&target, identity).await?),
            Err(InspectorError::RefusedByPolicy { .. }) => {
                "The managed policy on this computer refuses this server."
            }
            Err(error) => return Err(error),
        };
        let target = self.sign_in_targets.kept_target(server)?;
        let out = self.core.sign_ins.sign_out_here(&target, identity, reason);
        Ok(out.await?)
    }

    /// Uses this identity from the next connection on; a new name makes a new one.
    #[command]
    pub async fn choose_identity(
        &self,
        server: &ServerId,
        identity: &str,
    ) -> Result<AuthView, InspectorError> {
        let target = self.sign_in_targets.kept_target(server)?;
        self.core.sign_ins.choose_identity(&target, identity)?;
        Ok(self.core.sign_ins.view(&target))
    }

    /// Forgets an identity and what it holds.
    #[command]
    pub async fn delete_identity(
        &self,
        server: &ServerId,
        identity: &str,
    ) -> Result<AuthView, InspectorError> {
        let target = self.sign_in_targets.kept_target(server)?;
        self.core
            .sign_ins
            .delete_identity(&target, identity)
            .await?;
        Ok(self.core.sign_ins.view(&target))
    }

    /// The tokens of an identity, decoded and judged.
    #[command(name = "get_tokens")]
    pub async fn tokens(
        &self,
        server: &ServerId,
        identity: &str,
    ) -> Result<Option<TokensView>, InspectorError> {
        let target = self.sign_in_targets.kept_target(server)?;
        Ok(self.core.sign_ins.tokens(&target, identity).await?)
    }

    /// A token itself: only when a person asks to see it.
    #[command]
    pub async fn reveal_token(
        &self,
        server: &ServerId,
        identity: &str,
        token: TokenKind,
    ) -> Result<String, InspectorError> {
        let target = self.sign_in_targets.kept_target(server)?;
        Ok(self.core.sign_ins.reveal(&target, identity, token).await?)
    }

    /// Does something to a token and shows how the servers take it.
    #[command]
    pub async fn test_token(
        &self,
        server: &ServerId,
        identity: &str,
        action: TokenAction,
    ) -> Result<TokenReaction, InspectorError> {
        let target = self.sign_in_targets.auth_target(server)?;
        Ok(self.core.sign_ins.act(&target, identity, action).await?)
    }

    /// Returns the settings for signing in to a server.
    #[command(name = "get_auth_settings")]
    pub async fn auth_settings(
        &self,
        server: &ServerId,
    ) -> Result<AuthSettingsView, InspectorError> {
        Ok(self
            .core
            .sign_ins
            .settings(&self.sign_in_targets.kept_target(server)?))
    }

    /// Saves what a person set for signing in to a server.
    #[command]
    pub async fn update_auth_settings(
        &self,
        server: &ServerId,
        settings: AuthSettings,
    ) -> Result<AuthSettingsView, InspectorError> {
        let target = self.sign_in_targets.kept_target(server)?;
        self.core.sign_ins.save_settings(&target, settings)?;
        Ok(self.core.sign_ins.settings(&target))
    }

    /// Keeps a secret for signing in, or forgets it when there is no value.
    #[command]
    pub async fn update_auth_secret(
        &self,
        server: &ServerId,
        secret: SettingSecret,
        value: Option<String>,
    ) -> Result<AuthSettingsView, InspectorError> {
        let target = self.sign_in_targets.kept_target(server)?;
        self.core
            .sign_ins
            .keep(&target, &secret, value.map(Into::into))
            .await?;
        Ok(self.core.sign_ins.settings(&target))
    }

    /// Uses for a server, at the origin that the user was shown, what was entered for another one
    /// of its name.
    ///
    /// # Errors
    /// When the server's origin is another one by now, or the vault refuses.
    #[command]
    pub async fn rebind_auth(
        &self,
        server: &ServerId,
        from: Option<Binding>,
        shown_origin: &str,
    ) -> Result<AuthView, InspectorError> {
        let target = self.sign_in_targets.kept_target(server)?;
        self.core
            .sign_ins
            .rebind(&target, from.as_ref(), shown_origin)
            .await?;
        Ok(self.core.sign_ins.view(&target))
    }

    /// Agrees that what was entered for a server may go to this authorization server.
    ///
    /// # Errors
    /// When it is not the one that the server names, or that cannot be kept.
    #[command]
    pub fn agree_to_issuer(
        &self,
        server: &ServerId,
        issuer: &str,
    ) -> Result<AuthView, InspectorError> {
        let target = self.sign_in_targets.auth_target(server)?;
        self.core.sign_ins.agree_to_issuer(&target, issuer)?;
        Ok(self.core.sign_ins.view(&target))
    }

    /// Agrees that the code of one origin may go to another, as the question says that was shown.
    #[command]
    pub fn agree_to_endpoints(
        &self,
        server: &ServerId,
        shown: &EndpointQuestion,
    ) -> Result<AuthView, InspectorError> {
        let target = self.sign_in_targets.auth_target(server)?;
        self.core.sign_ins.agree_to_endpoints(&target, shown)?;
        Ok(self.core.sign_ins.view(&target))
    }

    /// The last sign-in as text to hand on, without its secrets.
    #[command]
    pub fn export_sign_in(
        &self,
        server: &ServerId,
        form: SignInExport,
    ) -> Result<String, InspectorError> {
        Ok(self.core.sign_ins.export(server, form)?)
    }

    /// Moves every secret between the keychain and the file.
    ///
    /// # Errors
    /// When one of them refuses; nothing is lost then.
    #[command]
    pub async fn move_secrets(&self, to: VaultKind) -> Result<VaultView, InspectorError> {
        Ok(self.core.sign_ins.move_secrets(to).await?)
    }

    /// Connects again, and says how that went.
    async fn reconnect(&self, server: &ServerId) -> Result<String, String> {
        self.core.connections.disconnect(server).await;
        let before = self.open_connections.status(server).connection;
        let spec = self
            .sign_in_targets
            .resolved_spec(server)
            .map_err(|error| error.to_string())?;
        self.lifecycle
            .connect_authorized(server, spec)
            .map_err(|error| error.to_string())?;
        self.open_connections.settled(&server.into(), before).await
    }

    /// Tells how servers stand with signing in, also those that were just approved, written or
    /// moved to another address: the first sign-in can come before the first connection.
    pub fn publish_auth(&self, servers: &[ServerView]) {
        for view in self.auth_views(servers) {
            self.core.publisher.publish(Fact::Auth {
                view: Box::new(view),
            });
        }
    }

    /// Returns the sign-in states of a snapshot's servers.
    pub fn auth_views(&self, servers: &[ServerView]) -> Vec<AuthView> {
        servers
            .iter()
            .filter(|server| !self.sign_in_targets.is_program(&server.id))
            .filter_map(|server| self.sign_in_targets.kept_target(&server.id).ok())
            .map(|target| self.core.sign_ins.view(&target))
            .collect()
    }
}
