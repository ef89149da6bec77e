//! The first minute: from a launch to the first answer of one's own server, whatever stands on the
//! machine, by whatever means, in whatever size of the window.

use serde_json::json;
use sightglass_tests::{
    programs,
    window::{
        AppWindow, Directories, Key, Locator, Story, WindowError, button, option, region, tell,
    },
};

use crate::common::{
    EIGHT_CLIENTS, choose_in_palette, configure_eight_clients, lies_in_window, phase, result,
    server, types,
};

/// The most that a user has to decide before the first answer.
const MAX_DECISIONS: usize = 5;

/// Number of presses of Tab after which a part is not on the way.
const MAX_TABS: usize = 60;

/// A tool of the demo server that takes no arguments.
const TOOL: &str = "result_text";

fn trust_dialog() -> Locator {
    Locator::role("dialog").named("Trust the programs and settings in this folder?")
}

fn add_dialog() -> Locator {
    Locator::role("dialog").named("Add server")
}

/// The user, whose decisions on the way to an answer are counted.
struct User<'w> {
    window: &'w AppWindow,
    decisions: Vec<String>,
}

impl<'w> User<'w> {
    fn at(window: &'w AppWindow) -> Self {
        Self {
            window,
            decisions: Vec::new(),
        }
    }

    async fn click(&mut self, wanted: &Locator) -> Result<(), WindowError> {
        self.decisions.push(format!("click {wanted}"));
        self.window.click(wanted).await
    }

    async fn paste(&mut self, field: &Locator, text: &str) -> Result<(), WindowError> {
        self.decisions.push(format!("paste into {field}"));
        self.window.fill(field, text).await
    }

    async fn open_tool(&mut self, name: &str) -> Result<(), WindowError> {
        self.decisions.push(format!("open {name}"));
        choose_in_palette(self.window, name, name).await
    }

    /// Runs the tool that takes nothing, and has its answer after few enough decisions.
    async fn gets_an_answer(mut self) -> Result<(), WindowError> {
        self.window.shows(&phase(), "Ready").await?;
        self.open_tool(TOOL).await?;
        self.click(&button("Run")).await?;
        self.window.shows(&result(), "Done in").await?;
        assert!(
            self.decisions.len() <= MAX_DECISIONS,
            "{:#?}",
            self.decisions
        );
        Ok(())
    }
}

/// Configures the demo server as `orders` in Cursor alone.
fn configure_cursor(directories: &Directories) -> Result<(), WindowError> {
    let program = programs::own("sightglass-demo-server");
    let servers = json!({ "mcpServers": { "orders": { "command": program } } });
    let file = directories.home().join(".cursor/mcp.json");
    directories.write(&file, &servers.to_string())?;
    Ok(())
}

/// Connects the server that Cursor has, as the window offers it, and has an answer of it.
async fn call_what_was_found(window: &AppWindow) -> Result<(), WindowError> {
    let mut user = User::at(window);
    let found = region("1 server of your other clients");
    user.click(&button("Open orders").inside(found)).await?;
    user.click(&button("Connect")).await?;
    user.click(&button("Trust folder").inside(trust_dialog()))
        .await?;
    user.gets_an_answer().await
}

#[tokio::test(flavor = "multi_thread")]
async fn a_first_launch_with_nothing_names_no_client_and_connects_the_demo_with_one_key() {
    tell("first-nothing", async |story| {
        story.open_with(&[], &button("Add server")).await?;
        let window = story.window();
        let page = Locator::role("main");
        window
            .shows(&page, "No servers in this project yet.")
            .await?;
        let text = window.text(&page).await?;
        assert!(!text.contains("other clients"), "{text}");
        let servers = Locator::role("option").inside(Locator::role("listbox").named("Servers"));
        let names = window.names(&servers).await?;
        let [only] = names.as_slice() else {
            panic!("{names:?}");
        };
        assert!(only.starts_with("Demo"), "{only}");
        window
            .find(&button("Add a server of your own").inside(page))
            .await?;
        has_focus(window, &button("Connect to Demo")).await?;
        window.press(&[], Key::Enter.into()).await?;
        window.shows(&phase(), "Ready").await
    })
    .await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_first_launch_with_a_broken_file_names_its_line_and_repairs_it_once_that_was_seen() {
    tell("first-broken", async |story| {
        let file = story.directories.project().join(".mcp.json");
        let broken = "{\n  \"mcpServers\": {\n    \"mail\": { \"command\": \"true\" },\n  }\n}\n";
        story.directories.write(&file, broken)?;
        story.open().await?;
        let window = story.window();
        let page = Locator::role("main");
        let note = Locator::role("note").inside(page.clone());
        window
            .shows(&note, ".mcp.json cannot be read. Line 3: Trailing comma")
            .await?;
        let text = window.text(&page).await?;
        assert!(!text.contains("No servers"), "{text}");

        window.click(&button("Repair…").inside(note)).await?;
        let dialog = Locator::role("dialog").named("Repair .mcp.json");
        window.shows(&dialog, "\"mail\"").await?;
        assert_eq!(
            std::fs::read_to_string(&file)?,
            broken,
            "nothing is written unseen"
        );
        window
            .click(&button("Repair").inside(dialog.clone()))
            .await?;
        window.is_gone(&dialog).await?;
        window.find(&server("mail")).await?;
        let repaired = std::fs::read_to_string(&file)?;
        assert_eq!(repaired, broken.replace("},\n  }", "}\n  }"));
        Ok(())
    })
    .await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_first_launch_with_eight_clients_names_each_and_groups_their_servers() {
    tell("first-eight", async |story| {
        configure_eight_clients(&story.directories)?;
        story.open().await?;
        let window = story.window();
        let found = region("4 servers of your other clients");
        for client in EIGHT_CLIENTS {
            window.shows(&found, client).await?;
        }
        for (group, names) in [
            ("This project", &["local"][..]),
            ("Yours", &["codex", "search", "shared"][..]),
            ("Built in", &["Demo"][..]),
        ] {
            let group = Locator::role("group")
                .starting(group)
                .inside(Locator::role("listbox").named("Servers"));
            for name in names {
                window.find(&option(name).inside(group.clone())).await?;
            }
            let rows = Locator::role("option").inside(group);
            assert_eq!(window.names(&rows).await?.len(), names.len());
        }

        window
            .click(&Locator::role("button").starting("Setup"))
            .await?;
        let matrix = Locator::role("grid").named("Servers by client");
        for client in EIGHT_CLIENTS {
            window.find(&button(client).inside(matrix.clone())).await?;
        }
        Ok(())
    })
    .await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_server_of_another_client_answers_after_five_decisions() {
    tell("first-found", async |story| {
        configure_cursor(&story.directories)?;
        story.open().await?;
        call_what_was_found(story.window()).await
    })
    .await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_pasted_address_answers_after_five_decisions() {
    let listening = programs::demo_over_http(&[]);
    tell("first-pasted", async |story| {
        story.open().await?;
        let window = story.window();
        let mut user = User::at(window);
        user.click(&button("Add a server of your own")).await?;
        let paste = Locator::role("textbox").named("Paste anything");
        user.paste(&paste.inside(add_dialog()), &listening.url)
            .await?;
        window.shows(&add_dialog(), &listening.url).await?;
        user.click(&button("Save and connect").inside(add_dialog()))
            .await?;
        window.is_gone(&add_dialog()).await?;
        user.gets_an_answer().await
    })
    .await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_pasted_command_answers_after_five_decisions() {
    tell("first-command", async |story| {
        story.open().await?;
        let window = story.window();
        let program = programs::own("sightglass-demo-server");
        let command = program.display().to_string();
        let mut user = User::at(window);
        user.click(&button("Add a server of your own")).await?;
        let paste = Locator::role("textbox").named("Paste anything");
        user.paste(&paste.inside(add_dialog()), &command).await?;
        window
            .shows(&add_dialog(), "sightglass-demo-server")
            .await?;
        user.click(&button("Save and connect").inside(add_dialog()))
            .await?;
        window.is_gone(&add_dialog()).await?;
        user.gets_an_answer().await
    })
    .await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_pasted_command_that_means_the_folder_asks_about_it_first() {
    tell("first-folder", async |story| {
        let script = story.directories.project().join("serve.sh");
        let program = programs::own("sightglass-demo-server");
        let text = format!("exec '{}'\n", program.display());
        story.directories.write(&script, &text)?;
        story.open().await?;
        let window = story.window();
        window.click(&button("Add a server of your own")).await?;
        let paste = Locator::role("textbox").named("Paste anything");
        window
            .fill(&paste.inside(add_dialog()), "sh serve.sh")
            .await?;
        window.shows(&add_dialog(), "serve.sh").await?;
        window
            .click(&button("Save and connect").inside(add_dialog()))
            .await?;
        window
            .click(&button("Trust folder").inside(trust_dialog()))
            .await?;
        User::at(window).gets_an_answer().await
    })
    .await;
}

#[tokio::test(flavor = "multi_thread")]
async fn in_the_smallest_window_a_server_of_another_client_answers_after_five_decisions() {
    tell("first-small", async |story| {
        configure_cursor(&story.directories)?;
        story.open().await?;
        let window = story.window();
        window.resize(720, 480).await?;
        call_what_was_found(window).await?;
        lies_in_window(window, &Locator::role("status").inside(result())).await?;
        does_not_scroll_sideways(window).await
    })
    .await;
}

#[tokio::test(flavor = "multi_thread")]
async fn by_keys_alone_ones_own_server_is_added_and_answers() {
    tell("first-keys", async |story| {
        story.open().await?;
        add_and_call_by_keys(story).await
    })
    .await;
}

#[tokio::test(flavor = "multi_thread")]
async fn at_twice_the_size_ones_own_server_is_added_and_answers() {
    tell("first-zoomed", async |story| {
        let settings = story.directories.data().join("settings.json");
        let zoomed = json!({ "zoom": 200 }).to_string();
        story.directories.write(&settings, &zoomed)?;
        story.open().await?;
        story.window().resize_zoomed(720, 450, 2).await?;
        add_and_call_by_keys(story).await?;
        does_not_scroll_sideways(story.window()).await
    })
    .await;
}

/// Adds the demo server by its command line and has an answer of it, without a mouse. Whatever has
/// the focus on the way lies in the window.
async fn add_and_call_by_keys(story: &Story) -> Result<(), WindowError> {
    let window = story.window();
    let program = programs::own("sightglass-demo-server");
    presses(window, &button("Add a server of your own")).await?;
    window.find(&add_dialog()).await?;
    let paste = Locator::role("textbox")
        .named("Paste anything")
        .inside(add_dialog());
    has_focus(window, &paste).await?;
    types(window, &program.display().to_string()).await?;
    // What is to be written is that of the last letter.
    window
        .shows(&add_dialog(), "sightglass-demo-server")
        .await?;
    presses(window, &button("Save and connect").inside(add_dialog())).await?;
    window.shows(&phase(), "Ready").await?;
    choose_in_palette(window, TOOL, TOOL).await?;
    lies_in_window(window, &button("Run")).await?;
    window
        .press(&[Key::Control.into()], Key::Enter.into())
        .await?;
    window.shows(&result(), "Done in").await?;
    lies_in_window(window, &Locator::role("status").inside(result())).await
}

/// Walks to a button with Tab, and presses it once it is switched on and takes keys: what has just
/// appeared takes none that was meant for what stood there before.
async fn presses(window: &AppWindow, wanted: &Locator) -> Result<(), WindowError> {
    let is_enabled = "const part = find(arguments[0]); return !!part && \
                      !part.matches(':disabled, [aria-disabled=true], [data-guarded] *');";
    window
        .eventually(&format!("{wanted} switched on"), async || {
            let enabled = window.run(is_enabled, vec![json!(wanted)]).await?;
            Ok((enabled == json!(true)).then_some(()))
        })
        .await?;
    let mut tabs = 0;
    while !is_focused(window, wanted).await? {
        assert!(tabs < MAX_TABS, "{wanted} is not reached with Tab");
        window.press(&[], Key::Tab.into()).await?;
        tabs += 1;
    }
    lies_in_window(window, wanted).await?;
    window.press(&[], Key::Enter.into()).await
}

async fn has_focus(window: &AppWindow, wanted: &Locator) -> Result<(), WindowError> {
    window
        .eventually(&format!("{wanted} with the focus"), async || {
            Ok(is_focused(window, wanted).await?.then_some(()))
        })
        .await
}

async fn is_focused(window: &AppWindow, wanted: &Locator) -> Result<bool, WindowError> {
    let script = "return find(arguments[0]) === document.activeElement;";
    Ok(window.run(script, vec![json!(wanted)]).await? == json!(true))
}

async fn does_not_scroll_sideways(window: &AppWindow) -> Result<(), WindowError> {
    let fits = "return document.documentElement.scrollWidth <= innerWidth;";
    assert_eq!(window.run(fits, vec![]).await?, json!(true));
    Ok(())
}
