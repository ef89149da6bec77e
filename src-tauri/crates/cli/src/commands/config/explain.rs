//! `config explain`: explains why a server is defined as it is.

use clap::Args;
use serde_json::json;
use sightglass_inspector::{Client, view::ExplanationView};

use crate::{
    error::CliError,
    host::Host,
    outcome::Outcome,
    style::{FAINT, HEADING, harmless, styled},
};

#[derive(Debug, Args)]
pub(crate) struct Explain {
    /// The server
    name: String,
    /// The client; all that have such a server by default
    #[arg(long)]
    client: Option<Client>,
}

impl Explain {
    pub(crate) fn run(self, host: &Host) -> Result<Outcome, CliError> {
        let view = host.inspector.servers.projection.configuration();
        let clients = view.clients.iter().filter(|found| {
            self.client.is_none_or(|wanted| wanted == found.client)
                && found.servers.iter().any(|server| server.name == self.name)
        });
        let explained = &host.inspector.setup.explanations;
        let mut explanations = Vec::new();
        for found in clients {
            explanations.push(explained.explain_configuration(found.client, &self.name)?);
        }
        if explanations.is_empty() {
            return Err(CliError::usage(
                &format!("No client has a server named {}.", self.name),
                "`sightglass-cli config show` lists them.",
            ));
        }
        let text = explanations.iter().map(text).collect::<Vec<_>>().join("\n");
        let result = json!({ "explanations": explanations }).to_string();
        Ok(Outcome::new(result, text))
    }
}

fn text(explanation: &ExplanationView) -> String {
    let heading = format!("{} in {}", explanation.name, explanation.client.title());
    let mut text = format!("{}\n", styled(HEADING, &harmless(&heading)));
    for sentence in &explanation.sentences {
        text.push_str(&format!("{}\n", harmless(sentence)));
    }
    for field in explanation.fields.iter().filter(|field| field.differs) {
        text.push_str(&format!("  {}\n", harmless(&field.field)));
        for (definition, value) in explanation.definitions.iter().zip(&field.values) {
            let value = value.as_deref().unwrap_or("(not there)");
            let line = format!("    {:<14} {value}", definition.scope);
            text.push_str(&format!("{}\n", styled(FAINT, &harmless(&line))));
        }
    }
    text
}
