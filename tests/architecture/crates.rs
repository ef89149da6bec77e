//! Dependencies between crates.

use std::fs;

#[test]
fn no_crate_but_the_shell_depends_on_tauri() {
    for (name, path) in crate::crates() {
        let text = fs::read_to_string(path.join("Cargo.toml")).expect("readable");
        for line in text.lines().map(str::trim_start) {
            assert!(!line.starts_with("tauri"), "{name} depends on {line}");
        }
    }
}
