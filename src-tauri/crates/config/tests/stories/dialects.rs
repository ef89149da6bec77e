//! The files of other clients: read, changed line by line, and translated between clients.

use std::{fs, path::PathBuf};

use serde_json::{Value, json};
use sightglass_config::{
    Client, ClientConfig, ConfigAction, ConflictChoice, DefinitionState, Draft, FileState, Target,
    TransferItem, definition_draft, fields, plan_action, read_client, scope_place, summary, write,
};

use crate::{World, form_action, program};

impl World {
    pub(crate) fn place(&self, client: Client, scope: &str, text: &str) -> PathBuf {
        let target = Target::new(client, scope);
        let path = scope_place(&target, &self.machine()).expect("a scope").path;
        fs::create_dir_all(path.parent().expect("a directory")).expect("made");
        fs::write(&path, text).expect("written");
        path
    }

    fn client(&self, client: Client) -> ClientConfig {
        read_client(client, &self.machine())
    }

    /// Carries an action out, and says what it lost.
    pub(crate) fn act(&self, action: &ConfigAction) -> Vec<String> {
        let plan = plan_action(action, &self.machine()).expect("possible");
        for file in &plan.files {
            write(&file.change).expect("written");
        }
        plan.lost.into_iter().map(|lost| lost.field).collect()
    }

    /// Saves a form as the editor does.
    pub(crate) fn save_form(&self, target: &Target, name: &str, draft: &Draft) {
        let place = scope_place(target, &self.machine()).expect("a scope");
        let text = fs::read_to_string(place.path).expect("readable");
        let action = form_action(&self.machine(), target, &text, name, draft).expect("possible");
        self.act(&action);
    }

    fn copy(&self, name: &str, from: (Client, &str), to: (Client, &str)) -> Vec<String> {
        self.act(&ConfigAction::Copy {
            from: Target::new(from.0, from.1),
            to: Target::new(to.0, to.1),
            items: vec![TransferItem {
                name: name.into(),
                new_name: None,
                conflict: ConflictChoice::Refuse,
            }],
        })
    }
}

fn shown(config: &ClientConfig, name: &str) -> Vec<String> {
    let server = config.server(name).expect("it is there");
    fields(&config.effective(server))
        .into_iter()
        .map(|field| format!("{}={}", field.name, field.shown))
        .collect()
}

pub(crate) fn fixture(name: &str) -> String {
    let path = PathBuf::from(env!("CARGO_MANIFEST_DIR"))
        .join("../../../tests/fixtures/clients")
        .join(name);
    fs::read_to_string(path).expect("a captured file")
}

/// Each client's scope, the captured file, and a server that it defines with its summary.
pub(crate) const CAPTURED: [(Client, &str, &str, &str, &str); 26] = [
    (
        Client::McpJson,
        "project",
        "mcp-json.json",
        "filesystem",
        "npx -y @modelcontextprotocol/server-filesystem .",
    ),
    (
        Client::ClaudeCode,
        "user",
        "claude-code.json",
        "github",
        "https://api.githubcopilot.com/mcp/",
    ),
    (
        Client::Codex,
        "user",
        "codex.toml",
        "context7",
        "npx -y @upstash/context7-mcp",
    ),
    (
        Client::Opencode,
        "user",
        "opencode.jsonc",
        "everything",
        "npx -y @modelcontextprotocol/server-everything",
    ),
    (
        Client::Opencode,
        "project",
        "opencode-servers.jsonc",
        "sentry",
        "https://mcp.sentry.dev/mcp",
    ),
    (
        Client::Caliban,
        "user",
        "caliban.toml",
        "linear",
        "https://mcp.linear.app/mcp",
    ),
    (
        Client::ClaudeDesktop,
        "user",
        "claude-desktop.json",
        "filesystem",
        "npx -y @modelcontextprotocol/server-filesystem /home/ada/Desktop",
    ),
    (
        Client::Vscode,
        "workspace",
        "vscode.jsonc",
        "perplexity",
        "npx -y server-perplexity-ask",
    ),
    (
        Client::Cursor,
        "project",
        "cursor.json",
        "remote",
        "https://api.example.com/mcp",
    ),
    (
        Client::Windsurf,
        "user",
        "windsurf.json",
        "figma",
        "https://mcp.figma.com/mcp",
    ),
    (
        Client::Zed,
        "user",
        "zed.jsonc",
        "local",
        "/opt/some-server --stdio",
    ),
    (
        Client::Gemini,
        "user",
        "gemini.json",
        "http",
        "https://api.example.com/mcp",
    ),
    (
        Client::VscodeInsiders,
        "user",
        "vscode-insiders.jsonc",
        "github",
        "https://api.githubcopilot.com/mcp",
    ),
    (
        Client::Vscodium,
        "user",
        "vscodium.jsonc",
        "perplexity",
        "npx -y server-perplexity-ask",
    ),
    (
        Client::VisualStudio,
        "project",
        "visual-studio.jsonc",
        "playwright",
        "npx @playwright/mcp@latest",
    ),
    (
        Client::CopilotCli,
        "user",
        "copilot-cli.json",
        "serena",
        "uvx serena start-mcp-server",
    ),
    (
        Client::Cline,
        "user",
        "cline.json",
        "linear",
        "https://mcp.linear.app/mcp",
    ),
    (
        Client::RooCode,
        "project",
        "roo-code.json",
        "remote",
        "https://your-server-url.com/mcp",
    ),
    (
        Client::Kiro,
        "project",
        "kiro.json",
        "remote-server",
        "https://endpoint.to.connect.to",
    ),
    (
        Client::AmazonQ,
        "user",
        "amazon-q.json",
        "fetch",
        "uvx mcp-server-fetch",
    ),
    (
        Client::Junie,
        "user",
        "junie.json",
        "memory",
        "npx -y @modelcontextprotocol/server-memory",
    ),
    (
        Client::Warp,
        "project",
        "warp.json",
        "sentry",
        "https://mcp.sentry.dev/mcp",
    ),
    (
        Client::LmStudio,
        "user",
        "lm-studio.json",
        "hf-mcp-server",
        "https://huggingface.co/mcp",
    ),
    (
        Client::Goose,
        "user",
        "goose.yaml",
        "github",
        "npx -y @modelcontextprotocol/server-github",
    ),
    (
        Client::Continue,
        "user",
        "continue.yaml",
        "SQLite MCP",
        "npx -y mcp-sqlite /path/to/your/database.db",
    ),
    (
        Client::Continue,
        "project",
        "continue.json",
        "docs",
        "https://docs.example/mcp",
    ),
];

#[test]
fn the_captured_file_of_every_client_is_understood() {
    for (client, scope, file, name, wanted) in CAPTURED {
        let world = World::new();
        world.place(client, scope, &fixture(file));
        let config = world.client(client);
        let read = config.file(scope).expect("the scope");
        assert_eq!(read.state, FileState::Loaded, "{client}");
        let problems: Vec<String> = read.problems().iter().map(ToString::to_string).collect();
        assert_eq!(problems, Vec::<String>::new(), "{client}");
        let server = config
            .server(name)
            .unwrap_or_else(|| panic!("{client} has {name}"));
        assert_eq!(summary(&config.effective(server)), wanted, "{client}");
    }
}

#[test]
fn saving_what_the_form_shows_changes_nothing_in_any_client() {
    for (client, scope, file, ..) in CAPTURED {
        let world = World::new();
        let text = fixture(file);
        let path = world.place(client, scope, &text);
        for definition in &world
            .client(client)
            .file(scope)
            .expect("the scope")
            .definitions
        {
            let draft = definition_draft(definition).expect("it can be read");
            let target = Target::new(client, scope);
            world.save_form(&target, &definition.name, &draft);
            let after = fs::read_to_string(&path).expect("readable");
            assert_eq!(after, text, "{client}: {}", definition.name);
        }
    }
}

#[test]
fn a_server_added_to_any_client_is_the_one_that_counts_there() {
    for (client, scope, file, ..) in CAPTURED {
        let world = World::new();
        let before = fixture(file);
        let path = world.place(client, scope, &before);
        world.act(&ConfigAction::Add {
            target: Target::new(client, scope),
            draft: program("added", "npx", &["-y", "server"]),
        });
        let config = world.client(client);
        let server = config.server("added").unwrap_or_else(|| panic!("{client}"));
        assert_eq!(
            summary(&config.effective(server)),
            "npx -y server",
            "{client}"
        );
        world.act(&ConfigAction::Remove {
            target: Target::new(client, scope),
            names: vec!["added".into()],
        });
        assert_eq!(
            fs::read_to_string(&path).expect("readable"),
            before,
            "{client}"
        );
    }
}

#[test]
fn a_file_that_does_not_exist_is_made_in_the_form_of_its_client() {
    for (client, scope, ..) in CAPTURED {
        let world = World::new();
        let target = Target::new(client, scope);
        world.act(&ConfigAction::Add {
            target,
            draft: program("added", "npx", &[]),
        });
        let config = world.client(client);
        let file = config.file(scope).expect("the scope");
        assert_eq!(file.state, FileState::Loaded, "{client}");
        assert!(config.server("added").is_some(), "{client}");
    }
}

#[test]
fn an_edit_of_toml_keeps_comments_line_ends_and_order() {
    let world = World::new();
    let text = "# mine\r\nmodel = \"o3\"\r\n\r\n[mcp_servers.a] # first\r\ncommand = \"x\"\r\nargs = [ \"1\",  \"2\" ]\r\n\r\n[mcp_servers.a.env]\r\nONE = \"1\"\r\n\r\n# between\r\n[mcp_servers.b]\r\nurl = \"https://example.org/mcp\"\r\n";
    let path = world.place(Client::Codex, "user", text);
    let mut draft = definition_draft(
        world
            .client(Client::Codex)
            .file("user")
            .and_then(|file| file.definition("a"))
            .expect("a"),
    )
    .expect("readable");
    if let sightglass_config::DraftEndpoint::Stdio { command, .. } = &mut draft.endpoint {
        *command = "y".into();
    }
    world.save_form(&Target::new(Client::Codex, "user"), "a", &draft);
    assert_eq!(
        fs::read_to_string(&path).expect("readable"),
        text.replace("command = \"x\"", "command = \"y\"")
    );
    world.act(&ConfigAction::Disable {
        target: Target::new(Client::Codex, "user"),
        names: vec!["b".into()],
    });
    let disabled = fs::read_to_string(&path).expect("readable");
    assert!(disabled.contains("enabled = false\r\n"), "{disabled}");
    world.act(&ConfigAction::Enable {
        target: Target::new(Client::Codex, "user"),
        names: vec!["b".into()],
    });
    assert_eq!(
        fs::read_to_string(&path).expect("readable"),
        text.replace("command = \"x\"", "command = \"y\"")
    );
}

#[test]
fn variables_are_written_as_each_client_has_them() {
    let world = World::new();
    world.place(
        Client::McpJson,
        "user",
        r#"{"mcpServers":{"a":{"type":"http","url":"https://example.org/mcp","headers":{"Authorization":"Bearer ${TOKEN}","X-Team":"${TEAM}"}}}}"#,
    );
    let from = (Client::McpJson, "user");
    for (client, scope, wanted) in [
        (Client::Vscode, "user", "Bearer ${env:TOKEN}"),
        (Client::Cursor, "user", "Bearer ${env:TOKEN}"),
        (Client::Opencode, "user", "Bearer {env:TOKEN}"),
        (Client::Codex, "user", "bearer_token_env_var = \"TOKEN\""),
        (Client::Gemini, "user", "Bearer ${TOKEN}"),
    ] {
        let lost = world.copy("a", from, (client, scope));
        assert_eq!(lost, Vec::<String>::new(), "{client}");
        let target = Target::new(client, scope);
        let path = scope_place(&target, &world.machine())
            .expect("a scope")
            .path;
        let text = fs::read_to_string(path).expect("written");
        assert!(text.contains(wanted), "{client}: {text}");
        assert_eq!(
            shown(&world.client(client), "a")
                .iter()
                .filter(|field| field.starts_with("headers"))
                .count(),
            2,
            "{client}"
        );
    }
    let lost = world.copy("a", from, (Client::Zed, "user"));
    assert_eq!(lost, ["headers.Authorization", "headers.X-Team"]);
}

/// Each reference took the marks out of the whole text again.
#[test]
fn a_copied_text_loses_its_own_marks_alone_and_each_reference_is_told() {
    let world = World::new();
    let written = format!("${{literal:=x}} {}", "${TOKEN}".repeat(1000));
    let text = json!({ "servers": { "a": { "command": "x", "env": { "A": written } } } });
    world.place(Client::Vscode, "user", &text.to_string());
    let lost = world.copy("a", (Client::Vscode, "user"), (Client::McpJson, "user"));
    // One for each reference that differs: the mark, and the variable.
    assert_eq!(lost, ["env.A", "env.A"]);
    let path = scope_place(&Target::new(Client::McpJson, "user"), &world.machine());
    let copied = fs::read_to_string(path.expect("a scope").path).expect("readable");
    let copied: Value = serde_json::from_str(&copied).expect("JSON");
    assert_eq!(copied["mcpServers"]["a"]["env"]["A"], json!(written));
}

#[test]
fn what_the_other_client_cannot_say_is_named() {
    let world = World::new();
    world.place(
        Client::McpJson,
        "user",
        r#"{"mcpServers":{"a":{"command":"x","cwd":"/srv","era":"legacy","phase_timeouts":{"connecting":3},"tool_timeout":9,"disabled":true}}}"#,
    );
    let lost = world.copy(
        "a",
        (Client::McpJson, "user"),
        (Client::ClaudeDesktop, "user"),
    );
    assert_eq!(
        lost,
        ["cwd", "era", "phase_timeouts", "tool_timeout", "disabled"]
    );
    let lost = world.copy("a", (Client::McpJson, "user"), (Client::Codex, "user"));
    assert_eq!(lost, ["era", "phase_timeouts"]);
    assert_eq!(
        shown(&world.client(Client::Codex), "a"),
        ["command=x", "cwd=/srv", "tool_timeout=9", "disabled=true"]
    );
}

#[test]
fn a_transport_that_a_client_does_not_have_is_refused() {
    let world = World::new();
    world.place(
        Client::McpJson,
        "user",
        r#"{"mcpServers":{"a":{"url":"https://example.org/mcp"}}}"#,
    );
    let action = ConfigAction::Copy {
        from: Target::new(Client::McpJson, "user"),
        to: Target::new(Client::ClaudeDesktop, "user"),
        items: vec![TransferItem {
            name: "a".into(),
            new_name: None,
            conflict: ConflictChoice::Refuse,
        }],
    };
    let error = plan_action(&action, &world.machine()).expect_err("programs only");
    assert!(error.to_string().contains("Connectors"), "{error}");
}

#[test]
fn moving_within_one_file_keeps_the_client_s_own_fields() {
    let world = World::new();
    let path = world.place(
        Client::ClaudeCode,
        "user",
        "{\n  \"numStartups\": 3,\n  \"mcpServers\": {\n    \"a\": { \"type\": \"http\", \"url\": \"https://example.org/mcp\", \"headersHelper\": \"x\" }\n  }\n}\n",
    );
    world.act(&ConfigAction::Move {
        from: Target::new(Client::ClaudeCode, "user"),
        to: Target::new(Client::ClaudeCode, "local"),
        items: vec![TransferItem {
            name: "a".into(),
            new_name: Some("b".into()),
            conflict: ConflictChoice::Refuse,
        }],
    });
    let text = fs::read_to_string(path).expect("readable");
    assert!(
        text.starts_with("{\n  \"numStartups\": 3,\n  \"mcpServers\": {}"),
        "{text}"
    );
    assert!(text.contains("headersHelper"), "{text}");
    let config = world.client(Client::ClaudeCode);
    let server = config.server("b").expect("moved");
    let (file, _) = config.definitions(server)[0];
    assert_eq!(file.place.target.scope, "local");
    assert!(config.server("a").is_none());
}

#[test]
fn claude_code_s_servers_are_switched_off_in_its_lists() {
    let world = World::new();
    world.place(
        Client::ClaudeCode,
        "project",
        r#"{"mcpServers":{"a":{"command":"x"},"b":{"command":"y"}}}"#,
    );
    let project = world.places().project.display().to_string();
    let trusted =
        serde_json::json!({ "projects": { project: { "hasTrustDialogAccepted": true } } });
    world.place(Client::ClaudeCode, "user", &trusted.to_string());
    let state = |world: &World, name: &str| {
        let config = world.client(Client::ClaudeCode);
        config.approvals.state("project", name)
    };
    assert_eq!(state(&world, "a"), Some(DefinitionState::Waiting));
    let target = || Target::new(Client::ClaudeCode, "project");
    world.act(&ConfigAction::Disable {
        target: target(),
        names: vec!["a".into()],
    });
    assert_eq!(state(&world, "a"), Some(DefinitionState::Disabled));
    world.act(&ConfigAction::Enable {
        target: target(),
        names: vec!["a".into()],
    });
    assert_eq!(state(&world, "a"), None);
    assert_eq!(state(&world, "b"), Some(DefinitionState::Waiting));
}

#[test]
fn a_secret_in_a_file_that_git_tracks_is_reported_before_it_is_written() {
    let world = World::new();
    let mut draft: Draft = program("a", "x", &[]);
    if let sightglass_config::DraftEndpoint::Stdio { environment, .. } = &mut draft.endpoint {
        environment.push(sightglass_config::NamedText {
            name: "API_TOKEN".into(),
            text: "hunter2".into(),
        });
    }
    let plan = |scope: &str| {
        let action = ConfigAction::Add {
            target: Target::new(Client::McpJson, scope),
            draft: draft.clone(),
        };
        plan_action(&action, &world.machine()).expect("possible")
    };
    assert_eq!(plan("user").warnings, Vec::<String>::new());
    assert!(plan("user").files[0].change.adds_secret());
    assert_eq!(plan("project").warnings.len(), 1);
    let message = &plan("project").warnings[0];
    assert!(
        message.contains("looks like a secret") && !message.contains("hunter2"),
        "{message}"
    );
}

#[test]
fn the_own_parts_of_goose_are_no_servers_and_are_never_overwritten() {
    let world = World::new();
    let text =
        "extensions:\n  developer:\n    type: builtin\n    enabled: true\n    bundled: true\n";
    let path = world.place(Client::Goose, "user", text);
    let config = world.client(Client::Goose);
    let file = config.file("user").expect("the scope");
    assert_eq!(file.definitions.len(), 0);
    assert_eq!(file.problems(), []);
    let action = ConfigAction::Add {
        target: Target::new(Client::Goose, "user"),
        draft: program("developer", "npx", &[]),
    };
    let refused = plan_action(&action, &world.machine())
        .expect_err("its name is taken")
        .to_string();
    assert!(
        refused.contains("developer") && refused.contains("line 2"),
        "{refused}"
    );
    assert_eq!(fs::read_to_string(path).expect("readable"), text);
}
