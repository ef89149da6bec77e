//! Takes what happens on connections: to the calls that it belongs to, and to the agents that want to
//! know of changed lists.

use std::sync::{Arc, Weak};

use sightglass_connection::{ConnectionEvent, EventSubscriber, ListState};

use crate::{
    calls::AgentCalls,
    lent::LentServers,
    listening::{ChangeReceivers, ListChanges},
};

/// Receiver of the events of all connections.
pub struct ServedEvents {
    // The inspector holds its subscribers, and these hold it.
    pub calls: Weak<AgentCalls>,
    pub lent: Weak<LentServers>,
    pub changes: Arc<ChangeReceivers>,
}

impl EventSubscriber for ServedEvents {
    fn receive(&self, event: &ConnectionEvent) {
        if let ConnectionEvent::List { server, change } = event
            && change.state == ListState::Loaded
            && self.lent.upgrade().is_some_and(|lent| lent.lends(server))
        {
            self.changes.tell(ListChanges::of(change.list));
        }
        if let Some(calls) = self.calls.upgrade() {
            calls.receive(event);
        }
    }
}
