//! Operations: each stands as one thing, with everything that belongs to it: in the window's queries,
//! on the command line, and after a restart.

use std::process::Command;

use serde_json::{Value, json};
use sightglass_inspector::{
    Causality, Certainty, EdgeKind, ExchangeId, Operation, OperationQuery, OperationTree, Outcome,
    RequestEnd, ServerId, TrafficQuery,
    view::{ExportFormat, ExportScope, TrafficExport},
};
use sightglass_tests::{TestHost, programs};

/// The calls of the stories.
const CALLS: &str = "method:tools/call";

/// All operations that match.
async fn operations(host: &TestHost, filter: &str) -> Vec<Operation> {
    let query = TrafficQuery {
        filter: filter.to_owned(),
        quiet: true,
        ..TrafficQuery::default()
    };
    loop {
        let record = host.inspector.core.record();
        let page = record.operations(query.clone(), 0, 1000).await;
        let page = page.expect("the record can be read");
        if page.complete {
            assert_eq!(page.total as usize, page.operations.len());
            return page.operations;
        }
    }
}

async fn tree(host: &TestHost, id: ExchangeId) -> OperationTree {
    let query = OperationQuery {
        id,
        folded: Vec::new(),
    };
    loop {
        let record = host.inspector.core.record();
        let tree = record.operation(query.clone(), 0, 10_000).await;
        let tree = tree.expect("on record");
        if tree.complete {
            return tree;
        }
    }
}

async fn causality(host: &TestHost, id: ExchangeId) -> Causality {
    loop {
        let causality = host
            .inspector
            .record
            .reader
            .get_traffic_causality(None, id)
            .await;
        let causality = causality.expect("on record");
        if causality.complete {
            return causality;
        }
    }
}

/// Rows of the tree by how they belong to it.
fn parts(tree: &OperationTree, kind: EdgeKind) -> Vec<(ExchangeId, Certainty)> {
    let nodes = tree.nodes.iter();
    let linked = nodes.filter_map(|node| Some((node.row.id, node.edge?)));
    linked
        .filter(|(_, edge)| edge.kind == kind)
        .map(|(id, edge)| (id, edge.certainty))
        .collect()
}

/// Waits until a row matches.
async fn on_record(host: &TestHost, filter: &str) {
    let mut revisions = host.inspector.core.record().watch();
    while host.traffic(filter, &[]).await.is_empty() {
        revisions.changed().await.expect("the record is open");
    }
}

/// A call with progress, one that is cancelled, and one that asks twice.
async fn work(host: &TestHost, server: &ServerId, cancels_by_message: bool) {
    host.connect(server).await;
    let report = host.call(server, "long_running", r#"{"steps":3,"ms":30}"#);
    assert_eq!(report.await.request.end, RequestEnd::Result);

    let slow = call_in_background(host, server, "sleep", r#"{"ms":600000}"#);
    on_record(host, "tool:sleep").await;
    assert!(host.inspector.calls.requests.cancel_call(server, "sleep"));
    assert_eq!(slow.await.expect("no panic"), RequestEnd::Cancelled);
    if cancels_by_message {
        // Over stdio a question has no cause while two calls are open.
        on_record(host, "method:notifications/cancelled").await;
    }

    let asking = call_in_background(host, server, "ask_in_rounds", r#"{"rounds":2}"#);
    host.decline_questions(2).await;
    assert_eq!(asking.await.expect("no panic"), RequestEnd::Result);
    // What has no answer then has none.
    host.inspector
        .servers
        .open_connections
        .disconnect(server)
        .await;
}

fn call_in_background(
    host: &TestHost,
    server: &ServerId,
    tool: &'static str,
    arguments: &'static str,
) -> tokio::task::JoinHandle<RequestEnd> {
    let (inspector, server) = (host.inspector.clone(), server.clone());
    tokio::spawn(async move {
        let report = inspector
            .calls
            .requests
            .call_tool(&server, tool, tool, arguments, None, None)
            .await;
        report.expect("sent").request.end
    })
}

/// Checks what stands of [`work`], and returns it.
async fn check(host: &TestHost, is_modern: bool, is_http: bool) -> Vec<Value> {
    let calls = operations(host, CALLS).await;
    let targets: Vec<&str> = calls.iter().map(|call| call.root.target.as_str()).collect();
    assert_eq!(targets, ["long_running", "sleep", "ask_in_rounds"]);
    let [long, sleep, asking] = &calls[..] else {
        unreachable!("three calls");
    };
    assert_eq!(long.outcome, Outcome::Ok);
    let whole = tree(host, long.root.id).await;
    let progress = parts(&whole, EdgeKind::Progress);
    assert_eq!(progress.len(), 3, "{whole:?}");
    assert!(progress.iter().all(|(_, sure)| *sure == Certainty::Sure));
    let carriers = parts(&whole, EdgeKind::Carrier);
    assert_eq!(carriers.len(), usize::from(is_http), "{whole:?}");
    assert_eq!(whole.total, long.parts + 1);

    let whole = tree(host, sleep.root.id).await;
    let cancellations = parts(&whole, EdgeKind::Cancellation).len();
    // Over HTTP the modern era cancels by closing the stream, which is no message.
    let expected = match is_modern && is_http {
        true => (Outcome::Unanswered, 0),
        false => (Outcome::Cancelled, 1),
    };
    assert_eq!((sleep.outcome, cancellations), expected, "{whole:?}");

    assert_eq!(asking.outcome, Outcome::Ok);
    let whole = tree(host, asking.root.id).await;
    let asked = match is_modern {
        true => parts(&whole, EdgeKind::Round),
        false => parts(&whole, EdgeKind::Question),
    };
    assert_eq!(asked.len(), 2, "{whole:?}");
    let expected = match is_modern || is_http {
        true => Certainty::Sure,
        false => Certainty::Inferred,
    };
    assert!(asked.iter().all(|(_, sure)| *sure == expected), "{whole:?}");
    let person = asking.person_time.as_duration();
    assert!(
        !person.is_zero()
            && asking
                .duration
                .is_some_and(|all| all.as_duration() >= person)
    );
    assert_eq!(whole.operation.person.len(), 2, "{whole:?}");

    let (part, certainty) = asked[1];
    let of_part = causality(host, part).await;
    assert_eq!(of_part.operation, asking.root.id);
    let cause = &of_part.causes[0];
    assert_eq!(
        (cause.row.id, cause.edge.certainty),
        (asking.root.id, certainty)
    );
    let of_root = causality(host, asking.root.id).await;
    assert!(of_root.effects.iter().any(|effect| effect.row.id == part));
    // A part leads to the same tree.
    assert_eq!(tree(host, part).await, whole);
    calls
        .iter()
        .map(|call| serde_json::to_value(call).expect("JSON"))
        .collect()
}

#[tokio::test(flavor = "multi_thread")]
async fn over_stdio_a_call_is_one_operation_in_both_eras_and_after_a_restart() {
    for era in ["legacy", "modern"] {
        let program = programs::own("sightglass-demo-server");
        let host = TestHost::with_servers(json!({ "demo": { "command": program, "era": era } }));
        let server = TestHost::id("demo");
        work(&host, &server, true).await;
        let before = check(&host, era == "modern", false).await;
        let host = host.restart().await;
        let after = check(&host, era == "modern", false).await;
        assert_eq!(before, after, "{era}");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn over_http_its_requests_belong_to_it_too() {
    for era in ["legacy", "modern"] {
        let listening = programs::demo_over_http(&[]);
        let url = format!("http://127.0.0.1:{}/mcp", listening.port());
        let entry = json!({ "type": "http", "url": url, "era": era });
        let host = TestHost::with_servers(json!({ "demo": entry }));
        work(&host, &TestHost::id("demo"), era == "legacy").await;
        let before = check(&host, era == "modern", true).await;
        let host = host.restart().await;
        assert_eq!(before, check(&host, era == "modern", true).await, "{era}");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn exports_and_the_command_line_count_an_operation_once() {
    let program = programs::own("sightglass-demo-server");
    let entry = json!({ "command": program, "era": "modern" });
    let host = TestHost::with_servers(json!({ "demo": entry }));
    work(&host, &TestHost::id("demo"), true).await;
    let query = TrafficQuery {
        filter: CALLS.to_owned(),
        ..TrafficQuery::default()
    };
    let export = TrafficExport {
        scope: ExportScope::Query { query },
        format: ExportFormat::Ndjson,
        name: "calls".to_owned(),
        texts: true,
        arguments_and_results: false,
        until: None,
    };
    let preview = host
        .inspector
        .record
        .exports
        .preview_export(export, 1)
        .await;
    let preview = preview.expect("the record can be read");
    assert_eq!(preview.operations, 3);
    // Two rounds, and the answer to the cancelled call does not come.
    assert_eq!(host.traffic(CALLS, &[]).await.len(), 5);

    let host = host.restart().await;
    let run = |words: &[&str]| {
        let output = Command::new(programs::own("sightglass-cli"))
            .args(words)
            .current_dir(host.project())
            .env("HOME", host.home())
            .env("SIGHTGLASS_DATA_DIR", host.data())
            .env("SIGHTGLASS_KEYCHAIN", "off")
            .output()
            .expect("it starts");
        assert!(output.status.success(), "{output:?}");
        String::from_utf8(output.stdout).expect("UTF-8")
    };
    let listed = run(&["operations", "--filter", CALLS, "--json"]);
    let listed: Value = serde_json::from_str(&listed).expect("JSON");
    assert_eq!(listed["total"], 3);
    let asking = &listed["operations"][2]["root"]["id"];
    let text = run(&["operations", "--filter", CALLS]);
    assert!(text.contains("3 calls"), "{text}");
    let text = run(&["operations", &asking.to_string()]);
    assert!(
        text.contains("round") && text.contains("of which a person"),
        "{text}"
    );
    let text = run(&["export", "--filter", CALLS, "--format", "ndjson"]);
    assert!(text.contains("of 3 calls"), "{text}");
}
