//! Agents, nested transports, limits and tokens that single clients have.

use std::{fs, time::Duration};

use serde_json::json;
use sightglass_config::{
    Client, ConfigAction, DraftSignIn, Target, chimera_token, definition_draft, masked_text,
    read_client,
};

use crate::{World, program, remote};

fn put(world: &World, path: &str, text: &str) {
    let path = world.root().join(path);
    fs::create_dir_all(path.parent().expect("a directory")).expect("made");
    fs::write(path, text).expect("written");
}

fn commands(world: &World, client: Client) -> Vec<(String, String)> {
    let config = read_client(client, &world.machine());
    let servers = config.servers.iter().map(|server| {
        let command = config.effective(server)["command"].clone();
        (
            server.name.clone(),
            command.as_str().unwrap_or_default().to_owned(),
        )
    });
    servers.collect()
}

#[test]
fn agents_bring_servers_and_win_over_the_files_for_all() {
    let agent = |name: &str, command: &str| {
        json!({ "name": "reviewer", "mcpServers": { name: { "command": command } } }).to_string()
    };
    for (client, home, project) in [
        (Client::Kiro, ".kiro/agents", ".kiro/agents"),
        (
            Client::AmazonQ,
            ".aws/amazonq/cli-agents",
            ".amazonq/cli-agents",
        ),
    ] {
        let world = World::new();
        let shared = json!({ "mcpServers": { "git": { "command": "shared" } } }).to_string();
        world.place(client, "user", &shared);
        let of_git = |command: &str| vec![("git".to_owned(), command.to_owned())];
        assert_eq!(commands(&world, client), of_git("shared"));
        put(
            &world,
            &format!("home/{home}/a.json"),
            &agent("git", "mine"),
        );
        assert_eq!(commands(&world, client), of_git("mine"));
        let of_project = format!("project/{project}/b.json");
        put(&world, &of_project, &agent("git", "theirs"));
        assert_eq!(commands(&world, client), of_git("theirs"));
        let machine = world.machine();
        let config = read_client(client, &machine);
        let file = config.file("project-agent:b.json").expect("the agent");
        assert!(file.place.comes_with_project(&machine));
        world.act(&ConfigAction::Add {
            target: Target::new(client, "project-agent:b.json"),
            draft: program("added", "x", &[]),
        });
        let text = fs::read_to_string(world.root().join(of_project)).expect("readable");
        assert!(
            text.contains("\"name\":\"reviewer\"") && text.contains("added"),
            "{text}"
        );
    }
}

#[test]
fn cline_has_one_file_for_its_editors_and_its_command_line() {
    let world = World::new();
    let path = "home/.cline/data/settings/cline_mcp_settings.json";
    let text = json!({ "mcpServers": {
        "nested": {
            "transport": { "type": "streamableHttp", "url": "https://a.example/mcp" },
            "oauthClient": { "clientId": "abc" },
            "oauth": { "tokens": { "access_token": "at-5f8e2a91c04b7d36" } },
        },
        "flat": { "command": "x", "timeout": 30 },
    }});
    put(&world, path, &text.to_string());
    let config = read_client(Client::Cline, &world.machine());
    let file = config.file("user").expect("the scope");
    let nested = file.definition("nested").expect("listed");
    assert!(nested.spec.is_ok(), "{:?}", nested.spec);
    assert_eq!(nested.common.expose()["url"], "https://a.example/mcp");
    assert_eq!(nested.common.expose()["oauth"]["clientId"], "abc");
    // Its own state holds tokens, which are not for the eye.
    let shown = masked_text(nested);
    assert!(!shown.contains("5f8e2a91"), "{shown}");
    let moved =
        world.machine_with(|name| (name == "CLINE_DATA_DIR").then(|| "elsewhere".to_owned()));
    put(
        &world,
        "home/elsewhere/settings/cline_mcp_settings.json",
        r#"{"mcpServers":{"moved":{"command":"y"}}}"#,
    );
    assert!(read_client(Client::Cline, &moved).server("moved").is_some());
}

#[test]
fn a_server_has_the_limits_of_its_client_where_nothing_says_one() {
    let world = World::new();
    world.place(
        Client::Codex,
        "user",
        "[mcp_servers.a]\ncommand = \"x\"\n[mcp_servers.b]\ncommand = \"x\"\nstartup_timeout_sec = 3\n",
    );
    let config = read_client(Client::Codex, &world.machine());
    let limits = |name: &str| {
        let server = config.server(name).expect("listed");
        let (definition, _) = config.effective_definition(server, &world.machine());
        definition.spec.expect("usable").limits
    };
    let startup = |name: &str| limits(name).startup_limit().map(|limit| limit.duration);
    assert_eq!(startup("a"), Some(Duration::from_secs(10)));
    assert_eq!(startup("b"), Some(Duration::from_secs(3)));
    assert_eq!(limits("a").client.client, "Codex");
    let own = r#"{"mcpServers":{"a":{"command":"x"}}}"#;
    world.place(Client::McpJson, "user", own);
    let config = read_client(Client::McpJson, &world.machine());
    let spec = config.files[1].definitions[0].spec.clone().expect("usable");
    assert_eq!(spec.limits.startup_limit(), None);
}

#[test]
fn caliban_s_client_is_read_and_changed_beside_what_is_its_own() {
    let world = World::new();
    let text = "[server.a]\ntransport = \"http\"\nurl = \"https://a.example/mcp\"\noauth = \"manual\"\n\n\
                [server.a.oauth_config]\nclient_id = \"abc\" # ours\nauth_url = \"https://b.example\"\n\
                scopes = [\"read\"]\n";
    let path = world.place(Client::Caliban, "user", text);
    let draft = |name: &str| {
        let config = read_client(Client::Caliban, &world.machine());
        let file = config.file("user").expect("the scope");
        definition_draft(file.definition(name).expect("listed")).expect("readable")
    };
    let mut changed = draft("a");
    let sign_in = changed.sign_in.as_mut().expect("there is some");
    assert_eq!(sign_in.client_id.as_deref(), Some("abc"));
    sign_in.client_id = Some("def".into());
    let target = Target::new(Client::Caliban, "user");
    world.save_form(&target, "a", &changed);
    assert_eq!(
        fs::read_to_string(&path).expect("readable"),
        text.replace("\"abc\"", "\"def\"")
    );
    // A new one says which mode its client is for.
    let mut new = remote("b", "https://c.example/mcp", &[]);
    new.sign_in = Some(DraftSignIn {
        client_id: Some("ghi".into()),
        ..DraftSignIn::default()
    });
    world.act(&ConfigAction::Add { target, draft: new });
    let text = fs::read_to_string(&path).expect("readable");
    assert!(text.contains("oauth = \"auto\""), "{text}");
    assert_eq!(
        draft("b")
            .sign_in
            .and_then(|sign_in| sign_in.client_id)
            .as_deref(),
        Some("ghi")
    );
}

#[test]
fn chimera_s_tokens_are_facts_without_the_tokens() {
    let world = World::new();
    let token =
        json!({ "access_token": "secret", "refresh_token": "r", "expires_at": 4_000_000_000_u64 });
    put(
        &world,
        "home/.chimera/tokens/my_docs.json",
        &token.to_string(),
    );
    let machine = world.machine();
    let found = chimera_token(&machine, "my docs").expect("there is one");
    assert!(found.can_refresh && found.expires_at.is_some());
    assert!(!format!("{found:?}").contains("secret"));
    assert_eq!(chimera_token(&machine, "other"), None);
    // Where it keeps them now counts first.
    let newer = json!({ "access_token": "secret" });
    put(
        &world,
        "home/.chimera/mcp/tokens/my_docs.json",
        &newer.to_string(),
    );
    let found = chimera_token(&machine, "my docs").expect("there is one");
    assert!(!found.can_refresh && found.expires_at.is_none());
    assert!(found.path.ends_with(".chimera/mcp/tokens/my_docs.json"));
    // A name cannot lead out of the directory.
    put(&world, "home/.chimera/outside.json", &token.to_string());
    assert_eq!(chimera_token(&machine, "../outside"), None);
}
