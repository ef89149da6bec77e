//! Faults of the disk: connections go on and what can be kept is kept.

use std::fs;

use sightglass_model::ServerId;
use sightglass_secrets::Redactor;
use tempfile::TempDir;

use super::{call, connect, matching, open, put, result, rows, say};
use crate::{
    Direction::{Received, Sent},
    Outcome, Recorder, RecorderOptions,
    store::{FILE_NAME, Limits},
};

#[tokio::test]
async fn a_full_disk_turns_recording_off_and_a_retry_writes_what_is_in_memory() {
    let directory = TempDir::new().expect("a directory");
    let recorder = Recorder::open_within(
        RecorderOptions::in_directory(directory.path()),
        Limits { pages: Some(40) },
    );
    let connection = connect(&recorder);
    say(&connection, Sent, &call(1, "early")).await;
    recorder.flush().expect("flushed");
    let filler = format!(r#"{{"method":"fill","params":"{}"}}"#, "x".repeat(600_000));
    let last = say(&connection, Received, &filler).await;
    assert!(recorder.flush().is_err());
    let state = recorder.state();
    assert_eq!(
        state.off.as_deref(),
        Some("The disk is full. Free some space, then restart recording.")
    );
    assert_eq!(state.dropped, 1);
    say(&connection, Received, &result(1, "while off")).await;
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
    drop((recorder, connection));
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
    let connection = connect(&recorder);
    let off = recorder.state().off.expect("off");
    assert!(off.contains("cannot be written to"), "{off}");
    let call_frame = say(&connection, Sent, &call(1, "echo")).await;
    say(&connection, Received, &result(1, "hi")).await;
    assert_eq!(rows(&recorder)[0].outcome, Outcome::Ok);
    assert_eq!(matching(&recorder, "hi"), [call_frame]);
    assert_eq!(recorder.state().dropped, 2);
    fs::remove_file(&blocked).expect("removed");
    recorder.retry().expect("works again");
    assert_eq!(recorder.state().off, None);
    assert_eq!(recorder.state().dropped, 0);
    assert_eq!(rows(&recorder).len(), 1);
    drop((recorder, connection));
    let after = rows(&open(&blocked));
    assert_eq!((after.len(), after[0].server.as_str()), (1, "Demo"));
}

#[tokio::test]
async fn two_programs_do_not_share_a_record() {
    let directory = TempDir::new().expect("a directory");
    let first = open(directory.path());
    let connection = connect(&first);
    for id in 0..5 {
        say(&connection, Sent, &call(id, "first")).await;
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
    connection.ended();
    drop((first, connection));
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
    let connection = connect(&recorder);
    say(&connection, Sent, &call(1, "echo")).await;
    recorder.flush().expect("flushed");
}

#[tokio::test]
async fn what_is_lost_while_off_leaves_a_gap_and_nothing_else() {
    let directory = TempDir::new().expect("a directory");
    let recorder = Recorder::open_within(
        RecorderOptions::in_directory(directory.path()),
        Limits { pages: Some(60) },
    );
    let connection = connect(&recorder);
    say(&connection, Sent, &call(1, "kept")).await;
    recorder.flush().expect("flushed");
    let filler = format!(r#"{{"method":"fill","params":"{}"}}"#, "x".repeat(8 << 20));
    say(&connection, Received, &filler).await;
    assert!(recorder.flush().is_err());
    for _ in 0..11 {
        say(&connection, Received, &filler).await;
    }
    let all = rows(&recorder);
    assert!(all.len() > 4 && all.len() < 12, "{} rows", all.len());
    assert_eq!(all[0].target, "kept");
    assert_eq!(recorder.state().dropped, 12);
    assert_eq!(matching(&recorder, "kind:request"), [1]);
    assert_eq!(matching(&recorder, "method:fill").len(), all.len() - 1);
}

#[tokio::test]
async fn recording_goes_on_by_itself_when_another_program_lets_the_database_go() {
    let directory = TempDir::new().expect("a directory");
    let recorder = open(directory.path());
    let connection = connect(&recorder);
    say(&connection, Sent, &call(1, "early")).await;
    recorder.flush().expect("flushed");
    let other = rusqlite::Connection::open(directory.path().join(FILE_NAME)).expect("opened");
    other.execute_batch("BEGIN IMMEDIATE").expect("locked");
    say(&connection, Received, &result(1, "meanwhile")).await;
    assert!(recorder.flush().is_err());
    let off = recorder.state().off.expect("off");
    assert!(off.contains("resumes automatically"), "{off}");
    other.execute_batch("ROLLBACK").expect("let go");
    while recorder.state().off.is_some() {
        std::thread::sleep(std::time::Duration::from_millis(50));
    }
    recorder.flush().expect("flushed");
    assert_eq!(matching(&recorder, "meanwhile").len(), 1);
    assert_eq!(matching(&recorder, "after an automatic retry").len(), 1);
}

#[tokio::test]
async fn a_defect_of_the_writer_is_said_and_recording_goes_on_by_itself() {
    let directory = TempDir::new().expect("a directory");
    let recorder = open(directory.path());
    let connection = connect(&recorder);
    say(&connection, Sent, &call(1, "before")).await;
    recorder.flush().expect("flushed");
    recorder.panic();
    let said = loop {
        if let Some(said) = recorder.state().off {
            break said;
        }
        tokio::task::yield_now().await;
    };
    assert!(said.contains("a defect"), "{said}");
    assert!(recorder.flush().is_err(), "nothing is written meanwhile");
    say(&connection, Received, &result(1, "meanwhile")).await;
    while recorder.state().off.is_some() {
        tokio::time::sleep(std::time::Duration::from_millis(10)).await;
    }
    recorder.flush().expect("flushed");
    recorder.close();
    drop((recorder, connection));
    let recorder = open(directory.path());
    assert_eq!(matching(&recorder, "before status:ok").len(), 1);
    assert_eq!(matching(&recorder, "works again").len(), 1);
}
