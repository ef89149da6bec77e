//! Steps that several stories have in common.

use std::io;

use serde_json::json;
use sightglass_tests::{
    programs,
    window::{AppWindow, Directories, Key, Locator, WindowError, button, option, region, tab},
};

/// The clients that [`configure_eight_clients`] configures.
pub const EIGHT_CLIENTS: [&str; 8] = [
    "Claude Code",
    "Codex",
    "VS Code",
    "Cursor",
    "Gemini CLI",
    "Windsurf",
    "Kiro",
    "LM Studio",
];

/// Configures the demo server in eight clients: as `local`, of the project, in Claude Code, as
/// `codex` in Codex, as `search` with an input in VS Code, and as `shared` in the five others.
pub fn configure_eight_clients(directories: &Directories) -> io::Result<()> {
    let demo = programs::own("sightglass-demo-server")
        .display()
        .to_string();
    let project = directories.project().display().to_string();
    let program = json!({ "command": demo });
    let claude = json!({ "projects": { project: { "mcpServers": { "local": program } } } });
    let code = json!({
        "inputs": [{
            "id": "key", "type": "promptString", "description": "The API key", "password": true,
        }],
        "servers": {
            "search": { "type": "stdio", "command": demo, "env": { "KEY": "${input:key}" } },
        },
    });
    let codex = format!("[mcp_servers.codex]\ncommand = {}\n", json!(demo));
    let trusted = json!({ "/": "TRUST_FOLDER" });
    let shared = json!({ "mcpServers": { "shared": program } }).to_string();
    let files = [
        (".claude.json", claude.to_string()),
        (".codex/config.toml", codex),
        (".config/Code/User/mcp.json", code.to_string()),
        (".cursor/mcp.json", shared.clone()),
        (".gemini/settings.json", shared.clone()),
        (".gemini/trustedFolders.json", trusted.to_string()),
        (".codeium/windsurf/mcp_config.json", shared.clone()),
        (".kiro/settings/mcp.json", shared.clone()),
        (".lmstudio/mcp.json", shared),
    ];
    for (path, text) in &files {
        directories.write(&directories.home().join(path), text)?;
    }
    Ok(())
}

/// The phase of the server that is shown, in words.
pub fn phase() -> Locator {
    Locator::role("status").inside(Locator::role("main"))
}

/// A server's row in the sidebar.
pub fn server(name: &str) -> Locator {
    option(name).inside(Locator::role("listbox").named("Servers"))
}

/// An entry of the list of tools, resources or prompts.
pub fn entry(list: &str, name: &str) -> Locator {
    option(name).inside(Locator::role("listbox").named(list))
}

/// The record's messages, once they are shown (`show_traffic`).
pub fn traffic() -> Locator {
    Locator::role("grid").named("Messages")
}

/// Chooses a view of the record: Calls, Log, Timeline or Raw.
pub async fn show_traffic(window: &AppWindow, view: &str) -> Result<(), WindowError> {
    let views = Locator::role("tablist").named("View");
    window.click(&tab(view).inside(views)).await
}

/// Shows a section of the settings of the selected server.
pub async fn show_settings(window: &AppWindow, section: &str) -> Result<(), WindowError> {
    window.click(&tab("Settings")).await?;
    window.click(&Locator::role("radio").named(section)).await
}

/// The record's row that holds this text.
pub fn traffic_row(text: &str) -> Locator {
    Locator::role("row").containing(text).inside(traffic())
}

/// A text field by its label.
pub fn field(label: &str) -> Locator {
    Locator::role("textbox").named(label)
}

/// Selects a server and connects to it.
pub async fn connect(window: &AppWindow, name: &str) -> Result<(), WindowError> {
    window.click(&server(name)).await?;
    window.click(&button("Connect")).await?;
    window.shows(&phase(), "Ready").await?;
    stands_with_the_connected(window, name).await
}

/// Waits until a server's row is where connected ones stand. Those below it move with it: a press
/// meanwhile would hit another one.
pub async fn stands_with_the_connected(window: &AppWindow, name: &str) -> Result<(), WindowError> {
    let connected = Locator::role("group").starting("Connected");
    window.find(&option(name).inside(connected)).await?;
    Ok(())
}

/// Calls a tool whose arguments are those of `fields`, by label.
pub async fn call(
    window: &AppWindow,
    tool: &str,
    fields: &[(&str, &str)],
) -> Result<(), WindowError> {
    fill_in(window, tool, fields).await?;
    window.click(&button("Run")).await
}

/// Narrows the list of tools to a name: it draws what is in view alone.
pub async fn find_tool(window: &AppWindow, name: &str) -> Result<(), WindowError> {
    window.click(&tab("Tools")).await?;
    let filter = Locator::role("searchbox").named("Filter tools");
    window.fill(&filter, name).await
}

/// Opens a tool and gives it the arguments of `fields`, by label.
pub async fn fill_in(
    window: &AppWindow,
    tool: &str,
    fields: &[(&str, &str)],
) -> Result<(), WindowError> {
    window.click(&tab("Tools")).await?;
    window.click(&entry("Tools", tool)).await?;
    window
        .shows(&Locator::role("heading").named(tool), tool)
        .await?;
    for (label, value) in fields {
        window.fill(&field(label), value).await?;
    }
    Ok(())
}

/// Returns the result of the last call, read or prompt.
pub fn result() -> Locator {
    region("Result")
}

/// Types a text where the focus is.
pub async fn types(window: &AppWindow, text: &str) -> Result<(), WindowError> {
    for key in text.chars() {
        window.press(&[], key).await?;
    }
    Ok(())
}

/// Chooses an entry of the command palette by a text, once it is the first.
pub async fn choose_in_palette(
    window: &AppWindow,
    text: &str,
    first: &str,
) -> Result<(), WindowError> {
    let palette = Locator::role("dialog").named("Command palette");
    window.press(&[Key::Control.into()], 'k').await?;
    window.find(&palette).await?;
    types(window, text).await?;
    let option = Locator::role("option").inside(palette.clone());
    window
        .eventually(
            &format!("{first} as the first of the palette"),
            async || {
                let names = window.names(&option).await?;
                Ok(names
                    .first()
                    .is_some_and(|name| name.contains(first))
                    .then_some(()))
            },
        )
        .await?;
    window.press(&[], Key::Enter.into()).await?;
    window.is_gone(&palette).await
}

/// Waits until a part lies in the window with all of it.
pub async fn lies_in_window(window: &AppWindow, part: &Locator) -> Result<(), WindowError> {
    let script = "const box = find(arguments[0])?.getBoundingClientRect();
                  return !!box && box.left > -1 && box.top > -1 &&
                         box.right < innerWidth + 1 && box.bottom < innerHeight + 1;";
    window
        .eventually(&format!("{part} lying in the window"), async || {
            let lies = window.run(script, vec![json!(part)]).await?;
            Ok((lies == json!(true)).then_some(()))
        })
        .await
}
