//! Input schemas for Gemini's function declarations, as `convertJSONSchemaToOpenAPISchema` of the AI
//! SDK writes them: a part of OpenAPI 3.0.

use serde_json::{Map, Value, json};

use super::{
    Provider,
    change::{ChangeKind, Changes, MAX_DEPTH, join},
};

/// Keywords that are kept as they are.
const KEPT: [&str; 4] = ["description", "required", "format", "minLength"];

/// Keywords whose schemas are converted one by one.
const COMBINERS: [&str; 3] = ["allOf", "anyOf", "oneOf"];

/// Returns the converted schema; `None` for arguments without properties, which are left out.
pub(super) fn converted(schema: &Value, changes: &mut Changes) -> Option<Value> {
    schema_at(schema, "/inputSchema", changes, 0)
}

fn schema_at(schema: &Value, path: &str, changes: &mut Changes, depth: usize) -> Option<Value> {
    let source = Provider::Gemini.converter();
    let members = match schema {
        Value::Bool(_) => {
            let reason = "A schema that is true or false becomes a boolean value.";
            changes.add(ChangeKind::Rewritten, path, reason, source);
            return Some(json!({"type": "boolean", "properties": {}}));
        }
        Value::Object(members) => members,
        _ => return None,
    };
    if depth > MAX_DEPTH {
        let reason = "Schemas nested this deep are not looked at.";
        changes.add(ChangeKind::Dropped, path, reason, source);
        return None;
    }
    if is_empty_object(members) {
        let reason = "An object without properties is left out.";
        changes.add(ChangeKind::Dropped, path, reason, source);
        return None;
    }
    let mut sent = Map::new();
    for (keyword, value) in members {
        let here = join(path, keyword);
        match keyword.as_str() {
            keyword if KEPT.contains(&keyword) => {
                sent.insert(keyword.to_owned(), value.clone());
            }
            "type" => add_type(value, &here, &mut sent, changes),
            "const" => {
                let reason = "`const` becomes an `enum` of one value.";
                changes.add(ChangeKind::Rewritten, &here, reason, source);
                sent.insert("enum".to_owned(), json!([value]));
            }
            "enum" => {
                sent.insert("enum".to_owned(), value.clone());
            }
            "properties" => {
                let properties = value.as_object().into_iter().flatten();
                let properties: Map<String, Value> = properties
                    .filter_map(|(name, property)| {
                        let here = join(&here, name);
                        let property = schema_at(property, &here, changes, depth + 1)?;
                        Some((name.clone(), property))
                    })
                    .collect();
                sent.insert("properties".to_owned(), Value::Object(properties));
            }
            "items" if value.is_object() => {
                if let Some(items) = schema_at(value, &here, changes, depth + 1) {
                    sent.insert("items".to_owned(), items);
                }
            }
            keyword if keyword == "items" || COMBINERS.contains(&keyword) => {
                let branches = value.as_array().into_iter().flatten().enumerate();
                let branches: Vec<Value> = branches
                    .filter_map(|(index, branch)| {
                        let here = join(&here, &index.to_string());
                        schema_at(branch, &here, changes, depth + 1)
                    })
                    .collect();
                sent.insert(keyword.to_owned(), Value::Array(branches));
            }
            keyword => {
                let reason = format!("`{keyword}` is left out, and the model does not know it.");
                changes.add(ChangeKind::Dropped, &here, reason, source);
            }
        }
    }
    Some(Value::Object(sent))
}

fn add_type(value: &Value, path: &str, sent: &mut Map<String, Value>, changes: &mut Changes) {
    let Value::Array(types) = value else {
        sent.insert("type".to_owned(), value.clone());
        return;
    };
    let null = json!("null");
    let mut others = types.iter().filter(|one| **one != null);
    let (first, has_null) = (others.next(), types.contains(&null));
    if !has_null {
        sent.insert("type".to_owned(), value.clone());
        return;
    }
    let reason = match others.next() {
        Some(_) => "Of several types the first is kept, with `nullable`.",
        None => "`null` becomes `nullable`.",
    };
    let source = Provider::Gemini.converter();
    changes.add(ChangeKind::Rewritten, path, reason, source);
    if let Some(first) = first {
        sent.insert("type".to_owned(), first.clone());
    }
    sent.insert("nullable".to_owned(), json!(true));
}

fn is_empty_object(members: &Map<String, Value>) -> bool {
    members.get("type") == Some(&json!("object"))
        && members
            .get("properties")
            .is_none_or(|properties| properties.as_object().is_none_or(Map::is_empty))
}
