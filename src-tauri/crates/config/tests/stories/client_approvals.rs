//! Definitions that count where a client asks the user first, or keeps lists of what is off.
//! The cases of Claude Code are what `claude mcp list` of version 2.1.330 was seen to do.

use std::fs;

use serde_json::{Value, json};
use sightglass_config::{
    Client, ClientApproval, ClientConfig, ConfigAction, DefinitionState, Target, read_client,
    summary,
};

use crate::World;

/// The scope that a client takes a server from, and its command line.
fn effective(config: &ClientConfig, name: &str) -> (String, String) {
    let server = config.server(name).expect("it is listed");
    let (file, _) = config.definitions(server)[0];
    let scope = file.place.target.scope.clone();
    (scope, summary(&config.effective(server)))
}

#[derive(Default)]
struct Asked {
    trusted: bool,
    user_settings: Value,
    project_settings: Value,
    local_settings: Value,
    state: Value,
}

fn claude_with(asked: &Asked) -> (World, ClientConfig) {
    let world = World::new();
    let places = world.places();
    let entry = |from: &str| json!({ "mcpServers": { "a": { "command": "x", "args": [from] } } });
    let mut own = asked.state.clone();
    if asked.trusted {
        own["hasTrustDialogAccepted"] = true.into();
    }
    let mut state = entry("user");
    state["projects"] = json!({ places.project.display().to_string(): own });
    for (path, content) in [
        (places.home.join(".claude.json"), state),
        (places.project.join(".mcp.json"), entry("project")),
        (
            places.home.join(".claude/settings.json"),
            asked.user_settings.clone(),
        ),
        (
            places.project.join(".claude/settings.json"),
            asked.project_settings.clone(),
        ),
        (
            places.project.join(".claude/settings.local.json"),
            asked.local_settings.clone(),
        ),
    ] {
        if !content.is_null() {
            fs::create_dir_all(path.parent().expect("a directory")).expect("made");
            fs::write(path, content.to_string()).expect("written");
        }
    }
    let config = read_client(Client::ClaudeCode, &world.machine());
    (world, config)
}

#[test]
fn claude_code_takes_a_project_s_server_once_it_is_approved() {
    let on = || json!({ "enabledMcpjsonServers": ["a"] });
    let all = |on: bool| json!({ "enableAllProjectMcpServers": on });
    let off = || json!({ "disabledMcpjsonServers": ["a"] });
    let asked = Asked::default;
    for (case, scope) in [
        (asked(), "user"),
        (
            Asked {
                trusted: true,
                ..asked()
            },
            "user",
        ),
        (
            Asked {
                user_settings: on(),
                ..asked()
            },
            "project",
        ),
        (
            Asked {
                user_settings: all(true),
                ..asked()
            },
            "project",
        ),
        (
            Asked {
                project_settings: on(),
                ..asked()
            },
            "user",
        ),
        (
            Asked {
                project_settings: all(true),
                ..asked()
            },
            "user",
        ),
        (
            Asked {
                local_settings: on(),
                ..asked()
            },
            "user",
        ),
        (
            Asked {
                state: on(),
                ..asked()
            },
            "user",
        ),
        (
            Asked {
                trusted: true,
                project_settings: on(),
                ..asked()
            },
            "project",
        ),
        (
            Asked {
                trusted: true,
                project_settings: all(true),
                ..asked()
            },
            "project",
        ),
        (
            Asked {
                trusted: true,
                local_settings: on(),
                ..asked()
            },
            "project",
        ),
        (
            Asked {
                trusted: true,
                state: on(),
                ..asked()
            },
            "project",
        ),
        (
            Asked {
                user_settings: on(),
                project_settings: off(),
                ..asked()
            },
            "user",
        ),
        (
            Asked {
                trusted: true,
                state: json!({
                    "enabledMcpjsonServers": ["a"], "disabledMcpjsonServers": ["a"],
                }),
                ..asked()
            },
            "user",
        ),
        (
            Asked {
                trusted: true,
                user_settings: all(true),
                project_settings: all(false),
                ..asked()
            },
            "user",
        ),
    ] {
        let (_world, config) = claude_with(&case);
        let (found, words) = effective(&config, "a");
        let Asked {
            trusted,
            user_settings,
            project_settings,
            local_settings,
            state,
        } = &case;
        assert_eq!(
            (found.as_str(), words.as_str()),
            (scope, format!("x {scope}").as_str()),
            "{trusted} {user_settings} {project_settings} {local_settings} {state}"
        );
    }
}

#[test]
fn what_waits_and_what_was_rejected_say_so_beside_the_one_that_counts() {
    let state = |case: Asked| {
        let (_world, config) = claude_with(&case);
        let server = config.server("a").expect("listed");
        let (file, definition) = config.definitions(server)[1];
        assert_eq!(file.place.target.scope, "project");
        let standing = config.approval(file, definition);
        (standing, config.approvals.state("project", "a"))
    };
    assert_eq!(
        state(Asked::default()),
        (ClientApproval::Pending, Some(DefinitionState::Waiting))
    );
    let rejected = Asked {
        user_settings: json!({ "disabledMcpjsonServers": ["a"] }),
        ..Asked::default()
    };
    assert_eq!(
        state(rejected),
        (ClientApproval::Rejected, Some(DefinitionState::Disabled))
    );
}

#[test]
fn switching_claude_code_s_project_server_on_approves_it() {
    let (world, _) = claude_with(&Asked {
        trusted: true,
        ..Asked::default()
    });
    let target = Target::new(Client::ClaudeCode, "project");
    let names = vec!["a".to_owned()];
    world.act(&ConfigAction::Enable {
        target: target.clone(),
        names: names.clone(),
    });
    let read = || read_client(Client::ClaudeCode, &world.machine());
    assert_eq!(effective(&read(), "a").0, "project");
    world.act(&ConfigAction::Disable { target, names });
    assert_eq!(effective(&read(), "a").0, "user");
}

#[test]
fn claude_code_keeps_a_project_s_own_servers_under_its_repository() {
    let world = World::new();
    let repository = world.places().project;
    fs::create_dir(repository.join(".git")).expect("made");
    let inside = repository.join("packages/one");
    fs::create_dir_all(&inside).expect("made");
    let state = json!({ "projects": { repository.display().to_string(): {
        "mcpServers": { "a": { "command": "x" } },
    } } });
    fs::write(world.places().home.join(".claude.json"), state.to_string()).expect("written");
    let mut machine = world.machine();
    machine.places.project = inside;
    let config = read_client(Client::ClaudeCode, &machine);
    assert_eq!(effective(&config, "a").0, "local");
}

#[test]
fn codex_reads_a_project_s_file_once_the_project_is_trusted() {
    let world = World::new();
    let user = "[mcp_servers.a]\ncommand = \"x\"\nargs = [\"user\"]\nenabled = false\n";
    let path = world.place(Client::Codex, "user", user);
    world.place(
        Client::Codex,
        "project",
        "[mcp_servers.a]\nargs = [\"project\"]\n[mcp_servers.b]\ncommand = \"y\"\n",
    );
    let read = || read_client(Client::Codex, &world.machine());
    assert_eq!(effective(&read(), "a"), ("user".into(), "x user".into()));
    assert_eq!(
        read().approvals.state("project", "b"),
        Some(DefinitionState::Waiting)
    );
    let project = world.places().project.display().to_string();
    let key = Value::from(project);
    for (level, wanted) in [
        ("untrusted", ("user", "x user")),
        ("trusted", ("project", "x project")),
    ] {
        let text = format!("{user}\n[projects.{key}]\ntrust_level = \"{level}\"\n");
        fs::write(&path, text).expect("written");
        let (scope, words) = effective(&read(), "a");
        assert_eq!((scope.as_str(), words.as_str()), wanted);
    }
    let config = read();
    let server = config.server("a").expect("listed");
    // The project's file does not say so; the user's does.
    assert_eq!(
        config.effective(server).get("disabled"),
        Some(&Value::Bool(true))
    );
}

#[test]
fn gemini_s_lists_of_all_files_count_together_and_disregard_case() {
    let world = World::new();
    trust(&world, "TRUST_FOLDER");
    world.place(
        Client::Gemini,
        "user",
        r#"{"mcp":{"excluded":["a"]},"mcpServers":{"a":{"command":"x"},"B":{"command":"y"},"c":{"command":"z"}}}"#,
    );
    let off = |name: &str| {
        let config = read_client(Client::Gemini, &world.machine());
        config.approvals.state("user", name) == Some(DefinitionState::Disabled)
    };
    assert_eq!([off("a"), off("B"), off("c")], [true, false, false]);
    world.place(
        Client::Gemini,
        "project",
        r#"{"mcp":{"excluded":["b"],"allowed":["A","B"]}}"#,
    );
    assert_eq!([off("a"), off("B"), off("c")], [true, true, true]);
    world.place(
        Client::Gemini,
        "user",
        r#"{"mcp":{"allowed":["a","c"]},"mcpServers":{"a":{"command":"x"},"B":{"command":"y"},"c":{"command":"z"}}}"#,
    );
    world.place(
        Client::Gemini,
        "project",
        r#"{"mcp":{"allowed":["A","B"]}}"#,
    );
    assert_eq!([off("a"), off("B"), off("c")], [false, true, true]);
    let switched = world
        .places()
        .home
        .join(".gemini/mcp-server-enablement.json");
    fs::write(switched, r#"{"a":{"enabled":false}}"#).expect("written");
    assert!(off("a"));
}

#[test]
fn gemini_s_list_of_what_is_allowed_is_never_begun() {
    let world = World::new();
    let text = r#"{"mcp":{"excluded":["a"]},"mcpServers":{"a":{"command":"x"}}}"#;
    let path = world.place(Client::Gemini, "user", text);
    let enable = ConfigAction::Enable {
        target: Target::new(Client::Gemini, "user"),
        names: vec!["a".into()],
    };
    world.act(&enable);
    let text = fs::read_to_string(&path).expect("readable");
    assert!(!text.contains("allowed"), "{text}");
    fs::write(
        &path,
        text.replace("\"mcp\":{", "\"mcp\":{\"allowed\":[\"b\"],"),
    )
    .expect("written");
    world.act(&enable);
    let text = fs::read_to_string(&path).expect("readable");
    let settings: Value = serde_json::from_str(&text).expect("JSON");
    assert_eq!(settings["mcp"]["allowed"], json!(["b", "a"]));
}

/// Says in Gemini CLI what its user thinks of the project's folder.
fn trust(world: &World, level: &str) {
    let project = world.places().project.display().to_string();
    trust_as(world, &json!({ project: level }));
}

fn trust_as(world: &World, folders: &Value) {
    let path = world.places().home.join(".gemini/trustedFolders.json");
    fs::create_dir_all(path.parent().expect("a directory")).expect("made");
    fs::write(path, folders.to_string()).expect("written");
}

#[test]
fn no_server_of_gemini_is_on_in_a_folder_that_is_not_trusted_there() {
    let world = World::new();
    let servers = r#"{"mcpServers":{"mine":{"command":"x"}}}"#;
    world.place(Client::Gemini, "user", servers);
    world.place(
        Client::Gemini,
        "project",
        r#"{"mcpServers":{"mine":{"command":"y"}},"security":{"folderTrust":{"enabled":false}}}"#,
    );
    let read = || {
        let config = read_client(Client::Gemini, &world.machine());
        let server = config.server("mine").expect("listed");
        let command = config.effective(server)["command"].clone();
        let states = ["user", "project"].map(|scope| config.approvals.state(scope, "mine"));
        (command, states, config.approvals.folder_reason().is_some())
    };
    let untrusted = || {
        let off = Some(DefinitionState::Disabled);
        let waits = Some(DefinitionState::Waiting);
        assert_eq!(read(), (json!("x"), [off, waits], true));
    };
    let trusted = || assert_eq!(read(), (json!("y"), [None, None], false));
    // The project cannot say that it is trusted.
    untrusted();
    trust(&world, "DO_NOT_TRUST");
    untrusted();
    trust(&world, "TRUST_FOLDER");
    trusted();
    // The longest path counts, and a parent may be meant.
    let project = world.places().project;
    let beside = project.join("file").display().to_string();
    trust_as(
        &world,
        &json!({ "/": "TRUST_FOLDER", &beside: "DO_NOT_TRUST" }),
    );
    trusted();
    trust_as(
        &world,
        &json!({ "/": "TRUST_FOLDER", project.display().to_string(): "DO_NOT_TRUST" }),
    );
    untrusted();
    trust_as(&world, &json!({ beside: "TRUST_PARENT" }));
    trusted();
    fs::remove_file(world.places().home.join(".gemini/trustedFolders.json")).expect("there");
    world.place(
        Client::Gemini,
        "user",
        r#"{"security":{"folderTrust":{"enabled":false}},"mcpServers":{"mine":{"command":"x"}}}"#,
    );
    trusted();
}
