//! Small calls, against a client that does nothing else.

use std::{process::Command, time::Instant};

use futures::future::try_join_all;
use serde_json::json;
use sightglass_inspector::ServerId;
use sightglass_tests::{programs, window::settle};

use crate::{
    bare::Bare,
    connecting::Era,
    figures::{Aim, Figures, Floor},
    host::Host,
    setting::{Outcome, Setting, directories},
    statistics::percentile,
};

/// Calls of each client that are not measured, and that are.
const WARMING_UP: usize = 200;
const CALLS: usize = 3000;

/// Calls one after the other, and all at once.
const SEQUENTIAL: usize = 10_000;
const CONCURRENT: usize = 1000;

/// Calls from the command line.
const COMMANDS: usize = 20;

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
    figures.add("echo_p99_us", percentile(&ours, 0.99), Aim::Reference);
    figures.add(
        "echo_bare_rmcp_p99_us",
        percentile(&theirs, 0.99),
        Aim::Reference,
    );
    for (name, unit, ours, theirs, aim) in [
        ("echo_p50", "us", our_median, their_median, 1.15),
        (
            "echo_sequential_10000",
            "ms",
            in_rows.sequential,
            their_rows.sequential,
            1.15,
        ),
        (
            "echo_concurrent_1000",
            "ms",
            in_rows.concurrent,
            their_rows.concurrent,
            1.1,
        ),
    ] {
        let floor = Floor {
            name: "bare_rmcp",
            value: theirs,
            aim: Aim::AtMost(aim),
        };
        figures.compare(name, unit, (ours, Aim::Reference), floor);
    }
    command_line(setting, figures)
}

/// A call from the command line, from the start of the process to its end.
fn command_line(setting: &Setting, figures: &mut Figures) -> Outcome {
    let directories = directories(json!({}))?;
    let mut durations = Vec::new();
    for call in 0..=COMMANDS {
        let mut command = Command::new(programs::own("sightglass-cli"));
        settle(&mut command, &directories);
        command
            .args(["tools", "call", "echo", "message:=hello", "--"])
            .arg(&setting.server)
            .current_dir(directories.project());
        let started = Instant::now();
        let output = command.output()?;
        let duration = started.elapsed().as_secs_f64() * 1000.0;
        if !output.status.success() {
            return Err(String::from_utf8_lossy(&output.stderr).into());
        }
        // The first warms up.
        if call > 0 {
            durations.push(duration);
        }
    }
    figures.add(
        "command_line_echo_ms",
        percentile(&durations, 0.5),
        Aim::AtMost(30.0),
    );
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
