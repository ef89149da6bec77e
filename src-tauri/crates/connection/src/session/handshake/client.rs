//! Declares this client's name and capabilities, and the answers of rmcp on its behalf.

use rmcp::{
    ClientHandler as RmcpClientHandler,
    model::{ClientCapabilities, ClientConfig, Implementation, ProtocolVersion},
};
use serde_json::{Map, Value, json};
use sightglass_model::{ClientOptions, DeclaredCapabilities, Era, TASKS_EXTENSION};

/// Declarations of this client to one server.
#[derive(Debug, Clone)]
pub(crate) struct Declaration {
    pub identity: ClientIdentity,
    capabilities: DeclaredCapabilities,
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
            capabilities: options.capabilities.clone(),
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

    pub(crate) fn declares_roots(&self) -> bool {
        self.capabilities.roots
    }

    pub(crate) fn declares_tasks(&self) -> bool {
        self.capabilities.tasks || self.capabilities.extensions.contains_key(TASKS_EXTENSION)
    }

    /// Returns the `capabilities` object.
    pub(crate) fn capabilities(&self, era: Era) -> Value {
        let declared = &self.capabilities;
        let mut capabilities = Map::new();
        let mut declare = |name: &str, value: Value| capabilities.insert(name.to_owned(), value);
        if declared.roots {
            declare("roots", json!({ "listChanged": true }));
        }
        if declared.sampling {
            // The answer may use the tools that the server offers with the request.
            let has_tools = era == Era::Modern || self.offers_2025_11_25();
            let settings = if has_tools {
                json!({ "tools": {} })
            } else {
                json!({})
            };
            declare("sampling", settings);
        }
        if declared.elicitation {
            declare("elicitation", json!({ "form": {}, "url": {} }));
        }
        let mut extensions = declared.extensions.clone();
        match era {
            Era::Legacy => {
                // Settings that were written by hand are sent as they are.
                let settings = extensions.shift_remove(TASKS_EXTENSION);
                let by_hand = settings
                    .filter(|settings| settings.as_object().is_some_and(|it| !it.is_empty()));
                if self.declares_tasks() && self.offers_2025_11_25() {
                    declare(
                        "tasks",
                        by_hand.unwrap_or_else(|| task_capability(declared)),
                    );
                }
            }
            Era::Modern if declared.tasks => {
                extensions
                    .entry(TASKS_EXTENSION)
                    .or_insert_with(|| json!({}));
            }
            Era::Modern => {}
        }
        if !extensions.is_empty() {
            declare("extensions", Value::Object(extensions));
        }
        Value::Object(capabilities)
    }

    /// Returns true when `initialize` offers the first revision that has tasks and the use of tools
    /// in sampling.
    fn offers_2025_11_25(&self) -> bool {
        self.revision
            .is_none_or(|revision| revision == "2025-11-25")
    }

    pub(super) fn config(&self, era: Era) -> ClientConfig {
        // The object is a valid value of this type but for the tasks of 2025-11-25, which the
        // adapter adds; a test holds on to that.
        let capabilities: ClientCapabilities =
            serde_json::from_value(self.capabilities(era)).unwrap_or_default();
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

/// Returns the capability of a client that takes questions as tasks (MCP 2025-11-25, Tasks).
fn task_capability(declared: &DeclaredCapabilities) -> Value {
    let mut requests = Map::new();
    if declared.sampling {
        requests.insert("sampling".to_owned(), json!({ "createMessage": {} }));
    }
    if declared.elicitation {
        requests.insert("elicitation".to_owned(), json!({ "create": {} }));
    }
    json!({ "list": {}, "cancel": {}, "requests": requests })
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
    fn the_declared_capabilities_are_what_rmcp_sends_but_for_the_tasks_of_the_older_format() {
        let mut options = ClientOptions::default();
        let extensions = &mut options.capabilities.extensions;
        extensions.insert("com.example/x".to_owned(), json!({ "depth": 2 }));
        let declared = declaration(&options);
        for era in [Era::Legacy, Era::Modern] {
            let sent = serde_json::to_value(declared.config(era).capabilities).unwrap();
            let mut expected = declared.capabilities(era);
            let tasks = expected.as_object_mut().unwrap().remove("tasks");
            assert_eq!(sent, expected);
            assert_eq!(tasks.is_some(), era == Era::Legacy);
        }
    }

    #[test]
    fn tasks_are_declared_in_the_form_of_the_era_and_only_where_it_has_them() {
        let with = |revision, tasks| {
            let mut options = ClientOptions {
                revision,
                ..ClientOptions::default()
            };
            options.capabilities.tasks = tasks;
            declaration(&options)
        };
        let modern = with(None, true).capabilities(Era::Modern);
        assert_eq!(modern["extensions"], json!({ TASKS_EXTENSION: {} }));
        assert_eq!(modern.get("tasks"), None);
        let legacy = with(None, true).capabilities(Era::Legacy);
        assert_eq!(
            legacy["tasks"]["requests"],
            json!({ "sampling": { "createMessage": {} }, "elicitation": { "create": {} } })
        );
        assert_eq!(legacy.get("extensions"), None);
        let older = with(Some("2025-06-18"), true).capabilities(Era::Legacy);
        assert_eq!(older.get("tasks"), None);
        assert_eq!(older["sampling"], json!({}));
        assert_eq!(legacy["sampling"], json!({ "tools": {} }));
        for era in [Era::Legacy, Era::Modern] {
            let off = with(None, false).capabilities(era);
            assert_eq!((off.get("tasks"), off.get("extensions")), (None, None));
        }
    }

    #[test]
    fn tasks_are_a_capability_of_their_own_in_initialize() {
        let mut options = ClientOptions::default();
        let extensions = &mut options.capabilities.extensions;
        extensions.insert(TASKS_EXTENSION.to_owned(), json!({ "list": {} }));
        let sent = declaration(&options).capabilities(Era::Legacy);
        assert_eq!(sent["tasks"], json!({ "list": {} }));
        assert_eq!(sent.get("extensions"), None);
        let extensions = &mut options.capabilities.extensions;
        extensions.insert("com.example/x".to_owned(), json!({}));
        let sent = declaration(&options).capabilities(Era::Legacy);
        assert_eq!(sent["extensions"], json!({ "com.example/x": {} }));
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
