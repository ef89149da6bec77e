//! Writes text that others wrote into Markdown.
//!
//! Such text stands in code alone, in spans and fences that are longer than any run of backticks in
//! it, with what is not seen shown as escapes. So it can neither leave its place nor look like
//! something else, and nothing in it becomes a link, an image or the mention of a person.

use crate::{visible, visible_lines};

/// Writes a text as a span of code, on one line (CommonMark 0.31, section 6.1).
pub fn code_span(text: &str) -> String {
    let text = visible(text);
    let marks = "`".repeat(longest_run(&text) + 1);
    // A space beside a backtick is not part of the span.
    format!("{marks} {text} {marks}")
}

/// Writes a text as a fenced block of code, without a line feed at its end (section 4.5).
pub fn fenced_code(text: &str, language: &str) -> String {
    let text = visible_lines(text);
    let fence = "`".repeat(longest_run(&text).max(2) + 1);
    let text = text.trim_end_matches('\n');
    format!("{fence}{language}\n{text}\n{fence}")
}

fn longest_run(text: &str) -> usize {
    text.split(|character| character != '`')
        .map(str::len)
        .max()
        .unwrap_or(0)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The window writes the same, and reads the same cases.
    #[test]
    fn a_span_is_longer_than_any_run_of_backticks_and_one_line() {
        let cases = include_str!("../../../../tests/fixtures/code_spans.json");
        let cases: Vec<(String, String)> = serde_json::from_str(cases).expect("cases");
        for (text, span) in cases {
            assert_eq!(code_span(&text), span);
        }
    }

    #[test]
    fn a_fence_is_longer_than_any_run_of_backticks() {
        assert_eq!(fenced_code("{}\n", "json"), "```json\n{}\n```");
        assert_eq!(
            fenced_code("````\n\u{202e}", "http"),
            "`````http\n````\n\\u{202e}\n`````"
        );
    }
}
