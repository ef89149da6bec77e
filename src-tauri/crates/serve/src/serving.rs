//! Serves to all agents.

use std::{collections::HashMap, sync::Arc};

use sightglass_inspector::{Inspector, ServerId, ServerSpec};

use crate::{
    calls::AgentCalls,
    events::ServedEvents,
    lent::LentServers,
    listening::ChangeReceivers,
    offer::{Offer, ServeOptions},
    outgoing::Outgoing,
    reach::Reach,
};

/// Everything that is served, and the agents that are connected.
pub struct Serving {
    pub(crate) inspector: Arc<Inspector>,
    pub(crate) outgoing: Arc<Outgoing>,
    pub(crate) reach: Arc<Reach>,
    pub(crate) calls: Arc<AgentCalls>,
    /// The servers that are lent, where it is not the own tools that are served.
    pub(crate) lent: Option<Arc<LentServers>>,
    pub(crate) changes: Arc<ChangeReceivers>,
}

impl Serving {
    /// Prepares what is served. Servers that are lent are being connected from now on.
    ///
    /// Must be called within a Tokio runtime.
    pub fn open(inspector: &Arc<Inspector>, options: ServeOptions) -> Arc<Self> {
        let outgoing = Arc::new(Outgoing::new(Arc::clone(inspector), options.max_characters));
        let servers = match &options.offer {
            Offer::OwnTools => &[][..],
            Offer::Server(server) => std::slice::from_ref(&**server),
            Offer::Servers(servers) => servers,
        };
        let specs: HashMap<ServerId, ServerSpec> = servers
            .iter()
            .filter_map(|server| Some((server.id.clone(), server.spec.clone()?)))
            .collect();
        let reach = Arc::new(Reach::new(
            Arc::clone(inspector),
            Arc::clone(&outgoing),
            options.patterns.clone(),
            specs,
        ));
        let calls = AgentCalls::new(Arc::clone(inspector), Arc::clone(&outgoing));
        let lent = LentServers::of(&options.offer, inspector, &reach, &outgoing, &calls);
        let lent = lent.map(Arc::new);
        let changes = Arc::<ChangeReceivers>::default();
        inspector
            .core
            .connections
            .subscribe_events(Arc::new(ServedEvents {
                calls: Arc::downgrade(&calls),
                lent: lent.as_ref().map(Arc::downgrade).unwrap_or_default(),
                changes: Arc::clone(&changes),
            }));
        if let Some(lent) = &lent {
            lent.connect();
        }
        Arc::new(Self {
            inspector: Arc::clone(inspector),
            outgoing,
            reach,
            calls,
            lent,
            changes,
        })
    }
}
