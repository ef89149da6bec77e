//! Servers: which there are, what they start with, and whether they are up.

use std::sync::Arc;

use sightglass_area_core::{
    command::{Command, within},
    core::Core,
};

use crate::{
    config_projection::ConfigProjection, configuration::Configuration, entry_secrets::EntrySecrets,
    folder_trust::ProjectFolderTrust, lifecycle::ServerLifecycle, obstacle::Obstacles,
    open_connections::OpenConnections, readiness::ServerReadiness, resolution::SpecResolver,
    restart::Restarts, roots::ServerRoots, server_names::ServerNames,
    server_settings::SettingsByServer, server_spec::ServerSpecs,
    session_variables::SessionVariables, settings_changes::SettingsChanges, sidebar::Sidebar,
    sign_in_target::SignInTargets, stores::ServerStores, tried::TriedServers, trust::ServerTrust,
};

/// Servers: which there are, what they start with, and whether they are up.
pub struct Servers {
    pub configuration: Arc<Configuration>,
    pub open_connections: Arc<OpenConnections>,
    pub server_settings: Arc<SettingsByServer>,
    pub entry_secrets: Arc<EntrySecrets>,
    pub session_variables: Arc<SessionVariables>,
    pub resolution: Arc<SpecResolver>,
    pub tried: Arc<TriedServers>,
    pub folder_trust: Arc<ProjectFolderTrust>,
    pub trust: Arc<ServerTrust>,
    pub obstacles: Arc<Obstacles>,
    pub specs: Arc<ServerSpecs>,
    pub sign_in_targets: Arc<SignInTargets>,
    pub settings_changes: Arc<SettingsChanges>,
    pub lifecycle: Arc<ServerLifecycle>,
    pub roots: Arc<ServerRoots>,
    pub projection: Arc<ConfigProjection>,
    pub sidebar: Arc<Sidebar>,
    pub readiness: Arc<ServerReadiness>,
    pub names: Arc<ServerNames>,
    pub restarts: Arc<Restarts>,
}

impl Servers {
    /// Puts the area together, each part with those that it calls.
    pub fn new(core: &Arc<Core>, stores: &ServerStores) -> Self {
        let configuration = Arc::new(Configuration {
            core: Arc::clone(core),
        });
        let open_connections = Arc::new_cyclic(|this| OpenConnections {
            core: Arc::clone(core),
            this: this.clone(),
        });
        let server_settings = Arc::new(SettingsByServer {
            core: Arc::clone(core),
            saved: Arc::clone(&stores.server_settings),
        });
        let entry_secrets = Arc::new(EntrySecrets {
            core: Arc::clone(core),
            configuration: Arc::clone(&configuration),
            values: Default::default(),
        });
        let session_variables = Arc::new(SessionVariables {
            core: Arc::clone(core),
            configuration: Arc::clone(&configuration),
            entry_secrets: Arc::clone(&entry_secrets),
            values: Default::default(),
        });
        let resolution = Arc::new(SpecResolver {
            core: Arc::clone(core),
            entry_secrets: Arc::clone(&entry_secrets),
            server_settings: Arc::clone(&server_settings),
            session_variables: Arc::clone(&session_variables),
        });
        let tried = Arc::new(TriedServers {
            core: Arc::clone(core),
            resolution: Arc::clone(&resolution),
            server_settings: Arc::clone(&server_settings),
            definitions: Arc::clone(&stores.tried),
        });
        let folder_trust = Arc::new(ProjectFolderTrust {
            core: Arc::clone(core),
            configuration: Arc::clone(&configuration),
            open_connections: Arc::clone(&open_connections),
            resolution: Arc::clone(&resolution),
            session_variables: Arc::clone(&session_variables),
            answers: Arc::clone(&stores.folder),
        });
        let trust = Arc::new(ServerTrust {
            core: Arc::clone(core),
            configuration: Arc::clone(&configuration),
            folder_trust: Arc::clone(&folder_trust),
            open_connections: Arc::clone(&open_connections),
        });
        let obstacles = Arc::new(Obstacles {
            resolution: Arc::clone(&resolution),
            session_variables: Arc::clone(&session_variables),
        });
        let specs = Arc::new(ServerSpecs {
            configuration: Arc::clone(&configuration),
            resolution: Arc::clone(&resolution),
            tried: Arc::clone(&tried),
            trust: Arc::clone(&trust),
        });
        let sign_in_targets = Arc::new(SignInTargets {
            configuration: Arc::clone(&configuration),
            specs: Arc::clone(&specs),
            session_variables: Arc::clone(&session_variables),
            trust: Arc::clone(&trust),
            ad_hoc_servers: Default::default(),
        });
        let settings_changes = Arc::new(SettingsChanges {
            core: Arc::clone(core),
            server_settings: Arc::clone(&server_settings),
            specs: Arc::clone(&specs),
        });
        let lifecycle = Arc::new_cyclic(|this| ServerLifecycle {
            core: Arc::clone(core),
            configuration: Arc::clone(&configuration),
            entry_secrets: Arc::clone(&entry_secrets),
            folder_trust: Arc::clone(&folder_trust),
            open_connections: Arc::clone(&open_connections),
            specs: Arc::clone(&specs),
            sign_in_targets: Arc::clone(&sign_in_targets),
            tried: Arc::clone(&tried),
            trust: Arc::clone(&trust),
            watcher: Default::default(),
            this: this.clone(),
        });
        let roots = Arc::new_cyclic(|this| ServerRoots {
            core: Arc::clone(core),
            settings: Arc::clone(&stores.roots),
            this: this.clone(),
        });
        let projection = Arc::new(ConfigProjection {
            core: Arc::clone(core),
            open_connections: Arc::clone(&open_connections),
            resolution: Arc::clone(&resolution),
            session_variables: Arc::clone(&session_variables),
            trust: Arc::clone(&trust),
        });
        let sidebar = Arc::new(Sidebar {
            core: Arc::clone(core),
            folder_trust: Arc::clone(&folder_trust),
            obstacles: Arc::clone(&obstacles),
            open_connections: Arc::clone(&open_connections),
            resolution: Arc::clone(&resolution),
            roots: Arc::clone(&roots),
            server_settings: Arc::clone(&server_settings),
            session_variables: Arc::clone(&session_variables),
            tried: Arc::clone(&tried),
            trust: Arc::clone(&trust),
        });
        let readiness = Arc::new(ServerReadiness {
            core: Arc::clone(core),
            open_connections: Arc::clone(&open_connections),
            lifecycle: Arc::clone(&lifecycle),
        });
        let names = Arc::new(ServerNames {
            configuration: Arc::clone(&configuration),
            sidebar: Arc::clone(&sidebar),
        });
        let restarts = Arc::new(Restarts {
            core: Arc::clone(core),
            readiness: Arc::clone(&readiness),
            watches: Default::default(),
        });
        Self {
            configuration,
            open_connections,
            server_settings,
            entry_secrets,
            session_variables,
            resolution,
            tried,
            folder_trust,
            trust,
            obstacles,
            specs,
            sign_in_targets,
            settings_changes,
            lifecycle,
            roots,
            projection,
            sidebar,
            readiness,
            names,
            restarts,
        }
    }

    /// Lists the commands of the area.
    pub fn commands() -> Vec<Command<Self>> {
        [
            within(OpenConnections::commands(), |area: &Self| {
                &area.open_connections
            }),
            within(SettingsByServer::commands(), |area: &Self| {
                &area.server_settings
            }),
            within(EntrySecrets::commands(), |area: &Self| &area.entry_secrets),
            within(SessionVariables::commands(), |area: &Self| {
                &area.session_variables
            }),
            within(TriedServers::commands(), |area: &Self| &area.tried),
            within(ProjectFolderTrust::commands(), |area: &Self| {
                &area.folder_trust
            }),
            within(ServerTrust::commands(), |area: &Self| &area.trust),
            within(SettingsChanges::commands(), |area: &Self| {
                &area.settings_changes
            }),
            within(ServerLifecycle::commands(), |area: &Self| &area.lifecycle),
            within(ServerRoots::commands(), |area: &Self| &area.roots),
            within(ConfigProjection::commands(), |area: &Self| &area.projection),
            within(Restarts::commands(), |area: &Self| &area.restarts),
        ]
        .into_iter()
        .flatten()
        .collect()
    }
}
