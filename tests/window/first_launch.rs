//! The first launch: nothing is configured, and a call is three clicks away.

use serde_json::json;
use sightglass_tests::{
    programs,
    window::{Locator, button, region, tab, tell},
};

use crate::common::{call, connect, phase, result, server, show_traffic, traffic_row};

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

        show_traffic(window, "Raw").await?;
        let row = traffic_row("tools/call");
        window.shows(&row, "echo").await?;
        window.shows(&row, "Demo").await
    })
    .await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_first_launch_shows_what_other_clients_have_and_connects_it() {
    tell("found", async |story| {
        let program = programs::own("sightglass-demo-server");
        let home = story.directories.home();
        let entry = json!({ "mcpServers": { "orders": { "command": program } } }).to_string();
        for file in [".cursor/mcp.json", ".gemini/settings.json"] {
            story.directories.write(&home.join(file), &entry)?;
        }
        let trusted = json!({ "/": "TRUST_FOLDER" }).to_string();
        story
            .directories
            .write(&home.join(".gemini/trustedFolders.json"), &trusted)?;
        let codex = "[mcp_servers.docs]\nurl = \"https://docs.acme.example/mcp\"\n";
        story
            .directories
            .write(&home.join(".codex/config.toml"), codex)?;
        story.directories.trust_folder()?;
        story.open().await?;
        let window = story.window();
        let found = region("2 servers of your other clients");
        // What several clients define in the same words is one server.
        window.shows(&found, "Cursor, Gemini CLI").await?;
        window
            .shows(&found, "https://docs.acme.example/mcp")
            .await?;
        // It is connected as it stands, without a copy.
        window.click(&button("Open orders").inside(found)).await?;
        connect(window, "orders").await
    })
    .await;
}
