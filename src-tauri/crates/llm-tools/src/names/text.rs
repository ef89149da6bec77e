//! Replacement of characters in names.

use super::{NameWarning, NameWarningKind};

/// Replaces the characters that do not pass a test as a regular expression of JavaScript without
/// the `u` flag does: once for each UTF-16 unit, so that an emoji becomes two underscores.
pub(super) fn replaced_units(text: &str, passes: impl Fn(char) -> bool) -> String {
    let mut replaced = String::with_capacity(text.len());
    for character in text.chars() {
        if passes(character) {
            replaced.push(character);
        } else {
            replaced.extend(std::iter::repeat_n('_', character.len_utf16()));
        }
    }
    replaced
}

/// Replaces the characters that do not pass a test, once for each character.
pub(super) fn replaced(text: &str, passes: impl Fn(char) -> bool) -> String {
    let replace = |character| if passes(character) { character } else { '_' };
    text.chars().map(replace).collect()
}

/// Letters, digits, `_` and `-` of ASCII.
pub(super) fn is_word_or_dash(character: char) -> bool {
    character.is_ascii_alphanumeric() || matches!(character, '_' | '-')
}

/// Warns where a part of a name was changed.
pub(super) fn change_warning(part: &str, before: &str, after: &str) -> Option<NameWarning> {
    (before != after).then(|| NameWarning {
        kind: NameWarningKind::Replaced,
        text: format!("The {part} \u{201c}{before}\u{201d} is written \u{201c}{after}\u{201d}."),
    })
}
