//! Setup: who has a server, which file wins, and changes of the files.

use std::sync::Arc;

use sightglass_area_core::{
    command::{Command, within},
    core::Core,
};
use sightglass_area_servers::Servers;

use crate::{
    bundles::Bundles, config_changes::ConfigChanges, config_text::ConfigText,
    draft_check::DraftChecks, explanation::Explanations, import_sources::ImportSources,
    local_network::LocalNetwork, plan_secrets::PlanSecrets, registry::Registry,
    server_export::ServerExport, unused_bundles::UnusedBundles,
};

/// Setup: who has a server, which file wins, and changes of the files.
pub struct Setup {
    pub registry: Arc<Registry>,
    pub bundles: Arc<Bundles>,
    pub import_sources: Arc<ImportSources>,
    pub server_export: Arc<ServerExport>,
    pub unused_bundles: Arc<UnusedBundles>,
    pub changes: Arc<ConfigChanges>,
    pub plan_secrets: Arc<PlanSecrets>,
    pub text: Arc<ConfigText>,
    pub explanations: Arc<Explanations>,
    pub drafts: Arc<DraftChecks>,
    pub local_network: Arc<LocalNetwork>,
}

impl Setup {
    /// Puts the area together, each part with those that it calls.
    pub fn new(core: &Arc<Core>, servers: &Servers) -> Self {
        let registry = Arc::new(Registry {
            core: Arc::clone(core),
        });
        let bundles = Arc::new(Bundles {
            core: Arc::clone(core),
            registry: Arc::clone(&registry),
        });
        let import_sources = Arc::new(ImportSources {
            bundles: Arc::clone(&bundles),
        });
        let server_export = Arc::new(ServerExport {
            core: Arc::clone(core),
        });
        let unused_bundles = Arc::new(UnusedBundles {
            core: Arc::clone(core),
            bundles: Arc::clone(&bundles),
        });
        let changes = Arc::new(ConfigChanges {
            core: Arc::clone(core),
            bundles: Arc::clone(&bundles),
            configuration: Arc::clone(&servers.configuration),
            open_connections: Arc::clone(&servers.open_connections),
            trust: Arc::clone(&servers.trust),
            unused_bundles: Arc::clone(&unused_bundles),
        });
        let plan_secrets = Arc::new_cyclic(|this| PlanSecrets {
            core: Arc::clone(core),
            changes: Arc::clone(&changes),
            entry_secrets: Arc::clone(&servers.entry_secrets),
            trust: Arc::clone(&servers.trust),
            this: this.clone(),
        });
        let explanations = Arc::new(Explanations {
            core: Arc::clone(core),
            projection: Arc::clone(&servers.projection),
        });
        let drafts = Arc::new_cyclic(|this| DraftChecks {
            core: Arc::clone(core),
            folder_trust: Arc::clone(&servers.folder_trust),
            this: this.clone(),
        });
        let text = Arc::new(ConfigText {
            core: Arc::clone(core),
            drafts: Arc::clone(&drafts),
        });
        let local_network = Arc::new(LocalNetwork {
            core: Arc::clone(core),
        });
        Self {
            registry,
            bundles,
            import_sources,
            server_export,
            unused_bundles,
            changes,
            plan_secrets,
            text,
            explanations,
            drafts,
            local_network,
        }
    }

    /// Lists the commands of the area.
    pub fn commands() -> Vec<Command<Self>> {
        [
            within(Registry::commands(), |area: &Self| &area.registry),
            within(Bundles::commands(), |area: &Self| &area.bundles),
            within(ImportSources::commands(), |area: &Self| {
                &area.import_sources
            }),
            within(ServerExport::commands(), |area: &Self| &area.server_export),
            within(UnusedBundles::commands(), |area: &Self| {
                &area.unused_bundles
            }),
            within(ConfigChanges::commands(), |area: &Self| &area.changes),
            within(ConfigChanges::plan_commands(), |area: &Self| &area.changes),
            within(PlanSecrets::commands(), |area: &Self| &area.plan_secrets),
            within(ConfigText::commands(), |area: &Self| &area.text),
            within(Explanations::commands(), |area: &Self| &area.explanations),
            within(DraftChecks::commands(), |area: &Self| &area.drafts),
            within(LocalNetwork::commands(), |area: &Self| &area.local_network),
        ]
        .into_iter()
        .flatten()
        .collect()
    }
}
