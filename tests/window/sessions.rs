//! Somebody else's recording is opened with the application, looked at, and closed.

use std::fs;

use serde_json::{Value, json};
use sightglass_tests::window::{Locator, button, region, tell};

/// A recording of one call whose answer holds a word that is searched for, and of a request that
/// was never answered.
fn recording() -> String {
    let message = |seq: u32, dir: &str, raw: Value| {
        let mut line = json!({
            "v": 2, "seq": seq, "conn": 1, "ts": 1_760_000_000_000_u64 + u64::from(seq), "dir": dir,
            "kind": "request", "raw": raw.to_string(),
        });
        if let Some(method) = raw.get("method") {
            line["method"] = method.clone();
        }
        line
    };
    let call = json!({ "jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": { "name": "weather" } });
    let answer = json!({ "jsonrpc": "2.0", "id": 1, "result": { "content": [{ "type": "text", "text": "a needle" }] } });
    let open = json!({ "jsonrpc": "2.0", "id": 2, "method": "prompts/list" });
    [
        json!({ "v": 2, "dir": "meta", "format": "sightglass-session", "application": "sightglass 9.8.7", "ts": 0 }),
        json!({ "v": 2, "dir": "meta", "conn": 1, "server": { "id": "mcp-json:theirs", "name": "theirs" } }),
        message(1, "c2s", call),
        message(2, "s2c", answer),
        message(3, "c2s", open),
    ]
    .map(|line| format!("{line}\n"))
    .concat()
}

#[tokio::test(flavor = "multi_thread")]
async fn a_recording_is_opened_with_the_application_checked_and_closed() {
    tell("session", async |story| {
        let path = story.directories.home().join("their recording.ndjson");
        fs::write(&path, recording()).expect("written");
        let heading = Locator::role("heading").named("their recording.ndjson");
        let word = path.display().to_string();
        story.open_with(&[word], &heading).await?;
        let window = story.window();

        // What is wrong with it leads to the row; the row is on the record of the file alone.
        let pending = region("Requests without an answer");
        window.shows(&pending, "prompts/list").await?;
        window
            .click(
                &Locator::role("button")
                    .starting("Show row")
                    .inside(pending.clone()),
            )
            .await?;
        let drawer = region("Traffic drawer, session their recording.ndjson");
        window.find(&drawer).await?;
        let row = Locator::role("row").inside(drawer.clone());
        window.find(&row.clone().containing("weather")).await?;
        let filter = Locator::role("searchbox").named("Filter traffic");
        window.fill(&filter, "needle").await?;
        window
            .is_gone(&row.clone().containing("prompts/list"))
            .await?;
        window.find(&row.containing("weather")).await?;

        window.click(&button("Close")).await?;
        window.is_gone(&heading).await?;
        window.is_gone(&drawer).await
    })
    .await;
}
