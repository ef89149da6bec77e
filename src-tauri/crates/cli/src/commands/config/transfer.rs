//! Moves, copies, imports and exports servers.

use std::io::Read;

use clap::Args;
use serde_json::json;
use sightglass_inspector::{
    Client, ConfigAction, ConflictChoice, ImportItem, ImportSource, Target, TransferItem,
    view::{ChosenServer, ExportRequest},
};

use super::{Writing, change::carry_out, target};
use crate::{
    error::CliError,
    host::Host,
    launch::refuse_missing_variables,
    outcome::Outcome,
    style::{WARNING, harmless, styled},
};

#[derive(Debug, Args)]
pub(crate) struct TransferServers {
    /// The server
    name: String,
    /// The file it stands in
    #[arg(long, value_name = "CLIENT:SCOPE", value_parser = target)]
    from: Target,
    /// The file it is to stand in
    #[arg(long, value_name = "CLIENT:SCOPE", value_parser = target)]
    to: Target,
    /// Another name for it there
    #[arg(long = "as", value_name = "NEW")]
    new_name: Option<String>,
    #[command(flatten)]
    writing: Writing,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum TransferVerb {
    Move,
    Copy,
}

impl TransferServers {
    pub(crate) fn run(self, host: &Host, verb: TransferVerb) -> Result<Outcome, CliError> {
        let (from, to) = (self.from, self.to);
        if from == to && self.new_name.as_ref().is_none_or(|new| *new == self.name) {
            return Err(CliError::usage(
                "The file and the name stay the same, so that nothing would change.",
                "Name another file with `--to`, or another name with `--as`.",
            ));
        }
        let items = vec![TransferItem {
            name: self.name,
            new_name: self.new_name,
            conflict: ConflictChoice::Refuse,
        }];
        let action = match verb {
            TransferVerb::Move => ConfigAction::Move { from, to, items },
            TransferVerb::Copy => ConfigAction::Copy { from, to, items },
        };
        carry_out(host, &action, &self.writing)
    }
}

#[derive(Debug, Args)]
pub(crate) struct Import {
    /// A file with a snippet, a command line, a server.json or a bundle; - for the input
    file: String,
    /// The file the servers are added to
    #[arg(long, value_name = "CLIENT:SCOPE", value_parser = target)]
    to: Target,
    /// A variable of your environment that the servers may read; may be repeated
    #[arg(long = "allow-variable", value_name = "NAME")]
    variables: Vec<String>,
    #[command(flatten)]
    writing: Writing,
}

impl Import {
    pub(crate) fn run(self, host: &Host) -> Result<Outcome, CliError> {
        let source = if self.file.ends_with(".mcpb") || self.file.ends_with(".dxt") {
            ImportSource::Bundle {
                path: self.file.clone(),
            }
        } else {
            ImportSource::Text {
                text: read(&self.file)?,
            }
        };
        let sources = &host.inspector.setup.import_sources;
        let candidates = sources.import_candidates(&source)?;
        for candidate in &candidates {
            let draft = candidate.clone().with_defaults(&self.variables);
            refuse_missing_variables(&host.inspector, &draft, "--allow-variable")?;
        }
        if let [candidate] = candidates.as_slice()
            && let Some(archive) = &candidate.bundle
        {
            let action = ConfigAction::AddBundle {
                target: self.to,
                archive: archive.clone(),
                draft: candidate.clone().with_defaults(&self.variables),
            };
            return carry_out(host, &action, &self.writing);
        }
        let items = candidates
            .into_iter()
            .map(|candidate| ImportItem {
                left_out: candidate.left_out.clone(),
                draft: candidate.with_defaults(&self.variables),
                conflict: ConflictChoice::Refuse,
                source: None,
            })
            .collect();
        let action = ConfigAction::Import {
            target: self.to,
            items,
        };
        carry_out(host, &action, &self.writing)
    }
}

fn read(file: &str) -> Result<String, CliError> {
    let mut text = String::new();
    let read = if file == "-" {
        std::io::stdin()
            .lock()
            .read_to_string(&mut text)
            .map(|_| ())
    } else {
        sightglass_files::read(std::path::Path::new(file))
            .map_err(std::io::Error::from)
            .and_then(|bytes| String::from_utf8(bytes).map_err(std::io::Error::other))
            .map(|read| text = read)
    };
    read.map_err(|error| {
        let reason = error.to_string();
        CliError::usage(
            &format!("{file} cannot be read. {}.", reason.trim_end_matches('.')),
            "Give a file, or - for the input.",
        )
    })?;
    Ok(text)
}

#[derive(Debug, Args)]
pub(crate) struct ExportServers {
    /// The servers; all that count by default
    #[arg(value_name = "NAME")]
    names: Vec<String>,
    /// The client whose servers they are; those of the .mcp.json files by default
    #[arg(long = "from", value_name = "CLIENT", default_value = "mcp-json")]
    owner: Client,
    /// The client whose form is wanted
    #[arg(long = "as", value_name = "CLIENT")]
    client: Client,
}

impl ExportServers {
    pub(crate) fn run(self, host: &Host) -> Result<Outcome, CliError> {
        let view = host.inspector.servers.projection.configuration();
        let owner = view.clients.iter().find(|found| found.client == self.owner);
        let all = owner.map(|owner| owner.servers.as_slice());
        let all = all.unwrap_or_default();
        let mut servers = Vec::new();
        let choose = |server: &sightglass_inspector::view::ConfigServerView| ChosenServer {
            target: Target::new(self.owner, &server.scope),
            name: server.name.clone(),
        };
        if self.names.is_empty() {
            servers.extend(all.iter().map(choose));
        }
        for name in &self.names {
            let server = all.iter().find(|server| server.name == *name);
            let server = server.ok_or_else(|| {
                CliError::usage(
                    &format!("{} has no server {name}.", self.owner.title()),
                    "`sightglass-cli config show` lists those of every client; `--from CLIENT` names \
                     another.",
                )
            })?;
            servers.push(choose(server));
        }
        let exported = host
            .inspector
            .setup
            .server_export
            .export_servers(&ExportRequest {
                servers,
                client: self.client,
                include_secrets: false,
            })?;
        let lost: Vec<String> = exported
            .lost
            .iter()
            .map(|field| format!("{}: {}: {}", field.server, field.field, field.reason))
            .chain(exported.refused)
            .collect();
        // What cannot be said does not belong into the file.
        for line in lost.iter().filter(|_| !host.options.json) {
            anstream::eprintln!("{}", styled(WARNING, &harmless(line)));
        }
        let result = json!({
            "client": self.client,
            "text": exported.text,
            "lost": lost,
        });
        Ok(Outcome::new(result.to_string(), exported.text))
    }
}
