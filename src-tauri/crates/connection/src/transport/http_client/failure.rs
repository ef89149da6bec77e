//! Classifies the failure of an HTTP request by its stage and status.

use std::time::{Duration, SystemTime};

use sightglass_http::{
    HttpError, HttpResponse, StatusCode,
    header::{HeaderMap, RETRY_AFTER, SERVER},
};
use sightglass_model::{HttpFault, NetworkStage};
use url::Url;

use crate::transport::error::TransportError;

/// Bytes of a body that are kept to explain a status.
const BODY_BYTES: usize = 64 * 1024;
/// Characters of it that a failure shows.
const BODY_CHARACTERS: usize = 2000;
/// Time limit for the rest of a body that explains a refusal.
const BODY_TIMEOUT: Duration = Duration::from_secs(2);

/// No answer: names the stage that failed.
pub(super) fn network(url: String, error: HttpError) -> TransportError {
    let error = match error {
        HttpError::Network(error) => *error,
        error => {
            return TransportError::Network {
                stage: NetworkStage::Http,
                url,
                message: error.to_string(),
            };
        }
    };
    if let Some(refused) = error.certificate {
        return TransportError::Certificate {
            url,
            fault: refused.fault,
            message: refused.message,
            chain: refused.chain,
        };
    }
    let (stage, message) = (error.stage, error.message);
    match error.proxy {
        Some(proxy) => TransportError::Proxy {
            stage,
            url,
            status: error.proxy_status,
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
    fault: Option<HttpFault>,
}

impl Refused {
    pub(crate) async fn read(response: HttpResponse) -> Self {
        let status = response.status();
        let retry_after = response
            .headers()
            .get(RETRY_AFTER)
            .map(|value| String::from_utf8_lossy(value.as_bytes()).into_owned());
        let cloudflare = Cloudflare::read(response.headers());
        let body = beginning(response).await;
        Self {
            fault: cloudflare.and_then(|cloudflare| cloudflare.fault(status, &body)),
            status,
            body,
            retry_after,
        }
    }

    /// Tells that a stream of HTTP with Server-Sent Events was asked for. Servers that speak
    /// Streamable HTTP alone let GET only into a session, or not at all.
    pub(crate) fn of_event_stream(mut self) -> Self {
        let names_session = || {
            let body = String::from_utf8_lossy(&self.body);
            body.to_lowercase().contains("session")
        };
        let is_closed = match self.status {
            StatusCode::METHOD_NOT_ALLOWED => true,
            StatusCode::BAD_REQUEST => names_session(),
            _ => false,
        };
        if is_closed {
            self.fault = self.fault.or(Some(HttpFault::NoEventStream));
        }
        self
    }

    pub(crate) fn into_error(self, url: &Url) -> TransportError {
        TransportError::Status {
            status: self.status.as_u16(),
            url: url.to_string(),
            body: excerpt(&self.body),
            retry_after: self.retry_after,
            fault: self.fault,
        }
    }
}

/// Cloudflare, where an answer came from there or through it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Cloudflare {
    /// It asks for a proof that a browser is there.
    Challenges,
    /// It passed an answer on, or gave its own.
    StandsBetween,
}

impl Cloudflare {
    fn read(headers: &HeaderMap) -> Option<Self> {
        let is = |name: &str, expected: &str| {
            let value = headers.get(name).and_then(|value| value.to_str().ok());
            value.is_some_and(|value| value.eq_ignore_ascii_case(expected))
        };
        if is("cf-mitigated", "challenge") {
            return Some(Self::Challenges);
        }
        is(SERVER.as_str(), "cloudflare").then_some(Self::StandsBetween)
    }

    /// Returns its part in a refusal; nothing where it only passed one on.
    fn fault(self, status: StatusCode, body: &[u8]) -> Option<HttpFault> {
        let is_its_own = || {
            let text = String::from_utf8_lossy(body);
            // To programs it says no more than that, and browsers get its page.
            text.trim_start().starts_with("error code: 1") || text.contains("cf-error-details")
        };
        match self {
            Self::Challenges => Some(HttpFault::CloudflareChallenge),
            Self::StandsBetween if status.is_client_error() && is_its_own() => {
                Some(HttpFault::CloudflareRefusal)
            }
            Self::StandsBetween => None,
        }
    }
}

/// The beginning of a body. One that breaks off, or dawdles, says as much as it can.
async fn beginning(mut response: HttpResponse) -> Vec<u8> {
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
pub(crate) async fn excerpt_of(response: HttpResponse) -> Option<String> {
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
    fn cloudflare_refuses_where_the_answer_is_its_own() {
        let fault = |headers: &[(&'static str, &'static str)], status: u16, body: &str| {
            let mut map = HeaderMap::new();
            for (name, value) in headers {
                map.insert(*name, value.parse().expect("a value"));
            }
            let status = StatusCode::from_u16(status).expect("a status");
            Cloudflare::read(&map)?.fault(status, body.as_bytes())
        };
        let through = [("server", "cloudflare")];
        let challenge = [("server", "cloudflare"), ("cf-mitigated", "challenge")];
        assert_eq!(
            fault(&challenge, 403, "<html>"),
            Some(HttpFault::CloudflareChallenge)
        );
        assert_eq!(
            fault(&through, 403, "error code: 1010"),
            Some(HttpFault::CloudflareRefusal)
        );
        assert_eq!(fault(&through, 403, "no"), None, "the server's own");
        assert_eq!(fault(&through, 502, "error code: 1010"), None);
        assert_eq!(fault(&[], 403, "error code: 1010"), None);
    }

    #[test]
    fn a_get_that_only_a_session_allows_asks_for_another_transport() {
        let fault = |status, body: &str| {
            let refused = Refused {
                status,
                body: body.into(),
                retry_after: None,
                fault: None,
            };
            refused.of_event_stream().fault
        };
        let no_stream = Some(HttpFault::NoEventStream);
        assert_eq!(fault(StatusCode::METHOD_NOT_ALLOWED, ""), no_stream);
        assert_eq!(
            fault(StatusCode::BAD_REQUEST, "Missing session ID"),
            no_stream
        );
        assert_eq!(fault(StatusCode::BAD_REQUEST, "Invalid Host header"), None);
        assert_eq!(fault(StatusCode::NOT_FOUND, "session"), None);
    }

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
