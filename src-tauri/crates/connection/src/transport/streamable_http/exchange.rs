//! Exchanges one message with the server: the POST, and what comes back on its response.

use std::{sync::Arc, time::Duration};

use bytes::{Buf, Bytes, BytesMut};
use sightglass_http::{
    HttpResponse, Method, StatusCode,
    header::{ACCEPT, CONTENT_TYPE, HeaderMap, HeaderValue},
};
use sightglass_secrets::Secret;
use sightglass_traffic::{CarrierId, MessageKind, envelope};

use super::{
    MAX_BACKGROUND_ANSWERS, METHOD, MODERN_VERSION, NAME, PROTOCOL_VERSION, SESSION_ID,
    StreamableHttpTransport, parameter_headers, stream,
};
use crate::{
    json::is_error_response,
    sync::lock,
    transport::error::TransportError,
    transport::event_stream::{EventStreamError, ResponseEvents},
    transport::http_client::{Content, Refused, RemoteRequest, content_type, excerpt, excerpt_of},
    transport::{Origin, Outbound, OutboundRequest, TransportEvents},
};

pub(super) const JSON: HeaderValue = HeaderValue::from_static("application/json");
/// Both are required of a client (MCP, Streamable HTTP).
pub(super) const ACCEPTED: HeaderValue =
    HeaderValue::from_static("application/json, text/event-stream");
/// Message for a request that was accepted and never answered.
const NO_ANSWER: &str = "the server accepted the request and gave no answer";
const BYTE_ORDER_MARK: &[u8] = b"\xEF\xBB\xBF";
/// Time limit for the rest of a stream after its answer, so that the connection can
/// be used again.
const REST_OF_STREAM: Duration = Duration::from_millis(50);

/// Builds the POST request.
fn post(
    link: &StreamableHttpTransport,
    request: Option<&OutboundRequest>,
    outbound: Outbound,
) -> (RemoteRequest, bool) {
    let headers = headers(link, request, &outbound.text);
    let with_session = headers.contains_key(SESSION_ID);
    let fetch = RemoteRequest {
        method: Method::POST,
        url: None,
        headers,
        body: Some(outbound),
    };
    (fetch, with_session)
}

/// Delivers a notification or an answer of ours. This is done once the server has accepted it:
/// what it then says in the response, which it may never end, is heard in the background for as
/// long as the connection lasts.
pub(super) async fn deliver(
    link: &Arc<StreamableHttpTransport>,
    events: &Arc<impl TransportEvents>,
    outbound: Outbound,
) -> Result<(), TransportError> {
    let (fetch, with_session) = post(link, None, outbound);
    let (response, carrier) = link.client.fetch(events, fetch).await?;
    if !response.status().is_success() {
        return Err(link.refused(response, with_session).await);
    }
    // Most servers answer 202 without a body.
    let content = content_type(&response);
    if matches!(content, Content::Other(_)) || response.content_length() == Some(0) {
        return Ok(());
    }
    let Ok(room) = Arc::clone(&link.hearing).try_acquire_owned() else {
        let message = format!(
            "{MAX_BACKGROUND_ANSWERS} responses to notifications and answers are still open. What the server \
             says in a further one is not heard."
        );
        events.connection().recorder.note("dropped", &message);
        return Ok(());
    };
    let origin = Origin {
        carrier: Some(carrier),
        request: None,
    };
    let (limit, hearing) = (link.limit, Arc::clone(events));
    events.spawn(async move {
        hear(&hearing, response, content, limit, origin).await;
        drop(room);
    });
    Ok(())
}

/// Reads what a server says in the response to a message that needs no answer.
async fn hear(
    events: &Arc<impl TransportEvents>,
    response: HttpResponse,
    content: Content,
    limit: usize,
    origin: Origin,
) {
    match content {
        Content::Json => match read_whole(response, limit).await {
            WholeBody::Body(body) if is_blank(&body) => {}
            WholeBody::Body(body) => events.received(body, origin).await,
            WholeBody::TooLarge(size) => events.too_large(None, size),
            WholeBody::BrokeOff(_) => {}
        },
        Content::Events => {
            let mut stream = ResponseEvents::new(response, limit);
            loop {
                match stream.next().await {
                    Ok(Some(event)) if event.data.is_empty() => {}
                    Ok(Some(event)) => events.received(event.data, origin).await,
                    Err(EventStreamError::TooLarge(size)) => return events.too_large(None, size),
                    Ok(None) | Err(EventStreamError::Off) => return,
                }
            }
        }
        Content::Other(_) => {}
    }
}

/// Sends a request and stays until its answer has been handed on.
pub(super) async fn request(
    link: &StreamableHttpTransport,
    events: &Arc<impl TransportEvents>,
    outbound: Outbound,
    request: &OutboundRequest,
) -> Result<(), TransportError> {
    let (fetch, with_session) = post(link, Some(request), outbound);
    let (response, carrier) = link.client.fetch(events, fetch).await?;
    let origin = Origin {
        carrier: Some(carrier),
        request: Some(request.id),
    };
    let status = response.status();
    if !status.is_success() {
        let refused = Refused::read(response).await;
        return refusal(link, events, request, refused, origin, with_session).await;
    }
    if &*request.method == "initialize"
        && let Some(id) = response.headers().get(SESSION_ID)
    {
        // Whoever knows the id of a session can speak in it.
        let message = String::from_utf8_lossy(id.as_bytes()).into_owned();
        events.connection().recorder.learn(&[Secret::new(message)]);
        lock(&link.session).id = Some(id.clone());
    }
    match content_type(&response) {
        Content::Json => json_answer(link, events, request, response, origin).await,
        Content::Events => event_stream_answer(link, events, request, response, carrier).await,
        Content::Other(given) => Err(unexpected_content(link, response, given).await),
    }
}

/// A refusal whose body is a JSON-RPC error is the answer to the request. Its id may be
/// missing or made up, since what refused may not have read the request. Any other body, JSON
/// or not, only explains the status; so does each body of a status that is about the headers of
/// the request.
async fn refusal(
    link: &StreamableHttpTransport,
    events: &Arc<impl TransportEvents>,
    request: &OutboundRequest,
    refused: Refused,
    origin: Origin,
    with_session: bool,
) -> Result<(), TransportError> {
    let is_error = is_error_response(&refused.body);
    let about_headers = matches!(
        refused.status,
        StatusCode::FORBIDDEN | StatusCode::NOT_ACCEPTABLE | StatusCode::MISDIRECTED_REQUEST
    );
    let expired = refused.status == StatusCode::NOT_FOUND && with_session;
    if !is_error || about_headers || expired {
        return Err(link.error_of(refused, with_session));
    }
    events
        .received_for(request.id, Bytes::from(refused.body), origin)
        .await;
    Ok(())
}

async fn json_answer(
    link: &StreamableHttpTransport,
    events: &Arc<impl TransportEvents>,
    request: &OutboundRequest,
    response: HttpResponse,
    origin: Origin,
) -> Result<(), TransportError> {
    let status = response.status().as_u16();
    match read_whole(response, link.limit).await {
        WholeBody::Body(body) if is_blank(&body) => Err(TransportError::Unexpected {
            url: link.client.url().to_string(),
            status,
            message: NO_ANSWER.to_owned(),
            body: None,
            fault: None,
        }),
        WholeBody::Body(body) => {
            let beginning = excerpt(&body[..body.len().min(2000)]);
            let id = answered_id(&body);
            events.received(body, origin).await;
            if !events.is_open(request.id) {
                return Ok(());
            }
            if let Some(id) = id {
                let body = beginning;
                return Err(TransportError::StrayAnswer { id, body });
            }
            Err(TransportError::Unexpected {
                url: link.client.url().to_string(),
                status,
                message: "the answer is not for this request".to_owned(),
                body: beginning,
                fault: None,
            })
        }
        WholeBody::TooLarge(size) => {
            events.too_large(Some(request.id), size);
            Ok(())
        }
        WholeBody::BrokeOff(message) => Err(TransportError::Interrupted {
            url: link.client.url().to_string(),
            message,
        }),
    }
}

/// Reads the events of a response until the answer has come. A stream that ends before it
/// is taken up again where it stopped, if the server numbers its events (MCP, resumability).
async fn event_stream_answer(
    link: &StreamableHttpTransport,
    events: &Arc<impl TransportEvents>,
    request: &OutboundRequest,
    response: HttpResponse,
    carrier: CarrierId,
) -> Result<(), TransportError> {
    let mut position = stream::StreamPosition::default();
    // Of the first stream alone: one that is taken up again has brought something before.
    let mut silence = Some(events.connection().diagnostics.silent_stream());
    let mut current = (response, carrier);
    loop {
        let (response, carrier) = current;
        let origin = Origin {
            carrier: Some(carrier),
            request: Some(request.id),
        };
        let mut stream = ResponseEvents::new(response, link.limit).silent(silence.take());
        loop {
            match stream.next().await {
                Ok(Some(event)) => {
                    position.note(&event);
                    if event.data.is_empty() {
                        continue;
                    }
                    events.received(event.data, origin).await;
                    if !events.is_open(request.id) {
                        let rest = async { while let Ok(Some(_)) = stream.next().await {} };
                        let _ = tokio::time::timeout(REST_OF_STREAM, rest).await;
                        return Ok(());
                    }
                }
                Err(EventStreamError::TooLarge(size)) => {
                    events.too_large(Some(request.id), size);
                    return Ok(());
                }
                Ok(None) | Err(EventStreamError::Off) => break,
            }
        }
        current = position.resume(link, events).await?;
    }
}

async fn unexpected_content(
    link: &StreamableHttpTransport,
    response: HttpResponse,
    given: Option<String>,
) -> TransportError {
    let status = response.status().as_u16();
    let message = match given {
        Some(given) => {
            format!("the server answered with {given}, not with JSON or an event stream")
        }
        None => NO_ANSWER.to_owned(),
    };
    let body = excerpt_of(response).await;
    TransportError::Unexpected {
        url: link.client.url().to_string(),
        status,
        message,
        body,
        fault: None,
    }
}

enum WholeBody {
    Body(Bytes),
    TooLarge(usize),
    BrokeOff(String),
}

/// Returns the id that a body names, if it is an answer.
fn answered_id(body: &[u8]) -> Option<String> {
    let envelope = envelope(body);
    match envelope.kind {
        MessageKind::Response | MessageKind::ErrorResponse => envelope.id.map(str::to_owned),
        _ => None,
    }
}

/// Returns true when there is nothing to read in a body.
fn is_blank(body: &[u8]) -> bool {
    body.iter().all(u8::is_ascii_whitespace)
}

/// Reads a body that is one message. A byte order mark is no part of it (RFC 8259, section 8.1).
async fn read_whole(mut response: HttpResponse, limit: usize) -> WholeBody {
    let announced = response
        .content_length()
        .and_then(|length| usize::try_from(length).ok());
    if let Some(length) = announced.filter(|length| *length > limit) {
        return WholeBody::TooLarge(length);
    }
    let mut body = BytesMut::with_capacity(announced.unwrap_or(0));
    loop {
        match response.chunk().await {
            Ok(Some(chunk)) if body.len() + chunk.len() > limit => {
                return WholeBody::TooLarge(body.len() + chunk.len());
            }
            // Grows by doubling, so that the whole is moved a few times only.
            Ok(Some(chunk)) => body.extend_from_slice(&chunk),
            Ok(None) => {
                if body.starts_with(BYTE_ORDER_MARK) {
                    body.advance(BYTE_ORDER_MARK.len());
                }
                return WholeBody::Body(body.freeze());
            }
            Err(error) => {
                return WholeBody::BrokeOff(format!("the answer broke off: {}", error.summary()));
            }
        }
    }
}

/// The headers of a POST. In the stateless era they repeat what intermediaries need to
/// know of the body (MCP 2026-07-28, standard request headers).
fn headers(
    link: &StreamableHttpTransport,
    request: Option<&OutboundRequest>,
    text: &[u8],
) -> HeaderMap {
    let mut headers = link.session_headers();
    headers.insert(ACCEPT, ACCEPTED);
    headers.insert(CONTENT_TYPE, JSON);
    let Some(request) = request else {
        return headers;
    };
    if &*request.method == "initialize" {
        headers.remove(PROTOCOL_VERSION);
        headers.remove(SESSION_ID);
    }
    if request.modern {
        headers.insert(PROTOCOL_VERSION, MODERN_VERSION);
        if let Ok(method) = HeaderValue::from_str(&request.method) {
            headers.insert(METHOD, method);
        }
        if let Some(name) = parameter_headers::name(&request.method, text) {
            headers.insert(NAME, name);
        }
        let table = Arc::clone(&lock(&link.parameter_headers));
        if &*request.method == "tools/call" {
            table.add(&mut headers, text);
        }
    }
    headers
}
