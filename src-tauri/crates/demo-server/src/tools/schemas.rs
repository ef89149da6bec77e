//! Tools whose input schemas cover JSON Schema as servers use it. All of them
//! answer with the exact text of their arguments.

use serde_json::{Value, json};

use super::{Call, Tool, object_schema, text_result};
use crate::context::Outcome;

pub(super) fn tools() -> Vec<Tool> {
    vec![
        Tool::new("schema_none", none, answer),
        Tool::new("schema_strings", strings, answer),
        Tool::new("schema_numbers", numbers, answer),
        Tool::new("schema_choices", choices, answer),
        Tool::new("schema_arrays", arrays, answer),
        Tool::new("schema_objects", objects, answer),
        Tool::new("schema_unions", unions, answer),
        Tool::new("schema_references", references, answer),
        Tool::new("schema_null_and_absent", null_and_absent, answer),
        Tool::new("schema_maps", maps, answer),
        Tool::new("schema_conditional", conditional, answer),
    ]
}

fn answer(call: Call) -> Outcome {
    text_result(format!("Received: {}", call.arguments_text())).into()
}

fn definition(name: &str, description: &str, schema: Value) -> Value {
    json!({
        "name": name,
        "title": name.replace("schema_", "Schema: ").replace('_', " "),
        "description": description,
        "inputSchema": schema,
        "annotations": { "readOnlyHint": true }
    })
}

fn none() -> Value {
    definition(
        "schema_none",
        "Takes no arguments at all.",
        json!({ "type": "object", "additionalProperties": false }),
    )
}

fn strings() -> Value {
    definition(
        "schema_strings",
        "Strings with lengths, patterns, formats, defaults and examples.",
        object_schema(
            json!({
                "name": { "type": "string", "title": "Name", "minLength": 1, "maxLength": 40, "description": "1 to 40 characters" },
                "code": { "type": "string", "pattern": "^[A-Z]{2}-[0-9]{4}$", "examples": ["AB-1234"], "description": "Two capitals, a hyphen, four digits" },
                "email": { "type": "string", "format": "email" },
                "website": { "type": "string", "format": "uri" },
                "day": { "type": "string", "format": "date" },
                "moment": { "type": "string", "format": "date-time" },
                "time": { "type": "string", "format": "time" },
                "duration": { "type": "string", "format": "duration" },
                "identifier": { "type": "string", "format": "uuid" },
                "address": { "type": "string", "format": "ipv4" },
                "expression": { "type": "string", "format": "regex" },
                "greeting": { "type": "string", "default": "hello" },
                "note": { "type": "string", "contentMediaType": "text/markdown", "description": "Several lines of Markdown" },
                "attachment": { "type": "string", "contentEncoding": "base64", "contentMediaType": "image/png" },
                "secret": { "type": "string", "writeOnly": true, "format": "password" },
                "old": { "type": "string", "deprecated": true }
            }),
            &["name", "code"],
        ),
    )
}

fn numbers() -> Value {
    definition(
        "schema_numbers",
        "Numbers with limits, and integers that do not fit a double.",
        object_schema(
            json!({
                "count": { "type": "integer", "minimum": 0, "maximum": 100, "default": 10 },
                "ratio": { "type": "number", "exclusiveMinimum": 0, "exclusiveMaximum": 1 },
                "step": { "type": "number", "multipleOf": 0.25 },
                "big": { "type": "integer", "description": "Beyond 2^53, to be kept digit by digit", "default": 9_007_199_254_740_993_u64, "examples": [u64::MAX] },
                "negative": { "type": "integer", "minimum": i64::MIN, "maximum": -1 },
                "tiny": { "type": "number", "examples": [1e-300] },
                "flag": { "type": "boolean", "default": false },
                "agreed": { "type": "boolean", "const": true, "description": "Only true is accepted" }
            }),
            &["count", "big"],
        ),
    )
}

fn choices() -> Value {
    definition(
        "schema_choices",
        "Enumerations: plain, titled, of mixed types, and several at once.",
        object_schema(
            json!({
                "colour": { "type": "string", "enum": ["red", "green", "blue"], "default": "green" },
                "size": {
                    "type": "string",
                    "title": "Size",
                    "oneOf": [
                        { "const": "s", "title": "Small" },
                        { "const": "m", "title": "Medium", "description": "Fits most" },
                        { "const": "l", "title": "Large" }
                    ]
                },
                "legacy_size": { "type": "string", "enum": ["s", "m", "l"], "enumNames": ["Small", "Medium", "Large"] },
                "level": { "type": "integer", "enum": [1, 2, 3] },
                "mixed": { "enum": ["auto", 0, 1.5, true, null] },
                "toppings": {
                    "type": "array",
                    "title": "Toppings (several)",
                    "items": { "type": "string", "enum": ["cheese", "mushrooms", "olives"] },
                    "uniqueItems": true,
                    "minItems": 1,
                    "maxItems": 3
                },
                "days": {
                    "type": "array",
                    "items": { "anyOf": [
                        { "const": "mon", "title": "Monday" },
                        { "const": "tue", "title": "Tuesday" },
                        { "const": "wed", "title": "Wednesday" }
                    ] },
                    "uniqueItems": true,
                    "default": ["mon"]
                }
            }),
            &["colour", "toppings"],
        ),
    )
}

fn arrays() -> Value {
    definition(
        "schema_arrays",
        "Arrays of scalars, of objects, of arrays, and tuples.",
        object_schema(
            json!({
                "tags": { "type": "array", "items": { "type": "string" }, "minItems": 1, "uniqueItems": true },
                "points": {
                    "type": "array",
                    "items": object_schema(
                        json!({ "x": { "type": "number" }, "y": { "type": "number" }, "label": { "type": "string" } }),
                        &["x", "y"],
                    )
                },
                "matrix": { "type": "array", "items": { "type": "array", "items": { "type": "number" } } },
                "range": {
                    "type": "array",
                    "description": "A tuple: from, to",
                    "prefixItems": [{ "type": "integer" }, { "type": "integer" }],
                    "items": false,
                    "minItems": 2
                },
                "anything": { "type": "array" }
            }),
            &["tags"],
        ),
    )
}

fn objects() -> Value {
    definition(
        "schema_objects",
        "Objects within objects, required and optional, with defaults.",
        object_schema(
            json!({
                "customer": {
                    "type": "object",
                    "title": "Customer",
                    "properties": {
                        "name": { "type": "string" },
                        "address": {
                            "type": "object",
                            "properties": {
                                "street": { "type": "string" },
                                "city": { "type": "string", "default": "Lisbon" },
                                "position": object_schema(
                                    json!({ "latitude": { "type": "number", "minimum": -90, "maximum": 90 }, "longitude": { "type": "number", "minimum": -180, "maximum": 180 } }),
                                    &["latitude", "longitude"],
                                )
                            },
                            "required": ["street", "city"]
                        }
                    },
                    "required": ["name"],
                    "additionalProperties": false
                },
                "options": {
                    "type": "object",
                    "properties": { "verbose": { "type": "boolean" }, "retries": { "type": "integer" } },
                    "default": { "verbose": true, "retries": 3 }
                },
                "free": { "type": "object", "description": "Any object" }
            }),
            &["customer"],
        ),
    )
}

fn unions() -> Value {
    definition(
        "schema_unions",
        "One of several shapes: by type, by a discriminating member, or combined.",
        object_schema(
            json!({
                "id": { "anyOf": [{ "type": "string" }, { "type": "integer" }], "description": "Text or number" },
                "value": { "type": ["string", "number", "boolean"], "description": "Several types in one keyword" },
                "shape": {
                    "oneOf": [
                        { "title": "Circle", "type": "object", "properties": { "kind": { "const": "circle" }, "radius": { "type": "number", "exclusiveMinimum": 0 } }, "required": ["kind", "radius"] },
                        { "title": "Rectangle", "type": "object", "properties": { "kind": { "const": "rectangle" }, "width": { "type": "number" }, "height": { "type": "number" } }, "required": ["kind", "width", "height"] }
                    ]
                },
                "person": {
                    "allOf": [
                        object_schema(json!({ "name": { "type": "string" } }), &["name"]),
                        object_schema(json!({ "age": { "type": "integer", "minimum": 0 } }), &[])
                    ]
                },
                "word": { "type": "string", "not": { "enum": ["forbidden"] } }
            }),
            &["id", "shape"],
        ),
    )
}

fn references() -> Value {
    definition(
        "schema_references",
        "`$ref` into `$defs`, also recursive and through `definitions`.",
        json!({
            "$schema": "https://json-schema.org/draft/2020-12/schema",
            "type": "object",
            "properties": {
                "sender": { "$ref": "#/$defs/person" },
                "recipients": { "type": "array", "items": { "$ref": "#/$defs/person" } },
                "tree": { "$ref": "#/$defs/node", "description": "A node has children, which are nodes" },
                "old": { "$ref": "#/definitions/money" }
            },
            "required": ["sender"],
            "$defs": {
                "person": object_schema(json!({ "name": { "type": "string" }, "email": { "type": "string", "format": "email" } }), &["name"]),
                "node": object_schema(
                    json!({ "label": { "type": "string" }, "children": { "type": "array", "items": { "$ref": "#/$defs/node" } } }),
                    &["label"],
                )
            },
            "definitions": {
                "money": object_schema(json!({ "amount": { "type": "number" }, "currency": { "type": "string", "minLength": 3, "maxLength": 3 } }), &["amount", "currency"])
            }
        }),
    )
}

fn null_and_absent() -> Value {
    definition(
        "schema_null_and_absent",
        "Null, absent, empty and default are four different things.",
        object_schema(
            json!({
                "required_nullable": { "type": ["string", "null"], "description": "Must be there, may be null" },
                "optional_nullable": { "type": ["integer", "null"], "default": null },
                "optional": { "type": "string", "description": "May be left out, may not be null" },
                "any_of_null": { "anyOf": [{ "type": "number" }, { "type": "null" }] },
                "with_default": { "type": "string", "default": "used when left out" },
                "only_null": { "type": "null" }
            }),
            &["required_nullable"],
        ),
    )
}

fn maps() -> Value {
    definition(
        "schema_maps",
        "Objects whose keys are not known in advance.",
        object_schema(
            json!({
                "headers": { "type": "object", "additionalProperties": { "type": "string" }, "description": "Name to value" },
                "scores": { "type": "object", "additionalProperties": { "type": "integer", "minimum": 0 }, "minProperties": 1 },
                "variables": { "type": "object", "patternProperties": { "^[A-Z_]+$": { "type": "string" } }, "additionalProperties": false },
                "named": { "type": "object", "propertyNames": { "pattern": "^[a-z]+$" }, "additionalProperties": object_schema(json!({ "enabled": { "type": "boolean" } }), &[]) }
            }),
            &["headers"],
        ),
    )
}

fn conditional() -> Value {
    definition(
        "schema_conditional",
        "What is required depends on what is given.",
        json!({
            "type": "object",
            "properties": {
                "delivery": { "type": "string", "enum": ["pickup", "post"] },
                "address": { "type": "string" },
                "card": { "type": "string" },
                "card_owner": { "type": "string" }
            },
            "required": ["delivery"],
            "if": { "properties": { "delivery": { "const": "post" } } },
            "then": { "required": ["address"] },
            "dependentRequired": { "card": ["card_owner"] }
        }),
    )
}
