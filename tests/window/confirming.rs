//! A destructive call is confirmed, and calls are held to the rules of a client.

use serde_json::json;
use sightglass_tests::window::{AppWindow, Locator, WindowError, button, option, tab, tell};

use crate::common::{connect, fill_in, find_tool, result};

fn dialog(tool: &str) -> Locator {
    Locator::role("dialog").named(format!("Call {tool}?"))
}

async fn run(window: &AppWindow, tool: &str, fields: &[(&str, &str)]) -> Result<(), WindowError> {
    find_tool(window, tool).await?;
    fill_in(window, tool, fields).await?;
    window.click(&button("Run")).await
}

#[tokio::test(flavor = "multi_thread")]
async fn a_destructive_call_and_one_about_which_a_rule_asks_are_sent_once_confirmed() {
    tell("confirming", async |story| {
        let rules = json!({ "permissions": {
            "ask": ["mcp__demo__echo"],
            "deny": ["mcp__demo__annotated"],
        }});
        let settings = story.directories.home().join(".claude/settings.json");
        story.directories.write(&settings, &rules.to_string())?;
        story.open().await?;
        let window = story.window();
        connect(window, "Demo").await?;
        run(window, "annotated", &[]).await?;
        window
            .shows(&dialog("annotated"), "may destroy something")
            .await?;
        window.click(&button("Don’t call")).await?;
        window.shows(&result(), "Nothing was sent").await?;
        window.click(&button("Run")).await?;
        let call = |tool| button("Call").inside(dialog(tool));
        window.click(&call("annotated")).await?;
        window.shows(&result(), "Nothing was destroyed.").await?;

        window.click(&tab("In clients")).await?;
        window
            .click(&Locator::role("button").containing("Client"))
            .await?;
        window.click(&option("Claude Code")).await?;
        window.click(&Locator::role("radio").named("Rules")).await?;
        // Its label lies over it, so that the pointer does not reach it.
        let switch = Locator::role("switch").named("Hold calls of Demo to these rules");
        window.find(&switch).await?;
        let focus = "find(arguments[0]).focus();";
        window.run(focus, vec![json!(switch)]).await?;
        window.press(&[], ' ').await?;
        run(window, "echo", &[("Message", "hello")]).await?;
        window
            .shows(&dialog("echo"), "The rules of Claude Code")
            .await?;
        window.shows(&dialog("echo"), "hello").await?;
        window.click(&call("echo")).await?;
        window.shows(&result(), "Done in").await?;
        run(window, "annotated", &[]).await?;
        window.shows(&result(), "deny calls of annotated").await
    })
    .await;
}
