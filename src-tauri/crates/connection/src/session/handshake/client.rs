//! Declares this client's name and capabilities, and the answers of rmcp on its behalf.

use rmcp::{
    ClientHandler as RmcpClientHandler,
    model::{ClientCapabilities, ClientConfig, Implementation, ProtocolVersion},
};
use serde_json::{Map, Value, json};
use sightglass_model::{ClientOptions, DeclaredCapabilities, Era};

/// Declarations of this client to one server.
#[derive(Debug, Clone)]
pub(crate) struct Declaration {
    pub identity: ClientIdentity,
    /// The `capabilities` object.
    pub capabilities: Value,
    /// The revision that `initialize` must agree on, where it is just one.
    pub revision: Option<&'static str>,
}

impl Declaration {
    pub(crate) fn new(application: &ClientIdentity, options: &ClientOptions) -> Self {
        let is_own = options.name.is_none();
        Self {
            identity: ClientIdentity {
                name: options.name.clone().unwrap_or(application.name.clone()),
                // The title is the application's; it would give another name away.
                title: application.title.clone().filter(|_| is_own),
                version: options
                    .version
                    .clone()
                    .unwrap_or(application.version.clone()),
            },
            capabilities: capabilities(&options.capabilities),
            revision: options.revision,
        }
    }

    /// Returns `clientInfo`.
    pub(crate) fn implementation(&self) -> Implementation {
        let implementation = Implementation::new(&self.identity.name, &self.identity.version);
        match &self.identity.title {
            Some(title) => implementation.with_title(title),
            None => implementation,
        }
    }

    pub(super) fn config(&self, era: Era) -> ClientConfig {
        // The object is a valid value of this type; a test holds on to that.
        let capabilities: ClientCapabilities =
            serde_json::from_value(self.capabilities.clone()).unwrap_or_default();
        let version = match era {
            Era::Legacy => self.offered(),
            Era::Modern => ProtocolVersion::V_2026_07_28,
        };
        ClientConfig::new(capabilities, self.implementation()).with_protocol_version(version)
    }

    /// Returns the revision that `initialize` names. rmcp would name its newest, which has no
    /// such handshake.
    fn offered(&self) -> ProtocolVersion {
        let is_offered = |version: &&ProtocolVersion| Some(version.as_str()) == self.revision;
        let known = ProtocolVersion::KNOWN_VERSIONS.iter().find(is_offered);
        known
            .cloned()
            .unwrap_or(ProtocolVersion::LATEST_WITH_INITIALIZE)
    }
}

fn capabilities(declared: &DeclaredCapabilities) -> Value {
    let mut capabilities = Map::new();
    let mut declare = |name: &str, value: Value| capabilities.insert(name.to_owned(), value);
    if declared.roots {
        declare("roots", json!({ "listChanged": true }));
    }
    if declared.sampling {
        declare("sampling", json!({}));
    }
    if declared.elicitation {
        declare("elicitation", json!({ "form": {}, "url": {} }));
    }
    if !declared.extensions.is_empty() {
        declare("extensions", Value::Object(declared.extensions.clone()));
    }
    Value::Object(capabilities)
}

/// Identity that this client declares to servers (`clientInfo`).
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ClientIdentity {
    pub name: String,
    pub title: Option<String>,
    pub version: String,
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

    fn declaration(options: &ClientOptions) -> Declaration {
        let application = ClientIdentity {
            name: "n".into(),
            title: Some("N".into()),
            version: "1".into(),
        };
        Declaration::new(&application, options)
    }

    #[test]
    fn the_declared_capabilities_are_what_rmcp_sends() {
        let mut options = ClientOptions::default();
        let extensions = &mut options.capabilities.extensions;
        extensions.insert("com.example/x".to_owned(), json!({ "depth": 2 }));
        let declared = declaration(&options);
        let sent = serde_json::to_value(declared.config(Era::Legacy).capabilities).unwrap();
        assert_eq!(sent, declared.capabilities);
    }

    #[test]
    fn initialize_names_the_newest_version_that_has_it_or_the_chosen_one() {
        let version = |revision| {
            let options = ClientOptions {
                revision,
                ..ClientOptions::default()
            };
            let config = declaration(&options).config(Era::Legacy);
            config.protocol_version.as_str().to_owned()
        };
        assert_eq!(version(None), "2025-11-25");
        assert_eq!(version(Some("2024-11-05")), "2024-11-05");
    }

    #[test]
    fn a_name_of_the_users_comes_without_the_title_of_the_application() {
        let declared = declaration(&ClientOptions {
            name: Some("claude-code".to_owned()),
            ..ClientOptions::default()
        });
        let identity = declared.identity;
        assert_eq!(
            (identity.name.as_str(), identity.title),
            ("claude-code", None)
        );
    }
}
