//! Finds a text in a payload that is laid out in lines, a page at a time.

use super::lines::Lines;
use crate::{PayloadMatches, RecordError};

/// Lines that are made at once.
const PAGE_LENGTH: u32 = 256;

/// Matches of which the line is told.
const MAX_MATCHES: usize = 10_000;

/// Finds the places of a text, whatever its case, also where a long line is cut within it: such a
/// match counts to the line that it begins on.
pub(super) fn search(
    lines: &Lines,
    text: &str,
    stop: &dyn Fn() -> bool,
) -> Result<PayloadMatches, RecordError> {
    let wanted = text.to_lowercase();
    let mut found = PayloadMatches {
        lines: Vec::new(),
        total: 0,
    };
    if wanted.is_empty() {
        return Ok(found);
    }
    // The end of the line before, where the next one continues it.
    let mut end = String::new();
    let mut at = 0;
    while at < lines.total_lines {
        if stop() {
            return Err(RecordError::Closed);
        }
        for (line, index) in lines.page(at, PAGE_LENGTH).into_iter().zip(at..) {
            let own = line.text.to_lowercase();
            if line.number.is_some() {
                end.clear();
            }
            let before = end.len();
            end.push_str(&own);
            let mut last = 0;
            for (place, matched) in end.match_indices(&wanted) {
                found.total = found.total.saturating_add(1);
                last = place + matched.len();
                if found.lines.len() < MAX_MATCHES {
                    found
                        .lines
                        .push(if place < before { index - 1 } else { index });
                }
            }
            // No match is found twice: what is kept is shorter than the text, and behind the last.
            let kept = (end.len() + 1).saturating_sub(wanted.len()).max(last);
            let kept = (kept..=end.len())
                .find(|&place| end.is_char_boundary(place))
                .unwrap_or(end.len());
            end.drain(..kept);
        }
        at += PAGE_LENGTH;
    }
    Ok(found)
}

#[cfg(test)]
mod tests {
    use bytes::Bytes;

    use super::{super::lines::LineLayout, *};

    fn places(text: &str, wanted: &str) -> Vec<u32> {
        let text = Bytes::from(text.to_owned());
        let lines = Lines::of(text, LineLayout::Plain, &|| false).expect("not stopped");
        let found = search(&lines, wanted, &|| false).expect("not stopped");
        assert_eq!(found.total as usize, found.lines.len());
        found.lines
    }

    #[test]
    fn every_match_is_told_with_its_line_whatever_its_case() {
        assert_eq!(places("one\nTwo two\nthree\ntwo", "tWO"), [1, 1, 3]);
        assert_eq!(places("aaaa", "aa"), [0, 0]);
        assert_eq!(places("Straße É", "é"), [0]);
        assert_eq!(places("x", ""), [] as [u32; 0]);
        assert_eq!(places("ab\ncd", "bc"), [] as [u32; 0]);
    }

    #[test]
    fn a_match_across_the_cut_of_a_long_line_is_found_once() {
        let text = format!("{}needle{}needle", "x".repeat(1997), "y".repeat(3000));
        assert_eq!(places(&text, "needle"), [0, 2]);
        assert_eq!(places(&"é".repeat(4001), "éé").len(), 2000);
    }

    #[test]
    fn a_search_stops_when_the_record_closes() {
        let lines =
            Lines::of(Bytes::from_static(b"x"), LineLayout::Plain, &|| false).expect("lines");
        assert!(search(&lines, "x", &|| true).is_err());
    }
}
