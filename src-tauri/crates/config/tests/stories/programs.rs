//! The search for a server's program.

use std::{os::unix::fs::PermissionsExt, path::PathBuf};

use serde_json::{Map, Value, json};

use crate::World;

/// A folder of the world with a program of this name.
fn folder_with(world: &World, folder: &str, program: &str) -> PathBuf {
    let folder = world.root().join(folder);
    std::fs::create_dir_all(&folder).expect("made");
    let path = folder.join(program);
    std::fs::write(&path, "#!/bin/sh\n").expect("written");
    std::fs::set_permissions(&path, std::fs::Permissions::from_mode(0o755)).expect("allowed");
    folder
}

fn entry(entry: Value) -> Map<String, Value> {
    entry.as_object().expect("an object").clone()
}

#[test]
fn a_program_is_looked_for_where_the_login_shell_looks_and_the_entry_first() {
    let world = World::new();
    let login = folder_with(&world, "login", "tool");
    let own = folder_with(&world, "own", "tool");
    let desktop = folder_with(&world, "desktop", "session-tool");
    let path = desktop.display().to_string();
    let machine = world.machine_with(move |name| (name == "PATH").then(|| path.clone()));
    let login_path = login.display().to_string();
    let project = world.places().project;
    let plain = entry(json!({ "command": "tool" }));

    assert_eq!(machine.find_program("tool", &plain, &project, None), None);
    assert_eq!(
        machine.find_program("tool", &plain, &project, Some(&login_path)),
        Some(login.join("tool"))
    );
    let with_path = entry(json!({ "command": "tool", "env": { "PATH": own } }));
    assert_eq!(
        machine.find_program("tool", &with_path, &project, Some(&login_path)),
        Some(own.join("tool"))
    );
    // Where the login shell is not asked, the environment counts.
    assert_eq!(
        machine.find_program("session-tool", &plain, &project, None),
        Some(desktop.join("session-tool"))
    );
}
