//! Large results: until they are shown, and how long the window stands still meanwhile.

use std::time::Instant;

use serde::Deserialize;
use serde_json::json;
use sightglass_tests::window::AppWindow;

use crate::{
    bare::Bare,
    connecting::Era,
    figures::{Aim, Figures},
    page,
    setting::{Outcome, Setting, directories},
    statistics::{Turns, largest, median},
};

/// Answer of `runTool` in `page.js`, in milliseconds.
#[derive(Deserialize)]
struct Run {
    shown: f64,
    stall: f64,
}

/// Text in each result.
const PATTERN: &str = "quick brown fox";

pub async fn measure(setting: &Setting, figures: &mut Figures) -> Outcome {
    let window = open(setting).await?;
    let sizes = [("10", 300.0), ("50", 1200.0)];
    let mut runs: [Vec<Run>; 2] = [Vec::new(), Vec::new()];
    // They take turns, so that each result is another one than that shown before.
    for _ in 0..setting.runs {
        for ((size, _), runs) in sizes.iter().zip(&mut runs) {
            runs.push(run(&window, size).await?);
        }
    }
    for ((size, aim), runs) in sizes.iter().zip(&runs) {
        let shown: Vec<f64> = runs.iter().map(|run| run.shown).collect();
        let stalls: Vec<f64> = runs.iter().map(|run| run.stall).collect();
        figures.add(
            format!("result_{size}mb_shown_ms"),
            median(&shown),
            Aim::AtMost(*aim),
        );
        figures.add(
            format!("result_{size}mb_longest_stall_ms"),
            largest(&stalls),
            Aim::AtMost(50.0),
        );
    }
    figures.add(
        "result_50mb_memory_mb",
        setting.settled_memory(&window).await,
        Aim::Reference,
    );
    Ok(())
}

/// Results of 10 MB, beside rmcp, in milliseconds until they are shown.
pub async fn in_turns(setting: &Setting, rounds: usize) -> Outcome<Turns> {
    let window = open(setting).await?;
    let arguments = ["--load", "--tools", "100"];
    let bare = Bare::over_pipes(&setting.server, &arguments, Era::Legacy).await?;
    let mut turns = Turns::default();
    for round in 0..=rounds {
        let ours = run(&window, "10").await?.shown;
        let started = Instant::now();
        bare.call("big_result", &json!({ "mb": 10 })).await?;
        // The first warms both up.
        if round > 0 {
            turns.add(ours, started.elapsed().as_secs_f64() * 1000.0);
        }
        // So that the next result is another one than that shown before.
        run(&window, "1").await?;
    }
    bare.close().await?;
    Ok(turns)
}

/// A window that is connected to the load server.
async fn open(setting: &Setting) -> Outcome<AppWindow> {
    let servers = json!({ "load": setting.load_server(100, 100) });
    let window = AppWindow::open(directories(servers)?).await?;
    page::show_server(&window, "load").await?;
    page::connect(&window, 100).await?;
    Ok(window)
}

async fn run(window: &AppWindow, megabytes: &str) -> Outcome<Run> {
    page::open_tool(window, "big_result", &[("Mb", megabytes)]).await?;
    page::measure(window, "runTool(given)", json!(PATTERN)).await
}
