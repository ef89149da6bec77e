//! Errors of a transport, below the protocol.

use sightglass_model::{
    CertificateFacts, CertificateFault, Failure, HttpFault, NetworkStage, ProxyUsed, TokenFault,
    brief, sign_in_words,
};
use thiserror::Error;

/// Characters of an id that are shown.
const MAX_ID_CHARACTERS: usize = 80;

/// A message could not be carried, or its answer could not.
#[derive(Debug, Clone, PartialEq, Error)]
pub(crate) enum TransportError {
    /// The connection is closed or closing.
    #[error("the connection is closed")]
    Closed,
    /// No HTTP answer at all.
    #[error("{message}")]
    Network {
        stage: NetworkStage,
        url: String,
        message: String,
    },
    /// An HTTP status that is not a success.
    #[error("HTTP {status}{}{}", retry_words(.retry_after.as_deref()), body_words(.body))]
    Status {
        status: u16,
        url: String,
        body: Option<String>,
        /// Value of the header of that name: seconds, or a date (RFC 9110, section 10.2.3).
        retry_after: Option<String>,
        fault: Option<HttpFault>,
    },
    /// A proxy stands between, and it is what failed.
    #[error("the proxy {}: {message}", proxy.address)]
    Proxy {
        stage: NetworkStage,
        url: String,
        /// The status with which it refused.
        status: Option<u16>,
        message: String,
        proxy: ProxyUsed,
    },
    /// The server's certificate does not count.
    #[error("{fault}: {message}")]
    Certificate {
        url: String,
        fault: CertificateFault,
        message: String,
        chain: Vec<CertificateFacts>,
    },
    /// 401, or 403 for want of a scope.
    #[error("{} (HTTP {status}){}", sign_in_words(*.status, .scopes), body_words(.body))]
    SignInRequired {
        status: u16,
        url: String,
        challenge: Option<String>,
        /// The scopes that the challenge names.
        scopes: Vec<String>,
        /// The beginning of the answer's body: the server's own words.
        body: Option<String>,
        /// Fault of the token that the request carried, where it carried one.
        token: Option<TokenFault>,
        /// True when the request carried a user name and a password.
        sent_password: bool,
    },
    /// The vault does not give the token.
    #[error("{message}")]
    TokenUnreadable { message: String },
    /// 404 to a request that carried a session id.
    #[error("the server no longer knows the session")]
    SessionExpired { url: String },
    /// An HTTP answer that is not what the transport allows.
    #[error("{message}")]
    Unexpected {
        url: String,
        status: u16,
        message: String,
        body: Option<String>,
        fault: Option<HttpFault>,
    },
    /// HTTP with Server-Sent Events: the address that the `endpoint` event named does not exist.
    #[error(
        "the server wants messages at {url}, as its endpoint event says, and that address answers \
         404. A gateway in front of the server has to rewrite it"
    )]
    NoEndpoint { url: String, body: Option<String> },
    /// The answer to a POST carries the id of no request.
    #[error("{}", stray_words(.id))]
    StrayAnswer {
        /// The id as it was written.
        id: String,
        body: Option<String>,
    },
    /// The body ended before the answer was complete.
    #[error("{message}")]
    Interrupted { url: String, message: String },
}

impl TransportError {
    /// Returns true when this means that nothing else will work either, so that the connection
    /// ends.
    pub(crate) fn ends_the_connection(&self) -> bool {
        matches!(
            self,
            TransportError::SignInRequired { status: 401, .. }
                | TransportError::TokenUnreadable { .. }
        ) || self.never_arrived()
    }

    /// Returns true when the server cannot have acted on what was sent: there was no receiver to
    /// take it, or it did not know the session. It can be sent again without doing anything twice.
    pub(crate) fn never_arrived(&self) -> bool {
        matches!(
            self,
            TransportError::SessionExpired { .. }
                | TransportError::Certificate { .. }
                | TransportError::Proxy { .. }
                | TransportError::Network {
                    stage: NetworkStage::Dns | NetworkStage::Tcp | NetworkStage::Tls,
                    ..
                }
        )
    }
}

impl TransportError {
    /// Returns true when HTTP answered, and not with what was asked for.
    pub(crate) fn is_refusal(&self) -> bool {
        matches!(
            self,
            TransportError::Status { .. }
                | TransportError::Unexpected { .. }
                | TransportError::SignInRequired { .. }
        )
    }

    /// Returns the HTTP status of the answer, where there was one.
    pub(crate) fn status(&self) -> Option<u16> {
        match self {
            TransportError::Status { status, .. }
            | TransportError::SignInRequired { status, .. }
            | TransportError::Unexpected { status, .. } => Some(*status),
            TransportError::SessionExpired { .. } | TransportError::NoEndpoint { .. } => Some(404),
            TransportError::Proxy { status, .. } => *status,
            TransportError::Closed
            | TransportError::Network { .. }
            | TransportError::Certificate { .. }
            | TransportError::TokenUnreadable { .. }
            | TransportError::StrayAnswer { .. }
            | TransportError::Interrupted { .. } => None,
        }
    }
}

impl From<TransportError> for Failure {
    fn from(error: TransportError) -> Self {
        match error {
            TransportError::Closed => Failure::ProtocolError {
                message: "the connection closed before the handshake was complete".to_owned(),
                received: None,
                unknown_era: None,
                stderr: Vec::new(),
            },
            TransportError::Network {
                stage,
                url,
                message,
            } => Failure::Network {
                stage,
                url,
                status: None,
                message,
                body: None,
                proxy: None,
                fault: None,
            },
            TransportError::Proxy {
                stage,
                url,
                status,
                message,
                proxy,
            } => Failure::Network {
                stage,
                url,
                status,
                message,
                body: None,
                proxy: Some(Box::new(proxy)),
                fault: None,
            },
            TransportError::Status {
                status,
                url,
                body,
                retry_after,
                fault,
            } => Failure::Network {
                stage: NetworkStage::Http,
                url,
                status: Some(status),
                message: format!(
                    "the server answered with HTTP status {status}{}",
                    retry_words(retry_after.as_deref())
                ),
                body,
                proxy: None,
                fault,
            },
            TransportError::Certificate {
                url,
                fault,
                message,
                chain,
            } => Failure::CertificateRefused {
                url,
                fault,
                message,
                chain,
            },
            TransportError::SignInRequired {
                status,
                url,
                challenge,
                scopes,
                body,
                token,
                sent_password,
            } => Failure::SignInRequired {
                url,
                status,
                challenge,
                scopes,
                body,
                token,
                sent_password,
            },
            TransportError::TokenUnreadable { message } => Failure::TokenUnreadable { message },
            TransportError::SessionExpired { url } => Failure::SessionExpired { url },
            TransportError::Unexpected {
                url,
                status,
                message,
                body,
                fault,
            } => Failure::Network {
                stage: NetworkStage::Http,
                url,
                status: Some(status),
                message,
                body,
                proxy: None,
                fault,
            },
            TransportError::NoEndpoint { ref url, ref body } => Failure::Network {
                stage: NetworkStage::Http,
                url: url.clone(),
                status: error.status(),
                message: error.to_string(),
                body: body.clone(),
                proxy: None,
                fault: Some(HttpFault::NoEndpoint),
            },
            TransportError::StrayAnswer { ref body, .. } => Failure::ProtocolError {
                message: error.to_string(),
                received: body.clone(),
                unknown_era: None,
                stderr: Vec::new(),
            },
            TransportError::Interrupted { url, message } => Failure::Network {
                stage: NetworkStage::Http,
                url,
                status: None,
                message,
                body: None,
                proxy: None,
                fault: None,
            },
        }
    }
}

fn retry_words(retry_after: Option<&str>) -> String {
    match retry_after.map(|value| (value, value.trim().parse::<u64>())) {
        None => String::new(),
        Some((_, Ok(seconds))) => format!(" and asks to wait {seconds} s (Retry-After)"),
        Some((date, Err(_))) => format!(" and asks to wait until {date} (Retry-After)"),
    }
}

fn body_words(body: &Option<String>) -> String {
    match body.as_deref().map(str::trim) {
        None | Some("") => String::new(),
        Some(body) => format!(": {}", brief(body, 200)),
    }
}

/// Says that an answer has this id, which no request had.
pub(crate) fn stray_words(id: &str) -> String {
    let shown = brief(id, MAX_ID_CHARACTERS);
    format!("an answer came that fits no request: {shown}")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_refusal_for_want_of_a_token_says_the_same_in_a_request_and_in_a_connection() {
        for (status, scopes, body, wanted, of_connection) in [
            (
                401,
                "",
                None,
                "sign-in required (HTTP 401)",
                "sign-in required",
            ),
            (
                403,
                "a b",
                Some("no"),
                "permission a b is missing (HTTP 403): no",
                "permission a b is missing",
            ),
        ] {
            let error = TransportError::SignInRequired {
                status,
                url: "https://server.example/mcp".to_owned(),
                challenge: None,
                scopes: scopes.split_whitespace().map(str::to_owned).collect(),
                body: body.map(str::to_owned),
                token: None,
                sent_password: false,
            };
            assert_eq!(error.to_string(), wanted);
            assert_eq!(Failure::from(error).to_string(), of_connection);
        }
    }
}
