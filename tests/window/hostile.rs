//! A server whose schemas would keep the window busy for hours.

use serde_json::{Map, Value, json};
use sightglass_tests::{
    programs::scripted,
    window::{Locator, button, tab, tell},
    wiretap::Wiretap,
};

use crate::common::{connect, entry, phase, result};

const TOO_LARGE: &str =
    "Not checked: the schema is too large to check here. You can run it; the server checks it.";

/// `a0` applies `a1` twice, that `a2` twice, and so on.
fn doubling(levels: usize) -> Value {
    let mut definitions = Map::new();
    for level in 0..levels {
        let next = json!({ "$ref": format!("#/$defs/a{}", level + 1) });
        definitions.insert(format!("a{level}"), json!({ "allOf": [next, next] }));
    }
    definitions.insert(format!("a{levels}"), json!({ "type": "object" }));
    json!({ "type": "object", "$ref": "#/$defs/a0", "$defs": definitions })
}

fn tools() -> String {
    let many = (0..10_000)
        .map(|index| (format!("member{index}"), json!({ "type": "string" })))
        .collect::<Map<_, _>>();
    let items = (0..6).fold(
        json!({ "type": "string" }),
        |items, _| json!({ "type": "array", "minItems": 1_000_000_000, "items": items }),
    );
    let backtracking = json!({
        "type": "string",
        "pattern": "^(a+)+$",
        "default": format!("{}!", "a".repeat(60)),
    });
    json!({ "tools": [
        { "name": "chain", "inputSchema": doubling(40), "outputSchema": doubling(40) },
        { "name": "backtracking", "inputSchema": {
            "type": "object", "properties": { "text": backtracking }, "required": ["text"],
        } },
        { "name": "many", "inputSchema": { "type": "object", "properties": many } },
        { "name": "lists", "inputSchema": {
            "type": "object", "properties": { "lists": items }, "required": ["lists"],
        } },
        { "name": "mild\u{202e}txt.exe", "inputSchema": {
            "type": "object", "properties": { "text": { "type": "string" } },
        } },
    ] })
    .to_string()
}

#[tokio::test(flavor = "multi_thread")]
async fn schemas_that_take_hours_to_check_leave_the_window_usable() {
    let tap = Wiretap::new();
    let answer = r#"{"content":[{"type":"text","text":"It was called."}],"structuredContent":{}}"#;
    let server = scripted(&tap, &[("tools/list", &tools()), ("tools/call", answer)]);
    tell("hostile-schemas", async |story| {
        story.directories.configure(json!({ "odd": server }))?;
        story.open().await?;
        let window = story.window();
        connect(window, "odd").await?;
        window.click(&tab("Tools")).await?;
        let main = Locator::role("main");
        let open = async |tool: &str| {
            window.click(&entry("Tools", tool)).await?;
            window
                .shows(&Locator::role("heading").named(tool), tool)
                .await
        };
        open("chain").await?;
        window.shows(&main, TOO_LARGE).await?;
        open("backtracking").await?;
        window.shows(&main, "Does not match the pattern").await?;
        window.click(&entry("Tools", "many")).await?;
        window.shows(&main, "10,000 members").await?;
        window.shows(&main, "fits the schema").await?;
        open("lists").await?;
        window.shows(&main, r"mild\u{202e}txt.exe").await?;

        window.click(&entry("Tools", "chain")).await?;
        window.shows(&main, TOO_LARGE).await?;
        window.click(&button("Run")).await?;
        window.shows(&result(), "It was called.").await?;
        window.shows(&result(), "not checked").await?;

        window.click(&button("Disconnect")).await?;
        window.shows(&phase(), "Disconnected").await?;
        Ok(())
    })
    .await;
}
