//! Ten thousand tools: until they are painted, while they are scrolled, and what they weigh.

use std::time::{Duration, Instant};

use serde_json::json;
use sightglass_tests::window::AppWindow;

use crate::{
    bare::Bare,
    connecting::Era,
    figures::{Aim, Figures, Floor},
    page::{self, Listed},
    pipe::Pipe,
    setting::{Outcome, Setting, directories},
    statistics::{Turns, largest, median},
};

const TOOLS: usize = 10_000;

const PAGE_SIZE: usize = 100;

/// Between two looks at the memory.
const WEIGH_INTERVAL: Duration = Duration::from_millis(200);

/// Duration of the watch on the memory once the tools are shown. It rises for some five seconds.
const SHOWN: Duration = Duration::from_secs(15);

pub async fn measure(setting: &Setting, figures: &mut Figures) -> Outcome {
    let mut connecting = Vec::new();
    let mut scrolling = Vec::new();
    let mut memory = Vec::new();
    for (name, page_size, aim) in [
        ("connect_list_10000_tools_in_pages_of_100", PAGE_SIZE, 500.0),
        ("connect_list_10000_tools_in_one_page", 0, 600.0),
    ] {
        let mut durations = Vec::new();
        for run in 0..setting.runs {
            let (window, listed) = open(setting, page_size).await?;
            durations.push(listed.painted);
            connecting.push(listed.stall);
            if run == 0 {
                // Settled also means that the form of the tool that opened by itself is there.
                memory.push(setting.settled_memory(&window).await);
                scrolling.push(page::measure(&window, "scrollTools()", json!(null)).await?);
            }
        }
        let ours = (median(&durations), Aim::AtMost(aim));
        let floors = Floors::of(setting, page_size).await?;
        let bare = Floor {
            name: "bare_rmcp",
            value: floors.bare,
            aim: Aim::AtMost(1.3),
        };
        figures.compare(name, "ms", ours, bare);
        figures.add(format!("{name}_pipe_ms"), floors.pipe, Aim::Reference);
    }
    figures.add(
        "connect_list_10000_tools_longest_stall_ms",
        largest(&connecting),
        Aim::AtMost(50.0),
    );
    figures.add(
        "scroll_10000_tools_longest_stall_ms",
        largest(&scrolling),
        Aim::AtMost(50.0),
    );
    figures.add(
        "memory_10000_tools_mb",
        largest(&memory),
        Aim::AtMost(350.0),
    );
    Ok(())
}

/// A window on a load server of ten thousand tools, connected and listed.
async fn open(setting: &Setting, page_size: usize) -> Outcome<(AppWindow, Listed)> {
    let servers = json!({ "load": setting.load_server(TOOLS, page_size) });
    let window = AppWindow::open(directories(servers)?).await?;
    page::show_server(&window, "load").await?;
    let listed = page::connect(&window, TOOLS).await?;
    Ok((window, listed))
}

/// Connecting and listing in pages of a hundred, beside rmcp, in milliseconds.
pub async fn in_pages(setting: &Setting, rounds: usize) -> Outcome<Turns> {
    let mut turns = Turns::default();
    for _ in 0..rounds {
        let (window, listed) = open(setting, PAGE_SIZE).await?;
        drop(window);
        turns.ours.push(listed.painted);
        // It takes a tenth of opening a window.
        for _ in 0..3 {
            turns.floor.push(bare(setting, PAGE_SIZE).await?);
        }
    }
    Ok(turns)
}

/// The most memory, in megabytes, that the application holds from before it lists the tools until
/// they have been shown for a while.
pub async fn peak_memory(setting: &Setting) -> Outcome<f64> {
    let servers = json!({ "load": setting.load_server(TOOLS, PAGE_SIZE) });
    let window = AppWindow::open(directories(servers)?).await?;
    let mut peak: f64 = 0.0;
    let watching = async {
        loop {
            peak = peak.max(setting.memory(window.application()));
            tokio::time::sleep(WEIGH_INTERVAL).await;
        }
    };
    let showing = async {
        page::show_server(&window, "load").await?;
        page::connect(&window, TOOLS).await?;
        tokio::time::sleep(SHOWN).await;
        Outcome::Ok(())
    };
    tokio::select! {
        () = watching => {}
        shown = showing => shown?,
    }
    Ok(peak)
}

/// Connecting and listing by programs that do nothing else, in milliseconds.
struct Floors {
    bare: f64,
    pipe: f64,
}

impl Floors {
    async fn of(setting: &Setting, page_size: usize) -> Outcome<Self> {
        let (mut bares, mut pipes) = (Vec::new(), Vec::new());
        for _ in 0..setting.runs.max(5) {
            bares.push(bare(setting, page_size).await?);
            pipes.push(pipe(setting, page_size).await?);
        }
        Ok(Self {
            bare: median(&bares),
            pipe: median(&pipes),
        })
    }
}

async fn bare(setting: &Setting, page_size: usize) -> Outcome<f64> {
    let (tools, page_size) = (TOOLS.to_string(), page_size.to_string());
    let arguments = ["--load", "--tools", &tools, "--page-size", &page_size];
    let started = Instant::now();
    let client = Bare::over_pipes(&setting.server, &arguments, Era::Legacy).await?;
    client.list_tools().await?;
    let duration = started.elapsed().as_secs_f64() * 1000.0;
    client.close().await?;
    Ok(duration)
}

async fn pipe(setting: &Setting, page_size: usize) -> Outcome<f64> {
    let (tools, page_size) = (TOOLS.to_string(), page_size.to_string());
    let arguments = ["--load", "--tools", &tools, "--page-size", &page_size];
    let started = Instant::now();
    let mut client = Pipe::open(&setting.server, &arguments).await?;
    client.list_tools().await?;
    Ok(started.elapsed().as_secs_f64() * 1000.0)
}
