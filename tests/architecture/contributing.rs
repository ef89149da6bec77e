//! The page for contributors names paths that exist, and the glossary types.

use std::fs;

use crate::{repository, source::each_file};

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
fn the_glossary_names_types_that_exist() {
    let page = repository().join("src-tauri/guide/glossary.md");
    let page = fs::read_to_string(page).expect("UTF-8");
    let spans = page.split('`').skip(1).step_by(2);
    let named: Vec<&str> = spans.filter(|span| is_type(span)).collect();
    assert!(named.len() > 4, "only {named:?} were found");
    let mut sources = String::new();
    each_file(
        &repository().join("src-tauri/crates"),
        &["rs"],
        &mut |_, text| sources.push_str(text),
    );
    for name in named {
        assert!(
            sources.contains(name),
            "the glossary names {name}, which is no type"
        );
    }
}

/// Returns true for a word that is written as names of types are.
fn is_type(word: &str) -> bool {
    word.starts_with(|first: char| first.is_ascii_uppercase())
        && word.chars().all(char::is_alphanumeric)
        && word.contains(char::is_lowercase)
}

#[test]
fn paths_are_found_in_the_code_of_a_page() {
    let page =
        "`tests/a.rs` and ui/b, `ui/c/<area>`, `d`.\n\n```text\nsrc-tauri/e  f\n```\n\n`ui/g h`";
    let found: Vec<&str> = paths(page).collect();
    assert_eq!(found, ["tests/a.rs", "ui/c/", "src-tauri/e", "ui/g"]);
}
