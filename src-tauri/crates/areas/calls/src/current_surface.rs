//! Surfaces of connected servers, read from the lists as they are now.

use std::{sync::Arc, thread, time::Duration};

use bytes::Bytes;
use serde_json::json;
use sightglass_area_core::{core::Core, error::InspectorError, view::SurfaceDifference};
use sightglass_area_servers::{lifecycle::ServerLifecycle, open_connections::OpenConnections};
use sightglass_connection::{ConnectionError, ConnectionKey, ListChange, ListKind, ListState};
use sightglass_model::{ConnectionId, ServerId};
use sightglass_surface::{ItemDefinition, Surface};

use crate::surface_difference::compared;

/// Time that the other connection has until its lists are read.
const CONNECT_TIMEOUT: Duration = Duration::from_secs(60);

/// Number of items from which another thread is worth its start.
const MIN_ITEMS_FOR_THREAD: usize = 512;

/// Surfaces of connected servers, read from the lists as they are now.
pub struct CurrentSurface {
    pub(crate) core: Arc<Core>,
    pub(crate) open_connections: Arc<OpenConnections>,
    pub(crate) lifecycle: Arc<ServerLifecycle>,
}

impl CurrentSurface {
    /// Returns the surface of a connected server as it is now, without the secrets that are known.
    /// A list that could not be read whole is not part of it. Its items share the text that came.
    pub fn current_surface(&self, server: &ServerId) -> Result<Surface, InspectorError> {
        self.surface_of(&server.into())
    }

    /// As [`current_surface`](Self::current_surface), with what was read of a list that could not be
    /// read whole.
    pub fn surface_as_read(&self, server: &ServerId) -> Result<Surface, InspectorError> {
        self.read_surface(&server.into(), |_| true)
    }

    /// Returns the surface that a server shows on a connection.
    fn surface_of(&self, connection: &ConnectionKey) -> Result<Surface, InspectorError> {
        self.read_surface(connection, |change| change.is_whole)
    }

    /// `is_taken` says of a list that was loaded whether it is part of the surface.
    fn read_surface(
        &self,
        connection: &ConnectionKey,
        is_taken: impl Fn(&ListChange) -> bool,
    ) -> Result<Surface, InspectorError> {
        let not_connected = || InspectorError::Connection(ConnectionError::NotConnected);
        let connections = &self.core.connections;
        let status = connections.status(connection);
        let handshake = status.and_then(|status| status.handshake);
        let handshake = handshake.ok_or_else(not_connected)?;
        let without_secrets = |text: String| connections.masked(connection, &text).unwrap_or(text);
        let parsed = |text: String| serde_json::from_str(&without_secrets(text)).ok();
        let states = connections.lists(connection);
        let items = |list: ListKind, capability: &str| -> Option<Vec<ItemDefinition>> {
            let change = states.iter().find(|change| change.list == list)?;
            let is_offered = handshake.capabilities.iter().any(|name| name == capability);
            match change.state {
                ListState::Unsupported => (!is_offered).then(Vec::new),
                ListState::Loaded if is_taken(change) => {
                    let texts = connections.definitions(connection, list).ok()?;
                    read_items(&texts)
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
            tools: items(ListKind::Tools, "tools"),
            prompts: items(ListKind::Prompts, "prompts"),
            resources: items(ListKind::Resources, "resources"),
            templates: items(ListKind::ResourceTemplates, "resources"),
        })
    }

    /// Connects anew to a server, and compares its surface with the one before.
    pub async fn reconnected_surface(
        &self,
        server: &ServerId,
        before: Surface,
    ) -> Result<SurfaceDifference, InspectorError> {
        let connection = self.open_connections.status(server).connection;
        self.lifecycle.connect_with_secrets(server).await?;
        compared(
            before,
            self.listed_surface(&server.into(), connection).await?,
        )
        .await
    }

    /// Waits for a connection other than `before` and for its lists, and returns its surface.
    pub async fn listed_surface(
        &self,
        connection: &ConnectionKey,
        before: Option<ConnectionId>,
    ) -> Result<Surface, InspectorError> {
        let reached = tokio::time::timeout(CONNECT_TIMEOUT, async {
            self.open_connections.settled(connection, before).await?;
            self.core.connections.wait_for_lists(connection).await;
            Ok::<(), String>(())
        });
        match reached.await {
            Ok(Ok(())) => self.surface_of(connection),
            Ok(Err(reason)) => Err(InspectorError::InvalidInput(format!(
                "The other connection did not come about: {reason}."
            ))),
            Err(_) => Err(InspectorError::InvalidInput(format!(
                "The other connection was not ready within {} s.",
                CONNECT_TIMEOUT.as_secs()
            ))),
        }
    }
}

/// Reads the items of a list; `None` when one cannot be read. Those of a long list are read on two
/// threads.
fn read_items(texts: &[Bytes]) -> Option<Vec<ItemDefinition>> {
    let read = |texts: &[Bytes]| -> Option<Vec<ItemDefinition>> {
        texts.iter().cloned().map(ItemDefinition::read).collect()
    };
    if texts.len() < MIN_ITEMS_FOR_THREAD {
        return read(texts);
    }
    let (first, second) = texts.split_at(texts.len() / 2);
    thread::scope(|scope| {
        let others = scope.spawn(|| read(second));
        let mut items = read(first)?;
        items.extend(others.join().ok()??);
        Some(items)
    })
}
