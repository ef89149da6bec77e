//! Servers of one name in several projects are told apart.

use std::path::Path;

use sightglass_model::ServerId;
use tempfile::TempDir;

use super::{asked, call, connect, matching, open, rows, say};
use crate::{Direction::Sent, ExchangeRow, RecordError, RecordedFrame, Recorder, TrafficQuery};

/// Records one call in each of two projects, and one without a project.
async fn record(recorder: &Recorder) {
    for project in ["/new/api", "/old/api"] {
        let recorder = recorder.in_project(Path::new(project));
        say(&connect(&recorder), Sent, &call(1, project)).await;
    }
    say(&connect(recorder), Sent, &call(1, "unknown")).await;
    recorder.flush().expect("flushed");
}

fn labels(rows: &[ExchangeRow]) -> Vec<Option<&str>> {
    rows.iter()
        .map(|row| row.project_label.as_deref())
        .collect()
}

/// The frames of the demo server that a handle has.
fn frames(recorder: &Recorder) -> Vec<u32> {
    let mut frames = Vec::new();
    recorder
        .frames(&ServerId::demo(), |frame: RecordedFrame| {
            frames.push(frame.frame.0);
            Ok::<_, RecordError>(())
        })
        .expect("frames");
    frames
}

#[tokio::test]
async fn a_row_names_its_project_where_the_server_alone_is_ambiguous() {
    let directory = TempDir::new().expect("a directory");
    let recorder = open(directory.path());
    let api = recorder.in_project(Path::new("/new/api"));
    say(&connect(&api), Sent, &call(1, "first")).await;
    assert_eq!(labels(&rows(&recorder)), [None], "there is one project");
    recorder.clear().expect("cleared");
    record(&recorder).await;
    for _ in 0..2 {
        let found = rows(&recorder);
        assert_eq!(
            labels(&found),
            [Some("new/api"), Some("old/api"), None],
            "also when they are read again"
        );
        assert_eq!(found[0].project, "/new/api");
        recorder.flush().expect("flushed");
    }
    drop(api);
    recorder.close();
    drop(recorder);
    let again = open(directory.path());
    assert_eq!(
        labels(&rows(&again)),
        [Some("new/api"), Some("old/api"), None]
    );
}

#[tokio::test]
async fn a_filter_finds_one_project() {
    let directory = TempDir::new().expect("a directory");
    let recorder = open(directory.path());
    record(&recorder).await;
    let all: Vec<u32> = rows(&recorder).iter().map(|row| row.id.0).collect();
    assert_eq!(matching(&recorder, "project:/old"), [all[1]]);
    assert_eq!(matching(&recorder, "-project:api"), [all[2]]);
    assert_eq!(matching(&recorder, "server:\"Demo · old/api\""), [all[1]]);
    assert_eq!(matching(&recorder, "server:demo"), all);
}

#[tokio::test]
async fn a_server_of_a_project_is_not_that_of_another() {
    let directory = TempDir::new().expect("a directory");
    let recorder = open(directory.path());
    record(&recorder).await;
    let all: Vec<u32> = rows(&recorder).iter().map(|row| row.id.0).collect();
    let api = recorder.in_project(Path::new("/new/api"));
    let query = TrafficQuery {
        server: Some(ServerId::demo()),
        ..TrafficQuery::default()
    };
    assert_eq!(asked(&api, &query), [all[0], all[2]]);
    assert_eq!(frames(&api).len(), 2);
    assert_eq!(asked(&recorder, &query), all);
    api.clear_server(&ServerId::demo()).expect("cleared");
    assert_eq!(
        asked(&recorder, &query),
        [all[1]],
        "the other project keeps its own"
    );
}
