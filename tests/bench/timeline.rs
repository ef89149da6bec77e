//! The timeline of a hundred thousand operations.

use std::{
    fs::File,
    io::{BufWriter, Write},
    path::Path,
    sync::Arc,
};

use serde::Deserialize;
use serde_json::json;
use sightglass_tests::window::{AppWindow, Locator};

use crate::{
    figures::{Aim, Figures},
    page,
    setting::{Outcome, Setting, directories},
    statistics::{largest, median},
};

const OPERATIONS: u64 = 100_000;
/// Servers that they are spread over.
const SERVERS: u64 = 10;
/// Milliseconds between two operations.
const INTERVAL: u64 = 20;
const START: u64 = 1_760_000_000_000;

#[derive(Deserialize)]
struct Zoomed {
    /// The longest time between two frames, in milliseconds.
    stall: f64,
    frames: u32,
}

/// Measures the first paint, and the stalls while it is zoomed and moved.
pub async fn measure(setting: &Setting, figures: &mut Figures) -> Outcome {
    let directories = directories(json!({}))?;
    let path = directories.home().join("operations.ndjson");
    write(&path)?;
    let heading = Locator::role("heading").named("operations.ndjson");
    let (mut painted, mut stalls, mut frames) = (Vec::new(), Vec::new(), Vec::new());
    for _ in 0..setting.runs {
        let arguments = [path.display().to_string()];
        let window = AppWindow::open_with(Arc::clone(&directories), &arguments, &heading).await?;
        window.resize(1440, 900).await?;
        let shown = page::measure(&window, "showTimeline(given)", json!(OPERATIONS)).await?;
        painted.push(shown);
        let zoomed: Zoomed = page::measure(&window, "zoomTimeline()", json!(null)).await?;
        stalls.push(zoomed.stall);
        frames.push(f64::from(zoomed.frames));
        window.close().await?;
    }
    figures.add(
        "timeline_100000_operations_first_paint_ms",
        median(&painted),
        Aim::AtMost(300.0),
    );
    figures.add(
        "timeline_100000_operations_zoom_longest_stall_ms",
        largest(&stalls),
        Aim::AtMost(50.0),
    );
    figures.add(
        "timeline_100000_operations_zoom_frames",
        median(&frames),
        Aim::Reference,
    );
    Ok(())
}

/// Writes calls of several servers that overlap.
fn write(path: &Path) -> std::io::Result<()> {
    let mut file = BufWriter::new(File::create(path)?);
    writeln!(
        file,
        r#"{{"v":2,"dir":"meta","format":"sightglass-session","application":"bench","ts":0}}"#
    )?;
    for server in 1..=SERVERS {
        writeln!(
            file,
            r#"{{"v":2,"dir":"meta","conn":{server},"server":{{"id":"mcp-json:s{server}","name":"s{server}"}}}}"#
        )?;
    }
    let mut sent = 0;
    let mut message = |connection: u64, at: u64, to: &str, kind: &str, raw: &str| {
        sent += 1;
        let raw = serde_json::Value::from(raw);
        writeln!(
            file,
            r#"{{"v":2,"seq":{sent},"conn":{connection},"ts":{},"dir":"{to}",{kind},"raw":{raw}}}"#,
            START + at
        )
    };
    // What is answered later comes later in the file: a call lasts for as many intervals.
    let lasts = |number: u64| 1 + number * 7 % 40;
    let mut open: Vec<Vec<u64>> = vec![Vec::new(); 64];
    for number in 0..OPERATIONS + 41 {
        let slot = usize::try_from(number % 64).unwrap_or_default();
        for ended in std::mem::take(&mut open[slot]) {
            let raw = format!(r#"{{"jsonrpc":"2.0","id":{ended},"result":{{"content":[]}}}}"#);
            let connection = 1 + ended % SERVERS;
            message(
                connection,
                number * INTERVAL,
                "s2c",
                r#""kind":"request""#,
                &raw,
            )?;
        }
        if number >= OPERATIONS {
            continue;
        }
        let raw = format!(
            r#"{{"jsonrpc":"2.0","id":{number},"method":"tools/call","params":{{"name":"tool_{}"}}}}"#,
            number % 17
        );
        let kind = r#""kind":"request","method":"tools/call""#;
        message(
            1 + number % SERVERS,
            number * INTERVAL + 1,
            "c2s",
            kind,
            &raw,
        )?;
        let end = usize::try_from((number + lasts(number)) % 64).unwrap_or_default();
        open[end].push(number);
    }
    writeln!(
        file,
        r#"{{"v":2,"dir":"meta","end":{{"frames":{}}}}}"#,
        OPERATIONS * 2
    )?;
    file.flush()
}
