//! `sightglass-cli config`, run as users and their build machines run it.

use std::{io::Write, path::Path, process::Stdio};

use serde_json::{Map, Value, json};
use sightglass_tests::programs;

use crate::command_line::{Machine, Ran, ran};

/// Runs `config` and expects it to succeed.
fn done(machine: &Machine, words: &[&str]) -> Ran {
    let ran = machine.run(&[&["config"], words].concat());
    assert_eq!(ran.code, Some(0), "{words:?}: {}{}", ran.stdout, ran.stderr);
    ran
}

/// Runs `config` and expects it to refuse.
fn refused(machine: &Machine, words: &[&str]) -> String {
    let ran = machine.run(&[&["config"], words].concat());
    assert_eq!(ran.code, Some(1), "{words:?}: {}{}", ran.stdout, ran.stderr);
    ran.stderr
}

fn read(path: &Path) -> String {
    std::fs::read_to_string(path).unwrap_or_else(|error| panic!("{}: {error}", path.display()))
}

fn json_of(path: &Path) -> Value {
    serde_json::from_str(&read(path)).expect("JSON")
}

fn write(path: &Path, text: &str) {
    std::fs::create_dir_all(path.parent().expect("a directory")).expect("made");
    std::fs::write(path, text).expect("written");
}

/// A file can be one line: the difference is the part of it that changes.
#[test]
fn the_difference_in_a_file_of_one_line_is_what_changes_in_it() {
    let servers: Map<String, Value> = (0..60)
        .map(|number| (format!("server{number}"), json!({ "command": "prog" })))
        .collect();
    let machine = Machine::with_servers(Value::Object(servers));
    let words = [
        "add",
        "new",
        "--to",
        "mcp-json:user",
        "--dry-run",
        "--",
        "x",
    ];
    let dry = done(&machine, &words).stdout;
    let longest = dry.lines().map(|line| line.chars().count()).max();
    assert!(longest < Some(300), "{dry}");
    assert!(dry.contains("\"new\""), "{dry}");
    assert!(!dry.contains("server30"), "{dry}");
    let file = machine.path("home/.claude/.mcp.json");
    assert_eq!(read(&file).lines().count(), 1, "nothing was written");
}

#[test]
fn a_server_is_added_switched_off_and_on_and_removed_without_a_trace() {
    let machine = Machine::new();
    let file = machine.path("project/.claude/.mcp.json");
    let before = "{\n\t\"mcpServers\": {\n\t\t\"old\": {\"command\":\"x\"}\n\t},\n\t\"mine\": 1\n}";
    write(&file, before);
    let to = ["--to", "mcp-json:project"];
    let entry = ["--env", "LEVEL=9", "--", "prog", "--flag", "a b"];
    let dry = done(
        &machine,
        &[&["add", "new"], &to[..], &["--dry-run"], &entry].concat(),
    );
    assert!(dry.stdout.contains("+ ") && dry.stdout.contains("Nothing was written"));
    assert_eq!(read(&file), before);
    let unasked = refused(&machine, &[&["add", "new"], &to[..], &entry].concat());
    assert!(unasked.contains("--yes"), "{unasked}");
    assert_eq!(read(&file), before);

    done(
        &machine,
        &[&["add", "new"], &to[..], &["--yes"], &entry].concat(),
    );
    let added = read(&file);
    assert!(
        added.starts_with("{\n\t\"mcpServers\": {\n\t\t\"old\": {\"command\":\"x\"},"),
        "{added}"
    );
    assert_eq!(
        json_of(&file)["mcpServers"]["new"],
        json!({ "command": "prog", "args": ["--flag", "a b"], "env": { "LEVEL": "9" } })
    );
    let from = ["new", "--from", "mcp-json:project", "--yes"];
    done(&machine, &[&["disable"], &from[..]].concat());
    assert_eq!(json_of(&file)["mcpServers"]["new"]["disabled"], true);
    done(&machine, &[&["enable"], &from[..]].concat());
    assert_eq!(read(&file), added);
    done(&machine, &[&["remove"], &from[..]].concat());
    assert_eq!(read(&file), before);

    let error = refused(&machine, &[&["remove"], &from[..]].concat());
    assert!(error.contains("has no server named new"), "{error}");
    let error = refused(
        &machine,
        &["remove", "odl", "--from", "mcp-json:project", "--yes"],
    );
    assert!(error.contains("Did you mean old?"), "{error}");
    assert!(error.contains("`sightglass-cli config show`"), "{error}");
    let error = refused(
        &machine,
        &["remove", "old", "--from", "mcp-json:nowhere", "--yes"],
    );
    assert!(error.contains("no scope nowhere"), "{error}");
}

#[test]
fn the_last_change_is_taken_back_by_a_later_run() {
    let machine = Machine::with_servers(json!({ "notes": { "command": "notes" } }));
    let own = machine.path("home/.claude/.mcp.json");
    let codex = machine.path("home/.codex/config.toml");
    let before = read(&own);
    let nothing = refused(&machine, &["undo", "--yes"]);
    assert!(nothing.contains("nothing"), "{nothing}");
    let places = ["--from", "mcp-json:user", "--to", "codex:user", "--yes"];
    done(&machine, &[&["move", "notes"], &places[..]].concat());
    let added = [
        "add",
        "more",
        "--to",
        "mcp-json:user",
        "--yes",
        "--",
        "more",
    ];
    done(&machine, &added);

    // The latest first, then the one before, which made a file.
    let dry = done(&machine, &["undo", "--dry-run"]);
    assert!(dry.stdout.contains("Undo: Add more"), "{}", dry.stdout);
    let undone = done(&machine, &["undo", "--yes", "--json"]).result();
    assert_eq!(undone["written"], true);
    assert_eq!(json_of(&own), json!({ "mcpServers": {} }));
    done(&machine, &["undo", "--yes"]);
    assert_eq!(read(&own), before);
    assert!(!codex.exists(), "it was made by the change");
    assert!(refused(&machine, &["undo", "--yes"]).contains("nothing"));

    // What somebody else changed since is theirs, and the copy from before is there.
    done(&machine, &added);
    write(&own, "{}");
    let changed = refused(&machine, &["undo", "--yes"]);
    assert!(changed.contains("config backups"), "{changed}");
    let backups = done(&machine, &["backups", "--json"]).result();
    let copies = backups["backups"].as_array().expect("a list");
    let newest = copies.iter().find(|copy| copy["path"] == json!(own));
    let id = newest.expect("a copy")["id"].as_str().expect("a name");
    done(&machine, &["restore", id, "--yes"]);
    assert_eq!(read(&own), before);
    let unknown = refused(&machine, &["restore", "1-2", "--yes"]);
    assert!(unknown.contains("config backups"), "{unknown}");
}

#[test]
fn servers_of_any_client_are_exported() {
    let machine = Machine::new();
    write(
        &machine.path("home/.codex/config.toml"),
        "[mcp_servers.notes]\ncommand = \"notes\"\n",
    );
    let words = ["export", "--from", "codex", "--as", "cursor"];
    let exported = done(&machine, &words);
    let text: Value = serde_json::from_str(&exported.stdout).expect("JSON");
    assert_eq!(text["mcpServers"]["notes"]["command"], "notes");
    let as_json = done(&machine, &[&words[..], &["--json"]].concat()).result();
    assert_eq!(as_json["text"], exported.stdout);
    let other = refused(&machine, &["export", "notes", "--as", "cursor"]);
    assert!(other.contains("--from"), "{other}");
}

#[test]
fn a_server_moves_and_is_copied_between_clients_and_what_is_lost_is_said() {
    let machine = Machine::with_servers(json!({
        "notes": { "command": "notes", "args": ["--x"], "phase_timeouts": { "initializing": 5 } },
    }));
    let ran = done(
        &machine,
        &[
            "copy",
            "notes",
            "--from",
            "mcp-json:user",
            "--to",
            "codex:user",
            "--as",
            "other",
            "--yes",
        ],
    );
    assert!(ran.stdout.contains("phase_timeouts"), "{}", ran.stdout);
    let codex = machine.path("home/.codex/config.toml");
    assert_eq!(
        read(&codex),
        "[mcp_servers.other]\ncommand = \"notes\"\nargs = [\"--x\"]\n"
    );
    done(
        &machine,
        &[
            "move",
            "notes",
            "--from",
            "mcp-json:user",
            "--to",
            "vscode:workspace",
            "--yes",
        ],
    );
    assert_eq!(
        json_of(&machine.path("project/.vscode/mcp.json")),
        json!({ "servers": { "notes": { "type": "stdio", "command": "notes", "args": ["--x"] } } })
    );
    assert_eq!(
        json_of(&machine.path("home/.claude/.mcp.json")),
        json!({ "mcpServers": {} })
    );
    let error = refused(
        &machine,
        &[
            "copy",
            "other",
            "--from",
            "codex:user",
            "--to",
            "codex:user",
            "--as",
            "other-2",
            "--dry-run",
            "--frob",
        ],
    );
    assert!(error.contains("--frob"), "{error}");
    let taken = refused(
        &machine,
        &[
            "copy",
            "notes",
            "--from",
            "vscode:workspace",
            "--to",
            "codex:user",
            "--as",
            "other",
            "--yes",
        ],
    );
    assert!(
        taken.contains("already has a server named other, on line 1"),
        "{taken}"
    );
}

#[test]
fn a_bundle_is_unpacked_by_the_import_that_adds_it() {
    let machine = Machine::new();
    let manifest = json!({
        "manifest_version": "0.3", "name": "notes", "version": "1.0.0",
        "server": { "type": "node", "entry_point": "index.js", "mcp_config": {
            "command": "node", "args": ["${__dirname}/index.js", "${user_config.level}"],
        } },
        "user_config": { "level": { "type": "number", "default": 3 } },
    });
    let path = machine.path("project/notes.mcpb");
    let mut archive = zip::ZipWriter::new(std::fs::File::create(&path).expect("made"));
    for (name, text) in [
        ("manifest.json", manifest.to_string()),
        ("index.js", "1".into()),
    ] {
        archive
            .start_file(name, zip::write::SimpleFileOptions::default())
            .expect("room");
        archive.write_all(text.as_bytes()).expect("room");
    }
    archive.finish().expect("written");
    let words = ["import", "notes.mcpb", "--to", "mcp-json:user"];
    done(&machine, &[&words[..], &["--dry-run"]].concat());
    done(&machine, &[&words[..], &["--yes"]].concat());
    let file = json_of(&machine.path("home/.claude/.mcp.json"));
    let arguments = &file["mcpServers"]["notes"]["args"];
    let script = arguments[0].as_str().expect("a path");
    assert!(Path::new(script).is_file(), "{script}");
    assert_eq!(arguments[1], "3");
    let removed = done(
        &machine,
        &["remove", "notes", "--from", "mcp-json:user", "--yes"],
    );
    let told = format!("{}{}", removed.stdout, removed.stderr);
    assert!(told.contains("stays unpacked in"), "{told}");
}

#[test]
fn a_snippet_from_a_file_or_the_input_is_imported_and_exported_without_its_secrets() {
    let machine = Machine::new();
    let snippet = r#"{"mcp": {"far": {"type": "remote", "url": "https://far.example/mcp", "headers": {"Authorization": "Bearer sesame"}}}}"#;
    write(&machine.path("project/snippet.json"), snippet);
    done(
        &machine,
        &["import", "snippet.json", "--to", "mcp-json:user", "--yes"],
    );
    let mut child = machine
        .command(&["config", "import", "-", "--to", "mcp-json:user", "--yes"])
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .expect("it starts");
    let mut stdin = child.stdin.take().expect("piped");
    stdin
        .write_all(b"claude mcp add near -e API_KEY=hunter2 -- near-server --stdio")
        .expect("taken");
    drop(stdin);
    let imported = ran(child.wait_with_output().expect("it ends"));
    assert_eq!(imported.code, Some(0), "{}", imported.stderr);

    let exported = done(&machine, &["export", "--as", "codex"]);
    assert!(!exported.stdout.contains("sesame") && !exported.stdout.contains("hunter2"));
    assert!(
        exported.stdout.contains("[mcp_servers.far]"),
        "{}",
        exported.stdout
    );
    assert!(
        exported
            .stdout
            .contains("bearer_token_env_var = \"FAR_AUTHORIZATION\""),
        "{}",
        exported.stdout
    );
    assert!(
        exported.stdout.contains("env_vars = [\"API_KEY\"]"),
        "{}",
        exported.stdout
    );
    let chosen = done(&machine, &["export", "near", "--as", "cursor"]);
    let text: Value = serde_json::from_str(&chosen.stdout).expect("JSON");
    assert_eq!(
        text["mcpServers"]["near"]["env"]["API_KEY"],
        "${env:API_KEY}"
    );
    assert_eq!(text["mcpServers"].get("far"), None);
    let missing = refused(&machine, &["export", "nobody", "--as", "cursor"]);
    assert!(missing.contains("no server nobody"), "{missing}");
}

#[test]
fn show_prints_the_effective_view_in_its_documented_form() {
    let machine = Machine::with_servers(json!({ "tool": { "command": "user" } }));
    let local = machine.path("project/.claude/.mcp.local.json");
    write(&local, r#"{"mcpServers": {"tool": {"command": "local"}}}"#);
    let broken = machine.path("project/.cursor/mcp.json");
    write(&broken, "{\n  \"mcpServers\": {\n    \"a\": oops\n  }\n}\n");
    let ran = done(&machine, &["show", "--json"]);
    let shown: Value = serde_json::from_str(&ran.stdout).expect("JSON");
    let keys = |value: &Value| -> Vec<String> {
        let object = value.as_object().expect("an object");
        let mut keys: Vec<String> = object.keys().cloned().collect();
        keys.sort();
        keys
    };
    assert_eq!(keys(&shown), ["files", "servers"]);
    let server = &shown["servers"][0];
    assert_eq!(
        keys(server),
        [
            "client", "file", "name", "reason", "scope", "shadowed", "state"
        ]
    );
    assert_eq!(
        json!([
            server["name"],
            server["client"],
            server["scope"],
            server["state"]
        ]),
        json!(["tool", "mcp-json", "local", "waiting"])
    );
    assert_eq!(server["file"], local.display().to_string());
    assert_eq!(
        server["shadowed"],
        json!([{
            "client": "mcp-json", "scope": "user",
            "file": machine.path("home/.claude/.mcp.json").display().to_string(),
        }])
    );
    let files = shown["files"].as_array().expect("a list");
    let of_cursor = files
        .iter()
        .find(|file| file["client"] == "cursor" && file["scope"] == "project")
        .expect("listed");
    assert_eq!(
        keys(of_cursor),
        ["client", "path", "problems", "scope", "state"]
    );
    assert_eq!(of_cursor["state"], "broken");
    assert_eq!(
        keys(&of_cursor["problems"][0]),
        ["column", "line", "message", "path"]
    );
    assert_eq!(
        json!([
            of_cursor["problems"][0]["line"],
            of_cursor["problems"][0]["column"]
        ]),
        json!([3, 10])
    );
}

#[test]
fn check_says_file_line_and_column_and_ends_with_five() {
    let machine = Machine::with_servers(json!({ "fine": { "command": "x" } }));
    let ran = done(&machine, &["check"]);
    assert!(ran.stdout.contains("Nothing is wrong"), "{}", ran.stdout);
    let file = machine.path("project/.claude/.mcp.json");
    write(
        &file,
        "{\n  \"mcpServers\": {\n    \"a\": { \"command\": \"x\" }\n    \"b\": {}\n  }\n}\n",
    );
    let ran = machine.run(&["config", "check"]);
    assert_eq!(ran.code, Some(5), "{}{}", ran.stdout, ran.stderr);
    let as_json = machine.run(&["config", "check", "--json"]);
    assert_eq!(as_json.error()["code"], "check_failed");
    let finding = &as_json.result()["findings"][0];
    assert_eq!(
        json!([finding["path"], finding["line"], finding["column"]]),
        json!([file, 3, 28])
    );
    let expected = format!("{}:3:28: ", file.display());
    assert!(
        ran.stdout.lines().any(|line| line.starts_with(&expected)),
        "{}",
        ran.stdout
    );
}

#[test]
fn explain_names_the_smallest_difference() {
    let machine = Machine::with_servers(json!({
        "one": { "command": "x", "args": ["same", "user"] },
        "more": { "command": "x", "args": ["a"] },
    }));
    let local = json!({ "mcpServers": {
        "one": { "command": "x", "args": ["same", "local"] },
        "more": { "command": "x", "args": ["a", "b", "c"] },
    } });
    write(
        &machine.path("project/.claude/.mcp.local.json"),
        &local.to_string(),
    );
    let ran = done(&machine, &["explain", "one"]);
    assert!(
        ran.stdout.contains("They differ in args[1]."),
        "{}",
        ran.stdout
    );
    assert!(
        ran.stdout.contains("from its local scope"),
        "{}",
        ran.stdout
    );
    let ran = done(&machine, &["explain", "more", "--json"]);
    let explained: Value = serde_json::from_str(&ran.stdout).expect("JSON");
    let sentences = explained["explanations"][0]["sentences"].to_string();
    assert!(sentences.contains("They differ in args."), "{sentences}");
    let error = refused(&machine, &["explain", "nobody"]);
    assert!(error.contains("config show"), "{error}");
}

#[test]
fn a_host_is_added_as_its_address_and_what_is_none_is_refused() {
    let machine = Machine::new();
    let to = ["--to", "mcp-json:user", "--yes"];
    done(
        &machine,
        &[&["add", "docs", "mcp.example.com/mcp"], &to[..]].concat(),
    );
    let written = json_of(&machine.path("home/.claude/.mcp.json"));
    assert_eq!(
        written["mcpServers"]["docs"]["url"],
        "https://mcp.example.com/mcp"
    );
    for word in ["htp://mcp.example.com", "server.py", "notes"] {
        let told = refused(&machine, &[&["add", "x", word], &to[..]].concat());
        assert!(told.contains("An address begins with"), "{told}");
    }
}

#[test]
fn a_server_is_not_moved_to_where_it_stands() {
    let machine = Machine::with_servers(json!({ "one": { "command": "x" } }));
    let place = "mcp-json:user";
    let told = refused(&machine, &["move", "one", "--from", place, "--to", place]);
    assert!(told.contains("nothing would change"), "{told}");
}

#[test]
fn a_server_of_the_project_is_refused_until_it_is_approved_on_the_command_line() {
    let machine = Machine::new();
    let program = programs::own("sightglass-demo-server");
    let file = machine.path("project/.mcp.json");
    let entry = |level: &str| {
        json!({ "mcpServers": { "theirs": { "command": program, "env": { "LEVEL": level } } } })
            .to_string()
    };
    write(&file, &entry("1"));
    let ran = machine.run(&["ping", "theirs"]);
    assert_eq!(ran.code, Some(1), "{}{}", ran.stdout, ran.stderr);
    assert!(ran.stderr.contains("config approve"), "{}", ran.stderr);
    let unasked = refused(&machine, &["approve", "theirs"]);
    assert!(unasked.contains("--yes"), "{unasked}");
    let shown = done(&machine, &["approve", "theirs", "--yes"]).stdout;
    assert!(
        shown.contains("LEVEL=1") && shown.contains("sightglass-demo-server"),
        "{shown}"
    );
    let ran = machine.run(&["ping", "theirs"]);
    assert_eq!(ran.code, Some(1), "{}{}", ran.stdout, ran.stderr);
    assert!(ran.stderr.contains("config trust"), "{}", ran.stderr);
    done(&machine, &["trust", "--yes"]);
    let ran = machine.run(&["ping", "theirs"]);
    assert_eq!(ran.code, Some(0), "{}{}", ran.stdout, ran.stderr);
    // Another entry is another question.
    write(&file, &entry("2"));
    let ran = machine.run(&["ping", "theirs"]);
    assert_eq!(ran.code, Some(1), "{}{}", ran.stdout, ran.stderr);
}

#[test]
fn a_secret_in_a_file_that_git_tracks_is_told_with_its_place_and_never_with_its_value() {
    let machine = Machine::new();
    let file = machine.path("project/.mcp.json");
    let secret = "ghp_0123456789abcdefghijklmnopqrstuvwxyz";
    write(
        &file,
        &format!(
            "{{\n  \"mcpServers\": {{\n    \"git\": {{\n      \"command\": \"x\",\n      \"args\": [\"--token\",              \"hunter2hunter2\"],\n      \"env\": {{\n        \"LEVEL\": \"9\",\n        \"GITHUB_TOKEN\":              \"{secret}\",\n        \"OTHER_TOKEN\": \"${{OTHER}}\"\n      }}\n    }}\n  }}\n}}\n"
        ),
    );
    let quiet = machine.run(&["config", "check"]);
    assert!(!quiet.stdout.contains("GITHUB_TOKEN"), "{}", quiet.stdout);

    let git = |words: &[&str]| {
        let ran = std::process::Command::new("git")
            .args(words)
            .current_dir(machine.path("project"))
            .output()
            .expect("git runs");
        assert!(ran.status.success(), "{ran:?}");
    };
    git(&["init", "--quiet"]);
    git(&["add", ".mcp.json"]);
    let checked = machine.run(&["config", "check"]);
    assert_eq!(checked.code, Some(5), "{}", checked.stdout);
    let place = |line: u32| format!("{}:{line}:", file.canonicalize().expect("there").display());
    for (line, field) in [(5, "args[1]"), (8, "env.GITHUB_TOKEN")] {
        assert!(
            checked
                .stdout
                .lines()
                .any(|told| told.starts_with(&place(line)) && told.contains(field)),
            "{}",
            checked.stdout
        );
    }
    assert!(
        !checked.stdout.contains("OTHER_TOKEN"),
        "{}",
        checked.stdout
    );
    let shown = machine.run(&["config", "show"]);
    assert!(
        shown.stdout.contains("env.GITHUB_TOKEN"),
        "{}",
        shown.stdout
    );
    let json = machine.run(&["config", "show", "--json"]);
    assert!(json.stdout.contains("env.GITHUB_TOKEN"), "{}", json.stdout);
    for printed in [&checked, &shown, &json] {
        for told in [&printed.stdout, &printed.stderr] {
            assert!(!told.contains(secret), "{told}");
        }
    }
    assert!(!checked.stdout.contains("hunter2"), "{}", checked.stdout);
}

#[test]
fn what_an_import_leaves_out_is_told_for_each_server_before_it_is_written() {
    let machine = Machine::new();
    let snippet = machine.path("snippet.json");
    write(
        &snippet,
        &json!({ "mcpServers": {
            "web": { "httpUrl": "https://example.com/mcp", "trust": true },
            "files": { "command": "files", "includeTools": ["read"], "disabled": true },
        } })
        .to_string(),
    );
    let from = snippet.to_str().expect("a path in UTF-8");
    let words = ["import", from, "--to", "mcp-json:user", "--dry-run"];
    let planned = done(&machine, &words).stdout;
    for (server, field) in [("web", "trust"), ("files", "disabled")] {
        assert!(
            planned
                .lines()
                .any(|line| line.starts_with(&format!("{server}: {field}: "))),
            "{server}: {planned}"
        );
    }
    assert!(planned.contains("Nothing was written"), "{planned}");
}

#[test]
fn check_names_what_a_client_refuses_and_what_it_does_not_know() {
    let machine = Machine::new();
    let claude = machine.path("home/.claude.json");
    write(
        &claude,
        "{\"mcpServers\": {\n\"far\": {\"url\": \"https://a.example/mcp\"}}}",
    );
    write(
        &machine.path("home/.cursor/mcp.json"),
        "{\"mcpServers\": {\n\n\"odd\": {\"command\": \"x\", \"arg\": [\"y\"], \"note\": 1}}}",
    );
    let ran = machine.run(&["config", "check"]);
    let said = |path: &Path, place: &str, words: &str| {
        let begins = format!("{}:{place}: ", path.display());
        ran.stdout
            .lines()
            .any(|line| line.starts_with(&begins) && line.contains(words))
    };
    assert!(
        said(&claude, "2:9", "Write \"type\": \"http\""),
        "{}",
        ran.stdout
    );
    let cursor = machine.path("home/.cursor/mcp.json");
    assert!(
        said(&cursor, "3:1", "Cursor does not know note of odd"),
        "{}",
        ran.stdout
    );
    // A misspelt field is told once, with what is meant.
    let of_misspelt = |line: &&str| line.contains("Did you mean args?");
    assert_eq!(ran.stdout.lines().filter(of_misspelt).count(), 1);
    assert!(!ran.stdout.contains("know arg "), "{}", ran.stdout);
}

#[test]
fn a_comment_that_a_client_cannot_read_is_told_when_the_file_is_changed() {
    let machine = Machine::new();
    let claude = machine.path("home/.claude.json");
    write(&claude, "{\n  // mine\n  \"mcpServers\": {}\n}\n");
    let ran = done(
        &machine,
        &[
            "add",
            "new",
            "--to",
            "claude-code:user",
            "--yes",
            "--",
            "prog",
        ],
    );
    let told = format!("{}{}", ran.stdout, ran.stderr);
    assert!(
        told.contains("line 2: ") && told.contains("Nothing in this file counts"),
        "{told}"
    );
}

#[test]
fn what_a_client_does_beside_is_told_on_the_command_line_as_in_the_window() {
    let machine = Machine::new();
    let script = programs::npm_server("@modelcontextprotocol/server-everything");
    let servers = json!({ "servers": { "boxed": {
        "command": "node", "args": [script.display().to_string(), "stdio"], "sandboxEnabled": true,
    } } });
    write(
        &machine.path("home/.config/Code/User/mcp.json"),
        &servers.to_string(),
    );
    let sentence = "VS Code runs it in a sandbox. Here it runs without one.";
    let ran = machine.run(&["ping", "boxed"]);
    assert_eq!(ran.code, Some(0), "{}", ran.stderr);
    assert!(ran.stderr.contains(sentence), "{}", ran.stderr);
    let explained = done(&machine, &["explain", "boxed"]).stdout;
    assert!(explained.contains(sentence), "{explained}");
}
