//! The transports beside stdio and Streamable HTTP, and finding out which one a server speaks.

use futures::{SinkExt, StreamExt};
use sightglass_connection::RequestEnd;
use sightglass_model::{Era, Failure, NetworkStage, RemoteTransport, StepOutcome, TransportKind};
use tokio::{
    io::{AsyncRead, AsyncWrite},
    net::TcpListener,
};
use tokio_tungstenite::tungstenite::{
    Message,
    handshake::server::{ErrorResponse, Request, Response},
    protocol::{CloseFrame, frame::coding::CloseCode},
};

use super::{over, peer, recorded};
use crate::support::{Bench, http, server};

#[tokio::test]
async fn server_sent_events_connect_call_and_end() {
    let (router, seen) = peer::server_sent_events("/messages?session=1");
    let url = format!("{}/sse", peer::serve(router).await);
    let bench = Bench::new();
    let id = server("sse");
    let status = bench.ready(&id, over(RemoteTransport::Sse, &url)).await;
    let facts = status.handshake.unwrap();
    assert_eq!(
        (facts.transport, facts.era),
        (TransportKind::Sse, Era::Legacy)
    );
    assert_eq!(facts.protocol_version, "2024-11-05");
    let report = bench.call(&id, "echo", "{}").await;
    assert_eq!(report.end, RequestEnd::Result);
    assert_eq!(seen.lock().unwrap()[..2], ["GET /sse", "POST /messages"]);
    let steps: Vec<_> = status
        .steps
        .iter()
        .map(|step| (step.what.as_str(), step.outcome))
        .collect();
    assert_eq!(
        steps,
        [
            ("GET", StepOutcome::Succeeded),
            ("initialize", StepOutcome::Succeeded)
        ]
    );
    bench.connections.shutdown().await;
}

#[tokio::test]
async fn messages_never_go_to_another_origin_than_the_stream() {
    let (router, seen) = peer::server_sent_events("http://elsewhere.invalid/messages");
    let url = format!("{}/sse", peer::serve(router).await);
    let bench = Bench::new();
    let failure = bench
        .failed(&server("sse"), over(RemoteTransport::Sse, &url))
        .await;
    let Failure::Network {
        stage: NetworkStage::Http,
        message,
        ..
    } = failure
    else {
        panic!("{failure:?}");
    };
    assert!(message.contains("another origin"), "{message}");
    assert_eq!(*seen.lock().unwrap(), ["GET /sse"]);
}

#[tokio::test]
async fn a_refusal_for_want_of_a_token_is_told_on_either_leg() {
    const CHALLENGE: &[(&str, &str)] = &[("www-authenticate", "Bearer scope=\"a\"")];
    let bench = Bench::new();
    for transport in [
        RemoteTransport::Sse,
        RemoteTransport::WebSocket,
        RemoteTransport::Auto,
    ] {
        let mut url = peer::serve(peer::always(401, CHALLENGE, "")).await;
        if transport == RemoteTransport::WebSocket {
            url = url.replace("http:", "ws:");
        }
        let failure = bench.failed(&server("first"), over(transport, &url)).await;
        let Failure::SignInRequired {
            status: 401,
            challenge,
            ..
        } = failure
        else {
            panic!("{transport:?}: {failure:?}");
        };
        assert_eq!(challenge.as_deref(), Some("Bearer scope=\"a\""));
    }
    // The stream is open to everybody, and its messages are not.
    let (router, _) = peer::server_sent_events("/refused");
    let router = router.route(
        "/refused",
        axum::routing::post(|| async { (axum::http::StatusCode::UNAUTHORIZED, [CHALLENGE[0]]) }),
    );
    let url = format!("{}/sse", peer::serve(router).await);
    let failure = bench
        .failed(&server("second"), over(RemoteTransport::Sse, &url))
        .await;
    assert!(
        matches!(failure, Failure::SignInRequired { status: 401, .. }),
        "{failure:?}"
    );
}

#[tokio::test]
async fn auto_finds_server_sent_events_and_begins_with_them_the_next_time() {
    let (router, seen) = peer::server_sent_events("/messages");
    let url = format!("{}/sse", peer::serve(router).await);
    let bench = Bench::new();
    let id = server("auto");
    let status = bench.ready(&id, http(&url)).await;
    let steps: Vec<String> = status
        .steps
        .iter()
        .map(|step| {
            let words = step.summary.as_deref().unwrap_or_default();
            format!(
                "{:?} {} {:?}: {words}",
                step.transport, step.what, step.outcome
            )
        })
        .collect();
    assert_eq!(
        steps,
        [
            "Http server/discover Failed: was answered with HTTP 405",
            "Http initialize Failed: was answered with HTTP 405",
            "Sse GET Succeeded: opened",
            "Sse initialize Succeeded: agreed on 2024-11-05",
        ]
    );
    let found = status.known_endpoint.expect("it is remembered");
    assert_eq!(
        (found.transport, found.era),
        (TransportKind::Sse, Era::Legacy)
    );

    seen.lock().unwrap().clear();
    bench.ready(&id, http(&url)).await;
    assert_eq!(seen.lock().unwrap()[0], "GET /sse");

    bench.connections.disconnect(&id).await;
    bench.connections.forget_found(&id);
    assert_eq!(bench.connections.status(&id).unwrap().known_endpoint, None);
    seen.lock().unwrap().clear();
    bench.ready(&id, http(&url)).await;
    assert_eq!(seen.lock().unwrap()[0], "POST /sse");
    bench.connections.shutdown().await;
}

#[tokio::test]
async fn what_was_found_before_gives_way_to_what_the_server_is_now() {
    let (old, _) = peer::server_sent_events("/messages");
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let address = listener.local_addr().unwrap();
    let serving = tokio::spawn(async move { axum::serve(listener, old).await });
    let url = format!("http://{address}/sse");
    let bench = Bench::new();
    let id = server("renewed");
    bench.ready(&id, http(&url)).await;
    bench.connections.disconnect(&id).await;
    serving.abort();
    assert!(serving.await.is_err());
    let new = axum::Router::new().route(
        "/sse",
        axum::routing::post(|text: String| async move { peer::json_answer(&text) }),
    );
    let listener = TcpListener::bind(address).await.unwrap();
    tokio::spawn(async move { axum::serve(listener, new).await });
    let status = bench.ready(&id, http(&url)).await;
    assert_eq!(
        status.known_endpoint.unwrap().transport,
        TransportKind::Http
    );
    bench.connections.shutdown().await;
}

#[tokio::test]
async fn a_server_of_no_transport_is_told_of_both() {
    let url = peer::serve(peer::always(404, &[], "nothing here")).await;
    let bench = Bench::new();
    let failure = bench.failed(&server("none"), http(&url)).await;
    let Failure::Network {
        status: Some(404),
        message,
        body,
        ..
    } = failure
    else {
        panic!("{failure:?}");
    };
    assert!(
        message.contains("neither transport") && message.contains("GET"),
        "{message}"
    );
    assert_eq!(body.as_deref(), Some("nothing here"));
    // A transport that the entry names is the only one that is tried.
    let failure = bench
        .failed(&server("http"), over(RemoteTransport::Http, &url))
        .await;
    let Failure::Network { message, .. } = failure else {
        panic!("{failure:?}");
    };
    assert!(!message.contains("GET"), "{message}");
}

/// Serves a WebSocket connection; a tool call is answered, and then the server leaves.
pub async fn serve_socket(stream: impl AsyncRead + AsyncWrite + Unpin) {
    #[expect(clippy::result_large_err, reason = "the library's own type")]
    fn check(request: &Request, mut response: Response) -> Result<Response, ErrorResponse> {
        assert_eq!(request.headers()["sec-websocket-protocol"], "mcp");
        let chosen = "mcp".parse().unwrap();
        response
            .headers_mut()
            .insert("sec-websocket-protocol", chosen);
        Ok(response)
    }
    let mut socket = tokio_tungstenite::accept_hdr_async(stream, check)
        .await
        .unwrap();
    socket
        .send(Message::Ping("are you there".into()))
        .await
        .unwrap();
    while let Some(Ok(message)) = socket.next().await {
        let Message::Text(text) = message else {
            continue;
        };
        let Some(answer) = peer::answer(&text) else {
            continue;
        };
        socket.send(Message::text(answer)).await.unwrap();
        if text.contains("tools/call") {
            let frame = CloseFrame {
                code: CloseCode::Away,
                reason: "good night".into(),
            };
            socket.close(Some(frame)).await.unwrap();
        }
    }
}

async fn web_socket_server() -> String {
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let address = listener.local_addr().unwrap();
    tokio::spawn(async move {
        while let Ok((stream, _)) = listener.accept().await {
            tokio::spawn(serve_socket(stream));
        }
    });
    format!("ws://{address}/mcp")
}

#[tokio::test]
async fn a_web_socket_carries_messages_and_says_how_it_ends() {
    let url = web_socket_server().await;
    let bench = Bench::new();
    let id = server("ws");
    let status = bench.ready(&id, http(&url)).await;
    assert_eq!(
        status.handshake.unwrap().transport,
        TransportKind::WebSocket
    );
    let report = bench.call(&id, "echo", "{}").await;
    assert_eq!(report.end, RequestEnd::Result);
    let status = bench.status(&id, |status| status.failure.is_some()).await;
    let Failure::Network { message, .. } = status.failure.unwrap().failure else {
        panic!("the end is told");
    };
    assert_eq!(
        message,
        "the server closed the WebSocket with code 1001: good night"
    );
    let rows = recorded(&bench.recorder);
    assert!(rows.contains("GET /mcp"), "{rows}");
    assert!(
        rows.contains("ping The server sent a WebSocket ping of 13 bytes"),
        "{rows}"
    );
    assert!(
        rows.contains("close The server closed the WebSocket with code 1001"),
        "{rows}"
    );
}

#[tokio::test]
async fn a_web_page_is_no_web_socket() {
    let url = peer::serve(peer::always(
        200,
        &[("content-type", "text/html")],
        "<h1>Hello</h1>",
    ))
    .await;
    let bench = Bench::new();
    let failure = bench
        .failed(&server("page"), http(&url.replace("http:", "ws:")))
        .await;
    let Failure::Network {
        status: Some(200),
        message,
        body,
        ..
    } = failure
    else {
        panic!("{failure:?}");
    };
    assert!(message.contains("did not upgrade"), "{message}");
    assert_eq!(body.as_deref(), Some("<h1>Hello</h1>"));
}

#[cfg(unix)]
#[tokio::test]
async fn streamable_http_travels_over_a_unix_socket() {
    let directory = tempfile::tempdir().unwrap();
    let path = directory.path().join("server.sock");
    let listener = tokio::net::UnixListener::bind(&path).unwrap();
    tokio::spawn(async move { axum::serve(listener, peer::streamable()).await });
    let bench = Bench::new();
    let id = server("unix");
    let url = format!("unix://{}#/mcp", path.display());
    let status = bench.ready(&id, http(&url)).await;
    assert_eq!(status.handshake.unwrap().transport, TransportKind::Http);
    let report = bench.call(&id, "echo", "{}").await;
    assert_eq!(report.end, RequestEnd::Result);
    let rows = recorded(&bench.recorder);
    assert!(rows.contains("POST"), "{rows}");
    bench.connections.shutdown().await;
    let missing = http("unix:///nowhere/at/all.sock#/mcp");
    let failure = bench.failed(&server("missing"), missing).await;
    assert!(
        matches!(
            failure,
            Failure::Network {
                stage: NetworkStage::Tcp,
                ..
            }
        ),
        "{failure:?}"
    );
}
