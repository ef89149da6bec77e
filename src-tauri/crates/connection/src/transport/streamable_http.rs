//! Streamable HTTP (MCP, transports): one POST per message, answered with JSON or with a
//! stream of events; in the `initialize` era also a GET stream and a session.
//!
//! This is the transport itself and not a `StreamableRemoteClient` below rmcp's: that one
//! reads every answer into typed values before anything else sees it, discards what comes
//! before the answer to `initialize`, starts a new session unseen when the old one expired,
//! and takes `Mcp-Param-*` headers from typed tool lists. Here each request is recorded
//! with status and headers, and the messages that it carried refer to it.

mod exchange;
pub(crate) mod parameter_headers;
mod probe;
mod stream;

pub use probe::{HttpProbe, HttpProbeAnswer};

use std::{
    collections::HashMap,
    sync::{
        Arc, Mutex,
        atomic::{AtomicBool, Ordering},
    },
    time::Duration,
};

use sightglass_http::{
    HttpResponse, Method, StatusCode,
    header::{HeaderMap, HeaderName, HeaderValue},
};
use sightglass_model::Era;
use tokio::{
    sync::{Semaphore, watch},
    task::AbortHandle,
    time::timeout,
};

use crate::{
    sync::lock,
    transport::error::TransportError,
    transport::http_client::{Refused, RemoteClient, RemoteRequest},
    transport::{Outbound, TransportEnd, TransportEvents},
};

const SESSION_ID: HeaderName = HeaderName::from_static("mcp-session-id");
const PROTOCOL_VERSION: HeaderName = HeaderName::from_static("mcp-protocol-version");
const METHOD: HeaderName = HeaderName::from_static("mcp-method");
const NAME: HeaderName = HeaderName::from_static("mcp-name");
const LAST_EVENT_ID: HeaderName = HeaderName::from_static("last-event-id");
/// The version that requests of the stateless era name.
const MODERN_VERSION: HeaderValue = HeaderValue::from_static("2026-07-28");
/// Time limit for the server to end the session when we close.
const CLOSE_TIMEOUT: Duration = Duration::from_secs(2);
/// Time that a request which may lead to questions waits for the stream on which servers ask them.
const STREAM_GRACE: Duration = Duration::from_millis(500);
/// Responses to notifications and answers that are heard at the same time. A server may hold each
/// of them open for ever.
const MAX_BACKGROUND_ANSWERS: usize = 32;

/// Session state of the `initialize` era.
#[derive(Default)]
struct HttpSession {
    id: Option<HeaderValue>,
    version: Option<HeaderValue>,
    /// The server no longer knows the session: there is nothing left to end.
    is_forgotten: bool,
}

pub(crate) struct StreamableHttpTransport {
    client: RemoteClient,
    limit: usize,
    session: Mutex<HttpSession>,
    /// Exchanges that wait for their answer, by request id.
    exchanges: Mutex<HashMap<u64, AbortHandle>>,
    /// True when the handshake is complete.
    is_agreed: AtomicBool,
    parameter_headers: Mutex<Arc<parameter_headers::ParameterHeaders>>,
    /// True while the server has yet to answer whether it has a stream of events.
    is_opening_stream: watch::Sender<bool>,
    /// Room for responses that are heard in the background.
    hearing: Arc<Semaphore>,
}

impl StreamableHttpTransport {
    /// Prepares the transport; nothing is sent before the first message.
    pub(crate) fn new(client: RemoteClient, limit: usize) -> Arc<Self> {
        Arc::new(Self {
            client,
            limit,
            session: Mutex::default(),
            exchanges: Mutex::default(),
            is_agreed: AtomicBool::new(false),
            parameter_headers: Mutex::default(),
            is_opening_stream: watch::Sender::new(false),
            hearing: Arc::new(Semaphore::new(MAX_BACKGROUND_ANSWERS)),
        })
    }

    /// Sends a message. A request goes its own way, and its answer or failure reaches the
    /// wire; for anything else this returns when the server has accepted it.
    pub(crate) async fn send(
        self: Arc<Self>,
        events: Arc<impl TransportEvents>,
        outbound: Outbound,
    ) -> Result<(), TransportError> {
        if outbound.request.is_some() {
            self.spawn_request(events, outbound);
            return Ok(());
        }
        // A server may take as long as it likes to accept it.
        let result = tokio::select! {
            biased;
            () = events.connection().ended.cancelled() => return Err(TransportError::Closed),
            result = exchange::deliver(&self, &events, outbound) => result,
        };
        if let Err(error) = &result {
            end_if_fatal(&self, &events, error);
        }
        result
    }

    /// Sends a request in a task that lives until its answer is there.
    fn spawn_request(self: Arc<Self>, events: Arc<impl TransportEvents>, outbound: Outbound) {
        let Some(request) = outbound.request.clone() else {
            return;
        };
        let id = request.id;
        let link = Arc::clone(&self);
        let owner = Arc::clone(&events);
        // Held while the task is noted, so that it cannot be done before that.
        let mut exchanges = lock(&self.exchanges);
        let task = owner.spawn_to_completion(async move {
            let exchange = async {
                link.stream_answered(&request.method).await;
                exchange::request(&link, &events, outbound, &request).await
            };
            let outcome = tokio::select! {
                outcome = exchange => outcome,
                () = events.connection().ended.cancelled() => Err(TransportError::Closed),
            };
            if let Err(error) = outcome {
                // What never arrived is sent again, and must find then that this connection
                // is over. Otherwise the request has its own reason before the connection ends.
                if error.never_arrived() {
                    end_if_fatal(&link, &events, &error);
                    events.failed(id, error);
                } else {
                    events.failed(id, error.clone());
                    end_if_fatal(&link, &events, &error);
                }
            }
            lock(&link.exchanges).remove(&id);
        });
        exchanges.insert(id, task);
    }

    /// Closes the stream of a request that is no longer waited for.
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
    pub(crate) fn agreed(
        self: &Arc<Self>,
        events: Arc<impl TransportEvents>,
        era: Era,
        version: &str,
    ) {
        self.is_agreed.store(true, Ordering::Release);
        if era == Era::Legacy {
            self.negotiated(version);
            let link = Arc::clone(self);
            let owner = Arc::clone(&events);
            self.is_opening_stream.send_replace(true);
            owner.spawn(async move {
                stream::listen(&link, &events).await;
                link.is_opening_stream.send_replace(false);
            });
        }
    }

    /// Waits a moment for the stream of events, before a request that a server may answer with a
    /// question. Servers that keep no events drop what they say before the stream is there.
    async fn stream_answered(&self, method: &str) {
        if !matches!(method, "tools/call" | "prompts/get" | "resources/read") {
            return;
        }
        let mut is_opening = self.is_opening_stream.subscribe();
        let answered = is_opening.wait_for(|is_opening| !is_opening);
        if timeout(STREAM_GRACE, answered).await.is_err() {
            // It is asked without, now and later.
            self.is_opening_stream.send_replace(false);
        }
    }

    pub(crate) fn set_parameter_headers(&self, table: parameter_headers::ParameterHeaders) {
        *lock(&self.parameter_headers) = Arc::new(table);
    }

    /// Ends the session. The streams have ended with the connection.
    pub(crate) async fn close(&self, events: &Arc<impl TransportEvents>) {
        {
            let session = lock(&self.session);
            if session.id.is_none() || session.is_forgotten {
                return;
            }
        }
        let request = RemoteRequest::new(Method::DELETE, self.session_headers());
        let farewell = self.client.fetch(events, request);
        // The server may not support it, or be gone; the session then ends by itself.
        let _ = tokio::time::timeout(CLOSE_TIMEOUT, farewell).await;
    }

    /// The headers of the session.
    fn session_headers(&self) -> HeaderMap {
        let session = lock(&self.session);
        let mut headers = HeaderMap::new();
        if let Some(id) = session.id.clone() {
            headers.insert(SESSION_ID, id);
        }
        if let Some(version) = session.version.clone() {
            headers.insert(PROTOCOL_VERSION, version);
        }
        headers
    }

    /// Reads the error out of an answer that is not a success.
    async fn refused(&self, response: HttpResponse, with_session: bool) -> TransportError {
        self.error_of(Refused::read(response).await, with_session)
    }

    fn error_of(&self, refused: Refused, with_session: bool) -> TransportError {
        if refused.status == StatusCode::NOT_FOUND && with_session {
            let url = self.client.url().to_string();
            return TransportError::SessionExpired { url };
        }
        refused.into_error(self.client.url())
    }
}

/// Ends the connection when nothing else will work either. During the handshake the
/// handshake says itself why it failed.
fn end_if_fatal(
    link: &StreamableHttpTransport,
    events: &Arc<impl TransportEvents>,
    error: &TransportError,
) {
    if !error.ends_the_connection() {
        return;
    }
    let end = TransportEnd::Failed(error.clone().into());
    if !error.never_arrived() {
        events.end(end);
    } else if link.is_agreed.load(Ordering::Acquire) {
        if matches!(error, TransportError::SessionExpired { .. }) {
            // The id stays: what is sent until the connection ends then meets its 404 too, and is
            // sent again, where without an id it would be answered with an error.
            lock(&link.session).is_forgotten = true;
        }
        events.end_soon(end);
    }
}
