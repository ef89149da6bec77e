//! Frames become rows: each complete, in its place and in order.

use std::time::Duration;

use bytes::Bytes;
use sightglass_model::{ExchangeId, Phase, ServerId};
use tempfile::TempDir;

use sightglass_secrets::{Redactor, SplitSecrets};

use super::{asked, call, connect, matching, open, result, rows, say};
use crate::{
    Direction::{Received, Sent},
    ExchangeKind, ExchangeRow, MessageKind, Outcome, Recorder, RecorderOptions, TrafficQuery,
};

#[tokio::test]
async fn a_request_and_its_response_are_one_row_that_completes_in_place() {
    let directory = TempDir::new().expect("a directory");
    let recorder = open(directory.path());
    let connection = connect(&recorder);
    let request = say(&connection, Sent, &call(1, "echo")).await;
    let row = rows(&recorder).remove(0);
    assert_eq!(
        (row.outcome, row.target.as_str()),
        (Outcome::Pending, "echo")
    );
    recorder.flush().expect("flushed");
    assert_eq!(rows(&recorder)[0].outcome, Outcome::Pending);

    let response = say(&connection, Received, &result(1, "hi")).await;
    for _ in 0..2 {
        let all = rows(&recorder);
        assert_eq!(all.len(), 1);
        let row = &all[0];
        assert_eq!(row.outcome, Outcome::Ok);
        assert_eq!(row.id, ExchangeId(request));
        assert_eq!(row.response_frame.map(|frame| frame.0), Some(response));
        assert!(row.duration.is_some());
        assert_eq!(
            row.size.as_u64() as usize,
            call(1, "echo").len() + result(1, "hi").len()
        );
        assert_eq!(row.server, "Demo");
        let detail = recorder.detail(row.id).expect("detail");
        assert_eq!(detail.frames.len(), 2);
        recorder.flush().expect("flushed");
    }
    let payload = recorder.payload(sightglass_model::FrameId(response));
    assert_eq!(payload.expect("a payload"), result(1, "hi"));
}

#[tokio::test]
async fn every_way_to_end_shows() {
    let directory = TempDir::new().expect("a directory");
    let recorder = open(directory.path());
    let connection = connect(&recorder);
    say(&connection, Sent, &call(1, "fails")).await;
    say(
        &connection,
        Received,
        r#"{"id":1,"result":{"content":[],"isError":true}}"#,
    )
    .await;
    say(&connection, Sent, &call(2, "refused")).await;
    say(
        &connection,
        Received,
        r#"{"id":2,"error":{"code":-32602,"message":"no"}}"#,
    )
    .await;
    say(&connection, Sent, &call(3, "slow")).await;
    say(
        &connection,
        Sent,
        r#"{"method":"notifications/cancelled","params":{"requestId":3}}"#,
    )
    .await;
    // The same number in the other direction is another request.
    say(&connection, Received, r#"{"id":4,"method":"roots/list"}"#).await;
    say(&connection, Received, r#"{"id":4,"result":{}}"#).await;
    say(&connection, Sent, &call(5, "left")).await;
    say(&connection, Received, "not json").await;
    let phase = |row: &ExchangeRow| (row.kind, row.outcome);
    connection.phase(Phase::Failed, Some("exited"));
    connection.ended();
    let found: Vec<(String, Outcome, Option<i32>)> = rows(&recorder)
        .into_iter()
        .map(|row| {
            (
                format!("{} {}", row.method, row.target),
                row.outcome,
                row.code,
            )
        })
        .collect();
    let expected = [
        ("tools/call fails", Outcome::Error, None),
        ("tools/call refused", Outcome::Error, Some(-32602)),
        ("tools/call slow", Outcome::Cancelled, None),
        ("notifications/cancelled request 3", Outcome::None, None),
        ("roots/list ", Outcome::Unanswered, None),
        ("response no request has this id", Outcome::Error, None),
        ("tools/call left", Outcome::Unanswered, None),
        ("invalid not json", Outcome::Error, None),
        ("failed exited", Outcome::Error, None),
    ];
    assert_eq!(
        found,
        expected.map(|(text, outcome, code)| (text.to_owned(), outcome, code))
    );
    assert_eq!(
        phase(&rows(&recorder)[8]),
        (ExchangeKind::Phase, Outcome::Error)
    );
}

#[tokio::test]
async fn pages_of_a_list_are_numbered_and_batches_are_taken_apart() {
    let directory = TempDir::new().expect("a directory");
    let recorder = open(directory.path());
    let connection = connect(&recorder);
    for (id, params) in [
        (1, "{}"),
        (2, r#"{"cursor":"b"}"#),
        (3, r#"{"cursor":"c"}"#),
    ] {
        say(
            &connection,
            Sent,
            &format!(r#"{{"id":{id},"method":"tools/list","params":{params}}}"#),
        )
        .await;
    }
    say(
        &connection,
        Received,
        r#"[{"id":1,"result":{}},{"id":3,"result":{}}]"#,
    )
    .await;
    let all = rows(&recorder);
    let targets: Vec<&str> = all.iter().map(|row| row.target.as_str()).collect();
    assert_eq!(targets[..3], ["", "page 2", "page 3"]);
    let outcomes: Vec<Outcome> = all.iter().map(|row| row.outcome).collect();
    assert_eq!(outcomes[..3], [Outcome::Ok, Outcome::Pending, Outcome::Ok]);
    let text = Bytes::from_static(br#"[{"id":8,"method":"ping"},{"id":9,"method":"ping"}]"#);
    let batch = connection.message(Sent, &text, None).await;
    assert_eq!(batch.envelope.kind, MessageKind::Batch);
    say(&connection, Received, r#"{"id":8,"result":{}}"#).await;
    assert_eq!(rows(&recorder)[4].outcome, Outcome::Pending);
    say(&connection, Received, r#"{"id":9,"result":{}}"#).await;
    assert_eq!(rows(&recorder)[4].outcome, Outcome::Ok);
}

#[tokio::test]
async fn the_record_is_there_again_after_a_restart() {
    let directory = TempDir::new().expect("a directory");
    let before = {
        let recorder = open(directory.path());
        let connection = connect(&recorder);
        say(&connection, Sent, &call(1, "echo")).await;
        say(&connection, Received, &result(1, "hi")).await;
        say(&connection, Sent, &call(2, "never")).await;
        connection
            .stderr(Bytes::from_static(b"ready"), &mut SplitSecrets::default())
            .await;
        rows(&recorder)
    };
    let recorder = open(directory.path());
    let mut after = rows(&recorder);
    assert_eq!(after[1].outcome, Outcome::Unanswered);
    after[1].outcome = Outcome::Pending;
    assert_eq!(after, before);
    assert_eq!(recorder.state().frames, 4);
    let next = connect(&recorder);
    assert!(next.connection() > before[0].connection);
    assert_eq!(say(&next, Sent, &call(1, "echo")).await, 5);
    assert_eq!(rows(&recorder).len(), 4);
}

#[tokio::test]
async fn a_flood_is_complete_and_in_order() {
    let directory = TempDir::new().expect("a directory");
    let recorder = Recorder::open(RecorderOptions {
        queue_bytes: 1 << 20,
        ..RecorderOptions::in_directory(directory.path())
    });
    let connection = connect(&recorder);
    let mut revisions = recorder.watch();
    for index in 0..100_000 {
        let text = format!(
            r#"{{"method":"notifications/message","params":{{"level":"info","data":"n{index}"}}}}"#
        );
        assert_eq!(say(&connection, Received, &text).await, index + 1);
    }
    recorder.flush().expect("flushed");
    for first in [0, 49_990, 99_900] {
        let page = recorder
            .page(&TrafficQuery::default(), first, 100)
            .expect("a page");
        assert_eq!(page.total, 100_000);
        let newest = 99_999 - first;
        let expected: Vec<String> = (newest.saturating_sub(99)..=newest)
            .map(|index| format!("info: n{index}"))
            .collect();
        let targets: Vec<String> = page.rows.into_iter().map(|row| row.target).collect();
        assert_eq!(targets, expected);
    }
    assert_eq!(matching(&recorder, "n77777"), [77_778]);
    assert_eq!(recorder.state().frames, 100_000);
    let waited = tokio::time::timeout(
        Duration::from_secs(10),
        revisions.wait_for(|revision| revision.frames == 100_000),
    );
    assert!(waited.await.is_ok());
}

#[tokio::test]
async fn a_quiet_view_leaves_checks_of_a_server_out_until_they_are_asked_for() {
    let directory = TempDir::new().expect("a directory");
    for round in 0..2 {
        let recorder = open(directory.path());
        let server = connect(&recorder);
        say(&server, Sent, &call(1, "echo")).await;
        let check = recorder.start_connection(
            ServerId::demo().of_check(),
            "Demo (check)",
            Redactor::default(),
        );
        check.phase(Phase::Connecting, None);
        for id in 0..40 {
            say(&check, Sent, &call(id, "probe")).await;
        }
        check.note("exit", "The process exited with code 0.");
        server.phase(Phase::Ready, None);
        let calls = round + 1;
        // What an earlier run recorded is known once it is come by.
        let without_checks = TrafficQuery {
            quiet: true,
            without_checks: true,
            ..TrafficQuery::default()
        };
        let page = recorder.page(&without_checks, 0, 1000).expect("a page");
        let (rows, of_checks) = (page.rows, page.of_checks);
        assert_eq!(usize::try_from(of_checks).ok(), Some(41 * calls));
        assert_eq!(asked(&recorder, &without_checks).len(), calls);
        assert_eq!(rows.len(), calls);
        assert!(rows.iter().all(|row| row.server == "Demo"));
        assert!(rows.iter().all(|row| row.folded_before.len() <= 1));
        let matching = |filter: &str, kinds: Vec<ExchangeKind>| {
            let query = TrafficQuery {
                without_checks: true,
                filter: filter.into(),
                kinds,
                ..TrafficQuery::default()
            };
            asked(&recorder, &query).len()
        };
        assert_eq!(matching("method:tools/call", Vec::new()), calls);
        assert_eq!(matching("exit", vec![ExchangeKind::Phase]), 0);
        assert_eq!(matching("is:check", Vec::new()), 42 * calls);
        assert_eq!(matching("is:check exit", Vec::new()), calls);
        assert_eq!(matching("-is:check tool:echo", Vec::new()), calls);
        let all = TrafficQuery::default();
        assert_eq!(asked(&recorder, &all).len(), 44 * calls);
        recorder.flush().expect("flushed");
    }
}

/// What a quiet view shows: the ids of its rows, and how many there are.
fn quiet(recorder: &Recorder, offset: u32, limit: u32) -> (Vec<ExchangeRow>, u32) {
    let query = TrafficQuery {
        quiet: true,
        ..TrafficQuery::default()
    };
    let page = recorder.page(&query, offset, limit).expect("a page");
    assert!(page.complete);
    (page.rows, page.total)
}

#[tokio::test]
async fn a_quiet_view_folds_phases_away_also_those_of_an_earlier_run() {
    let directory = TempDir::new().expect("a directory");
    let mut expected = Vec::new();
    for round in 0..2 {
        let recorder = open(directory.path());
        let connection = connect(&recorder);
        connection.phase(Phase::Connecting, None);
        connection.note("doctor", "Program: ok.");
        for id in 0..40 {
            connection.phase(Phase::Executing, None);
            expected.push(say(&connection, Sent, &call(id, "echo")).await);
            connection.phase(Phase::Ready, None);
        }
        connection.phase(Phase::Failed, Some("It broke."));
        let (rows, total) = quiet(&recorder, 0, 1);
        expected.push(rows[0].id.0);
        assert_eq!((rows[0].method.as_str(), rows.len()), ("failed", 1));
        // The last phase before it, and all before the first call.
        assert_eq!(rows[0].folded_before.len(), 1);
        assert_eq!(rows[0].folded_before[0].method, "ready");
        if round == 0 {
            assert_eq!(total, 41);
        }
        let mut shown = Vec::new();
        for offset in (0..expected.len() as u32).step_by(7) {
            let (rows, _) = quiet(&recorder, offset, 7);
            shown.extend(rows.iter().rev().map(|row| row.id.0));
        }
        shown.reverse();
        assert_eq!(shown, expected);
        // What was come by is known.
        let (rows, total) = quiet(&recorder, 0, 1000);
        assert_eq!(total as usize, expected.len());
        let methods: Vec<&str> = rows[0]
            .folded_before
            .iter()
            .map(|phase| phase.method.as_str())
            .collect();
        assert_eq!(methods, ["connecting", "doctor", "executing"]);
        // Where they are asked for, they are there.
        let phases = TrafficQuery {
            quiet: true,
            filter: "kind:phase executing".into(),
            ..TrafficQuery::default()
        };
        assert_eq!(asked(&recorder, &phases).len(), 40 * (round + 1));
        let words = TrafficQuery {
            quiet: true,
            filter: "echo".into(),
            ..TrafficQuery::default()
        };
        assert_eq!(asked(&recorder, &words).len(), 40 * (round + 1));
        recorder.flush().expect("flushed");
    }
}

#[tokio::test]
async fn what_comes_during_a_call_belongs_to_it_and_can_be_folded_away() {
    let directory = TempDir::new().expect("a directory");
    let recorder = open(directory.path());
    let connection = connect(&recorder);
    let log = r#"{"method":"notifications/message","params":{"level":"info","data":"x"}}"#;
    let progress = |token: u32| {
        format!(
            r#"{{"method":"notifications/progress","params":{{"progressToken":{token},"progress":1}}}}"#
        )
    };
    let early = say(&connection, Received, log).await;
    let first = say(&connection, Sent, &call(1, "a")).await;
    let of_first = [
        say(&connection, Received, log).await,
        say(&connection, Received, &progress(1)).await,
    ];
    let second = say(&connection, Sent, &call(2, "b")).await;
    // Of two calls, only the token tells which.
    let nobodys = say(&connection, Received, log).await;
    let of_second = say(&connection, Received, &progress(2)).await;
    say(&connection, Received, &result(1, "x")).await;
    say(&connection, Received, &result(2, "x")).await;
    let late = say(&connection, Received, log).await;
    for round in 0..2 {
        if round == 1 {
            recorder.flush().expect("flushed");
        }
        let parents: Vec<(u32, Option<u32>)> = rows(&recorder)
            .iter()
            .map(|row| (row.id.0, row.parent.map(|parent| parent.0)))
            .collect();
        assert_eq!(
            parents,
            [
                (early, None),
                (first, None),
                (of_first[0], Some(first)),
                (of_first[1], Some(first)),
                (second, None),
                (nobodys, None),
                (of_second, Some(second)),
                (late, None),
            ]
        );
        let folded = TrafficQuery {
            folded: vec![ExchangeId(first)],
            ..TrafficQuery::default()
        };
        let page = recorder.page(&folded, 0, 100).expect("a page");
        let ids: Vec<u32> = page.rows.iter().map(|row| row.id.0).collect();
        assert_eq!(ids, [early, first, second, nobodys, of_second, late]);
        assert_eq!(page.rows[1].folded_rows, 2);
        assert_eq!(page.total, 6);
    }
}
