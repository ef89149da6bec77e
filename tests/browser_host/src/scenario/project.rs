//! A project in the middle of its work: servers in every state, and a record of what they did.

use std::fs;

use serde_json::json;
use sightglass_connection::Params;
use sightglass_inspector::{Consent, Phase};
use sightglass_tests::{Environment, scripted::Scripted};

use super::{Scene, demo, id, npm, servers};

/// Calls on record: more than fit the screen.
const CALLS: usize = 120;

/// A project with nine servers: ready, connecting, failed, disabled.
pub async fn open() -> Scene {
    let scene = prepare().await;
    let host = &scene.host;
    for name in ["filesystem", "memory", "orders"] {
        host.connect(&id(name)).await;
    }
    host.connect(&demo_server()).await;
    for name in ["github", "linear"] {
        host.try_connect(&id(name)).await;
    }
    host.inspector
        .servers
        .lifecycle
        .connect(&id("postgres"))
        .expect("a usable entry");
    host.wait_for(&id("postgres"), |status| {
        status.phase == Phase::ListingTools
    })
    .await;
    record(&scene).await;
    scene
}

fn demo_server() -> sightglass_inspector::ServerId {
    sightglass_inspector::ServerId::new("built-in", "demo")
}

async fn prepare() -> Scene {
    let linear = Scripted::start().await;
    let memory = npm("@modelcontextprotocol/server-memory", &[]);
    let project = servers(&json!({
        "filesystem": npm("@modelcontextprotocol/server-filesystem", &["."]),
        "postgres": demo(&["--fault", "hang-tools", "--stderr", "pool: 5 connections open"]),
        "linear": { "type": "http", "url": linear.url() },
        "orders": demo(&["--era", "legacy"]),
    }));
    let missing = "GITHUB_PERSONAL_ACCESS_TOKEN environment variable is not set";
    let local = servers(&json!({
        "github": demo(&["--fault", "exit", "--stderr", missing]),
    }));
    let mut off = demo(&[]);
    off["disabled"] = json!(true);
    let user = servers(&json!({
        "filesystem": npm("@modelcontextprotocol/server-filesystem", &["/"]),
        "memory": memory,
        "time": demo(&[]),
        "fetch": off,
    }));
    let mut files = vec![
        ("project/.claude/.mcp.json", project),
        ("project/.claude/.mcp.local.json", local),
        ("home/.claude/.mcp.json", user),
    ];
    files.push(("project/src/app.test.ts", "export {};\n".to_owned()));
    let scene = Scene::open(&files, Environment::default()).await;
    scene.host.approve_all_but(&[]);
    let source = scene.host.project().join("src");
    for number in 0..CALLS {
        let text = "export {};\n".repeat(1 + number % 40);
        fs::write(source.join(format!("file-{number}.ts")), text).expect("written");
    }
    scene.with(linear)
}

/// Fills the record with a little of everything.
async fn record(scene: &Scene) {
    let host = &scene.host;
    for number in 0..CALLS {
        let path = json!({ "path": format!("src/file-{number}.ts") });
        let (server, tool, arguments) = if number % 3 == 0 {
            ("memory", "read_graph", json!({}))
        } else {
            ("filesystem", "read_text_file", path)
        };
        host.call(&id(server), tool, &arguments.to_string()).await;
    }
    let query = json!({ "name": "query", "arguments": { "sql": "select * form users" } });
    let query = Params::parse(&query.to_string()).expect("an object");
    host.inspector
        .calls
        .requests
        .request(&id("orders"), "query", "tools/call", &query, Consent::None)
        .await
        .expect("connected");
    let search = json!({ "path": ".", "pattern": "**/*.test.ts" });
    host.call(&id("filesystem"), "search_files", &search.to_string())
        .await;
}
