//! OpenCode's two forms: servers by name under `mcp`, and under `mcp.servers`. What
//! `opencode debug config` of version 1.18.33 makes of a file with both is what is expected here.

use std::fs;

use serde_json::{Value, json};
use sightglass_config::{
    Client, ConfigAction, ConflictChoice, Draft, DraftEndpoint, DraftSignIn, ImportSource, Target,
    TransferItem, definition_draft, fields, read_client, scope_place, summary, text_schema,
};

use crate::{World, program, read_import};

const SECOND: &str = r#"{
  // What every project uses.
  "mcp": {
    "timeout": { "startup": 1000 },
    "servers": {
      "local": {
        "type": "local",
        "command": ["npx", "-y", "example"],
        "environment": { "A": "1" },
        "disabled": true,
        "timeout": { "startup": 1500, "request": 2500 },
      },
      "far": {
        "type": "remote",
        "url": "https://mcp.example.com/mcp",
        "oauth": { "client_id": "x", "callback_port": 4000, "redirect_uri": "http://127.0.0.1" },
      },
    },
  },
}
"#;

fn pasted(text: &str) -> ImportSource {
    ImportSource::Text { text: text.into() }
}

fn target(scope: &str) -> Target {
    Target::new(Client::Opencode, scope)
}

fn draft_of(world: &World, name: &str) -> Draft {
    let config = read_client(Client::Opencode, &world.machine());
    let server = config.server(name).expect("listed");
    definition_draft(config.definitions(server)[0].1).expect("readable")
}

fn text(world: &World, scope: &str) -> String {
    let place = scope_place(&target(scope), &world.machine()).expect("a scope");
    fs::read_to_string(place.path).expect("readable")
}

#[test]
fn servers_of_the_second_form_are_read() {
    let world = World::new();
    world.place(Client::Opencode, "user", SECOND);
    let config = read_client(Client::Opencode, &world.machine());
    assert_eq!(config.servers.len(), 2);
    let server = config.server("local").expect("listed");
    let entry = config.effective(server);
    assert_eq!(summary(&entry), "npx -y example");
    let shown: Vec<String> = fields(&entry).into_iter().map(|field| field.name).collect();
    for field in ["disabled", "startup_timeout", "tool_timeout"] {
        assert!(
            shown.iter().any(|name| name == field),
            "{field} in {shown:?}"
        );
    }
    let sign_in = draft_of(&world, "far").sign_in.expect("it says something");
    assert_eq!(sign_in.client_id.as_deref(), Some("x"));
    assert_eq!(sign_in.callback_port, Some(4000));
}

#[test]
fn a_file_keeps_to_its_form() {
    let world = World::new();
    world.place(Client::Opencode, "user", SECOND);
    world.act(&ConfigAction::Add {
        target: target("user"),
        draft: program("new", "x", &["y"]),
    });
    let mut far = draft_of(&world, "far");
    far.sign_in = Some(DraftSignIn {
        client_id: Some("z".into()),
        ..far.sign_in.unwrap_or_default()
    });
    world.save_form(&target("user"), "far", &far);
    world.act(&ConfigAction::Enable {
        target: target("user"),
        names: vec!["local".into()],
    });
    let text = text(&world, "user");
    assert!(text.contains("// What every project uses."), "{text}");
    assert!(
        text.contains(r#""client_id": "z", "callback_port": 4000, "redirect_uri""#),
        "{text}"
    );
    assert!(
        !text.contains("disabled") && !text.contains("enabled"),
        "{text}"
    );
    let config = read_client(Client::Opencode, &world.machine());
    let new = config.server("new").expect("added");
    assert_eq!(summary(&config.effective(new)), "x y");
    let place = scope_place(&target("user"), &world.machine()).expect("a scope");
    let schema: Value = serde_json::from_str(&text_schema(&place)).expect("JSON");
    let mcp = &schema["properties"]["mcp"];
    assert!(mcp["additionalProperties"]["properties"]["enabled"].is_object());
    let servers = &mcp["properties"]["servers"]["additionalProperties"];
    assert!(servers["properties"]["disabled"].is_object(), "{schema}");
}

#[test]
fn of_a_name_in_both_forms_the_first_form_counts_whole() {
    let world = World::new();
    world.place(
        Client::Opencode,
        "project",
        &json!({ "mcp": {
            "a": { "type": "local", "command": ["x", "first"] },
            "servers": { "a": { "type": "local", "command": ["x", "second"], "environment": { "A": "1" } } },
        } })
        .to_string(),
    );
    let config = read_client(Client::Opencode, &world.machine());
    let server = config.server("a").expect("listed");
    assert_eq!(summary(&config.effective(server)), "x first");
    assert_eq!(config.effective(server).get("env"), None);
}

#[test]
fn a_server_may_be_called_servers() {
    let world = World::new();
    world.place(
        Client::Opencode,
        "project",
        r#"{"mcp":{"servers":{"type":"local","command":["x"]},"timeout":{"enabled":false}}}"#,
    );
    let config = read_client(Client::Opencode, &world.machine());
    let names: Vec<&str> = config
        .servers
        .iter()
        .map(|server| server.name.as_str())
        .collect();
    assert_eq!(names, ["servers", "timeout"]);
    world.act(&ConfigAction::Add {
        target: target("project"),
        draft: program("new", "y", &[]),
    });
    let text = text(&world, "project");
    let root: Value = serde_json::from_str(&text).expect("JSON");
    assert_eq!(root["mcp"]["new"]["command"], json!(["y"]));
}

#[test]
fn a_higher_server_of_the_second_form_is_on_unless_it_says_otherwise() {
    let world = World::new();
    let place = |scope: &str, mcp: Value| {
        world.place(Client::Opencode, scope, &json!({ "mcp": mcp }).to_string());
    };
    let merged = || {
        let config = read_client(Client::Opencode, &world.machine());
        let server = config.server("a").expect("listed");
        config.effective(server)
    };
    let flat = |word: &str| json!({ "a": { "type": "local", "command": ["x", word], "enabled": false, "environment": { "U": "1" } } });
    let second = |word: &str| json!({ "servers": { "a": { "type": "local", "command": ["x", word], "environment": { "P": "1" } } } });
    place("user", flat("user"));
    place("project", second("project"));
    assert_eq!(summary(&merged()), "x project");
    assert_eq!(merged().get("env"), Some(&json!({ "U": "1", "P": "1" })));
    assert_eq!(merged().get("disabled"), None);
    // The first form says nothing of what it does not name.
    place(
        "project",
        json!({ "a": { "type": "local", "command": ["x"] } }),
    );
    assert_eq!(merged().get("disabled"), Some(&Value::Bool(true)));
}

#[test]
fn between_the_forms_nothing_is_lost_without_being_named() {
    let world = World::new();
    world.place(Client::Opencode, "user", SECOND);
    world.place(
        Client::Opencode,
        "project",
        r#"{"mcp":{"b":{"type":"local","command":["x"]}}}"#,
    );
    let lost = world.act(&ConfigAction::Copy {
        from: target("user"),
        to: target("project"),
        items: ["far", "local"]
            .map(|name| TransferItem {
                name: name.into(),
                new_name: None,
                conflict: ConflictChoice::Refuse,
            })
            .into(),
    });
    assert_eq!(lost, ["oauth.redirect_uri", "tool_timeout"]);
    let root: Value = serde_json::from_str(&text(&world, "project")).expect("JSON");
    let far = &root["mcp"]["far"];
    assert_eq!(
        far["oauth"],
        json!({ "clientId": "x", "callbackPort": 4000 })
    );
    let local = &root["mcp"]["local"];
    assert_eq!(
        json!([local["enabled"], local["timeout"], local["command"]]),
        json!([false, 1500, ["npx", "-y", "example"]])
    );
}

#[test]
fn a_snippet_of_the_second_form_is_told_from_one_of_vs_code() {
    let found = read_import(&pasted(SECOND)).expect("it is read");
    let origins: Vec<&str> = found.iter().map(|found| found.origin.as_str()).collect();
    assert_eq!(origins, ["OpenCode configuration"; 2]);
    let settings = r#"{"mcp":{"servers":{"a":{"type":"stdio","command":"x"}}}}"#;
    let found = read_import(&pasted(settings)).expect("it is read");
    assert_eq!(found[0].origin, "VS Code configuration");
    assert!(matches!(
        found[0].draft.endpoint,
        DraftEndpoint::Stdio { .. }
    ));
}
