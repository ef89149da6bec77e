//! The installed application is the one that opens its links.

use std::{fs, path::Path};

use serde_json::{Value, json};

/// The bundler writes these schemes into the desktop file of Linux packages, the bundle of macOS and
/// the installer's registry entries. Nothing of the plugin of this name runs.
#[test]
fn the_bundles_register_the_scheme_of_links_and_no_other() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let text = fs::read_to_string(root.join("tauri.conf.json")).expect("readable");
    let configuration: Value = serde_json::from_str(&text).expect("JSON");
    assert_eq!(
        configuration["plugins"],
        json!({ "deep-link": { "desktop": { "schemes": ["sightglass"] } } })
    );
    assert_eq!(configuration["bundle"]["active"], json!(true));
    // A template of one's own would have to name the scheme itself.
    assert_eq!(configuration["bundle"].get("linux"), None);
}
