//! Large results: until they are shown, and how long the window stands still meanwhile.

use serde::Deserialize;
use serde_json::json;
use sightglass_tests::window::AppWindow;

use crate::{
    figures::{Aim, Figures},
    page,
    setting::{Outcome, Setting, directories},
    statistics::{largest, median},
};

/// Answer of `runTool` in `page.js`, in milliseconds.
#[derive(Deserialize)]
struct Run {
    shown: f64,
    stall: f64,
}

pub async fn measure(setting: &Setting, figures: &mut Figures) -> Outcome {
    let servers = json!({ "load": setting.load_server(100, 100) });
    let window = AppWindow::open(directories(servers)?).await?;
    page::show_tools(&window, "load").await?;
    page::connect(&window, 100).await?;

    let sizes = [("10", 300.0), ("50", 1200.0)];
    let mut runs: [Vec<Run>; 2] = [Vec::new(), Vec::new()];
    // They take turns, so that each result is another one than that shown before.
    for _ in 0..setting.runs {
        for ((size, _), runs) in sizes.iter().zip(&mut runs) {
            page::open_tool(&window, "big_result", &[("Mb", size)]).await?;
            runs.push(page::measure(&window, "runTool(given)", json!("quick brown fox")).await?);
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
