use serde::{Deserialize, Serialize};
use similar::{ChangeTag, DiffableStr, TextDiff};

/// Kind of a line.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize, specta::Type)]
#[serde(rename_all = "camelCase")]
pub enum DiffLineKind {
    Kept,
    Added,
    Removed,
}

/// One line of the comparison of a file before and after a change.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, specta::Type)]
pub struct DiffLine {
    pub kind: DiffLineKind,
    /// The number of the line before the change, from 1; absent for an added line.
    pub before: Option<u32>,
    /// The number of the line after the change, from 1; absent for a removed line.
    pub after: Option<u32>,
    /// The line without its end.
    pub text: String,
}

/// The lines of a text as a comparison counts them, with their ends.
pub(crate) fn lines_of(text: &str) -> Vec<&str> {
    text.tokenize_lines()
}

/// Compares two texts line by line. Differences in line ends count.
pub fn diff(before: &str, after: &str) -> Vec<DiffLine> {
    let number = |index: Option<usize>| index.and_then(|index| u32::try_from(index + 1).ok());
    TextDiff::from_lines(before, after)
        .iter_all_changes()
        .map(|change| DiffLine {
            kind: match change.tag() {
                ChangeTag::Equal => DiffLineKind::Kept,
                ChangeTag::Delete => DiffLineKind::Removed,
                ChangeTag::Insert => DiffLineKind::Added,
            },
            before: number(change.old_index()),
            after: number(change.new_index()),
            text: change.value().trim_end_matches(['\n', '\r']).to_owned(),
        })
        .collect()
}
