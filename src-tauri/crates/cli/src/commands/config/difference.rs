//! Prints the difference that a change makes to a file.

use std::borrow::Cow;

use sightglass_inspector::{
    brief, entirely_visible_lines,
    view::{DiffLine, DiffLineKind},
};

use crate::style::{BAD, FAINT, HEADING, styled};

/// Unchanged lines that are shown around a change.
const CONTEXT_LINES: usize = 3;

/// Characters up to which a line is shown whole. A file can be one line.
const MAX_WHOLE_LINE: usize = 200;

/// Characters around the change within a longer line.
const CONTEXT_CHARACTERS: usize = 40;

/// The lines that change, with three of those around them; of long lines the part that changes.
pub(super) fn changed_lines(diff: &[DiffLine]) -> String {
    let mut text = String::new();
    let mut skipped = false;
    let mut index = 0;
    while let Some(line) = diff.get(index) {
        if line.kind == DiffLineKind::Kept {
            if is_near_a_change(diff, index) {
                if std::mem::take(&mut skipped) {
                    text.push_str(&format!("{}\n", styled(FAINT, "  …")));
                }
                text.push_str(&shown(DiffLineKind::Kept, &beginning(&line.text)));
            } else {
                skipped = true;
            }
            index += 1;
            continue;
        }
        let rest = diff.get(index..).unwrap_or_default();
        let length = rest
            .iter()
            .position(|line| line.kind == DiffLineKind::Kept)
            .unwrap_or(rest.len());
        let block = rest.get(..length).unwrap_or_default();
        let of_kind = |kind| {
            let lines = block.iter().filter(|line| line.kind == kind);
            lines.map(|line| line.text.as_str()).collect::<Vec<_>>()
        };
        let removed = of_kind(DiffLineKind::Removed);
        let added = of_kind(DiffLineKind::Added);
        let is_long = block.iter().any(|line| is_long(&line.text));
        let [removed, added] = match is_long && !removed.is_empty() && !added.is_empty() {
            true => differing_parts(&removed.join("\n"), &added.join("\n"))
                .map(|part| part.split('\n').map(str::to_owned).collect::<Vec<_>>()),
            false => [removed, added]
                .map(|lines| lines.into_iter().map(str::to_owned).collect::<Vec<_>>()),
        };
        for line in removed {
            text.push_str(&shown(DiffLineKind::Removed, &line));
        }
        for line in added {
            text.push_str(&shown(DiffLineKind::Added, &line));
        }
        index += length;
    }
    text
}

fn is_near_a_change(diff: &[DiffLine], index: usize) -> bool {
    let from = index.saturating_sub(CONTEXT_LINES);
    let to = (index + CONTEXT_LINES).min(diff.len().saturating_sub(1));
    diff[from..=to]
        .iter()
        .any(|line| line.kind != DiffLineKind::Kept)
}

fn shown(kind: DiffLineKind, text: &str) -> String {
    let (mark, style) = match kind {
        DiffLineKind::Kept => (' ', FAINT),
        DiffLineKind::Added => ('+', HEADING),
        DiffLineKind::Removed => ('-', BAD),
    };
    let line = format!("{mark} {}", entirely_visible_lines(text));
    format!("{}\n", styled(style, &line))
}

fn is_long(text: &str) -> bool {
    text.chars().nth(MAX_WHOLE_LINE).is_some()
}

/// A line, or its beginning where it is long.
fn beginning(text: &str) -> Cow<'_, str> {
    brief(text, MAX_WHOLE_LINE)
}

/// Two texts without what they have in common at both ends, but for a few characters of it.
fn differing_parts(before: &str, after: &str) -> [String; 2] {
    let start: usize = before
        .chars()
        .zip(after.chars())
        .take_while(|(one, other)| one == other)
        .map(|(one, _)| one.len_utf8())
        .sum();
    let end: usize = before[start..]
        .chars()
        .rev()
        .zip(after[start..].chars().rev())
        .take_while(|(one, other)| one == other)
        .map(|(one, _)| one.len_utf8())
        .sum();
    [before, after].map(|text| {
        let from = text[..start]
            .char_indices()
            .rev()
            .nth(CONTEXT_CHARACTERS - 1)
            .map_or(0, |(at, _)| at);
        let stop = text.len() - end;
        let to = text[stop..]
            .char_indices()
            .nth(CONTEXT_CHARACTERS)
            .map_or(text.len(), |(at, _)| stop + at);
        let before = if from > 0 { "…" } else { "" };
        let after = if to < text.len() { "…" } else { "" };
        format!("{before}{}{after}", &text[from..to])
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn of_two_long_texts_the_part_that_differs_is_shown() {
        let server = |name: &str| format!("\"{name}\":{{\"command\":\"x\"}}");
        let many: Vec<String> = (0..50)
            .map(|number| server(&format!("s{number}")))
            .collect();
        let before = format!("{{\"mcpServers\":{{{}}}}}", many.join(","));
        let after = before.replace("}}}", &format!("}},{}}}}}", server("new")));
        let [removed, added] = differing_parts(&before, &after);
        assert!(
            removed.starts_with('…') && removed.chars().count() < 100,
            "{removed}"
        );
        assert!(added.contains("\"new\":{\"command\":\"x\"}"), "{added}");
        assert!(
            added.starts_with('…') && added.chars().count() < 130,
            "{added}"
        );
    }

    #[test]
    fn what_differs_is_never_left_out() {
        for (before, after) in [("", "abc"), ("aé", "aè"), ("aaa", "aaaa"), ("x", "x")] {
            let [removed, added] = differing_parts(before, after);
            assert_eq!((removed.as_str(), added.as_str()), (before, after));
        }
    }
}
