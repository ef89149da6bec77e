//! Faults while configuration files are changed. Each time nothing is lost, and the
//! message says what to do.

use std::{
    fs::{self, Permissions},
    os::unix::{
        fs::{PermissionsExt, chown},
        process::ExitStatusExt,
    },
    path::{Path, PathBuf},
    process::{Command, Output, Stdio},
    sync::Arc,
};

use serde_json::{Value, json};
use sightglass_config::{
    ConfigAction, ConfigError, FileChange, Machine as World, Places, Platform, Target, plan_action,
    write,
};
use sightglass_inspector::Client;
use sightglass_tests::{
    TestHost,
    configuring::{change, program},
};
use tempfile::TempDir;

use crate::command_line::Machine;

fn addition(name: &str) -> ConfigAction {
    ConfigAction::Add {
        target: Target::new(Client::McpJson, "user"),
        draft: program(name, "x", &[]),
    }
}

/// Returns the action that adds `new` to the user's file of a home directory.
fn plan_in(home: &Path) -> Result<FileChange, ConfigError> {
    let world = World {
        places: Places {
            home: home.to_owned(),
            project: home.join("project"),
        },
        platform: Platform::Linux,
        system_root: home.join("system"),
        environment: Arc::new(|_| None),
    };
    let plan = plan_action(&addition("new"), &world)?;
    Ok(plan.files[0].change.clone())
}

fn home_with(bytes: &[u8]) -> (TempDir, PathBuf) {
    let home = TempDir::new().expect("a temporary directory");
    let file = home.path().join(".claude/.mcp.json");
    fs::create_dir(home.path().join(".claude")).expect("made");
    fs::write(&file, bytes).expect("written");
    (home, file)
}

#[test]
fn faulty_files_are_changed_with_care_or_refused_with_the_place() {
    for (name, text, outcome) in [
        (
            "a byte order mark",
            "\u{feff}{\"mcpServers\": {}}",
            Ok("\u{feff}{\"mcpServers\": {\n  \"new\""),
        ),
        (
            "carriage returns",
            "{\r\n  \"mcpServers\": {\r\n    \"a\": {}\r\n  }\r\n}\r\n",
            Ok("{\r\n  \"mcpServers\": {\r\n    \"a\": {},\r\n    \"new\": {\r\n"),
        ),
        (
            "a name twice",
            "{\"mcpServers\": {\"a\": {\"command\": \"1\"}, \"a\": {\"command\": \"2\"}}}",
            Ok(
                "{\"mcpServers\": {\"a\": {\"command\": \"1\"}, \"a\": {\"command\": \"2\"}, \"new\"",
            ),
        ),
        (
            "a comma too many",
            "{\"mcpServers\": {\"a\": {},}}",
            Ok("{\"mcpServers\": {\"a\": {}, \"new\""),
        ),
        (
            "a comment",
            "{\"mcpServers\": {/* why */}}",
            Ok("{\"mcpServers\": {/* why */"),
        ),
        ("an empty file", "", Ok("{\n  \"mcpServers\"")),
        (
            "a list of servers",
            "{\n  \"mcpServers\": []\n}",
            Err("line 2, column 17"),
        ),
        ("a list as the file", "[]", Err("line 1, column 1")),
        (
            "a missing comma",
            "{\n  \"mcpServers\": {\n    \"a\": {}\n    \"b\": {}\n  }\n}",
            Err("line 3, column 12"),
        ),
        ("an open end", "{\"mcpServers\": {", Err("line 1")),
    ] {
        let (home, file) = home_with(text.as_bytes());
        match (plan_in(home.path()), outcome) {
            (Ok(change), Ok(begins)) => {
                write(&change).expect("nothing is in the way");
                let after = fs::read_to_string(&file).expect("readable");
                assert!(after.starts_with(begins), "{name}: {after}");
            }
            (Err(error), Err(place)) => {
                let message = error.to_string();
                assert!(
                    message.contains(place) && message.contains("Repair it first"),
                    "{name}: {message}"
                );
                assert_eq!(fs::read_to_string(&file).expect("readable"), text, "{name}");
            }
            (result, _) => panic!("{name}: {result:?}"),
        }
    }
    let (home, _) = home_with(b"{\"mcpServers\": {}} \xff");
    let error = plan_in(home.path()).expect_err("it is no text");
    assert!(error.to_string().contains("Repair it first"), "{error}");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_file_of_ten_megabytes_is_changed_in_one_place_and_put_back() {
    let filling = "x".repeat(1000);
    let servers: serde_json::Map<String, Value> = (0..10_000)
        .map(|number| {
            (
                format!("s{number}"),
                json!({ "command": "x", "note": filling }),
            )
        })
        .collect();
    let before = format!("{:#}\n", json!({ "mcpServers": servers }));
    assert!(before.len() > 10 << 20);
    let host = TestHost::new();
    let file = host.home().join(".claude/.mcp.json");
    host.write(&file, &before);
    let host = host.restart().await;
    change(&host.inspector, &addition("new"));
    let after = fs::read_to_string(&file).expect("readable");
    let kept = before
        .trim_end()
        .strip_suffix("\n  }\n}")
        .expect("it ends so");
    assert!(after.starts_with(kept) && after.contains("\"new\""));
    change(&host.inspector, &ConfigAction::Undo);
    assert!(fs::read_to_string(&file).expect("readable") == before);
}

/// Undoes at once what was written, as a person does who sees it.
#[tokio::test(flavor = "multi_thread")]
async fn an_undo_that_is_asked_for_while_a_change_is_written_is_of_that_change() {
    let host = TestHost::new();
    let file = host.home().join(".claude/.mcp.json");
    change(&host.inspector, &addition("first"));
    for number in 0..20 {
        let name = format!("new{number}");
        std::thread::scope(|scope| {
            let writing = scope.spawn(|| change(&host.inspector, &addition(&name)));
            let is_written = || {
                let text = fs::read_to_string(&file).expect("readable");
                text.contains(&format!("{name:?}"))
            };
            while !is_written() {
                std::hint::spin_loop();
            }
            let undo = host
                .inspector
                .setup
                .changes
                .plan_configuration(&ConfigAction::Undo);
            let title = undo.expect("there is one").title;
            assert!(title.contains(&name), "{title}");
            writing.join().expect("written");
        });
    }
}

#[test]
fn a_directory_that_is_not_ones_own_is_refused_with_advice() {
    let (home, file) = home_with(b"{}");
    let directory = file.parent().expect("a directory").to_owned();
    // The superuser writes everywhere, so it looks at this as somebody else.
    const NOBODY: u32 = 65534;
    // SAFETY: asks for a number.
    let is_superuser = unsafe { libc::geteuid() } == 0;
    if is_superuser {
        for path in [home.path(), &directory, &file] {
            chown(path, Some(NOBODY), Some(NOBODY)).expect("the superuser gives files away");
        }
    }
    fs::set_permissions(&directory, Permissions::from_mode(0o500)).expect("changed");
    let error = std::thread::scope(|scope| {
        let refused = scope.spawn(|| {
            if is_superuser {
                // SAFETY: changes with whose rights this thread, and no other, opens files.
                unsafe { libc::setfsuid(NOBODY) };
            }
            let change = plan_in(home.path()).expect("it can be read");
            write(&change).expect_err("nothing can be made there")
        });
        refused.join().expect("no panic")
    });
    fs::set_permissions(&directory, Permissions::from_mode(0o700)).expect("changed");
    assert!(error.to_string().contains("no permission"), "{error}");
    assert_eq!(fs::read_to_string(&file).expect("readable"), "{}");
    assert_eq!(names_in(&directory), [".mcp.json"]);
}

fn names_in(directory: &Path) -> Vec<String> {
    let mut names: Vec<String> = fs::read_dir(directory)
        .expect("readable")
        .map(|entry| {
            entry
                .expect("readable")
                .file_name()
                .to_string_lossy()
                .into_owned()
        })
        .collect();
    names.sort();
    names
}

/// Imports a server that is larger than any file may be. The system then refuses the write in
/// the middle, as it does on a full disk, or ends the program there and then.
fn import_beyond_the_limit(machine: &Machine, before: &str) -> Output {
    let large = json!({ "mcpServers": { "large": { "command": "x", "env": { "BIG": "x".repeat(5 << 20) } } } });
    fs::write(machine.path("project/large.json"), large.to_string()).expect("written");
    let words = [
        "config",
        "import",
        "large.json",
        "--to",
        "mcp-json:user",
        "--yes",
    ];
    let cli = machine.command(&words);
    let mut shell = Command::new("sh");
    shell
        .args([
            "-c",
            &format!("{before} ulimit -c 0; ulimit -f 4096; exec \"$@\""),
            "sh",
        ])
        .arg(cli.get_program())
        .args(cli.get_args())
        .current_dir(machine.path("project"))
        .stdin(Stdio::null())
        .stdout(Stdio::null());
    for (name, value) in cli.get_envs() {
        match value {
            Some(value) => shell.env(name, value),
            None => shell.env_remove(name),
        };
    }
    shell.output().expect("a shell")
}

#[test]
fn a_disk_that_is_full_in_the_middle_of_writing_costs_nothing() {
    let machine = Machine::with_servers(json!({ "mine": { "command": "x" } }));
    let file = machine.path("home/.claude/.mcp.json");
    let before = fs::read_to_string(&file).expect("readable");
    let output = import_beyond_the_limit(&machine, "trap '' XFSZ;");
    let message = String::from_utf8_lossy(&output.stderr);
    assert_eq!(output.status.code(), Some(1), "{message}");
    assert!(message.contains("allows no file of this size"), "{message}");
    assert!(message.contains("the file is as it was"), "{message}");
    assert_eq!(fs::read_to_string(&file).expect("readable"), before);
    assert_eq!(names_in(file.parent().expect("a directory")), [".mcp.json"]);
}

#[test]
fn a_program_that_is_killed_between_backup_and_replace_costs_nothing() {
    let machine = Machine::with_servers(json!({ "mine": { "command": "x" } }));
    let file = machine.path("home/.claude/.mcp.json");
    let before = fs::read_to_string(&file).expect("readable");
    let output = import_beyond_the_limit(&machine, "");
    assert_eq!(output.status.signal(), Some(libc::SIGXFSZ), "{output:?}");
    assert_eq!(fs::read_to_string(&file).expect("readable"), before);
    let backups = names_in(&machine.path("data/backups"));
    let backup = fs::read_to_string(machine.path("data/backups").join(&backups[0]));
    let backup = backup.expect("readable");
    let (_, text) = backup
        .split_once('\n')
        .expect("a line that says what it is");
    assert_eq!(text, before);
    // The next change goes through.
    let words = [
        "config",
        "add",
        "next",
        "--to",
        "mcp-json:user",
        "--yes",
        "--",
        "y",
    ];
    let ran = machine.run(&words);
    assert_eq!(ran.code, Some(0), "{}", ran.stderr);
    assert!(
        fs::read_to_string(&file)
            .expect("readable")
            .contains("next")
    );
}

#[test]
fn of_programs_that_write_at_once_none_loses_what_another_wrote() {
    let machine = Machine::with_servers(json!({}));
    let names: Vec<String> = (0..6).map(|number| format!("s{number}")).collect();
    let children: Vec<_> = names
        .iter()
        .map(|name| {
            let words = [
                "config",
                "add",
                name,
                "--to",
                "mcp-json:user",
                "--yes",
                "--",
                "x",
            ];
            let mut command = machine.command(&words);
            command.stdout(Stdio::piped()).stderr(Stdio::piped());
            command.spawn().expect("it starts")
        })
        .collect();
    let mut written = Vec::new();
    for (name, child) in names.iter().zip(children) {
        let output = child.wait_with_output().expect("it ends");
        let message = String::from_utf8_lossy(&output.stderr);
        match output.status.code() {
            Some(0) => written.push(name.clone()),
            Some(1) => assert!(message.contains("Nothing was written"), "{message}"),
            code => panic!("{code:?}: {message}"),
        }
    }
    let text = fs::read_to_string(machine.path("home/.claude/.mcp.json")).expect("readable");
    let file: Value = serde_json::from_str(&text).expect("JSON");
    let servers = file["mcpServers"].as_object().expect("servers");
    let mut found: Vec<String> = servers.keys().cloned().collect();
    found.sort();
    assert!(!written.is_empty());
    assert_eq!(found, written);
}
