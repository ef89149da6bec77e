//! Shows characters that are not seen, or that reorder others, as escapes.
//!
//! A text from a stranger's file or server can hold a right-to-left override, a zero-width space
//! or a terminal sequence, and then looks like another text. It is shown through [`visible`]; where
//! a user agrees to something by what a text says, through [`entirely_visible`].
//!
//! Unicode says which characters these are, so none is listed here but those that it takes for
//! letters and symbols although they have no ink. The window has the same characters:
//! [`character_classes`] writes them into `ui/src/lib/characters.ts`.

use std::borrow::Cow;

use icu_properties::{
    CodePointMapData, CodePointSetData,
    props::{DefaultIgnorableCodePoint, EmojiModifier, ExtendedPictographic, GeneralCategory},
};

/// Letters and symbols without ink: blanks of Braille, music, hieroglyphs and Khitan, and the mark
/// of an object that is not there.
const WITHOUT_INK: [char; 6] = [
    '\u{2800}',
    '\u{fffc}',
    '\u{13441}',
    '\u{13442}',
    '\u{16fe4}',
    '\u{1d159}',
];

/// Asks for the coloured form of the symbol before it.
const EMOJI_PRESENTATION: char = '\u{fe0f}';

/// Joins two emoji to one.
const ZERO_WIDTH_JOINER: char = '\u{200d}';

/// Makes a key of the digit before it.
const KEYCAP: char = '\u{20e3}';

/// Spaces in a row beyond which [`entirely_visible`] writes their number. No file is indented so
/// far, and as many do not fill a line of the smallest window.
pub const MAX_BLANKS: usize = 32;

/// Replaces control, zero-width and direction-changing characters with escapes such as
/// `\u{202e}`. The result is one line, so a value cannot pose as several rows. The parts of an
/// emoji stay.
pub fn visible(text: &str) -> Cow<'_, str> {
    escape(text, is_hidden)
}

/// Does as [`visible`] does, with line feeds and tabs kept.
pub fn visible_lines(text: &str) -> Cow<'_, str> {
    escape(text, |place| {
        !is_layout(place.character) && is_hidden(place)
    })
}

/// Shows all that a text holds, for a user who agrees to it: every invisible character and every
/// blank but the space as an escape, those within emoji too, and more than [`MAX_BLANKS`] spaces in
/// a row as `␣×400`. The result is one line.
pub fn entirely_visible(text: &str) -> Cow<'_, str> {
    counted(escape(text, |place| {
        is_invisible(place.character) || is_other_blank(place.character)
    }))
}

/// Does as [`entirely_visible`] does, with line feeds and tabs kept; too many tabs are `⇥×400`.
pub fn entirely_visible_lines(text: &str) -> Cow<'_, str> {
    counted(escape(text, |place| {
        !is_layout(place.character)
            && (is_invisible(place.character) || is_other_blank(place.character))
    }))
}

/// The invisible characters of a text that belong to no emoji, with their places in it.
pub fn hidden_characters(text: &str) -> impl Iterator<Item = (usize, char)> {
    places(text)
        .filter(|place| is_hidden(*place))
        .map(|place| (place.index, place.character))
}

/// Tells characters that change what a text looks like without being seen.
pub fn is_invisible(character: char) -> bool {
    if matches!(character, ' '..='~') {
        return false;
    }
    let category = CodePointMapData::<GeneralCategory>::new().get(character);
    matches!(
        category,
        GeneralCategory::Control
            | GeneralCategory::Format
            | GeneralCategory::LineSeparator
            | GeneralCategory::ParagraphSeparator
    ) || CodePointSetData::new::<DefaultIgnorableCodePoint>().contains(character)
        || WITHOUT_INK.contains(&character)
}

/// A character of a text, with its neighbours.
#[derive(Clone, Copy)]
struct CharacterPlace {
    index: usize,
    before: Option<char>,
    character: char,
    after: Option<char>,
}

fn places(text: &str) -> impl Iterator<Item = CharacterPlace> {
    let mut before = None;
    let mut rest = text.char_indices().peekable();
    std::iter::from_fn(move || {
        let (index, character) = rest.next()?;
        let after = rest.peek().map(|(_, after)| *after);
        let before = before.replace(character);
        Some(CharacterPlace {
            index,
            before,
            character,
            after,
        })
    })
}

fn is_layout(character: char) -> bool {
    matches!(character, '\n' | '\t')
}

fn is_hidden(place: CharacterPlace) -> bool {
    is_invisible(place.character) && !is_part_of_emoji(place)
}

/// Tells the parts of an emoji that are not seen by themselves (Unicode Technical Standard 51,
/// 1.4.9 and 1.4.5).
fn is_part_of_emoji(place: CharacterPlace) -> bool {
    let CharacterPlace { before, after, .. } = place;
    match place.character {
        EMOJI_PRESENTATION => {
            before.is_some_and(is_pictograph)
                || (after == Some(KEYCAP)
                    && before.is_some_and(|key| matches!(key, '0'..='9' | '#' | '*')))
        }
        ZERO_WIDTH_JOINER => {
            let ends_emoji = |character| {
                character == EMOJI_PRESENTATION
                    || is_pictograph(character)
                    || is_skin_tone(character)
            };
            before.is_some_and(ends_emoji) && after.is_some_and(is_pictograph)
        }
        _ => false,
    }
}

fn is_pictograph(character: char) -> bool {
    CodePointSetData::new::<ExtendedPictographic>().contains(character)
}

fn is_skin_tone(character: char) -> bool {
    CodePointSetData::new::<EmojiModifier>().contains(character)
}

/// Tells blanks that are no space, and look like one or like none.
fn is_other_blank(character: char) -> bool {
    let category = || CodePointMapData::<GeneralCategory>::new().get(character);
    !character.is_ascii() && category() == GeneralCategory::SpaceSeparator
}

fn escape(text: &str, is_escaped: impl Fn(CharacterPlace) -> bool) -> Cow<'_, str> {
    if !places(text).any(&is_escaped) {
        return Cow::Borrowed(text);
    }
    let mut escaped = String::with_capacity(text.len() + 16);
    for place in places(text) {
        if is_escaped(place) {
            escaped.extend(place.character.escape_unicode());
        } else {
            escaped.push(place.character);
        }
    }
    Cow::Owned(escaped)
}

/// A text with the number of spaces or tabs in place of too many.
fn counted(text: Cow<'_, str>) -> Cow<'_, str> {
    let too_many = [" ", "\t"].map(|blank| blank.repeat(MAX_BLANKS + 1));
    if !too_many.iter().any(|run| text.contains(run)) {
        return text;
    }
    let mut shown = String::with_capacity(text.len());
    let mut rest = &*text;
    while let Some(first) = rest.chars().next() {
        let others = rest.trim_start_matches(first);
        let (run, others) = rest.split_at(rest.len() - others.len());
        match first {
            ' ' if run.len() > MAX_BLANKS => shown.push_str(&format!("␣×{}", run.len())),
            '\t' if run.len() > MAX_BLANKS => shown.push_str(&format!("⇥×{}", run.len())),
            _ => shown.push_str(run),
        }
        rest = others;
    }
    Cow::Owned(shown)
}

/// Characters by what [`visible`] and [`entirely_visible`] do with them. Each class is the inside
/// of a character class of a regular expression.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct CharacterClasses {
    pub invisible: String,
    pub other_blank: String,
    pub pictograph: String,
    pub skin_tone: String,
}

/// The classes of characters for the window, `\u{200b}-\u{200f}` and the like.
pub fn character_classes() -> CharacterClasses {
    CharacterClasses {
        invisible: class(is_invisible),
        other_blank: class(is_other_blank),
        pictograph: class(is_pictograph),
        skin_tone: class(is_skin_tone),
    }
}

fn class(is_member: fn(char) -> bool) -> String {
    let mut class = String::new();
    let mut members = ('\0'..=char::MAX).filter(|character| is_member(*character));
    let mut next = members.next();
    while let Some(first) = next {
        let mut last = first;
        next = members.next();
        while let Some(following) = next.filter(|next| u32::from(*next) == u32::from(last) + 1) {
            last = following;
            next = members.next();
        }
        class.extend(first.escape_unicode());
        if first != last {
            class.push('-');
            class.extend(last.escape_unicode());
        }
    }
    class
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
            ("a\u{fe0f}b\u{200d}", r"a\u{fe0f}b\u{200d}"),
        ] {
            assert_eq!(visible(text), shown);
            assert_eq!(entirely_visible(text), shown);
        }
    }

    #[test]
    fn letters_and_marks_without_ink_are_not_seen() {
        for character in [
            '\u{34f}',
            '\u{115f}',
            '\u{1160}',
            '\u{17b4}',
            '\u{180b}',
            '\u{2065}',
            '\u{2800}',
            '\u{3164}',
            '\u{ffa0}',
            '\u{fff0}',
            '\u{fffc}',
            '\u{13441}',
            '\u{16fe4}',
            '\u{1d159}',
            '\u{1d173}',
            '\u{e0101}',
            '\u{e0fff}',
        ] {
            let shown = format!("a{}b", character.escape_unicode());
            assert_eq!(visible(&format!("a{character}b")), shown);
        }
    }

    #[test]
    fn every_other_text_stays_as_it_is() {
        for text in [
            "plain",
            "größe",
            "日本語",
            "עברית",
            "🦀",
            "a  b\u{a0}c",
            "⚠\u{fe0f} 1\u{fe0f}\u{20e3}",
            "👩\u{1f3fd}\u{200d}💻",
            "🏳\u{fe0f}\u{200d}🌈",
        ] {
            assert!(matches!(visible(text), Cow::Borrowed(same) if same == text));
        }
    }

    #[test]
    fn an_emoji_is_taken_apart_where_a_text_is_agreed_to() {
        assert_eq!(entirely_visible("⚠\u{fe0f}"), r"⚠\u{fe0f}");
        assert_eq!(entirely_visible("👩\u{200d}💻 🦀"), r"👩\u{200d}💻 🦀");
    }

    #[test]
    fn lines_stay_lines_where_they_are_wanted() {
        let text = "{\n\t\"a\": \"\u{202e}b\"\r\n}";
        let shown = "{\n\t\"a\": \"\\u{202e}b\"\\u{d}\n}";
        assert_eq!(visible_lines(text), shown);
        assert_eq!(entirely_visible_lines(text), shown);
    }

    #[test]
    fn many_blanks_are_counted_and_other_ones_are_escaped() {
        let many = " ".repeat(MAX_BLANKS + 1);
        assert_eq!(
            entirely_visible(&format!("a{many}b{many} c")),
            "a␣×33b␣×34c"
        );
        assert_eq!(visible(&many), many);
        let few = format!("{}a", " ".repeat(MAX_BLANKS));
        assert_eq!(entirely_visible(&few), few);
        assert_eq!(entirely_visible_lines(&"\t".repeat(40)), "⇥×40");
        assert_eq!(entirely_visible("a\u{a0}\u{3000}b"), r"a\u{a0}\u{3000}b");
    }

    #[test]
    fn the_classes_hold_the_characters() {
        let classes = character_classes();
        assert!(
            classes
                .invisible
                .starts_with(r"\u{0}-\u{1f}\u{7f}-\u{9f}\u{ad}\u{34f}")
        );
        assert!(classes.invisible.ends_with(r"\u{e0000}-\u{e0fff}"));
        assert_eq!(classes.skin_tone, r"\u{1f3fb}-\u{1f3ff}");
        assert!(
            classes
                .other_blank
                .starts_with(r"\u{a0}\u{1680}\u{2000}-\u{200a}")
        );
    }
}
