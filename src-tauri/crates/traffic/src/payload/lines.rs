//! Text cut into lines, of which only those asked for are made.

mod sink;

use bytes::Bytes;
use sightglass_json_text::{LineSink, NotJson, lay_out};

use sink::{LineCollector, characters};

/// A line longer than this many characters continues on the next.
pub(crate) const MAX_LINE_CHARACTERS: usize = 2000;

/// The position of every so many lines is remembered.
const MARK_INTERVAL: u32 = 256;

/// Layout of text in lines.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum LineLayout {
    /// Lines as they are.
    Plain,
    /// JSON with two spaces of indentation.
    Pretty,
}

/// A text, and where to start in order to make a line of it.
pub(crate) struct Lines {
    text: Bytes,
    layout: LineLayout,
    marks: Vec<Mark>,
    pub total_lines: u32,
    /// Bytes of all lines, with the line breaks between those that were not merely wrapped.
    pub total_size: u64,
}

/// One line, or the next part of one that is too long.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct Line {
    pub text: String,
    /// Number of the line in the text, from 1; none when it continues the one before.
    pub number: Option<u32>,
}

/// Start of a line.
#[derive(Debug, Clone, Copy)]
struct Mark {
    line: u32,
    at: usize,
    depth: u32,
    number: u32,
    continues: bool,
}

/// Start of every text.
const START: Mark = Mark {
    line: 0,
    at: 0,
    depth: 0,
    number: 1,
    continues: false,
};

/// Counting was stopped before its end.
#[derive(Debug)]
pub(crate) struct CountCancelled;

impl Lines {
    /// Counts the lines of `text`. Text that should be pretty but is no JSON is plain.
    ///
    /// Calls `stop` every few hundred lines to learn whether to give up.
    pub fn of(
        text: Bytes,
        layout: LineLayout,
        stop: &dyn Fn() -> bool,
    ) -> Result<Self, CountCancelled> {
        let mut lines = Self {
            text,
            layout,
            marks: Vec::new(),
            total_lines: 0,
            total_size: 0,
        };
        let counted = match lines.count(stop) {
            Ok(counted) => counted,
            Err(NotJson) => {
                lines.layout = LineLayout::Plain;
                // Plain text cannot be wrong.
                lines.count(stop).unwrap_or(Err(CountCancelled))
            }
        };
        counted.map(|()| lines)
    }

    fn count(&mut self, stop: &dyn Fn() -> bool) -> Result<Result<(), CountCancelled>, NotJson> {
        let text = self.text.clone();
        let mut sink = LineCollector::new(START, 0..0);
        sink.stop = Some(stop);
        sink.counts_bytes = text.is_ascii();
        match self.layout {
            LineLayout::Plain => plain(&text, START, &mut sink),
            LineLayout::Pretty => lay_out(&text, START.at, START.depth, &mut sink)?,
        }
        if sink.is_stopped {
            return Ok(Err(CountCancelled));
        }
        self.marks = sink.marks;
        self.total_lines = sink.line.saturating_add(1);
        self.total_size = sink.size;
        Ok(Ok(()))
    }

    /// Lines `first` to before `first + count`, as far as they exist.
    pub fn page(&self, first: u32, count: u32) -> Vec<Line> {
        let wanted = first..first.saturating_add(count).min(self.total_lines);
        if wanted.is_empty() {
            return Vec::new();
        }
        let index = self.marks.partition_point(|mark| mark.line <= first);
        let start = index.checked_sub(1).and_then(|index| self.marks.get(index));
        let start = start.copied().unwrap_or(START);
        let mut sink = LineCollector::new(start, wanted);
        match self.layout {
            LineLayout::Plain => plain(&self.text, start, &mut sink),
            // It was JSON when it was counted.
            LineLayout::Pretty => drop(lay_out(&self.text, start.at, start.depth, &mut sink)),
        }
        sink.finish()
    }

    /// Bytes that this keeps in memory.
    pub fn weight(&self) -> usize {
        self.text.len() + self.marks.len() * size_of::<Mark>()
    }
}

fn plain(text: &[u8], start: Mark, sink: &mut LineCollector<'_>) {
    let mut at = start.at;
    loop {
        let rest = &text[at..];
        let length = memchr::memchr(b'\n', rest).unwrap_or(rest.len());
        let mut piece = &rest[..length];
        // Wrapped lines begin where the one before ends, so each can be remembered.
        loop {
            sink.mark(at, 0);
            let taken = characters(piece, MAX_LINE_CHARACTERS);
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

#[cfg(test)]
mod tests {
    use super::*;

    fn counted(text: &str, layout: LineLayout) -> Lines {
        Lines::of(Bytes::from(text.to_owned()), layout, &|| false).expect("not stopped")
    }

    #[test]
    fn brackets_without_end_take_room_in_proportion_to_their_number() {
        let depth = 200_000;
        let text = "[".repeat(depth) + &"]".repeat(depth);
        let lines = counted(&text, LineLayout::Pretty);
        assert_eq!(lines.total_lines as usize, 2 * depth - 1);
        assert!(lines.total_size < 2 * depth as u64 * 202);
        let deep = texts(&lines, depth as u32 - 2, 3);
        assert_eq!(deep[0], format!("{}[", " ".repeat(200)));
        assert_eq!(deep[1], format!("{}[]", " ".repeat(200)));
    }

    #[test]
    fn counting_stops_when_nobody_wants_to_know_any_more() {
        let text = Bytes::from(format!("[{}1]", "1,\n".repeat(100_000)));
        for layout in [LineLayout::Plain, LineLayout::Pretty] {
            let asked = std::cell::Cell::new(0);
            let stop = || {
                asked.set(asked.get() + 1);
                asked.get() == 3
            };
            assert!(Lines::of(text.clone(), layout, &stop).is_err());
            assert_eq!(asked.get(), 3, "{layout:?}");
        }
    }

    fn texts(lines: &Lines, first: u32, count: u32) -> Vec<String> {
        let page = lines.page(first, count).into_iter();
        page.map(|line| line.text).collect()
    }

    fn all(text: &str, layout: LineLayout) -> String {
        let lines = counted(text, layout);
        let whole = texts(&lines, 0, u32::MAX);
        assert_eq!(whole.len() as u32, lines.total_lines);
        whole.join("\n")
    }

    #[test]
    fn json_is_indented_and_its_values_stay_as_they_came() {
        let text = r#" {"a":1.0,"b":[],"c":{},"d":[1e400,"\u00e9",[true ,null]],"e":{"f":12345678901234567890}} "#;
        assert_eq!(
            all(text, LineLayout::Pretty),
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
        assert_eq!(all("7", LineLayout::Pretty), "7");
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
            assert_eq!(all(text, LineLayout::Pretty), text, "{text}");
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
        let lines = counted(&text, LineLayout::Pretty);
        let whole = lines.page(0, u32::MAX);
        assert_eq!(whole.len() as u32, lines.total_lines);
        assert!(lines.marks.len() > 20);
        for first in (0..lines.total_lines).step_by(37) {
            let page = lines.page(first, 50);
            let end = (first as usize + 50).min(whole.len());
            assert_eq!(page, whole[first as usize..end], "from line {first}");
            assert_eq!(page[0].number, Some(first + 1));
        }
        let size: usize = whole.iter().map(|line| line.text.len() + 1).sum();
        assert_eq!(lines.total_size, size as u64 - 1);
    }

    #[test]
    fn long_lines_are_wrapped_between_characters() {
        let text = format!("[\"{}\"]", "é".repeat(5000));
        let lines = counted(&text, LineLayout::Pretty);
        let whole = texts(&lines, 0, 100);
        assert_eq!(whole.len(), 5);
        assert!(
            whole
                .iter()
                .all(|line| line.chars().count() <= MAX_LINE_CHARACTERS)
        );
        assert!(!whole.concat().contains('\u{fffd}'));
        assert_eq!(texts(&lines, 2, 1), whole[2..3]);

        let plain = format!("{}\nshort\n", "x".repeat(2_000_001));
        let lines = counted(&plain, LineLayout::Plain);
        assert_eq!(lines.total_lines, 1001 + 2);
        assert_eq!(texts(&lines, 1000, 9), ["x", "short", ""]);
        assert_eq!(texts(&lines, 700, 1)[0].len(), MAX_LINE_CHARACTERS);
        let numbers = |first| lines.page(first, 9).into_iter().map(|line| line.number);
        assert!(numbers(0).eq([Some(1), None, None, None, None, None, None, None, None]));
        assert!(numbers(700).all(|number| number.is_none()));
        assert!(numbers(1000).eq([None, Some(2), Some(3)]));
    }
}
