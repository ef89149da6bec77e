//! A call is saved as a file of the project, run, and expected to stay as it is.

use std::fs;

use sightglass_tests::window::{Locator, button, option, tell};

use crate::common::{connect, field, fill_in, result};

#[tokio::test(flavor = "multi_thread")]
async fn a_call_becomes_a_file_that_is_run_and_checked() {
    tell("requests", async |story| {
        story.directories.trust_folder()?;
        story.open().await?;
        let window = story.window();
        connect(window, "Demo").await?;
        fill_in(window, "echo", &[]).await?;
        window.fill(&field("Message"), "as ever").await?;
        let menu = Locator::role("button").starting("History");
        window.click(&menu.inside(result())).await?;
        let save = Locator::role("menuitem").named("Save as test…");
        window.click(&save).await?;
        let dialog = Locator::role("dialog").named("Save as test");
        window
            .fill(&field("Name").inside(dialog.clone()), "Echo")
            .await?;
        window.click(&button("Save test").inside(dialog)).await?;
        window.click(&button("Open")).await?;
        let path = window
            .directories()
            .project()
            .join(".sightglass/requests/echo.toml");
        let text = fs::read_to_string(&path).expect("a file");
        assert!(text.contains("\"as ever\""), "{text}");

        let detail = Locator::role("region").named("Echo");
        window.click(&button("Run").inside(detail.clone())).await?;
        window.shows(&detail, "passed").await?;
        // The file is the truth, also when another program writes it.
        let changed =
            format!("{text}\n[[expect]]\nvalue = \"text\"\nis = \"equals\"\nto = \"never\"\n");
        window
            .directories()
            .write(&path, &changed)
            .expect("written");
        window.shows(&detail, "text equals \"never\"").await?;
        window.click(&button("Run all")).await?;
        window.shows(&option("Echo, failed"), "Echo").await?;
        window.shows(&detail, "actual").await
    })
    .await;
}
