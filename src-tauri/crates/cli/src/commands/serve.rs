//! `serve`: Sightglass itself, or the servers that it reaches, as an MCP server for agents.

use std::{env, io};

use clap::Args;
use sightglass_inspector::{ServerId, view::ServerOrigin};
use sightglass_serve::{
    NamePatterns, Offer, SERVING_VARIABLE, ServeOptions, ServedServer, Serving, serve_stdio,
};

use crate::{error::CliError, host::Host, outcome::Outcome, target::Target};

#[derive(Debug, Args)]
#[command(
    override_usage = "sightglass-cli serve [--server NAME]… [--all] [OPTIONS]",
    after_help = "Without --server and --all the tools of Sightglass itself are served: an agent sees, \
                  explains and tests the configured servers with them. With one --server the tools, \
                  resources and prompts of that server are served under their own names; with several, \
                  or with --all, as SERVER__NAME. It ends with its standard input."
)]
pub(crate) struct Serve {
    /// Lend this server: a configured name, or a URL; give it again for several
    #[arg(long = "server", value_name = "NAME")]
    servers: Vec<String>,
    /// Lend all configured servers
    #[arg(long, conflicts_with = "servers")]
    all: bool,
    /// Let agents use these names alone, SERVER__NAME or those that they see; `*` stands for anything
    #[arg(long, value_name = "PATTERN")]
    allow: Vec<String>,
    /// Keep these names from agents, also where they are allowed
    #[arg(long, value_name = "PATTERN")]
    deny: Vec<String>,
    /// The most characters of one answer; 20000 for the tools of Sightglass itself, otherwise all
    #[arg(long, value_name = "COUNT")]
    max_chars: Option<usize>,
}

impl Serve {
    pub(crate) async fn run(self, host: &Host) -> Result<Outcome, CliError> {
        if is_served_behind_itself() {
            return Err(CliError::usage(
                "This was started by what Sightglass serves already, and nothing is served behind \
                 itself.",
                "Remove the entry that starts `sightglass-cli serve` from the servers that are lent.",
            ));
        }
        let options = ServeOptions {
            offer: self.offer(host).await?,
            patterns: NamePatterns {
                allow: self.allow,
                deny: self.deny,
            },
            max_characters: self.max_chars,
        };
        let serving = Serving::open(&host.inspector, options);
        serve_stdio(&serving, io::stdin(), io::stdout())
            .await
            .map_err(|error| CliError::system(&error.to_string()))?;
        Ok(Outcome::nothing())
    }

    async fn offer(&self, host: &Host) -> Result<Offer, CliError> {
        if self.all {
            return Ok(Offer::Servers(all(host)));
        }
        let mut servers: Vec<ServedServer> = Vec::new();
        for word in &self.servers {
            let server = served(host, word).await?;
            if !servers.iter().any(|known| known.id == server.id) {
                servers.push(server);
            }
        }
        Ok(match servers.len() {
            0 => Offer::OwnTools,
            1 => Offer::Server(Box::new(servers.remove(0))),
            _ => Offer::Servers(servers),
        })
    }
}

/// Returns true in a program that was started while something is served.
fn is_served_behind_itself() -> bool {
    // The main program sets it to the number of its process, for those that it starts.
    let own = std::process::id().to_string();
    env::var(SERVING_VARIABLE).is_ok_and(|process| process != own)
}

/// Returns the servers of the configuration that are switched on.
fn all(host: &Host) -> Vec<ServedServer> {
    let views = host.inspector.servers.sidebar.server_views();
    views
        .into_iter()
        .filter(|view| view.origin == ServerOrigin::File && !view.disabled)
        .map(|view| ServedServer {
            id: view.id,
            name: view.name,
            spec: None,
        })
        .collect()
}

/// Returns the server that a word names. Whether it can be reached shows when it is.
async fn served(host: &Host, word: &str) -> Result<ServedServer, CliError> {
    let target = Target::of(word.to_owned());
    let configured: Option<ServerId> = match &target {
        Target::Named(name) => host.inspector.servers.names.find_server(name).ok(),
        _ => None,
    };
    match (host.add_ad_hoc_server(&target).await, configured) {
        (Ok((id, spec)), _) => Ok(ServedServer {
            id,
            name: spec.name.clone(),
            spec: Some(spec),
        }),
        // What keeps it from being reached is told to agents, and may be mended meanwhile.
        (Err(error), Some(id)) if error.waits_for_user() => Ok(ServedServer {
            name: id.name().to_owned(),
            id,
            spec: None,
        }),
        (Err(error), _) => Err(error),
    }
}
