//! A server for each thing that a connection can be in the middle of, or has ended with.

use std::{os::unix::fs::PermissionsExt, process::Command};

use serde_json::json;
use sightglass_inspector::{ConnectionStatus, Phase};
use sightglass_tests::{
    Environment,
    certificates::Authority,
    programs,
    scripted::{Script, Scripted, Secured},
    wiretap::Wiretap,
};

use super::{Scene, call_in_background, id, line::Line, servers};

const ICON: &str = "data:image/svg+xml,%3Csvg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 24 24\"%3E%3Crect width=\"24\" height=\"24\" rx=\"5\" fill=\"%23287\"/%3E%3Cpath d=\"M5 17l5-10 4 7 2-3 3 6z\" fill=\"white\"/%3E%3C/svg%3E";

/// Speaks for `npx`, which downloads before it starts a server.
const SLOW_RUNNER: &str = "#!/bin/sh
echo 'npm warn deprecated inflight@1.0.6: This module is not supported, and leaks memory.' >&2
echo 'npm http fetch GET 200 https://registry.npmjs.org/puppeteer/-/puppeteer-24.1.0.tgz 8211ms' >&2
exec sleep 600
";

/// Six servers, two of which are being connected again.
pub async fn open() -> Scene {
    let demo = programs::own("sightglass-demo-server")
        .display()
        .to_string();
    let sse_port = programs::free_port();
    let older = programs::everything_over("sse", sse_port);
    let certificates = Authority::new();
    let untrusted = Scripted::of(Script {
        server: Some(Secured::here(certificates.self_signed("127.0.0.1"))),
        ..Script::default()
    })
    .await;
    let tap = Wiretap::new();
    let rich = programs::scripted(
        &tap,
        &[
            ("initialize", &rich_handshake()),
            (
                "tools/list",
                r#"{"tools":[{"name":"route","inputSchema":{"type":"object"}}]}"#,
            ),
            ("ping", "{}"),
        ],
    );
    let lost = programs::demo_over_http(&["--era", "legacy"]);
    let line = Line::to(lost.port()).await;
    // Begins once, and then hangs for as long as its file is there.
    let returning =
        format!("test -e returning && exec {demo} --fault hang-initialize; exec {demo}");
    let shell = |script: &str| json!({ "command": "sh", "args": ["-c", script] });
    let project = servers(&json!({
        "lost": { "type": "http", "url": format!("{}/mcp", line.url()) },
        "returning": shell(&returning),
        "cold": { "command": "bin/npx", "args": ["-y", "@acme/heavy-mcp"] },
    }));
    let user = servers(&json!({
        "older": { "url": format!("http://127.0.0.1:{sse_port}/sse") },
        "rich": rich,
        "untrusted": { "type": "http", "url": untrusted.url() },
    }));
    let files = [
        ("project/.claude/.mcp.json", project),
        ("home/.claude/.mcp.json", user),
        ("project/bin/npx", SLOW_RUNNER.to_owned()),
    ];
    let scene = Scene::open(&files, Environment::default()).await;
    let host = &scene.host;
    let runner = std::fs::Permissions::from_mode(0o755);
    std::fs::set_permissions(host.path("project/bin/npx"), runner).expect("ours");
    host.approve_all_but(&[]);

    for name in ["lost", "returning", "older", "rich"] {
        host.connect(&id(name)).await;
    }
    host.try_connect(&id("untrusted")).await;
    host.inspector
        .servers
        .lifecycle
        .connect(&id("cold"))
        .expect("a usable entry");
    host.wait_for(&id("cold"), |status| status.output.len() == 2)
        .await;
    lose(&scene, "returning").await;
    line.set_cut(true).await;
    host.wait_for(&id("returning"), |status| {
        status.phase == Phase::Initializing && status.reconnection.is_some()
    })
    .await;
    // The first finds out that the connection is gone.
    for _ in 0..5 {
        call_in_background(host, &id("lost"), "echo", json!({ "message": "later" }));
    }
    host.wait_for(&id("lost"), |status| {
        let reconnection = status.reconnection.as_ref();
        reconnection.is_some_and(|reconnection| reconnection.waiting > 3)
    })
    .await;
    scene
        .with_line("lost", line)
        .with(lost)
        .with(older)
        .with(untrusted)
        .with(certificates)
        .with(tap)
}

/// Servers that lack something, and one that works and writes text to stdout.
pub async fn obstacles() -> Scene {
    let program = programs::own("sightglass-demo-server")
        .display()
        .to_string();
    let noisy = format!("echo Starting server on stdio...; exec '{program}'");
    let theirs = servers(&json!({ "foreign": { "command": program } }));
    let own = servers(&json!({
        "unset": {
            "command": program,
            "env": { "API_KEY": "${SIGHTGLASS_TEST_KEY}" }
        },
        "noisy": { "command": "/bin/sh", "args": ["-c", noisy] },
        "gone": { "command": "no-such-program-anywhere" }
    }));
    let files = [
        ("project/.claude/.mcp.json", theirs),
        ("home/.claude/.mcp.json", own),
    ];
    let scene = Scene::open(&files, Environment::default()).await;
    scene.host.connect(&id("noisy")).await;
    scene
}

/// Ends the program of a server, which does not come back while its file is there.
async fn lose(scene: &Scene, name: &str) {
    let host = &scene.host;
    host.write(&host.project().join(name), "");
    let process = process(&host.inspector.servers.open_connections.status(&id(name)));
    let killed = Command::new("kill")
        .args(["-9", &process.to_string()])
        .status();
    assert!(killed.expect("it runs").success(), "{name} was not running");
    host.wait_for(&id(name), |status| status.reconnection.is_some())
        .await;
}

fn process(status: &ConnectionStatus) -> u32 {
    let handshake = status.handshake.as_ref().expect("connected");
    handshake.process.expect("a program")
}

fn rich_handshake() -> String {
    json!({
        "protocolVersion": "2025-11-25",
        "capabilities": { "logging": {}, "tools": {} },
        "serverInfo": {
            "name": "rich-server",
            "version": "2.1.0",
            "title": "Maps of the world",
            "description": "Routes, places and distances, from open data and updated each week.",
            "icons": [
                { "src": ICON },
                { "src": "https://maps.example.com/icon-dark.png", "theme": "dark" },
            ],
        },
    })
    .to_string()
}
