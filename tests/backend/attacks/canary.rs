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
use sightglass_inspector::{ExchangeKind, view::CopyForm};
use sightglass_tests::{
    TestHost,
    leaks::{self, Written, leaks},
    programs::{self, free_port},
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
        let examined = host.inspector.doctor(&id).await.expect("examined");
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
    for row in host
        .traffic("", &[ExchangeKind::Request, ExchangeKind::Http])
        .await
    {
        for form in [CopyForm::Json, CopyForm::Curl] {
            // What did not travel over HTTP is no curl command.
            if let Ok(text) = host.inspector.copy_exchange(row.id, form).await {
                written.push((
                    format!("exchange {} as {form:?}", row.id),
                    text.into_bytes(),
                ));
            }
        }
    }
    let ran = Command::new(programs::own("sightglass-cli"))
        .args(["--verbose", "info", "http"])
        .current_dir(host.project())
        .env("HOME", host.home())
        .env("SIGHTGLASS_DATA_DIR", host.data())
        .env("SIGHTGLASS_KEYCHAIN", "off")
        .env("SIGHTGLASS_LOG", "debug")
        .env("CANARY_SOURCE", EXPANDED)
        .env("CANARY_DIRECTORY", directory.path())
        .stdin(Stdio::null())
        .output()
        .expect("it starts");
    written.push(("stdout of the command line".to_owned(), ran.stdout));
    written.push(("stderr of the command line".to_owned(), ran.stderr));
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
    assert!(!searched(&leaks::files(&host.home(), &[])).is_empty());
}
