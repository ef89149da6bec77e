//! The smallest window that can be worked in.

use serde_json::json;
use sightglass_tests::{
    programs,
    window::{Locator, button, tell},
};

use crate::common::{connect, fill_in, result};

#[tokio::test(flavor = "multi_thread")]
async fn in_a_small_dark_window_a_tool_can_be_run() {
    tell("small", async |story| {
        let program = programs::own("sightglass-demo-server");
        let directories = &story.directories;
        directories.configure(json!({ "small": { "command": program } }))?;
        directories.write(&directories.data().join("settings.json"), r#"{ "theme": "dark" }"#)?;
        story.open().await?;
        let window = story.window();
        window.resize(720, 480).await?;
        connect(window, "small").await?;
        fill_in(window, "echo", &[("Message", "Still here")]).await?;

        let in_window = "const { left, top, right, bottom } = find(arguments[0]).getBoundingClientRect();
                         return left >= 0 && top >= 0 && right <= innerWidth && bottom <= innerHeight;";
        let run = button("Run");
        assert_eq!(window.run(in_window, vec![json!(run)]).await?, json!(true), "Run lies in the window");
        // What the call brought comes into view by itself, where there is no room for both.
        window.click(&run).await?;
        window.shows(&result(), "Still here").await?;
        let status = Locator::role("status").inside(result());
        window
            .eventually("the result lying in the window", async || {
                let lies = window.run(in_window, vec![json!(status)]).await?;
                Ok((lies == json!(true)).then_some(()))
            })
            .await?;
        let scheme = "return getComputedStyle(document.documentElement).colorScheme;";
        assert_eq!(window.run(scheme, vec![]).await?, json!("dark"));
        window.find(&Locator::role("listbox").named("Tools")).await?;
        Ok(())
    })
    .await;
}
