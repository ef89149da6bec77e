//! An extension is switched on, and what the server makes of it is shown.

use sightglass_tests::window::{Locator, button, tell};

use crate::common::{connect, show_settings};

#[tokio::test(flavor = "multi_thread")]
async fn declaring_an_extension_reconnects_and_shows_the_difference() {
    tell("extensions", async |story| {
        story.open().await?;
        let window = story.window();
        connect(window, "Demo").await?;
        show_settings(window, "Connection").await?;
        let table = Locator::role("table").named("Extensions of both sides");
        let apps = Locator::role("row")
            .starting("MCP Apps")
            .inside(table.clone());
        window.shows(&apps, "Off").await?;
        // Its label lies over it, so that the pointer does not reach it.
        let switch = Locator::role("switch").named("Declare MCP Apps");
        let focus = "find(arguments[0]).focus();";
        window.run(focus, vec![serde_json::json!(switch)]).await?;
        window.press(&[], ' ').await?;
        let dialog = Locator::role("dialog").named("Declare MCP Apps to Demo?");
        window.shows(&dialog, "connected anew").await?;
        window.click(&button("Reconnect and compare")).await?;
        window.shows(&dialog, "1 difference").await?;
        window.shows(&dialog, "declared_extensions").await?;
        window
            .click(&button("Close").inside(dialog.clone()))
            .await?;
        window.is_gone(&dialog).await?;
        window.shows(&apps, "Only this client").await
    })
    .await;
}
