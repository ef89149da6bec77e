//! Names a server in what the user sets for it.
//!
//! A name alone is not enough: a project's file can take that of the user's own server, and one
//! link that of another. What was set for the one is not for the other.

use std::sync::Arc;

use sightglass_area_core::{
    config_workspace::ConfigWorkspace, defined_by::defined_by, per_server::ServerKey,
};
use sightglass_model::{DefinedBy, ServerId};

use crate::{folder_answers::FolderAnswers, tried_definitions::TriedDefinitions};

/// The keys of servers in one project.
pub struct SettingsKeys {
    folder: Arc<FolderAnswers>,
    config: Arc<ConfigWorkspace>,
    tried: Arc<TriedDefinitions>,
}

impl SettingsKeys {
    pub fn new(
        folder: Arc<FolderAnswers>,
        config: Arc<ConfigWorkspace>,
        tried: Arc<TriedDefinitions>,
    ) -> Self {
        Self {
            folder,
            config,
            tried,
        }
    }

    pub fn of(&self, server: &ServerId) -> ServerKey {
        ServerKey {
            project: self.folder.key(),
            server: server.clone(),
            definer: match defined_by(server, &self.config.files()) {
                DefinedBy::User | DefinedBy::CommandLine | DefinedBy::BuiltIn => String::new(),
                DefinedBy::Project => "project".to_owned(),
                DefinedBy::Unsaved => {
                    let plan = self.tried.fingerprint(server);
                    format!("unsaved {}", plan.unwrap_or_default())
                }
            },
        }
    }
}
