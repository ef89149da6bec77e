//! Warnings of Windows paths whose backslashes were read as escapes.
//!
//! `"C:\node\node.exe"` is valid in JSON and TOML by chance: `\n` in it is the end of a line.

use crate::{
    entry::not_expanded::for_each_text,
    text::{
        json::Object,
        limits::shortened,
        problem::{Problem, ProblemKind},
        source::Source,
    },
};

/// Largest number of warnings of one entry.
const MAX_WARNINGS: usize = 20;

/// Escapes that stand for a character which no path has.
const ESCAPES: [&str; 5] = ["\\b", "\\t", "\\n", "\\f", "\\r"];

/// Returns a warning for each text of an entry in the common form that is such a path.
pub(crate) fn escaped_paths(source: &Source<'_>, common: &Object) -> Vec<Problem> {
    let mut warnings = Vec::new();
    for_each_text(common, &mut |field, node, text| {
        if warnings.len() == MAX_WARNINGS || !is_broken_path(text) {
            return;
        }
        let written = source.text().get(node.range.clone()).unwrap_or_default();
        if ESCAPES.iter().any(|escape| written.contains(escape)) {
            warnings.push(Problem::warning(
                ProblemKind::InvalidValue,
                source.position(node.range.start),
                format!(
                    "{} seems to be a Windows path, but a single backslash begins an escape here: \
                     \\n is the end of a line, \\t a tab. Write each backslash twice, or use \
                     forward slashes.",
                    shortened(field)
                ),
            ));
        }
    });
    warnings
}

/// Returns true for a text that begins as a Windows path and holds a character that no path has.
fn is_broken_path(text: &str) -> bool {
    let mut characters = text.chars();
    let letter = characters.next();
    let colon = characters.next();
    let next = characters.next();
    letter.is_some_and(|letter| letter.is_ascii_alphabetic())
        && colon == Some(':')
        && next.is_some_and(|next| next == '\\' || is_escaped(next))
        && text.contains(is_escaped)
}

/// Returns true for a character that stands for one of [`ESCAPES`].
fn is_escaped(character: char) -> bool {
    matches!(character, '\u{8}' | '\t' | '\n' | '\u{c}' | '\r')
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_path_with_a_line_end_in_it_is_broken_and_others_are_not() {
        for text in ["C:\nvm4w\nodejs", "c:\\tools\new", "D:\temp"] {
            assert!(is_broken_path(text), "{text:?}");
        }
        for text in [
            "",
            "C:",
            "C:\\node\\node.exe",
            "C:/node",
            "echo a\necho b",
            "note:\n- one",
            "a: b\nc: d",
        ] {
            assert!(!is_broken_path(text), "{text:?}");
        }
    }
}
