//! `export`: writes what the window recorded to a file.

use std::path::PathBuf;

use clap::{Args, ValueEnum};
use serde_json::json;
use sightglass_inspector::{
    ConnectionId, ServerId, TrafficQuery,
    view::{ExportFormat, ExportPreview, ExportScope, MaskedPlace, TrafficExport},
};

use crate::{
    error::CliError,
    host::Host,
    outcome::Outcome,
    style::{FAINT, GOOD, WARNING, counted, harmless, styled},
};

/// Number of the run: a command makes one.
const RUN: u32 = 1;

/// Places that are named.
const MAX_PLACES: usize = 10;

#[derive(Debug, Args)]
pub(crate) struct Export {
    /// Only this server, by its name or its id
    #[arg(long, value_name = "NAME")]
    server: Option<String>,
    /// Only this connection, by its number in the record
    #[arg(long, value_name = "NUMBER", conflicts_with_all = ["server", "filter"])]
    connection: Option<u32>,
    /// Only the rows that match, as in the window: `method:tools/call status:error`
    #[arg(long, value_name = "FILTER")]
    filter: Option<String>,
    /// Form of the file
    #[arg(long, value_enum, value_name = "FORMAT")]
    format: Format,
    /// Leave out the texts of messages
    #[arg(long)]
    no_texts: bool,
    /// Add the arguments and the results of tools to spans
    #[arg(long)]
    arguments: bool,
    /// The file to write; one that is there is replaced. Without it, tell how much would be
    /// written and what is masked
    #[arg(long, short, value_name = "FILE")]
    output: Option<PathBuf>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
enum Format {
    Ndjson,
    Har,
    Otlp,
    Markdown,
    Html,
}

impl Format {
    /// The word for what a file holds.
    fn items(self) -> &'static str {
        match self {
            Self::Ndjson => "frames",
            Self::Har => "HTTP requests",
            Self::Otlp => "spans",
            Self::Markdown | Self::Html => "rows",
        }
    }
}

impl From<Format> for ExportFormat {
    fn from(format: Format) -> Self {
        match format {
            Format::Ndjson => Self::Ndjson,
            Format::Har => Self::Har,
            Format::Otlp => Self::Otlp,
            Format::Markdown => Self::Markdown,
            Format::Html => Self::Html,
        }
    }
}

impl Export {
    pub(crate) async fn run(self, host: &Host) -> Result<Outcome, CliError> {
        let inspector = &host.inspector;
        let mut export = TrafficExport {
            name: self.name(),
            scope: self.scope(host)?,
            format: self.format.into(),
            texts: !self.no_texts,
            arguments_and_results: self.arguments,
            until: None,
        };
        let preview = inspector
            .record
            .exports
            .preview_export(export.clone(), RUN)
            .await?;
        // What is written is what was looked at, though the window records on.
        export.until = preview.until;
        let report = match &self.output {
            Some(_) if preview.items == 0 => {
                let hint = match preview.left_out.as_slice() {
                    [] => "No row matches; `sightglass-cli operations` lists what there is."
                        .to_owned(),
                    left_out => left_out.join(" "),
                };
                return Err(CliError::usage("There is nothing to export", &hint));
            }
            Some(path) => Some(
                inspector
                    .record
                    .exports
                    .export_traffic(export, path, RUN)
                    .await?,
            ),
            None => None,
        };
        let result = json!({
            "path": report.as_ref().map(|report| &report.path),
            "rows": preview.rows,
            "operations": preview.operations,
            "items": preview.items,
            "bytes": preview.size,
            "leftOut": preview.left_out,
            "maskedBefore": preview.masked_before,
            "maskedNow": preview.masked_now,
        });
        let written = match report {
            Some(report) => format!(
                "{} {} holds {} {} of {}.\n",
                styled(GOOD, "✓"),
                harmless(&report.path),
                report.items,
                self.format.items(),
                counted(preview.operations, "call")
            ),
            None => format!(
                "{} {} of {}, {} bytes. -o FILE writes them.\n",
                preview.items,
                self.format.items(),
                counted(preview.operations, "call"),
                preview.size.as_u64()
            ),
        };
        let text = written + &remarks(&preview);
        Ok(Outcome::new(result.to_string(), text))
    }

    fn name(&self) -> String {
        let connection = self.connection.map(|number| format!("connection {number}"));
        [&self.server, &self.filter, &connection]
            .into_iter()
            .flatten()
            .cloned()
            .reduce(|one, other| format!("{one}, {other}"))
            .unwrap_or_else(|| "everything".to_owned())
    }

    fn scope(&self, host: &Host) -> Result<ExportScope, CliError> {
        if let Some(connection) = self.connection {
            return Ok(ExportScope::Connection {
                connection: ConnectionId(connection),
            });
        }
        let server = match &self.server {
            Some(name) => Some(server_id(host, name)?),
            None => None,
        };
        Ok(match (&self.filter, server) {
            (None, None) => ExportScope::Everything,
            (None, Some(server)) => ExportScope::Server { server },
            (Some(filter), server) => ExportScope::Query {
                query: TrafficQuery {
                    filter: filter.clone(),
                    server,
                    ..TrafficQuery::default()
                },
            },
        })
    }
}

/// The id of a server of this name; one that was removed is known by its id alone.
pub(super) fn server_id(host: &Host, name: &str) -> Result<ServerId, CliError> {
    if name.contains(':') {
        return Ok(ServerId::from(name.to_owned()));
    }
    let snapshot = host.inspector.snapshot();
    let named = snapshot.servers.iter().filter(|one| one.name == name);
    let ids: Vec<&ServerId> = named.map(|one| &one.id).collect();
    match ids.as_slice() {
        [id] => Ok((*id).clone()),
        [_, ..] => {
            let ids: Vec<&str> = ids.iter().map(|id| id.as_str()).collect();
            Err(CliError::usage(
                &format!("Several clients have a server named {name}"),
                &format!("Name it by its id: {}.", ids.join(", ")),
            ))
        }
        [] if name == ServerId::demo().name() => Ok(ServerId::demo()),
        [] => Err(CliError::usage(
            &format!("There is no server named {name}"),
            "`sightglass-cli servers` lists them. One that was removed is named by its id.",
        )),
    }
}

fn remarks(preview: &ExportPreview) -> String {
    let mut text = String::new();
    for remark in &preview.left_out {
        text.push_str(&format!("{}\n", styled(WARNING, &harmless(remark))));
    }
    for (when, places) in [
        ("Masked when it was recorded", &preview.masked_before),
        ("Masked now", &preview.masked_now),
    ] {
        if places.is_empty() {
            continue;
        }
        let line = format!("{when}: {}.", named(places));
        text.push_str(&format!("{}\n", styled(FAINT, &harmless(&line))));
    }
    text
}

fn named(places: &[MaskedPlace]) -> String {
    let more = places.len().saturating_sub(MAX_PLACES);
    let mut named: Vec<String> = places
        .iter()
        .take(MAX_PLACES)
        .map(|place| format!("{} × {}", place.count, place.place))
        .collect();
    if more > 0 {
        named.push(format!("{more} more places"));
    }
    named.join(", ")
}
