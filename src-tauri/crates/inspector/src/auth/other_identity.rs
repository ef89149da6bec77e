//! Events of connections as another identity, which the window does not show.

use sightglass_connection::ConnectionEvent;

use crate::defined_by::aliased_server;

/// The events of connections that were made for one call as another identity stay inside,
/// but for what the server asks of the person.
pub(crate) fn published_event(event: ConnectionEvent) -> Option<ConnectionEvent> {
    match event {
        ConnectionEvent::RequestArrived { mut request } => {
            if let Some(server) = aliased_server(&request.server) {
                request.server = server;
            }
            Some(ConnectionEvent::RequestArrived { request })
        }
        ConnectionEvent::Status { ref server, .. }
        | ConnectionEvent::List { ref server, .. }
        | ConnectionEvent::Progress { ref server, .. }
        | ConnectionEvent::ResourceAnnounced { ref server, .. }
        | ConnectionEvent::ResourceUpdated { ref server, .. }
        | ConnectionEvent::ResourcesUpdated { ref server } => {
            aliased_server(server).is_none().then_some(event)
        }
        event => Some(event),
    }
}
