//! The types and validators that model interfaces publish accept the lists that we convert.

use std::{
    collections::BTreeMap,
    io::Write,
    process::{Command, Stdio},
};

use serde_json::{Map, Value, json};
use sightglass_inspector::{ChangeKind, Provider, ServerId};
use sightglass_tests::{TestHost, programs, wiretap::Wiretap};

/// Number of tools of the largest server, each with one of the schemas below.
const TOOLS: usize = 500;

/// Input schemas with what interfaces treat in different ways.
fn schemas() -> Vec<Value> {
    vec![
        json!({ "type": "object" }),
        json!({ "type": "object", "properties": {
            "text": { "type": "string", "minLength": 1, "maxLength": 9, "pattern": "^a", "default": "a" },
            "number": { "type": "integer", "minimum": 1, "exclusiveMaximum": 9 },
            "kind": { "enum": ["a", "b"] },
            "size": { "type": "number", "enum": [1, 2] },
        }, "required": ["text"], "additionalProperties": false }),
        json!({ "type": "object", "properties": {
            "list": { "type": "array", "items": { "type": ["string", "null"] }, "minItems": 1, "uniqueItems": true },
            "map": { "type": "object", "additionalProperties": { "type": "number" } },
            "fixed": { "const": "x" },
        } }),
        json!({ "$schema": "https://json-schema.org/draft/2020-12/schema", "type": "object",
            "$defs": { "place": { "type": "object", "properties": { "city": { "type": "string", "format": "date-time" } } } },
            "properties": { "place": { "$ref": "#/$defs/place" } } }),
        json!({ "type": "object", "properties": {
            "either": { "anyOf": [{ "type": "string" }, { "type": "object", "properties": { "a": { "type": "boolean" } } }] },
        } }),
    ]
}

/// Asks the published types and validators about the converted lists of a server. Answers what they
/// refuse.
fn refused(lists: &BTreeMap<String, Vec<Value>>) -> Map<String, Value> {
    let mut asking = Command::new(programs::python("python"))
        .arg(programs::python_script("accepted_tools.py"))
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .expect("python starts");
    let mut input = asking.stdin.take().expect("a pipe");
    let text = serde_json::to_string(lists).expect("JSON");
    input.write_all(text.as_bytes()).expect("written");
    drop(input);
    let output = asking.wait_with_output().expect("it ends");
    assert!(output.status.success(), "{}", output.status);
    serde_json::from_slice(&output.stdout).expect("JSON")
}

/// Converts the tools of a server for each interface, without those that we say are refused.
fn converted(host: &TestHost, server: &ServerId) -> BTreeMap<String, Vec<Value>> {
    let lists = Provider::ALL.into_iter().map(|provider| {
        let view = host
            .inspector
            .clients
            .llm_tools
            .sent_tools(server, provider, None)
            .expect("connected");
        let is_refused = |name: &str| {
            let mut changes = view.changes.iter();
            changes.any(|change| {
                change.tool.as_deref() == Some(name) && change.kind == ChangeKind::Refused
            })
        };
        let tools = view.tools.iter().filter(|tool| !is_refused(&tool.name));
        let tools: Vec<Value> = tools
            .map(|tool| serde_json::from_str(&tool.sent).expect("JSON"))
            .collect();
        assert!(!tools.is_empty(), "{}", provider.id());
        let name = serde_json::to_value(provider).expect("a name");
        (name.as_str().unwrap_or_default().to_owned(), tools)
    });
    lists.collect()
}

#[tokio::test(flavor = "multi_thread")]
async fn what_model_interfaces_publish_accepts_what_we_convert() {
    let everything = programs::npm_server("@modelcontextprotocol/server-everything");
    let files = programs::npm_server("@modelcontextprotocol/server-filesystem");
    let schemas = schemas();
    let tools: Vec<Value> = (0..TOOLS)
        .map(|number| {
            let schema = &schemas[number % schemas.len()];
            json!({ "name": format!("tool_{number}"), "description": "A tool.", "inputSchema": schema })
        })
        .collect();
    let tap = Wiretap::new();
    let tools = json!({ "tools": tools }).to_string();
    let host = TestHost::with_servers(json!({
        "everything": { "command": "node", "args": [everything, "stdio"] },
        "files": { "command": "node", "args": [files, "."] },
        "large": programs::scripted(&tap, &[("tools/list", &tools)]),
    }));
    for name in ["everything", "files", "large"] {
        let server = TestHost::id(name);
        host.connect(&server).await;
        for (provider, refusals) in refused(&converted(&host, &server)) {
            assert_eq!(refusals, json!([]), "{provider} of {name}");
        }
    }
}
