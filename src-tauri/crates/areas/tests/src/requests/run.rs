//! Runs requests, and judges their answers.
//!
//! Requests of a folder run one after another, in the order of their names, so that one can use
//! what an earlier one captured; then the folders in it run, side by side where several jobs are
//! allowed. A request with answers to questions runs alone on its server: a question does not
//! always say which request it belongs to.

use std::{
    borrow::Cow,
    collections::{BTreeMap, HashMap},
    path::Path,
    sync::{
        Arc, Mutex,
        atomic::{AtomicU32, Ordering},
    },
    time::Instant,
};

use futures::future::{BoxFuture, FutureExt, join_all};
use sightglass_area_calls::{answer_rules::AnswerRuleFile, requests::McpRequests};
use sightglass_area_core::{
    command::commands,
    core::Core,
    error::InspectorError,
    jobs::Jobs,
    view::{RequestRunEvent, RequestRunOptions, RequestSelection},
};
use sightglass_area_servers::{
    configuration::Configuration, folder_trust::ProjectFolderTrust, server_names::ServerNames,
    tried::TriedServers, trust::ServerTrust,
};
use sightglass_connection::Params;
use sightglass_model::{ServerId, Verdict, VerdictCounts, lock};
use sightglass_requests::{
    CaseError, CaseReport, Environment, RequestFile, RequestPath, RequestProblem, RunReport,
    read_environment, request_paths,
};
use sightglass_secrets::{Redactor, Secret};
use tokio::{
    sync::{RwLock, Semaphore},
    task::JoinHandle,
};
use tokio_util::sync::CancellationToken;

use super::{
    connection::{NotConnected, RunConnections},
    exchange::NoAnswer,
    invalid,
    judge::Case,
    name_of,
    questions::{RunningRequest, RunningRequests, answer_questions},
    read_text, server_label,
    values::{Captured, Captures, NotFilled, SentValues},
};
use crate::requests::{RequestFiles, connection::RequestConnections, exchange::RequestExchanges};

/// Largest number of requests that run at a time.
const MAX_JOBS: u32 = 64;

/// A step of a run.
#[derive(Debug, Clone)]
pub enum RunProgress {
    Running(RequestPath),
    Finished(Box<CaseReport>),
}

/// A run that was started.
pub(super) struct BegunRun {
    pub number: u32,
    /// Ends with the run.
    pub task: JoinHandle<()>,
}

/// A request that was chosen to run.
pub(super) struct SelectedRequest {
    pub path: RequestPath,
    pub name: String,
    pub file: Result<Arc<RequestFile>, RequestProblem>,
}

/// The requests of a folder, and the folders in it.
#[derive(Default)]
struct Folder {
    /// Their places in the list of all.
    requests: Vec<usize>,
    folders: BTreeMap<String, Folder>,
}

/// Runs requests, and judges their answers.
pub struct RequestRuns {
    pub(crate) core: Arc<Core>,
    pub(crate) answer_rules: Arc<AnswerRuleFile>,
    pub(crate) mcp_requests: Arc<McpRequests>,
    pub(crate) configuration: Arc<Configuration>,
    pub(crate) folder_trust: Arc<ProjectFolderTrust>,
    pub(crate) connections: Arc<RequestConnections>,
    pub(crate) exchanges: Arc<RequestExchanges>,
    pub(crate) files: Arc<RequestFiles>,
    pub(crate) names: Arc<ServerNames>,
    pub(crate) tried: Arc<TriedServers>,
    pub(crate) trust: Arc<ServerTrust>,
    /// Runs by their numbers.
    pub(crate) jobs: Arc<Jobs<u32, RequestRunEvent>>,
    /// The number of the newest run.
    pub(crate) newest: AtomicU32,
    pub(crate) sent: SentValues,
}

#[commands]
impl RequestRuns {
    /// Starts to run requests of the project and returns the number of the run at once; how it goes
    /// is told as facts.
    #[command]
    pub fn start_request_run(
        self: &Arc<Self>,
        options: RequestRunOptions,
    ) -> Result<u32, InspectorError> {
        Ok(self.begin_request_run(options)?.number)
    }

    /// Starts a run whose end can be awaited.
    pub(super) fn begin_request_run(
        self: &Arc<Self>,
        options: RequestRunOptions,
    ) -> Result<BegunRun, InspectorError> {
        let directory = self.files.requests_directory();
        let requests = self.selected_requests(&directory, &options.selection)?;
        let number = self.newest.fetch_add(1, Ordering::Relaxed) + 1;
        let job = self.jobs.begin(number);
        job.report(RequestRunEvent::Started {
            run: number,
            paths: requests.into_iter().map(|request| request.path).collect(),
        });
        let this = Arc::clone(self);
        let task = job.spawn(
            move |job| async move {
                let run = job.key;
                let on_progress = |progress| {
                    job.report(match progress {
                        RunProgress::Running(path) => RequestRunEvent::Running { run, path },
                        RunProgress::Finished(case) => {
                            RequestRunEvent::Finished { run, case: *case }
                        }
                    });
                };
                this.run_requests(&directory, &options, &on_progress, &job.stop)
                    .await
            },
            |run, report: Option<RunReport>, problem| {
                let measured = report.map(|report| (report.totals, report.duration));
                let (totals, duration) = measured.unwrap_or_default();
                RequestRunEvent::Ended {
                    run,
                    totals,
                    duration,
                    problem,
                }
            },
        );
        Ok(BegunRun { number, task })
    }

    /// Stops a run: requests under way are cancelled, the others are not sent.
    #[command]
    pub fn stop_request_run(&self, run: u32) {
        self.jobs.stop(&run);
    }

    /// Runs the selected requests of a directory, and returns what came of each.
    ///
    /// # Errors
    /// When the requests or the environment cannot be read. What goes wrong with a single request
    /// is in its report.
    pub async fn run_requests(
        self: &Arc<Self>,
        directory: &Path,
        options: &RequestRunOptions,
        on_progress: &(dyn Fn(RunProgress) + Send + Sync),
        stop: &CancellationToken,
    ) -> Result<RunReport, InspectorError> {
        let started = Instant::now();
        let (requests, environment) = self.prepared(directory, options)?;
        let running = Arc::new(RunningRequests::default());
        let jobs = options.jobs.clamp(1, MAX_JOBS) as usize;
        let run = Run {
            runs: self,
            directory,
            options,
            environment,
            connections: RunConnections::default(),
            running: Arc::clone(&running),
            turns: Mutex::default(),
            redactor: Mutex::default(),
            jobs: Semaphore::new(jobs),
            stop,
            on_progress,
            reports: Mutex::new(requests.iter().map(|_| None).collect()),
            requests,
        };
        let answering = answer_questions(self, running);
        run.folder(&run.folders(), Captures::new()).await;
        drop(answering);
        self.connections.close_run(&run.connections).await;
        let reports = std::mem::take(&mut *lock(&run.reports));
        let cases: Vec<CaseReport> = reports.into_iter().flatten().collect();
        Ok(RunReport {
            totals: VerdictCounts::of(cases.iter().map(|case| case.verdict)),
            cases,
            duration: started.elapsed().into(),
        })
    }

    /// Checks that a run can begin.
    ///
    /// # Errors
    /// When the requests or the environment cannot be read.
    pub fn check_request_run(
        &self,
        directory: &Path,
        options: &RequestRunOptions,
    ) -> Result<(), InspectorError> {
        self.prepared(directory, options).map(drop)
    }

    /// Reads the requests and the environment of a run.
    fn prepared(
        &self,
        directory: &Path,
        options: &RequestRunOptions,
    ) -> Result<(Vec<SelectedRequest>, Environment), InspectorError> {
        let requests = self.selected_requests(directory, &options.selection)?;
        let environment = match &options.environment {
            Some(name) => read_environment(directory.parent().unwrap_or(directory), name)
                .map_err(|error| InspectorError::InvalidInput(error.to_string()))?,
            None => Environment::default(),
        };
        Ok((requests, environment))
    }

    /// Reads the requests that are selected, in the order in which they run.
    pub(super) fn selected_requests(
        &self,
        directory: &Path,
        selection: &RequestSelection,
    ) -> Result<Vec<SelectedRequest>, InspectorError> {
        self.files.refuse_outside(directory)?;
        let paths = request_paths(directory).map_err(invalid)?;
        for wanted in &selection.paths {
            if !paths.iter().any(|path| is_within(path, wanted)) {
                return Err(InspectorError::InvalidInput(format!(
                    "There is no request {wanted} in {}.",
                    directory.display()
                )));
            }
        }
        let is_wanted = |path: &RequestPath| {
            selection.paths.is_empty()
                || selection.paths.iter().any(|wanted| is_within(path, wanted))
        };
        let requests = paths.into_iter().filter(is_wanted).map(|path| {
            let parsed = match read_text(directory, &path) {
                Ok(text) => RequestFile::parse(&text).map_err(|problems| {
                    let nothing = || RequestProblem {
                        line: 1,
                        column: 1,
                        message: "It is no request.".to_owned(),
                    };
                    problems.into_iter().next().unwrap_or_else(nothing)
                }),
                Err(error) => Err(RequestProblem {
                    line: 1,
                    column: 1,
                    message: error.to_string(),
                }),
            };
            SelectedRequest {
                name: match &parsed {
                    Ok(file) => name_of(file, &path),
                    Err(_) => path.stem().to_owned(),
                },
                file: parsed.map(Arc::new),
                path,
            }
        });
        let is_chosen = |request: &SelectedRequest| match &request.file {
            // That it cannot be read must not hide behind a filter.
            Err(_) => true,
            Ok(file) => {
                let has_tag = |tag: &String| file.tags.contains(tag);
                let is_for = |server: &String| server_label(&file.server) == *server;
                selection.tag.as_ref().is_none_or(has_tag)
                    && selection.server.as_ref().is_none_or(is_for)
            }
        };
        Ok(requests.filter(is_chosen).collect())
    }
}

/// Returns whether a request is the one that is named, or in the folder that is.
fn is_within(path: &RequestPath, wanted: &str) -> bool {
    let wanted = wanted.trim_end_matches('/');
    let rest = path.as_str().strip_prefix(wanted);
    wanted.is_empty()
        || rest.is_some_and(|rest| rest.is_empty() || rest.starts_with('/') || rest == ".toml")
}

struct Run<'a> {
    runs: &'a Arc<RequestRuns>,
    directory: &'a Path,
    options: &'a RequestRunOptions,
    environment: Environment,
    connections: RunConnections,
    running: Arc<RunningRequests>,
    /// Held for writing by a request that runs alone on its server.
    turns: Mutex<HashMap<ServerId, Arc<RwLock<()>>>>,
    /// Masks the values from outside that the requests sent: a server can hand one on to a later
    /// request, which does not name it.
    redactor: Mutex<Redactor>,
    jobs: Semaphore,
    stop: &'a CancellationToken,
    on_progress: &'a (dyn Fn(RunProgress) + Send + Sync),
    requests: Vec<SelectedRequest>,
    reports: Mutex<Vec<Option<CaseReport>>>,
}

impl Run<'_> {
    fn folders(&self) -> Folder {
        let mut root = Folder::default();
        for (index, request) in self.requests.iter().enumerate() {
            let parts = request
                .path
                .folder()
                .split('/')
                .filter(|part| !part.is_empty());
            let folder = parts.fold(&mut root, |folder, part| {
                folder.folders.entry(part.to_owned()).or_default()
            });
            folder.requests.push(index);
        }
        root
    }

    fn folder<'b>(&'b self, folder: &'b Folder, mut captures: Captures) -> BoxFuture<'b, ()> {
        async move {
            for index in &folder.requests {
                let Some(request) = self.requests.get(*index) else {
                    continue;
                };
                let report = self.request(request, &mut captures).await;
                let is_bad = matches!(report.verdict, Verdict::Failed | Verdict::Error);
                (self.on_progress)(RunProgress::Finished(Box::new(report.clone())));
                if let Some(place) = lock(&self.reports).get_mut(*index) {
                    *place = Some(report);
                }
                if is_bad && self.options.fail_fast {
                    self.stop.cancel();
                }
            }
            let folders = folder.folders.values();
            join_all(folders.map(|folder| self.folder(folder, captures.clone()))).await;
        }
        .boxed()
    }

    /// Runs one request.
    async fn request(&self, request: &SelectedRequest, captures: &mut Captures) -> CaseReport {
        let unsent = |verdict: Verdict, reason: String| {
            CaseReport::unsent(request.path.clone(), request.name.clone(), verdict, reason)
        };
        let stopped = || unsent(Verdict::Skipped, "The run was stopped.".to_owned());
        if self.stop.is_cancelled() {
            return stopped();
        }
        let file = match &request.file {
            Ok(file) => file,
            Err(problem) => return unsent(Verdict::Error, problem.to_string()),
        };
        // What it captures is missing until it is there.
        for (name, _) in &file.captures {
            let missing = Captured::Missing {
                request: request.name.clone(),
            };
            captures.insert(name.clone(), missing);
        }
        if let Some(reason) = &file.skip {
            return unsent(Verdict::Skipped, reason.clone());
        }
        let Ok(_job) = self.jobs.acquire().await else {
            return stopped();
        };
        if self.stop.is_cancelled() {
            return stopped();
        }
        (self.on_progress)(RunProgress::Running(request.path.clone()));
        let mut report = tokio::select! {
            report = self.sent(request, file, captures) => report,
            () = self.stop.cancelled() => stopped(),
        };
        report.server_name = server_label(&file.server);
        report.mask(&self.mask(report.server.clone()));
        report
    }

    /// Masks the values from outside that were sent so far, and the secrets of a server.
    fn mask(&self, server: Option<ServerId>) -> impl Fn(&str) -> String + Send + 'static {
        let redactor = lock(&self.redactor).clone();
        let runs = Arc::clone(self.runs);
        move |text| {
            let text = redactor.text(Cow::Borrowed(text)).into_owned();
            let masked = server
                .as_ref()
                .and_then(|server| runs.core.connections.masked(server, &text));
            masked.unwrap_or(text)
        }
    }

    /// Masks these values in every report from now on.
    fn learn(&self, private: &[Secret<String>]) {
        let mut redactor = lock(&self.redactor);
        if let Some(wider) = redactor.with(private) {
            *redactor = wider;
        }
    }

    /// Sends a request and judges the answer.
    async fn sent(
        &self,
        request: &SelectedRequest,
        file: &Arc<RequestFile>,
        captures: &mut Captures,
    ) -> CaseReport {
        let mut report = CaseReport::unsent(
            request.path.clone(),
            request.name.clone(),
            Verdict::Error,
            String::new(),
        );
        let runs = self.runs;
        // Even a request to the user's own server does there whatever its writer wants.
        if runs.files.come_with_project(self.directory) && !runs.folder_trust.answers.is_trusted() {
            report.error = Some(CaseError::Approval);
            report.reason = Some(format!(
                "The folder {} is not trusted, and its requests do not run.",
                runs.folder_trust.folder_trust().path
            ));
            return report;
        }
        if is_refused(runs, file, &mut report) {
            return report;
        }
        let configured = match runs.connections.server_of(file) {
            Ok(server) => server,
            Err(error) => {
                report.error = Some(CaseError::Connection);
                report.reason = Some(error.to_string());
                return report;
            }
        };
        let filled = runs
            .filled(&configured, file, &self.environment, captures)
            .await;
        let filled = match filled {
            Ok(filled) => filled,
            Err(NotFilled::NotCaptured(reason)) => {
                report.verdict = Verdict::Skipped;
                report.error = None;
                report.reason = Some(reason);
                return report;
            }
            Err(NotFilled::Problem(reason)) => {
                report.reason = Some(reason);
                return report;
            }
        };
        let private: Vec<Secret<String>> = filled.private.values().cloned().collect();
        self.learn(&private);
        let params = match Params::parse(&filled.params) {
            Ok(params) => params,
            Err(error) => {
                report.reason = Some(format!("With its values filled in: {error}."));
                return report;
            }
        };
        let server = match runs
            .connections
            .connected_for(file, &self.connections)
            .await
        {
            Ok(server) => server,
            Err(NotConnected { reason, failure }) => {
                report.error = Some(CaseError::Connection);
                report.reason = Some(reason);
                if let Some(failure) = failure {
                    report.explain(&failure);
                }
                return report;
            }
        };
        // The keychain and the server can take their time, in which the files change.
        if is_refused(runs, file, &mut report) {
            return report;
        }
        if !filled.private.is_empty() && runs.effect_of(&configured) != filled.effect {
            report.error = Some(CaseError::Approval);
            report.reason = Some(format!(
                "{} changed while this was prepared. Run it again.",
                server_label(&file.server)
            ));
            return report;
        }
        report.server = Some(server.clone());
        runs.core.connections.learn(&server, &private);
        runs.sent.add(&configured, filled.effect, &filled.private);
        let running = Arc::new(RunningRequest {
            server: server.clone(),
            key: format!("request {} {}", request.path, sending()),
            answers: filled.answers,
            unanswered: Mutex::default(),
        });
        let answered = {
            let turn = Arc::clone(lock(&self.turns).entry(server.clone()).or_default());
            let _alone;
            let _shared;
            if running.answers.is_empty() {
                _shared = turn.read().await;
            } else {
                _alone = turn.write().await;
            }
            self.running.begin(Arc::clone(&running));
            let _to_file = runs.answer_rules.rules.leave_to_file(&server, &running.key);
            let ending = EndOfRequest {
                running: &self.running,
                runs,
                request: &running,
            };
            let answered = runs
                .exchanges
                .observed(
                    &server,
                    &running.key,
                    &file.method,
                    &params,
                    file.timeout,
                    &filled.expectations,
                )
                .await;
            drop(ending);
            answered
        };
        let unanswered = std::mem::take(&mut *lock(&running.unanswered));
        match answered {
            Ok(answered) => {
                take_over(&mut report, &answered.outcome);
                let case = Case {
                    file: Arc::clone(file),
                    expectations: filled.expectations,
                    answered,
                    path: request.path.below(self.directory),
                    update: self.options.update,
                    mask: Box::new(self.mask(Some(server.clone()))),
                };
                let mut judgement = case.judged().await;
                for (name, value) in judgement.captures.drain(..) {
                    let label = server_label(&file.server);
                    let captured = runs.sent.captured(value, &configured, label);
                    captures.insert(name, captured);
                }
                judgement.enter(&mut report);
            }
            Err(NoAnswer { reason, outcome }) => {
                if let Some(outcome) = outcome {
                    take_over(&mut report, &outcome);
                    if let Some(failure) = &outcome.failure {
                        report.explain(failure);
                    }
                }
                report.error = Some(CaseError::NoAnswer);
                report.reason = Some(reason);
            }
        }
        if let Some(method) = unanswered.first() {
            report.verdict = Verdict::Error;
            report.error = Some(CaseError::Question);
            report.reason = Some(format!(
                "The server asked for {method}, and the file has no answer to it. It was declined; \
                 add one under [answers]."
            ));
        }
        report
    }
}

/// Takes a request off the list however it ends, and cancels it at the server where it did not.
struct EndOfRequest<'a> {
    running: &'a RunningRequests,
    runs: &'a RequestRuns,
    request: &'a RunningRequest,
}

impl Drop for EndOfRequest<'_> {
    fn drop(&mut self) {
        self.running.end(&self.request.key);
        // Nothing to cancel after an answer.
        self.runs
            .mcp_requests
            .cancel_call(&self.request.server, &self.request.key);
    }
}

/// Refuses a request that needs an approval which it does not have, and says so in its report.
fn is_refused(runs: &RequestRuns, file: &RequestFile, report: &mut CaseReport) -> bool {
    match runs.unapproved(file) {
        Ok(None) => return false,
        Ok(Some(reason)) => {
            report.error = Some(CaseError::Approval);
            report.reason = Some(reason);
        }
        Err(error) => {
            report.error = Some(CaseError::Connection);
            report.reason = Some(error.to_string());
        }
    }
    true
}

fn take_over(report: &mut CaseReport, outcome: &sightglass_connection::RequestOutcome) {
    report.duration = outcome.duration;
    report.request_frame = outcome.request_frame;
    report.response_frame = outcome.response_frame;
}

/// Tells two sendings of one request apart.
fn sending() -> u32 {
    static NEXT: AtomicU32 = AtomicU32::new(1);
    NEXT.fetch_add(1, Ordering::Relaxed)
}
