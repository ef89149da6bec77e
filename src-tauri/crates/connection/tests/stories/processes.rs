//! Nothing outlives its connection.
#![allow(clippy::disallowed_methods, reason = "a test ends what it starts")]

use std::{
    cell::Cell,
    io::{BufRead, BufReader},
    process::{Command, Stdio},
    time::Duration,
};

use crate::support::{Bench, Settings, demo, server};
use sightglass_connection::{ReaperCommand, prepare_to_start_processes, run_reaper};

fn group_is_alive(leader: u32) -> bool {
    // SAFETY: signal 0 only asks whether the group exists.
    unsafe { libc::kill(-i32::try_from(leader).unwrap(), 0) == 0 }
}

async fn gone(leader: u32) -> bool {
    for _ in 0..600 {
        if !group_is_alive(leader) {
            return true;
        }
        tokio::time::sleep(Duration::from_millis(50)).await;
    }
    false
}

#[tokio::test]
async fn disconnecting_ends_a_server_that_ignores_every_polite_request_and_its_children() {
    let bench = Bench::new();
    let id = server("stubborn");
    let spec = demo(&["--ignore-eof", "--ignore-sigterm", "--fork-child"]);
    let status = bench.ready(&id, spec).await;
    let leader = status.handshake.unwrap().process.unwrap();
    assert!(group_is_alive(leader));
    bench.connections.disconnect(&id).await;
    assert!(gone(leader).await);
}

#[tokio::test]
async fn whoever_disconnects_a_server_that_is_ending_already_waits_for_its_end_too() {
    let bench = Bench::new();
    let id = server("slow end");
    bench
        .ready(&id, demo(&["--ignore-eof", "--ignore-sigterm"]))
        .await;
    let has_ended = Cell::new(false);
    let first = async {
        bench.connections.disconnect(&id).await;
        has_ended.set(true);
    };
    let second = async {
        tokio::time::sleep(Duration::from_millis(10)).await;
        assert!(!has_ended.get(), "it ends slowly");
        bench.connections.disconnect(&id).await;
        assert!(has_ended.get());
    };
    tokio::join!(first, second);
}

#[tokio::test]
async fn a_crash_leaves_no_grandchild_behind() {
    let bench = Bench::new();
    let id = server("crash");
    let status = bench.ready(&id, demo(&["--fork-child"])).await;
    let leader = status.handshake.unwrap().process.unwrap();
    bench.call(&id, "crash", "{}").await;
    assert!(gone(leader).await);
}

/// This test binary as another program: runs one of the ignored tests below.
fn myself(part: &str) -> Vec<std::ffi::OsString> {
    let part = format!("processes::{part}");
    ["--exact", &part, "--ignored", "--nocapture"]
        .iter()
        .map(Into::into)
        .collect()
}

#[tokio::test]
async fn killing_the_program_ends_its_servers_and_what_they_started() {
    let mut program = Command::new(std::env::current_exe().unwrap())
        .args(myself("as_the_program_that_is_killed"))
        .stdout(Stdio::piped())
        .spawn()
        .unwrap();
    let mut lines = BufReader::new(program.stdout.take().unwrap()).lines();
    let leader: u32 = loop {
        let line = lines.next().unwrap().unwrap();
        if let Some((_, number)) = line.split_once("leader ") {
            break number.trim().parse().unwrap();
        }
    };
    assert!(group_is_alive(leader));
    program.kill().unwrap();
    program.wait().unwrap();
    assert!(gone(leader).await);
}

#[tokio::test]
#[ignore = "a part of killing_the_program_ends_its_servers_and_what_they_started"]
async fn as_the_program_that_is_killed() {
    let reaper = ReaperCommand {
        program: std::env::current_exe().unwrap(),
        arguments: myself("as_the_reaper"),
    };
    let bench = Bench::with(Settings {
        reaper: Some(reaper),
        ..Default::default()
    });
    let spec = demo(&["--ignore-sigterm", "--ignore-eof", "--fork-child"]);
    let status = bench.ready(&server("victim"), spec).await;
    println!("leader {}", status.handshake.unwrap().process.unwrap());
    tokio::time::sleep(Duration::from_secs(60)).await;
}

#[test]
#[ignore = "a part of killing_the_program_ends_its_servers_and_what_they_started"]
fn as_the_reaper() {
    run_reaper().unwrap();
}

#[tokio::test]
async fn what_the_program_set_for_itself_no_server_inherits() {
    const OWN: &str = "CARGO_PKG_NAME";
    assert!(std::env::var_os(OWN).is_some(), "cargo sets it");
    prepare_to_start_processes(vec![OWN]);
    let bench = Bench::new();
    let id = server("environment");
    bench.ready(&id, demo(&[])).await;
    let report = bench.call(&id, "environment", "{}").await;
    let answer = bench.json(report.response_frame).to_string();
    assert!(answer.contains("\"PATH\""), "{answer}");
    assert!(!answer.contains(OWN), "{answer}");
}
