//! A project whose configuration files are links, pipes or far too large.

use std::{
    fs::{self, File},
    os::unix::fs::symlink,
    path::Path,
    sync::Arc,
    time::Duration,
};

use serde_json::{Value, json};
use sightglass_inspector::{
    Client, ConfigAction, ErrorCode, Inspector, OutsideWrites, Target, view::ApplyOutcome,
};
use sightglass_tests::{Environment, TestHost, configuring::program};

use crate::command_line::Machine;

/// Longer than opening takes on a busy machine; reaching it is a failure.
const FILE_TIMEOUT: Duration = Duration::from_secs(120);

/// Opens the application once more on the host's directories.
async fn opened(host: &Arc<TestHost>) -> Arc<Inspector> {
    let host = Arc::clone(host);
    let opening = tokio::task::spawn_blocking(move || host.beside(Environment::default()));
    let opened = tokio::time::timeout(FILE_TIMEOUT, opening).await;
    opened.expect("the application opens").expect("no panic")
}

/// Returns the message about a file that was not read.
fn unreadable(inspector: &Inspector, path: &Path) -> Option<String> {
    let path = path.display().to_string();
    let clients = inspector.servers.projection.configuration().clients;
    let mut files = clients.into_iter().flat_map(|client| client.files);
    files.find(|file| file.path == path)?.unreadable
}

fn fifo(path: &Path) {
    let name = std::ffi::CString::new(path.to_str().expect("text")).expect("no zero byte");
    // SAFETY: the name is a C string that lives until the call returns.
    assert_eq!(unsafe { libc::mkfifo(name.as_ptr(), 0o600) }, 0);
}

#[tokio::test(flavor = "multi_thread")]
async fn devices_pipes_and_huge_files_neither_hold_the_application_up_nor_hide_other_servers() {
    let host = Arc::new(TestHost::new());
    let mine = json!({ "mcpServers": { "mine": { "command": "x" } } }).to_string();
    host.write(&host.home().join(".claude/.mcp.json"), &mine);
    let project = host.project();
    let root = project.join(".mcp.json");
    let sparse = project.join(".claude/.mcp.json");
    let pipe = project.join(".claude/.mcp.local.json");
    let settings = project.join(".claude/settings.json");
    fs::create_dir(project.join(".claude")).expect("made");
    symlink("/dev/zero", &root).expect("linked");
    let huge = File::create(&sparse).and_then(|file| file.set_len(20 << 30));
    huge.expect("a sparse file");
    fifo(&pipe);
    fifo(&settings);
    fs::create_dir(project.join(".git")).expect("made");
    fifo(&project.join(".git/index"));

    let inspector = opened(&host).await;
    let said = |path| unreadable(&inspector, path).expect("it says why");
    assert!(said(&root).contains("is not a regular file but a device"));
    assert!(said(&sparse).contains("is larger than 16 MiB"));
    assert!(said(&pipe).contains("is not a regular file but a FIFO"));
    let servers = inspector.snapshot().servers;
    assert!(servers.iter().any(|server| server.name == "mine"));
    inspector.shutdown().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_file_that_becomes_a_device_while_the_application_runs_is_told_and_so_is_its_end() {
    let host = TestHost::new();
    let file = host.project().join(".mcp.json");
    let put = |make: &dyn Fn(&Path)| {
        let beside = host.project().join("beside");
        make(&beside);
        fs::rename(&beside, &file).expect("renamed");
    };
    put(&|path| symlink("/dev/zero", path).expect("linked"));
    host.eventually("the message about the device", || {
        unreadable(&host.inspector, &file)
    })
    .await;
    put(&fifo);
    host.eventually("the message about the pipe", || {
        unreadable(&host.inspector, &file).filter(|said| said.contains("FIFO"))
    })
    .await;
    let text = json!({ "mcpServers": { "back": { "command": "x" } } }).to_string();
    put(&|path| fs::write(path, &text).expect("written"));
    host.eventually("the server", || {
        let servers = host.inspector.snapshot().servers;
        servers.into_iter().find(|server| server.name == "back")
    })
    .await;
}

#[tokio::test(flavor = "multi_thread")]
async fn an_entry_of_a_hundred_thousand_variables_is_refused_in_words() {
    let variables: serde_json::Map<String, Value> = (0..100_000)
        .map(|number| (format!("VARIABLE_{number}"), "x".into()))
        .collect();
    let servers = json!({
        "many": { "command": "x", "env": variables },
        "few": { "command": "x" },
    });
    let host = Arc::new(TestHost::new());
    let text = json!({ "mcpServers": servers }).to_string();
    host.write(&host.project().join(".mcp.json"), &text);
    let inspector = opened(&host).await;
    inspector
        .servers
        .lifecycle
        .connect(&TestHost::id("many"))
        .expect_err("it cannot be used");
    let clients = inspector.servers.projection.configuration().clients;
    let mut problems = clients
        .into_iter()
        .flat_map(|client| client.files)
        .flat_map(|file| file.problems);
    assert!(problems.any(|problem| problem.message.contains("more than 10000 values")));
    let servers = inspector.snapshot().servers;
    assert!(servers.iter().any(|server| server.name == "few"));
    inspector.shutdown().await;
}

/// Files of a project that hold one server each, and this many other values.
fn files_of(values: usize) -> [(&'static str, &'static str, String); 3] {
    let named = |line: &dyn Fn(usize) -> String| (0..values).map(line).collect::<String>();
    let yaml = named(&|n| format!("  n{n}: 1\n"));
    let toml = named(&|n| format!("n{n} = 1\n"));
    let json = named(&|n| format!("\"n{n}\": 1,\n"));
    [
        (
            ".continue/mcpServers/a.yaml",
            "from-yaml",
            format!("mcpServers:\n- name: from-yaml\n  command: x\nothers:\n{yaml}"),
        ),
        (
            ".codex/config.toml",
            "from-toml",
            format!("[mcp_servers.from-toml]\ncommand = \"x\"\n[others]\n{toml}"),
        ),
        (
            ".mcp.json",
            "from-json",
            format!("{{{json}\"mcpServers\":{{\"from-json\":{{\"command\":\"x\"}}}}}}"),
        ),
    ]
}

/// A problem of a file: path, line, message.
type Told = (String, u32, String);

/// Returns the names of all servers, and the problems of all files.
async fn read_with(host: &Arc<TestHost>) -> (Vec<String>, Vec<Told>) {
    let inspector = opened(host).await;
    let clients = inspector.servers.projection.configuration().clients;
    let servers = { clients.iter() }
        .flat_map(|client| client.servers.iter().map(|server| server.name.clone()))
        .collect();
    let files = clients.into_iter().flat_map(|client| client.files);
    let problems = files
        .flat_map(|file| {
            let path = file.path;
            let problems = file.problems.into_iter();
            problems.map(move |problem| (path.clone(), problem.line, problem.message))
        })
        .collect();
    inspector.shutdown().await;
    (servers, problems)
}

#[tokio::test(flavor = "multi_thread")]
async fn files_of_a_project_with_200_000_names_are_read() {
    let host = Arc::new(TestHost::new());
    let files = files_of(200_000);
    for (path, _, text) in &files {
        host.write(&host.project().join(path), text);
    }
    let (servers, _) = read_with(&host).await;
    for (path, server, _) in files {
        assert!(servers.iter().any(|name| name == server), "{path}");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_file_of_too_many_values_is_refused_with_its_line_and_left_as_it_is() {
    let host = Arc::new(TestHost::new());
    let mine = json!({ "mcpServers": { "mine": { "command": "x" } } }).to_string();
    host.write(&host.home().join(".claude/.mcp.json"), &mine);
    let files = files_of(250_000);
    for (path, _, text) in &files {
        host.write(&host.project().join(path), text);
    }
    let (servers, problems) = read_with(&host).await;
    assert!(servers.iter().any(|name| name == "mine"));
    for (path, server, _) in &files {
        assert!(!servers.iter().any(|name| name == server), "{path}");
        let of_file = |(file, _, message): &&Told| {
            file.ends_with(path) && message.contains("more than 250000 values")
        };
        let (_, line, _) = problems.iter().find(of_file).expect(path);
        assert!(*line > 249_000, "{path}: line {line}");
    }
    // What is not read is not written either.
    let inspector = opened(&host).await;
    let error = inspector
        .setup
        .changes
        .plan_configuration(&addition())
        .expect_err("unread");
    assert_eq!(error.code(), ErrorCode::Configuration);
    inspector.shutdown().await;
    for (path, _, text) in &files {
        let now = fs::read_to_string(host.project().join(path)).expect("readable");
        assert!(now == *text, "{path} was changed");
    }
}

/// Adds a server to the project's `.mcp.json`.
fn addition() -> ConfigAction {
    ConfigAction::Add {
        target: Target::new(Client::ClaudeCode, "project"),
        draft: program("new", "x", &[]),
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_write_through_a_link_that_leaves_the_project_is_shown_and_confirmed() {
    let host = TestHost::new();
    let home_file = host.home().join(".claude.json");
    host.write(&home_file, "{}");
    let link = host.project().join(".mcp.json");
    symlink("../home/.claude.json", &link).expect("linked");
    let inspector = &host.inspector;

    let plan = inspector
        .setup
        .changes
        .plan_configuration(&addition())
        .expect("possible");
    let real = fs::canonicalize(&home_file).expect("there");
    assert_eq!(plan.files[0].outside, Some(real.display().to_string()));
    let error = inspector
        .setup
        .changes
        .apply_configuration(plan.plan, OutsideWrites::Refused)
        .expect_err("it was not confirmed");
    assert_eq!(error.code(), ErrorCode::Configuration);
    assert!(
        error.to_string().contains("outside this project"),
        "{error}"
    );
    assert_eq!(fs::read_to_string(&home_file).expect("readable"), "{}");

    // What was confirmed is that file and no other.
    let elsewhere = host.home().join("elsewhere.json");
    host.write(&elsewhere, "{}");
    fs::remove_file(&link).expect("removed");
    symlink(&elsewhere, &link).expect("linked");
    inspector
        .setup
        .changes
        .apply_configuration(plan.plan, OutsideWrites::Confirmed)
        .expect_err("the link leads elsewhere");
    assert_eq!(fs::read_to_string(&elsewhere).expect("readable"), "{}");

    let plan = inspector
        .setup
        .changes
        .plan_configuration(&addition())
        .expect("possible");
    let outcome = inspector
        .setup
        .changes
        .apply_configuration(plan.plan, OutsideWrites::Confirmed)
        .expect("written");
    assert!(matches!(outcome, ApplyOutcome::Applied { .. }));
    let text = fs::read_to_string(&elsewhere).expect("readable");
    assert!(text.contains("\"new\""), "{text}");
    assert!(link.is_symlink());
}

#[test]
fn the_command_line_says_where_a_link_leads_and_writes_there_only_when_told() {
    let machine = Machine::new();
    let home_file = machine.path("home/.claude.json");
    fs::write(&home_file, "{}").expect("written");
    symlink(&home_file, machine.path("project/.mcp.json")).expect("linked");
    let add = |options: &[&str]| {
        let words = ["config", "add", "new", "--to", "claude-code:project"];
        machine.run(&[&words[..], options, &["--", "x"]].concat())
    };
    let shown = add(&["--dry-run"]);
    assert_eq!(shown.code, Some(0), "{}", shown.stderr);
    assert!(
        shown.stdout.contains("outside this project"),
        "{}",
        shown.stdout
    );
    assert!(
        shown.stdout.contains("home/.claude.json"),
        "{}",
        shown.stdout
    );
    let refused = add(&["--yes"]);
    assert_ne!(refused.code, Some(0), "{}", refused.stdout);
    assert!(
        refused.stderr.contains("--outside-project"),
        "{}",
        refused.stderr
    );
    assert_eq!(fs::read_to_string(&home_file).expect("readable"), "{}");
    let written = add(&["--yes", "--outside-project"]);
    assert_eq!(written.code, Some(0), "{}", written.stderr);
    let text = fs::read_to_string(&home_file).expect("readable");
    assert!(text.contains("\"new\""), "{text}");
}

#[test]
fn importing_from_a_device_or_a_pipe_ends_with_the_reason() {
    let machine = Machine::new();
    let pipe = machine.path("pipe.mcpb");
    fifo(&pipe);
    let pipe = pipe.to_str().expect("text");
    for file in ["/dev/zero", pipe] {
        let ran = machine.run(&["config", "import", file, "--to", "mcp-json:user", "--yes"]);
        assert_ne!(ran.code, Some(0), "{}", ran.stdout);
        assert!(
            ran.stderr.contains("is not a regular file"),
            "{}",
            ran.stderr
        );
    }
}
