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

#[test]
fn every_crate_takes_the_lints_of_the_workspace() {
    let others = ["src-tauri", "tests", "tests/browser_host"].map(|path| {
        let directory = crate::repository().join(path);
        (path.to_owned(), directory)
    });
    for (name, path) in crate::crates().into_iter().chain(others) {
        let text = fs::read_to_string(path.join("Cargo.toml")).expect("readable");
        assert!(
            text.contains("[lints]\nworkspace = true"),
            "{name} does not take the lints of the workspace"
        );
    }
}
