//! Values that a client asks its user for before it starts a server.
//!
//! VS Code has them beside its servers, under `inputs`
//! (<https://code.visualstudio.com/docs/copilot/reference/mcp-configuration#_input-variables-for-sensitive-data>);
//! an entry refers to one with `${input:ID}`.

use serde::{Deserialize, Serialize};
use serde_json::Value;

/// Largest number of inputs that are read from one file.
pub(crate) const MAX_INPUTS: usize = 1000;

/// A value that an entry needs and that its user enters.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, specta::Type)]
pub struct InputValue {
    pub id: String,
    pub description: Option<String>,
    /// True when it is not to be shown while it is entered.
    pub is_secret: bool,
    /// The values to choose from; empty where any will do.
    pub options: Vec<String>,
    pub default: Option<String>,
}

/// The inputs of a file, from its member `inputs`.
pub(crate) fn inputs(member: &Value) -> Vec<InputValue> {
    let inputs = member.as_array().into_iter().flatten().take(MAX_INPUTS);
    inputs.filter_map(input).collect()
}

fn input(value: &Value) -> Option<InputValue> {
    let text = |key: &str| value.get(key).and_then(Value::as_str).map(str::to_owned);
    // A command of VS Code's is known to VS Code alone.
    if text("type").as_deref() == Some("command") {
        return None;
    }
    let options = value.get("options").and_then(Value::as_array);
    let options = options.into_iter().flatten().filter_map(|option| {
        let value = option.get("value").unwrap_or(option);
        value.as_str().map(str::to_owned)
    });
    Some(InputValue {
        id: text("id")?,
        description: text("description"),
        is_secret: value.get("password") == Some(&Value::Bool(true)),
        options: options.collect(),
        default: text("default"),
    })
}
