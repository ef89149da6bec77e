use std::io;

use sightglass_secrets::VaultError;
use thiserror::Error;

/// Error about signing in.
#[derive(Debug, Error)]
pub enum AuthError {
    #[error("this server needs no sign-in")]
    NothingToSignIn,
    #[error("signing in is turned off for this server")]
    TurnedOff,
    #[error("no such sign-in is in progress")]
    NotUnderWay,
    #[error("no sign-in to this server since Sightglass started")]
    NoAttempt,
    #[error("this account has no such token")]
    NoToken,
    /// The entered value cannot be used.
    #[error("{0}")]
    Invalid(String),
    #[error(transparent)]
    Vault(#[from] VaultError),
    #[error(transparent)]
    Store(#[from] AuthStoreError),
}

/// Error of reading or writing `auth.json`.
#[derive(Debug, Error)]
#[error("{path} could not be read or written: {source}")]
pub struct AuthStoreError {
    pub(crate) path: String,
    pub(crate) source: io::Error,
}
