//! Looks for the endpoint at the usual paths of a server whose own path has none.
//!
//! The requests go to the origin of the entry, a few of them, and carry neither its headers nor
//! a token: what they reach is not known yet. They are on record like any other.

use std::{sync::Arc, time::Duration};

use bytes::Bytes;
use serde_json::{Value, json};
use sightglass_http::{
    HttpVersions, Method, Proxies, StatusCode,
    header::{ACCEPT, CONTENT_TYPE, HeaderMap, HeaderName, HeaderValue},
};
use sightglass_model::{
    Finding, PermittedSpec, RemoteEndpoint, RemoteTransport, Verdict, other_paths,
};
use sightglass_secrets::Secret;
use sightglass_traffic::{CarrierId, Direction};
use tokio::time::timeout;
use url::Url;

use super::check;
use crate::{
    rpc::peer::Peer,
    session::handshake::ClientIdentity,
    transport::error::TransportError,
    transport::http_client::{Address, Refused, RemoteClient, RemoteRequest},
    transport::{Outbound, TransportEvents},
};

pub(super) const TITLE: &str = "Other paths";

/// Paths that are tried.
const MAX_PATHS: usize = 4;
/// Time limit for one request.
const PATH_TIMEOUT: Duration = Duration::from_secs(5);

const SESSION_ID: HeaderName = HeaderName::from_static("mcp-session-id");
const ACCEPTED: HeaderValue = HeaderValue::from_static("application/json, text/event-stream");
const EVENTS: HeaderValue = HeaderValue::from_static("text/event-stream");
const JSON: HeaderValue = HeaderValue::from_static("application/json");

/// Result of trying the usual paths.
pub(super) struct OtherPaths {
    pub check: Finding<()>,
    /// The first address that answers as MCP.
    pub address: Option<String>,
}

/// Reaction of one path.
enum Reaction {
    /// MCP is spoken there.
    Speaks,
    /// It asks for a token, which these requests do not carry.
    AsksForSignIn(u16),
    No(String),
}

/// Tries the usual paths of the same origin, but for those that the rules refuse. Returns nothing
/// for an address that has no such paths, as that of a Unix socket.
pub(super) async fn look(
    remote: &RemoteEndpoint,
    spec: &PermittedSpec,
    proxies: &Proxies,
    peer: &Arc<Peer>,
    identity: &ClientIdentity,
) -> Option<OtherPaths> {
    let address = Address::parse(&remote.url).ok()?;
    if address.socket.is_some() || !matches!(remote.url.get(..4)?, "http" | "HTTP") {
        return None;
    }
    let bare = RemoteEndpoint {
        headers: Default::default(),
        ..remote.clone()
    };
    let client = RemoteClient::open(&bare, proxies, HttpVersions::Any).ok()?;
    let mut evidence = Vec::new();
    let mut found = None;
    for path in other_paths(&remote.url).into_iter().take(MAX_PATHS) {
        let mut url = address.url.clone();
        url.set_path(path);
        url.set_query(None);
        url.set_fragment(None);
        if !spec.permits_address(url.as_str()) {
            evidence.push(format!("{path}: not tried, the managed policy refuses it"));
            continue;
        }
        let probe = Probe {
            client: &client,
            peer,
            identity,
            transport: remote.transport,
        };
        let reaction = probe.reaction(&url).await;
        let (words, speaks) = match reaction {
            Reaction::Speaks => ("answers as MCP".to_owned(), true),
            Reaction::AsksForSignIn(status) => (format!("asks for sign-in ({status})"), true),
            Reaction::No(words) => (words, false),
        };
        evidence.push(format!("{path}: {words}"));
        if speaks {
            found = Some((path, words, url.to_string()));
            break;
        }
    }
    let check = match &found {
        Some((path, words, _)) => check(
            TITLE,
            Verdict::Warning,
            format!("{path} {words}; use it in the entry"),
            evidence,
        ),
        None => check(
            TITLE,
            Verdict::Failed,
            "none of the usual paths answers as MCP",
            evidence,
        ),
    };
    Some(OtherPaths {
        check,
        address: found.map(|(_, _, url)| url),
    })
}

struct Probe<'a> {
    client: &'a RemoteClient,
    peer: &'a Arc<Peer>,
    identity: &'a ClientIdentity,
    transport: RemoteTransport,
}

impl Probe<'_> {
    async fn reaction(&self, url: &Url) -> Reaction {
        let posted = match self.transport {
            RemoteTransport::Sse => Reaction::No("no event stream".to_owned()),
            _ => self.initialize(url).await,
        };
        let streams = match self.transport {
            RemoteTransport::Sse => true,
            RemoteTransport::Auto => url.path() == "/sse",
            RemoteTransport::Http | RemoteTransport::WebSocket => false,
        };
        match posted {
            Reaction::No(words) if streams => self.event_stream(url, words).await,
            reaction => reaction,
        }
    }

    /// Sends `initialize`, as both transports of HTTP and each revision know it. A session that
    /// this opens is ended.
    async fn initialize(&self, url: &Url) -> Reaction {
        let message = json!({
            "jsonrpc": "2.0",
            "id": url.path(),
            "method": "initialize",
            "params": {
                "protocolVersion": "2025-11-25",
                "capabilities": {},
                "clientInfo": { "name": self.identity.name, "version": self.identity.version },
            },
        });
        let mut headers = HeaderMap::new();
        headers.insert(ACCEPT, ACCEPTED);
        headers.insert(CONTENT_TYPE, JSON);
        let request = RemoteRequest {
            method: Method::POST,
            url: Some(url.clone()),
            headers,
            body: Some(Outbound {
                text: Bytes::from(message.to_string()),
                request: None,
            }),
        };
        let sent = self.send(request).await;
        let recorder = &self.peer.connection().recorder;
        match sent {
            Err(reaction) => {
                recorder.ended();
                reaction
            }
            Ok(answer) => {
                let Some(text) = message_in(&answer.body) else {
                    // On record, the request does not wait for the answers of other paths.
                    recorder.ended();
                    return Reaction::No(answer.words());
                };
                self.record(text, answer.carrier).await;
                if let Some(session) = answer.session {
                    self.end_session(url, session).await;
                }
                Reaction::Speaks
            }
        }
    }

    /// Opens the stream of HTTP with Server-Sent Events, whose first event names the endpoint.
    async fn event_stream(&self, url: &Url, otherwise: String) -> Reaction {
        let mut headers = HeaderMap::new();
        headers.insert(ACCEPT, EVENTS);
        let request = RemoteRequest {
            url: Some(url.clone()),
            ..RemoteRequest::new(Method::GET, headers)
        };
        match self.send(request).await {
            Err(reaction) => reaction,
            Ok(answer) => {
                let mut lines = answer.body.lines();
                let names_endpoint = lines.any(|line| {
                    let name = line.strip_prefix("event:").map(str::trim);
                    name == Some("endpoint")
                });
                match names_endpoint && answer.status.is_success() {
                    true => Reaction::Speaks,
                    false => Reaction::No(otherwise),
                }
            }
        }
    }

    async fn send(&self, request: RemoteRequest) -> Result<Answer, Reaction> {
        match timeout(PATH_TIMEOUT, self.client.fetch(self.peer, request)).await {
            Ok(Ok((response, carrier))) => {
                let session = response.headers().get(SESSION_ID).cloned();
                let refused = Refused::read(response).await;
                Ok(Answer {
                    status: refused.status,
                    body: String::from_utf8_lossy(&refused.body).into_owned(),
                    session,
                    carrier,
                })
            }
            Ok(Err(TransportError::SignInRequired {
                status,
                challenge: Some(_),
                ..
            })) => Err(Reaction::AsksForSignIn(status)),
            Ok(Err(error)) => Err(Reaction::No(error.to_string())),
            Err(_) => Err(Reaction::No(format!(
                "no answer within {} s",
                PATH_TIMEOUT.as_secs()
            ))),
        }
    }

    async fn record(&self, text: &str, carrier: CarrierId) {
        let recorder = &self.peer.connection().recorder;
        let text = Bytes::copy_from_slice(text.as_bytes());
        recorder
            .message(Direction::Received, &text, Some(carrier))
            .await;
    }

    async fn end_session(&self, url: &Url, session: HeaderValue) {
        // With the id of a session one can speak in it.
        let id = String::from_utf8_lossy(session.as_bytes()).into_owned();
        self.peer.connection().recorder.learn(&[Secret::new(id)]);
        let mut headers = HeaderMap::new();
        headers.insert(SESSION_ID, session);
        let request = RemoteRequest {
            url: Some(url.clone()),
            ..RemoteRequest::new(Method::DELETE, headers)
        };
        // Not every server supports it; the session then ends by itself.
        let _ = timeout(PATH_TIMEOUT, self.client.fetch(self.peer, request)).await;
    }
}

struct Answer {
    status: StatusCode,
    /// Its beginning.
    body: String,
    session: Option<HeaderValue>,
    carrier: CarrierId,
}

impl Answer {
    fn words(&self) -> String {
        match self.status.is_success() {
            true => format!("HTTP {}, not an MCP message", self.status.as_u16()),
            false => format!("HTTP {}", self.status.as_u16()),
        }
    }
}

/// The JSON-RPC message in a body, or in the first event with data of an event stream.
fn message_in(body: &str) -> Option<&str> {
    let data = body
        .lines()
        .filter_map(|line| line.strip_prefix("data:"))
        .map(str::trim);
    std::iter::once(body.trim())
        .chain(data)
        .find(|text| is_message(text))
}

fn is_message(text: &str) -> bool {
    serde_json::from_str::<Value>(text)
        .is_ok_and(|value| value.get("jsonrpc").and_then(Value::as_str) == Some("2.0"))
}

#[cfg(test)]
mod tests {
    use super::message_in;

    #[test]
    fn a_message_is_found_in_a_body_and_in_an_event() {
        let message = r#"{"result":{},"jsonrpc":"2.0","id":1}"#;
        assert_eq!(message_in(message), Some(message));
        let events = format!(": open\n\nevent: message\ndata: {message}\n\n");
        assert_eq!(message_in(&events), Some(message));
        for other in ["", "<html>", "{\"error\":\"not found\"}", "data: hello"] {
            assert_eq!(message_in(other), None, "{other}");
        }
    }
}
