//! Façade of the crate: starts, restarts, continues and cancels sign-ins.

use std::{
    path::PathBuf,
    sync::{Arc, Mutex, OnceLock},
    time::Duration,
};

use sightglass_model::{ServerId, lock};
use sightglass_secrets::{Vault, VaultKind};
use sightglass_traffic::Recorder;
use url::Url;

use crate::{
    AuthError, AuthMode, AuthView, Authorizer, HttpSetup, PermittedTarget, RequestDraft,
    SignInExport, SignInRequest, StepKind, Target, VaultView,
    attempts::{Attempts, SignInAttempt},
    challenges::Challenges,
    change_signal::ChangeSignal,
    export,
    flow::{self, Findings, SignInInput, SignInProgress, fresh},
    grants::Grants,
    http_clients::HttpClients,
    state::{AuthState, BrowserOpener, Environment, Reconnect},
    status::{ChangeListener, Statuses},
    store::AuthStore,
};

/// Options of [`SignIns`].
pub struct SignInsOptions {
    /// Recorder of every request.
    pub recorder: Recorder,
    pub vault: Vault,
    /// Answers the options of an HTTP client, by what it trusts.
    pub http: Box<HttpSetup>,
    /// Directory of settings and grants, without their secrets.
    pub directory: PathBuf,
    /// Answers the value of an environment variable, if it is set.
    pub environment: Environment,
    /// Opens an address in the user's browser, or says why not.
    pub open_browser: BrowserOpener,
    /// Time limit for the browser to come back, usually
    /// [`BROWSER_TIMEOUT`](crate::BROWSER_TIMEOUT).
    pub browser_timeout: Duration,
    /// Called whenever something changes. Must not block.
    pub on_change: ChangeListener,
}

/// Owns every sign-in and every grant.
pub struct SignIns {
    state: Arc<AuthState>,
    attempts: Arc<Attempts>,
    statuses: Arc<Statuses>,
}

impl SignIns {
    /// Makes the façade. Must be called inside a tokio runtime.
    pub fn new(options: SignInsOptions) -> Self {
        let change_signal = ChangeSignal::default();
        let store = Arc::new(AuthStore::in_directory(&options.directory));
        let challenges = Arc::new(Challenges::new(change_signal.clone()));
        let http = Arc::new(HttpClients {
            recorder: options.recorder,
            setup: options.http,
            store: Arc::clone(&store),
            challenges: Arc::clone(&challenges),
        });
        let state = Arc::new(AuthState {
            grants: Grants::new(
                Arc::clone(&store),
                options.vault.clone(),
                Arc::clone(&challenges),
                Arc::clone(&http),
                change_signal.clone(),
            ),
            store,
            vault: options.vault,
            challenges,
            http,
            change_signal,
            environment: options.environment,
            open_browser: options.open_browser,
            browser_timeout: options.browser_timeout,
            reconnect: OnceLock::new(),
        });
        let attempts = Arc::<Attempts>::default();
        let statuses = Arc::new(Statuses {
            state: Arc::clone(&state),
            attempts: Arc::clone(&attempts),
            targets: Mutex::default(),
            on_change: options.on_change,
        });
        let weak = Arc::downgrade(&statuses);
        state.change_signal.set_listener(move |server| {
            if let Some(statuses) = weak.upgrade() {
                statuses.publish(server);
            }
        });
        let weak = Arc::downgrade(&statuses);
        let mut states = state.vault.watch();
        tokio::spawn(async move {
            while states.changed().await.is_ok() {
                let Some(statuses) = weak.upgrade() else {
                    break;
                };
                statuses.publish_all();
            }
        });
        Self {
            state,
            attempts,
            statuses,
        }
    }

    /// Sets how a server is connected to again at the end of a sign-in, once: whoever connects stands
    /// above. Without it, a sign-in says that there is no connection.
    pub fn set_reconnect(&self, reconnect: Arc<Reconnect>) {
        let _ = self.state.reconnect.set(reconnect);
    }

    /// Returns the sign-in state of a server.
    pub fn view(&self, target: &Target) -> AuthView {
        self.statuses.remember(target);
        self.statuses.view(target)
    }

    /// Returns the authorizer of a connection, as the chosen identity or as this one.
    pub fn authorizer(&self, target: &PermittedTarget, identity: Option<&str>) -> Authorizer {
        self.statuses.remember(target);
        let identity = identity.map_or_else(
            || self.state.store.records().chosen(&target.server),
            str::to_owned,
        );
        Authorizer::new(
            Arc::clone(&self.state),
            Arc::clone(&self.attempts),
            target.clone(),
            identity,
        )
    }

    /// Starts to sign in. One that runs for this server is cancelled first.
    pub fn start(&self, target: PermittedTarget, request: SignInRequest) -> Result<(), AuthError> {
        self.begin(target, request, Findings::default(), StepKind::Challenge)
    }

    /// Restarts the last sign-in from a step.
    pub fn restart(
        &self,
        target: PermittedTarget,
        from: StepKind,
        pauses: Vec<StepKind>,
    ) -> Result<(), AuthError> {
        let attempt = self
            .attempts
            .get(&target.server)
            .ok_or(AuthError::NoAttempt)?;
        let findings = attempt.progress.findings();
        let request = SignInRequest {
            pauses,
            ..attempt.request
        };
        self.begin(target, request, findings, from)
    }

    fn begin(
        &self,
        target: PermittedTarget,
        mut request: SignInRequest,
        findings: Findings,
        from: StepKind,
    ) -> Result<(), AuthError> {
        let settings = self.state.store.effective_settings(&target);
        let mode = settings.mode.unwrap_or_default();
        if mode == AuthMode::Off {
            return Err(AuthError::TurnedOff);
        }
        self.statuses.remember(&target);
        let identity = request
            .identity
            .clone()
            .filter(|name| !name.trim().is_empty())
            .unwrap_or_else(|| self.state.store.records().chosen(&target.server));
        request.identity = Some(identity.clone());
        let (store, server) = (&self.state.store, &target.server);
        let challenge = self.state.challenges.get(server);
        let is_insufficient = challenge.is_some_and(|challenge| challenge.is_insufficient_scope());
        let grant = store.usable_grant(&target, &identity);
        let is_step_up = grant.is_some_and(|grant| {
            is_insufficient || !store.missing_scopes(server, &identity, &grant).is_empty()
        });
        let purpose = flow::purpose_of(mode, is_step_up);
        let mut view = fresh(self.attempts.next_id(), &identity, purpose);
        view.pauses.clone_from(&request.pauses);
        view.manual = request.manual;
        if let Some(previous) = self.attempts.cancel(&target.server)
            && from > StepKind::Challenge
        {
            // The steps that are kept stay in sight.
            let before = previous.progress.view();
            for (seen, old) in view.steps.iter_mut().zip(before.steps) {
                if old.step < from {
                    *seen = old;
                }
            }
            view.address = before.address;
            view.redirect_uri = before.redirect_uri;
            view.client = before.client;
        }
        let (change_signal, server) = (self.state.change_signal.clone(), target.server.clone());
        let progress = SignInProgress::new(view, findings, move || change_signal.publish(&server));
        let attempt = SignInAttempt {
            progress: Arc::clone(&progress),
            request: request.clone(),
        };
        self.attempts.put(&target.server, attempt);
        self.state.change_signal.publish(&target.server);
        let state = Arc::clone(&self.state);
        tokio::spawn(async move {
            // Its outcome is in its progress.
            let _ = flow::run(SignInInput {
                state,
                target,
                identity,
                purpose,
                request,
                progress,
                from,
                is_attended: true,
            })
            .await;
        });
        Ok(())
    }

    /// Cancels a sign-in. Returns true when one was running.
    pub fn cancel(&self, server: &ServerId) -> bool {
        let Some(progress) = self.attempts.progress(server) else {
            return false;
        };
        let runs = !progress.is_over();
        progress.cancel.cancel();
        runs
    }

    /// Returns the progress of the sign-in that runs for a server.
    fn under_way(&self, server: &ServerId) -> Result<Arc<SignInProgress>, AuthError> {
        let progress = self.attempts.progress(server);
        progress.ok_or(AuthError::NotUnderWay)
    }

    /// Goes on after a pause.
    pub fn go_on(
        &self,
        server: &ServerId,
        edited: Option<RequestDraft>,
        pauses: Vec<StepKind>,
    ) -> Result<(), AuthError> {
        match self.under_way(server)?.go_on(edited, pauses) {
            true => Ok(()),
            false => Err(AuthError::NotUnderWay),
        }
    }

    /// Sets the steps to pause before, while it runs.
    pub fn set_pauses(&self, server: &ServerId, pauses: Vec<StepKind>) -> Result<(), AuthError> {
        match self.under_way(server)?.set_pauses(pauses) {
            true => Ok(()),
            false => Err(AuthError::NotUnderWay),
        }
    }

    /// Passes on the address that the browser was sent back to.
    pub fn paste(&self, server: &ServerId, address: &str) -> Result<(), AuthError> {
        let progress = self.under_way(server)?;
        let url = Url::parse(address.trim()).map_err(|_| {
            AuthError::Invalid(
                "This is not an address. Copy the whole text of the browser's address bar."
                    .to_owned(),
            )
        })?;
        progress.paste(url)
    }

    /// Exports the last sign-in as text, masked.
    pub fn export(&self, server: &ServerId, form: SignInExport) -> Result<String, AuthError> {
        let progress = self.attempts.progress(server).ok_or(AuthError::NoAttempt)?;
        let target = lock(&self.statuses.targets).get(server).cloned();
        let url = target.map_or_else(String::new, |target| target.shown_url());
        Ok(progress.masked(export::export(&progress.view(), &url, form)))
    }

    /// Moves every secret to the keychain or to the file.
    pub async fn move_secrets(&self, to: VaultKind) -> Result<VaultView, AuthError> {
        self.state.vault.move_to(to).await?;
        Ok(self.statuses.vault_view())
    }

    pub(crate) fn state(&self) -> &AuthState {
        &self.state
    }

    /// Publishes a change of what is known of a server.
    pub(crate) fn changed(&self, target: &Target) {
        self.statuses.remember(target);
        self.statuses.publish(&target.server);
    }

    pub(crate) fn progress(&self, server: &ServerId) -> Option<Arc<SignInProgress>> {
        self.attempts.progress(server)
    }
}
