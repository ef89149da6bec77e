use sightglass_config::{Client, FileState, Scope, load_clients, read_client};
use sightglass_model::TimeLimits;

use crate::{World, only};

fn server(name: &str, command: &str) -> String {
    format!("{{\n  \"mcpServers\": {{\n    \"{name}\": {{\"command\": \"{command}\"}}\n  }}\n}}")
}

#[test]
fn the_highest_scope_wins_and_the_others_are_shadowed_in_order() {
    let world = World::new();
    for scope in Scope::ALL {
        world.put(scope, server("a", scope.title()));
    }
    let config = world.load();
    let (file, winner) = only(&config);
    assert_eq!(file.place.target.scope, "local");
    assert_eq!(file.place.path, world.path(Scope::Local));
    assert_eq!(winner.line, 3);
    let shadowed: Vec<_> = config.definitions(&config.servers[0])[1..]
        .iter()
        .map(|(file, _)| file.place.target.scope.as_str())
        .collect();
    assert_eq!(shadowed, ["project", "project-root", "user", "chimera"]);
}

#[test]
fn a_server_is_replaced_whole() {
    let world = World::new();
    world.put(
        Scope::User,
        r#"{"mcpServers": {"a": {"command": "x", "env": {"K": "v"}, "tool_timeout": 5}}}"#,
    );
    world.put(
        Scope::Project,
        r#"{"servers": {"a": {"url": "https://y"}}}"#,
    );
    let config = world.load();
    let (_, winner) = only(&config);
    assert_eq!(winner.raw.expose(), r#"{"url": "https://y"}"#);
    let spec = winner.spec.as_ref().expect("the entry is fine");
    let only_of_client = TimeLimits {
        client: spec.limits.client,
        ..TimeLimits::default()
    };
    assert_eq!(spec.limits, only_of_client);
}

#[test]
fn a_broken_file_counts_for_nothing_and_the_others_load() {
    let world = World::new();
    world.put(Scope::User, server("a", "user"));
    world.put(
        Scope::Local,
        "{\"mcpServers\": {\"a\": {\"command\": \"local\"},}}",
    );
    let config = world.load();
    assert_eq!(only(&config).0.place.target.scope, "user");
    assert!(matches!(
        config.file("local").map(|file| &file.state),
        Some(FileState::Broken { .. })
    ));
}

#[test]
fn a_wrong_or_disabled_definition_still_hides_the_lower_one() {
    let world = World::new();
    world.put(
        Scope::User,
        r#"{"mcpServers": {"a": {"command": "x"}, "b": {"command": "x"}}}"#,
    );
    world.put(
        Scope::Local,
        r#"{"mcpServers": {"a": {"command": 1}, "b": {"command": "y", "disabled": true}}}"#,
    );
    let config = world.load();
    let winners: Vec<_> = config
        .servers
        .iter()
        .map(|server| config.definitions(server)[0])
        .collect();
    assert!(
        winners
            .iter()
            .all(|(file, _)| file.place.target.scope == "local")
    );
    assert!(winners[0].1.first_error().is_some());
    assert!(winners[1].1.disabled);
}

#[test]
fn in_the_home_directory_the_project_has_no_file_that_is_the_users() {
    let world = World::new();
    world.put(Scope::User, server("a", "mine"));
    let mut machine = world.machine();
    machine.places.project = machine.places.home.clone();
    let config = read_client(Client::McpJson, &machine);
    let (file, _) = only(&config);
    assert_eq!(file.place.target.scope, "user");
    assert_eq!(config.definitions(&config.servers[0]).len(), 1);
    for client in load_clients(&machine) {
        let mut places: Vec<_> = client
            .files
            .iter()
            .map(|file| (&file.place.path, file.place.section()))
            .collect();
        let all = places.len();
        places.sort();
        places.dedup();
        assert_eq!(places.len(), all, "{}", client.client);
    }
}

#[test]
fn a_project_above_the_home_directory_takes_nothing_from_the_user() {
    let world = World::new();
    world.place(Client::ClaudeCode, "user", &server("mine", "x"));
    let mut machine = world.machine();
    machine.places.project = world.root().to_owned();
    std::fs::write(world.root().join(".mcp.json"), server("theirs", "x")).expect("written");
    let config = read_client(Client::ClaudeCode, &machine);
    let comes_with_project = |scope: &str| {
        let file = config.file(scope).expect("the scope");
        file.place.comes_with_project(&machine)
    };
    assert!(!comes_with_project("user"));
    assert!(comes_with_project("project"));
    // What a repository has in its home directory is the repository's.
    for mark in [".git", ".jj", ".hg", ".svn"] {
        let mark = world.root().join(mark);
        std::fs::create_dir(&mark).expect("made");
        assert!(comes_with_project("user"), "{}", mark.display());
        std::fs::remove_dir(mark).expect("removed");
    }
    assert!(!comes_with_project("user"));
}

#[test]
fn a_home_directory_that_is_open_and_of_a_repository_may_be_anybody_s() {
    let world = World::new();
    world.place(Client::ClaudeCode, "user", &server("mine", "x"));
    let mut machine = world.machine();
    machine.places.project = machine.places.home.clone();
    let config = read_client(Client::ClaudeCode, &machine);
    let comes_with_project = || {
        let file = config.file("user").expect("the scope");
        file.place.comes_with_project(&machine)
    };
    // The repository of one's own settings.
    std::fs::create_dir(machine.places.home.join(".git")).expect("made");
    assert!(!comes_with_project());
    std::fs::create_dir(world.root().join(".git")).expect("made");
    assert!(comes_with_project());
}

#[cfg(unix)]
#[test]
fn a_home_directory_that_is_a_link_lies_where_that_leads() {
    let world = World::new();
    let machine = world.machine();
    let (home, project) = (&machine.places.home, &machine.places.project);
    std::fs::create_dir(project.join("brought")).expect("made");
    std::fs::remove_dir(home).expect("removed");
    std::os::unix::fs::symlink(project.join("brought"), home).expect("linked");
    world.place(Client::ClaudeCode, "user", &server("mine", "x"));
    let config = read_client(Client::ClaudeCode, &machine);
    let comes_with_project = || {
        let file = config.file("user").expect("the scope");
        file.place.comes_with_project(&machine)
    };
    assert!(!comes_with_project());
    std::fs::create_dir(project.join(".hg")).expect("made");
    assert!(comes_with_project());
}
