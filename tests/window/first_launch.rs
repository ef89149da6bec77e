//! The first launch: nothing is configured, and a call is three clicks away.

use sightglass_tests::window::{Wanted, button, tab, tell};

use crate::common::{call, phase, result, server, traffic_row};

#[tokio::test(flavor = "multi_thread")]
async fn a_first_launch_leads_to_the_demo_server_a_call_and_its_traffic() {
    tell("first-launch", async |story| {
        story.open().await?;
        let window = story.window();
        window.find(&server("Demo")).await?;
        window
            .find(&Wanted::role("heading").starting("See what flows"))
            .await?;

        window.click(&button("Connect to Demo")).await?;
        window.shows(&phase(), "Ready").await?;
        window.click(&tab("Tools")).await?;
        call(window, "echo", &[("Message", "Hello through the window")]).await?;
        window.shows(&result(), "Hello through the window").await?;

        let row = traffic_row("tools/call");
        window.shows(&row, "echo").await?;
        window.shows(&row, "Demo").await
    })
    .await;
}
