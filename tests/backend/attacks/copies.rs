//! Text of strangers in what is copied and exported: it stays a text where it arrives.

use std::{
    fs,
    io::Write,
    os::unix::fs::PermissionsExt,
    path::{Path, PathBuf},
    process::{Child, Command, Stdio},
    time::{Duration, Instant},
};

use axum::{Router, extract::Request, http::StatusCode, response::IntoResponse};
use pulldown_cmark::{Event, Options, Parser, Tag};
use serde_json::{Value, json};
use sightglass_inspector::{
    Headless, Host, ListKind, ServerId, SignInExport, SignInState, view::CopyForm,
};
use sightglass_tests::{TestHost, programs, wiretap::Wiretap};
use tempfile::TempDir;

use crate::{
    command_line::{Machine, validate_junit},
    requests::{call, expect},
};

/// Ends a bracketed paste, throws the line away, and is a line by itself.
const PASTED: &str = "x\u{1b}[201~\u{3}\n touch mark\n #";

/// A home for a shell, in which programs write down the words that they are started with.
struct Home {
    directory: TempDir,
}

impl Home {
    fn new() -> Self {
        let directory = TempDir::new().expect("a temporary directory");
        fs::create_dir(directory.path().join("bin")).expect("created");
        let home = Self { directory };
        for program in ["sightglass-cli", "curl"] {
            let file = home.path("bin").join(program);
            let script =
                "#!/bin/sh\nfor word; do printf '%s\\0' \"$word\"; done > \"$HOME/words\"\n";
            fs::write(&file, script).expect("written");
            fs::set_permissions(&file, fs::Permissions::from_mode(0o755)).expect("executable");
        }
        home
    }

    fn path(&self, name: &str) -> PathBuf {
        self.directory.path().join(name)
    }

    /// Begins to paste a text into a shell.
    fn paste(&self, shell: &[&str], text: &str) -> Child {
        let script = programs::repository().join("tests/support/paste.py");
        let mut pasting = Command::new("python3")
            .arg(script)
            .arg(self.directory.path())
            .args(shell)
            .stdin(Stdio::piped())
            .stdout(Stdio::null())
            .spawn()
            .expect("Python");
        let mut stdin = pasting.stdin.take().expect("piped");
        stdin.write_all(text.as_bytes()).expect("taken");
        pasting
    }

    /// Pastes a text into a shell, to the end, and returns the words that a program was given.
    fn words_of(&self, shell: &[&str], text: &str) -> Vec<String> {
        let ended = self.paste(shell, text).wait().expect("it ends");
        assert!(ended.success(), "{shell:?}: {ended}");
        let words = fs::read_to_string(self.path("words")).expect("the program ran");
        fs::remove_file(self.path("words")).expect("removed");
        words.split_terminator('\0').map(str::to_owned).collect()
    }

    fn has_mark(&self) -> bool {
        self.path("mark").exists()
    }
}

/// Longer than a shell or a browser takes to start on a busy machine.
const DEADLINE: Duration = Duration::from_secs(60);

const BASH: [&str; 3] = ["bash", "--norc", "-i"];
const DASH: [&str; 2] = ["dash", "-i"];

/// The control of the stories below: quotation marks alone hold nothing.
#[test]
fn a_quoted_control_character_reaches_the_shell() {
    for shell in [&BASH[..], &DASH] {
        let home = Home::new();
        let mut pasting = home.paste(shell, &format!("sightglass-cli '{PASTED}'"));
        let deadline = Instant::now() + DEADLINE;
        while !home.has_mark() {
            assert!(Instant::now() < deadline, "{shell:?} ran nothing");
            std::thread::sleep(Duration::from_millis(10));
        }
        // The shell waits for the end of a quotation.
        pasting.kill().expect("killed");
        pasting.wait().expect("ended");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn the_name_of_a_tool_runs_nothing_when_its_call_is_pasted() {
    let names = [
        PASTED,
        "$(touch mark)",
        "`touch mark`",
        "';touch mark;'",
        "\\';touch mark;'",
        "it's\n';touch mark;'",
        "!touch\u{2028}\u{202e}mark",
        "~/x",
        "",
    ];
    let tools: Vec<Value> = names
        .iter()
        .map(|name| json!({ "name": name, "inputSchema": { "type": "object" } }))
        .collect();
    let tools = json!({ "tools": tools }).to_string();
    let tap = Wiretap::new();
    let entry = programs::scripted(&tap, &[("tools/list", &tools)]);
    let host = TestHost::with_servers(json!({ "docs": entry }));
    let server = TestHost::id("docs");
    host.connect(&server).await;
    let listed = host.names(&server, ListKind::Tools);
    assert!(listed.contains(&PASTED.to_owned()), "{listed:?}");

    let project = host.project().display().to_string();
    for name in names {
        let input = format!("{{\"a\":{}}}", Value::from(name));
        let command = host
            .inspector
            .calls
            .requests
            .tool_call_command(&server, name, &input);
        assert!(!command.contains(char::is_control), "{command:?}");
        let home = Home::new();
        let words = home.words_of(&BASH, &command);
        let meant = ["tools", "call", "docs", name, &input, "--project", &project];
        assert_eq!(words, meant, "{command}");
        // It reads no `$'…'`, and takes as many words as were meant all the same.
        let words = home.words_of(&DASH, &command);
        assert_eq!(words.len(), meant.len(), "{command}");
        assert!(!home.has_mark(), "{command}");
    }
}

/// The names of the tools that a scripted server was asked to call.
fn called_tools(tap: &Wiretap) -> Vec<String> {
    let sent = fs::read_to_string(tap.file("sent")).unwrap_or_default();
    sent.lines()
        .map(|line| serde_json::from_str(line).expect("JSON"))
        .filter(|message: &Value| message["method"] == "tools/call")
        .map(|call| call["params"]["name"].as_str().expect("a name").to_owned())
        .collect()
}

#[tokio::test(flavor = "multi_thread")]
async fn a_pasted_call_calls_the_tool_and_the_server_that_were_meant() {
    let tools = ["-x", "--json", "--project=/", "--", "--tool"];
    let listed: Vec<Value> = tools
        .iter()
        .map(|name| json!({ "name": name, "inputSchema": { "type": "object" } }))
        .collect();
    let listed = json!({ "tools": listed }).to_string();
    let (theirs, other) = (Wiretap::new(), Wiretap::new());
    let answers = [
        ("tools/list", listed.as_str()),
        ("tools/call", r#"{"content":[]}"#),
    ];
    let servers = ["docs", "--json", "http://127.0.0.1:9/mcp"];
    let entries: serde_json::Map<String, Value> = servers
        .iter()
        .map(|name| ((*name).to_owned(), programs::scripted(&theirs, &answers)))
        .collect();
    let host = TestHost::with_servers(Value::Object(entries));
    // Another client has a server of the same name.
    let twin = json!({ "mcpServers": { "docs": programs::scripted(&other, &answers) } });
    host.write(&host.home().join(".cursor/mcp.json"), &twin.to_string());
    let host = host.restart().await;

    let twin = ServerId::new("cursor", "docs");
    let mut called = 0;
    for (server, tap) in servers
        .map(|name| (TestHost::id(name), &theirs))
        .into_iter()
        .chain([(twin, &other)])
    {
        for tool in tools {
            let command = host
                .inspector
                .calls
                .requests
                .tool_call_command(&server, tool, "{}");
            let words = Home::new().words_of(&BASH, &command);
            let output = Command::new(programs::own("sightglass-cli"))
                .args(words)
                .current_dir(host.project())
                .env("HOME", host.home())
                .env("SIGHTGLASS_DATA_DIR", host.data())
                .env("SIGHTGLASS_KEYCHAIN", "off")
                .stdin(Stdio::null())
                .output()
                .expect("it starts");
            assert!(output.status.success(), "{command}: {output:?}");
            let names = called_tools(tap);
            assert_eq!(names.last().map(String::as_str), Some(tool), "{command}");
            called += 1;
            let calls = called_tools(&theirs).len() + called_tools(&other).len();
            assert_eq!(calls, called, "{command}");
        }
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_request_that_is_pasted_as_a_command_runs_nothing_else() {
    let demo = programs::demo_over_http(&[]);
    let host = TestHost::with_servers(json!({ "demo": { "type": "http", "url": demo.url } }));
    let server = TestHost::id("demo");
    host.connect(&server).await;
    let message = "it's $(touch mark) `touch mark` \\';touch mark;' !x \u{9b}201~\u{7f}\u{202e}";
    let arguments = format!("{{\n \"message\":\n {}}}", Value::from(message));
    host.call(&server, "echo", &arguments).await;
    let row = host.traffic("method:tools/call", &[]).await.remove(0);
    let reader = &host.inspector.record.reader;
    let copied = reader.copy_exchange(None, row.id, CopyForm::Curl).await;
    let command = copied.expect("it went over HTTP");
    let lines = command.split(" \\\n  ");
    for line in lines {
        assert!(!line.contains(char::is_control), "{line:?}");
    }
    let home = Home::new();
    let words = home.words_of(&BASH, &command);
    assert_eq!(words[..3], ["-X", "POST", &demo.url], "{command}");
    let body: Value = serde_json::from_str(words.last().expect("a body")).expect("JSON");
    assert_eq!(body["params"]["arguments"]["message"], message, "{command}");
    let in_dash = home.words_of(&DASH, &command);
    assert_eq!(in_dash.len(), words.len(), "{command}");
    assert!(!home.has_mark(), "{command}");
}

/// Leaves a fence of three backticks, and says everything that Markdown can say.
const PAGE: &str = "```\n````\n# Forged\n\n<img src=http://evil.example/pixel>\n\n\
    ![p](http://evil.example/p) [l](http://evil.example) @everyone http://evil.example\n\n\
    <script>alert(1)</script>\n\nForged\n===\n\n| a |\n| - |\n| \u{202e}b |\n```\n";

/// A server that asks for a token, and answers everything else with the page.
async fn with_page() -> String {
    let listener = tokio::net::TcpListener::bind("127.0.0.1:0").await;
    let listener = listener.expect("a port");
    let origin = format!("http://{}", listener.local_addr().expect("bound"));
    let challenge = format!(
        "Bearer resource_metadata=\"{origin}/prm\", error=\"invalid_token\", \
         error_description=\"`<img src=x> ![p](http://evil.example/p) # Forged\""
    );
    let answer = move |request: Request| {
        let challenge = challenge.clone();
        async move {
            match request.uri().path() {
                "/mcp" => {
                    let headers = [("www-authenticate", challenge)];
                    (StatusCode::UNAUTHORIZED, headers, PAGE).into_response()
                }
                _ => (StatusCode::BAD_REQUEST, PAGE).into_response(),
            }
        }
    };
    let routes = Router::new().fallback(answer);
    tokio::spawn(async move { axum::serve(listener, routes).await });
    format!("{origin}/mcp")
}

/// Everything that a text of Markdown says beside plain text and code: headings and links, images,
/// tables, HTML.
fn said(markdown: &str) -> Vec<String> {
    let mut said = Vec::new();
    let mut heading = None;
    for event in Parser::new_ext(markdown, Options::all()) {
        match event {
            Event::Start(Tag::Heading { .. }) => heading = Some(String::new()),
            Event::End(pulldown_cmark::TagEnd::Heading(_)) => said.extend(heading.take()),
            Event::Text(text) => {
                if let Some(heading) = &mut heading {
                    heading.push_str(&text);
                }
            }
            Event::Html(html) | Event::InlineHtml(html) => said.push(html.into_string()),
            Event::Start(
                tag @ (Tag::Link { .. } | Tag::Image { .. } | Tag::Table(_) | Tag::BlockQuote(_)),
            ) => said.push(format!("{tag:?}")),
            _ => {}
        }
    }
    said
}

#[tokio::test(flavor = "multi_thread")]
async fn what_an_authorization_server_says_stays_in_the_code_of_an_export() {
    let url = with_page().await;
    let host = TestHost::with_servers(json!({ "evil": { "type": "http", "url": url } }));
    let server = TestHost::id("evil");
    let attempt = host.sign_in(&server).await;
    assert_eq!(attempt.state, SignInState::Failed, "{attempt:#?}");

    let export = |form| {
        host.inspector
            .sign_in
            .export_sign_in(&server, form)
            .expect("a text")
    };
    let text = export(SignInExport::Text);
    // It got there, and the parser sees it where it is let out.
    assert!(text.contains("http://evil.example/pixel"), "{text}");
    let forged = said(PAGE);
    for part in [
        "Forged",
        "<img src=http://evil.example/pixel>\n",
        "Image",
        "Link",
        "Table",
    ] {
        assert!(forged.iter().any(|said| said.contains(part)), "{forged:?}");
    }
    let headings = said(&text);
    assert!(headings.len() > 3, "{text}");
    for heading in &headings {
        let (title, state) = heading.split_once(": ").unwrap_or((heading, ""));
        let is_own = title == "Sign-in to "
            || !state.is_empty() && attempt.steps.iter().any(|step| step.step.title() == title);
        assert!(is_own, "{heading}\n{text}");
    }
    assert!(!text.contains('\u{202e}'), "{text}");

    let diagram = export(SignInExport::Mermaid);
    assert!(!diagram.contains(['<', '`', '%', '\u{202e}']), "{diagram}");
}

/// U+FFFE and U+FFFF stand in no XML 1.0 document, not even as references.
#[test]
fn a_report_is_xml_whatever_a_server_answers() {
    const ATTACK: &str = "a\u{fffe}\u{ffff}\u{1b}[31m\u{0}\u{b}\u{9b}\u{202e}]]></failure></testcase><testcase name=\"forged\"/>&x;";
    let tools = json!({ "tools": [{ "name": "odd", "inputSchema": { "type": "object" } }] });
    let answer = json!({ "content": [{ "type": "text", "text": ATTACK }] });
    let (tools, answer) = (tools.to_string(), answer.to_string());
    let tap = Wiretap::new();
    let entry = programs::scripted(&tap, &[("tools/list", &tools), ("tools/call", &answer)]);
    let machine = Machine::with_servers(json!({ "odd": entry }));
    let trusted = machine.run(&["config", "trust", "--yes"]);
    assert_eq!(trusted.code, Some(0), "{}", trusted.stderr);
    let requests = machine.path("project/.sightglass/requests");
    fs::create_dir_all(&requests).expect("made");
    let request = call("odd", "{}", &expect("text", "equals", "\"y\""));
    let request = request.replace("server = \"demo\"", "server = \"odd\"");
    fs::write(requests.join("a.toml"), request).expect("written");

    let report = machine.path("report.xml");
    let ran = machine.run(&["test", "--junit", report.to_str().expect("UTF-8")]);
    assert_eq!(ran.code, Some(5), "{}{}", ran.stdout, ran.stderr);
    validate_junit(&report);
    let xml = fs::read_to_string(&report).expect("written");
    assert!(xml.contains(r"a\u{fffe}\u{ffff}\u001b[31m"), "{xml}");
    assert_eq!(xml.matches("<testcase ").count(), 1, "{xml}");

    check_is_xml(&machine, ATTACK);
}

/// Checks a recording in which a server answers with such a text.
fn check_is_xml(machine: &Machine, attack: &str) {
    let head = r#"{"v":2,"dir":"meta","format":"sightglass-session","application":"x","ts":1000}"#;
    let request = json!({ "jsonrpc": "2.0", "id": 1, "method": attack }).to_string();
    let pending = json!({
        "v": 2, "seq": 1, "conn": 1, "ts": 1_000_001, "dir": "c2s", "kind": "request",
        "method": attack, "raw": request,
    });
    let stray = json!({
        "v": 2, "seq": 2, "conn": 1, "ts": 1_000_002, "dir": "stderr", "kind": "stderr",
        "method": "stdout", "raw": attack,
    });
    let end = r#"{"v":2,"dir":"meta","end":{"frames":2}}"#;
    let text = format!("{head}\n{pending}\n{stray}\n{end}\n");
    fs::write(machine.path("project/recorded.ndjson"), text).expect("written");
    let report = machine.path("project/checked.xml");
    let name = report.to_str().expect("UTF-8");
    let ran = machine.run(&["check", "recorded.ndjson", "--junit", name]);
    assert_eq!(ran.code, Some(5), "{}{}", ran.stdout, ran.stderr);
    validate_junit(&report);
    let xml = fs::read_to_string(&report).expect("written");
    assert!(xml.contains(r"a\u{fffe}\u{ffff}\u{1b}[31m"), "{xml}");
}

/// Writes down how programs are started that stand on the search path in place of the real ones.
struct Programs {
    directory: PathBuf,
}

impl Programs {
    fn new(directory: &Path) -> Self {
        let directory = directory.join("programs");
        fs::create_dir_all(&directory).expect("created");
        Self { directory }
    }

    fn put(&self, name: &str, rest: &str) {
        let file = self.directory.join(name);
        let log = self.directory.display();
        let script = format!(
            "#!/bin/sh\nenv > {log}/{name}.environment\n\
             for word; do printf '%s\\n' \"$word\"; done >> {log}/{name}.words\n{rest}\n"
        );
        fs::write(&file, script).expect("written");
        fs::set_permissions(&file, fs::Permissions::from_mode(0o755)).expect("executable");
    }

    fn log(&self, name: &str) -> String {
        fs::read_to_string(self.directory.join(name)).unwrap_or_default()
    }

    /// The search path with these programs first.
    fn search_path(&self) -> String {
        let path = std::env::var("PATH").unwrap_or_default();
        format!("{}:{path}", self.directory.display())
    }
}

const CLIENT_SECRET: &str = "canary-0f-a-client-secret";

#[test]
fn no_program_inherits_the_client_secret_and_no_argument_holds_a_secret_of_the_address() {
    let demo = programs::demo_over_http(&[]);
    let secret_url = format!("{}?api_key=${{KEY}}", demo.url);
    let machine = Machine::new();
    let programs = Programs::new(&machine.path("temporary"));
    programs.put("server", "exit 1");
    programs.put("helper", "echo '{}'");
    programs.put("npm", "exit 1");
    programs.put("node", "echo v22.0.0");
    let file = |name: &str| programs.directory.join(name).display().to_string();
    let servers = json!({
        "program": { "command": file("server") },
        "helped": { "type": "http", "url": demo.url, "headersHelper": file("helper") },
        "plain": { "type": "http", "url": demo.url },
        "keyed": { "type": "http", "url": secret_url },
    });
    let servers = json!({ "mcpServers": servers }).to_string();
    fs::write(machine.path("home/.claude.json"), servers).expect("written");
    let run = |words: &[&str]| {
        let mut command = machine.command(words);
        command
            .env("SIGHTGLASS_CLIENT_SECRET", CLIENT_SECRET)
            .env("KEY", "canary-0f-an-address")
            .env("PATH", programs.search_path());
        crate::command_line::ran(command.output().expect("it starts"))
    };
    run(&["ping", "program"]);
    run(&["ping", "helped"]);
    run(&["conformance", "plain", "--suite", "--install-suite"]);
    install_suite(&machine.path("data/conformance-suite"));
    let suite = run(&["conformance", "plain", "--suite"]);
    assert!(
        programs.log("node.words").contains(&demo.url),
        "{}{}",
        suite.stdout,
        suite.stderr
    );
    for program in ["server", "helper", "npm", "node"] {
        let inherited = programs.log(&format!("{program}.environment"));
        assert!(
            inherited.contains("KEY=canary-0f-an-address"),
            "{program} ran"
        );
        assert!(!inherited.contains(CLIENT_SECRET), "{program}: {inherited}");
    }

    let refused = run(&["conformance", "keyed", "--suite"]);
    assert_eq!(
        refused.code,
        Some(1),
        "{}{}",
        refused.stdout,
        refused.stderr
    );
    assert!(
        refused.stderr.contains("holds what may be a secret"),
        "{}",
        refused.stderr
    );
    let way_out = "Use an address without it, or run the checks without the official suite.";
    assert!(refused.stderr.contains(way_out), "{}", refused.stderr);
    let words = programs.log("node.words");
    assert!(
        !words.contains("api_key") && !words.contains("canary"),
        "{words}"
    );
}

/// Puts files where the official suite would be, for the version that was to be installed.
fn install_suite(directory: &Path) {
    let version = fs::read_dir(directory).expect("it was tried");
    let version = version.flatten().next().expect("a version").path();
    let package = version.join("node_modules/@modelcontextprotocol/conformance");
    fs::create_dir_all(package.join("requirements")).expect("created");
    let name = version.file_name().expect("named").to_string_lossy();
    let manifest = json!({ "version": name }).to_string();
    fs::write(package.join("package.json"), manifest).expect("written");
    for revision in ["2025-11-25", "2026-07-28"] {
        let file = package.join(format!("requirements/{revision}.yaml"));
        fs::write(file, "server:\n  - ping\n").expect("written");
    }
}

/// A browser passes over tabs and line feeds in an address, and a script does not.
#[tokio::test(flavor = "multi_thread")]
async fn an_address_is_opened_in_its_normal_form_or_not_at_all() {
    let directory = TempDir::new().expect("a temporary directory");
    let programs = Programs::new(directory.path());
    programs.put("browser", "");
    let browser = programs.directory.join("browser").display().to_string();
    let host = Headless::new(Some(browser));
    for refused in [
        "file:///etc/passwd",
        "--help",
        "javascript:alert(1)",
        "ht tp://x/",
    ] {
        assert!(host.open_address(refused).is_err(), "{refused}");
    }
    host.open_address(" https://exa\tmple.test/a b\n?c=\"d' e\u{202e}#f")
        .expect("opened");
    let opened = "https://example.test/a%20b?c=%22d%27%20e%E2%80%AE#f\n";
    let deadline = Instant::now() + DEADLINE;
    while programs.log("browser.words") != opened {
        let log = programs.log("browser.words");
        assert!(
            opened.starts_with(&log) && Instant::now() < deadline,
            "{log}"
        );
        tokio::time::sleep(Duration::from_millis(10)).await;
    }
}
