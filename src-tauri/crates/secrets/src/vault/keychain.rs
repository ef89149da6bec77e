//! The keychain of the operating system, through `keyring-core` and the store of the
//! platform. A store is opened anew after it failed: a Secret Service can come and go.

use std::sync::{Arc, Mutex};

use keyring_core::{CredentialStore, Entry, Error};

use super::{VaultError, lock};
use crate::Secret;

/// Under this service all our entries stand.
const SERVICE: &str = "Sightglass";

/// The name of the entry that is written and removed to see whether that works.
const PROBE: &str = "probe";

/// Name of this platform's keychain.
pub(super) const LABEL: &str = if cfg!(target_os = "macos") {
    "macOS Keychain"
} else if cfg!(windows) {
    "Windows Credential Manager"
} else {
    "Secret Service keyring"
};

/// The Windows Credential Manager takes 2,560 bytes at most (`CRED_MAX_CREDENTIAL_BLOB_SIZE`),
/// and tokens are often longer. A longer value is kept in several entries.
const WINDOWS_LIMIT: usize = 2400;

/// Begins the first entry of a value in several; the number of entries follows.
const IN_PARTS: &str = "\u{1}parts:";

type OpenStore = dyn Fn() -> keyring_core::Result<Arc<CredentialStore>> + Send + Sync;

/// A keychain that may or may not be there.
pub struct Keychain {
    open: Box<OpenStore>,
    /// Bytes in one entry.
    limit: usize,
    store: Mutex<Option<Arc<CredentialStore>>>,
}

/// Reason why the keychain refused.
#[derive(Debug)]
pub(super) enum Refusal {
    /// No keychain, and the reason.
    Absent(String),
    /// The keychain stayed locked.
    Locked,
    Failed(String),
}

impl Refusal {
    pub fn into_error(self) -> VaultError {
        match self {
            Refusal::Absent(reason) | Refusal::Failed(reason) => {
                VaultError::Keychain(reason.trim_end_matches('.').to_owned())
            }
            Refusal::Locked => VaultError::Locked,
        }
    }
}

impl Keychain {
    /// The keychain of the user who runs this program.
    pub fn of_the_system() -> Self {
        let limit = if cfg!(windows) {
            WINDOWS_LIMIT
        } else {
            usize::MAX
        };
        Self::from_store(limit, open_system_store)
    }

    /// None: secrets go to the file, and the vault says that it was so chosen.
    pub fn none() -> Self {
        Self::from_store(usize::MAX, || {
            Err(Error::NotSupportedByStore(
                "The keychain is turned off by SIGHTGLASS_KEYCHAIN=off.".to_owned(),
            ))
        })
    }

    /// Any store of `keyring-core`, whose entries hold `limit` bytes.
    pub fn from_store(
        limit: usize,
        open: impl Fn() -> keyring_core::Result<Arc<CredentialStore>> + Send + Sync + 'static,
    ) -> Self {
        Self {
            open: Box::new(open),
            limit,
            store: Mutex::default(),
        }
    }

    /// Checks that it takes, gives back and forgets a value.
    pub(super) fn probe(&self, identifier: &str) -> Result<(), Refusal> {
        let written = self.with(identifier, PROBE, |entry| {
            entry.set_secret(b"1")?;
            entry.get_secret()?;
            entry.delete_credential()
        });
        match written {
            Ok(()) => Ok(()),
            // Opening and reading succeed without a default collection, only writing fails.
            Err(Refusal::Failed(reason)) => Err(Refusal::Absent(format!(
                "The {LABEL} is there but keeps nothing ({reason})."
            ))),
            Err(refusal) => Err(refusal),
        }
    }

    pub(super) fn get(
        &self,
        identifier: &str,
        name: &str,
    ) -> Result<Option<Secret<String>>, Refusal> {
        let Some(first) = self.get_entry(identifier, name)? else {
            return Ok(None);
        };
        let Some(count) = parts(&first) else {
            return Ok(Some(Secret::new(first)));
        };
        let mut whole = String::new();
        for part in 0..count {
            match self.get_entry(identifier, &part_name(name, part))? {
                Some(text) => whole.push_str(&text),
                None => return Ok(None),
            }
        }
        Ok(Some(Secret::new(whole)))
    }

    pub(super) fn set(
        &self,
        identifier: &str,
        name: &str,
        value: &Secret<String>,
    ) -> Result<(), Refusal> {
        let text = value.expose();
        let before = self.get_entry(identifier, name)?;
        let parts_before = before.as_deref().and_then(parts).unwrap_or(0);
        let mut parts_now = 0;
        if text.len() <= self.limit && !text.starts_with(IN_PARTS) {
            self.set_entry(identifier, name, text)?;
        } else {
            for part in split(text, self.limit) {
                self.set_entry(identifier, &part_name(name, parts_now), part)?;
                parts_now += 1;
            }
            self.set_entry(identifier, name, &format!("{IN_PARTS}{parts_now}"))?;
        }
        for part in parts_now..parts_before {
            self.remove_entry(identifier, &part_name(name, part))?;
        }
        Ok(())
    }

    pub(super) fn remove(&self, identifier: &str, name: &str) -> Result<(), Refusal> {
        let before = self.get_entry(identifier, name)?;
        for part in 0..before.as_deref().and_then(parts).unwrap_or(0) {
            self.remove_entry(identifier, &part_name(name, part))?;
        }
        self.remove_entry(identifier, name)
    }

    fn get_entry(&self, identifier: &str, name: &str) -> Result<Option<String>, Refusal> {
        self.with(identifier, name, |entry| match entry.get_secret() {
            Ok(bytes) => Ok(Some(String::from_utf8_lossy(&bytes).into_owned())),
            Err(Error::NoEntry) => Ok(None),
            Err(error) => Err(error),
        })
    }

    fn set_entry(&self, identifier: &str, name: &str, value: &str) -> Result<(), Refusal> {
        self.with(identifier, name, |entry| entry.set_secret(value.as_bytes()))
    }

    fn remove_entry(&self, identifier: &str, name: &str) -> Result<(), Refusal> {
        self.with(identifier, name, |entry| match entry.delete_credential() {
            Ok(()) | Err(Error::NoEntry) => Ok(()),
            Err(error) => Err(error),
        })
    }

    fn with<T>(
        &self,
        identifier: &str,
        name: &str,
        operation: impl Fn(&Entry) -> keyring_core::Result<T>,
    ) -> Result<T, Refusal> {
        let store = self.store()?;
        let attempt = |store: &CredentialStore| {
            let user = format!("{identifier}/{name}");
            operation(&store.build(SERVICE, &user, None)?)
        };
        let first = attempt(&*store);
        let outcome = match first {
            Err(Error::PlatformFailure(_)) => {
                // The service may have been restarted since.
                lock(&self.store).take();
                attempt(&*self.store()?)
            }
            outcome => outcome,
        };
        outcome.map_err(|error| match error {
            Error::NoStorageAccess(_) => Refusal::Locked,
            error => Refusal::Failed(error.to_string()),
        })
    }

    fn store(&self) -> Result<Arc<CredentialStore>, Refusal> {
        let mut kept = lock(&self.store);
        if let Some(store) = &*kept {
            return Ok(Arc::clone(store));
        }
        let store = (self.open)().map_err(|error| match error {
            Error::NotSupportedByStore(words) => Refusal::Absent(words),
            error => Refusal::Absent(format!("There is no {LABEL} ({error}).")),
        })?;
        Ok(Arc::clone(kept.insert(store)))
    }
}

fn part_name(name: &str, part: usize) -> String {
    format!("{name}#{part}")
}

/// In how many entries a value is, as its first one says.
fn parts(first: &str) -> Option<usize> {
    first.strip_prefix(IN_PARTS)?.parse().ok()
}

/// Pieces of at most `limit` bytes, none ending inside a character.
fn split(mut text: &str, limit: usize) -> Vec<&str> {
    let mut pieces = Vec::new();
    while !text.is_empty() {
        let end = text.floor_char_boundary(limit);
        let (piece, rest) = text.split_at(end);
        pieces.push(piece);
        text = rest;
    }
    pieces
}

#[cfg(target_os = "linux")]
fn open_system_store() -> keyring_core::Result<Arc<CredentialStore>> {
    Ok(zbus_secret_service_keyring_store::Store::new()?)
}

#[cfg(target_os = "macos")]
fn open_system_store() -> keyring_core::Result<Arc<CredentialStore>> {
    Ok(apple_native_keyring_store::keychain::Store::new()?)
}

#[cfg(windows)]
fn open_system_store() -> keyring_core::Result<Arc<CredentialStore>> {
    Ok(windows_native_keyring_store::Store::new()?)
}
