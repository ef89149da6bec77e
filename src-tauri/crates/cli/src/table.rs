//! Lays out tables with aligned columns.
//!
//! `comfy-table` (7.2) counts the styles of a cell as its text, unless it brings `crossterm`,
//! `console` and `ansi-str`.

use anstyle::Style;
use sightglass_inspector::brief;
use textwrap::core::display_width;

use crate::{
    console::width,
    style::{harmless, styled},
};

/// Between two columns.
const GAP: usize = 2;
/// A column that is not the last takes at most this much.
const MAX_COLUMN_WIDTH: usize = 48;
/// Minimal width of the last column, however narrow the terminal is.
const MIN_LAST_COLUMN_WIDTH: usize = 20;

/// Rows of cells. The last column takes what is left of the terminal's width and is cut there;
/// where the output is no terminal nothing is cut.
#[derive(Default)]
pub(crate) struct Table {
    rows: Vec<Vec<(String, Style)>>,
}

impl Table {
    pub(crate) fn row(&mut self, cells: impl IntoIterator<Item = (String, Style)>) {
        let cells = cells
            .into_iter()
            .map(|(text, style)| (one_line(&text), style));
        self.rows.push(cells.collect());
    }

    pub(crate) fn render(&self) -> String {
        self.render_within(width())
    }

    fn render_within(&self, terminal: Option<usize>) -> String {
        let columns = self.rows.iter().map(Vec::len).max().unwrap_or_default();
        let widths: Vec<usize> = (0..columns)
            .map(|column| {
                let cells = self.rows.iter().filter_map(|row| row.get(column));
                let widest = cells
                    .map(|(text, _)| display_width(text))
                    .max()
                    .unwrap_or_default();
                widest.min(MAX_COLUMN_WIDTH)
            })
            .collect();
        let mut result = String::new();
        for row in &self.rows {
            let mut at = 0;
            let mut line = String::new();
            for (column, (text, style)) in row.iter().enumerate() {
                let is_last = column + 1 == row.len();
                let room =
                    terminal.map(|terminal| terminal.saturating_sub(at).max(MIN_LAST_COLUMN_WIDTH));
                let text = match room.filter(|_| is_last) {
                    Some(room) => cut(text, room),
                    None => text.clone(),
                };
                if text.is_empty() && is_last {
                    break;
                }
                line.push_str(&styled(*style, &text));
                if !is_last {
                    let padding = widths[column].saturating_sub(display_width(&text)) + GAP;
                    line.extend(std::iter::repeat_n(' ', padding));
                    at += display_width(&text) + padding;
                }
            }
            result.push_str(line.trim_end());
            result.push('\n');
        }
        result
    }
}

fn one_line(text: &str) -> String {
    harmless(text)
        .split_whitespace()
        .collect::<Vec<_>>()
        .join(" ")
}

/// At most `room` characters of a text.
fn cut(text: &str, room: usize) -> String {
    match display_width(text) <= room {
        true => text.to_owned(),
        false => brief(text, room.saturating_sub(1)).into_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn table(rows: &[[&str; 2]]) -> Table {
        let mut table = Table::default();
        for row in rows {
            table.row(row.map(|cell| (cell.to_owned(), Style::new())));
        }
        table
    }

    #[test]
    fn columns_line_up() {
        let table = table(&[["a", "first"], ["longer", "second\nline"], ["b", ""]]);
        assert_eq!(
            table.render_within(None),
            "a       first\nlonger  second line\nb\n"
        );
    }

    #[test]
    fn the_last_column_is_cut_at_the_terminals_edge() {
        let table = table(&[["a", "this is too long for a narrow terminal"]]);
        assert_eq!(table.render_within(Some(24)), "a  this is too long for…\n");
    }
}
