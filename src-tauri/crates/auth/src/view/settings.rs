//! Settings for signing in, as the user and the configuration make them.

use serde::{Deserialize, Serialize};

use super::AuthMode;

/// Settings for signing in to one server. An empty choice is left to discovery.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize, specta::Type)]
#[serde(rename_all = "camelCase")]
pub struct AuthSettings {
    /// Absent: by signing in, unless the configuration has an `Authorization` header.
    pub mode: Option<AuthMode>,
    pub client_id: Option<String>,
    /// The address of a Client ID Metadata Document of one's own.
    pub client_metadata_url: Option<String>,
    pub auth_method: Option<ClientAuthMethod>,
    /// The key id that a signed assertion names.
    pub key_id: Option<String>,
    pub scopes: Option<Vec<String>>,
    /// The address that the browser is sent back to, on this machine: for a client that was
    /// registered with a fixed one. Without a port `callback_port` counts, or any free one.
    pub redirect_uri: Option<String>,
    pub callback_port: Option<u16>,
    /// Leave out `resource` (RFC 8707), for an authorization server that refuses it.
    #[serde(default)]
    pub omit_resource: bool,
    /// Parameters that are added to the authorization request.
    #[serde(default)]
    pub authorization_parameters: Vec<AuthorizationParameter>,
    /// Go on when the authorization server does not say that it supports S256. Unsafe.
    pub allow_missing_s256: bool,
    /// Use a token whose audience is another server. Unsafe.
    pub allow_other_audience: bool,
    /// URL of the resource metadata.
    pub resource_metadata: Option<String>,
    pub issuer: Option<String>,
    /// URL of the authorization server's metadata.
    pub server_metadata: Option<String>,
    pub authorization_endpoint: Option<String>,
    pub token_endpoint: Option<String>,
    pub registration_endpoint: Option<String>,
    pub revocation_endpoint: Option<String>,
    /// The environment variable that holds a fixed token, in mode `bearer`.
    pub bearer_variable: Option<String>,
    /// Names of headers whose values are kept in the vault.
    pub secret_headers: Vec<String>,
    /// The company's identity provider at which the user signs in, in mode `enterprise`. Absent:
    /// the ID token is pasted.
    pub idp_issuer: Option<String>,
    /// The token endpoint of the identity provider that a pasted ID token is from.
    pub idp_token_endpoint: Option<String>,
    /// The client id at the company's identity provider.
    pub idp_client_id: Option<String>,
}

/// One parameter that the user adds to the authorization request, such as `audience`.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, specta::Type)]
pub struct AuthorizationParameter {
    pub name: String,
    pub value: String,
}

/// The settings of one server and which of its secrets are kept.
#[derive(Debug, Clone, PartialEq, Serialize, specta::Type)]
#[serde(rename_all = "camelCase")]
pub struct AuthSettingsView {
    pub settings: AuthSettings,
    /// Settings of the configuration file; they count where `settings` says nothing.
    pub configured: AuthSettings,
    pub kept: Vec<SettingSecret>,
    /// The address of the client metadata document that is used where the user names none.
    pub published_client: Option<String>,
}

/// A secret that the user enters. It goes in and never comes back.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, specta::Type)]
#[serde(tag = "type", rename_all = "camelCase")]
pub enum SettingSecret {
    ClientSecret,
    /// PKCS #8 or SEC 1 in PEM, for `private_key_jwt`.
    PrivateKey,
    /// The fixed token of mode `bearer`.
    Bearer,
    /// The value of one of `secret_headers`.
    Header {
        name: String,
    },
    /// The user's ID token from the company's identity provider, in mode `enterprise`.
    IdToken,
    IdpClientSecret,
    /// The signed statement of the platform, in mode `workload`.
    Assertion,
}

/// Token endpoint authentication methods (RFC 7591, section 2; OpenID Connect Core, section 9).
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, specta::Type)]
#[serde(rename_all = "snake_case")]
pub enum ClientAuthMethod {
    None,
    ClientSecretBasic,
    ClientSecretPost,
    PrivateKeyJwt,
}

impl ClientAuthMethod {
    /// Returns its name in metadata.
    pub(crate) fn name(self) -> &'static str {
        match self {
            Self::None => "none",
            Self::ClientSecretBasic => "client_secret_basic",
            Self::ClientSecretPost => "client_secret_post",
            Self::PrivateKeyJwt => "private_key_jwt",
        }
    }
}
