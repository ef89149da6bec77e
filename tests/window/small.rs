//! The smallest window that can be worked in.

use serde_json::json;
use sightglass_tests::{
    programs,
    window::{Wanted, button, tell},
};

use crate::common::{call, connect, result};

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
        call(window, "echo", &[("Message", "Still here")]).await?;
        window.shows(&result(), "Still here").await?;

        let script = "const { left, top, right, bottom } = find(arguments[0]).getBoundingClientRect();
                      return left >= 0 && top >= 0 && right <= innerWidth && bottom <= innerHeight;";
        let run = button("Run");
        assert_eq!(window.run(script, vec![json!(run)]).await?, json!(true), "Run lies in the window");
        let scheme = "return getComputedStyle(document.documentElement).colorScheme;";
        assert_eq!(window.run(scheme, vec![]).await?, json!("dark"));
        window.find(&Wanted::role("listbox").named("Tools")).await?;
        Ok(())
    })
    .await;
}
