//! Makes the connections of an inspector.

use std::{collections::HashMap, sync::Arc};

use sightglass_area_core::{options::InspectorOptions, view::Settings};
use sightglass_area_servers::roots::RootSettings;
use sightglass_connection::{ClientIdentity, Connections, ConnectionsOptions, QuestionRules};
use sightglass_http::CurrentProxies;
use sightglass_model::{KnownEndpoint, ServerId};
use sightglass_traffic::Recorder;

/// Parts that connections use.
pub(crate) struct ConnectionParts<'a> {
    pub options: &'a InspectorOptions,
    pub settings: &'a Settings,
    pub recorder: &'a Recorder,
    pub roots: &'a Arc<RootSettings>,
    /// Rules that answer questions in the user's place, asked in their order.
    pub rules: Vec<Arc<dyn QuestionRules>>,
    pub proxies: &'a Arc<CurrentProxies>,
    /// Endpoints that were found by earlier programs.
    pub found: HashMap<ServerId, KnownEndpoint>,
}

/// Makes the connections. None is open yet.
pub(crate) fn connections(parts: ConnectionParts<'_>) -> Connections {
    let roots = Arc::clone(parts.roots);
    let connections = Connections::new(ConnectionsOptions {
        recorder: parts.recorder.clone(),
        client: ClientIdentity {
            name: "sightglass".into(),
            title: Some("Sightglass".into()),
            version: env!("CARGO_PKG_VERSION").into(),
        },
        message_limit: parts.settings.message_limit_bytes(),
        roots: Arc::new(move |server| roots.of(server)),
        rules: parts.rules,
        lists: parts.options.lists.clone(),
        reaper: parts.options.reaper.clone(),
        proxies: Arc::clone(parts.proxies),
        found: parts.found,
    });
    connections.set_ping_interval(parts.settings.ping_interval());
    connections
}
