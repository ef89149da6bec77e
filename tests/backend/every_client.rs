//! The servers of every client, connected as that client would start them.

use std::{fs, path::Path};

use serde_json::{Value, json};
use sightglass_inspector::{
    Client, ErrorCode, ExchangeKind, Secret, ServerId,
    view::{Blocked, FolderAnswer, ObstacleAction, ServerView},
};
use sightglass_tests::{Environment, TestHost, leaks::files, programs, wiretap::Proxy};

/// A program that writes its arguments and a few variables into a file, and answers nothing.
fn telling(mark: &Path) -> [String; 2] {
    let script = format!(
        "printf '%s|' \"$@\" \"$FROM_FILE\" \"$FROM_ENTRY\" \"$PWD\" > '{}'; exec cat",
        mark.display()
    );
    ["-c".to_owned(), script]
}

fn entry(mark: &Path, arguments: &[&str]) -> Value {
    let [option, script] = telling(mark);
    let mut all = vec![option, script, "sh".to_owned()];
    all.extend(arguments.iter().map(|argument| (*argument).to_owned()));
    json!({ "command": "/bin/sh", "args": all })
}

fn with(mut entry: Value, more: Value) -> Value {
    let members = more.as_object().expect("an object").clone();
    entry.as_object_mut().expect("an object").extend(members);
    entry
}

fn servers(host: &TestHost) -> Vec<ServerView> {
    host.inspector.snapshot().servers
}

fn find(host: &TestHost, id: &str) -> ServerView {
    let found = servers(host)
        .into_iter()
        .find(|server| server.id.as_str() == id);
    found.unwrap_or_else(|| panic!("{id} is listed"))
}

fn id(text: &str) -> ServerId {
    ServerId::from(text.to_owned())
}

async fn told(host: &TestHost, server: &str, mark: &Path) -> Vec<String> {
    host.inspector
        .servers
        .lifecycle
        .connect(&id(server))
        .expect("it may start");
    let text = host
        .eventually("it was started", || {
            let text = fs::read_to_string(mark).ok()?;
            text.ends_with('|').then_some(text)
        })
        .await;
    host.inspector
        .servers
        .open_connections
        .disconnect(&id(server))
        .await;
    text.trim_end_matches('|')
        .split('|')
        .map(str::to_owned)
        .collect()
}

#[tokio::test(flavor = "multi_thread")]
async fn each_clients_server_starts_by_its_own_rules() {
    let marks = tempfile::tempdir().expect("a temporary directory");
    let mark = |name: &str| marks.path().join(name);
    let host = TestHost::with_environment(json!({}), [("TOKEN", "t0ken-of-mine")]);
    let project = host.project().display().to_string();

    // Claude Code: local servers stand in its state, by project.
    let local = entry(
        &mark("claude"),
        &["${TOKEN}", "${CLAUDE_PROJECT_DIR}", "${NOPE:-default}"],
    );
    let state = json!({ "projects": { &project: { "mcpServers": { "local": local } } } });
    host.write(&host.home().join(".claude.json"), &state.to_string());

    // Codex takes texts as they are.
    let [option, script] = telling(&mark("codex"));
    let codex = toml_entry("docs", &[&option, &script, "sh", "${TOKEN}"]);
    host.write(&host.home().join(".codex/config.toml"), &codex);

    // VS Code: inputs, a file of variables, and its own variables.
    host.write(
        &host.home().join("settings.env"),
        "FROM_FILE='of the file'\nFROM_ENTRY=not this\n",
    );
    let input = json!({ "id": "key", "type": "promptString", "description": "The API key", "password": true });
    let code = with(
        entry(
            &mark("vscode"),
            &["${workspaceFolder}", "${env:TOKEN}", "${input:key}"],
        ),
        json!({ "envFile": "${userHome}/settings.env", "env": { "FROM_ENTRY": "of the entry" } }),
    );
    let code = json!({ "inputs": [input], "servers": { "code": code } });
    host.write(
        &host.home().join(".config/Code/User/mcp.json"),
        &code.to_string(),
    );

    let ids = ["claude-code:local", "codex:docs", "vscode:code"];
    host.eventually("all are listed", || {
        let servers = servers(&host);
        ids.iter()
            .all(|id| servers.iter().any(|server| server.id.as_str() == *id))
            .then_some(())
    })
    .await;

    let found = told(&host, "claude-code:local", &mark("claude")).await;
    assert_eq!(found[..3], ["t0ken-of-mine", &project, "default"]);
    let found = told(&host, "codex:docs", &mark("codex")).await;
    assert_eq!(found[0], "${TOKEN}");

    // What VS Code would ask for is asked for, and said in its words.
    let waiting = find(&host, "vscode:code");
    let obstacle = waiting.obstacle.expect("it lacks its input");
    assert_eq!(obstacle.reason, "Needs key");
    let ObstacleAction::SetVariable { name, input } = &obstacle.actions[0] else {
        panic!("{obstacle:?}");
    };
    let input = input.as_ref().expect("it is declared");
    assert_eq!(input.description.as_deref(), Some("The API key"));
    assert!(input.is_secret);
    let value = Secret::new("entered-by-hand".to_owned());
    host.inspector
        .servers
        .session_variables
        .update_session_variable(&id("vscode:code"), name, Some(value))
        .expect("the entry uses it");
    let found = told(&host, "vscode:code", &mark("vscode")).await;
    assert_eq!(
        found[..5],
        [
            &project,
            "t0ken-of-mine",
            "entered-by-hand",
            "of the file",
            "of the entry"
        ]
    );
}

fn toml_entry(name: &str, arguments: &[&str]) -> String {
    let arguments: Vec<String> = arguments
        .iter()
        .map(|argument| Value::from(*argument).to_string())
        .collect();
    format!(
        "[mcp_servers.{name}]\ncommand = \"/bin/sh\"\nargs = [{}]\n",
        arguments.join(", ")
    )
}

#[tokio::test(flavor = "multi_thread")]
async fn plugins_bring_servers_in_files_and_in_their_manifest_unless_they_are_off() {
    let marks = tempfile::tempdir().expect("a temporary directory");
    let mark = marks.path().join("plugin");
    let host = TestHost::with_servers(json!({}));
    let home = host.home();
    let root = home.join(".claude/plugins/cache/tools/1.0.0");
    let manifest = json!({
        "name": "tools",
        "mcpServers": { "inline": entry(&mark, &["${CLAUDE_PLUGIN_ROOT}/data"]) },
    });
    host.write(
        &root.join(".claude-plugin/plugin.json"),
        &manifest.to_string(),
    );
    // Without `mcpServers` around the servers, as many plugins have it.
    let flat = json!({ "flat": { "command": "/bin/true" } });
    host.write(&root.join(".mcp.json"), &flat.to_string());
    let off = home.join(".claude/plugins/cache/other/2.0.0");
    host.write(
        &off.join(".mcp.json"),
        &json!({ "mcpServers": { "silent": { "command": "/bin/true" } } }).to_string(),
    );
    let registry = json!({ "version": 2, "plugins": {
        "tools@acme": [{ "installPath": root }],
        "other@acme": [{ "installPath": off }],
    }});
    host.write(
        &home.join(".claude/plugins/installed_plugins.json"),
        &registry.to_string(),
    );
    let settings = json!({ "enabledPlugins": { "tools@acme": true, "other@acme": false } });
    host.write(&home.join(".claude/settings.json"), &settings.to_string());
    let host = host.restart().await;

    let inline = find(&host, "claude-code:plugin:tools:inline");
    assert_eq!(inline.scope_title, "Plugin");
    let found = told(&host, "claude-code:plugin:tools:inline", &mark).await;
    assert_eq!(found[0], root.join("data").display().to_string());
    assert!(!find(&host, "claude-code:plugin:tools:flat").disabled);
    assert!(find(&host, "claude-code:plugin:other:silent").disabled);
}

#[tokio::test(flavor = "multi_thread")]
async fn the_same_server_in_several_clients_is_one() {
    let docs = json!({ "command": "npx", "args": ["-y", "docs"], "env": {} });
    let host = TestHost::with_servers(json!({ "docs": docs.clone() }));
    let cursor = json!({ "mcpServers": {
        "docs": { "type": "stdio", "command": "npx", "args": ["-y", "docs"] },
        "other": { "url": "https://a.example/mcp" },
    }});
    host.write(&host.home().join(".cursor/mcp.json"), &cursor.to_string());
    let gemini = json!({ "mcpServers": {
        "docs": { "command": "npx", "args": ["-y", "docs@2"] },
        "other": { "httpUrl": "https://a.example/mcp" },
    }});
    host.write(
        &host.home().join(".gemini/settings.json"),
        &gemini.to_string(),
    );
    let host = host.restart().await;

    let listed: Vec<String> = servers(&host)
        .iter()
        .map(|server| server.id.to_string())
        .collect();
    assert_eq!(
        listed,
        [
            "mcp-json:docs",
            "cursor:other",
            "gemini:docs",
            "built-in:demo"
        ]
    );
    let also = |id: &str| -> Vec<String> {
        let also = find(&host, id).also;
        also.iter().map(|place| place.server.to_string()).collect()
    };
    assert_eq!(also("mcp-json:docs"), ["cursor:docs"]);
    assert_eq!(also("cursor:other"), ["gemini:other"]);
    assert!(also("gemini:docs").is_empty());
    // One that stands for it all the same can be reached by its own name.
    assert!(
        host.inspector
            .servers
            .specs
            .spec(&id("cursor:docs"))
            .is_ok()
    );
}

#[tokio::test(flavor = "multi_thread")]
async fn a_projects_part_of_a_merged_server_has_to_be_approved() {
    let marks = tempfile::tempdir().expect("a temporary directory");
    let mark = marks.path().join("merged");
    let host = TestHost::in_foreign_folder(json!({}), json!({}), Environment::default());
    let [option, script] = telling(&mark);
    host.write(
        &host.home().join(".codex/config.toml"),
        &format!(
            "[projects.{}]\ntrust_level = \"trusted\"\n\n[mcp_servers.mine]\ncommand = \"/bin/true\"\n",
            Value::from(host.project().display().to_string())
        ),
    );
    // The project replaces the arguments alone; the program stays the user's.
    host.write(
        &host.project().join(".codex/config.toml"),
        &toml_entry("mine", &[&option, &script]).replace("command = \"/bin/sh\"\n", ""),
    );
    let host = host.restart_unapproved().await;
    host.inspector
        .servers
        .folder_trust
        .trust_folder()
        .expect("trusted");
    let merged = find(&host, "codex:mine");
    assert_eq!(merged.blocked, Some(Blocked::Waiting));
    assert!(
        merged.summary.starts_with("/bin/true -c"),
        "{}",
        merged.summary
    );
    let error = host
        .inspector
        .servers
        .lifecycle
        .connect(&id("codex:mine"))
        .expect_err("it waits");
    assert_eq!(error.code(), ErrorCode::NotApproved);
}

#[tokio::test(flavor = "multi_thread")]
async fn every_clients_project_file_waits_for_approval() {
    let host = TestHost::in_foreign_folder(json!({}), json!({}), Environment::default());
    let server = json!({ "command": "/bin/true" });
    let write = |path: &str, key: &str| {
        let name = path.trim_start_matches('.').replace(['/', '.'], "-");
        host.write(
            &host.project().join(path),
            &json!({ key: { name: &server } }).to_string(),
        );
    };
    write(".cursor/mcp.json", "mcpServers");
    write(".vscode/mcp.json", "servers");
    write(".gemini/settings.json", "mcpServers");
    write(".zed/settings.json", "context_servers");
    let opencode = json!({ "mcp": { "x": { "type": "local", "command": ["/bin/true"] } } });
    host.write(&host.project().join("opencode.json"), &opencode.to_string());
    let host = host.restart_unapproved().await;
    host.inspector
        .servers
        .folder_trust
        .trust_folder()
        .expect("trusted");
    let found: Vec<ServerView> = servers(&host)
        .into_iter()
        .filter(|server| {
            server
                .target
                .as_ref()
                .is_some_and(|target| target.client != Client::McpJson)
        })
        .collect();
    assert_eq!(found.len(), 5);
    for server in &found {
        assert_eq!(server.problems, [], "{}", server.id);
        assert_eq!(server.blocked, Some(Blocked::Waiting), "{}", server.id);
        assert!(
            host.inspector
                .servers
                .lifecycle
                .connect(&server.id)
                .is_err()
        );
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn variables_from_a_file_of_an_untrusted_folder_are_not_given_to_a_program() {
    let marks = tempfile::tempdir().expect("a temporary directory");
    let mark = marks.path().join("cursor");
    let host = TestHost::in_foreign_folder(json!({}), json!({}), Environment::default());
    host.write(
        &host.project().join(".env"),
        "FROM_FILE=LD_PRELOAD-could-stand-here\n",
    );
    let server = with(
        entry(&mark, &[]),
        json!({ "envFile": "${workspaceFolder}/.env" }),
    );
    host.write(
        &host.home().join(".cursor/mcp.json"),
        &json!({ "mcpServers": { "mine": server } }).to_string(),
    );
    let host = host.restart_unapproved().await;
    assert_eq!(
        host.inspector.servers.folder_trust.folder_trust().answer,
        FolderAnswer::NotAsked
    );
    assert_eq!(
        find(&host, "cursor:mine").blocked,
        Some(Blocked::FolderNotTrusted)
    );
    assert!(
        host.inspector
            .servers
            .lifecycle
            .connect(&id("cursor:mine"))
            .is_err()
    );
    host.inspector
        .servers
        .folder_trust
        .trust_folder()
        .expect("trusted");
    let found = told(&host, "cursor:mine", &mark).await;
    assert_eq!(found[0], "LD_PRELOAD-could-stand-here");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_command_gives_the_headers_of_a_claude_code_server() {
    let demo = programs::demo_over_http(&[]);
    let marks = tempfile::tempdir().expect("a temporary directory");
    let mark = marks.path().join("helper");
    let helper = format!(
        "pwd > '{}'; printf '{{\"X-Helped\":\"value-of-the-helper.9xQ\"}}'",
        mark.display()
    );
    let host = TestHost::in_foreign_folder(json!({}), json!({}), Environment::default());
    let state = json!({ "mcpServers": {
        "helped": { "type": "http", "url": demo.url, "headersHelper": helper, "headers": { "x-helped": "static" } },
        "broken": { "type": "http", "url": demo.url, "headersHelper": "echo no session >&2; exit 3" },
    }});
    host.write(&host.home().join(".claude.json"), &state.to_string());
    let host = host.restart_unapproved().await;

    host.connect(&id("claude-code:helped")).await;
    // The folder is not trusted, so that the command runs outside it.
    let place = fs::read_to_string(&mark).expect("it ran");
    assert!(Path::new(place.trim()).starts_with(host.data()), "{place}");
    let rows = host.traffic("", &[ExchangeKind::Http]).await;
    let row = rows.first().expect("the handshake");
    let detail = host.inspector.core.record().detail(row.id).await;
    let http = detail.expect("it is on record").http.expect("HTTP");
    let sent: Vec<&str> = http
        .request_headers
        .iter()
        .filter(|(name, _)| name == "x-helped")
        .map(|(_, value)| value.as_str())
        .collect();
    // One header, and its value is masked.
    assert_eq!(sent.len(), 1, "{http:?}");
    assert_ne!(sent[0], "static");
    host.inspector
        .servers
        .open_connections
        .disconnect(&id("claude-code:helped"))
        .await;
    let leaked = files(&host.data(), &[])
        .into_iter()
        .filter(|written| memchr::memmem::find(&written.1, b"value-of-the-helper").is_some())
        .count();
    assert_eq!(leaked, 0);

    let status = host.try_connect(&id("claude-code:broken")).await;
    let failure = status.failure.expect("it fails");
    assert!(
        format!("{:?}", failure.failure).contains("exit status: 3: no session"),
        "{failure:?}"
    );
}

#[tokio::test(flavor = "multi_thread")]
async fn a_projects_command_for_headers_is_shown_and_waits() {
    let marks = tempfile::tempdir().expect("a temporary directory");
    let mark = marks.path().join("helper");
    let helper = format!("touch '{}'", mark.display());
    let server =
        json!({ "type": "http", "url": "http://127.0.0.1:9/mcp", "headersHelper": helper });
    let host = TestHost::with_foreign_servers(json!({ "theirs": server }));
    let theirs = TestHost::id("theirs");
    let shown = host
        .inspector
        .servers
        .trust
        .trust_request(&theirs)
        .expect("it waits");
    let sentence = shown
        .consequences
        .iter()
        .find(|sentence| sentence.contains("runs the command"));
    assert!(
        sentence.is_some_and(|sentence| sentence.contains("touch")),
        "{shown:?}"
    );
    assert!(host.inspector.servers.lifecycle.connect(&theirs).is_err());
    assert!(!mark.exists());
}

#[tokio::test(flavor = "multi_thread")]
async fn what_a_client_refuses_is_blocked_with_its_reason_and_refused_in_the_same_words() {
    let host = TestHost::with_servers(json!({}));
    let state = json!({ "mcpServers": { "far": { "url": "http://127.0.0.1:9/mcp" } } });
    host.write(&host.home().join(".claude.json"), &state.to_string());
    let desktop =
        json!({ "mcpServers": { "cloud": { "type": "http", "url": "http://127.0.0.1:9/mcp" } } });
    host.write(
        &host
            .home()
            .join(".config/Claude/claude_desktop_config.json"),
        &desktop.to_string(),
    );
    let host = host.restart().await;
    for (server, client, instead) in [
        ("claude-code:far", "Claude Code", "Write \"type\": \"http\""),
        ("claude-desktop:cloud", "Claude Desktop", "under Connectors"),
    ] {
        let obstacle = find(&host, server).obstacle.expect("it is blocked");
        assert_eq!(obstacle.reason, format!("{client} does not accept it"));
        assert!(obstacle.hint.contains(instead), "{obstacle:?}");
        let error = host
            .inspector
            .servers
            .lifecycle
            .connect(&id(server))
            .expect_err("refused");
        assert_eq!(error.code(), ErrorCode::Configuration);
        assert!(error.to_string().contains(&obstacle.hint), "{error}");
        let (client, name) = server.split_once(':').expect("two parts");
        let client: Client = client.parse().expect("a client");
        let explained = host
            .inspector
            .setup
            .explanations
            .explain_configuration(client, name)
            .expect("it is there");
        let text = explained.sentences.join(" ");
        assert!(
            text.contains("does not take") && text.contains(&obstacle.hint),
            "{text}"
        );
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_header_that_codex_does_not_expand_is_sent_as_it_stands() {
    let demo = programs::demo_over_http(&[]);
    let proxy = Proxy::before(demo.port());
    let host = TestHost::with_environment(json!({}), [("TOKEN", "t0ken-of-mine")]);
    let codex = format!(
        "[mcp_servers.far]\nurl = {}\nhttp_headers = {{ X-Plain = \"${{TOKEN}}\" }}\n\
         env_http_headers = {{ X-Named = \"TOKEN\" }}\n",
        Value::from(proxy.url("/mcp"))
    );
    host.write(&host.home().join(".codex/config.toml"), &codex);
    let host = host
        .restart_in(Environment::default().and("TOKEN", "t0ken-of-mine"))
        .await;
    let server = id("codex:far");
    host.connect(&server).await;
    let sent = proxy.sent().to_lowercase();
    assert!(sent.contains("x-plain: ${token}"), "{sent}");
    assert!(sent.contains("x-named: t0ken-of-mine"), "{sent}");
    let problems = find(&host, "codex:far").problems;
    assert!(
        problems
            .iter()
            .any(|problem| problem.message.contains("env_http_headers")),
        "{problems:?}"
    );
}
