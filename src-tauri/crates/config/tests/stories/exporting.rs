//! Placeholders of secrets when servers are exported.

use serde_json::{Map, Value, json};
use sightglass_config::{Client, Exported, Secrets, export};

use crate::World;

fn exported(servers: &Value) -> (Exported, Value) {
    let servers: Vec<(String, Map<String, Value>)> = servers
        .as_object()
        .expect("servers")
        .iter()
        .map(|(name, entry)| {
            let entry = entry.as_object().expect("an entry").clone();
            (name.clone(), entry)
        })
        .collect();
    let machine = World::new().machine();
    let exported = export(&servers, Client::McpJson, Secrets::Replaced, &machine);
    let text: Value = serde_json::from_str(&exported.text).expect("JSON");
    (exported, text["mcpServers"].clone())
}

#[test]
fn two_secrets_never_share_a_name() {
    let first = format!("sk-{}", "a".repeat(40));
    let second = format!("sk-{}", "b".repeat(40));
    let servers = json!({
        "one": { "command": "x", "args": [first, second, first], "env": { "API_KEY": "11" } },
        "two": { "command": "x", "env": { "API_KEY": "22", "TOKEN": "33" } },
        "three": { "command": "x", "env": { "API_KEY": "11", "OTHER": "${TOKEN}" } },
    });
    let (view, text) = exported(&servers);
    assert_eq!(
        text,
        json!({
            "one": {
                "command": "x",
                "args": ["${ONE_SECRET}", "${ONE_SECRET_2}", "${ONE_SECRET}"],
                "env": { "API_KEY": "${API_KEY}" },
            },
            "two": {
                "command": "x",
                // A variable of that name is in use already, and means something else.
                "env": { "API_KEY": "${TWO_API_KEY}", "TOKEN": "${TWO_TOKEN}" },
            },
            "three": { "command": "x", "env": { "API_KEY": "${API_KEY}", "OTHER": "${TOKEN}" } },
        })
    );
    assert_eq!(
        view.replaced,
        [
            "API_KEY",
            "ONE_SECRET",
            "ONE_SECRET_2",
            "TWO_API_KEY",
            "TWO_TOKEN"
        ]
    );
    assert_eq!(exported(&servers).0.text, view.text);
}

#[test]
fn headers_and_addresses_of_one_server_have_names_of_their_own() {
    let (_, text) = exported(&json!({
        "a": {
            "type": "http",
            "url": "https://me:pass1@example.org/mcp?token=tok1",
            "headers": { "Token": "tok2", "Authorization": "Bearer tok3" },
        },
    }));
    let url = text["a"]["url"].as_str().expect("a text");
    let token = text["a"]["headers"]["Token"].as_str().expect("a text");
    assert_eq!(
        text["a"]["headers"]["Authorization"],
        "Bearer ${A_AUTHORIZATION}"
    );
    assert_eq!(token, "${A_TOKEN}");
    assert_eq!(
        url,
        "https://me:${A_PASSWORD}@example.org/mcp?token=${A_TOKEN_2}"
    );
}
