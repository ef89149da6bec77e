//! Calls whose server has a question, while the user has not answered it yet.

use std::time::Duration;

use serde_json::{Value, json};
use sightglass_inspector::{
    ConnectionEvent, Phase, RequestEnd, ServerAnswer, ServerId, ServerQuestion, Settlement,
    view::{CallReport, Fact},
};
use sightglass_tests::{TestHost, programs};
use tokio::task::JoinHandle;

/// The time that the server of these stories may take to answer a call.
const PHASE_TIMEOUT: Duration = Duration::from_secs(1);

fn entry(era: &str) -> Value {
    json!({
        "command": programs::own("sightglass-demo-server"),
        "era": era,
        "tool_timeout": PHASE_TIMEOUT.as_secs(),
    })
}

/// Calls a tool, which goes on in the background.
fn call(host: &TestHost, server: &ServerId, key: &str, tool: &str) -> JoinHandle<CallReport> {
    let (inspector, server) = (host.inspector.clone(), server.clone());
    let (key, tool) = (key.to_owned(), tool.to_owned());
    tokio::spawn(async move {
        let called = inspector
            .calls
            .requests
            .call_tool(&server, &key, &tool, "{}", None, None)
            .await;
        called.expect("the call was sent")
    })
}

fn decline() -> ServerAnswer {
    ServerAnswer::Result {
        json: r#"{"action":"decline"}"#.to_owned(),
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn the_time_of_a_call_stands_still_while_its_question_waits_for_the_user() {
    let refused = ServerAnswer::Error {
        code: -1,
        message: "The user refused the request".to_owned(),
    };
    for era in ["legacy", "modern"] {
        for (tool, answer) in [
            ("ask_elicitation", decline()),
            ("ask_elicitation_url", decline()),
            ("ask_for_sampling", refused.clone()),
        ] {
            let host = TestHost::with_servers(json!({ "asking": entry(era) }));
            let server = TestHost::id("asking");
            host.connect(&server).await;
            let running = call(&host, &server, "ask", tool);
            let question = host.question().await;
            // Longer than the call may take by itself.
            tokio::time::sleep(3 * PHASE_TIMEOUT).await;
            assert!(
                !running.is_finished(),
                "{era} {tool}: the call was given up"
            );
            host.inspector
                .calls
                .requests
                .answer_question(question.id, answer)
                .expect("the question is still open");
            let report = running.await.expect("no panic").request;
            assert!(
                matches!(report.end, RequestEnd::Result | RequestEnd::Error),
                "{era} {tool}: {report:?}"
            );
            assert!(
                report.waited >= (2 * PHASE_TIMEOUT).into(),
                "{era} {tool}: {report:?}"
            );
            assert!(report.waited <= report.duration, "{era} {tool}: {report:?}");
        }
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_question_of_which_the_call_is_unknown_holds_every_call_of_its_server() {
    let host = TestHost::with_servers(json!({ "asking": entry("legacy") }));
    let server = TestHost::id("asking");
    host.connect(&server).await;
    let first = call(&host, &server, "first", "ask_elicitation");
    host.question().await;
    let second = call(&host, &server, "second", "ask_elicitation");
    let questions = host
        .eventually("the second question", || {
            let questions = host.inspector.snapshot().questions;
            (questions.len() == 2).then_some(questions)
        })
        .await;
    assert_eq!(
        questions[1].call, None,
        "over stdio nobody can tell whose it is"
    );
    tokio::time::sleep(3 * PHASE_TIMEOUT).await;
    assert!(!first.is_finished() && !second.is_finished());
    for question in questions {
        host.inspector
            .calls
            .requests
            .answer_question(question.id, decline())
            .expect("still open");
    }
    for running in [first, second] {
        let report = running.await.expect("no panic");
        assert_eq!(report.request.end, RequestEnd::Result, "{report:?}");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_server_that_is_silent_after_the_answer_still_times_out() {
    let host = TestHost::with_servers(json!({ "slow": entry("legacy") }));
    let server = TestHost::id("slow");
    host.connect(&server).await;
    let inspector = host.inspector.clone();
    let report = inspector
        .calls
        .requests
        .call_tool(&server, "slow", "sleep", r#"{"ms":600000}"#, None, None)
        .await
        .expect("sent");
    assert_eq!(report.request.end, RequestEnd::TimedOut);
    assert!(report.request.waited.as_duration().is_zero(), "{report:?}");
}

/// Waits until the question is settled, and says how.
async fn settlement(
    host: &TestHost,
    question: &ServerQuestion,
    end: impl AsyncFnOnce(),
) -> Settlement {
    let mut facts = host.inspector.subscribe();
    end().await;
    let told = async {
        loop {
            for event in facts.next_batch().await.expect("facts") {
                if let Fact::Connection { event } = event.fact
                    && let ConnectionEvent::QuestionSettled { id, how } = *event
                    && id == question.id
                {
                    return how;
                }
            }
        }
    };
    tokio::time::timeout(Duration::from_secs(60), told)
        .await
        .expect("the question is never settled")
}

#[tokio::test(flavor = "multi_thread")]
async fn with_a_cancelled_call_its_question_ends_and_cannot_be_answered_any_more() {
    for era in ["legacy", "modern"] {
        let host = TestHost::with_servers(json!({ "asking": entry(era) }));
        let server = TestHost::id("asking");
        host.connect(&server).await;
        let running = call(&host, &server, "ask", "ask_elicitation");
        let question = host.question().await;
        let how = settlement(&host, &question, async || {
            assert!(host.inspector.calls.requests.cancel_call(&server, "ask"));
        })
        .await;
        assert_eq!(how, Settlement::CallEnded, "{era}");
        let report = running.await.expect("no panic");
        assert_eq!(report.request.end, RequestEnd::Cancelled, "{era}");
        assert!(host.inspector.snapshot().questions.is_empty(), "{era}");
        host.inspector
            .calls
            .requests
            .answer_question(question.id, decline())
            .expect_err("the call has ended");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn with_a_lost_connection_the_question_of_its_call_ends() {
    for era in ["legacy", "modern"] {
        let host = TestHost::with_servers(json!({ "asking": entry(era) }));
        let server = TestHost::id("asking");
        host.connect(&server).await;
        let running = call(&host, &server, "ask", "ask_elicitation");
        let question = host.question().await;
        let how = settlement(&host, &question, async || {
            // In the legacy era the answer is lost with the connection.
            let _ = host.call(&server, "crash", r#"{"exit_code":7}"#).await;
        })
        .await;
        assert_eq!(how, Settlement::CallEnded, "{era}");
        running.await.expect("no panic");
        host.wait_for(&server, |status| status.phase != Phase::Executing)
            .await;
        assert!(host.inspector.snapshot().questions.is_empty(), "{era}");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn an_answer_settles_a_question_as_answered() {
    let host = TestHost::with_servers(json!({ "asking": entry("legacy") }));
    let server = TestHost::id("asking");
    host.connect(&server).await;
    let running = call(&host, &server, "ask", "ask_elicitation");
    let question = host.question().await;
    let how = settlement(&host, &question, async || {
        host.inspector
            .calls
            .requests
            .answer_question(question.id, decline())
            .expect("open");
    })
    .await;
    assert_eq!(how, Settlement::Answered);
    running.await.expect("no panic");
}
