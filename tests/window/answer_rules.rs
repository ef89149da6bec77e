//! A question becomes a rule, which answers the next one; a model's reply uses a tool.

use sightglass_tests::window::{Locator, button, tab, tell};

use crate::common::{connect, fill_in, find_tool, result, show_settings};

#[tokio::test(flavor = "multi_thread")]
async fn a_rule_made_of_a_question_answers_the_next_one_also_after_a_restart() {
    tell("answer-rules", async |story| {
        story.open().await?;
        let window = story.window();
        connect(window, "Demo").await?;
        find_tool(window, "ask_elicitation").await?;
        fill_in(window, "ask_elicitation", &[]).await?;
        window.click(&button("Run")).await?;
        window.shows(&result(), "of its time left").await?;
        let field = |name: &str| Locator::role("textbox").starting(name).inside(result());
        window.fill(&field("Name"), "Ada").await?;
        window.fill(&field("Email"), "ada@acme.example").await?;
        window.click(&button("Make a rule…")).await?;
        let rules = Locator::role("dialog").named("Rules that answer questions");
        window.shows(&rules, "accept with").await?;
        window.click(&button("Save").inside(rules.clone())).await?;
        window.is_gone(&rules).await?;
        window.click(&button("Decline")).await?;
        window.shows(&result(), "decline").await?;
        window.click(&button("Run")).await?;
        window
            .shows(&result(), "1 question answered by the rule")
            .await?;
        window.shows(&result(), "ada@acme.example").await?;

        story.leave().close().await?;
        story.open().await?;
        let window = story.window();
        connect(window, "Demo").await?;
        find_tool(window, "ask_elicitation").await?;
        fill_in(window, "ask_elicitation", &[]).await?;
        window.click(&button("Run")).await?;
        window
            .shows(&result(), "1 question answered by the rule")
            .await?;
        show_settings(window, "Answers and folders").await?;
        let answered = Locator::role("list").named("Answered by rules");
        window.shows(&answered, "ada@acme.example").await
    })
    .await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_reply_to_sampling_uses_a_tool_and_then_says_what_came_of_it() {
    tell("sampling", async |story| {
        story.open().await?;
        let window = story.window();
        connect(window, "Demo").await?;
        find_tool(window, "ask_for_sampling_with_tools").await?;
        fill_in(window, "ask_for_sampling_with_tools", &[]).await?;
        window.click(&button("Run")).await?;
        window.shows(&result(), "Waiting for you").await?;
        show_settings(window, "Answers and folders").await?;
        window.click(&button("Use of a tool")).await?;
        window
            .click(&Locator::role("menuitem").named("get_weather"))
            .await?;
        let city = Locator::role("textbox").starting("City");
        window.fill(&city, "Oslo").await?;
        let accept = Locator::role("button").starting("Accept");
        window.click(&accept).await?;
        let turn = Locator::role("group").containing("model’s reply");
        window.shows(&turn, "It is sunny in Oslo.").await?;
        let text = Locator::role("textbox").named("Text 1");
        window.fill(&text, "Sunny there.").await?;
        window.click(&accept).await?;
        window.click(&tab("Tools")).await?;
        window.shows(&result(), "Sunny there.").await
    })
    .await;
}
