//! Tells when a server becomes usable, of the many changes of its phase.

use std::{collections::HashSet, sync::Mutex};

use sightglass_connection::ConnectionEvent;
use sightglass_model::{ServerId, lock};

use crate::view::Fact;

/// The servers that can be used, as far as the facts told so far.
#[derive(Default)]
pub struct LiveServers(Mutex<HashSet<ServerId>>);

impl LiveServers {
    /// Takes the next fact. Returns true when a server can be used from now on. Each call makes it
    /// busy and idle again, which is not told.
    pub fn becomes_live(&self, fact: &Fact) -> bool {
        let Fact::Connection { event } = fact else {
            return false;
        };
        let ConnectionEvent::Status { server, status } = &**event else {
            return false;
        };
        let mut live = lock(&self.0);
        if !status.phase.is_live() {
            live.remove(server);
            return false;
        }
        !live.contains(server) && live.insert(server.clone())
    }

    /// Returns true when a server can be used.
    pub fn is_live(&self, server: &ServerId) -> bool {
        lock(&self.0).contains(server)
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use sightglass_model::{ConnectionStatus, Phase, Timestamp};

    use super::*;

    #[test]
    fn a_server_becomes_live_once_however_many_calls_it_answers() {
        let live = LiveServers::default();
        let becomes_live = |phase: Phase| {
            let status = ConnectionStatus {
                phase,
                ..ConnectionStatus::disconnected(Timestamp::now())
            };
            live.becomes_live(&Fact::Connection {
                event: Box::new(ConnectionEvent::Status {
                    server: ServerId::demo(),
                    status: Arc::new(status),
                }),
            })
        };
        for (phase, expected) in [
            (Phase::ListingTools, false),
            (Phase::Ready, true),
            (Phase::Executing, false),
            (Phase::Ready, false),
            (Phase::CleaningUp, false),
            (Phase::Connecting, false),
            (Phase::Ready, true),
        ] {
            assert_eq!(becomes_live(phase), expected, "{phase:?}");
            assert_eq!(live.is_live(&ServerId::demo()), phase.is_live());
        }
    }
}
