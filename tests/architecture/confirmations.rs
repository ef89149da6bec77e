//! Texts of somebody else in the confirmations of the window.
//!
//! Checked are the children of elements, `<p>{…}</p>`, and the styles. Attributes are not: there a
//! text may be a key or a path that is handed on.

use std::{
    fs,
    path::{Path, PathBuf},
};

use crate::repository;

/// Folders and files below `ui/src` whose components show what a user agrees to.
const CONFIRMATIONS: [&str; 11] = [
    "components/Confirmed.tsx",
    "features/calls/confirmations",
    "features/servers/list/FolderTrustDialog.tsx",
    "features/setup/add",
    "features/setup/change",
    "features/sign-in/Agreement.tsx",
    "features/sign-in/Withheld.tsx",
    "features/tests/ApproveRunDialog.tsx",
    "widgets/ProblemList.tsx",
    "widgets/approval",
    "widgets/launch",
];

/// Styles of what a user agrees to. A list that is only looked through may cut its rows.
const STYLES: [&str; 4] = [
    "features/setup/add/add.module.css",
    "features/setup/change/change.module.css",
    "widgets/approval/approval.module.css",
    "widgets/launch/launch.module.css",
];

/// Shared classes that cut what is long.
const CUTTING: [&str; 3] = ["truncate", "ellipsis", "nowrap"];

/// The list that is only looked through: what is chosen in it is then seen whole.
const LOOKED_THROUGH: &str = "features/setup/add/RegistryList.tsx";

/// Calls that show all that a text holds, or that make words of numbers.
const SHOWING: [&str; 4] = [
    "entirelyVisible(",
    "entirelyVisibleLines(",
    "formatQuantity(",
    "formatSize(",
];

/// Names of values that hold no text of somebody else: elements, numbers, and words of the window
/// or ones that their owner shows entirely.
const OWN: [&str; 21] = [
    "action",
    "caution",
    "children",
    "description",
    "ends",
    "fields",
    "foundCounts",
    "hasMore",
    "instead.verb",
    "line.after",
    "line.before",
    "line.kind",
    "next.verb",
    "others",
    "placeholder",
    "saved",
    "shown",
    "taken",
    "title",
    "verb",
    "waiting",
];

#[test]
fn confirmations_show_all_that_a_text_of_somebody_else_holds() {
    let mut children = 0;
    let mut raw = Vec::new();
    for file in components() {
        let text = fs::read_to_string(&file).expect("UTF-8");
        for name in ["visibleText", "visibleLines"] {
            if words(&text).any(|word| word == name) {
                raw.push(format!("{}: {name} leaves emoji whole", file.display()));
            }
        }
        for child in children_of(&text) {
            children += 1;
            let names = raw_names(&child);
            if !names.is_empty() {
                raw.push(format!("{}: {{{child}}}", file.display()));
            }
        }
    }
    assert!(children > 60, "only {children} children were found");
    assert!(
        raw.is_empty(),
        "show these texts by `Confirmed` or `entirelyVisible`:\n{}",
        raw.join("\n")
    );
}

#[test]
fn confirmations_wrap_what_is_long() {
    for file in STYLES {
        let path = repository().join("ui/src").join(file);
        let text = fs::read_to_string(&path).expect("the styles are there");
        for cutting in [
            "text-overflow",
            "white-space: nowrap",
            "white-space: pre;",
            "max-content",
        ] {
            assert!(!text.contains(cutting), "{file} has {cutting}");
        }
        for cutting in CUTTING {
            assert!(
                !words(&text).any(|word| word == cutting),
                "{file} has {cutting}"
            );
        }
    }
    for file in components() {
        let text = fs::read_to_string(&file).expect("UTF-8");
        let cuts = words(&text).any(|word| CUTTING.contains(&word));
        assert_eq!(cuts, file.ends_with(LOOKED_THROUGH), "{}", file.display());
    }
}

/// The components of the confirmations.
fn components() -> Vec<PathBuf> {
    let mut files = Vec::new();
    for place in CONFIRMATIONS {
        let path = repository().join("ui/src").join(place);
        if path.is_dir() {
            for entry in fs::read_dir(&path).expect("readable") {
                let file = entry.expect("readable").path();
                if is_component(&file) {
                    files.push(file);
                }
            }
        } else {
            files.push(path);
        }
    }
    files.sort();
    files
}

fn is_component(file: &Path) -> bool {
    let name = file.file_name().unwrap_or_default().to_string_lossy();
    name.ends_with(".tsx") && !name.ends_with(".test.tsx")
}

fn words(text: &str) -> impl Iterator<Item = &str> {
    text.split(|character: char| !character.is_alphanumeric() && character != '_')
}

/// The expressions without braces of their own that stand between tags or on lines of their own.
fn children_of(text: &str) -> Vec<String> {
    let mut found = Vec::new();
    for (open, _) in text.match_indices('{') {
        let inside = &text[open + 1..];
        let Some(end) = inside.find(['{', '}']) else {
            continue;
        };
        if inside[end..].starts_with('{') {
            continue;
        }
        let before = text[..open].trim_end();
        let after = inside[end + 1..].trim_start();
        let follows_tag = before.ends_with('>') && !before.ends_with("=>");
        let is_child = follows_tag || before.ends_with('}');
        let is_closed = after.starts_with('<') || after.starts_with('{');
        if is_child && is_closed {
            found.push(inside[..end].trim().to_owned());
        }
    }
    found
}

/// The names of values in an expression that nothing shows entirely.
fn raw_names(expression: &str) -> Vec<String> {
    if expression.starts_with("/*") {
        return Vec::new();
    }
    let values = shown_values(&without_strings(expression));
    let names = values.iter().flat_map(|value| raw_names_of_value(value));
    names.collect()
}

/// The values that an expression may come to, without the conditions for them.
fn shown_values(expression: &str) -> Vec<String> {
    let words: Vec<&str> = expression.split_whitespace().collect();
    let text = words.join(" ");
    let branches: Vec<&str> = text.split(" ? ").collect();
    let mut values = Vec::new();
    for (index, branch) in branches.iter().enumerate() {
        let mut parts: Vec<&str> = branch.split(" : ").collect();
        if index + 1 < branches.len() {
            // The last is the condition of what follows.
            parts.pop();
        }
        let shown = parts.iter().filter_map(|part| part.rsplit(" && ").next());
        values.extend(shown.map(str::to_owned));
    }
    values
}

fn raw_names_of_value(value: &str) -> Vec<String> {
    let mut rest = value.to_owned();
    while let Some(start) = SHOWING.iter().find_map(|call| rest.find(call)) {
        let open = start + rest[start..].find('(').expect("a call");
        let end = closing(&rest[open..]).map_or(rest.len(), |end| open + end + 1);
        rest.replace_range(start..end, "");
    }
    let names = rest.split(|character: char| {
        !character.is_alphanumeric() && !matches!(character, '_' | '.' | '?')
    });
    names
        .map(|name| name.replace('?', ""))
        .filter(|name| {
            let last = name.rsplit('.').next().unwrap_or_default();
            name.starts_with(|first: char| first.is_ascii_lowercase())
                && !OWN.contains(&name.as_str())
                && !matches!(name.as_str(), "null" | "undefined" | "true" | "false")
                && last != "length"
                && !last
                    .strip_prefix("is")
                    .is_some_and(|rest| rest.starts_with(|first: char| first.is_uppercase()))
        })
        .collect()
}

/// The offset of the parenthesis that closes the one that the text begins with.
fn closing(text: &str) -> Option<usize> {
    let mut depth = 0;
    for (at, character) in text.char_indices() {
        match character {
            '(' => depth += 1,
            ')' if depth == 1 => return Some(at),
            ')' => depth -= 1,
            _ => {}
        }
    }
    None
}

fn without_strings(text: &str) -> String {
    let mut parts = text.split('\'');
    let mut kept = parts.next().unwrap_or_default().to_owned();
    while let (Some(_), Some(after)) = (parts.next(), parts.next()) {
        kept.push_str(after);
    }
    kept
}

#[test]
fn a_raw_text_is_found_wherever_it_stands() {
    let raw = |text: &str| -> usize {
        let children = children_of(text);
        children
            .iter()
            .filter(|child| !raw_names(child).is_empty())
            .count()
    };
    for text in [
        "<p>{name}</p>",
        "<p>\n  {line.text}\n</p>",
        "<b>{server.title ?? server.name}</b>",
        "<p>{TEXTS.of(name)}</p>",
        "<p>{A} {plan.title}</p>",
        "<p>{isOpen ? A : name}</p>",
        "<p>{isOpen && names.length > 0 && name}</p>",
    ] {
        assert_eq!(raw(text), 1, "{text}");
    }
    for text in [
        "<p>{entirelyVisible(name)}</p>",
        "<p>{TEXTS.of(entirelyVisible(name), 'x y')}</p>",
        "<p>{TEXTS.title}</p>",
        "<p>{names.length}</p>",
        "<p>{name === null ? A : name.length > 3 ? B : C}</p>",
        "<p>{name && A}</p>",
        "onPress={() => {run(name)}}",
    ] {
        assert_eq!(raw(text), 0, "{text}");
    }
}
