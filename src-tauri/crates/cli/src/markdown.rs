//! Lays out Markdown of the program's own for a terminal: wrapped to its width, without the marks.

use std::mem;

use anstyle::Style;
use pulldown_cmark::{Event, Options, Parser, Tag, TagEnd};
use textwrap::{WordSplitter, core::display_width};

use crate::style::{FAINT, HEADING, NAME, styled};

/// Lines are not longer than this, so that they can be read in a wide terminal.
const MAX_WIDTH: usize = 100;
/// Indent of a line within a list, and of code.
const INDENT: usize = 2;
/// Between two columns of a table.
const GAP: usize = 2;

/// Lays out a text for a terminal of this width.
pub(crate) fn laid_out(markdown: &str, width: usize) -> String {
    let mut layout = TerminalText {
        width: width.min(MAX_WIDTH),
        ..TerminalText::default()
    };
    for event in Parser::new_ext(markdown, Options::ENABLE_TABLES) {
        layout.add(event);
    }
    layout.text.trim_end().to_owned()
}

/// Joins styled words to lines of which all but the first are indented; the first begins as far
/// from the edge.
fn wrapped(words: &str, indent: usize, width: usize) -> String {
    let blanks = blank(indent);
    let options = textwrap::Options::new(width)
        .initial_indent(&blanks)
        .subsequent_indent(&blanks)
        .break_words(false)
        .word_splitter(WordSplitter::NoHyphenation);
    textwrap::fill(words, options).trim_start().to_owned()
}

fn blank(length: usize) -> String {
    " ".repeat(length)
}

#[derive(Default)]
struct TerminalText {
    width: usize,
    text: String,
    /// Words of a paragraph or of a cell, with their styles.
    words: String,
    style: Style,
    /// The lists around, each with its next number where it has numbers.
    lists: Vec<Option<u64>>,
    /// Mark that an item begins with, until its first line is written.
    marker: Option<String>,
    /// The target of the link that is being read.
    link: String,
    /// The code that is being read.
    code: Option<String>,
    /// The rows of the table that is being read.
    rows: Vec<Vec<String>>,
}

impl TerminalText {
    fn add(&mut self, event: Event<'_>) {
        match event {
            Event::Start(tag) => self.start(tag),
            Event::End(tag) => self.end(tag),
            Event::Text(text) => match &mut self.code {
                Some(code) => code.push_str(&text),
                None => self.words.push_str(&styled(self.style, &text)),
            },
            Event::Code(text) => self.words.push_str(&styled(NAME, &text)),
            Event::SoftBreak | Event::HardBreak => self.words.push(' '),
            _ => {}
        }
    }

    fn start(&mut self, tag: Tag<'_>) {
        match tag {
            Tag::Heading { .. } | Tag::Strong => self.style = HEADING,
            Tag::Emphasis => self.style = Style::new().italic(),
            Tag::Link { dest_url, .. } => self.link = dest_url.into_string(),
            Tag::CodeBlock(_) => self.code = Some(String::new()),
            Tag::List(first) => {
                self.end_paragraph();
                self.lists.push(first);
            }
            Tag::Item => {
                let number = self.lists.last_mut().and_then(Option::as_mut);
                self.marker = Some(match number {
                    Some(number) => {
                        *number += 1;
                        format!("{}. ", *number - 1)
                    }
                    None => "- ".to_owned(),
                });
            }
            Tag::TableHead => {
                self.style = HEADING;
                self.rows.push(Vec::new());
            }
            Tag::TableRow => self.rows.push(Vec::new()),
            _ => {}
        }
    }

    fn end(&mut self, tag: TagEnd) {
        match tag {
            TagEnd::Strong | TagEnd::Emphasis | TagEnd::TableHead => self.style = Style::new(),
            TagEnd::Heading(_) => {
                self.style = Style::new();
                self.end_paragraph();
                self.text.push('\n');
            }
            TagEnd::Paragraph => {
                self.end_paragraph();
                self.text.push('\n');
            }
            TagEnd::Item => self.end_paragraph(),
            TagEnd::List(_) => {
                self.lists.pop();
                self.text.push('\n');
            }
            TagEnd::Link => {
                let target = mem::take(&mut self.link);
                let target = match target.strip_suffix(".md") {
                    Some(name) => format!(" (guide {name})"),
                    None => format!(" ({target})"),
                };
                self.words.push_str(&styled(FAINT, &target));
            }
            TagEnd::CodeBlock => {
                for line in self.code.take().unwrap_or_default().lines() {
                    let line = format!("{}{line}", blank(INDENT));
                    self.text.push_str(line.trim_end());
                    self.text.push('\n');
                }
                self.text.push('\n');
            }
            TagEnd::TableCell => {
                let cell = mem::take(&mut self.words);
                if let Some(row) = self.rows.last_mut() {
                    row.push(cell);
                }
            }
            TagEnd::Table => self.end_table(),
            _ => {}
        }
    }

    /// Writes the words that were read as lines.
    fn end_paragraph(&mut self) {
        let words = mem::take(&mut self.words);
        if words.is_empty() {
            return;
        }
        let outer = blank(INDENT * self.lists.len().saturating_sub(1));
        let begin = match self.marker.take() {
            Some(marker) => outer + &marker,
            None => blank(INDENT * self.lists.len()),
        };
        self.text.push_str(&begin);
        self.text
            .push_str(&wrapped(&words, display_width(&begin), self.width));
        self.text.push('\n');
    }

    /// Writes a table, the last column of which is wrapped.
    fn end_table(&mut self) {
        let rows = mem::take(&mut self.rows);
        let columns = rows.iter().map(Vec::len).max().unwrap_or_default();
        let widths: Vec<usize> = (0..columns)
            .map(|column| {
                let cells = rows.iter().filter_map(|row| row.get(column));
                cells
                    .map(|cell| display_width(cell))
                    .max()
                    .unwrap_or_default()
            })
            .collect();
        for row in &rows {
            let mut at = 0;
            let mut text = String::new();
            for (cell, width) in row.iter().zip(&widths) {
                text.push_str(&wrapped(cell, at, self.width));
                text.push_str(&blank(width.saturating_sub(display_width(cell)) + GAP));
                at += width + GAP;
            }
            self.text.push_str(text.trim_end());
            self.text.push('\n');
        }
        self.text.push('\n');
    }
}

#[cfg(test)]
mod tests {
    use anstream::adapter::strip_str;

    use super::*;

    #[test]
    fn a_text_is_wrapped_and_has_no_marks() {
        let text = "# A title\n\nSome **bold** words that are\nlonger, see [it](it.md).\n\n\
                    - one `x`\n- two words that go on\n\n3. three\n4. four\n\n\
                    ```sh\nrun  it # now\n```\n";
        let laid_out = laid_out(text, 20);
        assert_eq!(
            strip_str(&laid_out).to_string(),
            "A title\n\nSome bold words that\nare longer, see it\n(guide it).\n\n\
             - one x\n- two words that go\n  on\n\n3. three\n4. four\n\n  run  it # now"
        );
        assert!(laid_out.contains(&styled(HEADING, "bold")), "{laid_out:?}");
    }

    #[test]
    fn the_last_column_of_a_table_is_wrapped() {
        let text = "| word | |\n|---|---|\n| a | b c d |\n| e f | g |\n";
        assert_eq!(
            strip_str(&laid_out(text, 9)).to_string(),
            "word\na     b c\n      d\ne f   g"
        );
    }
}
