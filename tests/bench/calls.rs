//! Small calls, against a client that does nothing else.

use std::time::Instant;

use futures::future::try_join_all;
use serde_json::json;
use sightglass_inspector::ServerId;

use crate::{
    bare::Bare,
    command_line,
    connecting::Era,
    figures::{Aim, Figures, Floor},
    host::Host,
    setting::{Outcome, Setting},
    statistics::{Turns, percentile},
};

/// Calls of each client that are not measured, and that are.
const WARMING_UP: usize = 200;
const CALLS: usize = 3000;

/// Calls one after the other, and all at once.
const SEQUENTIAL: usize = 10_000;
const CONCURRENT: usize = 1000;

pub async fn measure(setting: &Setting, figures: &mut Figures) -> Outcome {
    let clients = Clients::connect(setting).await?;
    let Turns {
        ours,
        floor: theirs,
    } = clients.take_turns().await?;
    let in_rows = InRows::of(async |message| clients.ours(message).await).await?;
    let their_rows = InRows::of(async |message| clients.theirs(message).await).await?;
    clients.close().await?;

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
    command_line::measure(setting, figures)
}

/// Two clients of two equal servers: the application, and one that does nothing else.
pub struct Clients {
    host: Host,
    server: ServerId,
    bare: Bare,
}

impl Clients {
    pub async fn connect(setting: &Setting) -> Outcome<Self> {
        let mut entry = setting.load_server(10, 100);
        // The same protocol for both: in the newer era each request carries more.
        entry["era"] = "legacy".into();
        let host = Host::open(json!({ "load": entry }))?;
        let server = ServerId::new("mcp-json", "load");
        host.connect(std::slice::from_ref(&server)).await?;
        let arguments = ["--load", "--tools", "10"];
        let bare = Bare::over_pipes(&setting.server, &arguments, Era::Legacy).await?;
        Ok(Self { host, server, bare })
    }

    /// Calls one after the other, in microseconds each.
    pub async fn take_turns(&self) -> Outcome<Turns> {
        let mut turns = Turns::default();
        for call in 0..WARMING_UP + CALLS {
            let message = format!("message {call}");
            let started = Instant::now();
            self.ours(&message).await?;
            let our_time = started.elapsed();
            let started = Instant::now();
            self.theirs(&message).await?;
            let their_time = started.elapsed();
            if call >= WARMING_UP {
                turns.add(our_time.as_secs_f64() * 1e6, their_time.as_secs_f64() * 1e6);
            }
        }
        Ok(turns)
    }

    pub async fn close(self) -> Outcome {
        self.bare.close().await?;
        self.host.inspector.shutdown().await;
        Ok(())
    }

    async fn ours(&self, message: &str) -> Outcome {
        let arguments = json!({ "message": message }).to_string();
        let report = self
            .host
            .inspector
            .calls
            .requests
            .call_tool(&self.server, "call", "echo", &arguments, None, None)
            .await?;
        match report.result {
            Some(_) => Ok(()),
            None => Err(format!("echo did not answer: {report:?}").into()),
        }
    }

    async fn theirs(&self, message: &str) -> Outcome {
        self.bare.echo(message).await
    }
}

/// A thousand calls at once, in milliseconds for all of them, so many times. They are the first of
/// their connection each time, as a burst is: the application is slower in it than in the next one.
pub async fn at_once_anew(setting: &Setting, rounds: usize) -> Outcome<Turns> {
    let messages = messages(CONCURRENT);
    let mut turns = Turns::default();
    for _ in 0..rounds {
        let clients = Clients::connect(setting).await?;
        let ours = at_once(&messages, async |message| clients.ours(message).await).await?;
        let theirs = at_once(&messages, async |message| clients.theirs(message).await).await?;
        clients.close().await?;
        turns.add(ours, theirs);
    }
    Ok(turns)
}

/// Many calls, in milliseconds for all of them.
struct InRows {
    sequential: f64,
    concurrent: f64,
}

impl InRows {
    async fn of(echo: impl AsyncFn(&str) -> Outcome) -> Outcome<Self> {
        let messages = messages(SEQUENTIAL);
        let started = Instant::now();
        for message in &messages {
            echo(message).await?;
        }
        let sequential = started.elapsed().as_secs_f64() * 1000.0;
        let concurrent = at_once(&messages[..CONCURRENT], echo).await?;
        Ok(Self {
            sequential,
            concurrent,
        })
    }
}

fn messages(count: usize) -> Vec<String> {
    (0..count).map(|call| format!("message {call}")).collect()
}

/// Calls with all of these at once, in milliseconds until the last is answered.
async fn at_once(messages: &[String], echo: impl AsyncFn(&str) -> Outcome) -> Outcome<f64> {
    let started = Instant::now();
    try_join_all(messages.iter().map(|message| echo(message))).await?;
    Ok(started.elapsed().as_secs_f64() * 1000.0)
}
