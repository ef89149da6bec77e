//! The reference server as the models of its clients see it: the same figures as on the command line.

use serde_json::json;
use sightglass_tests::{
    programs,
    window::{Locator, option, region, tab, tell},
};

use crate::common::{connect, field};

#[tokio::test(flavor = "multi_thread")]
async fn the_names_figures_and_forms_of_the_reference_server_are_shown() {
    let script = programs::npm_server("@modelcontextprotocol/server-everything");
    tell("model", async |story| {
        story
            .directories
            .configure(json!({ "everything": { "command": "node", "args": [script, "stdio"] } }))?;
        story.open().await?;
        let window = story.window();
        connect(window, "everything").await?;
        window.click(&tab("Model")).await?;
        window
            .click(&Locator::role("button").containing("Client"))
            .await?;
        window.click(&option("Claude Code")).await?;
        let names = Locator::role("grid").named("Names");
        window.shows(&names, "mcp__everything__get-sum").await?;
        window
            .fill(&field("Name out of a log"), "mcp__everything__get-sum")
            .await?;
        let find = region("Find a name");
        window.shows(&find, "get-sum").await?;
        window.shows(&find, "as Claude Code writes it").await?;

        // The figures of js-tiktoken over the same list.
        window.click(&Locator::role("radio").named("Cost")).await?;
        let figures = Locator::role("table").named("Cost of the whole list");
        for figure in [
            "≈2,678", "12,082", "≈1,884", "8,594", "≈192", "730", "0.9 %",
        ] {
            window.shows(&figures, figure).await?;
        }
        let heaviest = Locator::role("grid").named("Tools by cost");
        window.shows(&heaviest, "≈307").await?;
        let results = region("Results of calls");
        window.shows(&results, "10,000").await?;
        window.shows(&results, "25,000").await?;

        window
            .click(&Locator::role("radio").named("As sent"))
            .await?;
        let texts = region("Original and sent tool");
        window.shows(&texts, "input_schema").await
    })
    .await;
}
