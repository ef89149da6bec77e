//! Stores of servers that connections ask, and that the area works with. They are opened first.

use std::sync::Arc;

use sightglass_area_core::{
    config_workspace::ConfigWorkspace, files::DataFiles, options::InspectorOptions,
};

use crate::{
    folder_answers::FolderAnswers, roots::RootSettings, server_settings::SavedServerSettings,
    settings_keys::SettingsKeys, tried_definitions::TriedDefinitions,
};

/// Stores of servers.
pub struct ServerStores {
    pub folder: Arc<FolderAnswers>,
    /// Servers that the user tries without saving them.
    pub tried: Arc<TriedDefinitions>,
    pub roots: Arc<RootSettings>,
    pub server_settings: Arc<SavedServerSettings>,
}

impl ServerStores {
    /// Reads what earlier programs stored.
    pub fn open(
        options: &InspectorOptions,
        data: &DataFiles,
        config: &Arc<ConfigWorkspace>,
    ) -> Self {
        let folder = Arc::new(FolderAnswers::new(&options.places, data.clone()));
        let tried = Arc::<TriedDefinitions>::default();
        let settings_keys = Arc::new(SettingsKeys::new(
            Arc::clone(&folder),
            Arc::clone(config),
            Arc::clone(&tried),
        ));
        let roots = Arc::new(RootSettings::new(
            Arc::clone(&folder),
            Arc::clone(&settings_keys),
            options.places.home.clone(),
            data.clone(),
        ));
        let server_settings = Arc::new(SavedServerSettings::new(settings_keys, data.clone()));
        Self {
            folder,
            tried,
            roots,
            server_settings,
        }
    }
}
