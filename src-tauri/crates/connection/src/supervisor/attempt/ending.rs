//! Ends of an attempt, and of its first half.

use sightglass_model::Failure;

use crate::supervisor::transport_fallback::TransportFallback;

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
