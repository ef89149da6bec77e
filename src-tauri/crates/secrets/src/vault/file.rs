//! `secrets.json` in the data directory: which secrets there are, where they are, and in
//! the absence of a keychain the secrets themselves. Readable by its owner alone, replaced
//! in one step, and changed under a lock that other programs respect.

use std::{
    collections::BTreeMap,
    path::{Path, PathBuf},
    time::{Duration, SystemTime, UNIX_EPOCH},
};

use serde::{Deserialize, Serialize};
use sightglass_files::{FileLock, create_private_directory};

use super::{VaultError, VaultKind};
use crate::Secret;

/// Time that another program may take for a change of the file.
const LOCK_TIMEOUT: Duration = Duration::from_secs(10);

pub(super) struct VaultFile {
    path: PathBuf,
}

/// Content of the file.
#[derive(Default, Serialize, Deserialize)]
#[serde(default)]
pub(super) struct Contents {
    /// Sets the secrets of this data directory apart from others in one keychain.
    pub identifier: String,
    /// Absent before the first secret.
    place: Option<WrittenPlace>,
    /// By name; without a value for what is in the keychain.
    secrets: BTreeMap<String, Option<String>>,
}

#[derive(Clone, Copy, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
enum WrittenPlace {
    Keychain,
    File,
}

impl Contents {
    pub fn kind(&self) -> Option<VaultKind> {
        self.place.map(|place| match place {
            WrittenPlace::Keychain => VaultKind::Keychain,
            WrittenPlace::File => VaultKind::File,
        })
    }

    pub fn has(&self, name: &str) -> bool {
        self.secrets.contains_key(name)
    }

    pub fn names(&self) -> impl Iterator<Item = &str> {
        self.secrets.keys().map(String::as_str)
    }

    pub fn secret(&self, name: &str) -> Option<Secret<String>> {
        self.secrets.get(name)?.clone().map(Secret::new)
    }

    pub fn secrets(&self) -> impl Iterator<Item = (&str, Secret<String>)> {
        self.secrets
            .iter()
            .filter_map(|(name, value)| Some((name.as_str(), Secret::new(value.clone()?))))
    }

    /// A secret of this name is in the keychain now.
    pub fn note(&mut self, name: &str) {
        self.place = Some(WrittenPlace::Keychain);
        self.secrets.insert(name.to_owned(), None);
    }

    pub fn keep(&mut self, name: &str, value: &Secret<String>) {
        self.place = Some(WrittenPlace::File);
        self.secrets
            .insert(name.to_owned(), Some(value.expose().clone()));
    }

    pub fn forget(&mut self, name: &str) {
        self.secrets.remove(name);
    }

    pub fn moved_to_keychain(&mut self) {
        self.place = Some(WrittenPlace::Keychain);
        for value in self.secrets.values_mut() {
            *value = None;
        }
    }

    pub fn moved_to_file(&mut self, values: &[(String, Secret<String>)]) {
        for (name, value) in values {
            self.keep(name, value);
        }
        self.place = Some(WrittenPlace::File);
        // What the keychain no longer had is gone.
        self.secrets.retain(|_, value| value.is_some());
    }
}

impl VaultFile {
    pub fn in_directory(directory: &Path) -> Self {
        Self {
            path: directory.join("secrets.json"),
        }
    }

    pub fn path(&self) -> &Path {
        &self.path
    }

    pub fn read(&self) -> Result<Contents, VaultError> {
        match sightglass_files::read(&self.path) {
            Ok(bytes) => serde_json::from_slice(&bytes).map_err(|error| {
                // What serde says of a value that does not fit would show the value.
                self.failed(&format!(
                    "it is damaged at line {}, column {}",
                    error.line(),
                    error.column()
                ))
            }),
            Err(error) if error.is_absence() => Ok(Contents::default()),
            Err(error) => Err(self.failed(&error)),
        }
    }

    /// Identifier of this data directory in the keychain; made at the first use.
    pub fn identifier(&self) -> Result<String, VaultError> {
        let contents = self.read()?;
        if !contents.identifier.is_empty() {
            return Ok(contents.identifier);
        }
        self.change(|_| ())?;
        Ok(self.read()?.identifier)
    }

    /// Reads, changes and writes the file while no other program does.
    pub fn change(&self, change: impl FnOnce(&mut Contents)) -> Result<(), VaultError> {
        let directory = self.path.parent().unwrap_or(Path::new("."));
        create_private_directory(directory).map_err(|error| self.failed(&error))?;
        let lock = self.path.with_extension("lock");
        let _held = FileLock::acquire(&lock, LOCK_TIMEOUT).map_err(|error| self.failed(&error))?;
        let mut contents = self.read()?;
        if contents.identifier.is_empty() {
            contents.identifier = new_identifier();
        }
        change(&mut contents);
        serde_json::to_vec_pretty(&contents)
            .map_err(std::io::Error::from)
            .and_then(|text| sightglass_files::replace(&self.path, &text))
            .map_err(|error| self.failed(&error))
    }

    fn failed(&self, error: &dyn std::fmt::Display) -> VaultError {
        VaultError::File {
            path: self.path.display().to_string(),
            message: error.to_string(),
        }
    }
}

/// Unlikely to be that of another data directory; it protects nothing.
fn new_identifier() -> String {
    let nanoseconds = SystemTime::now()
        .duration_since(UNIX_EPOCH)
        .map_or(0, |elapsed| elapsed.as_nanos());
    format!("{nanoseconds:x}-{:x}", std::process::id())
}
