//! The keywords of JSON Schema by their role, and readings of single schemas.

use std::collections::BTreeSet;

use serde_json::{Map, Value};

/// Depth of schemas within schemas.
pub(super) const MAX_DEPTH: usize = 100;

/// Keywords that change the meaning of references, and so of a whole document.
pub(super) const SCOPE_KEYWORDS: [&str; 5] = [
    "$anchor",
    "$dynamicRef",
    "$dynamicAnchor",
    "$recursiveRef",
    "$recursiveAnchor",
];

/// Keywords that a model or a user reads.
pub(super) const TEXTS: [&str; 2] = ["title", "description"];

/// Keywords that say nothing about an instance.
pub(super) const ANNOTATIONS: [&str; 8] = [
    "$schema",
    "$comment",
    "$defs",
    "definitions",
    "examples",
    "deprecated",
    "readOnly",
    "writeOnly",
];

/// Conditions that stand alone: with one more, a schema takes less.
pub(super) const CONJUNCTS: [&str; 9] = [
    "allOf",
    "anyOf",
    "oneOf",
    "not",
    "pattern",
    "contains",
    "propertyNames",
    "dependentRequired",
    "dependentSchemas",
];

pub(super) enum Target<'a> {
    Here(&'a Map<String, Value>),
    There(&'a Value),
}

/// Follows a reference within one document; those to other documents are not fetched.
pub(super) fn resolve<'a>(root: &'a Value, reference: &str) -> Option<Target<'a>> {
    let pointer = reference.strip_prefix('#')?;
    if pointer.contains('%') {
        return None;
    }
    root.pointer(pointer).map(Target::There)
}

pub(super) fn reference(schema: &Map<String, Value>) -> Option<&str> {
    schema.get("$ref").and_then(Value::as_str)
}

/// Tells a schema that takes everything, or nothing, from one with conditions.
pub(super) fn takes_all(schema: &Value) -> Option<bool> {
    match schema {
        Value::Bool(all) => Some(*all),
        _ => None,
    }
}

/// Tells a keyword that decides about instances from one that only says something.
pub(super) fn is_condition(keyword: &str) -> bool {
    keyword != "$ref"
        && keyword != "default"
        && !TEXTS.contains(&keyword)
        && !ANNOTATIONS.contains(&keyword)
}

pub(super) fn stripped(schema: &Map<String, Value>) -> Map<String, Value> {
    schema
        .iter()
        .filter(|(key, _)| is_condition(key) || *key == "$ref")
        .map(|(key, value)| (key.clone(), value.clone()))
        .collect()
}

/// Returns the dialect that a schema names; `None` for the one that counts without a name.
pub(super) fn dialect(schema: &Map<String, Value>) -> Option<&str> {
    let name = schema.get("$schema").and_then(Value::as_str)?;
    let name = name.trim_end_matches('#');
    (name != "https://json-schema.org/draft/2020-12/schema").then_some(name)
}

pub(super) fn types(value: Option<&Value>) -> Option<BTreeSet<&str>> {
    const ALL: [&str; 6] = ["null", "boolean", "object", "array", "number", "string"];
    let named = match value {
        None => return Some(ALL.into()),
        Some(Value::String(name)) => vec![name.as_str()],
        Some(Value::Array(names)) => names.iter().map(Value::as_str).collect::<Option<_>>()?,
        Some(_) => return None,
    };
    named
        .iter()
        .all(|name| ALL.contains(name) || *name == "integer")
        .then(|| named.into_iter().collect())
}

pub(super) fn required(schema: &Map<String, Value>) -> BTreeSet<&str> {
    schema
        .get("required")
        .and_then(Value::as_array)
        .into_iter()
        .flatten()
        .filter_map(Value::as_str)
        .collect()
}

/// Compares two numbers; `None` where they are none, or lie too close for their precision.
pub(super) fn order(before: &Value, after: &Value) -> Option<std::cmp::Ordering> {
    let whole = |value: &Value| {
        value
            .as_i64()
            .map(i128::from)
            .or_else(|| value.as_u64().map(i128::from))
    };
    if let (Some(before), Some(after)) = (whole(before), whole(after)) {
        return Some(before.cmp(&after));
    }
    let (before, after) = (before.as_f64()?, after.as_f64()?);
    let is_exact = before.abs() < 9e15;
    before
        .partial_cmp(&after)
        .filter(|order| order.is_ne() || is_exact)
}

/// Tells whether the documents define the same under `$defs` and `definitions`, so that equal
/// references mean the same. A reference to another place counts as a difference.
pub(super) fn same_definitions(old: &Value, new: &Value) -> bool {
    ["$defs", "definitions"]
        .iter()
        .all(|keyword| old.get(keyword) == new.get(keyword))
        && [old, new]
            .iter()
            .all(|root| only_refers_to_definitions(root, 0))
}

pub(super) fn only_refers_to_definitions(value: &Value, depth: usize) -> bool {
    if depth > MAX_DEPTH {
        return false;
    }
    match value {
        Value::Object(members) => members.iter().all(|(key, value)| {
            let is_plain = key != "$ref"
                || value.as_str().is_some_and(|reference| {
                    reference.starts_with("#/$defs/") || reference.starts_with("#/definitions/")
                });
            is_plain && only_refers_to_definitions(value, depth + 1)
        }),
        Value::Array(items) => items
            .iter()
            .all(|item| only_refers_to_definitions(item, depth + 1)),
        _ => true,
    }
}

pub(super) fn has_key(value: &Value, keys: &[&str], depth: usize) -> bool {
    if depth > MAX_DEPTH {
        return true;
    }
    match value {
        Value::Object(members) => members
            .iter()
            .any(|(key, value)| keys.contains(&key.as_str()) || has_key(value, keys, depth + 1)),
        Value::Array(items) => items.iter().any(|item| has_key(item, keys, depth + 1)),
        _ => false,
    }
}

/// Finds a schema below the root that is a document of its own.
pub(super) fn has_inner_id(value: &Value, depth: usize) -> bool {
    if depth > MAX_DEPTH {
        return true;
    }
    match value {
        Value::Object(members) => members.iter().any(|(key, value)| {
            (depth > 0 && key == "$id" && value.is_string()) || has_inner_id(value, depth + 1)
        }),
        Value::Array(items) => items.iter().any(|item| has_inner_id(item, depth + 1)),
        _ => false,
    }
}

pub(super) fn sorted(value: &Value) -> Value {
    let mut value = value.clone();
    value.sort_all_objects();
    value
}

pub(super) fn listed(values: &[&Value]) -> String {
    const MAX_LISTED: usize = 8;
    let mut text = values
        .iter()
        .take(MAX_LISTED)
        .map(|value| value.to_string())
        .collect::<Vec<_>>()
        .join(", ");
    if values.len() > MAX_LISTED {
        text.push_str(&format!(" and {} more", values.len() - MAX_LISTED));
    }
    text
}

pub(super) fn empty() -> &'static Map<String, Value> {
    static EMPTY: std::sync::OnceLock<Map<String, Value>> = std::sync::OnceLock::new();
    EMPTY.get_or_init(Map::new)
}
