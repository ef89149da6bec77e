//! Shortens the target of a row to one line.

use std::borrow::Cow;

/// The longest target, in characters.
pub(crate) const MAX_TARGET_CHARACTERS: usize = 200;

/// `text` on one line and no longer than [`MAX_TARGET_CHARACTERS`].
pub(crate) fn shortened(text: &str) -> Cow<'_, str> {
    let text = text.trim();
    let fits =
        text.len() <= MAX_TARGET_CHARACTERS || text.chars().nth(MAX_TARGET_CHARACTERS).is_none();
    if fits && !text.bytes().any(|byte| byte.is_ascii_control()) {
        return Cow::Borrowed(text);
    }
    let flat = |character: char| {
        if character.is_control() {
            ' '
        } else {
            character
        }
    };
    if fits {
        return Cow::Owned(text.chars().map(flat).collect());
    }
    let mut short: String = text
        .chars()
        .take(MAX_TARGET_CHARACTERS - 1)
        .map(flat)
        .collect();
    short.push('…');
    Cow::Owned(short)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_long_or_broken_target_becomes_one_short_line() {
        assert_eq!(shortened(" a\nb\t"), "a b");
        let long = "é".repeat(300);
        let short = shortened(&long);
        assert_eq!(short.chars().count(), MAX_TARGET_CHARACTERS);
        assert!(short.ends_with('…'));
        assert_eq!(shortened(&"é".repeat(200)).chars().count(), 200);
    }
}
