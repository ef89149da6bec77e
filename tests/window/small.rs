//! The smallest window that can be worked in.

use serde_json::json;
use sightglass_tests::{
    programs,
    window::{Locator, button, tell},
};

use crate::common::{connect, fill_in, lies_in_window, result};

#[tokio::test(flavor = "multi_thread")]
async fn in_a_small_dark_window_a_tool_can_be_run() {
    tell("small", async |story| {
        let program = programs::own("sightglass-demo-server");
        let directories = &story.directories;
        directories.configure(json!({ "small": { "command": program } }))?;
        directories.write(
            &directories.data().join("settings.json"),
            r#"{ "theme": "dark" }"#,
        )?;
        story.open().await?;
        let window = story.window();
        window.resize(720, 480).await?;
        connect(window, "small").await?;
        fill_in(window, "echo", &[("Message", "Still here")]).await?;

        let run = button("Run");
        lies_in_window(window, &run).await?;
        // What the call brought comes into view by itself, where there is no room for both.
        window.click(&run).await?;
        window.shows(&result(), "Still here").await?;
        lies_in_window(window, &Locator::role("status").inside(result())).await?;
        let scheme = "return getComputedStyle(document.documentElement).colorScheme;";
        assert_eq!(window.run(scheme, vec![]).await?, json!("dark"));
        window
            .find(&Locator::role("listbox").named("Tools"))
            .await?;
        Ok(())
    })
    .await;
}
