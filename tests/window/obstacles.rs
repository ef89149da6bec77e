//! Whatever keeps a server from working is said once, in the same words everywhere, with what to
//! do about it; a server that works has a verdict.

use serde_json::json;
use sightglass_tests::{
    programs,
    window::{Locator, button, region, tell},
};

use crate::common::{connect, phase, server};

#[tokio::test(flavor = "multi_thread")]
async fn a_variable_that_is_not_set_is_said_before_connecting_and_set_for_the_session() {
    tell("obstacle", async |story| {
        let program = programs::own("sightglass-demo-server");
        story.directories.configure(json!({
            "unset": { "command": program, "env": { "API_KEY": "${SIGHTGLASS_STORY_KEY}" } }
        }))?;
        story.open().await?;
        let window = story.window();
        let reason = "SIGHTGLASS_STORY_KEY is not set";
        window.shows(&server("unset"), reason).await?;
        window.click(&server("unset")).await?;
        window.shows(&phase(), reason).await?;
        let panel = region(reason);
        window
            .find(&button("Edit server").inside(panel.clone()))
            .await?;
        window
            .find(
                &Locator::role("button")
                    .starting("Open at line")
                    .inside(panel.clone()),
            )
            .await?;
        let value = Locator::role("textbox")
            .starting("SIGHTGLASS_STORY_KEY")
            .inside(panel.clone());
        window.fill(&value, "only for now").await?;
        window
            .click(&button("Set for this session and connect").inside(panel))
            .await?;
        window.shows(&phase(), "Ready").await?;
        window
            .shows(&region("Set for this session"), "SIGHTGLASS_STORY_KEY")
            .await?;
        // It is in no file.
        let data = std::fs::read_dir(story.directories.data())?;
        for file in data.flatten().filter(|file| file.path().is_file()) {
            let text = std::fs::read(file.path())?;
            let text = String::from_utf8_lossy(&text);
            assert!(!text.contains("only for now"), "{:?}", file.path());
        }
        Ok(())
    })
    .await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_server_that_works_has_a_verdict_with_what_others_trip_over() {
    tell("verdict", async |story| {
        let program = programs::own("sightglass-demo-server");
        let noisy = format!(
            "echo Starting server on stdio...; exec '{}'",
            program.display()
        );
        story
            .directories
            .configure(json!({ "noisy": { "command": "/bin/sh", "args": ["-c", noisy] } }))?;
        story.open().await?;
        let window = story.window();
        connect(window, "noisy").await?;
        let verdict = Locator::role("region").starting("Works");
        window
            .shows(&verdict, "1 line on stdout is not JSON-RPC")
            .await?;
        window.shows(&verdict, "Starting server on stdio").await?;
        // What only some look for is folded.
        assert!(!window.has(&region("Handshake")).await?);
        Ok(())
    })
    .await;
}
