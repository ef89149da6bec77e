//! A server that goes on after the user has disconnected it.

use std::{fs, path::Path, sync::Arc};

use serde_json::{Value, json};
use sightglass_inspector::{Phase, ServerId};
use sightglass_tests::{
    TestHost,
    programs::{self, Listening},
};
use tempfile::TempDir;
use tokio::task::JoinHandle;

fn has_noted(log: &Path, wanted: &str) -> bool {
    fs::read_to_string(log).is_ok_and(|text| text.lines().any(|line| line == wanted))
}

fn process(log: &Path) -> libc::pid_t {
    let text = fs::read_to_string(log).expect("a log");
    let line = text.lines().find_map(|line| line.strip_prefix("pid "));
    line.and_then(|number| number.parse().ok()).expect("a pid")
}

fn is_running(process: libc::pid_t) -> bool {
    // SAFETY: signal 0 only asks whether the process is there.
    unsafe { libc::kill(process, 0) == 0 }
}

/// Connects to a server that floods, and disconnects it when it is at it. Gives back how many
/// frames were on record then.
async fn disconnected_in_the_flood(host: &TestHost, server: &ServerId) -> u32 {
    host.connect(server).await;
    host.call(server, "flood", "{}").await;
    disconnected(host, server).await
}

/// Disconnects a server when it is flooding, and gives back how many frames were on record then.
async fn disconnected(host: &TestHost, server: &ServerId) -> u32 {
    host.eventually("the flood", || {
        let snapshot = host.inspector.snapshot();
        (snapshot.recording.frames > 200 && !snapshot.questions.is_empty()).then_some(())
    })
    .await;
    host.inspector
        .servers
        .open_connections
        .disconnect(server)
        .await;
    let snapshot = host.inspector.snapshot();
    assert!(snapshot.questions.is_empty(), "its questions are withdrawn");
    snapshot.recording.frames
}

/// Holds that nothing more came from a server that was cut off since.
fn is_silent(host: &TestHost, server: &ServerId, frames: u32) {
    let snapshot = host.inspector.snapshot();
    assert_eq!(
        host.inspector.servers.open_connections.status(server).phase,
        Phase::Disconnected
    );
    assert!(snapshot.questions.is_empty(), "{:?}", snapshot.questions);
    assert_eq!(snapshot.recording.frames, frames);
}

/// Holds that the server met the end of its connection, and that nothing more came of it.
async fn cut_off(host: &TestHost, server: &ServerId, frames: u32, log: &Path) {
    host.eventually("the end of its connection", || {
        has_noted(log, "closed").then_some(())
    })
    .await;
    is_silent(host, server, frames);
}

async fn silenced(entry: Value, log: &Path) {
    let host = TestHost::with_servers(json!({ "hostile": entry }));
    let server = TestHost::id("hostile");
    let frames = disconnected_in_the_flood(&host, &server).await;
    cut_off(&host, &server, frames, log).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_program_that_floods_and_ignores_all_signals_is_silenced_and_killed() {
    let directory = TempDir::new().expect("a directory");
    let log = directory.path().join("log");
    let host = TestHost::with_servers(json!({ "hostile": programs::hostile(&log, 0) }));
    let server = TestHost::id("hostile");
    let frames = disconnected_in_the_flood(&host, &server).await;
    assert!(has_noted(&log, "SIGTERM"), "it was asked first");
    assert!(!is_running(process(&log)));
    is_silent(&host, &server, frames);
    let dropped = host
        .traffic("messages came after the connection ended", &[])
        .await;
    assert_eq!(dropped.len(), 1, "it is said how many: {dropped:?}");
}

#[tokio::test(flavor = "multi_thread")]
async fn the_stream_of_a_server_over_server_sent_events_is_cut() {
    let directory = TempDir::new().expect("a directory");
    let log = directory.path().join("log");
    let server = programs::hostile_over("sse", &log);
    silenced(json!({ "type": "sse", "url": server.url }), &log).await;
}

/// A host that reaches the server over Streamable HTTP, connected.
async fn over_http(transport: &str, log: &Path) -> (TestHost, ServerId, Listening) {
    let listening = programs::hostile_over(transport, log);
    let entry = json!({ "type": "http", "url": listening.url });
    let host = TestHost::with_servers(json!({ "hostile": entry }));
    let server = TestHost::id("hostile");
    host.connect(&server).await;
    (host, server, listening)
}

/// Begins a call that ends with the connection, if not before.
fn calling(host: &TestHost, server: &ServerId, tool: &'static str) -> JoinHandle<()> {
    let (inspector, server) = (Arc::clone(&host.inspector), server.clone());
    tokio::spawn(async move {
        let _ = inspector
            .calls
            .requests
            .call_tool(&server, "call", tool, "{}", None, None)
            .await;
    })
}

#[tokio::test(flavor = "multi_thread")]
async fn the_response_of_a_call_over_http_that_never_ends_is_cut() {
    let directory = TempDir::new().expect("a directory");
    let log = directory.path().join("log");
    let (host, server, _listening) = over_http("http", &log).await;
    let call = calling(&host, &server, "flood");
    let frames = disconnected(&host, &server).await;
    cut_off(&host, &server, frames, &log).await;
    call.await.expect("the call ends with the connection");
}

#[tokio::test(flavor = "multi_thread")]
async fn the_response_to_a_cancellation_over_http_that_never_ends_is_heard_and_cut() {
    let directory = TempDir::new().expect("a directory");
    let log = directory.path().join("log");
    let (host, server, _listening) = over_http("http", &log).await;
    let call = calling(&host, &server, "silence");
    host.eventually("the call", || has_noted(&log, "called").then_some(()))
        .await;
    assert!(host.inspector.calls.requests.cancel_call(&server, "call"));
    call.await.expect("it is cancelled");
    let frames = disconnected(&host, &server).await;
    cut_off(&host, &server, frames, &log).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn the_response_to_initialized_that_never_ends_holds_nothing_up_and_is_cut() {
    let directory = TempDir::new().expect("a directory");
    let log = directory.path().join("log");
    // Were the end of the response awaited, it would fail at a limit.
    let (host, server, _listening) = over_http("http-initialized", &log).await;
    let frames = disconnected(&host, &server).await;
    cut_off(&host, &server, frames, &log).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_web_socket_whose_server_ignores_our_close_is_cut() {
    let directory = TempDir::new().expect("a directory");
    let log = directory.path().join("log");
    let server = programs::hostile_over("ws", &log);
    silenced(json!({ "type": "ws", "url": server.url }), &log).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_clean_up_limit_ends_the_waiting_and_not_the_killing() {
    let directory = TempDir::new().expect("a directory");
    let log = directory.path().join("log");
    let mut entry = programs::hostile(&log, 0);
    entry["phase_timeouts"] = json!({ "cleaning_up": 0.1 });
    let host = TestHost::with_servers(json!({ "hostile": entry }));
    let server = TestHost::id("hostile");
    host.connect(&server).await;
    host.inspector
        .servers
        .open_connections
        .disconnect(&server)
        .await;
    assert_eq!(
        host.inspector
            .servers
            .open_connections
            .status(&server)
            .phase,
        Phase::Disconnected
    );
    let process = process(&log);
    assert!(is_running(process), "it withstands everything but the kill");
    host.eventually("its end", || (!is_running(process)).then_some(()))
        .await;
    let said = host.traffic("continues in the background", &[]).await;
    assert_eq!(said.len(), 1);
}
