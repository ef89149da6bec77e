//! `doctor`: an ordered check of a server, with evidence, or of all that are configured.

use anstyle::Style;
use clap::Args;
use serde_json::{Value, json};

use crate::{
    addressed::{Addressed, unusable_files},
    error::CliError,
    host::Host,
    outcome::Outcome,
    style::{BAD, FAINT, GOOD, NAME, WARNING, harmless, styled},
    table::Table,
    target::Target,
};

#[derive(Debug, Args)]
#[command(override_usage = "sightglass-cli doctor <TARGET> [OPTIONS]\n       \
                            sightglass-cli doctor --all [OPTIONS]\n       \
                            sightglass-cli doctor [OPTIONS] -- PROGRAM [ARGS]…")]
pub(crate) struct Doctor {
    #[command(flatten)]
    addressed: Addressed,
    /// Check every configured server, one after another, and fail when one does not work
    #[arg(long)]
    all: bool,
}

impl Doctor {
    pub(crate) async fn run(self, host: &Host) -> Result<Outcome, CliError> {
        if self.all {
            self.addressed.none()?;
            return all(host).await;
        }
        let (report, error) = host.examine(&self.addressed.alone()?).await?;
        let text = report
            .text
            .lines()
            .map(harmless)
            .collect::<Vec<_>>()
            .join("\n");
        let outcome = Outcome::of(&report, text)?;
        Ok(match error {
            Some(error) => outcome.with_error(error),
            None => outcome,
        })
    }
}

/// Examines the servers that are in use, and sums up.
async fn all(host: &Host) -> Result<Outcome, CliError> {
    host.options.refuse_those_of_one_server(
        "--all checks every one",
        "Name the server in place of --all.",
    )?;
    let servers = host.inspector.snapshot().servers;
    let mut table = Table::default();
    let mut reports: Vec<Value> = Vec::new();
    let mut failed = 0;
    for server in servers.iter().filter(|server| !server.disabled) {
        let target = Target::Named(server.id.as_str().to_owned());
        let (word, style, remark, report) = match host.examine(&target).await {
            Ok((report, None)) => match &report.cause {
                None => ("works", GOOD, String::new(), json!(report)),
                Some(cause) => ("works", WARNING, cause.clone(), json!(report)),
            },
            Ok((report, Some(error))) => {
                let cause = report.cause.clone().unwrap_or(error.message);
                ("fails", BAD, cause, json!(report))
            }
            Err(error) => {
                let hint = error.hint.as_deref().unwrap_or_default();
                let remark = format!("{} {hint}", error.message);
                ("not checked", BAD, remark, Value::Null)
            }
        };
        failed += u32::from(style == BAD);
        reports.push(json!({
            "server": server.id,
            "verdict": word,
            "reason": remark,
            "report": report,
        }));
        table.row([
            (harmless(&server.name), NAME),
            (server.client_title.clone(), FAINT),
            (word.to_owned(), style),
            (harmless(&remark), Style::new()),
        ]);
    }
    let unread = unusable_files(&host.inspector);
    if reports.is_empty() && unread.is_empty() {
        return Err(CliError::usage(
            "No server is configured here.",
            "`sightglass-cli doctor URL` checks one that is not; `sightglass-cli config add` adds \
             one.",
        ));
    }
    let count = reports.len();
    let result = json!({ "servers": reports, "unreadFiles": unread }).to_string();
    let mut text = table.render();
    for path in &unread {
        let line = format!("{path} cannot be read, so that its servers are not checked.");
        text.push_str(&format!("{}\n", styled(BAD, &harmless(&line))));
    }
    let outcome = Outcome::new(result, text);
    Ok(match (failed, unread.as_slice()) {
        (0, []) => outcome,
        (0, _) => outcome.with_error(
            CliError::check("A configuration file cannot be read.")
                .with_hint("`sightglass-cli config check` says what is wrong there."),
        ),
        _ => outcome.with_error(
            CliError::check(&format!("{failed} of {count} servers do not work."))
                .with_hint("`sightglass-cli doctor NAME` says all about one."),
        ),
    })
}
