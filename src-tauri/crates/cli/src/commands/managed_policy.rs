//! The managed policy holds for every command: what it refuses is neither contacted nor started.

use std::{
    collections::BTreeSet,
    ffi::OsString,
    fmt::Write as _,
    io::{BufRead, BufReader, Read, Write, pipe},
    net::{TcpListener, TcpStream},
    path::Path,
    sync::{
        Arc,
        atomic::{AtomicUsize, Ordering},
    },
    thread,
};

use clap::CommandFactory;
use serde_json::{Value, json};
use sightglass_files::replace;
use sightglass_inspector::{
    ConfirmationMode, Inspector, InspectorOptions, Persistence, Places, ServerId,
};
use sightglass_serve::{NamePatterns, Offer, ServeOptions, ServedServer, Serving, serve_stdio};
use tempfile::TempDir;

use crate::{
    arguments::CliArguments,
    host::{BackgroundCommand, Host},
    kept_sessions::{IdleLimits, KeptSessions},
    options::CommonOptions,
    target::Target,
};

/// The commands that turn to a server, each with the words after the target. `{file}` is a session
/// file.
const TO_SERVERS: [(&str, &str); 28] = [
    ("tools list", ""),
    ("tools get", "echo"),
    ("tools call", "echo"),
    ("tasks list", ""),
    ("tasks status", "id"),
    ("tasks result", "id"),
    ("tasks cancel", "id"),
    ("resources list", ""),
    ("resources templates", ""),
    ("resources read", "test://a"),
    ("resources subscribe", "test://a"),
    ("prompts list", ""),
    ("prompts get", "greet"),
    ("skills list", ""),
    ("skills verify", ""),
    ("ping", ""),
    ("info", ""),
    ("restart", ""),
    ("connect", "@kept"),
    ("doctor", ""),
    ("pin", ""),
    ("drift", ""),
    ("diff --other-era legacy", ""),
    ("lint", ""),
    ("model names", ""),
    ("model tokens", ""),
    ("model schema", ""),
    ("replay {file}", ""),
];

/// Those that need more words than these, or turn to a server of one kind alone.
const MORE_TO_SERVERS: [&str; 8] = [
    "login",
    "conformance",
    "load",
    "test",
    "serve",
    "shell",
    "grep",
    "watch",
];

/// The commands that turn to no server.
const TO_NONE: [&str; 30] = [
    "servers",
    "sessions",
    "close",
    "config show",
    "config explain",
    "config add",
    "config remove",
    "config disable",
    "config enable",
    "config move",
    "config copy",
    "config import",
    "config export",
    "config check",
    "config approve",
    "config trust",
    "config undo",
    "config backups",
    "config restore",
    "rules list",
    "rules check",
    "rules try",
    // Of a grant that there is, it asks the authorization server to revoke it.
    "logout",
    "model rules",
    "check",
    "completions",
    "guide",
    "mock",
    "operations",
    "export",
];

const SESSION: &str = r#"{"v":2,"dir":"meta","format":"sightglass-session","application":"sightglass 0.1.0","ts":1000}
{"v":2,"seq":1,"conn":1,"ts":1000,"dir":"c2s","kind":"request","method":"tools/list","raw":"{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"tools/list\"}"}
"#;

/// A web server that has nothing, and counts who comes.
struct Peer {
    port: u16,
    connections: Arc<AtomicUsize>,
}

impl Peer {
    fn start() -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").expect("loopback has free ports");
        let port = listener.local_addr().expect("bound").port();
        let connections = Arc::<AtomicUsize>::default();
        let counted = Arc::clone(&connections);
        thread::spawn(move || {
            for mut client in listener.incoming().map_while(Result::ok) {
                counted.fetch_add(1, Ordering::SeqCst);
                // One that only looks whether the port is open sends nothing.
                let _ = client.read(&mut [0; 8192]);
                let answer =
                    "HTTP/1.1 404 Not Found\r\ncontent-length: 0\r\nconnection: close\r\n\r\n";
                let _ = client.write_all(answer.as_bytes());
            }
        });
        Self { port, connections }
    }

    fn url(&self) -> String {
        format!("http://127.0.0.1:{}/mcp", self.port)
    }

    /// Counts the connections since the last count. They are taken in their order, so those before
    /// this one are counted once it is answered.
    fn came(&self) -> usize {
        let mut asking = TcpStream::connect(("127.0.0.1", self.port)).expect("it listens");
        asking.write_all(b"GET / HTTP/1.1\r\n\r\n").expect("sent");
        let mut answer = String::new();
        asking.read_to_string(&mut answer).expect("answered");
        self.connections.swap(0, Ordering::SeqCst) - 1
    }
}

/// A machine whose administrator wrote these rules.
struct Machine(TempDir);

impl Machine {
    fn under(rules: &Value) -> Self {
        let machine = Self(TempDir::new().expect("a directory"));
        let managed = if cfg!(target_os = "macos") {
            "system/Library/Application Support/ClaudeCode"
        } else if cfg!(windows) {
            "system/Program Files/ClaudeCode"
        } else {
            "system/etc/claude-code"
        };
        for name in ["home", "project/.sightglass", managed] {
            std::fs::create_dir_all(machine.path().join(name)).expect("created");
        }
        let settings = machine.path().join(managed).join("managed-settings.json");
        replace(&settings, rules.to_string().as_bytes()).expect("written");
        replace(&machine.path().join("session.ndjson"), SESSION.as_bytes()).expect("written");
        machine
    }

    fn path(&self) -> &Path {
        self.0.path()
    }

    fn inspector(&self) -> Arc<Inspector> {
        Inspector::open(InspectorOptions {
            places: Places {
                home: self.path().join("home"),
                project: self.path().join("project"),
            },
            data_directory: self.path().join("data"),
            persistence: Persistence::Nothing,
            lists: Vec::new(),
            demo: None,
            reaper: None,
            environment: Arc::new(|name| (name == "SIGHTGLASS_KEYCHAIN").then(|| "off".into())),
            system_root: self.path().join("system"),
            confirmation: ConfirmationMode::Refuse,
        })
    }

    /// Runs a command. Returns all that came of it, as text.
    async fn run(&self, words: &[String]) -> String {
        let words = std::iter::once("sightglass-cli").chain(words.iter().map(String::as_str));
        let words: Vec<OsString> = words.map(OsString::from).collect();
        let arguments = CliArguments::parse(words).expect("right usage");
        let host = match arguments.is_about_sessions() {
            false => Host::on(self.inspector(), arguments.options),
            true => {
                let (base, limits) = (self.inspector(), IdleLimits::default());
                let data = self.path().join("data");
                let command = BackgroundCommand {
                    sessions: Arc::new(KeptSessions::new(base, data, limits)),
                    words: Vec::new(),
                };
                let options = CommonOptions {
                    project: Some(self.path().join("project")),
                    ..arguments.options
                };
                Host::on_sessions(command, options)
            }
        };
        host.inspector
            .servers
            .folder_trust
            .trust_folder()
            .expect("trusted");
        let ended = arguments.command.run(&host).await;
        host.close().await;
        format!("{ended:?}")
    }

    /// Serves a target to an agent that calls a tool of it. Returns what the agent is told.
    async fn serve(&self, url: &str) -> String {
        const MESSAGES: &str = concat!(
            r#"{"jsonrpc":"2.0","id":1,"method":"initialize","params":{}}"#,
            "\n",
            r#"{"jsonrpc":"2.0","id":2,"method":"tools/call","params":{"name":"echo"}}"#,
        );
        let options = CliArguments::parse(vec!["sightglass-cli".into(), "servers".into()]);
        let host = Host::on(self.inspector(), options.expect("right usage").options);
        let target = Target::of(url.to_owned());
        let (id, spec) = match host.add_ad_hoc_server(&target).await {
            Ok((id, spec)) => (id, Some(spec)),
            Err(_) => (ServerId::named_on_command_line(url), None),
        };
        let server = ServedServer {
            id,
            name: "served".to_owned(),
            spec,
        };
        let options = ServeOptions {
            offer: Offer::Server(Box::new(server)),
            patterns: NamePatterns::default(),
            max_characters: None,
        };
        let serving = Serving::open(&host.inspector, options);
        let (input, mut agent) = pipe().expect("a pipe");
        let (told, output) = pipe().expect("a pipe");
        let served = tokio::spawn(async move { serve_stdio(&serving, input, output).await });
        writeln!(agent, "{MESSAGES}").expect("read");
        let reading = tokio::task::spawn_blocking(move || {
            let lines = BufReader::new(told).lines().map_while(Result::ok);
            let _agent = agent;
            lines.take(2).collect::<Vec<_>>().join("\n")
        });
        let told = reading.await.expect("read");
        served.await.expect("it ends").expect("served");
        host.close().await;
        told
    }

    /// The words of a command line for this target.
    fn words(&self, command: &str, target: &[String], rest: &str) -> Vec<String> {
        let file = self.path().join("session.ndjson").display().to_string();
        let command = command.split(' ').map(|word| word.replace("{file}", &file));
        let rest = rest.split(' ').filter(|word| !word.is_empty());
        let rest = rest.map(str::to_owned);
        match target {
            [url] => command.chain([url.clone()]).chain(rest).collect(),
            program => {
                let program = program.iter().cloned();
                let program = std::iter::once("--".to_owned()).chain(program);
                command.chain(rest).chain(program).collect()
            }
        }
    }
}

/// The names of all commands that do something themselves.
fn names(command: &clap::Command, before: &str, found: &mut BTreeSet<String>) {
    for one in command.get_subcommands() {
        let name = format!("{before}{}", one.get_name());
        match one.has_subcommands() {
            true => names(one, &format!("{name} "), found),
            false => drop(found.insert(name)),
        }
    }
}

/// Commands with the words after a target.
fn commands() -> Vec<(&'static str, &'static str)> {
    let loading = ("load --rps 1 --duration 1s", "echo");
    let more = [("conformance", ""), loading];
    TO_SERVERS.into_iter().chain(more).collect()
}

#[test]
fn every_command_is_known_to_turn_to_servers_or_not() {
    let mut found = BTreeSet::new();
    names(&CliArguments::command(), "", &mut found);
    let without_options = |(command, _): (&'static str, _)| {
        let words = command.split(' ');
        let words = words.take_while(|word| !word.starts_with(['-', '{']));
        words.collect::<Vec<_>>().join(" ")
    };
    let to_servers = TO_SERVERS.into_iter().map(without_options);
    let others = MORE_TO_SERVERS.into_iter().chain(TO_NONE);
    let known: BTreeSet<String> = to_servers.chain(others.map(str::to_owned)).collect();
    assert_eq!(
        found, known,
        "a command is missing in the lists of this file"
    );
}

#[tokio::test(flavor = "multi_thread")]
async fn no_command_contacts_an_address_that_the_policy_denies() {
    let peer = Peer::start();
    let rule = json!([{ "serverUrl": "http://127.0.0.1:*/*" }]);
    let allowing = Machine::under(&json!({ "allowedMcpServers": rule }));
    let denying = Machine::under(&json!({ "deniedMcpServers": rule }));
    let mut wrong = String::new();
    for (command, rest) in commands().into_iter().chain([("login --manual", "")]) {
        let words = allowing.words(command, &[peer.url()], rest);
        let shown = allowing.run(&words).await;
        if peer.came() == 0 {
            writeln!(wrong, "{command} contacts nothing that is allowed: {shown}")
                .expect("written");
        }
        let words = denying.words(command, &[peer.url()], rest);
        let shown = denying.run(&words).await;
        if peer.came() > 0 || !shown.contains("deniedMcpServers") {
            writeln!(wrong, "{command} is not refused: {shown}").expect("written");
        }
    }
    let shown = allowing.serve(&peer.url()).await;
    assert!(
        peer.came() > 0,
        "serve contacts nothing that is allowed: {shown}"
    );
    let shown = denying.serve(&peer.url()).await;
    assert_eq!(peer.came(), 0, "{shown}");
    assert!(
        shown.contains("deniedMcpServers"),
        "serve is not refused: {shown}"
    );
    let logout = denying.words("logout", &[peer.url()], "");
    let shown = denying.run(&logout).await;
    assert_eq!(peer.came(), 0, "{shown}");
    assert!(wrong.is_empty(), "{wrong}");
}

#[cfg(unix)]
#[tokio::test(flavor = "multi_thread")]
async fn no_command_starts_a_program_that_the_policy_denies() {
    let directory = TempDir::new().expect("a directory");
    let marker = directory.path().join("started");
    let program = ["sh", "-c", &format!("touch '{}'", marker.display())].map(str::to_owned);
    let rule = json!([{ "serverCommand": program }]);
    let allowing = Machine::under(&json!({ "allowedMcpServers": rule }));
    let denying = Machine::under(&json!({ "deniedMcpServers": rule }));
    let mut wrong = String::new();
    for (command, rest) in commands() {
        let shown = allowing.run(&allowing.words(command, &program, rest)).await;
        if std::fs::remove_file(&marker).is_err() {
            writeln!(wrong, "{command} starts nothing that is allowed: {shown}").expect("written");
        }
        let shown = denying.run(&denying.words(command, &program, rest)).await;
        if marker.exists() || !shown.contains("deniedMcpServers") {
            writeln!(wrong, "{command} is not refused: {shown}").expect("written");
        }
    }
    assert!(wrong.is_empty(), "{wrong}");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_request_file_contacts_no_address_that_the_policy_denies() {
    let peer = Peer::start();
    let rule = json!([{ "serverUrl": "http://127.0.0.1:*/*" }]);
    for (list, comes) in [("allowedMcpServers", true), ("deniedMcpServers", false)] {
        let machine = Machine::under(&json!({ list: rule }));
        let requests = machine.inspector().tests.files.requests_directory();
        std::fs::create_dir_all(&requests).expect("created");
        let text = format!(
            "format = 1\nmethod = \"ping\"\n[server]\nurl = \"{}\"\n",
            peer.url()
        );
        replace(&requests.join("one.toml"), text.as_bytes()).expect("written");
        let words = ["test", "--approve"].map(str::to_owned);
        let shown = machine.run(&words).await;
        assert_eq!(peer.came() > 0, comes, "{shown}");
    }
}
