//! A folder that attacks: what lies in it changes what the user's own programs do, when they
//! start there. The programs leave a mark that says who ran and where.

use std::{
    fs,
    path::{Path, PathBuf},
};

use serde_json::{Value, json};
use sightglass_inspector::{
    ErrorCode, ExchangeKind, Phase, ServerId,
    view::{Blocked, FolderAnswer, ServerView, StartPlace},
};
use sightglass_tests::{Environment, TestHost, programs};

use crate::command_line::Machine;

/// Returns the mark that the attacker's code leaves when it ran.
fn mark_of(host: &TestHost) -> PathBuf {
    host.home().join("the-repository-ran")
}

/// A folder in which each of these files is committed, and a user with these servers.
fn attacked(own: Value) -> TestHost {
    TestHost::in_foreign_folder(json!({}), own, Environment::default())
}

fn shown(host: &TestHost, name: &str) -> ServerView {
    let servers = host.inspector.snapshot().servers;
    let found = servers.into_iter().find(|server| server.name == name);
    found.expect("it is shown")
}

/// Connects and waits until that has succeeded or failed; an attack needs no success.
async fn start(host: &TestHost, name: &str) {
    let id = TestHost::id(name);
    host.try_connect(&id).await;
    host.inspector
        .servers
        .open_connections
        .disconnect(&id)
        .await;
}

/// A demo server that first writes where it runs to `file`.
fn telling_its_directory(file: &Path) -> Value {
    let demo = programs::own("sightglass-demo-server");
    let script = format!("pwd -P > '{}'; exec '{}'", file.display(), demo.display());
    json!({ "command": "/bin/sh", "args": ["-c", script] })
}

fn read(file: &Path) -> String {
    let text = fs::read_to_string(file).unwrap_or_default();
    text.trim().to_owned()
}

fn real(path: &Path) -> String {
    let real = path.canonicalize().expect("it is there");
    real.display().to_string()
}

/// Commits a package of the name that the user's `npx` is to run.
fn commit_package(host: &TestHost, mark: &Path) {
    let package = host
        .project()
        .join("node_modules/@modelcontextprotocol/server-memory");
    host.write(
        &package.join("package.json"),
        r#"{"name":"@modelcontextprotocol/server-memory","version":"9.9.9",
            "bin":{"mcp-server-memory":"index.js"}}"#,
    );
    let code = format!("require('fs').writeFileSync({:?}, 'npx')", mark.display());
    let code = format!("#!/usr/bin/env node\n{code}\n");
    host.write(&package.join("index.js"), &code);
    let bin = host.project().join("node_modules/.bin/mcp-server-memory");
    fs::create_dir_all(bin.parent().expect("a parent")).expect("created");
    let program = package.join("index.js");
    make_runnable(&program);
    std::os::unix::fs::symlink(&program, bin).expect("linked");
}

fn make_runnable(path: &Path) {
    use std::os::unix::fs::PermissionsExt;
    fs::set_permissions(path, fs::Permissions::from_mode(0o755)).expect("set");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_committed_package_does_not_take_the_place_of_what_npx_was_to_run() {
    // Offline, so that the real package is out of reach and the story needs no network.
    let host = attacked(json!({ "memory": {
        "command": "npx", "args": ["--offline", "-y", "@modelcontextprotocol/server-memory"],
    } }));
    let mark = mark_of(&host);
    commit_package(&host, &mark);
    assert_eq!(
        shown(&host, "memory").start.map(|start| start.next),
        Some(StartPlace::EmptyDirectory)
    );
    start(&host, "memory").await;
    assert!(!mark.exists(), "the repository's package ran");
    let view = shown(&host, "memory");
    assert_eq!(
        view.start.and_then(|start| start.last),
        Some(StartPlace::EmptyDirectory)
    );
    // The attack is one: where the user trusts the folder, its package is what runs.
    host.inspector
        .servers
        .folder_trust
        .trust_folder()
        .expect("trusted");
    start(&host, "memory").await;
    assert!(mark.exists());
}

#[tokio::test(flavor = "multi_thread")]
async fn a_committed_directory_does_not_take_the_place_of_a_python_module() {
    let host = attacked(json!({ "fetch": {
        "command": "python3", "args": ["-m", "mcp_server_fetch"],
    } }));
    let mark = mark_of(&host);
    let package = host.project().join("mcp_server_fetch");
    host.write(&package.join("__init__.py"), "");
    let code = format!("open({:?}, 'w').write('python')\n", mark.display());
    host.write(&package.join("__main__.py"), &code);
    start(&host, "fetch").await;
    assert!(!mark.exists(), "the repository's module ran");
    host.inspector
        .servers
        .folder_trust
        .trust_folder()
        .expect("trusted");
    start(&host, "fetch").await;
    assert!(mark.exists());
}

#[tokio::test(flavor = "multi_thread")]
async fn settings_that_lie_in_the_folder_are_not_read() {
    let seen = tempfile::tempdir().expect("a temporary directory");
    let file = seen.path().join("seen");
    // As servers do: npm asked for its registry, and a `.env` read.
    let script = format!(
        "{{ npm config get registry; test -f .env && . ./.env; echo \"token=$TOKEN\"; }} > '{}'; \
         exec '{}'",
        file.display(),
        programs::own("sightglass-demo-server").display(),
    );
    let own = json!({ "tool": { "command": "/bin/sh", "args": ["-c", script] } });
    let host = attacked(own);
    host.write(
        &host.project().join(".npmrc"),
        "registry=http://127.0.0.1:9/evil/\n",
    );
    host.write(&host.project().join("package.json"), "{}");
    host.write(&host.project().join(".env"), "TOKEN=of-the-repository\n");
    start(&host, "tool").await;
    let before = read(&file);
    assert!(!before.contains("evil"), "{before}");
    assert!(before.ends_with("token="), "{before}");
    host.inspector
        .servers
        .folder_trust
        .trust_folder()
        .expect("trusted");
    start(&host, "tool").await;
    let after = read(&file);
    assert!(after.contains("http://127.0.0.1:9/evil/"), "{after}");
    assert!(after.ends_with("token=of-the-repository"), "{after}");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_search_path_with_a_dot_finds_nothing_of_the_folder() {
    for path in [".:/usr/bin:/bin", ":/usr/bin:/bin", "bin:.:/usr/bin:/bin"] {
        let host = attacked(json!({ "tool": {
            "command": "mcp-tool", "env": { "PATH": path },
        } }));
        let mark = mark_of(&host);
        for place in ["mcp-tool", "bin/mcp-tool"] {
            let program = host.project().join(place);
            host.write(
                &program,
                &format!("#!/bin/sh\necho path > '{}'\n", mark.display()),
            );
            make_runnable(&program);
        }
        let id = TestHost::id("tool");
        let status = host.try_connect(&id).await;
        assert_eq!(status.phase, Phase::Failed, "{path}");
        assert!(!mark.exists(), "{path}: the repository's program ran");
        let report = host
            .inspector
            .checks
            .doctor
            .run_doctor(&id)
            .await
            .expect("examined");
        assert!(
            report.text.contains("is not on the PATH"),
            "{}",
            report.text
        );
        assert!(!mark.exists(), "{path}: the doctor ran it");
        host.inspector
            .servers
            .folder_trust
            .trust_folder()
            .expect("trusted");
        start(&host, "tool").await;
        assert!(mark.exists(), "{path}");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_program_starts_in_an_empty_directory_until_the_folder_is_trusted_and_then_in_it() {
    use std::os::unix::fs::PermissionsExt;
    let seen = tempfile::tempdir().expect("a temporary directory");
    let file = seen.path().join("seen");
    let host = attacked(json!({ "own": telling_its_directory(&file) }));
    let id = TestHost::id("own");
    assert_eq!(
        host.inspector.servers.folder_trust.folder_trust().answer,
        FolderAnswer::NotAsked
    );
    host.connect(&id).await;
    let empty = host.data().join("empty");
    assert_eq!(read(&file), real(&empty));
    let mode = fs::metadata(&empty).expect("there").permissions().mode();
    assert_eq!(mode & 0o777, 0o700);
    assert_eq!(fs::read_dir(&empty).expect("there").count(), 0);
    host.inspector
        .servers
        .open_connections
        .disconnect(&id)
        .await;

    // What a program left there does not meet the next one.
    fs::create_dir(empty.join("node_modules")).expect("created");
    host.connect(&id).await;
    assert_eq!(read(&file), real(&host.data().join("empty-2")));

    host.inspector
        .servers
        .folder_trust
        .trust_folder()
        .expect("trusted");
    host.connect(&id).await;
    assert_eq!(read(&file), real(&host.project()));

    // Trust that is taken back ends what runs in the folder, and is not asked for again.
    host.inspector
        .servers
        .folder_trust
        .distrust_folder()
        .expect("taken back");
    host.wait_for(&id, |status| status.phase == Phase::Disconnected)
        .await;
    assert_eq!(
        host.inspector.snapshot().folder.answer,
        FolderAnswer::NotTrusted
    );
    host.connect(&id).await;
    assert_eq!(read(&file), real(&host.data().join("empty-2")));
}

#[tokio::test(flavor = "multi_thread")]
async fn the_demo_server_needs_no_folder_and_is_never_a_reason_to_ask() {
    let host = attacked(json!({}));
    let demo = ServerId::demo();
    let view = host.inspector.snapshot().servers;
    let view = view.into_iter().find(|server| server.id == demo);
    assert_eq!(view.expect("it is shown").start, None);
    let status = host.connect(&demo).await;
    let process = status.handshake.expect("it is ready").process;
    let link = format!("/proc/{}/cwd", process.expect("a program"));
    if cfg!(target_os = "linux") {
        let directory = fs::read_link(link).expect("it runs");
        assert_eq!(
            directory.display().to_string(),
            real(&host.data().join("empty"))
        );
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_program_that_names_the_folder_as_its_directory_waits_for_trust() {
    let seen = tempfile::tempdir().expect("a temporary directory");
    let file = seen.path().join("seen");
    let link = seen.path().join("link");
    for cwd in [".", "sub/..", "..", "${LINK}", "${LINK}/sub"] {
        let mut entry = telling_its_directory(&file);
        entry["cwd"] = cwd.into();
        let environment = Environment::default().and("LINK", link.display());
        let host = TestHost::in_foreign_folder(json!({}), json!({ "own": entry }), environment);
        fs::create_dir(host.project().join("sub")).expect("created");
        let _ = fs::remove_file(&link);
        std::os::unix::fs::symlink(host.project(), &link).expect("linked");
        assert_eq!(
            shown(&host, "own").blocked,
            Some(Blocked::FolderNotTrusted),
            "{cwd}"
        );
        let id = TestHost::id("own");
        let error = host
            .inspector
            .servers
            .lifecycle
            .connect(&id)
            .expect_err("not trusted");
        assert_eq!(error.code(), ErrorCode::FolderNotTrusted, "{cwd}: {error}");
        let hint = error.hint().unwrap_or_default();
        assert!(hint.contains("Trust the folder"), "{hint}");
        host.inspector
            .checks
            .doctor
            .run_doctor(&id)
            .await
            .expect_err("not trusted");
        assert_eq!(read(&file), "", "{cwd}");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_program_of_the_folder_needs_its_approval_and_trust_and_says_which_is_missing() {
    let seen = tempfile::tempdir().expect("a temporary directory");
    let file = seen.path().join("seen");
    let host = TestHost::in_foreign_folder(
        json!({ "theirs": telling_its_directory(&file) }),
        json!({}),
        Environment::default(),
    );
    let id = TestHost::id("theirs");
    let neither = host
        .inspector
        .servers
        .lifecycle
        .connect(&id)
        .expect_err("neither");
    assert_eq!(neither.code(), ErrorCode::NotApproved);
    assert!(neither.to_string().contains("is not trusted"), "{neither}");

    let request = host
        .inspector
        .servers
        .trust
        .trust_request(&id)
        .expect("it waits");
    host.inspector
        .servers
        .trust
        .approve_server(&id, &request.fingerprint)
        .expect("approved");
    assert_eq!(
        shown(&host, "theirs").blocked,
        Some(Blocked::FolderNotTrusted)
    );
    let untrusted = host
        .inspector
        .servers
        .lifecycle
        .connect(&id)
        .expect_err("not trusted");
    assert_eq!(untrusted.code(), ErrorCode::FolderNotTrusted);

    host.inspector
        .servers
        .trust
        .revoke_approval(&id)
        .expect("taken back");
    host.inspector
        .servers
        .folder_trust
        .trust_folder()
        .expect("trusted");
    let unapproved = host
        .inspector
        .servers
        .lifecycle
        .connect(&id)
        .expect_err("not approved");
    assert_eq!(unapproved.code(), ErrorCode::NotApproved);
    assert!(!unapproved.to_string().contains("trusted"), "{unapproved}");
    assert_eq!(read(&file), "");

    host.inspector
        .servers
        .trust
        .approve_server(&id, &request.fingerprint)
        .expect("approved");
    host.connect(&id).await;
    assert_eq!(read(&file), real(&host.project()));
}

#[tokio::test(flavor = "multi_thread")]
async fn the_shell_is_told_the_directory_in_which_the_program_runs() {
    let seen = tempfile::tempdir().expect("a temporary directory");
    let file = seen.path().join("seen");
    let script = format!(
        "import os; open({:?}, 'w').write(os.environ['PWD'] + '|' + os.environ.get('OLDPWD', ''))",
        file.display()
    );
    let host = attacked(json!({ "own": { "command": "python3", "args": ["-c", script] } }));
    start(&host, "own").await;
    let empty = host.data().join("empty");
    assert_eq!(read(&file), format!("{}|", empty.display()));
}

#[test]
fn the_command_line_starts_outside_the_folder_too_and_trusts_it_when_told() {
    let machine = Machine::new();
    let file = machine.path("seen");
    let own = json!({ "mcpServers": { "own": telling_its_directory(&file) } });
    fs::write(machine.path("home/.claude/.mcp.json"), own.to_string()).expect("written");
    let ran = machine.run(&["ping", "own"]);
    assert_eq!(ran.code, Some(0), "{}", ran.stderr);
    assert_eq!(read(&file), real(&machine.path("data/empty")));

    let theirs = json!({ "mcpServers": { "theirs": telling_its_directory(&file) } });
    fs::write(machine.path("project/.mcp.json"), theirs.to_string()).expect("written");
    let approved = machine.run(&["config", "approve", "theirs", "--yes"]);
    assert_eq!(approved.code, Some(0), "{}", approved.stderr);
    fs::remove_file(&file).expect("removed");
    let refused = machine.run(&["ping", "theirs", "--json"]);
    assert_eq!(refused.code, Some(1));
    assert_eq!(refused.error()["code"], "folder_not_trusted");
    assert!(
        refused.stderr.contains("config trust"),
        "{}",
        refused.stderr
    );
    assert_eq!(read(&file), "");

    let trusted = machine.run(&["config", "trust", "--yes"]);
    assert_eq!(trusted.code, Some(0), "{}", trusted.stderr);
    let ran = machine.run(&["ping", "theirs"]);
    assert_eq!(ran.code, Some(0), "{}", ran.stderr);
    assert_eq!(read(&file), real(&machine.path("project")));

    let revoked = machine.run(&["config", "trust", "--revoke"]);
    assert_eq!(revoked.code, Some(0), "{}", revoked.stderr);
    assert_eq!(machine.run(&["ping", "theirs"]).code, Some(1));
}

/// A desktop starts programs in `/`, and a clone's target folder may hold the data directory.
#[test]
fn a_server_starts_outside_whatever_folder_is_opened() {
    let machine = Machine::new();
    let file = machine.path("seen");
    let own = json!({ "mcpServers": { "own": telling_its_directory(&file) } });
    fs::write(machine.path("home/.claude/.mcp.json"), own.to_string()).expect("written");
    let parent = real(&machine.path("."));
    let data = real(&machine.path("data"));
    for (folder, is_data_outside) in [("/", true), (parent.as_str(), false), (&data, false)] {
        let _ = fs::remove_file(&file);
        let mut command = machine.command(&["ping", "own"]);
        command
            .current_dir(folder)
            .env("XDG_RUNTIME_DIR", machine.path("run"))
            .env_remove("TMPDIR");
        let ran = crate::command_line::ran(command.output().expect("it starts"));
        assert_eq!(ran.code, Some(0), "{folder}: {}", ran.stderr);
        let started = read(&file);
        assert_ne!(started, "", "{folder}");
        assert_eq!(
            started.starts_with(&data),
            is_data_outside,
            "{folder}: {started}"
        );
        if folder != "/" {
            assert!(!started.starts_with(folder), "{folder}: {started}");
        }
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn what_the_command_line_answers_reaches_the_open_program() {
    let host = attacked(json!({}));
    let beside = host.beside(Environment::default());
    beside.servers.folder_trust.trust_folder().expect("trusted");
    let mut facts = host.inspector.subscribe();
    assert_eq!(
        host.inspector.servers.folder_trust.folder_trust().answer,
        FolderAnswer::Trusted
    );
    beside
        .servers
        .folder_trust
        .distrust_folder()
        .expect("taken back");
    let told = async {
        loop {
            let batch = facts.next_batch().await.expect("it lives");
            let is_it = |event: &sightglass_inspector::view::InspectorEvent| {
                matches!(
                    &event.fact,
                    sightglass_inspector::view::Fact::Folder { folder }
                        if folder.answer == FolderAnswer::NotTrusted
                )
            };
            if batch.iter().any(is_it) {
                return;
            }
        }
    };
    tokio::time::timeout(std::time::Duration::from_secs(60), told)
        .await
        .expect("it is told");
    beside.shutdown().await;
}

/// Returns the roots that the server was told.
async fn roots_told(host: &TestHost, id: &ServerId) -> String {
    sightglass_tests::text_of(&host.call(id, "list_roots", "{}").await)
}

#[tokio::test(flavor = "multi_thread")]
async fn roots_are_none_before_trust_then_the_folder_and_always_what_the_user_chose() {
    for era in ["legacy", "modern"] {
        let demo = programs::own("sightglass-demo-server");
        let entry = json!({ "command": demo, "era": era });
        let host = attacked(json!({ "own": entry }));
        let id = TestHost::id("own");
        host.connect(&id).await;
        let folder = host.project().display().to_string();
        let none = roots_told(&host, &id).await;
        assert!(!none.contains("file:"), "{era}: {none}");

        host.inspector
            .servers
            .folder_trust
            .trust_folder()
            .expect("trusted");
        let one = roots_told(&host, &id).await;
        assert!(one.contains(&folder), "{era}: {one}");

        let chosen = vec!["/srv/data".to_owned(), "~/notes".to_owned()];
        host.inspector
            .servers
            .roots
            .update_roots(&id, Some(chosen))
            .expect("saved");
        let two = roots_told(&host, &id).await;
        assert!(two.contains("file:///srv/data"), "{era}: {two}");
        assert!(two.contains("home/notes"), "{era}: {two}");
        assert!(!two.contains(&folder), "{era}: {two}");
        host.inspector
            .servers
            .roots
            .update_roots(&id, Some(vec!["relative".to_owned()]))
            .expect_err("no whole path");

        // Seen by the user, each time with what was answered.
        let snapshot = host.inspector.snapshot();
        let answers: Vec<&str> = snapshot
            .automatic_answers
            .iter()
            .map(|answer| answer.json.as_str())
            .collect();
        assert!(answers.iter().any(|json| json.contains("file:///srv/data")));
        let view = shown(&host, "own").roots;
        assert!(!view.is_default);

        // Each change was announced in the era that has such a notification.
        let announced = host
            .traffic(
                "method:notifications/roots/list_changed",
                &[ExchangeKind::Notification],
            )
            .await;
        match era {
            "legacy" => assert_eq!(announced.len(), 2, "{announced:?}"),
            _ => assert!(announced.is_empty(), "{announced:?}"),
        }

        host.inspector
            .servers
            .roots
            .update_roots(&id, None)
            .expect("saved");
        assert!(shown(&host, "own").roots.is_default);
        assert!(roots_told(&host, &id).await.contains(&folder));
    }
}
