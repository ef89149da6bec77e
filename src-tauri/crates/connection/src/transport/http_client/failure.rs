//! Classifies the failure of an HTTP request by its stage and status.

use std::{
    error::Error,
    time::{Duration, SystemTime},
};

use reqwest::{Response, StatusCode, Url, header::RETRY_AFTER};
use sightglass_model::{NetworkStage, ProxyUsed};

use super::CertificateObserver;
use crate::transport::error::TransportError;

/// Bytes of a body that are kept to explain a status.
const BODY_BYTES: usize = 64 * 1024;
/// Characters of it that a failure shows.
const BODY_CHARACTERS: usize = 2000;
/// Time limit for the rest of a body that explains a refusal.
const BODY_TIMEOUT: Duration = Duration::from_secs(2);

/// No answer: names the stage that failed.
pub(super) fn network(
    url: &str,
    error: &reqwest::Error,
    observer: &CertificateObserver,
    proxy: Option<ProxyUsed>,
) -> TransportError {
    let mut words = Vec::new();
    let mut status = None;
    let mut cause: Option<&(dyn Error + 'static)> = error.source();
    let mut stage = if error.is_connect() {
        NetworkStage::Tcp
    } else {
        NetworkStage::Http
    };
    while let Some(current) = cause {
        let text = current.to_string();
        if error.is_connect() {
            let lower = text.to_lowercase();
            if lower.contains("proxy auth") {
                stage = NetworkStage::Http;
                status = Some(StatusCode::PROXY_AUTHENTICATION_REQUIRED.as_u16());
            } else if lower.contains("dns error") || lower.contains("failed to lookup address") {
                stage = NetworkStage::Dns;
            } else if ["certificate", "tls", "handshake", "invalidcontenttype"]
                .iter()
                .any(|word| lower.contains(word))
            {
                stage = NetworkStage::Tls;
            }
        }
        // Each layer repeats the one below it; the innermost says it in full.
        if words.last() != Some(&text) {
            words.push(text);
        }
        cause = current.source();
    }
    if stage == NetworkStage::Tls
        && let Some(shown) = observer.shown()
        && let Some((fault, message)) = shown.refusal
    {
        return TransportError::Certificate {
            url: url.to_owned(),
            fault,
            message,
            chain: shown.chain,
        };
    }
    let message = words.pop().unwrap_or_else(|| error.to_string());
    let url = url.to_owned();
    match proxy.filter(|_| error.is_connect() && stage != NetworkStage::Tls) {
        // What was connected to is the proxy, whatever the address of the server.
        Some(proxy) => TransportError::Proxy {
            stage,
            url,
            status,
            message,
            proxy,
        },
        None => TransportError::Network {
            stage,
            url,
            message,
        },
    }
}

/// Returns the time that `Retry-After` asks to wait: seconds, or a date (RFC 9110, section 10.2.3).
pub(super) fn wait(value: &str) -> Option<Duration> {
    let value = value.trim();
    match value.parse() {
        Ok(seconds) => Some(Duration::from_secs(seconds)),
        Err(_) => {
            let until = httpdate::parse_http_date(value).ok()?;
            // A date that has passed asks for nothing.
            until.duration_since(SystemTime::now()).ok()
        }
    }
}

/// A status that is not a success, with the body as far as it is needed.
pub(crate) struct Refused {
    pub status: StatusCode,
    pub body: Vec<u8>,
    retry_after: Option<String>,
}

impl Refused {
    pub(crate) async fn read(response: Response) -> Self {
        let status = response.status();
        let retry_after = response
            .headers()
            .get(RETRY_AFTER)
            .map(|value| String::from_utf8_lossy(value.as_bytes()).into_owned());
        Self {
            status,
            body: beginning(response).await,
            retry_after,
        }
    }

    pub(crate) fn into_error(self, url: &Url) -> TransportError {
        TransportError::Status {
            status: self.status.as_u16(),
            url: url.to_string(),
            body: excerpt(&self.body),
            retry_after: self.retry_after,
        }
    }
}

/// The beginning of a body. One that breaks off, or dawdles, says as much as it can.
async fn beginning(mut response: Response) -> Vec<u8> {
    let mut body = Vec::new();
    let whole = async {
        while let Ok(Some(chunk)) = response.chunk().await {
            let room = BODY_BYTES - body.len();
            body.extend_from_slice(&chunk[..chunk.len().min(room)]);
            if body.len() == BODY_BYTES {
                break;
            }
        }
    };
    let _ = tokio::time::timeout(BODY_TIMEOUT, whole).await;
    body
}

/// The beginning of an answer's body as text.
pub(crate) async fn excerpt_of(response: Response) -> Option<String> {
    excerpt(&beginning(response).await)
}

/// The beginning of a body as text.
pub(crate) fn excerpt(body: &[u8]) -> Option<String> {
    let text: String = String::from_utf8_lossy(body)
        .chars()
        .take(BODY_CHARACTERS)
        .collect();
    (!text.trim().is_empty()).then_some(text)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_wait_is_a_number_of_seconds_or_a_date() {
        assert_eq!(wait(" 17 "), Some(Duration::from_secs(17)));
        let soon = SystemTime::now() + Duration::from_secs(60);
        let until = wait(&httpdate::fmt_http_date(soon)).expect("a date");
        assert!((Duration::from_secs(50)..=Duration::from_secs(60)).contains(&until));
        assert_eq!(wait("Wed, 21 Oct 2015 07:28:00 GMT"), None, "it has passed");
        assert_eq!(wait("soon"), None);
    }
}
