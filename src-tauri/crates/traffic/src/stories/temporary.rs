//! A record that nobody reads afterwards costs nothing that nobody asked for.

use tempfile::TempDir;

use super::{call, connect, result, rows, say};
use crate::{
    Direction::{Received, Sent},
    Outcome, Recorder, RecorderOptions,
    store::FILE_NAME,
};

fn open(directory: &TempDir) -> Recorder {
    Recorder::open(RecorderOptions {
        is_temporary: true,
        ..RecorderOptions::in_directory(directory.path())
    })
}

#[tokio::test]
async fn a_temporary_record_of_one_call_is_read_and_makes_no_file() {
    let directory = TempDir::new().expect("a directory");
    let recorder = open(&directory);
    let connection = connect(&recorder);
    say(&connection, Sent, &call(1, "echo")).await;
    say(&connection, Received, &result(1, "hello")).await;
    let read = rows(&recorder);
    assert_eq!(read.len(), 1);
    assert_eq!(read[0].outcome, Outcome::Ok);
    assert_eq!(recorder.state().off, None);
    recorder.close();
    let files = directory.path().read_dir().expect("a directory").count();
    assert_eq!(files, 0);
}

#[tokio::test]
async fn a_temporary_record_is_written_when_it_is_asked_for() {
    let directory = TempDir::new().expect("a directory");
    let recorder = open(&directory);
    let connection = connect(&recorder);
    let before = say(&connection, Sent, &call(1, "echo")).await;
    recorder.flush().expect("flushed");
    assert!(directory.path().join(FILE_NAME).exists());
    let after = say(&connection, Received, &result(1, "hello")).await;
    recorder.flush().expect("flushed");
    assert_eq!((before, after), (1, 2));
    assert_eq!(rows(&recorder).len(), 1);
    assert_eq!(recorder.state().frames, 2);
}
