//! Stored roots that the user chose.

use serde::{Deserialize, Serialize};
use sightglass_model::ServerId;

/// Roots that the user chose, by project and server.
#[derive(Debug, Default, Clone, PartialEq, Serialize, Deserialize)]
#[serde(transparent)]
pub(crate) struct ChosenRoots(Vec<RootsOfServer>);

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
struct RootsOfServer {
    project: String,
    server: ServerId,
    /// Absolute paths and `file:` URIs.
    folders: Vec<String>,
}

impl ChosenRoots {
    pub fn of(&self, project: &str, server: &ServerId) -> Option<&[String]> {
        let mut all = self.0.iter();
        all.find(|roots| roots.project == project && roots.server == *server)
            .map(|roots| roots.folders.as_slice())
    }

    pub fn set(&mut self, project: String, server: &ServerId, folders: Option<Vec<String>>) {
        self.0
            .retain(|roots| roots.project != project || roots.server != *server);
        if let Some(folders) = folders {
            self.0.push(RootsOfServer {
                project,
                server: server.clone(),
                folders,
            });
        }
    }
}
