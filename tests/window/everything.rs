//! The reference server over both transports: tools, resources and prompts, each used.

use serde_json::{Value, json};
use sightglass_tests::{
    programs,
    window::{button, tab, tell},
};

use crate::common::{call, connect, entry, result, show_traffic, traffic_row};

#[tokio::test(flavor = "multi_thread")]
async fn the_reference_server_is_used_over_stdio() {
    let script = programs::npm_server("@modelcontextprotocol/server-everything");
    use_everything(
        "everything-stdio",
        json!({ "command": "node", "args": [script, "stdio"] }),
    )
    .await;
}

#[tokio::test(flavor = "multi_thread")]
async fn the_reference_server_is_used_over_streamable_http() {
    let server = programs::everything_over("streamableHttp", programs::free_port());
    use_everything(
        "everything-http",
        json!({ "type": "http", "url": server.url }),
    )
    .await;
}

async fn use_everything(story: &str, entry_in_file: Value) {
    tell(story, async |story| {
        story
            .directories
            .configure(json!({ "everything": entry_in_file }))?;
        story.open().await?;
        let window = story.window();
        connect(window, "everything").await?;

        call(window, "echo", &[("Message", "Hello, reference server")]).await?;
        window.shows(&result(), "Hello, reference server").await?;

        window.click(&tab("Resources")).await?;
        window
            .click(&entry(
                "Resources",
                "demo://resource/static/document/architecture.md",
            ))
            .await?;
        window.click(&button("Read")).await?;
        window.shows(&result(), "Architecture").await?;

        window.click(&tab("Prompts")).await?;
        window.click(&entry("Prompts", "simple-prompt")).await?;
        window.click(&button("Get")).await?;
        window.shows(&result(), "This is a simple prompt").await?;

        show_traffic(window, "Raw").await?;
        for method in ["tools/call", "resources/read", "prompts/get"] {
            window.find(&traffic_row(method)).await?;
        }
        Ok(())
    })
    .await;
}
