//! Text cut into lines, of which only those asked for are made.

use std::ops::Range;

use bytes::Bytes;

use super::json::{NotJson, scalar_end, skip_space, string_end};

/// A line longer than this many characters continues on the next.
pub(crate) const LINE_LIMIT: usize = 2000;

/// The position of every so many lines is remembered.
const MARK_EVERY: u32 = 256;

/// How text becomes lines.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Layout {
    /// Lines as they are.
    Plain,
    /// JSON with two spaces of indentation.
    Pretty,
}

/// A text, and where to start in order to make a line of it.
pub(crate) struct Lines {
    text: Bytes,
    layout: Layout,
    marks: Vec<Mark>,
    pub total_lines: u32,
    /// Bytes of all lines, with the line breaks between those that were not merely wrapped.
    pub total_size: u64,
}

/// Where a line begins that begins no earlier line's continuation.
#[derive(Debug, Clone, Copy)]
struct Mark {
    line: u32,
    at: usize,
    depth: u32,
}

impl Lines {
    /// Counts the lines of `text`. Text that should be pretty but is no JSON is plain.
    pub fn of(text: Bytes, layout: Layout) -> Self {
        let mut lines = Self {
            text,
            layout,
            marks: Vec::new(),
            total_lines: 0,
            total_size: 0,
        };
        if layout == Layout::Pretty && lines.count().is_err() {
            lines.layout = Layout::Plain;
        }
        if lines.layout == Layout::Plain {
            // Plain text cannot be wrong.
            let _ = lines.count();
        }
        lines
    }

    fn count(&mut self) -> Result<(), NotJson> {
        let text = self.text.clone();
        let mut sink = Sink {
            counts_bytes: text.is_ascii(),
            ..Sink::new(0, 0..0)
        };
        let start = Mark {
            line: 0,
            at: 0,
            depth: 0,
        };
        match self.layout {
            Layout::Plain => plain(&text, start, &mut sink),
            Layout::Pretty => pretty(&text, start, &mut sink)?,
        }
        self.marks = sink.marks;
        self.total_lines = sink.line + 1;
        self.total_size = sink.size;
        Ok(())
    }

    /// Lines `first` to before `first + count`, as far as they exist.
    pub fn window(&self, first: u32, count: u32) -> Vec<String> {
        let wanted = first..first.saturating_add(count).min(self.total_lines);
        if wanted.is_empty() {
            return Vec::new();
        }
        let index = self.marks.partition_point(|mark| mark.line <= first);
        let start = index.checked_sub(1).and_then(|index| self.marks.get(index));
        let start = start.copied().unwrap_or(Mark {
            line: 0,
            at: 0,
            depth: 0,
        });
        let mut sink = Sink::new(start.line, wanted);
        match self.layout {
            Layout::Plain => plain(&self.text, start, &mut sink),
            // It was JSON when it was counted.
            Layout::Pretty => drop(pretty(&self.text, start, &mut sink)),
        }
        sink.finish()
    }

    /// Bytes that this keeps in memory.
    pub fn weight(&self) -> usize {
        self.text.len() + self.marks.len() * size_of::<Mark>()
    }
}

/// All of a JSON text, indented and not wrapped; `None` when it is no JSON.
pub(crate) fn pretty_whole(text: &[u8]) -> Option<String> {
    let start = Mark {
        line: 0,
        at: 0,
        depth: 0,
    };
    let mut sink = Sink {
        limit: usize::MAX,
        ..Sink::new(0, 0..u32::MAX)
    };
    pretty(text, start, &mut sink).ok()?;
    Some(sink.finish().join("\n"))
}

/// Takes pieces of text, breaks them into lines, and keeps the lines that are wanted.
struct Sink {
    line: u32,
    /// Characters on the current line.
    column: usize,
    size: u64,
    wanted: Range<u32>,
    current: Vec<u8>,
    lines: Vec<String>,
    marks: Vec<Mark>,
    next_mark: u32,
    /// Characters after which a line is wrapped.
    limit: usize,
    /// Whether lines are only counted, in a text whose characters are bytes.
    counts_bytes: bool,
}

impl Sink {
    fn new(line: u32, wanted: Range<u32>) -> Self {
        Self {
            line,
            column: 0,
            size: 0,
            wanted,
            current: Vec::new(),
            lines: Vec::new(),
            marks: Vec::new(),
            next_mark: 0,
            limit: LINE_LIMIT,
            counts_bytes: false,
        }
    }

    fn is_counting(&self) -> bool {
        self.wanted.is_empty()
    }

    fn is_done(&self) -> bool {
        !self.is_counting() && self.line >= self.wanted.end
    }

    /// Remembers that the current line begins at `at`.
    fn mark(&mut self, at: usize, depth: u32) {
        if self.is_counting() && self.line >= self.next_mark {
            self.marks.push(Mark {
                line: self.line,
                at,
                depth,
            });
            self.next_mark = self.line + MARK_EVERY;
        }
    }

    #[inline]
    fn put(&mut self, piece: &[u8]) {
        // Nearly all pieces fit, and a piece has no more characters than bytes.
        if self.counts_bytes && self.column + piece.len() <= self.limit {
            self.size += piece.len() as u64;
            self.column += piece.len();
            return;
        }
        self.put_wrapping(piece);
    }

    fn put_wrapping(&mut self, mut piece: &[u8]) {
        self.size += piece.len() as u64;
        loop {
            let room = self.limit - self.column;
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

    fn break_line(&mut self) {
        self.size += 1;
        self.end_line();
    }

    fn end_line(&mut self) {
        if self.wanted.contains(&self.line) {
            self.lines
                .push(String::from_utf8_lossy(&self.current).into_owned());
            self.current.clear();
        }
        self.line += 1;
        self.column = 0;
    }

    fn indent(&mut self, depth: u32) {
        const SPACES: [u8; 64] = [b' '; 64];
        if depth as usize <= SPACES.len() / 2 {
            self.put(&SPACES[..2 * depth as usize]);
            return;
        }
        let mut left = 2 * depth as usize;
        while left > 0 && !self.is_done() {
            let now = left.min(SPACES.len());
            self.put(&SPACES[..now]);
            left -= now;
        }
    }

    fn finish(mut self) -> Vec<String> {
        if self.wanted.contains(&self.line) {
            self.end_line();
        }
        self.lines
    }
}

struct Taken {
    bytes: usize,
    characters: usize,
}

/// The longest beginning of `text` with at most `room` characters.
fn characters(text: &[u8], room: usize) -> Taken {
    if text.len() <= room && text.is_ascii() {
        return Taken {
            bytes: text.len(),
            characters: text.len(),
        };
    }
    let near = &text[..text.len().min(room)];
    if near.len() == room && near.is_ascii() {
        return Taken {
            bytes: room,
            characters: room,
        };
    }
    // A character begins with every byte that does not continue one.
    let mut count = 0;
    for (index, byte) in text.iter().enumerate() {
        if byte & 0xc0 != 0x80 {
            if count == room {
                return Taken {
                    bytes: index,
                    characters: count,
                };
            }
            count += 1;
        }
    }
    Taken {
        bytes: text.len(),
        characters: count,
    }
}

fn plain(text: &[u8], start: Mark, sink: &mut Sink) {
    let mut at = start.at;
    loop {
        let rest = &text[at..];
        let length = memchr::memchr(b'\n', rest).unwrap_or(rest.len());
        let mut piece = &rest[..length];
        // Wrapped lines begin where the one before ends, so each can be remembered.
        loop {
            sink.mark(at, 0);
            let taken = characters(piece, LINE_LIMIT);
            sink.put(&piece[..taken.bytes]);
            at += taken.bytes;
            piece = &piece[taken.bytes..];
            if piece.is_empty() || sink.is_done() {
                break;
            }
            sink.end_line();
        }
        if sink.is_done() || at >= text.len() {
            return;
        }
        at += 1;
        sink.break_line();
    }
}

/// What is expected next in a JSON text.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Expect {
    Value,
    /// A member or, right after `{`, its end.
    FirstMember,
    Member,
    /// An element or, right after `[`, its end.
    FirstElement,
    /// A comma, or the end of what is open.
    Next,
}

fn pretty(text: &[u8], start: Mark, sink: &mut Sink) -> Result<(), NotJson> {
    let mut depth = start.depth;
    let mut at = skip_space(text, start.at);
    // The closing brackets of what was opened since the start.
    let mut containers: Vec<u8> = Vec::new();
    let mut expect = Expect::Value;
    sink.mark(at, depth);
    if depth > 0 {
        // Marks stand before members and elements only.
        sink.indent(depth);
        if is_member(text, at) {
            expect = Expect::Member;
        }
    }
    loop {
        if sink.is_done() {
            return Ok(());
        }
        at = skip_space(text, at);
        let Some(byte) = text.get(at) else {
            return if depth == 0 && expect == Expect::Next {
                Ok(())
            } else {
                Err(NotJson)
            };
        };
        match (expect, byte) {
            (Expect::FirstMember, b'}') | (Expect::FirstElement, b']') => {
                sink.put(&text[at..=at]);
                depth -= 1;
                containers.pop();
                at += 1;
                expect = Expect::Next;
            }
            (Expect::FirstMember | Expect::Member, b'"') => {
                if expect == Expect::FirstMember {
                    sink.break_line();
                    sink.mark(at, depth);
                    sink.indent(depth);
                }
                let end = string_end(text, at)?;
                sink.put(&text[at..end]);
                at = skip_space(text, end);
                if text.get(at) != Some(&b':') {
                    return Err(NotJson);
                }
                sink.put(b": ");
                at += 1;
                expect = Expect::Value;
            }
            (Expect::FirstElement, _) => {
                sink.break_line();
                sink.mark(at, depth);
                sink.indent(depth);
                expect = Expect::Value;
            }
            (Expect::Value, b'{') => {
                sink.put(b"{");
                containers.push(b'}');
                depth += 1;
                at += 1;
                expect = Expect::FirstMember;
            }
            (Expect::Value, b'[') => {
                sink.put(b"[");
                containers.push(b']');
                depth += 1;
                at += 1;
                expect = Expect::FirstElement;
            }
            (Expect::Value, _) => {
                let end = if *byte == b'"' {
                    string_end(text, at)?
                } else {
                    scalar_end(text, at)?
                };
                sink.put(&text[at..end]);
                at = end;
                expect = Expect::Next;
            }
            (Expect::Next, b',') if depth > 0 => {
                sink.put(b",");
                sink.break_line();
                at = skip_space(text, at + 1);
                sink.mark(at, depth);
                sink.indent(depth);
                expect = match containers.last() {
                    Some(b'}') => Expect::Member,
                    Some(_) => Expect::Value,
                    // Begun in the middle: the text itself says what it is.
                    None => {
                        if is_member(text, at) {
                            Expect::Member
                        } else {
                            Expect::Value
                        }
                    }
                };
            }
            (Expect::Next, b'}' | b']') if depth > 0 => {
                if let Some(closing) = containers.pop()
                    && closing != *byte
                {
                    return Err(NotJson);
                }
                depth -= 1;
                sink.break_line();
                sink.indent(depth);
                sink.put(&text[at..=at]);
                at += 1;
            }
            _ => return Err(NotJson),
        }
    }
}

/// Whether a string followed by a colon stands at `at`.
fn is_member(text: &[u8], at: usize) -> bool {
    text.get(at) == Some(&b'"')
        && string_end(text, at).is_ok_and(|end| text.get(skip_space(text, end)) == Some(&b':'))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn all(text: &str, layout: Layout) -> String {
        let lines = Lines::of(Bytes::from(text.to_owned()), layout);
        let whole = lines.window(0, u32::MAX);
        assert_eq!(whole.len() as u32, lines.total_lines);
        whole.join("\n")
    }

    #[test]
    fn json_is_indented_and_its_values_stay_as_they_came() {
        let text = r#" {"a":1.0,"b":[],"c":{},"d":[1e400,"\u00e9",[true ,null]],"e":{"f":12345678901234567890}} "#;
        assert_eq!(
            all(text, Layout::Pretty),
            r#"{
  "a": 1.0,
  "b": [],
  "c": {},
  "d": [
    1e400,
    "\u00e9",
    [
      true,
      null
    ]
  ],
  "e": {
    "f": 12345678901234567890
  }
}"#
        );
        assert_eq!(all("7", Layout::Pretty), "7");
    }

    #[test]
    fn what_is_not_json_is_shown_as_it_is() {
        for text in [
            "",
            "hello\nworld",
            "{\"a\":1",
            "{\"a\" 1}",
            "[1,]x",
            "[1}",
            "1 2",
            "{\"a\":1}}",
            "tru",
        ] {
            assert_eq!(all(text, Layout::Pretty), text, "{text}");
        }
    }

    #[test]
    fn any_window_is_a_part_of_the_whole() {
        let mut text = String::from("{\"items\":[");
        for index in 0..900 {
            if index > 0 {
                text.push(',');
            }
            text.push_str(&format!(
                "{{\"id\":{index},\"tags\":[\"a\",\"b\"],\"name\":\"é{index}\",\"none\":{{}},\"d\":[[{index}]]}}"
            ));
        }
        text.push_str("],\"end\":true}");
        let lines = Lines::of(Bytes::from(text), Layout::Pretty);
        let whole = lines.window(0, u32::MAX);
        assert_eq!(whole.len() as u32, lines.total_lines);
        assert!(lines.marks.len() > 20);
        for first in (0..lines.total_lines).step_by(37) {
            let window = lines.window(first, 50);
            let end = (first as usize + 50).min(whole.len());
            assert_eq!(window, whole[first as usize..end], "from line {first}");
        }
        let size: usize = whole.iter().map(|line| line.len() + 1).sum();
        assert_eq!(lines.total_size, size as u64 - 1);
    }

    #[test]
    fn long_lines_are_wrapped_between_characters() {
        let text = format!("[\"{}\"]", "é".repeat(5000));
        let lines = Lines::of(Bytes::from(text), Layout::Pretty);
        let whole = lines.window(0, 100);
        assert_eq!(whole.len(), 5);
        assert!(whole.iter().all(|line| line.chars().count() <= LINE_LIMIT));
        assert!(!whole.concat().contains('\u{fffd}'));
        assert_eq!(lines.window(2, 1), whole[2..3]);

        let plain = format!("{}\nshort\n", "x".repeat(2_000_001));
        let lines = Lines::of(Bytes::from(plain), Layout::Plain);
        assert_eq!(lines.total_lines, 1001 + 2);
        assert_eq!(lines.window(1000, 9), ["x", "short", ""]);
        assert_eq!(lines.window(700, 1)[0].len(), LINE_LIMIT);
    }
}
