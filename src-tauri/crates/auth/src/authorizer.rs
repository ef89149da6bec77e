//! Authorizes the requests of a connection: adds the token, refreshes it, and reacts to a refusal.
//!
//! The futures are boxed, so that the whole sign-in is compiled here and not once more in each crate
//! that awaits a request.

use std::sync::Arc;

use futures::future::BoxFuture;
use sightglass_model::Timestamp;
use sightglass_secrets::{Secret, VaultError, VaultState};
use tokio::sync::watch;

use crate::{
    AuthMode, Challenge, PermittedTarget, SettingSecret, SignInRequest, StepKind,
    attempts::{Attempts, SignInAttempt},
    flow::{self, Findings, SignInInput, SignInProgress, fresh},
    grants::{RefreshError, TokenAlteration},
    oauth::token::Jwt,
    state::AuthState,
};

/// Headers that are added to one request.
#[derive(Debug, Clone, Default)]
pub struct Authorization {
    /// Names and values. The values must not reach the record.
    pub headers: Vec<(String, Secret<String>)>,
    /// The token among them.
    pub token: Option<Secret<String>>,
    /// The grant is said to serve no longer; a server that accepts its token proves otherwise.
    is_doubted: bool,
}

/// Token that the grant of an identity gives for one request.
#[derive(Default)]
struct UsableToken {
    token: Option<Secret<String>>,
    is_doubted: bool,
}

/// Decision after a refusal.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Decision {
    /// Send the request once more, with a newer token.
    Retry,
    /// The user has to sign in.
    SignIn,
}

/// Authorizes the requests of one connection.
#[derive(Clone)]
pub struct Authorizer {
    state: Arc<AuthState>,
    attempts: Arc<Attempts>,
    target: PermittedTarget,
    identity: String,
}

impl Authorizer {
    pub(crate) fn new(
        state: Arc<AuthState>,
        attempts: Arc<Attempts>,
        target: PermittedTarget,
        identity: String,
    ) -> Self {
        Self {
            state,
            attempts,
            target,
            identity,
        }
    }

    /// Watches whether the keychain waits for the user; time limits have to wait too then.
    pub fn keychain(&self) -> watch::Receiver<VaultState> {
        self.state.vault.watch()
    }

    /// Returns the headers for the next request. Waits for the keychain as long as it takes.
    ///
    /// # Errors
    /// When a token is kept and the vault does not give it.
    pub fn authorize(&self) -> BoxFuture<'_, Result<Authorization, VaultError>> {
        Box::pin(self.authorization())
    }

    async fn authorization(&self) -> Result<Authorization, VaultError> {
        let settings = self.state.store.effective_settings(&self.target);
        let mut authorization = Authorization::default();
        for name in &settings.secret_headers {
            let secret = SettingSecret::Header { name: name.clone() };
            let name_in_vault = self.target.secret_name(&secret);
            if self.state.vault.has(&name_in_vault)
                && let Some(value) = self.state.vault.get(&name_in_vault).await?
            {
                authorization.headers.push((name.clone(), value));
            }
        }
        authorization.token = match settings.mode.unwrap_or_default() {
            AuthMode::Off => None,
            AuthMode::Bearer => {
                self.fixed_token(settings.bearer_variable.as_deref())
                    .await?
            }
            _ => {
                let granted = self.granted_token().await?;
                authorization.is_doubted = granted.is_doubted;
                granted.token
            }
        };
        if let Some(token) = &authorization.token {
            let value = format!("Bearer {}", token.expose());
            authorization
                .headers
                .push(("authorization".to_owned(), Secret::new(value)));
        }
        Ok(authorization)
    }

    async fn fixed_token(
        &self,
        variable: Option<&str>,
    ) -> Result<Option<Secret<String>>, VaultError> {
        if let Some(value) = variable.and_then(|name| (self.state.environment)(name)) {
            return Ok(Some(Secret::new(value)));
        }
        let name = self.target.secret_name(&SettingSecret::Bearer);
        if !self.state.vault.has(&name) {
            return Ok(None);
        }
        self.state.vault.get(&name).await
    }

    async fn granted_token(&self) -> Result<UsableToken, VaultError> {
        let (store, grants) = (&self.state.store, &self.state.grants);
        let (server, identity) = (&self.target.server, &self.identity);
        let Some(grant) = store.usable_grant(&self.target, identity) else {
            return Ok(UsableToken::default());
        };
        let Some(held) = grants.held(server, identity).await? else {
            let reason = "Its tokens are gone from the place where they were stored.";
            grants.record_problem(server, identity, reason);
            return Ok(UsableToken::default());
        };
        if let Some(TokenAlteration::Corrupted(token)) = &held.altered {
            return Ok(UsableToken {
                token: Some(token.clone()),
                is_doubted: false,
            });
        }
        let ends =
            grant.ends_soon() || matches!(held.altered, Some(TokenAlteration::PretendedExpired));
        let has_problem = store.problem(server, identity).is_some();
        if !ends || !grant.refreshable || has_problem {
            return Ok(UsableToken {
                token: Some(held.tokens.access),
                // The last use of a token that cannot be refreshed proves nothing.
                is_doubted: has_problem && !ends,
            });
        }
        let refreshed = grants
            .refresh(&self.target, identity, held.version, None, &mut Vec::new())
            .await;
        match refreshed {
            Ok(()) => {}
            Err(RefreshError::Vault(error)) => return Err(error),
            Err(RefreshError::Refused(reason)) => {
                grants.record_problem(server, identity, &reason);
            }
            // The old token may still have its last minute.
            Err(RefreshError::Unreachable(words)) => tracing::warn!("{words}"),
        }
        let held = grants.held(server, identity).await?;
        Ok(UsableToken {
            token: held.map(|held| held.tokens.access),
            is_doubted: false,
        })
    }

    /// The server refused a request that carried `used`. Records the challenge for the
    /// sign-in.
    pub fn refused<'a>(
        &'a self,
        challenge: Challenge,
        used: Option<&'a Secret<String>>,
    ) -> BoxFuture<'a, Decision> {
        Box::pin(self.decide(challenge, used))
    }

    async fn decide(&self, challenge: Challenge, used: Option<&Secret<String>>) -> Decision {
        let settings = self.state.store.effective_settings(&self.target);
        let decision = match settings.mode.unwrap_or_default() {
            AuthMode::Off | AuthMode::Bearer => Decision::SignIn,
            AuthMode::Oauth if challenge.status == 401 => self.refresh_refused(used).await,
            AuthMode::Oauth => Decision::SignIn,
            mode => self.sign_in_without_user(mode, &challenge, used).await,
        };
        if challenge.is_insufficient_scope()
            && let Some(scopes) = challenge.scopes()
        {
            let (grants, server) = (&self.state.grants, &self.target.server);
            grants.record_required_scopes(server, &self.identity, &scopes);
        }
        if decision == Decision::SignIn {
            self.state.challenges.record(&self.target.server, challenge);
        }
        decision
    }

    /// The server refused a request that the connection does without. A token that it carried may
    /// have ended, so that a newer one is tried; without one nothing is said of the requests that
    /// the server answers, and the user is not asked to sign in.
    pub fn refused_optional<'a>(
        &'a self,
        challenge: Challenge,
        used: Option<&'a Secret<String>>,
    ) -> BoxFuture<'a, Decision> {
        Box::pin(self.decide_optional(challenge, used))
    }

    async fn decide_optional(
        &self,
        challenge: Challenge,
        used: Option<&Secret<String>>,
    ) -> Decision {
        let settings = self.state.store.effective_settings(&self.target);
        match (settings.mode.unwrap_or_default(), used) {
            (AuthMode::Oauth, Some(used)) => self.newer_token(used).await,
            (AuthMode::Off | AuthMode::Bearer | AuthMode::Oauth, _) => Decision::SignIn,
            _ => self.refused(challenge, used).await,
        }
    }

    /// Decides on a retry with a token that came after the one that was used; none is fetched, and
    /// nothing is recorded.
    async fn newer_token(&self, used: &Secret<String>) -> Decision {
        let (server, identity) = (&self.target.server, &self.identity);
        if (self.state.store.usable_grant(&self.target, identity)).is_none() {
            return Decision::SignIn;
        }
        let held = self.state.grants.held(server, identity).await;
        match held {
            Ok(Some(held)) if held.tokens.access != *used && held.altered.is_none() => {
                Decision::Retry
            }
            _ => Decision::SignIn,
        }
    }

    async fn refresh_refused(&self, used: Option<&Secret<String>>) -> Decision {
        let (store, grants) = (&self.state.store, &self.state.grants);
        let (server, identity) = (&self.target.server, &self.identity);
        let Some(used) = used else {
            return Decision::SignIn;
        };
        let Some(grant) = store.usable_grant(&self.target, identity) else {
            return Decision::SignIn;
        };
        let Ok(Some(held)) = grants.held(server, identity).await else {
            return Decision::SignIn;
        };
        if held.tokens.access != *used && held.altered.is_none() {
            // Another request refreshed since the request left.
            return Decision::Retry;
        }
        if store.problem(server, identity).is_some() {
            // It was tried, and the problem is shown.
            return Decision::SignIn;
        }
        let comes_of_refusal = grants.is_after_refusal(server, identity, held.version);
        if comes_of_refusal || !grant.refreshable || held.altered.is_some() {
            let reason = if comes_of_refusal {
                "The server refuses the token, also after a refresh."
            } else {
                "The server refuses the token, and it cannot be refreshed."
            };
            if held.altered.is_none() {
                grants.record_problem(server, identity, reason);
            }
            return Decision::SignIn;
        }
        let refreshed = grants
            .refresh(&self.target, identity, held.version, None, &mut Vec::new())
            .await;
        match refreshed {
            Ok(()) => {
                grants.record_refusal(server, identity);
                Decision::Retry
            }
            Err(RefreshError::Refused(reason)) => {
                grants.record_problem(server, identity, &reason);
                Decision::SignIn
            }
            // The grant may still be good: the next refusal tries again.
            Err(fault) => {
                tracing::warn!("{}", fault.message());
                Decision::SignIn
            }
        }
    }

    /// Records that the server accepted a request: a later refusal is a new one, and an earlier
    /// problem of the grant is over.
    pub fn accepted(&self, authorization: &Authorization) {
        let (grants, server) = (&self.state.grants, &self.target.server);
        grants.record_acceptance(server, &self.identity);
        if authorization.is_doubted {
            grants.clear_problem(server, &self.identity);
        }
    }

    /// Returns true when the user signs in at an identity provider, and no ID token of it is kept
    /// that is still valid.
    async fn must_sign_in_at_provider(&self) -> bool {
        let settings = self.state.store.effective_settings(&self.target);
        if settings.idp_issuer.is_none() {
            return false;
        }
        let (server, identity) = (&self.target.server, &self.identity);
        let grant = self.state.store.usable_grant(&self.target, identity);
        if grant.is_none() {
            return true;
        }
        let Ok(Some(held)) = self.state.grants.held(server, identity).await else {
            return true;
        };
        let expires = held
            .tokens
            .id
            .and_then(|token| Jwt::decode(token.expose())?.number("exp"));
        expires.is_none_or(|expires| expires <= Timestamp::now().as_seconds())
    }

    /// Gets a token where no user takes part. One that is refused straight away is not
    /// asked for again.
    async fn sign_in_without_user(
        &self,
        mode: AuthMode,
        challenge: &Challenge,
        used: Option<&Secret<String>>,
    ) -> Decision {
        if mode == AuthMode::Enterprise && self.must_sign_in_at_provider().await {
            return Decision::SignIn;
        }
        let (grants, server, identity) = (&self.state.grants, &self.target.server, &self.identity);
        let before = grants.version(server, identity);
        let _turn = grants.turn(server, identity).await;
        if grants.version(server, identity) != before {
            return Decision::Retry;
        }
        let is_fresh =
            before.is_some_and(|version| grants.is_after_refusal(server, identity, version));
        if is_fresh && used.is_some() {
            let problem = "The server refuses the new token.";
            grants.record_problem(server, identity, problem);
            return Decision::SignIn;
        }
        self.state.challenges.record(server, challenge.clone());
        let purpose = flow::purpose_of(mode, false);
        let (change_signal, of) = (self.state.change_signal.clone(), server.clone());
        let progress = SignInProgress::new(
            fresh(self.attempts.next_id(), identity, purpose),
            Findings::default(),
            move || change_signal.publish(&of),
        );
        let attempt = SignInAttempt {
            progress: Arc::clone(&progress),
            request: SignInRequest::default(),
        };
        self.attempts.put(server, attempt);
        let outcome = flow::run(SignInInput {
            state: Arc::clone(&self.state),
            target: self.target.clone(),
            identity: identity.clone(),
            purpose,
            request: SignInRequest::default(),
            progress,
            from: StepKind::Challenge,
            is_attended: false,
        })
        .await;
        if outcome.is_err() {
            return Decision::SignIn;
        }
        grants.record_refusal(server, identity);
        Decision::Retry
    }
}
