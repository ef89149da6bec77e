//! Checks a server against the clauses of the specification, in both eras.
//!
//! Each era has a connection of its own beside the user's, on the same record, so that the
//! messages behind a verdict can be looked at. No tool is called but the one that the user names:
//! what a tool does is not known.

mod checks;
mod http_checks;
mod record_checks;
mod session;
mod suite;

use std::{sync::Arc, time::Instant};

use sightglass_area_calls::confirmation::Confirmations;
use sightglass_area_core::{
    command::commands,
    core::Core,
    error::InspectorError,
    jobs::Jobs,
    view::{ConformanceEvent, ConformanceOptions},
};
use sightglass_area_servers::{
    lifecycle::ServerLifecycle, server_spec::ServerSpecs, trust::ServerTrust,
};
use sightglass_checks::{ConformanceReport, Judgement, SuiteScenario, definition, finding, totals};
use sightglass_connection::Params;
use sightglass_model::{Era, Finding, ServerId, ServerSpec};
use tokio_util::sync::CancellationToken;

use session::{EraSession, NotConnected};

/// A step of a run of conformance checks.
#[derive(Debug, Clone)]
pub enum ConformanceProgress {
    Checked(Finding<Era>),
    Scenario(SuiteScenario),
}

/// Checks a server against the clauses of the specification, in both eras.
pub struct ConformanceChecks {
    pub(crate) core: Arc<Core>,
    pub(crate) confirmations: Arc<Confirmations>,
    pub(crate) specs: Arc<ServerSpecs>,
    pub(crate) lifecycle: Arc<ServerLifecycle>,
    pub(crate) trust: Arc<ServerTrust>,
    pub(crate) jobs: Arc<Jobs<ServerId, ConformanceEvent>>,
}

#[commands]
impl ConformanceChecks {
    /// Starts to check a server and returns at once; how it goes is told as facts. One run per
    /// server goes on at a time: a new one stops the one before it.
    ///
    /// # Errors
    /// As for [`ServerLifecycle::connect`], since it connects, and when the options cannot be used.
    #[command]
    pub fn start_conformance(
        self: &Arc<Self>,
        server: &ServerId,
        options: ConformanceOptions,
    ) -> Result<(), InspectorError> {
        let spec = self.specs.spec(server)?;
        check_options(&options)?;
        let job = self.jobs.begin(server.clone());
        job.report(ConformanceEvent::Started {
            server: server.clone(),
        });
        let this = Arc::clone(self);
        job.spawn(
            move |job| async move {
                let on_progress = |progress| {
                    let server = job.key.clone();
                    job.report(match progress {
                        ConformanceProgress::Checked(check) => {
                            ConformanceEvent::Checked { server, check }
                        }
                        ConformanceProgress::Scenario(scenario) => {
                            ConformanceEvent::Scenario { server, scenario }
                        }
                    });
                };
                this.conformance_as(&job.key, spec, &options, &on_progress, &job.stop)
                    .await
            },
            |server, report, problem| ConformanceEvent::Ended {
                server,
                report,
                problem,
            },
        );
        Ok(())
    }

    /// Stops a run. Its report then says so.
    #[command]
    pub fn stop_conformance(&self, server: &ServerId) {
        self.jobs.stop(server);
    }

    /// Checks a server that may be in no file, under the name `server`, and returns what was
    /// found.
    ///
    /// # Errors
    /// When the options cannot be used, the server has no tool of the name that is to be called, the
    /// managed policy refuses the server, it needs a folder that is not trusted, or the official suite
    /// is asked for and cannot be run against it.
    pub async fn conformance_as(
        &self,
        server: &ServerId,
        spec: ServerSpec,
        options: &ConformanceOptions,
        on_progress: &(dyn Fn(ConformanceProgress) + Send + Sync),
        stop: &CancellationToken,
    ) -> Result<ConformanceReport, InspectorError> {
        check_options(options)?;
        let suite_run = match options.suite {
            true => Some(self.prepare_suite(server, spec.clone(), options).await?),
            false => None,
        };
        let started = Instant::now();
        let name = spec.name.clone();
        let eras = match options.era {
            Some(Era::Legacy) => [Some(Era::Legacy), None],
            Some(Era::Modern) => [None, Some(Era::Modern)],
            None => [Some(Era::Legacy), Some(Era::Modern)],
        };
        let tell = |result: &Finding<Era>| {
            on_progress(ConformanceProgress::Checked(result.clone()));
        };
        let mut checks = Vec::new();
        let mut unreached: Vec<(Era, NotConnected)> = Vec::new();
        let asked = eras.iter().flatten().count();
        // Of each era that was reached: the tools, where the one to call is none of them.
        let mut other_tools: Vec<Option<Vec<String>>> = Vec::new();
        for era in eras.into_iter().flatten() {
            let opened = tokio::select! {
                opened = EraSession::open(self, server, &spec, era) => opened?,
                () = stop.cancelled() => break,
            };
            match opened {
                Ok(session) => {
                    tokio::select! {
                        others = session.run(options, &tell) => other_tools.push(others),
                        () = stop.cancelled() => other_tools.push(None),
                    }
                    checks.extend(session.close().await);
                }
                Err(reason) => unreached.push((era, reason)),
            }
        }
        if let (Some(tool), Some(tools)) = (&options.tool, in_none(other_tools)) {
            return Err(InspectorError::NoSuchTool {
                tool: tool.clone(),
                tools,
            });
        }
        let speaks_another = unreached.len() < asked && asked > 1;
        for (era, reason) in unreached {
            let judgement = match speaks_another {
                true => Judgement::NotApplicable(format!(
                    "The server does not speak this generation of the protocol: {}",
                    reason.message
                )),
                false => Judgement::Failed(reason.message),
            };
            if let Some(check) = definition("handshake") {
                let result = finding(check, era, judgement, reason.evidence);
                tell(&result);
                checks.push(result);
            }
        }
        let (suite, suite_problem) = match suite_run {
            None => (None, None),
            Some(run) => tokio::select! {
                ended = run.scenarios(on_progress) => match ended {
                    Ok(report) => (Some(report), None),
                    Err(problem) => (None, Some(problem)),
                },
                () = stop.cancelled() => (None, None),
            },
        };
        Ok(ConformanceReport {
            server: name,
            totals: totals(&checks, suite.as_ref()),
            checks,
            suite,
            suite_problem,
            duration: started.elapsed().into(),
            is_stopped: stop.is_cancelled(),
        })
    }
}

/// Returns the names of the tools where no era has the one to call.
fn in_none(other_tools: Vec<Option<Vec<String>>>) -> Option<Vec<String>> {
    let of_eras: Option<Vec<Vec<String>>> = other_tools.into_iter().collect();
    let mut names = of_eras.filter(|eras| !eras.is_empty())?.concat();
    names.sort();
    names.dedup();
    Some(names)
}

/// Refuses options that cannot be used.
fn check_options(options: &ConformanceOptions) -> Result<(), InspectorError> {
    if let Some(arguments) = &options.arguments {
        if options.tool.is_none() {
            return Err(InspectorError::InvalidInput(
                "There are arguments but no tool to call with them.".to_owned(),
            ));
        }
        Params::parse(arguments)?;
    }
    Ok(())
}
