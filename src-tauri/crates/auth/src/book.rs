//! `auth.json` in the data directory: settings, identities and registrations, without their
//! secrets. Changed under a lock that other programs respect, after reading it again.

use std::{
    collections::BTreeMap,
    fs::{self, File, OpenOptions},
    io::{self, Write},
    path::{Path, PathBuf},
};

use serde::{Deserialize, Serialize};
use sightglass_model::ServerId;
use thiserror::Error;

use crate::{AuthSettings, ClientAuthMethod, RegistrationKind};

/// The name of the identity that every server has.
pub(crate) const DEFAULT_IDENTITY: &str = "default";

/// All that is known of sign-ins.
#[derive(Debug, Clone, Default, Serialize, Deserialize)]
pub(crate) struct Book {
    #[serde(default)]
    pub servers: BTreeMap<ServerId, ServerPage>,
    /// Of clients, by the issuer that registered them.
    #[serde(default)]
    pub registrations: Vec<Registration>,
}

#[derive(Debug, Clone, Default, Serialize, Deserialize)]
pub(crate) struct ServerPage {
    #[serde(default)]
    pub settings: AuthSettings,
    /// The identity in use; `default` when absent.
    #[serde(default)]
    pub chosen: Option<String>,
    #[serde(default)]
    pub identities: Vec<Identity>,
}

/// One named identity at one server.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub(crate) struct Identity {
    pub name: String,
    #[serde(default)]
    pub grant: Option<Grant>,
    /// Why what it held no longer serves.
    #[serde(default)]
    pub problem: Option<String>,
}

/// What was granted, without the tokens.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub(crate) struct Grant {
    /// The address of the server that the grant is for. It serves no other.
    pub server_url: String,
    pub issuer: String,
    pub resource: String,
    pub client_id: String,
    pub registration: RegistrationKind,
    pub auth_method: ClientAuthMethod,
    pub token_endpoint: String,
    pub revocation_endpoint: Option<String>,
    pub scopes_requested: Vec<String>,
    pub scopes_granted: Vec<String>,
    pub account: Option<String>,
    pub signed_in_at: f64,
    pub issued_at: f64,
    pub expires_at: Option<f64>,
    pub refreshable: bool,
    /// Moves with every refresh: whoever holds an older token reads the new one first.
    pub version: u32,
}

/// A client that an authorization server registered for us.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub(crate) struct Registration {
    pub issuer: String,
    pub client_id: String,
    pub auth_method: ClientAuthMethod,
    pub redirect_uri: String,
    /// Milliseconds since the Unix epoch.
    pub registered_at: f64,
    /// When the secret ends, as RFC 7591 says it; absent when it does not.
    pub secret_expires_at: Option<f64>,
}

impl Book {
    pub fn identity(&self, server: &ServerId, name: &str) -> Option<&Identity> {
        self.servers
            .get(server)?
            .identities
            .iter()
            .find(|identity| identity.name == name)
    }

    pub fn identity_mut(&mut self, server: &ServerId, name: &str) -> &mut Identity {
        let identities = &mut self.servers.entry(server.clone()).or_default().identities;
        let index = identities
            .iter()
            .position(|identity| identity.name == name)
            .unwrap_or_else(|| {
                identities.push(Identity {
                    name: name.to_owned(),
                    grant: None,
                    problem: None,
                });
                identities.len() - 1
            });
        &mut identities[index]
    }

    pub fn grant(&self, server: &ServerId, name: &str) -> Option<&Grant> {
        self.identity(server, name)?.grant.as_ref()
    }

    pub fn chosen(&self, server: &ServerId) -> String {
        self.servers
            .get(server)
            .and_then(|page| page.chosen.clone())
            .unwrap_or_else(|| DEFAULT_IDENTITY.to_owned())
    }
}

/// The file could not be read or written.
#[derive(Debug, Error)]
#[error("{path} could not be read or written: {source}")]
pub struct BookError {
    path: String,
    source: io::Error,
}

pub(crate) struct BookFile {
    path: PathBuf,
}

impl BookFile {
    pub fn in_directory(directory: &Path) -> Self {
        Self {
            path: directory.join("auth.json"),
        }
    }

    /// What the file says now. A damaged file is set aside rather than overwritten.
    pub fn read(&self) -> Result<Book, BookError> {
        match fs::read(&self.path) {
            Ok(bytes) => serde_json::from_slice(&bytes).or_else(|error| {
                let aside = self.path.with_extension("json.damaged");
                tracing::warn!(
                    "{} is damaged ({error}) and is kept as {}",
                    self.path.display(),
                    aside.display()
                );
                fs::rename(&self.path, &aside).map_err(|source| self.failed(source))?;
                Ok(Book::default())
            }),
            Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(Book::default()),
            Err(error) => Err(self.failed(error)),
        }
    }

    /// Reads, changes and writes while no other program does.
    pub fn change<T>(&self, change: impl FnOnce(&mut Book) -> T) -> Result<T, BookError> {
        let changed = || -> io::Result<T> {
            let directory = self.path.parent().unwrap_or(Path::new("."));
            fs::create_dir_all(directory)?;
            let _held = lock_file(&self.path.with_extension("lock"))?;
            let mut book = self.read().map_err(|error| error.source)?;
            let value = change(&mut book);
            let mut beside = tempfile::Builder::new()
                .prefix(".auth")
                .tempfile_in(directory)?;
            beside.write_all(&serde_json::to_vec_pretty(&book)?)?;
            beside.persist(&self.path)?;
            Ok(value)
        };
        changed().map_err(|source| self.failed(source))
    }

    /// Where whoever refreshes this grant holds a lock.
    pub fn refresh_lock(&self, server: &ServerId, identity: &str) -> PathBuf {
        let name: String = format!("{server} {identity}")
            .chars()
            .map(|character| {
                if character.is_ascii_alphanumeric() {
                    character
                } else {
                    '_'
                }
            })
            .take(120)
            .collect();
        self.path.with_file_name("refreshing").join(name)
    }

    fn failed(&self, source: io::Error) -> BookError {
        BookError {
            path: self.path.display().to_string(),
            source,
        }
    }
}

/// Holds a lock, also against other programs, until the file is closed. Blocks.
pub(crate) fn lock_file(path: &Path) -> io::Result<File> {
    if let Some(directory) = path.parent() {
        fs::create_dir_all(directory)?;
    }
    let file = OpenOptions::new()
        .create(true)
        .truncate(false)
        .write(true)
        .open(path)?;
    file.lock()?;
    Ok(file)
}
