//! HTTP with Server-Sent Events (MCP 2024-11-05, transports): one stream that brings all
//! messages, opened with GET, whose first event names the address to POST ours to.

use std::sync::Arc;

use reqwest::{
    Method, Response, StatusCode, Url,
    header::{ACCEPT, CONTENT_TYPE, HeaderMap, HeaderValue},
};
use sightglass_model::{Failure, NetworkStage};
use sightglass_secrets::url_secrets;
use sightglass_traffic::CarrierId;

use crate::{
    event_stream::{Broken, EventStream},
    gate::{Content, Fetch, Gate, Refused, content_type, excerpt_of},
    link_error::LinkError,
    wire::{LinkEnd, Origin, Outbound, Wire},
};

pub(crate) struct SseLink {
    gate: Gate,
    /// URL that messages are posted to.
    endpoint: Url,
}

impl SseLink {
    /// Opens the stream and waits for the address that it names.
    pub(crate) async fn open(
        wire: &Arc<Wire>,
        gate: Gate,
        limit: usize,
    ) -> Result<Arc<Self>, LinkError> {
        let (response, carrier) = open_stream(wire, &gate).await?;
        let base = response.url().clone();
        let mut events = EventStream::new(response, limit);
        let endpoint = endpoint(&gate, &base, &mut events).await?;
        // Whoever knows the address of a session can speak in it.
        wire.tape.learn(&url_secrets(endpoint.as_str()));
        wire.tape.note(
            "endpoint",
            &format!("The server wants messages at {endpoint}."),
        );
        let reader = Arc::clone(wire);
        wire.spawn(async move { read(&reader, events, carrier, &base).await });
        Ok(Arc::new(Self { gate, endpoint }))
    }

    /// Sends a message. For a request this returns at once, since some servers answer the
    /// POST only when they have answered the request; if it fails, the request does.
    pub(crate) async fn send(
        self: Arc<Self>,
        wire: Arc<Wire>,
        outbound: Outbound,
    ) -> Result<(), LinkError> {
        let Some(id) = outbound.request.as_ref().map(|request| request.id) else {
            return tokio::select! {
                biased;
                () = wire.ended.cancelled() => Err(LinkError::Closed),
                posted = self.post(&wire, outbound) => posted,
            };
        };
        let owner = Arc::clone(&wire);
        owner.spawn(async move {
            if let Err(error) = self.post(&wire, outbound).await {
                wire.fail_request(id, error);
            }
        });
        Ok(())
    }

    async fn post(&self, wire: &Wire, outbound: Outbound) -> Result<(), LinkError> {
        let mut headers = HeaderMap::new();
        headers.insert(CONTENT_TYPE, HeaderValue::from_static("application/json"));
        let fetch = Fetch {
            method: Method::POST,
            url: Some(self.endpoint.clone()),
            headers,
            body: Some(outbound),
        };
        let outcome = match self.gate.fetch(wire, fetch).await {
            Ok((response, _)) if response.status().is_success() => Ok(()),
            // The address is that of the session.
            Ok((response, _)) if response.status() == StatusCode::NOT_FOUND => {
                Err(LinkError::SessionExpired {
                    url: self.endpoint.to_string(),
                })
            }
            Ok((response, _)) => Err(Refused::read(response).await.into_error(&self.endpoint)),
            Err(error) => Err(error),
        };
        if let Err(error) = &outcome
            && error.ends_the_connection()
        {
            wire.end(LinkEnd::Failed(error.clone().into()));
        }
        outcome
    }
}

async fn open_stream(wire: &Wire, gate: &Gate) -> Result<(Response, CarrierId), LinkError> {
    let mut headers = HeaderMap::new();
    headers.insert(ACCEPT, HeaderValue::from_static("text/event-stream"));
    let fetch = Fetch {
        method: Method::GET,
        url: None,
        headers,
        body: None,
    };
    let (response, carrier) = gate.fetch(wire, fetch).await?;
    if !response.status().is_success() {
        return Err(Refused::read(response).await.into_error(gate.url()));
    }
    match content_type(&response) {
        Content::Events => Ok((response, carrier)),
        Content::Json => Err(not_a_stream(gate, response, Some("JSON".to_owned())).await),
        Content::Other(given) => Err(not_a_stream(gate, response, given).await),
    }
}

async fn not_a_stream(gate: &Gate, response: Response, given: Option<String>) -> LinkError {
    LinkError::Unexpected {
        url: gate.url().to_string(),
        status: response.status().as_u16(),
        message: format!(
            "the server answered with {}, not with an event stream",
            given.as_deref().unwrap_or("nothing that says what it is")
        ),
        body: excerpt_of(response).await,
    }
}

/// Waits for the address. It has to be of the stream's own origin, since requests to it
/// carry the entry's headers.
async fn endpoint(gate: &Gate, base: &Url, events: &mut EventStream) -> Result<Url, LinkError> {
    let url = || gate.url().to_string();
    let data = loop {
        match events.next().await {
            Ok(Some(event)) if event.name.as_deref() == Some(b"endpoint") => break event.data,
            Ok(Some(_)) => {}
            Ok(None) | Err(Broken::Off | Broken::TooLarge(_)) => {
                return Err(LinkError::Interrupted {
                    url: url(),
                    message: "the event stream ended before it named the address for messages"
                        .to_owned(),
                });
            }
        }
    };
    let text = String::from_utf8_lossy(&data);
    let refused = |message: String| LinkError::Unexpected {
        url: url(),
        status: StatusCode::OK.as_u16(),
        message,
        body: Some(text.clone().into_owned()),
    };
    match base.join(text.trim()) {
        Ok(endpoint) if endpoint.origin() == base.origin() => Ok(endpoint),
        Ok(endpoint) => Err(refused(format!(
            "the server wants messages at {endpoint}, which is another origin than that of the \
             stream. Headers may hold a token, so nothing is sent there"
        ))),
        Err(error) => Err(refused(format!(
            "the address for messages is not one: {error}"
        ))),
    }
}

/// Reads until the stream ends, which is the end of the connection.
async fn read(wire: &Arc<Wire>, mut events: EventStream, carrier: CarrierId, url: &Url) {
    let origin = Origin {
        carrier: Some(carrier),
        request: None,
    };
    let message = loop {
        match events.next().await {
            Ok(Some(event)) => {
                let is_message = event.name.as_deref().is_none_or(|name| name == b"message");
                if is_message && !event.data.is_empty() {
                    wire.received(event.data, origin).await;
                } else if let Some(name) = event.name.filter(|_| !is_message) {
                    let words = format!(
                        "The server sent an event {}, which means nothing here: {}",
                        String::from_utf8_lossy(&name),
                        String::from_utf8_lossy(&event.data)
                    );
                    wire.tape.note_received("event", &words).await;
                }
            }
            Ok(None) => break "the server ended the event stream",
            Err(Broken::Off) => break "the event stream broke off",
            Err(Broken::TooLarge(size)) => {
                wire.too_large(None, size);
                break "an event was larger than the limit for messages";
            }
        }
    };
    wire.end(LinkEnd::Failed(Failure::Network {
        stage: NetworkStage::Http,
        url: url.to_string(),
        status: None,
        message: message.to_owned(),
        body: None,
    }));
}
