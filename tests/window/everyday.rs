//! Compares calls on record, shows a PDF and a table, and finds a bookmark after a restart.

use serde_json::{Value, json};
use sightglass_tests::window::{AppWindow, Key, Locator, WindowError, button, tab, tell};

use crate::common::{
    call, connect, entry, field, result, server, show_traffic, traffic, traffic_row,
};

/// Says how many pixels of a page are neither white nor see-through.
const INK: &str = "const page = find(arguments[0]);
    if (!page || page.width === 0 || page.height === 0) return 0;
    const { data } = page.getContext('2d').getImageData(0, 0, page.width, page.height);
    let ink = 0;
    for (let at = 0; at < data.length; at += 4) {
        if (data[at + 3] > 0 && Math.min(data[at], data[at + 1], data[at + 2]) < 200) ink += 1;
    }
    return ink;";

/// Asks for a character map of the PDF reader, and says how many bytes came.
const MAP: &str = "const done = arguments[arguments.length - 1];
    const request = new XMLHttpRequest();
    request.open('GET', new URL('pdf/cmaps/UniJIS-UCS2-H.bcmap', document.baseURI));
    request.responseType = 'arraybuffer';
    request.onload = () => done(request.response.byteLength);
    request.onerror = () => done(0);
    request.send();";

/// A row of the calls of a tool that are on record.
fn past_call(argument: &str) -> Locator {
    Locator::role("row")
        .containing(argument)
        .inside(Locator::role("grid").named("Calls on record"))
}

async fn filter(window: &AppWindow, text: &str) -> Result<(), WindowError> {
    let filter = Locator::role("searchbox").named("Filter traffic");
    window.fill(&filter, text).await
}

#[tokio::test(flavor = "multi_thread")]
async fn calls_are_compared_documents_are_shown_and_a_bookmark_outlives_the_application() {
    tell("everyday", async |story| {
        story.open().await?;
        let window = story.window();
        connect(window, "Demo").await?;
        for message in ["first", "second"] {
            call(window, "echo", &[("Message", message)]).await?;
            window.shows(&result(), message).await?;
        }
        let menu = Locator::role("button").starting("History");
        window.click(&menu.inside(result())).await?;
        window
            .click(&Locator::role("menuitem").named("All calls on record"))
            .await?;
        let history = Locator::role("region").named("History");
        window.shows(&history, "2 calls on record").await?;
        window.click(&past_call("first")).await?;
        window.click(&button("Compare…")).await?;
        window.click(&past_call("second")).await?;
        // Both arguments, which no row has: the comparison is there.
        window.shows(&history, "\"first\" \"second\"").await?;
        window.click(&past_call("first")).await?;
        let menu = Locator::role("button").starting("History");
        window.click(&menu.inside(result())).await?;
        window
            .click(&Locator::role("menuitem").starting("Run again"))
            .await?;
        window.shows(&result(), "first").await?;

        window.click(&tab("Resources")).await?;
        window
            .click(&entry("Resources", "demo://document.pdf"))
            .await?;
        window.shows(&result(), "3 pages").await?;
        let page = Locator::role("img").named("Page 1 of 3");
        window
            .eventually("a page that is drawn", async || {
                let ink: Value = window.run(INK, vec![json!(page)]).await?;
                Ok((ink.as_f64() > Some(100.0)).then_some(()))
            })
            .await?;
        let bytes = window.run_async(MAP, Vec::new()).await?;
        assert!(
            bytes.as_f64() > Some(1000.0),
            "the app has the maps: {bytes}"
        );
        window
            .click(&entry("Resources", "demo://table.csv"))
            .await?;
        // The views of a part come with the pointer.
        window.click(&result()).await?;
        let view = Locator::role("button").starting("Table").inside(result());
        window.click(&view).await?;
        window
            .click(&Locator::role("menuitemradio").named("Table"))
            .await?;
        window
            .find(&Locator::role("columnheader").inside(result()))
            .await?;

        show_traffic(window, "Raw").await?;
        filter(window, "method:tools/call").await?;
        // Until the other rows are gone, the first call is at another place.
        let rows = Locator::role("row").inside(traffic());
        window
            .eventually("calls alone in the traffic", async || {
                let names = window.names(&rows).await?;
                let messages = names.get(1..).unwrap_or_default();
                let is_filtered = messages.iter().all(|name| name.contains("tools/call"));
                Ok((is_filtered && !messages.is_empty()).then_some(()))
            })
            .await?;
        window.click(&traffic_row("tools/call")).await?;
        window.press(&[Key::Control.into()], 'd').await?;
        window.fill(&field("Note"), "ask Ada").await?;
        window.press(&[], Key::Enter.into()).await?;
        window.shows(&traffic(), "ask Ada").await?;

        story.leave().close().await?;
        story.open().await?;
        let window = story.window();
        window.click(&server("Demo")).await?;
        show_traffic(window, "Raw").await?;
        filter(window, "is:bookmarked").await?;
        window.shows(&traffic(), "ask Ada").await?;
        window.shows(&traffic_row("tools/call"), "echo").await
    })
    .await;
}
