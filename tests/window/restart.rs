//! The record outlives the application.

use serde_json::{Value, json};
use sightglass_tests::{
    programs,
    window::{AppWindow, Locator, WindowError, tell},
};

use crate::common::{call, connect, phase, result, server, show_traffic, traffic, traffic_row};

/// The calls that the window shows: the words in the cells of each row. The time is left out,
/// as it is written with a date from the next day on.
async fn calls(window: &AppWindow) -> Result<Value, WindowError> {
    let script = "return findAll(arguments[0]).map((row) =>
        Array.from(row.children, nameOf).filter((_, column) => column !== 2));";
    window
        .run(script, vec![json!(traffic_row("tools/call"))])
        .await
}

#[tokio::test(flavor = "multi_thread")]
async fn after_a_restart_the_record_is_there_with_no_server_running() {
    tell("restart", async |story| {
        let program = programs::own("sightglass-demo-server");
        story
            .directories
            .configure(json!({ "recorded": { "command": program } }))?;
        story.open().await?;
        let window = story.window();
        connect(window, "recorded").await?;
        call(window, "echo", &[("Message", "first")]).await?;
        window.shows(&result(), "first").await?;
        call(window, "add", &[("A", "2"), ("B", "40")]).await?;
        window.shows(&result(), "42").await?;
        show_traffic(window, "Raw").await?;
        window
            .fill(
                &Locator::role("searchbox").named("Filter traffic"),
                "method:tools/call",
            )
            .await?;
        window
            .eventually("only the calls being left", async || {
                let rows = window
                    .names(&Locator::role("row").inside(traffic()))
                    .await?;
                Ok(rows
                    .iter()
                    .skip(1)
                    .all(|row| row.contains("tools/call"))
                    .then_some(()))
            })
            .await?;
        let before = calls(window).await?;
        assert_eq!(before.as_array().map(Vec::len), Some(2), "{before}");

        story.leave().close().await?;
        story.open().await?;
        let window = story.window();
        window.click(&server("recorded")).await?;
        show_traffic(window, "Raw").await?;
        window.shows(&phase(), "Disconnected").await?;
        assert!(
            window
                .processes()
                .iter()
                .all(|process| !process.command_line.contains("demo-server")),
            "no server runs"
        );
        let filter = Locator::role("searchbox").named("Filter traffic");
        window.fill(&filter, "method:tools/call").await?;
        window
            .eventually("the same rows", async || {
                Ok((calls(window).await? == before).then_some(()))
            })
            .await
    })
    .await;
}
