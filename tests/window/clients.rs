//! The servers of other clients are there as they stand, and connect.

use serde_json::json;
use sightglass_tests::{
    programs,
    window::{Locator, button, region, tell},
};

use crate::common::{connect, field, phase, server};

#[tokio::test(flavor = "multi_thread")]
async fn a_home_with_eight_clients_connects_to_their_servers_as_they_stand() {
    tell("clients", async |story| {
        let demo = programs::own("sightglass-demo-server").display().to_string();
        let directories = &story.directories;
        let home = directories.home();
        let project = directories.project().display().to_string();
        let program = json!({ "command": demo });
        let claude = json!({ "projects": { &project: { "mcpServers": { "local": program } } } });
        let code = json!({
            "inputs": [{ "id": "key", "type": "promptString", "description": "The API key", "password": true }],
            "servers": { "search": { "type": "stdio", "command": demo, "env": { "KEY": "${input:key}" } } },
        });
        let shared = json!({ "mcpServers": { "shared": program } }).to_string();
        let files = [
            (".claude.json", claude.to_string()),
            (".codex/config.toml", format!("[mcp_servers.codex]\ncommand = {}\n", json!(demo))),
            (".config/Code/User/mcp.json", code.to_string()),
            (".cursor/mcp.json", shared.clone()),
            (".gemini/settings.json", shared.clone()),
            (".codeium/windsurf/mcp_config.json", shared.clone()),
            (".kiro/settings/mcp.json", shared.clone()),
            (".lmstudio/mcp.json", shared),
        ];
        for (path, text) in &files {
            directories.write(&home.join(path), text)?;
        }
        directories.trust_folder()?;
        story.open().await?;
        let window = story.window();
        window
 .shows(&server("shared"), "+4")
            .await?;
        for name in ["local", "codex", "shared"] {
            connect(window, name).await?;
        }
        window.click(&server("search")).await?;
        window.shows(&phase(), "Needs key").await?;
        window.fill(&field("key"), "k3y-for-this-session").await?;
        window.click(&button("Connect").inside(region("Needs key"))).await?;
        window.shows(&phase(), "Ready").await?;
        window.click(&server("shared")).await?;
        window.click(&Locator::role("tab").named("Overview")).await?;
        window.shows(&region("Definition"), "Cursor · User").await
    })
    .await;
}

#[tokio::test(flavor = "multi_thread")]
async fn two_projects_are_open_in_one_window() {
    tell("projects", async |story| {
        let demo = programs::own("sightglass-demo-server");
        let directories = &story.directories;
        let other = directories.home().join("other");
        let entry = json!({ "mcpServers": { "second": { "command": demo } } });
        directories.write(&other.join(".claude/.mcp.json"), &entry.to_string())?;
        let recent = json!([other]).to_string();
        directories.write(&directories.data().join("projects.json"), &recent)?;
        directories.trust_folder()?;
        story.open().await?;
        let window = story.window();
        connect(window, "Demo").await?;
        window.click(&button("project")).await?;
        window
            .click(&Locator::role("menuitem").starting("other"))
            .await?;
        // Another sidebar, with the folder's own question.
        window.shows(&server("second"), "Needs approval").await?;
        window.click(&button("other")).await?;
        let back = Locator::role("menuitem").starting("project");
        window.shows(&back, "1 connected").await?;
        window.click(&back).await?;
        // What was connected stays so.
        window.click(&server("Demo")).await?;
        window.shows(&phase(), "Ready").await?;
        window.is_gone(&server("second")).await
    })
    .await;
}
