//! A scope file that is no JSON.

use sightglass_tests::window::{Locator, option, tell};

use crate::common::server;

#[tokio::test(flavor = "multi_thread")]
async fn a_broken_scope_file_is_shown_with_line_and_column_and_the_others_still_load() {
    tell("broken-file", async |story| {
        let directories = &story.directories;
        directories.write(
            &directories.project_servers(),
            "{\n  \"mcpServers\": {\n    \"a\": oops\n  }\n}\n",
        )?;
        let own = directories.home().join(".claude/.mcp.json");
        directories.write(
            &own,
            r#"{ "mcpServers": { "mine": { "command": "true" } } }"#,
        )?;
        story.open().await?;
        let window = story.window();
        window.find(&server("mine")).await?;

        let row = option("Broken file");
        window.shows(&row, "line 3, column 10").await?;
        window.click(&row).await?;
        let page = Locator::role("main");
        window.shows(&page, ".claude/.mcp.json").await?;
        window.shows(&page, "Open line 3, column 10").await?;

        // Once it is corrected, it is read again.
        story.directories.write(
            &story.directories.project_servers(),
            r#"{ "mcpServers": { "repaired": { "command": "true" } } }"#,
        )?;
        window.find(&server("repaired")).await?;
        window.is_gone(&row).await
    })
    .await;
}
