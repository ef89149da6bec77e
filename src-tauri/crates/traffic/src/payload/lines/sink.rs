//! Collects pieces of text into lines.

use std::ops::Range;

use sightglass_json_text::LineSink;

use super::{Line, MARK_INTERVAL, MAX_LINE_CHARACTERS, Mark};

/// Takes pieces of text, breaks them into lines, and keeps the lines that are wanted.
pub(super) struct LineCollector<'a> {
    pub line: u32,
    /// Characters on the current line.
    column: usize,
    pub size: u64,
    wanted: Range<u32>,
    current: Vec<u8>,
    lines: Vec<Line>,
    /// Number of the text's line that the current one belongs to, from 1.
    number: u32,
    /// True when the current line continues the one before.
    continues: bool,
    pub marks: Vec<Mark>,
    next_mark: u32,
    /// True when lines are only counted, in a text whose characters are bytes.
    pub counts_bytes: bool,
    /// Asked now and then whether to stop.
    pub stop: Option<&'a dyn Fn() -> bool>,
    pub is_stopped: bool,
}

impl LineCollector<'_> {
    pub fn new(start: Mark, wanted: Range<u32>) -> Self {
        Self {
            line: start.line,
            number: start.number,
            continues: start.continues,
            column: 0,
            size: 0,
            wanted,
            current: Vec::new(),
            lines: Vec::new(),
            marks: Vec::new(),
            next_mark: 0,
            counts_bytes: false,
            stop: None,
            is_stopped: false,
        }
    }

    fn is_counting(&self) -> bool {
        self.wanted.is_empty()
    }

    fn put_wrapping(&mut self, mut piece: &[u8]) {
        self.size += piece.len() as u64;
        loop {
            let room = MAX_LINE_CHARACTERS - self.column;
            let taken = characters(piece, room);
            self.keep(&piece[..taken.bytes]);
            self.column += taken.characters;
            piece = &piece[taken.bytes..];
            if piece.is_empty() {
                return;
            }
            self.end_line();
            if self.is_done() {
                return;
            }
        }
    }

    fn keep(&mut self, piece: &[u8]) {
        if self.wanted.contains(&self.line) {
            self.current.extend_from_slice(piece);
        }
    }

    pub fn end_line(&mut self) {
        if self.wanted.contains(&self.line) {
            self.lines.push(Line {
                text: String::from_utf8_lossy(&self.current).into_owned(),
                number: (!self.continues).then_some(self.number),
            });
            self.current.clear();
        }
        self.line = self.line.saturating_add(1);
        self.continues = true;
        self.column = 0;
    }

    pub fn finish(mut self) -> Vec<Line> {
        if self.wanted.contains(&self.line) {
            self.end_line();
        }
        self.lines
    }
}

impl LineSink for LineCollector<'_> {
    #[inline]
    fn put(&mut self, piece: &[u8]) {
        // Nearly all pieces fit, and a piece has no more characters than bytes.
        if self.counts_bytes && self.column + piece.len() <= MAX_LINE_CHARACTERS {
            self.size += piece.len() as u64;
            self.column += piece.len();
            return;
        }
        self.put_wrapping(piece);
    }

    fn break_line(&mut self) {
        self.size += 1;
        self.end_line();
        self.number = self.number.saturating_add(1);
        self.continues = false;
    }

    fn is_done(&self) -> bool {
        self.is_stopped || (!self.is_counting() && self.line >= self.wanted.end)
    }

    fn mark(&mut self, at: usize, depth: u32) {
        if self.is_counting() && self.line >= self.next_mark {
            self.marks.push(Mark {
                line: self.line,
                at,
                depth,
                number: self.number,
                continues: self.continues,
            });
            self.next_mark = self.line.saturating_add(MARK_INTERVAL);
            self.is_stopped = self.stop.is_some_and(|stop| stop());
        }
    }
}

/// The beginning of a text, up to between two characters.
pub(super) struct Prefix {
    pub bytes: usize,
    pub characters: usize,
}

/// The longest beginning of `text` with at most `room` characters.
pub(super) fn characters(text: &[u8], room: usize) -> Prefix {
    if text.len() <= room && text.is_ascii() {
        return Prefix {
            bytes: text.len(),
            characters: text.len(),
        };
    }
    let near = &text[..text.len().min(room)];
    if near.len() == room && near.is_ascii() {
        return Prefix {
            bytes: room,
            characters: room,
        };
    }
    // A character begins with every byte that does not continue one.
    let mut count = 0;
    for (index, byte) in text.iter().enumerate() {
        if byte & 0xc0 != 0x80 {
            if count == room {
                return Prefix {
                    bytes: index,
                    characters: count,
                };
            }
            count += 1;
        }
    }
    Prefix {
        bytes: text.len(),
        characters: count,
    }
}
