//! Ten thousand tools: until they are painted, while they are scrolled, and what they weigh.

use std::time::Instant;

use serde_json::json;
use sightglass_tests::window::AppWindow;

use crate::{
    bare::Bare,
    connecting::Era,
    figures::{Aim, Figures, Floor},
    page,
    pipe::Pipe,
    setting::{Outcome, Setting, directories},
    statistics::{largest, median},
};

const TOOLS: usize = 10_000;

pub async fn measure(setting: &Setting, figures: &mut Figures) -> Outcome {
    let mut connecting = Vec::new();
    let mut scrolling = Vec::new();
    let mut memory = Vec::new();
    for (name, page_size, aim) in [
        ("connect_list_10000_tools_in_pages_of_100", 100, 500.0),
        ("connect_list_10000_tools_in_one_page", 0, 600.0),
    ] {
        let mut durations = Vec::new();
        for run in 0..setting.runs {
            let servers = json!({ "load": setting.load_server(TOOLS, page_size) });
            let window = AppWindow::open(directories(servers)?).await?;
            page::show_tools(&window, "load").await?;
            let listed = page::connect(&window, TOOLS).await?;
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

/// Connecting and listing by programs that do nothing else, in milliseconds.
struct Floors {
    bare: f64,
    pipe: f64,
}

impl Floors {
    async fn of(setting: &Setting, page_size: usize) -> Outcome<Self> {
        let (tools, page_size) = (TOOLS.to_string(), page_size.to_string());
        let arguments = ["--load", "--tools", &tools, "--page-size", &page_size];
        let (mut bare, mut pipe) = (Vec::new(), Vec::new());
        for _ in 0..setting.runs.max(5) {
            let started = Instant::now();
            let client = Bare::over_pipes(&setting.server, &arguments, Era::Legacy).await?;
            client.list_tools().await?;
            bare.push(started.elapsed().as_secs_f64() * 1000.0);
            client.close().await?;

            let started = Instant::now();
            let mut client = Pipe::open(&setting.server, &arguments).await?;
            client.list_tools().await?;
            pipe.push(started.elapsed().as_secs_f64() * 1000.0);
        }
        Ok(Self {
            bare: median(&bare),
            pipe: median(&pipe),
        })
    }
}
