//! Holds the comparison of schemas against generated pairs: after a compatible change everything is
//! still taken.

use serde_json::{Value, json};
use sightglass_surface::{
    ChangeClass::{Attention, Breaking},
    SchemaDirection, compare_schemas,
};

/// Writes random schemas, and random instances for them.
struct Generator(fastrand::Rng);

impl Generator {
    fn one_of<T: Clone>(&mut self, values: &[T]) -> T {
        values[self.0.usize(..values.len())].clone()
    }

    fn schema(&mut self, depth: u32) -> Value {
        let mut schema = serde_json::Map::new();
        let kinds = match depth {
            0 => 6,
            _ => 9,
        };
        match self.0.u32(..kinds) {
            0 => {
                schema.insert("type".into(), "string".into());
                self.some(&mut schema, "minLength", &[0, 1, 2].map(Value::from));
                self.some(&mut schema, "maxLength", &[1, 2, 3].map(Value::from));
                self.some(&mut schema, "pattern", &["a", "^b"].map(Value::from));
            }
            1 => {
                let types = [json!("integer"), json!("number"), json!(["number", "null"])];
                schema.insert("type".into(), self.one_of(&types));
                self.some(&mut schema, "minimum", &[-1, 0, 2].map(Value::from));
                self.some(
                    &mut schema,
                    "exclusiveMaximum",
                    &[3.0, 2.5].map(Value::from),
                );
                self.some(&mut schema, "multipleOf", &[1, 2, 4].map(Value::from));
            }
            2 => {
                let values = [
                    json!(["a", "b"]),
                    json!(["b", "a"]),
                    json!(["a"]),
                    json!([1, null, "a"]),
                ];
                schema.insert("enum".into(), self.one_of(&values));
            }
            3 => {
                schema.insert(
                    "const".into(),
                    self.one_of(&[json!("a"), json!(1), json!(null)]),
                );
            }
            4 => {
                schema.insert(
                    "$ref".into(),
                    self.one_of(&["#/$defs/x", "#/$defs/y"]).into(),
                );
            }
            5 => {
                if self.0.bool() {
                    return Value::Bool(self.0.u32(..4) != 0);
                }
            }
            6 => {
                schema.insert("type".into(), "array".into());
                if self.0.bool() {
                    schema.insert("items".into(), self.schema(depth - 1));
                }
                self.some(&mut schema, "minItems", &[0, 1].map(Value::from));
                self.some(&mut schema, "maxItems", &[1, 2].map(Value::from));
                self.some(&mut schema, "uniqueItems", &[true, false].map(Value::from));
            }
            7 => {
                let keyword = self.one_of(&["anyOf", "oneOf", "allOf", "not"]);
                let branches: Vec<_> = (0..self.0.usize(1..3))
                    .map(|_| self.schema(depth - 1))
                    .collect();
                let value = match keyword {
                    "not" => branches[0].clone(),
                    _ => Value::from(branches),
                };
                schema.insert(keyword.into(), value);
            }
            _ => return self.object(depth),
        }
        if self.0.u32(..10) == 0 {
            schema.insert("description".into(), "text".into());
        }
        Value::Object(schema)
    }

    fn object(&mut self, depth: u32) -> Value {
        let mut schema = serde_json::Map::new();
        schema.insert("type".into(), "object".into());
        let mut properties = serde_json::Map::new();
        for name in ["a", "b", "c"] {
            if self.0.bool() {
                properties.insert(name.into(), self.schema(depth - 1));
            }
        }
        schema.insert("properties".into(), properties.into());
        let required: Vec<_> = ["a", "b"]
            .into_iter()
            .filter(|_| self.0.u32(..4) == 0)
            .collect();
        self.some(&mut schema, "required", &[Value::from(required)]);
        let additional = [json!(false), json!(true), json!({"type": "string"})];
        self.some(&mut schema, "additionalProperties", &additional);
        self.some(&mut schema, "maxProperties", &[1, 2, 3].map(Value::from));
        Value::Object(schema)
    }

    fn some(
        &mut self,
        schema: &mut serde_json::Map<String, Value>,
        keyword: &str,
        values: &[Value],
    ) {
        if self.0.u32(..3) == 0 {
            let value = self.one_of(values);
            schema.insert(keyword.into(), value);
        }
    }

    fn document(&mut self) -> Value {
        let mut root = self.object(2);
        root["$defs"] = json!({"x": self.schema(1), "y": self.schema(1)});
        root
    }

    /// Changes one place or a few, as a new version of a server does.
    fn next_version(&mut self, schema: &Value, depth: u32) -> Value {
        let Value::Object(members) = schema else {
            return match self.0.u32(..8) {
                0 => self.schema(depth.min(1)),
                _ => schema.clone(),
            };
        };
        let mut new = serde_json::Map::new();
        for (key, value) in members {
            if self.0.u32(..16) == 0 && key != "$defs" {
                continue;
            }
            let value = match (key.as_str(), value) {
                ("properties" | "$defs", Value::Object(schemas)) => Value::Object(
                    schemas
                        .iter()
                        .map(|(name, schema)| (name.clone(), self.next_version(schema, 1)))
                        .collect(),
                ),
                ("items" | "not", schema) => self.next_version(schema, 1),
                ("anyOf" | "allOf" | "oneOf", Value::Array(branches)) => {
                    let mut branches: Vec<_> = branches
                        .iter()
                        .map(|branch| self.next_version(branch, 0))
                        .collect();
                    if self.0.u32(..4) == 0 {
                        branches.push(self.schema(0));
                    }
                    branches.into()
                }
                (
                    "minimum" | "multipleOf" | "minLength" | "maxLength" | "minItems" | "maxItems"
                    | "maxProperties",
                    Value::Number(number),
                ) if self.0.u32(..3) == 0 => {
                    let number = number.as_i64().unwrap_or(1) + self.0.i64(-1..2);
                    let least = i64::from(key == "multipleOf");
                    match key.as_str() {
                        "minimum" => number.into(),
                        _ => number.max(least).into(),
                    }
                }
                ("type", kind) if self.0.u32(..6) == 0 => match kind.as_str() {
                    Some("integer") => json!("number"),
                    Some(kind) => json!([kind, "null"]),
                    None => json!("number"),
                },
                _ => value.clone(),
            };
            new.insert(key.clone(), value);
        }
        if let Some(Value::Object(properties)) = new.get_mut("properties")
            && self.0.u32(..4) == 0
        {
            let name = self.one_of(&["a", "b", "c", "d"]);
            if !properties.contains_key(name) {
                let schema = self.schema(0);
                properties.insert(name.into(), schema);
            }
        }
        Value::Object(new)
    }

    /// Writes an instance that may fit, with only those properties that the schema speaks of: by
    /// name, or by saying that others are allowed.
    fn instance(&mut self, schema: &Value, root: &Value, depth: u32) -> Value {
        let plain = [
            json!(null),
            json!(true),
            json!(0),
            json!(1),
            json!(2),
            json!(4),
            json!(2.5),
            json!(-1),
            json!(""),
            json!("a"),
            json!("b"),
            json!("ab"),
            json!("bab"),
            json!([]),
            json!({}),
        ];
        let Value::Object(members) = schema else {
            return self.one_of(&plain);
        };
        if depth == 0 {
            return self.one_of(&plain);
        }
        if let Some(target) = members.get("$ref").and_then(Value::as_str) {
            let target = root.pointer(&target[1..]).cloned().unwrap_or_default();
            return self.instance(&target, root, depth - 1);
        }
        for keyword in ["anyOf", "oneOf", "allOf"] {
            if let Some(Value::Array(branches)) = members.get(keyword) {
                let branch = self.one_of(branches);
                return self.instance(&branch, root, depth - 1);
            }
        }
        if let Some(Value::Array(values)) = members.get("enum") {
            return self.one_of(values);
        }
        if let Some(value) = members.get("const") {
            return value.clone();
        }
        let kind = match members.get("type") {
            Some(Value::Array(kinds)) => self.one_of(kinds).as_str().map(str::to_owned),
            other => other.and_then(Value::as_str).map(str::to_owned),
        };
        match kind.as_deref() {
            Some("object") => {
                let mut object = serde_json::Map::new();
                let empty = serde_json::Map::new();
                let properties = members
                    .get("properties")
                    .and_then(Value::as_object)
                    .unwrap_or(&empty);
                for (name, property) in properties {
                    if self.0.bool() {
                        object.insert(name.clone(), self.instance(property, root, depth - 1));
                    }
                }
                if let Some(additional) = members.get("additionalProperties") {
                    for name in ["a", "b", "c", "d"] {
                        if !properties.contains_key(name) && self.0.u32(..4) == 0 {
                            object.insert(name.into(), self.instance(additional, root, depth - 1));
                        }
                    }
                }
                Value::Object(object)
            }
            Some("array") => {
                let items = members.get("items").cloned().unwrap_or(Value::Bool(true));
                (0..self.0.usize(..3))
                    .map(|_| self.instance(&items, root, depth - 1))
                    .collect()
            }
            Some("string") => self.one_of(&["", "a", "b", "ab", "bab", "aaaa"].map(Value::from)),
            Some("integer" | "number") => self.one_of(&[
                json!(-1),
                json!(0),
                json!(1),
                json!(2),
                json!(2.5),
                json!(4),
            ]),
            _ => self.one_of(&plain),
        }
    }
}

#[test]
fn an_argument_that_was_taken_is_taken_after_every_compatible_change() {
    let mut generator = Generator(fastrand::Rng::with_seed(0x5167_6874));
    let (mut pairs, mut safe, mut instances) = (0, 0, 0);
    while pairs < 1_000 || safe < 1_000 {
        assert!(pairs < 50_000, "only {safe} pairs were compatible");
        let old = generator.document();
        let new = generator.next_version(&old, 1);
        if old == new {
            continue;
        }
        pairs += 1;
        // The same pair in both roles: what takes less as an argument promises more as a result.
        for (direction, from, to) in [
            (SchemaDirection::Arguments, &old, &new),
            (SchemaDirection::Results, &new, &old),
        ] {
            // Seen from the other end, a result is read by the old schema.
            let changes = match direction {
                SchemaDirection::Arguments => compare_schemas(from, to, direction),
                SchemaDirection::Results => compare_schemas(to, from, direction),
            };
            if changes
                .iter()
                .any(|change| matches!(change.class, Breaking | Attention))
            {
                continue;
            }
            safe += 1;
            let (accepts, must_accept) = match direction {
                SchemaDirection::Arguments => (from, to),
                SchemaDirection::Results => (from, to),
            };
            let (Ok(first), Ok(second)) = (
                jsonschema::validator_for(accepts),
                jsonschema::validator_for(must_accept),
            ) else {
                continue;
            };
            for _ in 0..40 {
                let instance = generator.instance(accepts, accepts, 5);
                if first.is_valid(&instance) {
                    instances += 1;
                    assert!(
                        second.is_valid(&instance),
                        "{direction:?}: {instance} is taken by\n{accepts}\nand not by\n{must_accept}\n{changes:#?}"
                    );
                }
            }
        }
    }
    assert!(instances > 5_000, "only {instances} instances were judged");
}
