//! The timeline of what was called: bars, the selected one with its parts, zoom and move by keys.

use serde_json::{Value, json};
use sightglass_tests::window::{AppWindow, Locator, WindowError, button, tell};

use crate::common::{connect, fill_in, find_tool, result, show_traffic};

/// Key to the operation before, at first the newest (WebDriver, section 17.4.2).
const LEFT: char = '\u{e012}';
/// Key to the last operation.
const END: char = '\u{e010}';
/// Key that opens an operation.
const RIGHT: char = '\u{e014}';

fn timeline() -> Locator {
    Locator::role("application").named("Timeline")
}

async fn number(window: &AppWindow, name: &str) -> Result<f64, WindowError> {
    let script = "return Number(find(arguments[0]).dataset[arguments[1]]);";
    let value = window.run(script, vec![json!(timeline()), json!(name)]);
    Ok(value.await?.as_f64().unwrap_or(f64::NAN))
}

#[tokio::test(flavor = "multi_thread")]
async fn calls_are_bars_and_the_time_of_the_person_is_apart() {
    tell("timeline", async |story| {
        story.open().await?;
        let window = story.window();
        connect(window, "Demo").await?;
        find_tool(window, "ask_elicitation").await?;
        fill_in(window, "ask_elicitation", &[]).await?;
        window.click(&button("Run")).await?;
        window.shows(&result(), "Waiting for you").await?;
        window.click(&button("Decline")).await?;
        window.shows(&result(), "Done in").await?;

        show_traffic(window, "Timeline").await?;
        window.find(&timeline()).await?;
        window
            .eventually("the call among the bars", async || {
                let hatched = number(window, "hatched").await?;
                Ok((hatched == 1.0).then_some(()))
            })
            .await?;
        let lanes = Locator::role("list").named("Lanes");
        window.shows(&lanes, "Demo").await?;

        // Something is drawn: not every point of the canvas is the same.
        let drawn = window
            .eventually("the picture", async || {
                let script = "
                    const canvas = find(arguments[0]).querySelector('canvas');
                    const { width, height } = canvas;
                    const { data } = canvas.getContext('2d').getImageData(0, 0, width, height);
                    const colours = new Set();
                    for (let at = 0; at < data.length; at += 4) {
                        colours.add(`${data[at]} ${data[at + 1]} ${data[at + 2]}`);
                    }
                    return colours.size;";
                let colours = window.run(script, vec![json!(timeline())]).await?;
                Ok(colours.as_u64().filter(|count| *count > 3))
            })
            .await?;
        assert!(drawn > 3);

        // A click would choose what lies under it.
        let focus = "find(arguments[0]).focus();";
        window.run(focus, vec![json!(timeline())]).await?;
        window.press(&[], LEFT).await?;
        let parts = Locator::role("region").starting("Parts of");
        window.shows(&parts, "ask_elicitation").await?;
        window.shows(&parts, "waiting for a person").await?;
        window.shows(&parts, "critical path").await?;

        let span = async || -> Result<f64, WindowError> {
            Ok(number(window, "to").await? - number(window, "from").await?)
        };
        let all = span().await?;
        window.press(&[], 'w').await?;
        window
            .eventually("a shorter time", async || {
                Ok((span().await? < all).then_some(()))
            })
            .await?;
        let from = number(window, "from").await?;
        window.press(&[], 'a').await?;
        window
            .eventually("an earlier time", async || {
                Ok((number(window, "from").await? < from).then_some(()))
            })
            .await?;

        // The selection is that of the operations.
        show_traffic(window, "Calls").await?;
        let script = "
            const row = document.querySelector('[role=row][aria-selected=true]');
            return row && row.textContent;";
        window
            .eventually("the selected operation", async || {
                let text = window.run(script, vec![Value::Null]).await?;
                let is_it = text
                    .as_str()
                    .is_some_and(|text| text.contains("ask_elicitation"));
                Ok(is_it.then_some(()))
            })
            .await?;

        // It opens into its parts, each with its link.
        let focus = "document.querySelector('[role=treegrid]').focus();";
        window.run(focus, vec![Value::Null]).await?;
        window.press(&[], END).await?;
        window.press(&[], RIGHT).await?;
        let script = "
            const parts = [...document.querySelectorAll('[role=row][aria-level=\"2\"]')];
            return parts.map((part) => part.textContent).join('\\n');";
        window
            .eventually("the round beneath its call", async || {
                let text = window.run(script, vec![Value::Null]).await?;
                let is_there = text
                    .as_str()
                    .is_some_and(|text| text.contains("further round"));
                Ok(is_there.then_some(()))
            })
            .await
    })
    .await;
}
