//! Requests in the record.

use std::time::{Duration, Instant};

use reqwest::header::HeaderMap;
use sightglass_traffic::{CarrierId, ConnectionRecorder, HttpFacts, HttpKind};

/// A request on record that waits for its answer.
pub struct RecordedRequest<'r> {
    recorder: &'r ConnectionRecorder,
    carrier: CarrierId,
    facts: HttpFacts,
    started: Instant,
}

impl<'r> RecordedRequest<'r> {
    /// Records a request that is about to be sent: its method, URL and headers. The recorder masks
    /// the secret ones; the body is given masked.
    pub fn start(
        recorder: &'r ConnectionRecorder,
        kind: HttpKind,
        facts: HttpFacts,
        body: Option<&str>,
    ) -> Self {
        Self {
            carrier: recorder.http_started_with(facts.clone(), kind, body),
            recorder,
            facts,
            started: Instant::now(),
        }
    }

    /// Returns the request, for the messages that it carries to refer to.
    pub fn carrier(&self) -> CarrierId {
        self.carrier
    }

    /// Returns the request as it was recorded.
    pub fn facts(&self) -> &HttpFacts {
        &self.facts
    }

    /// Returns the time since it was sent.
    pub fn elapsed(&self) -> Duration {
        self.started.elapsed()
    }

    /// Records the answer. The body is given masked.
    pub fn answered(mut self, status: u16, headers: Vec<(String, String)>, body: Option<&str>) {
        self.facts.status = Some(status);
        self.facts.response_headers = headers;
        self.facts.time_to_headers = Some(self.elapsed().into());
        self.recorder
            .http_finished_with(self.carrier, self.facts, body);
    }

    /// Records why there is no answer.
    pub fn failed(mut self, reason: String) {
        self.facts.error = Some(reason);
        self.recorder.http_finished(self.carrier, self.facts);
    }
}

/// Returns headers as texts.
pub fn header_texts(headers: &HeaderMap) -> Vec<(String, String)> {
    headers
        .iter()
        .map(|(name, value)| {
            let value = String::from_utf8_lossy(value.as_bytes()).into_owned();
            (name.to_string(), value)
        })
        .collect()
}
