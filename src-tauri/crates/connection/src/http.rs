//! Streamable HTTP (MCP, transports): one POST per message, answered with JSON or with a
//! stream of events; in the `initialize` era also a GET stream and a session.
//!
//! This is the transport itself and not a `StreamableHttpClient` below rmcp's: that one
//! reads every answer into typed values before anything else sees it, discards what comes
//! before the answer to `initialize`, starts a new session unseen when the old one expired,
//! and takes `Mcp-Param-*` headers from typed tool lists. Here each request is recorded
//! with status and headers, and the messages that it carried refer to it.

mod exchange;
mod failure;
pub(crate) mod parameter_headers;
mod sse;
mod stream;

use std::{
    collections::HashMap,
    sync::{Arc, Mutex},
    time::{Duration, Instant},
};

use reqwest::{
    Client, Method, Response, Url,
    header::{HeaderMap, HeaderName, HeaderValue},
    redirect,
};
use sightglass_model::{Era, Failure, RemoteEndpoint, TransportKind};
use sightglass_traffic::{CarrierId, Direction, HttpFacts, HttpKind};
use tokio::task::AbortHandle;
use tokio_util::sync::CancellationToken;

use crate::{
    link_error::LinkError,
    sync::lock,
    wire::{LinkEnd, Outbound, Wire, milliseconds},
};

const SESSION_ID: HeaderName = HeaderName::from_static("mcp-session-id");
const PROTOCOL_VERSION: HeaderName = HeaderName::from_static("mcp-protocol-version");
const METHOD: HeaderName = HeaderName::from_static("mcp-method");
const NAME: HeaderName = HeaderName::from_static("mcp-name");
const LAST_EVENT_ID: HeaderName = HeaderName::from_static("last-event-id");
/// The version that requests of the stateless era name.
const MODERN_VERSION: HeaderValue = HeaderValue::from_static("2026-07-28");
/// Redirects followed, within one origin.
const MOST_REDIRECTS: usize = 5;
/// How long the server may take to end the session when we close.
const FAREWELL: Duration = Duration::from_secs(2);

/// What the `initialize` era keeps between requests.
#[derive(Default)]
struct SessionState {
    id: Option<HeaderValue>,
    version: Option<HeaderValue>,
}

pub(crate) struct HttpLink {
    client: Client,
    url: Url,
    /// What the configuration adds to each request.
    headers: HeaderMap,
    limit: usize,
    session: Mutex<SessionState>,
    /// Exchanges that wait for their answer, by request id.
    exchanges: Mutex<HashMap<u64, AbortHandle>>,
    closing: CancellationToken,
    parameter_headers: Mutex<Arc<parameter_headers::Table>>,
}

impl HttpLink {
    /// Prepares the link; nothing is sent before the first message.
    pub(crate) fn open(remote: &RemoteEndpoint, limit: usize) -> Result<Arc<Self>, Failure> {
        let configuration = |message: String| Failure::Configuration { message };
        let RemoteEndpoint { url, headers, .. } = remote;
        let url = Url::parse(url)
            .map_err(|error| configuration(format!("the URL {url} is not valid: {error}")))?;
        if !matches!(url.scheme(), "http" | "https") || remote.kind() != TransportKind::Http {
            return Err(configuration(
                "only Streamable HTTP at http:// or https:// can be spoken at present".to_owned(),
            ));
        }
        let mut map = HeaderMap::new();
        for (name, value) in headers {
            let parsed = HeaderName::try_from(name.as_str())
                .ok()
                .zip(HeaderValue::try_from(value.expose().as_str()).ok());
            let Some((parsed_name, mut parsed_value)) = parsed else {
                return Err(configuration(format!(
                    "the header {name} or its value is not valid in HTTP"
                )));
            };
            parsed_value.set_sensitive(sightglass_secrets::name_suggests_secret(name));
            map.insert(parsed_name, parsed_value);
        }
        let client = Client::builder()
            .redirect(redirect::Policy::custom(same_origin_only))
            .tcp_nodelay(true)
            .build()
            .map_err(|error| configuration(format!("HTTP cannot be set up: {error}")))?;
        Ok(Arc::new(Self {
            client,
            url,
            headers: map,
            limit,
            session: Mutex::default(),
            exchanges: Mutex::default(),
            closing: CancellationToken::new(),
            parameter_headers: Mutex::default(),
        }))
    }

    /// Sends a message. A request goes its own way, and its answer or failure reaches the
    /// wire; for anything else this returns when the server has accepted it.
    pub(crate) async fn send(
        self: Arc<Self>,
        wire: Arc<Wire>,
        outbound: Outbound,
    ) -> Result<(), LinkError> {
        if outbound.request.is_some() {
            self.spawn_request(wire, outbound);
            return Ok(());
        }
        let result = exchange::deliver(&self, &wire, outbound).await;
        if let Err(error) = &result {
            end_if_fatal(&wire, error);
        }
        result
    }

    /// Sends a request in a task that lives until its answer is there.
    pub(crate) fn spawn_request(self: Arc<Self>, wire: Arc<Wire>, outbound: Outbound) {
        let Some(request) = outbound.request.clone() else {
            return;
        };
        let id = request.id;
        let link = Arc::clone(&self);
        // Held while the task is noted, so that it cannot be done before that.
        let mut exchanges = lock(&self.exchanges);
        let task = tokio::spawn(async move {
            let outcome = tokio::select! {
                outcome = exchange::request(&link, &wire, outbound, &request) => outcome,
                () = link.closing.cancelled() => Err(LinkError::Closed),
            };
            if let Err(error) = outcome {
                end_if_fatal(&wire, &error);
                wire.fail_request(id, error);
            }
            lock(&link.exchanges).remove(&id);
        });
        exchanges.insert(id, task.abort_handle());
    }

    /// Nobody waits for this request any more: closes its stream.
    pub(crate) fn abandon(&self, id: u64) {
        if let Some(exchange) = lock(&self.exchanges).remove(&id) {
            exchange.abort();
        }
    }

    /// `initialize` was answered with this version; every later request names it.
    pub(crate) fn negotiated(&self, version: &str) {
        lock(&self.session).version = HeaderValue::from_str(version).ok();
    }

    /// The handshake is complete.
    pub(crate) fn agreed(self: &Arc<Self>, wire: Arc<Wire>, era: Era, version: &str) {
        if era == Era::Legacy {
            self.negotiated(version);
            let link = Arc::clone(self);
            tokio::spawn(async move {
                tokio::select! {
                    () = stream::listen(&link, &wire) => {}
                    () = link.closing.cancelled() => {}
                }
            });
        }
    }

    pub(crate) fn set_parameter_headers(&self, table: parameter_headers::Table) {
        *lock(&self.parameter_headers) = Arc::new(table);
    }

    /// Ends all streams and the session.
    pub(crate) async fn close(&self, wire: &Wire) {
        self.closing.cancel();
        if lock(&self.session).id.is_none() {
            return;
        }
        let farewell = self.fetch(
            wire,
            Fetch {
                method: Method::DELETE,
                headers: self.session_headers(),
                body: None,
            },
        );
        // The server may not support it, or be gone; the session then ends by itself.
        let _ = tokio::time::timeout(FAREWELL, farewell).await;
    }

    /// The configured headers and those of the session.
    fn session_headers(&self) -> HeaderMap {
        let session = lock(&self.session);
        let mut headers = self.headers.clone();
        if let Some(id) = session.id.clone() {
            headers.insert(SESSION_ID, id);
        }
        if let Some(version) = session.version.clone() {
            headers.insert(PROTOCOL_VERSION, version);
        }
        headers
    }

    /// Makes one HTTP request and records it, with the message that it carries.
    async fn fetch(&self, wire: &Wire, fetch: Fetch) -> Result<(Response, CarrierId), LinkError> {
        let mut facts = HttpFacts {
            method: fetch.method.to_string(),
            url: self.url.to_string(),
            request_headers: shown(&fetch.headers),
            ..HttpFacts::default()
        };
        let carrier = wire.tape.http_started(facts.clone(), HttpKind::Mcp);
        let mut request = self
            .client
            .request(fetch.method, self.url.clone())
            .headers(fetch.headers);
        if let Some(outbound) = fetch.body {
            let recorded = wire
                .tape
                .message(Direction::Sent, outbound.text.clone(), Some(carrier))
                .await;
            if let Some(request) = &outbound.request {
                wire.sent(request.id, recorded.frame);
            }
            request = request.body(outbound.text);
        }
        let started = Instant::now();
        match request.send().await {
            Ok(response) => {
                facts.status = Some(response.status().as_u16());
                facts.response_headers = shown(response.headers());
                facts.time_to_headers = Some(milliseconds(started.elapsed()));
                wire.tape.http_finished(carrier, facts);
                Ok((response, carrier))
            }
            Err(error) => {
                let error = failure::network(&self.url, &error);
                facts.error = Some(error.to_string());
                wire.tape.http_finished(carrier, facts);
                Err(error)
            }
        }
    }
}

/// One HTTP request to be made.
struct Fetch {
    method: Method,
    headers: HeaderMap,
    body: Option<Outbound>,
}

/// Headers as they are recorded; the tape masks the secret ones.
fn shown(headers: &HeaderMap) -> Vec<(String, String)> {
    headers
        .iter()
        .map(|(name, value)| {
            (
                name.to_string(),
                String::from_utf8_lossy(value.as_bytes()).into_owned(),
            )
        })
        .collect()
}

/// Configured headers can hold a token, so a redirect never leaves the origin.
fn same_origin_only(attempt: redirect::Attempt<'_>) -> redirect::Action {
    let stays = attempt
        .previous()
        .first()
        .is_some_and(|first| first.origin() == attempt.url().origin());
    if stays && attempt.previous().len() <= MOST_REDIRECTS {
        attempt.follow()
    } else {
        attempt.stop()
    }
}

fn end_if_fatal(wire: &Wire, error: &LinkError) {
    if error.ends_the_connection() {
        wire.end(LinkEnd::Failed(error.clone().into()));
    }
}
