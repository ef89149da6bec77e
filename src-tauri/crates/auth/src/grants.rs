//! The tokens of grants: reading, refreshing and revoking them.
//!
//! Every grant has a version, in the store. Whoever refreshes first takes the grant's turn in
//! this program and its lock among programs, and reads again: if the version moved meanwhile,
//! somebody else refreshed, and the new token is taken. A rotated refresh token is thus used
//! once (OAuth 2.1, section 4.3.1).

use std::{sync::Arc, time::Duration};

use sightglass_model::{ServerId, Timestamp};
use sightglass_secrets::{Secret, VaultError};
use url::Url;

use crate::{
    ClientAuthMethod, RegistrationKind, SettingSecret, StepExchange, Target,
    client::{Client, SigningKey},
    flow::{read_token_response, refresh_form, token_request},
    http::HttpClient,
    issuer::is_same_issuer,
    metadata::web_address,
    private_files::lock_file,
    progress::{lock, note_exchange},
    sign_in_error::SignInError,
    sign_ins::{AuthState, client_secret_name, grant_name},
    ssrf::AddressPolicy,
    store::Grant,
    token::Tokens,
};

/// A token that ends within this time is refreshed before it is used.
const REFRESH_AHEAD: Duration = Duration::from_secs(60);

/// Time that another program may hold the lock of a grant: as long as its request may take, and
/// some more.
const REFRESH_LOCK_TIMEOUT: Duration = Duration::from_secs(30);

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

/// Error of a refresh.
pub(crate) enum RefreshError {
    /// The authorization server said no: a person has to sign in again.
    Refused(String),
    /// It could not be asked; the grant may still be good.
    Unreachable(String),
    Vault(VaultError),
}

impl RefreshError {
    pub fn message(&self) -> String {
        match self {
            Self::Refused(words) | Self::Unreachable(words) => words.clone(),
            Self::Vault(error) => format!("{error}."),
        }
    }
}

impl Grant {
    /// Returns true when the access token is about to end: within a minute, or within the last
    /// quarter of a life so short that it would be refreshed at every use otherwise.
    pub(crate) fn ends_soon(&self) -> bool {
        self.expires_at.is_some_and(|expires| {
            let ahead = REFRESH_AHEAD.min(expires.since(self.issued_at) / 4);
            expires <= Timestamp::now() + ahead
        })
    }
}

impl AuthState {
    /// The grant that an identity holds for this very address, and as the client that was named
    /// for this run.
    pub(crate) fn usable_grant(&self, target: &Target, identity: &str) -> Option<Grant> {
        let is_of_client = |grant: &Grant| {
            let named = target.client.as_ref();
            named.is_none_or(|named| named.id == grant.client_id)
        };
        self.grant(&target.server, identity)
            .filter(|grant| grant.server_url == target.address() && is_of_client(grant))
    }

    /// The tokens of an identity, read from the vault when this program does not hold them.
    pub(crate) async fn held(
        &self,
        server: &ServerId,
        identity: &str,
    ) -> Result<Option<HeldTokens>, VaultError> {
        let Some(grant) = self.grant(server, identity) else {
            return Ok(None);
        };
        let key = (server.clone(), identity.to_owned());
        let known = lock(&self.held).get(&key).cloned();
        if let Some(held) = known.filter(|held| held.version == grant.version) {
            return Ok(Some(held));
        }
        let secret = self
            .options
            .vault
            .get(&grant_name(server, identity))
            .await?;
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
    pub(crate) async fn keep_tokens(
        &self,
        server: &ServerId,
        identity: &str,
        grant: Grant,
        tokens: Tokens,
    ) -> Result<(), VaultError> {
        self.options
            .vault
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
                path: self.options.directory.display().to_string(),
                message: error.to_string(),
            })?;
        lock(&self.held).insert((server.clone(), identity.to_owned()), held);
        self.publish(server);
        Ok(())
    }

    /// Notes the scopes that a request was refused for the want of, for the next sign-in, also by
    /// another program.
    pub(crate) fn record_required_scopes(
        &self,
        server: &ServerId,
        identity: &str,
        scopes: &[String],
    ) {
        let known = self
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

    /// The scopes that a request was refused for the want of and that a grant lacks.
    pub(crate) fn missing_scopes(
        &self,
        server: &ServerId,
        identity: &str,
        grant: &Grant,
    ) -> Vec<String> {
        let mut missing = self
            .records()
            .identity(server, identity)
            .map(|known| known.required_scopes.clone())
            .unwrap_or_default();
        missing.retain(|scope| !grant.scopes_granted.contains(scope));
        missing
    }

    /// Notes why a grant no longer serves.
    pub(crate) fn record_problem(&self, server: &ServerId, identity: &str, problem: &str) {
        self.set_problem(server, identity, Some(problem.to_owned()));
    }

    /// The grant serves again.
    pub(crate) fn clear_problem(&self, server: &ServerId, identity: &str) {
        if self
            .challenge(server)
            .is_some_and(|challenge| challenge.status == 401)
        {
            self.forget_challenge(server);
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
        self.publish(server);
    }

    /// Makes sure that the token is newer than `version`: refreshes it unless somebody did.
    pub(crate) async fn refresh(
        &self,
        target: &Target,
        identity: &str,
        version: u32,
        scopes: Option<&[String]>,
        exchanges: &mut Vec<StepExchange>,
    ) -> Result<(), RefreshError> {
        let key = (target.server.clone(), identity.to_owned());
        let turn = Arc::clone(lock(&self.turns).entry(key.clone()).or_default());
        let _turn = turn.lock().await;
        let path = self.store.refresh_lock(&target.server, identity);
        let locking = tokio::task::spawn_blocking(move || lock_file(&path, REFRESH_LOCK_TIMEOUT));
        // Without the lock a refresh token could be used twice, which costs the grant.
        let _held = match locking.await {
            Ok(Ok(held)) => held,
            Ok(Err(error)) => {
                return Err(RefreshError::Unreachable(format!(
                    "The token was not refreshed: {error}."
                )));
            }
            Err(error) => return Err(RefreshError::Unreachable(error.to_string())),
        };
        let Some(grant) = self.usable_grant(target, identity) else {
            return Err(RefreshError::Refused(
                "There is no grant to refresh.".to_owned(),
            ));
        };
        if grant.version != version {
            return Ok(());
        }
        // What another program wrote is in the vault; what is held here may be older.
        lock(&self.held).remove(&key);
        let held = self
            .held(&target.server, identity)
            .await
            .map_err(RefreshError::Vault)?;
        let refresh = held.as_ref().and_then(|held| held.tokens.refresh.clone());
        let (Some(held), Some(refresh)) = (held, refresh) else {
            return Err(RefreshError::Refused(
                "There is no refresh token.".to_owned(),
            ));
        };
        if let Some(reason) = self.issuer_conflict(target, &grant) {
            return Err(RefreshError::Refused(reason));
        }
        let client = self
            .client_of(target, &grant, &held.tokens)
            .await
            .map_err(RefreshError::Vault)?;
        let form = refresh_form(&refresh, &target.resource_of(&grant.resource), scopes);
        let answer = self
            .post(
                target,
                &client,
                &grant.token_endpoint,
                &grant.issuer,
                form,
                "refresh",
                exchanges,
            )
            .await
            .map_err(RefreshError::Unreachable)?;
        let (_, outcome) = read_token_response(&answer, &grant.scopes_granted);
        let granted = outcome.map_err(|refusal| {
            let words = client.masked(target, &held.tokens, refusal.message);
            // 5xx is a fault of the moment, not a refusal.
            if answer.status >= 500 || answer.status == 429 {
                RefreshError::Unreachable(words)
            } else {
                RefreshError::Refused(format!("The token could not be refreshed. {words}"))
            }
        })?;
        let issued = Timestamp::now();
        let expires_at = granted.expires_after(issued);
        let tokens = Tokens {
            access: granted.tokens.access,
            // Without a new one the old one stays good.
            refresh: granted.tokens.refresh.or(Some(refresh)),
            id: granted.tokens.id.or(held.tokens.id),
            client_secret: held.tokens.client_secret,
        };
        let renewed = Grant {
            issued_at: issued,
            expires_at,
            scopes_granted: granted
                .scopes
                .or_else(|| scopes.map(<[String]>::to_vec))
                .unwrap_or(grant.scopes_granted),
            version: grant.version.wrapping_add(1),
            ..grant
        };
        self.keep_tokens(&target.server, identity, renewed, tokens)
            .await
            .map_err(RefreshError::Vault)
    }

    /// Revokes one of the tokens of a grant (RFC 7009).
    pub(crate) async fn revoke(
        &self,
        target: &Target,
        grant: &Grant,
        tokens: &Tokens,
        token: &Secret<String>,
        hint: &str,
        exchanges: &mut Vec<StepExchange>,
    ) -> Result<(), String> {
        let Some(endpoint) = &grant.revocation_endpoint else {
            return Err("The authorization server has no revocation endpoint.".to_owned());
        };
        let client = self
            .client_of(target, grant, tokens)
            .await
            .map_err(|error| format!("{error}."))?;
        let form = vec![
            ("token", token.expose().clone()),
            ("token_type_hint", hint.to_owned()),
        ];
        let answer = self
            .post(
                target,
                &client,
                endpoint,
                &grant.issuer,
                form,
                "revocation",
                exchanges,
            )
            .await?;
        if answer.is_success() {
            return Ok(());
        }
        let words = crate::token::ErrorResponse::read(&answer.body).message(answer.status);
        let words = client.masked(target, tokens, words);
        Err(format!(
            "The authorization server did not revoke it: {words}."
        ))
    }

    #[expect(
        clippy::too_many_arguments,
        reason = "each is another thing of one request"
    )]
    async fn post(
        &self,
        target: &Target,
        client: &Client,
        endpoint: &str,
        issuer: &str,
        form: crate::client::Form,
        remark: &str,
        exchanges: &mut Vec<StepExchange>,
    ) -> Result<crate::http::HttpResponse, String> {
        let web = self.web(target)?;
        let endpoint = Url::parse(endpoint).map_err(|error| error.to_string())?;
        let request =
            token_request(client, endpoint, issuer, form).map_err(SignInError::message)?;
        web.send(request, remark, |exchange| {
            note_exchange(exchanges, exchange)
        })
        .await
        .map_err(|unanswered| unanswered.message)
    }

    /// A way to the network with a record of its own.
    pub(crate) fn web(&self, target: &Target) -> Result<HttpClient, String> {
        let server = Url::parse(&target.url).map_err(|error| error.to_string())?;
        let tape = self.options.recorder.start_connection(
            target.server.clone(),
            &target.name,
            target.redactor(),
        );
        let known = self.reached(target);
        HttpClient::new(server, known, &target.trust, &*self.options.http, tape)
    }

    /// The policy for a server by the address that it was last reached at: of the challenge, or
    /// of the sign-in to it.
    pub(crate) fn reached(&self, target: &Target) -> Option<AddressPolicy> {
        let challenged = Url::parse(&target.url)
            .ok()
            .and_then(|url| self.challenge_of(&target.server, &web_address(url)))
            .and_then(|challenge| challenge.peer)
            .map(AddressPolicy::of_peer);
        challenged.or_else(|| {
            let records = self.records();
            let record = records.servers.get(&target.server)?;
            record
                .identities
                .iter()
                .filter_map(|identity| identity.grant.as_ref())
                .filter(|grant| grant.server_url == target.address())
                .map(|grant| match grant.is_private {
                    true => AddressPolicy::Anywhere,
                    false => AddressPolicy::PublicOnly,
                })
                .next()
        })
    }

    /// Returns the reason why what was entered must not go to the issuer of a grant, if that is so.
    fn issuer_conflict(&self, target: &Target, grant: &Grant) -> Option<String> {
        let agreed = self.agreed_issuer(target)?;
        let is_of_entered_client = grant.registration == RegistrationKind::PreRegistered
            && grant.auth_method != ClientAuthMethod::None
            && self.saved_client(target).as_ref() == Some(&grant.client_id);
        (is_of_entered_client && !is_same_issuer(&agreed, &grant.issuer)).then(|| {
            format!(
                "The grant is of {}, and you agreed to {agreed} for this client. Sign in again.",
                grant.issuer
            )
        })
    }

    /// The client that a grant was given to.
    async fn client_of(
        &self,
        target: &Target,
        grant: &Grant,
        tokens: &Tokens,
    ) -> Result<Client, VaultError> {
        let vault = &self.options.vault;
        let setting = |secret: SettingSecret| target.secret_name(&secret);
        let saved = self.saved_client(target);
        let secret = match grant.registration {
            _ if grant.auth_method == ClientAuthMethod::None => None,
            RegistrationKind::Dynamic => {
                vault
                    .get(&client_secret_name(&grant.issuer, &grant.client_id))
                    .await?
            }
            _ => match target.named_secret(&grant.client_id) {
                Some(secret) => Some(secret),
                // Granted to a client that was named for one run: what is saved is for another.
                None if saved.is_some_and(|saved| saved != grant.client_id) => {
                    tokens.client_secret.clone()
                }
                None => vault
                    .get(&setting(SettingSecret::ClientSecret))
                    .await?
                    .or_else(|| target.configured_secret.clone())
                    .or_else(|| tokens.client_secret.clone()),
            },
        };
        let key = match grant.auth_method {
            ClientAuthMethod::PrivateKeyJwt => {
                vault.get(&setting(SettingSecret::PrivateKey)).await?
            }
            _ => None,
        };
        Ok(Client {
            id: grant.client_id.clone(),
            secret,
            method: grant.auth_method,
            kind: grant.registration,
            key: key.map(|pem| SigningKey {
                pem,
                id: self.effective_settings(target).key_id,
            }),
        })
    }
}
