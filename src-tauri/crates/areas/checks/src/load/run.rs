//! Runs the clients of a load run.

use std::{
    sync::{
        Mutex,
        atomic::{AtomicU32, Ordering},
    },
    time::Duration,
};

use futures::future::join_all;
use sightglass_area_calls::confirmation::{Consent, PendingCall};
use sightglass_area_core::{
    effects::may_change,
    error::InspectorError,
    view::{LoadOptions, LoadProgress, LoadReport},
};
use sightglass_area_servers::test_connections::TestConnections;
use sightglass_connection::{Params, RequestEnd, RequestOutcome};
use sightglass_model::{Era, EraChoice, ServerId, ServerSpec, lock};
use sightglass_traffic::{Recorder, RecorderOptions, Retention};
use tokio::time::{Instant, sleep, sleep_until, timeout_at};
use tokio_util::sync::CancellationToken;

use super::{
    definition_of,
    measured::{CallEnd, Measured},
};
use crate::load::LoadTests;

/// Time after the end in which answers to what was sent are waited for.
const GRACE: Duration = Duration::from_secs(10);
/// Interval of progress.
const PROGRESS_INTERVAL: Duration = Duration::from_millis(250);
/// Megabytes of the record that the run throws away, which holds no texts.
const RECORD_MEBIBYTES: u32 = 32;

/// The clients of a run, and what they measure.
struct LoadClients<'a> {
    connections: &'a TestConnections,
    options: &'a LoadOptions,
    call: Params,
    total: u32,
    next: AtomicU32,
    measured: Mutex<Measured>,
    stop: &'a CancellationToken,
}

pub(super) async fn run(
    load: &LoadTests,
    server: &ServerId,
    mut spec: ServerSpec,
    options: &LoadOptions,
    call: Params,
    on_progress: &(dyn Fn(LoadProgress) + Send + Sync),
    stop: &CancellationToken,
) -> Result<LoadReport, InspectorError> {
    let name = spec.name.clone();
    if let Some(era) = options.era {
        spec.client.revision = None;
        spec.era = match era {
            Era::Legacy => EraChoice::Legacy,
            Era::Modern => EraChoice::Modern,
        };
    }
    // The texts of the messages stay in memory, the rest goes with the directory.
    spec.is_recorded = false;
    let directory = tempfile::tempdir().map_err(|source| InspectorError::Save {
        what: "The load run's own record".to_owned(),
        source,
    })?;
    let recorder = Recorder::open(RecorderOptions {
        retention: Retention {
            mebibytes: RECORD_MEBIBYTES,
            ..Retention::default()
        },
        is_temporary: true,
        ..RecorderOptions::in_directory(directory.path())
    });
    let connections = TestConnections::new(&load.core.connections, recorder.clone());
    let clients = LoadClients {
        connections: &connections,
        options,
        call,
        total: options.rate.saturating_mul(options.seconds),
        next: AtomicU32::new(0),
        measured: Mutex::new(Measured::new()),
        stop,
    };
    let ended = clients.run(load, server, &spec, on_progress).await;
    connections.close().await;
    // A record that is thrown away need not be closed in order.
    let _ = tokio::task::spawn_blocking(move || {
        recorder.close();
        drop(directory);
    })
    .await;
    ended.map(|report| LoadReport {
        server: name,
        ..report
    })
}

impl LoadClients<'_> {
    async fn run(
        &self,
        load: &LoadTests,
        server: &ServerId,
        spec: &ServerSpec,
        on_progress: &(dyn Fn(LoadProgress) + Send + Sync),
    ) -> Result<LoadReport, InspectorError> {
        let ids: Vec<ServerId> = (1..=self.options.clients)
            .map(|number| ServerId::new("load", &number.to_string()))
            .collect();
        let opening = async {
            for (position, id) in ids.iter().enumerate() {
                self.open(load, server, spec, id).await?;
                if position == 0 {
                    self.permit(load, server, id).await?;
                }
            }
            Ok::<_, InspectorError>(())
        };
        tokio::select! {
            opened = opening => opened?,
            () = self.stop.cancelled() => return Ok(self.report(Duration::ZERO)),
        }
        let started = Instant::now();
        let end = started + Duration::from_secs(self.options.seconds.into());
        let calling = join_all(ids.iter().map(|id| self.client(id, started, end)));
        let mut calling = std::pin::pin!(calling);
        loop {
            tokio::select! {
                _ = &mut calling => break,
                () = sleep(PROGRESS_INTERVAL) => on_progress(self.progress(started.elapsed())),
                () = self.stop.cancelled() => break,
            }
        }
        on_progress(self.progress(started.elapsed()));
        Ok(self.report(started.elapsed()))
    }

    async fn open(
        &self,
        load: &LoadTests,
        server: &ServerId,
        spec: &ServerSpec,
        id: &ServerId,
    ) -> Result<(), InspectorError> {
        let (spec, authorizer) = load.lifecycle.permitted(server, spec.clone())?;
        let status = self.connections.connect(id, spec, authorizer).await;
        match status.failure {
            Some(failure) if !status.phase.is_live() => Err(InspectorError::InvalidInput(format!(
                "A client of the load run could not connect: {}",
                failure.reason
            ))),
            _ => Ok(()),
        }
    }

    /// Refuses a tool that may change something, unless the user allowed it, and what the rules of
    /// a client deny.
    async fn permit(
        &self,
        load: &LoadTests,
        server: &ServerId,
        id: &ServerId,
    ) -> Result<(), InspectorError> {
        let tool = &self.options.tool;
        let (definition, consent) = match self.options.allows_effects {
            // Whatever it is, and whether it is listed or not.
            true => (None, Consent::Given),
            false => {
                let definition = definition_of(&self.connections.connections, id, tool).await?;
                if may_change(Some(&definition)) {
                    return Err(InspectorError::ToolWithEffects { tool: tool.clone() });
                }
                (Some(definition.into()), Consent::None)
            }
        };
        let call = PendingCall {
            count: self.total,
            definition,
            ..PendingCall::once(server, "load", &self.call)
        };
        load.confirmations.confirm_call(call, consent).await?;
        Ok(())
    }

    /// Makes one call after another, each when it is due and this client is free.
    async fn client(&self, id: &ServerId, started: Instant, end: Instant) {
        loop {
            let index = self.next.fetch_add(1, Ordering::Relaxed);
            if index >= self.total {
                return;
            }
            let since = f64::from(index) / f64::from(self.options.rate);
            let due = started + Duration::from_secs_f64(since);
            sleep_until(due).await;
            let sent = Instant::now();
            if sent >= end {
                lock(&self.measured).not_sent += 1;
                continue;
            }
            let connections = &self.connections.connections;
            let request = connections.request(id, "load", "tools/call", &self.call);
            let ended = match timeout_at(end + GRACE, request).await {
                Ok(Ok(outcome)) => call_end(&outcome),
                Ok(Err(error)) => failed("connection lost", Some(error.to_string())),
                Err(_) => failed("no answer in time", None),
            };
            let now = Instant::now();
            lock(&self.measured).note(now - due, now - sent, ended);
        }
    }

    fn progress(&self, elapsed: Duration) -> LoadProgress {
        let measured = lock(&self.measured);
        LoadProgress {
            elapsed: elapsed.into(),
            ended: measured.ended(),
            failed: measured.failed,
            total: self.total,
            response: measured.response(),
        }
    }

    fn report(&self, duration: Duration) -> LoadReport {
        let measured = lock(&self.measured);
        let seconds = duration.as_secs_f64();
        LoadReport {
            server: String::new(),
            tool: self.options.tool.clone(),
            rate: self.options.rate,
            clients: self.options.clients,
            duration: duration.into(),
            total: self.total,
            succeeded: measured.succeeded,
            failed: measured.failed,
            not_sent: measured.not_sent,
            throughput: match seconds > 0.0 {
                true => f64::from(measured.ended()) / seconds,
                false => 0.0,
            },
            response: measured.response(),
            service: measured.service(),
            histogram: measured.buckets(),
            errors: measured.errors(),
            is_stopped: self.stop.is_cancelled(),
        }
    }
}

fn failed(kind: &str, example: Option<String>) -> CallEnd {
    CallEnd::Failed {
        kind: kind.to_owned(),
        example,
    }
}

/// Reads how a call ended.
fn call_end(outcome: &RequestOutcome) -> CallEnd {
    let Some(response) = &outcome.response else {
        let kind = match outcome.end {
            RequestEnd::TimedOut | RequestEnd::Cancelled => "no answer in time",
            RequestEnd::TooLarge => "answer too large",
            _ => "connection lost",
        };
        return failed(kind, outcome.message.clone());
    };
    let text = String::from_utf8_lossy(&response.recorded);
    let message: serde_json::Value = serde_json::from_str(&text).unwrap_or_default();
    if response.is_error {
        let error = &message["error"];
        let words = error["message"].as_str().map(str::to_owned);
        return failed(&format!("error {}", error["code"]), words);
    }
    if message["result"]["isError"].as_bool() == Some(true) {
        let words = message["result"]["content"][0]["text"].as_str();
        return failed("tool error", words.map(str::to_owned));
    }
    CallEnd::Ok
}
