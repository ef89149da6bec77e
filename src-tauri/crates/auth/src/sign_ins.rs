//! Every sign-in of the program.

use std::{
    collections::HashMap,
    path::PathBuf,
    sync::{
        Arc, Mutex,
        atomic::{AtomicU32, Ordering},
    },
    time::Duration,
};

use futures::future::BoxFuture;
use sightglass_model::ServerId;
use sightglass_secrets::Vault;
use sightglass_traffic::Recorder;
use url::Url;

use crate::{
    AuthError, AuthMode, AuthSettings, AuthView, Authorizer, RequestDraft, SignInExport,
    SignInRequest, StepKind, Target, VaultKind, VaultView,
    challenge::Challenge,
    export,
    flow::{self, Findings, SignInInput},
    grants::HeldTokens,
    http::HttpSetup,
    progress::{SignInProgress, fresh, lock},
    settings::effective,
    store::{AuthRecords, AuthStore, Grant},
};

/// Answers the value of an environment variable, if it is set.
type Environment = Arc<dyn Fn(&str) -> Option<String> + Send + Sync>;

/// Shows an address to the person, or says why it cannot.
type BrowserOpener = Arc<dyn Fn(&str) -> Result<(), String> + Send + Sync>;

/// Options of [`SignIns`].
pub struct SignInsOptions {
    /// Recorder of every request.
    pub recorder: Recorder,
    pub vault: Vault,
    /// Makes the HTTP client.
    pub http: Box<HttpSetup>,
    /// Directory of settings and grants, without their secrets.
    pub directory: PathBuf,
    /// Answers the value of an environment variable, if it is set.
    pub environment: Environment,
    /// Opens an address in the person's browser, or says why not.
    pub open_browser: BrowserOpener,
    /// Time limit for the browser to come back, usually [`BROWSER_TIMEOUT`].
    ///
    /// [`BROWSER_TIMEOUT`]: crate::BROWSER_PATIENCE
    pub browser_timeout: Duration,
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
    shared: Arc<AuthState>,
}

pub(crate) struct AuthState {
    pub options: SignInsOptions,
    pub store: AuthStore,
    pub held: Mutex<HashMap<GrantKey, HeldTokens>>,
    /// Locks by grant: one refresh at a time.
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
    progress: Arc<SignInProgress>,
    request: SignInRequest,
    findings: Findings,
}

impl SignIns {
    /// Must be called inside a tokio runtime.
    pub fn new(options: SignInsOptions) -> Self {
        let shared = Arc::new(AuthState {
            store: AuthStore::in_directory(&options.directory),
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
                shared.publish_all();
            }
        });
        Self { shared }
    }

    /// Returns the sign-in state of a server.
    pub fn view(&self, target: &Target) -> AuthView {
        self.shared.remember(target);
        self.shared.view(target)
    }

    /// For the connection to a server, as the chosen identity or as this one.
    pub fn authorizer(&self, target: &Target, identity: Option<&str>) -> Authorizer {
        self.shared.remember(target);
        let identity = identity.map_or_else(
            || self.shared.records().chosen(&target.server),
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
            .unwrap_or_else(|| self.shared.records().chosen(&target.server));
        request.identity = Some(identity.clone());
        let is_insufficient = self
            .shared
            .challenge(&target.server)
            .is_some_and(|challenge| challenge.is_insufficient_scope());
        let is_step_up = self
            .shared
            .usable_grant(&target, &identity)
            .is_some_and(|grant| {
                is_insufficient
                    || !self
                        .shared
                        .missing_scopes(&target.server, &identity, &grant)
                        .is_empty()
            });
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
        let progress = SignInProgress::new(view, move || shared.publish(&server));
        lock(&self.shared.attempts).insert(
            target.server.clone(),
            Attempt {
                progress: Arc::clone(&progress),
                request: request.clone(),
                findings: findings.clone(),
            },
        );
        self.shared.publish(&target.server);
        let shared = Arc::clone(&self.shared);
        tokio::spawn(async move {
            // How it ended stands in its progress.
            let _ = flow::run(SignInInput {
                shared,
                target,
                identity,
                purpose,
                request,
                progress,
                findings,
                from,
            })
            .await;
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
    /// When none is awaited, it is not an address, or not the one that is awaited.
    pub fn paste(&self, server: &ServerId, address: &str) -> Result<(), AuthError> {
        let progress = self.shared.progress(server).ok_or(AuthError::NotUnderWay)?;
        let url = Url::parse(address.trim()).map_err(|_| {
            AuthError::Invalid(
                "This is not an address. Copy all of what the browser's address bar shows."
                    .to_owned(),
            )
        })?;
        progress.paste(url)
    }

    /// The last sign-in as text, redacted.
    ///
    /// # Errors
    /// When there was none.
    pub fn export(&self, server: &ServerId, form: SignInExport) -> Result<String, AuthError> {
        let progress = self.shared.progress(server).ok_or(AuthError::NoAttempt)?;
        let target = lock(&self.shared.targets).get(server).cloned();
        let url = target.map_or_else(String::new, |target| target.shown_url());
        Ok(progress.masked(export::export(&progress.view(), &url, form)))
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

    pub(crate) fn shared(&self) -> &Arc<AuthState> {
        &self.shared
    }
}

impl AuthState {
    pub fn next_id(&self) -> u32 {
        self.next_id.fetch_add(1, Ordering::Relaxed)
    }

    /// A file that cannot be read counts as empty here; whoever writes says why.
    pub fn records(&self) -> Arc<AuthRecords> {
        self.store.read().unwrap_or_else(|error| {
            tracing::warn!("{error}");
            Arc::default()
        })
    }

    /// Returns the settings of the user for this server at its present origin.
    pub fn own_settings(&self, target: &Target) -> AuthSettings {
        self.records()
            .servers
            .get(&target.server)
            .and_then(|record| record.entered(&target.binding()))
            .map(|entered| entered.settings.clone())
            .unwrap_or_default()
    }

    pub fn effective_settings(&self, target: &Target) -> AuthSettings {
        effective(&self.own_settings(target), target)
    }

    /// The client that was entered for a server, in the window or in its configuration.
    pub fn saved_client(&self, target: &Target) -> Option<String> {
        let own = self.own_settings(target).client_id;
        own.or_else(|| target.configured.client_id.clone())
    }

    pub fn grant(&self, server: &ServerId, identity: &str) -> Option<Grant> {
        self.records().grant(server, identity).cloned()
    }

    pub fn problem(&self, server: &ServerId, identity: &str) -> Option<String> {
        self.records().identity(server, identity)?.problem.clone()
    }

    pub fn is_chosen(&self, server: &ServerId, identity: &str) -> bool {
        self.records().chosen(server) == identity
    }

    pub fn challenge(&self, server: &ServerId) -> Option<Challenge> {
        lock(&self.challenges).get(server).cloned()
    }

    /// The last refusal, if it came from this address.
    pub fn challenge_of(&self, server: &ServerId, url: &Url) -> Option<Challenge> {
        self.challenge(server)
            .filter(|challenge| challenge.is_from(url))
    }

    pub fn record_challenge(&self, server: &ServerId, challenge: Challenge) {
        lock(&self.challenges).insert(server.clone(), challenge);
        self.publish(server);
    }

    pub fn forget_challenge(&self, server: &ServerId) {
        lock(&self.challenges).remove(server);
    }

    pub fn progress(&self, server: &ServerId) -> Option<Arc<SignInProgress>> {
        lock(&self.attempts)
            .get(server)
            .map(|attempt| Arc::clone(&attempt.progress))
    }

    /// A sign-in that no person started.
    pub fn put_attempt(&self, server: &ServerId, progress: &Arc<SignInProgress>) {
        let attempt = Attempt {
            progress: Arc::clone(progress),
            request: SignInRequest::default(),
            findings: Findings::default(),
        };
        if let Some(previous) = lock(&self.attempts).insert(server.clone(), attempt) {
            previous.progress.cancel.cancel();
        }
    }

    /// Keeps what a sign-in found, unless another one took its place.
    pub fn keep_findings(&self, server: &ServerId, of: &Arc<SignInProgress>, findings: Findings) {
        if let Some(attempt) = lock(&self.attempts).get_mut(server)
            && Arc::ptr_eq(&attempt.progress, of)
        {
            attempt.findings = findings;
        }
    }

    pub fn remember(&self, target: &Target) {
        lock(&self.targets).insert(target.server.clone(), target.clone());
    }

    /// Tells how a server stands.
    pub fn publish(&self, server: &ServerId) {
        let target = lock(&self.targets).get(server).cloned();
        if let Some(target) = target {
            (self.options.on_change)(self.view(&target));
        }
    }

    fn publish_all(&self) {
        let targets: Vec<Target> = lock(&self.targets).values().cloned().collect();
        for target in targets {
            (self.options.on_change)(self.view(&target));
        }
    }

    /// Forgets what an identity holds.
    pub async fn forget(&self, server: &ServerId, identity: &str) -> Result<(), AuthError> {
        self.options
            .vault
            .remove(&grant_name(server, identity))
            .await?;
        lock(&self.held).remove(&(server.clone(), identity.to_owned()));
        self.store.change(|records| {
            let known = records.identity_mut(server, identity);
            known.grant = None;
            known.problem = None;
        })?;
        self.forget_challenge(server);
        self.publish(server);
        Ok(())
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
