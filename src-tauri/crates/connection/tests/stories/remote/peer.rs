//! A small MCP server of the `initialize` era, to be put behind any transport.

use std::{
    convert::Infallible,
    sync::{Arc, Mutex},
};

use axum::{
    Router,
    body::Body,
    extract::{Request, State},
    http::{StatusCode, header},
    response::{IntoResponse, Response},
    routing::{any, get, post},
};
use futures::{StreamExt, stream};
use serde_json::{Value, json};
use tokio::{net::TcpListener, sync::mpsc};
use tokio_stream::wrappers::UnboundedReceiverStream;

/// Requests that the server has seen: method and path of each.
pub type Seen = Arc<Mutex<Vec<String>>>;

/// The answer to a message, if it wants one.
pub fn answer(text: &str) -> Option<String> {
    let message: Value = serde_json::from_str(text).unwrap();
    let id = message.get("id")?;
    let result = match message["method"].as_str()? {
        "initialize" => json!({
            "protocolVersion": "2024-11-05",
            "capabilities": { "tools": {} },
            "serverInfo": { "name": "peer", "version": "1" },
        }),
        "tools/list" => json!({ "tools": [{
            "name": "echo", "inputSchema": { "type": "object" },
        }]}),
        "tools/call" => json!({ "content": [{ "type": "text", "text": "heard" }] }),
        method => {
            let error = json!({ "code": -32601, "message": format!("no {method}") });
            return Some(json!({ "jsonrpc": "2.0", "id": id, "error": error }).to_string());
        }
    };
    Some(json!({ "jsonrpc": "2.0", "id": id, "result": result }).to_string())
}

/// Streamable HTTP that answers each POST with JSON.
pub fn streamable() -> Router {
    Router::new().route(
        "/mcp",
        post(|text: String| async move { json_answer(&text) }),
    )
}

pub fn json_answer(text: &str) -> Response {
    match answer(text) {
        Some(text) => ([(header::CONTENT_TYPE, "application/json")], text).into_response(),
        None => StatusCode::ACCEPTED.into_response(),
    }
}

#[derive(Clone, Default)]
struct Streams {
    seen: Seen,
    open: Arc<Mutex<Option<mpsc::UnboundedSender<String>>>>,
}

/// HTTP with Server-Sent Events at `/sse`, naming `endpoint` for messages.
pub fn server_sent_events(endpoint: &'static str) -> (Router, Seen) {
    let streams = Streams::default();
    let seen = Arc::clone(&streams.seen);
    let router = Router::new()
        .route(
            "/sse",
            get(move |State(streams): State<Streams>| async move {
                let (sender, receiver) = mpsc::unbounded_channel();
                sender
                    .send(format!("event: endpoint\ndata: {endpoint}\n\n"))
                    .unwrap();
                *streams.open.lock().unwrap() = Some(sender);
                let events = UnboundedReceiverStream::new(receiver).map(Ok::<_, Infallible>);
                (
                    [(header::CONTENT_TYPE, "text/event-stream")],
                    Body::from_stream(events),
                )
            }),
        )
        .route(
            "/messages",
            post(|State(streams): State<Streams>, text: String| async move {
                if let (Some(answer), Some(stream)) =
                    (answer(&text), streams.open.lock().unwrap().as_ref())
                {
                    // The client may have gone.
                    let _ = stream.send(format!("event: message\ndata: {answer}\n\n"));
                }
                StatusCode::ACCEPTED
            }),
        )
        .layer(axum::middleware::from_fn_with_state(
            streams.clone(),
            |State(streams): State<Streams>, request: Request, next: axum::middleware::Next| async move {
                let line = format!("{} {}", request.method(), request.uri().path());
                streams.seen.lock().unwrap().push(line);
                next.run(request).await
            },
        ))
        .with_state(streams);
    (router, seen)
}

/// Answers everything with this status and these headers.
pub fn always(
    status: u16,
    headers: &'static [(&'static str, &'static str)],
    body: &'static str,
) -> Router {
    let answer = move || async move {
        let mut response = Response::builder().status(status);
        for (name, value) in headers {
            response = response.header(*name, *value);
        }
        response.body(Body::from(body)).unwrap()
    };
    Router::new().fallback(any(answer))
}

/// A body that begins and never ends.
pub fn dawdling(content_type: &'static str, beginning: &'static str) -> Router {
    let answer = move || async move {
        let first = stream::once(async move { Ok::<_, Infallible>(beginning) });
        Response::builder()
            .header(header::CONTENT_TYPE, content_type)
            .body(Body::from_stream(first.chain(stream::pending())))
            .unwrap()
    };
    Router::new().fallback(any(answer))
}

/// Serves on a free port and answers the origin.
pub async fn serve(router: Router) -> String {
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let address = listener.local_addr().unwrap();
    tokio::spawn(async move { axum::serve(listener, router).await });
    format!("http://{address}")
}
