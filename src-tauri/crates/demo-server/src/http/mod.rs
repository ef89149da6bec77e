//! The Streamable HTTP transport, on the loopback interface.
//!
//! Initialize era: sessions, a GET stream, resumable POST streams, DELETE. Modern
//! era: no session, and every request is checked against its headers. Which one a
//! request belongs to is read from its version header and its `_meta`.

mod checks;
mod sessions;

use std::{io::Write, net::Ipv4Addr, process::ExitCode, sync::Arc};

use axum::{
    Router,
    body::{Body, Bytes, to_bytes},
    extract::State,
    http::{HeaderMap, HeaderValue, Method, StatusCode, header},
    response::{IntoResponse, Response},
    routing::any,
};
use tokio::net::TcpListener;

use self::sessions::{Session, Sessions};
use crate::{
    Error,
    answer::{Accepted, Answer},
    connection::ClientConnection,
    dispatch,
    message::{Incoming, Message, RequestId, RpcError},
    options::{Answers, Fault},
    params::MethodParams,
    protocol::{Era, INITIALIZE_VERSIONS, MODERN_VERSION, code},
    server::Server,
    sink::{EventStream, Resumption, Sink},
    tools,
};

const SESSION_ID: &str = "mcp-session-id";
const PROTOCOL_VERSION: &str = "mcp-protocol-version";
const LAST_EVENT_ID: &str = "last-event-id";

/// The largest request body that is read.
const MAX_BODY_BYTES: usize = 256 * 1024 * 1024;
/// Time after which a client should come back to a stream.
const RETRY_MILLISECONDS: u64 = 1_000;

struct Http {
    server: Arc<Server>,
    sessions: Sessions,
    answers: Answers,
}

/// Serves on 127.0.0.1 until the process ends or a fault ends it.
pub async fn serve(server: Arc<Server>, port: u16, answers: Answers) -> Result<ExitCode, Error> {
    let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, port))
        .await
        .map_err(|source| Error::Listen { port, source })?;
    let port = listener
        .local_addr()
        .map_err(|source| Error::Listen { port, source })?
        .port();
    let mut stdout = std::io::stdout();
    // Whoever started this without reading stdout knows the port already.
    let _unheard =
        writeln!(stdout, "listening on http://127.0.0.1:{port}/mcp").and_then(|()| stdout.flush());

    let http = Arc::new(Http {
        server: server.clone(),
        sessions: Sessions::default(),
        answers,
    });
    let router = Router::new().route("/mcp", any(handle)).with_state(http);
    tokio::select! {
        served = async { axum::serve(listener, router).await } => {
            served.map(|()| ExitCode::SUCCESS).map_err(Error::Http)
        }
        code = server.exit_requested() => Ok(ExitCode::from(code)),
    }
}

async fn handle(
    State(http): State<Arc<Http>>,
    method: Method,
    headers: HeaderMap,
    body: Body,
) -> Response {
    if let Err(reason) = checks::local_only(&headers) {
        return plain(StatusCode::FORBIDDEN, reason);
    }
    match method {
        Method::POST => post(&http, &headers, body).await,
        Method::GET if http.has_sessions(&headers) => get(&http, &headers),
        Method::DELETE if http.has_sessions(&headers) => delete(&http, &headers),
        _ => {
            let allowed = if http.has_sessions(&headers) {
                "GET, POST, DELETE"
            } else {
                "POST"
            };
            let mut response = plain(StatusCode::METHOD_NOT_ALLOWED, "Method not allowed");
            response
                .headers_mut()
                .insert(header::ALLOW, HeaderValue::from_static(allowed));
            response
        }
    }
}

impl Http {
    /// GET and DELETE are about sessions, which the modern era does not have.
    fn has_sessions(&self, headers: &HeaderMap) -> bool {
        self.server.options().eras.serve(Era::Initialize)
            && checks::text(headers, PROTOCOL_VERSION) != Some(MODERN_VERSION)
    }

    fn session(&self, headers: &HeaderMap) -> Result<Arc<Session>, Box<Response>> {
        match checks::text(headers, SESSION_ID) {
            None => Err(Box::new(refusal(
                StatusCode::BAD_REQUEST,
                code::SESSION,
                "Bad Request: Mcp-Session-Id header is required",
            ))),
            Some(id) => self.sessions.find(id).ok_or_else(|| {
                Box::new(refusal(
                    StatusCode::NOT_FOUND,
                    code::SESSION,
                    "Session not found",
                ))
            }),
        }
    }
}

async fn post(http: &Arc<Http>, headers: &HeaderMap, body: Body) -> Response {
    if !checks::is_json(headers) {
        return plain(
            StatusCode::UNSUPPORTED_MEDIA_TYPE,
            "Content-Type must be application/json",
        );
    }
    if !(checks::accepts(headers, "application/json")
        && checks::accepts(headers, "text/event-stream"))
    {
        return plain(
            StatusCode::NOT_ACCEPTABLE,
            "Accept must name application/json and text/event-stream",
        );
    }
    let Ok(body) = to_bytes(body, MAX_BODY_BYTES).await else {
        return plain(
            StatusCode::PAYLOAD_TOO_LARGE,
            "The body is too large or broke off",
        );
    };
    let text = body.trim_ascii();
    if text.first() == Some(&b'[') {
        return match http.session(headers) {
            Ok(session) => {
                answer_in_session(http, &session, |sink| {
                    dispatch::accept_text(&http.server, &session.connection, sink, text)
                })
                .await
            }
            Err(response) => *response,
        };
    }
    let incoming = match dispatch::read(text) {
        Ok(incoming) => incoming,
        Err(error) => return json(StatusCode::BAD_REQUEST, error.to_message(None)),
    };
    let method = incoming.method.as_deref().unwrap_or_default();
    // Parameters of a wrong shape are refused later, with the id of the request.
    let params = MethodParams::read(incoming.params).unwrap_or_default();
    let version = checks::text(headers, PROTOCOL_VERSION);
    let eras = http.server.options().eras;
    // Dates in this form sort by time.
    let says_modern = version.is_some_and(|version| version >= MODERN_VERSION)
        || params.meta.protocol_version.is_some()
        || method == "server/discover";
    // With the metadata of the stateless era it is a method that this era does not have.
    let is_stateless = eras.serve(Era::Modern) && params.meta.protocol_version.is_some();
    if method == "initialize" && !is_stateless {
        initialize(http, &incoming).await
    } else if eras.serve(Era::Modern) && (says_modern || !eras.serve(Era::Initialize)) {
        modern(http, headers, &incoming, &params).await
    } else if version.is_some_and(|version| !INITIALIZE_VERSIONS.contains(&version)) {
        let reason = format!(
            "Bad Request: Unsupported protocol version (supported versions: {})",
            INITIALIZE_VERSIONS.join(", ")
        );
        refusal(StatusCode::BAD_REQUEST, code::SESSION, &reason)
    } else {
        match http.session(headers) {
            Ok(session) => {
                answer_in_session(http, &session, |sink| {
                    dispatch::accept(&http.server, &session.connection, sink, &incoming)
                })
                .await
            }
            Err(response) => *response,
        }
    }
}

/// Opens a session.
async fn initialize(http: &Arc<Http>, incoming: &Incoming<'_>) -> Response {
    let session = Session::new(http.server.unguessable("session"));
    let accepted = dispatch::accept(&http.server, &session.connection, &Sink::Nowhere, incoming);
    let answer = match accepted {
        Accepted::Nothing => return StatusCode::ACCEPTED.into_response(),
        Accepted::Answer(answer) => answer,
        Accepted::Working(work) => match work.await {
            Some(answer) => answer,
            None => return StatusCode::ACCEPTED.into_response(),
        },
    };
    if let Some(error) = answer.error {
        return json(modern_status(error), answer.message);
    }
    let mut response = respond(http.answers, answer.message, Some(&session));
    if let Ok(id) = HeaderValue::from_str(session.id()) {
        response.headers_mut().insert(SESSION_ID, id);
    }
    http.sessions.insert(session);
    response
}

/// Handles a message within a session of the initialize era.
async fn answer_in_session(
    http: &Arc<Http>,
    session: &Arc<Session>,
    accept: impl FnOnce(&Sink) -> Accepted,
) -> Response {
    let (stream, sink) = match http.answers {
        Answers::EventStream => {
            let stream = session.new_stream();
            (Some(stream.clone()), Sink::Events(stream))
        }
        Answers::Json => (None, session.connection.home().clone()),
    };
    let accepted = accept(&sink);
    if matches!(accepted, Accepted::Nothing)
        && http.server.options().fault == Some(Fault::HangHandshake)
    {
        return std::future::pending().await;
    }
    let response = match (accepted, stream) {
        (Accepted::Nothing, _) => StatusCode::ACCEPTED.into_response(),
        (Accepted::Answer(answer), Some(stream)) => {
            stream.push(answer.message);
            stream.finish();
            event_stream_response(stream.attach(None, ()))
        }
        (Accepted::Answer(answer), None) => json(StatusCode::OK, answer.message),
        (Accepted::Working(work), Some(stream)) => {
            session.keep(&stream);
            if session.may_be_polled() {
                stream.prime(RETRY_MILLISECONDS);
            }
            // Closing the response does not cancel: the client may come back.
            let response = event_stream_response(stream.attach(None, ()));
            tokio::spawn(async move {
                if let Some(answer) = work.await {
                    stream.push(answer.message);
                }
                stream.finish();
            });
            response
        }
        (Accepted::Working(work), None) => match work.await {
            Some(answer) => json(StatusCode::OK, answer.message),
            None => StatusCode::ACCEPTED.into_response(),
        },
    };
    if session.connection.is_expired() {
        http.sessions.remove(session.id());
    }
    response
}

/// Handles a self-contained request of the modern era.
async fn modern(
    http: &Arc<Http>,
    headers: &HeaderMap,
    incoming: &Incoming<'_>,
    params: &MethodParams<'_>,
) -> Response {
    let (Some(method), Some(id)) = (&incoming.method, incoming.id) else {
        // Notifications and answers have nothing to act on: there is no session,
        // and a request is cancelled by closing its response.
        return StatusCode::ACCEPTED.into_response();
    };
    // Of the tools of another server the parameters are not known.
    let tool = params
        .name
        .as_deref()
        .filter(|_| http.server.responder().is_none())
        .and_then(|name| tools::find(http.server.options(), name));
    if let Err(reason) = checks::modern_headers(headers, method, params, tool) {
        let error = RpcError::new(code::HEADER_MISMATCH, reason);
        return json(
            StatusCode::BAD_REQUEST,
            error.to_message(RequestId::from_raw(id).as_ref()),
        );
    }
    let answers = match http.answers {
        // A subscription is a stream by nature.
        Answers::Json if method != "subscriptions/listen" => Answers::Json,
        _ => Answers::EventStream,
    };
    let stream = EventStream::new("", Resumption::None);
    let sink = match answers {
        Answers::EventStream => Sink::Events(stream.clone()),
        Answers::Json => Sink::Nowhere,
    };
    let connection = ClientConnection::new(sink.clone());
    let closing = CancelOnDrop(connection.clone());
    match dispatch::accept(&http.server, &connection, &sink, incoming) {
        Accepted::Nothing => StatusCode::ACCEPTED.into_response(),
        Accepted::Answer(Answer {
            message,
            error: Some(error),
        }) => json(modern_status(error), message),
        Accepted::Answer(Answer {
            message,
            error: None,
        }) => respond(answers, message, None),
        Accepted::Working(work) => match answers {
            Answers::EventStream => {
                let response = event_stream_response(stream.attach(None, closing));
                tokio::spawn(async move {
                    if let Some(answer) = work.await {
                        stream.push(answer.message);
                    }
                    stream.finish();
                });
                response
            }
            Answers::Json => {
                let answer = work.await;
                drop(closing);
                match answer {
                    Some(Answer { message, error }) => {
                        json(error.map_or(StatusCode::OK, modern_status), message)
                    }
                    None => StatusCode::ACCEPTED.into_response(),
                }
            }
        },
    }
}

/// Cancels the work of a modern request when its response is closed.
struct CancelOnDrop(Arc<ClientConnection>);

impl Drop for CancelOnDrop {
    fn drop(&mut self) {
        self.0.close();
    }
}

/// The HTTP status that goes with an error (2026-07-28, Streamable HTTP).
fn modern_status(error: i64) -> StatusCode {
    const UNSUPPORTED: i64 = code::UNSUPPORTED_PROTOCOL_VERSION as i64;
    const CAPABILITY: i64 = code::MISSING_CLIENT_CAPABILITY as i64;
    const HEADER: i64 = code::HEADER_MISMATCH as i64;
    const METHOD: i64 = code::METHOD_NOT_FOUND as i64;
    const PARAMS: i64 = code::INVALID_PARAMS as i64;
    const REQUEST: i64 = code::INVALID_REQUEST as i64;
    match error {
        UNSUPPORTED | CAPABILITY | HEADER | PARAMS | REQUEST => StatusCode::BAD_REQUEST,
        METHOD => StatusCode::NOT_FOUND,
        _ => StatusCode::OK,
    }
}

/// Opens the stream of the session, or goes on with one that was lost.
fn get(http: &Arc<Http>, headers: &HeaderMap) -> Response {
    if !checks::accepts(headers, "text/event-stream") {
        return plain(
            StatusCode::NOT_ACCEPTABLE,
            "Accept must name text/event-stream",
        );
    }
    let session = match http.session(headers) {
        Ok(session) => session,
        Err(response) => return *response,
    };
    let Some(last) = checks::text(headers, LAST_EVENT_ID) else {
        if session.home().is_attached() {
            return refusal(
                StatusCode::CONFLICT,
                code::SESSION,
                "Conflict: Only one SSE stream is allowed per session",
            );
        }
        return event_stream_response(session.home().attach(None, ()));
    };
    match session.stream_of_event(last) {
        Some((stream, sequence)) => event_stream_response(stream.attach(Some(sequence), ())),
        None => refusal(
            StatusCode::BAD_REQUEST,
            code::SESSION,
            "Bad Request: Unknown event id",
        ),
    }
}

fn delete(http: &Arc<Http>, headers: &HeaderMap) -> Response {
    match http.session(headers) {
        Ok(session) => {
            http.sessions.remove(session.id());
            StatusCode::NO_CONTENT.into_response()
        }
        Err(response) => *response,
    }
}

fn plain(status: StatusCode, text: &'static str) -> Response {
    (status, text).into_response()
}

/// A JSON-RPC error that belongs to no request.
fn refusal(status: StatusCode, code: i32, text: &str) -> Response {
    json(status, RpcError::new(code, text).to_message(None))
}

fn json(status: StatusCode, message: Message) -> Response {
    let length = message.len();
    let body = match message {
        Message::Whole(bytes) => Body::from(bytes),
        Message::Pieces(pieces) => Body::from_stream(futures::stream::iter(
            pieces
                .into_iter()
                .map(Ok::<Bytes, std::convert::Infallible>),
        )),
    };
    let headers = [
        (
            header::CONTENT_TYPE,
            HeaderValue::from_static("application/json"),
        ),
        (header::CONTENT_LENGTH, HeaderValue::from(length)),
    ];
    (status, headers, body).into_response()
}

/// A whole answer in the shape asked for.
fn respond(answers: Answers, message: Message, session: Option<&Arc<Session>>) -> Response {
    match answers {
        Answers::Json => json(StatusCode::OK, message),
        Answers::EventStream => {
            let stream = match session {
                Some(session) => session.new_stream(),
                None => EventStream::new("", Resumption::None),
            };
            stream.push(message);
            stream.finish();
            event_stream_response(stream.attach(None, ()))
        }
    }
}

fn event_stream_response<S>(events: S) -> Response
where
    S: futures::Stream<Item = Result<Bytes, std::convert::Infallible>> + Send + 'static,
{
    let headers = [
        (
            header::CONTENT_TYPE,
            HeaderValue::from_static("text/event-stream"),
        ),
        (
            header::CACHE_CONTROL,
            HeaderValue::from_static("no-cache, no-transform"),
        ),
    ];
    (headers, Body::from_stream(events)).into_response()
}
