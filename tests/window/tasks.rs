//! A call becomes a task: it is followed in place and in its tab, also after a restart.

use sightglass_tests::window::{Locator, button, tab, tell};

use crate::common::{connect, field, fill_in, find_tool, result};

#[tokio::test(flavor = "multi_thread")]
async fn a_task_asks_is_answered_and_has_its_result_in_both_places() {
    tell("tasks", async |story| {
        story.open().await?;
        let window = story.window();
        connect(window, "Demo").await?;
        find_tool(window, "background_work").await?;
        fill_in(window, "background_work", &[]).await?;
        window.click(&Locator::role("radio").named("JSON")).await?;
        let arguments = r#"{"steps":2,"ms":200,"ask":true}"#;
        window.fill(&field("Arguments"), arguments).await?;
        window.click(&button("Run")).await?;
        window.shows(&result(), "Waiting for you").await?;
        window.click(&tab("Tasks")).await?;
        let task = Locator::role("option").inside(Locator::role("listbox").named("Tasks"));
        window.shows(&task, "needs an answer").await?;
        let answer = Locator::role("textbox").starting("Answer");
        window.fill(&answer, "left").await?;
        window
            .click(&Locator::role("button").starting("Accept"))
            .await?;
        window.shows(&task, "completed").await?;
        window.shows(&result(), "\"left\"").await
    })
    .await;
}
