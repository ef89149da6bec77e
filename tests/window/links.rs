//! An install link starts the application: it is shown, and nothing comes of it by itself.

use serde_json::json;
use sightglass_tests::window::{Locator, button, tell};

use crate::common::field;

#[tokio::test(flavor = "multi_thread")]
async fn a_link_fills_the_dialog_and_saves_nothing() {
    tell("link", async |story| {
        let home = story.directories.home();
        let proof = home.join("started");
        let config = json!({ "command": "touch", "args": [proof] }).to_string();
        let config = url::form_urlencoded::byte_serialize(config.as_bytes()).collect::<String>();
        let link = format!("sightglass://add?name=from-a-link&config={config}");
        let dialog = Locator::role("dialog").named("Add server");
        story.open_with(&[link], &dialog).await?;
        let window = story.window();
        for (label, value) in [("Name", "from-a-link"), ("Command", "touch")] {
            window
                .eventually("the filled field", async || {
                    let field = window.find(&field(label)).await?;
                    let filled = field.prop("value").await?;
                    Ok((filled.as_deref() == Some(value)).then_some(()))
                })
                .await?;
        }
        window
            .click(&button("Cancel").inside(dialog.clone()))
            .await?;
        window.is_gone(&dialog).await?;
        assert!(!proof.exists(), "nothing was started");
        assert!(
            !story.directories.own_servers().exists(),
            "nothing was saved"
        );
        Ok(())
    })
    .await;
}
