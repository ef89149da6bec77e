//! From the fields of an entry to those of the form.

use serde_json::{Map, Value};
use sightglass_config::{Draft, Machine, expanded};

/// The field of the form in which a field of the entry is entered: `env.TOKEN` becomes
/// `environment[0]`.
pub(crate) fn field_of(draft: &Draft, field: &str) -> String {
    let entry = sightglass_config::draft_entry(draft);
    let numbered = |object: &str, form: &str, name: &str| {
        let members = entry.get(object).and_then(Value::as_object)?;
        let index = members.keys().position(|key| key == name)?;
        Some(format!("{form}[{index}]"))
    };
    let split = field.split_once('.');
    let translated = match split {
        Some(("env", name)) => numbered("env", "environment", name),
        Some(("headers", name)) => numbered("headers", "headers", name),
        _ if field == "cwd" => Some("working_directory".to_owned()),
        _ => field
            .strip_prefix("args")
            .map(|rest| format!("arguments{rest}")),
    };
    translated.unwrap_or_else(|| field.to_owned())
}

/// The program of an entry with its variables put in; `None` when they have no values.
pub(crate) fn expanded_command(entry: &Map<String, Value>, machine: &Machine) -> Option<String> {
    let command = expanded(entry, machine)
        .get("command")?
        .as_str()?
        .to_owned();
    (!command.trim().is_empty() && !command.contains("${")).then_some(command)
}
