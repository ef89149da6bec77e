//! Asks a token endpoint about grants: refresh (RFC 6749, section 6) and revocation (RFC
//! 7009).

use std::time::Duration;

use sightglass_files::{FileLock, create_private_directory};
use sightglass_model::{Timestamp, lock};
use sightglass_secrets::{Secret, VaultError};
use url::Url;

use super::Grants;
use crate::{
    ClientAuthMethod, PermittedTarget, RegistrationKind, SettingSecret, StepExchange, Target,
    http::{OauthRequest, OauthResponse},
    oauth::{
        client::{Form, OAuthClient, SigningKey},
        metadata::is_same_issuer,
        token::{Audience, ErrorResponse, Jwt, Tokens, other_audience},
        token_response::read_token_response,
    },
    store::Grant,
};

/// Time that another program may hold the lock of a grant: as long as its request may take, and
/// some more.
const REFRESH_LOCK_TIMEOUT: Duration = Duration::from_secs(30);

/// Error of a refresh.
pub(crate) enum RefreshError {
    /// The authorization server refused: the user has to sign in again.
    Refused(String),
    /// The authorization server could not be reached; the grant may still be valid.
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

impl Grants {
    /// Refreshes the token, unless it is newer than `version` already.
    pub async fn refresh(
        &self,
        target: &PermittedTarget,
        identity: &str,
        version: u32,
        scopes: Option<&[String]>,
        exchanges: &mut Vec<StepExchange>,
    ) -> Result<(), RefreshError> {
        let _turn = self.turn(&target.server, identity).await;
        let path = self.store.refresh_lock(&target.server, identity);
        let locking = tokio::task::spawn_blocking(move || {
            if let Some(directory) = path.parent() {
                create_private_directory(directory).map_err(|error| format!("{error}."))?;
            }
            FileLock::acquire(&path, REFRESH_LOCK_TIMEOUT).map_err(|error| error.to_string())
        });
        // Without the lock a refresh token could be used twice, which costs the grant.
        let _held = match locking.await {
            Ok(Ok(held)) => held,
            Ok(Err(error)) => {
                return Err(RefreshError::Unreachable(format!(
                    "The token was not refreshed. {error}"
                )));
            }
            Err(error) => return Err(RefreshError::Unreachable(error.to_string())),
        };
        let Some(grant) = self.store.usable_grant(target, identity) else {
            return Err(RefreshError::Refused(
                "There is no grant to refresh.".to_owned(),
            ));
        };
        if grant.version != version {
            return Ok(());
        }
        // What another program wrote is in the vault; what is held here may be older.
        lock(&self.held).remove(&(target.server.clone(), identity.to_owned()));
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
        if grant.registration == RegistrationKind::Dynamic
            && grant.auth_method != ClientAuthMethod::None
            && client.secret.is_none()
        {
            return Err(RefreshError::Refused(
                "The secret of the registered client is gone. Sign in again.".to_owned(),
            ));
        }
        let is_omitted = self.store.effective_settings(target).omit_resource;
        let resource = (!is_omitted).then(|| target.resource_of(&grant.resource));
        let form = refresh_form(&refresh, resource, scopes);
        let request = request(&client, &grant.token_endpoint, &grant, form)
            .map_err(RefreshError::Unreachable)?;
        let answer = self
            .send(target, request, "refresh", exchanges)
            .await
            .map_err(RefreshError::Unreachable)?;
        let (_, outcome) = read_token_response(&answer, &grant.scopes_granted);
        let granted = outcome.map_err(|refusal| {
            let words = client.masked(target.secrets(), &held.tokens, refusal.message);
            // 5xx is a fault of the moment, not a refusal.
            if answer.status >= 500 || answer.status == 429 {
                RefreshError::Unreachable(words)
            } else {
                RefreshError::Refused(format!("The token could not be refreshed. {words}"))
            }
        })?;
        let jwt = Jwt::decode(granted.tokens.access.expose());
        let audience = Audience::of(
            jwt.as_ref(),
            &target.resource_of(&grant.resource),
            &target.url,
            &grant.authorization_server.issuer,
        );
        if audience == Audience::Other
            && !self.store.effective_settings(target).allow_other_audience
        {
            let audiences = jwt.as_ref().map(Jwt::audiences).unwrap_or_default();
            let words = format!(
                "{} Sign in again, or allow it under Sign-in, Client (unsafe).",
                other_audience(&audiences.join(", "))
            );
            return Err(RefreshError::Refused(client.masked(
                target.secrets(),
                &held.tokens,
                words,
            )));
        }
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
        self.store_tokens(&target.server, identity, renewed, tokens)
            .await
            .map_err(RefreshError::Vault)
    }

    /// Revokes one of the tokens of a grant (RFC 7009).
    pub async fn revoke(
        &self,
        target: &PermittedTarget,
        grant: &Grant,
        tokens: &Tokens,
        token: &Secret<String>,
        hint: &str,
        exchanges: &mut Vec<StepExchange>,
    ) -> Result<(), String> {
        let Some(endpoint) = &grant.revocation_endpoint else {
            return Err("The authorization server has no revocation endpoint.".to_owned());
        };
        if let Some(reason) = self.issuer_conflict(target, grant) {
            return Err(reason);
        }
        let client = self
            .client_of(target, grant, tokens)
            .await
            .map_err(|error| format!("{error}."))?;
        let form = vec![
            ("token", token.expose().clone()),
            ("token_type_hint", hint.to_owned()),
        ];
        let request = request(&client, endpoint, grant, form)?;
        let answer = self.send(target, request, "revocation", exchanges).await?;
        if answer.is_success() {
            return Ok(());
        }
        let words = ErrorResponse::read(&answer.body).message(answer.status);
        let words = client.masked(target.secrets(), tokens, words);
        Err(format!(
            "The authorization server did not revoke the token: {words}."
        ))
    }

    async fn send(
        &self,
        target: &PermittedTarget,
        request: OauthRequest,
        remark: &str,
        exchanges: &mut Vec<StepExchange>,
    ) -> Result<OauthResponse, String> {
        let http = self.http.client(target, self.http.record(target))?;
        http.send(request, remark, |exchange| exchange.record_in(exchanges))
            .await
            .map_err(|error| error.message)
    }

    /// Returns the reason why what was entered must not go to the authorization server of a grant,
    /// if that is so.
    fn issuer_conflict(&self, target: &Target, grant: &Grant) -> Option<String> {
        let is_of_entered_client = grant.registration == RegistrationKind::PreRegistered
            && grant.auth_method != ClientAuthMethod::None
            && self.store.saved_client(target).as_ref() == Some(&grant.client_id);
        let responsible = self.store.responsible(target, &grant.authorization_server);
        let agreed = self.store.agreed_issuer(target);
        let has_agreed = agreed
            .as_ref()
            .is_some_and(|agreed| is_same_issuer(agreed, &responsible));
        (is_of_entered_client && !has_agreed).then(|| match agreed {
            Some(agreed) => format!(
                "The grant is from {responsible}, but you agreed to {agreed} for this client. \
                 Sign in again."
            ),
            None => format!(
                "The grant is from {responsible}, which you have not agreed to for this client. \
                 Sign in again."
            ),
        })
    }

    /// Returns the client that a grant was given to.
    async fn client_of(
        &self,
        target: &Target,
        grant: &Grant,
        tokens: &Tokens,
    ) -> Result<OAuthClient, VaultError> {
        let vault = &self.vault;
        let setting = |secret: SettingSecret| target.secret_name(&secret);
        // What was entered is for one client, and for none of the same server before it.
        let is_saved = self.store.saved_client(target).as_ref() == Some(&grant.client_id);
        let secret = match grant.registration {
            _ if grant.auth_method == ClientAuthMethod::None => None,
            RegistrationKind::Dynamic => {
                let server = &grant.authorization_server;
                vault
                    .get(&server.client_secret_name(&grant.client_id))
                    .await?
            }
            _ => match target.named_secret(&grant.client_id) {
                Some(secret) => Some(secret),
                // Granted to a client that was named for one run: what is saved is for another.
                None if !is_saved => tokens.client_secret.clone(),
                None => vault
                    .get(&setting(SettingSecret::ClientSecret))
                    .await?
                    .or_else(|| target.configured_secret.clone())
                    .or_else(|| tokens.client_secret.clone()),
            },
        };
        let key = match grant.auth_method {
            ClientAuthMethod::PrivateKeyJwt if is_saved => {
                vault.get(&setting(SettingSecret::PrivateKey)).await?
            }
            _ => None,
        };
        Ok(OAuthClient {
            id: grant.client_id.clone(),
            secret,
            method: grant.auth_method,
            kind: grant.registration,
            key: key.map(|pem| SigningKey {
                pem,
                id: self.store.effective_settings(target).key_id,
            }),
        })
    }
}

/// The form of a refresh (RFC 6749, section 6), with the resource (RFC 8707) unless it is left out.
fn refresh_form(
    refresh: &Secret<String>,
    resource: Option<String>,
    scopes: Option<&[String]>,
) -> Form {
    let mut form = vec![
        ("grant_type", "refresh_token".to_owned()),
        ("refresh_token", refresh.expose().clone()),
    ];
    form.extend(resource.map(|resource| ("resource", resource)));
    if let Some(scopes) = scopes {
        form.push(("scope", scopes.join(" ")));
    }
    form
}

fn request(
    client: &OAuthClient,
    endpoint: &str,
    grant: &Grant,
    form: Form,
) -> Result<OauthRequest, String> {
    let endpoint = Url::parse(endpoint).map_err(|error| error.to_string())?;
    client
        .request(endpoint, &grant.authorization_server.issuer, form)
        .map_err(|error| error.to_string())
}
