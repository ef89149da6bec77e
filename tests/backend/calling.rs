//! Calling tools, reading resources, getting prompts.

use sightglass_inspector::{
    ListKind, PayloadForm, PayloadQuery, Phase, RequestEnd, ServerAnswer, ServerId,
    view::{BlockBody, CompletionQuery, CompletionReference},
};
use sightglass_tests::{TestHost, text_of};

async fn connected() -> (TestHost, ServerId) {
    let host = TestHost::new();
    host.connect(&ServerId::demo()).await;
    (host, ServerId::demo())
}

#[tokio::test(flavor = "multi_thread")]
async fn numbers_and_null_reach_the_server_as_they_are_written() {
    let (host, demo) = connected().await;
    let arguments = r#"{"big":9007199254740993,"exact":1.10,"nothing":null,"z":1,"a":2}"#;
    let report = host.call(&demo, "echo_arguments", arguments).await;
    assert!(text_of(&report).contains(arguments), "{}", text_of(&report));
}

#[tokio::test(flavor = "multi_thread")]
async fn the_last_arguments_of_a_tool_are_there_after_a_restart() {
    let (host, demo) = connected().await;
    host.call(&demo, "echo", r#"{"message":"remember me"}"#)
        .await;
    let host = host.restart().await;
    host.connect(&demo).await;
    let index = host
        .inspector
        .calls
        .lists
        .find_item(&demo, ListKind::Tools, "echo")
        .expect("listed");
    let item = host
        .inspector
        .calls
        .lists
        .item(&demo, ListKind::Tools, index)
        .expect("there");
    assert_eq!(
        item.last_arguments.as_deref(),
        Some(r#"{"message":"remember me"}"#)
    );
}

#[tokio::test(flavor = "multi_thread")]
async fn an_error_of_the_protocol_and_one_of_the_tool_are_told_apart() {
    let (host, demo) = connected().await;
    let report = host.call(&demo, "no_such_tool", "{}").await;
    assert_eq!(report.request.end, RequestEnd::Error);
    assert_eq!(report.error.expect("an error").code, "-32602");
}

#[tokio::test(flavor = "multi_thread")]
async fn structured_content_is_checked_against_the_output_schema() {
    let (host, demo) = connected().await;
    let tools = host.names(&demo, ListKind::Tools);
    let mut outcomes = Vec::new();
    for tool in tools
        .iter()
        .filter(|name| name.starts_with("result_structured"))
    {
        let report = host.call(&demo, tool, "{}").await;
        if let Some(check) = report.result.and_then(|result| result.schema_check) {
            outcomes.push(check.valid);
        }
    }
    assert!(
        outcomes.contains(&true) && outcomes.contains(&false),
        "{outcomes:?} of {tools:?}"
    );
}

#[tokio::test(flavor = "multi_thread")]
async fn a_slow_call_is_cancelled_at_once() {
    let (host, demo) = connected().await;
    let inspector = host.inspector.clone();
    let call = tokio::spawn({
        let demo = demo.clone();
        async move {
            inspector
                .calls
                .requests
                .call_tool(&demo, "slow", "sleep", r#"{"ms":600000}"#, None, None)
                .await
        }
    });
    host.wait_for(&demo, |status| status.phase == Phase::Executing)
        .await;
    assert!(host.inspector.calls.requests.cancel_call(&demo, "slow"));
    let report = call.await.expect("no panic").expect("sent");
    assert_eq!(report.request.end, RequestEnd::Cancelled);
    host.wait_for(&demo, |status| status.phase == Phase::Ready)
        .await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_large_result_is_shown_by_window() {
    let (host, demo) = connected().await;
    let report = host
        .call(&demo, "big_result", r#"{"mb":5,"kind":"text"}"#)
        .await;
    let frame = report.request.response_frame.expect("on record");
    let BlockBody::Text { text } = &report.result.expect("a result").blocks[0].body else {
        panic!("text")
    };
    assert_eq!(text.text, None);
    assert!(text.size.as_u64() > 4_000_000);
    let query = PayloadQuery {
        frame,
        pointer: text.pointer.clone(),
        form: PayloadForm::Text,
    };
    let reader = &host.inspector.record.reader;
    let first = reader.payload_lines(None, query.clone(), 0, 200).await;
    assert_eq!(text.lines, Some(first.expect("readable")));
    let window = reader
        .payload_lines(None, query, 10, 5)
        .await
        .expect("readable");
    assert_eq!(window.lines.len(), 5);
    assert!(window.total_lines > 100);
}

#[tokio::test(flavor = "multi_thread")]
async fn resources_are_read_and_prompts_are_filled_in() {
    let (host, demo) = connected().await;
    let uri = host
        .names(&demo, ListKind::Resources)
        .into_iter()
        .next()
        .expect("a resource");
    let report = host
        .inspector
        .calls
        .resources
        .read_resource(&demo, "read", &uri)
        .await
        .expect("sent");
    assert_eq!(report.request.end, RequestEnd::Result, "{report:?}");
    assert!(!report.result.expect("a result").blocks.is_empty());

    let arguments = [("topic".to_owned(), "pipes".to_owned())];
    let report = host
        .inspector
        .calls
        .requests
        .get_prompt(&demo, "get", "conversation", &arguments)
        .await
        .expect("sent");
    let blocks = report.result.expect("messages").blocks;
    let roles: Vec<_> = blocks
        .iter()
        .filter_map(|block| block.role.as_deref())
        .collect();
    assert!(
        roles.contains(&"user") && roles.contains(&"assistant"),
        "{roles:?}"
    );
}

#[tokio::test(flavor = "multi_thread")]
async fn the_server_suggests_values_for_arguments() {
    let (host, demo) = connected().await;
    let mut suggested = Vec::new();
    for uri in host.names(&demo, ListKind::ResourceTemplates) {
        let Some(argument) = uri
            .split('{')
            .nth(1)
            .and_then(|rest| rest.split('}').next())
        else {
            continue;
        };
        let query = CompletionQuery {
            reference: CompletionReference::Template { uri: uri.clone() },
            argument: argument.to_owned(),
            value: String::new(),
            others: Vec::new(),
        };
        suggested.extend(
            host.inspector
                .calls
                .requests
                .complete(&demo, &query)
                .await
                .expect("sent"),
        );
    }
    assert!(!suggested.is_empty());
}

#[tokio::test(flavor = "multi_thread")]
async fn a_question_of_the_servers_waits_in_the_inbox_until_it_is_answered() {
    for era in ["legacy", "modern"] {
        let program = sightglass_tests::programs::own("sightglass-demo-server");
        let host = TestHost::with_servers(serde_json::json!({
            "asking": { "command": program, "era": era },
        }));
        let server = TestHost::id("asking");
        host.connect(&server).await;
        let inspector = host.inspector.clone();
        let call = tokio::spawn({
            let server = server.clone();
            async move {
                inspector
                    .calls
                    .requests
                    .call_tool(&server, "ask", "ask_elicitation", "{}", None, None)
                    .await
            }
        });
        let question = host
            .eventually("the question", || {
                host.inspector.snapshot().questions.into_iter().next()
            })
            .await;
        assert_eq!(question.method, "elicitation/create", "{era}");
        let answer = ServerAnswer::Result {
            json: r#"{"action":"decline"}"#.to_owned(),
        };
        host.inspector
            .calls
            .requests
            .answer_question(question.id, answer)
            .expect("taken");
        let report = call.await.expect("no panic").expect("sent");
        assert_eq!(report.request.end, RequestEnd::Result, "{era}: {report:?}");
        assert!(host.inspector.snapshot().questions.is_empty());
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_subscribed_resource_is_told_to_have_changed_in_both_eras() {
    for era in ["legacy", "modern"] {
        let program = sightglass_tests::programs::own("sightglass-demo-server");
        let host = TestHost::with_servers(serde_json::json!({
            "watched": { "command": program, "era": era },
        }));
        let server = TestHost::id("watched");
        host.connect(&server).await;
        host.inspector
            .calls
            .requests
            .subscribe_resource(&server, "demo://counter")
            .await
            .expect("subscribed");
        let mut facts = host.inspector.subscribe();
        // In the stateless era the standing subscription is renewed in the background, so that
        // a change right after subscribing may come too early to be told.
        let mut told = false;
        for _ in 0..100 {
            host.call(&server, "touch_resource", r#"{"uri":"demo://counter"}"#)
                .await;
            let pause = std::time::Duration::from_millis(300);
            while let Ok(batch) = tokio::time::timeout(pause, facts.next_batch()).await {
                told |= batch.expect("facts").iter().any(|event| {
                    let fact = serde_json::to_value(&event.fact).expect("JSON");
                    fact["event"]["type"] == "resourceUpdated"
                        && fact["event"]["uri"] == "demo://counter"
                });
            }
            if told {
                break;
            }
        }
        assert!(told, "{era}: the update was never told");
        host.inspector
            .calls
            .requests
            .unsubscribe_resource(&server, "demo://counter")
            .await
            .expect("unsubscribed");
    }
}
