//! Holds the rules of the comparison: one row of the table after the other, then generated pairs.

use serde_json::{Value, json};
use sightglass_surface::{
    ChangeClass, Direction, Part, Surface, SurfaceChange, compare_schemas, diff,
};

use ChangeClass::{Attention, Breaking, Compatible, Note};

fn tools(items: &[Value]) -> Surface {
    Surface {
        tools: Some(items.to_vec()),
        ..Surface::default()
    }
}

fn described(changes: &[SurfaceChange]) -> Vec<(ChangeClass, &str, &str)> {
    changes
        .iter()
        .map(|change| (change.class, change.rule.as_str(), change.path.as_str()))
        .collect()
}

/// Compares two tools with the same name.
fn tool(before: Value, after: Value) -> Vec<(ChangeClass, String, String)> {
    let with_name = |mut tool: Value| {
        tool["name"] = "t".into();
        tool
    };
    diff(&tools(&[with_name(before)]), &tools(&[with_name(after)]))
        .into_iter()
        .map(|change| (change.class, change.rule, change.path))
        .collect()
}

/// The class that two schemas get, when one rule speaks: as arguments, and as results.
fn classes(before: Value, after: Value) -> (String, ChangeClass, ChangeClass) {
    let one = |direction| {
        let changes = compare_schemas(&before, &after, direction);
        assert_eq!(changes.len(), 1, "{before} → {after}: {changes:?}");
        (changes[0].rule.to_owned(), changes[0].class)
    };
    let (rule, arguments) = one(Direction::Arguments);
    let (_, results) = one(Direction::Results);
    (rule, arguments, results)
}

#[test]
fn a_condition_more_breaks_callers_and_a_condition_less_breaks_readers() {
    for (narrow, wide, tightened, loosened) in [
        (
            json!({"type": "integer"}),
            json!({"type": "number"}),
            "type-narrowed",
            "type-widened",
        ),
        (
            json!({"type": "string"}),
            json!({"type": ["string", "null"]}),
            "type-narrowed",
            "type-widened",
        ),
        (
            json!({"type": "string"}),
            json!({}),
            "type-narrowed",
            "type-widened",
        ),
        (
            json!({"enum": ["a"]}),
            json!({"enum": ["a", "b"]}),
            "enum-value-removed",
            "enum-value-added",
        ),
        (
            json!({"const": "a"}),
            json!({"enum": ["a", "b"]}),
            "enum-value-removed",
            "enum-value-added",
        ),
        (
            json!({"enum": ["a"]}),
            json!({}),
            "enum-added",
            "enum-removed",
        ),
        (
            json!({"additionalProperties": false}),
            json!({}),
            "additional-properties-closed",
            "additional-properties-opened",
        ),
        (
            json!({"additionalProperties": {"type": "string"}}),
            json!({}),
            "additional-properties-changed",
            "additional-properties-changed",
        ),
        (
            json!({"minimum": 2}),
            json!({"minimum": 1}),
            "limit-tightened",
            "limit-loosened",
        ),
        (
            json!({"maximum": 1.5}),
            json!({"maximum": 2}),
            "limit-tightened",
            "limit-loosened",
        ),
        (
            json!({"exclusiveMaximum": 1}),
            json!({}),
            "limit-tightened",
            "limit-loosened",
        ),
        (
            json!({"maxLength": 1}),
            json!({"maxLength": 2}),
            "limit-tightened",
            "limit-loosened",
        ),
        (
            json!({"minItems": 1}),
            json!({}),
            "limit-tightened",
            "limit-loosened",
        ),
        (
            json!({"multipleOf": 6}),
            json!({"multipleOf": 3}),
            "limit-tightened",
            "limit-loosened",
        ),
        (
            json!({"uniqueItems": true}),
            json!({}),
            "limit-tightened",
            "limit-loosened",
        ),
        (
            json!({"items": {"type": "string"}}),
            json!({}),
            "items-added",
            "items-removed",
        ),
        (
            json!({"pattern": "^a"}),
            json!({}),
            "condition-added",
            "condition-removed",
        ),
        (
            json!({"required": ["a"]}),
            json!({}),
            "required-added",
            "required-removed",
        ),
        (
            json!({"type": "string"}),
            json!({"anyOf": [{"type": "string"}, {"type": "null"}]}),
            "union",
            "union",
        ),
        (
            json!({"anyOf": [{"type": "string"}]}),
            json!({"anyOf": [{"type": "string"}, {"type": "null"}]}),
            "union",
            "union",
        ),
        (
            json!({"allOf": [{"minimum": 1}, {"maximum": 2}]}),
            json!({"allOf": [{"minimum": 1}]}),
            "union",
            "union",
        ),
    ] {
        assert_eq!(
            classes(wide.clone(), narrow.clone()),
            (tightened.to_owned(), Breaking, Compatible),
            "{wide} → {narrow}"
        );
        assert_eq!(
            classes(narrow.clone(), wide.clone()),
            (loosened.to_owned(), Compatible, Breaking),
            "{narrow} → {wide}"
        );
    }
}

#[test]
fn what_cannot_be_decided_is_never_compatible() {
    for (before, after) in [
        (json!({"pattern": "^a"}), json!({"pattern": "^b"})),
        (json!({"format": "date"}), json!({})),
        (json!({}), json!({"format": "date"})),
        (
            json!({"oneOf": [{"type": "string"}]}),
            json!({"oneOf": [{"type": "string"}, {"type": "null"}]}),
        ),
        (
            json!({"not": {"type": "string"}}),
            json!({"not": {"type": "null"}}),
        ),
        (json!({"if": {"type": "string"}}), json!({})),
        (json!({"patternProperties": {"^a": {}}}), json!({})),
        (
            json!({"items": [{"type": "string"}]}),
            json!({"items": [{"type": "null"}]}),
        ),
        (
            json!({"prefixItems": [{}]}),
            json!({"prefixItems": [{}, {}]}),
        ),
        (json!({"unevaluatedProperties": false}), json!({})),
        (json!({"minimum": "1"}), json!({"minimum": 0})),
        (json!({"type": "text"}), json!({"type": "string"})),
        (
            json!({"$ref": "https://example.com/a"}),
            json!({"$ref": "https://example.com/b"}),
        ),
        (json!({"$ref": "#/$defs/a"}), json!({"$ref": "#/$defs/b"})),
        (json!({"x-header": "a"}), json!({"x-header": "b"})),
        (json!({"default": 1}), json!({"default": 2})),
    ] {
        let (rule, arguments, results) = classes(before.clone(), after.clone());
        assert_eq!(
            (arguments, results),
            (Attention, Attention),
            "{before} → {after}: {rule}"
        );
    }
}

#[test]
fn another_spelling_is_at_most_a_note() {
    for (before, after, changes) in [
        (json!({"type": "string"}), json!({"type": ["string"]}), 1),
        (json!({"enum": ["a", "b"]}), json!({"enum": ["b", "a"]}), 1),
        (json!({"minimum": 1}), json!({"minimum": 1.0}), 1),
        (json!({"$comment": "a"}), json!({}), 1),
        (
            json!({"anyOf": [{"type": "null"}, {}]}),
            json!({"anyOf": [{}, {"type": "null"}]}),
            1,
        ),
        (
            json!({"a": 1, "type": "string"}),
            json!({"type": "string", "a": 1}),
            0,
        ),
        (
            json!({"$schema": "https://json-schema.org/draft/2020-12/schema"}),
            json!({}),
            0,
        ),
        (
            json!({"required": ["a", "b"]}),
            json!({"required": ["b", "a"]}),
            0,
        ),
        (json!({"additionalProperties": true}), json!({}), 0),
        (
            json!({"properties": {"a": {"type": "string"}}}),
            json!({"properties": {"a": {"$ref": "#/$defs/a"}}, "$defs": {"a": {"type": "string"}}}),
            0,
        ),
    ] {
        for direction in [Direction::Arguments, Direction::Results] {
            let found = compare_schemas(&before, &after, direction);
            assert_eq!(found.len(), changes, "{before} → {after}: {found:?}");
            assert!(found.iter().all(|change| change.class == Note), "{found:?}");
        }
    }
}

#[test]
fn properties_come_and_go() {
    let with = |schema: Value| json!({"properties": {"a": schema}});
    for (direction, before, after, expected) in [
        (
            Direction::Arguments,
            with(json!({})),
            json!({}),
            vec![(Breaking, "property-removed")],
        ),
        (
            Direction::Results,
            with(json!({})),
            json!({}),
            vec![(Breaking, "property-removed")],
        ),
        (
            Direction::Arguments,
            json!({}),
            with(json!({"type": "string"})),
            vec![(Compatible, "property-added")],
        ),
        (
            Direction::Results,
            json!({}),
            with(json!({"type": "string"})),
            vec![(Compatible, "property-added")],
        ),
        (
            Direction::Arguments,
            json!({"additionalProperties": false}),
            json!({"additionalProperties": false, "properties": {"a": {}}}),
            vec![(Compatible, "property-added")],
        ),
        (
            Direction::Results,
            json!({"additionalProperties": false}),
            json!({"additionalProperties": false, "properties": {"a": {}}}),
            vec![(Attention, "property-added")],
        ),
        (
            Direction::Arguments,
            json!({"additionalProperties": true}),
            json!({"additionalProperties": true, "properties": {"a": {"type": "string"}}}),
            vec![(Attention, "property-added")],
        ),
        (
            Direction::Arguments,
            json!({"additionalProperties": {"type": "string"}}),
            json!({"additionalProperties": {"type": "string"}, "properties": {"a": {"type": ["string", "null"]}}}),
            vec![(Compatible, "property-added")],
        ),
        (
            Direction::Arguments,
            json!({}),
            json!({"properties": {"a": {}}, "required": ["a"]}),
            vec![(Breaking, "required-added")],
        ),
    ] {
        let found: Vec<_> = compare_schemas(&before, &after, direction)
            .into_iter()
            .map(|change| (change.class, change.rule))
            .collect();
        assert_eq!(found, expected, "{before} → {after}");
    }
}

#[test]
fn a_change_is_found_behind_references_and_cycles() {
    let list = |kind: &str| {
        json!({
            "$ref": "#/$defs/node",
            "$defs": {"node": {
                "type": "object",
                "properties": {"value": {"type": kind}, "next": {"$ref": "#/$defs/node"}},
            }},
        })
    };
    let found = compare_schemas(&list("number"), &list("integer"), Direction::Arguments);
    assert_eq!(found.len(), 1, "{found:?}");
    assert_eq!(
        (found[0].class, found[0].path.as_str()),
        (Breaking, "/properties/value/type")
    );
    // Definitions that each name the next one twice.
    let tower = |kind: &str| {
        let mut definitions = serde_json::Map::new();
        for level in 0..40 {
            let next = json!({"$ref": format!("#/$defs/d{}", level + 1)});
            definitions.insert(
                format!("d{level}"),
                json!({"properties": {"a": next, "b": next}}),
            );
        }
        definitions.insert("d40".into(), json!({"type": kind}));
        json!({"$ref": "#/$defs/d0", "$defs": definitions})
    };
    let found = compare_schemas(&tower("number"), &tower("string"), Direction::Arguments);
    assert!(
        found.iter().any(|change| change.class == Breaking),
        "{found:?}"
    );
    // A definition behind a keyword that is not compared.
    let hidden = |kind: &str| json!({"not": {"$ref": "#/$defs/a"}, "oneOf": [{"$ref": "#/$defs/a"}], "$defs": {"a": {"type": kind}}});
    let found = compare_schemas(&hidden("string"), &hidden("null"), Direction::Arguments);
    assert_eq!(
        found.iter().map(|change| change.class).collect::<Vec<_>>(),
        [Attention, Attention],
        "{found:?}"
    );
}

#[test]
fn tools_come_and_go() {
    let [a, b, c] = ["a", "b", "c"].map(|name| json!({"name": name, "description": name}));
    let changes = diff(
        &tools(&[a.clone(), b.clone()]),
        &tools(std::slice::from_ref(&a)),
    );
    assert_eq!(described(&changes), [(Breaking, "removed", "")]);
    assert_eq!(changes[0].subject.name, "b");
    let changes = diff(
        &tools(std::slice::from_ref(&a)),
        &tools(&[a.clone(), b.clone()]),
    );
    assert_eq!(described(&changes), [(Compatible, "added", "")]);
    let changes = diff(
        &tools(&[a.clone(), b.clone()]),
        &tools(&[b.clone(), a.clone()]),
    );
    assert_eq!(described(&changes), [(Note, "order", "")]);
    let changes = diff(
        &tools(std::slice::from_ref(&a)),
        &tools(&[json!({"name": "z", "description": "a"})]),
    );
    assert_eq!(described(&changes), [(Breaking, "renamed", "/name")]);
    assert_eq!(changes[0].after.as_deref(), Some("z"));
    let changes = diff(&tools(&[a]), &tools(&[c]));
    assert_eq!(
        described(&changes),
        [(Breaking, "removed", ""), (Compatible, "added", "")]
    );
}

#[test]
fn each_field_of_a_tool_has_its_class() {
    for (before, after, expected) in [
        (
            json!({"description": "a"}),
            json!({"description": "b"}),
            vec![(Attention, "description", "/description")],
        ),
        (
            json!({"title": "a"}),
            json!({}),
            vec![(Attention, "title", "/title")],
        ),
        (
            json!({"icons": []}),
            json!({}),
            vec![(Compatible, "icons", "/icons")],
        ),
        (
            json!({"annotations": {"readOnlyHint": true}}),
            json!({}),
            vec![(Breaking, "hint", "/annotations/readOnlyHint")],
        ),
        (
            json!({}),
            json!({"annotations": {"readOnlyHint": true}}),
            vec![(Attention, "hint", "/annotations/readOnlyHint")],
        ),
        (
            json!({"annotations": {"destructiveHint": false}}),
            json!({}),
            vec![(Breaking, "hint", "/annotations/destructiveHint")],
        ),
        (
            json!({}),
            json!({"annotations": {"readOnlyHint": false, "destructiveHint": true, "openWorldHint": true, "idempotentHint": false}}),
            vec![],
        ),
        (
            json!({}),
            json!({"execution": {"taskSupport": "required"}}),
            vec![(Breaking, "task-support", "/execution/taskSupport")],
        ),
        (
            json!({}),
            json!({"execution": {"taskSupport": "optional"}}),
            vec![(Compatible, "task-support", "/execution/taskSupport")],
        ),
        (
            json!({}),
            json!({"execution": {"taskSupport": "forbidden"}}),
            vec![],
        ),
        (
            json!({}),
            json!({"_meta": {"ui": {"visibility": ["app"]}}}),
            vec![(Breaking, "visibility", "/_meta/ui/visibility")],
        ),
        (
            json!({}),
            json!({"_meta": {"ui": {"visibility": ["model"]}}}),
            vec![(Attention, "visibility", "/_meta/ui/visibility")],
        ),
        (
            json!({}),
            json!({"_meta": {"ui": {"visibility": ["app", "model"]}}}),
            vec![],
        ),
        (
            json!({}),
            json!({"_meta": {"example.com/a": 1}}),
            vec![(Note, "meta", "/_meta/example.com~1a")],
        ),
        (
            json!({"outputSchema": {}}),
            json!({}),
            vec![(Breaking, "output-schema-removed", "/outputSchema")],
        ),
        (
            json!({}),
            json!({"outputSchema": {}}),
            vec![(Compatible, "output-schema-added", "/outputSchema")],
        ),
        (
            json!({"outputSchema": {"required": ["a"]}}),
            json!({"outputSchema": {}}),
            vec![(Breaking, "required-removed", "/outputSchema/required")],
        ),
        (
            json!({"inputSchema": {"required": ["a"]}}),
            json!({"inputSchema": {}}),
            vec![(Compatible, "required-removed", "/inputSchema/required")],
        ),
        (
            json!({"inputSchema": {"properties": {"a": {"description": "x"}}}}),
            json!({"inputSchema": {"properties": {"a": {"description": "y"}}}}),
            vec![(
                Attention,
                "description",
                "/inputSchema/properties/a/description",
            )],
        ),
    ] {
        let found = tool(before.clone(), after.clone());
        let found: Vec<_> = found
            .iter()
            .map(|(class, rule, path)| (*class, rule.as_str(), path.as_str()))
            .collect();
        assert_eq!(found, expected, "{before} → {after}");
    }
}

#[test]
fn all_other_parts_are_compared() {
    let surface = |text: &str, capabilities: Value, prompt: Value, uri: &str| Surface {
        protocol_version: Some("2025-11-25".into()),
        server_info: Some(json!({"name": "s", "version": text})),
        instructions: Some(text.into()),
        capabilities: Some(capabilities),
        tools: None,
        prompts: Some(vec![prompt]),
        resources: Some(vec![json!({"uri": uri, "name": "r"})]),
        templates: Some(vec![json!({"uriTemplate": uri, "name": "r"})]),
    };
    let old = surface(
        "1",
        json!({"tools": {}, "logging": {}}),
        json!({"name": "p", "arguments": [{"name": "a"}, {"name": "b"}]}),
        "x://a",
    );
    let new = surface(
        "2",
        json!({"tools": {"listChanged": true}, "prompts": {}}),
        json!({"name": "p", "arguments": [{"name": "a", "required": true}, {"name": "c"}]}),
        "x://b",
    );
    let changes = diff(&old, &new);
    let found: Vec<_> = changes
        .iter()
        .map(|change| (change.class, change.subject.part, change.rule.as_str()))
        .collect();
    assert_eq!(
        found,
        [
            (Breaking, Part::Capabilities, "capability-removed"),
            (Breaking, Part::Prompt, "required-added"),
            (Breaking, Part::Prompt, "argument-removed"),
            (Breaking, Part::Template, "removed"),
            (Attention, Part::Instructions, "instructions"),
            (Attention, Part::Capabilities, "capability-changed"),
            (Attention, Part::Resource, "removed"),
            (Compatible, Part::Capabilities, "capability-added"),
            (Compatible, Part::Prompt, "argument-added"),
            (Compatible, Part::Resource, "added"),
            (Compatible, Part::Template, "added"),
            (Note, Part::Server, "server-info"),
        ]
    );
    assert_eq!(diff(&old, &old), []);
    // A part that one side never recorded is no change.
    assert_eq!(diff(&Surface::default(), &new), []);
    assert_eq!(diff(&new, &Surface::default()), []);
}

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
            (Direction::Arguments, &old, &new),
            (Direction::Results, &new, &old),
        ] {
            // Seen from the other end, a result is read by the old schema.
            let changes = match direction {
                Direction::Arguments => compare_schemas(from, to, direction),
                Direction::Results => compare_schemas(to, from, direction),
            };
            if changes
                .iter()
                .any(|change| matches!(change.class, Breaking | Attention))
            {
                continue;
            }
            safe += 1;
            let (accepts, must_accept) = match direction {
                Direction::Arguments => (from, to),
                Direction::Results => (from, to),
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
