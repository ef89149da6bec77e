//! Many servers at once.

use std::time::Instant;

use serde_json::{Map, Value};
use sightglass_inspector::ServerId;

use crate::{
    figures::{Aim, Figures},
    host::Host,
    setting::{Outcome, Setting},
    statistics::median,
};

const SERVERS: usize = 50;

pub async fn measure(setting: &Setting, figures: &mut Figures) -> Outcome {
    let names: Vec<String> = (0..SERVERS)
        .map(|number| format!("server {number:02}"))
        .collect();
    let servers: Vec<ServerId> = names
        .iter()
        .map(|name| ServerId::new("mcp-json", name))
        .collect();
    let configured: Map<String, Value> = names
        .iter()
        .map(|name| (name.clone(), setting.load_server(10, 100)))
        .collect();
    let mut durations = Vec::new();
    for _ in 0..setting.runs {
        let host = Host::open(Value::Object(configured.clone()))?;
        let started = Instant::now();
        host.connect(&servers).await?;
        durations.push(started.elapsed().as_secs_f64() * 1000.0);
        host.inspector.shutdown().await;
    }
    figures.add(
        "connect_50_servers_ready_ms",
        median(&durations),
        Aim::AtMost(250.0),
    );
    Ok(())
}
