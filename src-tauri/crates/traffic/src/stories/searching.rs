//! Searches find what is there, in memory, on disk and as it changes.

use bytes::Bytes;
use sightglass_model::{ExchangeId, ServerId};
use sightglass_secrets::Redactor;
use tempfile::TempDir;

use sightglass_secrets::SplitSecrets;

use super::{asked, call, connect, matching, open, result, say};
use crate::{
    Direction::{Received, Sent},
    ExchangeKind, TrafficQuery,
};

/// Asks after every step; no more filters at once than are remembered with their twins.
async fn remembered_searches_equal_new_ones(filters: [&str; 3]) {
    let directory = TempDir::new().expect("a directory");
    let recorder = open(directory.path());
    let connection = connect(&recorder);
    let mut state = 7_u32;
    for round in 0..30_u32 {
        for step in 0..25_u32 {
            state = state.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
            let word = ["red", "blue", "green", "red blue"][(state >> 16) as usize % 4];
            let id = round * 25 + step;
            match (state >> 20) % 3 {
                0 => _ = say(&connection, Sent, &call(id, word)).await,
                1 => {
                    let earlier = id.saturating_sub((state >> 8) % 60);
                    say(&connection, Received, &result(earlier, word)).await;
                }
                _ => {
                    connection
                        .stderr(Bytes::from(word), &mut SplitSecrets::default())
                        .await;
                }
            }
        }
        if round % 7 == 3 {
            recorder.flush().expect("flushed");
        }
        for filter in &filters {
            let remembered = matching(&recorder, filter);
            // Another text of the same meaning is searched for anew.
            let anew = matching(&recorder, &format!("{filter} -zz{round}"));
            assert_eq!(remembered, anew, "{filter} in round {round}");
        }
    }
}

#[tokio::test]
async fn filters_find_rows_in_memory_on_disk_and_as_they_change() {
    let directory = TempDir::new().expect("a directory");
    let recorder = open(directory.path());
    let connection = connect(&recorder);
    let other =
        recorder.start_connection(ServerId::new("x", "files"), "Files", Redactor::default());
    let echo = say(&connection, Sent, &call(1, "echo")).await;
    let wait = say(&connection, Sent, &call(2, "wait")).await;
    let log = say(
        &other,
        Received,
        r#"{"method":"notifications/message","params":{"level":"info","data":"Grüße \"x\""}}"#,
    )
    .await;
    for round in 0..2 {
        if round == 1 {
            recorder.flush().expect("flushed");
        }
        assert_eq!(matching(&recorder, "ECHO"), [echo]);
        assert_eq!(matching(&recorder, "tools/call -echo"), [wait]);
        assert_eq!(matching(&recorder, "GRÜSSE"), [0; 0]);
        assert_eq!(matching(&recorder, "grÜße"), [log]);
        assert_eq!(matching(&recorder, r#"kind:log"#), [log]);
        assert_eq!(matching(&recorder, "files"), [log]);
        assert_eq!(
            matching(&recorder, "server:demo status:pending"),
            [echo, wait]
        );
        assert_eq!(matching(&recorder, "late"), [0; 0]);
        assert_eq!(matching(&recorder, "echo late"), [0; 0]);
    }
    let response = say(&connection, Received, &result(1, "late answer")).await;
    let newest = say(&connection, Sent, &call(3, "echo")).await;
    for round in 0..2 {
        if round == 1 {
            recorder.flush().expect("flushed");
        }
        // The same questions, and new ones that have not been asked before.
        assert_eq!(matching(&recorder, "late"), [echo]);
        assert_eq!(matching(&recorder, "echo late"), [echo]);
        assert_eq!(
            matching(&recorder, &format!("answer {round}0000 status:ok")),
            [0; 0]
        );
        assert_eq!(matching(&recorder, "LATE tools/call -pending"), [echo]);
        assert_eq!(
            matching(&recorder, "server:demo status:pending"),
            [wait, newest]
        );
        assert_eq!(matching(&recorder, "status:ok size:<1kb dur:<1min"), [echo]);
        assert_eq!(matching(&recorder, &format!("id:{wait}")), [wait]);
        assert_eq!(matching(&recorder, &format!("id:{response}")), [0; 0]);
    }
    let only = |query: TrafficQuery| asked(&recorder, &query);
    assert_eq!(
        only(TrafficQuery {
            filter: "echo".into(),
            invert: true,
            ..TrafficQuery::default()
        }),
        [wait, log]
    );
    assert_eq!(
        only(TrafficQuery {
            kinds: vec![ExchangeKind::Log],
            ..TrafficQuery::default()
        }),
        [log]
    );
    assert_eq!(
        only(TrafficQuery {
            server: Some(ServerId::demo()),
            until: Some(ExchangeId(wait)),
            ..TrafficQuery::default()
        }),
        [echo, wait]
    );
    assert_eq!(
        only(TrafficQuery {
            until: Some(ExchangeId(log)),
            ..TrafficQuery::default()
        }),
        [echo, wait, log]
    );
    let page = recorder
        .page(
            &TrafficQuery {
                filter: "status:odd".into(),
                ..TrafficQuery::default()
            },
            0,
            9,
        )
        .expect("a page");
    assert_eq!(page.total, 4);
    assert_eq!(
        page.problem.map(|problem| (problem.start, problem.end)),
        Some((0, 10))
    );
}

#[tokio::test]
async fn terms_select_by_tool_level_sender_time_and_expression() {
    let directory = TempDir::new().expect("a directory");
    let recorder = open(directory.path());
    let connection = connect(&recorder);
    let echo = say(&connection, Sent, &call(1, "echo_77x7")).await;
    // Its result speaks of another tool.
    say(&connection, Received, &result(1, "wait")).await;
    let wait = say(&connection, Sent, &call(2, "wait")).await;
    let log = |level: &str, data: &str| {
        format!(
            r#"{{"method":"notifications/message","params":{{"level":"{level}","data":"{data}"}}}}"#
        )
    };
    let warning = say(&connection, Received, &log("warning", "error: 7717")).await;
    let error = say(&connection, Received, &log("error", "disk full")).await;
    connection.phase(sightglass_model::Phase::Ready, None);
    for round in 0..2 {
        if round == 1 {
            recorder.flush().expect("flushed");
        }
        // A text that makes no difference, so that the second round searches anew.
        let anew = |filter: &str| matching(&recorder, &format!("{filter} -zz{round}"));
        assert_eq!(anew("tool:WAIT"), [wait]);
        assert_eq!(anew("tool:echo"), [echo]);
        assert_eq!(anew("level:error"), [error]);
        assert_eq!(anew("level:>=warning"), [warning, error]);
        assert_eq!(anew("level:<error"), [warning]);
        assert_eq!(anew("from:server"), [warning, error]);
        assert_eq!(anew("from:client"), [echo, wait]);
        assert_eq!(anew("/77[0-9]7/"), [warning]);
        assert_eq!(anew("/_77.7/"), [echo]);
        assert_eq!(anew("/7[x17]+7$/ -from:client"), [warning]);
        assert_eq!(anew("/^warning: ERROR/"), [warning]);
        assert_eq!(anew("/disk +full/"), [error]);
        assert_eq!(anew("time:<1min tool:echo"), [echo]);
        assert_eq!(anew("time:>1min"), [0; 0]);
        assert_eq!(anew("time:>2020-01-01 level:error"), [error]);
        assert_eq!(anew("time:<2020-01-01"), [0; 0]);
    }
}

/// Expressions on which a matcher that backtracks would never end, over large payloads.
#[tokio::test]
async fn a_pathological_expression_does_not_hold_up_the_record() {
    let directory = TempDir::new().expect("a directory");
    let recorder = open(directory.path());
    let connection = connect(&recorder);
    for id in 0..8 {
        say(&connection, Sent, &call(id, &"a".repeat(200_000))).await;
        say(&connection, Sent, &call(id + 100, &"ab ".repeat(20_000))).await;
    }
    recorder.flush().expect("flushed");
    for filter in [
        "/(a*)*b$/",
        "/(a|aa)+$/",
        "/(a|a?)+c/",
        "/(x+x+)+y/",
        "/(.*)(.*)(.*)(.*)(.*)(.*)z/",
        "/(?:a?){60}a{60}c/",
        "/.*.*.*=.*/",
        "/[ab]{1,200}c/",
        r"/(\w+\s?)*!$/",
        "/(?:.{0,90}a){2}q/",
    ] {
        let started = std::time::Instant::now();
        let query = TrafficQuery {
            filter: filter.to_owned(),
            ..TrafficQuery::default()
        };
        let page = recorder.page(&query, 0, 100).expect("a page");
        let took = started.elapsed();
        assert!(
            took < LONGEST_QUERY,
            "{filter}: {took:?}, {:?}",
            page.problem
        );
    }
}

/// A query answers within this, also in a build without optimisation.
const LONGEST_QUERY: std::time::Duration = std::time::Duration::from_secs(5);

#[tokio::test]
async fn a_search_that_was_asked_before_equals_one_that_was_not() {
    for filters in [
        ["red", "-red", "red blue"],
        ["status:ok red", "status:pending", "size:>100"],
        ["red -blue status:error", "\"red blue\"", "kind:stderr blue"],
    ] {
        remembered_searches_equal_new_ones(filters).await;
    }
}
