//! Compares the record with the obvious alternative, one SQLite row per frame under an FTS5 index:
//! `cargo run --release -p sightglass-traffic --example storage_bench [FRAMES]`.
//!
//! The same frames go into both, a million by default: nine notifications to each request with
//! its response, and a word that stands in three of them. Both databases have the same page size,
//! journal and durability. The alternative is given what it likes best: one prepared statement,
//! [`ROWS_PER_TRANSACTION`] rows to a transaction, an index that refers to the rows instead of
//! copying their text, its tables merged and its statistics gathered before it is searched.
//!
//! Three forms of the index are measured. `trigram` answers what the record's filter answers, any
//! part of a text in any case. `unicode61` finds whole words only and stands for the least that
//! an index costs. Without an index each search reads every row.

use std::{
    error::Error,
    path::Path,
    time::{Duration, Instant},
};

use bytes::Bytes;
use rusqlite::{Connection, params};
use sightglass_model::ServerId;
use sightglass_secrets::Redactor;
use sightglass_traffic::{Direction, Recorder, RecorderOptions, TrafficQuery};
use tempfile::TempDir;

const ROWS_PER_TRANSACTION: u32 = 10_000;
const PAGE_LENGTH: u32 = 100;

/// A word of nine frames in ten, one of three frames, and one that stands nowhere.
const WORDS: [&str; 3] = ["flood", "needle", "absent-from-all"];

type Outcome<T = ()> = Result<T, Box<dyn Error>>;

/// Costs of one way to store the frames.
struct Figures {
    written: Duration,
    bytes: u64,
    /// Time until the first page of each of [`WORDS`].
    first_page: [Duration; 3],
}

fn main() -> Outcome {
    let frames = match std::env::args().nth(1) {
        Some(number) => number.parse()?,
        None => 1_000_000,
    };
    println!("{frames} frames        rows/s  bytes/frame  first page of: common    rare  absent");
    print("the record", frames, &record(frames)?);
    for tokenizer in [Some("trigram"), Some("unicode61"), None] {
        let name = tokenizer.map_or("rows, no index".to_owned(), |name| format!("FTS5 {name}"));
        print(&name, frames, &rows(frames, tokenizer)?);
    }
    Ok(())
}

fn print(name: &str, frames: u32, figures: &Figures) {
    let milliseconds = figures.first_page.map(|time| time.as_secs_f64() * 1000.0);
    println!(
        "{name:18} {:>12.0} {:>12.0} {:>18.1} ms {:>7.1} {:>7.1}",
        f64::from(frames) / figures.written.as_secs_f64(),
        figures.bytes as f64 / f64::from(frames),
        milliseconds[0],
        milliseconds[1],
        milliseconds[2],
    );
}

fn record(frames: u32) -> Outcome<Figures> {
    let directory = TempDir::with_prefix("storage-bench-")?;
    let options = RecorderOptions::in_directory(directory.path());
    let recorder = Recorder::open(options.clone());
    let connection =
        recorder.start_connection(ServerId::new("bench", "load"), "Load", Redactor::default());
    let runtime = tokio::runtime::Builder::new_current_thread().build()?;
    let started = Instant::now();
    runtime.block_on(async {
        for number in 0..frames {
            let (direction, text) = frame(number, frames);
            connection.message(direction, &text, None).await;
        }
    });
    recorder.flush()?;
    let written = started.elapsed();
    drop(connection);
    recorder.close();
    let bytes = size(directory.path())?;
    let recorder = Recorder::open(options);
    let mut first_page = [Duration::ZERO; 3];
    for (word, time) in WORDS.iter().zip(&mut first_page) {
        let query = TrafficQuery {
            filter: format!("\"{word}\""),
            ..TrafficQuery::default()
        };
        let started = Instant::now();
        loop {
            let page = recorder.page(&query, 0, PAGE_LENGTH)?;
            if page.complete || page.rows.len() == PAGE_LENGTH as usize {
                break;
            }
        }
        *time = started.elapsed();
    }
    Ok(Figures {
        written,
        bytes,
        first_page,
    })
}

fn rows(frames: u32, tokenizer: Option<&str>) -> Outcome<Figures> {
    let directory = TempDir::with_prefix("storage-bench-")?;
    let path = directory.path().join("rows.db");
    let mut database = open(&path)?;
    database.execute_batch(
        "CREATE TABLE frames (
            id INTEGER PRIMARY KEY, at REAL NOT NULL, connection INTEGER NOT NULL,
            kind INTEGER NOT NULL, direction INTEGER NOT NULL, size INTEGER NOT NULL,
            method TEXT NOT NULL, payload TEXT NOT NULL
        );",
    )?;
    if let Some(tokenizer) = tokenizer {
        database.execute_batch(&format!(
            "CREATE VIRTUAL TABLE texts USING fts5(
                payload, content = 'frames', content_rowid = 'id', detail = 'full',
                tokenize = '{tokenizer}'
            );"
        ))?;
    }
    let started = Instant::now();
    let mut number = 0;
    while number < frames {
        let end = frames.min(number + ROWS_PER_TRANSACTION);
        let transaction = database.transaction()?;
        let mut row = transaction
            .prepare_cached("INSERT INTO frames VALUES (?1, ?2, 1, ?3, ?4, ?5, ?6, ?7)")?;
        let mut text = match tokenizer {
            Some(_) => Some(
                transaction.prepare_cached("INSERT INTO texts (rowid, payload) VALUES (?1, ?2)")?,
            ),
            None => None,
        };
        for number in number..end {
            let (direction, payload) = frame(number, frames);
            let payload = std::str::from_utf8(&payload)?;
            row.execute(params![
                number,
                f64::from(number),
                1,
                direction == Direction::Received,
                payload.len() as i64,
                method(payload),
                payload,
            ])?;
            if let Some(text) = &mut text {
                text.execute(params![number, payload])?;
            }
        }
        drop((row, text));
        transaction.commit()?;
        number = end;
    }
    let written = started.elapsed();
    if tokenizer.is_some() {
        database.execute_batch("INSERT INTO texts (texts) VALUES ('optimize');")?;
    }
    database.execute_batch("PRAGMA optimize;")?;
    database.query_row("PRAGMA wal_checkpoint(TRUNCATE)", [], |_| Ok(()))?;
    drop(database);
    let bytes = size(directory.path())?;
    let database = open(&path)?;
    let mut search = database.prepare(match tokenizer {
        Some(_) => {
            "SELECT frames.* FROM texts JOIN frames ON frames.id = texts.rowid
             WHERE texts MATCH ?1 ORDER BY texts.rowid DESC LIMIT ?2"
        }
        None => "SELECT * FROM frames WHERE payload LIKE ?1 ORDER BY id DESC LIMIT ?2",
    })?;
    let mut first_page = [Duration::ZERO; 3];
    for (word, time) in WORDS.iter().zip(&mut first_page) {
        let wanted = match tokenizer {
            Some(_) => format!("\"{word}\""),
            None => format!("%{word}%"),
        };
        let started = Instant::now();
        let page = search.query_map(params![wanted, PAGE_LENGTH], |row| row.get::<_, String>(7))?;
        page.collect::<Result<Vec<_>, _>>()?;
        *time = started.elapsed();
    }
    Ok(Figures {
        written,
        bytes,
        first_page,
    })
}

/// A database with the settings of the record's own.
fn open(path: &Path) -> Outcome<Connection> {
    let database = Connection::open(path)?;
    database.pragma_update(None, "page_size", 8192)?;
    database.query_row("PRAGMA journal_mode = WAL", [], |_| Ok(()))?;
    database.pragma_update(None, "synchronous", "NORMAL")?;
    database.pragma_update(None, "wal_autocheckpoint", 2000)?;
    Ok(database)
}

fn size(directory: &Path) -> Outcome<u64> {
    let mut bytes = 0;
    for entry in std::fs::read_dir(directory)? {
        bytes += entry?.metadata()?.len();
    }
    Ok(bytes)
}

fn frame(number: u32, frames: u32) -> (Direction, Bytes) {
    let text = match number % 11 {
        9 => {
            return (
                Direction::Sent,
                format!(
                    r#"{{"jsonrpc":"2.0","id":{number},"method":"tools/call","params":{{"name":"echo","arguments":{{"text":"hello {number}"}}}}}}"#
                )
                .into(),
            );
        }
        10 => format!(
            r#"{{"jsonrpc":"2.0","id":{},"result":{{"content":[{{"type":"text","text":"hello {number}"}}],"isError":false}}}}"#,
            number - 1
        ),
        _ => {
            let rare = [frames / 10, frames / 2, frames / 10 * 9].map(|place| place / 11 * 11);
            let rare = if rare.contains(&number) {
                " needle"
            } else {
                ""
            };
            format!(
                r#"{{"jsonrpc":"2.0","method":"notifications/message","params":{{"level":"info","logger":"load","data":"message number {number}{rare} of a flood that is as fast as the pipe"}}}}"#
            )
        }
    };
    (Direction::Received, text.into())
}

/// The method of a frame, which the alternative would read no faster than the record does.
fn method(payload: &str) -> &str {
    payload
        .split_once(r#""method":""#)
        .and_then(|(_, rest)| rest.split_once('"'))
        .map_or("response", |(method, _)| method)
}
