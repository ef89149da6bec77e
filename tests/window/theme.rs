//! Light and dark.

use serde_json::json;
use sightglass_tests::window::tell;

#[tokio::test(flavor = "multi_thread")]
async fn the_window_is_dark_where_the_desktop_is() {
    tell("theme", async |story| {
        let settings = story
            .directories
            .home()
            .join(".config/gtk-3.0/settings.ini");
        let dark = "[Settings]\ngtk-application-prefer-dark-theme=1\n";
        story.directories.write(&settings, dark)?;
        story.open().await?;
        // The page's own colours have their lightness first: oklch(0.185 0.012 235).
        let is_dark =
            "const [lightness] = /[\\d.]+/.exec(getComputedStyle(document.body).backgroundColor);
                       return Number(lightness) < 0.5
                           && matchMedia('(prefers-color-scheme: dark)').matches;";
        let window = story.window();
        window
            .eventually("a dark window", async || {
                let dark = window.run(is_dark, vec![]).await?;
                Ok((dark == json!(true)).then_some(()))
            })
            .await?;
        Ok(())
    })
    .await;
}
