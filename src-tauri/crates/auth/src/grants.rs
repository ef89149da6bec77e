//! Token store: keeps and refreshes the tokens of grants.
//!
//! Every grant has a version in the store. Whichever program refreshes first takes the grant's
//! turn in this program and its lock among programs, and reads again: if the version moved
//! meanwhile, another one refreshed, and the new token is taken. A rotated refresh token is thus
//! used once (OAuth 2.1, section 4.3.1).

mod token_endpoint;

use std::{
    collections::HashMap,
    sync::{Arc, Mutex},
    time::Duration,
};

use sightglass_model::{ServerId, Timestamp, lock};
use sightglass_secrets::{Secret, Vault, VaultError};

use crate::{
    AuthError, Target,
    challenges::Challenges,
    change_signal::ChangeSignal,
    http_clients::HttpClients,
    oauth::token::Tokens,
    store::{AuthStore, Grant},
};
pub(crate) use token_endpoint::RefreshError;

/// A token that ends within this time is refreshed before it is used.
const REFRESH_AHEAD: Duration = Duration::from_secs(60);

/// The tokens of one identity as this program holds them.
#[derive(Clone)]
pub(crate) struct HeldTokens {
    pub version: u32,
    pub tokens: Tokens,
    /// Tokens as altered by the token lab.
    pub altered: Option<TokenAlteration>,
}

#[derive(Clone)]
pub(crate) enum TokenAlteration {
    /// This is sent in place of the access token.
    Corrupted(Secret<String>),
    PretendedExpired,
    Revoked,
    /// Refreshed without this scope.
    Dropped(String),
}

impl Grant {
    /// Returns true when the access token is about to end: within a minute, or within the last
    /// quarter of a life so short that it would be refreshed at every use otherwise.
    pub fn ends_soon(&self) -> bool {
        self.expires_at.is_some_and(|expires| {
            let ahead = REFRESH_AHEAD.min(expires.since(self.issued_at) / 4);
            expires <= Timestamp::now() + ahead
        })
    }
}

type GrantKey = (ServerId, String);

pub(crate) struct Grants {
    store: Arc<AuthStore>,
    vault: Vault,
    challenges: Arc<Challenges>,
    http: Arc<HttpClients>,
    change_signal: ChangeSignal,
    /// Tokens that were read from the vault.
    held: Mutex<HashMap<GrantKey, HeldTokens>>,
    /// Locks by grant: one refresh at a time.
    turns: Mutex<HashMap<GrantKey, Arc<tokio::sync::Mutex<()>>>>,
    /// Versions that a refusal led to and that no request was accepted with since.
    after_refusal: Mutex<HashMap<GrantKey, u32>>,
}

impl Grants {
    pub fn new(
        store: Arc<AuthStore>,
        vault: Vault,
        challenges: Arc<Challenges>,
        http: Arc<HttpClients>,
        change_signal: ChangeSignal,
    ) -> Self {
        Self {
            store,
            vault,
            challenges,
            http,
            change_signal,
            held: Mutex::default(),
            turns: Mutex::default(),
            after_refusal: Mutex::default(),
        }
    }

    pub fn version(&self, server: &ServerId, identity: &str) -> Option<u32> {
        self.store
            .grant(server, identity)
            .map(|grant| grant.version)
    }

    /// Takes the turn of a grant in this program.
    pub async fn turn(
        &self,
        server: &ServerId,
        identity: &str,
    ) -> tokio::sync::OwnedMutexGuard<()> {
        let key = (server.clone(), identity.to_owned());
        let turn = Arc::clone(lock(&self.turns).entry(key).or_default());
        turn.lock_owned().await
    }

    /// Returns true when a refusal led to this version, and no request was accepted with it since.
    pub fn is_after_refusal(&self, server: &ServerId, identity: &str, version: u32) -> bool {
        let key = (server.clone(), identity.to_owned());
        lock(&self.after_refusal).get(&key) == Some(&version)
    }

    /// Records that a refusal led to the present version.
    pub fn record_refusal(&self, server: &ServerId, identity: &str) {
        if let Some(version) = self.version(server, identity) {
            let key = (server.clone(), identity.to_owned());
            lock(&self.after_refusal).insert(key, version);
        }
    }

    /// Records that a request was accepted.
    pub fn record_acceptance(&self, server: &ServerId, identity: &str) {
        let key = (server.clone(), identity.to_owned());
        lock(&self.after_refusal).remove(&key);
    }

    /// Returns the tokens of an identity, read from the vault when this program does not hold them.
    pub async fn held(
        &self,
        server: &ServerId,
        identity: &str,
    ) -> Result<Option<HeldTokens>, VaultError> {
        let Some(grant) = self.store.grant(server, identity) else {
            return Ok(None);
        };
        let key = (server.clone(), identity.to_owned());
        let known = lock(&self.held).get(&key).cloned();
        if let Some(held) = known.filter(|held| held.version == grant.version) {
            return Ok(Some(held));
        }
        let secret = self.vault.get(&grant_name(server, identity)).await?;
        let Some(tokens) = secret.as_ref().and_then(Tokens::from_secret) else {
            return Ok(None);
        };
        let held = HeldTokens {
            version: grant.version,
            tokens,
            altered: None,
        };
        lock(&self.held).insert(key, held.clone());
        Ok(Some(held))
    }

    /// Keeps new tokens: the secret first, so that the store never promises what is not there.
    pub async fn store_tokens(
        &self,
        server: &ServerId,
        identity: &str,
        grant: Grant,
        tokens: Tokens,
    ) -> Result<(), VaultError> {
        self.vault
            .set(&grant_name(server, identity), tokens.to_secret())
            .await?;
        let held = HeldTokens {
            version: grant.version,
            tokens,
            altered: None,
        };
        self.store
            .change(|records| {
                let record = records.identity_mut(server, identity);
                record
                    .required_scopes
                    .retain(|scope| !grant.scopes_granted.contains(scope));
                record.grant = Some(grant);
                record.problem = None;
            })
            .map_err(|error| VaultError::File {
                path: self.store.directory().display().to_string(),
                message: error.to_string(),
            })?;
        lock(&self.held).insert((server.clone(), identity.to_owned()), held);
        self.change_signal.publish(server);
        Ok(())
    }

    /// Records the scopes that a request was refused for the want of, for the next sign-in, also by
    /// another program.
    pub fn record_required_scopes(&self, server: &ServerId, identity: &str, scopes: &[String]) {
        let known = self
            .store
            .records()
            .identity(server, identity)
            .map(|known| known.required_scopes.clone())
            .unwrap_or_default();
        if scopes.iter().all(|scope| known.contains(scope)) {
            return;
        }
        let noted = self.store.change(|records| {
            let required = &mut records.identity_mut(server, identity).required_scopes;
            for scope in scopes {
                if !required.contains(scope) {
                    required.push(scope.clone());
                }
            }
        });
        if let Err(error) = noted {
            tracing::warn!("{error}");
        }
    }

    /// Records why a grant is no longer valid.
    pub fn record_problem(&self, server: &ServerId, identity: &str, problem: &str) {
        self.set_problem(server, identity, Some(problem.to_owned()));
    }

    /// Records that a grant is valid again.
    pub fn clear_problem(&self, server: &ServerId, identity: &str) {
        if self
            .challenges
            .get(server)
            .is_some_and(|challenge| challenge.status == 401)
        {
            self.challenges.forget(server);
        }
        self.set_problem(server, identity, None);
    }

    fn set_problem(&self, server: &ServerId, identity: &str, problem: Option<String>) {
        let noted = self.store.change(|records| {
            records.identity_mut(server, identity).problem = problem;
        });
        if let Err(error) = noted {
            tracing::warn!("{error}");
        }
        self.change_signal.publish(server);
    }

    /// Alters the tokens in memory for the token lab.
    pub fn alter(
        &self,
        server: &ServerId,
        identity: &str,
        held: HeldTokens,
        alteration: Option<TokenAlteration>,
    ) {
        let key = (server.clone(), identity.to_owned());
        let altered = HeldTokens {
            altered: alteration,
            ..held
        };
        lock(&self.held).insert(key, altered);
        self.change_signal.publish(server);
    }

    /// Forgets the tokens of an identity, for this reason if there is one.
    async fn forget_grant(
        &self,
        server: &ServerId,
        identity: &str,
        problem: Option<String>,
    ) -> Result<(), AuthError> {
        self.vault.remove(&grant_name(server, identity)).await?;
        lock(&self.held).remove(&(server.clone(), identity.to_owned()));
        self.store.change(|records| {
            let known = records.identity_mut(server, identity);
            known.grant = None;
            known.problem = problem;
        })?;
        Ok(())
    }

    /// Forgets what an identity holds.
    pub async fn forget(&self, server: &ServerId, identity: &str) -> Result<(), AuthError> {
        self.forget_grant(server, identity, None).await?;
        self.challenges.forget(server);
        self.change_signal.publish(server);
        Ok(())
    }

    /// Forgets the tokens of a grant that an authorization server gave which this server no
    /// longer names.
    pub async fn invalidate(
        &self,
        target: &Target,
        identity: &str,
        before: &str,
        issuer: &str,
    ) -> Result<(), AuthError> {
        let reason = format!(
            "This server now names another authorization server: {issuer} instead of {before}. \
             The old one's tokens were removed."
        );
        self.forget_grant(&target.server, identity, Some(reason))
            .await?;
        self.change_signal.publish(&target.server);
        Ok(())
    }
}

/// Returns the name under which the vault keeps the tokens of an identity.
fn grant_name(server: &ServerId, identity: &str) -> String {
    format!("grant {server} {identity}")
}
