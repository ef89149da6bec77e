//! What people rely on, told through the public handle.

use std::{fs, io::Write as _, path::Path, time::Duration};

use bytes::Bytes;
use sightglass_model::{ExchangeId, Phase, ServerId};
use sightglass_secrets::Secret;
use tempfile::TempDir;

use crate::{
    Direction::{Received, Sent},
    ExchangeKind, ExchangeRow, HttpFacts, HttpKind, MessageKind, Outcome, PayloadForm,
    PayloadQuery, RecordError, Recorder, RecorderOptions, Redactor, Retention, Tape, TrafficQuery,
    store::{FILE_NAME, Limits},
};

fn open(directory: &Path) -> Recorder {
    Recorder::open(RecorderOptions::in_directory(directory))
}

fn put(path: &Path, bytes: &[u8]) {
    fs::File::create(path)
        .and_then(|mut file| file.write_all(bytes))
        .expect("a written file");
}

fn connect(recorder: &Recorder) -> Tape {
    recorder.start_connection(ServerId::demo(), "Demo", Redactor::default())
}

fn rows(recorder: &Recorder) -> Vec<ExchangeRow> {
    recorder
        .window(&TrafficQuery::default(), 0, 1000)
        .expect("a window")
        .rows
}

fn matching(recorder: &Recorder, filter: &str) -> Vec<u32> {
    let query = TrafficQuery {
        filter: filter.to_owned(),
        ..TrafficQuery::default()
    };
    asked(recorder, &query)
}

fn asked(recorder: &Recorder, query: &TrafficQuery) -> Vec<u32> {
    loop {
        let window = recorder.window(query, 0, 1000).expect("a window");
        if window.complete {
            assert_eq!(window.total as usize, window.rows.len());
            return window.rows.iter().map(|row| row.id.0).collect();
        }
    }
}

async fn say(tape: &Tape, direction: crate::Direction, text: &str) -> u32 {
    let text = Bytes::from(text.to_owned());
    tape.message(direction, text, None).await.frame.0
}

fn call(id: u32, tool: &str) -> String {
    format!(r#"{{"jsonrpc":"2.0","id":{id},"method":"tools/call","params":{{"name":"{tool}"}}}}"#)
}

fn result(id: u32, text: &str) -> String {
    format!(r#"{{"jsonrpc":"2.0","id":{id},"result":{{"content":"{text}"}}}}"#)
}

#[tokio::test]
async fn a_request_and_its_response_are_one_row_that_completes_in_place() {
    let directory = TempDir::new().expect("a directory");
    let recorder = open(directory.path());
    let tape = connect(&recorder);
    let request = say(&tape, Sent, &call(1, "echo")).await;
    let row = rows(&recorder).remove(0);
    assert_eq!(
        (row.outcome, row.target.as_str()),
        (Outcome::Pending, "echo")
    );
    recorder.flush().expect("flushed");
    assert_eq!(rows(&recorder)[0].outcome, Outcome::Pending);

    let response = say(&tape, Received, &result(1, "hi")).await;
    for _ in 0..2 {
        let all = rows(&recorder);
        assert_eq!(all.len(), 1);
        let row = &all[0];
        assert_eq!(row.outcome, Outcome::Ok);
        assert_eq!(row.id, ExchangeId(request));
        assert_eq!(row.response_frame.map(|frame| frame.0), Some(response));
        assert!(row.duration.is_some_and(|duration| duration >= 0.0));
        assert_eq!(
            row.size as usize,
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
    let tape = connect(&recorder);
    say(&tape, Sent, &call(1, "fails")).await;
    say(
        &tape,
        Received,
        r#"{"id":1,"result":{"content":[],"isError":true}}"#,
    )
    .await;
    say(&tape, Sent, &call(2, "refused")).await;
    say(
        &tape,
        Received,
        r#"{"id":2,"error":{"code":-32602,"message":"no"}}"#,
    )
    .await;
    say(&tape, Sent, &call(3, "slow")).await;
    say(
        &tape,
        Sent,
        r#"{"method":"notifications/cancelled","params":{"requestId":3}}"#,
    )
    .await;
    // The same number in the other direction is another request.
    say(&tape, Received, r#"{"id":4,"method":"roots/list"}"#).await;
    say(&tape, Received, r#"{"id":4,"result":{}}"#).await;
    say(&tape, Sent, &call(5, "left")).await;
    say(&tape, Received, "not json").await;
    let phase = |row: &ExchangeRow| (row.kind, row.outcome);
    tape.phase(Phase::Failed, Some("exited"));
    tape.ended();
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
    let tape = connect(&recorder);
    for (id, params) in [
        (1, "{}"),
        (2, r#"{"cursor":"b"}"#),
        (3, r#"{"cursor":"c"}"#),
    ] {
        say(
            &tape,
            Sent,
            &format!(r#"{{"id":{id},"method":"tools/list","params":{params}}}"#),
        )
        .await;
    }
    say(
        &tape,
        Received,
        r#"[{"id":1,"result":{}},{"id":3,"result":{}}]"#,
    )
    .await;
    let all = rows(&recorder);
    let targets: Vec<&str> = all.iter().map(|row| row.target.as_str()).collect();
    assert_eq!(targets[..3], ["", "page 2", "page 3"]);
    let outcomes: Vec<Outcome> = all.iter().map(|row| row.outcome).collect();
    assert_eq!(outcomes[..3], [Outcome::Ok, Outcome::Pending, Outcome::Ok]);
    let batch = tape
        .message(
            Sent,
            Bytes::from_static(br#"[{"id":8,"method":"ping"},{"id":9,"method":"ping"}]"#),
            None,
        )
        .await;
    assert_eq!(batch.envelope.kind, MessageKind::Batch);
    say(&tape, Received, r#"{"id":8,"result":{}}"#).await;
    assert_eq!(rows(&recorder)[4].outcome, Outcome::Pending);
    say(&tape, Received, r#"{"id":9,"result":{}}"#).await;
    assert_eq!(rows(&recorder)[4].outcome, Outcome::Ok);
}

#[tokio::test]
async fn the_record_is_there_again_after_a_restart() {
    let directory = TempDir::new().expect("a directory");
    let before = {
        let recorder = open(directory.path());
        let tape = connect(&recorder);
        say(&tape, Sent, &call(1, "echo")).await;
        say(&tape, Received, &result(1, "hi")).await;
        say(&tape, Sent, &call(2, "never")).await;
        tape.stderr(Bytes::from_static(b"ready")).await;
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
    let tape = connect(&recorder);
    let mut revisions = recorder.watch();
    for index in 0..100_000 {
        let text = format!(
            r#"{{"method":"notifications/message","params":{{"level":"info","data":"n{index}"}}}}"#
        );
        let recorded = tape.message(Received, text.into(), None).await;
        assert_eq!(recorded.frame.0, index + 1);
    }
    recorder.flush().expect("flushed");
    for first in [0, 49_990, 99_900] {
        let window = recorder
            .window(&TrafficQuery::default(), first, 100)
            .expect("a window");
        assert_eq!(window.total, 100_000);
        let newest = 99_999 - first;
        let expected: Vec<String> = (newest.saturating_sub(99)..=newest)
            .map(|index| format!("info: n{index}"))
            .collect();
        let targets: Vec<String> = window.rows.into_iter().map(|row| row.target).collect();
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
async fn filters_find_rows_in_memory_on_disk_and_as_they_change() {
    let directory = TempDir::new().expect("a directory");
    let recorder = open(directory.path());
    let tape = connect(&recorder);
    let other =
        recorder.start_connection(ServerId::new("x", "files"), "Files", Redactor::default());
    let echo = say(&tape, Sent, &call(1, "echo")).await;
    let wait = say(&tape, Sent, &call(2, "wait")).await;
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
    let response = say(&tape, Received, &result(1, "late answer")).await;
    let newest = say(&tape, Sent, &call(3, "echo")).await;
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
    let window = recorder
        .window(
            &TrafficQuery {
                filter: "status:odd".into(),
                ..TrafficQuery::default()
            },
            0,
            9,
        )
        .expect("a window");
    assert_eq!(window.total, 4);
    assert_eq!(
        window.problem.map(|problem| (problem.start, problem.end)),
        Some((0, 10))
    );
}

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

/// Asks after every step; no more filters at once than are remembered with their twins.
async fn remembered_searches_equal_new_ones(filters: [&str; 3]) {
    let directory = TempDir::new().expect("a directory");
    let recorder = open(directory.path());
    let tape = connect(&recorder);
    let mut state = 7_u32;
    for round in 0..30_u32 {
        for step in 0..25_u32 {
            state = state.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
            let word = ["red", "blue", "green", "red blue"][(state >> 16) as usize % 4];
            let id = round * 25 + step;
            match (state >> 20) % 3 {
                0 => _ = say(&tape, Sent, &call(id, word)).await,
                1 => {
                    let earlier = id.saturating_sub((state >> 8) % 60);
                    say(&tape, Received, &result(earlier, word)).await;
                }
                _ => tape.stderr(Bytes::from(word)).await,
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
async fn a_secret_never_reaches_the_disk() {
    let directory = TempDir::new().expect("a directory");
    let recorder = open(directory.path());
    let secret = "s3cr3t-value";
    let redactor = Redactor::new([Secret::new(secret.to_owned())]);
    let tape = recorder.start_connection(ServerId::demo(), "Demo", redactor);
    let header = |name: &str, value: &str| (name.to_owned(), value.to_owned());
    let facts = HttpFacts {
        method: "POST".into(),
        url: format!("https://host.test/mcp?key={secret}"),
        request_headers: vec![
            header("Authorization", "Bearer other-t0ken"),
            header("X-Plain", secret),
        ],
        ..HttpFacts::default()
    };
    let carrier = tape.http_started(facts.clone(), HttpKind::Mcp);
    let text = call(1, secret);
    let recorded = tape
        .message(Sent, Bytes::from(text.clone()), Some(carrier))
        .await;
    let answered = HttpFacts {
        status: Some(200),
        response_headers: vec![
            header("Set-Cookie", "c00kie-value"),
            header("Content-Type", "application/json"),
        ],
        ..facts
    };
    tape.http_finished(carrier, answered);
    say(&tape, Received, &result(1, secret)).await;
    // Shortened targets must not end in half a secret.
    let long = format!(
        r#"{{"method":"notifications/message","params":{{"level":"info","data":"{}{secret}"}}}}"#,
        "x".repeat(187)
    );
    say(&tape, Received, &long).await;
    tape.stderr(Bytes::from(format!("using {secret}"))).await;
    tape.note("exit", secret);
    tape.phase(Phase::Failed, Some(secret));
    recorder.flush().expect("flushed");

    let files = || {
        fs::read_dir(directory.path())
            .expect("files")
            .map(|file| fs::read(file.expect("a file").path()).expect("its bytes"))
    };
    for bytes in files() {
        for secret in [secret, "s3cr3t", "other-t0ken", "c00kie-value"] {
            assert!(
                memchr::memmem::find(&bytes, secret.as_bytes()).is_none(),
                "{secret}"
            );
        }
    }
    assert!(
        files().any(|bytes| memchr::memmem::find(&bytes, b"host.test").is_some()),
        "the test looks at the right files"
    );
    let detail = recorder
        .detail(ExchangeId(recorded.frame.0))
        .expect("detail");
    assert!(detail.frames[0].redacted);
    assert_eq!(detail.frames[0].size as usize, text.len());
    let http = detail.http.expect("HTTP facts");
    assert_eq!(http.status, Some(200));
    assert_eq!(http.request_headers[0].1, "Bearer •••");
    assert_eq!(http.response_headers[1].1, "application/json");
    let command = recorder
        .copy_as_curl(ExchangeId(recorded.frame.0))
        .expect("a command");
    assert!(
        command.contains("Bearer •••") && command.contains("tools/call"),
        "{command}"
    );
    assert_eq!(
        recorder
            .copy_as_curl(ExchangeId(carrier.frame().0))
            .expect("a command"),
        command
    );
    let json = recorder
        .copy_as_json(ExchangeId(recorded.frame.0))
        .expect("JSON");
    assert!(json.contains("\n  \"response\": {\n"), "{json}");
}

#[tokio::test]
async fn a_large_payload_is_read_by_window_before_and_after_it_is_written() {
    let directory = TempDir::new().expect("a directory");
    let recorder = open(directory.path());
    let tape = connect(&recorder);
    let items: Vec<String> = (0..300_000)
        .map(|index| format!(r#"{{"n":{index}.0}}"#))
        .collect();
    let text = format!(
        r#"{{"id":1,"result":{{"items":[{}],"text":"a\nb","last":"needle"}}}}"#,
        items.join(",")
    );
    let recorded = tape
        .message(Received, Bytes::from(text.clone()), None)
        .await;
    for round in 0..2 {
        if round == 1 {
            recorder.flush().expect("flushed");
            // Another recorder knows nothing but the disk.
            recorder.close();
        }
        let recorder = if round == 1 {
            open(directory.path())
        } else {
            recorder.clone()
        };
        let lines = |pointer: &str, form, first| {
            recorder.lines(
                &PayloadQuery {
                    frame: recorded.frame,
                    pointer: pointer.into(),
                    form,
                },
                first,
                3,
            )
        };
        let window = lines("", PayloadForm::Pretty, 600_004).expect("a window");
        assert_eq!(
            window.lines,
            ["      {", "        \"n\": 200000.0", "      },"]
        );
        assert_eq!(window.total_lines, 900_000 + 9);
        assert_eq!(
            lines("/result/text", PayloadForm::Text, 0)
                .expect("a window")
                .lines,
            ["a", "b"]
        );
        assert_eq!(
            lines("/result/items/7", PayloadForm::Raw, 0)
                .expect("a window")
                .lines,
            [r#"{"n":7.0}"#]
        );
        assert!(matches!(
            lines("/nothing", PayloadForm::Raw, 0),
            Err(RecordError::NoSuchValue(_))
        ));
        assert_eq!(recorder.payload(recorded.frame).expect("a payload"), text);
        assert_eq!(matching(&recorder, "NEEDLE"), [recorded.frame.0]);
    }
}

#[tokio::test]
async fn retention_removes_the_oldest_and_gives_the_space_back() {
    let directory = TempDir::new().expect("a directory");
    let recorder = open(directory.path());
    let tape = connect(&recorder);
    for index in 0..12 {
        let text = format!(
            r#"{{"method":"big","params":"{index} {}"}}"#,
            "x".repeat(1 << 20)
        );
        say(&tape, Received, &text).await;
        recorder.flush().expect("flushed");
    }
    assert_eq!(matching(&recorder, "kind:notification").len(), 12);
    recorder.set_retention(Retention {
        days: 30,
        mebibytes: 4,
    });
    // It works in slices, so it may be on its way: three of a little more than a mebibyte fit.
    while rows(&recorder).len() > 3 {
        recorder.flush().expect("flushed");
    }
    let left = rows(&recorder);
    assert_eq!(left.len(), 3);
    assert_eq!(
        matching(&recorder, "kind:notification"),
        left.iter().map(|row| row.id.0).collect::<Vec<_>>()
    );
    recorder.close();
    drop((recorder, tape));
    let size = fs::metadata(directory.path().join(FILE_NAME))
        .expect("the database")
        .len();
    assert!(size < 6 << 20, "{size} bytes");
    let recorder = open(directory.path());
    assert_eq!(rows(&recorder), left);
}

#[tokio::test]
async fn clearing_leaves_nothing_and_connections_go_on() {
    let directory = TempDir::new().expect("a directory");
    let recorder = open(directory.path());
    let tape = connect(&recorder);
    say(&tape, Sent, &call(1, "echo")).await;
    recorder.flush().expect("flushed");
    say(&tape, Sent, &call(2, "echo")).await;
    assert_eq!(matching(&recorder, "echo").len(), 2);
    recorder.clear().expect("cleared");
    assert_eq!(rows(&recorder), []);
    assert_eq!(matching(&recorder, "echo").len(), 0);
    assert_eq!(recorder.state().frames, 0);
    say(&tape, Received, &result(1, "late")).await;
    say(&tape, Sent, &call(3, "echo")).await;
    say(&tape, Received, &result(3, "fine")).await;
    for _ in 0..2 {
        let targets: Vec<String> = rows(&recorder).into_iter().map(|row| row.target).collect();
        assert_eq!(targets, ["its request was cleared from the record", "echo"]);
        recorder.flush().expect("flushed");
    }
    assert!(matches!(
        recorder.payload(sightglass_model::FrameId(1)),
        Err(RecordError::NoSuchFrame(_))
    ));
}

#[tokio::test]
async fn a_full_disk_turns_recording_off_and_a_retry_writes_what_is_in_memory() {
    let directory = TempDir::new().expect("a directory");
    let recorder = Recorder::open_within(
        RecorderOptions::in_directory(directory.path()),
        Limits { pages: Some(40) },
    );
    let tape = connect(&recorder);
    say(&tape, Sent, &call(1, "early")).await;
    recorder.flush().expect("flushed");
    let filler = format!(r#"{{"method":"fill","params":"{}"}}"#, "x".repeat(600_000));
    let last = say(&tape, Received, &filler).await;
    assert!(recorder.flush().is_err());
    let state = recorder.state();
    assert_eq!(
        state.off.as_deref(),
        Some("The disk is full. Free some space, then restart recording.")
    );
    assert_eq!(state.dropped, 1);
    say(&tape, Received, &result(1, "while off")).await;
    assert_eq!(recorder.state().dropped, 2);
    assert_eq!(rows(&recorder)[0].outcome, Outcome::Ok);
    assert_eq!(
        recorder
            .payload(sightglass_model::FrameId(last))
            .expect("from memory"),
        filler
    );
    assert!(recorder.retry().is_err(), "the disk is still full");
    recorder.close();
    drop((recorder, tape));
    let recorder = open(directory.path());
    assert_eq!(recorder.state().off, None);
    assert_eq!(rows(&recorder).len(), 1);
}

#[tokio::test]
async fn a_folder_that_cannot_be_used_leaves_everything_else_working() {
    let directory = TempDir::new().expect("a directory");
    let blocked = directory.path().join("file");
    put(&blocked, b"not a folder");
    let recorder = open(&blocked);
    let tape = connect(&recorder);
    let off = recorder.state().off.expect("off");
    assert!(off.contains("cannot be written to"), "{off}");
    let call_frame = say(&tape, Sent, &call(1, "echo")).await;
    say(&tape, Received, &result(1, "hi")).await;
    assert_eq!(rows(&recorder)[0].outcome, Outcome::Ok);
    assert_eq!(matching(&recorder, "hi"), [call_frame]);
    assert_eq!(recorder.state().dropped, 2);
    fs::remove_file(&blocked).expect("removed");
    recorder.retry().expect("works again");
    assert_eq!(recorder.state().off, None);
    assert_eq!(recorder.state().dropped, 0);
    assert_eq!(rows(&recorder).len(), 1);
    drop((recorder, tape));
    let after = rows(&open(&blocked));
    assert_eq!((after.len(), after[0].server.as_str()), (1, "Demo"));
}

#[tokio::test]
async fn two_programs_do_not_share_a_record() {
    let directory = TempDir::new().expect("a directory");
    let first = open(directory.path());
    let tape = connect(&first);
    for id in 0..5 {
        say(&tape, Sent, &call(id, "first")).await;
    }
    first.flush().expect("flushed");
    let second = open(directory.path());
    assert!(
        second
            .state()
            .off
            .expect("off")
            .contains("Another Sightglass")
    );
    let other = second.start_connection(ServerId::demo(), "Second", Redactor::default());
    say(&other, Sent, &call(1, "second")).await;
    assert!(second.retry().is_err());
    tape.ended();
    drop((first, tape));
    second.retry().expect("the other one is gone");
    // Numbers of two databases cannot be mixed, so what was in memory only is given up.
    say(&other, Received, &result(1, "x")).await;
    say(&other, Sent, &call(2, "second")).await;
    let targets: Vec<String> = rows(&second).into_iter().map(|row| row.target).collect();
    assert_eq!(targets[..5], ["first"; 5]);
    assert_eq!(targets[5], "Recording works again. 1 frames are missing.");
    assert_eq!(
        targets[6..],
        ["its request was cleared from the record", "second"]
    );
    assert_eq!(rows(&second)[7].server, "Second");
    assert_eq!(rows(&second)[0].server, "Demo");
}

#[tokio::test]
async fn a_damaged_database_is_kept_aside_and_a_new_one_begins() {
    let directory = TempDir::new().expect("a directory");
    drop(open(directory.path()));
    put(&directory.path().join(FILE_NAME), &[b'?'; 20_000]);
    let recorder = open(directory.path());
    assert_eq!(recorder.state().off, None);
    let row = rows(&recorder).remove(0);
    assert!(row.target.contains("traffic-damaged-"), "{}", row.target);
    let kept = fs::read_dir(directory.path())
        .expect("files")
        .filter_map(Result::ok)
        .find(|file| {
            file.file_name()
                .to_string_lossy()
                .starts_with("traffic-damaged-")
        })
        .expect("the damaged file");
    assert_eq!(kept.metadata().expect("its size").len(), 20_000);
    let tape = connect(&recorder);
    say(&tape, Sent, &call(1, "echo")).await;
    recorder.flush().expect("flushed");
}

#[tokio::test]
async fn what_is_lost_while_off_leaves_a_gap_and_nothing_else() {
    let directory = TempDir::new().expect("a directory");
    let recorder = Recorder::open_within(
        RecorderOptions::in_directory(directory.path()),
        Limits { pages: Some(60) },
    );
    let tape = connect(&recorder);
    say(&tape, Sent, &call(1, "kept")).await;
    recorder.flush().expect("flushed");
    let filler = format!(r#"{{"method":"fill","params":"{}"}}"#, "x".repeat(8 << 20));
    say(&tape, Received, &filler).await;
    assert!(recorder.flush().is_err());
    for _ in 0..11 {
        say(&tape, Received, &filler).await;
    }
    let all = rows(&recorder);
    assert!(all.len() > 4 && all.len() < 12, "{} rows", all.len());
    assert_eq!(all[0].target, "kept");
    assert_eq!(recorder.state().dropped, 12);
    assert_eq!(matching(&recorder, "kind:request"), [1]);
    assert_eq!(matching(&recorder, "method:fill").len(), all.len() - 1);
}
