//! Values that the user set for single servers, by project, server and definer: two projects may
//! each have a server of the same name, and so may the user and a project.

use serde::{Deserialize, Serialize};
use sightglass_model::ServerId;

/// Key of a server in what is kept for it.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct ServerKey {
    pub project: String,
    pub server: ServerId,
    /// Tells definers of one server apart; empty for the user.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub definer: String,
}

/// Values of type `T` by server.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(transparent)]
pub struct PerServer<T>(Vec<ServerEntry<T>>);

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
struct ServerEntry<T> {
    #[serde(flatten)]
    key: ServerKey,
    #[serde(flatten)]
    value: T,
}

impl<T> Default for PerServer<T> {
    fn default() -> Self {
        Self(Vec::new())
    }
}

impl<T> PerServer<T> {
    pub fn map<U>(self, convert: impl Fn(T) -> U) -> PerServer<U> {
        let convert = |entry: ServerEntry<T>| ServerEntry {
            key: entry.key,
            value: convert(entry.value),
        };
        PerServer(self.0.into_iter().map(convert).collect())
    }

    pub fn of(&self, key: &ServerKey) -> Option<&T> {
        let mut all = self.0.iter();
        all.find(|entry| entry.key == *key)
            .map(|entry| &entry.value)
    }

    /// Returns true when a value is kept for a server of this name, in whatever project it is and
    /// whoever defines it.
    pub fn has(&self, server: &ServerId) -> bool {
        self.0.iter().any(|entry| entry.key.server == *server)
    }

    /// Returns the value that was kept for a server before definers were told apart. It may have been
    /// meant for another one of the name, so that only a restriction of it may count.
    pub fn before_definers(&self, key: &ServerKey) -> Option<&T> {
        let before = ServerKey {
            definer: String::new(),
            ..key.clone()
        };
        (!key.definer.is_empty()).then(|| self.of(&before))?
    }

    /// Sets the value of one server; `None` forgets it.
    pub fn set(&mut self, key: ServerKey, value: Option<T>) {
        self.0.retain(|entry| entry.key != key);
        if let Some(value) = value {
            self.0.push(ServerEntry { key, value });
        }
    }
}

/// Folders that a server is told it may use: absolute paths and `file:` URIs.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct ChosenFolders {
    pub folders: Vec<String>,
}
