//! Keeps output from being obeyed by the runner of GitHub Actions, which takes a line of a step's
//! output for a command when it begins with `::`, or has `##[` anywhere
//! (<https://github.com/actions/runner/blob/main/src/Runner.Common/ActionCommand.cs>). Most of the
//! output is a server's text, and a server must not mask words of the log, forge annotations or set
//! the outputs of a step.

use std::borrow::Cow;

use crate::console;

/// Begins a command, wherever it stands in a line.
const OLD_COMMAND: &str = "##[";

/// Returns whether the output is read by a runner of GitHub Actions.
pub(crate) fn is_read_by_runner() -> bool {
    console::variable("GITHUB_ACTIONS").is_some_and(|value| value == "true")
}

/// Text whose lines are no commands to a runner that reads them.
pub(crate) fn harmless(text: &str) -> Cow<'_, str> {
    match is_read_by_runner() {
        true => Cow::Owned(without_commands(text)),
        false => Cow::Borrowed(text),
    }
}

/// Prints a line before the command ends.
pub(crate) fn print_line(line: &str) {
    console::print(&format!("{}\n", harmless(line)));
}

/// JSON with the same values, which holds no command to a runner that reads it.
pub(crate) fn harmless_json(json: String) -> String {
    // Outside of a string there is no such text, and no line of JSON begins with a colon twice.
    match is_read_by_runner() {
        true => json.replace(OLD_COMMAND, "#\\u0023["),
        false => json,
    }
}

fn without_commands(text: &str) -> String {
    text.split_inclusive('\n').map(without_command).collect()
}

/// A line with the beginning of a command written as an escape. Such a line loses its styles: the
/// stream may drop them, and what they stand before comes first then.
fn without_command(line: &str) -> Cow<'_, str> {
    let plain = anstream::adapter::strip_str(line).to_string();
    let is_command = plain.trim_start().starts_with("::");
    if !is_command && !plain.contains(OLD_COMMAND) {
        return Cow::Borrowed(line);
    }
    let plain = match is_command {
        true => plain.replacen("::", "\\u{3a}:", 1),
        false => plain,
    };
    Cow::Owned(plain.replace(OLD_COMMAND, "#\\u{23}["))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::style::{FAINT, styled};

    #[test]
    fn no_line_is_a_command() {
        let hidden = styled(FAINT, "::set-output name=a::b");
        for (text, expected) in [
            ("a :: b\n::c", "a :: b\n\\u{3a}:c"),
            (
                "x\n\u{a0} ::stop-commands::y\n",
                "x\n\u{a0} \\u{3a}:stop-commands::y\n",
            ),
            ("a ##[error]b###[", "a #\\u{23}[error]b##\\u{23}["),
            (hidden.as_str(), "\\u{3a}:set-output name=a::b"),
        ] {
            assert_eq!(without_commands(text), expected);
        }
        let styled = styled(FAINT, "a::b");
        assert_eq!(without_commands(&styled), styled);
    }
}
