//! Reads from a failed handshake whether the server is of the other era.

use std::sync::Mutex;

use rmcp::{
    model::{ErrorCode, ProtocolVersion},
    service::ClientInitializeError,
};
use sightglass_model::{Era, Failure, HttpFault};

use super::method_of;
use crate::{
    rpc::{
        peer::{Peer, PeerEnd},
        response::Response,
    },
    session::rmcp_adapter::{Observed, answered_version},
    sync::lock,
    transport::error::TransportError,
};

/// Characters of an unexpected answer that a failure shows.
const EXCERPT: usize = 2000;

/// Failure of a handshake.
pub(super) struct HandshakeRefusal {
    pub failure: Failure,
    /// True when it says that the server does not know this era, rather than that it is
    /// broken or out of reach.
    pub other_era: bool,
    /// True when it can hardly mean anything else.
    names_era: bool,
    /// For the timeline.
    pub message: String,
}

impl HandshakeRefusal {
    /// Combines rmcp's error with the messages that were seen.
    pub(super) fn of(
        peer: &Peer,
        era: Era,
        error: ClientInitializeError,
        observed: &Mutex<Observed>,
    ) -> Self {
        let (answer, link_error) = {
            let observed = lock(observed);
            (observed.answer.clone(), observed.link_error.clone())
        };
        let method = method_of(era);
        let received = answer.as_ref().map(|answer| &*answer.text);
        let end = peer.peer_end().filter(|_| answer.is_none());
        match (link_error, end) {
            (None | Some(TransportError::Closed), Some(PeerEnd { end, .. })) => {
                return HandshakeRefusal {
                    failure: protocol_error(format!("{method} {}", end.message()), None),
                    other_era: false,
                    names_era: false,
                    message: end.message(),
                };
            }
            (Some(link_error), _) => {
                let has_session = || {
                    let link = peer.streamable_http();
                    link.is_some_and(|link| link.has_session())
                };
                return HandshakeRefusal::from_link(match answer.is_some() && has_session() {
                    true => lost_at_once(link_error),
                    false => link_error,
                });
            }
            (None, None) => {}
        }
        match error {
            ClientInitializeError::JsonRpcError(refused) => HandshakeRefusal {
                failure: protocol_error(
                    format!(
                        "the server refused {method}: {} (code {})",
                        refused.message, refused.code.0
                    ),
                    received,
                ),
                // A modern server's own errors say that it is one.
                other_era: ![
                    ErrorCode::HEADER_MISMATCH,
                    ErrorCode::MISSING_REQUIRED_CLIENT_CAPABILITY,
                ]
                .contains(&refused.code),
                // Nobody refuses `server/discover` who has it.
                names_era: era == Era::Modern
                    || [
                        ErrorCode::METHOD_NOT_FOUND,
                        ErrorCode::UNSUPPORTED_PROTOCOL_VERSION,
                    ]
                    .contains(&refused.code),
                message: format!("answered {}", refused.code.0),
            },
            ClientInitializeError::NoCompatibleProtocolVersion {
                server_supported, ..
            } => {
                let theirs: Vec<&str> = server_supported
                    .iter()
                    .map(ProtocolVersion::as_str)
                    .collect();
                HandshakeRefusal {
                    failure: protocol_error(
                        format!(
                            "no version in common: the server speaks {}, this client {} in this \
                             generation",
                            quoted_list(&theirs),
                            ProtocolVersion::V_2026_07_28,
                        ),
                        received,
                    ),
                    other_era: true,
                    names_era: true,
                    message: format!("offered {}", quoted_list(&theirs)),
                }
            }
            error => {
                let version = received.and_then(answered_version);
                let message = match version {
                    Some(version) if era == Era::Legacy && !is_known(&version) => format!(
                        "the server answered with protocol version {version}, which this client does not \
                         know; it asked for {}",
                        ProtocolVersion::LATEST_WITH_INITIALIZE
                    ),
                    _ if answer.is_some() => {
                        format!(
                            "the answer to {method} is no JSON-RPC response, or has the wrong shape"
                        )
                    }
                    _ => format!("no answer to {method}: {error}"),
                };
                HandshakeRefusal {
                    failure: protocol_error(message, received),
                    other_era: era == Era::Modern && answer.is_some(),
                    names_era: false,
                    message: match &answer {
                        Some(_) => "was answered in a shape that it does not have".to_owned(),
                        None => "had no answer".to_owned(),
                    },
                }
            }
        }
    }

    /// The server agreed on another revision than the only one that was offered.
    pub(super) fn of_revision(wanted: &str, answered: &str, answer: &Response) -> Self {
        let message = format!(
            "the server answered with protocol version {answered}, and this server is set to \
             {wanted} alone. Choose another protocol in its connection settings"
        );
        Self {
            message: format!("answered {answered}"),
            ..Self::broken(message, Some(&answer.text))
        }
    }

    pub(super) fn broken(message: String, received: Option<&[u8]>) -> Self {
        Self {
            failure: protocol_error(message, received),
            other_era: false,
            names_era: false,
            message: String::new(),
        }
    }

    /// The failure where nothing but this era may be tried.
    pub(super) fn where_era_is_set(mut self, era: Era) -> Failure {
        if let Failure::ProtocolError { unknown_era, .. } = &mut self.failure
            && self.other_era
            && self.names_era
        {
            *unknown_era = Some(era);
        }
        self.failure
    }

    fn from_link(error: TransportError) -> Self {
        // A server of the other era answers a request that it cannot place with one of
        // these; 401, 403 and 429 mean the same in both eras.
        let (other_era, message) = match &error {
            TransportError::Unexpected {
                fault: Some(HttpFault::SessionLostAtOnce),
                status,
                ..
            } => (
                false,
                format!(
                    "gave a session, and the next request in it was answered with HTTP {status}"
                ),
            ),
            TransportError::Status { status, .. } | TransportError::Unexpected { status, .. } => (
                !matches!(status, 401 | 403 | 429 | 502..=504),
                format!("was answered with HTTP {status}"),
            ),
            TransportError::StrayAnswer { .. } => (true, error.to_string()),
            _ => (false, String::new()),
        };
        Self {
            failure: error.into(),
            other_era,
            names_era: false,
            message,
        }
    }
}

/// Reads from the error of the first request in a session whether the session is what was refused.
fn lost_at_once(error: TransportError) -> TransportError {
    let (url, status, body) = match error {
        TransportError::SessionExpired { url } => (url, 404, None),
        TransportError::Status {
            status: 400,
            url,
            body: Some(body),
            ..
        } if body.to_lowercase().contains("session") => (url, 400, Some(body)),
        error => return error,
    };
    TransportError::Unexpected {
        url,
        status,
        message: format!(
            "the server gave a session in its answer to initialize, and answered the next request \
             in it with HTTP status {status}"
        ),
        body,
        fault: Some(HttpFault::SessionLostAtOnce),
    }
}

pub(crate) fn protocol_error(message: String, received: Option<&[u8]>) -> Failure {
    Failure::ProtocolError {
        message,
        received: received.map(|received| {
            String::from_utf8_lossy(received)
                .chars()
                .take(EXCERPT)
                .collect()
        }),
        unknown_era: None,
        stderr: Vec::new(),
    }
}

fn is_known(version: &str) -> bool {
    ProtocolVersion::KNOWN_VERSIONS
        .iter()
        .any(|known| known.as_str() == version)
}

fn quoted_list(versions: &[&str]) -> String {
    if versions.is_empty() {
        "none that it names".to_owned()
    } else {
        versions.join(", ")
    }
}
