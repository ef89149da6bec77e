//! Positions in a text.

use serde::{Deserialize, Serialize};

/// The mark that some editors put at the beginning of a UTF-8 file.
pub(crate) const BYTE_ORDER_MARK: char = '\u{feff}';

/// A place in a file, as editors count it.
#[derive(
    Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize, specta::Type,
)]
pub struct Position {
    /// From 1. Lines end at LF, CR LF or a lone CR.
    pub line: u32,
    /// From 1, in characters (Unicode scalar values). A byte order mark does not count.
    pub column: u32,
}

impl Position {
    /// The first character of a file.
    pub const START: Position = Position { line: 1, column: 1 };
}

/// Interval in bytes at which the number of characters before is kept, since a file may be one
/// line.
const COUNT_INTERVAL: usize = 1024;

/// A text that can say where its bytes stand.
pub(crate) struct Source<'a> {
    text: &'a str,
    /// The offset at which each line begins.
    line_starts: Vec<usize>,
    /// The characters before each multiple of [`COUNT_INTERVAL`].
    counted: Vec<usize>,
    /// The one place of a text that stands in no file.
    fixed: Option<Position>,
}

impl<'a> Source<'a> {
    pub(crate) fn new(text: &'a str) -> Self {
        let bytes = text.as_bytes();
        let begin = if text.starts_with(BYTE_ORDER_MARK) {
            BYTE_ORDER_MARK.len_utf8()
        } else {
            0
        };
        let mut line_starts = vec![begin];
        for (index, byte) in bytes.iter().enumerate() {
            let ends_line = match byte {
                b'\n' => true,
                b'\r' => bytes.get(index + 1) != Some(&b'\n'),
                _ => false,
            };
            if ends_line {
                line_starts.push(index + 1);
            }
        }
        let mut counted = vec![0];
        let mut characters = 0;
        for chunk in bytes.chunks_exact(COUNT_INTERVAL) {
            characters += characters_in(chunk);
            counted.push(characters);
        }
        Self {
            text,
            line_starts,
            counted,
            fixed: None,
        }
    }

    /// A text made from something that stands at one place of a file.
    pub(crate) fn at(text: &'a str, position: Position) -> Self {
        Self {
            fixed: Some(position),
            ..Self::new(text)
        }
    }

    pub(crate) fn text(&self) -> &'a str {
        self.text
    }

    /// The place of the character that begins at `offset`. Offsets past the end count as the
    /// end.
    pub(crate) fn position(&self, offset: usize) -> Position {
        if let Some(position) = self.fixed {
            return position;
        }
        let offset = offset.min(self.text.len());
        let line = self
            .line_starts
            .partition_point(|start| *start <= offset)
            .saturating_sub(1);
        let start = self.line_starts[line].min(offset);
        let column = self.characters_before(offset) - self.characters_before(start) + 1;
        Position {
            line: u32::try_from(line + 1).unwrap_or(u32::MAX),
            column: u32::try_from(column).unwrap_or(u32::MAX),
        }
    }

    fn characters_before(&self, offset: usize) -> usize {
        let counted = offset / COUNT_INTERVAL;
        let rest = &self.text.as_bytes()[counted * COUNT_INTERVAL..offset];
        self.counted[counted] + characters_in(rest)
    }
}

/// The characters that begin in these bytes: every byte of a character but its first is
/// `0b10xx_xxxx`.
fn characters_in(bytes: &[u8]) -> usize {
    bytes.iter().filter(|byte| *byte & 0xc0 != 0x80).count()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn at(text: &str, needle: &str) -> (u32, u32) {
        let offset = text.find(needle).expect("the needle is in the text");
        let position = Source::new(text).position(offset);
        (position.line, position.column)
    }

    #[test]
    fn lines_and_columns_start_at_one() {
        assert_eq!(at("x", "x"), (1, 1));
        assert_eq!(at("a\n  x", "x"), (2, 3));
    }

    #[test]
    fn every_kind_of_line_end_counts_once() {
        assert_eq!(at("a\r\nb\rc\nx", "x"), (4, 1));
        assert_eq!(at("a\r\nb", "\n"), (1, 3));
    }

    #[test]
    fn columns_count_characters_and_not_bytes() {
        assert_eq!(at("\"größe 💡\" x", "x"), (1, 11));
    }

    #[test]
    fn columns_are_counted_through_a_long_line() {
        let text = format!("\n{}x{}", "ö".repeat(3000), "ö".repeat(3000));
        assert_eq!(at(&text, "x"), (2, 3001));
        assert_eq!(Source::new(&text).position(text.len()).column, 6002);
    }

    #[test]
    fn a_byte_order_mark_takes_no_column() {
        assert_eq!(at("\u{feff}x", "x"), (1, 1));
        assert_eq!(at("\u{feff}x", "\u{feff}"), (1, 1));
    }

    #[test]
    fn past_the_end_is_the_end() {
        assert_eq!(
            Source::new("ab\nc").position(99),
            Position { line: 2, column: 2 }
        );
    }
}
