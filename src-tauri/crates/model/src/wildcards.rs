//! Patterns in which `*` stands for any run of characters, and `?` for one.

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
                Some('?') if self == Self::StarAndQuestion => {
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
