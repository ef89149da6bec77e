//! Patterns with `*` for any run of characters and `?` for one.

/// Wildcards that a pattern may have.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Wildcards {
    /// `*` alone.
    Star,
    /// `*` and `?`.
    StarAndQuestion,
}

/// Tells whether a pattern matches all of a text.
pub(crate) fn matches(pattern: &str, text: &str, wildcards: Wildcards) -> bool {
    let pattern: Vec<char> = pattern.chars().collect();
    let text: Vec<char> = text.chars().collect();
    let (mut at, mut place) = (0, 0);
    // The last `*`, with the place in the text up to which it has taken characters.
    let mut star: Option<(usize, usize)> = None;
    while let Some(character) = text.get(place) {
        match pattern.get(at) {
            Some('*') => {
                star = Some((at, place));
                at += 1;
            }
            Some('?') if wildcards == Wildcards::StarAndQuestion => {
                at += 1;
                place += 1;
            }
            Some(wanted) if wanted == character => {
                at += 1;
                place += 1;
            }
            _ => match star {
                Some((star_at, taken)) => {
                    at = star_at + 1;
                    place = taken + 1;
                    star = Some((star_at, taken + 1));
                }
                None => return false,
            },
        }
    }
    pattern.iter().skip(at).all(|rest| *rest == '*')
}

#[cfg(test)]
mod tests {
    use super::{Wildcards, matches};

    #[test]
    fn a_pattern_matches_all_of_a_text() {
        for (pattern, text, is_match) in [
            ("*", "", true),
            ("", "", true),
            ("a*", "abc", true),
            ("a*c", "abc", true),
            ("a*b", "abc", false),
            ("*b*", "abc", true),
            ("a*a*a", "aaaa", true),
            ("a?c", "abc", false),
            ("a?c", "a?c", true),
            ("ab", "abc", false),
        ] {
            assert_eq!(
                matches(pattern, text, Wildcards::Star),
                is_match,
                "{pattern} {text}"
            );
        }
        assert!(matches("a?c", "abc", Wildcards::StarAndQuestion));
        assert!(!matches("a?c", "ac", Wildcards::StarAndQuestion));
    }
}
