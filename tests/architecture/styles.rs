//! The style sheets of the window: lengths are tokens, and what many boxes share is a class of
//! `styles/layout.css`.
//!
//! Nothing else would see a shared class that there is not: a module composes it, or a component
//! names it, and the window is drawn without it.

use std::{collections::BTreeSet, fs, path::Path};

use crate::{
    ratchet, repository,
    source::{each_file, without_comments},
};

/// Lengths in pixels that stand outside the tokens: widths of columns, sizes of pictures, and
/// distances that are on no step of the scale.
const RAW_LENGTHS: usize = 398;

/// Lines that all style sheets may have, with their comments and blank lines; 100 of them draw the
/// frame of the window before its code is there.
const LINES: usize = 7_190;

#[test]
fn lengths_are_tokens() {
    let mut found = Vec::new();
    each_source("css", &mut |path, text| {
        if path.ends_with("styles/tokens.css") {
            return;
        }
        for line in without_comments(text).lines() {
            for _ in 0..raw_lengths(line) {
                found.push(format!("{}: {}", path.display(), line.trim()));
            }
        }
    });
    let of = "lengths in pixels are no tokens";
    ratchet(found.len(), RAW_LENGTHS, of, &found);
}

#[test]
fn style_sheets_stay_short() {
    let mut lines = 0;
    each_source("css", &mut |_, text| lines += text.lines().count());
    assert!(lines <= LINES, "{lines} lines, {LINES} are allowed");
}

#[test]
fn shared_classes_are_there() {
    let path = repository().join("ui/src/styles/layout.css");
    let layout = fs::read_to_string(path).expect("the layout is there");
    let shared: BTreeSet<&str> = layout
        .lines()
        .filter_map(|line| line.strip_prefix('.')?.strip_suffix(" {"))
        .collect();
    assert!(shared.len() > 50, "only {} classes", shared.len());
    let mut unknown = Vec::new();
    for (extension, start, end) in [
        ("css", "composes: ", " from global;"),
        ("tsx", "className=\"", "\""),
    ] {
        each_source(extension, &mut |path, text| {
            for names in text.split(start).skip(1) {
                let names = &names[..names.find(end).unwrap_or(names.len())];
                for name in names.split_whitespace() {
                    if !shared.contains(name) {
                        unknown.push(format!("{}: {name}", path.display()));
                    }
                }
            }
        });
    }
    assert!(
        unknown.is_empty(),
        "classes that styles/layout.css does not have:\n{}",
        unknown.join("\n")
    );
}

/// Calls `look` with each file of the window that has the extension, and its text.
fn each_source(extension: &str, look: &mut dyn FnMut(&Path, &str)) {
    each_file(&repository().join("ui/src"), &[extension], look);
}

/// Counts the lengths in pixels.
fn raw_lengths(text: &str) -> usize {
    text.match_indices("px")
        .filter(|(at, unit)| {
            text[..*at].ends_with(|c: char| c.is_ascii_digit())
                && !text[at + unit.len()..].starts_with(|c: char| c.is_alphanumeric())
        })
        .count()
}

#[test]
fn lengths_are_counted() {
    assert_eq!(
        raw_lengths("padding: 3px -1.5px calc(2px + var(--px)) 0;"),
        3
    );
    assert_eq!(raw_lengths("padding: var(--space-4) 1em;"), 0);
}
