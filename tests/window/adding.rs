//! Adding a server through the form.

use serde_json::{Value, json};
use sightglass_tests::{
    programs,
    window::{Key, Locator, button, option, tell},
};

use crate::common::{connect, field, phase, server};

#[tokio::test(flavor = "multi_thread")]
async fn a_server_added_through_the_form_is_saved_into_the_chosen_scope() {
    tell("adding", async |story| {
        let file = story.directories.project().join(".claude/.mcp.local.json");
        // What else stands in the file stays as it is.
        story
            .directories
            .write(&file, "{\n  \"mine\":   [1],\n  \"mcpServers\": {}\n}\n")?;
        story.directories.trust_folder()?;
        story.open().await?;
        let window = story.window();

        window.click(&button("Add server")).await?;
        let dialog = Locator::role("dialog").named("Add server");
        let within = |wanted: Locator| wanted.inside(dialog.clone());
        window.fill(&within(field("Name")), "added").await?;
        window
            .click(&within(Locator::role("button").containing("Saved in")))
            .await?;
        window
            .click(&option("Only in Sightglass, this project, only you"))
            .await?;
        let program = programs::own("sightglass-demo-server");
        window
            .fill(&within(field("Command")), &program.to_string_lossy())
            .await?;
        window.click(&within(button("Add argument"))).await?;
        window.fill(&within(field("Argument 1")), "--era").await?;
        window.click(&within(button("Add argument"))).await?;
        window.fill(&within(field("Argument 2")), "legacy").await?;
        // The button does nothing before the difference of what was typed last is there.
        window.shows(&dialog, "\"legacy\"").await?;
        window.click(&within(button("Save"))).await?;
        window.is_gone(&dialog).await?;

        window.find(&server("added")).await?;
        let text = std::fs::read_to_string(&file)?;
        assert!(text.contains("\"mine\":   [1],"), "{text}");
        let json: Value = serde_json::from_str(&text).expect("JSON");
        let entry = &json["mcpServers"]["added"];
        assert_eq!(
            entry["command"],
            program.to_string_lossy().as_ref(),
            "{text}"
        );
        assert_eq!(
            entry["args"],
            serde_json::json!(["--era", "legacy"]),
            "{text}"
        );
        assert!(
            !story.directories.project_servers().exists(),
            "no other file was written"
        );

        connect(window, "added").await
    })
    .await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_command_of_the_clipboard_is_offered_completed_and_connected_in_one_step() {
    tell("save-and-connect", async |story| {
        story.directories.trust_folder()?;
        story.open().await?;
        let window = story.window();
        let program = programs::own("sightglass-demo-server");
        let entry = json!({ "orders": {
            "command": program, "env": { "API_KEY": "${SIGHTGLASS_STORY_KEY}" }
        } });
        let snippet = json!({ "mcpServers": entry }).to_string();
        // Copied as a user copies it.
        let dialog = Locator::role("dialog").named("Add server");
        let within = |wanted: Locator| wanted.inside(dialog.clone());
        let paste = within(field("Paste anything"));
        window.click(&button("Add server")).await?;
        window.fill(&paste, &snippet).await?;
        for key in ['a', 'c'] {
            window.press(&[Key::Control.into()], key).await?;
        }
        window.click(&within(button("Close"))).await?;
        window.click(&button("Discard")).await?;
        window.is_gone(&dialog).await?;

        window.click(&button("Add server")).await?;
        window.shows(&dialog, "The clipboard holds orders.").await?;
        window.click(&within(button("Paste"))).await?;
        window
            .shows(&dialog, "${SIGHTGLASS_STORY_KEY} has no value here")
            .await?;
        let value = within(Locator::role("textbox").starting("SIGHTGLASS_STORY_KEY"));
        window.fill(&value, "k-1").await?;
        window.shows(&dialog, "\"API_KEY\": \"k-1\"").await?;
        window.click(&within(button("Save and connect"))).await?;
        window.is_gone(&dialog).await?;
        window.shows(&phase(), "Ready").await
    })
    .await;
}
