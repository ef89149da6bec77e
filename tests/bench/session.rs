//! Opening a session file of a million frames.

use std::{
    fs::File,
    io::{BufWriter, Write},
    path::Path,
    time::{Duration, Instant},
};

use serde_json::json;
use sightglass_inspector::{TrafficQuery, view::SessionState};
use tempfile::TempDir;

use crate::{
    figures::{Aim, Figures},
    host::Host,
    setting::{Outcome, Setting},
};

const FRAMES: u32 = 1_000_000;
const PAGE: u32 = 100;

/// Measures the time until the first rows are there, and until all are.
pub async fn measure(_: &Setting, figures: &mut Figures) -> Outcome {
    let directory = TempDir::with_prefix("sightglass-bench-")?;
    let path = directory.path().join("session.ndjson");
    write(&path)?;
    let host = Host::open(json!({}))?;
    let begun = Instant::now();
    let session = host.inspector.record.sessions.open_session(&path).await?;
    let record = host.inspector.record.sessions.session_record(session.id)?;
    loop {
        let page = record.window(TrafficQuery::default(), 0, PAGE).await?;
        if page.rows.len() == PAGE as usize {
            break;
        }
        tokio::time::sleep(Duration::from_millis(1)).await;
    }
    figures.add(
        "session_file_1000000_first_rows_ms",
        begun.elapsed().as_secs_f64() * 1000.0,
        Aim::AtMost(1000.0),
    );
    loop {
        let sessions = host.inspector.record.sessions.sessions();
        match sessions.first().map(|session| &session.state) {
            Some(SessionState::Loading) => tokio::time::sleep(Duration::from_millis(20)).await,
            Some(SessionState::Loaded) => break,
            other => return Err(format!("the file was not read: {other:?}").into()),
        }
    }
    figures.add(
        "session_file_1000000_loaded_ms",
        begun.elapsed().as_secs_f64() * 1000.0,
        Aim::Reference,
    );
    let begun = Instant::now();
    let report = host
        .inspector
        .record
        .sessions
        .check_session(Some(session.id))
        .await?;
    if report.frames < FRAMES {
        return Err(format!("only {} frames were checked", report.frames).into());
    }
    figures.add(
        "session_file_1000000_checks_ms",
        begun.elapsed().as_secs_f64() * 1000.0,
        Aim::Reference,
    );
    host.inspector.shutdown().await;
    Ok(())
}

fn write(path: &Path) -> std::io::Result<()> {
    let mut file = BufWriter::new(File::create(path)?);
    writeln!(
        file,
        r#"{{"v":2,"dir":"meta","format":"sightglass-session","application":"bench","ts":0}}"#
    )?;
    for number in 1..=FRAMES / 2 {
        let (asked, answered) = (2 * number - 1, 2 * number);
        writeln!(
            file,
            r#"{{"v":2,"seq":{asked},"conn":1,"ts":{asked},"dir":"c2s","kind":"request","method":"tools/call","raw":"{{\"jsonrpc\":\"2.0\",\"id\":{number},\"method\":\"tools/call\",\"params\":{{\"name\":\"echo\",\"arguments\":{{\"message\":\"the quick brown fox\"}}}}}}"}}"#
        )?;
        writeln!(
            file,
            r#"{{"v":2,"seq":{answered},"conn":1,"ts":{answered},"dir":"s2c","kind":"request","raw":"{{\"jsonrpc\":\"2.0\",\"id\":{number},\"result\":{{\"content\":[{{\"type\":\"text\",\"text\":\"the quick brown fox\"}}]}}}}"}}"#
        )?;
    }
    writeln!(
        file,
        r#"{{"v":2,"dir":"meta","end":{{"frames":{FRAMES}}}}}"#
    )?;
    file.flush()
}
