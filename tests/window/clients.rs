//! The servers of other clients are there as they stand, and connect.

use serde_json::json;
use sightglass_tests::{
    programs,
    window::{Key, Locator, button, region, tell},
};

use crate::common::{
    call, configure_eight_clients, connect, field, phase, result, server, show_traffic,
    stands_with_the_connected, traffic_row,
};

#[tokio::test(flavor = "multi_thread")]
async fn a_home_with_eight_clients_connects_to_their_servers_as_they_stand() {
    tell("clients", async |story| {
        let directories = &story.directories;
        configure_eight_clients(directories)?;
        directories.trust_folder()?;
        story.open().await?;
        let window = story.window();
        window.shows(&server("shared"), "+2").await?;
        for name in ["local", "codex", "shared"] {
            connect(window, name).await?;
        }
        window.click(&server("search")).await?;
        window.shows(&phase(), "Needs key").await?;
        window.fill(&field("key"), "k3y-for-this-session").await?;
        window
            .click(&button("Connect").inside(region("Needs key")))
            .await?;
        window.shows(&phase(), "Ready").await?;
        stands_with_the_connected(window, "search").await?;
        window.click(&server("shared")).await?;
        window
            .click(&Locator::role("tab").named("Settings"))
            .await?;
        let settings = Locator::role("tabpanel").named("Settings");
        window.shows(&settings, "Cursor").await
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
        // Both projects have the demo server: the other one's is gone with its sidebar.
        window.is_gone(&server("second")).await?;
        // What was connected stays so.
        window.click(&server("Demo")).await?;
        window.shows(&phase(), "Ready").await
    })
    .await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_change_in_config_and_the_record_outlast_a_look_at_another_project() {
    tell("draft", async |story| {
        let demo = programs::own("sightglass-demo-server");
        let directories = &story.directories;
        let other = directories.home().join("other");
        std::fs::create_dir_all(&other)?;
        directories.configure(json!({ "same": { "command": demo } }))?;
        let recent = json!([other]).to_string();
        directories.write(&directories.data().join("projects.json"), &recent)?;
        directories.trust_folder()?;
        story.open().await?;
        let window = story.window();
        connect(window, "Demo").await?;
        window.click(&server("same")).await?;
        window.press(&[Key::Control.into()], 'k').await?;
        let search = Locator::role("combobox");
        window.fill(&search, ">Edit this server").await?;
        window.press(&[], Key::Enter.into()).await?;
        let command = field("Command");
        window.fill(&command, "another-program").await?;
        // The first status of the pane is that of the editor.
        window.shows(&phase(), "Not saved").await?;

        window.click(&button("project")).await?;
        window
            .click(&Locator::role("menuitem").starting("other"))
            .await?;
        // Until the other project is shown, its servers are those of this one.
        window.find(&button("other")).await?;
        connect(window, "Demo").await?;
        show_traffic(window, "Raw").await?;
        window.find(&traffic_row("Demo · other")).await?;
        window.click(&button("other")).await?;
        let back = Locator::role("menuitem").starting("project");
        window.shows(&back, "unsaved change").await?;
        window.click(&back).await?;

        window
            .shows(&Locator::role("button").starting("Setup"), "Not saved")
            .await?;
        window
            .click(&Locator::role("button").starting("Setup"))
            .await?;
        window
            .eventually("the change", async || {
                let field = window.find(&command).await?;
                let value = field.prop("value").await?;
                Ok((value.as_deref() == Some("another-program")).then_some(()))
            })
            .await
    })
    .await;
}

/// A file of a client with comments, blank lines and indentation of its own, and the same once a
/// server is switched on in it.
struct Switched {
    client: &'static str,
    path: &'static str,
    before: &'static str,
    after: &'static str,
}

const SWITCHED: [Switched; 4] = [
    Switched {
        client: "Codex",
        path: ".codex/config.toml",
        before: "# My servers.\nmodel = \"o4\"   # the model\n\n[mcp_servers.docs]\ncommand = \"docs\"\nargs = [ \"--fast\" ]\n",
        after: "# My servers.\nmodel = \"o4\"   # the model\n\n[mcp_servers.docs]\ncommand = \"docs\"\nargs = [ \"--fast\" ]\n\n[mcp_servers.notes]\ncommand = \"notes\"\nargs = [\"-v\"]\n",
    },
    Switched {
        client: "Windsurf",
        path: ".codeium/windsurf/mcp_config.json",
        before: "{\n\t\"mcpServers\": {\n\t\t\"docs\": { \"command\": \"docs\" }\n\t}\n}\n",
        after: "{\n\t\"mcpServers\": {\n\t\t\"docs\": { \"command\": \"docs\" },\n\t\t\"notes\": {\n\t\t\t\"command\": \"notes\",\n\t\t\t\"args\": [\"-v\"]\n\t\t}\n\t}\n}\n",
    },
    Switched {
        client: "Gemini CLI",
        path: ".gemini/settings.json",
        before: "{\n    // The theme.\n    \"theme\": \"dark\",\n    \"mcpServers\": {}\n}\n",
        after: "{\n    // The theme.\n    \"theme\": \"dark\",\n    \"mcpServers\": {\n        \"notes\": {\n            \"command\": \"notes\",\n            \"args\": [\"-v\"]\n        }\n    }\n}\n",
    },
    Switched {
        client: "OpenCode",
        path: ".config/opencode/opencode.json",
        before: "{ \"$schema\": \"https://opencode.ai/config.json\" }\n",
        after: "{ \"$schema\": \"https://opencode.ai/config.json\", \"mcp\": {\"notes\": {\"type\": \"local\", \"command\": [\"notes\", \"-v\"]}} }\n",
    },
];

#[tokio::test(flavor = "multi_thread")]
async fn one_server_is_on_in_four_clients_with_one_click_each() {
    tell("switches", async |story| {
        let directories = &story.directories;
        let home = directories.home();
        for file in &SWITCHED {
            directories.write(&home.join(file.path), file.before)?;
        }
        let claude = json!({ "mcpServers": { "notes": { "command": "notes", "args": ["-v"] } } });
        directories.write(&home.join(".claude.json"), &claude.to_string())?;
        let trusted = json!({ "/": "TRUST_FOLDER" }).to_string();
        directories.write(&home.join(".gemini/trustedFolders.json"), &trusted)?;
        story.open().await?;
        let window = story.window();
        window.press(&[Key::Control.into()], 'k').await?;
        let search = Locator::role("combobox");
        window.fill(&search, "Switch servers on in clients").await?;
        window.press(&[], Key::Enter.into()).await?;
        let reads = async |path: &'static str, wanted: &'static str| {
            let path = home.join(path);
            let read = async || Ok((std::fs::read_to_string(&path)? == wanted).then_some(()));
            let found = window.eventually("the file reads as it should", read).await;
            let text = std::fs::read_to_string(&path)?;
            assert!(found.is_ok(), "{text}");
            found
        };
        for file in &SWITCHED {
            let switch = Locator::role("switch").named(format!("notes in {}", file.client));
            window.click(&switch).await?;
            reads(file.path, file.after).await?;
        }
        // Each click is one change, which is undone by itself.
        for file in SWITCHED.iter().rev() {
            window.press(&[Key::Control.into()], 'z').await?;
            reads(file.path, file.before).await?;
        }
        Ok(())
    })
    .await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_server_is_tried_without_saving_it_and_saved_afterwards() {
    tell("trying", async |story| {
        let demo = programs::own("sightglass-demo-server")
            .display()
            .to_string();
        let directories = &story.directories;
        directories.trust_folder()?;
        let files = [directories.own_servers(), directories.project_servers()];
        let texts = || files.clone().map(|file| std::fs::read_to_string(file).ok());
        story.open().await?;
        let before = texts();
        let window = story.window();
        let dialog = Locator::role("dialog").named("Add server");
        window.click(&button("Add server")).await?;
        window
            .fill(&field("Paste anything").inside(dialog.clone()), &demo)
            .await?;
        window.shows(&dialog, "sightglass-demo-server").await?;
        window
            .click(&button("Connect without saving").inside(dialog.clone()))
            .await?;
        window.shows(&phase(), "Ready").await?;
        call(window, "echo", &[("Message", "only tried")]).await?;
        window.shows(&result(), "only tried").await?;
        assert_eq!(texts(), before, "a file changed");

        window
            .click(&Locator::role("tab").named("Overview"))
            .await?;
        window.click(&button("Save to…")).await?;
        window.shows(&dialog, "Creates").await?;
        window.click(&button("Save").inside(dialog)).await?;
        window
            .eventually("it is saved", async || {
                let saved = texts().into_iter().flatten();
                let saved = saved.filter(|text| text.contains("sightglass-demo-server"));
                Ok((saved.count() == 1).then_some(()))
            })
            .await?;
        window.is_gone(&region("Not saved")).await
    })
    .await;
}
