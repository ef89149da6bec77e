//! Servers of many clients: a few of each, and hundreds.

use serde_json::{Map, Value, json};
use sightglass_tests::Environment;

use super::{Scene, demo, servers};

/// Number of servers in each client of [`hundreds`].
const MANY: usize = 60;

/// The files of eight clients, with what is special to each of them.
pub async fn eight() -> Scene {
    let files = [
        (
            "project/.claude/.mcp.json",
            servers(&json!({ "tickets": demo(&[]) })),
        ),
        (
            "home/.claude.json",
            json!({ "mcpServers": {
                "notes": demo(&[]),
                "linear": { "type": "http", "url": "https://mcp.linear.example/mcp" },
            }})
            .to_string(),
        ),
        (
            "home/.codex/config.toml",
            format!(
                "[mcp_servers.docs]\ncommand = {}\nstartup_timeout_sec = 20\n",
                demo(&[])["command"]
            ),
        ),
        (
            "home/.cursor/mcp.json",
            servers(&json!({
                "notes": demo(&[]),
                "figma": { "url": "https://mcp.figma.example/mcp" },
            })),
        ),
        (
            "home/.config/Code/User/mcp.json",
            json!({
                "inputs": [
                    { "id": "api-key", "type": "promptString", "description": "Key of the search service", "password": true },
                    { "id": "region", "type": "pickString", "description": "Where to search", "options": ["eu", "us"], "default": "eu" },
                ],
                "servers": { "search": {
                    "type": "stdio",
                    "command": demo(&[])["command"],
                    "env": { "API_KEY": "${input:api-key}", "REGION": "${input:region}" },
                    "sandboxEnabled": true,
                }},
            })
            .to_string(),
        ),
        (
            "project/.vscode/mcp.json",
            json!({ "servers": { "lint": { "type": "stdio", "command": demo(&[])["command"], "args": ["--modern"] } } }).to_string(),
        ),
        (
            "home/.config/zed/settings.json",
            json!({ "context_servers": { "notes": { "source": "custom", "command": demo(&[])["command"], "args": [] } } }).to_string(),
        ),
        (
            "home/.gemini/trustedFolders.json",
            json!({ "/": "TRUST_FOLDER" }).to_string(),
        ),
        (
            "home/.gemini/settings.json",
            json!({ "mcpServers": { "maps": { "httpUrl": "https://maps.example/mcp" } } }).to_string(),
        ),
        (
            "home/.codeium/windsurf/mcp_config.json",
            servers(&json!({ "wiki": { "serverUrl": "https://wiki.example/mcp", "disabled": true } })),
        ),
        (
            "home/.config/opencode/opencode.json",
            json!({ "mcp": { "shell": { "type": "local", "command": [demo(&[])["command"]] } } }).to_string(),
        ),
    ];
    Scene::open(&files, Environment::default()).await
}

/// Three hundred servers and more, in every client that a user's home can hold.
pub async fn hundreds() -> Scene {
    let many = |client: &str, entry: &dyn Fn(usize) -> Value| -> Value {
        let entries: Map<String, Value> = (1..=MANY)
            .map(|number| (format!("{client}-{number:03}"), entry(number)))
            .collect();
        Value::Object(entries)
    };
    let program =
        |number: usize| json!({ "command": "npx", "args": ["-y", format!("package-{number}")] });
    let remote = |number: usize| json!({ "url": format!("https://server-{number}.example/mcp") });
    let under = |key: &str, servers: Value| json!({ key: servers }).to_string();
    let files = [
        ("project/.claude/.mcp.json", servers(&many("own", &program))),
        (
            "home/.claude.json",
            under("mcpServers", many("claude", &program)),
        ),
        (
            "home/.cursor/mcp.json",
            under("mcpServers", many("cursor", &remote)),
        ),
        (
            "home/.config/Code/User/mcp.json",
            under("servers", many("code", &program)),
        ),
        (
            "home/.config/Claude/claude_desktop_config.json",
            under("mcpServers", many("desktop", &program)),
        ),
        (
            "home/.gemini/trustedFolders.json",
            json!({ "/": "TRUST_FOLDER" }).to_string(),
        ),
        (
            "home/.gemini/settings.json",
            under("mcpServers", many("gemini", &program)),
        ),
        (
            "home/.codeium/windsurf/mcp_config.json",
            under("mcpServers", many("windsurf", &program)),
        ),
        (
            "home/.config/zed/settings.json",
            under("context_servers", many("zed", &program)),
        ),
        ("home/.claude/.mcp.json", servers(&many("user", &remote))),
    ];
    Scene::open(&files, Environment::default()).await
}
