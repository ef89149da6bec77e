//! Connecting over Streamable HTTP.

use std::{convert::Infallible, sync::Arc};

use crate::support::{Bench, HttpDemo, http, params, server};
use axum::{
    Router,
    body::Body,
    extract::Request,
    http::{HeaderMap, StatusCode, header::CONTENT_TYPE},
    response::Response,
    routing::any,
};
use bytes::Bytes;
use futures::{StreamExt, stream};
use sightglass_connection::{ConnectionEvent, ListKind, Params, RequestEnd, ServerAnswer};
use sightglass_model::{Era, EraChoice, Failure, NetworkStage, Phase, ServerSpec};
use tokio::sync::Mutex;

fn era(spec: ServerSpec, era: EraChoice) -> ServerSpec {
    ServerSpec { era, ..spec }
}

#[tokio::test]
async fn both_eras_connect_list_and_call() {
    let demo = HttpDemo::start(&[]);
    for (choice, found) in [
        (EraChoice::Auto, Era::Modern),
        (EraChoice::Modern, Era::Modern),
        (EraChoice::Legacy, Era::Legacy),
    ] {
        let bench = Bench::new();
        let id = server("http");
        let status = bench.ready(&id, era(http(&demo.url), choice)).await;
        assert_eq!(status.handshake.unwrap().era, found);
        let lists = bench.connections.lists(&id);
        assert!(lists.iter().all(|list| list.count > 0), "{lists:?}");
        let report = bench.call(&id, "echo", r#"{"message":"over HTTP"}"#).await;
        assert_eq!(report.end, RequestEnd::Result);
        let answer = bench.payload(report.response_frame.unwrap());
        assert!(std::str::from_utf8(&answer).unwrap().contains("over HTTP"));
        bench.connections.shutdown().await;
    }
}

#[tokio::test]
async fn auto_falls_back_when_the_server_knows_only_initialize() {
    let demo = HttpDemo::start(&["--era", "legacy"]);
    let bench = Bench::new();
    let id = server("legacy");
    let status = bench.ready(&id, http(&demo.url)).await;
    assert_eq!(status.handshake.unwrap().era, Era::Legacy);
    bench.connections.shutdown().await;
}

#[tokio::test]
async fn answers_in_plain_json_are_understood() {
    let demo = HttpDemo::start(&["--json"]);
    for choice in [EraChoice::Modern, EraChoice::Legacy] {
        let bench = Bench::new();
        let id = server("json");
        bench.ready(&id, era(http(&demo.url), choice)).await;
        assert_eq!(
            bench
                .call(&id, "big_result", r#"{"megabytes":2}"#)
                .await
                .end,
            RequestEnd::Result
        );
        bench.connections.shutdown().await;
    }
}

#[tokio::test]
async fn the_server_can_ask_and_a_call_can_be_cancelled_in_both_eras() {
    let demo = HttpDemo::start(&[]);
    for choice in [EraChoice::Modern, EraChoice::Legacy] {
        let bench = Bench::new();
        let id = server("asks");
        bench.ready(&id, era(http(&demo.url), choice)).await;
        let answer = async {
            let question = bench
                .event(|event| match event {
                    ConnectionEvent::QuestionArrived { question } => Some(question.clone()),
                    _ => None,
                })
                .await;
            let json = r#"{"action":"decline"}"#.to_owned();
            bench
                .connections
                .answer(question.id, ServerAnswer::Result { json })
                .unwrap();
        };
        let (report, ()) = tokio::join!(bench.call(&id, "ask_elicitation", "{}"), answer);
        assert_eq!(report.end, RequestEnd::Result, "{choice:?} {report:?}");
        let cancel = async {
            bench
                .event(|event| matches!(event, ConnectionEvent::Progress { .. }).then_some(()))
                .await;
            assert!(bench.connections.cancel(&id, "long_running"));
        };
        let call = bench.call(&id, "long_running", r#"{"duration":600,"steps":100000}"#);
        let (report, ()) = tokio::join!(call, cancel);
        assert_eq!(report.end, RequestEnd::Cancelled);
        bench.connections.shutdown().await;
    }
}

#[tokio::test]
async fn a_changed_list_is_told_over_http_too() {
    let demo = HttpDemo::start(&[]);
    for choice in [EraChoice::Modern, EraChoice::Legacy] {
        let bench = Bench::new();
        let id = server("changes");
        bench.ready(&id, era(http(&demo.url), choice)).await;
        // The stream on which changes are told opens beside everything else.
        let changed = async {
            bench
                .event(|event| match event {
                    ConnectionEvent::List { change, .. }
                        if change.list == ListKind::Tools
                            && !(change.added.is_empty()
                                && change.removed.is_empty()
                                && change.changed.is_empty()) =>
                    {
                        Some(())
                    }
                    _ => None,
                })
                .await;
        };
        let change = async {
            loop {
                bench.call(&id, "change_tools", "{}").await;
                tokio::time::sleep(std::time::Duration::from_millis(300)).await;
            }
        };
        tokio::select! {
            () = changed => {}
            () = change => {}
        }
        bench.connections.shutdown().await;
    }
}

/// Answers of a scripted server, by message.
type Script = Arc<dyn Fn(&HeaderMap, &serde_json::Value) -> Response + Send + Sync>;

/// Serves `script` for POST; GET and DELETE are answered with 405.
async fn scripted(script: Script) -> String {
    let handler = move |request: Request| {
        let script = Arc::clone(&script);
        async move {
            let (parts, body) = request.into_parts();
            let body = axum::body::to_bytes(body, usize::MAX).await.unwrap();
            let message = serde_json::from_slice(&body).unwrap_or_default();
            Ok::<_, Infallible>(match parts.method.as_str() {
                "POST" => script(&parts.headers, &message),
                _ => plain(StatusCode::METHOD_NOT_ALLOWED, ""),
            })
        }
    };
    serve(Router::new().route("/mcp", any(handler))).await
}

async fn serve(router: Router) -> String {
    let listener = tokio::net::TcpListener::bind("127.0.0.1:0").await.unwrap();
    let address = listener.local_addr().unwrap();
    tokio::spawn(async move { axum::serve(listener, router).await.unwrap() });
    format!("http://{address}/mcp")
}

fn plain(status: StatusCode, body: &str) -> Response {
    Response::builder()
        .status(status)
        .body(Body::from(body.to_owned()))
        .unwrap()
}

fn json(value: serde_json::Value) -> Response {
    Response::builder()
        .header(CONTENT_TYPE, "application/json")
        .body(Body::from(value.to_string()))
        .unwrap()
}

/// An `initialize` server with a session, whose other answers are `rest`'s.
fn with_session(
    rest: impl Fn(&HeaderMap, &serde_json::Value) -> Response + Send + Sync + 'static,
) -> Script {
    Arc::new(move |headers, message| match message["method"].as_str() {
        Some("initialize") => {
            let mut response = json(serde_json::json!({
                "jsonrpc": "2.0", "id": message["id"],
                "result": {
                    "protocolVersion": "2025-06-18", "capabilities": {},
                    "serverInfo": {"name": "scripted", "version": "1"},
                },
            }));
            response
                .headers_mut()
                .insert("mcp-session-id", "s-1".parse().unwrap());
            response
        }
        Some("server/discover") => plain(StatusCode::BAD_REQUEST, "no session"),
        Some("notifications/initialized") => plain(StatusCode::ACCEPTED, ""),
        _ => rest(headers, message),
    })
}

#[tokio::test]
async fn a_401_asks_for_a_sign_in_with_or_without_a_challenge() {
    for challenge in [None, Some("Bearer resource_metadata=\"https://x/y\"")] {
        let url = scripted(Arc::new(move |_, _| {
            let mut response = plain(StatusCode::UNAUTHORIZED, "who are you");
            if let Some(challenge) = challenge {
                response
                    .headers_mut()
                    .insert("www-authenticate", challenge.parse().unwrap());
            }
            response
        }))
        .await;
        let bench = Bench::new();
        let failure = bench.failed(&server("401"), http(&url)).await;
        assert_eq!(
            failure,
            Failure::SignInRequired {
                url,
                status: 401,
                challenge: challenge.map(str::to_owned),
                scopes: Vec::new(),
                body: Some("who are you".to_owned()),
                token: None,
                sent_password: false,
            }
        );
    }
}

#[tokio::test]
async fn an_http_error_shows_its_status_and_the_beginning_of_its_body() {
    let url = scripted(Arc::new(|_, _| {
        plain(StatusCode::BAD_GATEWAY, "<h1>upstream down</h1>")
    }))
    .await;
    let bench = Bench::new();
    let failure = bench.failed(&server("502"), http(&url)).await;
    let Failure::Network {
        stage,
        status,
        body,
        ..
    } = failure
    else {
        panic!("{failure:?}");
    };
    assert_eq!((stage, status), (NetworkStage::Http, Some(502)));
    assert!(body.unwrap().contains("upstream down"));
}

#[tokio::test]
async fn nobody_listening_and_no_such_host_are_told_apart() {
    let bench = Bench::new();
    let closed = std::net::TcpListener::bind("127.0.0.1:0")
        .unwrap()
        .local_addr()
        .unwrap();
    let failure = bench
        .failed(&server("closed"), http(&format!("http://{closed}/mcp")))
        .await;
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
    let failure = bench
        .failed(&server("host"), http("http://no-such-host.invalid/mcp"))
        .await;
    assert!(
        matches!(
            failure,
            Failure::Network {
                stage: NetworkStage::Dns,
                ..
            }
        ),
        "{failure:?}"
    );
    let failure = bench.failed(&server("url"), http("ftp://x/")).await;
    assert!(
        matches!(failure, Failure::Configuration { .. }),
        "{failure:?}"
    );
}

#[tokio::test]
async fn plain_text_where_tls_is_expected_is_a_tls_failure() {
    let url = scripted(Arc::new(|_, _| plain(StatusCode::OK, ""))).await;
    let bench = Bench::new();
    let failure = bench
        .failed(&server("tls"), http(&url.replace("http://", "https://")))
        .await;
    assert!(
        matches!(
            failure,
            Failure::Network {
                stage: NetworkStage::Tls,
                ..
            }
        ),
        "{failure:?}"
    );
}

#[tokio::test]
async fn the_session_travels_with_every_request_and_is_renewed_when_it_expires() {
    let seen: Arc<std::sync::Mutex<Vec<[Option<String>; 2]>>> = Arc::default();
    let noted = Arc::clone(&seen);
    let url = scripted(with_session(move |headers, message| {
        let header = |name: &str| {
            headers
                .get(name)
                .map(|value| value.to_str().unwrap().to_owned())
        };
        noted
            .lock()
            .unwrap()
            .push([header("mcp-session-id"), header("mcp-protocol-version")]);
        match message["method"].as_str() {
            Some("ping") => {
                json(serde_json::json!({"jsonrpc": "2.0", "id": message["id"], "result": {}}))
            }
            _ => plain(StatusCode::NOT_FOUND, "unknown session"),
        }
    }))
    .await;
    let bench = Bench::new();
    let id = server("session");
    bench.ready(&id, http(&url)).await;
    let report = bench
        .connections
        .request(&id, "p", "ping", &Params::empty())
        .await
        .unwrap();
    assert_eq!(report.end, RequestEnd::Result);
    let report = bench
        .connections
        .request(&id, "x", "tools/call", &params(r#"{"name":"x"}"#))
        .await
        .unwrap();
    assert_eq!(report.end, RequestEnd::ConnectionLost);
    let expected = [Some("s-1".to_owned()), Some("2025-06-18".to_owned())];
    // The ping, and the call once in each of two sessions.
    assert_eq!(
        *seen.lock().unwrap(),
        [&expected, &expected, &expected].map(Clone::clone)
    );
    // A server that forgets every session at once is given up.
    bench
        .status(&id, |status| status.phase == Phase::Ready)
        .await;
    let report = bench
        .connections
        .request(&id, "y", "tools/call", &params(r#"{"name":"x"}"#))
        .await
        .unwrap();
    assert_eq!(report.end, RequestEnd::ConnectionLost);
    let status = bench
        .status(&id, |status| status.phase == Phase::Failed)
        .await;
    assert_eq!(
        status.failure.unwrap().failure,
        Failure::SessionExpired { url }
    );
    assert_eq!(status.reconnection, None);
}

#[tokio::test]
async fn a_session_that_is_unknown_at_once_is_told_apart_from_one_that_expired() {
    for (status, body, is_told) in [
        (StatusCode::NOT_FOUND, "gone", true),
        (StatusCode::BAD_REQUEST, "No valid session ID", true),
        (StatusCode::BAD_REQUEST, "no", false),
    ] {
        let others = with_session(|_, _| plain(StatusCode::OK, ""));
        let url = scripted(Arc::new(move |headers, message| {
            match message["method"].as_str() {
                Some("notifications/initialized") => plain(status, body),
                _ => others(headers, message),
            }
        }))
        .await;
        let bench = Bench::new();
        let failure = bench.failed(&server("replicas"), http(&url)).await;
        let hint = failure.hint().text;
        assert_eq!(hint.contains("sticky sessions"), is_told, "{failure:?}");
        assert_eq!(failure.to_string(), format!("HTTP {}", status.as_u16()));
    }
}

#[tokio::test]
async fn a_stream_that_breaks_off_is_taken_up_again_where_it_stopped() {
    let resumed: Arc<Mutex<Option<String>>> = Arc::default();
    let noted = Arc::clone(&resumed);
    let handler = move |request: Request| {
        let noted = Arc::clone(&noted);
        async move {
            let (parts, body) = request.into_parts();
            let body = axum::body::to_bytes(body, usize::MAX).await.unwrap();
            let message: serde_json::Value = serde_json::from_slice(&body).unwrap_or_default();
            let events = |text: String| {
                let chunks = text
                    .into_bytes()
                    .chunks(3)
                    .map(Bytes::copy_from_slice)
                    .collect::<Vec<_>>();
                Response::builder()
                    .header(CONTENT_TYPE, "text/event-stream; charset=utf-8")
                    .body(Body::from_stream(
                        stream::iter(chunks).map(Ok::<_, Infallible>),
                    ))
                    .unwrap()
            };
            let last = parts
                .headers
                .get("last-event-id")
                .map(|id| id.to_str().unwrap().to_owned());
            match (parts.method.as_str(), last) {
                ("POST", _) if message["method"] == "tools/call" => {
                    *noted.lock().await = Some(message["id"].to_string());
                    events("id: e1\nretry: 10\ndata:\n\n".to_owned())
                }
                ("POST", _) => {
                    with_session(|_, _| plain(StatusCode::ACCEPTED, ""))(&parts.headers, &message)
                }
                ("GET", Some(last)) if last == "e1" => {
                    let id = noted.lock().await.clone().unwrap();
                    events(format!(
                        "id: e2\ndata: {{\"jsonrpc\":\"2.0\",\"id\":{id},\"result\":{{\"late\":true}}}}\n\n"
                    ))
                }
                _ => plain(StatusCode::METHOD_NOT_ALLOWED, ""),
            }
        }
    };
    let url = serve(Router::new().route("/mcp", any(handler))).await;
    let bench = Bench::new();
    let id = server("resume");
    bench.ready(&id, http(&url)).await;
    let report = bench
        .connections
        .request(&id, "x", "tools/call", &params(r#"{"name":"x"}"#))
        .await
        .unwrap();
    assert_eq!(report.end, RequestEnd::Result, "{report:?}");
    assert_eq!(bench.json(report.response_frame)["result"]["late"], true);
    bench.connections.shutdown().await;
}

#[tokio::test]
async fn a_call_waits_for_the_stream_on_which_its_question_comes() {
    let is_open = Arc::new(std::sync::atomic::AtomicBool::new(false));
    let opened = Arc::clone(&is_open);
    let handler = move |request: Request| {
        let opened = Arc::clone(&opened);
        async move {
            let (parts, body) = request.into_parts();
            let body = axum::body::to_bytes(body, usize::MAX).await.unwrap();
            let message: serde_json::Value = serde_json::from_slice(&body).unwrap_or_default();
            let script = with_session(move |_, message| {
                let is_heard = opened.load(std::sync::atomic::Ordering::SeqCst);
                json(serde_json::json!({
                    "jsonrpc": "2.0", "id": message["id"], "result": {"isHeard": is_heard},
                }))
            });
            Ok::<_, Infallible>(match parts.method.as_str() {
                "POST" => script(&parts.headers, &message),
                _ => plain(StatusCode::METHOD_NOT_ALLOWED, ""),
            })
        }
    };
    let listening = move || {
        let is_open = Arc::clone(&is_open);
        async move {
            tokio::time::sleep(std::time::Duration::from_millis(100)).await;
            is_open.store(true, std::sync::atomic::Ordering::SeqCst);
            Response::builder()
                .header(CONTENT_TYPE, "text/event-stream")
                .body(Body::from_stream(stream::pending::<
                    Result<Bytes, Infallible>,
                >()))
                .unwrap()
        }
    };
    let router = Router::new().route("/mcp", axum::routing::get(listening).fallback(handler));
    let url = serve(router).await;
    let bench = Bench::new();
    let id = server("stream");
    bench.ready(&id, http(&url)).await;
    let report = bench
        .connections
        .request(&id, "x", "tools/call", &params(r#"{"name":"x"}"#))
        .await
        .unwrap();
    assert_eq!(bench.json(report.response_frame)["result"]["isHeard"], true);
    bench.connections.shutdown().await;
}

#[tokio::test]
async fn an_answer_of_the_wrong_kind_fails_its_request_with_what_came() {
    let url = scripted(with_session(|_, _| plain(StatusCode::OK, "hello, human"))).await;
    let bench = Bench::new();
    let id = server("kind");
    bench.ready(&id, http(&url)).await;
    let report = bench
        .connections
        .request(&id, "x", "ping", &Params::empty())
        .await
        .unwrap();
    assert_eq!(report.end, RequestEnd::Refused);
    assert!(report.message.unwrap().contains("gave no answer"));
    bench.connections.shutdown().await;
}
