//! Findings of the steps of a sign-in, so that it can start again from any of them.

use sightglass_secrets::Secret;

use crate::{
    StepKind,
    oauth::{
        authorization_server::AuthorizationServer, challenge::Challenge, client::OAuthClient,
        metadata::ServerMetadata, token::Tokens,
    },
};

/// Findings of the steps so far.
#[derive(Clone, Default)]
pub(crate) struct Findings {
    pub challenge: Option<Challenge>,
    pub resource: Option<ProtectedResource>,
    pub server: Option<DiscoveredServer>,
    /// The identity provider at which the user signs in.
    pub provider: Option<ServerMetadata>,
    pub client: Option<RegisteredClient>,
    pub authorization: Option<AuthorizationRequest>,
    pub code: Option<Secret<String>>,
    /// The ID token of the identity provider.
    pub id_token: Option<Secret<String>>,
    pub tokens: Option<Tokens>,
}

/// The protected resource.
#[derive(Clone)]
pub(crate) struct ProtectedResource {
    /// Resource that the token is requested for (RFC 8707).
    pub resource: String,
    /// Absent: the authorization server is the server itself (MCP 2025-03-26).
    pub issuer: Option<String>,
    pub scopes: Option<Vec<String>>,
}

/// The authorization server.
#[derive(Clone)]
pub(crate) struct DiscoveredServer {
    pub id: AuthorizationServer,
    pub metadata: ServerMetadata,
    /// True when nobody published or entered the endpoints: they are the defaults of MCP 2025-03-26.
    pub is_guessed: bool,
}

#[derive(Clone)]
pub(crate) struct RegisteredClient {
    pub client: OAuthClient,
    pub redirect_uri: Option<String>,
}

/// Parameters that the browser was sent out with.
#[derive(Clone)]
pub(crate) struct AuthorizationRequest {
    pub state: Secret<String>,
    pub verifier: Secret<String>,
    /// The `nonce` that the ID token of the identity provider has to repeat.
    pub nonce: Option<Secret<String>>,
    pub redirect_uri: String,
    pub scopes: Vec<String>,
}

impl Findings {
    /// Drops the findings of this step and of those after it.
    pub fn before(mut self, step: StepKind) -> Self {
        if step <= StepKind::Challenge {
            self.challenge = None;
        }
        if step <= StepKind::ResourceMetadata {
            self.resource = None;
        }
        if step <= StepKind::ServerMetadata {
            self.server = None;
            self.provider = None;
        }
        if step <= StepKind::Registration {
            self.client = None;
        }
        if step <= StepKind::Callback {
            self.authorization = None;
            self.code = None;
            self.id_token = None;
        }
        if step <= StepKind::Token {
            self.tokens = None;
        }
        self
    }
}
