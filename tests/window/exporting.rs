//! Traffic is exported after a look at what the file will hold.

use sightglass_tests::window::{Key, Locator, button, option, tell};

use crate::common::{call, connect};

#[tokio::test(flavor = "multi_thread")]
async fn a_session_is_looked_at_before_it_is_exported() {
    tell("exporting", async |story| {
        story.directories.trust_folder()?;
        story.open().await?;
        let window = story.window();
        connect(window, "Demo").await?;
        call(window, "echo", &[("Message", "to be exported")]).await?;
        window.press(&[Key::Control.into()], 'k').await?;
        let search = Locator::role("combobox");
        window.fill(&search, "Export this server’s traffic").await?;
        window.press(&[], Key::Enter.into()).await?;

        let dialog = Locator::role("dialog").named("Export traffic");
        let beginning = Locator::role("region").named("Beginning of the file");
        window.shows(&beginning, "server/discover").await?;
        window
            .click(
                &Locator::role("button")
                    .starting("NDJSON")
                    .inside(dialog.clone()),
            )
            .await?;
        window.click(&option("Markdown")).await?;
        window.shows(&beginning, "## MCP session").await?;
        let masked = Locator::role("region").named("Masked secrets");
        window.shows(&masked, "Masked in this export").await?;
        window
            .find(&button("Save to a file…").inside(dialog))
            .await?;
        Ok(())
    })
    .await;
}
