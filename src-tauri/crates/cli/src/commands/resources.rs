//! `resources list`, `templates`, `read` and `subscribe`.

use std::{sync::Arc, time::Duration};

use clap::{Args, Subcommand};
use serde_json::json;
use sightglass_inspector::{
    ConnectionEvent, ListKind, Params, Phase, ServerId, shell_quoted, view::Fact,
};
use sightglass_json_text::quoted;
use tokio::time::{Instant, timeout_at};

use crate::{
    addressed::{Addressed, refuse_more},
    commands::{contents, listing},
    error::CliError,
    host::Host,
    narration,
    outcome::Outcome,
    style::{NAME, harmless, styled},
    workflow,
};

#[derive(Debug, Subcommand)]
pub(crate) enum Resources {
    /// List the resources
    List(Addressed),
    /// List the resource templates
    Templates(Addressed),
    /// Read a resource
    #[command(
        override_usage = "sightglass-cli resources read <TARGET> <URI> [OPTIONS]\n       \
                          sightglass-cli resources read <URI> [OPTIONS] -- PROGRAM [ARGS]…"
    )]
    Read(Addressed),
    /// Ask to be told when resources change, and print a line for each change
    Subscribe(Subscribe),
}

#[derive(Debug, Args)]
#[command(
    override_usage = "sightglass-cli resources subscribe <TARGET> <URI>… [OPTIONS]\n       \
                      sightglass-cli resources subscribe <URI>… [OPTIONS] -- PROGRAM [ARGS]…",
    after_help = "With --json each line is an object with `uri` and `event`."
)]
pub(crate) struct Subscribe {
    #[command(flatten)]
    addressed: Addressed,
    /// End after this many changes; by default Ctrl-C ends it
    #[arg(long, value_name = "N")]
    count: Option<u32>,
    /// End after this time
    #[arg(long = "for", value_name = "SECONDS")]
    limit: Option<u64>,
}

impl Resources {
    pub(crate) fn lists(&self) -> &'static [ListKind] {
        match self {
            Self::List(_) => &[ListKind::Resources],
            Self::Templates(_) => &[ListKind::ResourceTemplates],
            Self::Read(_) | Self::Subscribe(_) => &[],
        }
    }

    pub(crate) async fn run(self, host: &Host) -> Result<Outcome, CliError> {
        let (addressed, kind) = match self {
            Self::List(addressed) => (addressed, ListKind::Resources),
            Self::Templates(addressed) => (addressed, ListKind::ResourceTemplates),
            Self::Read(addressed) => return read(host, addressed).await,
            Self::Subscribe(subscribe) => return subscribe.run(host).await,
        };
        listing::list(host, &addressed.alone()?, kind).await
    }
}

async fn read(host: &Host, addressed: Addressed) -> Result<Outcome, CliError> {
    let (target, words) = addressed.split()?;
    let Some((uri, rest)) = words.split_first() else {
        return Err(CliError::unnamed(
            "There is no resource to read.",
            "Give its URI",
            &target,
            "resources list",
        ));
    };
    refuse_more(rest)?;
    let server = host.connect(&target).await?;
    let params = Params::object(&[("uri", &quoted(uri))]);
    let answer = server.ask("resources/read", &params).await?;
    let text = contents::text(&answer);
    Ok(answer.into_outcome(text))
}

impl Subscribe {
    async fn run(self, host: &Host) -> Result<Outcome, CliError> {
        let (target, uris) = self.addressed.split()?;
        if uris.is_empty() {
            return Err(CliError::unnamed(
                "There is no resource to subscribe to.",
                "Give its URI",
                &target,
                "resources list",
            ));
        }
        let server = host.connect(&target).await?;
        let mut facts = server.subscribe();
        let mcp = &server.inspector().calls.requests;
        let mut subscriptions = Subscriptions {
            host,
            server: server.id.clone(),
            uris: Vec::new(),
        };
        for uri in &uris {
            mcp.subscribe_resource(&server.id, uri).await?;
            subscriptions.uris.push(uri.clone());
        }
        let tell = |uri: &str, event: &str| match host.options.json {
            true => {
                let line = json!({ "uri": uri, "event": event }).to_string();
                workflow::print_line(&crate::json::harmless(&line));
            }
            false => workflow::print_line(&format!("{} {}", styled(NAME, event), harmless(uri))),
        };
        if !host.options.json {
            narration::tell("Waiting for changes; Ctrl-C ends it.");
        }
        // A time that no clock can tell is none.
        let end = self
            .limit
            .and_then(|seconds| Instant::now().checked_add(Duration::from_secs(seconds)));
        let mut changes = 0;
        while self.count.is_none_or(|count| changes < count) {
            let batch = match end {
                Some(end) => match timeout_at(end, facts.next_batch()).await {
                    Ok(batch) => batch,
                    Err(_) => break,
                },
                None => facts.next_batch().await,
            };
            for fact in batch.ok_or_else(CliError::interrupted)? {
                let Fact::Connection { event } = fact.fact else {
                    continue;
                };
                match *event {
                    ConnectionEvent::ResourceUpdated { uri, .. } => tell(&uri, "updated"),
                    ConnectionEvent::ResourcesUpdated { .. } => {
                        uris.iter().for_each(|uri| tell(uri, "updated"));
                    }
                    ConnectionEvent::SubscriptionRefused { uri, .. } => {
                        let read = target.command("resources read", &shell_quoted(&uri));
                        return Err(CliError::usage(
                            &format!("The server ended the subscription to {uri}."),
                            &format!("{read} still reads it."),
                        ));
                    }
                    ConnectionEvent::Status { status, .. } if status.phase == Phase::Failed => {
                        return Err(server.ended().await);
                    }
                    _ => continue,
                }
                changes += 1;
            }
        }
        Ok(Outcome::nothing())
    }
}

/// Subscriptions of one command, which end with it: on a session the connection goes on.
struct Subscriptions<'a> {
    host: &'a Host,
    server: ServerId,
    uris: Vec<String>,
}

impl Drop for Subscriptions<'_> {
    fn drop(&mut self) {
        let inspector = Arc::clone(&self.host.inspector);
        let (server, uris) = (self.server.clone(), std::mem::take(&mut self.uris));
        tokio::spawn(async move {
            for uri in uris {
                let mcp = &inspector.calls.requests;
                // A connection that is gone has no subscriptions.
                let _ = mcp.unsubscribe_resource(&server, &uri).await;
            }
        });
    }
}
