//! Prints the outcome of a command.

use std::path::Path;

use serde::Serialize;

use crate::{
    console,
    error::{CliError, Exit},
    json, workflow,
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

/// Prints it: results on stdout, errors on stderr.
pub(crate) fn print(ended: Result<Outcome, CliError>, as_json: bool) -> Exit {
    let (outcome, error) = match ended {
        Ok(mut outcome) => {
            let error = outcome.error.take();
            (Some(outcome), error)
        }
        Err(error) => (None, Some(error)),
    };
    if let Some(outcome) = outcome.filter(|outcome| !outcome.is_silent) {
        let text = match outcome.result {
            Some(result) if as_json => workflow::harmless_json(json::harmless(&result)),
            _ => workflow::harmless(&outcome.text).into_owned() + &outcome.commands,
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

fn whole_lines(mut text: String) -> String {
    if !text.ends_with('\n') {
        text.push('\n');
    }
    text
}
