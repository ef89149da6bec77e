//! `sightglass-cli`, run as users and scripts run it.

mod config_entry;
mod conventions;
mod examining;
mod faithful;
mod next_steps;
mod one_call;
mod proxies;
mod rules;
mod scripting;
#[cfg(target_os = "linux")]
mod sessions;
#[cfg(target_os = "linux")]
mod shell;
mod sign_in;
mod tasks;

use std::{
    ffi::OsStr,
    io::{BufRead, BufReader, Write},
    path::{Path, PathBuf},
    process::{Command, Output, Stdio},
    time::{Duration, Instant},
};

use serde_json::{Value, json};
use sightglass_tests::{oidc, programs};
use tempfile::TempDir;

/// A home, a project and a data directory of its own.
pub(crate) struct Machine {
    directories: TempDir,
}

/// Output and exit code of a run.
pub(crate) struct Ran {
    pub(crate) code: Option<i32>,
    pub(crate) stdout: String,
    pub(crate) stderr: String,
}

impl Machine {
    pub(crate) fn new() -> Self {
        Self::with_servers(json!({}))
    }

    pub(crate) fn with_servers(servers: Value) -> Self {
        let directories = TempDir::new().expect("a temporary directory");
        let home = directories.path().join("home");
        for name in ["home/.claude", "data", "temporary", "project"] {
            std::fs::create_dir_all(directories.path().join(name)).expect("created");
        }
        let text = json!({ "mcpServers": servers }).to_string();
        std::fs::write(home.join(".claude/.mcp.json"), text).expect("written");
        Self { directories }
    }

    pub(crate) fn path(&self, name: &str) -> PathBuf {
        self.directories.path().join(name)
    }

    pub(crate) fn command(&self, words: &[&str]) -> Command {
        let mut command = Command::new(programs::own("sightglass-cli"));
        command
            .args(words)
            .current_dir(self.path("project"))
            .env("HOME", self.path("home"))
            .env("SIGHTGLASS_DATA_DIR", self.path("data"))
            .env("TMPDIR", self.path("temporary"))
            .env("SIGHTGLASS_KEYCHAIN", "off")
            .env("BROWSER", oidc::forms())
            // Sessions are reached within the data directory then.
            .env_remove("XDG_RUNTIME_DIR")
            .stdin(Stdio::null());
        command
    }

    pub(crate) fn run(&self, words: &[&str]) -> Ran {
        ran(self.command(words).output().expect("it starts"))
    }

    /// Runs it on the demo server as a program.
    pub(crate) fn demo(&self, words: &[&str], server: &[&str]) -> Ran {
        let program = programs::own("sightglass-demo-server");
        let program = program.to_str().expect("a path in UTF-8");
        let words = [words, &["--", program], server].concat();
        self.run(&words)
    }

    fn with_input(&self, words: &[&str], input: &str) -> Ran {
        let program = programs::own("sightglass-demo-server");
        let mut child = self
            .command(words)
            .args([OsStr::new("--"), program.as_os_str()])
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .expect("it starts");
        let mut stdin = child.stdin.take().expect("piped");
        stdin.write_all(input.as_bytes()).expect("read");
        drop(stdin);
        ran(child.wait_with_output().expect("it ends"))
    }
}

/// Holds a JUnit report against the schema of what continuous integration reads.
pub(crate) fn validate_junit(report: &Path) {
    let script = r"
        const { readFileSync } = require('fs');
        const { validateXML } = require(process.argv[1]);
        const file = (name) => ({ fileName: name, contents: readFileSync(name, 'utf8') });
        const [xml, schema] = process.argv.slice(2).map(file);
        validateXML({ xml: [xml], schema: [schema] }).then(({ valid, errors }) => {
            console.log(errors.map(({ message }) => message).join('\\n'));
            process.exit(valid ? 0 : 1);
        });
    ";
    let tests = programs::repository().join("tests");
    let validator = tests.join("node_modules/xmllint-wasm");
    assert!(
        validator.exists(),
        "{} is missing: run `npm ci --prefix tests`",
        validator.display()
    );
    let output = Command::new("node")
        .args(["-e", script])
        .args([
            validator,
            report.to_owned(),
            tests.join("fixtures/junit.xsd"),
        ])
        .output()
        .expect("node runs");
    let said = String::from_utf8_lossy(&output.stdout).into_owned();
    let trouble = String::from_utf8_lossy(&output.stderr).into_owned();
    assert!(output.status.success(), "{said}{trouble}");
}

pub(crate) fn ran(output: Output) -> Ran {
    Ran {
        code: output.status.code(),
        stdout: String::from_utf8(output.stdout).expect("UTF-8"),
        stderr: String::from_utf8(output.stderr).expect("UTF-8"),
    }
}

impl Ran {
    /// The result of a run with `--json`, which is all that stands on stdout.
    pub(crate) fn result(&self) -> Value {
        serde_json::from_str(&self.stdout)
            .unwrap_or_else(|error| panic!("{error}: {} {}", self.stdout, self.stderr))
    }

    /// The error of a run with `--json`, which always has the same members.
    pub(crate) fn error(&self) -> Value {
        let printed: Value = serde_json::from_str(&self.stderr)
            .unwrap_or_else(|error| panic!("{error}: {}", self.stderr));
        let names = |value: &Value| -> Vec<String> {
            let members = value.as_object().expect("an object");
            members.keys().cloned().collect()
        };
        assert_eq!(names(&printed), ["error"]);
        let mut members = names(&printed["error"]);
        members.sort();
        assert_eq!(members, ["code", "data", "hint", "message"]);
        printed["error"].clone()
    }
}

#[test]
fn arguments_reach_the_server_and_its_answer_comes_back_as_written() {
    let machine = Machine::new();
    let arguments = r#"{"z": 12345678901234567890123,  "a": [1.50, 1e400], "m": null}"#;
    let words = ["tools", "call", "echo_arguments", arguments, "--json"];
    let ran = machine.demo(&words, &[]);
    assert_eq!(ran.code, Some(0), "{}", ran.stderr);
    assert_eq!(ran.result()["content"][0]["text"], arguments);

    let words = [
        "tools",
        "call",
        "echo_arguments",
        "n:=12345678901234567890123",
        "s:=two words",
        "q:=\"7\"",
    ];
    let ran = machine.demo(&words, &[]);
    assert_eq!(
        ran.stdout,
        "{\"n\":12345678901234567890123,\"s\":\"two words\",\"q\":\"7\"}\n"
    );

    let ran = machine.with_input(&["tools", "call", "echo_arguments", "--json"], arguments);
    assert_eq!(ran.result()["content"][0]["text"], arguments);
}

#[test]
fn a_list_is_every_page_joined_with_no_field_lost() {
    let machine = Machine::new();
    let whole = machine.demo(&["tools", "list", "--json"], &["--page-size", "0"]);
    let paged = machine.demo(&["tools", "list", "--json"], &["--page-size", "3"]);
    assert_eq!(whole.code, Some(0), "{}", whole.stderr);
    assert_eq!(paged.result(), whole.result());
    assert!(paged.result().get("nextCursor").is_none());
    // The same tools over the older era, and in words for a user.
    let legacy = machine.demo(&["tools", "list", "--json", "--era", "legacy"], &[]);
    assert_eq!(legacy.result()["tools"], whole.result()["tools"]);
    let table = machine.demo(&["tools", "list"], &[]);
    let tools = whole.result()["tools"].as_array().map(Vec::len);
    assert_eq!(Some(table.stdout.lines().count()), tools);
    assert!(!table.stdout.contains('\u{1b}'), "no colours in a pipe");
}

#[test]
fn resources_and_prompts_are_listed_and_read() {
    let machine = Machine::new();
    for (words, expected) in [
        (
            ["resources", "list", "--json"].as_slice(),
            "/resources/0/uri",
        ),
        (
            &["resources", "templates", "--json"],
            "/resourceTemplates/0/uriTemplate",
        ),
        (&["prompts", "list", "--json"], "/prompts/0/name"),
        (&["info", "--json"], "/capabilities/tools"),
    ] {
        let ran = machine.demo(words, &[]);
        assert!(ran.result().pointer(expected).is_some(), "{}", ran.stdout);
    }
    let resources = machine.demo(&["resources", "list", "--json"], &[]).result();
    let uri = resources["resources"][0]["uri"].as_str().expect("a URI");
    let read = machine.demo(&["resources", "read", uri, "--json"], &[]);
    assert_eq!(read.result()["contents"][0]["uri"], uri);
    let prompt = [
        "prompts",
        "get",
        "--json",
        "repository",
        "user=Ada = 1",
        "repository=x",
    ];
    let ran = machine.demo(&prompt, &[]);
    assert!(
        ran.result()["messages"].to_string().contains("Ada = 1"),
        "{}{}",
        ran.stdout,
        ran.stderr
    );
}

#[test]
fn every_way_to_end_has_its_exit_code_and_its_error() {
    let machine = Machine::new();
    let usage = machine.run(&["ping", "unheard-of", "--json"]);
    assert_eq!(usage.code, Some(1));
    assert!(usage.error()["hint"].is_string());
    assert_eq!(machine.run(&["frobnicate", "--json"]).code, Some(1));
    let broken = machine.demo(&["tools", "call", "echo", "{\"a\":", "--json"], &[]);
    assert_eq!(
        (broken.code, &broken.error()["code"]),
        (Some(1), &json!("usage"))
    );

    let unknown = machine.demo(&["tools", "call", "unheard-of", "--json"], &[]);
    assert_eq!(unknown.code, Some(2));
    assert_eq!(unknown.error()["code"], -32602);
    assert_eq!(unknown.stdout, "");

    let failed = machine.demo(&["tools", "call", "add", "a:=1", "b:=x", "--json"], &[]);
    assert_eq!(failed.code, Some(2));
    assert_eq!(failed.result()["isError"], true);
    assert_eq!(failed.error()["code"], "tool_error");

    let url = format!("http://127.0.0.1:{}/mcp", programs::free_port());
    let refused = machine.run(&["ping", &url, "--json"]);
    assert_eq!(
        (refused.code, &refused.error()["code"]),
        (Some(3), &json!("network"))
    );
    let late = machine.demo(
        &["ping", "--connect-timeout", "50", "--json"],
        &["--fault", "hang-initialize"],
    );
    assert_eq!(
        (late.code, &late.error()["code"]),
        (Some(3), &json!("timed_out"))
    );
    let gone = machine.demo(
        &["ping", "--json"],
        &["--fault", "exit", "--exit-code", "7", "--stderr", "no key"],
    );
    assert_eq!(
        (gone.code, &gone.error()["data"]["code"]),
        (Some(3), &json!(7))
    );
    assert_eq!(gone.error()["data"]["stderr"], json!(["no key"]));
}

#[test]
fn a_slow_answer_is_given_up_after_the_time_that_was_set() {
    let machine = Machine::new();
    let words = [
        "--timeout",
        "50",
        "tools",
        "call",
        "--json",
        "sleep",
        "ms:=600000",
    ];
    let ran = machine.demo(&words, &[]);
    assert_eq!(
        (ran.code, &ran.error()["code"]),
        (Some(3), &json!("timed_out"))
    );
}

#[test]
fn a_configured_server_is_reached_by_name_from_its_project() {
    let http = programs::demo_over_http(&[]);
    let machine = Machine::with_servers(json!({
        "by program": { "command": programs::own("sightglass-demo-server"), "args": ["--era", "${ERA:-legacy}"] },
        "by url": { "url": http.url },
        "incomplete": { "command": "${NOT_SET_ANYWHERE}" },
    }));
    let project = machine.path("project");
    let project = project.to_str().expect("a path in UTF-8");
    for name in ["by program", "by url"] {
        let mut command = machine.command(&["--project", project, "ping", name]);
        let ran = ran(command.current_dir("/").output().expect("it starts"));
        assert_eq!(ran.code, Some(0), "{}", ran.stderr);
        assert!(ran.stdout.contains(name), "{}", ran.stdout);
    }
    let listed = machine.run(&["servers", "--json"]).result();
    let names: Vec<&str> = listed["servers"]
        .as_array()
        .into_iter()
        .flatten()
        .filter_map(|server| server["name"].as_str())
        .collect();
    assert_eq!(names, ["by program", "by url", "incomplete"]);
    let ran = machine.run(&["ping", "incomplete", "--json"]);
    assert_eq!(
        (ran.code, &ran.error()["code"]),
        (Some(1), &json!("configuration"))
    );
    assert!(ran.stderr.contains("NOT_SET_ANYWHERE"), "{}", ran.stderr);
}

#[test]
fn phases_and_stderr_are_shown_when_asked_for() {
    let machine = Machine::new();
    let ran = machine.demo(&["ping", "--verbose"], &["--stderr", "a word aside"]);
    assert!(ran.stderr.contains("Handshaking"), "{}", ran.stderr);
    assert!(ran.stderr.contains("a word aside"), "{}", ran.stderr);
    let ran = machine.demo(&["ping"], &["--stderr", "a word aside"]);
    assert_eq!(ran.stderr, "");
}

/// In the order of the wire, with the requests that carried it, and without secrets.
#[test]
fn what_was_exchanged_is_shown_when_asked_for() {
    let machine = Machine::new();
    let call = ["tools", "call", "echo", "message:=hello", "--verbose"];
    let ran = machine.demo(&call, &[]);
    let lines: Vec<&str> = ran.stderr.lines().collect();
    let place = |part: &str| {
        let found = lines.iter().position(|line| line.contains(part));
        found.unwrap_or_else(|| panic!("no {part}: {}", ran.stderr))
    };
    assert!(lines[place("tools/call")].starts_with("→ {\"jsonrpc\""));
    // Pages of the list may still come after it.
    let is_answer = |line: &&str| line.starts_with("← ") && line.contains(r#""text":"hello""#);
    let answer = lines.iter().position(is_answer).expect("an answer");
    assert!(place("tools/call") < answer);
    assert!(place("server/discover") < place("tools/list"));
    assert!(place("tools/list") < place("tools/call"));

    let http = programs::demo_over_http(&["--era", "modern"]);
    let token = "Authorization: Bearer not-to-be-seen";
    let ran = machine.run(&["ping", &http.url, "--verbose", "--json", "--header", token]);
    assert_eq!(ran.code, Some(0), "{}", ran.stderr);
    for part in [
        &format!("POST {}", http.url),
        "  mcp-method: server/discover",
        "  authorization: Bearer •••",
        "HTTP 200",
        "  content-type: ",
    ] {
        assert!(ran.stderr.contains(part), "no {part}: {}", ran.stderr);
    }
    assert!(!ran.stderr.contains("to-be-seen"), "{}", ran.stderr);
}

#[test]
fn nothing_is_left_on_disk() {
    let machine = Machine::new();
    let words = ["tools", "call", "echo", "message:=remember me"];
    assert_eq!(machine.demo(&words, &[]).code, Some(0));
    for name in ["data", "temporary"] {
        let left = std::fs::read_dir(machine.path(name)).expect("readable");
        assert_eq!(left.count(), 0, "in {name}");
    }
}

#[cfg(target_os = "linux")]
#[test]
fn an_interruption_ends_the_server_and_what_it_started() {
    use sightglass_tests::window::Process;

    for signal in [libc::SIGINT, libc::SIGKILL] {
        let machine = Machine::new();
        let mut child = machine
            .command(&["tools", "call", "sleep", "ms:=600000", "--verbose", "--"])
            .arg(programs::own("sightglass-demo-server"))
            .arg("--fork-child")
            .stdout(Stdio::null())
            .stderr(Stdio::piped())
            .spawn()
            .expect("it starts");
        // The last phase before the call.
        let stderr = BufReader::new(child.stderr.take().expect("piped"));
        let mut lines = stderr.lines().map_while(Result::ok);
        assert!(lines.any(|line| line.contains("Listing prompts")));
        let servers: Vec<Process> = started_in(&machine.path("project"))
            .into_iter()
            .filter(|process| process.id != child.id())
            .collect();
        assert!(servers.len() >= 2, "{servers:?}");
        // SAFETY: the process is a child that was not waited for, so its id is its own.
        unsafe { libc::kill(i32::try_from(child.id()).expect("small"), signal) };
        let status = child.wait().expect("it ends");
        if signal == libc::SIGINT {
            assert_eq!(status.code(), Some(130));
        }
        let patience = Instant::now() + Duration::from_secs(30);
        while servers.iter().any(Process::is_running) {
            assert!(Instant::now() < patience, "{servers:?}");
            std::thread::sleep(Duration::from_millis(20));
        }
    }
}

/// The processes whose working directory this is.
#[cfg(target_os = "linux")]
fn started_in(directory: &Path) -> Vec<sightglass_tests::window::Process> {
    let directory = directory.canonicalize().expect("it exists");
    let processes = std::fs::read_dir("/proc").expect("readable").flatten();
    processes
        .filter(|entry| {
            std::fs::read_link(entry.path().join("cwd")).is_ok_and(|found| found == directory)
        })
        .filter_map(|entry| entry.file_name().to_str()?.parse().ok())
        .filter_map(sightglass_tests::window::Process::with_id)
        .collect()
}

#[cfg(unix)]
#[test]
fn a_failure_shows_the_error_and_the_users_own_frame_and_what_was_printed() {
    let machine = Machine::new();
    let trace = "/srv/app/server.js:9\\n\\nError: boom\\n    at inner (/srv/app/node_modules/x.js:1:2)\\n                     at load (/srv/app/server.js:9:4)\\n    at Module (node:internal/modules:1:1)\\n";
    let script = format!("echo 'Listening on 3000'; printf '{trace}' >&2; exit 1");
    let ran = machine.run(&["tools", "list", "--", "sh", "-c", &script]);
    assert_eq!(ran.code, Some(3), "{}", ran.stderr);
    for wanted in [
        "stdout │ Listening on 3000",
        "Error: boom",
        "at load (/srv/app/server.js:9:4)",
    ] {
        assert!(ran.stderr.contains(wanted), "{wanted}: {}", ran.stderr);
    }
    assert!(!ran.stderr.contains("at inner"), "{}", ran.stderr);
    assert!(ran.stderr.contains("2 more frames"), "{}", ran.stderr);
}

#[test]
fn a_failure_over_http_shows_the_body_of_the_answer() {
    let machine = Machine::new();
    let server = programs::faulty(&[]);
    for (path, words) in [
        ("locked", "database is locked"),
        ("forbidden", "Host not allowed"),
    ] {
        let ran = machine.run(&["tools", "list", &format!("{}/{path}", server.url)]);
        assert_eq!(ran.code, Some(3), "{path}: {}", ran.stderr);
        assert!(ran.stderr.contains("body │ "), "{path}: {}", ran.stderr);
        assert!(ran.stderr.contains(words), "{path}: {}", ran.stderr);
    }
}
