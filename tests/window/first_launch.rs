//! The first launch: nothing is configured, and a call is three clicks away.

use serde_json::json;
use sightglass_tests::window::{Locator, button, tab, tell};

use crate::common::{call, phase, result, server, traffic_row};

#[tokio::test(flavor = "multi_thread")]
async fn a_first_launch_leads_to_the_demo_server_a_call_and_its_traffic() {
    tell("first-launch", async |story| {
        story.open().await?;
        let window = story.window();
        window.find(&server("Demo")).await?;
        window
            .find(&Locator::role("heading").starting("See what flows"))
            .await?;
        // Laid out for the size that the window has, not for none, which it has before it is shown.
        let sidebar = "return innerWidth < 900 || find(arguments[0]).clientWidth > 230;";
        let servers = Locator::role("navigation").named("Servers");
        assert_eq!(
            window.run(sidebar, vec![json!(servers)]).await?,
            json!(true)
        );

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
