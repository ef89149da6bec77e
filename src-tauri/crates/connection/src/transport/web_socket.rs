//! WebSocket (RFC 6455), one message of MCP per text message, subprotocol `mcp`.
//!
//! The upgrade is a request of the HTTP client like any other, so that proxies, TLS,
//! headers and sign-in are the same for it. What else happens on the socket, pings and the
//! close, is recorded as remarks.

use std::{sync::Arc, time::Duration};

use bytes::Bytes;
use futures::{
    SinkExt, StreamExt,
    stream::{SplitSink, SplitStream},
};
use sightglass_http::{
    HttpResponse, Method, StatusCode, Upgraded,
    header::{
        CONNECTION, HeaderMap, HeaderValue, SEC_WEBSOCKET_ACCEPT, SEC_WEBSOCKET_KEY,
        SEC_WEBSOCKET_PROTOCOL, SEC_WEBSOCKET_VERSION, UPGRADE,
    },
};
use sightglass_model::{Failure, NetworkStage};
use sightglass_traffic::{CarrierId, Direction};
use tokio::{sync::mpsc, task::AbortHandle};
use tokio_tungstenite::{
    WebSocketStream,
    tungstenite::{
        Error, Message, Utf8Bytes,
        error::CapacityError,
        handshake::{client::generate_key, derive_accept_key},
        protocol::{CloseFrame, Role, WebSocketConfig, frame::coding::CloseCode},
    },
};
use tokio_util::sync::CancellationToken;

use crate::{
    transport::error::TransportError,
    transport::http_client::{Refused, RemoteClient, RemoteRequest, excerpt_of},
    transport::{Origin, Outbound, TransportEnd, TransportEvents},
};

const SUBPROTOCOL: &str = "mcp";
/// Messages that may wait for the socket.
const WRITE_QUEUE: usize = 256;
/// Time limit for the server to answer our close.
const CLOSE_TIMEOUT: Duration = Duration::from_secs(2);

type Socket = WebSocketStream<Upgraded>;

pub(crate) struct WebSocketTransport {
    outbound: mpsc::Sender<Outbound>,
    closing: CancellationToken,
    closed: CancellationToken,
    tasks: [AbortHandle; 2],
}

impl WebSocketTransport {
    /// Upgrades a connection and serves the socket until it ends.
    pub(crate) async fn open(
        events: &Arc<impl TransportEvents>,
        client: &RemoteClient,
        limit: usize,
    ) -> Result<Self, TransportError> {
        let (socket, carrier) = upgrade(events, client, limit).await?;
        let (sink, stream) = socket.split();
        let (outbound, outgoing) = mpsc::channel(WRITE_QUEUE);
        let closing = CancellationToken::new();
        let closed = CancellationToken::new();
        // Both outlive the connection for as long as closing may take.
        let writer = events.spawn_to_completion(write(
            Arc::clone(events),
            sink,
            outgoing,
            carrier,
            closing.clone(),
        ));
        let (reader, done) = (Arc::clone(events), closed.clone());
        let url = client.shown();
        let reader_task = events.spawn_to_completion(async move {
            let message = read(&reader, stream, carrier).await;
            reader.end(TransportEnd::Failed(Failure::Network {
                stage: NetworkStage::Http,
                url,
                status: None,
                message,
                body: None,
                proxy: None,
                fault: None,
            }));
            done.cancel();
        });
        Ok(Self {
            outbound,
            closing,
            closed,
            tasks: [writer, reader_task],
        })
    }

    pub(crate) async fn send(&self, outbound: Outbound) -> Result<(), TransportError> {
        self.outbound
            .send(outbound)
            .await
            .map_err(|_| TransportError::Closed)
    }

    /// Says goodbye and waits for the server to do so too. A server that goes on instead is cut
    /// off.
    pub(crate) async fn close(&self) {
        self.closing.cancel();
        // A server that does not answer has been told all the same.
        let _ = tokio::time::timeout(CLOSE_TIMEOUT, self.closed.cancelled()).await;
        self.tasks.iter().for_each(AbortHandle::abort);
    }
}

async fn upgrade(
    events: &Arc<impl TransportEvents>,
    client: &RemoteClient,
    limit: usize,
) -> Result<(Socket, CarrierId), TransportError> {
    let key = generate_key();
    let mut headers = HeaderMap::new();
    headers.insert(CONNECTION, HeaderValue::from_static("Upgrade"));
    headers.insert(UPGRADE, HeaderValue::from_static("websocket"));
    headers.insert(SEC_WEBSOCKET_VERSION, HeaderValue::from_static("13"));
    headers.insert(
        SEC_WEBSOCKET_PROTOCOL,
        HeaderValue::from_static(SUBPROTOCOL),
    );
    // A key is base64, which is always valid in a header.
    if let Ok(key) = HeaderValue::from_str(&key) {
        headers.insert(SEC_WEBSOCKET_KEY, key);
    }
    let fetch = RemoteRequest::new(Method::GET, headers);
    let (response, carrier) = client.fetch(events, fetch).await?;
    let response = upgraded(client, response, &key).await?;
    let socket = response
        .upgrade()
        .await
        .map_err(|error| TransportError::Interrupted {
            url: client.shown(),
            message: format!(
                "the connection broke off while it was upgraded: {}",
                error.summary()
            ),
        })?;
    let config = WebSocketConfig::default()
        .max_message_size(Some(limit))
        .max_frame_size(Some(limit));
    let socket = WebSocketStream::from_raw_socket(socket, Role::Client, Some(config)).await;
    Ok((socket, carrier))
}

/// Checks the server's half of the opening handshake (RFC 6455, section 4.1).
async fn upgraded(
    client: &RemoteClient,
    response: HttpResponse,
    key: &str,
) -> Result<HttpResponse, TransportError> {
    let status = response.status();
    if status != StatusCode::SWITCHING_PROTOCOLS {
        if !status.is_success() {
            return Err(Refused::read(response).await.into_error(client.url()));
        }
        return Err(TransportError::Unexpected {
            url: client.shown(),
            status: status.as_u16(),
            message: "the server answered like a web page and did not upgrade to WebSocket"
                .to_owned(),
            body: excerpt_of(response).await,
            fault: None,
        });
    }
    let header = |name| response.headers().get(name).map(HeaderValue::as_bytes);
    let wrong = |message: String| TransportError::Unexpected {
        url: client.shown(),
        status: status.as_u16(),
        message,
        body: None,
        fault: None,
    };
    if header(SEC_WEBSOCKET_ACCEPT) != Some(derive_accept_key(key.as_bytes()).as_bytes()) {
        return Err(wrong(
            "the server upgraded the connection without accepting the key, so it does not speak \
             WebSocket"
                .to_owned(),
        ));
    }
    match header(SEC_WEBSOCKET_PROTOCOL) {
        Some(chosen) if chosen != SUBPROTOCOL.as_bytes() => Err(wrong(format!(
            "the server chose the subprotocol {}, not {SUBPROTOCOL}",
            String::from_utf8_lossy(chosen)
        ))),
        _ => Ok(response),
    }
}

/// Records and writes messages in the order in which they were handed over.
async fn write(
    events: Arc<impl TransportEvents>,
    mut sink: SplitSink<Socket, Message>,
    mut outgoing: mpsc::Receiver<Outbound>,
    carrier: CarrierId,
    closing: CancellationToken,
) {
    loop {
        let outbound = tokio::select! {
            biased;
            () = closing.cancelled() => break,
            outbound = outgoing.recv() => match outbound {
                Some(outbound) => outbound,
                None => break,
            },
        };
        let recorded = events
            .connection()
            .recorder
            .message(Direction::Sent, &outbound.text, Some(carrier))
            .await;
        if let Some(request) = outbound.request {
            events.sent(request.id, recorded.frame);
        }
        let Ok(text) = Utf8Bytes::try_from(outbound.text) else {
            continue;
        };
        let written = tokio::select! {
            () = closing.cancelled() => break,
            written = sink.send(Message::Text(text)) => written,
        };
        if written.is_err() {
            // What that means shows on the other half.
            return;
        }
    }
    events
        .connection()
        .recorder
        .note("close", "We close the WebSocket (1000).");
    let frame = CloseFrame {
        code: CloseCode::Normal,
        reason: Utf8Bytes::default(),
    };
    // A socket that is gone needs no goodbye.
    let _ = sink.send(Message::Close(Some(frame))).await;
}

/// Reads until the socket ends, and answers how it did.
async fn read(
    events: &Arc<impl TransportEvents>,
    mut stream: SplitStream<Socket>,
    carrier: CarrierId,
) -> String {
    let origin = Origin {
        carrier: Some(carrier),
        request: None,
    };
    let mut close_reason = None;
    while let Some(message) = stream.next().await {
        match message {
            Ok(Message::Text(text)) => events.received(Bytes::from(text), origin).await,
            Ok(Message::Binary(_) | Message::Ping(_) | Message::Pong(_))
                if events.connection().is_silenced() => {}
            Ok(Message::Binary(bytes)) => {
                let message = "The next message came as a binary one; MCP is text.";
                events
                    .connection()
                    .recorder
                    .note_received("binary", message)
                    .await;
                events.received(bytes, origin).await;
            }
            Ok(Message::Ping(payload)) => {
                let message = format!(
                    "The server sent a WebSocket ping of {} bytes; it is answered with a pong.",
                    payload.len()
                );
                events
                    .connection()
                    .recorder
                    .note_received("ping", &message)
                    .await;
            }
            Ok(Message::Pong(payload)) => {
                let message = format!(
                    "The server sent a WebSocket pong of {} bytes.",
                    payload.len()
                );
                events
                    .connection()
                    .recorder
                    .note_received("pong", &message)
                    .await;
            }
            Ok(Message::Close(frame)) => {
                let message = close_message(frame.as_ref());
                events
                    .connection()
                    .recorder
                    .note("close", &format!("The server {message}."));
                close_reason = Some(format!("the server {message}"));
            }
            Ok(Message::Frame(_)) => {}
            Err(Error::ConnectionClosed | Error::AlreadyClosed) => break,
            Err(Error::Capacity(CapacityError::MessageTooLong { size, .. })) => {
                events.too_large(None, size);
                return format!("a message of {size} bytes was larger than the limit");
            }
            Err(error) => {
                return close_reason.unwrap_or_else(|| format!("the WebSocket broke off: {error}"));
            }
        }
    }
    close_reason.unwrap_or_else(|| "the WebSocket ended without a close".to_owned())
}

fn close_message(frame: Option<&CloseFrame>) -> String {
    match frame {
        None => "closed the WebSocket without a code".to_owned(),
        Some(frame) if frame.reason.is_empty() => {
            format!("closed the WebSocket with code {}", u16::from(frame.code))
        }
        Some(frame) => format!(
            "closed the WebSocket with code {}: {}",
            u16::from(frame.code),
            frame.reason
        ),
    }
}
