//! `servers`: lists the configured servers with their problems.

use anstyle::Style;
use clap::Args;
use serde::Serialize;
use sightglass_inspector::{
    Client, EraChoice, Target, TransportKind,
    view::{ScopeFileState, ScopeFileView, ServerView},
};

use crate::{
    error::CliError,
    host::Host,
    outcome::Outcome,
    style::{FAINT, NAME, WARNING, harmless, styled},
    table::Table,
};

#[derive(Debug, Args)]
pub(crate) struct ListServers {}

/// Facts of a server for scripts.
#[derive(Serialize)]
struct Listed<'a> {
    name: &'a str,
    /// Absent for the built-in server.
    client: Option<&'a str>,
    scope: Option<String>,
    path: Option<&'a str>,
    line: Option<u32>,
    transport: Option<TransportKind>,
    era: EraChoice,
    /// The command line or the URL, with `${VAR}` unexpanded.
    summary: &'a str,
    disabled: bool,
    problems: Vec<&'a str>,
}

#[derive(Serialize)]
struct ListedFile<'a> {
    path: &'a str,
    client: &'a str,
    scope: String,
    state: ScopeFileState,
    problems: Vec<&'a str>,
}

#[derive(Serialize)]
struct ServerListing<'a> {
    servers: Vec<Listed<'a>>,
    files: Vec<ListedFile<'a>>,
}

impl ListServers {
    pub(crate) fn run(self, host: &Host) -> Result<Outcome, CliError> {
        let snapshot = host.inspector.snapshot();
        let listing = ServerListing {
            servers: snapshot.servers.iter().map(listed).collect(),
            files: snapshot.files.iter().map(listed_file).collect(),
        };
        Outcome::of(&listing, text(&snapshot.servers, &snapshot.files))
    }
}

fn listed(server: &ServerView) -> Listed<'_> {
    Listed {
        name: &server.name,
        client: server.target.as_ref().map(|target| target.client.id()),
        scope: server.target.as_ref().map(scope_word),
        path: server.path.as_deref(),
        line: server.line,
        transport: server.transport,
        era: server.era,
        summary: &server.summary,
        disabled: server.disabled,
        problems: server
            .problems
            .iter()
            .map(|problem| problem.message.as_str())
            .collect(),
    }
}

/// A scope in the form of scripts: `project_root`.
fn scope_word(target: &Target) -> String {
    target.scope.replace('-', "_")
}

fn listed_file(file: &ScopeFileView) -> ListedFile<'_> {
    ListedFile {
        path: &file.path,
        client: file.target.client.id(),
        scope: scope_word(&file.target),
        state: file.state,
        problems: file
            .problems
            .iter()
            .map(|problem| problem.message.as_str())
            .chain(file.unreadable.as_deref())
            .collect(),
    }
}

fn text(servers: &[ServerView], files: &[ScopeFileView]) -> String {
    let mut table = Table::default();
    for server in servers {
        let transport = match server.transport {
            Some(TransportKind::Stdio) => "stdio",
            Some(TransportKind::Http) => "http",
            Some(TransportKind::Sse) => "sse",
            Some(TransportKind::WebSocket) => "ws",
            None => "?",
        };
        let is_other = server
            .target
            .as_ref()
            .is_some_and(|target| target.client != Client::McpJson);
        let scope = match &server.target {
            _ if is_other => format!("{} · {}", server.client_title, server.scope_title),
            Some(_) => server.scope_title.clone(),
            None => String::new(),
        };
        let (name, rest) = if server.disabled {
            (FAINT, FAINT)
        } else {
            (NAME, Style::new())
        };
        let summary = if server.disabled {
            format!("{} (disabled)", server.summary)
        } else {
            server.summary.clone()
        };
        table.row([
            (server.name.clone(), name),
            (transport.to_owned(), rest),
            (scope, rest),
            (summary, rest),
        ]);
    }
    let mut text = table.render();
    if servers.is_empty() {
        text.push_str("No server is configured. These files are read:\n");
        for file in files {
            text.push_str(&format!("  {}\n", harmless(&file.path)));
        }
    }
    // Several clients may read one file.
    let mut told: Vec<String> = Vec::new();
    for file in files {
        let problems = file.problems.iter().map(|problem| {
            let path = problem.path(&file.path);
            let at = format!("{path}:{}:{}", problem.line, problem.column);
            format!("{at}: {}", problem.message)
        });
        let unreadable = file.unreadable.iter();
        let unreadable = unreadable.map(|reason| format!("{}: {reason}", file.path));
        for line in problems.chain(unreadable) {
            if !told.contains(&line) {
                text.push_str(&format!("{}\n", styled(WARNING, &harmless(&line))));
                told.push(line);
            }
        }
    }
    text
}
