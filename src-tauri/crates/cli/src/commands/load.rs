//! `load`: calls a tool at a steady rate and measures the answers.

use std::sync::atomic::{AtomicU64, Ordering};

use anstyle::Style;
use clap::Args;
use sightglass_inspector::{
    Params,
    view::{LatencySummary, LoadOptions, LoadProgress, LoadReport},
};
use tokio_util::sync::CancellationToken;

use crate::{
    addressed::Addressed,
    commands::tools,
    error::CliError,
    host::Host,
    narration,
    options::EraOption,
    outcome::Outcome,
    style::{BAD, FAINT, GOOD, HEADING, WARNING, counted, duration, harmless, styled},
    table::Table,
};

/// Width of the longest bar of the histogram, in characters.
const BAR: f64 = 40.0;
/// Milliseconds between two lines of progress.
const TELLING_MILLIS: f64 = 5000.0;

#[derive(Debug, Args)]
#[command(
    override_usage = "sightglass-cli load <TARGET> <TOOL> [KEY:=VALUE]… [OPTIONS]\n       \
                      sightglass-cli load <TOOL> … [OPTIONS] -- PROGRAM [ARGS]…",
    after_help = "The moments of the calls are fixed before the run, so that a server that stalls \
                  does not slow them down: the time in which a call waits for a free client counts \
                  as its response time. The messages are not recorded.\n\
                  Exit code 5 when a call failed."
)]
pub(crate) struct Load {
    #[command(flatten)]
    addressed: Addressed,
    /// Calls per second, of all clients together
    #[arg(long, value_name = "N", default_value_t = 10)]
    rps: u32,
    /// Connections that call at the same time
    #[arg(long, value_name = "N", default_value_t = 1)]
    clients: u32,
    /// Duration, such as 30s or 2m
    #[arg(long, value_name = "TIME", value_parser = seconds, default_value = "10s")]
    duration: u32,
    /// Allow calls to this host, which is not this machine
    #[arg(long, value_name = "HOST")]
    allow_remote: Option<String>,
    /// Allow a tool that does not say that it only reads
    #[arg(long)]
    allow_effects: bool,
}

impl Load {
    pub(crate) async fn run(self, host: &Host) -> Result<Outcome, CliError> {
        let (target, words) = self.addressed.split()?;
        let Some((tool, words)) = words.split_first() else {
            return Err(CliError::unnamed(
                "There is no tool to call.",
                "Name one",
                &target,
                "tools list",
            ));
        };
        let arguments = match words {
            [] => Params::empty(),
            words => tools::from_words(words)?,
        };
        let options = LoadOptions {
            tool: tool.clone(),
            arguments: arguments.text().to_owned(),
            rate: self.rps,
            clients: self.clients,
            seconds: self.duration,
            era: host.options.era.and_then(EraOption::exact),
            allowed_host: self.allow_remote,
            allows_effects: self.allow_effects,
        };
        let (id, spec) = host.add_ad_hoc_server(&target).await?;
        let is_quiet = host.options.json;
        let told = AtomicU64::new(0);
        let on_progress = |progress: LoadProgress| {
            let turn = (progress.elapsed.as_f64() / TELLING_MILLIS) as u64;
            if !is_quiet && told.swap(turn, Ordering::Relaxed) != turn {
                narration::tell(&progress_line(&progress));
            }
        };
        let load = &host.inspector.checks.load;
        let report = load
            .load_as(&id, spec, &options, &on_progress, &CancellationToken::new())
            .await?;
        let outcome = Outcome::of(&report, text_of(&report))?;
        Ok(match report.failed {
            0 => outcome,
            failed => outcome.with_error(CliError::check(&format!(
                "{} failed.",
                counted(failed, "call")
            ))),
        })
    }
}

/// Reads a duration in whole seconds.
fn seconds(text: &str) -> Result<u32, String> {
    let (number, factor) = match (text.strip_suffix('s'), text.strip_suffix('m')) {
        (Some(number), _) => (number, 1),
        (_, Some(number)) => (number, 60),
        _ => (text, 1),
    };
    let number: u32 = number
        .parse()
        .map_err(|_| "write it as 30s or 2m".to_owned())?;
    number
        .checked_mul(factor)
        .ok_or_else(|| "that is too long".to_owned())
}

fn progress_line(progress: &LoadProgress) -> String {
    format!(
        "{} of {} calls, {} failed, p99 {}",
        progress.ended,
        progress.total,
        progress.failed,
        duration(progress.response.p99)
    )
}

fn text_of(report: &LoadReport) -> String {
    let mut text = format!(
        "{} {} of {} calls succeeded in {}, {:.1} answers per second\n",
        match report.failed {
            0 => styled(GOOD, "✓"),
            _ => styled(BAD, "✗"),
        },
        report.succeeded,
        report.total,
        duration(report.duration),
        report.throughput
    );
    if report.not_sent > 0 {
        let line = format!(
            "{} calls were due and not sent, since every client still waited for an answer.",
            report.not_sent
        );
        text.push_str(&format!("{}\n", styled(WARNING, &line)));
    }
    let mut table = Table::default();
    let plain = |text: &str| (text.to_owned(), Style::new());
    table.row(["", "p50", "p90", "p99", "max"].map(|heading| (heading.to_owned(), HEADING)));
    for (name, summary) in [
        ("since due", &report.response),
        ("since sent", &report.service),
    ] {
        let LatencySummary { p50, p90, p99, max } = *summary;
        let figures = [p50, p90, p99, max].map(duration);
        table.row(std::iter::once(plain(name)).chain(figures.iter().map(|figure| plain(figure))));
    }
    text.push_str(&format!("\n{}\n", table.render()));
    let most = report.histogram.iter().map(|bucket| bucket.count).max();
    let most = f64::from(most.unwrap_or_default().max(1));
    for bucket in &report.histogram {
        let length = (f64::from(bucket.count) / most * BAR).ceil() as usize;
        text.push_str(&format!(
            "{:>9}  {:<width$}  {}\n",
            duration(bucket.from),
            "▇".repeat(length),
            bucket.count,
            width = BAR as usize
        ));
    }
    for error in &report.errors {
        text.push_str(&format!(
            "{} {}\n",
            styled(BAD, &error.count.to_string()),
            harmless(&error.kind)
        ));
        if let Some(example) = &error.example {
            text.push_str(&format!("    {}\n", styled(FAINT, &harmless(example))));
        }
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn durations_are_seconds_or_minutes() {
        assert_eq!(seconds("30s"), Ok(30));
        assert_eq!(seconds("2m"), Ok(120));
        assert_eq!(seconds("7"), Ok(7));
        for odd in ["", "s", "1h", "-1s", "1.5s", "99999999m"] {
            assert!(seconds(odd).is_err(), "{odd}");
        }
    }
}
