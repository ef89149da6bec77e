use sightglass_config::{FileState, Scope, load};
use sightglass_model::ServerId;

use crate::World;

fn server(name: &str, command: &str) -> String {
    format!("{{\n  \"mcpServers\": {{\n    \"{name}\": {{\"command\": \"{command}\"}}\n  }}\n}}")
}

#[test]
fn the_highest_scope_wins_and_the_others_are_shadowed_in_order() {
    let world = World::new();
    for scope in Scope::ALL {
        world.put(scope, server("a", scope.title()));
    }
    let config = load(&world.places());
    let [winner] = config.servers.as_slice() else {
        panic!("one name is one server");
    };
    assert_eq!(winner.scope, Scope::Local);
    assert_eq!(winner.path, world.path(Scope::Local));
    assert_eq!(winner.line, 3);
    assert_eq!(winner.id, ServerId::new("mcp-json", "a"));
    let shadowed: Vec<_> = winner.shadowed.iter().map(|shadow| shadow.scope).collect();
    assert_eq!(
        shadowed,
        [
            Scope::Project,
            Scope::ProjectRoot,
            Scope::User,
            Scope::Chimera
        ]
    );
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
    let config = load(&world.places());
    assert_eq!(
        config.servers[0].entry.raw.expose(),
        r#"{"url": "https://y"}"#
    );
    let spec = config.servers[0]
        .entry
        .spec
        .as_ref()
        .expect("the entry is fine");
    assert_eq!(spec.limits, Default::default());
}

#[test]
fn a_broken_file_counts_for_nothing_and_the_others_load() {
    let world = World::new();
    world.put(Scope::User, server("a", "user"));
    world.put(
        Scope::Local,
        "{\"mcpServers\": {\"a\": {\"command\": \"local\"},}}",
    );
    let config = load(&world.places());
    assert_eq!(config.servers.len(), 1);
    assert_eq!(config.servers[0].scope, Scope::User);
    assert!(matches!(
        config.file(Scope::Local).map(|file| &file.state),
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
    let config = load(&world.places());
    assert!(
        config
            .servers
            .iter()
            .all(|server| server.scope == Scope::Local)
    );
    assert!(!config.servers[0].entry.is_valid());
    assert!(config.servers[1].entry.disabled);
}
