//! Connection of one era, and the results that were found on it.

use std::{
    sync::{Arc, Mutex},
    time::Duration,
};

use serde_json::Value;
use sightglass_area_core::{error::InspectorError, view::ConformanceOptions};
use sightglass_area_servers::test_connections::TestConnections;
use sightglass_checks::{Answer, CHECKS, Judgement, definition, finding};
use sightglass_connection::{HttpProbe, HttpProbeAnswer, Params, RequestEnd};
use sightglass_model::{
    ConnectionId, Era, EraChoice, ExchangeId, Finding, FrameId, HandshakeResult, ServerId,
    ServerSpec, TransportKind, lock,
};
use sightglass_traffic::TrafficQuery;

use crate::conformance::ConformanceChecks;

/// Time limit of one request.
const REQUEST_TIMEOUT: Duration = Duration::from_secs(30);

/// The messages of an era, and what was found in them.
pub(super) struct EraSession<'a> {
    pub conformance: &'a ConformanceChecks,
    pub server: ServerId,
    pub era: Era,
    pub handshake: Arc<HandshakeResult>,
    pub connection: Option<ConnectionId>,
    connections: TestConnections,
    results: Mutex<Vec<Finding<Era>>>,
    /// Results of requests, whole, for the checks that are about each.
    pub answered: Mutex<Vec<(ExchangeId, Value)>>,
}

/// Reason why there is no session.
pub(super) struct NotConnected {
    /// A sentence.
    pub message: String,
    pub evidence: Vec<ExchangeId>,
}

/// An answer with the exchange that it came in.
pub(super) struct Exchanged {
    pub answer: Answer,
    pub evidence: Vec<ExchangeId>,
}

/// Receiver of results as they come.
pub(super) type Tell<'a> = &'a (dyn Fn(&Finding<Era>) + Send + Sync);

impl<'a> EraSession<'a> {
    /// Connects in one era, or says why that did not succeed.
    pub async fn open(
        conformance: &'a ConformanceChecks,
        server: &ServerId,
        spec: &ServerSpec,
        era: Era,
    ) -> Result<Result<Self, NotConnected>, InspectorError> {
        let mut spec = spec.clone();
        spec.era = match era {
            Era::Legacy => EraChoice::Legacy,
            Era::Modern => EraChoice::Modern,
        };
        spec.client.revision = None;
        let (spec, authorizer) = conformance.lifecycle.permitted(server, spec)?;
        let connections = TestConnections::new(
            &conformance.core.connections,
            conformance.core.recorder.clone(),
        );
        let status = connections.connect(server, spec, authorizer).await;
        let Some(handshake) = status.handshake.clone().filter(|_| status.phase.is_live()) else {
            connections.close().await;
            let message = match &status.failure {
                Some(failure) => failure.reason.clone(),
                None => "The connection ended before it was ready.".to_owned(),
            };
            let evidence = first_exchanges(conformance, server, era, status.connection).await;
            return Ok(Err(NotConnected { message, evidence }));
        };
        Ok(Ok(Self {
            conformance,
            server: server.clone(),
            era,
            handshake,
            connection: status.connection,
            connections,
            results: Mutex::default(),
            answered: Mutex::default(),
        }))
    }

    /// Runs every check of the era. Returns the names of the tools where the one to call is none of
    /// them.
    pub async fn run(&self, options: &ConformanceOptions, tell: Tell<'_>) -> Option<Vec<String>> {
        self.check_handshake(tell);
        let lists = self.check_lists(tell).await;
        self.check_messages(tell).await;
        self.check_items(&lists, tell).await;
        self.check_tool(&lists, options, tell).await;
        self.check_requests_of_modern_era(&lists, tell).await;
        self.check_http(tell).await;
        self.check_record(tell).await;
        for check in CHECKS {
            let is_missing = !lock(&self.results)
                .iter()
                .any(|found| found.rule == check.id);
            if is_missing && check.clause(self.era).is_some() {
                let reason = match check.is_about(self.handshake.transport) {
                    true => Judgement::Skipped("It was not reached.".to_owned()),
                    false => Judgement::NotApplicable("It is about another transport.".to_owned()),
                };
                self.found(check.id, reason, Vec::new(), tell);
            }
        }
        lists.names_without(options.tool.as_deref()?)
    }

    /// Ends the connection, and returns the results in the order of the table.
    pub async fn close(self) -> Vec<Finding<Era>> {
        self.connections.close().await;
        let mut results = std::mem::take(&mut *lock(&self.results));
        let position =
            |result: &Finding<Era>| CHECKS.iter().position(|check| check.id == result.rule);
        results.sort_by_key(position);
        results
    }

    /// Notes and tells what came of a check. A check that is not about this era or this transport
    /// is left out.
    pub fn found(&self, id: &str, judgement: Judgement, evidence: Vec<ExchangeId>, tell: Tell<'_>) {
        let Some(check) = definition(id).filter(|check| check.clause(self.era).is_some()) else {
            return;
        };
        let mut result = finding(check, self.era, judgement, evidence);
        // It can repeat what the server said, and that what it was sent.
        result.message = result.message.map(|message| {
            let masked = self.connections.connections.masked(&self.server, &message);
            masked.unwrap_or(message)
        });
        tell(&result);
        lock(&self.results).push(result);
    }

    /// Sends a request with parameters that are the text of a JSON object.
    pub async fn ask(&self, method: &str, params: &str) -> Exchanged {
        let none = |reason: &str| Exchanged {
            answer: Answer::None(reason.to_owned()),
            evidence: Vec::new(),
        };
        let Ok(params) = Params::parse(params) else {
            return none("The parameters are not a JSON object.");
        };
        if !self.is_connected() {
            return none("The connection ended before.");
        }
        let connections = &self.connections.connections;
        let mut request =
            std::pin::pin!(connections.request(&self.server, method, method, &params));
        let outcome = tokio::select! {
            outcome = &mut request => outcome,
            () = tokio::time::sleep(REQUEST_TIMEOUT) => {
                connections.cancel(&self.server, method);
                request.await
            }
        };
        let Ok(outcome) = outcome else {
            return none("The connection ended before.");
        };
        // An exchange has the number of the frame that it begins with.
        let frame = outcome.first_frame.or(outcome.request_frame);
        let evidence: Vec<_> = frame.map(|frame| ExchangeId(frame.0)).into_iter().collect();
        let answer = match &outcome.response {
            Some(response) => Answer::of_response(&String::from_utf8_lossy(&response.text)),
            None => Answer::None(match outcome.end {
                RequestEnd::Cancelled | RequestEnd::TimedOut => {
                    "No answer came in time.".to_owned()
                }
                RequestEnd::ConnectionLost => {
                    "The connection ended before the answer came.".to_owned()
                }
                RequestEnd::Refused => match &outcome.failure {
                    Some(failure) => format!("No answer came: {}.", failure.reason),
                    None => "HTTP refused it.".to_owned(),
                },
                _ => "No answer came that could be read.".to_owned(),
            }),
        };
        if let (Answer::Result(result), Some(exchange)) = (&answer, evidence.first()) {
            lock(&self.answered).push((*exchange, result.clone()));
        }
        Exchanged { answer, evidence }
    }

    /// Sends a notification. Returns whether it could be sent.
    pub async fn notify(&self, method: &str, params: &str) -> bool {
        let Ok(params) = Params::parse(params) else {
            return false;
        };
        let sent = self
            .connections
            .connections
            .notify(&self.server, method, &params);
        self.is_connected() && sent.await.is_ok()
    }

    /// Sends an HTTP request of its own.
    pub async fn probe(&self, probe: &HttpProbe) -> Option<(HttpProbeAnswer, Vec<ExchangeId>)> {
        if !self.is_connected() {
            return None;
        }
        let sent = self
            .connections
            .connections
            .probe_http(&self.server, probe)
            .await;
        let answer = sent.ok()??;
        let evidence = vec![ExchangeId(answer.frame.0)];
        Some((answer, evidence))
    }

    /// Asks for a sign of life.
    pub async fn is_alive(&self) -> Exchanged {
        match self.era {
            Era::Legacy => self.ask("ping", "{}").await,
            Era::Modern => self.ask("server/discover", "{}").await,
        }
    }

    /// Returns whether the connection is the one that it was.
    pub fn is_connected(&self) -> bool {
        let status = self.connections.connections.status(&self.server);
        status.is_some_and(|status| status.phase.is_live() && status.connection == self.connection)
    }

    /// Returns the lines on standard output that are no messages, if any.
    pub fn stray(&self) -> Option<sightglass_model::StrayOutput> {
        self.connections.connections.status(&self.server)?.stray
    }

    /// Returns whether the server gave this connection a session over HTTP.
    pub fn has_http_session(&self) -> bool {
        self.connections.connections.has_http_session(&self.server)
    }

    /// Returns whether the server declared a capability.
    pub fn declares(&self, capability: &str) -> bool {
        let declared = &self.handshake.capabilities;
        declared.iter().any(|name| name == capability)
    }

    /// Returns whether messages travel over Streamable HTTP.
    pub fn is_over_http(&self) -> bool {
        self.handshake.transport == TransportKind::Http
    }

    /// The exchange of the handshake.
    pub fn handshake_exchange(&self) -> ExchangeId {
        let FrameId(frame) = self.handshake.request_frame;
        ExchangeId(frame)
    }
}

/// The first rows of a connection that failed.
async fn first_exchanges(
    conformance: &ConformanceChecks,
    server: &ServerId,
    era: Era,
    connection: Option<ConnectionId>,
) -> Vec<ExchangeId> {
    let method = match era {
        Era::Legacy => "initialize",
        Era::Modern => "server/discover",
    };
    let query = TrafficQuery {
        filter: format!("method:{method}"),
        server: Some(server.of_check()),
        ..TrafficQuery::default()
    };
    let Ok(page) = conformance.core.record().window(query, 0, 20).await else {
        return Vec::new();
    };
    let rows = page.rows.into_iter();
    rows.filter(|row| Some(row.connection) == connection)
        .map(|row| row.id)
        .collect()
}
