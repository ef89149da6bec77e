//! The traffic is quiet, and a tool's runs are kept: shown again and compared.

use sightglass_tests::window::{Locator, button, tell};

use crate::common::{connect, field, fill_in, result, show_traffic, traffic_row};

#[tokio::test(flavor = "multi_thread")]
async fn two_runs_are_compared_and_the_traffic_shows_the_calls_alone() {
    tell("runs", async |story| {
        story.open().await?;
        let window = story.window();
        connect(window, "Demo").await?;
        fill_in(window, "echo", &[]).await?;
        for message in ["the first", "the second"] {
            window.fill(&field("Message"), message).await?;
            window.click(&button("Run")).await?;
            window.shows(&result(), message).await?;
        }
        // Phases are folded away: a row for a call.
        show_traffic(window, "Raw").await?;
        window.shows(&traffic_row("tools/call"), "echo").await?;
        assert!(!window.has(&traffic_row("executing")).await?);

        let runs = Locator::role("button").starting("Runs").inside(result());
        window.click(&runs).await?;
        window
            .click(&Locator::role("menuitem").starting("Compare two runs"))
            .await?;
        let compared = Locator::role("region").named("Compared runs");
        window.shows(&compared, "/message").await?;
        window.shows(&compared, "\"the first\"").await?;
        window.shows(&compared, "\"the second\"").await?;
        window.shows(&compared, "/result/content/0/text").await
    })
    .await;
}
