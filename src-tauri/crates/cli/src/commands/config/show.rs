//! `config show`: lists every file, and the definition of each server that counts.

use clap::Args;
use serde::Serialize;
use sightglass_inspector::{
    Client,
    view::{
        ClientView, ConfigFileView, ConfigServerView, ConfigurationView, DefinitionState,
        ScopeFileState,
    },
};

use crate::{
    error::CliError,
    host::Host,
    outcome::Outcome,
    style::{FAINT, HEADING, NAME, WARNING, harmless, styled},
    table::Table,
};

#[derive(Debug, Args)]
pub(crate) struct Show {}

#[derive(Serialize)]
struct Shown<'a> {
    servers: Vec<ShownServer<'a>>,
    files: Vec<File<'a>>,
}

#[derive(Serialize)]
pub(super) struct ShownServer<'a> {
    name: &'a str,
    state: &'static str,
    client: Client,
    scope: &'a str,
    file: &'a str,
    shadowed: Vec<ServerPlace<'a>>,
    reason: &'a str,
}

#[derive(Serialize)]
struct ServerPlace<'a> {
    client: Client,
    scope: &'a str,
    file: &'a str,
}

#[derive(Serialize)]
struct File<'a> {
    client: Client,
    scope: &'a str,
    path: &'a str,
    state: ScopeFileState,
    problems: Vec<FileProblem<'a>>,
}

#[derive(Serialize)]
struct FileProblem<'a> {
    path: &'a str,
    line: u32,
    column: u32,
    message: &'a str,
}

impl Show {
    pub(crate) fn run(self, host: &Host) -> Result<Outcome, CliError> {
        let view = host.inspector.servers.projection.configuration();
        let shown = Shown {
            servers: view
                .clients
                .iter()
                .flat_map(|client| {
                    let servers = client.servers.iter();
                    servers.map(move |server| described(client, server))
                })
                .collect(),
            files: view
                .clients
                .iter()
                .flat_map(|client| client.files.iter().map(move |file| of_file(client, file)))
                .collect(),
        };
        Outcome::of(&shown, text(&view))
    }
}

/// The word for a state.
pub(super) fn word(state: &DefinitionState) -> &'static str {
    match state {
        DefinitionState::Wins => "effective",
        DefinitionState::Shadowed { .. } => "shadowed",
        DefinitionState::Disabled => "disabled",
        DefinitionState::Refused { .. } => "refused",
        DefinitionState::Invalid { .. } => "invalid",
        DefinitionState::Waiting => "waiting",
    }
}

fn path<'a>(client: &'a ClientView, scope: &str) -> &'a str {
    client
        .files
        .iter()
        .find(|file| file.scope == scope)
        .map_or("", |file| file.path.as_str())
}

fn described<'a>(client: &'a ClientView, server: &'a ConfigServerView) -> ShownServer<'a> {
    ShownServer {
        name: &server.name,
        state: word(&server.state),
        client: client.client,
        scope: &server.scope,
        file: path(client, &server.scope),
        shadowed: server
            .cells
            .iter()
            .rev()
            .filter(|cell| cell.scope != server.scope)
            .map(|cell| ServerPlace {
                client: client.client,
                scope: &cell.scope,
                file: path(client, &cell.scope),
            })
            .collect(),
        reason: &server.reason,
    }
}

fn of_file<'a>(client: &ClientView, file: &'a ConfigFileView) -> File<'a> {
    File {
        client: client.client,
        scope: &file.scope,
        path: &file.path,
        state: file.state,
        problems: file
            .problems
            .iter()
            .map(|problem| FileProblem {
                path: problem.path(&file.path),
                line: problem.line,
                column: problem.column,
                message: &problem.message,
            })
            .collect(),
    }
}

fn text(view: &ConfigurationView) -> String {
    let mut text = String::new();
    for client in view.clients.iter().filter(|client| client.found) {
        text.push_str(&format!("{}\n", styled(HEADING, &client.title)));
        for file in client
            .files
            .iter()
            .filter(|file| file.state != ScopeFileState::Missing)
        {
            let line = format!("  {}  {}", file.scope, file.label);
            text.push_str(&format!("{}\n", styled(FAINT, &harmless(&line))));
            for problem in &file.problems {
                let place = match &problem.file {
                    Some(path) => format!("{path}:{}", problem.line),
                    None => format!("line {}", problem.line),
                };
                let line = format!("    {place}: {}", problem.message);
                text.push_str(&format!("{}\n", styled(WARNING, &harmless(&line))));
            }
        }
        let mut table = Table::default();
        for server in &client.servers {
            let style = match server.state {
                DefinitionState::Wins => NAME,
                DefinitionState::Disabled => FAINT,
                _ => WARNING,
            };
            table.row([
                (format!("  {}", server.name), style),
                (word(&server.state).to_owned(), style),
                (server.scope.clone(), FAINT),
                (server.summary.clone(), FAINT),
            ]);
        }
        text.push_str(&table.render());
        text.push('\n');
    }
    if text.is_empty() {
        text.push_str("No client has a configuration file here.\n");
    }
    text
}
