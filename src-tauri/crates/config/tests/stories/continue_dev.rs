//! Continue's files: a list in YAML, and directories of files.

use std::fs;

use sightglass_config::{
    Client, ConfigAction, ConfigError, DraftEndpoint, FileState, Target, definition_draft,
    plan_action, read_client,
};

use crate::{World, dialects::fixture, program};

fn put(world: &World, path: &str, text: &str) {
    let path = world.root().join(path);
    fs::create_dir_all(path.parent().expect("a directory")).expect("made");
    fs::write(path, text).expect("written");
}

fn block(name: &str, command: &str) -> String {
    format!(
        "name: A block\nversion: 0.0.1\nschema: v1\nmcpServers:\n  - name: {name}\n    command: \
         {command}\n"
    )
}

fn problems(world: &World, scope: &str) -> Vec<String> {
    let config = read_client(Client::Continue, &world.machine());
    let file = config.file(scope).expect("the scope");
    file.problems().iter().map(ToString::to_string).collect()
}

#[test]
fn files_of_both_directories_are_read_and_merged_as_continue_does() {
    let world = World::new();
    put(
        &world,
        "home/.continue/mcpServers/a.yaml",
        &block("one", "home-yaml"),
    );
    put(&world, "home/.continue/mcpServers/notes.md", "# nothing");
    let command = |name: &str| {
        let config = read_client(Client::Continue, &world.machine());
        let server = config.server(name).expect("listed");
        config.effective(server)["command"].clone()
    };
    assert_eq!(command("one"), "home-yaml");
    put(
        &world,
        "project/.continue/mcpServers/b.yml",
        &block("one", "project-yaml"),
    );
    assert_eq!(command("one"), "project-yaml");
    put(
        &world,
        "home/.continue/config.yaml",
        &block("one", "config"),
    );
    assert_eq!(command("one"), "config");
    let json =
        |command: &str| format!("{{\"mcpServers\":{{\"one\":{{\"command\":\"{command}\"}}}}}}");
    put(
        &world,
        "home/.continue/mcpServers/z.json",
        &json("home-json"),
    );
    assert_eq!(command("one"), "home-json");
    put(
        &world,
        "project/.continue/mcpServers/mcp.json",
        &json("project-json"),
    );
    assert_eq!(command("one"), "project-json");
    let config = read_client(Client::Continue, &world.machine());
    let scopes: Vec<&str> = config
        .files
        .iter()
        .map(|file| file.place.target.scope.as_str())
        .collect();
    assert_eq!(
        scopes,
        [
            "user:a.yaml",
            "project:b.yml",
            "user",
            "user:z.json",
            "project"
        ]
    );
    let machine = world.machine();
    let of_project = |scope: &str| {
        let file = config.file(scope).expect("the scope");
        file.place.comes_with_project(&machine)
    };
    assert!(of_project("project:b.yml") && of_project("project") && !of_project("user:z.json"));
}

#[test]
fn a_file_of_the_directory_holds_one_server() {
    let world = World::new();
    let text = block("one", "x");
    put(&world, "home/.continue/mcpServers/a.yaml", &text);
    let target = Target::new(Client::Continue, "user:a.yaml");
    let add = ConfigAction::Add {
        target: target.clone(),
        draft: program("two", "y", &[]),
    };
    let error = plan_action(&add, &world.machine()).expect_err("there is one");
    assert!(
        matches!(error, ConfigError::Inexpressible { .. }),
        "{error}"
    );
    let two = format!("{text}  - name: two\n    command: y\n");
    put(&world, "home/.continue/mcpServers/a.yaml", &two);
    let config = read_client(Client::Continue, &world.machine());
    let file = config.file("user:a.yaml").expect("the scope");
    assert!(matches!(file.state, FileState::Broken { .. }));
    assert!(problems(&world, "user:a.yaml")[0].starts_with("7:11: "));
    assert!(config.servers.is_empty());
}

#[test]
fn a_new_file_has_what_continue_asks_for() {
    let world = World::new();
    world.act(&ConfigAction::Add {
        target: Target::new(Client::Continue, "user"),
        draft: program("docs", "npx", &["-y", "docs"]),
    });
    let path = world.places().home.join(".continue/config.yaml");
    assert_eq!(
        fs::read_to_string(path).expect("written"),
        "name: Main Config\nversion: \"1.0.0\"\nschema: v1\nmcpServers:\n  - name: docs\n    \
         command: npx\n    args:\n      - \"-y\"\n      - docs\n"
    );
}

#[test]
fn an_edit_touches_its_lines_alone_and_keeps_what_continue_has_beside() {
    let world = World::new();
    let text = fixture("continue.yaml");
    put(&world, "home/.continue/config.yaml", &text);
    let target = Target::new(Client::Continue, "user");
    let draft = |name: &str| {
        let config = read_client(Client::Continue, &world.machine());
        let file = config.file("user").expect("the scope");
        definition_draft(file.definition(name).expect("listed")).expect("readable")
    };
    let mut remote = draft("Remote");
    let DraftEndpoint::Remote(endpoint) = &mut remote.endpoint else {
        panic!("it is remote");
    };
    assert_eq!(endpoint.headers[0].text, "Bearer ${REMOTE_TOKEN}");
    endpoint.headers.clear();
    world.save_form(&target, "Remote", &remote);
    let path = world.places().home.join(".continue/config.yaml");
    let after = fs::read_to_string(&path).expect("readable");
    assert_eq!(
        after,
        text.replace(
            "      headers:\n        Authorization: Bearer ${{ secrets.REMOTE_TOKEN }}\n",
            ""
        )
    );
    let mut supabase = draft("Supabase MCP");
    let DraftEndpoint::Stdio { command, .. } = &mut supabase.endpoint else {
        panic!("it is a program");
    };
    *command = "bunx".into();
    world.save_form(&target, "Supabase MCP", &supabase);
    let changed = fs::read_to_string(&path).expect("readable");
    assert_eq!(
        changed,
        after.replace(
            "type: stdio\n    command: npx",
            "type: stdio\n    command: bunx"
        )
    );
}

#[test]
fn an_anchor_matters_only_where_a_server_depends_on_it() {
    let world = World::new();
    let refused = |text: &str| {
        put(&world, "home/.continue/config.yaml", text);
        !problems(&world, "user").is_empty()
    };
    assert!(!refused(
        "x: &x { a: 1 }\ny:\n  <<: *x\nmcpServers:\n  - name: a\n    command: b\n"
    ));
    for text in [
        "x: &x y\nmcpServers:\n  - name: a\n    command: *x\n",
        "x: &x []\nmcpServers: *x\n",
        "x: &x { mcpServers: [] }\n<<: *x\nmcpServers:\n  - name: a\n    command: b\n",
        "{ x: &x y, mcpServers: [{ name: a, command: b }] }\n",
        "mcpServers: !!seq\n  - name: a\n    command: b\n",
        "mcpServers:\n  a:\n    command: b\n",
    ] {
        assert!(refused(text), "{text}");
    }
}
