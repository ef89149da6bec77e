//! Half an hour of work and of servers that break off: memory and open files stay flat.

use std::{
    fs,
    time::{Duration, Instant},
};

use serde_json::json;
use sightglass_inspector::{Phase, ServerId};
use sightglass_tests::window::{Process, processes};

use crate::{
    figures::{Aim, Figures},
    host::Host,
    setting::{Outcome, Setting},
    statistics::median,
};

/// Servers that work at the same time.
const SERVERS: usize = 4;

/// Calls to each between two drops.
const CALLS: usize = 200;

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
    let host = Host::open(serde_json::Value::Object(configured))?;
    let until = Instant::now() + setting.soak;
    let mut held = Vec::new();
    let mut calls = 0_usize;
    let mut drops = 0_usize;
    while Instant::now() < until {
        host.connect(&servers).await?;
        for call in 0..CALLS {
            let arguments = json!({ "message": format!("message {call}") }).to_string();
            let asked = servers.iter().map(|server| {
                host.inspector
                    .calls
                    .requests
                    .call_tool(server, "soak", "echo", &arguments, None, None)
            });
            for report in futures::future::join_all(asked).await {
                calls += 1;
                if report?.result.is_none() {
                    return Err("echo did not answer".into());
                }
            }
        }
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
        figures.add("soak_calls_count", calls as f64, Aim::Reference);
        figures.add("soak_drops_count", drops as f64, Aim::Reference);
    }
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
