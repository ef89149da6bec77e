//! A folder that attacks through entries of the user's own that use it: with a variable of their
//! client, by its path, or by a command that its name is put into.

use std::{fs, os::unix::fs::symlink};

use serde_json::{Value, json};
use sightglass_inspector::{
    Client, ConfigAction, Draft, ErrorCode, InspectorError, ServerId, Target,
    view::{Blocked, ServerView, StartPlace},
};
use sightglass_tests::{Environment, TestHost, configuring, programs};

use crate::command_line::{Machine, ran};

const MCP_JSON: &str = "home/.claude/.mcp.json";
const CLAUDE_CODE: &str = "home/.claude.json";
const VSCODE: &str = "home/.config/Code/User/mcp.json";

/// A folder that nobody trusted, with a script and a Python module that leave a mark, and an entry of
/// the user's own in this file. `{folder}`, `{root}` and `{link}` stand for the folder, its parent,
/// and a link to it.
async fn attacked(file: &str, entry: Value) -> (TestHost, ServerId) {
    let host = TestHost::in_foreign_folder(json!({}), json!({}), Environment::default());
    let mark = host.path("mark");
    let script = format!("echo ran > '{}'\n", mark.display());
    host.write(&host.project().join("server.sh"), &script);
    let module = format!("open({:?}, 'w').write('ran')\n", mark.display());
    host.write(&host.project().join("module_of_folder.py"), &module);
    let link = host.path("link");
    symlink(host.project(), &link).expect("linked");
    let text = entry
        .to_string()
        .replace("{folder}", &host.project().display().to_string())
        .replace("{root}", &host.path("").display().to_string())
        .replace("{link}", &link.display().to_string());
    let (client, key) = match file {
        MCP_JSON => ("mcp-json", "mcpServers"),
        CLAUDE_CODE => ("claude-code", "mcpServers"),
        _ => ("vscode", "servers"),
    };
    let text = format!(r#"{{ "{key}": {{ "own": {text} }} }}"#);
    host.write(&host.path(file), &text);
    let host = host.restart_unapproved().await;
    (host, ServerId::new(client, "own"))
}

/// Connects and waits until that has succeeded or failed; an attack needs no success.
async fn start(host: &TestHost, id: &ServerId) {
    host.try_connect(id).await;
    host.inspector.servers.open_connections.disconnect(id).await;
}

fn refusal(host: &TestHost, id: &ServerId) -> InspectorError {
    let error = host
        .inspector
        .servers
        .lifecycle
        .connect(id)
        .expect_err("not trusted");
    assert_eq!(error.code(), ErrorCode::FolderNotTrusted, "{error}");
    error
}

#[tokio::test(flavor = "multi_thread")]
async fn an_own_entry_that_uses_the_folder_does_not_run_it_before_it_is_trusted() {
    let shell = |script: &str| json!({ "command": "/bin/sh", "args": ["-c", script] });
    let program = |argument: &str| json!({ "command": "/bin/sh", "args": [argument] });
    let helper = |command: &str| json!({ "type": "http", "url": "http://127.0.0.1:9/mcp", "headersHelper": command });
    let module = |path: &str| json!({ "command": "python3", "args": ["-m", "module_of_folder"], "env": { "PYTHONPATH": path } });
    let cases = [
        (VSCODE, program("${workspaceFolder}/server.sh"), "args[0]"),
        (VSCODE, module("${workspaceFolder}"), "env.PYTHONPATH"),
        (
            VSCODE,
            shell("sh \"${workspaceFolder}\"/server.sh"),
            "args[1]",
        ),
        (
            VSCODE,
            program("{root}/${workspaceFolderBasename}/server.sh"),
            "args[0]",
        ),
        (
            CLAUDE_CODE,
            helper("sh ${CLAUDE_PROJECT_DIR}/server.sh"),
            "headersHelper",
        ),
        (
            CLAUDE_CODE,
            helper("sh {folder}/server.sh"),
            "headersHelper",
        ),
        (MCP_JSON, program("{folder}/server.sh"), "args[0]"),
        (MCP_JSON, program("{link}/server.sh"), "args[0]"),
        (MCP_JSON, module("/usr/lib:{folder}:/lib"), "env.PYTHONPATH"),
        (
            MCP_JSON,
            shell("cd '{folder}' && sh ./server.sh"),
            "args[1]",
        ),
        (
            MCP_JSON,
            shell("cd {root} && sh ./project/server.sh"),
            "args[1]",
        ),
        (
            MCP_JSON,
            json!({ "command": "/bin/sh", "args": ["project/server.sh"], "cwd": "{root}" }),
            "args[0]",
        ),
        (
            MCP_JSON,
            json!({ "command": "node", "args": ["--import=file://{folder}/server.mjs", "-e", ""] }),
            "args[0]",
        ),
    ];
    for (file, entry, field) in cases {
        let (host, id) = attacked(file, entry.clone()).await;
        let mark = host.path("mark");
        let code = format!("import('fs').then(fs => fs.writeFileSync({mark:?}, 'ran'));\n");
        host.write(&host.project().join("server.mjs"), &code);
        let servers = host.inspector.snapshot().servers;
        let shown = servers.iter().find(|server| server.id == id);
        let shown = shown.expect("it is shown");
        assert_eq!(shown.blocked, Some(Blocked::FolderNotTrusted), "{entry}");
        let next = shown.start.map(|start| start.next);
        assert_eq!(next, Some(StartPlace::Folder), "{entry}");
        let obstacle = shown.obstacle.as_ref().expect("the trust is missing");
        assert!(
            obstacle.evidence.iter().any(|line| line.contains(field)),
            "{entry}: {obstacle:?}"
        );
        let error = refusal(&host, &id).to_string();
        assert!(error.contains(&format!("Its {field} ")), "{entry}: {error}");
        host.inspector
            .checks
            .doctor
            .run_doctor(&id)
            .await
            .expect_err("not trusted");
        assert!(!mark.exists(), "{entry}: the folder's code ran");

        // The attack is one: where the user trusts the folder, its code is what runs.
        host.inspector
            .servers
            .folder_trust
            .trust_folder()
            .expect("trusted");
        start(&host, &id).await;
        assert!(mark.exists(), "{entry}");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn an_own_entry_that_uses_nothing_of_the_folder_starts_without_trust() {
    let demo = programs::own("sightglass-demo-server")
        .display()
        .to_string();
    for entry in [
        json!({ "command": demo, "args": [], "env": { "PLACE": "{root}" } }),
        json!({ "command": "/bin/sh", "args": ["-c", format!("cd {{root}} && exec {demo}")] }),
        json!({ "command": demo, "env": { "PLACE": "{folder}-of-another-name" } }),
    ] {
        let (host, id) = attacked(MCP_JSON, entry).await;
        host.connect(&id).await;
        let servers = host.inspector.snapshot().servers;
        let shown = servers.iter().find(|server| server.id == id);
        let start = shown.expect("it is shown").start.expect("a program");
        assert_eq!(start.last, Some(StartPlace::EmptyDirectory));
    }
}

/// Saves a server into the folder's own file, as somebody does who has just pasted it.
fn save_in_folder(host: &TestHost, draft: Draft) {
    let target = Target::new(Client::McpJson, "project");
    configuring::change(&host.inspector, &ConfigAction::Add { target, draft });
}

fn shown(host: &TestHost, id: &ServerId) -> ServerView {
    let servers = host.inspector.snapshot().servers;
    let found = servers.into_iter().find(|server| server.id == *id);
    found.expect("it is shown")
}

#[tokio::test(flavor = "multi_thread")]
async fn what_the_user_wrote_into_the_folders_file_starts_outside_it_and_what_differs_asks_again() {
    let host = TestHost::in_foreign_folder(json!({}), json!({}), Environment::default());
    let (seen, mark) = (host.path("seen"), host.path("mark"));
    let demo = programs::own("sightglass-demo-server");
    let script = format!("pwd -P > '{}'; exec '{}'", seen.display(), demo.display());
    let id = TestHost::id("own");
    save_in_folder(
        &host,
        configuring::program("own", "/bin/sh", &["-c", &script]),
    );
    let saved = shown(&host, &id);
    assert_eq!(saved.blocked, None);
    let start = saved.start.expect("a program");
    assert_eq!(start.next, StartPlace::EmptyDirectory);
    assert!(!start.misses_folder);
    host.connect(&id).await;
    let empty = host.data().join("empty").canonicalize().expect("made");
    let directory = fs::read_to_string(&seen).expect("it ran");
    assert_eq!(directory.trim(), empty.display().to_string());
    host.inspector
        .servers
        .open_connections
        .disconnect(&id)
        .await;

    // Another program puts something else in the place of what was saved.
    let evil = format!("touch '{}'; exec '{}'", mark.display(), demo.display());
    let file = host.project().join(".claude/.mcp.json");
    let cases = [
        json!({ "command": demo, "args": ["-c", script] }),
        json!({ "command": "/bin/sh", "args": ["-c", evil] }),
        json!({ "command": "/bin/sh", "args": ["-c", script], "env": { "ENV": "./evil.sh" } }),
        json!({ "command": "/bin/sh", "args": ["-c", script], "cwd": "." }),
    ];
    for entry in cases {
        host.write(
            &file,
            &json!({ "mcpServers": { "own": entry } }).to_string(),
        );
        host.eventually("a question", || {
            (shown(&host, &id).blocked == Some(Blocked::Waiting)).then_some(())
        })
        .await;
        let refused = host.inspector.servers.lifecycle.connect(&id);
        let error = refused.expect_err("it is not what was saved");
        assert_eq!(error.code(), ErrorCode::NotApproved, "{entry}");

        // To be shown it is not to write it: the folder is asked about too.
        let trust = &host.inspector.servers.trust;
        let request = trust.trust_request(&id).expect("it waits");
        trust
            .approve_server(&id, &request.fingerprint)
            .expect("approved");
        assert_eq!(
            shown(&host, &id).blocked,
            Some(Blocked::FolderNotTrusted),
            "{entry}"
        );
        refusal(&host, &id);
    }
    assert!(!mark.exists());
}

#[tokio::test(flavor = "multi_thread")]
async fn what_the_user_wrote_does_not_run_the_folder_before_it_is_trusted() {
    let (host, _) = attacked(MCP_JSON, json!({ "command": "true" })).await;
    let script = host.project().join("server.sh").display().to_string();
    let named = TestHost::id("named");
    save_in_folder(&host, configuring::program("named", "/bin/sh", &[&script]));
    assert_eq!(
        shown(&host, &named).blocked,
        Some(Blocked::FolderNotTrusted)
    );
    refusal(&host, &named);

    // One that is found from the folder alone is a reason to ask, and starts outside it.
    let relative = TestHost::id("relative");
    let draft = configuring::program("relative", "/bin/sh", &["server.sh"]);
    save_in_folder(&host, draft);
    let start = shown(&host, &relative).start.expect("a program");
    assert_eq!(start.next, StartPlace::EmptyDirectory);
    assert!(start.misses_folder);
    self::start(&host, &relative).await;
    assert!(!host.path("mark").exists());
}

#[tokio::test(flavor = "multi_thread")]
async fn a_server_that_is_not_saved_does_not_run_the_folder_either() {
    let (host, _) = attacked(MCP_JSON, json!({ "command": "true" })).await;
    let script = host.project().join("server.sh").display().to_string();
    let draft = configuring::program("from a link", "/bin/sh", &[&script]);
    let tried = host
        .inspector
        .servers
        .lifecycle
        .try_server(draft.clone())
        .await;
    let error = tried.expect_err("not trusted");
    assert_eq!(error.code(), ErrorCode::FolderNotTrusted, "{error}");
    let mark = host.path("mark");
    assert!(!mark.exists());
    host.inspector
        .servers
        .folder_trust
        .trust_folder()
        .expect("trusted");
    host.inspector
        .servers
        .lifecycle
        .try_server(draft)
        .await
        .expect("it starts");
    host.eventually("the mark", || mark.exists().then_some(()))
        .await;
}

/// The command line says what is true: it started nothing.
#[test]
fn the_command_line_names_what_of_the_folder_is_used() {
    let machine = Machine::new();
    let mark = machine.path("mark");
    let script = format!("echo ran > '{}'\n", mark.display());
    fs::write(machine.path("project/server.sh"), script).expect("written");
    let file = machine.path("home/.config/Code/User/mcp.json");
    fs::create_dir_all(file.parent().expect("a parent")).expect("created");
    let own = json!({ "servers": { "own": {
        "command": "/bin/sh", "args": ["${workspaceFolder}/server.sh"],
    } } });
    fs::write(file, own.to_string()).expect("written");
    let refused = machine.run(&["ping", "own"]);
    assert_eq!(refused.code, Some(1), "{}", refused.stderr);
    assert!(
        refused
            .stderr
            .contains("Its args[0] uses ${workspaceFolder}."),
        "{}",
        refused.stderr
    );
    assert!(
        !refused.stderr.contains("empty directory"),
        "{}",
        refused.stderr
    );
    assert!(!mark.exists());
    let trusted = machine.run(&["config", "trust", "--yes"]);
    assert_eq!(trusted.code, Some(0), "{}", trusted.stderr);
    machine.run(&["ping", "own"]);
    assert!(mark.exists());
}

/// A shell names the folder that it is in, and the one before; `npm` names that it was called in.
#[test]
fn what_starts_without_trust_is_not_told_the_folder() {
    let listening = programs::demo_over_http(&[]);
    let machine = Machine::new();
    let [helper, server] = ["helper", "server"].map(|name| machine.path(name));
    let demo = programs::own("sightglass-demo-server");
    let print = format!("env > '{}'; printf '{{}}'", helper.display());
    let start = format!("env > '{}'; exec '{}'", server.display(), demo.display());
    let own = json!({ "mcpServers": {
        "helped": { "type": "http", "url": listening.url, "headersHelper": print },
        "started": { "command": "/bin/sh", "args": ["-c", start] },
    } });
    fs::write(machine.path(MCP_JSON), own.to_string()).expect("written");
    let folder = machine.path("project");
    for (name, seen) in [("helped", helper), ("started", server)] {
        let mut command = machine.command(&["ping", name]);
        for variable in ["PWD", "OLDPWD", "INIT_CWD"] {
            command.env(variable, &folder);
        }
        let done = ran(command.output().expect("it starts"));
        assert_eq!(done.code, Some(0), "{}", done.stderr);
        let environment = fs::read_to_string(seen).expect("it ran");
        let told = environment.lines().find(|line| line.contains("/project"));
        assert_eq!(told, None, "{name}");
    }
}

/// A folder whose name a shell would run, in commands that mention it, once it is trusted.
#[test]
fn the_name_of_a_folder_is_no_part_of_a_command() {
    let listening = programs::demo_over_http(&[]);
    let nested = "$(sh -c 'bash -c \"printf %s ${CLAUDE_PROJECT_DIR} ; true\"')";
    let ways = [
        "${CLAUDE_PROJECT_DIR}",
        "\"${CLAUDE_PROJECT_DIR}\"",
        "${CLAUDE_PROJECT_DIR:-none}",
        "${UNSET_HERE:-${CLAUDE_PROJECT_DIR}}",
        nested,
    ];
    for (name, is_harmless) in [
        ("x;touch mark;y", false),
        ("x$(touch mark)y", false),
        ("x`touch mark`y", false),
        ("x'\ntouch mark\n'y", false),
        ("x touch (mark) #y", true),
    ] {
        for written in ways {
            // In brackets a shell expects a command of its own, which this name is none of.
            if is_harmless && written == nested {
                continue;
            }
            let machine = Machine::new();
            let folder = machine.path(name);
            fs::create_dir(&folder).expect("created");
            let seen = machine.path("seen");
            let helper = format!(
                "printf '%s ' {written} > '{}'; printf '{{\"X-Helped\":\"yes\"}}'",
                seen.display()
            );
            let own = json!({ "mcpServers": { "helped": {
                "type": "http", "url": listening.url, "headersHelper": helper,
            } } });
            fs::write(machine.path("home/.claude.json"), own.to_string()).expect("written");
            let run = |words: &[&str]| {
                let mut command = machine.command(words);
                ran(command.current_dir(&folder).output().expect("it starts"))
            };
            let untrusted = run(&["ping", "helped"]).stderr;
            assert!(untrusted.contains("CLAUDE_PROJECT_DIR"), "{untrusted}");
            assert!(!seen.exists(), "{name}: it was not trusted");
            assert_eq!(run(&["config", "trust", "--yes"]).code, Some(0));
            let done = run(&["ping", "helped"]);
            if is_harmless {
                assert_eq!(done.code, Some(0), "{}", done.stderr);
                let words = fs::read_to_string(&seen).expect("the helper ran");
                assert!(words.contains("touch") && words.contains('y'), "{words}");
            } else {
                let said = done.stderr;
                assert!(said.contains("a shell may read as syntax"), "{said}");
                assert!(!seen.exists(), "{name}: {written} ran");
            }
            for place in [&folder, &machine.path("data/empty"), &machine.path("")] {
                assert!(!place.join("mark").exists(), "{name}: the name was run");
            }
        }
    }
}

/// Other users of the machine see the arguments of a process.
#[test]
fn a_secret_of_a_command_for_headers_is_in_no_argument() {
    if !cfg!(target_os = "linux") {
        return;
    }
    let listening = programs::demo_over_http(&[]);
    let machine = Machine::new();
    let (arguments, seen) = (machine.path("arguments"), machine.path("seen"));
    let helper = format!(
        "cat /proc/$$/cmdline > '{}'; printf %s \"${{TOKEN}}\" > '{}'; printf '{{\"X-A\":\"b\"}}'",
        arguments.display(),
        seen.display()
    );
    let own = json!({ "mcpServers": { "helped": {
        "type": "http", "url": listening.url, "headersHelper": helper,
    } } });
    fs::write(machine.path(MCP_JSON), own.to_string()).expect("written");
    let mut command = machine.command(&["ping", "helped"]);
    command.env("TOKEN", "canary-of-the-user.9xQ");
    let done = ran(command.output().expect("it starts"));
    assert_eq!(done.code, Some(0), "{}", done.stderr);
    assert_eq!(
        fs::read_to_string(seen).expect("the helper ran"),
        "canary-of-the-user.9xQ"
    );
    let arguments = fs::read_to_string(arguments).expect("the helper ran");
    assert!(arguments.contains("${TOKEN}"), "{arguments}");
    assert!(!arguments.contains("canary"), "{arguments}");
}
