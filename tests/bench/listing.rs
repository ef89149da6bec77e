//! Ten thousand tools: until they are painted, while they are scrolled, and what they weigh.

use serde_json::json;
use sightglass_tests::window::AppWindow;

use crate::{
    figures::{Aim, Figures},
    page,
    setting::{Outcome, Setting, directories},
    statistics::{largest, median},
};

const TOOLS: usize = 10_000;

pub async fn measure(setting: &Setting, figures: &mut Figures) -> Outcome {
    let mut connecting = Vec::new();
    let mut scrolling = Vec::new();
    let mut memory = Vec::new();
    for (name, page_size, aim) in [
        ("connect_list_10000_tools_in_pages_of_100_ms", 100, 500.0),
        ("connect_list_10000_tools_in_one_page_ms", 0, 600.0),
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
        figures.add(name, median(&durations), Aim::AtMost(aim));
    }
    figures.add(
        "connect_list_10000_tools_longest_stall_ms",
        largest(&connecting),
        Aim::Reference,
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
