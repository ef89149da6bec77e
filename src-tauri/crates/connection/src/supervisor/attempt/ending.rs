//! Maps the end of an attempt to its failure.

use sightglass_model::{Failure, ServerSpec};

use crate::{
    rpc::peer::{Peer, PeerEnd},
    supervisor::transport_fallback::TransportFallback,
    transport::{Transport, TransportEnd},
};

/// End of an attempt.
pub(crate) enum ConnectionEnd {
    /// The user did not want it any more.
    Cancelled,
    Failed(Failure),
}

/// End of an attempt, or of its first half.
pub(crate) enum AttemptOutcome {
    Failed(Failure),
    /// The process ended after the probe, before anything else was asked of it.
    ProbeRejected {
        message: String,
    },
    /// The server is to be tried over another transport.
    TryTransport {
        next: Box<TransportFallback>,
        message: String,
    },
}

/// Returns the failure of the connection for which the peer ended.
pub(super) fn loss(peer: &Peer, spec: &ServerSpec) -> Failure {
    match peer.peer_end() {
        Some(PeerEnd {
            end: TransportEnd::Exited { code, signal },
            unanswered,
        }) => Failure::Exited {
            command_line: spec.summary(),
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
    }
}

/// Adds the last lines that the program wrote to failures that have room for them.
pub(super) fn with_output(mut failure: Failure, peer: &Peer) -> Failure {
    let Some(Transport::Stdio(process)) = peer.transport() else {
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
