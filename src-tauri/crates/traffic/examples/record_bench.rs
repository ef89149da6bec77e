//! Prints what the recorder costs: `cargo run --release -p sightglass-traffic --example record_bench`.

use std::{cell::Cell, error::Error, time::Instant};

use bytes::Bytes;
use sightglass_model::ServerId;
use sightglass_secrets::Redactor;
use sightglass_traffic::{
    Direction, PayloadForm, PayloadQuery, Recorder, RecorderOptions, TrafficQuery,
};

const FLOOD: u32 = 100_000;
const MILLION: u32 = 1_000_000;

fn main() -> Result<(), Box<dyn Error>> {
    let runtime = tokio::runtime::Builder::new_current_thread().build()?;
    runtime.block_on(run())
}

async fn run() -> Result<(), Box<dyn Error>> {
    let directory = std::env::temp_dir().join(format!("record-bench-{}", std::process::id()));
    let opened = Started::now();
    let recorder = Recorder::open(RecorderOptions::in_directory(&directory));
    report("open a new record", milliseconds(opened), "ms");
    let connection =
        recorder.start_connection(ServerId::new("bench", "load"), "Load", Redactor::default());

    let messages: Vec<Bytes> = (0..FLOOD).map(notification).collect();
    let started = Started::now();
    for message in &messages {
        connection.message(Direction::Received, message, None).await;
    }
    let taped = milliseconds(started);
    recorder.flush()?;
    let written = milliseconds(started);
    report(
        "recorder, per notification",
        taped * 1000.0 / f64::from(FLOOD),
        "us",
    );
    report("100,000 notifications until on disk", written, "ms");
    report("writer", f64::from(FLOOD) / written * 1000.0, "frames/s");

    let started = Started::now();
    let mut index = FLOOD;
    while index < MILLION {
        let message = if index.is_multiple_of(10) {
            connection
                .message(Direction::Sent, &request(index), None)
                .await;
            index += 1;
            response(index - 1)
        } else if index == 250_005 {
            Bytes::from_static(br#"{"jsonrpc":"2.0","method":"notifications/message","params":{"level":"info","data":"the Needle"}}"#)
        } else {
            notification(index)
        };
        connection
            .message(Direction::Received, &message, None)
            .await;
        index += 1;
    }
    recorder.flush()?;
    report(
        "900,000 mixed frames until on disk",
        milliseconds(started),
        "ms",
    );
    report(
        "size on disk",
        recorder.state().size.as_u64() as f64 / 1_048_576.0,
        "MiB",
    );

    for filter in [
        "",
        "notifications",
        "needle",
        "absent-from-everything",
        "é-not-there",
        "status:error",
        "dur:>10s",
        "method:tools/call",
        "echo -needle status:ok",
    ] {
        search(&recorder, filter)?;
    }

    let large = large_result();
    let size = large.len() as f64 / 1_048_576.0;
    let started = Started::now();
    let recorded = connection.message(Direction::Received, &large, None).await;
    report(
        &format!("recorder, one message of {size:.0} MiB"),
        milliseconds(started),
        "ms",
    );
    for (name, flush) in [("queue", false), ("disk", true)] {
        if flush {
            recorder.flush()?;
        }
        for form in [PayloadForm::Pretty, PayloadForm::Raw] {
            let query = PayloadQuery {
                frame: recorded.frame,
                pointer: if flush {
                    String::new()
                } else {
                    "/result".to_owned()
                },
                form,
            };
            let started = Started::now();
            let page = recorder.lines(&query, 0, 100)?;
            report(
                &format!("first page, {form:?}, from {name}"),
                milliseconds(started),
                "ms",
            );
            let started = Started::now();
            recorder.lines(&query, page.total_lines / 2, 100)?;
            report("  a page in the middle", milliseconds(started), "ms");
        }
    }
    let started = Started::now();
    recorder.close();
    report("close", milliseconds(started), "ms");
    drop((recorder, connection));
    let started = Started::now();
    let recorder = Recorder::open(RecorderOptions::in_directory(&directory));
    report(
        "open a record of a million frames",
        milliseconds(started),
        "ms",
    );
    search(&recorder, "needle")?;
    drop(recorder);
    std::fs::remove_dir_all(&directory)?;
    Ok(())
}

fn search(recorder: &Recorder, filter: &str) -> Result<(), Box<dyn Error>> {
    let query = TrafficQuery {
        filter: filter.to_owned(),
        ..TrafficQuery::default()
    };
    let started = Started::now();
    let mut page = recorder.page(&query, 0, 100)?;
    let mut first_page = milliseconds(started);
    while !page.complete {
        let is_first_page = page.rows.len() < 100;
        page = recorder.page(&query, 0, 100)?;
        if is_first_page {
            first_page = milliseconds(started);
        }
    }
    let finished = milliseconds(started);
    let cpu = CPU_AT_END.get();
    let started = Started::now();
    recorder.page(&query, 0, 100)?;
    println!(
        "search {filter:24} {:>9} rows  first page {first_page:8.1} ms  all {finished:8.1} ms (CPU {cpu:7.1})  again {:6.2} ms",
        page.total,
        milliseconds(started),
    );
    Ok(())
}

fn notification(index: u32) -> Bytes {
    format!(
        r#"{{"jsonrpc":"2.0","method":"notifications/message","params":{{"level":"info","logger":"load","data":"message number {index} of a flood that is as fast as the pipe"}}}}"#
    )
    .into()
}

fn request(index: u32) -> Bytes {
    format!(
        r#"{{"jsonrpc":"2.0","id":{index},"method":"tools/call","params":{{"name":"echo","arguments":{{"text":"hello {index}"}}}}}}"#
    )
    .into()
}

fn response(index: u32) -> Bytes {
    format!(
        r#"{{"jsonrpc":"2.0","id":{index},"result":{{"content":[{{"type":"text","text":"hello {index}"}}],"isError":false}}}}"#
    )
    .into()
}

/// 50 MB of small values: the hardest kind to lay out.
fn large_result() -> Bytes {
    let mut text = String::from(r#"{"jsonrpc":"2.0","id":1,"result":{"items":["#);
    let mut index = 0;
    while text.len() < 50_000_000 {
        if index > 0 {
            text.push(',');
        }
        text.push_str(&format!(
            r#"{{"id":{index},"name":"item {index}","tags":["a","b"],"price":{index}.50,"nested":{{"ok":true,"note":null}}}}"#
        ));
        index += 1;
    }
    text.push_str("]}}");
    text.into()
}

fn milliseconds(since: Started) -> f64 {
    CPU_AT_END.set(cpu() - since.cpu);
    since.at.elapsed().as_secs_f64() * 1000.0
}

/// A moment, on the clock and in the CPU time of the process. The latter says what something
/// costs even where other programs take their share.
#[derive(Clone, Copy)]
struct Started {
    at: Instant,
    cpu: f64,
}

impl Started {
    fn now() -> Self {
        Self {
            cpu: cpu(),
            at: Instant::now(),
        }
    }
}

thread_local! {
    static CPU_AT_END: Cell<f64> = const { Cell::new(0.0) };
}

/// Milliseconds of CPU time of all threads so far; 0 where the system does not say (Linux does).
fn cpu() -> f64 {
    let Ok(threads) = std::fs::read_dir("/proc/self/task") else {
        return 0.0;
    };
    threads
        .filter_map(|thread| std::fs::read_to_string(thread.ok()?.path().join("schedstat")).ok())
        .filter_map(|statistics| statistics.split(' ').next()?.parse::<f64>().ok())
        .sum::<f64>()
        / 1e6
}

fn report(what: &str, value: f64, unit: &str) {
    println!(
        "{what:45} {value:12.2} {unit:10} (CPU {:8.1} ms)",
        CPU_AT_END.get()
    );
}
