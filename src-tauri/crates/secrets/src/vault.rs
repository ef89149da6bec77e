//! Secret store: the keychain of the operating system, or a file of the owner's
//! alone where there is none.
//!
//! The choice is made once, by trying: a keychain counts when it takes, gives back and
//! forgets a value. What can be in the way on Linux are four different things: no D-Bus
//! session, no Secret Service on it, a service without a default collection (opening and
//! reading succeed, only writing fails), and a locked collection, whose own dialog opens
//! while the call blocks. The first three lead to the file, and [`VaultState::problem`]
//! says why. A locked keychain never does: the vault waits, says since when, and if the
//! user closes the dialog the operation fails. A choice that the user made, and a file
//! that already holds secrets, stay until [`Vault::move_to`].
//!
//! Calls to a keychain block, so each runs on a thread of its own.

mod file;
mod keychain;

use std::{
    collections::BTreeMap,
    path::{Path, PathBuf},
    sync::{Arc, Mutex, MutexGuard, PoisonError},
    time::SystemTime,
};

use serde::{Deserialize, Serialize};
use thiserror::Error;
use tokio::sync::watch;

use crate::Secret;
use file::{Contents, VaultFile};
pub use keychain::Keychain;
use keychain::Refusal;

/// A keychain that takes longer than this for an answer is waiting for the user.
const PROMPT_DELAY: std::time::Duration = std::time::Duration::from_millis(400);

/// Kind of secret store.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, specta::Type)]
#[serde(rename_all = "camelCase")]
pub enum VaultKind {
    Keychain,
    /// A file readable by its owner alone.
    File,
    /// Nothing outlives the program.
    Memory,
}

/// State of the vault.
#[derive(Debug, Clone, PartialEq)]
pub struct VaultState {
    /// Absent before the first use.
    pub kind: Option<VaultKind>,
    /// Reason why the keychain is not in use, or the last error.
    pub problem: Option<String>,
    /// Time since which the keychain has been waiting for the user.
    pub waiting_since: Option<SystemTime>,
}

/// Error of keeping or reading a secret.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
pub enum VaultError {
    /// The user closed the keychain's dialog, or the keychain refuses this program.
    #[error("the keychain stayed locked. Unlock it, or move the secrets to a file")]
    Locked,
    #[error("the keychain did not do it: {0}. The secrets can be moved to a file")]
    Keychain(String),
    #[error("the secrets in {path} could not be read or written: {message}")]
    File { path: String, message: String },
    #[error("secrets cannot be moved there")]
    NoSuchPlace,
}

/// Options to open a [`Vault`].
pub struct VaultOptions {
    /// The directory that holds the file, and what is known of the keychain.
    pub directory: PathBuf,
    /// The keychain, usually [`Keychain::of_the_system`].
    pub keychain: Keychain,
}

/// The place where secrets are kept. Cheap to clone.
#[derive(Clone)]
pub struct Vault {
    inner: Arc<VaultInner>,
}

struct VaultInner {
    medium: Medium,
    state: watch::Sender<VaultState>,
    /// One operation at a time, so that a locked keychain opens one dialog.
    turn: tokio::sync::Mutex<()>,
}

enum Medium {
    Memory(Mutex<BTreeMap<String, Secret<String>>>),
    Lasting { file: VaultFile, keychain: Keychain },
}

impl Vault {
    /// Opens the vault. The keychain is first asked when a secret is read or kept.
    pub fn open(options: VaultOptions) -> Self {
        let file = VaultFile::in_directory(&options.directory);
        let known = file.read().ok().and_then(|contents| contents.kind());
        Self::new(
            Medium::Lasting {
                file,
                keychain: options.keychain,
            },
            known,
        )
    }

    /// A vault that forgets everything with the program.
    pub fn in_memory() -> Self {
        Self::new(Medium::Memory(Mutex::default()), Some(VaultKind::Memory))
    }

    fn new(medium: Medium, kind: Option<VaultKind>) -> Self {
        Self {
            inner: Arc::new(VaultInner {
                medium,
                state: watch::Sender::new(VaultState {
                    kind,
                    problem: None,
                    waiting_since: None,
                }),
                turn: tokio::sync::Mutex::default(),
            }),
        }
    }

    pub fn state(&self) -> VaultState {
        self.inner.state.borrow().clone()
    }

    /// Tells when the state changes.
    pub fn watch(&self) -> watch::Receiver<VaultState> {
        self.inner.state.subscribe()
    }

    /// The file, and whether it is where secrets are or would be.
    pub fn file(&self) -> Option<&Path> {
        match &self.inner.medium {
            Medium::Lasting { file, .. } => Some(file.path()),
            Medium::Memory(_) => None,
        }
    }

    /// Name of the keychain.
    pub fn keychain_label(&self) -> &'static str {
        keychain::LABEL
    }

    /// Returns true when a secret of this name is kept. Asks no keychain.
    pub fn has(&self, name: &str) -> bool {
        match &self.inner.medium {
            Medium::Memory(secrets) => lock(secrets).contains_key(name),
            Medium::Lasting { file, .. } => file.read().is_ok_and(|contents| contents.has(name)),
        }
    }

    /// Decides where secrets are kept, if that is still open, and says where.
    pub async fn settle(&self) -> Result<VaultKind, VaultError> {
        self.run(|work| work.kind()).await
    }

    /// The secret of this name, if there is one.
    pub async fn get(&self, name: &str) -> Result<Option<Secret<String>>, VaultError> {
        let name = name.to_owned();
        self.run(move |work| work.get(&name)).await
    }

    /// Keeps a secret under this name, in place of the one before.
    pub async fn set(&self, name: &str, value: Secret<String>) -> Result<(), VaultError> {
        let name = name.to_owned();
        self.run(move |work| work.set(&name, &value)).await
    }

    /// Forgets a secret. There need not be one.
    pub async fn remove(&self, name: &str) -> Result<(), VaultError> {
        let name = name.to_owned();
        self.run(move |work| work.remove(&name)).await
    }

    /// Moves every secret. They are all in the new place before they leave the old one.
    ///
    /// # Errors
    /// When one of the places refuses. Everything then still is where it was.
    pub async fn move_to(&self, kind: VaultKind) -> Result<(), VaultError> {
        self.run(move |work| work.move_to(kind)).await
    }

    /// Runs an operation on a thread where it may block, and tells when it waits for the
    /// user. It runs to its end, and keeps its turn, also when no caller waits for it any more:
    /// the keychain's dialog stays open.
    async fn run<T: Send + 'static>(
        &self,
        operation: impl FnOnce(&VaultWork<'_>) -> Result<T, VaultError> + Send + 'static,
    ) -> Result<T, VaultError> {
        let inner = Arc::clone(&self.inner);
        let task = tokio::spawn(async move {
            let _turn = inner.turn.lock().await;
            let working = Arc::clone(&inner);
            let mut task = tokio::task::spawn_blocking(move || operation(&VaultWork(&working)));
            match tokio::time::timeout(PROMPT_DELAY, &mut task).await {
                Ok(finished) => finished,
                Err(_) => {
                    inner
                        .state
                        .send_modify(|state| state.waiting_since = Some(SystemTime::now()));
                    let finished = task.await;
                    inner.state.send_modify(|state| state.waiting_since = None);
                    finished
                }
            }
        });
        // A panic in it was reported by the panic hook.
        match task.await {
            Ok(Ok(outcome)) => outcome,
            _ => Err(VaultError::Keychain("it stopped in the middle".to_owned())),
        }
    }
}

/// The operations themselves. They block.
struct VaultWork<'a>(&'a VaultInner);

impl VaultWork<'_> {
    fn kind(&self) -> Result<VaultKind, VaultError> {
        let (file, keychain) = match &self.0.medium {
            Medium::Memory(_) => return Ok(VaultKind::Memory),
            Medium::Lasting { file, keychain } => (file, keychain),
        };
        if let Some(kind) = file.read()?.kind() {
            self.settled(kind, None);
            return Ok(kind);
        }
        let identifier = file.identifier()?;
        match keychain.probe(&identifier) {
            Ok(()) => {
                self.settled(VaultKind::Keychain, None);
                Ok(VaultKind::Keychain)
            }
            Err(Refusal::Absent(reason)) => {
                let problem =
                    format!("{reason} Secrets are kept in a file that only you can read.");
                self.settled(VaultKind::File, Some(problem));
                Ok(VaultKind::File)
            }
            Err(refusal) => Err(self.refused(refusal)),
        }
    }

    fn settled(&self, kind: VaultKind, problem: Option<String>) {
        self.0.state.send_if_modified(|state| {
            let problem = problem.or_else(|| {
                (state.kind == Some(kind))
                    .then(|| state.problem.clone())
                    .flatten()
            });
            let changed = state.kind != Some(kind) || state.problem != problem;
            state.kind = Some(kind);
            state.problem = problem;
            changed
        });
    }

    fn refused(&self, refusal: Refusal) -> VaultError {
        let error = refusal.into_error();
        self.0
            .state
            .send_modify(|state| state.problem = Some(error.to_string()));
        error
    }

    fn get(&self, name: &str) -> Result<Option<Secret<String>>, VaultError> {
        match (self.kind()?, &self.0.medium) {
            (_, Medium::Memory(secrets)) => Ok(lock(secrets).get(name).cloned()),
            (VaultKind::Keychain, Medium::Lasting { file, keychain }) => {
                let contents = file.read()?;
                if !contents.has(name) {
                    return Ok(None);
                }
                self.told(keychain.get(&contents.identifier, name))
            }
            (_, Medium::Lasting { file, .. }) => Ok(file.read()?.secret(name)),
        }
    }

    fn set(&self, name: &str, value: &Secret<String>) -> Result<(), VaultError> {
        match (self.kind()?, &self.0.medium) {
            (_, Medium::Memory(secrets)) => {
                lock(secrets).insert(name.to_owned(), value.clone());
                Ok(())
            }
            (VaultKind::Keychain, Medium::Lasting { file, keychain }) => {
                let identifier = file.identifier()?;
                self.told(keychain.set(&identifier, name, value))?;
                file.change(|contents| contents.note(name))
            }
            (_, Medium::Lasting { file, .. }) => file.change(|contents| contents.keep(name, value)),
        }
    }

    fn remove(&self, name: &str) -> Result<(), VaultError> {
        match &self.0.medium {
            Medium::Memory(secrets) => {
                lock(secrets).remove(name);
                Ok(())
            }
            Medium::Lasting { file, keychain } => {
                let contents = file.read()?;
                if !contents.has(name) {
                    return Ok(());
                }
                if contents.kind() == Some(VaultKind::Keychain) {
                    self.told(keychain.remove(&contents.identifier, name))?;
                }
                file.change(|contents| contents.forget(name))
            }
        }
    }

    fn move_to(&self, kind: VaultKind) -> Result<(), VaultError> {
        let Medium::Lasting { file, keychain } = &self.0.medium else {
            return Err(VaultError::NoSuchPlace);
        };
        let identifier = file.identifier()?;
        let before = file.read()?;
        match kind {
            VaultKind::Memory => return Err(VaultError::NoSuchPlace),
            VaultKind::Keychain => {
                self.told(keychain.probe(&identifier))?;
                for (name, value) in before.secrets() {
                    self.told(keychain.set(&identifier, name, &value))?;
                }
                file.change(Contents::moved_to_keychain)?;
            }
            VaultKind::File => {
                let mut values = Vec::new();
                if before.kind() == Some(VaultKind::Keychain) {
                    for name in before.names() {
                        if let Some(value) = self.told(keychain.get(&identifier, name))? {
                            values.push((name.to_owned(), value));
                        }
                    }
                }
                file.change(|contents| contents.moved_to_file(&values))?;
                for (name, _) in &values {
                    if let Err(refusal) = keychain.remove(&identifier, name) {
                        let error = self.refused(refusal);
                        tracing::warn!("a secret stayed behind in the keychain: {error}");
                    }
                }
            }
        }
        self.0.state.send_modify(|state| {
            state.kind = Some(kind);
            state.problem = None;
        });
        Ok(())
    }

    /// Keeps what the keychain said for the window to show.
    fn told<T>(&self, answer: Result<T, Refusal>) -> Result<T, VaultError> {
        match answer {
            Ok(value) => {
                self.0.state.send_if_modified(|state| {
                    let was = state.kind == Some(VaultKind::Keychain) && state.problem.is_some();
                    if was {
                        state.problem = None;
                    }
                    was
                });
                Ok(value)
            }
            Err(refusal) => Err(self.refused(refusal)),
        }
    }
}

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

#[cfg(test)]
mod tests;
