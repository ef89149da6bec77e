//! Entries that try to slip past the administrator's rules.

use std::{net::TcpListener, path::PathBuf};

use serde_json::{Value, json};
use sightglass_inspector::{ErrorCode, view::Blocked};
use sightglass_tests::TestHost;

/// Starts on these servers under these rules.
async fn under(rules: &Value, servers: Value) -> (TestHost, PathBuf) {
    let host = TestHost::with_servers(servers);
    let place = if cfg!(target_os = "macos") {
        "Library/Application Support/ClaudeCode"
    } else if cfg!(windows) {
        "Program Files/ClaudeCode"
    } else {
        "etc/claude-code"
    };
    let path = host.system().join(place).join("managed-settings.json");
    host.write(&path, &rules.to_string());
    (host.restart().await, path)
}

/// Tries to connect, and says which rule refused it.
fn refusal(host: &TestHost, name: &str) -> String {
    let id = TestHost::id(name);
    let error = host.inspector.connect(&id).expect_err("it is refused");
    assert_eq!(error.code(), ErrorCode::RefusedByPolicy, "{error}");
    let servers = host.inspector.snapshot().servers;
    let shown = servers.into_iter().find(|server| server.id == id);
    match shown.expect("it is shown").blocked {
        Some(Blocked::Refused { rule }) => rule,
        other => panic!("it shows as {other:?}"),
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_host_in_the_path_or_the_userinfo_is_no_host_that_a_rule_allows() {
    let listener = TcpListener::bind("127.0.0.1:0").expect("a free port");
    listener.set_nonblocking(true).expect("set");
    let port = listener.local_addr().expect("bound").port();
    let rules = json!({ "allowedMcpServers": [{ "serverUrl": "http://*.example.org:*/*" }] });
    let server = |url: String| json!({ "type": "http", "url": url });
    let servers = json!({
        "path": server(format!("http://127.0.0.1:{port}/x.example.org:1/mcp")),
        "query": server(format!("http://127.0.0.1:{port}?x.example.org:1/mcp")),
        "userinfo": server(format!("http://x.example.org:1@127.0.0.1:{port}/mcp")),
        "backslash": server(format!("http:\\\\127.0.0.1:{port}\\.example.org:1/mcp")),
    });
    let (host, _) = under(&rules, servers).await;
    for name in ["path", "query", "userinfo", "backslash"] {
        let rule = refusal(&host, name);
        assert!(rule.contains("allowedMcpServers"), "{name}: {rule}");
    }
    assert!(listener.accept().is_err(), "somebody was asked");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_denied_host_is_denied_however_it_is_written() {
    let rules = json!({ "deniedMcpServers": [{ "serverUrl": "https://evil.example/*" }] });
    let spellings = [
        "https://evil.example./mcp",
        "https://EVIL.example:443/mcp",
        "https://me:secret@evil.example/mcp",
        "https:\\\\evil.example\\mcp",
        "https://ev%69l.example/mcp",
    ];
    let servers: serde_json::Map<String, Value> = spellings
        .iter()
        .enumerate()
        .map(|(index, url)| (format!("s{index}"), json!({ "type": "http", "url": url })))
        .collect();
    let (host, _) = under(&rules, servers.into()).await;
    for (index, url) in spellings.iter().enumerate() {
        let rule = refusal(&host, &format!("s{index}"));
        assert!(rule.contains("https://evil.example/*"), "{url}: {rule}");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_mistyped_rule_refuses_its_kind_and_names_itself_and_its_file() {
    let rules = json!({ "deniedMcpServers": [{ "serverCommand": "npx evil" }] });
    let servers = json!({
        "program": { "command": "true" },
        "address": { "type": "http", "url": "http://127.0.0.1:9/mcp" },
    });
    let (host, path) = under(&rules, servers).await;
    let rule = refusal(&host, "program");
    assert!(rule.contains("npx evil"), "{rule}");
    assert!(rule.contains(&path.display().to_string()), "{rule}");
    host.inspector
        .connect(&TestHost::id("address"))
        .expect("a rule about programs is none about addresses");
    let shown = host.inspector.configuration().policy;
    assert!(
        shown.iter().any(|rule| rule.rule.contains("every program")),
        "{shown:?}"
    );
}
