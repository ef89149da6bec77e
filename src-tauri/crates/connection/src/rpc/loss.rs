//! Explains the end of a connection by its transport and by what its program wrote last.

use sightglass_model::{Failure, FailureReport};
use sightglass_traffic::ConnectionRecorder;

use crate::{
    rpc::peer::{Peer, PeerEnd},
    transport::{Transport, TransportEnd},
};

impl Peer {
    /// Returns the failure for which this peer ended.
    pub(crate) fn loss(&self) -> Failure {
        let failure = match self.peer_end() {
            Some(PeerEnd {
                end: TransportEnd::Exited { code, signal },
                unanswered,
            }) => Failure::Exited {
                command_line: self.command_line.clone(),
                code,
                signal,
                stderr: Vec::new(),
                stdout: Vec::new(),
                unanswered,
            },
            Some(PeerEnd {
                end: TransportEnd::Failed(failure),
                ..
            }) => failure,
            Some(PeerEnd {
                end: TransportEnd::OutputClosed,
                ..
            })
            | None => Failure::ProtocolError {
                message: "the server closed its standard output and did not end".to_owned(),
                received: None,
                unknown_era: None,
                stderr: Vec::new(),
            },
        };
        self.with_output(failure)
    }

    /// Returns why this peer ended by itself, with the secrets masked; nothing while it goes on, or
    /// where it was ended on purpose.
    pub(crate) fn loss_report(&self) -> Option<FailureReport> {
        self.peer_end()?;
        Some(masked_report(self.loss(), &self.connection.recorder))
    }

    /// Adds the last lines that the program wrote to failures that have room for them.
    pub(crate) fn with_output(&self, mut failure: Failure) -> Failure {
        let Some(Transport::Stdio(process)) = self.transport() else {
            return failure;
        };
        if let Failure::Exited { stdout, .. } = &mut failure {
            *stdout = process.stdout_tail();
        }
        if let Failure::TimedOut { prompt, .. } = &mut failure {
            *prompt = process.question();
        }
        if let Failure::Exited { stderr, .. }
        | Failure::TimedOut { stderr, .. }
        | Failure::ProtocolError { stderr, .. } = &mut failure
        {
            *stderr = process.stderr_tail();
        }
        failure
    }
}

/// Makes the report of a failure, with the secrets masked.
pub(super) fn masked_report(mut failure: Failure, recorder: &ConnectionRecorder) -> FailureReport {
    failure.rewrite(|text| *text = recorder.masked(text));
    failure.into()
}
