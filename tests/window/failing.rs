//! A server that fails is explained.

use serde_json::json;
use sightglass_tests::{
    programs,
    window::{Locator, button, region, tell},
};

use crate::common::{phase, server};

#[tokio::test(flavor = "multi_thread")]
async fn a_server_that_exits_is_explained_with_what_was_tried_and_what_came_back() {
    tell("failing", async |story| {
        let program = programs::own("sightglass-demo-server");
        let arguments = [
            "--fault",
            "exit",
            "--exit-code",
            "3",
            "--stderr",
            "DATABASE_URL is not set",
        ];
        story
            .directories
            .configure(json!({ "fragile": { "command": program, "args": arguments } }))?;
        story.open().await?;
        let window = story.window();
        window.click(&server("fragile")).await?;
        window.click(&button("Connect")).await?;
        window
            .shows(&phase(), "Failed: DATABASE_URL is not set (exit 3)")
            .await?;

        let explanation = Locator::role("region").containing("DATABASE_URL is not set (exit 3)");
        window
            .shows(&explanation, "sightglass-demo-server --fault exit")
            .await?;
        window.shows(&explanation, "exit code 3").await?;
        window
            .shows(&explanation, "DATABASE_URL is not set")
            .await?;
        // The next step: the environment is what has to change.
        window.shows(&explanation, "DATABASE_URL").await?;
        // It is set where the failure is told, for this session.
        let value = Locator::role("textbox")
            .starting("DATABASE_URL")
            .inside(explanation.clone());
        window.fill(&value, "postgres://localhost").await?;
        window
            .click(&button("Set it and connect").inside(explanation))
            .await?;
        window
            .shows(&region("Set for this session"), "DATABASE_URL")
            .await?;
        Ok(())
    })
    .await;
}
