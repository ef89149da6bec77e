//! Finds the members of an entry that a draft of it does not have, so that none is dropped without
//! a word.

use serde_json::{Map, Value};

use crate::{
    client::Client,
    definition::Definition,
    definition::{draft::Draft, draft_entry::draft_entry},
    entry::dialect::LostField,
};

/// The members of a client's entry that are not in the draft that was made of it.
pub(crate) fn left_out(definition: &Definition, draft: &Draft, client: Client) -> Vec<LostField> {
    let lost = |field: String, reason: String| LostField {
        server: draft.name.clone(),
        field,
        reason,
    };
    let own = definition
        .own_fields
        .iter()
        .chain(&definition.unknown_fields);
    let mut left_out: Vec<LostField> = own
        .map(|field| {
            let reason = format!("It is a field of {} alone; it is left out.", client.title());
            lost(field.clone(), reason)
        })
        .collect();
    let mut missing = Vec::new();
    collect_missing(
        "",
        definition.common.expose(),
        &draft_entry(draft),
        &mut missing,
    );
    // How an entry names its transport is another in each client.
    missing.retain(|field| field != "type");
    missing.retain(|field| left_out.iter().all(|known| known.field != *field));
    left_out.extend(missing.into_iter().map(|field| {
        let reason = match field.as_str() {
            "disabled" => "It is left out: the server is switched on where it is imported.",
            _ => "An import does not carry it; it is left out.",
        };
        lost(field, reason.to_owned())
    }));
    left_out
}

/// Adds the paths of the members of `entry` that `drafted` does not have.
fn collect_missing(
    path: &str,
    entry: &Map<String, Value>,
    drafted: &Map<String, Value>,
    missing: &mut Vec<String>,
) {
    for (name, value) in entry {
        let path = match path {
            "" => name.clone(),
            path => format!("{path}.{name}"),
        };
        match (value, drafted.get(name)) {
            (Value::Object(entry), Some(Value::Object(drafted))) => {
                collect_missing(&path, entry, drafted, missing);
            }
            (_, Some(_)) => {}
            // These say nothing.
            (Value::Null | Value::Bool(false), None) => {}
            (Value::Array(elements), None) if elements.is_empty() => {}
            (Value::Object(members), None) if members.is_empty() => {}
            (_, None) => missing.push(path),
        }
    }
}
