//! Patterns in which `*` stands for any run of characters, and `?` for one.

use wildmatch::{WildMatch, WildMatchPattern};

/// Stands for one character where `?` does not: a noncharacter (Unicode, section 23.7), which is in
/// no pattern.
const UNUSED: char = '\u{10ffff}';

/// Wildcards that a pattern may have.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Wildcards {
    /// `*` alone.
    Star,
    /// `*` and `?`.
    StarAndQuestion,
}

impl Wildcards {
    /// Returns true when a pattern matches all of a text. Takes the product of both lengths at
    /// worst.
    pub fn matches(self, pattern: &str, text: &str) -> bool {
        match self {
            Self::Star => WildMatchPattern::<'*', UNUSED>::new(pattern).matches(text),
            Self::StarAndQuestion => WildMatch::new(pattern).matches(text),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::Wildcards;

    #[test]
    fn a_pattern_matches_all_of_a_text() {
        for (pattern, text, is_match) in [
            ("*", "", true),
            ("", "", true),
            ("demo", "demo", true),
            ("demo", "demo2", false),
            ("a*", "abc", true),
            ("a*c", "abc", true),
            ("a*b", "abc", false),
            ("*b*", "abc", true),
            ("a*a*a", "aaaa", true),
            ("a*b*c", "a-b-b-c", true),
            ("ab*ba", "aba", false),
            ("*:demo", "built-in:demo", true),
            ("a?c", "abc", false),
            ("a?c", "a?c", true),
            ("ab", "abc", false),
        ] {
            assert_eq!(
                Wildcards::Star.matches(pattern, text),
                is_match,
                "{pattern} {text}"
            );
        }
        assert!(Wildcards::StarAndQuestion.matches("a?c", "abc"));
        assert!(!Wildcards::StarAndQuestion.matches("a?c", "ac"));
    }
}
