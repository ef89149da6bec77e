//! A server that changes what it offers is told from one that does not.

use sightglass_tests::window::{Locator, button, tell};

use crate::common::{call, connect, entry, field, find_tool, result};

#[tokio::test(flavor = "multi_thread")]
async fn a_tool_that_is_gone_is_told_until_the_change_is_accepted() {
    tell("surface", async |story| {
        story.open().await?;
        let window = story.window();
        connect(window, "Demo").await?;
        find_tool(window, "change_tools").await?;
        call(window, "change_tools", &[]).await?;
        window.shows(&result(), "Added").await?;
        // The list is read again meanwhile.
        window.find(&entry("Tools", "added_1")).await?;
        window.click(&Locator::role("radio").named("JSON")).await?;
        window
            .fill(&field("Arguments"), r#"{"action":"remove"}"#)
            .await?;
        window.click(&button("Run")).await?;
        window.shows(&result(), "Removed").await?;

        let banner = Locator::role("alert");
        window.shows(&banner, "1 breaks callers").await?;
        window.click(&button("Show changes")).await?;
        let changes = Locator::role("list").named("Changes");
        window.shows(&changes, "Breaks callers").await?;
        window.shows(&changes, "removed").await?;
        window
            .click(&button("Take over").inside(banner.clone()))
            .await?;
        window.is_gone(&banner).await?;
        window.is_gone(&changes).await
    })
    .await;
}
