//! Configuration files: of every scope and client, many of them, and broken ones.

use std::{
    collections::BTreeMap,
    io::{Cursor, Write},
};

use serde_json::{Map, Value, json};
use sightglass_tests::Environment;
use zip::{ZipWriter, write::SimpleFileOptions};

use super::{Scene, demo, id, npm, servers};

/// A bundle that the user can choose, by its path below the directory of the page.
pub const BUNDLE: &str = "weather.mcpb";

/// Enough that their files do not fit the screen.
const PLUGINS: usize = 15;

/// Nothing of the project's or the user's own, and servers in three other clients.
pub async fn found() -> Scene {
    let orders = servers(&json!({ "orders": demo(&[]) }));
    let codex = "[mcp_servers.docs]\nurl = \"https://docs.acme.example/mcp\"\n";
    let files = [
        ("home/.cursor/mcp.json", orders.clone()),
        ("home/.gemini/settings.json", orders),
        (
            "home/.gemini/trustedFolders.json",
            json!({ "/": "TRUST_FOLDER" }).to_string(),
        ),
        ("home/.codex/config.toml", codex.to_owned()),
    ];
    Scene::open(&files, Environment::default()).await
}

/// Something of everything: precedence, policy, approval, mistakes, other clients.
pub async fn scopes() -> Scene {
    let npx = |arguments: &[&str]| json!({ "command": "npx", "args": arguments });
    let memory = npx(&["-y", "@modelcontextprotocol/server-memory"]);
    let mut github = npx(&["-y", "@modelcontextprotocol/server-github"]);
    github["env"] = json!({ "GITHUB_TOKEN": "ghp_5f8e2a91c04b7d36" });
    let mut read_only = npx(&["-y", "@modelcontextprotocol/server-github", "--read-only"]);
    read_only["env"] = json!({ "GITHUB_TOKEN": "${GITHUB_TOKEN}" });
    let mut slack = npx(&["-y", "slack-mcp"]);
    slack["cwd"] = json!("/srv/acme-web/tools");
    slack["disabled"] = json!(true);
    let postgres = |mode: &str, uri: &str| {
        let mode = format!("--access-mode={mode}");
        json!({
            "command": "uvx",
            "args": ["postgres-mcp", mode],
            "env": { "DATABASE_URI": uri },
        })
    };
    let remote = json!({ "type": "http", "url": "https://api.githubcopilot.com/mcp/" });
    let files = [
        (
            "home/.chimera/mcp.json",
            servers(&json!({
                "memory": memory,
                "fetch": { "command": "uvx", "args": ["mcp-server-fetch"] },
            })),
        ),
        (
            "home/.claude/.mcp.json",
            servers(&json!({
                "memory": memory,
                "github": github,
                "time": { "command": "uvx", "args": ["mcp-server-time"] },
                "slack": slack,
            })),
        ),
        (
            "project/.mcp.json",
            servers(&json!({
                "postgres": postgres("unrestricted", "postgres://localhost/acme"),
                "github": remote,
            })),
        ),
        (
            "project/.claude/.mcp.json",
            servers(&json!({
                "filesystem": npm("@modelcontextprotocol/server-filesystem", &["."]),
                "postgres": postgres("restricted", "${DATABASE_URI}"),
                "linear": { "type": "http", "url": "https://mcp.linear.app/mcp" },
                "deploy": {
                    "command": "./scripts/deploy-mcp.sh",
                    "args": ["--environment", "staging", "--region", "eu-central-1"],
                    "env": { "DEPLOY_TOKEN": "${DEPLOY_TOKEN}", "LOG_LEVEL": "debug" },
                },
                "search": { "args": ["--verbose"] },
                "shell": npx(&["-y", "mcp-shell", "--allow-all"]),
            })),
        ),
        (
            "project/.claude/.mcp.local.json",
            servers(&json!({
                "github": read_only,
                "time": {
                    "command": "uvx",
                    "args": ["mcp-server-time", "--local-timezone=Europe/Berlin"],
                },
            })),
        ),
        (
            "home/.claude.json",
            servers(&json!({
                "sentry": { "type": "http", "url": "https://mcp.sentry.dev/mcp" },
                "github": remote,
            })),
        ),
        (
            "home/.cursor/mcp.json",
            servers(&json!({
                "figma": { "url": "http://127.0.0.1:3845/mcp" },
                "memory": memory,
            })),
        ),
        (
            "home/.config/Code/User/mcp.json",
            "{\n  \"servers\": {\n    \"azure\": {\n      \"command\": \"npx\"\n    \"args\": []\n  }\n}\n"
                .to_owned(),
        ),
        (
            "system/etc/claude-code/managed-settings.json",
            json!({ "deniedMcpServers": [{ "serverName": "shell" }] }).to_string(),
        ),
    ];
    let environment = Environment::default()
        .and("GITHUB_TOKEN", "ghp_from_the_shell")
        .and("DEPLOY_TOKEN", "set");
    let scene = Scene::open(&files, environment).await;
    scene.host.approve_all_but(&["deploy"]);
    scene
}

/// A server with the tools of the manifest, which answer with nothing.
const BUNDLED_SERVER: &str = "
const lines = require('node:readline').createInterface({ input: process.stdin });
const tool = (name) => ({ name, inputSchema: { type: 'object' } });
const results = {
  initialize: ({ protocolVersion }) => ({
    protocolVersion,
    capabilities: { tools: {} },
    serverInfo: { name: 'weather', version: '2.0.1' },
  }),
  'tools/list': () => ({ tools: [tool('forecast'), tool('warnings')] }),
  'tools/call': () => ({ content: [] }),
};
lines.on('line', (line) => {
  const { id, method, params } = JSON.parse(line);
  if (id === undefined) return;
  const answer = results[method]
    ? { result: results[method](params) }
    : { error: { code: -32601, message: 'no such method' } };
  process.stdout.write(`${JSON.stringify({ jsonrpc: '2.0', id, ...answer })}\n`);
});
";

/// An `.mcpb` bundle: a ZIP archive with a manifest.
pub fn bundle() -> Vec<u8> {
    let manifest = json!({
        "manifest_version": "0.3",
        "name": "weather",
        "display_name": "Weather",
        "version": "2.0.1",
        "description": "Forecasts and warnings for any place.",
        "author": { "name": "Acme" },
        "server": {
            "type": "node",
            "entry_point": "server/index.js",
            "mcp_config": {
                "command": "node",
                "args": ["${__dirname}/server/index.js", "${user_config.places}"],
                "env": { "WEATHER_KEY": "${user_config.weather_key}" },
            },
        },
        "user_config": {
            "weather_key": {
                "type": "string", "title": "Key", "description": "A key of weather.example.com.",
                "sensitive": true, "required": true,
            },
            "places": {
                "type": "directory", "title": "Places", "description": "Folders with places.",
                "multiple": true, "default": ["${HOME}/places"],
            },
            "days": { "type": "number", "title": "Days", "min": 1, "max": 14 },
        },
        "tools": [{ "name": "forecast" }, { "name": "warnings" }],
    });
    let mut archive = ZipWriter::new(Cursor::new(Vec::new()));
    for (name, text) in [
        ("manifest.json", format!("{manifest:#}")),
        ("server/index.js", BUNDLED_SERVER.to_owned()),
    ] {
        archive
            .start_file(name, SimpleFileOptions::default())
            .expect("in memory");
        archive.write_all(text.as_bytes()).expect("in memory");
    }
    archive.finish().expect("in memory").into_inner()
}

/// Five hundred servers over the files of the `.mcp.json` scopes and of other clients.
pub async fn huge() -> Scene {
    const FILES: [&str; 5] = [
        "home/.chimera/mcp.json",
        "home/.claude/.mcp.json",
        "project/.mcp.json",
        "project/.claude/.mcp.json",
        "project/.claude/.mcp.local.json",
    ];
    const KINDS: [&str; 8] = [
        "files", "search", "mail", "calendar", "deploy", "metrics", "tickets", "notes",
    ];
    let mut texts: BTreeMap<&str, Map<String, Value>> = BTreeMap::new();
    for index in 0..500 {
        let name = format!("{}-{index:03}", KINDS[index % KINDS.len()]);
        for step in 0..=(index % 4) {
            let file = FILES[(index * 7 + step * 3) % FILES.len()];
            let port = format!("--port={}", 3000 + index + step);
            let mut entry = match index % 41 {
                0 => json!({ "args": [] }),
                _ => json!({ "command": "npx", "args": ["-y", format!("@acme/{name}"), port] }),
            };
            if index % 17 == 0 {
                entry["disabled"] = json!(true);
            }
            texts.entry(file).or_default().insert(name.clone(), entry);
        }
    }
    let files: Vec<(&str, String)> = texts
        .into_iter()
        .map(|(file, entries)| (file, servers(&Value::Object(entries))))
        .collect();
    let scene = Scene::open(&files, Environment::default()).await;
    install_plugins(&scene).await;
    scene
}

/// Installs plugins of Claude Code, each with a file of its own.
async fn install_plugins(scene: &Scene) {
    let host = &scene.host;
    let mut plugins = Map::new();
    for number in 1..=PLUGINS {
        let path = host.home().join(format!(".claude/plugins/plugin-{number}"));
        let entry = json!({ "command": "npx", "args": ["-y", "plugin"] });
        host.write(
            &path.join(".mcp.json"),
            &servers(&json!({ format!("server-{number}"): entry })),
        );
        plugins.insert(
            format!("plugin-{number}@acme"),
            json!([{ "installPath": path }]),
        );
    }
    let registry = host.home().join(".claude/plugins/installed_plugins.json");
    host.write(&registry, &json!({ "plugins": plugins }).to_string());
    // Among the files that are watched; all are read again.
    let own = host.home().join(".claude.json");
    host.write(&own, &servers(&json!({ "own": { "command": "npx" } })));
    host.eventually("the plugins", || {
        let view = host.inspector.servers.projection.configuration();
        let mut files = view.clients.iter().flat_map(|client| &client.files);
        files
            .any(|file| file.scope == format!("plugin:plugin-{PLUGINS}@acme"))
            .then_some(())
    })
    .await;
}

/// Fifty servers, one of which has ten thousand tools and is connected.
pub async fn many() -> Scene {
    let mut entries = Map::new();
    entries.insert(
        "ten-thousand".to_owned(),
        demo(&["--load", "--tools", "10000"]),
    );
    for number in 1..50 {
        entries.insert(format!("server-{number:02}"), demo(&[]));
    }
    let file = servers(&Value::Object(entries));
    let scene = Scene::open(&[("home/.claude/.mcp.json", file)], Environment::default()).await;
    scene.host.connect(&id("ten-thousand")).await;
    scene
}

/// A file that cannot be read as JSON, and one with an entry that lacks what it needs.
pub async fn broken() -> Scene {
    let project = "{\n  \"mcpServers\": {\n    \"mail\": {\n      \"command\": \"node\",\n      \"args\": [\"server.js\"]\n      \"env\": {}\n    }\n  }\n}\n";
    let user = servers(&json!({
        "off": { "command": "uvx", "args": ["off"], "disabled": true },
        "incomplete": { "args": ["--verbose"] },
    }));
    let files = [
        ("project/.claude/.mcp.json", project.to_owned()),
        ("home/.claude/.mcp.json", user),
    ];
    Scene::open(&files, Environment::default()).await
}
