//! Ends of an attempt and their reasons.

use sightglass_model::{Failure, ServerSpec};

use crate::{
    course::Course,
    wire::{Link, LinkEnd, Wire, WireEnd},
};

/// End of an attempt.
pub(crate) enum Ending {
    /// The person did not want it any more.
    Cancelled,
    Failed(Failure),
}

/// End of an attempt, or of its first half.
pub(crate) enum Ended {
    Failed(Failure),
    /// The process ended after the probe, before anything else was asked of it.
    DislikedTheProbe {
        words: String,
    },
    /// The server is to be tried over another transport.
    Elsewhere {
        next: Box<Course>,
        words: String,
    },
}

/// Returns the failure of the connection for which the wire ended.
pub(super) fn loss(wire: &Wire, spec: &ServerSpec) -> Failure {
    match wire.how_it_ended() {
        Some(WireEnd {
            end: LinkEnd::Exited { code, signal },
            unanswered,
        }) => Failure::Exited {
            command_line: spec.summary(),
            code,
            signal,
            stderr: Vec::new(),
            stdout: Vec::new(),
            unanswered,
        },
        Some(WireEnd {
            end: LinkEnd::Failed(failure),
            ..
        }) => failure,
        Some(WireEnd {
            end: LinkEnd::OutputClosed,
            ..
        })
        | None => Failure::ProtocolError {
            message: "the server closed its standard output and did not end".to_owned(),
            received: None,
            unknown_era: None,
            stderr: Vec::new(),
        },
    }
}

/// Adds the last lines that the program wrote to failures that have room for them.
pub(super) fn with_output(mut failure: Failure, wire: &Wire) -> Failure {
    let Some(Link::Stdio(process)) = wire.link() else {
        return failure;
    };
    if let Failure::Exited { stdout, .. } = &mut failure {
        *stdout = process.stdout_tail();
    }
    if let Failure::Exited { stderr, .. }
    | Failure::TimedOut { stderr, .. }
    | Failure::ProtocolError { stderr, .. } = &mut failure
    {
        *stderr = process.stderr_tail();
    }
    failure
}
