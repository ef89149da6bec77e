//! Calls: what a server can do, and what it answers.

use std::sync::{Arc, Mutex};

use sightglass_area_core::{
    command::{Command, within},
    core::Core,
};
use sightglass_area_servers::Servers;

use crate::{
    answer_rules::AnswerRuleFile, call_reports::CallReports, client_limits::ClientResultLimits,
    client_rules::ClientRules, confirmation::Confirmations, current_surface::CurrentSurface,
    extensions::Extensions, lists::Lists, remembered_arguments::SavedArguments,
    requests::McpRequests, resource_cache::CachedResources, skills::ServerSkills,
    stores::CallStores, tasks::ServerTasks,
};

/// Calls: what a server can do, and what it answers.
pub struct Calls {
    pub lists: Arc<Lists>,
    pub arguments: Arc<SavedArguments>,
    pub client_limits: Arc<ClientResultLimits>,
    pub current_surface: Arc<CurrentSurface>,
    pub client_rules: Arc<ClientRules>,
    pub confirmations: Arc<Confirmations>,
    pub reports: Arc<CallReports>,
    pub tasks: Arc<ServerTasks>,
    pub requests: Arc<McpRequests>,
    pub resources: Arc<CachedResources>,
    pub skills: Arc<ServerSkills>,
    pub extensions: Arc<Extensions>,
    pub answer_rules: Arc<AnswerRuleFile>,
}

impl Calls {
    /// Puts the area together, each part with those that it calls.
    pub fn new(core: &Arc<Core>, stores: &CallStores, servers: &Servers) -> Self {
        let lists = Arc::new(Lists {
            core: Arc::clone(core),
            remembered: Mutex::new(core.data.read_arguments()),
        });
        let arguments = Arc::new_cyclic(|this| SavedArguments {
            core: Arc::clone(core),
            lists: Arc::clone(&lists),
            server_settings: Arc::clone(&servers.server_settings),
            sign_in_targets: Arc::clone(&servers.sign_in_targets),
            unsaved_arguments: Default::default(),
            this: this.clone(),
        });
        let client_limits = Arc::new(ClientResultLimits {
            core: Arc::clone(core),
        });
        let current_surface = Arc::new(CurrentSurface {
            core: Arc::clone(core),
            open_connections: Arc::clone(&servers.open_connections),
            lifecycle: Arc::clone(&servers.lifecycle),
        });
        let client_rules = Arc::new(ClientRules {
            core: Arc::clone(core),
            current_surface: Arc::clone(&current_surface),
        });
        let confirmations = Arc::new_cyclic(|this| Confirmations {
            core: Arc::clone(core),
            client_rules: Arc::clone(&client_rules),
            lists: Arc::clone(&lists),
            server_settings: Arc::clone(&servers.server_settings),
            specs: Arc::clone(&servers.specs),
            open: Default::default(),
            this: this.clone(),
        });
        let reports = Arc::new(CallReports {
            core: Arc::clone(core),
            client_limits: Arc::clone(&client_limits),
        });
        let tasks = Arc::new_cyclic(|this| ServerTasks {
            core: Arc::clone(core),
            reports: Arc::clone(&reports),
            lists: Arc::clone(&lists),
            open_connections: Arc::clone(&servers.open_connections),
            server_settings: Arc::clone(&servers.server_settings),
            store: Arc::clone(&stores.tasks),
            this: this.clone(),
        });
        let requests = Arc::new(McpRequests {
            core: Arc::clone(core),
            reports: Arc::clone(&reports),
            confirmations: Arc::clone(&confirmations),
            open_connections: Arc::clone(&servers.open_connections),
            arguments: Arc::clone(&arguments),
            names: Arc::clone(&servers.names),
            lifecycle: Arc::clone(&servers.lifecycle),
            sidebar: Arc::clone(&servers.sidebar),
            sign_in_targets: Arc::clone(&servers.sign_in_targets),
            tasks: Arc::clone(&tasks),
        });
        let resources = Arc::new(CachedResources {
            requests: Arc::clone(&requests),
            open_connections: Arc::clone(&servers.open_connections),
            cache: Arc::clone(&stores.resources_read),
        });
        let skills = Arc::new(ServerSkills {
            core: Arc::clone(core),
            reports: Arc::clone(&reports),
            open_connections: Arc::clone(&servers.open_connections),
            listed: Default::default(),
        });
        let extensions = Arc::new(Extensions {
            core: Arc::clone(core),
            current_surface: Arc::clone(&current_surface),
            open_connections: Arc::clone(&servers.open_connections),
            server_settings: Arc::clone(&servers.server_settings),
            settings_changes: Arc::clone(&servers.settings_changes),
        });
        let answer_rules = Arc::new(AnswerRuleFile {
            core: Arc::clone(core),
            rules: Arc::clone(&stores.answer_rules),
        });
        Self {
            lists,
            arguments,
            client_limits,
            current_surface,
            client_rules,
            confirmations,
            reports,
            tasks,
            requests,
            resources,
            skills,
            extensions,
            answer_rules,
        }
    }

    /// Lists the commands of the area.
    pub fn commands() -> Vec<Command<Self>> {
        [
            within(Lists::commands(), |area: &Self| &area.lists),
            within(ClientRules::commands(), |area: &Self| &area.client_rules),
            within(Confirmations::commands(), |area: &Self| &area.confirmations),
            within(ServerTasks::commands(), |area: &Self| &area.tasks),
            within(McpRequests::commands(), |area: &Self| &area.requests),
            within(McpRequests::as_identity_commands(), |area: &Self| {
                &area.requests
            }),
            within(CachedResources::commands(), |area: &Self| &area.resources),
            within(ServerSkills::commands(), |area: &Self| &area.skills),
            within(Extensions::commands(), |area: &Self| &area.extensions),
            within(AnswerRuleFile::commands(), |area: &Self| &area.answer_rules),
        ]
        .into_iter()
        .flatten()
        .collect()
    }
}
