//! Searching a record of a million frames, opened anew as after a restart.

use std::time::{Duration, Instant};

use bytes::Bytes;
use serde_json::json;
use sightglass_inspector::{ServerId, TrafficPage, TrafficQuery};
use sightglass_secrets::Redactor;
use sightglass_traffic::{Direction, Recorder, RecorderOptions};
use tempfile::TempDir;

use crate::{
    figures::{Aim, Figures},
    setting::{Outcome, Setting},
    statistics::median,
};

const FRAMES: u32 = 1_000_000;
const PAGE: u32 = 100;

/// Words that stand in every frame; each is searched for once, as answers are remembered.
const COMMON: [&str; 3] = ["quick", "brown", "lazy"];
/// Words that stand in three frames each.
const RARE: [&str; 3] = ["needle", "thimble", "bodkin"];

pub async fn measure(_: &Setting, figures: &mut Figures) -> Outcome {
    let directory = TempDir::with_prefix("sightglass-bench-")?;
    let seconds = fill(directory.path().to_owned()).await?;
    figures.add("record_1000000_frames_ms", seconds * 1000.0, Aim::Reference);
    let size = std::fs::read_dir(directory.path())?
        .flatten()
        .filter_map(|entry| entry.metadata().ok())
        .map(|data| data.len())
        .sum::<u64>();
    #[expect(clippy::cast_precision_loss, reason = "a file's size fits 53 bits")]
    figures.add(
        "record_1000000_frames_disk_mb",
        size as f64 / 1e6,
        Aim::AtMost(80.0),
    );

    let path = directory.path().to_owned();
    let searched =
        tokio::task::spawn_blocking(move || search(&Recorder::open(options(path)))).await?;
    let (common, rare, all) = searched.map_err(|error| error.to_string())?;
    figures.add(
        "search_1000000_common_word_first_page_ms",
        median(&common),
        Aim::AtMost(200.0),
    );
    figures.add(
        "search_1000000_rare_word_first_rows_ms",
        median(&rare),
        Aim::AtMost(200.0),
    );
    figures.add(
        "search_1000000_rare_word_complete_ms",
        median(&all),
        Aim::Reference,
    );
    Ok(())
}

fn options(directory: std::path::PathBuf) -> RecorderOptions {
    RecorderOptions::in_directory(directory)
}

/// Records the frames, as fast as they are taken, and says how many seconds that took.
async fn fill(directory: std::path::PathBuf) -> Outcome<f64> {
    let recorder = Recorder::open(options(directory));
    let connection =
        recorder.start_connection(ServerId::new("mcp-json", "load"), "load", Redactor::new([]));
    let started = Instant::now();
    for number in 0..FRAMES {
        let rare = RARE
            .iter()
            .zip([3, 5, 7])
            .find(|(_, offset)| {
                [100_000, 500_000, 900_000].contains(&(number - number.min(*offset)))
            })
            .map_or("", |(word, _)| *word);
        let message = json!({
            "jsonrpc": "2.0",
            "method": "notifications/message",
            "params": { "level": "info", "logger": "bench", "data": {
                "seq": number,
                "text": format!("the quick brown fox jumps over the lazy dog {rare}"),
            } },
        });
        connection
            .message(Direction::Received, &Bytes::from(message.to_string()), None)
            .await;
    }
    connection.ended();
    tokio::task::spawn_blocking(move || recorder.flush()).await??;
    Ok(started.elapsed().as_secs_f64())
}

type Durations = Vec<f64>;

/// Milliseconds until the first page of common words, the first rows of rare ones, and the end
/// of the search for those.
fn search(
    recorder: &Recorder,
) -> Result<(Durations, Durations, Durations), sightglass_traffic::RecordError> {
    let (mut common, mut first, mut complete) = (Vec::new(), Vec::new(), Vec::new());
    for word in COMMON {
        common.push(until(recorder, word, |page| {
            page.rows.len() >= PAGE as usize
        })?);
    }
    for word in RARE {
        first.push(until(recorder, word, |page| !page.rows.is_empty())?);
    }
    for word in RARE {
        // Longer texts that are in the same frames are searched for anew.
        let text = format!("dog {word}");
        complete.push(until(recorder, &format!("\"{text}\""), |page| {
            page.complete
        })?);
    }
    Ok((common, first, complete))
}

fn until(
    recorder: &Recorder,
    filter: &str,
    enough: impl Fn(&TrafficPage) -> bool,
) -> Result<f64, sightglass_traffic::RecordError> {
    let query = TrafficQuery {
        filter: filter.to_owned(),
        ..TrafficQuery::default()
    };
    let started = Instant::now();
    loop {
        let page = recorder.page(&query, 0, PAGE)?;
        if enough(&page) || page.complete {
            return Ok(started.elapsed().as_secs_f64() * 1000.0);
        }
        std::thread::sleep(Duration::from_millis(1));
    }
}
