//! Ten thousand tools as a model sees them: the count of their tokens, and the list by cost.

use std::{
    sync::Arc,
    time::{Duration, Instant},
};

use serde_json::json;
use sightglass_inspector::{ServerId, view::TokenQuestion};
use sightglass_tests::window::{AppWindow, tab};

use crate::{
    figures::{Aim, Figures},
    host::Host,
    page::{self, Listed},
    setting::{Outcome, Setting, directories},
    statistics::{largest, median},
};

const TOOLS: usize = 10_000;

/// Time before the tokens are counted.
const REST: Duration = Duration::from_secs(3);

pub async fn measure(setting: &Setting, figures: &mut Figures) -> Outcome {
    let servers = json!({ "load": setting.load_server(TOOLS, 0) });
    let mut counted = Vec::new();
    for _ in 0..setting.runs {
        counted.push(count(Host::open(servers.clone())?).await?);
    }
    figures.add(
        "model_10000_tools_tokens_ms",
        median(&counted),
        Aim::AtMost(500.0),
    );
    let (mut shown, mut showing, mut scrolling) = (Vec::new(), Vec::new(), Vec::new());
    for _ in 0..setting.runs {
        let window = AppWindow::open(directories(servers.clone())?).await?;
        page::show_server(&window, "load").await?;
        page::connect(&window, TOOLS).await?;
        window.click(&tab("In clients")).await?;
        let listed: Listed = page::measure(&window, "showCost(given)", json!(TOOLS)).await?;
        shown.push(listed.painted);
        showing.push(listed.stall);
        scrolling.push(page::measure(&window, "scrollCost()", json!(null)).await?);
        window.close().await?;
    }
    figures.add(
        "model_10000_tools_cost_shown_ms",
        median(&shown),
        Aim::Reference,
    );
    for (name, stalls) in [("shown", showing), ("scroll", scrolling)] {
        figures.add(
            format!("model_10000_tools_{name}_longest_stall_ms"),
            largest(&stalls),
            Aim::AtMost(50.0),
        );
    }
    Ok(())
}

/// Counts the tokens of all tools, as the window asks for it first: a host keeps the figures of the
/// list that it counted last. The first run also reads the vocabulary.
async fn count(host: Host) -> Outcome<f64> {
    let server = ServerId::new("mcp-json", "load");
    host.connect(std::slice::from_ref(&server)).await?;
    let question = TokenQuestion {
        servers: vec![server],
        scheme: None,
        model: String::new(),
        window: 200_000,
        tool_search: None,
        with_unsent: false,
    };
    // What is stored of a server that became ready is written meanwhile.
    tokio::time::sleep(REST).await;
    let inspector = Arc::clone(&host.inspector);
    let started = Instant::now();
    tokio::task::spawn_blocking(move || inspector.clients.llm_tools.token_cost(&question))
        .await??;
    let duration = started.elapsed().as_secs_f64() * 1000.0;
    host.inspector.shutdown().await;
    Ok(duration)
}
