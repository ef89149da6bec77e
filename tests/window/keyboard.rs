//! The main jobs without a mouse: connect, find a tool by a part of its name, run it, filter the
//! traffic, walk the panes.

use serde_json::json;
use sightglass_tests::window::{AppWindow, Key, WindowError, tell};

use crate::common::{choose_in_palette, phase, result, traffic_row, types};

const CONTROL: char = '\u{e009}';

#[tokio::test(flavor = "multi_thread")]
async fn in_the_light_theme_a_tool_is_found_and_run_without_a_mouse() {
    work_by_keys("light").await;
}

#[tokio::test(flavor = "multi_thread")]
async fn in_the_dark_theme_a_tool_is_found_and_run_without_a_mouse() {
    work_by_keys("dark").await;
}

async fn work_by_keys(theme: &str) {
    tell(&format!("keyboard-{theme}"), async |story| {
        let settings = story.directories.data().join("settings.json");
        story
            .directories
            .write(&settings, &json!({ "theme": theme }).to_string())?;
        story.open().await?;
        let window = story.window();
        let choose = async |text: &str, first: &str| choose_in_palette(window, text, first).await;
        choose("demo", "Demo").await?;
        choose("connect", "Connect").await?;
        window.shows(&phase(), "Ready").await?;

        // Ranked: the name that is meant comes before all that hold its letters.
        choose("schobj", "schema_objects").await?;
        focus_is_in(window, "main", "an argument").await?;
        choose("echo", "echo").await?;
        let focused = "return document.activeElement.matches('textarea, input');";
        window
            .eventually("the focus in the first argument", async || {
                Ok((window.run(focused, vec![]).await? == json!(true)).then_some(()))
            })
            .await?;
        types(window, "by keys alone").await?;
        window.press(&[CONTROL], Key::Enter.into()).await?;
        window.shows(&result(), "by keys alone").await?;

        choose("show raw", "Show Raw").await?;
        window.press(&[CONTROL, Key::Shift.into()], 'F').await?;
        focus_is_in(window, "[data-drawer] input", "the filter of the traffic").await?;
        types(window, "tool:echo").await?;
        window.press(&[], Key::Down.into()).await?;
        window.shows(&traffic_row("tools/call"), "echo").await?;
        window.is_gone(&traffic_row("tools/list")).await?;
        focus_is_in(window, "[role=grid]", "a row of the traffic").await?;
        for _ in 0..6 {
            window.press(&[], Key::F6.into()).await?;
            // The focus is somewhere, and can be seen there.
            let seen = "return document.activeElement !== document.body && \
                        document.activeElement.matches(':focus-visible');";
            assert_eq!(window.run(seen, vec![]).await?, json!(true));
        }
        Ok(())
    })
    .await;
}

async fn focus_is_in(window: &AppWindow, selector: &str, what: &str) -> Result<(), WindowError> {
    window
        .eventually(&format!("the focus on {what}"), async || {
            let script = "return document.activeElement.closest(arguments[0]) !== null;";
            let inside = window.run(script, vec![json!(selector)]).await?;
            Ok((inside == json!(true)).then_some(()))
        })
        .await
}
