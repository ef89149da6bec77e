//! Colours output, and makes text from servers safe to print.
//!
//! Styles are always written; the stream drops them where no colours would be seen (no
//! terminal, `NO_COLOR`).

use std::fmt;

use anstyle::{AnsiColor, Style};
use sightglass_inspector::{Millis, Verdict, visible_lines};

pub(crate) const HEADING: Style = Style::new().bold();
pub(crate) const FAINT: Style = Style::new().dimmed();
pub(crate) const GOOD: Style = AnsiColor::Green.on_default();
pub(crate) const WARNING: Style = AnsiColor::Yellow.on_default();
pub(crate) const BAD: Style = AnsiColor::Red.on_default().bold();
pub(crate) const NAME: Style = AnsiColor::Cyan.on_default();

/// `text` in a style.
pub(crate) fn styled(style: Style, text: &str) -> String {
    format!("{style}{text}{style:#}")
}

/// The glyph of a verdict and its style.
pub(crate) fn mark(verdict: Verdict) -> (Style, &'static str) {
    match verdict {
        Verdict::Passed => (GOOD, "✓"),
        Verdict::Failed => (BAD, "✗"),
        Verdict::Error => (BAD, "!"),
        Verdict::Warning | Verdict::Overridden => (WARNING, "!"),
        Verdict::Skipped => (FAINT, "–"),
        Verdict::Note | Verdict::NotApplicable => (FAINT, "·"),
    }
}

/// Text of a server's with the characters escaped that a terminal would obey or that would make it
/// look like another text. Line breaks and tabs stay.
pub(crate) fn harmless(text: &str) -> String {
    visible_lines(&text.replace("\r\n", "\n")).into_owned()
}

/// Counts things: `1 call`, `7 calls`.
pub(crate) fn counted(count: impl fmt::Display, thing: &str) -> String {
    let count = count.to_string();
    let plural = if count == "1" { "" } else { "s" };
    format!("{count} {thing}{plural}")
}

/// Formats a duration for reading.
pub(crate) fn duration(duration: Millis) -> String {
    match duration.as_f64() {
        short if short < 10.0 => format!("{short:.1} ms"),
        middle if middle < 1000.0 => format!("{middle:.0} ms"),
        long => format!("{:.1} s", long / 1000.0),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_server_cannot_drive_the_terminal() {
        assert_eq!(
            harmless("a\u{1b}[31mb\r\n\tc\u{9b}\u{202e}\u{7f}"),
            "a\\u{1b}[31mb\n\tc\\u{9b}\\u{202e}\\u{7f}"
        );
    }

    #[test]
    fn one_thing_is_counted_without_an_s() {
        assert_eq!(counted(1_u32, "call"), "1 call");
        assert_eq!(counted(0_usize, "call"), "0 calls");
        assert_eq!(counted(11_u64, "call"), "11 calls");
    }

    #[test]
    fn durations_are_short() {
        let duration = |milliseconds| super::duration(Millis::from_f64(milliseconds));
        assert_eq!(duration(1.25), "1.2 ms");
        assert_eq!(duration(250.0), "250 ms");
        assert_eq!(duration(1250.0), "1.2 s");
    }
}
