//! Waits for servers that are being connected.

use std::sync::Arc;

use sightglass_area_core::{core::Core, publisher::Subscription, view::Fact};
use sightglass_connection::ConnectionEvent;
use sightglass_model::{FailureReport, Phase, ServerId};

use crate::{lifecycle::ServerLifecycle, open_connections::OpenConnections};

/// Waits for servers that are being connected.
pub struct ServerReadiness {
    pub(crate) core: Arc<Core>,
    pub(crate) open_connections: Arc<OpenConnections>,
    pub(crate) lifecycle: Arc<ServerLifecycle>,
}

impl ServerReadiness {
    /// Waits until a server is ready that is being connected since `facts` were subscribed to.
    ///
    /// # Errors
    /// The failure that the attempt ended with; nothing when it was ended otherwise.
    pub async fn ready(
        &self,
        server: &ServerId,
        facts: &mut Subscription,
    ) -> Result<(), Option<Box<FailureReport>>> {
        // The status before the first fact may be that of an earlier attempt.
        while let Some(batch) = facts.next_batch().await {
            for event in batch {
                let Fact::Connection { event } = event.fact else {
                    continue;
                };
                let ConnectionEvent::Status { server: of, status } = *event else {
                    continue;
                };
                if of != *server {
                    continue;
                }
                if let Some(failure) = &status.failure {
                    return Err(Some(Box::new(failure.clone())));
                }
                match status.phase {
                    Phase::Ready | Phase::Executing => return Ok(()),
                    Phase::Disconnected => return Err(None),
                    _ => {}
                }
            }
        }
        Err(None)
    }

    /// Starts a server anew that is connected, and waits until it is ready or has failed. One that is
    /// not connected stays so.
    pub async fn start_anew(&self, server: &ServerId) {
        if self.open_connections.status(server).phase == Phase::Disconnected {
            return;
        }
        self.open_connections.disconnect(server).await;
        let mut facts = self.core.publisher.subscribe();
        if self.lifecycle.connect(server).is_ok() {
            // What went wrong stands in its status.
            let _ = self.ready(server, &mut facts).await;
        }
    }
}
