//! Measures the queries of operations:
//! `cargo run --release -p sightglass-traffic --example operations_bench [OPERATIONS]`.
//!
//! Records calls, 100,000 by default, each with four notifications of progress and its answer, and
//! then one call with 10,000 children. The record is closed and opened again, so that the links are
//! looked up from the disk.

use std::{
    error::Error,
    time::{Duration, Instant},
};

use bytes::Bytes;
use sightglass_model::{ExchangeId, ServerId};
use sightglass_secrets::Redactor;
use sightglass_traffic::{
    ConnectionRecorder, Direction, OperationQuery, Recorder, RecorderOptions, TrafficQuery,
};
use tempfile::TempDir;

const CHILDREN: u32 = 10_000;
const PROGRESS: u32 = 4;
const PAGE_LENGTH: u32 = 100;

type Outcome<T = ()> = Result<T, Box<dyn Error>>;

fn main() -> Outcome {
    let operations = match std::env::args().nth(1) {
        Some(number) => number.parse()?,
        None => 100_000,
    };
    let directory = TempDir::with_prefix("operations-bench-")?;
    let options = RecorderOptions::in_directory(directory.path());
    let call = record(&options, operations)?;
    let recorder = Recorder::open(options);
    let query = TrafficQuery::default();

    let (first, page) = timed(|| recorder.operations(&query, 0, PAGE_LENGTH))?;
    println!(
        "{operations} operations, {} frames",
        recorder.state().frames
    );
    print("first page after a restart", first);
    let (mut longest, mut all, mut is_complete) = (first, first, page.complete);
    while !is_complete {
        let (time, page) = timed(|| recorder.operations(&query, 0, PAGE_LENGTH))?;
        longest = longest.max(time);
        all += time;
        is_complete = page.complete;
    }
    print("until the oldest is reached", all);
    print("the longest query until then", longest);
    print(
        "the newest page again",
        timed(|| recorder.operations(&query, 0, PAGE_LENGTH))?.0,
    );
    let (time, page) = timed(|| recorder.operations(&query, operations - 200, PAGE_LENGTH))?;
    print("an old page", time);
    println!("{} of {} operations", page.total, page.of);
    let filtered = TrafficQuery {
        filter: "method:notifications/progress".to_owned(),
        ..TrafficQuery::default()
    };
    while !recorder.operations(&filtered, 0, PAGE_LENGTH)?.complete {}
    print(
        "a page of a filter that all match",
        timed(|| recorder.operations(&filtered, 0, PAGE_LENGTH))?.0,
    );
    let tree = OperationQuery {
        id: ExchangeId(call),
        folded: Vec::new(),
    };
    let (time, opened) = timed(|| recorder.operation(&tree, 0, CHILDREN))?;
    print("a tree of 10,000 children, all of it", time);
    let length = serde_json::to_vec(&opened)?.len();
    println!("{} nodes, {length} bytes as JSON", opened.nodes.len());
    print(
        "the same, 100 rows of it",
        timed(|| recorder.operation(&tree, 5_000, PAGE_LENGTH))?.0,
    );
    print(
        "causes and effects of its call",
        timed(|| recorder.causality(ExchangeId(call)))?.0,
    );
    Ok(())
}

fn print(what: &str, time: Duration) {
    println!("{what:40} {:>8.1} ms", time.as_secs_f64() * 1000.0);
}

fn timed<T, E: Error + 'static>(work: impl FnOnce() -> Result<T, E>) -> Outcome<(Duration, T)> {
    let started = Instant::now();
    let done = work()?;
    Ok((started.elapsed(), done))
}

/// Records the calls and returns the frame of the one with many children.
fn record(options: &RecorderOptions, operations: u32) -> Outcome<u32> {
    let recorder = Recorder::open(options.clone());
    let server = ServerId::new("bench", "load");
    let connection = recorder.start_connection(server, "Load", Redactor::default());
    let runtime = tokio::runtime::Builder::new_current_thread().build()?;
    let call = runtime.block_on(async {
        for id in 0..operations {
            one(&connection, id, PROGRESS).await;
        }
        one(&connection, operations, CHILDREN).await
    });
    drop(connection);
    recorder.flush()?;
    recorder.close();
    Ok(call)
}

async fn one(connection: &ConnectionRecorder, id: u32, progress: u32) -> u32 {
    let request = Bytes::from(format!(
        r#"{{"jsonrpc":"2.0","id":{id},"method":"tools/call","params":{{"name":"work","arguments":{{"steps":{progress}}},"_meta":{{"progressToken":{id}}}}}}}"#
    ));
    let frame = connection
        .message(Direction::Sent, &request, None)
        .await
        .frame;
    for step in 0..progress {
        let text = Bytes::from(format!(
            r#"{{"jsonrpc":"2.0","method":"notifications/progress","params":{{"progressToken":{id},"progress":{step},"total":{progress},"message":"step {step}"}}}}"#
        ));
        connection.message(Direction::Received, &text, None).await;
    }
    let answer = Bytes::from(format!(
        r#"{{"jsonrpc":"2.0","id":{id},"result":{{"content":[{{"type":"text","text":"done with {progress} steps"}}],"isError":false}}}}"#
    ));
    connection.message(Direction::Received, &answer, None).await;
    frame.0
}
