//! The window may call the application's own commands and nothing of any plugin.

use std::{fs, path::Path};

use serde_json::{Value, json};

#[test]
fn the_window_has_no_permission_of_any_plugin() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let read = |path: &Path| -> Value {
        serde_json::from_str(&fs::read_to_string(path).expect("readable")).expect("JSON")
    };
    let mut names = Vec::new();
    for entry in fs::read_dir(root.join("capabilities")).expect("readable") {
        let capability = read(&entry.expect("readable").path());
        // The plugins for dialogs, opening and sidecars are for the backend alone.
        assert_eq!(capability["permissions"], json!([]), "{capability}");
        names.push(capability["identifier"].clone());
    }
    let configuration = read(&root.join("tauri.conf.json"));
    // Every capability is listed, so that none is granted by lying in the folder.
    assert_eq!(
        configuration["app"]["security"]["capabilities"],
        Value::Array(names)
    );
    assert_eq!(configuration["app"]["withGlobalTauri"], json!(false));
}
