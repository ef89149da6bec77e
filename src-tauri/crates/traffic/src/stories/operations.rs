//! Rows become operations: each once, with what belongs to it, also after a restart.

use std::sync::Arc;

use bytes::Bytes;
use sightglass_model::{ExchangeId, FrameId, Phase};
use tempfile::TempDir;

use super::{call, connect, open, result, say};
use crate::{
    Certainty, ConnectionRecorder,
    Direction::{Received, Sent},
    EdgeKind, ExchangeKind, HttpFacts, HttpKind, Operation, OperationNode, OperationQuery,
    OperationTree, Outcome, Recorder, TrafficQuery,
};

const QUESTION: &str = r#"{"id":1,"method":"elicitation/create","params":{"message":"?"}}"#;

/// All operations that match.
fn operations(recorder: &Recorder, query: &TrafficQuery) -> Vec<Operation> {
    loop {
        let page = recorder.operations(query, 0, 1000).expect("a page");
        if page.complete {
            assert_eq!(page.total as usize, page.operations.len());
            return page.operations;
        }
    }
}

fn filtered(filter: &str) -> TrafficQuery {
    TrafficQuery {
        filter: filter.to_owned(),
        ..TrafficQuery::default()
    }
}

fn roots(recorder: &Recorder, query: &TrafficQuery) -> Vec<u32> {
    operations(recorder, query)
        .iter()
        .map(|operation| operation.root.id.0)
        .collect()
}

fn tree(recorder: &Recorder, frame: u32) -> OperationTree {
    let query = OperationQuery {
        id: ExchangeId(frame),
        folded: Vec::new(),
    };
    recorder.operation(&query, 0, 10_000).expect("a tree")
}

fn shape(tree: &OperationTree) -> Vec<(u32, u32, Option<EdgeKind>)> {
    let node = |node: &OperationNode| {
        let kind = node.edge.map(|edge| edge.kind);
        (node.row.id.0, node.depth, kind)
    };
    tree.nodes.iter().map(node).collect()
}

/// A call in two rounds, with progress and a question, and one that is cancelled.
async fn work(connection: &ConnectionRecorder) -> [u32; 8] {
    let ask =
        r#"{"id":1,"method":"tools/call","params":{"name":"ask","_meta":{"progressToken":1}}}"#;
    let first = say(connection, Sent, ask).await;
    let progress =
        r#"{"method":"notifications/progress","params":{"progressToken":1,"progress":1}}"#;
    let progress = say(connection, Received, progress).await;
    let question = say(connection, Received, QUESTION).await;
    say(connection, Sent, r#"{"id":1,"result":{"action":"accept"}}"#).await;
    let asks = r#"{"id":1,"result":{"resultType":"input_required","requestState":"s","inputRequests":{"n":{"method":"elicitation/create"}}}}"#;
    let asks = say(connection, Received, asks).await;
    let again = r#"{"id":2,"method":"tools/call","params":{"name":"ask","requestState":"s","inputResponses":{"n":{}}}}"#;
    let again = say(connection, Sent, again).await;
    say(connection, Received, &result(2, "needle")).await;
    let slow = say(connection, Sent, &call(3, "slow")).await;
    let cancel = r#"{"method":"notifications/cancelled","params":{"requestId":3}}"#;
    let cancel = say(connection, Sent, cancel).await;
    let late = say(connection, Received, &result(3, "late")).await;
    [first, progress, question, asks, again, slow, cancel, late]
}

#[tokio::test]
async fn an_operation_counts_once_before_and_after_a_restart() {
    let directory = TempDir::new().expect("a directory");
    let mut recorder = open(directory.path());
    let connection = connect(&recorder);
    connection.phase(Phase::Connecting, None);
    let [first, progress, question, asks, again, slow, cancel, late] = work(&connection).await;
    connection.ended();
    drop(connection);
    let quiet = TrafficQuery {
        quiet: true,
        ..TrafficQuery::default()
    };
    for _ in 0..2 {
        assert_eq!(roots(&recorder, &quiet), [first, slow]);
        assert_eq!(roots(&recorder, &TrafficQuery::default()).len(), 3);
        // What a part says finds the whole, once.
        assert_eq!(roots(&recorder, &filtered("needle")), [first]);
        assert_eq!(
            roots(&recorder, &filtered("method:tools/call")),
            [first, slow]
        );
        let all = operations(&recorder, &quiet);
        let (one, other) = (&all[0], &all[1]);
        assert_eq!(
            (one.parts, one.rounds, one.questions, one.outcome, one.sure),
            (3, 1, 1, Outcome::Ok, false)
        );
        assert_eq!((one.progress, one.http), (1, 0));
        assert!(one.duration.is_some_and(|whole| whole >= one.person_time));
        assert_eq!(
            (other.outcome, other.late_result),
            (Outcome::Cancelled, true)
        );

        for row in [first, progress, question, asks, again] {
            let tree = tree(&recorder, row);
            assert_eq!(
                shape(&tree),
                [
                    (first, 0, None),
                    (progress, 1, Some(EdgeKind::Progress)),
                    (question, 1, Some(EdgeKind::Question)),
                    (again, 1, Some(EdgeKind::Round)),
                ]
            );
            assert_eq!(tree.nodes[1].parent, Some(ExchangeId(first)));
            assert!(tree.complete);
        }
        assert_eq!(shape(&tree(&recorder, late)).len(), 2);

        let of_cancel = recorder.causality(ExchangeId(cancel)).expect("on record");
        assert_eq!(of_cancel.operation, ExchangeId(slow));
        assert_eq!(of_cancel.causes.len(), 1);
        assert_eq!(of_cancel.causes[0].edge.certainty, Certainty::Sure);
        let of_first = recorder.causality(ExchangeId(first)).expect("on record");
        assert_eq!((of_first.causes.len(), of_first.total_effects), (0, 3));
        recorder.close();
        recorder = open(directory.path());
    }
}

#[tokio::test]
async fn a_quiet_list_has_calls_alone_unless_kinds_are_named() {
    let directory = TempDir::new().expect("a directory");
    let recorder = open(directory.path());
    let connection = connect(&recorder);
    connection.phase(Phase::Connecting, None);
    let first = say(&connection, Sent, &call(1, "boom")).await;
    let stray = r#"{"method":"notifications/tools/list_changed"}"#;
    let stray = say(&connection, Received, stray).await;
    connection.phase(Phase::Failed, Some("exited with code 1"));
    let quiet = |filter: &str| TrafficQuery {
        quiet: true,
        ..filtered(filter)
    };
    assert_eq!(roots(&recorder, &quiet("")), [first]);
    assert_eq!(roots(&recorder, &quiet("list_changed")), [0; 0]);
    assert_eq!(roots(&recorder, &quiet("kind:notification")), [stray]);
    let kinds = TrafficQuery {
        kinds: vec![ExchangeKind::Notification],
        ..quiet("")
    };
    assert_eq!(roots(&recorder, &kinds), [stray]);
    assert_eq!(roots(&recorder, &TrafficQuery::default()).len(), 4);
}

/// The newest operation.
fn newest(recorder: &Recorder) -> Operation {
    let mut all = operations(recorder, &TrafficQuery::default());
    all.pop().expect("an operation")
}

#[tokio::test]
async fn an_operation_waits_for_a_person_until_the_answers_come() {
    let directory = TempDir::new().expect("a directory");
    let recorder = open(directory.path());
    let connection = connect(&recorder);
    say(&connection, Sent, &call(1, "ask")).await;
    assert!(!newest(&recorder).waits_for_person);
    say(&connection, Received, QUESTION).await;
    let asked = newest(&recorder);
    assert_eq!(asked.outcome, Outcome::Pending);
    assert!(asked.waits_for_person);
    say(
        &connection,
        Sent,
        r#"{"id":1,"result":{"action":"accept"}}"#,
    )
    .await;
    assert!(!newest(&recorder).waits_for_person);

    let asks = r#"{"id":1,"result":{"resultType":"input_required","requestState":"s","inputRequests":{"n":{"method":"elicitation/create"}}}}"#;
    say(&connection, Received, asks).await;
    let asked = newest(&recorder);
    assert_eq!(asked.outcome, Outcome::Pending);
    assert!(asked.waits_for_person);
    let again = r#"{"id":2,"method":"tools/call","params":{"name":"ask","requestState":"s","inputResponses":{"n":{}}}}"#;
    say(&connection, Sent, again).await;
    assert!(!newest(&recorder).waits_for_person);
    say(&connection, Received, &result(2, "done")).await;
    assert_eq!(newest(&recorder).outcome, Outcome::Ok);
}

#[tokio::test]
async fn a_page_of_a_tree_and_a_folded_one() {
    let directory = TempDir::new().expect("a directory");
    let recorder = open(directory.path());
    let connection = connect(&recorder);
    let [first, progress, question, ..] = work(&connection).await;
    let query = OperationQuery {
        id: ExchangeId(first),
        folded: Vec::new(),
    };
    let page = recorder.operation(&query, 1, 2).expect("a page");
    let ids: Vec<u32> = page.nodes.iter().map(|node| node.row.id.0).collect();
    assert_eq!((ids, page.total), (vec![progress, question], 4));
    assert_eq!(page.nodes[0].parent, Some(ExchangeId(first)));
    let folded = OperationQuery {
        folded: vec![ExchangeId(first)],
        ..query
    };
    let page = recorder.operation(&folded, 0, 10).expect("a page");
    assert_eq!((page.nodes.len(), page.total), (1, 1));
    assert_eq!((page.nodes[0].parts, page.operation.parts), (3, 3));
    let unknown = OperationQuery {
        id: ExchangeId(9999),
        folded: Vec::new(),
    };
    assert!(recorder.operation(&unknown, 0, 10).is_err());
    assert!(recorder.causality(ExchangeId(9999)).is_err());
}

#[tokio::test]
async fn the_http_request_stands_under_its_message_and_a_paused_view_ends_there() {
    let directory = TempDir::new().expect("a directory");
    let recorder = open(directory.path());
    let connection = connect(&recorder);
    let facts = HttpFacts {
        method: "POST".to_owned(),
        url: "http://host.test/mcp".to_owned(),
        ..HttpFacts::default()
    };
    let carrier = connection.http_started(facts.clone(), HttpKind::Mcp);
    let text = Bytes::from(call(1, "echo"));
    let request = connection.message(Sent, &text, Some(carrier)).await.frame;
    let answered = HttpFacts {
        status: Some(200),
        ..facts
    };
    connection.http_finished(carrier, answered);
    let text = Bytes::from(result(1, "hi"));
    connection.message(Received, &text, Some(carrier)).await;
    let later = say(&connection, Sent, &call(2, "later")).await;
    assert_eq!(
        shape(&tree(&recorder, carrier.frame().0)),
        [
            (request.0, 0, None),
            (carrier.frame().0, 1, Some(EdgeKind::Carrier))
        ]
    );
    let query = TrafficQuery::default();
    assert_eq!(roots(&recorder, &query), [request.0, later]);
    let paused = TrafficQuery {
        until: Some(ExchangeId(request.0)),
        ..TrafficQuery::default()
    };
    assert_eq!(roots(&recorder, &paused), [request.0]);
}

#[tokio::test]
async fn a_long_record_is_looked_through_to_its_beginning() {
    let directory = TempDir::new().expect("a directory");
    let recorder = open(directory.path());
    let connection = connect(&recorder);
    connection.phase(Phase::Connecting, None);
    let old = r#"{"id":"old","method":"tools/call","params":{"name":"a","_meta":{"progressToken":"old"}}}"#;
    let old = say(&connection, Sent, old).await;
    let noise = Bytes::from_static(b"{\"method\":\"notifications/x\"}");
    for _ in 0..100_000 {
        connection.message(Received, &noise, None).await;
    }
    let progress = r#"{"method":"notifications/progress","params":{"progressToken":"old"}}"#;
    let progress = say(&connection, Received, progress).await;
    recorder.flush().expect("flushed");
    drop(connection);
    recorder.close();
    let recorder = open(directory.path());
    loop {
        let page = recorder
            .operations(&TrafficQuery::default(), 0, 1)
            .expect("a page");
        assert!(page.operations.len() == 1);
        if page.complete {
            assert_eq!((page.total, page.oldest), (100_002, None));
            break;
        }
    }
    let found = recorder.causality(ExchangeId(progress)).expect("on record");
    assert_eq!(found.operation, ExchangeId(old));
}

#[tokio::test]
async fn what_was_removed_is_no_part_of_anything() {
    let directory = TempDir::new().expect("a directory");
    let recorder = open(directory.path());
    let connection = connect(&recorder);
    let meta =
        r#"{"id":1,"method":"tools/call","params":{"name":"a","_meta":{"progressToken":1}}}"#;
    say(&connection, Sent, meta).await;
    assert_eq!(operations(&recorder, &TrafficQuery::default()).len(), 1);
    recorder.clear().expect("cleared");
    let progress = r#"{"method":"notifications/progress","params":{"progressToken":1}}"#;
    let progress = say(&connection, Received, progress).await;
    assert_eq!(roots(&recorder, &TrafficQuery::default()), [progress]);
    assert_eq!(shape(&tree(&recorder, progress)), [(progress, 0, None)]);
}

#[tokio::test]
async fn a_server_that_is_not_recorded_has_operations_while_its_texts_are_in_memory() {
    let directory = TempDir::new().expect("a directory");
    let recorder = open(directory.path());
    let connection = connect(&recorder).in_memory();
    let [first, _, _, _, _, slow, ..] = work(&connection).await;
    assert_eq!(roots(&recorder, &TrafficQuery::default()), [first, slow]);
    assert!(recorder.payload(FrameId(first)).is_ok());
}

#[tokio::test]
async fn servers_of_one_name_in_two_projects_are_told_apart() {
    let directory = TempDir::new().expect("a directory");
    let recorder = open(directory.path());
    let projects = ["/a", "/b"].map(|project| recorder.in_project(project.as_ref()));
    let created = r#"{"id":1,"result":{"resultType":"task","taskId":"t","status":"working"}}"#;
    let get = r#"{"id":2,"method":"tasks/get","params":{"taskId":"t"}}"#;
    let one = connect(&projects[0]);
    let call = say(&one, Sent, &call(1, "long")).await;
    say(&one, Received, created).await;
    let other = say(&connect(&projects[1]), Sent, get).await;
    let same = say(&connect(&projects[0]), Sent, get).await;
    let recorder = Arc::new(recorder);
    assert_eq!(tree(&recorder, other).nodes.len(), 1);
    assert_eq!(tree(&recorder, same).nodes[0].row.id, ExchangeId(call));
}
