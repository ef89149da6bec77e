//! Every sign-in of the program.

use std::{
    collections::HashMap,
    path::PathBuf,
    sync::{
        Arc, Mutex,
        atomic::{AtomicU32, Ordering},
    },
};

use futures::future::BoxFuture;
use sightglass_model::ServerId;
use sightglass_secrets::{Secret, Vault};
use sightglass_traffic::Recorder;
use url::Url;

use crate::{
    AuthError, AuthMode, AuthSettings, AuthSettingsView, AuthView, Authorizer, GrantView,
    IdentityView, RequestDraft, SettingSecret, SignInExport, SignInRequest, SignOutReport,
    Standing, StepKind, Target, VaultKind, VaultView,
    book::{Book, BookFile, DEFAULT_IDENTITY, Grant},
    challenge::Challenge,
    export,
    flow::{self, Beginning, Findings},
    grants::Held,
    progress::{Progress, fresh, lock, now},
    settings::{cleaned, effective},
    web::HttpSetup,
};

/// Answers the value of an environment variable, if it is set.
type Environment = Arc<dyn Fn(&str) -> Option<String> + Send + Sync>;

/// Shows an address to the person, or says why it cannot.
type BrowserOpener = Arc<dyn Fn(&str) -> Result<(), String> + Send + Sync>;

/// What [`SignIns`] works with.
pub struct SignInsOptions {
    /// Where every request is recorded.
    pub recorder: Recorder,
    pub vault: Vault,
    /// How HTTP is spoken.
    pub http: Box<HttpSetup>,
    /// Where settings and grants are kept, without their secrets.
    pub directory: PathBuf,
    /// Answers the value of an environment variable, if it is set.
    pub environment: Environment,
    /// Opens an address in the person's browser, or says why not.
    pub open_browser: BrowserOpener,
    /// Connects to a server again and says, in words, how that went.
    pub reconnect: Arc<Reconnect>,
    /// Called whenever something changes. Must not block.
    pub on_change: Arc<dyn Fn(AuthView) + Send + Sync>,
}

/// See [`SignInsOptions::reconnect`].
pub type Reconnect = dyn Fn(ServerId) -> BoxFuture<'static, Result<String, String>> + Send + Sync;

type GrantKey = (ServerId, String);

/// Owns every sign-in and every grant.
pub struct SignIns {
    shared: Arc<Shared>,
}

pub(crate) struct Shared {
    pub options: SignInsOptions,
    pub book: BookFile,
    pub held: Mutex<HashMap<GrantKey, Held>>,
    /// Whose turn it is to refresh.
    pub turns: Mutex<HashMap<GrantKey, Arc<tokio::sync::Mutex<()>>>>,
    /// Versions that a refusal led to and that no request was accepted with since.
    pub after_refusal: Mutex<HashMap<GrantKey, u32>>,
    targets: Mutex<HashMap<ServerId, Target>>,
    challenges: Mutex<HashMap<ServerId, Challenge>>,
    attempts: Mutex<HashMap<ServerId, Attempt>>,
    next_id: AtomicU32,
}

/// The last sign-in to one server.
struct Attempt {
    progress: Arc<Progress>,
    request: SignInRequest,
    findings: Findings,
}

impl SignIns {
    /// Must be called inside a tokio runtime.
    pub fn new(options: SignInsOptions) -> Self {
        let shared = Arc::new(Shared {
            book: BookFile::in_directory(&options.directory),
            options,
            held: Mutex::default(),
            turns: Mutex::default(),
            after_refusal: Mutex::default(),
            targets: Mutex::default(),
            challenges: Mutex::default(),
            attempts: Mutex::default(),
            next_id: AtomicU32::new(1),
        });
        let weak = Arc::downgrade(&shared);
        let mut states = shared.options.vault.watch();
        tokio::spawn(async move {
            while states.changed().await.is_ok() {
                let Some(shared) = weak.upgrade() else { break };
                shared.tell_all();
            }
        });
        Self { shared }
    }

    /// How a server stands with signing in.
    pub fn view(&self, target: &Target) -> AuthView {
        self.shared.remember(target);
        self.shared.view(target)
    }

    /// For the connection to a server, as the chosen identity or as this one.
    pub fn authorizer(&self, target: &Target, identity: Option<&str>) -> Authorizer {
        self.shared.remember(target);
        let identity = identity.map_or_else(
            || self.shared.read_book().chosen(&target.server),
            str::to_owned,
        );
        Authorizer::new(Arc::clone(&self.shared), target.clone(), identity)
    }

    /// Starts to sign in. One that runs for this server is cancelled first.
    ///
    /// # Errors
    /// When signing in is turned off for this server.
    pub fn start(&self, target: Target, request: SignInRequest) -> Result<(), AuthError> {
        self.begin(target, request, Findings::default(), StepKind::Challenge)
    }

    /// Does the last sign-in again from a step on.
    ///
    /// # Errors
    /// When there was none.
    pub fn restart(
        &self,
        target: Target,
        from: StepKind,
        pauses: Vec<StepKind>,
    ) -> Result<(), AuthError> {
        let (request, findings) = {
            let attempts = lock(&self.shared.attempts);
            let attempt = attempts.get(&target.server).ok_or(AuthError::NoAttempt)?;
            (attempt.request.clone(), attempt.findings.clone())
        };
        let request = SignInRequest { pauses, ..request };
        self.begin(target, request, findings, from)
    }

    fn begin(
        &self,
        target: Target,
        mut request: SignInRequest,
        findings: Findings,
        from: StepKind,
    ) -> Result<(), AuthError> {
        let settings = self.shared.effective_settings(&target);
        let mode = settings.mode.unwrap_or_default();
        if mode == AuthMode::Off {
            return Err(AuthError::TurnedOff);
        }
        self.shared.remember(&target);
        let identity = request
            .identity
            .clone()
            .filter(|name| !name.trim().is_empty())
            .unwrap_or_else(|| self.shared.read_book().chosen(&target.server));
        request.identity = Some(identity.clone());
        let is_step_up = self
            .shared
            .challenge(&target.server)
            .is_some_and(|challenge| challenge.is_insufficient_scope())
            && self.shared.usable_grant(&target, &identity).is_some();
        let purpose = flow::purpose_of(mode, is_step_up);
        let mut view = fresh(self.shared.next_id(), &identity, purpose);
        view.pauses.clone_from(&request.pauses);
        view.manual = request.manual;
        let previous = lock(&self.shared.attempts).remove(&target.server);
        if let Some(previous) = &previous {
            previous.progress.cancel.cancel();
            if from > StepKind::Challenge {
                // The steps that are kept stay in sight.
                let before = previous.progress.view();
                for (seen, old) in view.steps.iter_mut().zip(before.steps) {
                    if old.step < from {
                        *seen = old;
                    }
                }
                view.address = before.address;
                view.redirect_uri = before.redirect_uri;
            }
        }
        let (shared, server) = (Arc::clone(&self.shared), target.server.clone());
        let progress = Progress::new(view, move || shared.tell(&server));
        lock(&self.shared.attempts).insert(
            target.server.clone(),
            Attempt {
                progress: Arc::clone(&progress),
                request: request.clone(),
                findings: findings.clone(),
            },
        );
        self.shared.tell(&target.server);
        let shared = Arc::clone(&self.shared);
        tokio::spawn(async move {
            let server = target.server.clone();
            let own = Arc::clone(&progress);
            let (findings, _) = flow::run(Beginning {
                shared: Arc::clone(&shared),
                target,
                identity,
                purpose,
                request,
                progress,
                findings,
                from,
            })
            .await;
            // Unless another sign-in took its place.
            if let Some(attempt) = lock(&shared.attempts).get_mut(&server)
                && Arc::ptr_eq(&attempt.progress, &own)
            {
                attempt.findings = findings;
            }
        });
        Ok(())
    }

    /// Stops a sign-in, wherever it is. Says whether there was one.
    pub fn cancel(&self, server: &ServerId) -> bool {
        let Some(progress) = self.shared.progress(server) else {
            return false;
        };
        let runs = !progress.is_over();
        progress.cancel.cancel();
        runs
    }

    /// Goes on after a pause.
    ///
    /// # Errors
    /// When nothing is paused.
    pub fn go_on(
        &self,
        server: &ServerId,
        edited: Option<RequestDraft>,
        pauses: Vec<StepKind>,
    ) -> Result<(), AuthError> {
        let progress = self.shared.progress(server).ok_or(AuthError::NotUnderWay)?;
        if progress.go_on(edited, pauses) {
            Ok(())
        } else {
            Err(AuthError::NotUnderWay)
        }
    }

    /// Sets the steps to pause before, while it runs.
    ///
    /// # Errors
    /// When no sign-in runs.
    pub fn set_pauses(&self, server: &ServerId, pauses: Vec<StepKind>) -> Result<(), AuthError> {
        let progress = self.shared.progress(server).ok_or(AuthError::NotUnderWay)?;
        if progress.set_pauses(pauses) {
            Ok(())
        } else {
            Err(AuthError::NotUnderWay)
        }
    }

    /// Hands over the address that the browser was sent back to.
    ///
    /// # Errors
    /// When none is awaited, or it is not an address.
    pub fn paste(&self, server: &ServerId, address: &str) -> Result<(), AuthError> {
        let progress = self.shared.progress(server).ok_or(AuthError::NotUnderWay)?;
        let url = Url::parse(address.trim()).map_err(|_| {
            AuthError::Invalid(
                "This is not an address. Copy all of what the browser's address bar shows."
                    .to_owned(),
            )
        })?;
        if progress.paste(url) {
            Ok(())
        } else {
            Err(AuthError::NotUnderWay)
        }
    }

    /// Revokes the grant of an identity where the authorization server can, and forgets it.
    ///
    /// # Errors
    /// When the vault or the book refuses.
    pub async fn sign_out(
        &self,
        target: &Target,
        identity: Option<String>,
    ) -> Result<SignOutReport, AuthError> {
        let shared = &self.shared;
        let identity = identity.unwrap_or_else(|| shared.read_book().chosen(&target.server));
        let grant = shared.grant(&target.server, &identity);
        let Some(grant) = grant else {
            shared.forget(&target.server, &identity).await?;
            return Ok(SignOutReport {
                revoked: false,
                words: "There was nothing to sign out of.".to_owned(),
                exchanges: Vec::new(),
            });
        };
        let mut exchanges = Vec::new();
        let mut outcome = Ok(());
        if let Some(held) = shared.held(&target.server, &identity).await? {
            // The refresh token first: with it goes all that came of it (RFC 7009, section 2.1).
            if let Some(refresh) = &held.tokens.refresh {
                outcome = shared
                    .revoke(
                        target,
                        &grant,
                        &held.tokens,
                        refresh,
                        "refresh_token",
                        &mut exchanges,
                    )
                    .await;
            }
            if outcome.is_ok() {
                outcome = shared
                    .revoke(
                        target,
                        &grant,
                        &held.tokens,
                        &held.tokens.access,
                        "access_token",
                        &mut exchanges,
                    )
                    .await;
            }
        }
        shared.forget(&target.server, &identity).await?;
        Ok(SignOutReport {
            revoked: outcome.is_ok(),
            words: match outcome {
                Ok(()) => "The grant is revoked and forgotten.".to_owned(),
                Err(words) => format!(
                    "The grant is forgotten here. {words} The token stays good there until it ends."
                ),
            },
            exchanges,
        })
    }

    /// Uses this identity from the next connection on.
    ///
    /// # Errors
    /// When the name is empty or the book cannot be written.
    pub fn choose_identity(&self, target: &Target, identity: &str) -> Result<(), AuthError> {
        let identity = identity.trim();
        if identity.is_empty() || identity.chars().any(char::is_control) {
            return Err(AuthError::Invalid("An identity needs a name.".to_owned()));
        }
        self.shared.book.change(|book| {
            book.identity_mut(&target.server, identity);
            if let Some(page) = book.servers.get_mut(&target.server) {
                page.chosen = Some(identity.to_owned());
            }
        })?;
        self.shared.forget_challenge(&target.server);
        self.shared.tell(&target.server);
        Ok(())
    }

    /// Forgets an identity and what it holds.
    ///
    /// # Errors
    /// When the vault or the book refuses.
    pub async fn forget_identity(&self, target: &Target, identity: &str) -> Result<(), AuthError> {
        self.shared.forget(&target.server, identity).await?;
        self.shared.book.change(|book| {
            if let Some(page) = book.servers.get_mut(&target.server) {
                page.identities.retain(|known| known.name != identity);
                if page.chosen.as_deref() == Some(identity) {
                    page.chosen = None;
                }
            }
        })?;
        self.shared.tell(&target.server);
        Ok(())
    }

    /// What is set for signing in.
    pub fn settings(&self, target: &Target) -> AuthSettingsView {
        let settings = self.shared.own_settings(&target.server);
        let mut secrets = vec![
            SettingSecret::ClientSecret,
            SettingSecret::PrivateKey,
            SettingSecret::Bearer,
            SettingSecret::IdToken,
            SettingSecret::IdpClientSecret,
            SettingSecret::Assertion,
        ];
        let headers = settings.secret_headers.iter().cloned();
        secrets.extend(headers.map(|name| SettingSecret::Header { name }));
        secrets.retain(|secret| {
            let name = setting_name(&target.server, secret);
            self.shared.options.vault.has(&name)
        });
        AuthSettingsView {
            settings,
            configured: target.configured.clone(),
            kept: secrets,
        }
    }

    /// Saves what a person set.
    ///
    /// # Errors
    /// When a setting cannot be used or the book cannot be written.
    pub fn save_settings(&self, target: &Target, settings: AuthSettings) -> Result<(), AuthError> {
        let settings = cleaned(settings).map_err(AuthError::Invalid)?;
        self.shared.book.change(|book| {
            book.servers
                .entry(target.server.clone())
                .or_default()
                .settings = settings;
        })?;
        self.shared.remember(target);
        self.shared.tell(&target.server);
        Ok(())
    }

    /// Keeps a secret that a person entered, or forgets it.
    ///
    /// # Errors
    /// When the vault refuses.
    pub async fn keep(
        &self,
        target: &Target,
        secret: &SettingSecret,
        value: Option<Secret<String>>,
    ) -> Result<(), AuthError> {
        let name = setting_name(&target.server, secret);
        let value = value.filter(|value| !value.expose().trim().is_empty());
        if let (SettingSecret::PrivateKey, Some(pem)) = (secret, &value) {
            crate::client::signing(pem.expose()).map_err(AuthError::Invalid)?;
        }
        match value {
            Some(value) => {
                let trimmed = Secret::new(value.expose().trim().to_owned());
                self.shared.options.vault.set(&name, trimmed).await?;
            }
            None => self.shared.options.vault.remove(&name).await?,
        }
        self.shared.remember(target);
        self.shared.tell(&target.server);
        Ok(())
    }

    /// The last sign-in as text, redacted.
    ///
    /// # Errors
    /// When there was none.
    pub fn export(&self, server: &ServerId, form: SignInExport) -> Result<String, AuthError> {
        let progress = self.shared.progress(server).ok_or(AuthError::NoAttempt)?;
        let target = lock(&self.shared.targets).get(server).cloned();
        let url = target.map(|target| target.url).unwrap_or_default();
        Ok(export::export(&progress.view(), &url, form))
    }

    /// Moves every secret to the keychain or to the file.
    ///
    /// # Errors
    /// When one of them refuses.
    pub async fn move_secrets(&self, to: VaultKind) -> Result<VaultView, AuthError> {
        let kind = match to {
            VaultKind::Keychain => sightglass_secrets::VaultKind::Keychain,
            VaultKind::File => sightglass_secrets::VaultKind::File,
            VaultKind::Memory => sightglass_secrets::VaultKind::Memory,
        };
        self.shared.options.vault.move_to(kind).await?;
        Ok(self.shared.vault_view())
    }

    pub(crate) fn shared(&self) -> &Arc<Shared> {
        &self.shared
    }
}

impl Shared {
    pub fn next_id(&self) -> u32 {
        self.next_id.fetch_add(1, Ordering::Relaxed)
    }

    /// A book that cannot be read counts as empty here; whoever writes says why.
    pub fn read_book(&self) -> Book {
        self.book.read().unwrap_or_else(|error| {
            tracing::warn!("{error}");
            Book::default()
        })
    }

    pub fn own_settings(&self, server: &ServerId) -> AuthSettings {
        self.read_book()
            .servers
            .get(server)
            .map(|page| page.settings.clone())
            .unwrap_or_default()
    }

    pub fn effective_settings(&self, target: &Target) -> AuthSettings {
        effective(&self.own_settings(&target.server), target)
    }

    pub fn grant(&self, server: &ServerId, identity: &str) -> Option<Grant> {
        self.read_book().grant(server, identity).cloned()
    }

    pub fn problem(&self, server: &ServerId, identity: &str) -> Option<String> {
        self.read_book().identity(server, identity)?.problem.clone()
    }

    pub fn is_chosen(&self, server: &ServerId, identity: &str) -> bool {
        self.read_book().chosen(server) == identity
    }

    pub fn challenge(&self, server: &ServerId) -> Option<Challenge> {
        lock(&self.challenges).get(server).cloned()
    }

    pub fn note_challenge(&self, server: &ServerId, challenge: Challenge) {
        lock(&self.challenges).insert(server.clone(), challenge);
        self.tell(server);
    }

    pub fn forget_challenge(&self, server: &ServerId) {
        lock(&self.challenges).remove(server);
    }

    pub fn progress(&self, server: &ServerId) -> Option<Arc<Progress>> {
        lock(&self.attempts)
            .get(server)
            .map(|attempt| Arc::clone(&attempt.progress))
    }

    /// A sign-in that no person started.
    pub fn put_attempt(&self, server: &ServerId, progress: &Arc<Progress>) {
        let attempt = Attempt {
            progress: Arc::clone(progress),
            request: SignInRequest::default(),
            findings: Findings::default(),
        };
        if let Some(previous) = lock(&self.attempts).insert(server.clone(), attempt) {
            previous.progress.cancel.cancel();
        }
    }

    pub fn keep_findings(&self, server: &ServerId, findings: Findings) {
        if let Some(attempt) = lock(&self.attempts).get_mut(server) {
            attempt.findings = findings;
        }
    }

    fn remember(&self, target: &Target) {
        lock(&self.targets).insert(target.server.clone(), target.clone());
    }

    /// Tells how a server stands.
    pub fn tell(&self, server: &ServerId) {
        let target = lock(&self.targets).get(server).cloned();
        if let Some(target) = target {
            (self.options.on_change)(self.view(&target));
        }
    }

    fn tell_all(&self) {
        let targets: Vec<Target> = lock(&self.targets).values().cloned().collect();
        for target in targets {
            (self.options.on_change)(self.view(&target));
        }
    }

    /// Forgets what an identity holds.
    async fn forget(&self, server: &ServerId, identity: &str) -> Result<(), AuthError> {
        self.options
            .vault
            .remove(&grant_name(server, identity))
            .await?;
        lock(&self.held).remove(&(server.clone(), identity.to_owned()));
        self.book.change(|book| {
            let known = book.identity_mut(server, identity);
            known.grant = None;
            known.problem = None;
        })?;
        self.forget_challenge(server);
        self.tell(server);
        Ok(())
    }

    fn view(&self, target: &Target) -> AuthView {
        let book = self.read_book();
        let settings = effective(
            &book
                .servers
                .get(&target.server)
                .map(|page| page.settings.clone())
                .unwrap_or_default(),
            target,
        );
        let chosen = book.chosen(&target.server);
        let mut identities: Vec<IdentityView> = book
            .servers
            .get(&target.server)
            .map(|page| page.identities.as_slice())
            .unwrap_or_default()
            .iter()
            .map(|identity| IdentityView {
                name: identity.name.clone(),
                grant: identity.grant.as_ref().map(|grant| self.grant_view(grant)),
                problem: identity.problem.clone(),
            })
            .collect();
        for name in [DEFAULT_IDENTITY, &chosen] {
            if !identities.iter().any(|identity| identity.name == name) {
                let nobody = IdentityView {
                    name: name.to_owned(),
                    grant: None,
                    problem: None,
                };
                identities.insert(0, nobody);
            }
        }
        let mode = settings.mode.unwrap_or_default();
        AuthView {
            server: target.server.clone(),
            url: target.url.clone(),
            mode,
            standing: self.standing(target, &book, &chosen, mode, &settings),
            identity: chosen,
            identities,
            vault: self.vault_view(),
            attempt: self
                .progress(&target.server)
                .map(|progress| progress.view()),
        }
    }

    fn standing(
        &self,
        target: &Target,
        book: &Book,
        identity: &str,
        mode: AuthMode,
        settings: &AuthSettings,
    ) -> Standing {
        if let Some(since) = self.options.vault.state().waiting_since {
            return Standing::WaitingForKeychain { since };
        }
        let problem = book
            .identity(&target.server, identity)
            .and_then(|identity| identity.problem.clone());
        if let Some(reason) = problem {
            return Standing::Expired { reason };
        }
        if let Some(challenge) = self.challenge(&target.server) {
            return Standing::Required {
                challenge: challenge.view(),
            };
        }
        let has_fixed = || {
            let name = setting_name(&target.server, &SettingSecret::Bearer);
            let from_variable = settings
                .bearer_variable
                .as_deref()
                .is_some_and(|name| (self.options.environment)(name).is_some());
            target.has_authorization() || from_variable || self.options.vault.has(&name)
        };
        match (mode, book.grant(&target.server, identity)) {
            (AuthMode::Off, _) => Standing::SignedOut,
            (AuthMode::Bearer, _) if has_fixed() => Standing::SignedIn,
            (AuthMode::Bearer, _) | (_, None) => Standing::SignedOut,
            (_, Some(grant)) if grant.server_url != target.url => Standing::Expired {
                reason: format!(
                    "The grant is for {}, and the server's address is another one now.",
                    grant.server_url
                ),
            },
            (_, Some(grant)) => match grant.expires_at {
                Some(expires) if expires <= now() && !grant.refreshable => Standing::Expired {
                    reason: "The token has ended, and there is none to refresh it with.".to_owned(),
                },
                _ => Standing::SignedIn,
            },
        }
    }

    fn grant_view(&self, grant: &Grant) -> GrantView {
        GrantView {
            issuer: grant.issuer.clone(),
            account: grant.account.clone(),
            client_id: grant.client_id.clone(),
            registration: grant.registration,
            resource: grant.resource.clone(),
            scopes_requested: grant.scopes_requested.clone(),
            scopes_granted: grant.scopes_granted.clone(),
            signed_in_at: grant.signed_in_at,
            expires_at: grant.expires_at,
            refreshable: grant.refreshable,
            revocable: grant.revocation_endpoint.is_some(),
            kept_in: self.vault_view().kind,
        }
    }

    pub fn vault_view(&self) -> VaultView {
        let vault = &self.options.vault;
        let state = vault.state();
        // Before the first secret the keychain is what will be tried.
        let kind = match state.kind {
            Some(sightglass_secrets::VaultKind::File) => VaultKind::File,
            Some(sightglass_secrets::VaultKind::Memory) => VaultKind::Memory,
            Some(sightglass_secrets::VaultKind::Keychain) | None => VaultKind::Keychain,
        };
        let path = vault.file().map(|path| path.display().to_string());
        VaultView {
            label: match kind {
                VaultKind::Keychain => vault.keychain_label().to_owned(),
                VaultKind::File => "File".to_owned(),
                VaultKind::Memory => "Memory".to_owned(),
            },
            path: path.filter(|_| kind == VaultKind::File),
            can_move_to: match kind {
                VaultKind::Keychain => Some(VaultKind::File),
                VaultKind::File => Some(VaultKind::Keychain),
                VaultKind::Memory => None,
            },
            problem: state.problem,
            waiting_since: state.waiting_since,
            kind,
        }
    }
}

/// Under which name the vault keeps the tokens of an identity.
pub(crate) fn grant_name(server: &ServerId, identity: &str) -> String {
    format!("grant {server} {identity}")
}

/// The secret of a registered client.
pub(crate) fn client_secret_name(issuer: &str, client_id: &str) -> String {
    format!("client {issuer} {client_id}")
}

/// A secret that a person entered for a server.
pub(crate) fn setting_name(server: &ServerId, secret: &SettingSecret) -> String {
    let what = match secret {
        SettingSecret::ClientSecret => "client-secret".to_owned(),
        SettingSecret::PrivateKey => "private-key".to_owned(),
        SettingSecret::Bearer => "bearer".to_owned(),
        SettingSecret::Header { name } => format!("header {}", name.to_ascii_lowercase()),
        SettingSecret::IdToken => "id-token".to_owned(),
        SettingSecret::IdpClientSecret => "idp-client-secret".to_owned(),
        SettingSecret::Assertion => "assertion".to_owned(),
    };
    format!("setting {server} {what}")
}
