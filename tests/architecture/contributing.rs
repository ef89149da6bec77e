//! The page for contributors names paths that exist.

use std::fs;

use crate::repository;

/// Beginnings of the paths that are looked for.
const ROOTS: [&str; 5] = ["src-tauri/", "ui/", "tests/", ".config/", ".github/"];

#[test]
fn the_page_for_contributors_names_paths_that_exist() {
    let page = repository().join(".github/CONTRIBUTING.md");
    let page = fs::read_to_string(page).expect("UTF-8");
    let named: Vec<&str> = paths(&page).collect();
    assert!(named.len() > 50, "only {} paths were found", named.len());
    let gone: Vec<&str> = named
        .into_iter()
        .filter(|path| !repository().join(path).exists())
        .collect();
    assert!(
        gone.is_empty(),
        ".github/CONTRIBUTING.md names what is not there:\n{}",
        gone.join("\n")
    );
}

/// Finds the paths in the code of a page, in its texts and in fenced blocks. A path ends where a
/// placeholder begins, such as `<area>`.
fn paths(page: &str) -> impl Iterator<Item = &str> {
    // Every second part is code: a fence has three marks, so that it does not change the order.
    page.split('`')
        .skip(1)
        .step_by(2)
        .flat_map(str::split_whitespace)
        .filter(|word| ROOTS.iter().any(|root| word.starts_with(root)))
        .map(|word| word.find(['<', '*']).map_or(word, |end| &word[..end]))
}

#[test]
fn paths_are_found_in_the_code_of_a_page() {
    let page =
        "`tests/a.rs` and ui/b, `ui/c/<area>`, `d`.\n\n```text\nsrc-tauri/e  f\n```\n\n`ui/g h`";
    let found: Vec<&str> = paths(page).collect();
    assert_eq!(found, ["tests/a.rs", "ui/c/", "src-tauri/e", "ui/g"]);
}
