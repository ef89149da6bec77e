//! Stores that connections ask or tell, and that areas work with. They are opened first.

use std::sync::Arc;

use crate::{
    InspectorOptions, answer_rules::AnswerRules, config_workspace::ConfigWorkspace,
    files::DataFiles, folder_trust::FolderAnswers, publisher::Publisher,
    resource_cache::ResourceCache, roots::RootSettings, server_settings::SavedServerSettings,
    settings_keys::SettingsKeys, tasks::TaskStore, tried::TriedDefinitions,
};

pub(crate) struct Stores {
    pub publisher: Arc<Publisher>,
    pub config: Arc<ConfigWorkspace>,
    pub folder: Arc<FolderAnswers>,
    /// Servers that the user tries without saving them.
    pub tried: Arc<TriedDefinitions>,
    pub roots: Arc<RootSettings>,
    pub server_settings: Arc<SavedServerSettings>,
    pub answer_rules: Arc<AnswerRules>,
    pub tasks: Arc<TaskStore>,
    pub resources_read: Arc<ResourceCache>,
}

impl Stores {
    /// Reads what earlier programs stored, and the configuration.
    pub fn open(options: &InspectorOptions, data: &DataFiles) -> Self {
        let publisher = Arc::new(Publisher::default());
        let folder = Arc::new(FolderAnswers::new(&options.places, data.clone()));
        let config = Arc::new(ConfigWorkspace::open(options, data.read_approvals()));
        let tried = Arc::<TriedDefinitions>::default();
        let settings_keys = Arc::new(SettingsKeys::new(
            Arc::clone(&folder),
            Arc::clone(&config),
            Arc::clone(&tried),
        ));
        let roots = Arc::new(RootSettings::new(
            Arc::clone(&folder),
            Arc::clone(&settings_keys),
            options.places.home.clone(),
            data.clone(),
        ));
        let server_settings = Arc::new(SavedServerSettings::new(settings_keys, data.clone()));
        let answer_rules = Arc::new(AnswerRules::new(
            data.answer_rules(),
            folder.name(),
            Arc::clone(&config),
            Arc::clone(&publisher),
        ));
        let tasks = Arc::new(TaskStore::open(options, data, &folder.key(), &publisher));
        Self {
            publisher,
            config,
            folder,
            tried,
            roots,
            server_settings,
            answer_rules,
            tasks,
            resources_read: Arc::default(),
        }
    }
}
