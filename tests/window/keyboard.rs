//! The main jobs without a mouse: connect, find a tool by a part of its name, run it, filter the
//! traffic, walk the panes.

use serde_json::json;
use sightglass_tests::window::{AppWindow, Key, Locator, WindowError, tell};

use crate::common::{phase, result, traffic_row};

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
        let palette = Locator::role("dialog").named("Command palette");
        let choose = async |text: &str, first: &str| {
            window.press(&[CONTROL], 'k').await?;
            window.find(&palette).await?;
            types(window, text).await?;
            let option = Locator::role("option").inside(palette.clone());
            window
                .eventually(
                    &format!("{first} as the first of the palette"),
                    async || {
                        let names = window.names(&option).await?;
                        Ok(names
                            .first()
                            .is_some_and(|name| name.contains(first))
                            .then_some(()))
                    },
                )
                .await?;
            window.press(&[], Key::Enter.into()).await?;
            window.is_gone(&palette).await
        };
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

async fn types(window: &AppWindow, text: &str) -> Result<(), WindowError> {
    for key in text.chars() {
        window.press(&[], key).await?;
    }
    Ok(())
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
