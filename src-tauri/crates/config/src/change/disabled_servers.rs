//! Disables servers in the lists that some clients keep beside the servers. The meaning of the
//! lists is read by [`ClientApprovals`](crate::load::client_approvals::ClientApprovals).

use std::path::PathBuf;

use serde_json::Value;

use crate::{
    change::error::ConfigError,
    client::{Client, Machine},
    definition::layout::Layout,
    scopes::{ScopePlace, claude_project, claude_state},
    text::format::{FileFormat, TextEditor},
};

/// The lists of one scope.
pub(crate) struct DisabledServers {
    /// List of the names that are switched off.
    off: NameList,
    /// List of the names that were switched on, where the client asks for that.
    on: Option<NameList>,
}

/// A list of names in a file.
#[derive(Clone)]
pub(crate) struct NameList {
    pub path: PathBuf,
    pub layout: Layout,
    object: Vec<String>,
    key: &'static str,
    /// True when the list is left out where there is none: an empty one would say something.
    only_if_present: bool,
}

/// Names to be put on a list, or taken off it.
pub(crate) struct ListChange {
    pub path: PathBuf,
    pub layout: Layout,
    list: NameList,
    names: Vec<String>,
    listed: bool,
}

/// The lists of a scope, where its client has some.
pub(crate) fn disabled_servers(place: &ScopePlace, machine: &Machine) -> Option<DisabledServers> {
    let list = |path: PathBuf, format: FileFormat, object: &[&str], key| NameList {
        path,
        layout: Layout::new(format, place.target.client, object),
        object: object.iter().map(|part| (*part).to_owned()).collect(),
        key,
        only_if_present: false,
    };
    match place.target.client {
        Client::ClaudeCode if place.target.scope == "managed" => None,
        Client::ClaudeCode if place.target.scope == "project" => {
            let path = machine.places.project.join(".claude/settings.local.json");
            Some(DisabledServers {
                off: list(
                    path.clone(),
                    FileFormat::Json,
                    &[],
                    "disabledMcpjsonServers",
                ),
                on: Some(list(path, FileFormat::Json, &[], "enabledMcpjsonServers")),
            })
        }
        Client::ClaudeCode => {
            let project = claude_project(machine).display().to_string();
            Some(DisabledServers {
                off: list(
                    claude_state(machine)?,
                    FileFormat::Json,
                    &["projects", &project],
                    "disabledMcpServers",
                ),
                on: None,
            })
        }
        Client::Gemini => Some(DisabledServers {
            off: list(place.path.clone(), FileFormat::Jsonc, &["mcp"], "excluded"),
            on: Some(NameList {
                only_if_present: true,
                ..list(place.path.clone(), FileFormat::Jsonc, &["mcp"], "allowed")
            }),
        }),
        _ => None,
    }
}

impl DisabledServers {
    /// Changes of the lists.
    pub fn lists(&self, names: &[String], disabled: bool) -> Vec<ListChange> {
        let change = |list: &NameList, listed: bool| ListChange {
            path: list.path.clone(),
            layout: list.layout.clone(),
            list: list.clone(),
            names: names.to_vec(),
            listed,
        };
        let on = self.on.iter().map(|list| change(list, !disabled));
        std::iter::once(change(&self.off, disabled))
            .chain(on)
            .collect()
    }
}

impl ListChange {
    /// The text with the names on the list, or off it.
    ///
    /// # Errors
    /// When the text cannot be edited.
    pub fn apply(&self, text: Option<&str>) -> Result<String, ConfigError> {
        let format = self.layout.format;
        let given = text.unwrap_or_default();
        let text = if format.is_blank(given) {
            "{}\n".to_owned()
        } else {
            given.to_owned()
        };
        let source = crate::text::source::Source::new(&text);
        let problems = format.for_editing().problems(&source, &format.parse(&text));
        if !problems.is_empty() {
            return Err(ConfigError::Broken {
                path: self.path.clone(),
                problems,
            });
        }
        let mut editor = TextEditor::new(format, text);
        let object: Vec<&str> = self.list.object.iter().map(String::as_str).collect();
        let before = editor
            .with_object(&object, |object| {
                object
                    .get(self.list.key)
                    .map(|member| crate::entry::dialect::plain(&member.value))
            })
            .flatten();
        let before: Vec<Value> = match before {
            Some(Value::Array(names)) => names,
            None if self.list.only_if_present => return Ok(given.to_owned()),
            _ => Vec::new(),
        };
        let mut after: Vec<Value> = before
            .iter()
            .filter(|listed| {
                self.listed || !self.names.iter().any(|name| listed.as_str() == Some(name))
            })
            .cloned()
            .collect();
        if self.listed {
            for name in &self.names {
                if !after.iter().any(|listed| listed.as_str() == Some(name)) {
                    after.push(name.as_str().into());
                }
            }
        }
        if before == after {
            return Ok(given.to_owned());
        }
        editor.set(&object, self.list.key, &Value::Array(after));
        Ok(editor.into_text())
    }
}
