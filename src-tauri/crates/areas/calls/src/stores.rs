//! Stores of calls that connections ask or tell, and that the area works with. They are opened first.

use std::sync::Arc;

use sightglass_area_core::{
    config_workspace::ConfigWorkspace, files::DataFiles, options::InspectorOptions,
    publisher::Publisher,
};
use sightglass_area_servers::stores::ServerStores;

use crate::{answer_rules::AnswerRules, resource_cache::ResourceCache, tasks::TaskStore};

/// Stores of calls.
pub struct CallStores {
    pub answer_rules: Arc<AnswerRules>,
    pub tasks: Arc<TaskStore>,
    pub resources_read: Arc<ResourceCache>,
}

impl CallStores {
    /// Reads what earlier programs stored.
    pub fn open(
        options: &InspectorOptions,
        data: &DataFiles,
        config: &Arc<ConfigWorkspace>,
        publisher: &Arc<Publisher>,
        servers: &ServerStores,
    ) -> Self {
        let folder = &servers.folder;
        Self {
            answer_rules: Arc::new(AnswerRules::new(
                data.answer_rules(),
                folder.name(),
                Arc::clone(config),
                Arc::clone(publisher),
            )),
            tasks: Arc::new(TaskStore::open(options, data, &folder.key(), publisher)),
            resources_read: Arc::default(),
        }
    }
}
