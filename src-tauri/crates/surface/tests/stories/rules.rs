//! Holds the rules of the comparison: one row of the table after the other.

use serde_json::{Value, json};
use sightglass_surface::{
    ChangeClass, Part, SchemaDirection, Surface, SurfaceChange, compare_schemas, diff,
};

use ChangeClass::{Attention, Breaking, Compatible, Note};

fn tools(items: &[Value]) -> Surface {
    Surface {
        tools: Some(items.iter().cloned().map(Into::into).collect()),
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
    let (rule, arguments) = one(SchemaDirection::Arguments);
    let (_, results) = one(SchemaDirection::Results);
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
        for direction in [SchemaDirection::Arguments, SchemaDirection::Results] {
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
            SchemaDirection::Arguments,
            with(json!({})),
            json!({}),
            vec![(Breaking, "property-removed")],
        ),
        (
            SchemaDirection::Results,
            with(json!({})),
            json!({}),
            vec![(Breaking, "property-removed")],
        ),
        (
            SchemaDirection::Arguments,
            json!({}),
            with(json!({"type": "string"})),
            vec![(Compatible, "property-added")],
        ),
        (
            SchemaDirection::Results,
            json!({}),
            with(json!({"type": "string"})),
            vec![(Compatible, "property-added")],
        ),
        (
            SchemaDirection::Arguments,
            json!({"additionalProperties": false}),
            json!({"additionalProperties": false, "properties": {"a": {}}}),
            vec![(Compatible, "property-added")],
        ),
        (
            SchemaDirection::Results,
            json!({"additionalProperties": false}),
            json!({"additionalProperties": false, "properties": {"a": {}}}),
            vec![(Attention, "property-added")],
        ),
        (
            SchemaDirection::Arguments,
            json!({"additionalProperties": true}),
            json!({"additionalProperties": true, "properties": {"a": {"type": "string"}}}),
            vec![(Attention, "property-added")],
        ),
        (
            SchemaDirection::Arguments,
            json!({"additionalProperties": {"type": "string"}}),
            json!({"additionalProperties": {"type": "string"}, "properties": {"a": {"type": ["string", "null"]}}}),
            vec![(Compatible, "property-added")],
        ),
        (
            SchemaDirection::Arguments,
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
    let found = compare_schemas(
        &list("number"),
        &list("integer"),
        SchemaDirection::Arguments,
    );
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
    let found = compare_schemas(
        &tower("number"),
        &tower("string"),
        SchemaDirection::Arguments,
    );
    assert!(
        found.iter().any(|change| change.class == Breaking),
        "{found:?}"
    );
    // A definition behind a keyword that is not compared.
    let hidden = |kind: &str| json!({"not": {"$ref": "#/$defs/a"}, "oneOf": [{"$ref": "#/$defs/a"}], "$defs": {"a": {"type": kind}}});
    let found = compare_schemas(
        &hidden("string"),
        &hidden("null"),
        SchemaDirection::Arguments,
    );
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
        prompts: Some(vec![prompt.into()]),
        resources: Some(vec![json!({"uri": uri, "name": "r"}).into()]),
        templates: Some(vec![json!({"uriTemplate": uri, "name": "r"}).into()]),
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
