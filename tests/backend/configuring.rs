//! The scope files: which wins, what is broken, adding a server.

use futures::FutureExt;
use serde_json::json;
use sightglass_inspector::{
    Client, ConfigAction, Draft, DraftEndpoint, DraftRemote, NamedText, Phase, RemoteTransport,
    Scope, ServerId, Subscription, Target,
    view::{Fact, ScopeFileState},
};
use sightglass_tests::{
    Environment, TestHost,
    configuring::{apply, change},
    programs,
};

#[tokio::test(flavor = "multi_thread")]
async fn the_nearest_scope_wins_and_the_others_are_named() {
    let host = TestHost::new();
    let entry =
        |command: &str| json!({ "mcpServers": { "tool": { "command": command } } }).to_string();
    host.write(&host.home().join(".claude/.mcp.json"), &entry("from-user"));
    host.write(
        &host.project().join(".claude/.mcp.json"),
        &entry("from-project"),
    );
    host.write(
        &host.project().join(".claude/.mcp.local.json"),
        &entry("from-local"),
    );
    let host = host.restart().await;
    let servers = host.inspector.snapshot().servers;
    let tool = servers
        .iter()
        .find(|server| server.name == "tool")
        .expect("listed");
    assert_eq!(
        (tool.summary.as_str(), tool.target.clone()),
        (
            "from-local",
            Some(Target::new(Client::McpJson, Scope::Local.id()))
        )
    );
    let shadowed: Vec<String> = tool
        .shadowed
        .iter()
        .map(|shadowed| shadowed.target.scope.clone())
        .collect();
    assert_eq!(shadowed, [Scope::Project.id(), Scope::User.id()]);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_broken_file_says_where_and_the_others_still_load() {
    let host = TestHost::new();
    host.write(
        &host.home().join(".claude/.mcp.json"),
        r#"{"servers":{"fine":{"command":"x"}}}"#,
    );
    host.write(
        &host.project().join(".mcp.json"),
        "{\n  \"mcpServers\": {\n    \"a\": { \"command\" \"x\" }\n",
    );
    let host = host.restart().await;
    let snapshot = host.inspector.snapshot();
    assert!(snapshot.servers.iter().any(|server| server.name == "fine"));
    let broken = snapshot
        .files
        .iter()
        .find(|file| file.target.scope == Scope::ProjectRoot.id())
        .expect("listed");
    assert_eq!(broken.state, ScopeFileState::Broken);
    assert_eq!(broken.problems[0].line, 3);
    assert!(broken.problems[0].column > 1);
}

#[tokio::test(flavor = "multi_thread")]
async fn variables_are_expanded_and_an_unset_one_is_named() {
    let host = TestHost::with_environment(
        json!({
            "set": { "command": "${PROGRAM}", "args": ["${MODE:-quiet}"] },
            "unset": { "command": "x", "env": { "KEY": "${NOT_THERE}" } },
        }),
        [("PROGRAM", "no-such-program-anywhere")],
    );
    let status = host.try_connect(&TestHost::id("set")).await;
    let failure = serde_json::to_value(status.failure.expect("it cannot start")).expect("JSON");
    // Values out of the environment are masked, but not the one that names the program: the
    // failure has to say which one was not found.
    assert_eq!(
        failure["failure"]["commandLine"],
        "no-such-program-anywhere quiet"
    );
    let error = host
        .inspector
        .servers
        .lifecycle
        .connect(&TestHost::id("unset"))
        .expect_err("incomplete");
    assert!(error.to_string().contains("NOT_THERE"), "{error}");
}

#[tokio::test(flavor = "multi_thread")]
async fn adding_a_server_leaves_the_rest_of_the_file_as_it_was() {
    let host = TestHost::new();
    let path = host.project().join(".claude/.mcp.json");
    let before = "{\r\n\t\"custom\": [1,  2],\r\n\t\"mcpServers\": {\r\n\t\t\"old\": {\"command\":\"x\",\"extra\":true}\r\n\t}\r\n}";
    host.write(&path, before);
    let host = host.restart().await;
    let draft = Draft {
        name: "new".to_owned(),
        endpoint: DraftEndpoint::Remote(DraftRemote {
            transport: RemoteTransport::Http,
            url: "https://example.com/mcp".to_owned(),
            headers: vec![NamedText {
                name: "X-Team".to_owned(),
                text: "${TEAM}".to_owned(),
            }],
            ..DraftRemote::default()
        }),
        era: Default::default(),
        limits: None,
        tools: None,
        sign_in: None,
        variables: None,
    };
    let target = Target::new(Client::McpJson, Scope::Project.id());
    let action = ConfigAction::Add {
        target: target.clone(),
        draft,
    };
    let plan = host
        .inspector
        .setup
        .changes
        .plan_configuration(&action)
        .expect("possible");
    assert!(!plan.files[0].creates && !plan.files[0].deletes);
    assert_eq!(
        std::fs::read_to_string(&path).expect("readable"),
        before,
        "planning writes nothing"
    );

    let mut facts = host.inspector.subscribe();
    apply(&host.inspector, plan.plan);
    let after = std::fs::read_to_string(&path).expect("readable");
    assert!(after.starts_with("{\r\n\t\"custom\": [1,  2],\r\n\t\"mcpServers\": {\r\n\t\t\"old\": {\"command\":\"x\",\"extra\":true}"));
    assert!(after.ends_with("}\r\n}"), "{after:?}");
    let listed = host.inspector.snapshot().servers;
    assert!(listed.iter().any(|server| server.name == "new"));
    let batch = facts.next_batch().await.expect("facts");
    assert!(
        batch
            .iter()
            .any(|event| matches!(event.fact, Fact::Servers { .. }))
    );

    let removal = ConfigAction::Remove {
        target,
        names: vec!["new".to_owned()],
    };
    change(&host.inspector, &removal);
    assert_eq!(std::fs::read_to_string(&path).expect("readable"), before);
}

#[tokio::test(flavor = "multi_thread")]
async fn an_edit_is_answered_with_its_text_its_reading_and_its_findings() {
    let host = TestHost::new();
    let target = Target::new(Client::McpJson, Scope::ProjectRoot.id());
    let text = r#"{"mcpServers":{"docs":{"command":"no-such-program-anywhere"}}}"#;
    let edited = async |draft: Option<&Draft>| {
        let name = Some("docs");
        let editor = &host.inspector.setup.text;
        let edited = editor.edit_configuration_text(&target, text, name, draft, name);
        let edited = edited.await.expect("there is such a scope");
        let check = edited.check.expect("no shell is asked");
        let fields: Vec<String> = check
            .findings
            .into_iter()
            .map(|found| found.field)
            .collect();
        (edited.text, edited.unwritten, edited.servers, fields)
    };

    let (written, unwritten, servers, fields) = edited(None).await;
    assert_eq!((written, unwritten), (None, None));
    assert!(fields.contains(&"command".to_owned()), "{fields:?}");

    let read = servers[0].draft.clone().expect("it can be read");
    let renamed = Draft {
        name: "manuals".to_owned(),
        ..read.clone()
    };
    let (written, unwritten, servers, _) = edited(Some(&renamed)).await;
    assert_eq!(unwritten, None);
    assert!(written.expect("written").contains("\"manuals\""));
    assert_eq!(servers[0].name, "manuals");

    let nameless = Draft {
        name: String::new(),
        ..read
    };
    let (written, unwritten, servers, fields) = edited(Some(&nameless)).await;
    assert_eq!(written, None);
    assert!(unwritten.is_some());
    assert_eq!(servers[0].name, "docs");
    assert!(fields.contains(&"name".to_owned()), "{fields:?}");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_file_that_another_program_changes_is_noticed() {
    let host = TestHost::new();
    let mut facts = host.inspector.subscribe();
    host.write(
        &host.project().join(".mcp.json"),
        r#"{"mcpServers":{"appeared":{"command":"x"}}}"#,
    );
    loop {
        let batch = facts.next_batch().await.expect("facts");
        let appeared = batch.iter().any(|event| match &event.fact {
            Fact::Servers { servers, .. } => servers.iter().any(|server| server.name == "appeared"),
            _ => false,
        });
        if appeared {
            break;
        }
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_server_that_is_connected_with_its_new_entry_is_no_longer_outdated() {
    let demo = programs::own("sightglass-demo-server");
    let entry = |era: &str| {
        let entry = json!({ "command": demo, "args": ["--era", era] });
        json!({ "mcpServers": { "changing": entry } }).to_string()
    };
    let host = TestHost::on_files(
        &[("home/.claude/.mcp.json", &entry("legacy"))],
        Environment::default(),
    );
    let id = TestHost::id("changing");
    host.connect(&id).await;
    let mut facts = host.inspector.subscribe();
    host.write(&host.home().join(".claude/.mcp.json"), &entry("both"));
    is_outdated(&mut facts, true).await;
    host.connect(&id).await;
    is_outdated(&mut facts, false).await;
}

/// Waits until the window is told that a server is connected with an old entry, or with none.
async fn is_outdated(facts: &mut Subscription, expected: bool) {
    loop {
        let batch = facts.next_batch().await.expect("facts");
        let is_as_expected = batch.iter().any(|event| match &event.fact {
            Fact::Configuration { view } => {
                let mut servers = view.clients.iter().flat_map(|client| &client.servers);
                servers.any(|server| server.outdated) == expected
            }
            _ => false,
        });
        if is_as_expected {
            return;
        }
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_server_that_is_started_is_published_alone() {
    let demo = programs::own("sightglass-demo-server");
    let entry = json!({ "command": demo });
    let host = TestHost::with_servers(json!({ "started": entry, "other": entry }));
    let id = TestHost::id("started");
    let mut facts = host.inspector.subscribe();
    host.connect(&id).await;
    let mut published = Vec::new();
    while let Some(Some(batch)) = facts.next_batch().now_or_never() {
        for event in batch {
            match event.fact {
                Fact::Server { server } => {
                    let start = server.start.expect("a program is started");
                    assert!(start.last.is_some());
                    published.push(server.id);
                }
                Fact::Servers { .. } => panic!("the others are as they were"),
                _ => {}
            }
        }
    }
    assert_eq!(published, [id]);
}

#[tokio::test(flavor = "multi_thread")]
async fn the_built_in_server_has_no_entry_to_edit() {
    let host = TestHost::new();
    let error = host
        .inspector
        .servers
        .trust
        .trust_request(&ServerId::demo())
        .expect_err("built in");
    assert!(error.to_string().contains("built-in"));
}

#[tokio::test(flavor = "multi_thread")]
async fn a_secret_in_an_entry_is_masked_until_it_is_asked_for() {
    let host = TestHost::with_servers(json!({
        "keyed": { "command": "x", "env": { "API_KEY": "sk-very-secret", "MODE": "fast" } },
    }));
    let explained = host
        .inspector
        .setup
        .explanations
        .explain_configuration(Client::McpJson, "keyed")
        .expect("there");
    let shown = &explained.definitions[0];
    assert!(
        !shown.text.contains("sk-very-secret") && shown.text.contains("fast"),
        "{}",
        shown.text
    );
    let target = Target::new(Client::McpJson, shown.scope.clone());
    let revealed = host
        .inspector
        .setup
        .text
        .configuration_text(&target)
        .expect("there");
    assert!(revealed.text.contains("sk-very-secret"));
}

#[tokio::test(flavor = "multi_thread")]
async fn a_removal_is_shown_without_the_secrets_of_the_file() {
    let host = TestHost::with_servers(json!({
        "mail": { "command": "mail", "env": { "PASSWORD": "s3cret" } },
        "post": { "command": "post", "args": ["--token=hunter22hunter22"] },
    }));
    let servers = host.inspector.snapshot().servers;
    let mail = servers.iter().find(|server| server.name == "mail");
    let removal = ConfigAction::Remove {
        target: mail
            .and_then(|mail| mail.target.clone())
            .expect("in a file"),
        names: vec!["mail".to_owned()],
    };
    let plan = host.inspector.setup.changes.plan_configuration(&removal);
    let diff = plan.expect("possible").files.remove(0).diff;
    let shown: String = diff.iter().map(|line| line.text.as_str()).collect();
    assert!(shown.contains("PASSWORD"), "{shown}");
    assert!(!shown.contains("s3cret"), "{shown}");
    assert!(!shown.contains("hunter22"), "{shown}");
}

#[tokio::test(flavor = "multi_thread")]
async fn removing_a_server_closes_its_connection() {
    let host = TestHost::with_servers(json!({
        "short": { "command": programs::own("sightglass-demo-server") },
    }));
    let server = TestHost::id("short");
    host.connect(&server).await;
    let explained = host
        .inspector
        .setup
        .explanations
        .explain_configuration(Client::McpJson, "short")
        .expect("there");
    let removal = ConfigAction::Remove {
        target: Target::new(Client::McpJson, explained.definitions[0].scope.clone()),
        names: vec!["short".to_owned()],
    };
    change(&host.inspector, &removal);
    host.wait_for(&server, |status| status.phase == Phase::Disconnected)
        .await;
}
