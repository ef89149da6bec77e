//! A secret in every place where a user may write one, on every transport, with servers that
//! repeat what they are given in every spelling, and a search for it in everything that was
//! written and told.

use std::{
    io::{BufRead, BufReader},
    path::PathBuf,
    process::{Child, Command, Stdio},
    sync::{Arc, Mutex},
};

use serde_json::json;
use sightglass_inspector::{
    Client, ExchangeKind, SignInRequest, Target, TokenAction,
    view::{ChosenServer, CopyForm, ExportRequest},
};
use sightglass_tests::{
    Environment, TestHost,
    leaks::{self, Written, leaks},
    programs::{self, free_port},
    scripted::{Fault, REGISTERED_SECRET, Scripted},
    user::User,
};

/// In each a character that is escaped in JSON, in HTML-safe JSON and in URLs.
const ARGUMENT: &str = "canary-0f-an-argument+k/A<x";
const EQUALS: &str = "canary-0f-a-flag+k/B<x";
const HEADER_ARGUMENT: &str = "canary-0f-a-header-argument+k/C<x";
const ENVIRONMENT: &str = "canary-0f-a-plain-variable+k/D<x";
const EXPANDED: &str = "canary-0f-an-expanded-variable+k/E<x";
const DIRECTORY: &str = "c4n4ry0fd1r3ct0ry7k8m9z2";
const QUERY: &str = "canary-0f-a-query+k/F<x";
const USER: &str = "canary-0f-a-user+k";
const PATH: &str = "c4n4ry0f4p4th7k8m9z2";
const HEADER: &str = "canary-0f-a-plain-header+k/G<x";
const PASSWORD: &str = "canary-0f-a-password+k/H<x";
const PIN: &str = "canary-0f-a-pin+k/I<x";
const SESSION: &str = "session-of-the-canaries-0123";

const ALL: [&str; 13] = [
    ARGUMENT,
    EQUALS,
    HEADER_ARGUMENT,
    ENVIRONMENT,
    EXPANDED,
    DIRECTORY,
    QUERY,
    USER,
    PATH,
    HEADER,
    PASSWORD,
    PIN,
    SESSION,
];

fn echoing() -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("support/echoing.py")
}

/// The server over HTTP, which ends with the story.
struct Server {
    child: Child,
    port: u16,
}

impl Server {
    fn start() -> Self {
        let port = free_port();
        let mut child = Command::new("python3")
            .arg(echoing())
            .args(["http", &port.to_string()])
            .stdout(Stdio::piped())
            .spawn()
            .expect("Python");
        let mut line = String::new();
        BufReader::new(child.stdout.take().expect("piped"))
            .read_line(&mut line)
            .expect("it says that it listens");
        Self { child, port }
    }

    /// The URL of one of its transports, with a canary in each part.
    fn url(&self, scheme: &str, end: &str) -> String {
        let query: String = url::form_urlencoded::byte_serialize(QUERY.as_bytes()).collect();
        let port = self.port;
        format!("{scheme}://someone:{USER}@127.0.0.1:{port}/{PATH}/{end}?api_key={query}")
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        // It may have ended by itself.
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// The spellings that the search of all stories does not know, and parts of the canaries that
/// a line break would leave.
fn more_spellings() -> Vec<String> {
    let escaped = |secret: &&str, upper: bool| -> String {
        let escape = |character: char| match upper {
            true => format!("\\u{:04X}", u32::from(character)),
            false => format!("\\u{:04x}", u32::from(character)),
        };
        secret.chars().map(escape).collect()
    };
    let html = |secret: &&str| secret.replace('+', "\\u002B").replace('<', "\\u003C");
    let slash = |secret: &&str| secret.replace('/', "\\/");
    let percent = |secret: &&str| {
        let text: String = url::form_urlencoded::byte_serialize(secret.as_bytes()).collect();
        text.replace("%2B", "%2b")
            .replace("%2F", "%2f")
            .replace("%3C", "%3c")
    };
    ALL.iter()
        .flat_map(|secret| {
            [
                escaped(secret, false),
                escaped(secret, true),
                html(secret),
                slash(secret),
                percent(secret),
                secret[..secret.len() - 9].to_owned(),
            ]
        })
        // The beginnings of the short ones are those of others too.
        .filter(|spelling| spelling.len() >= 16)
        .collect()
}

/// Everything that is told from now on.
fn listen(host: &TestHost) -> Arc<Mutex<Vec<Written>>> {
    let told = Arc::<Mutex<Vec<Written>>>::default();
    let mut facts = host.inspector.subscribe();
    let kept = Arc::clone(&told);
    tokio::spawn(async move {
        while let Some(batch) = facts.next_batch().await {
            let text = serde_json::to_vec(&batch).expect("facts are JSON");
            let mut kept = kept.lock().expect("no panic under it");
            kept.push(("a fact".to_owned(), text));
        }
    });
    told
}

/// Every row of the record, in every form in which it is handed on.
async fn copied(host: &TestHost, kinds: &[ExchangeKind]) -> Vec<Written> {
    let mut written = Vec::new();
    for row in host.traffic("", kinds).await {
        for form in [CopyForm::Json, CopyForm::Curl] {
            // What did not travel over HTTP is no curl command.
            if let Ok(text) = host
                .inspector
                .record
                .reader
                .copy_exchange(None, row.id, form)
                .await
            {
                let place = format!("exchange {} as {form:?}", row.id);
                written.push((place, text.into_bytes()));
            }
        }
    }
    written
}

fn json(value: &impl serde::Serialize) -> Vec<u8> {
    serde_json::to_vec(value).expect("JSON")
}

/// Collects what is drawn of the entries in lists, explained, and exported without secrets.
fn listed(host: &TestHost, servers: &[&str]) -> Vec<Written> {
    let mut written = Vec::new();
    let configuration = host.inspector.servers.projection.configuration();
    written.push(("the configuration".to_owned(), json(&configuration)));
    let snapshot = host.inspector.snapshot();
    for name in servers {
        let explained = host
            .inspector
            .setup
            .explanations
            .explain_configuration(Client::McpJson, name)
            .expect("it is there");
        written.push((format!("the explanation of {name}"), json(&explained)));
        let server = snapshot.servers.iter().find(|server| server.name == *name);
        let summary = &server.expect("it is listed").summary;
        assert!(summary.contains("•••"), "{name}: {summary}");
    }
    for client in [Client::McpJson, Client::ClaudeCode, Client::Codex] {
        let chosen = servers.iter().map(|name| ChosenServer {
            target: Target::new(Client::McpJson, "project"),
            name: (*name).to_owned(),
        });
        let request = ExportRequest {
            servers: chosen.collect(),
            client,
            include_secrets: false,
        };
        let exported = host
            .inspector
            .setup
            .server_export
            .export_servers(&request)
            .expect("exported");
        written.push((format!("the export for {client:?}"), json(&exported)));
    }
    written
}

/// Asserts that the approval shows the entry as it stands in the file, unmasked: a mask could hide
/// what starts. Nothing in it comes from a variable.
fn approvals_show_the_file(host: &TestHost) {
    let shown = |name: &str| {
        let request = host
            .inspector
            .servers
            .trust
            .trust_request(&TestHost::id(name));
        let request = request.expect("it is there");
        let rows: Vec<String> = request
            .rows
            .into_iter()
            .flat_map(|row| row.values)
            .collect();
        [
            rows.join("\n"),
            request.text,
            request.consequences.join("\n"),
        ]
        .join("\n")
    };
    let program = shown("stdio");
    for written in [
        ARGUMENT,
        EQUALS,
        HEADER_ARGUMENT,
        ENVIRONMENT,
        "${CANARY_SOURCE}",
    ] {
        assert!(program.contains(written), "{written}: {program}");
    }
    let remote = shown("http");
    for written in [USER, PATH, HEADER, "${CANARY_SOURCE}"] {
        assert!(remote.contains(written), "{written}: {remote}");
    }
    for text in [program, remote] {
        for expanded in [EXPANDED, DIRECTORY] {
            assert!(!text.contains(expanded), "{expanded}: {text}");
        }
    }
}

fn searched(written: &[Written]) -> Vec<String> {
    let secrets: Vec<String> = ALL.iter().map(|secret| (*secret).to_owned()).collect();
    leaks(&[secrets, more_spellings()].concat(), written)
}

#[tokio::test(flavor = "multi_thread")]
async fn a_canary_in_any_place_is_found_nowhere() {
    let server = Server::start();
    let directory = tempfile::TempDir::with_prefix(DIRECTORY).expect("a directory");
    let script = echoing().display().to_string();
    let remote = |kind: &str, scheme: &str, end: &str| {
        json!({
            "type": kind,
            "url": server.url(scheme, end),
            "headers": { "X-Plain": HEADER, "X-From-Variable": "${CANARY_SOURCE}" },
        })
    };
    let host = TestHost::with_environment(
        json!({
            "stdio": {
                "command": "python3",
                "args": [
                    script, "stdio", "--api-key", ARGUMENT, format!("--pass={EQUALS}"),
                    "--header", format!("Authorization: Bearer {HEADER_ARGUMENT}"),
                    "--plain", "${CANARY_SOURCE}",
                ],
                "env": { "CANARY_PLAIN": ENVIRONMENT },
                "cwd": "${CANARY_DIRECTORY}",
            },
            "http": remote("http", "http", "mcp"),
            "sse": remote("sse", "http", "sse"),
            "ws": remote("ws", "ws", "ws"),
            "fails": remote("http", "http", "fails/mcp"),
            "gone": { "command": "no-such-program", "args": ["--token", ARGUMENT, "${CANARY_SOURCE}"] },
        }),
        [
            ("CANARY_SOURCE", EXPANDED),
            ("CANARY_DIRECTORY", &directory.path().display().to_string()),
        ],
    );
    let told = listen(&host);
    let mut written = Vec::new();
    let arguments = json!({ "password": PASSWORD, "pin": PIN, "echoed": EXPANDED });
    for name in ["stdio", "http", "sse", "ws"] {
        let id = TestHost::id(name);
        host.connect(&id).await;
        let report = host.call(&id, "echo", &arguments.to_string()).await;
        written.push((
            format!("the call on {name}"),
            format!("{report:?}").into_bytes(),
        ));
        assert!(
            format!("{report:?}").contains("•••"),
            "{name} echoes: {report:?}"
        );
        let examined = host
            .inspector
            .checks
            .doctor
            .run_doctor(&id)
            .await
            .expect("examined");
        written.push((
            format!("the report on {name}"),
            format!("{examined:?}").into_bytes(),
        ));
    }
    for name in ["fails", "gone"] {
        let status = host.try_connect(&TestHost::id(name)).await;
        assert!(status.failure.is_some());
        written.push((
            format!("the failure of {name}"),
            format!("{status:?}").into_bytes(),
        ));
    }
    written.extend(copied(&host, &[ExchangeKind::Request, ExchangeKind::Http]).await);
    written.extend(listed(
        &host,
        &["stdio", "http", "sse", "ws", "fails", "gone"],
    ));
    approvals_show_the_file(&host);
    for words in [
        &["--verbose", "info", "http"][..],
        &["--verbose", "info", "stdio"],
        &["--verbose", "info", "ws"],
        &["config", "list"],
        &["config", "show", "stdio"],
        &["config", "show", "http"],
    ] {
        let ran = Command::new(programs::own("sightglass-cli"))
            .args(words)
            .current_dir(host.project())
            .env("HOME", host.home())
            .env("SIGHTGLASS_DATA_DIR", host.data())
            .env("SIGHTGLASS_KEYCHAIN", "off")
            .env("SIGHTGLASS_LOG", "trace")
            .env("CANARY_SOURCE", EXPANDED)
            .env("CANARY_DIRECTORY", directory.path())
            .stdin(Stdio::null())
            .output()
            .expect("it starts");
        written.push((format!("stdout of {words:?}"), ran.stdout));
        written.push((format!("stderr of {words:?}"), ran.stderr));
    }
    written.extend(host.written().await);
    let snapshot = serde_json::to_vec(&host.inspector.snapshot()).expect("JSON");
    written.push(("the snapshot".to_owned(), snapshot));
    host.inspector.shutdown().await;
    written.extend(leaks::files(&host.data(), &["secrets.json"]));
    written.extend(told.lock().expect("no panic under it").clone());
    let found = searched(&written);
    assert!(
        found.is_empty(),
        "{} leaks: {:#?}",
        found.len(),
        &found[..found.len().min(40)]
    );
    // The search finds what is there: the configuration holds what was written into it.
    assert!(!searched(&leaks::files(&host.project(), &[])).is_empty());
}

#[tokio::test(flavor = "multi_thread")]
async fn a_canary_in_a_sign_in_is_found_nowhere() {
    let scripted = Scripted::with(Fault::Repeats).await;
    let user = User::signs_in("ada");
    let query: String = url::form_urlencoded::byte_serialize(QUERY.as_bytes()).collect();
    let host = TestHost::with_user(
        json!({
            "guarded": {
                "type": "http",
                "url": format!("{}?api_key={query}", scripted.url()),
                "headers": { "X-Plain": HEADER, "X-From-Variable": "${CANARY_SOURCE}" },
                "oauth": {
                    "clientId": "registered",
                    "clientSecret": "${CANARY_CLIENT}",
                },
            },
        }),
        Environment::with(&user)
            .and("CANARY_SOURCE", EXPANDED)
            .and("CANARY_CLIENT", REGISTERED_SECRET),
    );
    let server = TestHost::id("guarded");
    let told = listen(&host);
    let mut written = Vec::new();
    // The user is asked before the secret of the client goes anywhere.
    let asked = host
        .inspector
        .sign_in
        .sign_in(&server, SignInRequest::default());
    asked.expect("it starts");
    host.sign_in_is(&server, |attempt| attempt.issuer_question.is_some())
        .await;
    host.inspector
        .sign_in
        .agree_to_issuer(&server, scripted.issuer())
        .expect("agreed");
    for _ in 0..2 {
        host.try_connect(&server).await;
        let attempt = host.sign_in_with(&server, SignInRequest::default()).await;
        assert_eq!(attempt.failure, None);
        let exported = host.exported(&server);
        assert!(
            exported.contains("note") && exported.contains("•••"),
            "{exported}"
        );
        written.push((
            "the export of the sign-in".to_owned(),
            exported.into_bytes(),
        ));
        host.connect(&server).await;
        let refreshed = host
            .inspector
            .sign_in
            .test_token(&server, "default", TokenAction::Refresh)
            .await
            .expect("refreshed");
        written.push(("the refresh".to_owned(), json(&refreshed)));
        let view = host.auth(&server).await;
        written.push(("how it stands".to_owned(), json(&view)));
        // The refresh is refused, in words that repeat what was sent.
        scripted.withdraw();
        let called = host
            .inspector
            .calls
            .requests
            .call_tool(&server, "call", "whoami", "{}", None, None)
            .await;
        written.push((
            "the call without a grant".to_owned(),
            format!("{called:?}").into_bytes(),
        ));
        let view = host.auth(&server).await;
        written.push(("how it stands afterwards".to_owned(), json(&view)));
        host.inspector
            .servers
            .open_connections
            .disconnect(&server)
            .await;
    }
    // The client proved who it is, and no credential of the address went along.
    let asked = scripted.asked("/token");
    assert!(
        asked
            .iter()
            .any(|asked| asked.header("authorization").starts_with("Basic "))
    );
    assert!(
        asked
            .iter()
            .all(|asked| !asked.get("resource").contains('?'))
    );
    written.extend(copied(&host, &[ExchangeKind::Http, ExchangeKind::Oauth]).await);
    written.extend(host.written().await);
    written.push(("the snapshot".to_owned(), json(&host.inspector.snapshot())));
    host.inspector.shutdown().await;
    written.extend(leaks::files(&host.data(), &["secrets.json"]));
    written.extend(told.lock().expect("no panic under it").clone());

    let mut secrets = scripted.secrets();
    secrets.extend([REGISTERED_SECRET, HEADER, EXPANDED, QUERY].map(str::to_owned));
    assert!(secrets.len() > 12, "{}", secrets.len());
    let found = leaks(&[secrets.clone(), more_spellings()].concat(), &written);
    assert!(
        found.is_empty(),
        "{} leaks: {:#?}",
        found.len(),
        &found[..found.len().min(40)]
    );
    // The search finds what is there: the vault holds the tokens.
    assert!(!leaks(&secrets, &leaks::files(&host.data(), &[])).is_empty());
}
