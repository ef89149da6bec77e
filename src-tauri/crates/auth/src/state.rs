//! State that outlives a sign-in, each part with its own methods.

use std::{
    sync::{Arc, OnceLock},
    time::Duration,
};

use futures::future::BoxFuture;
use sightglass_model::ServerId;
use sightglass_secrets::{Vault, VaultError};

use crate::{
    challenges::Challenges, change_signal::ChangeSignal, grants::Grants, http_clients::HttpClients,
    store::AuthStore,
};

/// Answers the value of an environment variable, if it is set.
pub(crate) type Environment = Arc<dyn Fn(&str) -> Option<String> + Send + Sync>;

/// Shows an address to the user, or says why it cannot.
pub(crate) type BrowserOpener = Arc<dyn Fn(&str) -> Result<(), String> + Send + Sync>;

/// Connects to a server again and says, in words, how that went.
pub type Reconnect = dyn Fn(ServerId) -> BoxFuture<'static, Result<String, String>> + Send + Sync;

pub(crate) struct AuthState {
    pub store: Arc<AuthStore>,
    pub vault: Vault,
    pub challenges: Arc<Challenges>,
    pub grants: Grants,
    pub http: Arc<HttpClients>,
    pub change_signal: ChangeSignal,
    pub environment: Environment,
    pub open_browser: BrowserOpener,
    pub browser_timeout: Duration,
    pub reconnect: OnceLock<Arc<Reconnect>>,
}

impl AuthState {
    /// Removes the secrets of registrations that were dropped. What the vault refuses to remove is
    /// tried again the next time.
    pub async fn remove_unused_secrets(&self) -> Result<(), VaultError> {
        let names = self.store.records().unused_secrets.clone();
        if names.is_empty() {
            return Ok(());
        }
        for name in &names {
            self.vault.remove(name).await?;
        }
        let forgotten = self.store.change(|records| {
            records.unused_secrets.retain(|name| !names.contains(name));
        });
        if let Err(error) = forgotten {
            tracing::warn!("{error}");
        }
        Ok(())
    }
}
