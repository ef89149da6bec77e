//! Signing in with nobody at the screen: the suite's authorization servers send whoever comes
//! straight back.

use std::sync::Arc;

use serde::Deserialize;
use sightglass_inspector::{
    AuthMode, AuthSettings, AuthStatus, Failure, Host, Inspector, ServerId, SettingSecret,
    SignInRequest, SignInState, view::Fact,
};

/// URL at which the suite says that this client describes itself. It is never fetched.
const METADATA_DOCUMENT: &str = "https://conformance-test.local/client-metadata.json";

type Outcome = Result<(), Box<dyn std::error::Error>>;

/// The client that the suite wants to see, in some scenarios.
#[derive(Deserialize, Default)]
pub struct Credentials {
    client_id: Option<String>,
    client_secret: Option<String>,
    issuer: Option<String>,
    private_key_pem: Option<String>,
    idp_client_id: Option<String>,
    idp_id_token: Option<String>,
    idp_token_endpoint: Option<String>,
    valid_jwt: Option<String>,
}

impl Credentials {
    fn settings(&self) -> AuthSettings {
        let mode = if self.idp_id_token.is_some() {
            AuthMode::Enterprise
        } else if self.valid_jwt.is_some() {
            AuthMode::Workload
        } else if self.private_key_pem.is_some()
            || (self.client_secret.is_some() && self.issuer.is_none())
        {
            AuthMode::ClientCredentials
        } else {
            AuthMode::Oauth
        };
        AuthSettings {
            mode: Some(mode),
            client_id: self.client_id.clone(),
            client_metadata_url: Some(METADATA_DOCUMENT.to_owned()),
            idp_client_id: self.idp_client_id.clone(),
            idp_token_endpoint: self.idp_token_endpoint.clone(),
            ..AuthSettings::default()
        }
    }

    /// Makes them known, as a user does in the window.
    pub async fn enter(&self, inspector: &Inspector, server: &ServerId) -> Outcome {
        inspector
            .sign_in
            .update_auth_settings(server, self.settings())
            .await?;
        let secrets = [
            (SettingSecret::ClientSecret, &self.client_secret),
            (SettingSecret::PrivateKey, &self.private_key_pem),
            (SettingSecret::IdToken, &self.idp_id_token),
            (SettingSecret::Assertion, &self.valid_jwt),
        ];
        for (secret, value) in secrets {
            if value.is_some() {
                inspector
                    .sign_in
                    .update_auth_secret(server, secret, value.clone())
                    .await?;
            }
        }
        if let Some(issuer) = &self.issuer {
            inspector.sign_in.agree_to_issuer(server, issuer)?;
        }
        Ok(())
    }
}

/// Agrees to the authorization server that a sign-in asks about, where it is the first one. Says
/// whether there was one to agree to.
pub async fn agree(inspector: &Inspector, server: &ServerId) -> bool {
    let Ok(view) = inspector.sign_in.auth_view(server).await else {
        return false;
    };
    view.attempt
        .and_then(|attempt| attempt.issuer_question)
        .filter(|question| question.instead_of.is_none())
        .is_some_and(|question| {
            inspector
                .sign_in
                .agree_to_issuer(server, &question.issuer)
                .is_ok()
        })
}

/// Goes wherever it is sent, as a browser does in which the user is signed in already.
pub struct Browser;

impl Host for Browser {
    fn open_address(&self, address: &str) -> Result<(), String> {
        let address = address.to_owned();
        tokio::spawn(async move {
            if let Err(error) = reqwest::get(address).await {
                eprintln!("the browser came to nothing: {error}");
            }
        });
        Ok(())
    }
}

/// Returns true when a connection failed for want of a sign-in.
pub fn is_wanted(failure: &Failure) -> bool {
    matches!(failure, Failure::SignInRequired { .. })
}

/// Returns true when the server refused a call for want of a sign-in.
pub async fn is_wanted_now(inspector: &Inspector, server: &ServerId) -> bool {
    inspector
        .sign_in
        .auth_view(server)
        .await
        .is_ok_and(|view| matches!(view.status, AuthStatus::Required { .. }))
}

/// Signs in, and comes back when the connection stands. A server that has moved to another
/// authorization server meanwhile refuses the new token as well: as a user would, this signs
/// in once more then.
pub async fn sign_in(inspector: &Arc<Inspector>, server: &ServerId) -> Outcome {
    match sign_in_once(inspector, server).await {
        Err(_) if is_refused(inspector, server) => sign_in_once(inspector, server).await,
        outcome => outcome,
    }
}

/// Returns true when the connection failed although there was a token.
fn is_refused(inspector: &Inspector, server: &ServerId) -> bool {
    let failure = inspector.servers.open_connections.status(server).failure;
    failure.is_some_and(|report| is_wanted(&report.failure))
}

async fn sign_in_once(inspector: &Arc<Inspector>, server: &ServerId) -> Outcome {
    let mut facts = inspector.subscribe();
    inspector
        .sign_in
        .sign_in(server, SignInRequest::default())?;
    loop {
        for event in facts.next_batch().await.ok_or("the facts ended")? {
            let Fact::Auth { view } = event.fact else {
                continue;
            };
            let Some(attempt) = view.attempt else {
                continue;
            };
            match attempt.state {
                SignInState::Succeeded => return Ok(()),
                SignInState::WaitingForAgreement => {
                    agree(inspector, server).await;
                }
                SignInState::Failed | SignInState::Cancelled => {
                    return Err(format!("not signed in: {:?}", attempt.failure).into());
                }
                _ => {}
            }
        }
    }
}
