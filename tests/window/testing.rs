//! A server's author checks it against the specification and puts it under load.

use sightglass_tests::window::{Locator, button, option, region, tab, tell};

use crate::common::{connect, field};

#[tokio::test(flavor = "multi_thread")]
async fn a_server_is_checked_and_put_under_load() {
    tell("testing", async |story| {
        story.directories.trust_folder()?;
        story.open().await?;
        let window = story.window();
        connect(window, "Demo").await?;
        window.click(&tab("Checks")).await?;
        window.click(&option("Conformance")).await?;
        window.click(&button("Run checks")).await?;
        let checks = region("Verdicts");
        window.shows(&checks, "A ping is answered").await?;
        window.shows(&checks, "Modern generation").await?;

        window.click(&option("Load")).await?;
        window
            .click(&Locator::role("button").containing("Tool"))
            .await?;
        window.click(&option("echo")).await?;
        window
            .fill(&field("Arguments"), r#"{"message":"under load"}"#)
            .await?;
        window.fill(&field("Duration in seconds"), "1").await?;
        window.click(&button("Start")).await?;
        let measured = region("Load result");
        window.shows(&measured, "Succeeded").await?;
        let latency = Locator::role("table").named("Response times");
        window.shows(&latency, "Since due").await
    })
    .await;
}
