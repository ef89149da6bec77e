//! Input schemas for OpenAI's Responses, as `parse_tool_input_schema` of Codex writes them.
//!
//! Codex knows the keywords `type`, `description`, `enum`, `items`, `properties`, `required`,
//! `additionalProperties` and `anyOf`. It puts what a `$ref` points to in its place, takes a
//! combination of one schema for that schema, writes `const` as an `enum`, and infers a `type` where
//! there is none. Members of a `$ref` and of its target are merged; here those beside the `$ref` win,
//! which differs from Codex only where both say something.

use serde_json::{Map, Value, json};

use super::{
    Provider,
    change::{ChangeKind, Changes, MAX_DEPTH, join},
};

/// Schemas that one tool becomes at most; references can multiply without end.
const MAX_SCHEMAS: usize = 20_000;

const TYPES: [&str; 7] = [
    "string", "number", "boolean", "integer", "object", "array", "null",
];

pub(super) fn converted(schema: &Value, changes: &mut Changes) -> Value {
    let mut conversion = Conversion {
        root: schema,
        changes,
        references: Vec::new(),
        schemas: 0,
    };
    conversion.schema(schema, "/inputSchema", 0)
}

struct Conversion<'a> {
    root: &'a Value,
    changes: &'a mut Changes,
    /// Targets inside of which the conversion is.
    references: Vec<String>,
    schemas: usize,
}

impl Conversion<'_> {
    fn add(&mut self, kind: ChangeKind, path: &str, reason: impl Into<String>) {
        self.changes
            .add(kind, path, reason, Provider::OpenaiResponses.converter());
    }

    fn schema(&mut self, schema: &Value, path: &str, depth: usize) -> Value {
        self.schemas += 1;
        if depth > MAX_DEPTH || self.schemas > MAX_SCHEMAS {
            let reason = "The schema is deeper or larger than is looked at here.";
            self.add(ChangeKind::Dropped, path, reason);
            return json!({"type": "string"});
        }
        let Some(members) = schema.as_object() else {
            let reason = "What is no object becomes a string.";
            self.add(ChangeKind::Rewritten, path, reason);
            return json!({"type": "string"});
        };
        if let Some(pointer) = local_reference(members) {
            return self.reference(members, &pointer, path, depth);
        }
        if let Some((keyword, merged)) = only_branch(members) {
            let reason = format!("A `{keyword}` of one schema becomes that schema.");
            self.add(ChangeKind::Rewritten, &join(path, keyword), reason);
            return self.schema(&merged, path, depth + 1);
        }
        self.members(members, path, depth)
    }

    fn reference(
        &mut self,
        members: &Map<String, Value>,
        pointer: &str,
        path: &str,
        depth: usize,
    ) -> Value {
        let here = join(path, "$ref");
        let target = self.root.pointer(pointer).cloned();
        if self.references.iter().any(|open| open == pointer) {
            let reason = "The schema refers to itself; the repetition has no members.";
            self.add(ChangeKind::Rewritten, &here, reason);
            return repeated(target.as_ref());
        }
        let Some(Value::Object(mut merged)) = target else {
            let reason = "The target is no schema of this tool, so the `$ref` is left out.";
            self.add(ChangeKind::Dropped, &here, reason);
            let mut others = members.clone();
            others.remove("$ref");
            return self.members(&others, path, depth + 1);
        };
        for (keyword, value) in members.iter().filter(|(keyword, _)| *keyword != "$ref") {
            merged.insert(keyword.clone(), value.clone());
        }
        let reason = "What the `$ref` points to is put in its place.";
        self.add(ChangeKind::Rewritten, &here, reason);
        self.references.push(pointer.to_owned());
        let schema = self.schema(&Value::Object(merged), path, depth + 1);
        self.references.pop();
        schema
    }

    fn members(&mut self, members: &Map<String, Value>, path: &str, depth: usize) -> Value {
        let mut sent = Map::new();
        for (keyword, value) in members {
            let here = join(path, keyword);
            match (keyword.as_str(), value) {
                ("type", _) => {}
                ("description" | "enum" | "required", value) => {
                    sent.insert(keyword.clone(), value.clone());
                }
                ("const", value) => {
                    let reason = "`const` becomes an `enum` of one value.";
                    self.add(ChangeKind::Rewritten, &here, reason);
                    sent.insert("enum".to_owned(), json!([value]));
                }
                ("properties", Value::Object(properties)) => {
                    let properties: Map<String, Value> = properties
                        .iter()
                        .map(|(name, property)| {
                            let here = join(&here, name);
                            (name.clone(), self.schema(property, &here, depth + 1))
                        })
                        .collect();
                    sent.insert(keyword.clone(), Value::Object(properties));
                }
                ("anyOf", Value::Array(branches)) => {
                    let branches: Vec<Value> = branches
                        .iter()
                        .enumerate()
                        .map(|(index, branch)| {
                            self.schema(branch, &join(&here, &index.to_string()), depth + 1)
                        })
                        .collect();
                    sent.insert(keyword.clone(), Value::Array(branches));
                }
                ("additionalProperties", Value::Bool(_)) => {
                    sent.insert(keyword.clone(), value.clone());
                }
                ("items" | "additionalProperties", Value::Object(_)) => {
                    let schema = self.schema(value, &here, depth + 1);
                    sent.insert(keyword.clone(), schema);
                }
                (keyword, _) => {
                    let reason =
                        format!("`{keyword}` is left out, and the model does not know it.");
                    self.add(ChangeKind::Dropped, &here, reason);
                }
            }
        }
        self.add_type(members, &mut sent, path);
        Value::Object(sent)
    }

    /// Writes the `type`, an inferred one where there is none, and the members that it needs.
    fn add_type(
        &mut self,
        members: &Map<String, Value>,
        sent: &mut Map<String, Value>,
        path: &str,
    ) {
        let mut types = known_types(members.get("type"));
        if types.is_empty() {
            if sent.contains_key("anyOf") {
                return;
            }
            let inferred = inferred_type(members);
            let reason = format!("Without a `type` it is taken for `{inferred}`.");
            self.add(ChangeKind::Added, &join(path, "type"), reason);
            types.push(inferred);
        }
        let has = |wanted: &str| types.contains(&wanted);
        if has("object") && !sent.contains_key("properties") {
            let reason = "An object without properties gets an empty list of them.";
            self.add(ChangeKind::Added, &join(path, "properties"), reason);
            sent.insert("properties".to_owned(), json!({}));
        }
        if has("array") && !sent.contains_key("items") {
            let reason = "A list without `items` is taken for one of strings.";
            self.add(ChangeKind::Added, &join(path, "items"), reason);
            sent.insert("items".to_owned(), json!({"type": "string"}));
        }
        let written = match types.as_slice() {
            [one] => json!(one),
            several => json!(several),
        };
        sent.insert("type".to_owned(), written);
    }
}

fn local_reference(members: &Map<String, Value>) -> Option<String> {
    let reference = members.get("$ref")?.as_str()?;
    // A reference to another document stays a keyword that Codex does not know.
    Some(reference.strip_prefix('#')?.to_owned())
}

/// The one schema of a combination, with the members beside it.
fn only_branch(members: &Map<String, Value>) -> Option<(&'static str, Value)> {
    for keyword in ["oneOf", "anyOf", "allOf"] {
        let Some([branch]) = members
            .get(keyword)
            .and_then(Value::as_array)
            .map(Vec::as_slice)
        else {
            continue;
        };
        let mut branch = branch.clone();
        if let Some(merged) = branch.as_object_mut() {
            for (key, value) in members.iter().filter(|(key, _)| *key != keyword) {
                merged.entry(key.clone()).or_insert_with(|| value.clone());
            }
        }
        return Some((keyword, branch));
    }
    None
}

/// `cyclic_reference_target_fallback`.
fn repeated(target: Option<&Value>) -> Value {
    let Some(members) = target.and_then(Value::as_object) else {
        return json!({"type": "string"});
    };
    let types = known_types(members.get("type"));
    let has_any = |keys: &[&str]| keys.iter().any(|key| members.contains_key(*key));
    if types.contains(&"object") || has_any(&["properties", "required", "additionalProperties"]) {
        return json!({"type": "object", "properties": {}});
    }
    if types.contains(&"array") || has_any(&["items", "prefixItems"]) {
        return json!({"type": "array", "items": {"type": "string"}});
    }
    let scalar = ["number", "integer", "boolean"]
        .into_iter()
        .find(|one| types.contains(one))
        .unwrap_or("string");
    json!({"type": scalar})
}

fn known_types(value: Option<&Value>) -> Vec<&'static str> {
    let known = |name: &Value| TYPES.into_iter().find(|one| name.as_str() == Some(one));
    match value {
        Some(Value::Array(names)) => names.iter().filter_map(known).collect(),
        Some(name) => known(name).into_iter().collect(),
        None => Vec::new(),
    }
}

fn inferred_type(members: &Map<String, Value>) -> &'static str {
    let has_any = |keys: &[&str]| keys.iter().any(|key| members.contains_key(*key));
    if has_any(&["properties", "required", "additionalProperties"]) {
        "object"
    } else if has_any(&["items", "prefixItems"]) {
        "array"
    } else if has_any(&["enum", "const", "format"]) {
        "string"
    } else if has_any(&[
        "minimum",
        "maximum",
        "exclusiveMinimum",
        "exclusiveMaximum",
        "multipleOf",
    ]) {
        "number"
    } else {
        "string"
    }
}
