//! Load runs: calls one tool at a steady rate and measures the answers.
//!
//! The moments of the calls are fixed before the run. A server that answers late does not slow
//! them down, and the time that a call waits for a free client counts as its response time, so
//! that a stall is seen in every call that it delays (coordinated omission). The messages go
//! through connections of the run's own and reach no record of the user's.

mod host;
mod measured;
mod run;

use std::sync::Arc;

use sightglass_area_calls::{confirmation::Confirmations, lists::Lists};
use sightglass_area_core::core::Core;
use sightglass_area_servers::{lifecycle::ServerLifecycle, server_spec::ServerSpecs};
use sightglass_connection::{Connections, ListKind, Params};
use sightglass_model::{ServerId, ServerSpec};
use tokio_util::sync::CancellationToken;

pub use host::remote_host;
use sightglass_area_core::{
    command::commands, effects::may_change, error::InspectorError, jobs::Jobs, view::LoadEvent,
    view::LoadOptions, view::LoadPlan, view::LoadProgress, view::LoadReport,
};

/// Largest number of calls per second.
const MAX_RATE: u32 = 10_000;
/// Largest number of connections, each of which may be a process.
const MAX_CLIENTS: u32 = 64;
/// Longest run, in seconds.
const MAX_SECONDS: u32 = 3_600;
/// Largest number of calls on this machine.
const MAX_TOTAL: u32 = 1_000_000;
/// Largest number of calls to a host that is not this machine.
const MAX_REMOTE_TOTAL: u32 = 20_000;

/// Load runs.
pub struct LoadTests {
    pub(crate) core: Arc<Core>,
    pub(crate) confirmations: Arc<Confirmations>,
    pub(crate) lists: Arc<Lists>,
    pub(crate) specs: Arc<ServerSpecs>,
    pub(crate) lifecycle: Arc<ServerLifecycle>,
    pub(crate) jobs: Arc<Jobs<ServerId, LoadEvent>>,
}

#[commands]
impl LoadTests {
    /// Returns the host that tests of a server would call, where it is not this machine.
    #[command(name = "get_remote_host")]
    pub fn remote_host(&self, server: &ServerId) -> Result<Option<String>, InspectorError> {
        Ok(remote_host(&self.specs.spec(server)?.endpoint))
    }

    /// Tells what a run would do.
    #[command(name = "get_load_plan")]
    pub fn load_plan(
        &self,
        server: &ServerId,
        options: &LoadOptions,
    ) -> Result<LoadPlan, InspectorError> {
        let spec = self.specs.spec(server)?;
        let mut plan = plan_of(&spec, options)?;
        if let Some(definition) = self.lists.definition(server, &options.tool) {
            plan.may_have_effects = may_change(Some(&definition));
        }
        Ok(plan)
    }

    /// Starts a run and returns at once; how it goes is told as facts. One run per server goes on
    /// at a time: a new one stops the one before it.
    ///
    /// # Errors
    /// As for [`load_as`](Self::load_as), as far as it can be told before connecting.
    #[command]
    pub fn start_load(
        self: &Arc<Self>,
        server: &ServerId,
        options: LoadOptions,
    ) -> Result<(), InspectorError> {
        let spec = self.specs.spec(server)?;
        let plan = plan_of(&spec, &options)?;
        check_host(&plan, &options)?;
        let job = self.jobs.begin(server.clone());
        job.report(LoadEvent::Started {
            server: server.clone(),
            total: plan.total,
        });
        let this = Arc::clone(self);
        job.spawn(
            move |job| async move {
                let on_progress = |progress| {
                    job.report(LoadEvent::Progress {
                        server: job.key.clone(),
                        progress,
                    });
                };
                this.load_as(&job.key, spec, &options, &on_progress, &job.stop)
                    .await
            },
            |server, report, problem| LoadEvent::Ended {
                server,
                report: report.map(Box::new),
                problem,
            },
        );
        Ok(())
    }

    /// Stops a run. Its report then says so.
    #[command]
    pub fn stop_load(&self, server: &ServerId) {
        self.jobs.stop(server);
    }

    /// Calls a tool of a server that may be in no file, under the name `server`, and returns what
    /// was measured.
    ///
    /// # Errors
    /// [`InspectorError::RemoteLoad`] for a host that is not this machine and was not allowed;
    /// [`InspectorError::ToolWithEffects`] for a tool that may change something, when that was not
    /// allowed; when the options cannot be used, a client cannot connect, or there is no such tool.
    pub async fn load_as(
        &self,
        server: &ServerId,
        spec: ServerSpec,
        options: &LoadOptions,
        on_progress: &(dyn Fn(LoadProgress) + Send + Sync),
        stop: &CancellationToken,
    ) -> Result<LoadReport, InspectorError> {
        let plan = plan_of(&spec, options)?;
        check_host(&plan, options)?;
        let arguments = Params::parse(&options.arguments)?;
        let call = Params::tool_call(&options.tool, &arguments);
        run::run(self, server, spec, options, call, on_progress, stop).await
    }
}

/// Reads what a run would do from its options, and refuses those beyond the limits.
fn plan_of(spec: &ServerSpec, options: &LoadOptions) -> Result<LoadPlan, InspectorError> {
    let within = |name: &str, value: u32, most: u32| match value {
        0 => Err(InspectorError::InvalidInput(format!(
            "{name} has to be 1 at least."
        ))),
        value if value > most => Err(InspectorError::InvalidInput(format!(
            "{name} can be {most} at most."
        ))),
        _ => Ok(()),
    };
    within("The rate", options.rate, MAX_RATE)?;
    within("The number of clients", options.clients, MAX_CLIENTS)?;
    within("The duration in seconds", options.seconds, MAX_SECONDS)?;
    Params::parse(&options.arguments)?;
    let host = remote_host(&spec.endpoint);
    let total = options.rate.saturating_mul(options.seconds);
    let most = match host {
        None => MAX_TOTAL,
        Some(_) => MAX_REMOTE_TOTAL,
    };
    if total > most {
        return Err(InspectorError::InvalidInput(format!(
            "These are {total} calls, and {most} are the most. Lower the rate or the duration."
        )));
    }
    Ok(LoadPlan {
        host,
        total,
        may_have_effects: true,
    })
}

fn check_host(plan: &LoadPlan, options: &LoadOptions) -> Result<(), InspectorError> {
    match &plan.host {
        Some(host) if options.allowed_host.as_ref() != Some(host) => {
            Err(InspectorError::RemoteLoad {
                host: host.clone(),
                total: plan.total,
            })
        }
        _ => Ok(()),
    }
}

/// Finds the definition of a tool on a connection whose lists are not loaded.
async fn definition_of(
    connections: &Connections,
    server: &ServerId,
    tool: &str,
) -> Result<String, InspectorError> {
    const MAX_PAGES: usize = 50;
    let mut params = Params::empty();
    let mut names = Vec::new();
    for _ in 0..MAX_PAGES {
        let key = ListKind::Tools.method();
        let outcome = connections.request(server, key, key, &params).await?;
        let Some(response) = outcome.response else {
            break;
        };
        let page: serde_json::Value = serde_json::from_slice(&response.text).unwrap_or_default();
        for found in page["result"]["tools"].as_array().into_iter().flatten() {
            match found["name"].as_str() {
                Some(name) if name == tool => return Ok(found.to_string()),
                name => names.extend(name.map(str::to_owned)),
            }
        }
        match page["result"].get("nextCursor") {
            Some(cursor) if cursor.is_string() => {
                params = Params::object(&[("cursor", &cursor.to_string())]);
            }
            _ => break,
        }
    }
    Err(InspectorError::NoSuchTool {
        tool: tool.to_owned(),
        tools: names,
    })
}
