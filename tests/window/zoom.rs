//! Everything in the window can be made larger, and stays so.

use serde_json::json;
use sightglass_tests::window::{AppWindow, Key, WindowError, region, tell};

#[tokio::test(flavor = "multi_thread")]
async fn the_window_is_zoomed_by_keys_and_remembers_it() {
    tell("zoom", async |story| {
        story.open().await?;
        let window = story.window();
        let before = width(window).await?;
        for _ in 0..2 {
            window.press(&[Key::Control.into()], '=').await?;
        }
        let zoomed = before / 1.25;
        wide(window, zoomed).await?;
        window.shows(&region("Messages"), "Zoom 125 %").await?;
        story.leave().close().await?;

        story.open().await?;
        let window = story.window();
        wide(window, zoomed).await?;
        window.press(&[Key::Control.into()], '-').await?;
        window.press(&[Key::Control.into()], '-').await?;
        wide(window, before).await
    })
    .await;
}

/// The page's width in CSS pixels, of which fewer fit the larger they are.
async fn width(window: &AppWindow) -> Result<f64, WindowError> {
    let width = window.run("return innerWidth;", vec![]).await?;
    Ok(width.as_f64().unwrap_or_default())
}

async fn wide(window: &AppWindow, wanted: f64) -> Result<(), WindowError> {
    window
        .eventually(&format!("a width of {wanted}"), async || {
            Ok(((width(window).await? - wanted).abs() < 2.0).then_some(()))
        })
        .await?;
    let fits = "return document.documentElement.scrollWidth <= innerWidth;";
    assert_eq!(window.run(fits, vec![]).await?, json!(true));
    Ok(())
}
