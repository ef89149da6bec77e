//! `watch`: tells what a server announces and what changes in it, a line each, as it comes.

use std::time::Duration;

use clap::Args;
use serde_json::json;
use sightglass_inspector::{
    ConnectionEvent, Direction, ExchangeKind, ExchangeRow, ListState, Phase, Surface, Timestamp,
    surface_changes, view::Fact,
};
use sightglass_json_text::{Message, object, quoted};
use tokio::time::{Instant, sleep_until};

use crate::{
    addressed::Addressed,
    error::CliError,
    host::{ConnectedServer, Host},
    json, narration,
    outcome::Outcome,
    record_rows::RecordRows,
    style::{FAINT, NAME, harmless, styled},
    workflow,
};

/// Confirms what the client listens to (MCP 2026-07-28, `subscriptions/listen`); it announces nothing.
const ACKNOWLEDGED: &str = "notifications/subscriptions/acknowledged";

#[derive(Debug, Args)]
#[command(
    override_usage = "sightglass-cli watch <TARGET> [OPTIONS]\n       \
                      sightglass-cli watch [OPTIONS] -- PROGRAM [ARGS]…",
    after_help = "With --json each line is an object with `type` and `at`, in milliseconds since 1970:\n  \
                  notification  with `method` and `params`, as the server sent it\n  \
                  change        of a tool, resource or prompt, with `change`\n  \
                  status        with `phase`, when the connection is lost or back\n\
                  Secrets are masked, as they are on record. --log-level asks for log messages."
)]
pub(crate) struct Watch {
    #[command(flatten)]
    addressed: Addressed,
    /// Ask the server to tell when this resource changes
    #[arg(long = "resource", value_name = "URI")]
    resources: Vec<String>,
    /// End after this many lines; by default Ctrl-C ends it
    #[arg(long, value_name = "N")]
    count: Option<u32>,
    /// End after this time
    #[arg(long = "for", value_name = "SECONDS")]
    limit: Option<u64>,
}

impl Watch {
    pub(crate) async fn run(self, host: &Host) -> Result<Outcome, CliError> {
        let mut record = host.inspector.core.record().watch();
        let server = host.connect(&self.addressed.alone()?).await?;
        let mut facts = server.subscribe();
        let mut watched = WatchedServer {
            surface: server.surface()?,
            is_live: true,
            rows: RecordRows::new(&host.inspector),
            lines: WatchLines {
                as_json: host.options.json,
                left: self.count,
            },
            server,
        };
        for uri in &self.resources {
            let requests = &watched.server.inspector().calls.requests;
            let subscribed = requests.subscribe_resource(&watched.server.id, uri).await;
            subscribed.map_err(|error| CliError::about(&watched.server.target, error))?;
        }
        if !host.options.json {
            narration::tell("Waiting for changes; Ctrl-C ends it.");
        }
        // A time that no clock can tell is none.
        let end = self
            .limit
            .and_then(|seconds| Instant::now().checked_add(Duration::from_secs(seconds)));
        loop {
            watched.tell_new().await;
            if watched.lines.left == Some(0) {
                return Ok(Outcome::nothing());
            }
            tokio::select! {
                changed = record.changed() => changed.map_err(|_| CliError::interrupted())?,
                batch = facts.next_batch() => {
                    let batch = batch.ok_or_else(CliError::interrupted)?;
                    // What was announced comes before what it changed.
                    watched.tell_new().await;
                    for fact in batch {
                        if let Fact::Connection { event } = fact.fact {
                            watched.event(*event).await?;
                        }
                    }
                }
                () = sleep_until(end.unwrap_or_else(Instant::now)), if end.is_some() => {
                    watched.tell_new().await;
                    return Ok(Outcome::nothing());
                }
            }
        }
    }
}

/// The server that is watched, and what was last known of it.
struct WatchedServer<'a> {
    server: ConnectedServer<'a>,
    surface: Surface,
    is_live: bool,
    rows: RecordRows,
    lines: WatchLines,
}

impl WatchedServer<'_> {
    /// Tells the notifications that are new on record.
    async fn tell_new(&mut self) {
        for row in self.rows.unseen().await {
            let is_notification =
                matches!(row.kind, ExchangeKind::Notification | ExchangeKind::Log);
            let is_announced = is_notification && row.method != ACKNOWLEDGED;
            if is_announced && row.direction == Direction::Received {
                self.notification(&row).await;
            }
        }
    }

    async fn notification(&mut self, row: &ExchangeRow) {
        let text = self.rows.text(row.request_frame).await;
        let params = text.as_deref().and_then(|text| {
            let message = Message::parse(text).ok()?;
            message.params().map(str::to_owned)
        });
        let too_long = match text {
            Some(_) => "",
            None => "(too long to be shown)",
        };
        self.lines.tell(
            || {
                object([
                    ("type", "\"notification\""),
                    ("at", &json!(row.at).to_string()),
                    ("method", &quoted(&row.method)),
                    ("params", params.as_deref().unwrap_or("null")),
                ])
            },
            || {
                let method = styled(NAME, &harmless(&row.method));
                let params = json::harmless(params.as_deref().unwrap_or_default());
                format!("{method} {params}{too_long}")
            },
        );
    }

    async fn event(&mut self, event: ConnectionEvent) -> Result<(), CliError> {
        match event {
            ConnectionEvent::List { change, .. } if change.state == ListState::Loaded => {
                self.changes();
            }
            ConnectionEvent::SubscriptionRefused { uri, .. } => {
                return Err(CliError::usage(
                    &format!("The server ended the subscription to {uri}."),
                    "Leave out its `--resource` to watch the rest.",
                ));
            }
            ConnectionEvent::Status { status, .. } => {
                if status.phase == Phase::Failed {
                    return Err(self.server.ended().await);
                }
                if status.phase.is_live() != self.is_live {
                    self.is_live = status.phase.is_live();
                    let phase = status.phase;
                    self.lines.tell(
                        || {
                            json!({ "type": "status", "at": Timestamp::now(), "phase": phase })
                                .to_string()
                        },
                        || styled(NAME, &phase.to_string()),
                    );
                }
            }
            _ => {}
        }
        Ok(())
    }

    /// Tells what is different since the lists were last looked at.
    fn changes(&mut self) {
        let lists = self.server.inspector().calls.lists.lists(&self.server.id);
        // Another one is on its way, and tells when it is there.
        if lists.iter().any(|list| list.state == ListState::Loading) {
            return;
        }
        let Ok(now) = self.server.surface() else {
            return;
        };
        for change in surface_changes(&self.surface, &now) {
            self.lines.tell(
                || {
                    json!({ "type": "change", "at": Timestamp::now(), "change": change })
                        .to_string()
                },
                || {
                    let subject = format!("{} {}", change.subject.part.word(), change.subject.name);
                    format!(
                        "{} {} {}",
                        styled(NAME, &harmless(subject.trim_end())),
                        styled(FAINT, change.class.name()),
                        harmless(&change.explanation)
                    )
                },
            );
        }
        self.surface = now;
    }
}

/// WatchLines on stdout.
struct WatchLines {
    as_json: bool,
    /// WatchLines that are still wanted; `None` for all.
    left: Option<u32>,
}

impl WatchLines {
    fn tell(&mut self, as_json: impl FnOnce() -> String, text: impl FnOnce() -> String) {
        if self.left == Some(0) {
            return;
        }
        self.left = self.left.map(|left| left - 1);
        workflow::print_line(&match self.as_json {
            true => workflow::harmless_json(json::harmless(&as_json())),
            false => text(),
        });
    }
}
