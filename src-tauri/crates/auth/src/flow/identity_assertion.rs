//! Exchanges an ID token for an assertion to the authorization server (ID-JAG;
//! RFC 8693).

use sightglass_secrets::Secret;

use super::{Flow, SignInError, progress::Requirement, token::token_request};
use crate::{
    SettingSecret, StepKind, clause,
    oauth::{
        client::OAuthClient,
        token::{ErrorResponse, TokenResponse},
    },
};

const TOKEN_EXCHANGE: &str = "urn:ietf:params:oauth:grant-type:token-exchange";
const ID_JAG: &str = "urn:ietf:params:oauth:token-type:id-jag";
const ID_TOKEN: &str = "urn:ietf:params:oauth:token-type:id_token";

impl Flow {
    /// The user's ID token becomes an assertion for this one server (ID-JAG, section 4;
    /// RFC 8693).
    pub(super) async fn identity_assertion(
        &self,
        client: &OAuthClient,
        issuer: &str,
    ) -> Result<Secret<String>, SignInError> {
        let step = StepKind::Token;
        let endpoint = match &self.findings.provider {
            Some(provider) => provider.token_endpoint.as_deref(),
            None => self.settings.idp_token_endpoint.as_deref(),
        };
        let endpoint = endpoint.ok_or_else(|| {
            SignInError::failed(
                "The identity provider's token endpoint is not set.",
                "Enter it under Sign-in, Client.",
            )
        })?;
        let endpoint = self.visitable("token endpoint of the identity provider", endpoint)?;
        let id_token = match &self.findings.id_token {
            Some(token) => token.clone(),
            None => {
                let what = "the ID token of the identity provider";
                self.needed_secret(SettingSecret::IdToken, what).await?
            }
        };
        // Some identity providers know the client by the same id.
        let at_provider = match &self.settings.idp_client_id {
            Some(_) => self.provider_client().await?,
            None => self.provider_client_named(client.id.clone()).await?,
        };
        let mut form = vec![
            ("grant_type", TOKEN_EXCHANGE.to_owned()),
            ("requested_token_type", ID_JAG.to_owned()),
            ("audience", issuer.to_owned()),
            ("resource", self.resource()),
            ("subject_token", id_token.expose().clone()),
            ("subject_token_type", ID_TOKEN.to_owned()),
        ];
        let scopes = self.scopes(self.metadata()?);
        if !scopes.is_empty() {
            form.push(("scope", scopes.join(" ")));
        }
        let request = token_request(&at_provider, endpoint, issuer, form)?;
        let answer = self
            .progress
            .send(&self.http, step, request, "the identity provider vouches")
            .await?
            .map_err(|unanswered| {
                SignInError::no_response(unanswered, "Check the address of the identity provider.")
            })?;
        let read = serde_json::from_str::<TokenResponse>(&answer.body).ok();
        let assertion = read
            .as_ref()
            .filter(|_| answer.is_success())
            .and_then(|read| read.access_token.clone());
        let Some(assertion) = assertion else {
            return Err(SignInError::refused(
                format!(
                    "The identity provider refused: {}.",
                    ErrorResponse::read(&answer.body).message(answer.status)
                ),
                "Its ID token may have expired, or its policy may not allow this server.",
                clause::token_exchange(),
            ));
        };
        let issued = read
            .and_then(|read| read.issued_token_type)
            .unwrap_or_default();
        self.progress.require(
            step,
            Requirement {
                holds: issued == ID_JAG,
                subject: "issued_token_type",
                expected: ID_JAG.to_owned(),
                actual: if issued.is_empty() {
                    "none".to_owned()
                } else {
                    issued
                },
                clause: clause::token_exchange(),
                message: "The identity provider returned another type of token.".to_owned(),
                hint:
                    "It does not support enterprise-managed authorization, or not for this client."
                        .to_owned(),
            },
        )?;
        Ok(Secret::new(assertion))
    }
}
