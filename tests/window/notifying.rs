//! Notifications of the system tell what happens to a server in the background, and lead to it.

use serde_json::json;
use sightglass_tests::{
    programs,
    window::{Locator, button, notifications::Notifications, processes::executes, tell},
};

use crate::common::{connect, phase, server};

#[tokio::test(flavor = "multi_thread")]
async fn a_server_that_is_lost_in_the_background_is_told_and_a_click_leads_to_it() {
    tell("notification", async |story| {
        let directories = &story.directories;
        let mut notifications = Notifications::serve(directories);
        let program = programs::own("sightglass-demo-server");
        directories.configure(json!({ "fragile": { "command": program } }))?;
        let settings = json!({ "notifications": true }).to_string();
        directories.write(&directories.data().join("settings.json"), &settings)?;
        story.open().await?;
        let window = story.window();
        connect(window, "fragile").await?;
        connect(window, "Demo").await?;
        window
            .run("document.hasFocus = () => false; return true", vec![])
            .await?;
        let processes = window.processes();
        let lost = processes.iter().find(|process| executes(process, &program));
        lost.expect("it runs").kill();
        let shown = notifications.next().await;
        assert!(shown.summary.contains("fragile"), "{shown:?}");
        window.shows(&phase(), "Ready").await?;
        window.is_gone(&button("Connect")).await?;
        window
            .eventually("the server that is shown", async || {
                // The application listens from a moment after it is shown.
                notifications.click(shown.id);
                let name = window.text(&Locator::role("heading")).await?;
                Ok((name == "fragile").then_some(()))
            })
            .await?;
        window.find(&server("fragile")).await.map(|_| ())
    })
    .await;
}
