//! The next step that a refusal names, taken word by word: it works, and so does then what was
//! refused.

use std::{fs, path::PathBuf};

use serde_json::{Value, json};
use sightglass_tests::{oidc::Guarded, programs};

use super::{Machine, Ran, ran};
use crate::pages::arguments;

/// A user at a machine, in a directory of it.
struct User {
    machine: Machine,
    directory: PathBuf,
}

impl User {
    fn of(machine: Machine) -> Self {
        let directory = machine.path("project");
        Self { machine, directory }
    }

    /// A user who has the demo server as `files`.
    fn new() -> Self {
        let files = json!({ "command": programs::own("sightglass-demo-server") });
        Self::of(Machine::with_servers(json!({ "files": files })))
    }

    fn run(&self, words: &[&str]) -> Ran {
        let mut command = self.machine.command(&[&["--json"], words].concat());
        command.current_dir(&self.directory);
        ran(command.output().expect("it starts"))
    }

    /// Runs what has to be refused, and returns what the hint shows between backticks.
    fn refused(&self, words: &[&str], code: i32) -> Vec<String> {
        let ran = self.run(words);
        let told = format!("{words:?}: {}{}", ran.stdout, ran.stderr);
        assert_eq!(ran.code, Some(code), "{told}");
        shown(&ran)
    }

    fn works(&self, words: &[&str]) -> Ran {
        let ran = self.run(words);
        assert_eq!(ran.code, Some(0), "{words:?}: {}{}", ran.stdout, ran.stderr);
        ran
    }

    /// Runs a command with the first of the options that a hint shows.
    fn with_option(&self, words: &[&str], shown: &[String]) -> Ran {
        let option = shown.iter().find(|span| span.starts_with("--"));
        let option = option.unwrap_or_else(|| panic!("no option: {shown:?}"));
        let option = arguments(&format!("sightglass-cli {option}"));
        let option: Vec<&str> = option
            .iter()
            .map(|word| if word == "MS" { "60000" } else { word.as_str() })
            .collect();
        // What follows `--` belongs to the program.
        let end = words.iter().position(|word| *word == "--");
        let (own, program) = words.split_at(end.unwrap_or(words.len()));
        self.works(&[own, option.as_slice(), program].concat())
    }

    /// Runs the first command that a hint shows. Where it asks and nobody is there, it is run once
    /// more with the option that it shows then.
    fn follow(&self, shown: &[String]) -> Ran {
        let command = shown
            .iter()
            .find(|span| span.starts_with("sightglass-cli "))
            .unwrap_or_else(|| panic!("no command: {shown:?}"));
        let words = arguments(command);
        let words: Vec<&str> = words.iter().map(String::as_str).collect();
        let ran = self.run(&words);
        match ran.code {
            Some(0) => ran,
            _ => self.with_option(&words, &self::shown(&ran)),
        }
    }
}

/// What the hint of a refusal shows between backticks.
fn shown(refused: &Ran) -> Vec<String> {
    let error = refused.error();
    let hint = error["hint"]
        .as_str()
        .unwrap_or_else(|| panic!("no hint: {error}"));
    let spans = hint.split('`').skip(1).step_by(2);
    spans.map(str::to_owned).collect()
}

/// A server of the project's own files.
fn theirs() -> Value {
    json!({ "mcpServers": { "theirs": { "command": programs::own("sightglass-demo-server") } } })
}

#[test]
fn without_a_server_that_is_known_there_is_the_list_of_servers() {
    let user = User::new();
    for words in [&["ping"][..], &["ping", "flies"]] {
        let listed = user.follow(&user.refused(words, 1));
        assert_eq!(listed.result()["servers"][0]["name"], "files");
    }
}

#[test]
fn without_a_tool_that_is_known_there_is_the_list_of_tools() {
    let user = User::new();
    let program = programs::own("sightglass-demo-server");
    let program = program.to_str().expect("a path in UTF-8");
    for (words, code) in [
        (&["tools", "get", "files", "ehco"][..], 1),
        (&["tools", "get", "files"], 1),
        (&["tools", "call", "files"], 1),
        (&["tools", "call", "files", "ehco", "{}"], 2),
        (&["load", "files"], 1),
        (&["tools", "get", "ehco", "--", program], 1),
    ] {
        let listed = user.follow(&user.refused(words, code));
        assert!(listed.result()["tools"].is_array(), "{words:?}");
    }
    for (words, list) in [
        (["prompts", "get", "files"], "prompts"),
        (["resources", "read", "files"], "resources"),
    ] {
        let listed = user.follow(&user.refused(&words, 1));
        assert!(listed.result()[list].is_array(), "{words:?}");
    }
}

#[test]
fn a_server_of_the_project_is_approved_from_any_directory() {
    let mut user = User::new();
    let project = user.machine.path("project");
    fs::write(project.join(".mcp.json"), theirs().to_string()).expect("written");
    user.directory = user.machine.path("home");
    let project = project.to_str().expect("a path in UTF-8");
    let ping = ["--project", project, "ping", "theirs"];
    // The entry is approved first, and then the folder is trusted.
    user.follow(&user.refused(&ping, 1));
    user.follow(&user.refused(&ping, 1));
    user.works(&ping);
}

#[test]
fn a_folder_that_a_server_starts_in_is_trusted() {
    let user = User::new();
    let own = json!({ "mcpServers": { "own": {
        "command": programs::own("sightglass-demo-server"),
        "cwd": ".",
    } } });
    let file = user.machine.path("home/.claude/.mcp.json");
    fs::write(file, own.to_string()).expect("written");
    user.follow(&user.refused(&["ping", "own"], 1));
    user.works(&["ping", "own"]);
}

#[test]
fn what_requests_start_is_approved() {
    let user = User::new();
    let requests = user.directory.join(".sightglass/requests/two words");
    fs::create_dir_all(&requests).expect("made");
    let program = programs::own("sightglass-demo-server");
    for (tag, argument) in [("first try", "modern"), ("later", "legacy")] {
        let request = format!(
            "format = 1\nmethod = \"tools/list\"\ntags = [\"{tag}\"]\n[server]\n\
             command = '{}'\nargs = [\"--era\", \"{argument}\"]\n",
            program.display()
        );
        fs::write(requests.join(format!("{tag}.toml")), request).expect("written");
    }
    user.follow(&user.refused(&["test"], 1));
    let some = ["test", "two words", "--tag", "first try"];
    user.follow(&user.refused(&some, 1));
    user.works(&some);
    // The others were not approved with them.
    user.follow(&user.refused(&["test"], 1));
    user.works(&["test"]);
}

#[test]
fn a_surface_is_pinned_before_it_is_compared() {
    let user = User::new();
    let drift = ["drift", "files"];
    user.follow(&user.refused(&drift, 1));
    user.works(&drift);
    user.follow(&user.refused(&["diff", "files"], 1));
}

#[test]
fn a_call_that_was_not_confirmed_is_sent_with_the_option() {
    let user = User::new();
    let call = ["tools", "call", "files", "annotated", "{}"];
    user.with_option(&call, &user.refused(&call, 1));
}

#[test]
fn a_slow_answer_is_given_longer() {
    let user = User::new();
    let call = ["tools", "call", "files", "sleep", "ms:=300"];
    let hasty = [&call[..], &["--timeout", "20"]].concat();
    user.with_option(&call, &user.refused(&hasty, 3));
}

#[test]
fn a_server_that_wants_a_sign_in_is_signed_in_to() {
    let guarded = Guarded::start();
    let user = User::new();
    let ping = ["ping", guarded.url()];
    user.follow(&user.refused(&ping, 4));
    user.works(&ping);
}

#[test]
fn an_endpoint_at_another_path_is_looked_for() {
    let http = programs::demo_over_http(&[]);
    let user = User::new();
    let elsewhere = http.url.replace("/mcp", "/elsewhere");
    let shown = user.refused(&["ping", &elsewhere], 3);
    let command = shown
        .iter()
        .find(|span| span.starts_with("sightglass-cli doctor"))
        .unwrap_or_else(|| panic!("{shown:?}"));
    let words = arguments(command);
    let words: Vec<&str> = words.iter().map(String::as_str).collect();
    let doctor = user.run(&words);
    assert!(doctor.stdout.contains("/mcp"), "{}", doctor.stdout);
}

#[test]
fn a_change_of_a_file_is_made_without_asking_where_that_is_said() {
    let user = User::new();
    let add = ["config", "add", "notes", "--to", "mcp-json:user", "--", "x"];
    user.with_option(&add, &user.refused(&add, 1));
    let unknown = ["config", "restore", "nothing"];
    let backups = user.follow(&user.refused(&unknown, 1));
    assert!(backups.result()["backups"][0]["id"].is_string());
    user.follow(&user.refused(&["config", "explain", "nothing"], 1));

    let words = [
        "config",
        "copy",
        "files",
        "--from",
        "mcp-json:user",
        "--to",
        "mcp-json:nowhere",
        "--yes",
    ];
    let nowhere = user.run(&words);
    let message = nowhere.error()["message"].to_string();
    assert!(message.contains("Its scopes are "), "{message}");
    assert!(message.contains("user"), "{message}");
}

#[test]
fn an_entry_that_cannot_be_used_is_explained() {
    let files = json!({ "files": { "command": "${NOT_SET_ANYWHERE}" } });
    let user = User::of(Machine::with_servers(files));
    let explained = user.follow(&user.refused(&["ping", "files"], 1));
    assert!(explained.stdout.contains("files"), "{}", explained.stdout);
}
