//! Skills of a server, held against their files.

use sightglass_tests::window::{Locator, button, tab, tell};

use crate::common::{connect, entry};

#[tokio::test(flavor = "multi_thread")]
async fn a_good_skill_is_verified_and_a_wrong_one_is_found() {
    tell("skills", async |story| {
        story.open().await?;
        let window = story.window();
        connect(window, "Demo").await?;
        window.click(&tab("Skills")).await?;
        window.click(&entry("Skills", "git-workflow")).await?;
        window.click(&button("Verify all files")).await?;
        let row = Locator::role("option").containing("git-workflow");
        window.shows(&row, "Verified").await?;

        window.click(&entry("Skills", "wrong-digest")).await?;
        window.click(&button("Verify all files")).await?;
        let row = Locator::role("option").containing("wrong-digest");
        window.shows(&row, "Failed").await?;
        let summary = Locator::role("region").named("Summary");
        window.shows(&summary, "the entry says sha256:").await?;

        window
            .click(&Locator::role("radio").named("Files 2"))
            .await?;
        window
            .click(&entry("Files of the skill", "steps.md"))
            .await?;
        let file = Locator::role("tabpanel");
        window.shows(&file, "These steps were changed").await
    })
    .await;
}
