//! A question of a server's comes to the user: in the result of the call that waits, and as a bar
//! from anywhere else.

use sightglass_tests::window::{Key, Locator, button, tab, tell};

use crate::common::{connect, fill_in, find_tool, result};

#[tokio::test(flavor = "multi_thread")]
async fn a_question_is_answered_where_the_call_waits() {
    tell("question", async |story| {
        story.open().await?;
        let window = story.window();
        connect(window, "Demo").await?;
        find_tool(window, "ask_elicitation").await?;
        fill_in(window, "ask_elicitation", &[]).await?;
        window.click(&button("Run")).await?;
        window.shows(&result(), "Waiting for you").await?;
        let name = || Locator::role("textbox").starting("Name");
        window.fill(&name().inside(result()), "Ada").await?;
        let title = async |wanted: &str| {
            window
                .eventually("the title of the window", async || {
                    let title = window.run("return document.title;", vec![]).await?;
                    let title = title.as_str().unwrap_or_default();
                    Ok((title.starts_with("(1)") == (wanted == "one question")).then_some(()))
                })
                .await
        };
        title("one question").await?;

        window.click(&tab("Overview")).await?;
        let bar = Locator::role("alert");
        window.shows(&bar, "Demo asks for input").await?;
        window
            .press(&[Key::Control.into(), Key::Shift.into()], 'R')
            .await?;
        let value = async || {
            let script = "const part = find(arguments[0]); return part && part.value;";
            window
                .run(script, vec![serde_json::json!(name())])
                .await
                .map(|value| value.as_str().unwrap_or_default().to_owned())
        };
        window
            .eventually("the draft in the form", async || {
                Ok((value().await? == "Ada").then_some(()))
            })
            .await?;
        window.is_gone(&bar).await?;
        window
            .fill(
                &Locator::role("textbox").starting("Email"),
                "ada@acme.example",
            )
            .await?;
        window
            .press(&[Key::Control.into()], Key::Enter.into())
            .await?;
        title("no question").await?;
        window.click(&tab("Tools")).await?;
        window.shows(&result(), "Done in").await?;
        window.shows(&result(), "Ada").await
    })
    .await;
}
