//! Other users and programs of the machine: locks that they hold, directories that they look into.

use std::{
    fs::{self, File, Permissions},
    os::unix::fs::PermissionsExt,
    path::Path,
};

use sightglass_inspector::{Client, ConfigAction, ErrorCode, OutsideWrites, Target};
use sightglass_tests::{
    Environment, TestHost,
    configuring::{change, program},
};

fn addition(name: &str) -> ConfigAction {
    ConfigAction::Add {
        target: Target::new(Client::McpJson, "user"),
        draft: program(name, "x", &[]),
    }
}

fn mode(path: &Path) -> u32 {
    let metadata = fs::metadata(path).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
    metadata.permissions().mode() & 0o777
}

#[tokio::test(flavor = "multi_thread")]
async fn a_neighbour_who_locks_the_directories_holds_no_change_up() {
    let host = TestHost::new();
    let file = host.home().join(".claude/.mcp.json");
    host.write(&file, "{}");
    let directories = [host.home().join(".claude"), host.home(), host.project()];
    let held = directories.map(|directory| {
        let directory = File::open(directory).expect("readable");
        directory.lock().expect("free");
        directory
    });
    change(&host.inspector, &addition("new"));
    let text = fs::read_to_string(&file).expect("readable");
    assert!(text.contains("\"new\""), "{text}");
    drop(held);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_program_of_ones_own_that_keeps_the_lock_is_named_instead_of_waited_for() {
    let host = TestHost::new();
    change(&host.inspector, &addition("first"));
    let lock = host.data().join("config.lock");
    let held = File::open(&lock).expect("the lock is a file");
    held.lock().expect("free");
    let plan = host
        .inspector
        .setup
        .changes
        .plan_configuration(&addition("second"))
        .expect("possible");
    let error = host
        .inspector
        .setup
        .changes
        .apply_configuration(plan.plan, OutsideWrites::Refused)
        .expect_err("another program holds the lock");
    assert_eq!(error.code(), ErrorCode::Configuration);
    let said = error.to_string();
    assert!(said.contains("Another program holds"), "{said}");
    assert!(said.contains("config.lock"), "{said}");
    drop(held);
    host.inspector
        .setup
        .changes
        .apply_configuration(plan.plan, OutsideWrites::Refused)
        .expect("the same plan goes through once the lock is free");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_data_directory_that_others_could_look_into_is_closed_to_them() {
    let host = TestHost::new();
    host.inspector.shutdown().await;
    let data = host.data();
    let open = |path: &Path, mode| {
        fs::set_permissions(path, Permissions::from_mode(mode)).expect("set");
    };
    open(&data, 0o755);
    open(&data.join("record"), 0o755);
    open(&data.join("record/traffic.lock"), 0o644);
    let inspector = host.beside(Environment::default());
    change(&inspector, &addition("one"));
    change(&inspector, &addition("two"));
    for directory in ["", "record", "backups"] {
        assert_eq!(mode(&data.join(directory)), 0o700, "data/{directory}");
    }
    for file in ["record/traffic.lock", "config.lock", "approvals.json"] {
        let path = data.join(file);
        if path.exists() {
            assert_eq!(mode(&path), 0o600, "data/{file}");
        }
    }
    assert!(data.join("config.lock").exists());
    inspector.shutdown().await;
}
