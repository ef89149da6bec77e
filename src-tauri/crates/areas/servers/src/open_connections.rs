//! Looks at the connections that there are, and ends them, whatever servers they are to.

use std::sync::{Arc, Weak};

use sightglass_area_core::{command::commands, core::Core, error::InspectorError};
use sightglass_connection::ConnectionKey;
use sightglass_model::{ConnectionId, ConnectionStatus, Millis, Phase, ServerId, Timestamp};

/// Looks at the connections that there are, and ends them, whatever servers they are to.
pub struct OpenConnections {
    pub(crate) core: Arc<Core>,
    /// For work that goes on in the background.
    pub(crate) this: Weak<OpenConnections>,
}

#[commands]
impl OpenConnections {
    /// Returns the status of a connection.
    pub fn status(&self, server: &ServerId) -> ConnectionStatus {
        self.core
            .connections
            .status(server)
            .unwrap_or_else(|| ConnectionStatus::disconnected(Timestamp::now()))
    }

    /// Returns true when a server is connected, or on the way there.
    pub fn has_connection(&self, server: &ServerId) -> bool {
        self.core
            .connections
            .status(server)
            .is_some_and(|status| !matches!(status.phase, Phase::Disconnected | Phase::Failed))
    }

    /// Waits until a connection other than `before` is made or failed.
    pub async fn settled(
        &self,
        connection: &ConnectionKey,
        before: Option<ConnectionId>,
    ) -> Result<String, String> {
        let is_settled = |status: &ConnectionStatus| {
            let is_new = status.connection != before;
            is_new && (status.phase.is_live() || status.phase.is_at_rest())
        };
        let status = self
            .core
            .connections
            .wait_for_status(connection, is_settled);
        match status.await {
            Some(status) if status.phase.is_live() => Ok("connected".to_owned()),
            Some(ConnectionStatus {
                failure: Some(failure),
                ..
            }) => Err(failure.reason),
            _ => Err("the connection was closed".to_owned()),
        }
    }

    /// Forgets with which transport and era a server was reached, so that the next attempt
    /// finds out anew.
    #[command(name = "delete_found_transport")]
    pub fn forget_found(&self, server: &ServerId) {
        self.core.connections.forget_found(server);
    }

    /// Pings a server that is connected, and answers the round-trip time; nothing where no answer
    /// came in time.
    #[command]
    pub async fn ping(&self, server: &ServerId) -> Result<Option<Millis>, InspectorError> {
        let round_trip = self.core.connections.ping(server).await?;
        Ok(round_trip.map(Millis::from))
    }

    /// Closes the connection, or stops connecting.
    #[command]
    pub async fn disconnect(&self, server: &ServerId) {
        self.core.connections.disconnect(server).await;
    }

    /// Closes the connections of servers that may not be connected any more, also those that were
    /// made for a call as another identity. Does not wait for it.
    pub fn close_all<'a>(&self, servers: impl Iterator<Item = &'a ServerId>) {
        for server in servers {
            if let Some(this) = self.this.upgrade() {
                let server = server.clone();
                tokio::spawn(async move { this.core.connections.disconnect_all(&server).await });
            }
        }
    }
}
