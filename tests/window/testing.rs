//! A server's author checks it against the specification and puts it under load.

use sightglass_tests::window::{Locator, button, tell};

use crate::common::connect;

#[tokio::test(flavor = "multi_thread")]
async fn a_server_is_checked_and_put_under_load() {
    tell("testing", async |story| {
        story.directories.trust_folder()?;
        story.open().await?;
        let window = story.window();
        connect(window, "Demo").await?;
        window.click(&Locator::role("tab").named("Testing")).await?;
        window.click(&button("Run checks")).await?;
        let checks = Locator::role("region").named("Checks");
        window.shows(&checks, "A ping is answered").await?;
        window.shows(&checks, "Stateless").await
    })
    .await;
}
