//! Shows characters that are not seen, or that reorder others, as escapes.
//!
//! A text from a stranger's file or server can hold a right-to-left override, a zero-width space
//! or a terminal sequence, and then looks like another text. Where a user decides by what a text
//! says, it is shown through [`visible`]. `ui/src/lib/visible-text.ts` has the same list.

use std::borrow::Cow;

/// Replaces control, zero-width and direction-changing characters with escapes such as
/// `\u{202e}`. The result is one line, so a value cannot pose as several rows.
pub fn visible(text: &str) -> Cow<'_, str> {
    escape(text, is_invisible)
}

/// Does as [`visible`] does, with line feeds and tabs kept.
pub fn visible_lines(text: &str) -> Cow<'_, str> {
    escape(text, |character| {
        !matches!(character, '\n' | '\t') && is_invisible(character)
    })
}

fn escape(text: &str, is_escaped: impl Fn(char) -> bool) -> Cow<'_, str> {
    if !text.contains(&is_escaped) {
        return Cow::Borrowed(text);
    }
    let mut escaped = String::with_capacity(text.len() + 16);
    for character in text.chars() {
        if is_escaped(character) {
            escaped.extend(character.escape_unicode());
        } else {
            escaped.push(character);
        }
    }
    Cow::Owned(escaped)
}

/// Tells characters that change what a text looks like without being seen.
pub fn is_invisible(character: char) -> bool {
    character.is_control()
        || matches!(
            character,
            '\u{ad}'
                | '\u{61c}'
                | '\u{180e}'
                | '\u{200b}'..='\u{200f}'
                | '\u{2028}'..='\u{202e}'
                | '\u{2060}'..='\u{206f}'
                | '\u{feff}'
                | '\u{fff9}'..='\u{fffb}'
                | '\u{e0000}'..='\u{e007f}'
        )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_not_seen_is_shown_as_an_escape() {
        for (text, shown) in [
            ("cod\u{202e}gpj.exe", r"cod\u{202e}gpj.exe"),
            ("\u{2066}a\u{2069}", r"\u{2066}a\u{2069}"),
            ("git\u{200b}hub", r"git\u{200b}hub"),
            ("\u{1b}[2J", r"\u{1b}[2J"),
            ("a\u{9b}b", r"a\u{9b}b"),
            ("a\ncommand  ls", r"a\u{a}command  ls"),
            ("\u{feff}a", r"\u{feff}a"),
            ("a\u{e0041}", r"a\u{e0041}"),
        ] {
            assert_eq!(visible(text), shown);
        }
    }

    #[test]
    fn every_other_text_stays_as_it_is() {
        for text in ["plain", "größe", "日本語", "עברית", "🦀"] {
            assert!(matches!(visible(text), Cow::Borrowed(same) if same == text));
        }
    }

    #[test]
    fn lines_stay_lines_where_they_are_wanted() {
        assert_eq!(
            visible_lines("{\n\t\"a\": \"\u{202e}b\"\r\n}"),
            "{\n\t\"a\": \"\\u{202e}b\"\\u{d}\n}"
        );
    }
}
