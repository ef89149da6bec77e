//! From "connect" until the tools are listed, per transport and era.

use std::time::Instant;

use serde_json::{Value, json};
use sightglass_inspector::ServerId;
use sightglass_tests::programs;

use crate::{
    bare::Bare,
    figures::{Aim, Figures, Floor},
    host::Host,
    setting::{Outcome, Setting},
    statistics::median,
};

/// Connections of each client: one takes a few milliseconds.
const CONNECTIONS: usize = 15;

/// The two ways in which MCP begins.
#[derive(Debug, Clone, Copy)]
pub enum Era {
    Legacy,
    Modern,
}

impl Era {
    fn name(self) -> &'static str {
        match self {
            Era::Legacy => "legacy",
            Era::Modern => "modern",
        }
    }
}

pub async fn measure(setting: &Setting, figures: &mut Figures) -> Outcome {
    for era in [Era::Legacy, Era::Modern] {
        let entry = json!({
            "command": setting.server,
            "args": ["--load", "--tools", "10"],
            "era": era.name(),
        });
        let bare = async || {
            let arguments = ["--load", "--tools", "10"];
            Bare::over_pipes(&setting.server, &arguments, era).await
        };
        compare("stdio", era, entry, bare, figures).await?;

        let server = programs::demo_over_http(&["--load", "--tools", "10"]);
        let entry = json!({ "type": "http", "url": server.url, "era": era.name() });
        let bare = async || Bare::over_http(&server.url, era).await;
        compare("http", era, entry, bare, figures).await?;
    }
    Ok(())
}

/// Turn by turn, so that both meet the same machine.
async fn compare(
    transport: &str,
    era: Era,
    entry: Value,
    bare: impl AsyncFn() -> Outcome<Bare>,
    figures: &mut Figures,
) -> Outcome {
    let server = ServerId::new("mcp-json", "load");
    let host = Host::open(json!({ "load": entry }))?;
    let (mut ours, mut theirs) = (Vec::new(), Vec::new());
    for connection in 0..=CONNECTIONS {
        let started = Instant::now();
        host.connect(std::slice::from_ref(&server)).await?;
        let our_time = started.elapsed();
        host.inspector
            .servers
            .open_connections
            .disconnect(&server)
            .await;

        let started = Instant::now();
        let client = bare().await?;
        client.list_tools().await?;
        let their_time = started.elapsed();
        client.close().await?;
        // The first warms both up.
        if connection > 0 {
            ours.push(our_time.as_secs_f64() * 1000.0);
            theirs.push(their_time.as_secs_f64() * 1000.0);
        }
    }
    host.inspector.shutdown().await;
    let name = format!("connect_{transport}_{}", era.name());
    // Over HTTP no aim was set; the ratio says what the record and the lists cost there.
    let aim = match transport {
        "stdio" => Aim::AtMost(1.1),
        _ => Aim::Reference,
    };
    let floor = Floor {
        name: "bare_rmcp",
        value: median(&theirs),
        aim,
    };
    figures.compare(&name, "ms", (median(&ours), Aim::Reference), floor);
    Ok(())
}
