//! Sends one request of a run, and observes everything about its answer.

use std::{sync::Arc, time::Duration};

use sightglass_area_calls::{
    confirmation::{Confirmations, Consent, PendingCall},
    requests::McpRequests,
};
use sightglass_area_core::{core::Core, error::InspectorError, view::CallReport};
use sightglass_connection::{Params, RequestEnd, RequestOutcome};
use sightglass_model::{ExchangeId, FrameId, ServerId, sentence};
use sightglass_requests::{Expectation, Observation, OutputSchemaResult, Source};
use sightglass_traffic::{Direction, ExchangeKind};

/// The answer to a request.
pub(super) struct Answered {
    pub observation: Observation,
    /// The same as it is on record, with secrets masked; for what is written into files.
    pub recorded: Observation,
    pub outcome: RequestOutcome,
}

/// A request that ended without an answer.
pub(super) struct NoAnswer {
    pub reason: String,
    pub outcome: Option<RequestOutcome>,
}

/// Sends one request of a run, and observes everything about its answer.
pub struct RequestExchanges {
    pub(crate) core: Arc<Core>,
    pub(crate) mcp_requests: Arc<McpRequests>,
    pub(crate) confirmations: Arc<Confirmations>,
}

impl RequestExchanges {
    /// Sends a request, with a time limit of its own where it has one.
    pub(super) async fn observed(
        self: &Arc<Self>,
        server: &ServerId,
        key: &str,
        method: &str,
        params: &Params,
        limit: Option<Duration>,
        expectations: &[Expectation],
    ) -> Result<Answered, NoAnswer> {
        // Before the time of the request begins to count.
        if method == "tools/call" {
            let call = PendingCall::once(server, key, params);
            let confirmed = self.confirmations.confirm_call(call, Consent::None).await;
            confirmed.map_err(|error| NoAnswer {
                reason: error.to_string(),
                outcome: None,
            })?;
        }
        let request = self
            .mcp_requests
            .request(server, key, method, params, Consent::Given);
        let report = match limit {
            None => request.await,
            Some(limit) => {
                let mut request = std::pin::pin!(request);
                tokio::select! {
                    report = &mut request => report,
                    () = tokio::time::sleep(limit) => {
                        self.mcp_requests.cancel_call(server, key);
                        let outcome = request.await.ok().map(|report| report.request);
                        let reason = format!("No answer within {} s.", limit.as_secs_f64());
                        return Err(NoAnswer { reason, outcome });
                    }
                }
            }
        };
        let report = report.map_err(|error| NoAnswer {
            reason: error.to_string(),
            outcome: None,
        })?;
        let no_answer = |reason: String| NoAnswer {
            reason,
            outcome: Some(report.request.clone()),
        };
        let Some(response) = &report.request.response else {
            return Err(no_answer(why_none(&report.request)));
        };
        let read = |bytes: &[u8]| Observation::of_response(&String::from_utf8_lossy(bytes));
        let not_json =
            |error: serde_json::Error| no_answer(format!("The answer is not JSON: {error}."));
        let mut observation = read(&response.text).map_err(not_json)?;
        let mut recorded = read(&response.recorded).map_err(not_json)?;
        self.complete_observation(&mut observation, server, &report, expectations)
            .await
            .map_err(|error| no_answer(error.to_string()))?;
        recorded.stderr.clone_from(&observation.stderr);
        recorded
            .notifications
            .clone_from(&observation.notifications);
        recorded.progress.clone_from(&observation.progress);
        recorded.duration = observation.duration;
        recorded.rounds = observation.rounds;
        recorded.http_status = observation.http_status;
        recorded
            .output_schema
            .clone_from(&observation.output_schema);
        Ok(Answered {
            observation,
            recorded,
            outcome: report.request,
        })
    }

    /// Adds what is not in the response itself.
    async fn complete_observation(
        &self,
        observation: &mut Observation,
        server: &ServerId,
        report: &CallReport,
        expectations: &[Expectation],
    ) -> Result<(), InspectorError> {
        let outcome = &report.request;
        let whole: Duration = outcome.duration.into();
        observation.duration = whole.saturating_sub(outcome.waited.into());
        observation.rounds = outcome.rounds;
        let check = report
            .result
            .as_ref()
            .and_then(|result| result.schema_check.as_ref());
        observation.output_schema = check.map(|check| OutputSchemaResult {
            is_valid: check.valid,
            problems: check
                .problems
                .iter()
                .map(|problem| problem.sentence.clone())
                .chain(check.not_checked.clone())
                .collect(),
        });
        let wants = |wanted: fn(&Source) -> bool| {
            expectations
                .iter()
                .any(|expectation| wanted(&expectation.source))
        };
        let of_record = wants(|source| {
            matches!(
                source,
                Source::Progress | Source::Notifications(_) | Source::Stderr
            )
        });
        let (Some(first), Some(last)) = (outcome.first_frame, outcome.response_frame) else {
            return Ok(());
        };
        if of_record {
            self.add_frames(observation, server, first, last).await?;
        }
        if wants(|source| matches!(source, Source::HttpStatus)) {
            // An exchange has the number of the frame that it begins with.
            let exchange = outcome.request_frame.map(|frame| ExchangeId(frame.0));
            if let Some(exchange) = exchange {
                let detail = self.core.blocking(move |recorder| {
                    recorder.flush()?;
                    Ok(recorder.detail(exchange)?)
                });
                observation.http_status = detail.await?.http.and_then(|http| http.status);
            }
        }
        Ok(())
    }

    /// Adds the notifications and the output that came between the request and the answer.
    async fn add_frames(
        &self,
        observation: &mut Observation,
        server: &ServerId,
        first: FrameId,
        last: FrameId,
    ) -> Result<(), InspectorError> {
        let server = server.clone();
        let frames = self.core.blocking(move |recorder| {
            recorder.flush()?;
            let mut frames = Vec::new();
            recorder.frames_between(&server, first, last, &mut |frame| {
                let is_wanted = frame.direction == Direction::Received
                    && matches!(
                        frame.kind,
                        ExchangeKind::Stderr | ExchangeKind::Notification | ExchangeKind::Log
                    );
                if is_wanted && let Some(payload) = frame.payload {
                    frames.push((frame.kind, payload));
                }
                Ok::<_, InspectorError>(())
            })?;
            Ok(frames)
        });
        for (kind, payload) in frames.await? {
            let text = String::from_utf8_lossy(&payload);
            match kind {
                ExchangeKind::Stderr => {
                    observation.stderr.push_str(text.trim_end_matches('\n'));
                    observation.stderr.push('\n');
                }
                _ => observation.add_notification(&text),
            }
        }
        Ok(())
    }
}

/// Says why a request has no answer.
fn why_none(outcome: &RequestOutcome) -> String {
    let message = outcome.message.clone();
    let reason = message.unwrap_or_else(|| match outcome.end {
        RequestEnd::Cancelled => "the run was stopped".to_owned(),
        RequestEnd::TimedOut => "no answer within the time limit".to_owned(),
        _ => "the connection ended before the answer came".to_owned(),
    });
    sentence(reason)
}
