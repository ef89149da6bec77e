//! Outcome of a command, and printing it.

use std::{
    io::{self, Write},
    process::ExitCode,
};

use crate::{
    json,
    trouble::{Exit, Trouble},
};

/// Outcome of a command.
#[derive(Debug)]
pub(crate) struct Outcome {
    /// The server's own result, as JSON; `None` where there is none.
    result: Option<String>,
    /// True when the result is printed as it is rather than as the `result` of an object.
    bare: bool,
    /// The same for a person.
    text: String,
    /// Error in spite of which there is a result.
    trouble: Option<Trouble>,
}

impl Outcome {
    pub(crate) fn new(result: String, text: String) -> Self {
        Self {
            result: Some(result),
            bare: false,
            text,
            trouble: None,
        }
    }

    /// A result that no server gave, with a form of its own.
    pub(crate) fn bare(result: String, text: String) -> Self {
        Self {
            bare: true,
            ..Self::new(result, text)
        }
    }

    /// Something that is always text.
    pub(crate) fn text(text: String) -> Self {
        Self {
            result: None,
            bare: false,
            text,
            trouble: None,
        }
    }

    pub(crate) fn with_trouble(mut self, trouble: Trouble) -> Self {
        self.trouble = Some(trouble);
        self
    }
}

/// Prints it: results on stdout, troubles on stderr.
pub(crate) fn print(ended: Result<Outcome, Trouble>, as_json: bool) -> ExitCode {
    let (outcome, trouble) = match ended {
        Ok(mut outcome) => {
            let trouble = outcome.trouble.take();
            (Some(outcome), trouble)
        }
        Err(trouble) => (None, Some(trouble)),
    };
    if let Some(outcome) = outcome {
        let text = match outcome.result {
            Some(result) if as_json && outcome.bare => json::harmless(&result),
            Some(result) if as_json => json::harmless(&json::object([("result", result.as_str())])),
            _ => outcome.text,
        };
        let mut stdout = anstream::stdout().lock();
        // Nobody is left to tell when the reader of the output has gone.
        let _ = write_text(&mut stdout, &text);
    }
    let Some(trouble) = trouble else {
        return Exit::Done.into();
    };
    let text = if as_json {
        json::harmless(&trouble.to_json())
    } else {
        trouble.to_text()
    };
    let _ = write_text(&mut anstream::stderr().lock(), &text);
    trouble.exit.into()
}

fn write_text(stream: &mut impl Write, text: &str) -> io::Result<()> {
    stream.write_all(text.as_bytes())?;
    if !text.ends_with('\n') {
        stream.write_all(b"\n")?;
    }
    stream.flush()
}
