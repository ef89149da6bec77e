//! Secrets: a type for them, the vault that keeps them, and the one place that masks them.
//!
//! ```text
//! secret                          Secret<T>: never shown, logged or recorded
//! vault/                          Vault: OS keychain, file of the owner's, or memory
//! redactor/                       Redactor: masks known secrets in every spelling
//! header location argument        mask secrets by the place where they stand
//! command                         the same in commands, however their quotes are meant
//! oauth message                   the same in whole messages
//! suggestion harmless reference   tell secrets from other values by name and form
//! log                             what may be logged
//! ```

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
mod command;
#[cfg(fuzzing)]
pub mod fuzzing;
mod harmless;
mod header;
mod location;
mod log;
mod message;
mod oauth;
mod redactor;
mod reference;
mod secret;
mod suggestion;
mod vault;

pub use argument::secret_argument_part;
pub use command::{
    argument_secrets, command_secrets, command_words, is_assignment, mask_arguments, mask_command,
    mask_command_words,
};
pub use header::{
    inherited_value_secrets, is_secret_header, is_secret_value, mask_header, named_value_secrets,
};
pub use location::{
    SecretPart, is_secret_parameter, mask_url, mask_url_parameters, mask_urls, secret_url_parts,
    url_secrets,
};
pub use log::may_be_logged;
pub use message::mask_message;
pub use oauth::{MaskedText, mask_oauth_body, mask_token, restore_masked_url, restore_oauth_body};
pub use redactor::{Redactor, SplitSecrets};
pub use reference::is_mere_reference;
pub use secret::{CLIENT_SECRET_VARIABLE, MASK, Secret};
pub use suggestion::{name_suggests_password, name_suggests_secret, value_suggests_secret};
pub use vault::{Keychain, Vault, VaultError, VaultKind, VaultOptions, VaultState};
