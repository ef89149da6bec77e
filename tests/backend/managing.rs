//! The configuration files of all clients: approving, refusing, changing, taking back.

use futures::FutureExt;
use serde_json::json;
use sightglass_inspector::{
    Client, ConfigAction, ConflictChoice, ErrorCode, ImportSource, Inspector, LaunchKind,
    OutsideWrites, Target, TransferItem,
    view::{
        ApplyOutcome, Blocked, ChosenServer, ConfigServerView, DefinitionState, ExportRequest, Fact,
    },
};
use sightglass_tests::{
    TestHost,
    configuring::{change, program},
};

fn target(client: Client, scope: &str) -> Target {
    Target::new(client, scope)
}

fn server(inspector: &Inspector, client: Client, name: &str) -> Option<ConfigServerView> {
    let view = inspector.servers.projection.configuration();
    let client = view
        .clients
        .into_iter()
        .find(|found| found.client == client)?;
    client
        .servers
        .into_iter()
        .find(|server| server.name == name)
}

#[tokio::test(flavor = "multi_thread")]
async fn a_plan_names_the_connections_and_the_files_that_end_by_it() {
    let host = TestHost::new();
    let inspector = &host.inspector;
    let demo = sightglass_tests::programs::own("sightglass-demo-server");
    let add = |name: &str, scope: &str| ConfigAction::Add {
        target: target(Client::McpJson, scope),
        draft: program(name, &demo.display().to_string(), &[]),
    };
    change(inspector, &add("idle", "project"));
    change(inspector, &add("mine", "user"));
    let undo = inspector
        .setup
        .changes
        .plan_configuration(&ConfigAction::Undo)
        .expect("there");
    assert_eq!(undo.disconnects, [""; 0]);
    assert!(undo.files[0].deletes);

    let id = TestHost::id("mine");
    host.connect(&id).await;
    let undo = inspector
        .setup
        .changes
        .plan_configuration(&ConfigAction::Undo)
        .expect("there");
    assert_eq!(undo.disconnects, ["mine"]);
    let remove = |name: &str, scope: &str| ConfigAction::Remove {
        target: target(Client::McpJson, scope),
        names: vec![name.to_owned()],
    };
    let other = inspector
        .setup
        .changes
        .plan_configuration(&remove("idle", "project"));
    assert_eq!(other.expect("there").disconnects, [""; 0]);
    // Another file that defines it keeps it.
    change(inspector, &add("mine", "project"));
    let removal = inspector
        .setup
        .changes
        .plan_configuration(&remove("mine", "user"));
    assert_eq!(removal.expect("there").disconnects, [""; 0]);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_server_of_a_foreign_project_starts_only_once_it_is_approved() {
    let host = TestHost::with_foreign_servers(json!({ "a": { "command": "no-such-program" } }));
    let id = TestHost::id("a");
    let error = host
        .inspector
        .servers
        .lifecycle
        .connect(&id)
        .expect_err("nobody approved it");
    assert_eq!(error.code(), ErrorCode::NotApproved);
    let request = host
        .inspector
        .servers
        .trust
        .trust_request(&id)
        .expect("there");
    assert_eq!(request.kind, LaunchKind::Program);
    assert_eq!(request.rows[0].label, "Command");
    assert_eq!(request.rows[0].values, ["no-such-program"]);
    assert!(request.waiting && !request.changed);
    host.inspector
        .servers
        .trust
        .approve_server(&id, "another version")
        .expect_err("not what was shown");
    host.inspector
        .servers
        .trust
        .approve_server(&id, &request.fingerprint)
        .expect("approved");
    host.inspector
        .servers
        .lifecycle
        .connect(&id)
        .expect("approved by now");

    let path = host.project().join(".claude/.mcp.json");
    host.write(&path, r#"{"mcpServers":{"a":{"command":"another"}}}"#);
    host.eventually("the change", || {
        let state = server(&host.inspector, Client::McpJson, "a")?.state;
        (state == DefinitionState::Waiting).then_some(())
    })
    .await;
    let request = host
        .inspector
        .servers
        .trust
        .trust_request(&id)
        .expect("there");
    assert!(
        request.waiting && request.changed,
        "a changed entry asks again"
    );
    assert_eq!(
        host.inspector
            .servers
            .lifecycle
            .connect(&id)
            .expect_err("changed")
            .code(),
        ErrorCode::NotApproved
    );
}

#[tokio::test(flavor = "multi_thread")]
async fn what_a_person_writes_through_sightglass_is_approved() {
    let host = TestHost::new();
    change(
        &host.inspector,
        &ConfigAction::Add {
            target: target(Client::McpJson, "project"),
            draft: program("mine", "no-such-program", &[]),
        },
    );
    let mine = server(&host.inspector, Client::McpJson, "mine").expect("added");
    assert_eq!(mine.state, DefinitionState::Wins);
    host.inspector
        .servers
        .lifecycle
        .connect(&TestHost::id("mine"))
        .expect("approved");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_managed_rule_refuses_a_server_on_every_path() {
    let host =
        TestHost::with_servers(json!({ "bad": { "command": "sh" }, "good": { "command": "x" } }));
    host.write(
        &host.system().join("etc/claude-code/managed-settings.json"),
        r#"{"deniedMcpServers":[{"serverCommand":["sh"]}],"allowedMcpServers":[{"serverName":"bad"},{"serverName":"good"}]}"#,
    );
    let host = host.restart().await;
    let error = host
        .inspector
        .servers
        .lifecycle
        .connect(&TestHost::id("bad"))
        .expect_err("denied");
    assert_eq!(error.code(), ErrorCode::RefusedByPolicy);
    assert!(error.to_string().contains("serverCommand sh"), "{error}");
    let shown = host.inspector.snapshot().servers;
    let bad = shown
        .iter()
        .find(|server| server.name == "bad")
        .expect("shown");
    assert!(matches!(bad.blocked, Some(Blocked::Refused { .. })));
    host.inspector
        .servers
        .lifecycle
        .connect(&TestHost::id("good"))
        .expect("allowed");
}

#[tokio::test(flavor = "multi_thread")]
async fn moving_a_shadowed_server_makes_it_count_and_undo_puts_every_byte_back() {
    let host = TestHost::new();
    let user = host.home().join(".claude/.mcp.json");
    let project = host.project().join(".claude/.mcp.json");
    let in_user = "{\n  // mine\n  \"mcpServers\": {\"tool\": {\"command\": \"from-user\"}}\n}\n"
        .replace("  // mine\n", "");
    let in_project =
        "{\"mcpServers\": {\"tool\": {\"command\": \"from-project\", \"x-own\": 1}}}\n";
    host.write(&user, &in_user);
    host.write(&project, in_project);
    let host = host.restart().await;
    let explained = host
        .inspector
        .setup
        .explanations
        .explain_configuration(Client::McpJson, "tool")
        .expect("there");
    assert_eq!(
        explained.definitions[1].state,
        DefinitionState::Shadowed {
            by: "project".into()
        }
    );
    assert!(
        explained
            .fields
            .iter()
            .any(|field| field.field == "command" && field.differs)
    );

    change(
        &host.inspector,
        &ConfigAction::Move {
            from: target(Client::McpJson, "user"),
            to: target(Client::McpJson, "local"),
            items: vec![TransferItem {
                name: "tool".into(),
                new_name: None,
                conflict: ConflictChoice::Refuse,
            }],
        },
    );
    let tool = server(&host.inspector, Client::McpJson, "tool").expect("there");
    assert_eq!(
        (tool.scope.as_str(), tool.summary.as_str()),
        ("local", "from-user")
    );
    assert_eq!(
        host.inspector.setup.changes.configuration_backups().len(),
        1
    );

    change(&host.inspector, &ConfigAction::Undo);
    assert_eq!(std::fs::read_to_string(&user).expect("readable"), in_user);
    assert!(!host.project().join(".claude/.mcp.local.json").exists());
    change(&host.inspector, &ConfigAction::Redo);
    let tool = server(&host.inspector, Client::McpJson, "tool").expect("there");
    assert_eq!(tool.scope, "local");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_file_that_changed_underneath_is_not_overwritten() {
    let host = TestHost::new();
    let path = host.home().join(".claude/.mcp.json");
    host.write(&path, "{\"mcpServers\": {}}\n");
    let plan = host
        .inspector
        .setup
        .changes
        .plan_configuration(&ConfigAction::Add {
            target: target(Client::McpJson, "user"),
            draft: program("mine", "x", &[]),
        })
        .expect("possible");
    let theirs = "{\"mcpServers\": {\"theirs\": {\"command\": \"y\"}}}\n";
    host.write(&path, theirs);
    let outcome = host
        .inspector
        .setup
        .changes
        .apply_configuration(plan.plan, OutsideWrites::Refused)
        .expect("told");
    let ApplyOutcome::Conflict { files } = outcome else {
        panic!("{outcome:?}");
    };
    assert_eq!(files[0].now, theirs);
    assert!(files[0].mine.contains("mine"));
    assert_eq!(std::fs::read_to_string(&path).expect("readable"), theirs);
}

#[tokio::test(flavor = "multi_thread")]
async fn pasted_commands_become_servers_and_exports_keep_secrets_back() {
    let host = TestHost::new();
    let text = "claude mcp add --transport http --scope project notion https://mcp.notion.com/mcp --header \"Authorization: Bearer sesame\"";
    let found = host
        .inspector
        .setup
        .import_sources
        .import_candidates(&ImportSource::Text { text: text.into() })
        .expect("understood");
    change(
        &host.inspector,
        &ConfigAction::Add {
            target: target(Client::McpJson, "user"),
            draft: found[0].draft.clone(),
        },
    );
    let exported = host
        .inspector
        .setup
        .server_export
        .export_servers(&ExportRequest {
            servers: vec![ChosenServer {
                target: target(Client::McpJson, "user"),
                name: "notion".into(),
            }],
            client: Client::Vscode,
            include_secrets: false,
        })
        .expect("possible");
    assert!(!exported.text.contains("sesame"), "{}", exported.text);
    assert!(
        exported.text.contains("Bearer ${env:NOTION_AUTHORIZATION}"),
        "{}",
        exported.text
    );
}

#[tokio::test(flavor = "multi_thread")]
async fn a_server_that_is_moved_between_files_is_in_none_at_no_moment() {
    let host = TestHost::new();
    host.write(
        &host.home().join(".claude/.mcp.json"),
        r#"{"mcpServers":{"tool":{"command":"x"}}}"#,
    );
    host.eventually("the server", || {
        server(&host.inspector, Client::McpJson, "tool")
    })
    .await;
    let mut facts = host.inspector.subscribe();
    for index in 0_u64..30 {
        let (from, to) = match index % 2 {
            0 => ("user", "local"),
            _ => ("local", "user"),
        };
        change(
            &host.inspector,
            &ConfigAction::Move {
                from: target(Client::McpJson, from),
                to: target(Client::McpJson, to),
                items: vec![TransferItem {
                    name: "tool".into(),
                    new_name: None,
                    conflict: ConflictChoice::Refuse,
                }],
            },
        );
        // The watcher reads at moments of its own.
        tokio::time::sleep(std::time::Duration::from_millis(index % 7 * 5)).await;
        while let Some(Some(batch)) = facts.next_batch().now_or_never() {
            for event in batch {
                if let Fact::Servers { servers, .. } = event.fact {
                    assert!(
                        servers.iter().any(|server| server.name == "tool"),
                        "{index}"
                    );
                }
            }
        }
    }
}
