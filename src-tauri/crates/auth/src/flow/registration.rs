//! Chooses the client: entered by hand, of a metadata document, registered before, or registered
//! now (RFC 7591).

use serde_json::Value;
use sightglass_model::{Timestamp, Verdict};
use sightglass_secrets::Secret;

use super::{DiscoveredServer, Flow, RegisteredClient, SignInError, callback::Callback};
use crate::{
    ClientAuthMethod, IssuerQuestion, RegistrationKind, SettingSecret, StepKind, clause,
    http::{OauthRequest, OauthResponse},
    oauth::{
        authorization_server::AuthorizationServer,
        client::{OAuthClient, SigningKey},
        metadata::{ServerMetadata, is_same_issuer},
        redirect::Redirect,
        token::{ErrorResponse, seconds, text},
    },
    published_client::published_client,
    store::Registration,
};

/// Client name that the authorization server shows the user.
const CLIENT_NAME: &str = "Sightglass";

impl Flow {
    pub(super) async fn registration(&mut self) -> Result<(), SignInError> {
        let step = StepKind::Registration;
        let metadata = self.metadata()?.clone();
        if !self.is_interactive() {
            self.require_agreement().await?;
        }
        let (client, redirect_uri, summary) = if let Some(id) = self.settings.client_id.clone() {
            self.progress.pause_before(step).await?;
            let client = self.entered_client(id, &metadata).await?;
            let has_proof = client.secret.is_some() || client.key.is_some();
            if self.is_interactive() && has_proof {
                self.require_agreement().await?;
            }
            (client, None, "The client that was entered".to_owned())
        } else if let (Some(id), true) = (
            self.client_document()?,
            metadata.client_id_metadata_document_supported,
        ) {
            self.progress.pause_before(step).await?;
            (
                self.document_client(id)?,
                None,
                "The client that its metadata document describes".to_owned(),
            )
        } else if let Some((client, registration)) = self.known_client().await? {
            self.progress.pause_before(step).await?;
            let summary = format!("The registration that {} gave before", metadata.issuer);
            (client, Some(registration.redirect_uri), summary)
        } else {
            let registered = self.register(&metadata).await;
            let (client, redirect_uri) =
                registered.map_err(|error| error.or_by_token(&self.server))?;
            (
                client,
                Some(redirect_uri),
                format!("Registered with {}", metadata.issuer),
            )
        };
        let summary = format!("{summary}: {}", client.id);
        if let Some(secret) = &client.secret {
            self.http.learn(std::slice::from_ref(secret));
        }
        let kind = client.kind;
        self.findings.client = Some(RegisteredClient {
            client,
            redirect_uri,
        });
        self.progress.change(|view| view.client = Some(kind));
        self.progress.done(step, summary);
        Ok(())
    }

    /// Makes sure that what was entered goes to an authorization server that the user agreed to.
    /// In a sign-in with a user the step waits for that.
    async fn require_agreement(&self) -> Result<(), SignInError> {
        let server = self.authorization_server()?;
        let issuer = &*self.state.store.responsible(&self.target, server);
        let agreed = self.state.store.agreed_issuer(&self.target);
        let question = match agreed {
            Some(agreed) if is_same_issuer(&agreed, issuer) => {
                self.check_agreement(Verdict::Passed, &agreed, issuer);
                return Ok(());
            }
            agreed => IssuerQuestion {
                issuer: issuer.to_owned(),
                instead_of: agreed,
            },
        };
        let expected = question
            .instead_of
            .as_deref()
            .unwrap_or("one you agreed to");
        if !self.has_user() || question.instead_of.is_some() {
            self.check_agreement(Verdict::Failed, expected, issuer);
            return Err(SignInError::IssuerNotAgreed(question));
        }
        self.progress.ask_about_issuer(question.clone()).await?;
        let agreed = self.state.store.agreed_issuer(&self.target);
        if agreed.is_none_or(|agreed| !is_same_issuer(&agreed, issuer)) {
            return Err(SignInError::IssuerNotAgreed(question));
        }
        self.check_agreement(Verdict::Passed, issuer, issuer);
        Ok(())
    }

    fn check_agreement(&self, verdict: Verdict, expected: &str, actual: &str) {
        self.progress.check(
            StepKind::Registration,
            verdict,
            "authorization server",
            expected,
            actual,
            clause::issuer_binding(),
        );
    }

    pub(super) fn metadata(&self) -> Result<&ServerMetadata, SignInError> {
        Ok(&self.discovered_server()?.metadata)
    }

    pub(super) fn authorization_server(&self) -> Result<&AuthorizationServer, SignInError> {
        Ok(&self.discovered_server()?.id)
    }

    fn discovered_server(&self) -> Result<&DiscoveredServer, SignInError> {
        self.findings.server.as_ref().ok_or_else(|| {
            SignInError::failed(
                "The authorization server is not known yet.",
                "Restart from the resource metadata.",
            )
        })
    }

    async fn entered_client(
        &self,
        id: String,
        metadata: &ServerMetadata,
    ) -> Result<OAuthClient, SignInError> {
        let mut secret = self.target.named_secret(&id);
        let mut key = None;
        // What was entered for another client is none of this one's.
        if self.state.store.saved_client(&self.target).as_ref() == Some(&id) {
            if secret.is_none() {
                secret = self.setting_secret(SettingSecret::ClientSecret).await?;
            }
            if secret.is_none() {
                secret.clone_from(&self.target.configured_secret);
            }
            key = self.setting_secret(SettingSecret::PrivateKey).await?;
        }
        let method = self
            .settings
            .auth_method
            .unwrap_or_else(|| match (&secret, &key) {
                (None, Some(_)) => ClientAuthMethod::PrivateKeyJwt,
                (None, None) => ClientAuthMethod::None,
                (Some(_), _) => method_with_secret(metadata),
            });
        Ok(OAuthClient {
            id,
            secret,
            method,
            kind: RegistrationKind::PreRegistered,
            key: key.map(|pem| SigningKey {
                pem,
                id: self.settings.key_id.clone(),
            }),
        })
    }

    /// The client metadata document that counts: the user's, or the one that Sightglass publishes,
    /// unless the redirect address is one that it does not list.
    fn client_document(&self) -> Result<Option<String>, SignInError> {
        let own = self.settings.client_metadata_url.clone();
        if own.is_some() || !self.is_interactive() {
            return Ok(own);
        }
        let is_listed = self.wanted_redirect()?.is_at_standard_path();
        Ok(published_client(|name| (self.state.environment)(name)).filter(|_| is_listed))
    }

    fn document_client(&self, id: String) -> Result<OAuthClient, SignInError> {
        self.visitable("address of the client metadata document", &id)?;
        self.progress.check(
            StepKind::Registration,
            Verdict::Passed,
            "client_id_metadata_document_supported",
            "true",
            "true",
            clause::metadata_document(),
        );
        Ok(OAuthClient {
            id,
            secret: None,
            method: ClientAuthMethod::None,
            kind: RegistrationKind::MetadataDocument,
            key: None,
        })
    }

    /// The registration that this very authorization server gave before, if its redirect address
    /// can be used again.
    async fn known_client(&self) -> Result<Option<(OAuthClient, Registration)>, SignInError> {
        let server = self.authorization_server()?;
        if !self.is_interactive() || self.register_anew {
            return Ok(None);
        }
        let records = self.state.store.records();
        let Some(known) = records
            .registrations
            .iter()
            .rev()
            .find(|known| known.authorization_server == *server)
        else {
            return Ok(None);
        };
        let has_expired = known
            .secret_expires_at
            .is_some_and(|expires| expires.as_millis() > 0.0 && expires <= Timestamp::now());
        let wanted = self.wanted_redirect()?;
        let Some(port) = wanted.port_of(&known.redirect_uri).filter(|_| !has_expired) else {
            return Ok(None);
        };
        if Callback::listen(wanted.or_port(Some(port))).await.is_err() {
            return Ok(None);
        }
        let name = server.client_secret_name(&known.client_id);
        let secret = if known.auth_method == ClientAuthMethod::None {
            None
        } else {
            self.vault(self.state.vault.get(&name)).await?
        };
        if known.auth_method != ClientAuthMethod::None && secret.is_none() {
            return Ok(None);
        }
        let client = OAuthClient {
            id: known.client_id.clone(),
            secret,
            method: known.auth_method,
            kind: RegistrationKind::Dynamic,
            key: None,
        };
        Ok(Some((client, known.clone())))
    }

    async fn register(
        &self,
        metadata: &ServerMetadata,
    ) -> Result<(OAuthClient, String), SignInError> {
        let step = StepKind::Registration;
        let Some(endpoint) = &metadata.registration_endpoint else {
            self.progress.check(
                step,
                Verdict::Failed,
                "registration_endpoint",
                "an address, or a client that was entered",
                "neither",
                clause::registration_redirects(),
            );
            let hint = if metadata.client_id_metadata_document_supported {
                "Under Sign-in, Client, enter the address of a client metadata document, or \
                 register a client there and enter its id."
            } else {
                "Register a client there and enter its id under Sign-in, Client."
            };
            return Err(SignInError::without_client(
                format!(
                    "{} does not offer dynamic client registration.",
                    metadata.issuer
                ),
                hint,
                clause::registration_redirects(),
            ));
        };
        let endpoint = self.visitable("registration_endpoint", endpoint)?;
        let callback = Callback::listen(self.wanted_redirect()?).await?;
        let redirect_uri = callback.redirect_uri();
        drop(callback);
        let method = self
            .settings
            .auth_method
            .unwrap_or_else(|| method_to_register(metadata));
        let refreshes = metadata
            .grant_types_supported
            .as_ref()
            .is_none_or(|types| types.iter().any(|grant| grant == "refresh_token"));
        // No `scope`: it would name the scopes of a resource, which authorization servers that
        // do not list them among their own refuse to register. The authorization request says
        // what is wanted (RFC 7591, section 2, leaves the member out in this way).
        let body = serde_json::json!({
            "client_name": CLIENT_NAME,
            "application_type": "native",
            "redirect_uris": [redirect_uri],
            "response_types": ["code"],
            "grant_types": if refreshes {
                vec!["authorization_code", "refresh_token"]
            } else {
                vec!["authorization_code"]
            },
            "token_endpoint_auth_method": method,
        });
        let request = OauthRequest::post_json(endpoint, body.to_string());
        let answer = self
            .progress
            .send(&self.http, step, request, "dynamic registration")
            .await?
            .map_err(|unanswered| {
                SignInError::no_response(
                    unanswered,
                    "Try again, or enter a client id under Sign-in, Client.",
                )
            })?;
        if let Some(error) = self.not_offered(&answer) {
            return Err(error);
        }
        if !answer.is_success() {
            let error = ErrorResponse::read(&answer.body);
            let words = error.message(answer.status);
            return Err(match self.unreadable_metadata() {
                Some(evidence) if error.error.is_empty() => unknown_server(&format!(
                    "{evidence} {}",
                    refusal_words(&metadata.issuer, &words)
                )),
                _ => not_registered(&metadata.issuer, &words),
            });
        }
        let registered = self.registered(&metadata.issuer, &answer)?;
        self.progress.chosen(step);
        let secret = registered.client_secret.map(Secret::new);
        let method = match (registered.method, &secret) {
            (Some(method), _) => method,
            (None, None) => ClientAuthMethod::None,
            (None, Some(_)) if method == ClientAuthMethod::None => method_with_secret(metadata),
            (None, Some(_)) => method,
        };
        let client = OAuthClient {
            id: registered.client_id,
            secret,
            method,
            kind: RegistrationKind::Dynamic,
            key: None,
        };
        self.store_registration(
            &client,
            &redirect_uri,
            registered.secret_expires_at.map(Timestamp::from_seconds),
        )
        .await?;
        Ok((client, redirect_uri))
    }

    /// Says that the metadata of the resource could not be read, where the authorization server is
    /// guessed for that.
    fn unreadable_metadata(&self) -> Option<String> {
        let is_guess = self.findings.server.as_ref()?.is_guessed
            && self.settings.registration_endpoint.is_none();
        let (url, status) = self
            .progress
            .broken_answer(StepKind::ResourceMetadata)
            .filter(|_| is_guess)?;
        Some(format!(
            "The resource metadata at {url} answered HTTP {status}, so that it is not known who \
             signs in for this server."
        ))
    }

    /// Reads the answer to a registration that succeeded.
    fn registered(&self, issuer: &str, answer: &OauthResponse) -> Result<Registered, SignInError> {
        let is_object = answer.body.trim_start().starts_with('{');
        let read = serde_json::from_str::<RegistrationAnswer>(&answer.body).ok();
        let read = read.filter(|_| is_object);
        let id = read.as_ref().and_then(|read| read.client_id.clone());
        let (Some(read), Some(client_id)) = (read, id) else {
            let error = ErrorResponse::read(&answer.body);
            if !error.is_empty() {
                return Err(not_registered(issuer, &error.message(answer.status)));
            }
            let words = match is_object {
                true => "The registration response has no client_id.",
                false => "The registration response is not a JSON object.",
            };
            return Err(SignInError::without_client(
                words,
                "Ask the authorization server's operator, or enter a client id under Sign-in, \
                 Client.",
                clause::registration(),
            ));
        };
        let named = read.token_endpoint_auth_method;
        let method = serde_json::from_value::<ClientAuthMethod>(named.clone()).ok();
        if method.is_none() && !named.is_null() {
            self.progress.check(
                StepKind::Registration,
                Verdict::Warning,
                "token_endpoint_auth_method",
                "a method that is known here",
                named.to_string(),
                clause::registration(),
            );
        }
        Ok(Registered {
            client_id,
            client_secret: read.client_secret,
            secret_expires_at: read.client_secret_expires_at,
            method,
        })
    }

    async fn store_registration(
        &self,
        client: &OAuthClient,
        redirect_uri: &str,
        secret_expires_at: Option<Timestamp>,
    ) -> Result<(), SignInError> {
        let server = self.authorization_server()?;
        if let Some(secret) = &client.secret {
            let name = server.client_secret_name(&client.id);
            self.vault(self.state.vault.set(&name, secret.clone()))
                .await?;
        }
        let registration = Registration {
            authorization_server: server.clone(),
            client_id: client.id.clone(),
            auth_method: client.method,
            redirect_uri: redirect_uri.to_owned(),
            registered_at: Timestamp::now(),
            secret_expires_at,
        };
        // Grants of older registrations are refreshed with their own client id and secret.
        self.change_store(|records| {
            records.store_registration(registration, client.secret.is_some());
        })?;
        self.remove_unused_secrets().await
    }

    /// The redirect address and the port that the user or the configuration fixed.
    pub(super) fn wanted_redirect(&self) -> Result<Redirect, SignInError> {
        let port = self.settings.callback_port.or_else(|| {
            (self.state.environment)("SIGHTGLASS_OAUTH_PORT")?
                .trim()
                .parse()
                .ok()
        });
        match &self.settings.redirect_uri {
            None => Ok(Redirect::standard(port)),
            Some(text) => Redirect::parse(text)
                .map(|redirect| redirect.or_port(port))
                .map_err(|error| {
                    SignInError::failed(error.to_string(), "Correct it under Sign-in, Client.")
                }),
        }
    }
}

/// The answer to a registration (RFC 7591, section 3.2.1). A member of another type than it should
/// have counts as absent, and so does an empty text.
#[derive(serde::Deserialize)]
struct RegistrationAnswer {
    #[serde(default, deserialize_with = "text")]
    client_id: Option<String>,
    #[serde(default, deserialize_with = "text")]
    client_secret: Option<String>,
    #[serde(default, deserialize_with = "seconds")]
    client_secret_expires_at: Option<f64>,
    #[serde(default)]
    token_endpoint_auth_method: Value,
}

/// Client that an authorization server registered.
struct Registered {
    client_id: String,
    client_secret: Option<String>,
    secret_expires_at: Option<f64>,
    method: Option<ClientAuthMethod>,
}

/// The authorization server refused to register this client, in its own words.
fn not_registered(issuer: &str, words: &str) -> SignInError {
    SignInError::without_client(
        refusal_words(issuer, words),
        "Register a client there and enter its id under Sign-in, Client.",
        clause::registration(),
    )
}

fn refusal_words(issuer: &str, words: &str) -> String {
    format!("{issuer} did not register this client: {words}.")
}

/// The authorization server is not known, and the server itself is none.
fn unknown_server(message: &str) -> SignInError {
    SignInError::refused(
        message,
        "Ask the server's operator to answer that address with the metadata, without a sign-in. Or \
         enter the issuer of the authorization server by hand under Sign-in, Client.",
        clause::resource_well_known(),
    )
}

/// A client that runs on the user's machine keeps no secret, so it asks for none where it
/// may (OAuth 2.1, section 2.1).
fn method_to_register(metadata: &ServerMetadata) -> ClientAuthMethod {
    match &metadata.token_endpoint_auth_methods_supported {
        None => ClientAuthMethod::None,
        Some(methods) if methods.iter().any(|method| method == "none") => ClientAuthMethod::None,
        Some(_) => method_with_secret(metadata),
    }
}

/// Returns the method that the server names first of the two, or Basic, which is the default (RFC
/// 8414, section 2). The Python SDK names the other one first and revokes in no other way.
fn method_with_secret(metadata: &ServerMetadata) -> ClientAuthMethod {
    let named = metadata.token_endpoint_auth_methods_supported.as_deref();
    let mut known = named
        .unwrap_or_default()
        .iter()
        .filter_map(|method| match method.as_str() {
            "client_secret_basic" => Some(ClientAuthMethod::ClientSecretBasic),
            "client_secret_post" => Some(ClientAuthMethod::ClientSecretPost),
            _ => None,
        });
    known.next().unwrap_or(ClientAuthMethod::ClientSecretBasic)
}
