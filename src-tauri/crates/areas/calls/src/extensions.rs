//! Extensions of the protocol: the declarations of both sides, and switches for those of this
//! client.
//!
//! This client declares what the server's settings say, in `capabilities.extensions` of
//! `initialize` or in the `_meta` of each request (MCP 2026-07-28). A change counts from the next
//! connection on, so that a server that is connected is connected anew, and its lists before and
//! after that are compared.

use std::sync::Arc;

use serde_json::{Map, Value, json};
use sightglass_area_core::{
    command::commands,
    core::Core,
    error::InspectorError,
    view::{
        ExtensionControl, ExtensionEffect, ExtensionRow, ExtensionsView, ServerSettings,
        SurfaceDifference,
    },
};
use sightglass_area_servers::{
    open_connections::OpenConnections,
    server_settings::{SettingsByServer, declared_extensions},
    settings_changes::SettingsChanges,
};
use sightglass_model::{Era, SKILLS_EXTENSION, ServerId, TASKS_EXTENSION};

use crate::current_surface::CurrentSurface;

const APPS: &str = "io.modelcontextprotocol/ui";

/// The official extensions.
const KNOWN: [(&str, &str, ExtensionControl); 5] = [
    (APPS, "MCP Apps", ExtensionControl::Switch),
    (TASKS_EXTENSION, "Tasks", ExtensionControl::Switch),
    (SKILLS_EXTENSION, "Skills", ExtensionControl::ServerOnly),
    (
        "io.modelcontextprotocol/oauth-client-credentials",
        "OAuth client credentials",
        ExtensionControl::SignIn,
    ),
    (
        "io.modelcontextprotocol/enterprise-managed-authorization",
        "Enterprise-managed authorization",
        ExtensionControl::SignIn,
    ),
];

/// Returns the settings with which a client declares an extension; those of MCP Apps name the types
/// that it shows.
pub fn usual_settings(id: &str) -> Value {
    match id {
        APPS => json!({ "mimeTypes": ["text/html;profile=mcp-app"] }),
        _ => json!({}),
    }
}

/// Extensions of the protocol.
pub struct Extensions {
    pub(crate) core: Arc<Core>,
    pub(crate) current_surface: Arc<CurrentSurface>,
    pub(crate) open_connections: Arc<OpenConnections>,
    pub(crate) server_settings: Arc<SettingsByServer>,
    pub(crate) settings_changes: Arc<SettingsChanges>,
}

#[commands]
impl Extensions {
    /// Returns the extensions of both sides: the official ones first, then all others.
    #[command(name = "get_extensions")]
    pub fn extensions(&self, server: &ServerId) -> ExtensionsView {
        let settings = self.server_settings.server_settings(server);
        let declared = settings.extensions;
        // Held to be an object when it was saved.
        let mut own = declared_extensions(&declared).unwrap_or_default();
        if settings.tasks {
            own.entry(TASKS_EXTENSION).or_insert_with(|| json!({}));
        }
        let status = self.open_connections.status(server);
        let handshake = status.handshake.filter(|_| status.phase.is_live());
        let without_secrets =
            |text: String| self.core.connections.masked(server, &text).unwrap_or(text);
        let theirs = handshake.as_ref().map(|handshake| {
            let json = without_secrets(handshake.capabilities_json.clone());
            (handshake.era, offered(handshake.era, &json))
        });
        let known = KNOWN.map(|(id, title, control)| (id.to_owned(), title, control));
        let mut all: Vec<_> = known.into_iter().collect();
        let others = own
            .keys()
            .chain(theirs.iter().flat_map(|(_, offered)| offered.keys()));
        for id in others {
            if !all.iter().any(|(known, ..)| known == id) {
                all.push((id.clone(), "", ExtensionControl::Switch));
            }
        }
        let rows = all.into_iter().map(|(id, title, control)| {
            let declared = own.get(&id).map(Value::to_string);
            let offered = theirs.as_ref().and_then(|(_, offered)| offered.get(&id));
            ExtensionRow {
                effect: match &theirs {
                    None => ExtensionEffect::Unknown,
                    Some((era, _)) => effect(control, *era, declared.is_some(), offered.is_some()),
                },
                title: title.to_owned(),
                offered: offered.map(Value::to_string),
                id,
                control,
                declared,
            }
        });
        ExtensionsView {
            rows: rows.collect(),
            declared,
        }
    }

    /// Declares an extension to a server, or no longer, and connects anew to one that is
    /// connected. Returns the changes of its lists, where it was.
    ///
    /// # Errors
    /// When the settings cannot be kept, or the connection does not come about.
    #[command]
    pub async fn update_extension(
        &self,
        server: &ServerId,
        id: &str,
        is_declared: bool,
    ) -> Result<Option<SurfaceDifference>, InspectorError> {
        let mut settings = self.server_settings.server_settings(server);
        let mut extensions = declared_extensions(&settings.extensions)?;
        if !is_declared {
            extensions.shift_remove(id);
        } else if id != TASKS_EXTENSION {
            extensions.entry(id).or_insert_with(|| usual_settings(id));
        }
        if id == TASKS_EXTENSION {
            settings.tasks = is_declared;
        }
        settings.extensions = match extensions.is_empty() {
            true => String::new(),
            false => format!("{:#}", Value::Object(extensions)),
        };
        self.reconnect_with(server, settings).await
    }

    /// Declares the extensions in a JSON object, by identifier, and none else; connects anew to a
    /// server that is connected. Returns the changes of its lists, where it was.
    ///
    /// # Errors
    /// When the text is not such an object, the settings cannot be kept, or the connection does
    /// not come about.
    #[command]
    pub async fn declare_extensions(
        &self,
        server: &ServerId,
        extensions: String,
    ) -> Result<Option<SurfaceDifference>, InspectorError> {
        let settings = ServerSettings {
            extensions,
            ..self.server_settings.server_settings(server)
        };
        self.reconnect_with(server, settings).await
    }

    /// Keeps the settings of a server, and connects anew to one that is connected.
    async fn reconnect_with(
        &self,
        server: &ServerId,
        settings: ServerSettings,
    ) -> Result<Option<SurfaceDifference>, InspectorError> {
        let is_live = self.open_connections.status(server).phase.is_live();
        let before = self
            .current_surface
            .current_surface(server)
            .ok()
            .filter(|_| is_live);
        self.settings_changes
            .update_server_settings(server, settings)?;
        match before {
            Some(before) => self
                .current_surface
                .reconnected_surface(server, before)
                .await
                .map(Some),
            None => Ok(None),
        }
    }
}

/// The extensions that a server declares. Tasks are a capability of their own in the legacy era.
fn offered(era: Era, capabilities: &str) -> Map<String, Value> {
    let capabilities: Value = serde_json::from_str(capabilities).unwrap_or_default();
    let mut offered = capabilities["extensions"]
        .as_object()
        .cloned()
        .unwrap_or_default();
    if let (Era::Legacy, Some(tasks)) = (era, capabilities.get("tasks")) {
        offered.insert(TASKS_EXTENSION.to_owned(), tasks.clone());
    }
    offered
}

fn effect(
    control: ExtensionControl,
    era: Era,
    is_declared: bool,
    is_offered: bool,
) -> ExtensionEffect {
    match (control, is_declared, is_offered) {
        (ExtensionControl::ServerOnly, _, true) if era == Era::Legacy => ExtensionEffect::OtherEra,
        (ExtensionControl::ServerOnly, _, true) | (_, true, true) => ExtensionEffect::InForce,
        (_, true, false) => ExtensionEffect::ClientOnly,
        (_, false, true) => ExtensionEffect::ServerOnly,
        (_, false, false) => ExtensionEffect::Neither,
    }
}
