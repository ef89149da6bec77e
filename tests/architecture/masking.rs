//! Masking stands in one place.

use std::{fs, path::Path};

/// The crate that masks, and the demo server, which is a program of its own and masks what it
/// tells of its environment.
const MASKING: [&str; 2] = ["secrets", "demo-server"];

/// Folders that hold nothing but tests, which say how masked text looks.
const TESTS: [&str; 2] = ["stories", "tests"];

#[test]
fn secrets_are_masked_in_one_crate() {
    let mut found = Vec::new();
    for (name, path) in crate::crates() {
        if !MASKING.contains(&name.as_str()) {
            look(&path.join("src"), &mut found);
        }
    }
    assert!(
        found.is_empty(),
        "these lines mask by themselves; `secrets` does it for all:\n{}",
        found.join("\n")
    );
}

fn look(directory: &Path, found: &mut Vec<String>) {
    for entry in fs::read_dir(directory).expect("readable") {
        let path = entry.expect("readable").path();
        if path.is_dir() {
            if !TESTS.iter().any(|name| path.ends_with(name)) {
                look(&path, found);
            }
        } else if path.extension().is_some_and(|extension| extension == "rs") {
            let text = fs::read_to_string(&path).expect("UTF-8");
            let code = text.split("#[cfg(test)]").next().unwrap_or_default();
            found.extend(
                code.lines()
                    .enumerate()
                    .filter(|(_, line)| masks(line))
                    .map(|(index, line)| format!("{}:{}: {line}", path.display(), index + 1)),
            );
        }
    }
}

fn masks(line: &str) -> bool {
    let line = line.trim_start();
    !line.starts_with("//")
        && (line.contains("•••") || line.contains("const MASK") || line.contains("fn mask_"))
}

#[test]
fn a_line_that_masks_is_found() {
    assert!(masks("    format!(\"{name}: •••\")"));
    assert!(masks("pub fn mask_url(url: &str) -> String {"));
    assert!(!masks("/// Secrets read `•••`."));
    assert!(!masks("    let shown = mask_url(url);"));
}
