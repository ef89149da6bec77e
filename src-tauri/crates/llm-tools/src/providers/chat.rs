//! Input schemas for OpenAI's Chat Completions, as `convertTool` of OpenCode writes them.

use serde_json::{Value, json};

use super::{
    Provider,
    change::{ChangeKind, Changes},
};

pub(super) fn converted(schema: &Value, changes: &mut Changes) -> Value {
    let mut members = schema.as_object().cloned().unwrap_or_default();
    let mut set = |key: &str, value: Value, reason: &str| {
        let kind = if members.contains_key(key) {
            ChangeKind::Rewritten
        } else {
            ChangeKind::Added
        };
        let path = format!("/inputSchema/{key}");
        changes.add(kind, &path, reason, Provider::OpenaiChat.converter());
        members.insert(key.to_owned(), value);
    };
    if schema.get("type") != Some(&json!("object")) {
        set("type", json!("object"), "Arguments are an object.");
    }
    if schema.get("properties").is_none_or(Value::is_null) {
        set(
            "properties",
            json!({}),
            "An object without properties gets an empty list of them.",
        );
    }
    if schema
        .get("additionalProperties")
        .is_none_or(Value::is_null)
    {
        set(
            "additionalProperties",
            json!(false),
            "Without a word about further properties none are allowed; JSON Schema allows them.",
        );
    }
    Value::Object(members)
}
