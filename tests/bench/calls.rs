//! Small calls, against a client that does nothing else.

use std::{process::Stdio, time::Instant};

use rmcp::{
    RoleClient, ServiceExt,
    model::{CallToolRequestParams, JsonObject},
    service::RunningService,
};
use serde_json::json;
use sightglass_inspector::ServerId;
use tokio::process::{Child, Command};

use crate::{
    figures::{Aim, Figures},
    host::Host,
    setting::{Outcome, Setting},
    statistics::percentile,
};

/// Calls of each client that are not measured, and that are.
const WARMING_UP: usize = 200;
const CALLS: usize = 3000;

pub async fn measure(setting: &Setting, figures: &mut Figures) -> Outcome {
    let host = Host::open(json!({ "load": setting.load_server(10, 100) }))?;
    let server = ServerId::new("mcp-json", "load");
    host.connect(std::slice::from_ref(&server)).await?;
    let bare = Bare::connect(setting).await?;

    let (mut ours, mut theirs) = (Vec::with_capacity(CALLS), Vec::with_capacity(CALLS));
    // Turn by turn, so that both meet the same machine.
    for call in 0..WARMING_UP + CALLS {
        let message = format!("message {call}");
        let arguments = json!({ "message": message }).to_string();
        let started = Instant::now();
        let report = host
            .inspector
            .call_tool(&server, "call", "echo", &arguments)
            .await?;
        let our_time = started.elapsed();
        if report.result.is_none() {
            return Err(format!("echo did not answer: {report:?}").into());
        }
        let started = Instant::now();
        bare.echo(&message).await?;
        let their_time = started.elapsed();
        if call >= WARMING_UP {
            ours.push(our_time.as_secs_f64() * 1e6);
            theirs.push(their_time.as_secs_f64() * 1e6);
        }
    }
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
    Ok(())
}

/// A client of rmcp's over pipes.
struct Bare {
    service: RunningService<RoleClient, ()>,
    child: Child,
}

impl Bare {
    async fn connect(setting: &Setting) -> Outcome<Self> {
        let mut child = Command::new(&setting.server)
            .args(["--load", "--tools", "10"])
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .kill_on_drop(true)
            .spawn()?;
        let output = child.stdout.take().ok_or("stdout was not piped")?;
        let input = child.stdin.take().ok_or("stdin was not piped")?;
        let service = ().serve((output, input)).await?;
        Ok(Self { service, child })
    }

    async fn echo(&self, message: &str) -> Outcome {
        let mut arguments = JsonObject::new();
        arguments.insert("message".to_owned(), message.into());
        let request = CallToolRequestParams::new("echo").with_arguments(arguments);
        self.service.call_tool(request).await?;
        Ok(())
    }

    async fn close(mut self) -> Outcome {
        self.service.cancel().await?;
        self.child.kill().await?;
        Ok(())
    }
}
