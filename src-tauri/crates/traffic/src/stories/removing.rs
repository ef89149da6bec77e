//! Removal by retention and by the user takes what it should, and nothing else.

use std::fs;

use sightglass_model::ServerId;
use sightglass_secrets::Redactor;
use tempfile::TempDir;

use super::{call, connect, matching, open, result, rows, say};
use crate::{
    Direction::{Received, Sent},
    RecordError, Retention,
    store::FILE_NAME,
};

#[tokio::test]
async fn retention_removes_the_oldest_and_gives_the_space_back() {
    let directory = TempDir::new().expect("a directory");
    let recorder = open(directory.path());
    let connection = connect(&recorder);
    for index in 0..12 {
        let text = format!(
            r#"{{"method":"big","params":"{index} {}"}}"#,
            "x".repeat(1 << 20)
        );
        say(&connection, Received, &text).await;
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
    drop((recorder, connection));
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
    let connection = connect(&recorder);
    say(&connection, Sent, &call(1, "echo")).await;
    recorder.flush().expect("flushed");
    say(&connection, Sent, &call(2, "echo")).await;
    assert_eq!(matching(&recorder, "echo").len(), 2);
    recorder.clear().expect("cleared");
    assert_eq!(rows(&recorder), []);
    assert_eq!(matching(&recorder, "echo").len(), 0);
    assert_eq!(recorder.state().frames, 0);
    say(&connection, Received, &result(1, "late")).await;
    say(&connection, Sent, &call(3, "echo")).await;
    say(&connection, Received, &result(3, "fine")).await;
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

/// The numbers of the connections that the database in this directory names.
fn connections(directory: &std::path::Path) -> Vec<u32> {
    let database = rusqlite::Connection::open(directory.join(FILE_NAME)).expect("the database");
    let mut statement = database
        .prepare("SELECT id FROM connections ORDER BY id")
        .expect("a table");
    let numbers = statement.query_map([], |row| row.get(0)).expect("rows");
    numbers.collect::<Result<_, _>>().expect("numbers")
}

#[tokio::test]
async fn a_connection_goes_with_its_last_frame_and_is_back_when_it_speaks_again() {
    let directory = TempDir::new().expect("a directory");
    let recorder = open(directory.path());
    let text = format!(r#"{{"method":"big","params":"{}"}}"#, "x".repeat(1 << 20));
    let mut recorders = Vec::new();
    for _ in 0..9 {
        let connection = connect(&recorder);
        say(&connection, Received, &text).await;
        recorder.flush().expect("flushed");
        recorders.push(connection);
    }
    assert_eq!(connections(directory.path()).len(), 9);
    recorder.set_retention(Retention {
        days: 30,
        mebibytes: 4,
    });
    while rows(&recorder).len() > 3 {
        recorder.flush().expect("flushed");
    }
    assert_eq!(connections(directory.path()), [7, 8, 9]);
    say(&recorders[0], Received, r#"{"method":"small"}"#).await;
    recorder.flush().expect("flushed");
    assert_eq!(connections(directory.path()), [1, 7, 8, 9]);
    recorder.clear().expect("cleared");
    assert_eq!(connections(directory.path()), [9], "its number is taken");
    say(&recorders[1], Received, r#"{"method":"small"}"#).await;
    recorder.close();
    drop((recorder, recorders));
    let recorder = open(directory.path());
    let names: Vec<String> = rows(&recorder).into_iter().map(|row| row.server).collect();
    assert_eq!(names, ["Demo"]);
}

#[tokio::test]
async fn what_one_server_said_is_removed_and_the_rest_stays_as_it_is() {
    let directory = TempDir::new().expect("a directory");
    let recorder = open(directory.path());
    let other = ServerId::new("mcp-json", "other");
    let demo = connect(&recorder);
    let talker = recorder.start_connection(other.clone(), "other", Redactor::default());
    let large = "y".repeat(100_000);
    for index in 0..40 {
        say(&demo, Sent, &call(index, "echo")).await;
        say(&talker, Sent, &call(index, "whisper")).await;
        say(&talker, Received, &result(index, &large)).await;
        say(&demo, Received, &result(index, "kept")).await;
        if index % 10 == 0 {
            recorder.flush().expect("flushed");
        }
    }
    say(&talker, Sent, &call(99, "whisper")).await;
    let kept: Vec<_> = rows(&recorder)
        .into_iter()
        .filter(|row| row.server == "Demo")
        .collect();
    assert_eq!(matching(&recorder, "whisper").len(), 41);
    let secret = rows(&recorder).last().expect("a row").request_frame;
    recorder.clear_server(&other).expect("cleared");
    assert_eq!(rows(&recorder), kept);
    assert_eq!(matching(&recorder, "whisper"), [0; 0]);
    assert_eq!(matching(&recorder, "kept").len(), 40);
    assert!(matches!(
        recorder.payload(secret),
        Err(RecordError::NoSuchFrame(_))
    ));
    assert_eq!(recorder.state().frames, 80);

    // The connection goes on, also with the answer to what was removed.
    say(&talker, Received, &result(99, "late")).await;
    say(&talker, Sent, &call(100, "again")).await;
    assert_eq!(matching(&recorder, "again").len(), 1);
    recorder.clear_server(&other).expect("cleared once more");
    recorder.close();
    drop((recorder, demo, talker));
    let recorder = open(directory.path());
    assert_eq!(rows(&recorder).len(), 40);
    assert_eq!(matching(&recorder, "kept").len(), 40);
    let size = fs::metadata(directory.path().join(FILE_NAME)).expect("the database");
    assert!(size.len() < 1 << 20, "{} bytes", size.len());
    say(&connect(&recorder), Sent, &call(1, "more")).await;
    assert_eq!(rows(&recorder).len(), 41);
}
