//! Sessions: connections that outlive a command.

use std::{
    fs,
    io::{BufRead, BufReader, Read, Write},
    os::unix::{
        fs::{PermissionsExt, symlink},
        net::UnixStream,
    },
    path::Path,
    process::{Command, Stdio},
    time::{Duration, Instant},
};

use serde_json::{Value, json};
use sightglass_control::{ControlDirectory, listen};
use sightglass_inspector::TrafficQuery;
use sightglass_tests::{oidc::Guarded, programs, window::Process, wiretap::Wiretap};
use sightglass_traffic::Recorder;

use super::{Machine, Ran, ran, started_in};
use crate::pages::arguments;

/// A machine whose background process ends with it.
struct SessionMachine(Machine);

impl std::ops::Deref for SessionMachine {
    type Target = Machine;

    fn deref(&self) -> &Machine {
        &self.0
    }
}

impl Drop for SessionMachine {
    fn drop(&mut self) {
        self.0.run(&["close", "--all"]);
    }
}

impl SessionMachine {
    fn new() -> Self {
        Self(Machine::new())
    }

    /// A machine with the demo server as the session `@demo`.
    fn with_demo() -> Self {
        let machine = Self::new();
        let connected = machine.demo(&["connect", "@demo"], &[]);
        assert_eq!(connected.code, Some(0), "{}", connected.stderr);
        machine
    }

    /// The background processes.
    fn background(&self) -> Vec<Process> {
        let directory = self.path("data/background");
        let mut found = started_in(&directory);
        found.retain(|process| process.command_line.contains("keep-sessions"));
        found
    }

    /// A session as it is listed.
    fn listed(&self, name: &str) -> Value {
        let listed = self.run(&["sessions", "--json"]).result();
        let sessions = listed["sessions"].as_array().expect("a list").clone();
        let found = sessions.into_iter().find(|one| one["name"] == name);
        found.unwrap_or_else(|| panic!("no {name} in {listed}"))
    }

    fn server(&self) -> Process {
        let id = self.listed("@demo")["process"].as_u64().expect("a program");
        Process::with_id(u32::try_from(id).expect("small")).expect("it runs")
    }

    /// Runs the command that a list shows for a session.
    fn recover(&self, name: &str) -> Ran {
        let recovery = self.listed(name)["recovery"].clone();
        let recovery = recovery.as_str().expect("a command").to_owned();
        assert!(recovery.starts_with("sightglass-cli "), "{recovery}");
        let words = arguments(&recovery);
        self.run(&words.iter().map(String::as_str).collect::<Vec<_>>())
    }
}

/// Waits for a state.
fn eventually(what: &str, is_so: impl Fn() -> bool) {
    let patience = Instant::now() + Duration::from_secs(60);
    while !is_so() {
        assert!(Instant::now() < patience, "{what} never came");
        std::thread::sleep(Duration::from_millis(20));
    }
}

fn send(process: &Process, signal: i32) {
    let id = i32::try_from(process.id).expect("small");
    // SAFETY: a signal to a process that this story started.
    assert_eq!(unsafe { libc::kill(id, signal) }, 0);
}

fn ended(what: &str, processes: &[Process]) {
    eventually(what, || !processes.iter().any(Process::is_running));
}

#[test]
fn commands_use_one_connection_until_it_is_closed() {
    let machine = SessionMachine::with_demo();
    let server = machine.server();
    let call = [
        "@demo",
        "tools",
        "call",
        "echo_arguments",
        "n:=1.50",
        "--json",
    ];
    assert_eq!(
        machine.run(&call).result()["content"][0]["text"],
        r#"{"n":1.50}"#
    );
    // What one command changed in the server, the next one sees.
    let before = machine.run(&["@demo", "tools", "list", "--json"]).result();
    let changed = machine.run(&["@demo", "tools", "call", "change_tools", "{}"]);
    assert_eq!(changed.code, Some(0), "{}", changed.stderr);
    let count = |listed: &Value| listed["tools"].as_array().map(Vec::len);
    eventually("the new list", || {
        let after = machine.run(&["@demo", "tools", "list", "--json"]).result();
        count(&after) != count(&before)
    });
    for words in [
        &["@demo", "ping"][..],
        &["@demo", "info"],
        &["@demo", "resources", "list"],
        &["@demo", "prompts", "list"],
        &["--json", "@demo", "tools", "get", "echo"],
    ] {
        let ran = machine.run(words);
        assert_eq!(ran.code, Some(0), "{words:?}: {}", ran.stderr);
        assert!(!ran.stdout.is_empty());
        assert!(!ran.stdout.contains('\u{1b}'), "no colours in a pipe");
    }
    assert_eq!(machine.server(), server);
    let listed = machine.listed("@demo");
    assert_eq!(
        (&listed["state"], &listed["recovery"]),
        (&json!("live"), &Value::Null)
    );

    // Arguments come from standard input, and a result is as long as it is.
    let mut child = machine
        .command(&["@demo", "tools", "call", "echo_arguments", "--json"])
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .expect("it starts");
    let long = json!({ "text": "é".repeat(700_000) }).to_string();
    let mut stdin = child.stdin.take().expect("piped");
    stdin.write_all(long.as_bytes()).expect("read");
    drop(stdin);
    let echoed = ran(child.wait_with_output().expect("it ends"));
    assert_eq!(echoed.result()["content"][0]["text"], long);

    let restarted = machine.run(&["restart", "@demo"]);
    assert_eq!(restarted.code, Some(0), "{}", restarted.stderr);
    assert_ne!(machine.server(), server);
    let server = machine.server();
    assert_eq!(
        machine.run(&["close", "@demo", "--json"]).result()["closed"],
        json!(["@demo"])
    );
    ended("its end", &[server]);
    let gone = machine.run(&["@demo", "ping", "--json"]);
    assert_eq!(gone.code, Some(1));
    assert!(
        gone.error()["hint"]
            .to_string()
            .contains("connect TARGET @demo")
    );
}

#[test]
fn what_makes_no_sense_on_a_session_is_refused() {
    let machine = SessionMachine::with_demo();
    for (words, told) in [
        (&["@demo", "servers"][..], "cannot run on @demo"),
        (
            &["@demo", "tools", "list", "--era", "modern"],
            "--era counts when",
        ),
        (&["@demo", "tools", "list", "--", "x"], "@demo"),
        (&["connect", "x"], "has no name"),
        (&["connect", "x", "demo"], "no name of a session"),
        (&["tools", "list", "@demo"], "@demo"),
        (&["close"], "@NAME"),
        (&["close", "@nobody"], "There is no session @nobody"),
    ] {
        let refused = machine.run(words);
        assert_eq!(
            refused.code,
            Some(1),
            "{words:?}: {}{}",
            refused.stdout,
            refused.stderr
        );
        assert!(
            refused.stderr.contains(told),
            "{words:?}: {}",
            refused.stderr
        );
    }
    let twice = machine.demo(&["connect", "@demo"], &[]);
    assert_eq!(twice.code, Some(1));
    assert!(twice.stderr.contains("close @demo"), "{}", twice.stderr);
    // The hint of a refusal on a session names the session.
    let unnamed = machine.run(&["@demo", "tools", "call", "--json"]);
    let hint = unnamed.error()["hint"].to_string();
    assert!(hint.contains("sightglass-cli @demo tools list"), "{hint}");
    let destructive = ["@demo", "tools", "call", "annotated", "{}", "--json"];
    assert_eq!(machine.run(&destructive).code, Some(1));
    let agreed = machine.run(&[&destructive[..], &["--confirm-calls"]].concat());
    assert_eq!(agreed.code, Some(0), "{}", agreed.stderr);
}

#[test]
fn a_server_that_crashes_is_told_and_comes_back() {
    let machine = SessionMachine::with_demo();
    let server = machine.server();
    send(&server, libc::SIGKILL);
    eventually("its end", || {
        machine.listed("@demo")["process"] != json!(server.id)
    });
    // Whoever asks meanwhile waits for it.
    let ping = machine.run(&["@demo", "ping"]);
    assert_eq!(ping.code, Some(0), "{}", ping.stderr);
    assert_ne!(machine.server(), server);
}

#[test]
fn a_server_that_cannot_start_again_is_told_until_it_can() {
    let machine = SessionMachine::new();
    let script = machine.path("server.sh");
    let program = programs::own("sightglass-demo-server");
    let text = format!("exec {}\n", program.display());
    fs::write(&script, &text).expect("written");
    let path = script.display().to_string();
    let connected = machine.run(&["connect", "@demo", "--", "sh", &path]);
    assert_eq!(connected.code, Some(0), "{}", connected.stderr);
    let server = machine.server();
    fs::remove_file(&script).expect("removed");
    send(&server, libc::SIGKILL);
    eventually("the crash", || {
        let listed = machine.listed("@demo");
        listed["state"] == "crashed" && listed["nextTry"].is_null()
    });
    let listed = machine.run(&["sessions"]);
    assert!(listed.stdout.contains("crashed"), "{}", listed.stdout);
    assert!(
        listed.stdout.contains("`sightglass-cli restart @demo`"),
        "{}",
        listed.stdout
    );
    let still = machine.run(&["@demo", "ping", "--json"]);
    assert_eq!(still.code, Some(3), "{}", still.stderr);
    assert!(
        still.error()["hint"]
            .to_string()
            .contains("Each command on @demo")
    );
    fs::write(&script, &text).expect("written");
    let recovered = machine.recover("@demo");
    assert_eq!(recovered.code, Some(0), "{}", recovered.stderr);
    assert_eq!(machine.listed("@demo")["state"], "live");
}

#[test]
fn a_sign_in_that_is_gone_is_told_with_the_command_that_makes_it() {
    let guarded = Guarded::start();
    let machine = SessionMachine::new();
    let login = machine.run(&["login", guarded.url()]);
    assert_eq!(login.code, Some(0), "{}", login.stderr);
    let connected = machine.run(&["connect", guarded.url(), "@work"]);
    assert_eq!(connected.code, Some(0), "{}", connected.stderr);
    let whoami = ["@work", "tools", "call", "whoami", "{}", "--json"];
    assert_eq!(machine.run(&whoami).code, Some(0));
    let logout = machine.run(&["logout", guarded.url()]);
    assert_eq!(logout.code, Some(0), "{}", logout.stderr);
    let refused = machine.run(&whoami);
    assert_eq!(refused.code, Some(4), "{}", refused.stderr);
    eventually("the state", || {
        machine.listed("@work")["state"] == "unauthorized"
    });
    let recovered = machine.recover("@work");
    assert_eq!(recovered.code, Some(0), "{}", recovered.stderr);
    let again = machine.run(&whoami);
    assert_eq!(again.code, Some(0), "{}", again.stderr);
}

#[test]
fn a_question_of_the_server_is_declined_and_told() {
    let machine = SessionMachine::with_demo();
    let asked = machine.run(&["@demo", "tools", "call", "ask_elicitation", "{}"]);
    assert_eq!(asked.code, Some(0), "{}", asked.stderr);
    assert!(
        asked
            .stderr
            .contains("which was declined; a rule can answer it"),
        "{}",
        asked.stderr
    );
    let quiet = machine.run(&["@demo", "tools", "call", "ask_elicitation", "{}", "--json"]);
    assert_eq!(
        quiet.result()["structuredContent"]["answer"]["action"],
        "decline"
    );
    assert_eq!(quiet.stderr, "");
}

#[test]
fn an_interruption_cancels_the_call_and_not_the_session() {
    let machine = SessionMachine::new();
    let tap = Wiretap::new();
    let program = programs::own("sightglass-demo-server");
    let entry = tap.around(program.to_str().expect("a path"), &[]);
    let arguments = entry["args"].as_array().expect("arguments");
    let mut words = vec!["connect", "@demo", "--era", "legacy", "--", "sh"];
    words.extend(arguments.iter().map(|word| word.as_str().expect("a word")));
    let connected = machine.run(&words);
    assert_eq!(connected.code, Some(0), "{}", connected.stderr);
    let call = ["@demo", "tools", "call", "sleep", "ms:=600000"];
    let child = machine
        .command(&call)
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .expect("it starts");
    let sent = |text: &str| tap.lines("sent").iter().any(|line| line.contains(text));
    eventually("the call", || sent("\"sleep\""));
    assert!(!sent("notifications/cancelled"));
    send(
        &Process::with_id(child.id()).expect("it runs"),
        libc::SIGINT,
    );
    let interrupted = ran(child.wait_with_output().expect("it ends"));
    assert_eq!(interrupted.code, Some(130), "{}", interrupted.stderr);
    eventually("the cancellation", || sent("notifications/cancelled"));
    // The same when the command is killed.
    let mut child = machine.command(&call).spawn().expect("it starts");
    let count = |text: &str| {
        let lines = tap.lines("sent");
        lines.iter().filter(|line| line.contains(text)).count()
    };
    eventually("the second call", || count("\"sleep\"") == 2);
    child.kill().expect("killed");
    child.wait().expect("it ends");
    eventually("its cancellation", || count("notifications/cancelled") == 2);
    assert_eq!(machine.run(&["@demo", "ping"]).code, Some(0));
    assert_eq!(machine.listed("@demo")["state"], "live");
}

#[test]
fn commands_that_come_first_at_once_start_one_process() {
    let machine = SessionMachine::new();
    let program = programs::own("sightglass-demo-server");
    let names = ["@a", "@b", "@c", "@d"];
    let children = names.map(|name| {
        machine
            .command(&["connect", name, "--"])
            .arg(&program)
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .expect("it starts")
    });
    for child in children {
        let connected = ran(child.wait_with_output().expect("it ends"));
        assert_eq!(connected.code, Some(0), "{}", connected.stderr);
    }
    for name in names {
        assert_eq!(machine.listed(name)["state"], "live");
    }
    eventually("one process", || machine.background().len() == 1);
}

#[test]
fn a_killed_background_process_leaves_nothing_and_loses_nothing() {
    let machine = SessionMachine::with_demo();
    let call = [
        "@demo",
        "tools",
        "call",
        "echo",
        "message:=before",
        "--json",
    ];
    assert_eq!(machine.run(&call).code, Some(0));
    let record = machine.path("data/background/record");
    let recorded = || {
        let record = Recorder::open_read_only(&record).expect("a record");
        let page = record
            .page(&TrafficQuery::default(), 0, 1000)
            .expect("read");
        page.rows.iter().filter(|row| row.target == "echo").count()
    };
    eventually("the call on record", || recorded() == 1);
    let mut processes = machine.background();
    let [background] = &processes[..] else {
        panic!("{processes:?}");
    };
    send(background, libc::SIGKILL);
    processes.extend(started_in(&machine.path("project")));
    processes.extend(started_in(&machine.path("data/background")));
    ended("the end of all", &processes);
    assert_eq!(recorded(), 1);
    assert_eq!(machine.listed("@demo")["state"], "disconnected");
    let next = machine.run(&["@demo", "tools", "call", "echo", "message:=after"]);
    assert_eq!(next.code, Some(0), "{}", next.stderr);
    assert!(
        next.stderr.contains("ended without closing its sessions"),
        "{}",
        next.stderr
    );
    let after = machine.run(&["@demo", "ping"]);
    assert_eq!((after.code, after.stderr.as_str()), (Some(0), ""));
    eventually("both calls on record", || recorded() == 2);
}

#[test]
fn what_nobody_uses_ends_and_is_connected_again_when_it_is_used() {
    let machine = SessionMachine::new();
    let program = programs::own("sightglass-demo-server");
    let connect = ["connect", "@demo", "--"];
    let connected = machine
        .command(&connect)
        .arg(&program)
        .env("SIGHTGLASS_IDLE_MS", "1")
        .output();
    let connected = ran(connected.expect("it starts"));
    assert_eq!(connected.code, Some(0), "{}", connected.stderr);
    eventually("its end", || {
        machine.background().is_empty() && started_in(&machine.path("project")).is_empty()
    });
    let listed = machine.run(&["sessions"]);
    assert!(listed.stdout.contains("disconnected"), "{}", listed.stdout);
    assert!(machine.background().is_empty(), "a list starts nothing");
    let recovered = machine.recover("@demo");
    assert_eq!((recovered.code, recovered.stderr.as_str()), (Some(0), ""));
    assert_eq!(machine.listed("@demo")["state"], "live");
}

#[test]
fn what_may_hold_a_secret_is_not_kept_on_the_disk() {
    let machine = SessionMachine::new();
    let words = ["connect", "@demo", "--env", "KEY=CANARY-session-0001"];
    let connected = machine.demo(&words, &[]);
    assert_eq!(connected.code, Some(0), "{}", connected.stderr);
    let kept = fs::read_to_string(machine.path("data/background/sessions.json")).expect("kept");
    assert!(kept.contains("@demo") && !kept.contains("CANARY"), "{kept}");
    let background = machine.background();
    send(&background[0], libc::SIGKILL);
    ended("its end", &background);
    let refused = machine.run(&["@demo", "ping", "--json"]);
    assert_eq!(refused.code, Some(1), "{}", refused.stderr);
    let hint = refused.error()["hint"].to_string();
    assert!(hint.contains("Connect it again"), "{hint}");
}

#[test]
fn a_variable_is_that_of_the_command_that_connects() {
    let machine = SessionMachine::with_demo();
    let program = programs::own("sightglass-demo-server");
    let entry = json!({ "command": program, "env": { "SHOWN": "${OF_THE_COMMAND}" } });
    let servers = json!({ "mcpServers": { "own": entry } }).to_string();
    fs::write(machine.path("home/.claude/.mcp.json"), servers).expect("written");
    let connected = machine
        .command(&["connect", "own", "@own"])
        .env("OF_THE_COMMAND", "from here")
        .output();
    let connected = ran(connected.expect("it starts"));
    assert_eq!(connected.code, Some(0), "{}", connected.stderr);
    let asked = r#"{"show_values": true, "names": ["SHOWN"]}"#;
    let shown = machine.run(&["@own", "tools", "call", "environment", asked, "--json"]);
    assert_eq!(shown.code, Some(0), "{}", shown.stderr);
    let variables = &shown.result()["structuredContent"]["variables"];
    assert_eq!(variables["SHOWN"], "from here");
}

#[test]
fn a_place_that_others_can_reach_is_refused() {
    let machine = SessionMachine::new();
    let run = machine.path("data/background/run");
    fs::create_dir_all(machine.path("data/background")).expect("made");
    let elsewhere = machine.path("elsewhere");
    fs::create_dir(&elsewhere).expect("made");
    let refused = |told: &str| {
        let refused = machine.demo(&["connect", "@demo", "--json"], &[]);
        assert_eq!(refused.code, Some(1), "{}", refused.stderr);
        let message = refused.error()["message"].to_string();
        assert!(message.contains(told), "{message}");
        assert!(machine.background().is_empty());
    };
    symlink(&elsewhere, &run).expect("linked");
    refused("it is a link");
    assert_eq!(fs::read_dir(&elsewhere).expect("there").count(), 0);
    fs::remove_file(&run).expect("removed");
    fs::create_dir(&run).expect("made");
    fs::set_permissions(&run, fs::Permissions::from_mode(0o770)).expect("set");
    refused("other users can enter it or write to it");
    fs::remove_dir(&run).expect("removed");

    // A runtime directory that is not the user's alone is not used.
    fs::set_permissions(&elsewhere, fs::Permissions::from_mode(0o777)).expect("set");
    let connect = |runtime: &Path| {
        let program = programs::own("sightglass-demo-server");
        let mut command = machine.command(&["connect", "@demo", "--"]);
        let output = command
            .arg(program)
            .env("XDG_RUNTIME_DIR", runtime)
            .output();
        ran(output.expect("it starts"))
    };
    let connected = connect(&elsewhere);
    assert_eq!(connected.code, Some(0), "{}", connected.stderr);
    assert_eq!(fs::read_dir(&elsewhere).expect("there").count(), 0);
    assert!(run.join("socket").exists());
}

#[test]
fn whoever_does_not_know_the_token_gets_no_word() {
    let machine = SessionMachine::with_demo();
    let run = machine.path("data/background/run");
    for name in ["socket", "token", "lock"] {
        let mode = fs::metadata(run.join(name))
            .expect("there")
            .permissions()
            .mode();
        assert_eq!(mode & 0o777, 0o600, "{name}");
    }
    let framed = |text: &str| {
        let length = u32::try_from(text.len()).expect("short").to_be_bytes();
        [&length[..], text.as_bytes()].concat()
    };
    let hello = framed(r#"{"type":"hello","version":"0.1.0"}"#);
    let list = framed(
        r#"{"type":"command","words":["sessions"],"directory":"/","environment":[],
            "terminal":{"width":null,"hasInput":false,"isInteractive":false}}"#,
    );
    let wrong = framed(r#"{"token":"0000"}"#);
    for first in [wrong, Vec::new(), u32::MAX.to_be_bytes().to_vec()] {
        let mut stream = UnixStream::connect(run.join("socket")).expect("connected");
        // It may be closed before all of it was sent.
        let _ = stream.write_all(&[first, hello.clone(), list.clone()].concat());
        let mut answer = Vec::new();
        let _ = stream.read_to_end(&mut answer);
        assert_eq!(answer, b"");
    }
    assert_eq!(machine.run(&["@demo", "ping"]).code, Some(0));
}

/// Plays a background process of another version, until it is told to end.
fn other_version(machine: &Machine, sessions: usize) -> std::thread::JoinHandle<()> {
    let directory = ControlDirectory::within(&machine.path("data/background"));
    fs::create_dir_all(machine.path("data/background")).expect("made");
    let (ready, is_ready) = std::sync::mpsc::channel();
    let playing = std::thread::spawn(move || {
        let runtime = tokio::runtime::Runtime::new().expect("a runtime");
        runtime.block_on(async {
            let mut listener = listen(&directory).expect("it listens");
            ready.send(()).expect("awaited");
            loop {
                let incoming = listener.accept().await.expect("of this user");
                let (reader, mut writer) = incoming.admit().await.expect("known");
                let mut messages = reader.receive::<Value>();
                while let Some(Ok(message)) = messages.recv().await {
                    match message["type"].as_str() {
                        Some("hello") => {
                            let hello = json!({
                                "type": "hello", "version": "0.0.1", "process": 1,
                                "sessions": sessions,
                            });
                            writer.send(&hello).await.expect("sent");
                        }
                        Some("end") => return,
                        _ => panic!("{message}"),
                    }
                }
            }
        });
    });
    is_ready.recv().expect("it listens");
    playing
}

#[test]
fn a_background_process_of_another_version_is_told_and_replaced() {
    let machine = SessionMachine::new();
    let older = other_version(&machine, 1);
    let refused = machine.demo(&["connect", "@demo", "--json"], &[]);
    assert_eq!(refused.code, Some(1), "{}", refused.stderr);
    let error = refused.error();
    assert!(
        error["message"].to_string().contains("version 0.0.1"),
        "{error}"
    );
    assert!(error["hint"].to_string().contains("close --all"), "{error}");
    let closed = machine.run(&["close", "--all"]);
    assert_eq!(closed.code, Some(0), "{}", closed.stderr);
    older.join().expect("it ended");

    let older = other_version(&machine, 0);
    let connected = machine.demo(&["connect", "@demo"], &[]);
    assert_eq!(connected.code, Some(0), "{}", connected.stderr);
    assert!(
        connected.stderr.contains("was of version 0.0.1"),
        "{}",
        connected.stderr
    );
    older.join().expect("it ended");
    assert_eq!(machine.listed("@demo")["state"], "live");
}

#[test]
fn what_happens_on_a_session_is_narrated_from_now_on() {
    let machine = SessionMachine::with_demo();
    assert_eq!(machine.run(&["@demo", "ping"]).code, Some(0));
    let mut child: Command = machine.command(&["@demo", "tools", "call", "echo", "message:=hi"]);
    let child = child
        .arg("--verbose")
        .stdout(Stdio::null())
        .stderr(Stdio::piped())
        .spawn();
    let mut child = child.expect("it starts");
    let stderr = BufReader::new(child.stderr.take().expect("piped"));
    let told: Vec<String> = stderr.lines().map_while(Result::ok).collect();
    assert_eq!(child.wait().expect("it ends").code(), Some(0));
    assert!(
        told.iter().any(|line| line.contains("tools/call")),
        "{told:?}"
    );
    assert!(
        !told.iter().any(|line| line.contains("tools/list")),
        "{told:?}"
    );
}
