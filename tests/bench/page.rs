//! Measurements that the page takes of itself.

use serde::{Deserialize, de::DeserializeOwned};
use serde_json::{Value, json};
use sightglass_tests::window::{AppWindow, Locator, WindowError, button, option};

use crate::setting::Outcome;

const SCRIPT: &str = include_str!("page.js");

/// Runs a measurement of `page.js`: an expression that may use `given`, the argument.
pub async fn measure<T: DeserializeOwned>(
    window: &AppWindow,
    expression: &str,
    given: Value,
) -> Outcome<T> {
    let script = format!(
        "{SCRIPT}
        const [given, done] = arguments;
        (async () => {expression})().then(
            (value) => done({{ value }}),
            (error) => done({{ error: String(error) }}),
        );"
    );
    let answer = window.run_async(&script, vec![given]).await?;
    match answer.get("value") {
        Some(value) => Ok(serde_json::from_value(value.clone())?),
        None => Err(WindowError::Answer(answer).into()),
    }
}

/// Shows a server that can be connected.
pub async fn show_server(window: &AppWindow, server: &str) -> Outcome {
    window
        .click(&option(server).inside(Locator::role("listbox").named("Servers")))
        .await?;
    window.find(&button("Connect")).await?;
    Ok(())
}

/// Durations of connecting, in milliseconds.
#[derive(Deserialize)]
pub struct Listed {
    /// From "Connect" until all tools were listed and painted, with the press of their tab between.
    pub painted: f64,
    /// The longest time between two frames meanwhile.
    pub stall: f64,
}

/// Connects to the server that is shown, which has that many tools.
pub async fn connect(window: &AppWindow, tools: usize) -> Outcome<Listed> {
    measure(window, "connectAndList(given)", json!(tools)).await
}

/// Opens a tool and fills in its arguments, by the labels of their fields.
pub async fn open_tool(window: &AppWindow, name: &str, fields: &[(&str, &str)]) -> Outcome {
    window
        .fill(&Locator::role("searchbox").named("Filter tools"), name)
        .await?;
    let tools = Locator::role("listbox").named("Tools");
    let shown = Locator::role("option").inside(tools.clone());
    // A click while the list still changes would meet another row.
    window
        .eventually("only that tool being listed", async || {
            let names = window.names(&shown).await?;
            Ok((names.len() == 1 && names[0].starts_with(name)).then_some(()))
        })
        .await?;
    window.click(&option(name).inside(tools)).await?;
    window.find(&Locator::role("heading").named(name)).await?;
    for (label, value) in fields {
        window
            .fill(&Locator::role("textbox").named(*label), value)
            .await?;
    }
    Ok(())
}
