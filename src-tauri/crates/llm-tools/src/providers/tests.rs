use serde_json::{Value, json};
use sightglass_surface::Silence;

use super::{ChangeKind, Provider, SentList, portability, sent_list};

fn sent(provider: Provider, schema: &Value) -> SentList {
    let tool = json!({"name": "t", "description": "d", "inputSchema": schema});
    sent_list(provider, &[tool], &[])
}

/// The schema of the one tool, as the interface gets it.
fn schema(provider: Provider, schema: &Value) -> Option<Value> {
    let pointer = match provider {
        Provider::AnthropicMessages => "/input_schema",
        Provider::OpenaiResponses | Provider::Gemini => "/parameters",
        Provider::OpenaiChat => "/function/parameters",
        Provider::BedrockConverse => "/toolSpec/inputSchema/json",
    };
    let list = sent(provider, schema);
    list.tools.first()?.pointer(pointer).cloned()
}

fn changes(list: &SentList) -> Vec<(ChangeKind, &str)> {
    list.changes
        .iter()
        .map(|change| (change.kind, change.path.as_str()))
        .collect()
}

fn kinds(provider: Provider, schema: &Value) -> Vec<(ChangeKind, String)> {
    sent(provider, schema)
        .changes
        .into_iter()
        .map(|change| (change.kind, change.path))
        .collect()
}

#[test]
fn each_interface_has_a_form_of_its_own() {
    let schema = json!({
        "type": "object",
        "properties": {"a": {"type": "string"}},
        "additionalProperties": false,
    });
    let plain = json!({"type": "object", "properties": {"a": {"type": "string"}}});
    for (provider, expected) in [
        (
            Provider::AnthropicMessages,
            json!({"name": "t", "description": "d", "input_schema": schema}),
        ),
        (
            Provider::OpenaiResponses,
            json!({
                "type": "function", "name": "t", "description": "d", "strict": false,
                "parameters": schema,
            }),
        ),
        (
            Provider::OpenaiChat,
            json!({
                "type": "function",
                "function": {"name": "t", "description": "d", "parameters": schema},
            }),
        ),
        (
            Provider::Gemini,
            json!({"name": "t", "description": "d", "parameters": plain}),
        ),
        (
            Provider::BedrockConverse,
            json!({"toolSpec": {"name": "t", "description": "d", "inputSchema": {"json": schema}}}),
        ),
    ] {
        let list = sent(provider, &schema);
        assert_eq!(list.tools, [expected], "{}", provider.id());
        let expected: &[(ChangeKind, &str)] = match provider {
            Provider::Gemini => &[(ChangeKind::Dropped, "/inputSchema/additionalProperties")],
            _ => &[],
        };
        assert_eq!(changes(&list), expected, "{}", provider.id());
    }
}

#[test]
fn members_of_a_tool_that_no_model_gets_are_listed() {
    let tool = json!({
        "name": "t",
        "title": "T",
        "description": "d",
        "inputSchema": {"type": "object", "properties": {"a": {"type": "string"}},
            "additionalProperties": true},
        "outputSchema": {"type": "object"},
        "annotations": {"readOnlyHint": true},
        "_meta": {},
    });
    for provider in Provider::ALL {
        let list = sent_list(provider, std::slice::from_ref(&tool), &[]);
        let not_sent: Vec<&str> = list
            .changes
            .iter()
            .filter(|change| change.kind == ChangeKind::NotSent)
            .map(|change| change.path.as_str())
            .collect();
        assert_eq!(
            not_sent,
            ["/title", "/outputSchema", "/annotations", "/_meta"]
        );
    }
}

/// Claims about OpenAI's Responses, of codex-rs/tools/src/json_schema.rs: schema, as sent, changes.
#[test]
fn codex_rewrites_schemas() {
    let claims = [
        // Keywords beyond its own are left out (`JsonSchema`).
        (
            json!({"type": "string", "minLength": 1, "pattern": "x"}),
            json!({"type": "string"}),
            vec![
                (ChangeKind::Dropped, "/minLength"),
                (ChangeKind::Dropped, "/pattern"),
            ],
        ),
        // `const` becomes an `enum` of one.
        (
            json!({"const": "x"}),
            json!({"enum": ["x"], "type": "string"}),
            vec![
                (ChangeKind::Rewritten, "/const"),
                (ChangeKind::Added, "/type"),
            ],
        ),
        // true and false become a string.
        (
            json!(true),
            json!({"type": "string"}),
            vec![(ChangeKind::Rewritten, "")],
        ),
        // A combination of one schema becomes that schema.
        (
            json!({"oneOf": [{"type": "number"}], "description": "n"}),
            json!({"description": "n", "type": "number"}),
            vec![(ChangeKind::Rewritten, "/oneOf")],
        ),
        // `anyOf` stays, `oneOf` and `allOf` of several do not.
        (
            json!({"anyOf": [{"type": "string"}, {"type": "null"}]}),
            json!({"anyOf": [{"type": "string"}, {"type": "null"}]}),
            vec![],
        ),
        (
            json!({"oneOf": [{"type": "string"}, {"type": "null"}]}),
            json!({"type": "string"}),
            vec![
                (ChangeKind::Dropped, "/oneOf"),
                (ChangeKind::Added, "/type"),
            ],
        ),
        // Types are inferred.
        (
            json!({"properties": {}}),
            json!({"properties": {}, "type": "object"}),
            vec![(ChangeKind::Added, "/type")],
        ),
        (
            json!({"minimum": 1}),
            json!({"type": "number"}),
            vec![
                (ChangeKind::Dropped, "/minimum"),
                (ChangeKind::Added, "/type"),
            ],
        ),
        // Lists and objects get what they need.
        (
            json!({"type": "array"}),
            json!({"items": {"type": "string"}, "type": "array"}),
            vec![(ChangeKind::Added, "/items")],
        ),
        (
            json!({"type": ["object", "null"]}),
            json!({"properties": {}, "type": ["object", "null"]}),
            vec![(ChangeKind::Added, "/properties")],
        ),
        // A reference to another document is a keyword that it does not know.
        (
            json!({"$ref": "https://example.com/x", "type": "string"}),
            json!({"type": "string"}),
            vec![(ChangeKind::Dropped, "/$ref")],
        ),
    ];
    for (before, after, expected) in claims {
        let wrapped = json!({"type": "object", "properties": {"p": before}});
        let pointer = "/inputSchema/properties/p";
        let expected: Vec<(ChangeKind, String)> = expected
            .into_iter()
            .map(|(kind, path)| (kind, format!("{pointer}{path}")))
            .collect();
        let got = schema(Provider::OpenaiResponses, &wrapped);
        let property = got
            .as_ref()
            .and_then(|schema| schema.pointer("/properties/p"));
        assert_eq!(property, Some(&after), "{before}");
        assert_eq!(
            kinds(Provider::OpenaiResponses, &wrapped),
            expected,
            "{before}"
        );
    }
}

#[test]
fn codex_puts_references_in_place_and_ends_their_repetition() {
    let tree = json!({
        "type": "object",
        "properties": {"root": {"$ref": "#/$defs/node", "description": "The root."}},
        "$defs": {"node": {
            "type": "object",
            "properties": {"next": {"$ref": "#/$defs/node"}, "value": {"type": "integer"}},
        }},
    });
    assert_eq!(
        schema(Provider::OpenaiResponses, &tree),
        Some(json!({
            "properties": {"root": {
                "properties": {
                    "next": {"type": "object", "properties": {}},
                    "value": {"type": "integer"},
                },
                "description": "The root.",
                "type": "object",
            }},
            "type": "object",
        }))
    );
    assert_eq!(
        kinds(Provider::OpenaiResponses, &tree),
        [
            (
                ChangeKind::Rewritten,
                "/inputSchema/properties/root/$ref".to_owned()
            ),
            (
                ChangeKind::Rewritten,
                "/inputSchema/properties/root/properties/next/$ref".to_owned()
            ),
            (ChangeKind::Dropped, "/inputSchema/$defs".to_owned()),
        ]
    );
}

#[test]
fn references_that_multiply_end() {
    let mut definitions = serde_json::Map::new();
    for level in 0..60 {
        let next = format!("#/$defs/d{}", level + 1);
        let both = json!({"type": "object", "properties": {
            "a": {"$ref": next}, "b": {"$ref": next},
        }});
        definitions.insert(format!("d{level}"), both);
    }
    let hostile = json!({"$ref": "#/$defs/d0", "$defs": definitions});
    let list = sent(Provider::OpenaiResponses, &hostile);
    assert_eq!(list.tools.len(), 1);
    assert!(list.has_more_changes);
}

/// Claims about OpenCode, of packages/opencode/src/mcp/catalog.ts.
#[test]
fn opencode_closes_the_arguments() {
    assert_eq!(
        schema(Provider::OpenaiChat, &json!({"$ref": "#/$defs/x"})),
        Some(json!({
            "$ref": "#/$defs/x", "type": "object", "properties": {},
            "additionalProperties": false,
        }))
    );
    assert_eq!(
        kinds(
            Provider::OpenaiChat,
            &json!({"type": "string", "properties": {}})
        ),
        [
            (ChangeKind::Rewritten, "/inputSchema/type".to_owned()),
            (
                ChangeKind::Added,
                "/inputSchema/additionalProperties".to_owned()
            ),
        ]
    );
    // What the server says of further properties stays.
    let open = json!({"type": "object", "properties": {}, "additionalProperties": true});
    assert_eq!(schema(Provider::OpenaiChat, &open), Some(open.clone()));
}

/// Claims about the AI SDK, of packages/google/src/convert-json-schema-to-openapi-schema.ts.
#[test]
fn the_ai_sdk_writes_openapi_for_gemini() {
    let claims = [
        (
            json!({"type": ["string", "null"]}),
            Some(json!({"type": "string", "nullable": true})),
            vec![(ChangeKind::Rewritten, "/type")],
        ),
        (
            json!({"const": "x", "type": "string"}),
            Some(json!({"enum": ["x"], "type": "string"})),
            vec![(ChangeKind::Rewritten, "/const")],
        ),
        (
            json!({"type": "integer", "minimum": 1, "default": 2}),
            Some(json!({"type": "integer"})),
            vec![
                (ChangeKind::Dropped, "/minimum"),
                (ChangeKind::Dropped, "/default"),
            ],
        ),
        (
            json!({"$ref": "#/$defs/x"}),
            Some(json!({})),
            vec![(ChangeKind::Dropped, "/$ref")],
        ),
        // An object without properties is left out.
        (
            json!({"type": "object"}),
            None,
            vec![(ChangeKind::Dropped, "")],
        ),
        (
            json!(true),
            Some(json!({"type": "boolean", "properties": {}})),
            vec![(ChangeKind::Rewritten, "")],
        ),
        (
            json!({"type": "array", "items": {"type": "string", "pattern": "x"}}),
            Some(json!({"type": "array", "items": {"type": "string"}})),
            vec![(ChangeKind::Dropped, "/items/pattern")],
        ),
        // https://github.com/google-gemini/gemini-cli/issues/3178
        (
            json!({"type": "string", "format": "uri"}),
            Some(json!({"type": "string", "format": "uri"})),
            vec![(ChangeKind::Refused, "/format")],
        ),
        (
            json!({"type": "string", "format": "date-time"}),
            Some(json!({"type": "string", "format": "date-time"})),
            vec![],
        ),
        // https://github.com/microsoft/azure-devops-mcp/issues/145
        (
            json!({"type": "integer", "enum": [1, 2]}),
            Some(json!({"type": "integer", "enum": [1, 2]})),
            vec![(ChangeKind::Refused, "/enum")],
        ),
    ];
    for (before, after, expected) in claims {
        let wrapped = json!({"type": "object", "properties": {"p": before}});
        let got = schema(Provider::Gemini, &wrapped);
        let property = got
            .as_ref()
            .and_then(|schema| schema.pointer("/properties/p"));
        assert_eq!(property, after.as_ref(), "{before}");
        let expected: Vec<(ChangeKind, String)> = expected
            .into_iter()
            .map(|(kind, path)| (kind, format!("/inputSchema/properties/p{path}")))
            .collect();
        assert_eq!(kinds(Provider::Gemini, &wrapped), expected, "{before}");
    }
    // Arguments without properties are left out whole.
    assert_eq!(schema(Provider::Gemini, &json!({"type": "object"})), None);
}

#[test]
fn an_interface_refuses_keywords_at_the_top() {
    let schema = json!({
        "type": "object",
        "properties": {"a": {"type": "string"}},
        "additionalProperties": false,
        "anyOf": [{"required": ["a"]}, {"required": []}],
    });
    let refused = |provider| -> Vec<String> {
        let list = sent(provider, &schema).changes.into_iter();
        list.filter(|change| change.kind == ChangeKind::Refused)
            .map(|change| change.path)
            .collect()
    };
    // https://github.com/anthropics/claude-code/issues/5973
    assert_eq!(refused(Provider::AnthropicMessages), ["/inputSchema/anyOf"]);
    // https://github.com/nspady/google-calendar-mcp/issues/39
    assert_eq!(refused(Provider::OpenaiChat), ["/inputSchema/anyOf"]);
    assert!(refused(Provider::OpenaiResponses).is_empty());
}

#[test]
fn anthropic_refuses_names_of_parameters_and_schemas_that_are_no_object() {
    let schema = json!({"properties": {"ok": {"properties": {"no good": {}}}}});
    assert_eq!(
        kinds(Provider::AnthropicMessages, &schema),
        [
            (ChangeKind::Refused, "/inputSchema/type".to_owned()),
            (
                ChangeKind::Refused,
                "/inputSchema/properties/ok/properties/no good".to_owned()
            ),
        ]
    );
}

#[test]
fn names_have_limits() {
    let object = json!({"type": "object", "properties": {"a": {"type": "string"}},
        "additionalProperties": true});
    let judged = |provider, name: &str| -> Vec<ChangeKind> {
        let tool = json!({"name": "t", "inputSchema": object});
        let list = sent_list(provider, &[tool], &[name.to_owned()]);
        let of_name = list.changes.into_iter().filter(|one| one.path == "/name");
        of_name.map(|change| change.kind).collect()
    };
    let long = |length| "a".repeat(length);
    for (provider, name, expected) in [
        (Provider::AnthropicMessages, long(128), vec![]),
        (
            Provider::AnthropicMessages,
            long(129),
            vec![ChangeKind::LimitExceeded],
        ),
        (Provider::OpenaiResponses, long(64), vec![]),
        (
            Provider::OpenaiResponses,
            long(65),
            vec![ChangeKind::LimitExceeded],
        ),
        (
            Provider::OpenaiChat,
            long(65),
            vec![ChangeKind::LimitExceeded],
        ),
        (Provider::Gemini, long(65), vec![ChangeKind::LimitExceeded]),
        (
            Provider::BedrockConverse,
            long(65),
            vec![ChangeKind::LimitExceeded],
        ),
        (
            Provider::AnthropicMessages,
            "a.b".to_owned(),
            vec![ChangeKind::Refused],
        ),
        (
            Provider::OpenaiChat,
            "a.b".to_owned(),
            vec![ChangeKind::Refused],
        ),
        (
            Provider::BedrockConverse,
            "a.b".to_owned(),
            vec![ChangeKind::Refused],
        ),
        (Provider::Gemini, "a.b:c".to_owned(), vec![]),
        (Provider::Gemini, "1a".to_owned(), vec![ChangeKind::Refused]),
        (Provider::AnthropicMessages, "1a".to_owned(), vec![]),
        (
            Provider::AnthropicMessages,
            String::new(),
            vec![ChangeKind::Refused],
        ),
    ] {
        assert_eq!(
            judged(provider, &name),
            expected,
            "{} {name}",
            provider.id()
        );
    }
}

#[test]
fn openai_accepts_128_tools() {
    let tools = |number| -> Vec<Value> {
        (0..number)
            .map(|index| {
                json!({"name": format!("t{index}"), "inputSchema": {
                "type": "object", "properties": {}, "additionalProperties": true}})
            })
            .collect()
    };
    for (provider, number, is_beyond) in [
        (Provider::OpenaiChat, 128, false),
        (Provider::OpenaiChat, 129, true),
        (Provider::OpenaiResponses, 129, true),
        (Provider::AnthropicMessages, 500, false),
    ] {
        let list = sent_list(provider, &tools(number), &[]);
        let of_list = list.changes.iter().filter(|change| change.tool.is_none());
        assert_eq!(of_list.count(), usize::from(is_beyond), "{}", provider.id());
    }
}

#[test]
fn bedrock_refuses_an_empty_description() {
    let tool = json!({"name": "t", "description": "", "inputSchema": {"type": "object"}});
    let list = sent_list(Provider::BedrockConverse, &[tool], &[]);
    assert_eq!(changes(&list), [(ChangeKind::Refused, "/description")]);
}

#[test]
fn what_is_lost_or_refused_is_a_finding() {
    let tool = json!({
        "name": "t",
        "title": "T",
        "inputSchema": {"type": "object", "properties": {
            "when": {"type": "string", "format": "time", "default": "now"},
        }},
    });
    let all = |silenced: &[Silence]| -> Vec<(String, String)> {
        portability(
            &[Provider::Gemini],
            std::slice::from_ref(&tool),
            &[],
            silenced,
        )
        .into_iter()
        .map(|finding| (finding.rule, finding.subject.path))
        .collect()
    };
    let pair = |rule: &str, path: &str| (rule.to_owned(), path.to_owned());
    let refused = pair("provider-refuses", "/inputSchema/properties/when/format");
    let dropped = pair("provider-drops", "/inputSchema/properties/when/default");
    assert_eq!(all(&[]), [refused.clone(), dropped.clone()]);
    assert_eq!(all(&[Silence::parse("provider-refuses:t")]), [dropped]);
    assert_eq!(all(&[Silence::parse("provider-drops")]), [refused]);
}
