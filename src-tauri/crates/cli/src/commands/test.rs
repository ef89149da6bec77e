//! `test`: runs the project's requests.

use std::{
    env, fs,
    path::{Path, PathBuf},
    sync::Mutex,
};

use clap::Args;
use serde::Serialize;
use serde_json::{Value, json};
use sightglass_files::{Replacement, Visibility};
use sightglass_inspector::{
    CaseError, CaseReport, NO_SNAPSHOT, RunProgress, RunReport, Secret, Verdict, annotations,
    command_line, import_mcp_rig, junit,
    view::{ApprovalDecision, FolderAnswer, RequestApproval, RequestRunOptions, RequestSelection},
    watch_source,
};
use tokio_util::sync::CancellationToken;

use crate::{
    error::{CliError, Exit},
    host::Host,
    narration,
    options::EnvironmentOption,
    outcome::{Outcome, write_report},
    style::{FAINT, HEADING, WARNING, duration, harmless, mark, styled},
    workflow,
};

#[derive(Debug, Args)]
#[command(
    override_usage = "sightglass-cli test [PATH…] [--env NAME] [OPTIONS]",
    after_help = "The tests are the files .sightglass/requests/**.toml of the project. A PATH is a test \
                  or a folder of them, there or anywhere else.\n\
                  Exit codes: 5 a check failed, 3 no connection or no answer, 1 a file that cannot \
                  be used or is not approved."
)]
pub(crate) struct RunTests {
    /// Tests and folders; all of the project by default
    #[arg(value_name = "PATH")]
    paths: Vec<String>,
    /// Only tests of this server
    #[arg(long, value_name = "NAME")]
    server: Option<String>,
    /// Only tests with this tag
    #[arg(long, value_name = "TAG")]
    tag: Option<String>,
    /// Write a JUnit report
    #[arg(long, value_name = "FILE")]
    junit: Option<PathBuf>,
    /// Write snapshots instead of comparing them
    #[arg(long)]
    update: bool,
    /// Stop after the first test that does not pass
    #[arg(long)]
    fail_fast: bool,
    /// Folders that run at a time
    #[arg(long, value_name = "N", default_value_t = 1)]
    jobs: u32,
    /// Approve the servers that the tests define and the values that they send, as shown
    #[arg(long)]
    approve: bool,
    /// Trust the project's folder first, for machines: as `config trust --yes` does
    #[arg(long)]
    trust_project: bool,
    /// Run again whenever something below this path changes; a program is started anew
    #[arg(long, value_name = "PATH")]
    watch: Vec<PathBuf>,
    /// Write tests of a suite of mcp-rig, and run nothing
    #[arg(long, value_name = "FILE", conflicts_with_all = ["paths", "watch"])]
    import: Option<PathBuf>,
    /// Keep a secret for {{secret.NAME}} in the keychain, from standard input, and run nothing
    #[arg(long, value_name = "NAME", conflicts_with_all = ["paths", "watch", "import"])]
    set_secret: Option<String>,
}

impl RunTests {
    pub(crate) async fn run(self, host: &Host) -> Result<Outcome, CliError> {
        if let Some(suite) = &self.import {
            return import(host, suite);
        }
        if let Some(name) = &self.set_secret {
            return store_secret(host, name).await;
        }
        if self.trust_project {
            host.inspector.servers.folder_trust.trust_folder()?;
            if !host.options.json {
                let path = host.inspector.servers.folder_trust.folder_trust().path;
                narration::tell(&harmless(&format!("Trusted: {path}")));
            }
        }
        let (directory, paths) = self.selected(host)?;
        let environment = host
            .options
            .environment
            .iter()
            .find_map(|option| match option {
                EnvironmentOption::Name(name) => Some(name.clone()),
                EnvironmentOption::Variable(_) => None,
            });
        let options = RequestRunOptions {
            selection: RequestSelection {
                paths,
                tag: self.tag.clone(),
                server: self.server.clone(),
            },
            environment,
            update: self.update,
            fail_fast: self.fail_fast,
            jobs: self.jobs,
        };
        let mut approved = self.approve(host, &directory, &options)?;
        loop {
            let changes = match self.watch.is_empty() {
                true => None,
                false => {
                    let changes = watch_source(&self.watch);
                    Some(changes.map_err(|error| telling(error.into(), &approved))?)
                }
            };
            let report = self.once(host, &directory, &options, &approved).await;
            let report = report.map_err(|error| telling(error, &approved));
            // The first of several runs tells it, in its result or in its error.
            approved.clear();
            let Some(mut changes) = changes else {
                return report;
            };
            print_outcome(report, host.options.json);
            narration::tell("Waiting for changes; Ctrl-C ends it.");
            if changes.next().await.is_none() {
                return Err(CliError::interrupted());
            }
        }
    }

    /// The directory of the requests, and what is selected in it.
    fn selected(&self, host: &Host) -> Result<(PathBuf, Vec<String>), CliError> {
        let own = host.inspector.tests.files.requests_directory();
        let mut directory: Option<PathBuf> = None;
        let mut selected = Vec::new();
        for path in &self.paths {
            let (of, rest) = place_of(path, &own);
            if directory.get_or_insert(of.clone()) != &of {
                return Err(CliError::usage(
                    "The paths are in different directories of tests.",
                    "Run them one after another.",
                ));
            }
            if rest.is_empty() {
                // All of it.
                return Ok((of, Vec::new()));
            }
            selected.push(rest);
        }
        Ok((directory.unwrap_or(own), selected))
    }

    /// Shows what waits for approval, and approves it where that is said and the run can begin.
    /// Returns what was approved.
    fn approve(
        &self,
        host: &Host,
        directory: &Path,
        options: &RequestRunOptions,
    ) -> Result<Vec<RequestApproval>, CliError> {
        if !self.approve {
            return Ok(Vec::new());
        }
        let runs = &host.inspector.tests.runs;
        runs.check_request_run(directory, options)?;
        if let Some(path) = &self.junit {
            // Dropped at once, it leaves nothing behind.
            Replacement::new(path, Visibility::OwnerOnly, ".sightglass-", ".new")
                .map_err(|error| CliError::unwritten(path, &error.to_string()))?;
        }
        let selection = &options.selection;
        let waiting = runs.request_approvals_in(directory, selection)?;
        for approval in &waiting {
            if !host.options.json {
                narration::tell(&described(approval));
            }
        }
        let decisions: Vec<ApprovalDecision> = waiting
            .iter()
            .map(|approval| ApprovalDecision {
                server: approval.server.clone(),
                fingerprint: approval.fingerprint.clone(),
            })
            .collect();
        runs.approve_requests_in(directory, selection, &decisions)?;
        Ok(waiting)
    }

    async fn once(
        &self,
        host: &Host,
        directory: &Path,
        options: &RequestRunOptions,
        approved: &[RequestApproval],
    ) -> Result<Outcome, CliError> {
        let as_json = host.options.json;
        let folder = Mutex::new(String::new());
        let shown = shown_directory(directory);
        let on_progress = move |progress: RunProgress| {
            let RunProgress::Finished(case) = progress else {
                return;
            };
            if as_json {
                return;
            }
            let mut last = folder
                .lock()
                .unwrap_or_else(std::sync::PoisonError::into_inner);
            if *last != case.path.folder() {
                case.path.folder().clone_into(&mut last);
                workflow::print_line(&styled(HEADING, &harmless(&last)));
            }
            workflow::print_line(&line_of(&case, &shown));
        };
        let report = host
            .inspector
            .tests
            .runs
            .run_requests(directory, options, &on_progress, &CancellationToken::new())
            .await?;
        if let Some(path) = &self.junit {
            write_report(path, junit(&report))?;
        }
        if report.cases.is_empty() {
            return Err(CliError::usage(
                &format!("There are no such tests in {}.", directory.display()),
                "Without a path all tests of the project run, from `.sightglass/requests`; each is \
                 a file `NAME.toml`.",
            ));
        }
        let result = RunResult {
            approved: approved.iter().map(approval_json).collect(),
            report: &report,
        };
        let mut outcome = Outcome::of(&result, summary(&report))?;
        if workflow::is_read_by_runner() {
            outcome = outcome.with_commands(annotations(&report, &in_repository(directory)));
        }
        Ok(match exit_of(&report) {
            Exit::Done => outcome,
            exit => {
                let error = CliError::requests(exit, &what_failed(&report));
                outcome.with_error(match self.next_step(host, options, &report) {
                    Some(hint) => error.with_hint(&hint),
                    None => error,
                })
            }
        })
    }

    /// Returns the step that lets those requests run that were not allowed to.
    fn next_step(
        &self,
        host: &Host,
        options: &RequestRunOptions,
        report: &RunReport,
    ) -> Option<String> {
        let is_unapproved = |case: &CaseReport| case.error == Some(CaseError::Approval);
        if !report.cases.iter().any(is_unapproved) {
            let mut failures = report.cases.iter().flat_map(CaseReport::failures);
            let lacks_snapshot =
                failures.any(|check| check.message.as_deref() == Some(NO_SNAPSHOT));
            return lacks_snapshot.then(|| "`--update` keeps the values as snapshots.".to_owned());
        }
        Some(match host.inspector.servers.folder_trust.folder_trust().answer {
            FolderAnswer::Trusted => format!(
                "`{}` approves what they start and send, and runs them. To see it first, run them \
                 in the window, under Tests, which shows it and asks.",
                self.approving(options)
            ),
            _ => {
                "`sightglass-cli config trust` trusts the folder; on a machine that checks it out \
                 by itself, `--trust-project` does."
                    .to_owned()
            }
        })
    }

    /// Returns the command that approves and runs the same requests, and no others.
    fn approving(&self, options: &RequestRunOptions) -> String {
        let mut words = vec!["sightglass-cli", "test"];
        words.extend(self.paths.iter().map(String::as_str));
        for (option, value) in [
            ("--server", &self.server),
            ("--tag", &self.tag),
            ("--env", &options.environment),
        ] {
            words.extend(value.iter().flat_map(|value| [option, value.as_str()]));
        }
        words.push("--approve");
        command_line(words)
    }
}

/// An error with what was approved before it, which nothing else tells a program.
fn telling(error: CliError, approved: &[RequestApproval]) -> CliError {
    if approved.is_empty() {
        return error;
    }
    let approved: Vec<Value> = approved.iter().map(approval_json).collect();
    error.with_data(&json!({ "approved": approved }))
}

/// A directory as GitHub knows it: from the root of the repository.
fn in_repository(directory: &Path) -> String {
    let root = env::var_os("GITHUB_WORKSPACE").map(PathBuf::from);
    let root = root.or_else(|| env::current_dir().ok()).unwrap_or_default();
    let real = |path: &Path| fs::canonicalize(path).unwrap_or_else(|_| path.to_owned());
    let directory = real(directory);
    let below = directory.strip_prefix(real(&root)).unwrap_or(&directory);
    below.to_string_lossy().replace('\\', "/")
}

/// The directory of the requests as a terminal makes links of it: from the current one where it lies
/// in that.
fn shown_directory(directory: &Path) -> PathBuf {
    let real = fs::canonicalize(directory).unwrap_or_else(|_| directory.to_owned());
    let here = env::current_dir().and_then(fs::canonicalize);
    let below = here
        .ok()
        .and_then(|here| real.strip_prefix(here).ok().map(Path::to_owned));
    below.unwrap_or(real)
}

/// Returns true for the words of a problem with its place before them: `3:5: …`.
fn has_place(reason: &str) -> bool {
    let mut parts = reason.splitn(3, ':');
    let mut is_number = || parts.next().is_some_and(|part| part.parse::<u32>().is_ok());
    is_number() && is_number()
}

/// The directory of requests that a path is in, and the path within.
fn place_of(path: &str, own: &Path) -> (PathBuf, String) {
    let given = Path::new(path);
    let Ok(real) = fs::canonicalize(given) else {
        // Below the project's directory of requests, also without its extension.
        return (own.to_owned(), path.to_owned());
    };
    let real_own = fs::canonicalize(own).unwrap_or_else(|_| own.to_owned());
    if let Ok(rest) = real.strip_prefix(&real_own) {
        return (own.to_owned(), rest.to_string_lossy().into_owned());
    }
    if given.is_relative() && own.join(path).exists() {
        return (own.to_owned(), path.to_owned());
    }
    if real.is_dir() {
        return (real, String::new());
    }
    let directory = real.parent().unwrap_or(&real).to_owned();
    let name = real.file_name().unwrap_or_default();
    (directory, name.to_string_lossy().into_owned())
}

fn line_of(case: &CaseReport, directory: &Path) -> String {
    let path = case.path.below(directory);
    let path = path.display();
    let (style, glyph) = mark(case.verdict);
    let mut line = format!(
        "  {} {} {}",
        styled(style, glyph),
        harmless(&case.name),
        styled(FAINT, &duration(case.duration))
    );
    if let Some(reason) = &case.reason {
        let reason = match case.error == Some(CaseError::Request) && has_place(reason) {
            true => harmless(&format!("{path}:{reason}")),
            false => harmless(reason),
        };
        line.push_str(&format!("\n      {reason}"));
    }
    for evidence in &case.evidence {
        for text in harmless(evidence).lines() {
            line.push_str(&format!("\n        {}", styled(FAINT, text)));
        }
    }
    if let Some(hint) = &case.hint {
        line.push_str(&format!(
            "\n      {} {}",
            styled(HEADING, "hint:"),
            harmless(hint)
        ));
    }
    for check in case.failures() {
        line.push_str(&format!(
            "\n      {} {}",
            harmless(&check.label),
            styled(FAINT, &harmless(&format!("{path}:{}", check.line)))
        ));
        for more in [&check.message, &check.difference].into_iter().flatten() {
            for text in harmless(more).lines() {
                line.push_str(&format!("\n        {text}"));
            }
        }
        if let (None, Some(actual)) = (&check.difference, &check.actual) {
            for (index, text) in harmless(actual).lines().enumerate() {
                let label = if index == 0 { "actual: " } else { "        " };
                line.push_str(&format!("\n        {label}{text}"));
            }
        }
    }
    for updated in &case.updated {
        let text = harmless(&format!("snapshot of {updated} written"));
        line.push_str(&format!("\n      {}", styled(WARNING, &text)));
    }
    line
}

fn summary(report: &RunReport) -> String {
    let totals = report.totals.summary();
    format!("{totals} in {}\n", duration(report.duration))
}

fn what_failed(report: &RunReport) -> String {
    let bad: Vec<&str> = report
        .cases
        .iter()
        .filter(|case| matches!(case.verdict, Verdict::Failed | Verdict::Error))
        .map(|case| case.path.as_str())
        .collect();
    match bad.as_slice() {
        [one] => format!("{one} did not pass."),
        [first, rest @ ..] => format!("{first} and {} more did not pass.", rest.len()),
        [] => "Nothing failed.".to_owned(),
    }
}

/// The exit code of a run: what could not be judged wins over what failed.
fn exit_of(report: &RunReport) -> Exit {
    let errors = || report.cases.iter().filter_map(|case| case.error);
    let is_transport =
        |error: CaseError| matches!(error, CaseError::Connection | CaseError::NoAnswer);
    if errors().any(is_transport) {
        Exit::Network
    } else if errors().next().is_some() {
        Exit::Usage
    } else if report.totals.failed > 0 {
        Exit::CheckFailed
    } else {
        Exit::Done
    }
}

/// Result of a run as JSON.
#[derive(Serialize)]
struct RunResult<'a> {
    approved: Vec<Value>,
    #[serde(flatten)]
    report: &'a RunReport,
}

/// Everything that was approved: whoever reads the result alone approves nothing unseen.
fn approval_json(approval: &RequestApproval) -> Value {
    json!({
        "name": approval.title,
        "files": approval.files,
        "consequences": approval.consequences,
        "rows": approval.rows,
        "values": approval.values,
    })
}

fn described(approval: &RequestApproval) -> String {
    let mut text = format!("Approved: {}", harmless(&approval.title));
    for sentence in &approval.consequences {
        text.push_str(&format!("\n  {sentence}"));
    }
    for row in &approval.rows {
        for value in &row.values {
            text.push_str(&format!("\n  {:<22} {value}", row.label));
        }
    }
    for value in &approval.values {
        text.push_str(&format!("\n  sends                  {value}"));
    }
    text
}

/// Prints the outcome of one of several runs.
fn print_outcome(outcome: Result<Outcome, CliError>, as_json: bool) {
    // The last run alone decides the exit code.
    let _ = crate::outcome::print(outcome, as_json, None);
}

fn import(host: &Host, suite: &Path) -> Result<Outcome, CliError> {
    let unreadable = |message: String| {
        CliError::usage(
            &format!("{}: {message}", suite.display()),
            "Name the YAML file of a suite of mcp-rig.",
        )
    };
    let bytes = sightglass_files::read(suite).map_err(|error| unreadable(error.to_string()))?;
    let text = String::from_utf8_lossy(&bytes);
    let name = suite.file_stem().unwrap_or_default().to_string_lossy();
    let imported = import_mcp_rig(&text, &name).map_err(|error| unreadable(error.to_string()))?;
    let written = host.inspector.tests.files.write_requests(&imported.files)?;
    let written: Vec<String> = written
        .iter()
        .map(|file| file.display().to_string())
        .collect();
    let mut lines = String::new();
    for file in &written {
        lines.push_str(&format!("{}\n", harmless(file)));
    }
    for left_out in &imported.left_out {
        lines.push_str(&format!("Left out: {}\n", harmless(left_out)));
    }
    let result = json!({ "written": written, "leftOut": imported.left_out });
    Ok(Outcome::new(result.to_string(), lines))
}

async fn store_secret(host: &Host, name: &str) -> Result<Outcome, CliError> {
    let mut value = String::new();
    narration::tell(&format!("Reading the value of {name} from standard input."));
    std::io::stdin().read_line(&mut value).map_err(|error| {
        CliError::usage(
            &format!("Standard input cannot be read: {error}."),
            "Pipe the value in.",
        )
    })?;
    let value = value.trim_end_matches(['\r', '\n']).to_owned();
    let kept = Some(Secret::new(value)).filter(|value| !value.expose().is_empty());
    let text = match kept {
        Some(_) => format!("Kept. Requests get it as {{{{secret.{name}}}}}."),
        None => format!("{name} is forgotten."),
    };
    let result = json!({ "name": name, "kept": kept.is_some() });
    let runs = &host.inspector.tests.runs;
    runs.store_request_secret(name, kept).await?;
    Ok(Outcome::new(result.to_string(), text))
}
