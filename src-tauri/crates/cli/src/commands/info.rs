//! `info`: prints the result of the handshake.

use anstyle::Style;
use clap::Args;
use sightglass_inspector::{Era, HandshakeResult, ListState};

use crate::{
    addressed::Addressed,
    error::CliError,
    host::{ConnectedServer, Host},
    json::{self, Response},
    outcome::Outcome,
    style::{FAINT, HEADING, duration, harmless, styled},
    table::Table,
};

#[derive(Debug, Args)]
pub(crate) struct Info {
    #[command(flatten)]
    addressed: Addressed,
}

impl Info {
    pub(crate) async fn run(self, host: &Host) -> Result<Outcome, CliError> {
        let server = host.connect(&self.addressed.alone()?).await?;
        let facts = server
            .status()
            .handshake
            .ok_or_else(|| CliError::system("The server is ready, but there was no handshake."))?;
        let record = server.inspector().core.record();
        let frame = record.payload(facts.response_frame).await?;
        let frame = String::from_utf8_lossy(&frame);
        let result = match json::response(&frame) {
            Some(Response::Result(result)) => result.to_owned(),
            _ => "null".to_owned(),
        };
        Ok(Outcome::new(result, text(&server, &facts)))
    }
}

fn text(server: &ConnectedServer<'_>, facts: &HandshakeResult) -> String {
    let title = facts.server_title.as_deref().unwrap_or(&facts.server_name);
    let title = styled(HEADING, &harmless(title));
    let mut text = format!("{title} {}\n", harmless(&facts.server_version));
    let mut table = Table::default();
    let mut row = |name: &str, value: String| {
        table.row([(name.to_owned(), FAINT), (value, Style::new())]);
    };
    let era = match facts.era {
        Era::Legacy => "legacy",
        Era::Modern => "modern",
    };
    row("name", facts.server_name.clone());
    row("protocol", format!("{} ({era})", facts.protocol_version));
    row("address", server.spec.summary());
    if let Some(process) = facts.process {
        row("process", process.to_string());
    }
    row("round trip", duration(facts.round_trip));
    row("capabilities", facts.capabilities.join(", "));
    for change in server.inspector().calls.lists.lists(&server.id) {
        let count = match change.state {
            ListState::Unsupported => "not offered".to_owned(),
            ListState::Failed { message } => format!("{} ({message})", change.count),
            ListState::Loading | ListState::Loaded => match &change.warning {
                Some(warning) => format!("{} ({warning})", change.count),
                None => change.count.to_string(),
            },
        };
        row(change.list.plural(), count);
    }
    text.push_str(&table.render());
    if let Some(instructions) = &facts.instructions {
        text.push_str(&format!("\n{}\n", harmless(instructions.trim_end())));
    }
    text
}
