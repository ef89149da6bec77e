//! `config check`: lists problems of the files, a line each, as compilers print them.

use std::collections::BTreeSet;

use clap::Args;
use serde_json::{Value, json};
use sightglass_inspector::{Client, view::DefinitionState};

use crate::{error::CliError, host::Host, outcome::Outcome, style::harmless};

#[derive(Debug, Args)]
pub(crate) struct CheckConfiguration {}

impl CheckConfiguration {
    pub(crate) fn run(self, host: &Host) -> Result<Outcome, CliError> {
        let view = host.inspector.servers.projection.configuration();
        let mut lines: BTreeSet<(String, u32, u32, String)> = BTreeSet::new();
        // In a file that is Sightglass's own as well, other programs have members of theirs.
        let own = view
            .clients
            .iter()
            .find(|found| found.client == Client::McpJson);
        let own: Vec<&str> = own
            .iter()
            .flat_map(|own| &own.files)
            .map(|file| file.path.as_str())
            .collect();
        for client in &view.clients {
            for file in &client.files {
                let problems = file.problems.iter().map(|problem| {
                    (
                        problem.path(&file.path).to_owned(),
                        problem.line,
                        problem.column,
                        problem.message.clone(),
                    )
                });
                lines.extend(problems);
                let unreadable = file.unreadable.iter();
                lines.extend(unreadable.map(|message| (file.path.clone(), 1, 1, message.clone())));
            }
            for server in &client.servers {
                let file = client.files.iter().find(|file| file.scope == server.scope);
                let cell = server.cells.iter().find(|cell| cell.scope == server.scope);
                let (Some(file), Some(cell)) = (file, cell) else {
                    continue;
                };
                for cell in &server.cells {
                    let file = client.files.iter().find(|file| file.scope == cell.scope);
                    let file = file.filter(|file| !own.contains(&file.path.as_str()));
                    if let Some(file) = file.filter(|_| !cell.unknown_fields.is_empty()) {
                        let message = format!(
                            "{} does not know {} of {}, and the file keeps it.",
                            client.title,
                            cell.unknown_fields.join(", "),
                            server.name
                        );
                        lines.insert((file.path.clone(), cell.line, cell.column, message));
                    }
                }
                let path = file.path.clone();
                match &server.state {
                    DefinitionState::Invalid {
                        line,
                        column,
                        message,
                    } => {
                        lines.insert((path, *line, *column, message.clone()));
                    }
                    DefinitionState::Refused { rule } => {
                        let message = format!("A managed rule refuses {}: {rule}.", server.name);
                        lines.insert((path, cell.line, cell.column, message));
                    }
                    DefinitionState::Wins
                    | DefinitionState::Shadowed { .. }
                    | DefinitionState::Disabled
                    | DefinitionState::Waiting => {}
                }
            }
        }
        if lines.is_empty() {
            let result = json!({ "findings": [] }).to_string();
            return Ok(Outcome::new(result, "Nothing is wrong.".to_owned()));
        }
        let findings: Vec<Value> = lines
            .iter()
            .map(|(path, line, column, message)| {
                json!({ "path": path, "line": line, "column": column, "message": message })
            })
            .collect();
        let text: String = lines
            .iter()
            .map(|(path, line, column, message)| {
                format!(
                    "{}\n",
                    harmless(&format!("{path}:{line}:{column}: {message}"))
                )
            })
            .collect();
        let count = match lines.len() {
            1 => "One thing is wrong.".to_owned(),
            many => format!("{many} things are wrong."),
        };
        let error = CliError::check(&count).with_hint("Each finding says where.");
        let result = json!({ "findings": findings }).to_string();
        Ok(Outcome::new(result, text).with_error(error))
    }
}
