//! Reasons for which a transport ends.

use sightglass_model::Failure;

/// Reason why the transport is gone.
#[derive(Debug, Clone)]
pub(crate) enum TransportEnd {
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

impl TransportEnd {
    /// Describes the fate of a request that was open then, fit to stand after its name.
    pub(crate) fn message(&self) -> String {
        match self {
            TransportEnd::Exited {
                code: Some(code), ..
            } => format!("had no answer: the program exited with code {code}"),
            TransportEnd::Exited {
                signal: Some(signal),
                ..
            } => format!("had no answer: the program was killed by signal {signal}"),
            TransportEnd::Exited { .. } => "had no answer: the program ended".to_owned(),
            TransportEnd::OutputClosed => {
                "had no answer: the program closed its standard output".to_owned()
            }
            TransportEnd::Failed(failure) => format!("had no answer: {failure}"),
        }
    }
}
