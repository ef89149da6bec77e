//! The end of a link, and what it leaves unanswered.

use sightglass_model::{Failure, UnansweredRequest};

/// Reason why the link is gone.
#[derive(Debug, Clone)]
pub(crate) enum LinkEnd {
    /// The process ended.
    Exited {
        code: Option<i32>,
        signal: Option<i32>,
    },
    /// The process closed its output and stays alive.
    OutputClosed,
    /// Something that says all by itself.
    Failed(Failure),
}

impl LinkEnd {
    /// Describes the fate of a request that was open then, fit to stand after its name.
    pub(crate) fn words(&self) -> String {
        match self {
            LinkEnd::Exited {
                code: Some(code), ..
            } => format!("had no answer: the program exited with code {code}"),
            LinkEnd::Exited {
                signal: Some(signal),
                ..
            } => format!("had no answer: the program was killed by signal {signal}"),
            LinkEnd::Exited { .. } => "had no answer: the program ended".to_owned(),
            LinkEnd::OutputClosed => {
                "had no answer: the program closed its standard output".to_owned()
            }
            LinkEnd::Failed(failure) => format!("had no answer: {failure}"),
        }
    }
}

/// The link's end and the requests that were open then.
#[derive(Debug, Clone)]
pub(crate) struct WireEnd {
    pub end: LinkEnd,
    pub unanswered: Vec<UnansweredRequest>,
}
