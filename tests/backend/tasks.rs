//! Tasks: calls whose result comes later, in both formats.

use serde_json::{Value, json};
use sightglass_inspector::{
    Operation, RequestEnd, ServerAnswer, ServerId, TaskStatus, TrafficQuery,
    view::{Fact, TaskFollow, TaskRequest, TaskView},
};
use sightglass_tests::{
    TestHost,
    programs::{self, scripted},
    structured_of, text_of,
    wiretap::Wiretap,
};

const ERAS: [&str; 2] = ["legacy", "modern"];

/// A host that is connected to the demo server in one era.
async fn connected(era: &str) -> (TestHost, ServerId) {
    let program = programs::own("sightglass-demo-server");
    let host = TestHost::with_servers(json!({ "s": { "command": program, "era": era } }));
    let server = TestHost::id("s");
    host.connect(&server).await;
    (host, server)
}

/// Calls a tool such that it becomes a task.
async fn begin(
    host: &TestHost,
    server: &ServerId,
    era: &str,
    tool: &str,
    arguments: &str,
) -> String {
    let report = match era {
        "legacy" => {
            let task = TaskRequest {
                ttl_ms: Some(600_000),
            };
            let called = host.inspector.calls.requests.call_tool(
                server,
                "call",
                tool,
                arguments,
                Some(task),
                None,
            );
            called.await.expect("sent")
        }
        _ => host.call(server, tool, arguments).await,
    };
    assert_eq!(report.result, None, "{era}: the result comes later");
    let task = report.task.as_ref();
    task.unwrap_or_else(|| panic!("{era}: a task, {report:?}"))
        .id
        .clone()
}

fn known(host: &TestHost, id: &str) -> Option<TaskView> {
    let tasks = host.inspector.calls.tasks.tasks();
    tasks.into_iter().find(|task| task.facts.id == id)
}

async fn until(host: &TestHost, id: &str, wanted: impl Fn(&TaskView) -> bool) -> TaskView {
    host.eventually("the task's state", || known(host, id).filter(&wanted))
        .await
}

async fn answer(host: &TestHost, json: &str) -> String {
    let question = host.question().await;
    let json = json.to_owned();
    let taken = host
        .inspector
        .calls
        .requests
        .answer_question(question.id, ServerAnswer::Result { json });
    taken.expect("taken");
    question.call.expect("the call that it belongs to")
}

#[tokio::test(flavor = "multi_thread")]
async fn a_call_becomes_a_task_whose_progress_and_result_come_later() {
    for era in ERAS {
        let (host, server) = connected(era).await;
        let mut facts = host.inspector.subscribe();
        let id = begin(
            &host,
            &server,
            era,
            "background_work",
            r#"{"steps":3,"ms":300}"#,
        )
        .await;
        let report = host.inspector.calls.tasks.finish_task(&server, &id).await;
        let report = report.unwrap_or_else(|error| panic!("{era}: {error}"));
        assert_eq!(structured_of(&report)["steps"], 3, "{era}");
        assert!(report.request.response_frame.is_some());
        let task = known(&host, &id).expect("kept");
        assert_eq!(task.facts.status, TaskStatus::Completed, "{era}");
        assert_eq!(task.tool.as_deref(), Some("background_work"));
        assert!(task.facts.ttl_ms.is_some() && task.facts.poll_interval_ms.is_some());
        let mut progress = 0;
        while let Ok(Some(batch)) =
            tokio::time::timeout(std::time::Duration::from_millis(100), facts.next_batch()).await
        {
            progress += batch
                .iter()
                .filter(|event| {
                    let fact = serde_json::to_value(&event.fact).expect("JSON");
                    fact.pointer("/event/call") == Some(&json!("call"))
                })
                .count();
        }
        assert!(progress > 0, "{era}: progress is that of the call");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_tool_that_is_a_task_only_says_so_when_it_is_called_otherwise() {
    let (host, server) = connected("legacy").await;
    let refused = host.call(&server, "background_only", "{}").await;
    assert_eq!(refused.error.expect("an error").code, "-32601");
    let (host, server) = connected("modern").await;
    let id = begin(&host, &server, "modern", "background_only", r#"{"ms":50}"#).await;
    let report = host.inspector.calls.tasks.finish_task(&server, &id).await;
    assert_eq!(structured_of(&report.expect("a result"))["steps"], 5);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_question_of_a_task_is_answered_in_the_inbox() {
    for era in ERAS {
        let (host, server) = connected(era).await;
        let arguments = r#"{"steps":2,"ms":100,"ask":true}"#;
        let id = begin(&host, &server, era, "background_work", arguments).await;
        until(&host, &id, |task| {
            task.facts.status == TaskStatus::InputRequired
        })
        .await;
        let call = answer(&host, r#"{"action":"accept","content":{"answer":"left"}}"#).await;
        assert_eq!(call, format!("task {id}"), "{era}");
        let report = host.inspector.calls.tasks.finish_task(&server, &id).await;
        let report = report.unwrap_or_else(|error| panic!("{era}: {error}"));
        let given = structured_of(&report)["answer"]["content"]["answer"].clone();
        assert_eq!(given, "left", "{era}");
        assert!(host.inspector.snapshot().questions.is_empty());
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn cancelling_a_task_takes_its_question_back() {
    for era in ERAS {
        let (host, server) = connected(era).await;
        let arguments = r#"{"steps":2,"ms":50,"ask":true}"#;
        let id = begin(&host, &server, era, "background_work", arguments).await;
        host.eventually("the question", || {
            host.inspector.snapshot().questions.into_iter().next()
        })
        .await;
        let cancelled = host.inspector.calls.tasks.cancel_task(&server, &id).await;
        cancelled.unwrap_or_else(|error| panic!("{era}: {error}"));
        let task = until(&host, &id, |task| task.follow == TaskFollow::Ended).await;
        assert_eq!(task.facts.status, TaskStatus::Cancelled, "{era}");
        host.eventually("the question's end", || {
            host.inspector.snapshot().questions.is_empty().then_some(())
        })
        .await;
        // The extension acknowledges it whatever the status.
        let again = host.inspector.calls.tasks.cancel_task(&server, &id).await;
        assert_eq!(again.is_err(), era == "legacy", "{again:?}");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_failed_tool_and_a_failed_task_are_told_apart() {
    for (era, status) in [
        ("legacy", TaskStatus::Failed),
        ("modern", TaskStatus::Completed),
    ] {
        let (host, server) = connected(era).await;
        let arguments = r#"{"steps":1,"ms":10,"fail":true}"#;
        let id = begin(&host, &server, era, "background_work", arguments).await;
        let report = host.inspector.calls.tasks.finish_task(&server, &id).await;
        let report = report.expect("a result");
        assert!(report.result.as_ref().expect("one").is_error, "{era}");
        assert!(text_of(&report).contains("as it was asked to"));
        assert_eq!(known(&host, &id).expect("kept").facts.status, status);
    }
}

/// The server outlives this program, which finds its task again.
#[tokio::test(flavor = "multi_thread")]
async fn a_task_is_followed_again_after_a_restart() {
    for era in ERAS {
        let http = programs::demo_over_http(&["--era", era]);
        let host = TestHost::with_servers(json!({ "far": { "type": "http", "url": http.url } }));
        let server = TestHost::id("far");
        host.connect(&server).await;
        let arguments = r#"{"steps":1,"ms":100,"ask":true}"#;
        let id = begin(&host, &server, era, "background_work", arguments).await;
        until(&host, &id, |task| {
            task.facts.status == TaskStatus::InputRequired
        })
        .await;
        let host = host.restart().await;
        let task = known(&host, &id).expect("kept");
        assert_eq!(task.follow, TaskFollow::NotConnected, "{era}");
        assert_eq!(task.tool.as_deref(), Some("background_work"));
        host.connect(&server).await;
        answer(&host, r#"{"action":"accept","content":{"answer":"on"}}"#).await;
        until(&host, &id, |task| task.follow == TaskFollow::Ended).await;
        let report = host.inspector.calls.tasks.task_result(&server, &id).await;
        let report = report.expect("its result");
        assert_eq!(
            structured_of(&report)["answer"]["content"]["answer"],
            "on",
            "{era}"
        );
        // And once more: the result is still with the server.
        let host = host.restart().await;
        host.connect(&server).await;
        let report = host.inspector.calls.tasks.task_result(&server, &id).await;
        assert_eq!(
            structured_of(&report.expect("its result"))["steps"],
            1,
            "{era}"
        );
    }
}

/// An id can be all that a server asks for, so that it is not shown to another one.
#[tokio::test(flavor = "multi_thread")]
async fn a_task_is_not_asked_after_at_another_address() {
    let first = programs::demo_over_http(&["--era", "modern"]);
    let host = TestHost::with_servers(json!({ "far": { "type": "http", "url": first.url } }));
    let server = TestHost::id("far");
    host.connect(&server).await;
    let id = begin(
        &host,
        &server,
        "modern",
        "background_work",
        r#"{"ms":600000}"#,
    )
    .await;
    let second = programs::demo_over_http(&["--era", "modern"]);
    let configured = json!({ "mcpServers": { "far": { "type": "http", "url": second.url } } });
    host.write(
        &host.project().join(".claude/.mcp.json"),
        &configured.to_string(),
    );
    let host = host.restart().await;
    host.connect(&server).await;
    let asked = host.traffic("method:tasks/get server:far", &[]).await;
    let before = asked.len();
    host.inspector
        .calls
        .tasks
        .refresh_task(&server, &id)
        .expect_err("it is not for this server");
    let after = host.traffic("method:tasks/get server:far", &[]).await;
    assert_eq!(after.len(), before);
    assert_eq!(
        known(&host, &id).expect("kept").follow,
        TaskFollow::NotConnected
    );
}

#[tokio::test(flavor = "multi_thread")]
async fn a_task_that_the_server_forgot_says_so_and_is_not_asked_after_any_longer() {
    for era in ERAS {
        let program = programs::own("sightglass-demo-server");
        let host = TestHost::with_servers(json!({ "s": { "command": program, "era": era } }));
        let server = TestHost::id("s");
        host.connect(&server).await;
        let id = begin(&host, &server, era, "background_work", r#"{"ms":600000}"#).await;
        // Another process, which never made it.
        host.inspector
            .servers
            .open_connections
            .disconnect(&server)
            .await;
        until(&host, &id, |task| task.follow == TaskFollow::NotConnected).await;
        host.connect(&server).await;
        let task = until(&host, &id, |task| task.follow == TaskFollow::Unknown).await;
        let problem = task.problem.expect("a reason");
        assert!(problem.contains("-32602"), "{era}: {problem}");
        host.inspector.calls.tasks.delete_task(&server, &id);
        assert!(known(&host, &id).is_none());
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn the_tasks_that_a_server_lists_are_taken_over() {
    let http = programs::demo_over_http(&["--era", "legacy"]);
    let entry = json!({ "far": { "type": "http", "url": http.url } });
    let one = TestHost::with_servers(entry.clone());
    let server = TestHost::id("far");
    one.connect(&server).await;
    let id = begin(&one, &server, "legacy", "background_work", r#"{"ms":50}"#).await;
    let other = TestHost::with_servers(entry);
    other.connect(&server).await;
    assert_eq!(
        other
            .inspector
            .calls
            .tasks
            .list_server_tasks(&server)
            .await
            .expect("listed"),
        1
    );
    assert_eq!(
        other
            .inspector
            .calls
            .tasks
            .list_server_tasks(&server)
            .await
            .expect("listed"),
        0
    );
    let report = other.inspector.calls.tasks.finish_task(&server, &id).await;
    assert_eq!(structured_of(&report.expect("its result"))["steps"], 5);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_question_that_the_server_makes_a_task_of_is_answered_as_one() {
    let (host, server) = connected("legacy").await;
    let inspector = host.inspector.clone();
    let call = tokio::spawn({
        let server = server.clone();
        async move {
            inspector
                .calls
                .requests
                .call_tool(&server, "ask", "ask_as_task", "{}", None, None)
                .await
        }
    });
    answer(&host, r#"{"action":"accept","content":{"answer":"yes"}}"#).await;
    let report = call.await.expect("no panic").expect("sent");
    let given = structured_of(&report);
    assert_eq!(given["status"], "completed");
    assert_eq!(given["result"]["content"]["answer"], "yes");
    let related = &given["result"]["_meta"]["io.modelcontextprotocol/related-task"];
    assert!(related["taskId"].is_string(), "{given}");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_task_is_one_operation_with_all_that_was_said_about_it() {
    for era in ERAS {
        let (host, server) = connected(era).await;
        let arguments = r#"{"steps":2,"ms":100,"ask":true}"#;
        let id = begin(&host, &server, era, "background_work", arguments).await;
        answer(&host, r#"{"action":"accept","content":{"answer":"left"}}"#).await;
        let report = host.inspector.calls.tasks.finish_task(&server, &id).await;
        report.expect("a result");
        let query = TrafficQuery {
            filter: "tool:background_work".to_owned(),
            ..TrafficQuery::default()
        };
        let page = host
            .inspector
            .core
            .record()
            .operations(query, 0, 10)
            .await
            .expect("readable");
        let [operation]: &[Operation] = &page.operations[..] else {
            panic!("{era}: one, {page:?}");
        };
        assert!(operation.parts > 2, "{era}: {operation:?}");
    }
}

/// Answers of a server that has its own idea of tasks: it answers about another one.
const LIES: [(&str, &str); 3] = [
    (
        "tools/list",
        r#"{"tools":[{"name":"any","inputSchema":{"type":"object"}}]}"#,
    ),
    (
        "tools/call",
        r#"{"task":{"taskId":"a","status":"working","ttl":1e400,"pollInterval":0}}"#,
    ),
    ("tasks/get", r#"{"taskId":"another","status":"completed"}"#),
];

#[tokio::test(flavor = "multi_thread")]
async fn a_server_that_lies_about_a_task_is_not_believed() {
    let tap = Wiretap::new();
    let host = TestHost::with_servers(json!({ "liar": scripted(&tap, &LIES) }));
    let server = TestHost::id("liar");
    host.connect(&server).await;
    let id = begin(&host, &server, "legacy", "any", "{}").await;
    let task = until(&host, &id, |task| task.problem.is_some()).await;
    assert_eq!(task.follow, TaskFollow::Following, "{task:?}");
    assert_eq!(
        host.inspector.calls.tasks.tasks().len(),
        1,
        "no task of its making"
    );
    assert_eq!(task.facts.status, TaskStatus::Working);
    let report = host
        .inspector
        .calls
        .requests
        .call_tool(&server, "b", "any", "{}", None, None)
        .await;
    assert_eq!(report.expect("sent").request.end, RequestEnd::Result);
}

/// Facts of tasks, and none of the raw reports.
#[tokio::test(flavor = "multi_thread")]
async fn what_the_window_hears_of_a_task_is_its_view() {
    let (host, server) = connected("modern").await;
    let mut facts = host.inspector.subscribe();
    let id = begin(&host, &server, "modern", "background_work", r#"{"ms":50}"#).await;
    let heard = async {
        loop {
            let batch = facts.next_batch().await.expect("facts");
            for event in batch {
                if let Fact::Task { task } = event.fact
                    && task.follow == TaskFollow::Ended
                {
                    return task;
                }
            }
        }
    };
    let task = tokio::time::timeout(std::time::Duration::from_secs(60), heard).await;
    assert_eq!(task.expect("it ends").facts.id, id);
}

#[tokio::test(flavor = "multi_thread")]
async fn the_research_of_server_everything_is_a_task_that_asks() {
    let script = programs::npm_server("@modelcontextprotocol/server-everything");
    let entry = json!({ "command": "node", "args": [script, "stdio"] });
    let host = TestHost::with_servers(json!({ "everything": entry }));
    let server = TestHost::id("everything");
    host.connect(&server).await;
    let arguments = r#"{"topic":"python","ambiguous":true}"#;
    let tool = "simulate-research-query";
    let id = begin(&host, &server, "legacy", tool, arguments).await;
    let question = host
        .eventually("the question", || {
            host.inspector.snapshot().questions.into_iter().next()
        })
        .await;
    assert_eq!(question.call, Some(format!("task {id}")));
    let params: Value = serde_json::from_str(&question.params).expect("JSON");
    let choices = "/requestedSchema/properties/interpretation/oneOf/0/const";
    let choice = params.pointer(choices).expect("a choice");
    let json = json!({ "action": "accept", "content": { "interpretation": choice } });
    answer(&host, &json.to_string()).await;
    let report = host.inspector.calls.tasks.finish_task(&server, &id).await;
    let report = report.expect("a result");
    assert!(text_of(&report).contains("# Research Report"), "{report:?}");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_question_of_server_everything_is_a_task_here() {
    let script = programs::npm_server("@modelcontextprotocol/server-everything");
    let entry = json!({ "command": "node", "args": [script, "stdio"] });
    let host = TestHost::with_servers(json!({ "everything": entry }));
    let server = TestHost::id("everything");
    host.connect(&server).await;
    let inspector = host.inspector.clone();
    let call = tokio::spawn({
        let (server, tool) = (server.clone(), "trigger-elicitation-request-async");
        async move {
            inspector
                .calls
                .requests
                .call_tool(&server, "ask", tool, "{}", None, None)
                .await
        }
    });
    answer(&host, r#"{"action":"accept","content":{"name":"Ada"}}"#).await;
    let report = call.await.expect("no panic").expect("sent");
    // It says `[SYNC]` to a client that answers at once.
    let text = text_of(&report);
    assert!(text.contains("[COMPLETED]"), "{text}");
}

#[tokio::test(flavor = "multi_thread")]
async fn the_tasks_of_a_server_of_fastmcp_have_their_results_and_errors() {
    let host = TestHost::with_servers(json!({ "fast": {
        "command": programs::python_of_both_eras("python"),
        "args": [programs::python_script("tasks.py")],
        "era": "modern",
    }}));
    let server = TestHost::id("fast");
    host.connect(&server).await;
    let id = begin(&host, &server, "modern", "add_slowly", r#"{"a":2,"b":3}"#).await;
    let report = host.inspector.calls.tasks.finish_task(&server, &id).await;
    assert!(text_of(&report.expect("a result")).contains('5'));
    let failing = begin(&host, &server, "modern", "fail", r#"{"message":"No luck"}"#).await;
    let report = host
        .inspector
        .calls
        .tasks
        .finish_task(&server, &failing)
        .await;
    let report = report.expect("an end");
    assert!(text_of(&report).contains("No luck"), "{report:?}");
    let asking = begin(&host, &server, "modern", "greet", "{}").await;
    answer(&host, r#"{"action":"accept","content":{"name":"Ada"}}"#).await;
    let report = host
        .inspector
        .calls
        .tasks
        .finish_task(&server, &asking)
        .await;
    assert!(text_of(&report.expect("a result")).contains("Hello, Ada"));
}
