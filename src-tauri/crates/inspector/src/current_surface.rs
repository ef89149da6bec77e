//! Surfaces of connected servers, read from the lists as they are now.

use std::time::Duration;

use serde_json::{Value, json};
use sightglass_connection::{ConnectionError, ListChange, ListKind, ListState};
use sightglass_model::{ConnectionId, ServerId};
use sightglass_surface::Surface;

use crate::{Inspector, InspectorError, surface_difference::compared, view::SurfaceDifference};

/// Time that the other connection has until its lists are read.
const CONNECT_TIMEOUT: Duration = Duration::from_secs(60);

/// Interval at which the lists of the other connection are looked at.
const LIST_INTERVAL: Duration = Duration::from_millis(20);

impl Inspector {
    /// Returns the surface of a connected server as it is now, without the secrets that are known.
    /// A list that could not be read whole is not part of it.
    pub fn current_surface(&self, server: &ServerId) -> Result<Surface, InspectorError> {
        self.read_surface(server, |change| change.is_whole)
    }

    /// As [`current_surface`](Self::current_surface), with what was read of a list that could not be
    /// read whole.
    pub(crate) fn surface_as_read(&self, server: &ServerId) -> Result<Surface, InspectorError> {
        self.read_surface(server, |_| true)
    }

    /// `is_taken` says of a list that was loaded whether it is part of the surface.
    fn read_surface(
        &self,
        server: &ServerId,
        is_taken: impl Fn(&ListChange) -> bool,
    ) -> Result<Surface, InspectorError> {
        let not_connected = || InspectorError::Connection(ConnectionError::NotConnected);
        let handshake = self.status(server).handshake.ok_or_else(not_connected)?;
        let without_secrets = |text: String| self.connections.masked(server, &text).unwrap_or(text);
        let parsed = |text: String| serde_json::from_str(&without_secrets(text)).ok();
        let states = self.connections.lists(server);
        let items = |list: ListKind, key: &str, capability: &str| -> Option<Vec<Value>> {
            let change = states.iter().find(|change| change.list == list)?;
            let is_offered = handshake.capabilities.iter().any(|name| name == capability);
            match change.state {
                ListState::Unsupported => (!is_offered).then(Vec::new),
                ListState::Loaded if is_taken(change) => {
                    let text = self.connections.list_result(server, list).ok()??;
                    let mut result: Value = parsed(text)?;
                    match result.get_mut(key)?.take() {
                        Value::Array(items) => Some(items),
                        _ => None,
                    }
                }
                _ => None,
            }
        };
        let mut info = json!({
            "name": handshake.server_name,
            "version": handshake.server_version,
        });
        for (name, value) in [
            ("title", &handshake.server_title),
            ("description", &handshake.server_description),
            ("websiteUrl", &handshake.website),
        ] {
            if let Some(value) = value {
                info[name] = without_secrets(value.clone()).into();
            }
        }
        Ok(Surface {
            protocol_version: Some(handshake.protocol_version.clone().into()),
            server_info: Some(info),
            instructions: Some(handshake.instructions.clone().map(without_secrets).into()),
            capabilities: parsed(handshake.capabilities_json.clone()),
            tools: items(ListKind::Tools, "tools", "tools"),
            prompts: items(ListKind::Prompts, "prompts", "prompts"),
            resources: items(ListKind::Resources, "resources", "resources"),
            templates: items(
                ListKind::ResourceTemplates,
                "resourceTemplates",
                "resources",
            ),
        })
    }

    /// Connects anew to a server, and compares its surface with the one before.
    pub(crate) async fn reconnected_surface(
        &self,
        server: &ServerId,
        before: Surface,
    ) -> Result<SurfaceDifference, InspectorError> {
        let connection = self.status(server).connection;
        self.connect_with_secrets(server).await?;
        compared(before, self.listed_surface(server, connection).await?).await
    }

    /// Waits for a connection other than `before` and for its lists, and returns its surface.
    pub(crate) async fn listed_surface(
        &self,
        server: &ServerId,
        before: Option<ConnectionId>,
    ) -> Result<Surface, InspectorError> {
        let reached = tokio::time::timeout(CONNECT_TIMEOUT, async {
            self.settled(server, before).await?;
            while self.is_loading(server) {
                tokio::time::sleep(LIST_INTERVAL).await;
            }
            Ok::<(), String>(())
        });
        match reached.await {
            Ok(Ok(())) => self.current_surface(server),
            Ok(Err(reason)) => Err(InspectorError::InvalidInput(format!(
                "The other connection did not come about: {reason}."
            ))),
            Err(_) => Err(InspectorError::InvalidInput(format!(
                "The other connection was not ready within {} s.",
                CONNECT_TIMEOUT.as_secs()
            ))),
        }
    }

    fn is_loading(&self, server: &ServerId) -> bool {
        let lists = self.connections.lists(server);
        lists.iter().any(|list| list.state == ListState::Loading)
    }
}
