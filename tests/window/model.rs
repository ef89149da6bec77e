//! The reference server as the models of its clients see it: the same figures as on the command line.

use serde_json::json;
use sightglass_tests::{
    model, programs,
    window::{AppWindow, Locator, WindowError, button, option, region, tab, tell},
};

use crate::common::{connect, field, result};

#[tokio::test(flavor = "multi_thread")]
async fn the_names_figures_and_forms_of_the_reference_server_are_shown() {
    let script = programs::npm_server("@modelcontextprotocol/server-everything");
    tell("model", async |story| {
        story
            .directories
            .configure(json!({ "everything": { "command": "node", "args": [script, "stdio"] } }))?;
        story.open().await?;
        let window = story.window();
        connect(window, "everything").await?;
        window.click(&tab("In clients")).await?;
        window
            .click(&Locator::role("button").containing("Client"))
            .await?;
        window.click(&option("Claude Code")).await?;
        window.click(&Locator::role("radio").named("Names")).await?;
        let names = Locator::role("grid").named("Names");
        window.shows(&names, "mcp__everything__get-sum").await?;
        window
            .fill(&field("Name out of a log"), "mcp__everything__get-sum")
            .await?;
        let find = region("Find a name");
        window.shows(&find, "get-sum").await?;
        window.shows(&find, "as Claude Code writes it").await?;

        // The figures of js-tiktoken over the same list.
        window.click(&Locator::role("radio").named("Cost")).await?;
        let figures = Locator::role("table").named("Cost of the whole list");
        for figure in [
            "≈2,678", "12,082", "≈1,884", "8,594", "≈192", "730", "0.9 %",
        ] {
            window.shows(&figures, figure).await?;
        }
        let heaviest = Locator::role("grid").named("Tools by cost");
        window.shows(&heaviest, "≈307").await?;
        let results = region("Results of calls");
        window.shows(&results, "10,000").await?;
        window.shows(&results, "25,000").await?;

        window
            .click(&Locator::role("radio").named("As sent"))
            .await?;
        let texts = region("Original and sent tool");
        window.shows(&texts, "input_schema").await
    })
    .await;
}

/// Shows a section of the tab, as Claude Code's model sees the server.
async fn claude_code(window: &AppWindow, section: &str) -> Result<(), WindowError> {
    window.click(&tab("In clients")).await?;
    window
        .click(&Locator::role("button").containing("Client"))
        .await?;
    window.click(&option("Claude Code")).await?;
    window.click(&Locator::role("radio").named(section)).await
}

#[tokio::test(flavor = "multi_thread")]
async fn a_tool_is_taken_from_the_model_by_a_rule_and_the_verdict_says_so() {
    let script = programs::npm_server("@modelcontextprotocol/server-everything");
    tell("model-choice", async |story| {
        story.directories.trust_folder()?;
        let home = story.directories.home();
        let servers = json!({ "everything": { "command": "node", "args": [script, "stdio"] } });
        let file = json!({ "mcpServers": servers }).to_string();
        story.directories.write(&home.join(".claude.json"), &file)?;
        let settings = home.join(".claude/settings.json");
        story
            .directories
            .write(&settings, r#"{"permissions":{"deny":["Bash"]}}"#)?;
        story.open().await?;
        let window = story.window();
        connect(window, "everything").await?;
        claude_code(window, "Tools on/off").await?;
        // The pane with the sum: a status has no name of its own.
        let sum = Locator::role("main");
        window.shows(&sum, "19 of 19 tools on").await?;
        let tools = Locator::role("grid").named("Tools on/off");
        let echo = Locator::role("row").containing("echo").inside(tools);
        window.click(&echo).await?;
        window.shows(&sum, "18 of 19 tools on").await?;
        window.click(&button("Review change")).await?;
        let change = Locator::role("dialog");
        window.shows(&change, "mcp__everything__echo").await?;
        window.click(&button("Save").inside(change.clone())).await?;
        window.is_gone(&change).await?;
        window.shows(&echo, "off").await?;

        window
            .click(&Locator::role("radio").named("Permissions"))
            .await?;
        let tool = Locator::role("combobox").named("Name of the tool");
        window.click(&tool).await?;
        window.click(&option("echo")).await?;
        let verdict = region("Verdict");
        window.shows(&verdict, "Deny").await?;
        window.shows(&verdict, "mcp__everything__echo").await?;
        window.shows(&verdict, "settings.json:1").await
    })
    .await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_model_of_this_machine_says_which_tool_it_would_call_and_the_call_is_run() {
    let body = json!({
        "model": "small",
        "choices": [{ "finish_reason": "tool_calls", "message": { "tool_calls": [{
            "id": "1",
            "type": "function",
            "function": { "name": "mcp__demo__echo", "arguments": r#"{"message":"Good morning"}"# },
        }]}}],
    });
    let (url, mut asked) = model::serve(model::answer("200 OK", &body.to_string())).await;
    tell("model-ask", async |story| {
        let settings = json!({ "models": [{
            "name": "Small", "kind": "openai_chat", "url": url, "model": "small",
        }]});
        let file = story.directories.data().join("settings.json");
        story.directories.write(&file, &settings.to_string())?;
        story.open().await?;
        let window = story.window();
        connect(window, "Demo").await?;
        claude_code(window, "Ask a model").await?;
        window.fill(&field("Prompt"), "Greet me.").await?;
        assert!(asked.try_recv().is_err(), "nothing is sent without a click");
        window
            .click(&button("Ask").inside(Locator::role("main")))
            .await?;
        window.shows(&region("Answer"), "Good morning").await?;
        window.click(&button("Open this call")).await?;
        window.click(&button("Run")).await?;
        window.shows(&result(), "Good morning").await?;
        window.shows(&result(), "Done in").await
    })
    .await;
}
