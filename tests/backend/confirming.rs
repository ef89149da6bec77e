//! Calls that are confirmed before they are sent, and calls that are held to the rules of a client.

use std::time::Duration;

use serde_json::{Value, json};
use sightglass_inspector::{
    Client, Consent, ErrorCode, ExchangeKind, Inspector, InspectorError, Params, ServerAnswer,
    ServerId, Verdict,
    view::{
        CallConfirmation, CallReport, ConfirmationAnswer, ConfirmationReason, ConformanceOptions,
        LoadOptions, Settings,
    },
};
use sightglass_tests::{
    Environment, TestHost, programs::scripted, structured_of, text_of, wiretap::Wiretap,
};
use tokio::task::JoinHandle;
use tokio_util::sync::CancellationToken;

use crate::{
    command_line::Machine,
    requests::{call, demo, run},
};

/// A tool of the demo server that declares itself destructive.
const TOOL: &str = "annotated";

/// A user before the window, with these servers, connected to the first.
async fn host(servers: Value) -> TestHost {
    let host = TestHost::with_servers(servers);
    let asking = Environment {
        confirms: true,
        ..Environment::default()
    };
    host.restart_in(asking).await
}

async fn demo_host() -> (TestHost, ServerId) {
    let host = host(demo()).await;
    let server = TestHost::id("demo");
    host.connect(&server).await;
    (host, server)
}

type Called = Result<CallReport, InspectorError>;

fn begin(host: &TestHost, server: &ServerId, tool: &str, arguments: &str) -> JoinHandle<Called> {
    let (inspector, server) = (host.inspector.clone(), server.clone());
    let (tool, arguments) = (tool.to_owned(), arguments.to_owned());
    tokio::spawn(async move {
        inspector
            .calls
            .requests
            .call_tool(&server, "key", &tool, &arguments, None, None)
            .await
    })
}

async fn waiting(host: &TestHost) -> CallConfirmation {
    host.eventually("a call that waits", || {
        host.inspector.snapshot().confirmations.into_iter().next()
    })
    .await
}

fn answer(host: &TestHost, asked: &CallConfirmation, answer: ConfirmationAnswer) {
    let taken = host
        .inspector
        .calls
        .confirmations
        .answer_confirmation(asked.id, answer);
    taken.expect("it waits");
}

/// The calls that went out.
async fn sent(host: &TestHost) -> usize {
    let calls = host.traffic("tools/call", &[ExchangeKind::Request]).await;
    calls.len()
}

fn refused(called: Called) -> InspectorError {
    called.expect_err("it was not confirmed")
}

fn hold(inspector: &Inspector, server: &ServerId, client: Client) {
    let mut settings = inspector.servers.server_settings.server_settings(server);
    settings.held_to = Some(client);
    let saved = inspector
        .servers
        .settings_changes
        .update_server_settings(server, settings);
    saved.expect("kept");
}

fn rules(host: &TestHost, deny: &[&str], ask: &[&str], allow: &[&str]) {
    let text = json!({ "permissions": { "deny": deny, "ask": ask, "allow": allow } });
    let settings = host.home().join(".claude/settings.json");
    host.write(
        &settings,
        &serde_json::to_string_pretty(&text).expect("JSON"),
    );
}

#[tokio::test(flavor = "multi_thread")]
async fn a_destructive_call_waits_and_is_sent_once_it_is_confirmed() {
    let (host, server) = demo_host().await;
    let running = begin(&host, &server, TOOL, r#"{"b":1.50,"a":2}"#);
    let asked = waiting(&host).await;
    assert_eq!(
        (asked.server.clone(), asked.tool.as_str()),
        (server.clone(), TOOL)
    );
    assert_eq!(asked.arguments, r#"{"b":1.50,"a":2}"#, "as it will be sent");
    assert_eq!(asked.reasons, [ConfirmationReason::Destructive]);
    assert_eq!(sent(&host).await, 0);

    answer(&host, &asked, ConfirmationAnswer::Refuse);
    let error = refused(running.await.expect("no panic"));
    assert!(error.to_string().contains("Nothing was sent"), "{error}");
    assert_eq!(error.code(), ErrorCode::Cancelled);
    assert_eq!(host.inspector.snapshot().confirmations, []);
    assert_eq!(sent(&host).await, 0);
    let again = host
        .inspector
        .calls
        .confirmations
        .answer_confirmation(asked.id, ConfirmationAnswer::Call);
    assert!(again.is_err(), "an answer counts once");

    // Agreeing to one call agrees to that one alone.
    for _ in 0..2 {
        let running = begin(&host, &server, TOOL, "{}");
        answer(&host, &waiting(&host).await, ConfirmationAnswer::Call);
        let report = running.await.expect("no panic").expect("it was sent");
        assert_eq!(text_of(&report), "Nothing was destroyed.");
    }
    assert_eq!(sent(&host).await, 2);

    // As another identity too, which is told.
    let (inspector, to) = (host.inspector.clone(), server.clone());
    let running = tokio::spawn(async move {
        inspector
            .calls
            .requests
            .call_tool_as(&to, "bob", "key", TOOL, "{}")
            .await
    });
    let asked = waiting(&host).await;
    assert_eq!(asked.identity.as_deref(), Some("bob"));
    answer(&host, &asked, ConfirmationAnswer::Refuse);
    refused(running.await.expect("no panic"));

    // A tool that declares nothing is not asked about.
    let report = host.call(&server, "add", r#"{"a":1,"b":2}"#).await;
    assert!(report.result.is_some());

    let settings = Settings {
        confirm_destructive: false,
        ..host.inspector.core.settings()
    };
    host.inspector.core.save_settings(settings).expect("kept");
    let report = host.call(&server, TOOL, "{}").await;
    assert_eq!(text_of(&report), "Nothing was destroyed.");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_call_that_waits_can_be_cancelled_and_one_that_is_dropped_is_taken_back() {
    let (host, server) = demo_host().await;
    let running = begin(&host, &server, TOOL, "{}");
    waiting(&host).await;
    assert!(host.inspector.calls.requests.cancel_call(&server, "key"));
    refused(running.await.expect("no panic"));
    let running = begin(&host, &server, TOOL, "{}");
    waiting(&host).await;
    running.abort();
    host.eventually("it is taken back", || {
        host.inspector
            .snapshot()
            .confirmations
            .is_empty()
            .then_some(())
    })
    .await;
    assert_eq!(sent(&host).await, 0);
}

/// The list of one tool that declares itself destructive.
fn one_tool(description: &str) -> String {
    json!({ "tools": [{
        "name": "delete",
        "description": description,
        "inputSchema": { "type": "object" },
        "annotations": { "destructiveHint": true },
    }]})
    .to_string()
}

#[tokio::test(flavor = "multi_thread")]
async fn for_the_session_is_for_the_tool_as_it_is_defined() {
    let tap = Wiretap::new();
    let result = r#"{"content":[]}"#;
    let entry = |description: &str| {
        scripted(
            &tap,
            &[
                ("tools/list", &one_tool(description)),
                ("tools/call", result),
            ],
        )
    };
    let host = host(json!({ "s": entry("Deletes a draft.") })).await;
    let server = TestHost::id("s");
    host.connect(&server).await;
    let running = begin(&host, &server, "delete", r#"{"id":1}"#);
    answer(
        &host,
        &waiting(&host).await,
        ConfirmationAnswer::CallForSession,
    );
    running.await.expect("no panic").expect("sent");
    // Other arguments too.
    host.call(&server, "delete", r#"{"id":2}"#).await;

    // Another definition is another tool, and so it is while a call of it waits.
    for (first, second) in [("Deletes a user.", "Deletes all."), ("All.", "All, now.")] {
        entry(first);
        host.inspector
            .servers
            .open_connections
            .disconnect(&server)
            .await;
        host.connect(&server).await;
        let running = begin(&host, &server, "delete", "{}");
        let asked = waiting(&host).await;
        entry(second);
        host.inspector
            .servers
            .open_connections
            .disconnect(&server)
            .await;
        host.connect(&server).await;
        answer(&host, &asked, ConfirmationAnswer::Call);
        let error = refused(running.await.expect("no panic"));
        assert!(error.to_string().contains("changed before"), "{error}");
    }
    assert_eq!(sent(&host).await, 2);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_tool_that_is_defined_otherwise_than_was_shown_is_not_called() {
    let tap = Wiretap::new();
    let entry = |tools: &str| {
        let results = [("tools/list", tools), ("tools/call", r#"{"content":[]}"#)];
        scripted(&tap, &results)
    };
    let host = host(json!({ "s": entry(&one_tool("Deletes a draft.")) })).await;
    let server = TestHost::id("s");
    host.connect(&server).await;
    let definition = || host.inspector.calls.lists.definition(&server, "delete");
    let shown = definition().expect("listed");
    let call = async |shown: &str| {
        let requests = &host.inspector.calls.requests;
        requests
            .call_tool(&server, "key", "delete", "{}", None, Some(shown))
            .await
    };
    let harmless = r#"{"tools":[{"inputSchema":{"type":"object"}, "name":"delete"}]}"#;
    for now in [harmless, r#"{"tools":[]}"#] {
        entry(now);
        host.inspector
            .servers
            .open_connections
            .disconnect(&server)
            .await;
        host.connect(&server).await;
        // The new one asks for no confirmation.
        let error = refused(call(&shown).await);
        assert!(error.to_string().contains("changed before"), "{error}");
    }
    assert_eq!(sent(&host).await, 0);

    entry(harmless);
    host.inspector
        .servers
        .open_connections
        .disconnect(&server)
        .await;
    host.connect(&server).await;
    // A list that was stored is written otherwise.
    let stored = json!({ "name": "delete", "inputSchema": { "type": "object" } });
    call(&stored.to_string()).await.expect("sent");
    call(&definition().expect("listed")).await.expect("sent");
    assert_eq!(sent(&host).await, 2);
}

#[tokio::test(flavor = "multi_thread")]
async fn for_the_session_is_for_the_entry_and_the_reason_of_which_the_user_was_told() {
    let tap = Wiretap::new();
    let entry = |word: &str| {
        let results = [
            ("tools/list", &*one_tool("Deletes a draft.")),
            ("tools/call", r#"{"content":[]}"#),
        ];
        let mut entry = scripted(&tap, &results);
        entry["args"]
            .as_array_mut()
            .expect("a list")
            .push(json!(word));
        entry
    };
    let host = host(json!({ "s": entry("one") })).await;
    let server = TestHost::id("s");
    host.connect(&server).await;
    let agree = async || {
        let running = begin(&host, &server, "delete", "{}");
        let asked = waiting(&host).await;
        answer(&host, &asked, ConfirmationAnswer::CallForSession);
        running.await.expect("no panic").expect("sent");
        host.call(&server, "delete", "{}").await;
        asked.reasons.len()
    };
    assert_eq!(agree().await, 1);
    // A rule that asks is another question.
    rules(&host, &[], &["mcp__s__delete"], &[]);
    hold(&host.inspector, &server, Client::ClaudeCode);
    assert_eq!(agree().await, 2);
    // Another command line is another server.
    host.write(
        &host.project().join(".claude/.mcp.json"),
        &json!({ "mcpServers": { "s": entry("two") } }).to_string(),
    );
    host.eventually("the change", || {
        let spec = host.inspector.snapshot();
        let view = spec.servers.into_iter().find(|view| view.id == server)?;
        view.summary.contains("two").then_some(())
    })
    .await;
    host.approve_all_but(&[]);
    host.inspector
        .servers
        .open_connections
        .disconnect(&server)
        .await;
    host.connect(&server).await;
    assert_eq!(agree().await, 2);
}

#[tokio::test(flavor = "multi_thread")]
async fn calls_of_a_server_are_held_to_the_rules_of_a_client() {
    let (host, server) = demo_host().await;
    rules(
        &host,
        &["mcp__demo__crash"],
        &["mcp__demo__add"],
        &["mcp__demo__echo", "mcp__demo__annotated"],
    );
    // Not before the user says so.
    host.call(&server, "add", r#"{"a":1,"b":2}"#).await;
    hold(&host.inspector, &server, Client::ClaudeCode);

    let denied = begin(&host, &server, "crash", "{}");
    let error = refused(denied.await.expect("no panic"));
    assert_eq!(error.code(), ErrorCode::DeniedByRule);
    let words = error.to_string();
    assert!(words.contains("mcp__demo__crash in "), "{words}");
    assert!(words.contains("settings.json:4"), "{words}");

    let running = begin(&host, &server, "add", r#"{"a":1,"b":2}"#);
    let asked = waiting(&host).await;
    let [
        ConfirmationReason::Rule {
            client_title,
            rule: Some(rule),
            ..
        },
    ] = &asked.reasons[..]
    else {
        panic!("{asked:?}");
    };
    assert_eq!(
        (client_title.as_str(), rule.text.as_str()),
        ("Claude Code", "mcp__demo__add")
    );
    // A rule that comes while the call waits counts.
    rules(&host, &["mcp__demo__add"], &[], &["mcp__demo__annotated"]);
    answer(&host, &asked, ConfirmationAnswer::Call);
    let error = refused(running.await.expect("no panic"));
    assert_eq!(error.code(), ErrorCode::DeniedByRule, "{error}");

    // What no rule speaks of is asked about, as the client would ask.
    let running = begin(&host, &server, "echo", r#"{"message":"m"}"#);
    let asked = waiting(&host).await;
    assert!(matches!(
        &asked.reasons[..],
        [ConfirmationReason::Rule { rule: None, .. }]
    ));
    answer(&host, &asked, ConfirmationAnswer::Call);
    running.await.expect("no panic").expect("sent");

    // A rule that allows, which a project may bring, does not make a destructive call harmless.
    let running = begin(&host, &server, TOOL, "{}");
    let asked = waiting(&host).await;
    assert_eq!(asked.reasons, [ConfirmationReason::Destructive]);
    answer(&host, &asked, ConfirmationAnswer::Refuse);
    refused(running.await.expect("no panic"));
}

/// Dismisses the question that waits, once it is there.
async fn dismiss_question(host: &TestHost) {
    let asked = host
        .eventually("a question", || {
            host.inspector.snapshot().questions.into_iter().next()
        })
        .await;
    let json = json!({ "action": "cancel" }).to_string();
    let answered = host
        .inspector
        .calls
        .requests
        .answer_question(asked.id, ServerAnswer::Result { json });
    answered.expect("it is open");
}

/// Chimera and caliban have rules about the questions of a server.
#[tokio::test(flavor = "multi_thread")]
async fn a_question_that_the_client_s_rules_deny_is_declined() {
    let (host, server) = demo_host().await;
    let rules = json!({ "permissions": { "deny": ["Elicit(demo)"], "allow": ["mcp__demo"] } });
    for settings in [".chimera/settings.json", ".claude/settings.json"] {
        host.write(&host.home().join(settings), &rules.to_string());
    }
    // Not before the user says so.
    let asking = begin(&host, &server, "ask_elicitation", "{}");
    dismiss_question(&host).await;
    asking.await.expect("no panic").expect("sent");

    hold(&host.inspector, &server, Client::McpJson);
    let report = host.call(&server, "ask_elicitation", "{}").await;
    assert_eq!(structured_of(&report)["answer"]["action"], "decline");
    let answers = host.inspector.snapshot().automatic_answers;
    let named = answers.last().and_then(|answer| answer.rule.clone());
    assert_eq!(named.as_deref(), Some("Elicit(demo) of .mcp.json"));

    // A client without such rules leaves it to the user.
    hold(&host.inspector, &server, Client::ClaudeCode);
    let asking = begin(&host, &server, "ask_elicitation", "{}");
    dismiss_question(&host).await;
    asking.await.expect("no panic").expect("sent");
}

/// In OpenCode the last rule decides, so that a project could allow what its user denies.
#[tokio::test(flavor = "multi_thread")]
async fn a_project_does_not_undo_what_the_user_s_own_rules_say_of_calls_from_here() {
    let (host, server) = demo_host().await;
    let own = json!({ "permission": { "demo_crash": "deny", "demo_add": "ask" } });
    let path = host.home().join(".config/opencode/opencode.json");
    host.write(&path, &own.to_string());
    let project = json!({ "permission": { "*": "allow", "demo_*": "allow", "demo_echo": "deny" } });
    host.write(&host.project().join("opencode.json"), &project.to_string());
    hold(&host.inspector, &server, Client::Opencode);
    for tool in ["crash", "echo"] {
        let denied = begin(&host, &server, tool, "{}");
        let error = refused(denied.await.expect("no panic"));
        assert_eq!(error.code(), ErrorCode::DeniedByRule, "{tool}");
    }
    let running = begin(&host, &server, "add", r#"{"a":1,"b":2}"#);
    let asked = waiting(&host).await;
    answer(&host, &asked, ConfirmationAnswer::Call);
    running.await.expect("no panic").expect("sent");
    // Where the user says nothing the project's rule counts.
    host.call(&server, "sleep", r#"{"ms":1}"#).await;
}

/// In Codex the highest file that has a setting counts, that of a trusted project before the user's.
#[tokio::test(flavor = "multi_thread")]
async fn a_project_does_not_undo_what_the_user_s_settings_of_codex_deny() {
    let (host, server) = demo_host().await;
    let own = format!(
        "[mcp_servers.demo]\ncommand = \"x\"\ndisabled_tools = [\"crash\"]\n\n\
         [projects.'{}']\ntrust_level = \"trusted\"\n",
        host.project().display()
    );
    host.write(&host.home().join(".codex/config.toml"), &own);
    let project = "[mcp_servers.demo]\ncommand = \"x\"\ndisabled_tools = []\n\
                   default_tools_approval_mode = \"approve\"\n";
    host.write(&host.project().join(".codex/config.toml"), project);
    hold(&host.inspector, &server, Client::Codex);
    let denied = begin(&host, &server, "crash", "{}");
    let error = refused(denied.await.expect("no panic"));
    assert_eq!(error.code(), ErrorCode::DeniedByRule);
    host.call(&server, "sleep", r#"{"ms":1}"#).await;
}

/// All files lie in the project then, and those that are read of a project come after the others.
#[cfg(unix)]
#[tokio::test(flavor = "multi_thread")]
async fn rules_at_home_hold_where_the_home_directory_is_the_project() {
    let host = TestHost::with_servers(demo());
    let servers = json!({ "mcpServers": demo() }).to_string();
    let own = json!({ "permission": { "demo_crash": "deny" } }).to_string();
    let project = json!({ "permission": { "*": "allow" } }).to_string();
    for (path, text) in [
        (".claude/.mcp.json", servers),
        (".config/opencode/opencode.json", own),
        ("opencode.json", project),
    ] {
        host.write(&host.home().join(path), &text);
    }
    std::fs::remove_dir_all(host.project()).expect("removed");
    std::os::unix::fs::symlink(host.home(), host.project()).expect("linked");
    let asking = Environment {
        confirms: true,
        ..Environment::default()
    };
    let host = host.restart_in(asking).await;
    let server = TestHost::id("demo");
    host.connect(&server).await;
    hold(&host.inspector, &server, Client::Opencode);
    let denied = begin(&host, &server, "crash", "{}");
    let error = refused(denied.await.expect("no panic"));
    assert_eq!(error.code(), ErrorCode::DeniedByRule);
    host.call(&server, "echo", r#"{"message":"m"}"#).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn parameters_that_servers_may_read_otherwise_are_confirmed_and_shown_whole() {
    let (host, server) = demo_host().await;
    let begin = |params: &str| {
        let parsed = Params::parse(params).expect("an object");
        let (inspector, to) = (host.inspector.clone(), server.clone());
        tokio::spawn(async move {
            let key = "tools/call";
            let sent = inspector
                .calls
                .requests
                .request(&to, key, key, &parsed, Consent::None);
            sent.await
        })
    };
    for params in [
        r#"{"name":"echo","Name":"crash","arguments":{"message":"m"}}"#,
        r#"{"name":"crash","name":"echo","arguments":{"message":"m"}}"#,
        r#"{"Name":"crash"}"#,
    ] {
        let running = begin(params);
        let asked = waiting(&host).await;
        assert_eq!(asked.reasons, [ConfirmationReason::Ambiguous], "{params}");
        assert!(asked.arguments.contains("crash"), "{}", asked.arguments);
        answer(&host, &asked, ConfirmationAnswer::Refuse);
        refused(running.await.expect("no panic"));
    }
    // Agreeing for the session would be agreeing to any tool: each is asked about.
    for _ in 0..2 {
        let running = begin(r#"{"Name":"no such tool"}"#);
        answer(
            &host,
            &waiting(&host).await,
            ConfirmationAnswer::CallForSession,
        );
        running.await.expect("no panic").expect("sent");
    }
    // Arguments that are there twice are all shown.
    let params = r#"{"name":"annotated","arguments":{"a":1},"arguments":{"b":2}}"#;
    let running = begin(params);
    let asked = waiting(&host).await;
    assert_eq!(asked.arguments, params);
    answer(&host, &asked, ConfirmationAnswer::Refuse);
    refused(running.await.expect("no panic"));
    // No rule can be told for it, so that none is passed by.
    hold(&host.inspector, &server, Client::ClaudeCode);
    let running = begin(r#"{"name":"echo","Name":"crash"}"#);
    let error = refused(running.await.expect("no panic"));
    assert!(error.to_string().contains("held to the rules"), "{error}");
}

#[tokio::test(flavor = "multi_thread")]
async fn requests_in_files_checks_and_load_runs_come_through_the_same_door() {
    let host = TestHost::with_servers(demo());
    let file = host.project().join(".sightglass/requests/one.toml");
    // Less time than the user takes.
    host.write(&file, &call(TOOL, "{}", "timeout = \"200ms\"\n"));
    let asking = Environment {
        confirms: true,
        ..Environment::default()
    };
    let host = host.restart_in(asking).await;
    let server = TestHost::id("demo");
    host.connect(&server).await;
    for (given, verdict) in [
        (ConfirmationAnswer::Call, Verdict::Passed),
        (ConfirmationAnswer::Refuse, Verdict::Error),
    ] {
        let (report, ()) = tokio::join!(run(&host), async {
            let asked = waiting(&host).await;
            tokio::time::sleep(Duration::from_millis(300)).await;
            answer(&host, &asked, given);
        });
        assert_eq!(report.cases[0].verdict, verdict, "{report:#?}");
    }

    let spec = host.inspector.servers.specs.spec(&server).expect("usable");
    let stop = CancellationToken::new();
    let options = ConformanceOptions {
        era: Some(sightglass_inspector::Era::Legacy),
        tool: Some(TOOL.into()),
        arguments: Some("{}".into()),
        ..ConformanceOptions::default()
    };
    let checked = host.inspector.checks.conformance.conformance_as(
        &server,
        spec.clone(),
        &options,
        &|_| {},
        &stop,
    );
    let (report, ()) = tokio::join!(checked, async {
        let asked = waiting(&host).await;
        answer(&host, &asked, ConfirmationAnswer::Refuse);
    });
    let report = report.expect("it runs");
    let check = report.checks.iter().find(|check| check.rule == "tool-call");
    let message = check.and_then(|check| check.message.clone());
    assert!(message.expect("a reason").contains("not confirmed"));

    // What may change something was agreed to; what a rule denies is refused all the same.
    rules(&host, &["mcp__demo__annotated"], &[], &[]);
    hold(&host.inspector, &server, Client::ClaudeCode);
    let options = LoadOptions {
        tool: TOOL.into(),
        arguments: "{}".into(),
        rate: 10,
        clients: 1,
        seconds: 1,
        era: None,
        allowed_host: None,
        allows_effects: true,
    };
    let loaded = host
        .inspector
        .checks
        .load
        .load_as(&server, spec, &options, &|_| {}, &stop)
        .await;
    let error = loaded.expect_err("denied");
    assert_eq!(error.code(), ErrorCode::DeniedByRule, "{error}");
}

#[test]
fn the_command_line_sends_a_destructive_call_only_when_told() {
    let machine = Machine::new();
    let ran = machine.demo(&["tools", "call", TOOL, "--json"], &[]);
    assert_eq!(ran.code, Some(1), "{}", ran.stdout);
    assert!(
        ran.stderr.contains("may destroy something"),
        "{}",
        ran.stderr
    );
    assert!(ran.stderr.contains("--confirm-calls"), "{}", ran.stderr);
    let ran = machine.demo(&["tools", "call", TOOL, "--confirm-calls"], &[]);
    assert_eq!(ran.code, Some(0), "{}", ran.stderr);
    assert!(
        ran.stdout.contains("Nothing was destroyed."),
        "{}",
        ran.stdout
    );
    let ran = machine.demo(&["tools", "call", "echo", "message:=m"], &[]);
    assert_eq!(ran.code, Some(0), "{}", ran.stderr);
}
