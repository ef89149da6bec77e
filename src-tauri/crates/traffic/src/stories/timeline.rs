//! Operations stand on lanes over time, also after a restart and while more come in.

use bytes::Bytes;
use sightglass_model::ExchangeId;
use tempfile::TempDir;

use super::{call, connect, open, result, say};
use crate::{
    Direction::{Received, Sent},
    EdgeKind, Outcome, RecordError, Recorder, Timeline, TimelineQuery, TimelineStep, TimelineTrack,
    TrafficQuery,
};

fn asked(filter: &str) -> TimelineQuery {
    TimelineQuery {
        query: TrafficQuery {
            filter: filter.to_owned(),
            quiet: true,
            ..TrafficQuery::default()
        },
        time: None,
        width: 1000,
        first_lane: 0,
        lanes: 100,
        marked: Vec::new(),
        buckets: 100,
    }
}

fn timeline(recorder: &Recorder, query: &TimelineQuery) -> Timeline {
    loop {
        let timeline = recorder.timeline(query).expect("a timeline");
        if timeline.complete {
            return timeline;
        }
    }
}

/// Operations that are drawn, with the number of each bin.
fn drawn(timeline: &Timeline) -> u32 {
    let bars = u32::try_from(timeline.bars.len()).expect("few");
    bars + timeline.bins.iter().map(|bin| bin.count).sum::<u32>()
}

const ASK: &str =
    r#"{"id":1,"method":"tools/call","params":{"name":"ask","_meta":{"progressToken":1}}}"#;
const PROGRESS: &str =
    r#"{"method":"notifications/progress","params":{"progressToken":1,"progress":1}}"#;
const QUESTION: &str = r#"{"id":1,"method":"elicitation/create","params":{"message":"?"}}"#;

#[tokio::test]
async fn an_operation_stands_once_and_is_open_until_its_answer_comes() {
    let directory = TempDir::new().expect("a directory");
    let recorder = open(directory.path());
    let empty = timeline(&recorder, &asked(""));
    assert_eq!((empty.whole, empty.total, drawn(&empty)), (None, 0, 0));

    let connection = connect(&recorder);
    let ask = say(&connection, Sent, ASK).await;
    say(&connection, Received, PROGRESS).await;
    let question = say(&connection, Received, QUESTION).await;
    let pending = timeline(&recorder, &asked(""));
    assert_eq!(pending.total, 1);
    let [track] = pending.tracks.as_slice() else {
        panic!("one track: {:?}", pending.tracks);
    };
    assert_eq!((track.track, track.count), (TimelineTrack::Sent, 1));
    let mut marked = asked("");
    marked.marked = vec![ExchangeId(ask)];
    let open_bar = timeline(&recorder, &marked).bars.remove(0);
    assert_eq!((open_bar.to, open_bar.outcome), (None, Outcome::Pending));

    say(
        &connection,
        Sent,
        r#"{"id":1,"result":{"action":"accept"}}"#,
    )
    .await;
    say(&connection, Received, &result(1, "done")).await;
    let over = timeline(&recorder, &marked);
    assert_eq!(over.total, 1);
    assert!(over.bars.first().is_some_and(|bar| bar.to.is_some()));

    let parts = recorder
        .timeline_operation(ExchangeId(question))
        .expect("an operation");
    assert_eq!(parts.operation.root.id, ExchangeId(ask));
    let shape: Vec<_> = parts
        .parts
        .iter()
        .map(|part| (part.parent, part.edge.map(|edge| edge.kind), part.person))
        .collect();
    assert_eq!(
        shape,
        [
            (None, None, false),
            (Some(0), Some(EdgeKind::Progress), false),
            (Some(0), Some(EdgeKind::Question), true),
        ]
    );
    let path: Vec<u32> = parts
        .critical_path
        .iter()
        .map(|section| section.part)
        .collect();
    assert!(path.contains(&2), "{path:?}");
    assert!(matches!(
        recorder.timeline_operation(ExchangeId(9_999)),
        Err(RecordError::NoSuchExchange(_))
    ));
    recorder.close();
}

#[tokio::test]
async fn what_comes_in_is_added_and_a_filter_leaves_out_also_after_a_restart() {
    let directory = TempDir::new().expect("a directory");
    let recorder = open(directory.path());
    let connection = connect(&recorder);
    for id in 1..=50 {
        say(&connection, Sent, &call(id, "first")).await;
        say(&connection, Received, &result(id, "a")).await;
        let shown = timeline(&recorder, &asked(""));
        assert_eq!((shown.total, drawn(&shown)), (id, id));
    }
    say(&connection, Sent, &call(51, "second")).await;
    say(
        &connection,
        Received,
        r#"{"jsonrpc":"2.0","id":51,"error":{"code":-1,"message":"no"}}"#,
    )
    .await;
    let failed = timeline(&recorder, &asked("tool:second"));
    assert_eq!((failed.total, drawn(&failed)), (1, 1));
    let worst = failed
        .overview
        .iter()
        .any(|bucket| bucket.outcome == Outcome::Error);
    assert!(worst);
    assert_eq!(timeline(&recorder, &asked("no such words")).total, 0);

    let query = asked("").query;
    let newest = recorder
        .timeline_step(&query, None, TimelineStep::Next)
        .expect("a step")
        .expect("an operation");
    let before = recorder
        .timeline_step(&query, Some(newest.operation), TimelineStep::Previous)
        .expect("a step")
        .expect("an operation");
    assert!(before.operation < newest.operation);

    recorder.flush().expect("written");
    recorder.close();
    drop(recorder);
    let reopened = open(directory.path());
    assert_eq!(timeline(&reopened, &asked("")).total, 51);
    reopened.clear().expect("cleared");
    assert_eq!(timeline(&reopened, &asked("")).total, 0);
    reopened.close();
}

#[tokio::test]
async fn times_from_a_stranger_and_names_of_any_length_are_no_trouble() {
    let directory = TempDir::new().expect("a directory");
    let recorder = open(directory.path());
    let connection = connect(&recorder);
    let long = "n".repeat(100_000);
    let text = Bytes::from(call(1, &long));
    connection.message(Sent, &text, None).await;
    say(&connection, Received, &result(1, "a")).await;
    for (from, to) in [
        (f64::NAN, 5.0),
        (f64::NEG_INFINITY, f64::INFINITY),
        (5.0, -5.0),
        (f64::MIN, f64::MAX),
        (0.0, f64::MIN_POSITIVE),
    ] {
        let mut query = asked("");
        query.time = Some(crate::TimeSpan {
            from: sightglass_model::Timestamp::from_millis(from),
            to: sightglass_model::Timestamp::from_millis(to),
        });
        (query.width, query.lanes, query.buckets) = (u32::MAX, u32::MAX, u32::MAX);
        query.marked = (1..5_000).map(ExchangeId).collect();
        let answer = timeline(&recorder, &query);
        assert!(answer.bars.iter().all(|bar| bar.label.len() <= 1_000));
        assert!(answer.overview.len() <= 4_096);
    }
    recorder.close();
}
