//! Rules that answer questions of servers in the user's place.

use serde_json::{Value, json};
use sightglass_inspector::{
    AutomaticAnswer, EndpointKind, ErrorCode, ExchangeKind, Secret, ServerAnswer, ServerId,
    view::{CallReport, ModelQuestion, ModelSettings, TaskRequest},
};
use sightglass_tests::{Environment, TestHost, model, programs, structured_of};
use tokio::{sync::mpsc::UnboundedReceiver, task::JoinHandle};

const ERAS: [&str; 2] = ["legacy", "modern"];

/// A user whose own server is the demo server, in one era, with these rules.
async fn host(era: &str, rules: &str) -> (TestHost, ServerId) {
    let own = json!({ "mine": entry(era) });
    let host = TestHost::in_foreign_folder(json!({}), own, Environment::default());
    let server = TestHost::id("mine");
    host.connect(&server).await;
    save(&host, rules);
    (host, server)
}

fn entry(era: &str) -> Value {
    json!({ "command": programs::own("sightglass-demo-server"), "era": era })
}

fn save(host: &TestHost, rules: &str) {
    let before = host.inspector.calls.answer_rules.answer_rules_text();
    let saved = host
        .inspector
        .calls
        .answer_rules
        .update_answer_rules(rules, &before.hash);
    saved.expect("rules that are right");
}

/// The answer that the server got, which its tool returns.
fn answer_of(report: &CallReport) -> Value {
    structured_of(report)["answer"].clone()
}

/// Calls a tool, which goes on in the background.
fn begin(host: &TestHost, server: &ServerId, tool: &str) -> JoinHandle<CallReport> {
    let (inspector, server, tool) = (host.inspector.clone(), server.clone(), tool.to_owned());
    tokio::spawn(async move {
        let called = inspector
            .calls
            .requests
            .call_tool(&server, "call", &tool, "{}", None, None)
            .await;
        called.expect("the call was sent")
    })
}

fn automatic(host: &TestHost) -> Vec<AutomaticAnswer> {
    host.inspector.snapshot().automatic_answers
}

fn result(json: Value) -> ServerAnswer {
    ServerAnswer::Result {
        json: json.to_string(),
    }
}

const INTRODUCE: &str = r#"
[[rule]]
name    = "Introduce me"
server  = "mine"
kind    = "form"
message = "introduce yourself"
schema  = { name = "string" }
then    = "accept"
values  = { name = "Ada", email = "ada@{{server}}.example", "*" = "{{field.default}}" }
"#;

#[tokio::test(flavor = "multi_thread")]
async fn a_form_is_answered_by_a_rule_which_is_named_wherever_the_answer_is_told() {
    for era in ERAS {
        let (host, server) = host(era, INTRODUCE).await;
        let report = host.call(&server, "ask_elicitation", "{}").await;
        let answer = answer_of(&report);
        assert_eq!(answer["action"], "accept", "{era}");
        assert_eq!(answer["content"]["name"], "Ada");
        assert_eq!(answer["content"]["email"], "ada@mine.example");
        assert_eq!(answer["content"]["height"], 1.7, "{era}: a default");
        assert_eq!(answer["content"]["days"], json!(["monday"]));
        assert_eq!(answer["content"].get("age"), None, "it has no default");
        assert!(host.inspector.snapshot().questions.is_empty());
        let told = automatic(&host);
        assert_eq!(told[0].rule.as_deref(), Some("Introduce me"), "{era}");
        assert_eq!(
            told[0].message.as_deref(),
            Some("Please introduce yourself.")
        );
        assert_eq!(told[0].call.as_deref(), Some("call"));
        let notes = host.traffic("Introduce me", &[ExchangeKind::Phase]).await;
        assert_eq!(notes.len(), 1, "{era}: it is on record");
        assert_eq!(
            host.inspector.calls.answer_rules.answer_rules().rules[0].fired,
            1
        );
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_rule_declines_cancels_or_leaves_a_question_to_the_user_and_says_so() {
    for era in ERAS {
        let rule = |then: &str| {
            format!("[[rule]]\nname = \"r\"\nserver = \"*\"\nkind = \"form\"\nthen = \"{then}\"\n")
        };
        let (host, server) = host(era, &rule("decline")).await;
        let report = host.call(&server, "ask_elicitation", "{}").await;
        assert_eq!(answer_of(&report), json!({ "action": "decline" }));
        save(&host, &rule("cancel"));
        let report = host.call(&server, "ask_elicitation", "{}").await;
        assert_eq!(answer_of(&report), json!({ "action": "cancel" }), "{era}");
        save(&host, &rule("ask"));
        let running = begin(&host, &server, "ask_elicitation");
        let asked = host.question().await;
        let remark = asked.remark.expect("the rule");
        assert!(remark.contains("leaves this to you"), "{remark}");
        let taken = host
            .inspector
            .calls
            .requests
            .answer_question(asked.id, result(json!({ "action": "decline" })));
        taken.expect("taken");
        running.await.expect("no panic");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn values_that_the_form_does_not_take_are_not_sent_and_the_user_is_asked() {
    let rules = INTRODUCE.replace(r#"email = "ada@{{server}}.example""#, "email = 7");
    let (host, server) = host("modern", &rules).await;
    let running = begin(&host, &server, "ask_elicitation");
    let asked = host.question().await;
    let remark = asked.remark.expect("the reason");
    assert!(remark.contains("did not answer"), "{remark}");
    assert!(remark.contains("email"), "{remark}");
    assert!(host.inspector.calls.requests.cancel_call(&server, "call"));
    running.await.expect("no panic");
}

#[tokio::test(flavor = "multi_thread")]
async fn an_address_is_accepted_on_the_host_of_the_rule_alone() {
    for era in ERAS {
        let rules = r#"
[[rule]]
name   = "Connect"
server = "mine"
kind   = "url"
host   = "example.com"
then   = "accept"
"#;
        let (host, server) = host(era, rules).await;
        let report = host.call(&server, "ask_elicitation_url", "{}").await;
        assert_eq!(answer_of(&report), json!({ "action": "accept" }), "{era}");
        let (inspector, id) = (host.inspector.clone(), server.clone());
        let running = tokio::spawn(async move {
            let arguments = r#"{"url":"https://example.com.evil.example/"}"#;
            let called = inspector.calls.requests.call_tool(
                &id,
                "call",
                "ask_elicitation_url",
                arguments,
                None,
                None,
            );
            called.await.expect("the call was sent")
        });
        let asked = host.question().await;
        let remark = asked.remark.expect("the reason");
        assert!(remark.contains("https://example.com"), "{remark}");
        assert!(host.inspector.calls.requests.cancel_call(&server, "call"));
        running.await.expect("no panic");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_sampling_request_gets_the_text_of_the_rule() {
    for era in ERAS {
        let rules = r#"
[[rule]]
name   = "Short"
server = "mine"
kind   = "sampling"
then   = "accept"
text   = "Hello, {{server}}"
"#;
        let (host, server) = host(era, rules).await;
        let report = host.call(&server, "ask_for_sampling", "{}").await;
        let answer = answer_of(&report);
        assert_eq!(answer["content"]["text"], "Hello, mine", "{era}");
        assert_eq!(answer["model"], "answered by a rule");
        assert_eq!(answer["stopReason"], "endTurn");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_reply_to_sampling_uses_the_tools_that_the_server_offers_and_no_others() {
    for era in ERAS {
        let (host, server) = host(era, "").await;
        let running = begin(&host, &server, "ask_for_sampling_with_tools");
        let first = host.question().await;
        let params: Value = serde_json::from_str(&first.params).expect("JSON");
        assert_eq!(params["tools"][0]["name"], "get_weather", "{era}");
        let uses = |name: &str| {
            json!({
                "role": "assistant",
                "model": "a person",
                "stopReason": "toolUse",
                "content": [
                    { "type": "text", "text": "I look it up." },
                    { "type": "tool_use", "id": "1", "name": name, "input": { "city": "Oslo" } },
                ],
            })
        };
        let refused = host
            .inspector
            .calls
            .requests
            .answer_question(first.id, result(uses("delete_all")));
        let refused = refused.expect_err("the server offers no such tool");
        assert!(refused.to_string().contains("delete_all"), "{refused}");
        let taken = host
            .inspector
            .calls
            .requests
            .answer_question(first.id, result(uses("get_weather")));
        taken.expect("taken");
        let second = host
            .eventually("the next turn", || {
                let open = host.inspector.snapshot().questions;
                open.into_iter().find(|question| question.id != first.id)
            })
            .await;
        let params: Value = serde_json::from_str(&second.params).expect("JSON");
        let sent = &params["messages"][2]["content"][0];
        assert_eq!(sent["type"], "tool_result", "{era}");
        assert_eq!(sent["content"][0]["text"], "It is sunny in Oslo.");
        let text = json!({
            "role": "assistant",
            "model": "a person",
            "stopReason": "endTurn",
            "content": { "type": "text", "text": "Sunny." },
        });
        let taken = host
            .inspector
            .calls
            .requests
            .answer_question(second.id, result(text));
        taken.expect("taken");
        let report = running.await.expect("no panic");
        assert_eq!(answer_of(&report)["content"]["text"], "Sunny.", "{era}");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_question_of_a_task_is_answered_by_a_rule() {
    let rules = "[[rule]]\nname = \"t\"\nserver = \"mine\"\nkind = \"form\"\nthen = \"accept\"\nvalues = { answer = \"left\" }\n";
    for era in ERAS {
        let (host, server) = host(era, rules).await;
        let arguments = r#"{"steps":2,"ms":50,"ask":true}"#;
        let report = match era {
            "legacy" => {
                let called = host.inspector.calls.requests.call_tool(
                    &server,
                    "call",
                    "background_work",
                    arguments,
                    Some(TaskRequest { ttl_ms: None }),
                    None,
                );
                called.await.expect("sent")
            }
            _ => host.call(&server, "background_work", arguments).await,
        };
        let id = report.task.expect("a task").id;
        let report = host.inspector.calls.tasks.finish_task(&server, &id).await;
        let report = report.unwrap_or_else(|error| panic!("{era}: {error}"));
        assert_eq!(answer_of(&report)["content"]["answer"], "left", "{era}");
        assert_eq!(automatic(&host)[0].rule.as_deref(), Some("t"));
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_question_that_the_server_wants_as_a_task_is_a_task_that_has_ended() {
    let rules = "[[rule]]\nname = \"t\"\nserver = \"mine\"\nkind = \"form\"\nthen = \"accept\"\nvalues = { answer = \"left\" }\n";
    let (host, server) = host("legacy", rules).await;
    let report = host.call(&server, "ask_as_task", "{}").await;
    let given = structured_of(&report);
    assert_eq!(given["status"], "completed", "{given}");
    assert_eq!(given["result"]["content"]["answer"], "left", "{given}");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_server_of_the_project_gets_nothing_by_taking_a_name_that_a_rule_knows() {
    for (folder, expected) in [(None, false), (Some("elsewhere"), false), (Some(""), true)] {
        let host = TestHost::with_servers(json!({ "mine": entry("legacy") }));
        let server = TestHost::id("mine");
        host.connect(&server).await;
        let folder = folder.map(|folder| host.project().join(folder));
        let folder = folder.map_or_else(String::new, |folder| {
            let path = folder.display().to_string();
            format!("folder = {:?}\n", path.trim_end_matches('/'))
        });
        let rules = INTRODUCE.replace("kind  ", &format!("{folder}kind  "));
        save(&host, &rules);
        let running = begin(&host, &server, "ask_elicitation");
        if expected {
            let report = running.await.expect("no panic");
            assert_eq!(answer_of(&report)["content"]["name"], "Ada");
            continue;
        }
        let asked = host.question().await;
        assert_eq!(asked.remark, None, "no rule is about it: {folder}");
        // Removing its entry makes it no server of the user's own.
        host.write(&host.project().join(".claude/.mcp.json"), "{}");
        assert!(host.inspector.calls.requests.cancel_call(&server, "call"));
        running.await.expect("no panic");
        let gone = || host.inspector.snapshot().servers;
        host.eventually("the removed entry", || {
            let is_gone = !gone().iter().any(|known| known.id == server);
            is_gone.then_some(())
        })
        .await;
        let trial = host.inspector.calls.answer_rules.try_answer_rules(
            &server,
            sightglass_inspector::Era::Legacy,
            "elicitation/create",
            &asked.params,
        );
        assert_eq!(trial.rule, None);
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_rule_made_of_an_open_question_answers_the_next_one() {
    for era in ERAS {
        let (host, server) = host(era, "").await;
        let running = begin(&host, &server, "ask_elicitation");
        let asked = host.question().await;
        let content = r#"{"name":"Ada","email":"ada@example.com"}"#;
        let rule = host
            .inspector
            .calls
            .answer_rules
            .create_rule_from_question(asked.id, Some(content));
        save(&host, &rule.expect("a rule").text);
        assert!(host.inspector.calls.requests.cancel_call(&server, "call"));
        running.await.expect("no panic");
        let report = host.call(&server, "ask_elicitation", "{}").await;
        assert_eq!(answer_of(&report)["content"]["name"], "Ada", "{era}");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_broken_file_answers_nothing_and_says_what_is_wrong() {
    let (host, server) = host("legacy", INTRODUCE).await;
    let broken = INTRODUCE.replace("\"accept\"", "\"agree\"");
    let text = host.inspector.calls.answer_rules.answer_rules_text();
    let refused = host
        .inspector
        .calls
        .answer_rules
        .update_answer_rules(&broken, &text.hash);
    assert!(refused.is_err(), "a broken text is not saved");
    // Another program writes it.
    host.write(&host.data().join("rules.toml"), &broken);
    let view = host
        .eventually("the problem", || {
            let view = host.inspector.calls.answer_rules.answer_rules();
            (!view.problems.is_empty()).then_some(view)
        })
        .await;
    assert_eq!(view.problems[0].line, 8, "{:?}", view.problems);
    assert!(view.rules.is_empty());
    let running = begin(&host, &server, "ask_elicitation");
    host.question().await;
    assert!(host.inspector.calls.requests.cancel_call(&server, "call"));
    running.await.expect("no panic");
    let stale = host
        .inspector
        .calls
        .answer_rules
        .update_answer_rules(INTRODUCE, &text.hash);
    let stale = stale.expect_err("another program changed it");
    assert_eq!(stale.code(), ErrorCode::InvalidInput);
    assert!(stale.to_string().contains("changed by another program"));
}

#[tokio::test(flavor = "multi_thread")]
async fn a_password_of_a_rule_is_in_no_record() {
    let rules = INTRODUCE.replace(
        "name = \"Ada\"",
        "name = \"Ada\", password = \"hunter2hunter2\"",
    );
    let password = json!({ "type": "object", "properties": {
        "name": { "type": "string" }, "password": { "type": "string", "format": "password" } } });
    let (host, server) = host("legacy", &rules).await;
    let trial = host.inspector.calls.answer_rules.try_answer_rules(
        &server,
        sightglass_inspector::Era::Legacy,
        "elicitation/create",
        &json!({ "message": "Please introduce yourself.", "requestedSchema": password })
            .to_string(),
    );
    let answer = trial.answer.expect("an answer");
    assert!(!answer.contains("hunter2"), "{answer}");
    assert!(answer.contains("Ada"), "{answer}");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_question_tells_the_time_that_its_call_has_left() {
    for era in ERAS {
        let own = json!({ "mine": {
            "command": programs::own("sightglass-demo-server"), "era": era, "tool_timeout": 40 } });
        let host = TestHost::in_foreign_folder(json!({}), own, Environment::default());
        let server = TestHost::id("mine");
        host.connect(&server).await;
        let running = begin(&host, &server, "ask_elicitation");
        let left = host.question().await.time_left.expect("a limit");
        assert!((1.0..=40_000.0).contains(&left), "{era}: {left}");
        assert!(host.inspector.calls.requests.cancel_call(&server, "call"));
        running.await.expect("no panic");
    }
}

/// A user with a model of this name, at a server that answers so, and with a rule that asks it.
async fn with_model(era: &str, told: String) -> (TestHost, ServerId, UnboundedReceiver<String>) {
    let (url, requests) = model::serve(told).await;
    let rules = "[[rule]]\nname = \"m\"\nserver = \"mine\"\nkind = \"sampling\"\nthen = \"accept\"\nask_model = \"local\"\n";
    let (host, server) = host(era, rules).await;
    let mut settings = host.inspector.snapshot().settings;
    settings.models = vec![ModelSettings {
        name: "local".to_owned(),
        kind: EndpointKind::OpenaiChat,
        url,
        model: "small".to_owned(),
    }];
    host.inspector.core.save_settings(settings).expect("saved");
    (host, server, requests)
}

fn chat(message: Value) -> String {
    let told =
        json!({ "model": "small-1", "choices": [{ "finish_reason": "stop", "message": message }] });
    model::answer("200 OK", &told.to_string())
}

#[tokio::test(flavor = "multi_thread")]
async fn a_model_replies_to_sampling_where_a_rule_names_it() {
    for era in ERAS {
        let told = chat(json!({ "content": "Hello there." }));
        let (host, server, mut requests) = with_model(era, told).await;
        let report = host.call(&server, "ask_for_sampling", "{}").await;
        let answer = answer_of(&report);
        assert_eq!(answer["content"]["text"], "Hello there.", "{era}");
        assert_eq!(answer["model"], "small-1");
        let request = requests.recv().await.expect("a request");
        assert!(
            request.contains("Say hello in three languages."),
            "{request}"
        );
        let told = host
            .eventually("the answer", || automatic(&host).into_iter().next())
            .await;
        assert_eq!(told.rule.as_deref(), Some("m"), "{era}");
        let notes = host
            .traffic("\"A model answered\"", &[ExchangeKind::Phase])
            .await;
        assert_eq!(notes.len(), 1, "{era}");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_model_that_fails_leaves_the_question_to_the_user() {
    let made_up = json!({ "content": null, "tool_calls": [
        { "id": "1", "function": { "name": "delete_all", "arguments": "{}" } } ] });
    for (told, expected) in [
        (
            model::answer("500 Oops", r#"{"error":{"message":"overloaded"}}"#),
            "overloaded",
        ),
        (chat(made_up), "not allowed here"),
        (model::answer("200 OK", "nonsense"), "not JSON"),
    ] {
        let (host, server, _requests) = with_model("modern", told).await;
        let running = begin(&host, &server, "ask_for_sampling");
        let asked = host
            .eventually("the failure of the model", || {
                let open = host.inspector.snapshot().questions;
                open.into_iter().find(|question| !question.awaits_model)
            })
            .await;
        let remark = asked.remark.expect("the reason");
        assert!(
            remark.contains("in vain") && remark.contains(expected),
            "{remark}"
        );
        assert!(automatic(&host).is_empty());
        assert!(host.inspector.calls.requests.cancel_call(&server, "call"));
        running.await.expect("no panic");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_model_says_which_tool_it_would_call_and_nothing_is_called() {
    let calls = json!({ "content": "I greet.", "tool_calls": [
        { "id": "1", "function": { "name": "echo", "arguments": "{\"message\":\"hi\"}" } },
        { "id": "2", "function": { "name": "echo", "arguments": "[]" } },
        { "id": "3", "function": { "name": "made_up", "arguments": "{}" } },
    ] });
    let (host, server, mut requests) = with_model("modern", chat(calls)).await;
    let question = ModelQuestion {
        model: "local".to_owned(),
        servers: vec![server.clone()],
        scheme: None,
        prompt: "Greet me.".to_owned(),
    };
    let answer = host
        .inspector
        .clients
        .model_endpoints
        .ask_model(&question)
        .await
        .expect("an answer");
    assert_eq!((answer.text.as_str(), answer.calls.len()), ("I greet.", 3));
    assert_eq!(answer.calls[0].tool.as_deref(), Some("echo"));
    assert_eq!(
        (&answer.calls[0].server, &answer.calls[0].problem),
        (&Some(server.clone()), &None)
    );
    assert!(answer.calls[1].problem.is_some(), "{:?}", answer.calls[1]);
    assert_eq!(answer.calls[2].tool, None);
    let request = requests.recv().await.expect("a request");
    assert!(
        request.contains("\"name\":\"ask_for_sampling\""),
        "the list is sent"
    );
    assert!(host.traffic("method:tools/call", &[]).await.is_empty());
    let unknown = ModelQuestion {
        model: "other".to_owned(),
        ..question
    };
    assert!(
        host.inspector
            .clients
            .model_endpoints
            .ask_model(&unknown)
            .await
            .is_err()
    );
}

#[tokio::test(flavor = "multi_thread")]
async fn a_key_is_kept_for_the_address_that_it_was_entered_for() {
    let (host, _server, mut requests) = with_model("modern", chat(json!({ "content": "x" }))).await;
    let key = "sk-test-0123456789abcdef";
    let models = host.inspector.snapshot().settings.models;
    let kept = host
        .inspector
        .clients
        .model_endpoints
        .update_model_key(&models[0].url, Some(Secret::new(key.to_owned())));
    kept.await.expect("kept");
    assert!(host.inspector.clients.model_endpoints.model_endpoints()[0].has_key);
    let server = TestHost::id("mine");
    let question = ModelQuestion {
        model: "local".to_owned(),
        servers: vec![server],
        scheme: None,
        prompt: "x".to_owned(),
    };
    host.inspector
        .clients
        .model_endpoints
        .ask_model(&question)
        .await
        .expect("an answer");
    assert!(requests.recv().await.expect("a request").contains(key));
    let settings = std::fs::read_to_string(host.data().join("settings.json")).expect("settings");
    assert!(!settings.contains(key));
    // Another address is not given it.
    let mut settings = host.inspector.snapshot().settings;
    settings.models[0].url = "https://evil.example/v1".to_owned();
    host.inspector
        .core
        .save_settings(settings.clone())
        .expect("saved");
    assert!(!host.inspector.clients.model_endpoints.model_endpoints()[0].has_key);
    settings.models[0].url = "http://evil.example/v1".to_owned();
    assert!(
        host.inspector.core.save_settings(settings).is_err(),
        "no key goes over such a line"
    );
}
