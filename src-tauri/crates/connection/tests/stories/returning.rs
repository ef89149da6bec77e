//! Connections that are lost and come back, and the requests that wait for them.

use std::time::Duration;

use crate::support::{Bench, HttpDemo, demo, http, permitted, server};
use futures::future::join_all;
use sightglass_connection::{RequestEnd, RequestOutcome};
use sightglass_model::{ConnectionStatus, EraChoice, Failure, Phase, ServerId, ServerSpec};
use tokio::{
    io::{AsyncReadExt, AsyncWriteExt},
    net::TcpListener,
};

/// Answer of a server that wants to be left alone for two minutes.
const BUSY: &[u8] = b"HTTP/1.1 503 Busy\r\nRetry-After: 120\r\nContent-Length: 0\r\n\
    Connection: close\r\n\r\n";

/// A port that was free a moment ago.
fn free_port() -> String {
    let listener = std::net::TcpListener::bind("127.0.0.1:0").unwrap();
    listener.local_addr().unwrap().port().to_string()
}

async fn lost(bench: &Bench, id: &ServerId) -> ConnectionStatus {
    bench
        .status(id, |status| status.reconnection.is_some())
        .await
}

/// Connects to a demo server over HTTP and ends that server.
async fn lose(bench: &Bench, id: &ServerId, port: &str, era: EraChoice) -> ConnectionStatus {
    let demo = HttpDemo::start_on(port, &[]);
    let spec = ServerSpec {
        era,
        ..http(&demo.url)
    };
    bench.ready(id, spec).await;
    drop(demo);
    // Somebody has to look; what looks may be what waits afterwards.
    bench
        .connections
        .set_ping_interval(Some(Duration::from_millis(50)));
    lost(bench, id).await
}

async fn call(bench: &Bench, id: &ServerId, key: &str, params: &str) -> RequestOutcome {
    let params = crate::support::params(params);
    let request = bench.connections.request(id, key, "tools/call", &params);
    request.await.unwrap()
}

async fn echo(bench: &Bench, id: &ServerId, key: &str) -> RequestOutcome {
    let params = r#"{"name":"echo","arguments":{"message":"here again"}}"#;
    call(bench, id, key, params).await
}

#[tokio::test]
async fn a_server_that_comes_back_is_connected_again_and_answers_what_waited() {
    for era in [EraChoice::Legacy, EraChoice::Modern] {
        let bench = Bench::new();
        let id = server("returning");
        let port = free_port();
        let status = lose(&bench, &id, &port, era).await;
        let reconnection = status.reconnection.unwrap();
        assert_eq!(reconnection.attempt, 1);
        assert!(!reconnection.reason.is_empty());
        let back = async {
            bench
                .status(&id, |status| {
                    let reconnection = status.reconnection.as_ref();
                    reconnection.is_some_and(|reconnection| reconnection.waiting == 1)
                })
                .await;
            HttpDemo::start_on(&port, &[])
        };
        let (report, demo) = tokio::join!(echo(&bench, &id, "waits"), back);
        assert_eq!(report.end, RequestEnd::Result, "{report:?}");
        let status = bench
            .status(&id, |status| status.phase == Phase::Ready)
            .await;
        assert_eq!(status.reconnection, None);
        assert_eq!(status.failure, None);
        bench.connections.shutdown().await;
        drop(demo);
    }
}

#[tokio::test]
async fn a_server_that_asks_to_be_left_alone_is_not_tried_before() {
    let bench = Bench::new();
    let id = server("busy");
    let port = free_port();
    lose(&bench, &id, &port, EraChoice::Legacy).await;
    let listener = TcpListener::bind(format!("127.0.0.1:{port}"))
        .await
        .unwrap();
    let busy = tokio::spawn(async move {
        while let Ok((mut stream, _)) = listener.accept().await {
            let mut request = [0; 16 * 1024];
            // What matters is what it gets.
            let _ = stream.read(&mut request).await;
            let _ = stream.write_all(BUSY).await;
        }
    });
    let status = bench
        .status(&id, |status| {
            let reconnection = status.reconnection.as_ref();
            reconnection.is_some_and(|next| next.attempt >= 2 && next.next_try.is_some())
        })
        .await;
    let begun = status.timeline.first().unwrap().started;
    let next = status.reconnection.unwrap().next_try.unwrap();
    // By itself it would be a matter of seconds.
    let wait = next.since(begun);
    assert!(wait >= Duration::from_secs(100), "{wait:?}");
    bench.connections.shutdown().await;
    busy.abort();
}

#[tokio::test]
async fn a_person_has_the_next_try_now_or_none_at_all() {
    let bench = Bench::new();
    let id = server("gone");
    let port = free_port();
    lose(&bench, &id, &port, EraChoice::Legacy).await;

    let demo = HttpDemo::start_on(&port, &[]);
    let spec = ServerSpec {
        era: EraChoice::Modern,
        ..http(&demo.url)
    };
    bench
        .status(&id, |status| {
            status
                .reconnection
                .as_ref()
                .is_some_and(|reconnection| reconnection.next_try.is_some())
                || status.phase == Phase::Ready
        })
        .await;
    bench.connections.connect(id.clone(), permitted(spec));
    bench
        .status(&id, |status| status.phase == Phase::Ready)
        .await;
    drop(demo);

    lost(&bench, &id).await;
    let waits = async {
        let report = echo(&bench, &id, "waits").await;
        assert_eq!(report.end, RequestEnd::ConnectionLost);
    };
    let stop = async {
        bench
            .status(&id, |status| {
                let reconnection = status.reconnection.as_ref();
                reconnection.is_some_and(|reconnection| reconnection.waiting == 1)
            })
            .await;
        bench.connections.disconnect(&id).await;
    };
    tokio::join!(waits, stop);
    let status = bench.connections.status(&id).unwrap();
    assert_eq!(status.reconnection, None);
    assert!(status.phase.is_at_rest(), "{:?}", status.phase);
}

#[tokio::test]
async fn a_hundred_requests_wait_and_each_can_be_cancelled() {
    let bench = Bench::new();
    let id = server("waited for");
    lose(&bench, &id, &free_port(), EraChoice::Legacy).await;
    let keys: Vec<String> = (0..100).map(|number| number.to_string()).collect();
    let waiting = join_all(keys.iter().map(|key| echo(&bench, &id, key)));
    let others = async {
        bench
            .status(&id, |status| {
                let reconnection = status.reconnection.as_ref();
                reconnection.is_some_and(|reconnection| reconnection.waiting == 100)
            })
            .await;
        let report = echo(&bench, &id, "one too many").await;
        assert_eq!(report.end, RequestEnd::ConnectionLost);
        let message = report.message.unwrap();
        assert!(message.starts_with("network error"), "{message}");
        for key in &keys {
            assert!(bench.connections.cancel(&id, key), "{key}");
        }
    };
    let (reports, ()) = tokio::join!(waiting, others);
    for report in reports {
        assert_eq!(report.end, RequestEnd::Cancelled);
        assert_eq!(report.request_frame, None, "it was never sent");
    }
    bench.connections.shutdown().await;
}

#[tokio::test]
async fn ten_requests_run_at_once_and_the_next_waits_for_its_turn() {
    let bench = Bench::new();
    let id = server("busy");
    bench.ready(&id, demo(&[])).await;
    let keys: Vec<String> = (0..11).map(|number| format!("hang {number}")).collect();
    let hang = r#"{"name":"hang","arguments":{}}"#;
    let hanging = join_all(keys.iter().map(|key| call(&bench, &id, key, hang)));
    let others = async {
        // All eleven have had their first moment before this one.
        assert!(
            bench.connections.cancel(&id, "hang 10"),
            "the eleventh is in the queue"
        );
        let queued = echo(&bench, &id, "queued");
        let make_room = async {
            tokio::task::yield_now().await;
            assert!(bench.connections.cancel(&id, "hang 0"));
        };
        let (report, ()) = tokio::join!(queued, make_room);
        assert_eq!(report.end, RequestEnd::Result);
        for key in &keys[1..10] {
            assert!(bench.connections.cancel(&id, key));
        }
    };
    let (reports, ()) = tokio::join!(hanging, others);
    assert!(
        reports
            .iter()
            .all(|report| report.end == RequestEnd::Cancelled)
    );
    assert_eq!(reports[10].request_frame, None, "it was never sent");
    bench.connections.shutdown().await;
}

#[tokio::test]
async fn a_session_that_expired_is_renewed_and_the_request_that_met_it_is_sent_again() {
    let demo = HttpDemo::start(&[]);
    let bench = Bench::new();
    let id = server("forgotten");
    let spec = ServerSpec {
        era: EraChoice::Legacy,
        ..http(&demo.url)
    };
    let before = bench.ready(&id, spec).await;
    bench.call(&id, "expire_session", "{}").await;
    let report = echo(&bench, &id, "meets it").await;
    assert_eq!(report.end, RequestEnd::Result, "{report:?}");
    let status = bench
        .status(&id, |status| status.phase == Phase::Ready)
        .await;
    assert_eq!(
        status.connection, before.connection,
        "it is the same connection"
    );
    let renewed = status
        .timeline
        .iter()
        .filter(|record| record.phase == Phase::Connecting)
        .filter_map(|record| record.detail.as_deref())
        .any(|detail| detail.contains("no longer knows the session"));
    assert!(renewed, "{:#?}", status.timeline);
    bench.connections.shutdown().await;
}

#[tokio::test]
async fn a_program_that_keeps_ending_is_given_up_with_its_explanation() {
    let bench = Bench::new();
    let id = server("fragile");
    bench.ready(&id, demo(&[])).await;
    for attempt in [Some(1), Some(2), None] {
        bench
            .status(&id, |status| status.phase == Phase::Ready)
            .await;
        bench.call(&id, "crash", r#"{"exit_code":7}"#).await;
        let status = bench
            .status(&id, |status| status.phase == Phase::Failed)
            .await;
        let next = status.reconnection.map(|reconnection| reconnection.attempt);
        assert_eq!(next, attempt);
        let Failure::Exited { code, stderr, .. } = status.failure.unwrap().failure else {
            panic!("it exited");
        };
        assert_eq!(code, Some(7));
        assert!(stderr.iter().any(|line| line.contains("asked to crash")));
    }
    let report = bench
        .connections
        .request(
            &id,
            "late",
            "tools/call",
            &crate::support::params(r#"{"name":"echo"}"#),
        )
        .await;
    assert!(report.is_err(), "there is nothing to wait for");
}

#[tokio::test]
async fn an_idle_connection_is_pinged_in_both_eras() {
    for era in ["legacy", "modern"] {
        let bench = Bench::new();
        bench
            .connections
            .set_ping_interval(Some(Duration::from_millis(20)));
        let id = server(era);
        bench.ready(&id, demo(&["--era", era])).await;
        let status = bench
            .status(&id, |status| {
                let health = status.health.as_ref();
                health.is_some_and(|health| health.round_trip.is_some())
            })
            .await;
        assert_eq!(status.health.unwrap().missed, 0);
        bench.connections.shutdown().await;
    }
}
