//! Transport fallback: the transport and era to try, and the next when the server refuses.
//!
//! A server at a URL of unknown transport is tried over Streamable HTTP first. If it refuses
//! as an older one does, with 400, 404 or 405, it is tried over HTTP with Server-Sent Events
//! (MCP, transports, backwards compatibility). What worked before comes first the next time.

use sha2::{Digest, Sha256};
use sightglass_model::{
    Endpoint, Era, EraChoice, Failure, HttpFault, KnownEndpoint, NetworkStage, RemoteTransport,
    ServerSpec, TransportKind,
};

use crate::supervisor::attempt::AttemptOutcome;

/// The statuses with which a server without Streamable HTTP answers a POST.
const REFUSALS: [u16; 3] = [400, 404, 405];

#[derive(Debug, Clone)]
pub(crate) struct TransportFallback {
    pub transport: TransportKind,
    pub era: EraChoice,
    /// True when another transport may be tried.
    open: bool,
    found: Option<KnownEndpoint>,
    /// Failure for which Streamable HTTP was given up.
    earlier: Option<Failure>,
}

impl TransportFallback {
    pub(crate) fn new(spec: &ServerSpec, found: Option<KnownEndpoint>) -> Self {
        let own = spec.endpoint.transport();
        let open = own == TransportKind::Http
            && matches!(
                &spec.endpoint,
                Endpoint::Remote(remote) if remote.transport == RemoteTransport::Auto
            );
        let found = found
            .filter(|found| found.endpoint == digest(spec) && (open || found.transport == own));
        Self {
            transport: found.as_ref().map_or(own, |found| found.transport),
            era: spec.era,
            open,
            found,
            earlier: None,
        }
    }

    /// The era to speak. With Server-Sent Events there is only one.
    pub(crate) fn era(&self) -> EraChoice {
        match (self.transport, self.era) {
            (TransportKind::Sse, EraChoice::Auto) => EraChoice::Legacy,
            (_, era) => era,
        }
    }

    /// The era that worked before.
    pub(crate) fn found_era(&self) -> Option<Era> {
        self.found.as_ref().map(|found| found.era)
    }

    /// Decides what comes after this failure.
    pub(crate) fn after(&self, failure: Failure) -> AttemptOutcome {
        let Some(status) = refusal(&failure).filter(|_| self.open) else {
            return AttemptOutcome::Failed(failure);
        };
        let next = Self {
            found: None,
            ..self.clone()
        };
        match (self.transport, &self.earlier) {
            (TransportKind::Http, _) if REFUSALS.contains(&status) => {
                AttemptOutcome::TryTransport {
                    next: Box::new(Self {
                        transport: TransportKind::Sse,
                        earlier: Some(failure),
                        ..next
                    }),
                    message: format!(
                        "Streamable HTTP was refused with HTTP {status}; trying HTTP with Server-Sent Events"
                    ),
                }
            }
            (TransportKind::Sse, Some(earlier)) => {
                AttemptOutcome::Failed(neither(earlier, &failure))
            }
            (TransportKind::Sse, None) => AttemptOutcome::TryTransport {
                next: Box::new(Self {
                    transport: TransportKind::Http,
                    ..next
                }),
                message: format!(
                    "Server-Sent Events worked before and was refused now with HTTP {status}; trying \
                     Streamable HTTP"
                ),
            },
            _ => AttemptOutcome::Failed(failure),
        }
    }
}

/// Stands for a command line or address in [`KnownEndpoint`].
pub(crate) fn digest(spec: &ServerSpec) -> String {
    format!("{:.16x}", Sha256::digest(spec.endpoint.identity().expose()))
}

/// The status of an answer that is no MCP.
fn refusal(failure: &Failure) -> Option<u16> {
    match failure {
        Failure::Network {
            stage: NetworkStage::Http,
            status,
            proxy: None,
            fault,
            ..
        } => status.filter(|status| {
            // A server that gave a session, or a stream, speaks the transport.
            let speaks_it = [HttpFault::SessionLostAtOnce, HttpFault::NoEndpoint];
            *status < 429 && fault.is_none_or(|fault| !speaks_it.contains(&fault))
        }),
        _ => None,
    }
}

/// Neither transport worked. The first refusal is the one to show, since newer servers are
/// the rule.
fn neither(first: &Failure, second: &Failure) -> Failure {
    match (first.clone(), second) {
        (
            Failure::Network {
                stage,
                url,
                status,
                message,
                body,
                proxy,
                fault,
            },
            Failure::Network {
                message: second, ..
            },
        ) => Failure::Network {
            stage,
            url,
            status,
            message: format!(
                "neither transport works. Streamable HTTP (POST): {message}. Server-Sent Events \
                 (GET): {second}"
            ),
            body,
            proxy,
            fault,
        },
        (first, _) => first,
    }
}
