//! Checks of everything that a server sent on a connection, as it is on record.

use std::collections::HashMap;

use sightglass_checks::{
    Judgement,
    judge::{self, Ids},
};
use sightglass_json_text::Message;
use sightglass_model::{ExchangeId, FrameId};
use sightglass_traffic::{Direction, ExchangeKind};
use tokio::time::{Duration, sleep};

use super::session::{EraSession, Tell};

const UNKNOWN_NOTIFICATION: &str = "notifications/sightglass-no-such-notification";
/// Time in which a wrong answer to a notification may come after what is asked next.
const SETTLING_TIME: Duration = Duration::from_millis(100);

/// Findings in the messages of a connection.
#[derive(Default)]
struct Messages {
    ids: Ids,
    /// Exchanges by the id of their request, as JSON text.
    exchanges: HashMap<String, ExchangeId>,
    unmatched: Vec<ExchangeId>,
    malformed: Vec<(ExchangeId, String)>,
    /// The unknown notification, and whether an error about nothing came after it.
    notification: Option<ExchangeId>,
    is_notification_answered: bool,
    stray: Vec<ExchangeId>,
}

impl EraSession<'_> {
    pub(super) async fn check_record(&self, tell: Tell<'_>) {
        let is_sent = self.notify(UNKNOWN_NOTIFICATION, "{}").await;
        let alive = self.is_alive().await;
        sleep(SETTLING_TIME).await;
        let Some(messages) = self.messages().await else {
            return;
        };
        let notification = match (is_sent, judge::answered(&alive.answer)) {
            _ if messages.is_notification_answered => {
                Judgement::Failed("An answer came to it.".to_owned())
            }
            (true, Judgement::Passed) => Judgement::Passed,
            (true, _) => Judgement::Failed("After it the server answers no more.".to_owned()),
            (false, _) => Judgement::Failed("The notification was not accepted.".to_owned()),
        };
        let mut evidence: Vec<ExchangeId> = messages.notification.into_iter().collect();
        evidence.extend(alive.evidence);
        self.found("unknown-notification", notification, evidence, tell);
        let faulty: Vec<ExchangeId> = messages.malformed.iter().map(|(id, _)| *id).collect();
        let problems = messages.malformed.into_iter().map(|(_, problem)| problem);
        let shape = judge::failed_if_any(problems, "On this connection");
        self.found("message-shape", shape, faulty, tell);
        self.found(
            "response-ids",
            messages.ids.judgement(),
            messages.unmatched,
            tell,
        );
        if !self.is_over_http()
            && self.handshake.transport == sightglass_model::TransportKind::Stdio
        {
            let stray = match self.stray() {
                None => Judgement::Passed,
                Some(stray) => Judgement::Failed(format!(
                    "{} lines are no messages, the first: {}",
                    stray.lines,
                    judge::short(&stray.first)
                )),
            };
            self.found("stray-output", stray, messages.stray, tell);
        }
    }

    async fn messages(&self) -> Option<Messages> {
        let server = self.server.of_check();
        let connection = self.connection?;
        let first = self.handshake.request_frame;
        let read = self.conformance.core.blocking(move |recorder| {
            recorder.flush()?;
            let mut messages = Messages::default();
            let last = FrameId(u32::MAX);
            recorder.frames_between(&server, first, last, &mut |frame| {
                if frame.connection == connection
                    && let Some(payload) = &frame.payload
                {
                    let text = String::from_utf8_lossy(payload);
                    let exchange = ExchangeId(frame.frame.0);
                    messages.note(frame.kind, frame.direction, &frame.method, &text, exchange);
                }
                Ok::<_, sightglass_area_core::error::InspectorError>(())
            })?;
            Ok(messages)
        });
        read.await.ok()
    }
}

impl Messages {
    fn note(
        &mut self,
        kind: ExchangeKind,
        direction: Direction,
        method: &str,
        text: &str,
        exchange: ExchangeId,
    ) {
        match (kind, direction) {
            (ExchangeKind::Stderr, _) if method == "stdout" => self.stray.push(exchange),
            (
                ExchangeKind::Request | ExchangeKind::Notification | ExchangeKind::Log,
                Direction::Sent,
            ) => {
                if method == UNKNOWN_NOTIFICATION {
                    self.notification = Some(exchange);
                }
                self.ids.sent(text);
                if let Some(id) = id_of(text) {
                    self.exchanges.insert(id, exchange);
                }
            }
            (
                ExchangeKind::Request | ExchangeKind::Notification | ExchangeKind::Log,
                Direction::Received,
            ) => {
                // A response stands in the exchange of its request.
                let of_request = id_of(text).and_then(|id| self.exchanges.get(&id));
                let exchange = of_request.copied().unwrap_or(exchange);
                if let Some(problem) = judge::message_problem(text) {
                    self.malformed.push((exchange, problem));
                }
                if self.notification.is_some() && judge::is_error_about_nothing(text) {
                    self.is_notification_answered = true;
                }
                if self.ids.received(text) {
                    self.unmatched.push(exchange);
                }
            }
            _ => {}
        }
    }
}

/// The id of a message, as JSON text.
fn id_of(text: &str) -> Option<String> {
    Message::parse(text).ok()?.id().map(str::to_owned)
}
