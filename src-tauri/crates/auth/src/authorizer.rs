//! The token on every request of a connection, and what happens when it is refused.

use std::sync::Arc;

use sightglass_secrets::{Secret, VaultError, VaultState};
use tokio::sync::watch;

use crate::{
    AuthMode, Challenge, SettingSecret, SignInRequest, StepKind, Target,
    flow::{self, Findings, SignInInput},
    grants::{RefreshError, TokenAlteration},
    progress::{SignInProgress, fresh, lock},
    sign_ins::AuthState,
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
    /// There is a newer token: send the request once more.
    Retry,
    /// A person has to sign in.
    SignIn,
}

/// Stands where the requests of one connection leave.
#[derive(Clone)]
pub struct Authorizer {
    shared: Arc<AuthState>,
    target: Target,
    identity: String,
}

impl Authorizer {
    pub(crate) fn new(shared: Arc<AuthState>, target: Target, identity: String) -> Self {
        Self {
            shared,
            target,
            identity,
        }
    }

    /// Tells when the keychain waits for the person; time limits have to wait too then.
    pub fn keychain(&self) -> watch::Receiver<VaultState> {
        self.shared.options.vault.watch()
    }

    /// Returns the headers for the next request. Waits for the keychain as long as it takes.
    ///
    /// # Errors
    /// When a token is kept and the vault does not give it.
    pub async fn authorize(&self) -> Result<Authorization, VaultError> {
        let settings = self.shared.effective_settings(&self.target);
        let mut authorization = Authorization::default();
        for name in &settings.secret_headers {
            let secret = SettingSecret::Header { name: name.clone() };
            let name_in_vault = self.target.secret_name(&secret);
            if self.shared.options.vault.has(&name_in_vault)
                && let Some(value) = self.shared.options.vault.get(&name_in_vault).await?
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
        if let Some(value) = variable.and_then(|name| (self.shared.options.environment)(name)) {
            return Ok(Some(Secret::new(value)));
        }
        let name = self.target.secret_name(&SettingSecret::Bearer);
        if !self.shared.options.vault.has(&name) {
            return Ok(None);
        }
        self.shared.options.vault.get(&name).await
    }

    async fn granted_token(&self) -> Result<UsableToken, VaultError> {
        let Some(grant) = self.shared.usable_grant(&self.target, &self.identity) else {
            return Ok(UsableToken::default());
        };
        let Some(held) = self
            .shared
            .held(&self.target.server, &self.identity)
            .await?
        else {
            let reason = "Its tokens are no longer where they were kept.";
            self.shared
                .record_problem(&self.target.server, &self.identity, reason);
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
        let has_problem = self
            .shared
            .problem(&self.target.server, &self.identity)
            .is_some();
        if !ends || !grant.refreshable || has_problem {
            return Ok(UsableToken {
                token: Some(held.tokens.access),
                // The last use of a token that cannot be refreshed proves nothing.
                is_doubted: has_problem && !ends,
            });
        }
        let refreshed = self
            .shared
            .refresh(
                &self.target,
                &self.identity,
                held.version,
                None,
                &mut Vec::new(),
            )
            .await;
        match refreshed {
            Ok(()) => {}
            Err(RefreshError::Vault(error)) => return Err(error),
            Err(RefreshError::Refused(reason)) => {
                self.shared
                    .record_problem(&self.target.server, &self.identity, &reason);
            }
            // The old token may still have its last minute.
            Err(RefreshError::Unreachable(words)) => tracing::warn!("{words}"),
        }
        let held = self
            .shared
            .held(&self.target.server, &self.identity)
            .await?;
        Ok(UsableToken {
            token: held.map(|held| held.tokens.access),
            is_doubted: false,
        })
    }

    /// The server refused a request that carried `used`. Notes the challenge for whoever
    /// signs in.
    pub async fn refused(&self, challenge: Challenge, used: Option<&Secret<String>>) -> Decision {
        let settings = self.shared.effective_settings(&self.target);
        let decision = match settings.mode.unwrap_or_default() {
            AuthMode::Off | AuthMode::Bearer => Decision::SignIn,
            AuthMode::Oauth if challenge.status == 401 => self.refresh_refused(used).await,
            AuthMode::Oauth => Decision::SignIn,
            mode => self.sign_in_without_user(mode, &challenge, used).await,
        };
        if challenge.is_insufficient_scope()
            && let Some(scopes) = challenge.scopes()
        {
            self.shared
                .record_required_scopes(&self.target.server, &self.identity, &scopes);
        }
        if decision == Decision::SignIn {
            self.shared.record_challenge(&self.target.server, challenge);
        }
        decision
    }

    async fn refresh_refused(&self, used: Option<&Secret<String>>) -> Decision {
        let (server, identity) = (&self.target.server, &self.identity);
        let Some(used) = used else {
            return Decision::SignIn;
        };
        let Some(grant) = self.shared.usable_grant(&self.target, identity) else {
            return Decision::SignIn;
        };
        let Ok(Some(held)) = self.shared.held(server, identity).await else {
            return Decision::SignIn;
        };
        if held.tokens.access != *used && held.altered.is_none() {
            // Somebody refreshed since the request left.
            return Decision::Retry;
        }
        let key = (server.clone(), identity.clone());
        if self.shared.problem(server, identity).is_some() {
            // It was tried, and the person was told.
            return Decision::SignIn;
        }
        let comes_of_refusal = lock(&self.shared.after_refusal).get(&key) == Some(&held.version);
        if comes_of_refusal || !grant.refreshable || held.altered.is_some() {
            let reason = if comes_of_refusal {
                "The server refuses the token, and the one it was refreshed to as well."
            } else {
                "The server refuses the token, and there is no way to refresh it."
            };
            if held.altered.is_none() {
                self.shared.record_problem(server, identity, reason);
            }
            return Decision::SignIn;
        }
        let refreshed = self
            .shared
            .refresh(&self.target, identity, held.version, None, &mut Vec::new())
            .await;
        match refreshed {
            Ok(()) => {
                let version = self
                    .shared
                    .grant(server, identity)
                    .map(|grant| grant.version);
                if let Some(version) = version {
                    lock(&self.shared.after_refusal).insert(key, version);
                }
                Decision::Retry
            }
            Err(RefreshError::Refused(reason)) => {
                self.shared.record_problem(server, identity, &reason);
                Decision::SignIn
            }
            // The grant may still be good: the next refusal tries again.
            Err(fault) => {
                tracing::warn!("{}", fault.message());
                Decision::SignIn
            }
        }
    }

    /// The server let a request in: a later refusal is a new one, and what was said against the
    /// grant before is over.
    pub fn accepted(&self, authorization: &Authorization) {
        let key = (self.target.server.clone(), self.identity.clone());
        lock(&self.shared.after_refusal).remove(&key);
        if authorization.is_doubted {
            self.shared
                .clear_problem(&self.target.server, &self.identity);
        }
    }

    /// Gets a token where no person takes part. One that is refused straight away is not
    /// asked for again.
    async fn sign_in_without_user(
        &self,
        mode: AuthMode,
        challenge: &Challenge,
        used: Option<&Secret<String>>,
    ) -> Decision {
        let key = (self.target.server.clone(), self.identity.clone());
        let version = || {
            self.shared
                .grant(&self.target.server, &self.identity)
                .map(|grant| grant.version)
        };
        let before = version();
        let turn = Arc::clone(lock(&self.shared.turns).entry(key.clone()).or_default());
        let _turn = turn.lock().await;
        if version() != before {
            return Decision::Retry;
        }
        let is_fresh =
            before.is_some() && lock(&self.shared.after_refusal).get(&key).copied() == before;
        if is_fresh && used.is_some() {
            self.shared.record_problem(
                &self.target.server,
                &self.identity,
                "The server refuses the token that was just given.",
            );
            return Decision::SignIn;
        }
        self.shared
            .record_challenge(&self.target.server, challenge.clone());
        let purpose = flow::purpose_of(mode, false);
        let shared = Arc::clone(&self.shared);
        let server = self.target.server.clone();
        let progress = SignInProgress::new(
            fresh(self.shared.next_id(), &self.identity, purpose),
            move || shared.publish(&server),
        );
        self.shared.put_attempt(&self.target.server, &progress);
        let outcome = flow::run(SignInInput {
            shared: Arc::clone(&self.shared),
            target: self.target.clone(),
            identity: self.identity.clone(),
            purpose,
            request: SignInRequest::default(),
            progress,
            findings: Findings::default(),
            from: StepKind::Challenge,
        })
        .await;
        if outcome.is_err() {
            return Decision::SignIn;
        }
        if let Some(version) = version() {
            lock(&self.shared.after_refusal).insert(key, version);
        }
        Decision::Retry
    }
}
