//! Prepares what a page finds: configuration files, servers, and which of them are connected.

use serde_json::{Map, Value, json};
use sightglass_tests::{Environment, TestHost, programs};

/// Opens an inspector on the directories of a scenario.
///
/// # Errors
/// When there is no scenario of this name.
pub async fn prepare(name: &str) -> Result<TestHost, String> {
    match name {
        "welcome" => Ok(TestHost::new()),
        "many" => Ok(many().await),
        "broken" => Ok(broken()),
        "obstacles" => Ok(obstacles().await),
        _ => Err(format!("there is no scenario {name}")),
    }
}

/// Fifty servers, one of which has ten thousand tools and is connected.
async fn many() -> TestHost {
    let program = programs::own("sightglass-demo-server");
    let entry = |arguments: &[&str]| json!({ "command": program, "args": arguments });
    let mut servers = Map::new();
    servers.insert(
        "ten-thousand".to_owned(),
        entry(&["--load", "--tools", "10000"]),
    );
    for number in 1..50 {
        servers.insert(format!("server-{number:02}"), entry(&[]));
    }
    let host = TestHost::with_servers(Value::Object(servers));
    host.connect(&TestHost::id("ten-thousand")).await;
    host
}

/// A file that cannot be read as JSON, and one with an entry that lacks what it needs.
fn broken() -> TestHost {
    let project = "{\n  \"mcpServers\": {\n    \"mail\": {\n      \"command\": \"node\",\n      \"args\": [\"server.js\"]\n      \"env\": {}\n    }\n  }\n}\n";
    let user = "{\n  \"mcpServers\": {\n    \"off\": {\n      \"command\": \"uvx\",\n      \"args\": [\"off\"],\n      \"disabled\": true\n    },\n    \"incomplete\": {\n      \"args\": [\"--verbose\"]\n    }\n  }\n}\n";
    TestHost::on_files(
        &[
            ("project/.claude/.mcp.json", project),
            ("home/.claude/.mcp.json", user),
        ],
        Environment::default(),
    )
}

/// Servers that lack something, and one that works and writes text to stdout.
async fn obstacles() -> TestHost {
    let program = programs::own("sightglass-demo-server");
    let noisy = format!(
        "echo Starting server on stdio...; exec '{}'",
        program.display()
    );
    let theirs = json!({ "foreign": { "command": program } });
    let own = json!({
        "unset": {
            "command": program,
            "env": { "API_KEY": "${SIGHTGLASS_TEST_KEY}" }
        },
        "noisy": { "command": "/bin/sh", "args": ["-c", noisy] },
        "gone": { "command": "no-such-program-anywhere" }
    });
    let host = TestHost::in_foreign_folder(theirs, own, Environment::default());
    if let Err(error) = host.inspector.trust_folder() {
        eprintln!("{error}");
    }
    host.connect(&TestHost::id("noisy")).await;
    host
}
