//! Views of the token lab.

use serde::{Deserialize, Serialize};
use sightglass_model::{Finding, Timestamp};

use super::{ComparedValues, StepExchange};

/// Facts of an identity's tokens without showing them.
#[derive(Debug, Clone, PartialEq, Serialize, specta::Type)]
#[serde(rename_all = "camelCase")]
pub struct TokensView {
    pub identity: String,
    pub access: TokenPart,
    pub refresh: Option<TokenPart>,
    pub id: Option<TokenPart>,
    pub scopes_requested: Vec<String>,
    pub scopes_granted: Vec<String>,
    pub issued_at: Timestamp,
    pub expires_at: Option<Timestamp>,
    /// Description of a change that was made in the token lab; `restore` undoes it.
    pub altered: Option<String>,
}

#[derive(Debug, Clone, PartialEq, Serialize, specta::Type)]
pub struct TokenPart {
    /// The first and last characters and the length, as in `eyJh…3fQ, 812 characters`.
    pub masked: String,
    /// The decoded header of a JWT, indented JSON.
    pub header: Option<String>,
    /// The decoded claims of a JWT, indented JSON.
    pub claims: Option<String>,
    /// Audience, issuer, lifetime judged against this server. Empty for opaque tokens.
    pub checks: Vec<Finding<ComparedValues>>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, specta::Type)]
#[serde(rename_all = "camelCase")]
pub enum TokenKind {
    Access,
    Refresh,
    Id,
}

/// Action on a token.
#[derive(Debug, Clone, PartialEq, Deserialize, specta::Type)]
#[serde(tag = "type", rename_all = "camelCase")]
pub enum TokenAction {
    /// Refresh now.
    Refresh,
    /// Act as though the lifetime were over: the next use refreshes.
    PretendExpired,
    /// Refresh with one scope less (RFC 6749, section 6).
    DropScope { scope: String },
    /// Change one character of the access token.
    Corrupt,
    /// Revoke at the authorization server (RFC 7009) and keep using it here.
    Revoke,
    /// Take back what was altered.
    Restore,
}

/// Reaction of the servers.
#[derive(Debug, Clone, PartialEq, Serialize, specta::Type)]
pub struct TokenReaction {
    /// Message: what happened, in a sentence or two.
    pub message: String,
    /// True when it went as an untampered token should.
    pub ok: bool,
    pub exchanges: Vec<StepExchange>,
}
