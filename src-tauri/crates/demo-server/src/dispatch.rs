//! Dispatches a message to its handler, by era and method, on any transport.

use std::sync::Arc;

use bytes::Bytes;
use serde_json::{Map, Value, json, value::RawValue};
use tokio_util::sync::CancellationToken;

use crate::{
    answer::{Accepted, Answer, failure},
    connection::ClientConnection,
    context::{Context, Outcome, Reply},
    handshake,
    message::{Incoming, Message, RequestId, RpcError},
    methods,
    params::{Meta, MethodParams},
    protocol::{BATCH_VERSION, Era, Level, META_SERVER_INFO, MODERN_VERSION, code},
    responder,
    server::Server,
    sink::Sink,
};

/// Reads a message.
///
/// # Errors
///
/// `-32700` for what is not JSON, `-32600` for JSON of another shape.
pub fn read(text: &[u8]) -> Result<Incoming<'_>, RpcError> {
    serde_json::from_slice(text).map_err(|error| {
        if error.is_data() {
            RpcError::new(
                code::INVALID_REQUEST,
                format!("Not a JSON-RPC message: {error}"),
            )
        } else {
            RpcError::new(code::PARSE_ERROR, format!("Not JSON: {error}"))
        }
    })
}

/// Handles the text of a message or of a batch.
pub fn accept_text(
    server: &Arc<Server>,
    connection: &Arc<ClientConnection>,
    sink: &Sink,
    text: &[u8],
) -> Accepted {
    if text.first() == Some(&b'[') {
        return accept_batch(server, connection, sink, text);
    }
    match read(text) {
        Ok(incoming) => accept(server, connection, sink, &incoming),
        Err(error) => Accepted::Answer(failure(None, error)),
    }
}

/// Handles a batch, which only 2025-03-26 knows.
fn accept_batch(
    server: &Arc<Server>,
    connection: &Arc<ClientConnection>,
    sink: &Sink,
    text: &[u8],
) -> Accepted {
    let allowed = connection
        .negotiated()
        .is_some_and(|it| it.version == BATCH_VERSION);
    let members: Vec<&RawValue> = match serde_json::from_slice(text) {
        Ok(members) if allowed => members,
        Ok(_) => {
            let reason = format!("Batches exist in {BATCH_VERSION} only");
            return Accepted::Answer(failure(None, RpcError::new(code::INVALID_REQUEST, reason)));
        }
        Err(error) => {
            let error = RpcError::new(code::PARSE_ERROR, format!("Not JSON: {error}"));
            return Accepted::Answer(failure(None, error));
        }
    };
    if members.is_empty() {
        let error = RpcError::new(code::INVALID_REQUEST, "The batch is empty");
        return Accepted::Answer(failure(None, error));
    }
    let accepted: Vec<Accepted> = members
        .into_iter()
        .map(|member| accept_text(server, connection, sink, member.get().as_bytes()))
        .collect();
    if accepted.iter().all(|one| matches!(one, Accepted::Nothing)) {
        return Accepted::Nothing;
    }
    Accepted::Working(Box::pin(async move {
        let mut pieces = Vec::new();
        for one in accepted {
            let answer = match one {
                Accepted::Nothing => None,
                Accepted::Answer(answer) => Some(answer),
                Accepted::Working(work) => work.await,
            };
            if let Some(answer) = answer {
                let separator: &'static [u8] = if pieces.is_empty() { b"[" } else { b"," };
                pieces.push(Bytes::from_static(separator));
                pieces.extend(answer.message.into_pieces());
            }
        }
        if pieces.is_empty() {
            return None;
        }
        pieces.push(Bytes::from_static(b"]"));
        Some(Answer {
            message: Message::Pieces(pieces),
            error: None,
        })
    }))
}

/// Handles one message.
pub fn accept(
    server: &Arc<Server>,
    connection: &Arc<ClientConnection>,
    sink: &Sink,
    incoming: &Incoming<'_>,
) -> Accepted {
    let id = match incoming.id.map(RequestId::from_raw) {
        Some(None) => {
            let error = RpcError::new(code::INVALID_REQUEST, "An id is a string or a number");
            return Accepted::Answer(failure(None, error));
        }
        Some(id) => id,
        None => None,
    };
    if incoming.jsonrpc.as_deref() != Some("2.0") {
        let error = RpcError::new(code::INVALID_REQUEST, r#""jsonrpc" must be "2.0""#);
        return Accepted::Answer(failure(id.as_ref(), error));
    }
    match (&incoming.method, id) {
        (Some(method), Some(id)) => {
            if server.is_silent() {
                return Accepted::Nothing;
            }
            if let Some(responder) = server.responder() {
                let params = incoming.params.map(RawValue::get);
                return responder::accept(responder, connection, sink, method, id, params);
            }
            match request(
                server,
                connection,
                sink,
                method,
                id.clone(),
                incoming.params,
            ) {
                Ok(accepted) => accepted,
                Err(error) => Accepted::Answer(failure(Some(&id), error)),
            }
        }
        (Some(method), None) => {
            notification(connection, method, incoming.params);
            Accepted::Nothing
        }
        (None, Some(id)) => {
            let value = |raw: &RawValue| serde_json::from_str(raw.get()).unwrap_or(Value::Null);
            match (incoming.result, incoming.error) {
                (Some(result), _) => connection.answered(&id, Ok(value(result))),
                (None, Some(error)) => connection.answered(&id, Err(value(error))),
                (None, None) => {
                    let error = RpcError::new(code::INVALID_REQUEST, "Neither method nor result");
                    return Accepted::Answer(failure(Some(&id), error));
                }
            }
            Accepted::Nothing
        }
        // An error without an id answers nothing in particular.
        (None, None) if incoming.error.is_some() => Accepted::Nothing,
        (None, None) => Accepted::Answer(failure(
            None,
            RpcError::new(code::INVALID_REQUEST, "Neither method nor id"),
        )),
    }
}

fn notification(connection: &ClientConnection, method: &str, params: Option<&RawValue>) {
    if method == "notifications/cancelled"
        && let Ok(params) = MethodParams::read(params)
        && let Some(id) = params.request_id.and_then(RequestId::from_raw)
    {
        connection.cancel(&id);
    }
}

fn request(
    server: &Arc<Server>,
    connection: &Arc<ClientConnection>,
    sink: &Sink,
    method: &str,
    id: RequestId,
    params: Option<&RawValue>,
) -> Result<Accepted, RpcError> {
    let mut params = MethodParams::read(params)?;
    let eras = server.options().eras;
    let negotiated = connection.negotiated();
    let says_modern = method == "server/discover" || params.meta.protocol_version.is_some();
    let must_be_modern = !eras.serve(Era::Initialize);
    let era = if eras.serve(Era::Modern) && (says_modern || must_be_modern) {
        Era::Modern
    } else {
        Era::Initialize
    };

    if let Some(accepted) = handshake::faulty(server, method, &id) {
        return Ok(accepted);
    }
    if method == "initialize" && (era == Era::Initialize || params.meta.protocol_version.is_none())
    {
        let result = handshake::initialize(server, connection, params)?;
        return Ok(Accepted::Answer(success(
            &id,
            Era::Initialize,
            Reply::Result(result),
        )));
    }
    let (capabilities, log_level) = match era {
        Era::Modern => modern_context(server, &mut params.meta)?,
        Era::Initialize => match &negotiated {
            Some(it) => (it.capabilities.clone(), Some(connection.log_level())),
            // Only a ping may come before (2025-11-25, "Lifecycle").
            None if method == "ping" => (Arc::new(json!({})), None),
            // What a server says that has never heard of the modern era.
            None if method == "server/discover" => return Err(RpcError::method_not_found(method)),
            None => {
                return Err(RpcError::new(
                    code::INVALID_REQUEST,
                    "The first request is initialize",
                ));
            }
        },
    };
    let mut answers = match params.request_state.take() {
        Some(state) if era == Era::Modern => server
            .recall(&state)
            .ok_or_else(|| RpcError::invalid_params("Unknown or used requestState"))?,
        _ => Map::new(),
    };
    answers.extend(params.input_responses.take().unwrap_or_default());

    let context = Context {
        server: server.clone(),
        connection: connection.clone(),
        sink: sink.clone(),
        id,
        era,
        capabilities,
        progress_token: params.meta.progress_token.map(ToOwned::to_owned),
        log_level,
        answers,
        cancelled: CancellationToken::new(),
    };
    Ok(run(context, |context| {
        methods::handle(context, method, params)
    }))
}

/// Runs a handler and ties what it does later to the cancellation of its request.
fn run(mut context: Context, handle: impl FnOnce(Context) -> Outcome) -> Accepted {
    let (id, era) = (context.id.clone(), context.era);
    let cancelled = context.connection.start(&id);
    context.cancelled = cancelled.clone();
    let connection = context.connection.clone();
    match handle(context) {
        Outcome::Now(reply) => {
            connection.end(&id);
            match reply {
                Reply::Silence => Accepted::Nothing,
                reply => Accepted::Answer(success(&id, era, reply)),
            }
        }
        Outcome::Later(work) => {
            let ending = RequestGuard { connection, id };
            Accepted::Working(Box::pin(async move {
                let reply = tokio::select! {
                    biased;
                    () = cancelled.cancelled() => Reply::Silence,
                    reply = work => reply,
                };
                match reply {
                    Reply::Silence => None,
                    reply => Some(success(&ending.id, era, reply)),
                }
            }))
        }
    }
}

/// Forgets a request when its work is done or dropped.
struct RequestGuard {
    connection: Arc<ClientConnection>,
    id: RequestId,
}

impl Drop for RequestGuard {
    fn drop(&mut self) {
        self.connection.end(&self.id);
    }
}

/// Checks what a modern request says about itself (SEP-2575).
fn modern_context(
    server: &Server,
    meta: &mut Meta<'_>,
) -> Result<(Arc<Value>, Option<Level>), RpcError> {
    let version = meta.protocol_version.as_ref().and_then(Value::as_str);
    let capabilities = meta.client_capabilities.take().filter(Value::is_object);
    let mut missing = Vec::new();
    if version.is_none() {
        missing.push(crate::protocol::META_PROTOCOL_VERSION);
    }
    if capabilities.is_none() {
        missing.push(crate::protocol::META_CLIENT_CAPABILITIES);
    }
    let (Some(version), Some(capabilities)) = (version, capabilities) else {
        return Err(RpcError::invalid_params(format!(
            "Request _meta is missing or has malformed required fields: {}",
            missing.join(", ")
        )));
    };
    if version != MODERN_VERSION {
        return Err(handshake::unsupported_version(server, version));
    }
    let log_level = meta
        .log_level
        .as_ref()
        .and_then(Value::as_str)
        .and_then(Level::from_name);
    Ok((Arc::new(capabilities), log_level))
}

/// Puts an answer into its envelope.
fn success(id: &RequestId, era: Era, reply: Reply) -> Answer {
    let message = match reply {
        Reply::Error(error) => return failure(Some(id), error),
        Reply::Verbatim(message) => message,
        Reply::Silence => Message::Pieces(Vec::new()),
        Reply::Result(mut result) => {
            if era == Era::Modern {
                stamp(&mut result);
            }
            Message::from(format!(
                r#"{{"jsonrpc":"2.0","id":{id},"result":{result}}}"#
            ))
        }
        Reply::Fields(fields) => {
            let mut head = format!(r#"{{"jsonrpc":"2.0","id":{id},"result":{{"#);
            if era == Era::Modern {
                head.push_str(&format!(
                    r#""resultType":"complete","_meta":{{"{META_SERVER_INFO}":{}}}"#,
                    handshake::brief_server_info()
                ));
                if !fields.is_empty() {
                    head.push(',');
                }
            }
            let mut pieces = Vec::with_capacity(fields.len() + 2);
            pieces.push(Bytes::from(head));
            pieces.extend(fields);
            pieces.push(Bytes::from_static(b"}}"));
            Message::Pieces(pieces)
        }
    };
    Answer {
        message,
        error: None,
    }
}

/// Adds what every modern result carries: its kind and the server's name.
fn stamp(result: &mut Value) {
    let Some(object) = result.as_object_mut() else {
        return;
    };
    object
        .entry("resultType")
        .or_insert_with(|| json!("complete"));
    let meta = object.entry("_meta").or_insert_with(|| json!({}));
    if let Some(meta) = meta.as_object_mut() {
        meta.entry(META_SERVER_INFO)
            .or_insert_with(handshake::brief_server_info);
    }
}
