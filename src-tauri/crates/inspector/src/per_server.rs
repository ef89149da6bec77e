//! Values that the user set for single servers, by project and server: two projects may each have
//! a server of the same name.

use serde::{Deserialize, Serialize};
use sightglass_model::ServerId;

/// Values of type `T` by project and server.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(transparent)]
pub(crate) struct PerServer<T>(Vec<Entry<T>>);

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
struct Entry<T> {
    project: String,
    server: ServerId,
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
        let convert = |entry: Entry<T>| Entry {
            project: entry.project,
            server: entry.server,
            value: convert(entry.value),
        };
        PerServer(self.0.into_iter().map(convert).collect())
    }

    pub fn of(&self, project: &str, server: &ServerId) -> Option<&T> {
        let mut all = self.0.iter();
        all.find(|entry| entry.project == project && entry.server == *server)
            .map(|entry| &entry.value)
    }

    /// Sets the value of one server; `None` forgets it.
    pub fn set(&mut self, project: String, server: &ServerId, value: Option<T>) {
        self.0
            .retain(|entry| entry.project != project || entry.server != *server);
        if let Some(value) = value {
            self.0.push(Entry {
                project,
                server: server.clone(),
                value,
            });
        }
    }
}

/// Folders that a server is told it may use: absolute paths and `file:` URIs.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub(crate) struct ChosenFolders {
    pub folders: Vec<String>,
}
