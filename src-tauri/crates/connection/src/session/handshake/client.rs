//! Declares this client's capabilities, and the answers of rmcp on its behalf.

use rmcp::{
    ClientHandler as RmcpClientHandler,
    model::{ClientCapabilities, ClientConfig, Implementation, ProtocolVersion},
};
use serde_json::json;
use sightglass_model::Era;

/// Returns the capabilities that this client declares.
pub(crate) fn capabilities() -> serde_json::Value {
    json!({
        "roots": { "listChanged": true },
        "sampling": {},
        "elicitation": { "form": {}, "url": {} },
    })
}

pub(crate) fn implementation(identity: &ClientIdentity) -> Implementation {
    let implementation = Implementation::new(&identity.name, &identity.version);
    match &identity.title {
        Some(title) => implementation.with_title(title),
        None => implementation,
    }
}

pub(super) fn client_config(identity: &ClientIdentity, era: Era) -> ClientConfig {
    // The literal above is a valid value of this type; a test holds on to that.
    let capabilities: ClientCapabilities =
        serde_json::from_value(capabilities()).unwrap_or_default();
    // rmcp would name its newest version in `initialize`, which has no such handshake.
    let version = match era {
        Era::Legacy => ProtocolVersion::LATEST_WITH_INITIALIZE,
        Era::Modern => ProtocolVersion::V_2026_07_28,
    };
    ClientConfig::new(capabilities, implementation(identity)).with_protocol_version(version)
}

/// Handler of the requests that rmcp answers by itself.
pub(crate) struct ClientHandler {
    pub(super) config: ClientConfig,
}

impl RmcpClientHandler for ClientHandler {
    fn get_info(&self) -> ClientConfig {
        self.config.clone()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_declared_capabilities_are_what_rmcp_sends() {
        let typed: ClientCapabilities = serde_json::from_value(capabilities()).unwrap();
        assert_eq!(serde_json::to_value(typed).unwrap(), capabilities());
    }

    #[test]
    fn initialize_names_the_newest_version_that_has_it() {
        let identity = ClientIdentity {
            name: "n".into(),
            title: None,
            version: "1".into(),
        };
        let config = client_config(&identity, Era::Legacy);
        assert_eq!(config.protocol_version.as_str(), "2025-11-25");
    }
}

/// Identity that this client declares to servers (`clientInfo`).
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ClientIdentity {
    pub name: String,
    pub title: Option<String>,
    pub version: String,
}
