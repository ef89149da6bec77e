//! Steps that several stories have in common.

use sightglass_tests::window::{AppWindow, Locator, WindowError, button, option, region, tab};

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
    window.shows(&phase(), "Ready").await
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
