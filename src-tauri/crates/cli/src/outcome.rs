//! Prints the outcome of a command.

use std::path::Path;

use serde::Serialize;
use sightglass_json_text::{object, quoted};

use crate::{
    console,
    error::{CliError, Exit},
    json,
    style::counted,
    workflow,
};

/// Outcome of a command.
#[derive(Debug)]
pub(crate) struct Outcome {
    /// The result as JSON: the server's own as it came, or the command's. `None` for help alone.
    result: Option<String>,
    /// The same for a user.
    text: String,
    /// Lines after the text that a runner of GitHub Actions obeys.
    commands: String,
    /// True when all there is to say was written already.
    is_silent: bool,
    /// Error in spite of which there is a result.
    error: Option<CliError>,
}

impl Outcome {
    pub(crate) fn new(result: String, text: String) -> Self {
        Self {
            result: Some(result),
            text,
            commands: String::new(),
            is_silent: false,
            error: None,
        }
    }

    /// Makes the outcome of a value that is printed as JSON.
    pub(crate) fn of(result: &impl Serialize, text: String) -> Result<Self, CliError> {
        let result =
            serde_json::to_string(result).map_err(|error| CliError::system(&error.to_string()))?;
        Ok(Self::new(result, text))
    }

    /// Something that is always text: help, a version, the script of a shell.
    pub(crate) fn text(text: String) -> Self {
        Self {
            result: None,
            text,
            commands: String::new(),
            is_silent: false,
            error: None,
        }
    }

    /// Nothing to print: all of it was written already.
    pub(crate) fn nothing() -> Self {
        Self {
            is_silent: true,
            ..Self::text(String::new())
        }
    }

    /// Returns the result as JSON, where there is one.
    pub(crate) fn into_result(self) -> Option<String> {
        self.result
    }

    pub(crate) fn with_commands(mut self, commands: String) -> Self {
        self.commands = commands;
        self
    }

    pub(crate) fn with_error(mut self, error: CliError) -> Self {
        self.error = Some(error);
        self
    }
}

/// Writes a report for other programs into a file.
pub(crate) fn write_report(path: &Path, report: Result<String, String>) -> Result<(), CliError> {
    let written = report.and_then(|text| {
        sightglass_files::replace(path, text.as_bytes()).map_err(|error| error.to_string())
    });
    written.map_err(|error| CliError::unwritten(path, &error))
}

/// Names the project in the commands that an error shows.
pub(crate) fn in_project(
    ended: Result<Outcome, CliError>,
    project: &Path,
) -> Result<Outcome, CliError> {
    match ended {
        Ok(mut outcome) => {
            outcome.error = outcome.error.map(|error| error.in_project(project));
            Ok(outcome)
        }
        Err(error) => Err(error.in_project(project)),
    }
}

/// Prints it: results on stdout, of these at most `max_chars` characters, and errors on stderr.
pub(crate) fn print(
    ended: Result<Outcome, CliError>,
    as_json: bool,
    max_chars: Option<usize>,
) -> Exit {
    let (outcome, error) = match ended {
        Ok(mut outcome) => {
            let error = outcome.error.take();
            (Some(outcome), error)
        }
        Err(error) => (None, Some(error)),
    };
    if let Some(outcome) = outcome.filter(|outcome| !outcome.is_silent) {
        let text = match outcome.result {
            Some(result) if as_json => {
                cut_json(workflow::harmless_json(json::harmless(&result)), max_chars)
            }
            _ => cut(workflow::harmless(&outcome.text).into_owned(), max_chars) + &outcome.commands,
        };
        console::print(&whole_lines(text));
    }
    let Some(error) = error else {
        return Exit::Done;
    };
    let text = if as_json {
        workflow::harmless_json(json::harmless(&error.to_json()))
    } else {
        workflow::harmless(&error.to_text()).into_owned()
    };
    console::tell(&whole_lines(text));
    error.exit
}

/// Cuts a text that is longer than it may be, and says how to get the rest. What is cut has lost its
/// styles, which might not end before the cut. Secrets are masked before, so that none is cut in two.
fn cut(text: String, max_chars: Option<usize>) -> String {
    let Some((beginning, left, all)) = beginning(&text, max_chars) else {
        return text;
    };
    format!("{beginning}…\n[{}]\n", remark(left, all))
}

/// The same for JSON, which has to stay JSON: its beginning is a text within an object.
fn cut_json(text: String, max_chars: Option<usize>) -> String {
    let Some((beginning, left, all)) = beginning(&text, max_chars) else {
        return text;
    };
    object([
        ("beginning", quoted(&beginning).as_str()),
        ("left", &left.to_string()),
        ("hint", &quoted(&remark(left, all))),
    ])
}

/// Returns the beginning of a text that is too long, the number of characters that are left, and the
/// number of all.
fn beginning(text: &str, max_chars: Option<usize>) -> Option<(String, usize, usize)> {
    let max_chars = max_chars?;
    // Each character has a byte at least.
    if text.len() <= max_chars {
        return None;
    }
    let text = anstream::adapter::strip_str(text).to_string();
    let text = text.trim_end_matches('\n');
    let (end, _) = text.char_indices().nth(max_chars)?;
    let left = text[end..].chars().count();
    Some((text[..end].to_owned(), left, max_chars + left))
}

fn remark(left: usize, all: usize) -> String {
    format!(
        "{} more. `--max-chars {all}`, or none, shows all of it.",
        counted(left, "character")
    )
}

fn whole_lines(mut text: String) -> String {
    if !text.ends_with('\n') {
        text.push('\n');
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::style::{NAME, styled};

    #[test]
    fn what_is_too_long_is_cut_between_characters() {
        assert_eq!(cut("häuser".to_owned(), None), "häuser");
        assert_eq!(cut("häuser\n".to_owned(), Some(6)), "häuser\n");
        let styled = styled(NAME, "häuser");
        assert_eq!(cut(styled.clone(), Some(6)), styled);
        assert_eq!(
            cut(styled, Some(2)),
            "hä…\n[4 characters more. `--max-chars 6`, or none, shows all of it.]\n"
        );
        assert_eq!(cut_json("[1]".to_owned(), Some(3)), "[1]");
        let cut: serde_json::Value =
            serde_json::from_str(&cut_json(r#"["ab"]"#.to_owned(), Some(3))).expect("JSON");
        assert_eq!(
            (&cut["beginning"], &cut["left"]),
            (&"[\"a".into(), &3.into())
        );
    }
}
