//! Secrecy as a type, and the place where secrets are kept.
//!
//! A value that must never be shown, logged or recorded is a [`Secret`]. What has to outlive
//! the program is in the [`Vault`]. What a program or a server writes or a URL says passes the
//! [`Redactor`] before it leaves memory.

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

mod argument;
#[cfg(fuzzing)]
pub mod fuzzing;
mod harmless;
mod header;
mod location;
mod log;
mod redactor;
mod reference;
mod secret;
mod suggestion;
mod vault;

pub use argument::{argument_secrets, mask_arguments, secret_argument_part};
pub use header::{is_secret_header, is_secret_value, mask_header, named_value_secrets};
pub use location::{
    SecretPart, is_secret_parameter, mask_url, mask_url_parameters, mask_urls, secret_url_parts,
    url_secrets,
};
pub use log::may_be_logged;
pub use redactor::{Redactor, SplitSecrets};
pub use reference::is_mere_reference;
pub use secret::{CLIENT_SECRET_VARIABLE, MASK, Secret};
pub use suggestion::{name_suggests_secret, value_suggests_secret};
pub use vault::{Keychain, Vault, VaultError, VaultKind, VaultOptions, VaultState};
