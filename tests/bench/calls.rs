//! Small calls, against a client that does nothing else.

use std::time::Instant;

use futures::future::try_join_all;
use serde_json::json;
use sightglass_inspector::ServerId;

use crate::{
    bare::Bare,
    connecting::Era,
    figures::{Aim, Figures},
    host::Host,
    setting::{Outcome, Setting},
    statistics::percentile,
};

/// Calls of each client that are not measured, and that are.
const WARMING_UP: usize = 200;
const CALLS: usize = 3000;

/// Calls one after the other, and all at once.
const SEQUENTIAL: usize = 10_000;
const CONCURRENT: usize = 1000;

pub async fn measure(setting: &Setting, figures: &mut Figures) -> Outcome {
    let mut entry = setting.load_server(10, 100);
    // The same protocol for both: in the newer era each request carries more.
    entry["era"] = "legacy".into();
    let host = Host::open(json!({ "load": entry }))?;
    let server = ServerId::new("mcp-json", "load");
    host.connect(std::slice::from_ref(&server)).await?;
    let bare = Bare::over_pipes(&setting.server, &["--load", "--tools", "10"], Era::Legacy).await?;

    let (mut ours, mut theirs) = (Vec::with_capacity(CALLS), Vec::with_capacity(CALLS));
    // Turn by turn, so that both meet the same machine.
    for call in 0..WARMING_UP + CALLS {
        let message = format!("message {call}");
        let started = Instant::now();
        echo(&host, &server, &message).await?;
        let our_time = started.elapsed();
        let started = Instant::now();
        bare.echo(&message).await?;
        let their_time = started.elapsed();
        if call >= WARMING_UP {
            ours.push(our_time.as_secs_f64() * 1e6);
            theirs.push(their_time.as_secs_f64() * 1e6);
        }
    }
    let in_rows = InRows::of(async |message| echo(&host, &server, message).await).await?;
    let their_rows = InRows::of(async |message| bare.echo(message).await).await?;
    bare.close().await?;
    host.inspector.shutdown().await;

    let (our_median, their_median) = (percentile(&ours, 0.5), percentile(&theirs, 0.5));
    figures.add("echo_p50_us", our_median, Aim::Reference);
    figures.add("echo_p99_us", percentile(&ours, 0.99), Aim::Reference);
    figures.add("echo_bare_rmcp_p50_us", their_median, Aim::Reference);
    figures.add(
        "echo_bare_rmcp_p99_us",
        percentile(&theirs, 0.99),
        Aim::Reference,
    );
    figures.add(
        "echo_p50_to_bare_rmcp_ratio",
        our_median / their_median,
        Aim::AtMost(1.15),
    );
    for (name, ours, theirs) in [
        (
            "sequential_10000",
            in_rows.sequential,
            their_rows.sequential,
        ),
        ("concurrent_1000", in_rows.concurrent, their_rows.concurrent),
    ] {
        figures.add(format!("echo_{name}_ms"), ours, Aim::Reference);
        figures.add(format!("echo_{name}_bare_rmcp_ms"), theirs, Aim::Reference);
    }
    Ok(())
}

async fn echo(host: &Host, server: &ServerId, message: &str) -> Outcome {
    let arguments = json!({ "message": message }).to_string();
    let report = host
        .inspector
        .call_tool(server, "call", "echo", &arguments)
        .await?;
    match report.result {
        Some(_) => Ok(()),
        None => Err(format!("echo did not answer: {report:?}").into()),
    }
}

/// Many calls, in milliseconds for all of them.
struct InRows {
    sequential: f64,
    concurrent: f64,
}

impl InRows {
    async fn of(echo: impl AsyncFn(&str) -> Outcome) -> Outcome<Self> {
        let messages: Vec<String> = (0..SEQUENTIAL)
            .map(|call| format!("message {call}"))
            .collect();
        let started = Instant::now();
        for message in &messages {
            echo(message).await?;
        }
        let sequential = started.elapsed().as_secs_f64() * 1000.0;
        let started = Instant::now();
        try_join_all(messages[..CONCURRENT].iter().map(|message| echo(message))).await?;
        let concurrent = started.elapsed().as_secs_f64() * 1000.0;
        Ok(Self {
            sequential,
            concurrent,
        })
    }
}
