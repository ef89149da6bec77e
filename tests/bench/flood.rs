//! Notifications as fast as the server sends them, a hundred thousand and a million, and a search
//! in them.

use std::time::Instant;

use serde::Deserialize;
use serde_json::json;
use sightglass_tests::window::{AppWindow, Locator};

use crate::{
    bare::Bare,
    connecting::Era,
    figures::{Aim, Figures, Floor},
    page,
    pipe::Pipe,
    setting::{Outcome, Setting, directories},
    statistics::{Turns, largest, median},
};

const NOTIFICATIONS: u32 = 100_000;
const MANY: u32 = 1_000_000;

/// Answer of `flood` in `page.js`, in milliseconds but for `lost`.
#[derive(Deserialize)]
struct Flood {
    shown: f64,
    drained: f64,
    lost: f64,
    stall: f64,
}

pub async fn measure(setting: &Setting, figures: &mut Figures) -> Outcome {
    let mut floods: Vec<Flood> = Vec::new();
    let mut memory = Vec::new();
    let mut growth = Vec::new();
    let mut searching = Vec::new();
    for run in 0..setting.runs {
        let servers = json!({ "load": setting.load_server(100, 100) });
        let window = AppWindow::open(directories(servers)?).await?;
        page::show_server(&window, "load").await?;
        page::connect(&window, 100).await?;
        let count = NOTIFICATIONS.to_string();
        page::open_tool(&window, "log_burst", &[("Count", &count)]).await?;
        let before = match run {
            0 => Some(setting.settled_memory(&window).await),
            _ => None,
        };
        floods.push(page::measure(&window, "flood(given)", json!(NOTIFICATIONS)).await?);
        if let Some(before) = before {
            let after = setting.settled_memory(&window).await;
            memory.push(after);
            growth.push(after - before);
            searching.push(search(&window).await?);
        }
    }
    let of = |figure: fn(&Flood) -> f64| floods.iter().map(figure).collect::<Vec<f64>>();
    figures.add(
        "flood_100000_result_shown_ms",
        median(&of(|flood| flood.shown)),
        Aim::Reference,
    );
    figures.add(
        "flood_100000_drained_ms",
        median(&of(|flood| flood.drained)),
        Aim::AtMost(1500.0),
    );
    figures.add(
        "flood_100000_frames_lost_count",
        largest(&of(|flood| flood.lost)),
        Aim::AtMost(0.0),
    );
    figures.add(
        "flood_100000_longest_stall_ms",
        largest(&of(|flood| flood.stall)),
        Aim::AtMost(50.0),
    );
    figures.add("flood_100000_memory_mb", largest(&memory), Aim::Reference);
    figures.add(
        "flood_100000_memory_growth_mb",
        largest(&growth),
        Aim::AtMost(30.0),
    );
    figures.add(
        "search_100000_rows_longest_stall_ms",
        largest(&searching),
        Aim::AtMost(50.0),
    );
    measure_many(setting, figures).await
}

/// Floods of one window, beside rmcp, in milliseconds until all is on record; and what was lost.
pub async fn in_turns(setting: &Setting, rounds: u32) -> Outcome<(Turns, f64)> {
    let servers = json!({ "load": setting.load_server(100, 100) });
    let window = AppWindow::open(directories(servers)?).await?;
    page::show_server(&window, "load").await?;
    page::connect(&window, 100).await?;
    let arguments = ["--load", "--tools", "100"];
    let bare = Bare::over_pipes(&setting.server, &arguments, Era::Legacy).await?;
    let (mut turns, mut lost) = (Turns::default(), 0.0);
    for round in 0..rounds {
        // Another number each time, so that each result is another one than that shown before.
        let count = NOTIFICATIONS + round;
        page::open_tool(&window, "log_burst", &[("Count", &count.to_string())]).await?;
        let flood: Flood = page::measure(&window, "flood(given)", json!(count)).await?;
        let started = Instant::now();
        bare.log_burst(count).await?;
        turns.add(flood.drained, started.elapsed().as_secs_f64() * 1000.0);
        lost += flood.lost;
    }
    bare.close().await?;
    Ok((turns, lost))
}

/// Measures a million, once: it takes seconds.
async fn measure_many(setting: &Setting, figures: &mut Figures) -> Outcome {
    let servers = json!({ "load": setting.load_server(100, 100) });
    let window = AppWindow::open(directories(servers)?).await?;
    page::show_server(&window, "load").await?;
    page::connect(&window, 100).await?;
    page::open_tool(&window, "log_burst", &[("Count", &MANY.to_string())]).await?;
    let before = setting.settled_memory(&window).await;
    let flood: Flood = page::measure(&window, "flood(given)", json!(MANY)).await?;
    let growth = setting.settled_memory(&window).await - before;
    drop(window);

    let arguments = ["--load", "--tools", "100"];
    let started = Instant::now();
    let client = Bare::over_pipes(&setting.server, &arguments, Era::Legacy).await?;
    client.log_burst(MANY).await?;
    let bare = started.elapsed().as_secs_f64() * 1000.0;
    client.close().await?;
    let mut client = Pipe::open(&setting.server, &arguments).await?;
    let started = Instant::now();
    client.call("log_burst", json!({ "count": MANY })).await?;
    let pipe = started.elapsed().as_secs_f64() * 1000.0;

    let floor = Floor {
        name: "bare_rmcp",
        value: bare,
        aim: Aim::AtMost(1.0),
    };
    let drained = (flood.drained, Aim::Reference);
    figures.compare("flood_1000000_drained", "ms", drained, floor);
    figures.add("flood_1000000_drained_pipe_ms", pipe, Aim::Reference);
    figures.add(
        "flood_1000000_frames_lost_count",
        flood.lost,
        Aim::AtMost(0.0),
    );
    figures.add(
        "flood_1000000_longest_stall_ms",
        flood.stall,
        Aim::AtMost(50.0),
    );
    figures.add("flood_1000000_memory_growth_mb", growth, Aim::AtMost(30.0));
    Ok(())
}

/// The longest time between two frames while a user types a search and its rows appear.
async fn search(window: &AppWindow) -> Outcome<f64> {
    let raw = Locator::role("tab").named("Raw");
    window.click(&raw).await?;
    page::measure::<bool>(
        window,
        "until(() => rowCount('Messages') > given)",
        json!(NOTIFICATIONS),
    )
    .await?;
    let filter = Locator::role("searchbox").named("Filter traffic");
    window.find(&filter).await?;
    page::measure::<bool>(
        window,
        "{ window.benchFrames = watchFrames(); return true; }",
        json!(null),
    )
    .await?;
    window.fill(&filter, "lazy dog 99").await?;
    page::measure(
        window,
        "{
            // The head is a row too.
            await until(() => rowCount('Messages') > 1 && rowCount('Messages') < given);
            await rest();
            return window.benchFrames.stop();
        }",
        json!(NOTIFICATIONS),
    )
    .await
}
