//! Faults of servers on a network: what a person sees of each, while another connection
//! goes on unharmed.

use std::io::Write;

use axum::{
    Router,
    http::{StatusCode, header},
    response::IntoResponse,
    routing::{any, post},
};
use futures::StreamExt;
use sightglass_connection::RequestEnd;
use sightglass_model::{
    Failure, FailureReport, HintAction, NetworkStage, RemoteTransport, ServerSpec,
};

use super::{over, peer};
use crate::support::{Bench, http, server};

/// Connects to a server with a fault and answers how that failed, having made sure that a
/// healthy connection still answers.
async fn failure_beside_a_healthy_one(spec: ServerSpec) -> FailureReport {
    let bench = Bench::new();
    let healthy = server("healthy");
    let url = peer::serve(peer::streamable()).await;
    bench.ready(&healthy, http(&format!("{url}/mcp"))).await;
    let failure = bench.failed(&server("faulty"), spec).await;
    let report = bench.call(&healthy, "echo", "{}").await;
    assert_eq!(report.end, RequestEnd::Result);
    bench.connections.shutdown().await;
    failure.into()
}

fn message_of(report: &FailureReport) -> &str {
    match &report.failure {
        Failure::Network { message, .. } => message,
        failure => panic!("{failure:?}"),
    }
}

#[tokio::test]
async fn a_server_that_wants_to_be_left_alone_says_for_how_long() {
    for (status, wait, words) in [
        (
            429,
            "17",
            "HTTP status 429 and asks to wait 17 s (Retry-After)",
        ),
        (
            503,
            "Wed, 21 Oct 2026 07:28:00 GMT",
            "asks to wait until Wed, 21 Oct 2026",
        ),
    ] {
        let headers: &'static [_] = Box::leak(Box::new([("retry-after", wait)]));
        let url = peer::serve(peer::always(status, headers, "busy")).await;
        let report = failure_beside_a_healthy_one(http(&url)).await;
        assert_eq!(report.reason, format!("HTTP {status}"));
        assert!(message_of(&report).contains(words), "{report:?}");
        assert_eq!(report.hint.action, HintAction::Reconnect);
    }
}

#[tokio::test]
async fn faults_of_the_servers_own_are_told_with_their_body() {
    for (status, words) in [
        (500, "The server itself failed"),
        (502, "a gateway or proxy answered"),
    ] {
        let url = peer::serve(peer::always(status, &[], "stack trace")).await;
        let report = failure_beside_a_healthy_one(http(&url)).await;
        assert_eq!(report.reason, format!("HTTP {status}"));
        let Failure::Network { body, .. } = &report.failure else {
            panic!("{report:?}");
        };
        assert_eq!(body.as_deref(), Some("stack trace"));
        assert!(report.hint.text.contains(words), "{report:?}");
    }
}

#[tokio::test]
async fn a_406_is_about_the_request_though_its_body_is_a_json_rpc_error() {
    let body = r#"{"jsonrpc":"2.0","error":{"code":-32000,"message":"Not Acceptable: Client must accept both application/json and text/event-stream"},"id":null}"#;
    let json = &[("content-type", "application/json")];
    let url = peer::serve(peer::always(406, json, body)).await;
    let report = failure_beside_a_healthy_one(over(RemoteTransport::Http, &url)).await;
    assert_eq!(report.reason, "HTTP 406");
    assert!(report.hint.text.contains("`Accept`"), "{report:?}");
}

#[tokio::test]
async fn cloudflare_is_named_by_the_headers_of_its_answer() {
    let headers = &[("server", "cloudflare")];
    let url = peer::serve(peer::always(403, headers, "error code: 1010")).await;
    let report = failure_beside_a_healthy_one(http(&url)).await;
    assert!(report.hint.text.contains("Cloudflare"), "{report:?}");
    let url = peer::serve(peer::always(403, headers, "not for you")).await;
    let report = failure_beside_a_healthy_one(http(&url)).await;
    assert!(!report.hint.text.contains("Cloudflare"), "{report:?}");
}

#[tokio::test]
async fn redirects_in_a_circle_and_to_other_origins_are_told() {
    let circle = peer::serve(peer::always(307, &[("location", "/again")], "")).await;
    let report = failure_beside_a_healthy_one(http(&circle)).await;
    assert!(message_of(&report).contains("in a circle"), "{report:?}");
    let away = [("location", "https://elsewhere.invalid/mcp")];
    let away: &'static [_] = Box::leak(Box::new(away));
    let url = peer::serve(peer::always(308, away, "")).await;
    let report = failure_beside_a_healthy_one(http(&url)).await;
    assert!(
        message_of(&report).contains("https://elsewhere.invalid/mcp"),
        "{report:?}"
    );
    assert_eq!(report.hint.action, HintAction::EditServer);
}

#[tokio::test]
async fn a_redirect_within_the_origin_is_followed_with_its_body() {
    let moved = any(|| async { (StatusCode::TEMPORARY_REDIRECT, [(header::LOCATION, "/mcp")]) });
    let url = peer::serve(peer::streamable().route("/old", moved)).await;
    let bench = Bench::new();
    let id = server("moved");
    bench.ready(&id, http(&format!("{url}/old"))).await;
    assert_eq!(bench.call(&id, "echo", "{}").await.end, RequestEnd::Result);
    let rows = super::recorded(&bench.recorder);
    assert!(
        rows.contains("POST /old") && rows.contains("POST /mcp"),
        "{rows}"
    );
    bench.connections.shutdown().await;
}

#[tokio::test]
async fn a_body_that_dawdles_runs_into_the_limit_of_its_phase() {
    for content_type in ["application/json", "text/event-stream"] {
        let url = peer::serve(peer::dawdling(content_type, "{\"jsonrpc\"")).await;
        let mut spec = over(RemoteTransport::Http, &url);
        spec.limits
            .phases
            .insert("initializing", std::time::Duration::from_millis(700));
        let report = failure_beside_a_healthy_one(spec).await;
        let Failure::TimedOut { unanswered, .. } = &report.failure else {
            panic!("{report:?}");
        };
        assert!(!unanswered.is_empty(), "the open request is named");
    }
}

#[tokio::test]
async fn a_stream_over_which_nothing_comes_is_told_apart_from_one_that_dawdles() {
    for (beginning, is_silent) in [("", true), (": ping\n\n", false)] {
        let url = peer::serve(peer::dawdling("text/event-stream", beginning)).await;
        for (transport, phase) in [
            (RemoteTransport::Http, "initializing"),
            (RemoteTransport::Sse, "connecting"),
        ] {
            let mut spec = over(transport, &url);
            spec.limits
                .phases
                .insert(phase, std::time::Duration::from_millis(700));
            let report = failure_beside_a_healthy_one(spec).await;
            let hint = &report.hint.text;
            assert_eq!(hint.contains("buffering"), is_silent, "{report:?}");
            assert!(!hint.contains("stdio"), "{hint}");
        }
    }
}

#[tokio::test]
async fn another_content_type_is_named_with_what_came() {
    let page = peer::always(
        200,
        &[("content-type", "text/html")],
        "<title>Sign in</title>",
    );
    let url = peer::serve(page).await;
    let report = failure_beside_a_healthy_one(http(&url)).await;
    assert!(message_of(&report).contains("text/html"), "{report:?}");
    let Failure::Network {
        stage: NetworkStage::Http,
        body,
        ..
    } = &report.failure
    else {
        panic!("{report:?}");
    };
    assert_eq!(body.as_deref(), Some("<title>Sign in</title>"));
}

#[tokio::test]
async fn a_body_that_is_compressed_unasked_is_read() {
    let router = Router::new().route(
        "/mcp",
        post(|text: String| async move {
            let Some(answer) = peer::answer(&text) else {
                return StatusCode::ACCEPTED.into_response();
            };
            let mut packed = flate2::write::GzEncoder::new(Vec::new(), Default::default());
            packed.write_all(answer.as_bytes()).unwrap();
            let headers = [
                (header::CONTENT_TYPE, "application/json"),
                (header::CONTENT_ENCODING, "gzip"),
            ];
            (headers, packed.finish().unwrap()).into_response()
        }),
    );
    let url = peer::serve(router).await;
    let bench = Bench::new();
    let id = server("gzip");
    bench.ready(&id, http(&format!("{url}/mcp"))).await;
    let report = bench.call(&id, "echo", "{}").await;
    assert_eq!(
        bench.json(report.response_frame)["result"]["content"][0]["text"],
        "heard"
    );
    bench.connections.shutdown().await;
}

#[tokio::test]
async fn an_answer_that_breaks_off_fails_its_call_alone() {
    let router = Router::new().route(
        "/mcp",
        post(|text: String| async move {
            if !text.contains("tools/call") {
                return peer::json_answer(&text);
            }
            let beginning = futures::stream::iter([Ok("data: {\"jsonrpc\":\"2.0\",")]);
            // The headers are there before the line is cut.
            let end = futures::stream::once(async {
                tokio::time::sleep(std::time::Duration::from_millis(200)).await;
                Err(std::io::Error::other("the line is cut"))
            });
            let body = axum::body::Body::from_stream(beginning.chain(end));
            ([(header::CONTENT_TYPE, "text/event-stream")], body).into_response()
        }),
    );
    let url = peer::serve(router).await;
    let bench = Bench::new();
    let (id, healthy) = (server("drops"), server("healthy"));
    bench.ready(&id, http(&format!("{url}/mcp"))).await;
    let other = peer::serve(peer::streamable()).await;
    bench.ready(&healthy, http(&format!("{other}/mcp"))).await;
    let report = bench.call(&id, "echo", "{}").await;
    assert_eq!(report.end, RequestEnd::ConnectionLost);
    let words = report.message.unwrap_or_default();
    assert!(words.contains("ended before the answer"), "{words}");
    assert_eq!(
        bench.call(&healthy, "echo", "{}").await.end,
        RequestEnd::Result
    );
    bench.connections.shutdown().await;
}
