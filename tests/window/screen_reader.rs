//! The main jobs as a screen reader is given them: names, roles, states and live regions on the
//! accessibility bus of the system, not in the page.

use serde_json::json;
use sightglass_tests::{
    programs,
    window::{
        Locator,
        accessibility::{Accessibility, Role, State},
        button, region, tab, tell,
    },
};

use crate::common::{call, connect, entry, field, fill_in, find_tool, phase, result, server};

#[tokio::test(flavor = "multi_thread")]
async fn a_screen_reader_is_told_of_servers_tabs_tools_and_a_result() {
    tell("reader-call", async |story| {
        let bus = Accessibility::serve(&story.directories).await?;
        story.open().await?;
        let window = story.window();
        let list = Locator::role("listbox").named("Servers");
        let servers = bus.find(window, &list).await?;
        assert_eq!(servers.role, Role::LIST_BOX);
        let row = bus.find(window, &server("Demo Disconnected")).await?;
        assert_eq!(row.role, Role::LIST_ITEM);
        assert!(
            row.is(State::SHOWING) && row.is(State::FOCUSABLE),
            "{row:?}"
        );
        assert!(!row.is(State::SELECTED), "{row:?}");

        // A change is told where the object that changes was there before.
        window.click(&server("Demo")).await?;
        let before = bus.find_with(window, &phase(), "Disconnected").await?;
        assert_eq!(before.role, Role::STATUS_BAR);
        assert_eq!(before.live(), Some("polite"));
        connect(window, "Demo").await?;
        let after = bus.find_with(window, &phase(), "Ready").await?;
        assert_eq!(after.address, before.address, "the status was drawn anew");
        let row = bus.find(window, &server("Demo Ready")).await?;
        assert!(row.is(State::SELECTED), "{row:?}");

        call(window, "echo", &[("Message", "Hello, screen reader")]).await?;
        window.shows(&result(), "Hello, screen reader").await?;
        let tabs = bus
            .find(window, &Locator::role("tablist").named("Demo"))
            .await?;
        assert_eq!(tabs.role, Role::PAGE_TAB_LIST);
        for (name, is_selected) in [("Tools", true), ("Overview", false)] {
            let tab = bus.find(window, &tab(name)).await?;
            assert_eq!(tab.role, Role::PAGE_TAB);
            assert_eq!(tab.is(State::SELECTED), is_selected, "{tab:?}");
        }
        let tool = bus.find(window, &entry("Tools", "echo")).await?;
        assert_eq!(tool.role, Role::LIST_ITEM);
        assert!(tool.is(State::SELECTED), "{tool:?}");
        let argument = bus.find(window, &field("Message")).await?;
        assert_eq!(argument.role, Role::ENTRY);
        assert!(argument.is(State::EDITABLE), "{argument:?}");
        let run = bus.find(window, &button("Run")).await?;
        assert_eq!(run.role, Role::BUTTON);
        assert!(
            run.is(State::ENABLED) && run.is(State::FOCUSABLE),
            "{run:?}"
        );
        let shown = bus
            .find_with(window, &result(), "Hello, screen reader")
            .await?;
        assert_eq!(shown.role, Role::LANDMARK);
        let outcome = Locator::role("status").inside(result());
        let outcome = bus.find_with(window, &outcome, "Done in").await?;
        assert_eq!(outcome.live(), Some("polite"));
        Ok(())
    })
    .await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_screen_reader_is_told_of_a_question_at_once_from_anywhere() {
    tell("reader-question", async |story| {
        let bus = Accessibility::serve(&story.directories).await?;
        story.open().await?;
        let window = story.window();
        connect(window, "Demo").await?;
        find_tool(window, "ask_elicitation").await?;
        fill_in(window, "ask_elicitation", &[]).await?;
        window.click(&button("Run")).await?;
        window.shows(&result(), "Waiting for you").await?;
        let name = Locator::role("textbox").starting("Name").inside(result());
        let name = bus.find(window, &name).await?;
        assert_eq!(name.role, Role::ENTRY);

        window.click(&tab("Overview")).await?;
        let alert = Locator::role("alert");
        let told = bus.find_with(window, &alert, "Demo asks for input").await?;
        assert_eq!(told.role, Role::NOTIFICATION);
        assert_eq!(told.live(), Some("assertive"));
        let answer = Locator::role("button").starting("Answer").inside(alert);
        let answer = bus.find(window, &answer).await?;
        assert_eq!(answer.role, Role::BUTTON);
        Ok(())
    })
    .await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_screen_reader_is_told_why_a_server_failed() {
    tell("reader-failure", async |story| {
        let program = programs::own("sightglass-demo-server");
        let missing = "DATABASE_URL is not set";
        let arguments = ["--fault", "exit", "--exit-code", "3", "--stderr", missing];
        story
            .directories
            .configure(json!({ "fragile": { "command": program, "args": arguments } }))?;
        let bus = Accessibility::serve(&story.directories).await?;
        story.open().await?;
        let window = story.window();
        window.click(&server("fragile")).await?;
        window.click(&button("Connect")).await?;
        let failed = format!("Failed: {missing} (exit 3)");
        let status = bus.find_with(window, &phase(), &failed).await?;
        assert_eq!(status.role, Role::STATUS_BAR);
        assert_eq!(status.live(), Some("polite"));
        let row = bus.find(window, &server("fragile Failed")).await?;
        assert!(row.is(State::SELECTED), "{row:?}");
        let explanation = bus.find(window, &region(&failed)).await?;
        assert_eq!(explanation.role, Role::LANDMARK);
        let title = Locator::role("heading")
            .named(&failed)
            .inside(region(&failed));
        let title = bus.find(window, &title).await?;
        assert_eq!(title.role, Role::HEADING);
        Ok(())
    })
    .await;
}
