//! `conformance`: checks a server against the specification.

use std::path::PathBuf;

use clap::Args;
use sightglass_inspector::{
    ConformanceProgress, ConformanceReport, Era, Finding, Inspector, PayloadForm, PayloadQuery,
    RequirementLevel, SuiteReport, Verdict, conformance_junit, view::ConformanceOptions,
};
use tokio_util::sync::CancellationToken;

use crate::{
    addressed::Addressed,
    error::CliError,
    host::Host,
    narration,
    options::EraOption,
    outcome::{Outcome, write_report},
    style::{BAD, FAINT, HEADING, counted, duration, harmless, mark, styled},
};

/// Exchanges behind a failed check that are shown.
const MAX_EXCHANGES: usize = 2;
/// Characters of a message that are shown.
const MAX_MESSAGE: usize = 240;

#[derive(Debug, Args)]
#[command(
    after_help = "Both generations of the protocol are checked; --era checks one. No tool is called but \
                  that of --tool.\n\
                  --verbose shows every message. Exit code 5 when a check failed."
)]
pub(crate) struct Conformance {
    #[command(flatten)]
    addressed: Addressed,
    /// The tool to call, if any
    #[arg(long, value_name = "NAME")]
    tool: Option<String>,
    /// Arguments of a call of that tool, as a JSON object
    #[arg(long, value_name = "JSON", requires = "tool")]
    arguments: Option<String>,
    /// Run the server scenarios of the official suite too; for an address over HTTP
    #[arg(long)]
    suite: bool,
    /// Download the official suite first, where it is not installed: with npm, at a fixed version,
    /// into the data directory
    #[arg(long, requires = "suite")]
    install_suite: bool,
    /// Allow the official suite to be run against this host, which is not this machine
    #[arg(long, value_name = "HOST", requires = "suite")]
    allow_remote: Option<String>,
    /// Write a JUnit report
    #[arg(long, value_name = "FILE")]
    junit: Option<PathBuf>,
}

impl Conformance {
    pub(crate) async fn run(self, host: &Host) -> Result<Outcome, CliError> {
        let (id, spec) = host.add_ad_hoc_server(&self.addressed.alone()?).await?;
        host.narrate(&id);
        let options = ConformanceOptions {
            era: host.options.era.and_then(EraOption::exact),
            tool: self.tool,
            arguments: self.arguments,
            suite: self.suite,
            allowed_host: self.allow_remote,
        };
        if self.suite {
            provide_suite(host, self.install_suite).await?;
        }
        let report = host
            .inspector
            .checks
            .conformance
            .conformance_as(
                &id,
                spec,
                &options,
                &|_: ConformanceProgress| {},
                &CancellationToken::new(),
            )
            .await?;
        if let Some(path) = &self.junit {
            write_report(path, conformance_junit(&report))?;
        }
        let text = text_of(&host.inspector, &report).await;
        let outcome = Outcome::of(&report, text)?;
        Ok(match report.totals.failed {
            0 => outcome,
            failed => outcome.with_error(CliError::check(&format!(
                "{} failed.",
                counted(failed, "check")
            ))),
        })
    }
}

/// Sees to it that the official suite is there, or says how to get it.
async fn provide_suite(host: &Host, may_install: bool) -> Result<(), CliError> {
    let suite = host.inspector.checks.conformance.conformance_suite();
    if suite.is_installed {
        return Ok(());
    }
    let what = format!(
        "{} {} ({} packages, {} MiB) into {}",
        suite.package, suite.version, suite.packages, suite.mebibytes, suite.directory
    );
    if !may_install {
        return Err(CliError::usage(
            "The official suite is not installed.",
            &format!("`--install-suite` downloads {what} with npm, once."),
        ));
    }
    narration::tell(&format!("Downloading {what}."));
    let conformance = &host.inspector.checks.conformance;
    conformance.install_conformance_suite().await?;
    Ok(())
}

async fn text_of(inspector: &Inspector, report: &ConformanceReport) -> String {
    let mut text = String::new();
    let mut era = None;
    for check in &report.checks {
        if era.replace(check.subject) != Some(check.subject) {
            let title = match check.subject {
                Era::Legacy => "Legacy generation (up to 2025-11-25)",
                Era::Modern => "Modern generation (2026-07-28)",
            };
            text.push_str(&format!("{}\n", styled(HEADING, title)));
        }
        text.push_str(&line_of(check));
        if check.verdict == Verdict::Failed {
            text.push_str(&evidence_of(inspector, check).await);
        }
    }
    if let Some(suite) = &report.suite {
        text.push_str(&suite_text(suite));
    }
    if let Some(problem) = &report.suite_problem {
        let line = format!("The official suite did not run: {}", harmless(problem));
        text.push_str(&format!("{}\n", styled(BAD, &line)));
    }
    let totals = report.totals.summary();
    text.push_str(&format!("{totals} in {}\n", duration(report.duration)));
    text
}

fn suite_text(suite: &SuiteReport) -> String {
    let mut text = String::new();
    let mut revision = "";
    for scenario in &suite.scenarios {
        if std::mem::replace(&mut revision, &scenario.revision) != scenario.revision {
            let title = format!("{}, {}", suite.version, scenario.revision);
            text.push_str(&format!("{}\n", styled(HEADING, &title)));
        }
        let (style, glyph) = mark(scenario.verdict);
        let style = match scenario.is_scored || scenario.verdict == Verdict::Passed {
            true => style,
            false => FAINT,
        };
        let remark = match scenario.is_scored {
            true => "",
            false => " not scored",
        };
        text.push_str(&format!(
            "  {} {}{}\n",
            styled(style, glyph),
            harmless(&scenario.name),
            styled(FAINT, remark)
        ));
        for check in scenario.failures().filter(|_| scenario.is_scored) {
            let message = check.words();
            let first = message.lines().next().unwrap_or_default();
            text.push_str(&format!(
                "      {} {}\n",
                styled(FAINT, &harmless(&check.rule)),
                harmless(first)
            ));
        }
    }
    text
}

fn line_of(check: &Finding<Era>) -> String {
    let (style, glyph) = mark(check.verdict);
    let mut line = format!(
        "  {} {} {}\n",
        styled(style, glyph),
        check.title,
        styled(FAINT, &check.rule)
    );
    if let Some(message) = &check.message {
        line.push_str(&format!("      {}\n", harmless(message)));
    }
    if let Some(clause) = &check.clause
        && check.verdict == Verdict::Failed
    {
        let level = match clause.level {
            Some(RequirementLevel::Must) => "MUST, ",
            Some(RequirementLevel::Should) => "SHOULD, ",
            None => "",
        };
        let clause = format!("{level}{}", clause.title);
        line.push_str(&format!("      {}\n", styled(FAINT, &clause)));
    }
    line
}

/// The messages behind a failed check.
async fn evidence_of(inspector: &Inspector, check: &Finding<Era>) -> String {
    let mut text = String::new();
    for exchange in check.exchanges.iter().take(MAX_EXCHANGES) {
        let Ok(detail) = inspector.core.record().detail(*exchange).await else {
            continue;
        };
        for (frame, sign) in [
            (Some(detail.row.request_frame), "→"),
            (detail.row.response_frame, "←"),
        ] {
            let Some(frame) = frame else {
                continue;
            };
            let query = PayloadQuery {
                frame,
                pointer: String::new(),
                form: PayloadForm::Raw,
            };
            let Ok(page) = inspector
                .record
                .reader
                .payload_lines(None, query, 0, 1)
                .await
            else {
                continue;
            };
            let mut message: String = page.lines.concat().chars().take(MAX_MESSAGE).collect();
            if page.total_size.as_u64() > message.len() as u64 {
                message.push('…');
            }
            let message = format!("{sign} {}", harmless(&message));
            text.push_str(&format!("      {}\n", styled(FAINT, &message)));
        }
    }
    text
}
