//! Reads from a crate's sources which of its modules uses which.

use std::{
    collections::{BTreeMap, BTreeSet},
    path::Path,
};

use crate::source::{identifier, modules, places};

/// The modules that each module of a crate uses, by name. A module below another counts as
/// that one; items of the crate's root count as none.
pub fn uses(source: &Path) -> BTreeMap<String, BTreeSet<String>> {
    let texts = modules(source);
    let names: BTreeSet<&String> = texts.keys().filter_map(|path| path.first()).collect();
    let root = texts.get(&Vec::new()).map_or("", String::as_str);
    let exported = exports(root, &names);
    let mut uses: BTreeMap<String, BTreeSet<String>> = names
        .iter()
        .map(|name| ((*name).clone(), BTreeSet::new()))
        .collect();
    for (module, text) in &texts {
        let Some(name) = module.first() else { continue };
        for path in paths(text) {
            let Some(used) = absolute(module, &path) else {
                continue;
            };
            let used = if names.contains(&used) {
                used
            } else if let Some(exporter) = exported.get(&used) {
                exporter.clone()
            } else {
                continue;
            };
            if used != *name {
                uses.entry(name.clone()).or_default().insert(used);
            }
        }
    }
    uses
}

/// The names that the root exports, with the module that each comes from.
fn exports(root: &str, names: &BTreeSet<&String>) -> BTreeMap<String, String> {
    let mut exports = BTreeMap::new();
    for at in places(root, "use ") {
        let mut found = Vec::new();
        tree(root, at + "use ".len(), &[], &mut found);
        for path in found {
            let path = match path.first().map(String::as_str) {
                Some("crate" | "self") => &path[1..],
                _ => &path[..],
            };
            if let (Some(first), Some(last)) = (path.first(), path.last())
                && names.contains(first)
            {
                exports.insert(last.clone(), first.clone());
            }
        }
    }
    exports
}

/// The paths in a text that begin with `crate`, `self` or `super`.
fn paths(text: &str) -> Vec<Vec<String>> {
    let mut found = Vec::new();
    for start in ["crate::", "self::", "super::"] {
        for at in places(text, start) {
            tree(text, at, &[], &mut found);
        }
    }
    found
}

/// Reads a path or a tree of paths, and returns where it ends.
fn tree(text: &str, at: usize, prefix: &[String], found: &mut Vec<Vec<String>>) -> usize {
    let skip = |at: usize, more: &[char]| {
        text[at..]
            .find(|c: char| !c.is_whitespace() && !more.contains(&c))
            .map_or(text.len(), |length| at + length)
    };
    let mut at = skip(at, &[]);
    if text[at..].starts_with('{') {
        at += 1;
        loop {
            at = skip(at, &[',']);
            if at >= text.len() || text[at..].starts_with('}') {
                return at + 1;
            }
            let next = tree(text, at, prefix, found);
            if next == at {
                return at + 1;
            }
            at = next;
        }
    }
    let name = identifier(&text[at..]);
    let mut path = prefix.to_vec();
    path.push(name.to_owned());
    let end = at + name.len();
    match text[end..].strip_prefix("::") {
        Some(rest) if rest.starts_with(|c: char| c.is_alphabetic() || "_{".contains(c)) => {
            tree(text, end + 2, &path, found)
        }
        _ => {
            found.push(path);
            let renamed = skip(end, &[]);
            match text[renamed..].strip_prefix("as ") {
                Some(name) => renamed + 3 + identifier(name).len(),
                None => end,
            }
        }
    }
}

/// The first name below the crate's root that a path in `module` leads to.
fn absolute(module: &[String], path: &[String]) -> Option<String> {
    let mut place = module;
    let mut rest = path;
    match path.first()?.as_str() {
        "crate" => {
            place = &[];
            rest = &path[1..];
        }
        "self" => rest = &path[1..],
        _ => {}
    }
    while rest.first().is_some_and(|name| name == "super") {
        place = &place[..place.len().checked_sub(1)?];
        rest = &rest[1..];
    }
    place.first().or(rest.first()).cloned()
}

#[test]
fn trees_of_imports_are_read() {
    let text = "use crate::{a::{B, C}, d, e as f}; fn g() { crate::h::i(); super::super::j::k }";
    let mut found: Vec<String> = paths(text).iter().map(|path| path.join("::")).collect();
    found.sort();
    assert_eq!(
        found,
        [
            "crate::a::B",
            "crate::a::C",
            "crate::d",
            "crate::e",
            "crate::h::i",
            "super::super::j::k"
        ]
    );
}
