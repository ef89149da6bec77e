//! Finds the arguments of a tool that are secrets.
//!
//! They are sent as they are. They are not remembered, and masked in the record.

use serde_json::Value;
use sightglass_secrets::{Secret, name_suggests_password, value_suggests_secret};

/// Shorter values would also mask half of all ordinary text.
const MIN_SECRET_BYTES: usize = 8;

/// Levels of arguments that are looked at.
const MAX_DEPTH: usize = 32;

/// Takes the secrets out of the arguments of a tool and returns them: texts whose name or
/// schema says that they are passwords, and those that look like tokens or hold a secret that
/// is known.
pub fn extract_secrets(
    arguments: &mut Value,
    tool: Option<&str>,
    is_known: &dyn Fn(&str) -> bool,
) -> Vec<Secret<String>> {
    let tool: Option<Value> = tool
        .filter(|tool| may_declare_passwords(tool))
        .and_then(|tool| serde_json::from_str(tool).ok());
    let schema = tool.as_ref().and_then(|tool| tool.get("inputSchema"));
    let mut secrets = Vec::new();
    take(arguments, schema, is_known, MAX_DEPTH, &mut secrets);
    secrets
}

/// Returns false when no schema in a definition can be that of a [password](is_password). Few
/// declare one, and to read a definition takes longer than many a call.
fn may_declare_passwords(tool: &str) -> bool {
    // Any character can be written with an escape.
    let signs = ["password", "writeOnly", "\\"];
    signs.iter().any(|sign| tool.contains(sign))
}

fn take(
    value: &mut Value,
    schema: Option<&Value>,
    is_known: &dyn Fn(&str) -> bool,
    depth: usize,
    secrets: &mut Vec<Secret<String>>,
) {
    let Some(depth) = depth.checked_sub(1) else {
        return;
    };
    match value {
        Value::Object(members) => {
            let properties = schema.and_then(|schema| schema.get("properties"));
            members.retain(|name, member| {
                let schema = properties.and_then(|properties| properties.get(name));
                match member {
                    Value::String(text) => {
                        let secret = schema.is_some_and(is_password) || is_sensitive(name, text);
                        if secret && text.len() >= MIN_SECRET_BYTES {
                            secrets.push(Secret::new(text.clone()));
                        }
                        !secret && !is_known(text)
                    }
                    member => {
                        take(member, schema, is_known, depth, secrets);
                        true
                    }
                }
            });
        }
        Value::Array(elements) => {
            let items = schema.and_then(|schema| schema.get("items"));
            elements.retain_mut(|element| match element {
                Value::String(text) => {
                    let secret = items.is_some_and(is_password) || value_suggests_secret(text);
                    if secret && text.len() >= MIN_SECRET_BYTES {
                        secrets.push(Secret::new(text.clone()));
                    }
                    !secret && !is_known(text)
                }
                element => {
                    take(element, items, is_known, depth, secrets);
                    true
                }
            });
        }
        Value::Null | Value::Bool(_) | Value::Number(_) | Value::String(_) => {}
    }
}

/// Returns true when a text of this name is a password, or looks like a secret.
pub fn is_sensitive(name: &str, text: &str) -> bool {
    name_suggests_password(name) || value_suggests_secret(text)
}

/// Returns true when a schema says that its text is not to be shown (JSON Schema 2020-12, section
/// 9.4; `format: password` of OpenAPI).
fn is_password(schema: &Value) -> bool {
    schema.get("format").and_then(Value::as_str) == Some("password")
        || schema.get("writeOnly").and_then(Value::as_bool) == Some(true)
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn a_definition_is_read_where_it_may_declare_a_password() {
        for (schema, is_password) in [
            (r#"{"format":"password"}"#, true),
            (r#"{"format":"pass\u0077ord"}"#, true),
            (r#"{"writeOnly":true}"#, true),
            (r#"{"\u0077riteOnly":true}"#, true),
            (r#"{"format":"email"}"#, false),
            (r#"{"title":"A password","format":"email"}"#, false),
        ] {
            let tool = format!(r#"{{"inputSchema":{{"properties":{{"a":{schema}}}}}}}"#);
            let mut arguments = json!({ "a": "plain words" });
            let taken = extract_secrets(&mut arguments, Some(&tool), &|_| false);
            assert_eq!(taken.len(), usize::from(is_password), "{schema}");
        }
    }

    #[test]
    fn passwords_are_taken_out_of_arguments() {
        let tool = json!({ "inputSchema": { "properties": {
            "pin": { "type": "string", "format": "password" },
            "list": { "type": "array", "items": { "writeOnly": true } },
        } } });
        let mut arguments = json!({
            "password": "hunter22hunter",
            "pin": "1234",
            "list": ["one-secret", 2],
            "deep": { "apiKey": "abcdefgh", "key": "kept", "next_token": "kept" },
            "text": "with known-value in it",
            "plain": "kept",
        });
        let is_known = |text: &str| text.contains("known-value");
        let taken = extract_secrets(&mut arguments, Some(&tool.to_string()), &is_known);
        let kept = json!({
            "list": [2],
            "deep": { "key": "kept", "next_token": "kept" },
            "plain": "kept",
        });
        assert_eq!(arguments, kept);
        let taken: Vec<&str> = taken.iter().map(|one| one.expose().as_str()).collect();
        assert_eq!(taken, ["hunter22hunter", "one-secret", "abcdefgh"]);
    }
}
