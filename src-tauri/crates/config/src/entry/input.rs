//! Values that a client asks its user for before it starts a server.
//!
//! VS Code has them beside its servers, under `inputs`
//! (<https://code.visualstudio.com/docs/copilot/reference/mcp-configuration#_input-variables-for-sensitive-data>);
//! an entry refers to one with `${input:ID}`.

use std::collections::HashSet;

use serde::{Deserialize, Serialize};
use serde_json::Value;

use crate::{
    entry::{dialect::map_references, expand::INPUT_PREFIX, not_expanded::for_each_text},
    text::{
        json::Object,
        source::{Position, Source},
    },
};

/// Largest number of inputs that are read from one file.
pub(crate) const MAX_INPUTS: usize = 1000;

/// A value that an entry needs and that its user enters.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, specta::Type)]
#[serde(rename_all = "camelCase")]
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

/// Ids of all inputs of a file, those among them whose values the client alone can find.
pub(crate) fn declared_inputs(member: &Value) -> HashSet<String> {
    let inputs = member.as_array().into_iter().flatten().take(MAX_INPUTS);
    inputs
        .filter_map(|input| input.get("id")?.as_str().map(str::to_owned))
        .collect()
}

/// Returns the first reference to an input that the file does not declare, with its place.
pub(crate) fn undeclared_input(
    source: &Source<'_>,
    common: &Object,
    declared: &HashSet<String>,
) -> Option<(Position, String)> {
    let mut found = None;
    for_each_text(common, &mut |_, node, text| {
        map_references(text, |_, name, _| {
            if found.is_none()
                && let Some(id) = name.strip_prefix(INPUT_PREFIX)
                && !declared.contains(id)
            {
                found = Some((source.position(node.range.start), id.to_owned()));
            }
            String::new()
        });
    });
    found
}
