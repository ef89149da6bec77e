//! `tasks`: asks a server about tasks that earlier calls became.

use anstyle::Style;
use clap::Subcommand;
use serde_json::Value;
use sightglass_inspector::{Era, Params};
use sightglass_json_text::quoted;

use crate::{
    addressed::{Addressed, refuse_more},
    error::CliError,
    host::{ConnectedServer, Host},
    json::pretty,
    outcome::Outcome,
    style::{FAINT, NAME, harmless},
    table::Table,
};

#[derive(Debug, Subcommand)]
pub(crate) enum Tasks {
    /// List the tasks that the server keeps (MCP 2025-11-25; the tasks extension has no list)
    List(Addressed),
    /// Show the status of a task
    #[command(override_usage = "sightglass-cli tasks status <TARGET> <ID> [OPTIONS]")]
    Status(Addressed),
    /// Wait for the result of a task
    #[command(override_usage = "sightglass-cli tasks result <TARGET> <ID> [OPTIONS]")]
    Result(Addressed),
    /// Ask the server to cancel a task
    #[command(override_usage = "sightglass-cli tasks cancel <TARGET> <ID> [OPTIONS]")]
    Cancel(Addressed),
}

impl Tasks {
    pub(crate) async fn run(self, host: &Host) -> Result<Outcome, CliError> {
        match self {
            Self::List(addressed) => {
                let server = host.connect(&addressed.alone()?).await?;
                let answer = server.ask("tasks/list", &Params::empty()).await?;
                let text = table(&answer.result);
                Ok(answer.into_outcome(text))
            }
            Self::Status(addressed) => ask(host, addressed, "tasks/get").await,
            Self::Cancel(addressed) => ask(host, addressed, "tasks/cancel").await,
            Self::Result(addressed) => {
                let (server, id) = connected(host, addressed).await?;
                // In the extension the result is part of the status (SEP-2663).
                let method = match server.status().handshake.map(|facts| facts.era) {
                    Some(Era::Modern) => "tasks/get",
                    _ => "tasks/result",
                };
                about(&server, method, &id).await
            }
        }
    }
}

async fn ask(host: &Host, addressed: Addressed, method: &str) -> Result<Outcome, CliError> {
    let (server, id) = connected(host, addressed).await?;
    about(&server, method, &id).await
}

async fn connected(
    host: &Host,
    addressed: Addressed,
) -> Result<(ConnectedServer<'_>, String), CliError> {
    let (target, words) = addressed.split()?;
    let Some((id, more)) = words.split_first() else {
        return Err(CliError::usage(
            "There is no task to ask about.",
            &format!(
                "Give its id after the target; a call that became a task printed it, and {} shows \
                 those of a server that lists them.",
                target.command("tasks list", "")
            ),
        ));
    };
    refuse_more(more)?;
    Ok((host.connect(&target).await?, id.clone()))
}

async fn about(server: &ConnectedServer<'_>, method: &str, id: &str) -> Result<Outcome, CliError> {
    let params = Params::object(&[("taskId", &quoted(id))]);
    let answer = server.ask(method, &params).await?;
    let text = harmless(&pretty(&answer.result)) + "\n";
    Ok(answer.into_outcome(text))
}

fn table(result: &str) -> String {
    let value: Value = serde_json::from_str(result).unwrap_or_default();
    let mut table = Table::default();
    for task in value["tasks"].as_array().into_iter().flatten() {
        let text = |name: &str| task[name].as_str().unwrap_or_default().to_owned();
        table.row([
            (text("taskId"), NAME),
            (text("status"), Style::new()),
            (text("statusMessage"), FAINT),
        ]);
    }
    table.render()
}
