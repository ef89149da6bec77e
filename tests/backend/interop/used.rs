//! The clients start programs and send headers as we do from the same file, and read as much of a
//! file as we do.
//!
//! Each client has one file, whose servers only record how they were started or asked. We connect to
//! them, then the client is run, and the records are compared. Where a client goes on and we ask the
//! user first, as for a variable that is not set, the story says what the client does.

use std::{collections::BTreeMap, fs, path::Path, process::Output};

use serde_json::{Value, json};
use sightglass_inspector::{Client, ServerId};
use sightglass_tests::{Environment, TestHost, model, programs};
use tempfile::TempDir;
use tokio::sync::mpsc::UnboundedReceiver;

use super::{command, installed};

/// Variables that are set for the clients and for us.
const SET: [(&str, &str); 2] = [("T_SET", "value"), ("T_EMPTY", "")];

/// Texts that Claude Code, Gemini CLI and Copilot CLI read, each in its own way.
const TEXTS: [&str; 12] = [
    "${T_SET}",
    "$T_SET",
    "a${T_SET}b",
    "a$T_SET-b",
    "$${T_SET}",
    "${T_SET:-d}",
    "${T_UNSET:-d}",
    "${T_EMPTY}",
    "${T_EMPTY:-d}",
    "${env:T_SET}",
    "$1",
    "%T_SET%",
];

/// Texts in which the clients go on with something, and we do not.
const UNCLEAR: [&str; 2] = ["${T_UNSET}", "${T_UNSET:-${T_SET}}"];

/// Stands before the names of the variables that entries set.
const OF_ENTRY: &str = "P_";

/// Stands before the paths of the servers that are asked over HTTP.
const ASKED: &str = "to-";

/// Records of servers: of programs in files, of requests at an endpoint that refuses them all, and
/// is that of the clients' models as well.
struct Records {
    directory: TempDir,
    address: String,
    requests: UnboundedReceiver<String>,
}

impl Records {
    async fn new() -> Self {
        let error = json!({ "error": { "type": "invalid_request_error", "message": "No." } });
        let refusal = model::answer("400 Bad Request", &error.to_string());
        let (address, requests) = model::serve(refusal).await;
        Self {
            directory: TempDir::new().expect("a temporary directory"),
            address,
            requests,
        }
    }

    /// Arguments with which `node` is a server of this name.
    fn arguments(&self, name: &str, further: &[&str]) -> Vec<String> {
        let script = programs::repository().join("tests/support/recording.mjs");
        let file = self.directory.path().join(name);
        let mut arguments = [script, file]
            .map(|path| path.display().to_string())
            .to_vec();
        arguments.extend(further.iter().map(|word| (*word).to_owned()));
        arguments
    }

    /// Address of the server `to-NAME`, with more behind it.
    fn address(&self, path: &str) -> String {
        format!("{}/{ASKED}{path}", self.address)
    }

    /// Takes out what is recorded, by the names of the servers.
    fn take(&mut self) -> BTreeMap<String, Value> {
        let mut taken = BTreeMap::new();
        for entry in fs::read_dir(self.directory.path()).expect("readable") {
            let path = entry.expect("readable").path();
            let text = fs::read_to_string(&path).expect("readable");
            let mut record: Value = serde_json::from_str(&text).expect("JSON");
            if let Some(variables) = record["env"].as_object_mut() {
                variables.retain(|name, _| name.starts_with(OF_ENTRY));
            }
            let name = path.file_name().expect("a name").to_string_lossy();
            taken.insert(name.into_owned(), record);
            fs::remove_file(&path).expect("removed");
        }
        while let Ok(request) = self.requests.try_recv() {
            if let Some((name, record)) = of_request(&request) {
                taken.entry(name).or_insert(record);
            }
        }
        taken
    }
}

/// Name of the server that a request is for, with the path and the headers that an entry decides.
fn of_request(request: &str) -> Option<(String, Value)> {
    let (head, _) = request.split_once("\r\n\r\n")?;
    let mut lines = head.lines();
    let path = lines.next()?.strip_prefix("POST /")?.split(' ').next()?;
    if !path.starts_with(ASKED) {
        return None;
    }
    let headers: BTreeMap<String, String> = lines
        .filter_map(|line| {
            let (name, value) = line.split_once(':')?;
            let name = name.to_ascii_lowercase();
            let is_of_entry = name.starts_with("x-") || name == "authorization";
            is_of_entry.then(|| (name, value.trim().to_owned()))
        })
        .collect();
    let name = path.split('/').next()?.to_owned();
    Some((name, json!({ "path": path, "headers": headers })))
}

/// Starts on this file of a client's, below the home directory, with further variables.
fn host_with(path: &str, text: &str, further: &[(&str, &str)]) -> TestHost {
    let environment = SET
        .iter()
        .chain(further)
        .fold(Environment::default(), |environment, (name, value)| {
            environment.and(name, value)
        });
    let path = format!("home/{path}");
    let host = TestHost::on_files(&[(path.as_str(), text)], environment);
    host.approve_all_but(&[]);
    host
}

/// Runs a client in the host's project, whatever it ends with.
fn run(host: &TestHost, program: &Path, words: &[&str], variables: &[(&str, &str)]) -> Output {
    command(host, program)
        .args(words)
        .envs(SET)
        .envs(variables.iter().copied())
        .output()
        .expect("it starts")
}

/// Connects to these servers of a client, which all refuse, and answers what they recorded.
async fn ours(
    records: &mut Records,
    host: &TestHost,
    client: Client,
    names: &[&str],
) -> BTreeMap<String, Value> {
    for name in names {
        host.try_connect(&ServerId::new(client.id(), name)).await;
    }
    records.take()
}

/// Asserts that a client did with these servers what we did.
fn agree(theirs: &BTreeMap<String, Value>, ours: &BTreeMap<String, Value>, names: &[&str]) {
    for name in names {
        assert!(ours.contains_key(*name), "we did not reach {name}");
        assert_eq!(theirs.get(*name), ours.get(*name), "{name}");
    }
}

/// The arguments of a program behind the file of its record.
fn arguments(records: &BTreeMap<String, Value>, name: &str) -> Vec<String> {
    let arguments = records[name]["args"].as_array().into_iter().flatten();
    arguments
        .map(|argument| argument.as_str().expect("a text").to_owned())
        .collect()
}

/// Trusts the project, so that Gemini CLI uses servers in it.
fn trust_for_gemini(host: &TestHost) {
    let project = host.project().display().to_string();
    let trusted = host.home().join(".gemini/trustedFolders.json");
    host.write(&trusted, &json!({ project: "TRUST_FOLDER" }).to_string());
}

/// Variables with which Copilot CLI keeps to this machine.
fn of_copilot() -> Vec<(&'static str, String)> {
    let cache = programs::repository().join("tests/interop/node_modules/.cache/copilot");
    vec![
        ("COPILOT_CACHE_HOME", cache.display().to_string()),
        ("COPILOT_AUTO_UPDATE", "false".to_owned()),
        ("COPILOT_OFFLINE", "true".to_owned()),
    ]
}

/// Servers in the form that Claude Code, Gemini CLI and Copilot CLI share.
fn shared_servers(records: &Records, texts: &[&str]) -> Value {
    json!({
        "program": {
            "command": "${T_NODE:-node}",
            "args": records.arguments("program", texts),
            "env": {
                "P_SET": "${T_SET}",
                "P_DEFAULT": "${T_UNSET:-d}",
                "P_PLAIN": "a $ b",
                "P_${T_SET}": "x",
            },
        },
        "unclear": {
            "command": "node",
            "args": records.arguments("unclear", &UNCLEAR),
            "env": { "P_UNSET": "${T_UNSET}", "P_NAME": "T_SET" },
        },
        "to-far": {
            "type": "http",
            "url": records.address("far/${T_SET}/${T_UNSET:-d}"),
            "headers": {
                "X-Set": "${T_SET}",
                "X-Within": "a ${T_SET} b",
                "X-Default": "${T_UNSET:-d}",
                "X-Bare": "$T_SET",
            },
        },
        "to-unclear": {
            "type": "http",
            "url": records.address("unclear"),
            "headers": { "X-Unset": "a${T_UNSET}b" },
        },
    })
}

#[tokio::test(flavor = "multi_thread")]
async fn claude_code_uses_servers_as_we_do() {
    let Some(claude) = installed("claude") else {
        return;
    };
    let mut records = Records::new().await;
    let mut texts = TEXTS.to_vec();
    // Whatever is no name of a shell's is a text.
    texts.extend(["${T_SET-x}", "${T-SET:-d}", "${1}"]);
    let mut servers = shared_servers(&records, &texts);
    servers["to-helped"] = json!({
        "type": "http",
        "url": records.address("helped"),
        "headersHelper": r#"printf '{"X-Helped":"%s"}' "${T_SET}""#,
    });
    servers["to-key"] = json!({
        "type": "http",
        "url": records.address("key"),
        "headers": { "X-Key": "a${AWS_SECRET_ACCESS_KEY}b" },
    });
    let file = json!({ "mcpServers": servers }).to_string();
    let host = host_with(".claude.json", &file, &[]);
    let names = ["program", "to-far", "to-helped"];
    let ours = ours(&mut records, &host, Client::ClaudeCode, &names).await;
    let variables = [("AWS_SECRET_ACCESS_KEY", "none")];
    run(&host, &claude, &["mcp", "list"], &variables);
    let theirs = records.take();
    agree(&theirs, &ours, &names);

    // It warns, and goes on with the text. A default ends at the first brace.
    assert_eq!(
        arguments(&theirs, "unclear"),
        ["${T_UNSET}", "${T_SET}"],
        "unset variables"
    );
    let variables = json!({ "P_UNSET": "${T_UNSET}", "P_NAME": "T_SET" });
    assert_eq!(theirs["unclear"]["env"], variables);
    assert_eq!(theirs["to-unclear"]["headers"]["x-unset"], "a${T_UNSET}b");
    // It hands no key of a model's provider to a server.
    assert_eq!(theirs["to-key"]["headers"]["x-key"], "ab");
}

#[tokio::test(flavor = "multi_thread")]
async fn gemini_cli_uses_servers_as_we_do() {
    let Some(gemini) = installed("gemini") else {
        return;
    };
    let mut records = Records::new().await;
    let mut servers = shared_servers(&records, &TEXTS);
    servers["older"] = json!({
        "httpUrl": records.address("older"), "url": records.address("newer"),
    });
    servers["untyped"] = json!({ "url": records.address("untyped") });
    servers["mixed"] = json!({
        "command": "node",
        "args": records.arguments("mixed", &[]),
        "url": records.address("mixed"),
    });
    servers["grpc"] = json!({ "type": "grpc", "url": records.address("grpc") });
    servers["elsewhere"] = json!({
        "command": "node",
        "args": records.arguments("elsewhere", &[]),
        "cwd": "/${T_UNSET:-}",
    });
    let file = json!({ "mcpServers": servers }).to_string();
    let host = host_with(".gemini/settings.json", &file, &[]);
    trust_for_gemini(&host);
    let names = ["program", "to-far", "older", "untyped", "elsewhere"];
    let ours = ours(&mut records, &host, Client::Gemini, &names).await;
    run(&host, &gemini, &["mcp", "list"], &[]);
    let theirs = records.take();
    let recorded = ["program", "to-far", "to-older", "to-untyped", "elsewhere"];
    agree(&theirs, &ours, &recorded);

    assert_eq!(
        arguments(&theirs, "unclear"),
        ["${T_UNSET}", "${T_SET}"],
        "unset variables"
    );
    // Variables and headers are expanded once more, and then nothing is left.
    assert_eq!(theirs["unclear"]["env"]["P_UNSET"], "");
    assert_eq!(theirs["to-unclear"]["headers"]["x-unset"], "ab");
    // An address counts before a program, and a wrong word for nothing. We ask to decide.
    assert!(theirs.contains_key("to-mixed") && !theirs.contains_key("mixed"));
    assert!(theirs.contains_key("to-grpc"));
}

#[tokio::test(flavor = "multi_thread")]
async fn copilot_cli_uses_servers_as_we_do() {
    let Some(copilot) = installed("copilot") else {
        return;
    };
    let mut records = Records::new().await;
    let mut servers = shared_servers(&records, &TEXTS);
    servers["local"] = json!({
        "type": "local",
        "command": "node",
        "args": records.arguments("local", &[]),
        "cwd": "/",
        "tools": ["*"],
    });
    servers["untyped"] = json!({ "url": records.address("untyped") });
    let file = json!({ "mcpServers": servers }).to_string();
    let host = host_with(".copilot/mcp-config.json", &file, &[]);
    let names = ["program", "local", "to-far", "untyped"];
    let ours = ours(&mut records, &host, Client::CopilotCli, &names).await;
    let address = format!("{}/v1", records.address);
    let own = of_copilot();
    let mut variables: Vec<(&str, &str)> = own
        .iter()
        .map(|(name, value)| (*name, value.as_str()))
        .collect();
    variables.extend([
        ("COPILOT_ALLOW_ALL", "true"),
        ("COPILOT_MODEL", "m"),
        ("COPILOT_PROVIDER_API_KEY", "none"),
        ("COPILOT_PROVIDER_BASE_URL", &address),
    ]);
    run(&host, &copilot, &["-p", "Hi"], &variables);
    let theirs = records.take();
    agree(
        &theirs,
        &ours,
        &["program", "local", "to-far", "to-untyped"],
    );

    assert_eq!(
        arguments(&theirs, "unclear"),
        ["${T_UNSET}", "${T_SET}"],
        "unset variables"
    );
    // A value that is the name of a variable is taken from that.
    let variables = json!({ "P_UNSET": "${T_UNSET}", "P_NAME": "value" });
    assert_eq!(theirs["unclear"]["env"], variables);
    assert_eq!(theirs["to-unclear"]["headers"]["x-unset"], "a${T_UNSET}b");
}

/// Copilot CLI lists what it takes.
#[tokio::test(flavor = "multi_thread")]
async fn copilot_cli_skips_what_we_say_it_skips() {
    let Some(copilot) = installed("copilot") else {
        return;
    };
    let mut servers = serde_json::Map::new();
    for word in [
        "http",
        "sse",
        "streamable-http",
        "streamableHttp",
        "ws",
        "grpc",
    ] {
        let entry = json!({ "type": word, "url": "http://127.0.0.1:9/mcp" });
        servers.insert(format!("word-{word}"), entry);
    }
    for word in ["local", "stdio"] {
        let entry = json!({ "type": word, "command": "true" });
        servers.insert(format!("word-{word}"), entry);
    }
    let file = json!({ "mcpServers": servers }).to_string();
    let host = host_with(".copilot/mcp-config.json", &file, &[]);
    let own = of_copilot();
    let variables: Vec<(&str, &str)> = own
        .iter()
        .map(|(name, value)| (*name, value.as_str()))
        .collect();
    let output = run(&host, &copilot, &["mcp", "list", "--json"], &variables);
    let listed: Value = serde_json::from_slice(&output.stdout).expect("JSON");
    let listed = listed["mcpServers"].as_object().expect("servers");
    for server in super::listed::ours(&host, Client::CopilotCli) {
        let is_skipped = super::listed::is_invalid(&server);
        assert_eq!(
            listed.contains_key(&server.name),
            !is_skipped,
            "{}",
            server.name
        );
    }
    assert_eq!(listed.len(), 5);
}

#[tokio::test(flavor = "multi_thread")]
async fn codex_uses_servers_as_we_do() {
    let Some(codex) = installed("codex") else {
        return;
    };
    let mut records = Records::new().await;
    let quoted = |arguments: Vec<String>| Value::from(arguments).to_string();
    let program = quoted(records.arguments("program", &["${T_SET}", "$T_SET", "{env:T_SET}"]));
    let elsewhere = quoted(records.arguments("elsewhere", &[]));
    let off = quoted(records.arguments("off", &[]));
    let (model, far, lost) = (
        format!("{}/v1", records.address),
        records.address("far"),
        records.address("lost"),
    );
    let file = format!(
        r#"
model = "m"
model_provider = "local"
[model_providers.local]
name = "local"
base_url = "{model}"
env_key = "KEY"
wire_api = "responses"
[mcp_servers.program]
command = "node"
args = {program}
env = {{ P_TEXT = "${{T_SET}}", P_PLAIN = "a" }}
env_vars = ["P_PASSED", "P_UNSET"]
[mcp_servers.elsewhere]
command = "node"
args = {elsewhere}
cwd = "/"
[mcp_servers.off]
command = "node"
args = {off}
enabled = false
[mcp_servers.to-far]
url = "{far}"
bearer_token_env_var = "T_SET"
http_headers = {{ X-Text = "${{T_SET}}", X-Plain = "a" }}
env_http_headers = {{ X-Named = "T_SET", X-Unset = "T_UNSET", X-Empty = "T_EMPTY" }}
[mcp_servers.to-lost]
url = "{lost}"
bearer_token_env_var = "T_UNSET"
"#
    );
    let passed = ("P_PASSED", "passed");
    let host = host_with(".codex/config.toml", &file, &[passed]);
    let names = ["program", "elsewhere", "to-far"];
    let ours = ours(&mut records, &host, Client::Codex, &names).await;
    let words = ["exec", "--skip-git-repo-check", "Hi"];
    run(&host, &codex, &words, &[("KEY", "none"), passed]);
    let theirs = records.take();
    agree(&theirs, &ours, &names);
    assert!(!theirs.contains_key("off"), "{theirs:?}");
    // Without its token a server is not asked.
    assert!(!theirs.contains_key("to-lost"), "{theirs:?}");
}

#[tokio::test(flavor = "multi_thread")]
async fn opencode_uses_servers_as_we_do() {
    let Some(opencode) = installed("opencode") else {
        return;
    };
    let mut records = Records::new().await;
    let words = |name: &str, texts: &[&str]| {
        let mut words = vec!["node".to_owned()];
        words.extend(records.arguments(name, texts));
        words
    };
    let texts = [
        "{env:T_SET}",
        "a{env:T_SET}b",
        "{env:T_EMPTY}",
        "${T_SET}",
        "${env:T_SET}",
        "$T_SET",
        "{file:secret}",
        "{file:~/secret}",
    ];
    let servers = json!({
        "program": {
            "type": "local",
            "command": words("program", &texts),
            "environment": { "P_SET": "{env:T_SET}", "P_PLAIN": "a" },
        },
        "elsewhere": { "type": "local", "command": words("elsewhere", &[]), "cwd": "/" },
        "off": { "type": "local", "command": words("off", &[]), "enabled": false },
        "unclear": {
            "type": "local",
            "command": words("unclear", &["{env:T_UNSET}", "{env:T_UNSET:-d}"]),
            "environment": { "P_{env:T_SET}": "x" },
        },
        "to-far": {
            "type": "remote",
            "url": records.address("far/{env:T_SET}"),
            "headers": { "X-Set": "a {env:T_SET} b", "X-Text": "${T_SET}" },
        },
    });
    let file = json!({ "mcp": servers }).to_string();
    let host = host_with(".config/opencode/opencode.json", &file, &[]);
    let beside = host.home().join(".config/opencode/secret");
    host.write(&beside, "  of \"the file\" \n");
    host.write(&host.home().join("secret"), "of home\n");
    let names = ["program", "elsewhere", "to-far"];
    let ours = ours(&mut records, &host, Client::Opencode, &names).await;
    run(&host, &opencode, &["mcp", "list"], &[]);
    let theirs = records.take();
    agree(&theirs, &ours, &names);
    assert!(!theirs.contains_key("off"), "{theirs:?}");

    // It puts nothing in, and it replaces names as well.
    assert_eq!(arguments(&theirs, "unclear"), ["", ""], "unset variables");
    assert_eq!(theirs["unclear"]["env"], json!({ "P_value": "x" }));
}

/// Comments, a trailing comma and a byte order mark keep a client from reading a file where we say so,
/// and nowhere else.
#[tokio::test(flavor = "multi_thread")]
async fn the_clients_read_as_much_of_a_file_as_we_do() {
    let own = of_copilot();
    let variables: Vec<(&str, &str)> = own
        .iter()
        .map(|(name, value)| (*name, value.as_str()))
        .collect();
    for (name, client, path, section, entry) in [
        (
            "claude",
            Client::ClaudeCode,
            ".claude.json",
            "mcpServers",
            r#"{"command":"true"}"#,
        ),
        (
            "gemini",
            Client::Gemini,
            ".gemini/settings.json",
            "mcpServers",
            r#"{"command":"true"}"#,
        ),
        (
            "copilot",
            Client::CopilotCli,
            ".copilot/mcp-config.json",
            "mcpServers",
            r#"{"command":"true"}"#,
        ),
        (
            "opencode",
            Client::Opencode,
            ".config/opencode/opencode.json",
            "mcp",
            r#"{"type":"local","command":["true"]}"#,
        ),
    ] {
        let Some(program) = installed(name) else {
            continue;
        };
        for text in [
            format!("// mine\n{{\"{section}\":{{\"seen-here\":{entry}}}}}"),
            format!("{{\"{section}\":{{\"seen-here\":{entry},}}}}"),
            format!("\u{feff}{{\"{section}\":{{\"seen-here\":{entry}}}}}"),
        ] {
            let host = host_with(path, &text, &[]);
            trust_for_gemini(&host);
            let view = host.inspector.servers.projection.configuration();
            let mut clients = view.clients.into_iter();
            let found = clients
                .find(|found| found.client == client)
                .expect("every client is listed");
            let mut problems = found.files.iter().flat_map(|file| &file.problems);
            let is_refused = problems.any(|problem| problem.message.contains("such a file"));
            let is_read = !found.servers.is_empty() && !is_refused;
            let output = run(&host, &program, &["mcp", "list"], &variables);
            let printed = String::from_utf8_lossy(&output.stdout).into_owned()
                + &String::from_utf8_lossy(&output.stderr);
            let is_listed = printed.lines().any(|line| {
                // An error may show the line that it is about.
                line.contains("seen-here") && !line.contains("{\"")
            });
            assert_eq!(is_listed, is_read, "{client} {text}: {printed}");
        }
    }
}
