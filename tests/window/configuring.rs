//! The configuration of every server: seen, explained, changed, approved, mended.

use std::fs::read_to_string;

use serde_json::{Value, json};
use sightglass_tests::{
    programs,
    window::{AppWindow, Locator, WindowError, button, option, region, tell},
};

use crate::common::{connect, field, phase, server};

/// The row of a server in the matrix, by its name.
fn row(name: &str) -> Locator {
    Locator::role("rowheader")
        .starting(name)
        .inside(Locator::role("grid").named("Configuration"))
}

/// Selector of the explanation of a server of the matrix.
fn explanation() -> Locator {
    Locator::role("main")
}

/// Takes a choice that the page draws itself, with the keyboard.
async fn choose(window: &AppWindow, wanted: &Locator) -> Result<(), WindowError> {
    window.find(wanted).await?;
    let focus = "find(arguments[0]).focus(); return true;";
    window.run(focus, vec![json!(wanted)]).await?;
    window.press(&[], ' ').await
}

fn dialog(name: &str) -> Locator {
    Locator::role("dialog").named(name)
}

async fn open_config(window: &AppWindow) -> Result<(), WindowError> {
    window
        .click(&Locator::role("button").starting("Setup"))
        .await?;
    window
        .find(&Locator::role("grid").named("Configuration"))
        .await?;
    Ok(())
}

/// Reviews what was edited and saves it.
async fn save(window: &AppWindow, difference: &str) -> Result<(), WindowError> {
    window
        .click(&Locator::role("button").starting("Review change"))
        .await?;
    let review = dialog("Review the change");
    window.shows(&review, difference).await?;
    window.click(&button("Save").inside(review.clone())).await?;
    window.is_gone(&review).await
}

fn demo_server() -> Value {
    json!({ "command": programs::own("sightglass-demo-server") })
}

#[tokio::test(flavor = "multi_thread")]
async fn a_server_that_is_shadowed_counts_once_it_is_moved() {
    tell("shadowed", async |story| {
        let directories = &story.directories;
        directories.configure(json!({ "notes": demo_server() }))?;
        let local = directories.project().join(".claude/.mcp.local.json");
        directories.write(
            &local,
            r#"{ "mcpServers": { "notes": { "command": "there-is-no-such-program" } } }"#,
        )?;
        story.open().await?;
        let window = story.window();
        open_config(window).await?;
        window.click(&row("notes")).await?;
        window.shows(&explanation(), "2 definitions").await?;
        window
            .shows(&explanation(), "there-is-no-such-program")
            .await?;
        window.click(&button("Move User to Local")).await?;
        let moving = dialog("Move notes");
        let replace = Locator::role("radio").named("Replace it");
        choose(window, &replace.inside(moving.clone())).await?;
        window.shows(&moving, "there-is-no-such-program").await?;
        window.click(&button("Move").inside(moving.clone())).await?;
        window.is_gone(&moving).await?;

        let text = read_to_string(&local)?;
        assert!(text.contains("sightglass-demo-server"), "{text}");
        let own = read_to_string(story.directories.own_servers())?;
        assert!(!own.contains("notes"), "{own}");
        connect(window, "notes").await
    })
    .await;
}

#[tokio::test(flavor = "multi_thread")]
async fn an_edit_is_seen_as_a_difference_saved_and_taken_back() {
    tell("editing", async |story| {
        let file = story.directories.own_servers();
        let before = "{\n\t\"mine\":   [1],\n  \"mcpServers\": {\n    \"notes\": {\n      \"command\": \"true\",\n      \"args\": [\"--one\"]\n    }\n  }\n}\n";
        story.directories.write(&file, before)?;
        story.open().await?;
        let window = story.window();

        open_config(window).await?;
        window.click(&row("notes")).await?;
        window
            .click(&button("Edit"))
            .await?;
        window.fill(&field("Argument 1"), "--two").await?;
        window
            .shows(&Locator::role("textbox").starting("Text of"), "--two")
            .await?;
        save(window, "--two").await?;
        let text = read_to_string(&file)?;
        assert_eq!(text, before.replace("--one", "--two"));

        window
            .click(&Locator::role("button").starting("Undo"))
            .await?;
        window.shows(&explanation(), "--one").await?;
        assert_eq!(read_to_string(&file)?, before);
        Ok(())
    })
    .await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_server_of_the_project_starts_only_once_it_is_approved() {
    tell("approving", async |story| {
        let program = programs::own("sightglass-demo-server");
        let entry =
            json!({ "command": program, "args": ["--era", "legacy"], "env": { "LEVEL": "9" } });
        story.directories.write(
            &story.directories.project_servers(),
            &json!({ "mcpServers": { "theirs": entry } }).to_string(),
        )?;
        story.open().await?;
        let window = story.window();
        window.shows(&server("theirs"), "Needs approval").await?;
        window.click(&server("theirs")).await?;
        let approval = region("Needs approval");
        window.shows(&approval, &program.to_string_lossy()).await?;
        window.shows(&approval, "--era legacy").await?;
        window.shows(&approval, "LEVEL=9").await?;
        // The folder is part of the same decision.
        let folder = Locator::role("checkbox").named("Trust this folder too");
        choose(window, &folder.inside(approval.clone())).await?;
        window
            .click(&button("Approve").inside(approval.clone()))
            .await?;
        window.is_gone(&approval).await?;
        connect(window, "theirs").await
    })
    .await;
}

#[tokio::test(flavor = "multi_thread")]
async fn the_folder_is_asked_about_once_before_a_program_starts_in_it() {
    tell("trusting", async |story| {
        let program = programs::own("sightglass-demo-server");
        let servers = json!({ "mcpServers": { "mine": { "command": program } } });
        story
            .directories
            .write(&story.directories.own_servers(), &servers.to_string())?;
        story.open().await?;
        let window = story.window();
        let dialog = dialog("Trust the programs and settings in this folder?");
        window.click(&server("mine")).await?;
        window.click(&button("Connect")).await?;
        let folder = story.directories.project().display().to_string();
        window.shows(&dialog, &folder).await?;
        window
            .click(&button("Start outside the folder").inside(dialog.clone()))
            .await?;
        window.shows(&phase(), "Ready").await?;
        let outside = Locator::role("alert").inside(Locator::role("main"));
        window
            .shows(&outside, "Started in an empty directory")
            .await?;

        // Said once, it is not asked again.
        window.click(&button("Disconnect")).await?;
        window.click(&button("Connect")).await?;
        window.shows(&phase(), "Ready").await?;
        window
            .click(&button("Trust folder…").inside(outside.clone()))
            .await?;
        window
            .click(&button("Trust folder").inside(dialog.clone()))
            .await?;
        window.shows(&outside, "was not trusted then").await?;
        window
            .click(&button("Reconnect").inside(outside.clone()))
            .await?;
        window.is_gone(&outside).await?;
        window.shows(&phase(), "Ready").await
    })
    .await;
}

#[tokio::test(flavor = "multi_thread")]
async fn servers_are_taken_over_from_another_client() {
    tell("importing", async |story| {
        let theirs = json!({ "mcpServers": { "drawing": demo_server(), "other": { "url": "http://127.0.0.1:9/mcp" } } });
        story.directories.write(
            &story.directories.home().join(".cursor/mcp.json"),
            &theirs.to_string(),
        )?;
        story.directories.configure(json!({ "mine": { "command": "true" } }))?;
        story.open().await?;
        let window = story.window();
        open_config(window).await?;
        window.click(&button("Import")).await?;
        let importing = dialog("Import from other clients");
        let drawing = Locator::role("checkbox").starting("drawing");
        choose(window, &drawing.inside(importing.clone())).await?;
        window.shows(&importing, "\"drawing\": {").await?;
        window
            .click(&button("Import 1 server").inside(importing.clone()))
            .await?;
        window.is_gone(&importing).await?;
        connect(window, "drawing").await?;
        let file = story.directories.project().join(".claude/.mcp.local.json");
        let text = read_to_string(file)?;
        assert!(text.contains("drawing") && !text.contains("other"), "{text}");
        Ok(())
    })
    .await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_broken_file_is_mended_at_the_line_that_is_shown() {
    tell("mending", async |story| {
        let file = story.directories.own_servers();
        let broken = "{\n  \"mcpServers\": {\n    \"a\": { \"command\": \"true\" }\n    \"b\": { \"command\": \"true\" }\n  }\n}\n";
        story.directories.write(&file, broken)?;
        story.open().await?;
        let window = story.window();
        window.click(&option("Broken file")).await?;
        window
            .click(&Locator::role("button").starting("Open at line 3"))
            .await?;
        window
            .shows(&region("Problems of the text"), "line 3")
            .await?;
        // The cursor is where the comma is missing, as soon as the editor is there.
        let typing = "return document.activeElement.classList.contains('cm-content');";
        window
            .eventually("the editor taking the keys", async || {
                Ok((window.run(typing, vec![]).await? == json!(true)).then_some(()))
            })
            .await?;
        window.press(&[], ',').await?;
        window
            .shows(&region("Problems of the text"), "Valid JSON")
            .await?;
        save(window, "\"a\": { \"command\": \"true\" },").await?;
        assert_eq!(
            read_to_string(&file)?,
            broken.replace("\"true\" }\n    \"b\"", "\"true\" },\n    \"b\"")
        );
        window.find(&server("b")).await?;
        Ok(())
    })
    .await;
}
