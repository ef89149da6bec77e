//! Clients that keep a list of the servers that are switched off, beside the servers.
//!
//! - Claude Code: `disabledMcpServers` of the project's entry in `~/.claude.json`, and for the
//!   servers of the project's `.mcp.json` the lists `enabledMcpjsonServers` and
//!   `disabledMcpjsonServers` in its settings, which are the approvals as well
//!   (<https://code.claude.com/docs/en/settings#available-settings>).
//! - Gemini CLI: `mcp.excluded` of the same settings file
//!   (<https://geminicli.com/docs/cli/configuration>).

use std::{fs, path::PathBuf};

use serde_json::Value as NewValue;

use crate::{
    client::{Client, Machine},
    document::{FileFormat, TextEditor},
    error::ConfigError,
    layout::Layout,
    scopes::{ScopePlace, claude_state, managed_directory},
    survey::DefinitionState,
};

/// The lists of one scope.
pub(crate) struct Switch {
    /// Where a name stands that is switched off.
    off: NameList,
    /// Where a name stands that was switched on, where the client asks for that.
    on: Option<NameList>,
}

/// A list of names in a file.
#[derive(Clone)]
pub(crate) struct NameList {
    pub path: PathBuf,
    pub layout: Layout,
    object: Vec<String>,
    key: &'static str,
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
pub(crate) fn of(place: &ScopePlace, machine: &Machine) -> Option<Switch> {
    let list = |path: PathBuf, format: FileFormat, object: &[&str], key| NameList {
        path,
        layout: Layout::new(format, place.target.client, object),
        object: object.iter().map(|part| (*part).to_owned()).collect(),
        key,
    };
    match place.target.client {
        Client::ClaudeCode if place.target.scope == "managed" => None,
        Client::ClaudeCode if place.target.scope == "project" => {
            let path = machine.places.project.join(".claude/settings.local.json");
            Some(Switch {
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
            let project = machine.places.project.display().to_string();
            Some(Switch {
                off: list(
                    claude_state(machine)?,
                    FileFormat::Json,
                    &["projects", &project],
                    "disabledMcpServers",
                ),
                on: None,
            })
        }
        Client::Gemini => Some(Switch {
            off: list(place.path.clone(), FileFormat::Jsonc, &["mcp"], "excluded"),
            on: None,
        }),
        _ => None,
    }
}

impl Switch {
    /// What has to become of the lists.
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
        let source = crate::source::Source::new(&text);
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
                    .map(|member| crate::dialect::plain(&member.value))
            })
            .flatten();
        let before: Vec<NewValue> = match before {
            Some(NewValue::Array(names)) => names,
            _ => Vec::new(),
        };
        let mut after: Vec<NewValue> = before
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
        editor.set(&object, self.list.key, &NewValue::Array(after));
        Ok(editor.into_text())
    }
}

/// What the lists of a client's files say now.
#[derive(Default)]
pub struct SwitchState {
    /// Off in every scope of this name, or in those of one scope.
    off: Vec<(Option<String>, String)>,
    /// Project servers that were approved.
    approved: Vec<String>,
    approves_all: bool,
    asks_for_approval: bool,
}

impl SwitchState {
    /// Reads the lists of a client.
    pub fn load(client: Client, machine: &Machine) -> Self {
        match client {
            Client::ClaudeCode => Self::of_claude_code(machine),
            Client::Gemini => Self::of_gemini(machine),
            _ => Self::default(),
        }
    }

    fn of_claude_code(machine: &Machine) -> Self {
        let places = &machine.places;
        let mut state = Self {
            asks_for_approval: true,
            ..Self::default()
        };
        let project = places.project.display().to_string();
        let mine = claude_state(machine).and_then(read).and_then(|mut file| {
            file.get_mut("projects")?
                .get_mut(&project)
                .map(NewValue::take)
        });
        let user = machine.variable("CLAUDE_CONFIG_DIR").map_or_else(
            || places.home.join(".claude"),
            |directory| places.home.join(directory),
        );
        let settings = [
            user.join("settings.json"),
            places.project.join(".claude/settings.json"),
            places.project.join(".claude/settings.local.json"),
            managed_directory(machine).join("managed-settings.json"),
        ];
        for file in mine
            .into_iter()
            .chain(settings.into_iter().filter_map(read))
        {
            let off = names(&file, "disabledMcpServers").map(|name| (None, name));
            state.off.extend(off);
            let off = names(&file, "disabledMcpjsonServers")
                .map(|name| (Some("project".to_owned()), name));
            state.off.extend(off);
            state.approved.extend(names(&file, "enabledMcpjsonServers"));
            if file.get("enableAllProjectMcpServers") == Some(&NewValue::Bool(true)) {
                state.approves_all = true;
            }
        }
        state
    }

    fn of_gemini(machine: &Machine) -> Self {
        let mut state = Self::default();
        for place in crate::scopes::scopes(Client::Gemini, machine) {
            if let Some(mcp) = read(place.path).and_then(|file| file.get("mcp").cloned()) {
                let off = names(&mcp, "excluded").map(|name| (None, name));
                state.off.extend(off);
            }
        }
        state
    }

    /// What the lists make of a server that counts.
    pub fn state(&self, scope: &str, name: &str) -> Option<DefinitionState> {
        let is_off = self.off.iter().any(|(only, listed)| {
            listed == name && only.as_deref().is_none_or(|only| only == scope)
        });
        if is_off {
            return Some(DefinitionState::Disabled);
        }
        let waits = self.asks_for_approval
            && scope == "project"
            && !self.approves_all
            && !self.approved.iter().any(|approved| approved == name);
        waits.then_some(DefinitionState::Waiting)
    }
}

fn read(path: PathBuf) -> Option<NewValue> {
    let bytes = fs::read(path).ok()?;
    let text = String::from_utf8(bytes).ok()?;
    let document = FileFormat::Jsonc.parse(&text);
    document.root.as_ref().map(crate::dialect::plain)
}

fn names(file: &NewValue, key: &str) -> impl Iterator<Item = String> {
    let names = file.get(key).and_then(NewValue::as_array);
    let names: Vec<String> = names
        .into_iter()
        .flatten()
        .filter_map(|name| name.as_str().map(str::to_owned))
        .collect();
    names.into_iter()
}
