//! The clients list what we say counts.

use std::{
    path::{Path, PathBuf},
    process::Output,
};

use serde_json::{Value, json};
use sightglass_inspector::{
    Client, ConfigAction, ConflictChoice, DraftEndpoint, DraftRemote, RemoteTransport, Target,
    TransferItem,
    view::{ConfigServerView, DefinitionState},
};
use sightglass_tests::{Environment, TestHost, configuring::change};

use super::{add, command, installed, named, program};

/// Runs a client in the host's project, with the host's home, and answers what it printed.
fn ask(host: &TestHost, program: &Path, words: &[&str]) -> String {
    String::from_utf8_lossy(&run(host, program, words).stdout).into_owned()
}

/// As [`ask`], for a client that prints its lists to stderr.
fn ask_errors(host: &TestHost, program: &Path, words: &[&str]) -> String {
    String::from_utf8_lossy(&run(host, program, words).stderr).into_owned()
}

fn run(host: &TestHost, program: &Path, words: &[&str]) -> Output {
    let output = command(host, program)
        .args(words)
        .output()
        .expect("it starts");
    assert!(
        output.status.success(),
        "{} {words:?}: {}{}",
        program.display(),
        String::from_utf8_lossy(&output.stdout),
        String::from_utf8_lossy(&output.stderr)
    );
    output
}

fn remote(url: &str, headers: &[(&str, &str)]) -> DraftEndpoint {
    DraftEndpoint::Remote(DraftRemote {
        transport: RemoteTransport::Http,
        url: url.into(),
        headers: named(headers),
        ..DraftRemote::default()
    })
}

/// Returns what Sightglass says of a client's servers, as the files are now.
pub(super) fn ours(host: &TestHost, client: Client) -> Vec<ConfigServerView> {
    let view = host
        .beside(Environment::default())
        .servers
        .projection
        .configuration();
    let found = view
        .clients
        .into_iter()
        .find(|found| found.client == client);
    found.expect("every client is listed").servers
}

/// Asserts that the list of Codex and our own say the same of every server. What waits is not in its
/// list.
fn codex_agrees(host: &TestHost, listed: &[Value]) {
    let mut expected = ours(host, Client::Codex);
    expected.retain(|server| server.state != DefinitionState::Waiting);
    assert_eq!(listed.len(), expected.len());
    for server in expected {
        let theirs = listed
            .iter()
            .find(|found| found["name"] == server.name.as_str());
        let theirs = theirs.unwrap_or_else(|| panic!("{} is not in {listed:?}", server.name));
        let is_on = server.state != DefinitionState::Disabled;
        assert_eq!(theirs["enabled"], is_on, "{}", server.name);
        let transport = &theirs["transport"];
        let summary = match transport["url"].as_str() {
            Some(url) => url.to_owned(),
            None => {
                let arguments = transport["args"].as_array().expect("a list");
                let words = std::iter::once(&transport["command"]).chain(arguments);
                let words = words.map(|word| {
                    let word = word.as_str().expect("a text");
                    if word.contains(' ') {
                        format!("'{word}'")
                    } else {
                        word.to_owned()
                    }
                });
                words.collect::<Vec<_>>().join(" ")
            }
        };
        assert_eq!(summary, server.summary, "{}", server.name);
    }
}

/// Returns true for a server whose definition its client does not take.
pub(super) fn is_invalid(server: &ConfigServerView) -> bool {
    matches!(server.state, DefinitionState::Invalid { .. })
}

/// Nothing listens there.
const NOWHERE: &str = "http://127.0.0.1:9/mcp";

/// `name: command line or address - status` of each line of `claude mcp list`.
fn of_claude(host: &TestHost, claude: &Path) -> Vec<(String, String, String)> {
    let mut lines: Vec<(String, String, String)> = ask(host, claude, &["mcp", "list"])
        .lines()
        .filter_map(|line| {
            let (name, rest) = line.split_once(": ")?;
            let (endpoint, status) = rest.rsplit_once(" - ")?;
            let endpoint = endpoint.trim_end_matches(" (HTTP)");
            Some((name.into(), endpoint.into(), status.into()))
        })
        .collect();
    lines.sort();
    lines
}

/// Asserts that the list of Claude Code and our own say the same of every server. What was rejected
/// or is refused is not in its list.
fn claude_agrees(host: &TestHost, claude: &Path, rejected: &[&str]) {
    let theirs = of_claude(host, claude);
    let mut expected = ours(host, Client::ClaudeCode);
    expected.retain(|server| {
        let is_left_out = rejected.contains(&server.name.as_str());
        assert!(!is_left_out || server.state == DefinitionState::Disabled);
        !is_left_out && !matches!(server.state, DefinitionState::Refused { .. })
    });
    expected.sort_by(|one, other| one.name.cmp(&other.name));
    let listed: Vec<(&str, &str)> = theirs
        .iter()
        .map(|(name, endpoint, _)| (name.as_str(), endpoint.as_str()))
        .collect();
    let wanted: Vec<(&str, &str)> = expected
        .iter()
        .map(|server| (server.name.as_str(), server.summary.as_str()))
        .collect();
    assert_eq!(listed, wanted);
    for ((name, _, status), server) in theirs.iter().zip(&expected) {
        let word = match server.state {
            DefinitionState::Waiting => "Pending approval",
            DefinitionState::Disabled => "Disabled",
            // It was tried, and nothing answers as a server.
            _ => "Failed to connect",
        };
        assert!(
            status.contains(word),
            "{name}: {status}, and we say {:?}",
            server.state
        );
    }
}

/// Returns the scope that we say counts for a server.
fn scope_of(host: &TestHost, client: Client, name: &str) -> String {
    let servers = ours(host, client);
    let found = servers.into_iter().find(|server| server.name == name);
    found.expect("it is listed").scope
}

fn transfer(name: &str) -> Vec<TransferItem> {
    vec![TransferItem {
        name: name.into(),
        new_name: None,
        conflict: ConflictChoice::Replace,
    }]
}

fn switch(host: &TestHost, client: Client, scope: &str, name: &str, on: bool) {
    let target = Target::new(client, scope);
    let names = vec![name.to_owned()];
    let action = if on {
        ConfigAction::Enable { target, names }
    } else {
        ConfigAction::Disable { target, names }
    };
    change(&host.inspector, &action);
}

/// A server of the user's that is switched off, and one that the project has as well. The
/// arguments are lists that replace each other, the environments are objects.
fn one_off_and_one_twice(host: &TestHost, client: Client) {
    add(host, client, "user", "off", program("true", &[], &[]));
    let users = program("true", &["user", "more"], &[("FROM", "user")]);
    add(host, client, "user", "both", users);
    switch(host, client, "user", "off", false);
    let projects = program("true", &["project"], &[]);
    add(host, client, "project", "both", projects);
}

#[tokio::test(flavor = "multi_thread")]
async fn claude_code_lists_what_we_say_counts() {
    let Some(claude) = installed("claude") else {
        return;
    };
    let host = TestHost::new();
    let client = Client::ClaudeCode;
    let word = |word: &str| program("true", &[word], &[]);
    add(&host, client, "user", "shared", word("user"));
    let team = [("X-Team", "core")];
    add(&host, client, "user", "far", remote(NOWHERE, &team));
    let level = program("true", &["--x"], &[("LEVEL", "9")]);
    add(&host, client, "project", "theirs", level);
    claude_agrees(&host, &claude, &[]);
    let shown = ask(&host, &claude, &["mcp", "get", "far"]);
    assert!(
        shown.contains("User config") && shown.contains(NOWHERE),
        "{shown}"
    );

    // Local wins over the user's, whether it is written there or moved.
    add(&host, client, "local", "shared", word("local"));
    claude_agrees(&host, &claude, &[]);
    let shown = ask(&host, &claude, &["mcp", "get", "shared"]);
    assert!(shown.contains("Local config"), "{shown}");
    change(
        &host.inspector,
        &ConfigAction::Move {
            from: Target::new(client, "user"),
            to: Target::new(client, "local"),
            items: transfer("shared"),
        },
    );
    claude_agrees(&host, &claude, &[]);

    // What is switched off is listed as that.
    switch(&host, client, "user", "far", false);
    claude_agrees(&host, &claude, &[]);
    switch(&host, client, "user", "far", true);
    claude_agrees(&host, &claude, &[]);
}

/// Entries of every kind that we say Claude Code skips, beside those that it takes.
#[tokio::test(flavor = "multi_thread")]
async fn claude_code_skips_what_we_say_it_skips() {
    let Some(claude) = installed("claude") else {
        return;
    };
    let host = TestHost::new();
    let project = host.project().display().to_string();
    let state = json!({
        "mcpServers": {
            "untyped": { "url": NOWHERE },
            "camel": { "type": "streamableHttp", "url": NOWHERE },
            "auto": { "type": "auto", "url": NOWHERE },
            "alias": { "type": "streamable-http", "url": NOWHERE },
            "typed": { "type": "http", "url": NOWHERE },
            "lower": { "command": "true", "args": ["user"] },
        },
        "projects": { project: { "mcpServers": { "lower": { "url": NOWHERE } } } },
    });
    host.write(&host.home().join(".claude.json"), &state.to_string());
    let theirs: Vec<(String, String)> = of_claude(&host, &claude)
        .into_iter()
        .map(|(name, endpoint, _)| (name, endpoint))
        .collect();
    let mut expected = ours(&host, Client::ClaudeCode);
    expected.retain(|server| !matches!(server.state, DefinitionState::Invalid { .. }));
    let mut expected: Vec<(String, String)> = expected
        .into_iter()
        .map(|server| (server.name, server.summary))
        .collect();
    expected.sort();
    assert_eq!(theirs, expected);
    assert_eq!(expected.len(), 3);
}

/// Codex reports the first entry that it does not take, and lists nothing.
#[tokio::test(flavor = "multi_thread")]
async fn codex_refuses_what_we_say_it_refuses() {
    let Some(codex) = installed("codex") else {
        return;
    };
    for (entry, is_refused) in [
        ("url = \"http://127.0.0.1:9/\"\nenv = { A = \"b\" }\n", true),
        ("url = \"http://127.0.0.1:9/\"\ncwd = \"/\"\n", true),
        ("command = \"true\"\nhttp_headers = { A = \"b\" }\n", true),
        ("command = \"true\"\noauth_resource = \"x\"\n", true),
        ("command = \"true\"\nscopes = [\"a\"]\n", false),
        (
            "url = \"http://127.0.0.1:9/\"\nhttp_headers = { A = \"${B}\" }\n",
            false,
        ),
    ] {
        let host = TestHost::new();
        let text = format!("[mcp_servers.a]\n{entry}");
        host.write(&host.home().join(".codex/config.toml"), &text);
        let output = command(&host, &codex)
            .args(["mcp", "list", "--json"])
            .output()
            .expect("it starts");
        assert_eq!(!output.status.success(), is_refused, "{entry}");
        let servers = ours(&host, Client::Codex);
        let is_invalid = matches!(servers[0].state, DefinitionState::Invalid { .. });
        assert_eq!(is_invalid, is_refused, "{entry}");
    }
}

/// OpenCode reports the first entry that it does not take, and starts nothing.
#[tokio::test(flavor = "multi_thread")]
async fn opencode_refuses_what_we_say_it_refuses() {
    let Some(opencode) = installed("opencode") else {
        return;
    };
    for (entry, is_refused) in [
        (json!({ "url": NOWHERE }), true),
        (json!({ "command": ["true"] }), true),
        (json!({ "type": "remote", "url": NOWHERE }), false),
        (
            json!({ "type": "local", "command": ["true"], "timeout": 5000 }),
            false,
        ),
    ] {
        let host = TestHost::new();
        let text = json!({ "mcp": { "a": entry } }).to_string();
        host.write(&host.home().join(".config/opencode/opencode.json"), &text);
        let output = command(&host, &opencode)
            .args(["debug", "config"])
            .output()
            .expect("it starts");
        let printed = String::from_utf8_lossy(&output.stdout).into_owned()
            + &String::from_utf8_lossy(&output.stderr);
        assert_eq!(printed.contains("is invalid"), is_refused, "{printed}");
        let servers = ours(&host, Client::Opencode);
        let is_invalid = matches!(servers[0].state, DefinitionState::Invalid { .. });
        assert_eq!(is_invalid, is_refused, "{text}");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn claude_code_uses_a_project_s_server_when_we_say_it_is_approved() {
    let Some(claude) = installed("claude") else {
        return;
    };
    let host = TestHost::new();
    let client = Client::ClaudeCode;
    let word = |word: &str| program("true", &[word], &[]);
    let counts = |scope: &str, rejected: &[&str]| {
        assert_eq!(scope_of(&host, client, "shared"), scope);
        claude_agrees(&host, &claude, rejected);
    };
    add(&host, client, "user", "shared", word("user"));
    add(&host, client, "project", "shared", word("project"));
    add(&host, client, "project", "lone", word("lone"));
    counts("user", &[]);

    // A project cannot approve its own servers before the user trusts it.
    let settings = host.project().join(".claude/settings.json");
    host.write(&settings, r#"{"enabledMcpjsonServers":["shared"]}"#);
    counts("user", &[]);
    let state = host.home().join(".claude.json");
    let mut own: Value =
        serde_json::from_str(&std::fs::read_to_string(&state).expect("readable")).expect("JSON");
    let project = host.project().display().to_string();
    own["projects"][&project]["hasTrustDialogAccepted"] = true.into();
    host.write(&state, &own.to_string());
    counts("project", &[]);

    // The answer of the user wins over the project's.
    switch(&host, client, "project", "shared", false);
    switch(&host, client, "project", "lone", false);
    counts("user", &["lone"]);
    switch(&host, client, "project", "lone", true);
    counts("user", &[]);

    // So does a rule that denies.
    let settings = host.home().join(".claude/settings.json");
    host.write(
        &settings,
        r#"{"deniedMcpServers":[{"serverCommand":["true","user"]}]}"#,
    );
    counts("user", &[]);
    let servers = ours(&host, client);
    let shared = servers.iter().find(|server| server.name == "shared");
    let state = &shared.expect("it is listed").state;
    assert!(
        matches!(state, DefinitionState::Refused { .. }),
        "{state:?}"
    );
}

#[tokio::test(flavor = "multi_thread")]
async fn codex_lists_what_we_say_counts() {
    let Some(codex) = installed("codex") else {
        return;
    };
    let host = TestHost::new();
    let client = Client::Codex;
    add(
        &host,
        client,
        "user",
        "local-one",
        program(
            "run it",
            &["a b", "--x=1"],
            &[("A", "b"), ("PASSED", "${PASSED}")],
        ),
    );
    add(
        &host,
        client,
        "user",
        "far",
        remote(
            NOWHERE,
            &[
                ("Authorization", "Bearer ${TOKEN}"),
                ("X-Key", "${KEY}"),
                ("X-Team", "core"),
            ],
        ),
    );
    one_off_and_one_twice(&host, client);
    add(&host, client, "project", "new", program("true", &[], &[]));
    let listed = |host: &TestHost| -> Vec<Value> {
        let printed = ask(host, &codex, &["mcp", "list", "--json"]);
        serde_json::from_str(&printed).expect("JSON")
    };
    codex_agrees(&host, &listed(&host));
    assert_eq!(scope_of(&host, client, "both"), "user");

    // A project's file counts once the user trusts the project.
    let config = host.home().join(".codex/config.toml");
    let text = std::fs::read_to_string(&config).expect("readable");
    let project = host.project().display().to_string();
    let trusted = format!(
        "{text}\n[projects.{}]\ntrust_level = \"trusted\"\n",
        json!(project)
    );
    host.write(&config, &trusted);
    assert_eq!(scope_of(&host, client, "both"), "project");
    let listed = listed(&host);
    codex_agrees(&host, &listed);
    let of = |name: &str| {
        let found = listed.iter().find(|server| server["name"] == name);
        found.unwrap_or_else(|| panic!("{name} is not in {listed:?}"))
    };
    let local = &of("local-one")["transport"];
    assert_eq!(
        json!([
            local["command"],
            local["args"],
            local["env"],
            local["env_vars"]
        ]),
        json!(["run it", ["a b", "--x=1"], { "A": "b" }, ["PASSED"]])
    );
    let far = &of("far")["transport"];
    assert_eq!(far["bearer_token_env_var"], "TOKEN");
    assert_eq!(far["env_http_headers"], json!({ "X-Key": "KEY" }));
    assert_eq!(far["http_headers"], json!({ "X-Team": "core" }));
    // Field by field: the environment of the user's file stays.
    let both = &of("both")["transport"];
    assert_eq!(
        json!([both["args"], both["env"]]),
        json!([["project"], { "FROM": "user" }])
    );
}

#[tokio::test(flavor = "multi_thread")]
async fn opencode_lists_what_we_say_counts() {
    let Some(opencode) = installed("opencode") else {
        return;
    };
    let host = TestHost::new();
    let client = Client::Opencode;
    one_off_and_one_twice(&host, client);
    add(
        &host,
        client,
        "user",
        "far",
        remote(NOWHERE, &[("X-Team", "core")]),
    );

    // The other file of the project is in the form of the second version.
    let second = host.project().join(".opencode/opencode.json");
    host.write(
        &second,
        &json!({ "mcp": { "servers": {
            "off": { "type": "local", "command": ["true", "again"] },
            "second": { "type": "local", "command": ["true"], "disabled": true },
        } } })
        .to_string(),
    );
    add(
        &host,
        client,
        "directory",
        "third",
        program("true", &["x"], &[("A", "b")]),
    );

    let printed = ask(&host, &opencode, &["debug", "config"]);
    let merged: Value = serde_json::from_str(&printed).expect("JSON");
    assert_eq!(
        merged["mcp"]["both"],
        json!({
            "type": "local", "command": ["true", "project"], "environment": { "FROM": "user" },
        })
    );
    let third = &merged["mcp"]["third"];
    assert_eq!(
        json!([third["command"], third["environment"]]),
        json!([["true", "x"], { "A": "b" }])
    );
    let printed = ask(&host, &opencode, &["mcp", "list"]);
    let plain = without_colours(&printed);
    for server in ours(&host, client) {
        let lines: Vec<&str> = plain.lines().collect();
        let place = lines
            .iter()
            .position(|line| line.split_whitespace().any(|word| word == server.name))
            .unwrap_or_else(|| panic!("{} is not in {plain}", server.name));
        let is_off = server.state == DefinitionState::Disabled;
        assert_eq!(
            lines[place].contains("disabled"),
            is_off,
            "{}",
            lines[place]
        );
        let below = lines[place + 1..].iter().take(3);
        assert!(
            below
                .clone()
                .any(|line| line.trim_end().ends_with(&server.summary)),
            "{} in {plain}",
            server.summary
        );
    }
    assert!(plain.contains("5 server(s)"), "{plain}");
}

/// `name: command line or address - status` of each line of `gemini mcp list`.
fn of_gemini(host: &TestHost, gemini: &Path) -> Vec<(String, String, String)> {
    let mut lines: Vec<(String, String, String)> = ask_errors(host, gemini, &["mcp", "list"])
        .lines()
        .filter_map(|line| {
            let (_, line) = line.split_once(' ')?;
            let (name, rest) = line.split_once(": ")?;
            let (endpoint, status) = rest.rsplit_once(" - ")?;
            let endpoint = endpoint
                .trim_end_matches(" (stdio)")
                .trim_end_matches(" (http)")
                .trim_end();
            Some((name.into(), endpoint.into(), status.into()))
        })
        .collect();
    lines.sort();
    lines
}

/// Asserts that the list of Gemini CLI and our own say the same of every server.
fn gemini_agrees(host: &TestHost, gemini: &Path) {
    let theirs = of_gemini(host, gemini);
    let mut expected: Vec<(String, String, bool)> = ours(host, Client::Gemini)
        .into_iter()
        .map(|server| {
            let is_on = server.state != DefinitionState::Disabled;
            (server.name, server.summary, is_on)
        })
        .collect();
    expected.sort();
    let actual: Vec<(String, String, bool)> = theirs
        .into_iter()
        .map(|(name, endpoint, status)| {
            let is_on = match status.as_str() {
                // It was tried, and nothing answers as a server.
                "Disconnected" => true,
                "Blocked" | "Disabled" => false,
                _ => panic!("{name}: {status}"),
            };
            (name, endpoint, is_on)
        })
        .collect();
    assert_eq!(actual, expected);
}

#[tokio::test(flavor = "multi_thread")]
async fn gemini_lists_what_we_say_counts() {
    let Some(gemini) = installed("gemini") else {
        return;
    };
    let host = TestHost::new();
    let client = Client::Gemini;
    let team = [("X-Team", "core")];
    add(&host, client, "user", "far", remote(NOWHERE, &team));
    one_off_and_one_twice(&host, client);
    add(&host, client, "project", "new", program("true", &[], &[]));
    // In a folder that the user does not trust it uses no server at all.
    let project = host.project().display().to_string();
    let trusted = host.home().join(".gemini/trustedFolders.json");
    host.write(&trusted, &json!({ project: "TRUST_FOLDER" }).to_string());
    gemini_agrees(&host, &gemini);
    assert_eq!(scope_of(&host, client, "both"), "project");

    // What is off in one file stays off, whatever the other file says.
    switch(&host, client, "project", "new", false);
    gemini_agrees(&host, &gemini);
    let is_on = |name: &str| {
        let servers = ours(&host, client);
        let found = servers.iter().find(|server| server.name == name);
        found.expect("it is listed").state != DefinitionState::Disabled
    };
    assert_eq!(["off", "new"].map(is_on), [false, false]);
    switch(&host, client, "project", "new", true);
    switch(&host, client, "user", "off", true);
    gemini_agrees(&host, &gemini);
    assert_eq!(["off", "new"].map(is_on), [true, true]);

    // A server has to be on each list of what is allowed.
    let allow = |file: PathBuf, names: &[&str]| {
        let text = std::fs::read_to_string(&file).expect("readable");
        let mut settings: Value = serde_json::from_str(&text).expect("JSON");
        settings["mcp"]["allowed"] = json!(names);
        host.write(&file, &settings.to_string());
    };
    let directory = Path::new(".gemini/settings.json");
    allow(host.home().join(directory), &["both", "far", "off"]);
    allow(host.project().join(directory), &[" FAR ", "new", "off"]);
    gemini_agrees(&host, &gemini);
    assert_eq!(
        ["both", "far", "new", "off"].map(is_on),
        [false, true, false, true]
    );

    // So has it to be on in the file of its own switches.
    let switches = host.home().join(".gemini/mcp-server-enablement.json");
    host.write(&switches, r#"{"off":{"enabled":false}}"#);
    gemini_agrees(&host, &gemini);
    assert_eq!(["far", "off"].map(is_on), [true, false]);
}

fn without_colours(text: &str) -> String {
    let mut plain = String::new();
    let mut characters = text.chars();
    while let Some(character) = characters.next() {
        if character == '\u{1b}' {
            for inner in characters.by_ref() {
                if inner.is_ascii_alphabetic() {
                    break;
                }
            }
        } else {
            plain.push(character);
        }
    }
    plain
}
