//! `--config FILE`: one entry of any file, without its project being opened.

use std::{
    fs,
    path::{Path, PathBuf},
};

use serde_json::{Value, json};
use sightglass_tests::programs;

use super::{Machine, Ran};

/// A file of servers in a folder that is not the project.
fn elsewhere(machine: &Machine, name: &str, text: &str) -> PathBuf {
    let folder = machine.path("elsewhere");
    fs::create_dir_all(&folder).expect("made");
    let file = folder.join(name);
    fs::write(&file, text).expect("written");
    file
}

fn run(machine: &Machine, file: &Path, words: &[&str]) -> Ran {
    let file = file.to_str().expect("UTF-8");
    machine.run(&[words, &["--config", file, "--json"]].concat())
}

fn fingerprint(refused: &Ran) -> String {
    assert_eq!(refused.code, Some(1), "{}", refused.stderr);
    let error = refused.error();
    assert_eq!(error["code"], "not_approved", "{error}");
    let found = error["data"]["fingerprint"].as_str().expect("a text");
    found.to_owned()
}

#[test]
fn an_entry_of_any_file_is_used_once_it_was_shown_and_approved() {
    let machine = Machine::new();
    let demo = programs::own("sightglass-demo-server");
    let json =
        json!({ "mcpServers": { "theirs": { "command": demo, "args": ["--era", "legacy"] } } });
    let toml = format!(
        "[mcp_servers.theirs]\ncommand = {:?}\n",
        demo.to_str().expect("UTF-8")
    );
    let zed = json!({ "context_servers": { "theirs": { "command": demo } } });
    for (name, text) in [
        ("cursor.json", json.to_string()),
        ("config.toml", toml),
        ("settings.json", zed.to_string()),
    ] {
        let file = elsewhere(&machine, name, &text);
        let refused = run(&machine, &file, &["tools", "list", "theirs"]);
        let approved = fingerprint(&refused);
        let shown = refused.error()["data"].to_string();
        assert!(shown.contains("sightglass-demo-server"), "{name}: {shown}");
        let words = ["tools", "list", "theirs", "--approve-entry", &approved];
        let listed = run(&machine, &file, &words);
        assert_eq!(listed.code, Some(0), "{name}: {}", listed.stderr);
        assert!(listed.result()["tools"].is_array(), "{name}");
    }
}

#[test]
fn a_name_that_the_file_does_not_have_is_told_with_those_that_it_has() {
    let machine = Machine::new();
    let text = json!({ "mcpServers": { "theirs": { "command": "x" } } }).to_string();
    let file = elsewhere(&machine, "cursor.json", &text);
    let ran = run(&machine, &file, &["ping", "thiers"]);
    let hint = ran.error()["hint"].to_string();
    assert!(hint.contains("Did you mean theirs?"), "{hint}");
    for words in [
        &["ping", "https://mcp.invalid"][..],
        &["doctor", "--all"],
        &["grep", "x"],
    ] {
        let ran = run(&machine, &file, words);
        assert_eq!(ran.code, Some(1), "{words:?}: {}", ran.stderr);
    }
    for (name, text) in [("broken.json", "{ \"mcpServers\": "), ("line", "npx -y x")] {
        let file = elsewhere(&machine, name, text);
        let ran = run(&machine, &file, &["ping", "x"]);
        assert_eq!(ran.code, Some(1), "{name}: {}", ran.stderr);
    }
    let nowhere = machine.path("elsewhere/nowhere.json");
    assert_eq!(run(&machine, &nowhere, &["ping", "x"]).code, Some(1));
}

/// The file is a stranger's, as its entries are.
#[cfg(unix)]
#[test]
fn nothing_of_a_file_runs_before_the_very_entry_was_approved() {
    let machine = Machine::new();
    let mark = machine.path("mark");
    let demo = programs::own("sightglass-demo-server");
    let script = format!("touch {}; exec {}", mark.display(), demo.display());
    let text = |script: &str| -> String {
        let entry = json!({ "command": "sh", "args": ["-c", script] });
        json!({ "mcpServers": { "theirs": entry } }).to_string()
    };
    let file = elsewhere(&machine, "cursor.json", &text("exit 0"));
    let harmless = fingerprint(&run(&machine, &file, &["ping", "theirs"]));
    fs::write(&file, text(&script)).expect("written");
    // What was approved is another entry than the file has by now.
    let words = ["ping", "theirs", "--approve-entry", &harmless];
    let swapped = run(&machine, &file, &words);
    let shown = swapped.error()["data"]["rows"].to_string();
    assert!(
        shown.contains(&format!("touch {}", mark.display())),
        "{shown}"
    );
    assert!(!mark.exists(), "it was started");
    let approved = fingerprint(&swapped);
    let words = ["ping", "theirs", "--approve-entry", &approved];
    assert_eq!(run(&machine, &file, &words).code, Some(0));
    assert!(mark.exists());
}

#[test]
fn a_file_gets_no_variable_of_the_environment_that_was_not_allowed() {
    let machine = Machine::new();
    let http = programs::demo_over_http(&[]);
    let headers = json!({ "X-Client": "${SIGHTGLASS_TEST_SECRET}" });
    let entry = json!({ "url": http.url, "headers": headers });
    let text = json!({ "mcpServers": { "theirs": entry } }).to_string();
    let file = elsewhere(&machine, "cursor.json", &text);
    let file = file.to_str().expect("UTF-8");
    let run = |words: &[&str]| -> Ran {
        let words = [&["ping", "theirs", "--config", file, "--json"], words].concat();
        let mut command = machine.command(&words);
        command.env("SIGHTGLASS_TEST_SECRET", "CANARY-0815");
        super::ran(command.output().expect("it starts"))
    };
    let refused = run(&[]);
    assert_eq!(refused.code, Some(1), "{}", refused.stderr);
    let error: Value = refused.error();
    let hint = error["hint"].to_string();
    assert!(
        hint.contains("--entry-variable SIGHTGLASS_TEST_SECRET"),
        "{error}"
    );
    assert!(!refused.stderr.contains("CANARY"), "{}", refused.stderr);
    let allowed = ["--entry-variable", "SIGHTGLASS_TEST_SECRET"];
    let approved = fingerprint(&run(&allowed));
    let words = [&allowed[..], &["--approve-entry", &approved]].concat();
    assert_eq!(run(&words).code, Some(0));
}

#[cfg(unix)]
#[test]
fn a_path_that_leads_to_no_file_holds_up_nothing() {
    let machine = Machine::new();
    for path in ["/dev/zero", "/proc/self", "/dev/stdin"] {
        let ran = machine.run(&["ping", "x", "--config", path, "--json"]);
        assert_eq!(ran.code, Some(1), "{path}: {}", ran.stderr);
    }
}
