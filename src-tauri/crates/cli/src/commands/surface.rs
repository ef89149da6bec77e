//! `pin`, `drift`, `diff` and `lint`: what a server shows of itself, and changes of it.

use std::path::{Path, PathBuf};

use anstyle::Style;
use clap::{Args, ValueEnum};
use serde_json::json;
use sightglass_inspector::{
    ChangeClass, Finding, Part, RULES, Silence, Surface, SurfaceChange, SurfacePlace, brief,
    session_surface, shell_quoted, surface_changes, view::SurfaceCounterpart,
};

use crate::{
    addressed::{Addressed, refuse_more},
    error::CliError,
    host::{ConnectedServer, Host},
    next_step,
    options::EraOption,
    outcome::Outcome,
    style::{BAD, FAINT, GOOD, HEADING, NAME, WARNING, counted, harmless, styled},
    target::Target,
};

/// Characters of a value before and after a change that are shown.
const MAX_VALUE_CHARS: usize = 400;

#[derive(Debug, Args)]
pub(crate) struct Pin {
    #[command(flatten)]
    addressed: Addressed,
}

#[derive(Debug, Args)]
pub(crate) struct Drift {
    #[command(flatten)]
    addressed: Addressed,
    /// The least change that is a failure
    #[arg(long, value_enum, value_name = "CLASS", default_value = "breaking")]
    fail_on: FailOn,
}

#[derive(Debug, Args)]
#[command(override_usage = "sightglass-cli diff SERVER_A SERVER_B\n       \
                            sightglass-cli diff SERVER --other-era ERA")]
pub(crate) struct Diff {
    #[command(flatten)]
    addressed: Addressed,
    /// Compare the server with itself in this generation of the protocol
    #[arg(long, value_enum, value_name = "ERA", group = "situation")]
    other_era: Option<EraOption>,
    /// Compare the server with itself as this account
    #[arg(long, value_name = "NAME", group = "situation")]
    other_identity: Option<String>,
    /// Compare the server with itself when this extension is declared to it
    #[arg(long, value_name = "EXTENSION", group = "situation")]
    with_extension: Option<String>,
    /// Compare the server with itself when this extension is not declared to it
    #[arg(long, value_name = "EXTENSION", group = "situation")]
    without_extension: Option<String>,
    /// Compare the server with itself, connected once more
    #[arg(long, group = "situation")]
    reconnect: bool,
    /// The recorded server, of session files with several
    #[arg(long, value_name = "NAME", conflicts_with = "situation")]
    recorded: Option<String>,
}

#[derive(Debug, Args)]
pub(crate) struct Lint {
    #[command(flatten)]
    addressed: Addressed,
    /// Leave out the findings of a rule; with RULE:NAME those of one tool
    #[arg(long, value_name = "RULE")]
    silence: Vec<String>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
enum FailOn {
    Breaking,
    Attention,
    Compatible,
    Note,
    Never,
}

impl FailOn {
    fn fails(self, class: ChangeClass) -> bool {
        let least = match self {
            Self::Breaking => ChangeClass::Breaking,
            Self::Attention => ChangeClass::Attention,
            Self::Compatible => ChangeClass::Compatible,
            Self::Note => ChangeClass::Note,
            Self::Never => return false,
        };
        class <= least
    }
}

impl Pin {
    pub(crate) async fn run(self, host: &Host) -> Result<Outcome, CliError> {
        let server = host.connect(&self.addressed.alone()?).await?;
        let surface = server.surface()?;
        server.inspector().checks.surfaces.pin_surface(&server.id)?;
        let count = |items: &Option<Vec<_>>| items.as_ref().map(Vec::len);
        let counts = json!({
            "server": server.spec.name,
            "tools": count(&surface.tools),
            "prompts": count(&surface.prompts),
            "resources": count(&surface.resources),
            "templates": count(&surface.templates),
        });
        let tools = counted(count(&surface.tools).unwrap_or_default(), "tool");
        let text = format!(
            "{} {} is pinned, with {tools}.\n",
            styled(GOOD, "✓"),
            harmless(&server.spec.name),
        );
        Ok(Outcome::new(counts.to_string(), text))
    }
}

impl Drift {
    pub(crate) async fn run(self, host: &Host) -> Result<Outcome, CliError> {
        let server = host.connect(&self.addressed.alone()?).await?;
        let view = server.inspector().checks.surfaces.surface(&server.id)?;
        if view.stored.is_none() {
            let name = &server.spec.name;
            return Err(CliError::usage(
                &format!("There is no stored surface of {name} to compare with."),
                &format!(
                    "{} stores the one that it has now.",
                    server.target.command("pin", "")
                ),
            ));
        }
        let failing = view
            .changes
            .iter()
            .filter(|change| self.fail_on.fails(change.class))
            .count();
        let result = json!({
            "server": server.spec.name,
            "pinned": view.is_pinned,
            "possibleRugPull": view.is_possible_rug_pull,
            "changes": view.changes,
            "leftOut": view.left_out,
        });
        let since = match view.is_pinned {
            true => "since it was pinned",
            false => "since the last connection",
        };
        let outcome = Outcome::new(result.to_string(), changes_text(&view.changes, since));
        Ok(match failing {
            0 => outcome,
            _ => outcome.with_error(failed(&server, &counted(failing, "change"))),
        })
    }
}

fn failed(server: &ConnectedServer<'_>, changes: &str) -> CliError {
    let message = format!("{}: {changes} that should not be.", server.spec.name);
    CliError::drift(&server.target, &message)
}

impl Diff {
    pub(crate) async fn run(self, host: &Host) -> Result<Outcome, CliError> {
        let situation = self.situation();
        let (first, rest) = self.addressed.split()?;
        if let Some((name, counterpart)) = situation {
            refuse_more(&rest)?;
            let server = host.connect(&first).await?;
            return compared(&server, &name, &counterpart).await;
        }
        let mut rest = rest.into_iter();
        let Some(second) = rest.next() else {
            return Err(CliError::usage(
                "There is nothing to compare with.",
                &format!(
                    "Name a second server after it, or compare it with itself in another situation, \
                     for instance {}.",
                    first.command("diff", "--other-era legacy")
                ),
            ));
        };
        refuse_more(&rest.collect::<Vec<_>>())?;
        let second = Target::of(second);
        if is_file(&first) || is_file(&second) {
            let recorded = self.recorded.as_deref();
            return compared_with_recording(host, &first, &second, recorded).await;
        }
        if self.recorded.is_some() {
            return Err(CliError::usage(
                "`--recorded` is for session files, which neither of the two is.",
                "Leave `--recorded` out.",
            ));
        }
        let first = host.connect(&first).await?;
        let (other, _) = second.resolve(&host.inspector, &host.options).await?;
        if other == first.id {
            return Err(CliError::usage(
                "Both are one server.",
                &format!(
                    "{} compares it with itself, connected once more.",
                    first.target.command("diff", "--reconnect")
                ),
            ));
        }
        let second = host.connect(&second).await?;
        let counterpart = SurfaceCounterpart::Server {
            server: second.id.clone(),
        };
        compared(&first, &second.spec.name, &counterpart).await
    }

    /// The situation of the first server that is compared with, where one is named.
    fn situation(&self) -> Option<(String, SurfaceCounterpart)> {
        let extension = |name: &String, is_declared: bool| SurfaceCounterpart::Extension {
            name: name.clone(),
            is_declared,
        };
        if let Some(era) = self.other_era {
            let name = match era {
                EraOption::Auto => "itself in the generation that is found out",
                EraOption::Modern => "itself in the modern generation",
                EraOption::Legacy => "itself in the legacy generation",
            };
            let era = era.into();
            return Some((name.to_owned(), SurfaceCounterpart::Era { era }));
        }
        if let Some(identity) = &self.other_identity {
            let counterpart = SurfaceCounterpart::Identity {
                identity: identity.clone(),
            };
            return Some((format!("itself as {identity}"), counterpart));
        }
        if let Some(name) = &self.with_extension {
            return Some((format!("itself with {name}"), extension(name, true)));
        }
        if let Some(name) = &self.without_extension {
            return Some((format!("itself without {name}"), extension(name, false)));
        }
        self.reconnect.then(|| {
            let name = "itself, connected once more".to_owned();
            (name, SurfaceCounterpart::Reconnect)
        })
    }
}

/// Compares a server with another side, which `name` stands for.
async fn compared(
    server: &ConnectedServer<'_>,
    name: &str,
    counterpart: &SurfaceCounterpart,
) -> Result<Outcome, CliError> {
    let surfaces = &server.inspector().checks.surfaces;
    let difference = surfaces.compare_surface(&server.id, counterpart).await?;
    let result = json!({
        "servers": [server.spec.name, name],
        "changes": difference.changes,
        "leftOut": difference.left_out,
    });
    let between = format!("from {} to {name}", server.spec.name);
    Ok(Outcome::new(
        result.to_string(),
        changes_text(&difference.changes, &between),
    ))
}

/// Returns true for the path of a file, which is then a session file.
fn is_file(target: &Target) -> bool {
    matches!(target, Target::Named(name) if Path::new(name).is_file())
}

/// Compares two sides of which at least one is a session file.
async fn compared_with_recording(
    host: &Host,
    first: &Target,
    second: &Target,
    recorded: Option<&str>,
) -> Result<Outcome, CliError> {
    let (first_name, first, mut names) = surface_of(host, first, recorded).await?;
    let (second_name, second, others) = surface_of(host, second, recorded).await?;
    // Both may be recordings of one server.
    names.extend(others);
    names.sort_unstable();
    names.dedup();
    if let Some(recorded) = recorded.filter(|recorded| !names.iter().any(|name| name == recorded)) {
        return Err(CliError::usage(
            &format!("There is no recorded server named {recorded}."),
            &next_step::instead_of(recorded, &names, "recorded servers"),
        ));
    }
    let changes = surface_changes(&first, &second);
    let result = json!({
        "servers": [first_name, second_name],
        "changes": changes,
        "leftOut": 0,
    });
    let between = format!("from {first_name} to {second_name}");
    Ok(Outcome::new(
        result.to_string(),
        changes_text(&changes, &between),
    ))
}

/// Returns the name and the surface of a server, or of what a session file recorded, with the names
/// of the servers in that.
async fn surface_of(
    host: &Host,
    target: &Target,
    recorded: Option<&str>,
) -> Result<(String, Surface, Vec<String>), CliError> {
    if let Target::Named(name) = target
        && is_file(target)
    {
        let path = PathBuf::from(name);
        let recorded = recorded.map(str::to_owned);
        let read = tokio::task::spawn_blocking(move || session_surface(&path, recorded.as_deref()));
        let (surface, names) = read.await.map_err(|_| CliError::interrupted())??;
        return Ok((name.clone(), surface, names));
    }
    let server = host.connect(target).await?;
    let surface = server.surface()?;
    Ok((server.spec.name, surface, Vec::new()))
}

impl Lint {
    pub(crate) async fn run(self, host: &Host) -> Result<Outcome, CliError> {
        let silenced: Vec<_> = self
            .silence
            .iter()
            .map(|text| Silence::parse(text))
            .collect();
        let is_known = |name: &str| RULES.iter().any(|rule| rule.name == name);
        if let Some(unknown) = silenced.iter().find(|silence| !is_known(&silence.rule)) {
            return Err(CliError::usage(
                &format!("There is no rule {}.", unknown.rule),
                &format!("The rules are {}.", RULES.map(|rule| rule.name).join(", ")),
            ));
        }
        let server = host.connect(&self.addressed.alone()?).await?;
        let surfaces = &server.inspector().checks.surfaces;
        let findings = surfaces.lint_surface(&server.id, &silenced)?;
        let result = json!({ "server": server.spec.name, "findings": findings });
        Ok(Outcome::new(result.to_string(), findings_text(&findings)))
    }
}

pub(super) fn changes_text(changes: &[SurfaceChange], since: &str) -> String {
    let since = harmless(since);
    if changes.is_empty() {
        return format!("{} No change {since}.\n", styled(GOOD, "✓"));
    }
    let mut text = format!("{} {since}:\n", counted(changes.len(), "change"));
    for change in changes {
        let (glyph, style) = match change.class {
            ChangeClass::Breaking => ("✗", BAD),
            ChangeClass::Attention => ("!", WARNING),
            ChangeClass::Compatible => ("+", GOOD),
            ChangeClass::Note => ("·", FAINT),
        };
        text.push_str(&format!(
            "\n{} {}  {}\n  {}\n",
            styled(style, &format!("{glyph} {}", change.class.name())),
            place(change.subject.part, &change.subject.name, &change.path),
            styled(FAINT, &change.rule),
            harmless(&change.explanation),
        ));
        for (sign, style, value) in [("-", BAD, &change.before), ("+", GOOD, &change.after)] {
            for line in value.iter().flat_map(|value| shortened(value)) {
                text.push_str(&format!("  {}\n", styled(style, &format!("{sign} {line}"))));
            }
        }
    }
    text
}

fn findings_text(findings: &[Finding<SurfacePlace>]) -> String {
    if findings.is_empty() {
        return format!("{} Nothing was found.\n", styled(GOOD, "✓"));
    }
    let mut text = String::new();
    for finding in findings {
        let SurfacePlace { part, name, path } = &finding.subject;
        let mut silenced = finding.rule.clone();
        if !name.is_empty() {
            silenced.push_str(&format!(":{name}"));
        }
        let silence = format!("--silence {}", shell_quoted(&silenced));
        text.push_str(&format!(
            "{}  {}\n  {}\n  {}\n  {}\n",
            styled(WARNING, &finding.rule),
            place(*part, name, path),
            harmless(finding.words()),
            styled(FAINT, &harmless(&finding.title)),
            styled(FAINT, &harmless(&silence)),
        ));
    }
    text
}

fn place(part: Part, name: &str, path: &str) -> String {
    let mut place = part.word().to_owned();
    if !name.is_empty() {
        place = format!("{place} {}", styled(NAME, &harmless(name)));
    }
    match path.is_empty() {
        true => styled(HEADING, &place),
        false => format!("{place} {}", styled(Style::new(), &harmless(path))),
    }
}

fn shortened(value: &str) -> Vec<String> {
    let short = brief(value, MAX_VALUE_CHARS);
    harmless(&short).lines().map(str::to_owned).collect()
}
