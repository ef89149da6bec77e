//! JSON Schemas of configuration files, for completion while a text is edited.

use serde_json::{Value, json};

use crate::{
    client::Client,
    entry::dialect::{Dialect, Unit},
    scopes::ScopePlace,
};

/// A JSON Schema of a scope's whole file: where its servers stand, and what one can say.
pub fn text_schema(place: &ScopePlace) -> String {
    let mut root = json!({});
    for section in &place.layout.sections {
        let (last, above) = section
            .path
            .split_last()
            .map_or(("", &[][..]), |(last, above)| (last.as_str(), above));
        let mut at = &mut root;
        for key in above {
            at = &mut at[key.as_str()]["properties"];
        }
        let server = json!({
            "type": "object",
            "properties": server_properties(section.dialect),
        });
        at[last] = if section.is_list {
            json!({ "type": "array", "items": server })
        } else {
            json!({ "type": "object", "additionalProperties": server })
        };
    }
    if place.target.client == Client::Vscode {
        root["inputs"] = json!({
            "type": "array",
            "items": {
                "type": "object",
                "properties": {
                    "id": { "type": "string" },
                    "type": { "enum": ["promptString", "pickString", "command"] },
                    "description": { "type": "string" },
                    "password": { "type": "boolean" },
                },
                "required": ["id", "type"],
            },
        });
    }
    json!({ "type": "object", "properties": root }).to_string()
}

fn server_properties(dialect: &Dialect) -> Value {
    let client = dialect.client;
    let mut properties = json!({});
    if client == Client::McpJson {
        for field in [
            "type",
            "command",
            "args",
            "env",
            "cwd",
            "url",
            "headers",
            "disabled",
            "era",
            "phase_timeouts",
            "startup_timeout",
            "tool_timeout",
            "enabled_tools",
            "disabled_tools",
            "ca_file",
            "tls_fingerprint",
        ] {
            properties[field] = of_field(client, field, Unit::Same);
        }
    }
    for rule in dialect.rules() {
        properties[rule.theirs] = of_field(client, rule.ours, rule.unit);
    }
    for field in dialect.special {
        properties[*field] = match (client, *field) {
            (Client::Opencode, "type") => json!({ "enum": ["local", "remote"] }),
            (Client::Opencode, "command") => of_field(client, "args", Unit::Same),
            (_, other) => of_field(client, other, Unit::Same),
        };
    }
    for field in dialect.own {
        properties[*field] = json!({});
    }
    properties
}

fn of_field(client: Client, field: &str, unit: Unit) -> Value {
    let text = || json!({ "type": "string" });
    let (schema, description) = match field {
        "type" | "transport" => {
            let words: Vec<&str> = Dialect::of(client)
                .transports
                .iter()
                .map(|transport| transport.word())
                .collect();
            (json!({ "enum": words }), "The transport.")
        }
        "command" => (text(), "The program to start."),
        "args" => (texts(), "The program's arguments."),
        "env" => (named_texts(), "Environment variables for the program."),
        "cwd" => (text(), "Where the program starts."),
        "url" | "httpUrl" => (text(), "The server's address."),
        "headers" => (named_texts(), "HTTP headers sent with each request."),
        "disabled" => (
            json!({ "type": "boolean" }),
            "Whether it is listed without being used.",
        ),
        "era" => (
            json!({ "enum": ["auto", "modern", "legacy"] }),
            "Which generation of the protocol to speak.",
        ),
        "startup_timeout" | "tool_timeout" => (
            json!({ "type": "number", "exclusiveMinimum": 0 }),
            match (field, unit) {
                ("startup_timeout", Unit::Milliseconds) => "Limit for starting, in milliseconds.",
                ("startup_timeout", _) => "Limit for starting, in seconds.",
                (_, Unit::Milliseconds) => "Limit for one call, in milliseconds.",
                _ => "Limit for one call, in seconds.",
            },
        ),
        "phase_timeouts" => (
            json!({ "type": "object", "additionalProperties": { "type": "number" } }),
            "Limits in seconds by the name of a phase.",
        ),
        "enabled_tools" => (texts(), "Only these tools are used."),
        "disabled_tools" => (texts(), "These tools are not used."),
        _ => return json!({}),
    };
    let mut schema = schema;
    schema["description"] = description.into();
    schema
}

fn texts() -> Value {
    json!({ "type": "array", "items": { "type": "string" } })
}

fn named_texts() -> Value {
    json!({ "type": "object", "additionalProperties": { "type": "string" } })
}
