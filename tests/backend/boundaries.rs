//! The domain does not know the window.

use std::fs;

use sightglass_tests::programs::repository;

#[test]
fn no_crate_but_the_shell_depends_on_tauri() {
    let crates = fs::read_dir(repository().join("src-tauri/crates")).expect("readable");
    let mut looked_at = 0;
    for directory in crates {
        let manifest = directory.expect("readable").path().join("Cargo.toml");
        let text = fs::read_to_string(&manifest).expect("readable");
        for line in text.lines().map(str::trim_start) {
            assert!(
                !line.starts_with("tauri"),
                "{} depends on {line}",
                manifest.display()
            );
        }
        looked_at += 1;
    }
    assert!(looked_at >= 7, "only {looked_at} crates were found");
}
