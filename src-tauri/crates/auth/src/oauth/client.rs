//! Client authentication at the token endpoint (RFC 6749, section 2.3; RFC 7523,
//! section 2.2; OpenID Connect Core, section 9).

use std::time::Duration;

use base64::{Engine, engine::general_purpose::STANDARD};
use jsonwebtoken::{Algorithm, EncodingKey, Header};
use sightglass_model::Timestamp;
use sightglass_secrets::{Redactor, Secret};
use thiserror::Error;
use url::{Url, form_urlencoded};

use crate::{ClientAuthMethod, RegistrationKind, http::OauthRequest, oauth::token::Tokens};

/// A signed assertion serves this long.
const ASSERTION_LIFETIME: Duration = Duration::from_secs(120);

/// The client as one authorization server knows it.
#[derive(Debug, Clone)]
pub(crate) struct OAuthClient {
    pub id: String,
    pub secret: Option<Secret<String>>,
    pub method: ClientAuthMethod,
    pub kind: RegistrationKind,
    /// Key for `private_key_jwt`.
    pub key: Option<SigningKey>,
}

#[derive(Debug, Clone)]
pub(crate) struct SigningKey {
    pub pem: Secret<String>,
    pub id: Option<String>,
}

/// Error of a private key by which a client authenticates.
#[derive(Debug, Error)]
pub(crate) enum ClientKeyError {
    #[error("private_key_jwt needs a private key, and none is set.")]
    Absent,
    #[error("The private key is not PEM of an EC, RSA or Ed25519 key in PKCS #8.")]
    Unreadable,
    #[error("The private key cannot sign: {0}.")]
    CannotSign(#[from] jsonwebtoken::errors::Error),
}

pub(crate) type Form = Vec<(&'static str, String)>;

impl OAuthClient {
    /// Masks what an authorization server was sent by this client for these tokens, in words of
    /// that server: it may repeat them.
    pub fn masked(&self, secrets: Vec<Secret<String>>, tokens: &Tokens, message: String) -> String {
        let key = self.key.as_ref().map(|key| key.pem.clone());
        let sent = secrets
            .into_iter()
            .chain(tokens.all())
            .chain(self.secret.clone())
            .chain(key);
        Redactor::new(sent).text(message.into()).into_owned()
    }

    /// A request to the token endpoint, or one of its kind, in the name of this client.
    pub fn request(
        &self,
        endpoint: Url,
        issuer: &str,
        mut form: Form,
    ) -> Result<OauthRequest, ClientKeyError> {
        let mut authorization = None;
        match (self.method, &self.secret) {
            (ClientAuthMethod::ClientSecretBasic, Some(secret)) => {
                // Both are form-encoded first (RFC 6749, section 2.3.1).
                let encoded = |text: &str| {
                    form_urlencoded::byte_serialize(text.as_bytes()).collect::<String>()
                };
                let pair = format!("{}:{}", encoded(&self.id), encoded(secret.expose()));
                // Some servers look for it here first, the Python SDK's among them. It proves
                // nothing, so it is no second way to authenticate (RFC 6749, section 3.2.1).
                form.push(("client_id", self.id.clone()));
                authorization = Some(format!("Basic {}", STANDARD.encode(pair)));
            }
            (ClientAuthMethod::ClientSecretPost, Some(secret)) => {
                form.push(("client_id", self.id.clone()));
                form.push(("client_secret", secret.expose().clone()));
            }
            (ClientAuthMethod::PrivateKeyJwt, _) => {
                form.push(("client_id", self.id.clone()));
                form.push((
                    "client_assertion_type",
                    "urn:ietf:params:oauth:client-assertion-type:jwt-bearer".to_owned(),
                ));
                form.push(("client_assertion", self.assertion(issuer)?));
            }
            _ => form.push(("client_id", self.id.clone())),
        }
        let outgoing = OauthRequest::post_form(endpoint, encode(&form));
        Ok(match authorization {
            Some(value) => outgoing.with_header("authorization", &value),
            None => outgoing,
        })
    }

    /// The audience is the issuer, so that an assertion made for one endpoint is of no use at
    /// an impostor's (RFC 7523bis, section 4).
    fn assertion(&self, issuer: &str) -> Result<String, ClientKeyError> {
        let Some(key) = &self.key else {
            return Err(ClientKeyError::Absent);
        };
        let (algorithm, encoding) = signing(key.pem.expose())?;
        let now = Timestamp::now();
        let claims = serde_json::json!({
            "iss": self.id,
            "sub": self.id,
            "aud": issuer,
            "iat": now.as_seconds().floor(),
            "exp": (now + ASSERTION_LIFETIME).as_seconds().floor(),
            "jti": oauth2::CsrfToken::new_random().secret(),
        });
        let mut header = Header::new(algorithm);
        header.kid.clone_from(&key.id);
        Ok(jsonwebtoken::encode(&header, &claims, &encoding)?)
    }
}

/// The key and the algorithm that its kind calls for.
pub(crate) fn signing(pem: &str) -> Result<(Algorithm, EncodingKey), ClientKeyError> {
    let bytes = pem.trim().as_bytes();
    if let Ok(key) = EncodingKey::from_ec_pem(bytes) {
        return Ok((Algorithm::ES256, key));
    }
    if let Ok(key) = EncodingKey::from_rsa_pem(bytes) {
        return Ok((Algorithm::RS256, key));
    }
    if let Ok(key) = EncodingKey::from_ed_pem(bytes) {
        return Ok((Algorithm::EdDSA, key));
    }
    Err(ClientKeyError::Unreadable)
}

pub(crate) fn encode(form: &[(&'static str, String)]) -> String {
    form_urlencoded::Serializer::new(String::new())
        .extend_pairs(form)
        .finish()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn client(method: ClientAuthMethod) -> OAuthClient {
        OAuthClient {
            id: "id with space".into(),
            secret: Some(Secret::new("a:b/c".into())),
            method,
            kind: RegistrationKind::PreRegistered,
            key: None,
        }
    }

    #[test]
    fn basic_credentials_are_encoded_before_they_are_joined() {
        let endpoint: Url = "https://as.test/token".parse().expect("an address");
        let request = client(ClientAuthMethod::ClientSecretBasic)
            .request(endpoint.clone(), "https://as.test", vec![("a", "b".into())])
            .expect("a request");
        let (_, value) = request.headers.last().expect("a header");
        let decoded = STANDARD.decode(&value["Basic ".len()..]).expect("base64");
        assert_eq!(decoded, b"id+with+space:a%3Ab%2Fc");
        assert_eq!(request.body.as_deref(), Some("a=b&client_id=id+with+space"));
        let request = client(ClientAuthMethod::ClientSecretPost)
            .request(endpoint, "https://as.test", Vec::new())
            .expect("a request");
        assert_eq!(
            request.body.as_deref(),
            Some("client_id=id+with+space&client_secret=a%3Ab%2Fc")
        );
    }
}
