//! Strangers who choose the name of one of the user's own servers: links and snippets that are
//! connected without being saved, folders, and names that look alike.

use std::{ffi::OsStr, fs, os::unix::ffi::OsStrExt, sync::Arc};

use serde_json::{Value, json};
use sightglass_inspector::{
    Draft, DraftEndpoint, Headless, ServerAnswer, ServerId,
    view::{Blocked, ServerSettings},
};
use sightglass_tests::{Environment, TestHost, programs, structured_of};

use crate::command_line::{Machine, ran};

/// A user whose own server is `docs`.
async fn user_of_docs(rules: &str) -> TestHost {
    let own = json!({ "docs": {
        "command": programs::own("sightglass-demo-server"), "era": "legacy",
    } });
    let host = TestHost::in_foreign_folder(json!({}), own, Environment::default());
    let before = host.inspector.calls.answer_rules.answer_rules_text();
    let saved = host
        .inspector
        .calls
        .answer_rules
        .update_answer_rules(rules, &before.hash);
    saved.expect("rules that are right");
    host
}

/// A server of a link, which chose the name.
fn link(arguments: &[&str]) -> Draft {
    Draft {
        name: "docs".into(),
        endpoint: DraftEndpoint::Stdio {
            command: programs::own("sightglass-demo-server")
                .display()
                .to_string(),
            arguments: arguments.iter().map(|word| (*word).to_owned()).collect(),
            environment: Vec::new(),
            working_directory: None,
        },
        era: sightglass_inspector::EraChoice::Legacy,
        limits: None,
        tools: None,
        sign_in: None,
        variables: None,
    }
}

async fn tried(host: &TestHost, draft: Draft) -> ServerId {
    let server = host
        .inspector
        .servers
        .lifecycle
        .try_server(draft)
        .await
        .expect("it starts");
    host.wait_for(&server, |status| {
        status.phase == sightglass_inspector::Phase::Ready
    })
    .await;
    server
}

fn rule(server: &str, then: &str) -> String {
    format!("[[rule]]\nname = \"r\"\nserver = \"{server}\"\nkind = \"form\"\n{then}\n")
}

async fn answer_of(host: &TestHost, server: &ServerId) -> Value {
    structured_of(&host.call(server, "ask_elicitation", "{}").await)["answer"].clone()
}

#[tokio::test(flavor = "multi_thread")]
async fn a_link_gets_no_answer_that_a_rule_has_for_the_users_own_server() {
    let accepts = "then = \"accept\"\nvalues = { name = \"canary-of-the-rule\", email = \"ada@example.com\" }";
    for name in ["docs", "*", "tried:docs"] {
        let host = user_of_docs(&rule(name, accepts)).await;
        let server = tried(&host, link(&[])).await;
        let (inspector, asking) = (host.inspector.clone(), server.clone());
        let running = tokio::spawn(async move {
            let called = inspector
                .calls
                .requests
                .call_tool(&asking, "call", "ask_elicitation", "{}", None, None)
                .await;
            called.expect("the call was sent")
        });
        let question = host.question().await;
        assert_eq!(question.remark, None, "{name}: no rule is about it");
        let made = host
            .inspector
            .calls
            .answer_rules
            .create_rule_from_question(question.id, None);
        made.expect_err("no rule is for it");
        let declined = ServerAnswer::Result {
            json: json!({ "action": "decline" }).to_string(),
        };
        let taken = host
            .inspector
            .calls
            .requests
            .answer_question(question.id, declined);
        taken.expect("taken");
        let answer = structured_of(&running.await.expect("no panic"))["answer"].clone();
        assert_eq!(answer, json!({ "action": "decline" }), "{name}");
        assert!(host.inspector.snapshot().automatic_answers.is_empty());
        if name == "tried:docs" {
            continue;
        }
        // The rule is one: the user's own server gets what it says.
        let own = TestHost::id("docs");
        host.connect(&own).await;
        let answer = answer_of(&host, &own).await;
        assert_eq!(answer["content"]["name"], "canary-of-the-rule", "{name}");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_rule_that_gives_nothing_is_for_a_link_too() {
    let host = user_of_docs(&rule("docs", "then = \"decline\"")).await;
    let server = tried(&host, link(&[])).await;
    let answer = answer_of(&host, &server).await;
    assert_eq!(answer, json!({ "action": "decline" }));
}

/// What the user set for a server is for what defined it then.
#[tokio::test(flavor = "multi_thread")]
async fn settings_and_folders_are_not_for_another_server_that_takes_the_name() {
    let host = user_of_docs("").await;
    let set = |server: &ServerId| {
        let settings = ServerSettings {
            client_name: "canary-client".into(),
            ..host
                .inspector
                .servers
                .server_settings
                .server_settings(server)
        };
        let saved = host
            .inspector
            .servers
            .settings_changes
            .update_server_settings(server, settings);
        saved.expect("saved");
        let roots = Some(vec!["/srv/canary-folder".to_owned()]);
        host.inspector
            .servers
            .roots
            .update_roots(server, roots)
            .expect("saved");
    };
    let is_set = |server: &ServerId| {
        let servers = host.inspector.snapshot().servers;
        let shown = servers.iter().find(|known| known.id == *server);
        let folders = &shown.expect("it is shown").roots.folders;
        let settings = host
            .inspector
            .servers
            .server_settings
            .server_settings(server);
        let folders = folders.iter().any(|folder| folder.contains("canary"));
        (settings.client_name == "canary-client", folders)
    };

    // One link after the other.
    let first = tried(&host, link(&[])).await;
    set(&first);
    assert_eq!(is_set(&first), (true, true));
    let second = tried(&host, link(&["--startup-delay-ms", "1"])).await;
    assert_eq!(first, second);
    assert_eq!(is_set(&second), (false, false));

    // The user's own, and then the project's.
    let own = TestHost::id("docs");
    set(&own);
    assert_eq!(is_set(&own), (true, true));
    let theirs = json!({ "mcpServers": { "docs": { "command": "/bin/true" } } }).to_string();
    let file = host.project().join(".mcp.json");
    host.write(&file, &theirs);
    host.eventually("the project's entry", || {
        let servers = host.inspector.snapshot().servers;
        let shown = servers.into_iter().find(|known| known.id == own)?;
        (shown.blocked == Some(Blocked::Waiting)).then_some(())
    })
    .await;
    assert_eq!(is_set(&own), (false, false));
    fs::remove_file(&file).expect("removed");
    host.eventually("the user's own entry", || {
        (is_set(&own) == (true, true)).then_some(())
    })
    .await;
}

/// Requests, and the command line, say a server by its name.
#[tokio::test(flavor = "multi_thread")]
async fn a_name_means_no_server_of_a_link_and_an_id_means_itself() {
    let host = user_of_docs("").await;
    let own = TestHost::id("docs");
    let cursor = host.home().join(".cursor/mcp.json");
    let entry = json!({ "mcpServers": { "only": { "command": "/bin/true" } } }).to_string();
    host.write(&cursor, &entry);
    let cursors = ServerId::new("cursor", "only");
    host.eventually("the entry of Cursor", || {
        let servers = host.inspector.snapshot().servers;
        servers
            .iter()
            .any(|known| known.id == cursors)
            .then_some(())
    })
    .await;
    let mut named_like_it = link(&[]);
    named_like_it.name = "only".into();
    for draft in [link(&[]), named_like_it] {
        let name = draft.name.clone();
        let tried = tried(&host, draft).await;
        let found = host
            .inspector
            .servers
            .names
            .find_server(&name)
            .expect("it is known");
        assert_ne!(found, tried);
        let found = host.inspector.servers.names.find_server(tried.as_str());
        assert_eq!(found.expect("its id is exact"), tried);
    }
    assert_eq!(
        host.inspector
            .servers
            .names
            .find_server("docs")
            .expect("known"),
        own
    );
    assert_eq!(
        host.inspector
            .servers
            .names
            .find_server("only")
            .expect("known"),
        cursors
    );
    // A project's server whose name is the id of another.
    let theirs = json!({ "mcpServers": { "cursor:only": { "command": "/bin/true" } } }).to_string();
    host.write(&host.project().join(".mcp.json"), &theirs);
    let taking = TestHost::id("cursor:only");
    host.eventually("the project's entry", || {
        let servers = host.inspector.snapshot().servers;
        servers.iter().any(|known| known.id == taking).then_some(())
    })
    .await;
    let found = host.inspector.servers.names.find_server("cursor:only");
    assert_eq!(found.expect("known"), cursors);
}

/// Two files of one client may expand the same words by other rules.
#[tokio::test(flavor = "multi_thread")]
async fn an_approval_is_for_the_rules_of_the_file_that_was_seen() {
    let host = TestHost::in_foreign_folder(json!({}), json!({}), Environment::default());
    host.inspector
        .servers
        .folder_trust
        .trust_folder()
        .expect("trusted");
    let server = ServerId::new("continue", "docs");
    let directory = host.project().join(".continue/mcpServers");
    let literal = json!({ "mcpServers": { "docs": {
        "type": "streamable-http",
        "url": "https://127.0.0.1:9/mcp",
        "headers": { "X-Client": "${HOME}" },
    } } });
    host.write(&directory.join("mcp.json"), &literal.to_string());
    let blocked = || {
        let servers = host.inspector.snapshot().servers;
        let shown = servers.into_iter().find(|known| known.id == server)?;
        Some(shown.blocked)
    };
    host.eventually("the entry", blocked).await;
    let request = host
        .inspector
        .servers
        .trust
        .trust_request(&server)
        .expect("it waits");
    let approved = host
        .inspector
        .servers
        .trust
        .approve_server(&server, &request.fingerprint);
    approved.expect("approved");
    assert_eq!(blocked(), Some(None));
    fs::remove_file(directory.join("mcp.json")).expect("removed");
    let expanded = "name: docs\nversion: 0.0.1\nschema: v1\nmcpServers:\n  - name: docs\n    \
                    type: streamable-http\n    url: https://127.0.0.1:9/mcp\n    \
                    requestOptions:\n      headers:\n        X-Client: ${HOME}\n";
    host.write(&directory.join("docs.yaml"), expanded);
    host.eventually("the other file", || {
        (blocked() == Some(Some(Blocked::Waiting))).then_some(())
    })
    .await;
}

/// Two folders whose names are no text are shown alike.
#[cfg(target_os = "linux")]
#[tokio::test(flavor = "multi_thread")]
async fn an_approval_is_not_for_another_folder_that_is_shown_alike() {
    let host = TestHost::new();
    let theirs = json!({ "mcpServers": { "theirs": { "command": "/bin/true" } } }).to_string();
    let open = |name: &[u8]| {
        let folder = host.path("").join(OsStr::from_bytes(name));
        host.write(&folder.join(".mcp.json"), &theirs);
        let inspector = host
            .inspector
            .open_beside(folder, Arc::new(Headless::new(None)));
        inspector
            .servers
            .folder_trust
            .trust_folder()
            .expect("trusted");
        inspector
    };
    let server = TestHost::id("theirs");
    let first = open(b"a\xfe");
    let request = first
        .servers
        .trust
        .trust_request(&server)
        .expect("it waits");
    let approved = first
        .servers
        .trust
        .approve_server(&server, &request.fingerprint);
    approved.expect("approved");
    first.shutdown().await;
    for (name, blocked) in [(b"a\xff", Some(Blocked::Waiting)), (b"a\xfe", None)] {
        let inspector = open(name);
        let servers = inspector.snapshot().servers;
        let shown = servers.into_iter().find(|known| known.id == server);
        assert_eq!(shown.expect("it is shown").blocked, blocked);
        inspector.shutdown().await;
    }
}

/// A file that the user's own client reads from the folder, by another path.
#[test]
fn a_file_of_the_folder_is_the_folders_however_its_path_is_written() {
    let machine = Machine::new();
    let mark = machine.path("mark");
    std::os::unix::fs::symlink(machine.path("project"), machine.path("link")).expect("linked");
    let directory = machine.path("project/codex");
    fs::create_dir(&directory).expect("created");
    let entry = format!(
        "[mcp_servers.theirs]\ncommand = \"/bin/sh\"\nargs = [\"-c\", \"touch '{}'\"]\n",
        mark.display()
    );
    fs::write(directory.join("config.toml"), entry).expect("written");
    let run = |words: &[&str]| {
        let mut command = machine.command(words);
        command.env("CODEX_HOME", machine.path("link/codex"));
        ran(command.output().expect("it starts"))
    };
    assert_eq!(run(&["config", "trust", "--yes"]).code, Some(0));
    let refused = run(&["ping", "theirs", "--json"]);
    assert_eq!(
        refused.error()["code"],
        "not_approved",
        "{}",
        refused.stderr
    );
    assert!(!mark.exists());
    let approved = run(&["config", "approve", "--all", "--yes"]);
    assert_eq!(approved.code, Some(0), "{}", approved.stderr);
    run(&["ping", "theirs"]);
    assert!(mark.exists());
}

/// A program inherits variables that the user set for other servers.
#[test]
fn an_inherited_secret_that_a_program_prints_is_masked() {
    let own = json!({ "printing": { "command": "/bin/sh", "args": [
        "-c", "echo \"$NAME_OF_USER $OTHER_TOKEN $UNNAMED\" >&2; exit 3",
    ] } });
    let machine = Machine::with_servers(own);
    let mut command = machine.command(&["ping", "printing"]);
    command
        .env("NAME_OF_USER", "somebody-by-name")
        .env("OTHER_TOKEN", "canary-of-another-server")
        .env("UNNAMED", "ghp_0123456789abcdefghij0123456789abcdef");
    let failed = ran(command.output().expect("it starts"));
    assert!(
        failed.stderr.contains("somebody-by-name"),
        "{}",
        failed.stderr
    );
    for secret in ["canary", "ghp_"] {
        assert!(!failed.stderr.contains(secret), "{}", failed.stderr);
    }
}
