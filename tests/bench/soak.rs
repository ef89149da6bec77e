//! Half an hour of work, or as long as was asked for, of many servers that send messages without
//! end and break off: memory and open files stay flat, and the record is searched meanwhile.

use std::{
    fs,
    time::{Duration, Instant},
};

use serde_json::{Value, json};
use sightglass_inspector::{Phase, ServerId, TrafficQuery};
use sightglass_tests::window::{Process, processes};

use crate::{
    figures::{Aim, Figures},
    host::Host,
    setting::{Outcome, Setting},
    statistics::{largest, median},
};

/// Servers that work at the same time.
const SERVERS: usize = 100;

/// Calls to each between two drops.
const CALLS: usize = 20;

/// Messages of each between two drops: a million of each in fifty rounds.
const MESSAGES: usize = 20_000;

/// Resources that the application holds, sampled once a round.
#[derive(Debug, Clone, Copy)]
struct Held {
    megabytes: f64,
    files: f64,
    threads: f64,
}

pub async fn measure(setting: &Setting, figures: &mut Figures) -> Outcome {
    let names: Vec<String> = (0..SERVERS)
        .map(|number| format!("server {number}"))
        .collect();
    let servers: Vec<ServerId> = names
        .iter()
        .map(|name| ServerId::new("mcp-json", name))
        .collect();
    let configured = names
        .iter()
        .map(|name| (name.clone(), setting.load_server(100, 100)))
        .collect();
    let host = Host::open(Value::Object(configured))?;
    let until = Instant::now() + setting.soak;
    let mut held = Vec::new();
    let mut calls = 0_usize;
    let mut drops = 0_usize;
    let mut searching = Vec::new();
    while Instant::now() < until {
        host.connect(&servers).await?;
        for call in 0..CALLS {
            let message = format!("message {call}");
            calls += call_all(&host, &servers, "echo", json!({ "message": message })).await?;
        }
        calls += call_all(&host, &servers, "log_burst", json!({ "count": MESSAGES })).await?;
        searching.push(search(&host, held.len()).await?);
        held.push(Held::now()?);
        drops += drop_all(&host, setting, &servers).await?;
    }
    host.inspector.shutdown().await;

    // What fills once (caches, the record's own buffers) is full after the first third.
    let (early, late) = (
        &held[held.len() / 3..held.len() * 2 / 3],
        &held[held.len() * 2 / 3..],
    );
    if early.is_empty() || late.is_empty() {
        return Err("too few rounds to compare: let it run longer".into());
    }
    let growth = |of: fn(&Held) -> f64| {
        let middle = |part: &[Held]| median(&part.iter().map(of).collect::<Vec<f64>>());
        middle(late) - middle(early)
    };
    #[expect(clippy::cast_precision_loss, reason = "counts fit 53 bits")]
    {
        let messages = held.len() * MESSAGES;
        let name = "soak_messages_of_each_count";
        figures.add(name, messages as f64, Aim::Reference);
        figures.add("soak_calls_count", calls as f64, Aim::Reference);
        figures.add("soak_drops_count", drops as f64, Aim::Reference);
    }
    figures.add("soak_search_ms", largest(&searching), Aim::Reference);
    let last = late[late.len() - 1];
    figures.add("soak_memory_mb", last.megabytes, Aim::Reference);
    figures.add(
        "soak_memory_growth_mb",
        growth(|held| held.megabytes),
        Aim::AtMost(5.0),
    );
    figures.add("soak_open_files_count", last.files, Aim::Reference);
    figures.add(
        "soak_open_files_growth_count",
        growth(|held| held.files),
        Aim::AtMost(0.0),
    );
    figures.add("soak_threads_count", last.threads, Aim::Reference);
    Ok(())
}

/// Calls a tool of every server at once, and says how many answered.
async fn call_all(
    host: &Host,
    servers: &[ServerId],
    tool: &str,
    arguments: Value,
) -> Outcome<usize> {
    let arguments = arguments.to_string();
    let requests = &host.inspector.calls.requests;
    let asked = servers
        .iter()
        .map(|server| requests.call_tool(server, "soak", tool, &arguments, None, None));
    for report in futures::future::join_all(asked).await {
        if report?.result.is_none() {
            return Err(format!("{tool} did not answer").into());
        }
    }
    Ok(servers.len())
}

/// Waits until all is on disk, and searches for a number that was not searched for before; in
/// milliseconds until the first rows are found.
async fn search(host: &Host, round: usize) -> Outcome<f64> {
    let core = &host.inspector.core;
    core.blocking(|recorder| Ok(recorder.flush()?)).await?;
    let query = TrafficQuery {
        filter: (MESSAGES / 2 + round).to_string(),
        ..TrafficQuery::default()
    };
    let started = Instant::now();
    loop {
        let page = core.record().window(query.clone(), 0, 100).await?;
        if !page.rows.is_empty() {
            return Ok(started.elapsed().as_secs_f64() * 1000.0);
        }
        if page.complete {
            return Err("the record has not what was sent a moment ago".into());
        }
        tokio::time::sleep(Duration::from_millis(1)).await;
    }
}

/// Kills every server and waits until the application has noticed.
async fn drop_all(host: &Host, setting: &Setting, servers: &[ServerId]) -> Outcome<usize> {
    let mut killed = 0;
    for process in processes::descendants(std::process::id()) {
        if processes::executes(&process, &setting.server) {
            process.kill();
            killed += 1;
        }
    }
    for server in servers {
        let noticing = async {
            while host.inspector.servers.open_connections.status(server).phase == Phase::Ready {
                tokio::time::sleep(Duration::from_millis(2)).await;
            }
        };
        tokio::time::timeout(Duration::from_secs(10), noticing).await?;
        // It would come back by itself, a second later.
        host.inspector
            .servers
            .open_connections
            .disconnect(server)
            .await;
    }
    Ok(killed)
}

impl Held {
    fn now() -> Outcome<Self> {
        let own = Process::with_id(std::process::id()).ok_or("/proc does not know this process")?;
        let bytes = own.proportional_set_size().ok_or("no memory is told")?;
        #[expect(clippy::cast_precision_loss, reason = "these fit 53 bits")]
        Ok(Self {
            megabytes: bytes as f64 / 1e6,
            files: fs::read_dir("/proc/self/fd")?.count() as f64,
            threads: fs::read_dir("/proc/self/task")?.count() as f64,
        })
    }
}
