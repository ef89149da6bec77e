//! `skills list` and `verify`.

use anstyle::Style;
use clap::{Args, Subcommand};
use serde_json::json;
use sightglass_inspector::{
    Finding, Verdict,
    view::{SkillFileReport, SkillListView, SkillReport},
};

use crate::{
    addressed::Addressed,
    error::CliError,
    host::Host,
    outcome::Outcome,
    style::{BAD, FAINT, GOOD, NAME, WARNING, counted, harmless, mark, styled},
    table::Table,
};

/// Name of the requests.
const KEY: &str = "skills";

#[derive(Debug, Subcommand)]
pub(crate) enum Skills {
    /// List the skills of a server; no file is read
    List(Addressed),
    /// Read the files of skills and hold each against its entry; fails when one differs
    Verify(Verify),
}

#[derive(Debug, Args)]
#[command(override_usage = "sightglass-cli skills verify <TARGET> [URI]… [OPTIONS]")]
pub(crate) struct Verify {
    #[command(flatten)]
    addressed: Addressed,
    /// Fail also where the server publishes no digests
    #[arg(long)]
    require_digests: bool,
}

impl Skills {
    pub(crate) async fn run(self, host: &Host) -> Result<Outcome, CliError> {
        match self {
            Self::List(addressed) => list(host, addressed).await,
            Self::Verify(verify) => verify.run(host).await,
        }
    }
}

async fn list(host: &Host, addressed: Addressed) -> Result<Outcome, CliError> {
    let server = host.connect(&addressed.alone()?).await?;
    let skills = &server.inspector().calls.skills;
    let list = skills.skills(&server.id, KEY).await;
    let list = list.map_err(|error| CliError::about(&server.target, error))?;
    let result = json!({
        "server": server.spec.name,
        "skills": list.skills,
        "leftOut": list.left_out,
        "findings": list.findings,
        "tokens": list.tokens,
    });
    Ok(Outcome::new(result.to_string(), list_text(&list)))
}

fn list_text(list: &SkillListView) -> String {
    if list.skills.is_empty() {
        return "The server lists no skills. It may still serve some by their URI.\n".to_owned()
            + &findings_text(&list.findings, "");
    }
    let mut table = Table::default();
    for skill in &list.skills {
        let files = match skill.files {
            Some(files) => counted(files, "file"),
            None => "no manifest".to_owned(),
        };
        let name_style = if skill.errors > 0 { BAD } else { NAME };
        table.row([
            (skill.name.clone(), name_style),
            (skill.uri.clone(), FAINT),
            (files, Style::new()),
            (skill.description.clone(), Style::new()),
        ]);
    }
    let always = format!(
        "A client's model always sees the names and descriptions: ≈{} tokens.",
        list.tokens
    );
    table.render() + &styled(FAINT, &always) + "\n" + &findings_text(&list.findings, "")
}

impl Verify {
    async fn run(self, host: &Host) -> Result<Outcome, CliError> {
        let (target, mut uris) = self.addressed.split()?;
        let server = host.connect(&target).await?;
        let skills = &server.inspector().calls.skills;
        let named = |error| CliError::about(&target, error);
        let list = skills.skills(&server.id, KEY).await.map_err(named)?;
        if uris.is_empty() {
            uris = list.skills.iter().map(|skill| skill.uri.clone()).collect();
        }
        let mut reports = Vec::new();
        for uri in &uris {
            let verified = skills.verify_skill(&server.id, KEY, uri).await;
            reports.push(verified.map_err(named)?);
        }
        let fails = |report: &&SkillReport| match report.verdict {
            Verdict::Failed => true,
            Verdict::Skipped => self.require_digests,
            _ => false,
        };
        let failed = reports.iter().filter(fails).count();
        let list_fails = list
            .findings
            .iter()
            .any(|finding| finding.verdict == Verdict::Failed);
        let result = json!({
            "server": server.spec.name,
            "skills": reports,
            "findings": list.findings,
            "failed": failed,
        });
        let mut text: String = reports.iter().map(report_text).collect();
        text.push_str(&findings_text(&list.findings, ""));
        let count = counted(reports.len(), "skill");
        text.push_str(&format!("{count}, {failed} failed\n"));
        let outcome = Outcome::new(result.to_string(), text);
        Ok(match (failed, list_fails) {
            (0, false) => outcome,
            (0, true) => outcome.with_error(CliError::check(&format!(
                "The list of skills of {} is not as it has to be.",
                server.spec.name
            ))),
            _ => outcome.with_error(CliError::check(&format!(
                "{}: {failed} of {} skills failed.",
                server.spec.name,
                reports.len()
            ))),
        })
    }
}

fn report_text(report: &SkillReport) -> String {
    let (glyph, style, word) = verdict(report.verdict);
    let mut text = format!(
        "{} {}  {}\n",
        styled(style, glyph),
        styled(NAME, &harmless(&report.name)),
        styled(FAINT, &harmless(&format!("{} {word}", report.uri))),
    );
    text.push_str(&findings_text(&report.findings, "  "));
    for file in &report.files {
        text.push_str(&file_text(file));
    }
    text
}

fn file_text(file: &SkillFileReport) -> String {
    let (glyph, style, _) = verdict(file.verdict);
    let size = file
        .size
        .map_or_else(String::new, |size| format!("{} bytes", size.as_u64()));
    format!(
        "  {} {}  {}\n{}",
        styled(style, glyph),
        harmless(&file.path),
        styled(FAINT, &size),
        findings_text(&file.findings, "    ")
    )
}

fn verdict(verdict: Verdict) -> (&'static str, Style, &'static str) {
    match verdict {
        Verdict::Failed => ("✗", BAD, "must not be loaded"),
        Verdict::Skipped => ("?", WARNING, "cannot be verified"),
        _ => ("✓", GOOD, "is what its entry says"),
    }
}

fn findings_text(findings: &[Finding<()>], indent: &str) -> String {
    let mut text = String::new();
    for finding in findings {
        let (style, _) = mark(finding.verdict);
        let clause = finding.clause.as_ref().map(|clause| clause.title.as_str());
        let rule = format!("{} ({})", finding.title, clause.unwrap_or_default());
        text.push_str(&format!(
            "{indent}{}  {}\n{indent}  {}\n",
            styled(style, &finding.rule),
            harmless(finding.words()),
            styled(FAINT, &harmless(&rule)),
        ));
    }
    text
}
