//! HTTP with Server-Sent Events (MCP 2024-11-05, transports): one stream that brings all
//! messages, opened with GET, whose first event names the address to POST ours to.

use std::sync::{
    Arc,
    atomic::{AtomicBool, Ordering},
};

use sightglass_http::{
    HttpResponse, Method, StatusCode,
    header::{ACCEPT, CONTENT_TYPE, HeaderMap, HeaderValue},
};
use sightglass_model::{Failure, NetworkStage};
use sightglass_secrets::url_secrets;
use sightglass_traffic::CarrierId;
use url::Url;

use crate::{
    transport::error::TransportError,
    transport::event_stream::{EventStreamError, ResponseEvents},
    transport::http_client::{
        Content, Refused, RemoteClient, RemoteRequest, content_type, excerpt_of,
    },
    transport::{Origin, Outbound, TransportEnd, TransportEvents},
};

pub(crate) struct SseTransport {
    client: RemoteClient,
    /// URL that messages are posted to.
    endpoint: Url,
    /// True when a message was accepted there.
    is_proven: AtomicBool,
}

impl SseTransport {
    /// Opens the stream and waits for the address that it names.
    pub(crate) async fn open(
        events: &Arc<impl TransportEvents>,
        client: RemoteClient,
        limit: usize,
    ) -> Result<Arc<Self>, TransportError> {
        let (response, carrier) = open_stream(events, &client).await?;
        let base = response.url().clone();
        let silence = events.connection().diagnostics.silent_stream();
        let mut stream = ResponseEvents::new(response, limit).silent(Some(silence));
        let endpoint = endpoint(&client, &base, &mut stream).await?;
        // Whoever knows the address of a session can speak in it.
        events
            .connection()
            .recorder
            .learn(&url_secrets(endpoint.as_str()));
        events.connection().recorder.note(
            "endpoint",
            &format!("The server wants messages at {endpoint}."),
        );
        let reader = Arc::clone(events);
        events.spawn(async move { read(&reader, stream, carrier, &base).await });
        Ok(Arc::new(Self {
            client,
            endpoint,
            is_proven: AtomicBool::new(false),
        }))
    }

    /// Sends a message. For a request this returns at once, since some servers answer the
    /// POST only when they have answered the request; if it fails, the request does.
    pub(crate) async fn send(
        self: Arc<Self>,
        events: Arc<impl TransportEvents>,
        outbound: Outbound,
    ) -> Result<(), TransportError> {
        let Some(id) = outbound.request.as_ref().map(|request| request.id) else {
            return tokio::select! {
                biased;
                () = events.connection().ended.cancelled() => Err(TransportError::Closed),
                posted = self.post(&events, outbound) => posted,
            };
        };
        let owner = Arc::clone(&events);
        owner.spawn(async move {
            if let Err(error) = self.post(&events, outbound).await {
                events.failed(id, error);
            }
        });
        Ok(())
    }

    async fn post(
        &self,
        events: &Arc<impl TransportEvents>,
        outbound: Outbound,
    ) -> Result<(), TransportError> {
        let mut headers = HeaderMap::new();
        headers.insert(CONTENT_TYPE, HeaderValue::from_static("application/json"));
        let fetch = RemoteRequest {
            method: Method::POST,
            url: Some(self.endpoint.clone()),
            headers,
            body: Some(outbound),
        };
        let outcome = match self.client.fetch(events, fetch).await {
            Ok((response, _)) if response.status().is_success() => {
                self.is_proven.store(true, Ordering::Release);
                Ok(())
            }
            Ok((response, _)) if response.status() == StatusCode::NOT_FOUND => {
                let url = self.endpoint.to_string();
                // The address is that of the session, if it ever was one.
                Err(match self.is_proven.load(Ordering::Acquire) {
                    true => TransportError::SessionExpired { url },
                    false => TransportError::NoEndpoint {
                        url,
                        body: excerpt_of(response).await,
                    },
                })
            }
            Ok((response, _)) => Err(Refused::read(response).await.into_error(&self.endpoint)),
            Err(error) => Err(error),
        };
        if let Err(error) = &outcome
            && error.ends_the_connection()
        {
            events.end(TransportEnd::Failed(error.clone().into()));
        }
        outcome
    }
}

async fn open_stream(
    events: &Arc<impl TransportEvents>,
    client: &RemoteClient,
) -> Result<(HttpResponse, CarrierId), TransportError> {
    let mut headers = HeaderMap::new();
    headers.insert(ACCEPT, HeaderValue::from_static("text/event-stream"));
    let fetch = RemoteRequest::new(Method::GET, headers);
    let (response, carrier) = client.fetch(events, fetch).await?;
    if !response.status().is_success() {
        let refused = Refused::read(response).await.of_event_stream();
        return Err(refused.into_error(client.url()));
    }
    match content_type(&response) {
        Content::Events => Ok((response, carrier)),
        Content::Json => Err(not_a_stream(client, response, Some("JSON".to_owned())).await),
        Content::Other(given) => Err(not_a_stream(client, response, given).await),
    }
}

async fn not_a_stream(
    client: &RemoteClient,
    response: HttpResponse,
    given: Option<String>,
) -> TransportError {
    TransportError::Unexpected {
        url: client.url().to_string(),
        status: response.status().as_u16(),
        message: format!(
            "the server answered with {}, not with an event stream",
            given.as_deref().unwrap_or("nothing that says what it is")
        ),
        body: excerpt_of(response).await,
        fault: None,
    }
}

/// Waits for the address. It has to be of the stream's own origin, since requests to it
/// carry the entry's headers.
async fn endpoint(
    client: &RemoteClient,
    base: &Url,
    stream: &mut ResponseEvents,
) -> Result<Url, TransportError> {
    let url = || client.url().to_string();
    let data = loop {
        match stream.next().await {
            Ok(Some(event)) if event.name.as_deref() == Some(b"endpoint") => break event.data,
            Ok(Some(_)) => {}
            Ok(None) | Err(EventStreamError::Off | EventStreamError::TooLarge(_)) => {
                return Err(TransportError::Interrupted {
                    url: url(),
                    message: "the event stream ended before it named the address for messages"
                        .to_owned(),
                });
            }
        }
    };
    let text = String::from_utf8_lossy(&data);
    let refused = |message: String| TransportError::Unexpected {
        url: url(),
        status: StatusCode::OK.as_u16(),
        message,
        body: Some(text.clone().into_owned()),
        fault: None,
    };
    match base.join(text.trim()) {
        Ok(endpoint) if endpoint.origin() == base.origin() => Ok(endpoint),
        Ok(endpoint) => Err(refused(format!(
            "the server wants messages at {endpoint}, which is another origin than that of the \
             stream. Headers may hold a token, so nothing is sent there"
        ))),
        Err(error) => Err(refused(format!(
            "the address for messages is invalid: {error}"
        ))),
    }
}

/// Reads until the stream ends, which is the end of the connection.
async fn read(
    events: &Arc<impl TransportEvents>,
    mut stream: ResponseEvents,
    carrier: CarrierId,
    url: &Url,
) {
    let origin = Origin {
        carrier: Some(carrier),
        request: None,
    };
    let message = loop {
        match stream.next().await {
            Ok(Some(event)) => {
                let is_message = event.name.as_deref().is_none_or(|name| name == b"message");
                if is_message && !event.data.is_empty() {
                    events.received(event.data, origin).await;
                } else if let Some(name) = event.name.filter(|_| !is_message) {
                    let message = format!(
                        "The server sent an unknown event {}: {}",
                        String::from_utf8_lossy(&name),
                        String::from_utf8_lossy(&event.data)
                    );
                    let recorder = &events.connection().recorder;
                    recorder.note_received("event", &message).await;
                }
            }
            Ok(None) => break "the server ended the event stream",
            Err(EventStreamError::Off) => break "the event stream broke off",
            Err(EventStreamError::TooLarge(size)) => {
                events.too_large(None, size);
                break "an event was larger than the message limit";
            }
        }
    };
    events.end(TransportEnd::Failed(Failure::Network {
        stage: NetworkStage::Http,
        url: url.to_string(),
        status: None,
        message: message.to_owned(),
        body: None,
        proxy: None,
        fault: None,
    }));
}
