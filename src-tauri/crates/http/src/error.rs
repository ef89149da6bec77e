//! Errors of requests, by the stage that failed.

use std::{
    error::Error as StdError,
    io::{self, ErrorKind},
};

use reqwest::StatusCode;
use sightglass_model::{CertificateFacts, CertificateFault, NetworkStage, ProxyUsed};
use thiserror::Error;
use url::Url;

use crate::{policy::RefusedAddress, tls::ShownCertificate};

/// Reason why a client cannot be made, in words.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
pub enum HttpSetupError {
    /// The certificates cannot be used.
    #[error("{0}")]
    Trust(String),
    #[error("{0}")]
    Client(String),
}

impl HttpSetupError {
    /// Returns the reason as a sentence, for requests that are about a server and no part of a
    /// connection to it.
    pub fn sentence(&self) -> String {
        match self {
            Self::Trust(message) => format!("It cannot be asked: {message}."),
            Self::Client(message) => message.clone(),
        }
    }
}

/// Error of a request: no response, or none that may be used.
#[derive(Debug, Clone, PartialEq, Error)]
pub enum HttpError {
    /// No response, or it broke off.
    #[error("{0}")]
    Network(Box<NetworkError>),
    /// The name of the host leads where the policy forbids to go.
    #[error(transparent)]
    Refused(#[from] RefusedAddress),
    /// A status that is not a success.
    #[error("{message}")]
    Status { status: StatusCode, message: String },
    /// The body is larger than this many bytes, and was not read to its end.
    #[error("the answer is larger than {limit} bytes")]
    TooLarge { limit: usize },
}

/// Failure of the network, or of the TLS or HTTP on it.
#[derive(Debug, Clone, PartialEq, Error)]
#[error("{message}")]
pub struct NetworkError {
    pub stage: NetworkStage,
    /// The cause under all others. It says most: those around it, that a request was to be sent.
    pub message: String,
    /// The error around all causes, in its own words.
    pub summary: String,
    pub is_timeout: bool,
    /// The certificate that was refused, where that is the reason.
    pub certificate: Option<RefusedCertificate>,
    /// The proxy that failed, whatever the address of the server.
    pub proxy: Option<ProxyUsed>,
    /// The status with which the proxy refused.
    pub proxy_status: Option<u16>,
}

/// Certificate of a server that does not count.
#[derive(Debug, Clone, PartialEq)]
pub struct RefusedCertificate {
    pub fault: CertificateFault,
    pub message: String,
    pub chain: Vec<CertificateFacts>,
}

impl HttpError {
    /// Returns true when the time limit was over.
    pub fn is_timeout(&self) -> bool {
        matches!(self, Self::Network(error) if error.is_timeout)
    }

    /// Returns the error around all causes, in its own words.
    pub fn summary(&self) -> String {
        match self {
            Self::Network(error) => error.summary.clone(),
            error => error.to_string(),
        }
    }

    /// Reads why a request has no response. `certificate` is the one that the server showed last,
    /// and `proxy` the one that the request went through.
    pub(crate) fn unanswered(
        url: &Url,
        error: &reqwest::Error,
        certificate: Option<ShownCertificate>,
        proxy: Option<ProxyUsed>,
    ) -> Self {
        let is_secure = url.scheme() == "https";
        let mut proxy_status = None;
        let mut stage = if error.is_connect() {
            NetworkStage::Tcp
        } else {
            NetworkStage::Http
        };
        for cause in causes(error) {
            if let Some(refused) = cause.downcast_ref::<RefusedAddress>() {
                return Self::Refused(refused.clone());
            }
            if !error.is_connect() {
                continue;
            }
            let text = cause.to_string().to_lowercase();
            if text.contains("proxy auth") {
                stage = NetworkStage::Http;
                proxy_status = Some(StatusCode::PROXY_AUTHENTICATION_REQUIRED.as_u16());
            } else if is_after_proxy(&text) {
                stage = NetworkStage::Http;
            } else if text.contains("dns error") || text.contains("failed to lookup address") {
                stage = NetworkStage::Dns;
            } else if ["certificate", "tls", "handshake", "invalidcontenttype"]
                .iter()
                .any(|word| text.contains(word))
                // Who accepts no connection does not break it off, so that this was the handshake.
                || is_secure && proxy.is_none() && is_broken_off(cause)
            {
                stage = NetworkStage::Tls;
            }
        }
        let certificate = certificate
            .filter(|_| stage == NetworkStage::Tls)
            .and_then(refused_certificate);
        Self::Network(Box::new(NetworkError {
            stage,
            certificate,
            // What was connected to is the proxy, whatever the address of the server.
            proxy: proxy.filter(|_| error.is_connect() && stage != NetworkStage::Tls),
            proxy_status,
            ..NetworkError::of_http(error)
        }))
    }

    /// Reads why a response could not be read.
    pub(crate) fn interrupted(error: &reqwest::Error) -> Self {
        Self::Network(Box::new(NetworkError::of_http(error)))
    }
}

impl NetworkError {
    fn of_http(error: &reqwest::Error) -> Self {
        // Each layer repeats the one below it; the innermost says it in full.
        let innermost = causes(error).last().map(ToString::to_string);
        let summary = error.to_string();
        Self {
            stage: NetworkStage::Http,
            message: innermost.unwrap_or_else(|| summary.clone()),
            summary,
            is_timeout: error.is_timeout(),
            certificate: None,
            proxy: None,
            proxy_status: None,
        }
    }
}

/// The causes of an error, from the outermost to the innermost.
fn causes(error: &reqwest::Error) -> impl Iterator<Item = &(dyn StdError + 'static)> {
    std::iter::successors(error.source(), |&cause| cause.source())
}

fn refused_certificate(shown: ShownCertificate) -> Option<RefusedCertificate> {
    let (fault, message) = shown.refusal?;
    Some(RefusedCertificate {
        fault,
        message,
        chain: shown.chain,
    })
}

/// Returns true for an error, in lower case, that came after a proxy was reached: it did not open
/// the way that it was asked for. The status with which it refused is not told.
fn is_after_proxy(text: &str) -> bool {
    ["tunnel error:", "socks error:"]
        .iter()
        .any(|start| text.starts_with(start))
        && !text.contains("failed to create underlying connection")
}

/// Returns true when a connection that was there broke off.
fn is_broken_off(error: &(dyn StdError + 'static)) -> bool {
    let Some(error) = error.downcast_ref::<io::Error>() else {
        return false;
    };
    // An error that is wrapped in another of its kind is no source of that one.
    let is_wrapped = || error.get_ref().is_some_and(|inner| is_broken_off(inner));
    matches!(
        error.kind(),
        ErrorKind::ConnectionReset
            | ErrorKind::ConnectionAborted
            | ErrorKind::BrokenPipe
            | ErrorKind::UnexpectedEof
    ) || is_wrapped()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_proxy_that_opens_no_way_was_reached() {
        for text in [
            "tunnel error: unsuccessful",
            "tunnel error: unexpected end of file",
            "socks error: io error during socks handshake",
            "socks error: credentials not accepted",
        ] {
            assert!(is_after_proxy(text), "{text}");
        }
        for text in [
            "tunnel error: failed to create underlying connection",
            "socks error: failed to create underlying connection",
            "tcp connect error",
        ] {
            assert!(!is_after_proxy(text), "{text}");
        }
    }

    #[test]
    fn only_what_was_connected_can_break_off() {
        let is = |kind: ErrorKind| is_broken_off(&io::Error::from(kind));
        assert!(is(ErrorKind::ConnectionReset) && is(ErrorKind::UnexpectedEof));
        let wrapped = io::Error::other(io::Error::from(ErrorKind::ConnectionReset));
        assert!(is_broken_off(&wrapped));
        assert!(!is(ErrorKind::ConnectionRefused) && !is(ErrorKind::TimedOut));
    }
}
