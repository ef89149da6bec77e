//! Exchanges a code, or a grant in place of one, for tokens (RFC 6749, sections 4.1.3, 4.4 and
//! 6; RFC 7523; RFC 8693; RFC 8707).

use sightglass_http::AddressPolicy;
use sightglass_model::Timestamp;
use sightglass_secrets::{Secret, VaultError};
use url::Url;

use super::{Flow, RegisteredClient, SignInError, refusal::RequestedAccess};
use crate::{
    RegistrationKind, SettingSecret, SignInPurpose, SignInRemedy, SignInState, StepKind, clause,
    http::OauthRequest,
    oauth::{
        client::{Form, OAuthClient},
        metadata::ServerMetadata,
        token::Jwt,
        token_response::{TokenRefusal, read_token_response},
    },
    store::{AuthRecords, Grant},
};

const JWT_BEARER: &str = "urn:ietf:params:oauth:grant-type:jwt-bearer";

impl Flow {
    pub(super) async fn token(&mut self) -> Result<(), SignInError> {
        let step = StepKind::Token;
        let metadata = self.metadata()?.clone();
        let client = self.client()?.client.clone();
        let endpoint = metadata.token_endpoint.as_deref().unwrap_or_default();
        let endpoint = self.visitable("token_endpoint", endpoint)?;
        self.provider_token().await?;
        let form = self.form(&client, &metadata.issuer).await?;
        let request = token_request(&client, endpoint.clone(), &metadata.issuer, form)?;
        let answer = self
            .progress
            .send(&self.http, step, request, "the token request")
            .await?
            .map_err(|unanswered| SignInError::no_response(unanswered, "Sign in again."))?;
        let (judged, outcome) = read_token_response(&answer, &self.requested_scopes(&metadata));
        for check in judged {
            let clause = check.clause.unwrap_or_else(clause::token_response);
            self.progress.check(
                step,
                check.verdict,
                &check.rule,
                check.subject.expected,
                check.subject.actual,
                clause,
            );
        }
        let mut granted = match outcome {
            Ok(granted) => granted,
            Err(refusal) => return Err(self.refused(refusal, &metadata).await),
        };
        self.progress.chosen(step);
        self.http.learn(&granted.tokens.all());
        let wider_resource = self.check_audience(&granted.tokens)?;
        let mut account = self.check_id_token(&granted.tokens, &client, &metadata.issuer)?;
        if let Some(token) = &self.findings.id_token {
            // It vouches for the user again when the access token ends.
            account = Jwt::decode(token.expose()).and_then(|jwt| jwt.account());
            granted.tokens.id = Some(token.clone());
        }
        let requested = self.requested_scopes(&metadata);
        let began = Timestamp::now();
        let grant = Grant {
            server_url: self.target.address(),
            authorization_server: self.authorization_server()?.clone(),
            resource: self.target.stored_resource(&self.resource()),
            client_id: client.id.clone(),
            registration: client.kind,
            auth_method: client.method,
            token_endpoint: endpoint.to_string(),
            revocation_endpoint: metadata.revocation_endpoint.clone(),
            scopes_granted: granted.scopes.clone().unwrap_or_else(|| requested.clone()),
            scopes_requested: requested,
            account: account.clone(),
            signed_in_at: began,
            issued_at: began,
            expires_at: granted.expires_after(began),
            refreshable: granted.tokens.refresh.is_some(),
            id_token_issuer: self
                .findings
                .provider
                .as_ref()
                .map(|provider| provider.issuer.clone()),
            wider_resource,
            is_private: self.http.policy() == AddressPolicy::Anywhere,
            version: self.next_version(),
        };
        if client.kind == RegistrationKind::PreRegistered {
            let secret = match self.target.client {
                // Named for this run alone, and needed to refresh in later ones.
                Some(_) => &client.secret,
                None => &self.target.configured_secret,
            };
            granted.tokens.client_secret.clone_from(secret);
        }
        let summary = summary(&grant);
        self.vault(self.state.grants.store_tokens(
            &self.target.server,
            &self.identity,
            grant,
            granted.tokens.clone(),
        ))
        .await?;
        self.findings.tokens = Some(granted.tokens);
        self.progress.done(step, summary);
        Ok(())
    }

    /// Versions go on, so that a program with a token of the grant before sees a new one.
    fn next_version(&self) -> u32 {
        self.state
            .store
            .grant(&self.target.server, &self.identity)
            // The grant before may be forgotten, and other programs still hold its tokens.
            .map_or_else(first_version, |grant| grant.version.wrapping_add(1))
    }

    pub(super) fn client(&self) -> Result<&RegisteredClient, SignInError> {
        self.findings.client.as_ref().ok_or_else(|| {
            SignInError::failed("There is no client yet.", "Restart from the registration.")
        })
    }

    /// The access that is asked for, here or in the authorization request.
    pub(super) fn requested_access(&self, metadata: &ServerMetadata) -> RequestedAccess {
        RequestedAccess {
            scopes: self.requested_scopes(metadata),
            names_resource: !self.settings.omit_resource,
        }
    }

    fn requested_scopes(&self, metadata: &ServerMetadata) -> Vec<String> {
        match &self.findings.authorization {
            Some(asked) if self.is_interactive() => asked.scopes.clone(),
            _ => self.scopes(metadata),
        }
    }

    /// Form parameters for the token endpoint, client authentication aside.
    async fn form(&self, client: &OAuthClient, issuer: &str) -> Result<Form, SignInError> {
        let metadata = self.metadata()?;
        let mut form = match self.purpose {
            SignInPurpose::SignIn | SignInPurpose::StepUp => {
                let asked = self.authorization_request()?;
                let code = self.findings.code.as_ref().ok_or_else(|| {
                    SignInError::failed("There is no code yet.", "Restart from the authorization.")
                })?;
                vec![
                    ("grant_type", "authorization_code".to_owned()),
                    ("code", code.expose().clone()),
                    ("redirect_uri", asked.redirect_uri.clone()),
                    ("code_verifier", asked.verifier.expose().clone()),
                ]
            }
            SignInPurpose::ClientCredentials => {
                vec![("grant_type", "client_credentials".to_owned())]
            }
            SignInPurpose::Enterprise => {
                let assertion = self.identity_assertion(client, issuer).await?;
                vec![
                    ("grant_type", JWT_BEARER.to_owned()),
                    ("assertion", assertion.expose().clone()),
                ]
            }
            SignInPurpose::Workload => {
                let assertion = self
                    .needed_secret(
                        SettingSecret::Assertion,
                        "the signed statement of the platform",
                    )
                    .await?;
                vec![
                    ("grant_type", JWT_BEARER.to_owned()),
                    ("assertion", assertion.expose().clone()),
                ]
            }
        };
        if !self.is_interactive() {
            let scopes = self.scopes(metadata);
            if !scopes.is_empty() {
                form.push(("scope", scopes.join(" ")));
            }
        }
        match self.requested_resource() {
            Some(resource) => form.push(("resource", resource)),
            None => self.check_omitted_resource(StepKind::Token),
        }
        Ok(form)
    }

    pub(super) async fn needed_secret(
        &self,
        name: SettingSecret,
        what: &str,
    ) -> Result<Secret<String>, SignInError> {
        self.setting_secret(name).await?.ok_or_else(|| {
            SignInError::failed(
                format!("This kind of sign-in needs {what}, which is not set."),
                "Enter it under Sign-in, Client.",
            )
        })
    }

    pub(super) async fn setting_secret(
        &self,
        name: SettingSecret,
    ) -> Result<Option<Secret<String>>, SignInError> {
        let name = self.target.secret_name(&name);
        if !self.state.vault.has(&name) {
            return Ok(None);
        }
        let secret = self.vault(self.state.vault.get(&name)).await?;
        if let Some(secret) = &secret {
            self.http.learn(std::slice::from_ref(secret));
        }
        Ok(secret)
    }

    async fn refused(&self, refusal: TokenRefusal, metadata: &ServerMetadata) -> SignInError {
        if refuses_client(&refusal.error)
            && let Some(registered) = &self.findings.client
            && registered.client.kind == RegistrationKind::Dynamic
        {
            // Rejected, so not reused.
            let forgotten = self.authorization_server().and_then(|server| {
                let id = &registered.client.id;
                self.change_store(|records| records.drop_registration(server, id))
            });
            if let Err(halt) = forgotten {
                return halt;
            }
            if let Err(halt) = self.remove_unused_secrets().await {
                return halt;
            }
        }
        let access = self.requested_access(metadata);
        if let Some(advice) = access.advice(&refusal.error, &refusal.message) {
            return SignInError::refused(refusal.message, advice.hint, clause::token_error())
                .mended_by(advice.remedy);
        }
        let client = self.findings.client.as_ref();
        let hint = match (refusal.error.as_str(), client) {
            (error, Some(registered)) if refuses_client(error) => client_hint(&registered.client),
            ("invalid_grant", _) => {
                "The code has been used, has expired, or belongs to another client. Sign in again."
                    .to_owned()
            }
            _ => "Sign in again. If it fails again, ask the authorization server's operator; the \
                  record of this sign-in has the request and the response."
                .to_owned(),
        };
        SignInError::refused(refusal.message, hint, clause::token_error())
    }

    /// Removes the secrets of dropped registrations. That one stays does not end the sign-in.
    pub(super) async fn remove_unused_secrets(&self) -> Result<(), SignInError> {
        match self.vault(self.state.remove_unused_secrets()).await {
            Err(SignInError::Cancelled) => Err(SignInError::Cancelled),
            Err(error) => {
                tracing::warn!("{}", error.message());
                Ok(())
            }
            Ok(()) => Ok(()),
        }
    }

    /// Waits for the vault, and says so while the keychain waits for the user.
    pub(super) async fn vault<T>(
        &self,
        operation: impl Future<Output = Result<T, VaultError>>,
    ) -> Result<T, SignInError> {
        let mut states = self.state.vault.watch();
        tokio::pin!(operation);
        let outcome = loop {
            tokio::select! {
                outcome = &mut operation => break outcome,
                Ok(()) = states.changed() => {
                    let waits = states.borrow_and_update().waiting_since.is_some();
                    self.progress.state(if waits {
                        SignInState::WaitingForKeychain
                    } else {
                        SignInState::Running
                    });
                }
                () = self.progress.cancel.cancelled() => return Err(SignInError::Cancelled),
            }
        };
        self.progress.state(SignInState::Running);
        outcome.map_err(|error| {
            SignInError::failed(
                format!("The secret could not be stored or read: {error}."),
                "Unlock the keychain and sign in again, or move the secrets to a file under \
                 Sign-in, Account.",
            )
            .mended_by(SignInRemedy::SecretStorage)
        })
    }

    pub(super) fn change_store<T>(
        &self,
        change: impl FnOnce(&mut AuthRecords) -> T,
    ) -> Result<T, SignInError> {
        self.state
            .store
            .change(change)
            .map_err(SignInError::not_stored)
    }
}

/// Returns true when an error is about the client. The second one is how GitHub says it.
fn refuses_client(error: &str) -> bool {
    matches!(error, "invalid_client" | "incorrect_client_credentials")
}

/// Returns the next step where the token endpoint does not accept a client.
fn client_hint(client: &OAuthClient) -> String {
    let check = match client.kind {
        RegistrationKind::Dynamic => "Sign in again to register a new one.",
        RegistrationKind::PreRegistered => "Check the client id and secret.",
        RegistrationKind::MetadataDocument => "It may not be able to read the metadata document.",
    };
    format!(
        "The authorization server does not accept this client. {check} If that does not help, ask \
         its operator: it may expect another authentication method than {}, which is chosen under \
         Settings, Sign-in, Client.",
        client.method.name()
    )
}

/// A version that no grant had before: seconds since the Unix epoch.
#[expect(
    clippy::cast_possible_truncation,
    clippy::cast_sign_loss,
    reason = "seconds fit until the year 2106"
)]
fn first_version() -> u32 {
    Timestamp::now().as_seconds() as u32
}

/// A request to a token endpoint.
pub(super) fn token_request(
    client: &OAuthClient,
    endpoint: Url,
    issuer: &str,
    form: Form,
) -> Result<OauthRequest, SignInError> {
    client.request(endpoint, issuer, form).map_err(|error| {
        SignInError::failed(error.to_string(), "Correct it under Sign-in, Client.")
    })
}

fn summary(grant: &Grant) -> String {
    let who = grant
        .account
        .as_ref()
        .map(|account| format!("Signed in as {account}"))
        .unwrap_or_else(|| "Signed in".to_owned());
    let refresh = if grant.refreshable {
        ", with a refresh token"
    } else {
        ", without a refresh token"
    };
    format!("{who}{refresh}")
}
