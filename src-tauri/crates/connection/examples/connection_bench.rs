//! Measures connections against a bare rmcp client on the same server.
//!
//! ```text
//! cargo build --release --package sightglass-demo-server
//! cargo run --release --package sightglass-connection --example connection_bench
//! ```

#![allow(
    clippy::disallowed_methods,
    reason = "the bare client that is compared against starts its own server"
)]

use std::{
    collections::BTreeMap,
    path::PathBuf,
    process::Stdio,
    sync::{Arc, Mutex},
    time::{Duration, Instant},
};

use rmcp::{RoleClient, ServiceExt, model::CallToolRequestParams, service::RunningService};
use sightglass_connection::{
    ClientIdentity, ConnectionEvent, Connections, ConnectionsOptions, DEFAULT_MESSAGE_LIMIT,
    ListKind, Params, ReaperCommand, RequestEnd, run_reaper,
};
use sightglass_model::{
    Endpoint, EraChoice, PermittedSpec, Phase, ServerId, ServerRules, ServerSpec, TimeLimits,
};
use sightglass_traffic::{Recorder, RecorderOptions};
use tokio::sync::watch;

const CALLS: usize = 3000;
const NOTIFICATIONS: u32 = 100_000;
/// The argument on which this program is its own reaper.
const REAPER: &str = "reaper";

type Failed = Box<dyn std::error::Error>;

struct Bench {
    connections: Connections,
    recorder: Recorder,
    changes: watch::Receiver<u64>,
    failures: Arc<Mutex<Vec<String>>>,
    _directory: tempfile::TempDir,
}

impl Bench {
    fn new() -> Result<Self, Failed> {
        let directory = tempfile::tempdir()?;
        let recorder = Recorder::open(RecorderOptions::in_directory(directory.path()));
        let (sender, changes) = watch::channel(0);
        let failures: Arc<Mutex<Vec<String>>> = Arc::default();
        let noted = Arc::clone(&failures);
        let connections = Connections::new(ConnectionsOptions {
            recorder: recorder.clone(),
            client: ClientIdentity {
                name: "bench".to_owned(),
                title: None,
                version: "0".to_owned(),
            },
            message_limit: DEFAULT_MESSAGE_LIMIT,
            roots: Arc::new(|_| Vec::new()),
            rules: Vec::new(),
            lists: ListKind::ALL.to_vec(),
            reaper: Some(ReaperCommand {
                program: std::env::current_exe()?,
                arguments: vec![REAPER.into()],
            }),
            proxies: Arc::default(),
            found: Default::default(),
        });
        connections.subscribe_events(Arc::new(move |event: &ConnectionEvent| {
            if let ConnectionEvent::Status { status, .. } = event
                && let (Some(failure), Ok(mut noted)) = (&status.failure, noted.lock())
            {
                noted.push(failure.reason.clone());
            }
            sender.send_modify(|count| *count += 1);
        }));
        Ok(Self {
            connections,
            recorder,
            changes,
            failures,
            _directory: directory,
        })
    }

    async fn ready(&self, servers: &[ServerId]) -> Result<(), Failed> {
        let mut changes = self.changes.clone();
        loop {
            let ready = |server: &ServerId| {
                let status = self.connections.status(server);
                status.is_some_and(|status| status.phase == Phase::Ready)
            };
            if servers.iter().all(ready) {
                return Ok(());
            }
            if let Some(failure) = self
                .failures
                .lock()
                .ok()
                .and_then(|mut failures| failures.pop())
            {
                return Err(failure.into());
            }
            changes.changed().await?;
        }
    }

    async fn connect(&self, name: &str, spec: ServerSpec) -> Result<(ServerId, Duration), Failed> {
        let server = ServerId::new("bench", name);
        let started = Instant::now();
        self.connections.connect(server.clone(), permitted(spec)?);
        self.ready(std::slice::from_ref(&server)).await?;
        Ok((server, started.elapsed()))
    }

    async fn call(
        &self,
        server: &ServerId,
        tool: &str,
        arguments: &str,
    ) -> Result<Duration, Failed> {
        let params = Params::tool_call(tool, &Params::parse(arguments)?);
        let started = Instant::now();
        let report = self
            .connections
            .request(server, "bench", "tools/call", &params)
            .await?;
        if report.end != RequestEnd::Result {
            return Err(format!("{tool} ended with {report:?}").into());
        }
        Ok(started.elapsed())
    }
}

fn program() -> Result<PathBuf, Failed> {
    let directory = std::env::current_exe()?;
    let directory = directory.parent().and_then(|examples| examples.parent());
    let name = format!("sightglass-demo-server{}", std::env::consts::EXE_SUFFIX);
    Ok(directory.ok_or("no target directory")?.join(name))
}

/// Rules that refuse nothing.
struct NoRules;

impl ServerRules for NoRules {
    fn refusal_of(&self, _: &ServerSpec) -> Option<String> {
        None
    }
}

fn permitted(spec: ServerSpec) -> Result<PermittedSpec, Failed> {
    Ok(PermittedSpec::judged(spec, Arc::new(NoRules))?)
}

fn spec(arguments: &[&str]) -> Result<ServerSpec, Failed> {
    Ok(ServerSpec {
        name: "bench".to_owned(),
        endpoint: Endpoint::Stdio {
            command: program()?.to_string_lossy().into_owned(),
            arguments: arguments
                .iter()
                .map(|argument| (*argument).to_owned())
                .collect(),
            environment: BTreeMap::new(),
            working_directory: None,
        },
        era: EraChoice::Auto,
        limits: TimeLimits::default(),
        client: Default::default(),
        is_recorded: true,
        expanded: Vec::new(),
        references: Vec::new(),
    })
}

async fn bare(
    arguments: &[&str],
) -> Result<(RunningService<RoleClient, ()>, tokio::process::Child), Failed> {
    let mut child = tokio::process::Command::new(program()?)
        .args(arguments)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::null())
        .kill_on_drop(true)
        .spawn()?;
    let (stdout, stdin) = child
        .stdout
        .take()
        .zip(child.stdin.take())
        .ok_or("no pipes")?;
    Ok((().serve((stdout, stdin)).await?, child))
}

async fn bare_call(client: &RunningService<RoleClient, ()>) -> Result<Duration, Failed> {
    let mut arguments = serde_json::Map::new();
    arguments.insert("message".to_owned(), "hello".into());
    let started = Instant::now();
    client
        .call_tool(CallToolRequestParams::new("echo").with_arguments(arguments))
        .await?;
    Ok(started.elapsed())
}

fn percentile(times: &mut [Duration], percent: usize) -> f64 {
    times.sort_unstable();
    times[(times.len() - 1) * percent / 100].as_secs_f64() * 1e6
}

fn row(name: &str, value: f64, unit: &str) {
    println!("{name:<52} {value:>10.1} {unit}");
}

fn milliseconds(duration: Duration) -> f64 {
    duration.as_secs_f64() * 1e3
}

async fn echo() -> Result<(), Failed> {
    let bench = Bench::new()?;
    let (server, _) = bench
        .connect(
            "echo",
            ServerSpec {
                era: EraChoice::Legacy,
                ..spec(&["--load"])?
            },
        )
        .await?;
    let (client, _child) = bare(&["--load"]).await?;
    let (mut ours, mut theirs) = (Vec::new(), Vec::new());
    // In turns, so that whatever else the machine does falls on both.
    for _ in 0..CALLS / 100 {
        for _ in 0..100 {
            ours.push(
                bench
                    .call(&server, "echo", r#"{"message":"hello"}"#)
                    .await?,
            );
        }
        for _ in 0..100 {
            theirs.push(bare_call(&client).await?);
        }
    }
    let (our_median, their_median) = (percentile(&mut ours, 50), percentile(&mut theirs, 50));
    row("echo p50", our_median, "µs");
    row("echo p50, bare rmcp", their_median, "µs");
    row("echo p50, ratio", our_median / their_median, "×");
    row("echo p99", percentile(&mut ours, 99), "µs");
    row("echo p99, bare rmcp", percentile(&mut theirs, 99), "µs");
    bench.connections.shutdown().await;
    client.cancel().await?;
    Ok(())
}

async fn lists() -> Result<(), Failed> {
    for (name, page) in [("one page", "0"), ("pages of 100", "100")] {
        let arguments = ["--load", "--tools", "10000", "--page-size", page];
        let (client, _child) = bare(&arguments).await?;
        let started = Instant::now();
        let count = client.list_all_tools().await?.len();
        row(
            &format!("list {count} tools, {name}, bare rmcp (listing alone)"),
            milliseconds(started.elapsed()),
            "ms",
        );
        client.cancel().await?;
        let bench = Bench::new()?;
        let (server, elapsed) = bench.connect("lists", spec(&arguments)?).await?;
        row(
            &format!("connect + list {count} tools, {name}"),
            milliseconds(elapsed),
            "ms",
        );
        let started = Instant::now();
        let window = bench
            .connections
            .items(&server, ListKind::Tools, "99", 0, 50)?;
        row(
            &format!("filter {} tools ({} match)", window.total, window.matched),
            milliseconds(started.elapsed()),
            "ms",
        );
        bench.connections.shutdown().await;
    }
    Ok(())
}

async fn flood() -> Result<(), Failed> {
    let bench = Bench::new()?;
    let (server, _) = bench.connect("flood", spec(&["--load"])?).await?;
    let before = bench.recorder.state().frames;
    let elapsed = bench
        .call(
            &server,
            "log_burst",
            &format!(r#"{{"count":{NOTIFICATIONS}}}"#),
        )
        .await?;
    // The call itself is two messages and two changes of phase.
    let recorded = bench.recorder.state().frames - before;
    row("drain 100,000 notifications", milliseconds(elapsed), "ms");
    row(
        "lost",
        f64::from(NOTIFICATIONS) - f64::from(recorded.min(NOTIFICATIONS)),
        "",
    );
    bench.connections.shutdown().await;
    Ok(())
}

async fn big() -> Result<(), Failed> {
    for megabytes in [10, 50] {
        let bench = Bench::new()?;
        let (server, _) = bench.connect("big", spec(&["--load"])?).await?;
        let elapsed = bench
            .call(
                &server,
                "big_result",
                &format!(r#"{{"megabytes":{megabytes}}}"#),
            )
            .await?;
        row(
            &format!("result of {megabytes} MB"),
            milliseconds(elapsed),
            "ms",
        );
        bench.connections.shutdown().await;
    }
    Ok(())
}

async fn many() -> Result<(), Failed> {
    let arguments = ["--load", "--tools", "20"];
    let started = Instant::now();
    let clients = futures::future::join_all((0..50).map(|_| bare(&arguments))).await;
    row(
        "50 servers, handshake alone, bare rmcp",
        milliseconds(started.elapsed()),
        "ms",
    );
    drop(clients);
    let bench = Bench::new()?;
    let servers: Vec<ServerId> = (0..50)
        .map(|number| ServerId::new("bench", &number.to_string()))
        .collect();
    let started = Instant::now();
    for server in &servers {
        bench
            .connections
            .connect(server.clone(), permitted(spec(&arguments)?)?);
    }
    bench.ready(&servers).await?;
    row("50 servers ready", milliseconds(started.elapsed()), "ms");
    let started = Instant::now();
    bench.connections.shutdown().await;
    row("50 servers closed", milliseconds(started.elapsed()), "ms");
    Ok(())
}

/// Runs the parts that are named, or all: `echo lists flood big many`.
#[tokio::main]
async fn main() -> Result<(), Failed> {
    let named: Vec<String> = std::env::args().skip(1).collect();
    if named.iter().any(|name| name == REAPER) {
        return Ok(run_reaper()?);
    }
    let wanted = |part: &str| named.is_empty() || named.iter().any(|name| name == part);
    if wanted("echo") {
        echo().await?;
    }
    if wanted("lists") {
        lists().await?;
    }
    if wanted("flood") {
        flood().await?;
    }
    if wanted("big") {
        big().await?;
    }
    if wanted("many") {
        many().await?;
    }
    Ok(())
}
