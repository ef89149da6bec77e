//! Signs in at the company's identity provider (OpenID Connect Core, section 3.1) for an ID token
//! that stands for the user at the authorization server.
//!
//! It is a sign-in of its own, with its own client, `state`, PKCE and `nonce`, through the same
//! steps. The provider is the one that the user entered: no server names it.

use oauth2::{CsrfToken, PkceCodeChallenge};
use sightglass_model::{Timestamp, Verdict};
use sightglass_secrets::Secret;
use url::Url;

use super::{
    AuthorizationRequest, Flow, SignInError, discovery::Discovered, progress::Requirement,
    token::token_request,
};
use crate::{
    ClientAuthMethod, RegistrationKind, SettingSecret, SignInPurpose, StepKind, clause,
    oauth::{
        client::OAuthClient,
        metadata::{ServerMetadata, provider_variants},
        token::{ErrorResponse, Jwt, TokenResponse},
    },
};

/// The scope that makes a sign-in one of OpenID Connect.
const OPENID: &str = "openid";

/// Difference that the clock of the identity provider may have.
const MAX_CLOCK_SKEW_SECONDS: f64 = 60.0;

/// Expected values of an ID token.
struct ExpectedIdToken<'a> {
    issuer: &'a str,
    client_id: &'a str,
    /// The `nonce` that was sent; absent for a token of an earlier sign-in, whose was checked then.
    nonce: Option<&'a Secret<String>>,
}

impl Flow {
    /// Returns true when the user signs in at the identity provider itself.
    pub(super) fn has_provider(&self) -> bool {
        self.purpose == SignInPurpose::Enterprise && self.settings.idp_issuer.is_some()
    }

    /// Returns true when the browser goes to the identity provider.
    pub(super) fn signs_in_at_provider(&self) -> bool {
        self.is_attended && self.has_provider()
    }

    pub(super) fn provider(&self) -> Result<&ServerMetadata, SignInError> {
        self.findings.provider.as_ref().ok_or_else(|| {
            SignInError::failed(
                "The identity provider is not known yet.",
                "Restart from the server metadata.",
            )
        })
    }

    /// Finds the endpoints of the identity provider. A token endpoint that was entered is for pasted
    /// tokens: it may be another provider's, which must not get the code.
    pub(super) async fn provider_metadata(
        &self,
        issuer: &str,
    ) -> Result<ServerMetadata, SignInError> {
        let step = StepKind::ServerMetadata;
        let url = self.visitable("issuer of the identity provider", issuer)?;
        let metadata = match self.look(step, provider_variants(&url)).await? {
            Discovered::Document(document, _) => {
                let document: Box<ServerMetadata> = document;
                *document
            }
            Discovered::Nowhere(silent) => {
                return Err(SignInError::refused(
                    silent.unwrap_or_else(|| {
                        format!("The identity provider {issuer} publishes no metadata.")
                    }),
                    "Check the issuer of the identity provider under Sign-in, Client.",
                    clause::server_discovery(),
                ));
            }
        };
        self.check_issuer(issuer, &metadata.issuer)?;
        let has_s256 = metadata
            .code_challenge_methods_supported
            .as_ref()
            .is_some_and(|methods| methods.iter().any(|method| method == "S256"));
        // The nonce ties the code to this sign-in as well.
        self.progress.check(
            step,
            if has_s256 {
                Verdict::Passed
            } else {
                Verdict::Warning
            },
            "code_challenge_methods_supported of the identity provider",
            "S256",
            if has_s256 { "S256" } else { "none" },
            clause::pkce(),
        );
        Ok(metadata)
    }

    /// The client as the identity provider knows it.
    pub(super) async fn provider_client(&self) -> Result<OAuthClient, SignInError> {
        let id = self.settings.idp_client_id.clone().ok_or_else(|| {
            SignInError::failed(
                "The client id at the identity provider is not set.",
                "Enter it under Sign-in, Client.",
            )
        })?;
        self.provider_client_named(id).await
    }

    /// The client of this id, with the secret that was entered for the identity provider.
    pub(super) async fn provider_client_named(
        &self,
        id: String,
    ) -> Result<OAuthClient, SignInError> {
        let secret = self.setting_secret(SettingSecret::IdpClientSecret).await?;
        Ok(OAuthClient {
            id,
            method: if secret.is_some() {
                ClientAuthMethod::ClientSecretBasic
            } else {
                ClientAuthMethod::None
            },
            secret,
            kind: RegistrationKind::PreRegistered,
            key: None,
        })
    }

    /// The address of the authorization request to the identity provider.
    pub(super) async fn provider_address(
        &mut self,
        provider: &ServerMetadata,
        redirect_uri: &str,
    ) -> Result<Url, SignInError> {
        let name = "authorization_endpoint of the identity provider";
        let endpoint = provider
            .authorization_endpoint
            .as_deref()
            .unwrap_or_default();
        let mut address = self.visitable(name, endpoint)?;
        let client = self.provider_client().await?;
        let (challenge, verifier) = PkceCodeChallenge::new_random_sha256();
        let (state, nonce) = (CsrfToken::new_random(), CsrfToken::new_random());
        let added = self.added_parameters()?;
        {
            let mut query = address.query_pairs_mut();
            query
                .append_pair("response_type", "code")
                .append_pair("client_id", &client.id)
                .append_pair("redirect_uri", redirect_uri)
                .append_pair("code_challenge", challenge.as_str())
                .append_pair("code_challenge_method", "S256")
                .append_pair("state", state.secret())
                .append_pair("nonce", nonce.secret())
                .append_pair("scope", OPENID);
            for parameter in added {
                query.append_pair(&parameter.name, &parameter.value);
            }
        }
        self.progress.check(
            StepKind::Authorization,
            Verdict::Passed,
            "identity provider",
            self.settings.idp_issuer.clone().unwrap_or_default(),
            provider.issuer.clone(),
            clause::id_token_issuer(),
        );
        self.check_added_parameters();
        self.findings.authorization = Some(AuthorizationRequest {
            state: Secret::new(state.secret().clone()),
            verifier: Secret::new(verifier.secret().clone()),
            nonce: Some(Secret::new(nonce.secret().clone())),
            redirect_uri: redirect_uri.to_owned(),
            scopes: vec![OPENID.to_owned()],
        });
        Ok(address)
    }

    /// Finds the ID token of the identity provider, where the user signs in there.
    pub(super) async fn provider_token(&mut self) -> Result<(), SignInError> {
        // A code serves once: the step may be done again with what it gave.
        if !self.has_provider() || self.findings.id_token.is_some() {
            return Ok(());
        }
        if self.is_attended {
            self.redeem_at_provider().await
        } else {
            self.reuse_id_token().await
        }
    }

    /// Exchanges the code of the identity provider for an ID token, and checks that.
    async fn redeem_at_provider(&mut self) -> Result<(), SignInError> {
        let step = StepKind::Token;
        let provider = self.provider()?.clone();
        let name = "token_endpoint of the identity provider";
        let endpoint = provider.token_endpoint.as_deref().unwrap_or_default();
        let endpoint = self.visitable(name, endpoint)?;
        let client = self.provider_client().await?;
        let asked = self.authorization_request()?.clone();
        let code = self.findings.code.clone().ok_or_else(|| {
            SignInError::failed("There is no code yet.", "Restart from the authorization.")
        })?;
        let form = vec![
            ("grant_type", "authorization_code".to_owned()),
            ("code", code.expose().clone()),
            ("redirect_uri", asked.redirect_uri.clone()),
            ("code_verifier", asked.verifier.expose().clone()),
        ];
        let request = token_request(&client, endpoint, &provider.issuer, form)?;
        let answer = self
            .progress
            .send(&self.http, step, request, "the identity provider's tokens")
            .await?
            .map_err(|unanswered| {
                SignInError::no_response(unanswered, "Sign in again at the identity provider.")
            })?;
        if !answer.is_success() {
            return Err(SignInError::refused(
                format!(
                    "The identity provider gave no token: {}.",
                    ErrorResponse::read(&answer.body).message(answer.status)
                ),
                "Check the client id and secret of the identity provider, and sign in again.",
                clause::token_error(),
            ));
        }
        let read = serde_json::from_str::<TokenResponse>(&answer.body).ok();
        let token = read.and_then(|read| {
            let others = [read.access_token, read.refresh_token];
            let others: Vec<_> = others.into_iter().flatten().map(Secret::new).collect();
            self.http.learn(&others);
            read.id_token.map(Secret::new)
        });
        let Some(token) = token else {
            return Err(SignInError::refused(
                "The identity provider gave no ID token.",
                "It has to support OpenID Connect for this client.",
                clause::id_token(),
            ));
        };
        self.http.learn(std::slice::from_ref(&token));
        self.check_provider_token(
            &token,
            &ExpectedIdToken {
                issuer: &provider.issuer,
                client_id: &client.id,
                nonce: asked.nonce.as_ref(),
            },
        )?;
        self.progress.chosen(step);
        self.findings.id_token = Some(token);
        Ok(())
    }

    /// Takes the ID token of an earlier sign-in, where there is no user to sign in again.
    async fn reuse_id_token(&mut self) -> Result<(), SignInError> {
        let (grants, server) = (&self.state.grants, &self.target.server);
        let grant = self.state.store.usable_grant(&self.target, &self.identity);
        let held = match grant {
            Some(_) => self.vault(grants.held(server, &self.identity)).await?,
            None => None,
        };
        let Some(token) = held.and_then(|held| held.tokens.id) else {
            return Err(SignInError::failed(
                "You are not signed in at the identity provider.",
                "Sign in.",
            ));
        };
        self.http.learn(std::slice::from_ref(&token));
        let client = self.provider_client().await?;
        let issuer = self.provider()?.issuer.clone();
        let expected = ExpectedIdToken {
            issuer: &issuer,
            client_id: &client.id,
            nonce: None,
        };
        self.check_provider_token(&token, &expected)?;
        self.findings.id_token = Some(token);
        Ok(())
    }

    /// Checks an ID token of the identity provider (OpenID Connect Core, section 3.1.3.7). It came
    /// over TLS from the token endpoint itself, which stands for its signature (point 6).
    fn check_provider_token(
        &self,
        token: &Secret<String>,
        expected: &ExpectedIdToken<'_>,
    ) -> Result<(), SignInError> {
        let Some(jwt) = Jwt::decode(token.expose()) else {
            return Err(SignInError::refused(
                "The ID token of the identity provider cannot be read.",
                "Ask the operator of the identity provider.",
                clause::id_token(),
            ));
        };
        let require = |holds, subject, expected: &str, actual: String, message: String| {
            let requirement = Requirement {
                holds,
                subject,
                expected: expected.to_owned(),
                actual,
                clause: clause::id_token_issuer(),
                message,
                hint: "Do not continue until you know why. Then sign in again at the identity \
                       provider."
                    .to_owned(),
            };
            self.progress.require(StepKind::Token, requirement)
        };
        let issuer = jwt.text("iss").unwrap_or("none").to_owned();
        let message = format!(
            "The ID token is from {issuer}, but this sign-in is with {}.",
            expected.issuer
        );
        let is_same = issuer == expected.issuer;
        let subject = "issuer of the ID token";
        require(is_same, subject, expected.issuer, issuer, message)?;

        let audiences = jwt.audiences();
        let party = jwt.text("azp");
        // Of several audiences, the one that the token was issued to counts (points 4 and 5).
        let is_ours = audiences.contains(&expected.client_id)
            && match party {
                Some(party) => party == expected.client_id,
                None => audiences.len() == 1,
            };
        let mut actual = audiences.join(", ");
        if let Some(party) = party {
            actual = format!("{actual}, issued to {party}");
        }
        let message = "The ID token is for another client.".to_owned();
        let subject = "audience of the ID token";
        require(is_ours, subject, expected.client_id, actual, message)?;

        let left = jwt
            .number("exp")
            .map(|ends| ends - Timestamp::now().as_seconds());
        let is_valid = left.is_some_and(|left| left > -MAX_CLOCK_SKEW_SECONDS);
        let actual = left.map_or_else(
            || "none".to_owned(),
            |left| format!("in {} s", left.round()),
        );
        let message = "The ID token has expired.".to_owned();
        let subject = "expiry of the ID token";
        require(is_valid, subject, "in the future", actual, message)?;

        if let Some(nonce) = expected.nonce {
            let found = jwt.text("nonce");
            let is_same = found == Some(nonce.expose().as_str());
            let actual = match found {
                Some(_) if is_same => "the same",
                Some(_) => "another one",
                None => "none",
            };
            let message = "The ID token was not made for this sign-in: its nonce is another one. \
                           It may have been stolen elsewhere."
                .to_owned();
            let subject = "nonce of the ID token";
            let sent = "the one that was sent";
            require(is_same, subject, sent, actual.to_owned(), message)?;
        }
        Ok(())
    }
}
