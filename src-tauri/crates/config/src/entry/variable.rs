//! The variables that an entry refers to: what each resolved to, and where from.

use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};
use sightglass_secrets::{MASK, is_secret_value, name_suggests_secret};

use crate::{
    client::{Client, Machine},
    entry::{
        dialect::{Dialect, VariableSyntax, map_references},
        expand::{FILE_PREFIX, LITERAL_PREFIX, OWN_LITERAL, SECRET_PREFIX, as_written, expand},
    },
};

/// Origin of a variable's value.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize, specta::Type)]
#[serde(rename_all = "camelCase")]
pub enum VariableOrigin {
    /// The environment that Sightglass was started with.
    Environment,
    /// The default that stands beside the name.
    Default,
    /// The client itself knows it, such as the project's folder.
    Client,
    /// The client asks for it when the server starts.
    Input,
    /// Sightglass keeps it for the entry.
    Secret,
    /// It has no value.
    Unset,
    /// This client takes the text as it stands.
    NotExpanded,
}

/// One reference to a variable.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, specta::Type)]
pub struct Variable {
    /// Field that uses it: `env.TOKEN`, `args[1]`, `url`.
    pub field: String,
    /// As the common form writes it: `${TOKEN:-none}`.
    pub reference: String,
    pub name: String,
    /// Resolved value, masked if it looks like a secret; absent when it has no value.
    pub value: Option<String>,
    pub secret: bool,
    pub origin: VariableOrigin,
}

/// The variables of an entry in the common form, as its client would expand them.
pub fn variables(client: Client, entry: &Map<String, Value>, machine: &Machine) -> Vec<Variable> {
    let mut found = Vec::new();
    let syntax = Dialect::of(client).variables;
    let rules = Dialect::of(client).expansion();
    let is_own = client == Client::McpJson;
    for field in ["command", "args", "env", "cwd", "url", "headers"] {
        if let Some(value) = entry.get(field) {
            collect(field, value, &mut |field, text| {
                let is_text = !rules.of_field(field).applies_to(text);
                map_references(text, |reference, name, default| {
                    found.push(match rules.literal(name) {
                        Some(name) => literal(field, &as_written(reference), name),
                        None if is_text => literal(field, reference, name),
                        None if is_own && name.starts_with(SECRET_PREFIX) => {
                            secret(field, reference, name)
                        }
                        None => {
                            let name = match reference.starts_with(OWN_LITERAL) {
                                true => name.strip_prefix(LITERAL_PREFIX).unwrap_or(name),
                                false => name,
                            };
                            let default = default.map(as_written);
                            let reference = as_written(reference);
                            resolve(syntax, field, &reference, name, default.as_deref(), machine)
                        }
                    });
                    String::new()
                });
            });
        }
    }
    found
}

/// Hands every text of a value to `visit`, with the field it stands in.
pub(crate) fn collect(field: &str, value: &Value, visit: &mut dyn FnMut(&str, &str)) {
    match value {
        Value::String(text) => visit(field, text),
        Value::Array(elements) => {
            for (index, element) in elements.iter().enumerate() {
                collect(&format!("{field}[{index}]"), element, visit);
            }
        }
        Value::Object(members) => {
            for (name, member) in members {
                collect(&format!("{field}.{name}"), member, visit);
            }
        }
        Value::Null | Value::Bool(_) | Value::Number(_) => {}
    }
}

/// A reference that the client takes as it stands.
fn literal(field: &str, reference: &str, name: &str) -> Variable {
    Variable {
        field: field.to_owned(),
        reference: reference.to_owned(),
        name: name.to_owned(),
        value: None,
        secret: false,
        origin: VariableOrigin::NotExpanded,
    }
}

/// The reference to a secret. Its value is not looked up.
fn secret(field: &str, reference: &str, name: &str) -> Variable {
    Variable {
        field: field.to_owned(),
        reference: reference.to_owned(),
        name: name.to_owned(),
        value: None,
        secret: true,
        origin: VariableOrigin::Secret,
    }
}

fn resolve(
    syntax: VariableSyntax,
    field: &str,
    reference: &str,
    name: &str,
    default: Option<&str>,
    machine: &Machine,
) -> Variable {
    let of_client = match name {
        "workspaceFolder" | "CLAUDE_PROJECT_DIR" => Some(&machine.places.project),
        "userHome" => Some(&machine.places.home),
        _ => None,
    };
    let (value, origin) = if name.starts_with(FILE_PREFIX) && syntax == VariableSyntax::OpenCode {
        (None, VariableOrigin::Client)
    } else if name.starts_with("input:") && syntax == VariableSyntax::EnvPrefix {
        (None, VariableOrigin::Input)
    } else if let Some(path) = of_client {
        (Some(path.display().to_string()), VariableOrigin::Client)
    } else if let Some(value) = (machine.environment)(name) {
        (Some(value), VariableOrigin::Environment)
    } else if let Some(default) = default {
        (Some(default.to_owned()), VariableOrigin::Default)
    } else if name.starts_with("CLAUDE_PLUGIN_") {
        (None, VariableOrigin::Client)
    } else {
        (None, VariableOrigin::Unset)
    };
    // What the environment holds may be anything. A default stands in the file.
    let is_of_environment = matches!(origin, VariableOrigin::Environment);
    let secret = name_suggests_secret(name)
        || name_suggests_secret(field)
        || (is_of_environment
            && value
                .as_deref()
                .is_some_and(|value| is_secret_value(name, value)));
    Variable {
        field: field.to_owned(),
        reference: reference.to_owned(),
        name: name.to_owned(),
        value: value.map(|value| if secret { MASK.to_owned() } else { value }),
        secret,
        origin,
    }
}

/// An entry of the common form with its variables put in. A text whose variables have no value
/// stays as it is.
pub fn expanded(entry: &Map<String, Value>, machine: &Machine) -> Map<String, Value> {
    let mut expanded = entry.clone();
    for field in ["command", "args", "env", "cwd", "url", "headers"] {
        if let Some(value) = expanded.get_mut(field) {
            expand_value(value, machine);
        }
    }
    expanded
}

fn expand_value(value: &mut Value, machine: &Machine) {
    match value {
        Value::String(text) => {
            if let Ok(expanded) = expand(text, &*machine.environment) {
                *text = expanded;
            }
        }
        Value::Array(elements) => {
            for element in elements {
                expand_value(element, machine);
            }
        }
        Value::Object(members) => {
            for member in members.values_mut() {
                expand_value(member, machine);
            }
        }
        Value::Null | Value::Bool(_) | Value::Number(_) => {}
    }
}
