//! Secrecy as a type, and the place where secrets are kept.
//!
//! A value that must never be shown, logged or recorded is a [`Secret`]. What has to outlive
//! the program is in the [`Vault`].

#![allow(
    clippy::disallowed_types,
    reason = "the keychain of the operating system is reached here and nowhere else"
)]
#![cfg_attr(
    test,
    allow(
        clippy::disallowed_methods,
        reason = "tests prepare files as other programs would"
    )
)]

mod secret;
mod vault;

pub use secret::{CLIENT_SECRET_VARIABLE, Secret, name_suggests_secret, value_suggests_secret};
pub use vault::{Keychain, Vault, VaultError, VaultKind, VaultOptions, VaultState};
