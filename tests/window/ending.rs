//! However the application ends, no server outlives it.

use serde_json::json;
use sightglass_tests::{
    programs,
    window::{Process, Story, WindowError, gone, tell},
};

use crate::common::connect;

/// Connects to servers that do not end by themselves, and returns every process there is.
async fn connected(story: &mut Story) -> Result<Vec<Process>, WindowError> {
    let program = programs::own("sightglass-demo-server");
    story.directories.configure(json!({
        "obedient": { "command": program },
        "stubborn": { "command": program, "args": ["--ignore-eof", "--ignore-sigterm"] },
        "parental": { "command": program, "args": ["--fork-child"] },
    }))?;
    story.open().await?;
    for name in ["obedient", "stubborn", "parental"] {
        connect(story.window(), name).await?;
    }
    let processes = story.window().processes();
    let servers = processes
        .iter()
        .filter(|process| process.command_line.contains("demo-server"))
        .count();
    assert!(
        servers >= 4,
        "three servers and a child of one: {processes:?}"
    );
    Ok(processes)
}

#[tokio::test(flavor = "multi_thread")]
async fn closing_the_window_leaves_no_process_behind() {
    tell("closing", async |story| {
        let processes = connected(story).await?;
        story.leave().close().await?;
        gone(&processes).await
    })
    .await;
}

#[tokio::test(flavor = "multi_thread")]
async fn killing_the_application_leaves_no_server_behind() {
    tell("killing", async |story| {
        let processes = connected(story).await?;
        story.leave().kill().await?;
        gone(&processes).await
    })
    .await;
}
