//! Narrates what crossed the wire as it is recorded: messages in both directions, the HTTP requests
//! that carried them with their headers, and the lines of the server's stderr. Secrets are masked
//! by the record.

use std::sync::Arc;

use serde_json::Value;
use sightglass_inspector::{
    ExchangeDetail, ExchangeId, ExchangeKind, ExchangeRow, FrameId, Inspector, PayloadForm,
    PayloadQuery, ServerId, visible,
};

use super::tell;
use crate::{
    record_rows::RecordRows,
    style::{FAINT, NAME, duration, harmless, styled},
};

/// Frames that are told at once.
const MAX_TOLD: usize = 500;

/// Part of the record that is told.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Told {
    Everything,
    /// The log messages of the server alone.
    LogMessages,
}

/// Notification that carries a log message (MCP, Logging).
const LOG_MESSAGE: &str = "notifications/message";

/// Tells each row once, and of those that are answered the answer when it is there.
pub(super) struct Exchanges {
    inspector: Arc<Inspector>,
    told: Told,
    /// The one server that it is about; all that are on record where it is absent.
    server: Option<ServerId>,
    rows: RecordRows,
    /// Rows without their answer.
    open: Vec<ExchangeId>,
}

/// Text about one frame, by its place on the wire.
type ToldFrame = (FrameId, String);

impl Exchanges {
    pub(super) fn new(inspector: &Arc<Inspector>, told: Told) -> Self {
        Self {
            inspector: Arc::clone(inspector),
            told,
            server: None,
            rows: RecordRows::new(inspector),
            open: Vec::new(),
        }
    }

    /// Tells what comes from now on, of one server among those on record.
    pub(super) async fn from_now(
        inspector: &Arc<Inspector>,
        told: Told,
        server: &ServerId,
    ) -> Self {
        Self {
            server: Some(server.clone()),
            rows: RecordRows::from_now(inspector).await,
            ..Self::new(inspector, told)
        }
    }

    /// Tells what is new on record.
    pub(super) async fn print_new(&mut self) {
        let rows = self.rows.unseen().await;
        let mut told = Vec::new();
        for id in std::mem::take(&mut self.open) {
            // The record is in memory and holds every row; one that is gone has no more to say.
            if let Ok(detail) = self.inspector.core.record().detail(id).await {
                self.answer(detail, &mut told).await;
            }
        }
        for row in rows {
            self.row(row, &mut told).await;
            if told.len() >= MAX_TOLD {
                print_in_order(&mut told);
            }
        }
        print_in_order(&mut told);
    }

    async fn row(&mut self, row: ExchangeRow, told: &mut Vec<ToldFrame>) {
        if self
            .server
            .as_ref()
            .is_some_and(|server| row.server_id != *server)
        {
            return;
        }
        let frame = row.request_frame;
        if self.told == Told::LogMessages {
            if row.method == LOG_MESSAGE {
                told.push((frame, self.log_message(frame).await));
            }
            return;
        }
        match row.kind {
            // Phases are told by the narrator, and a sign-in tells what it does.
            ExchangeKind::Oauth | ExchangeKind::Phase => return,
            ExchangeKind::Http => {}
            ExchangeKind::Stderr => {
                let text = self.rows.text(frame).await;
                let text = text.unwrap_or_else(|| row.target.clone());
                let name = styled(FAINT, &format!("{} │", row.method));
                told.push((frame, format!("{name} {}", harmless(&text))));
                return;
            }
            _ => {
                if let Ok(detail) = self.inspector.core.record().detail(row.id).await
                    && let Some(first) = detail.frames.first()
                {
                    told.push((first.id, self.message(&row, first.id, false).await));
                }
                if row.kind != ExchangeKind::Request {
                    return;
                }
            }
        }
        if let Ok(detail) = self.inspector.core.record().detail(row.id).await {
            self.answer(detail, told).await;
        }
    }

    /// The answer of a row, or the row is left open.
    async fn answer(&mut self, detail: ExchangeDetail, told: &mut Vec<ToldFrame>) {
        let row = &detail.row;
        if row.kind == ExchangeKind::Http {
            match &detail.http {
                Some(facts) if facts.status.is_some() || facts.error.is_some() => {
                    let mut lines = vec![styled(FAINT, &format!("{} {}", facts.method, facts.url))];
                    lines.extend(headers(&facts.request_headers));
                    let ended = match (facts.status, &facts.error) {
                        (Some(status), _) => format!("HTTP {status}"),
                        (None, error) => error.clone().unwrap_or_default(),
                    };
                    let after = facts.time_to_headers.map(duration).unwrap_or_default();
                    lines.push(styled(FAINT, &harmless(&format!("{ended} {after}"))));
                    lines.extend(headers(&facts.response_headers));
                    told.push((row.request_frame, lines.join("\n")));
                }
                _ => self.open.push(row.id),
            }
            return;
        }
        match row.response_frame {
            Some(frame) => told.push((frame, self.message(row, frame, true).await)),
            None => self.open.push(row.id),
        }
    }

    /// One message, shortened where it is long.
    async fn message(&self, row: &ExchangeRow, frame: FrameId, is_answer: bool) -> String {
        use sightglass_inspector::Direction::{Received, Sent};
        let arrow = match (row.direction, is_answer) {
            (Sent, false) | (Received, true) => "→",
            (Received, false) | (Sent, true) => "←",
        };
        let query = PayloadQuery {
            frame,
            pointer: String::new(),
            form: PayloadForm::Raw,
        };
        let page = self
            .inspector
            .record
            .reader
            .payload_lines(None, query, 0, 1)
            .await;
        let text = page.map(|page| {
            let text = page.lines.concat();
            match page.total_lines {
                0 | 1 => text,
                _ => format!("{text}… ({} bytes)", page.total_size.as_u64()),
            }
        });
        let after = match row.duration.filter(|_| is_answer) {
            Some(took) => format!(" {}", styled(FAINT, &duration(took))),
            None => String::new(),
        };
        let text = text.unwrap_or_default();
        format!("{}{after} {}", styled(NAME, arrow), harmless(&text))
    }

    /// A log message as a line: its level, its logger, and what it says.
    async fn log_message(&self, frame: FrameId) -> String {
        let text = self.rows.text(frame).await.unwrap_or_default();
        let message: Value = serde_json::from_str(&text).unwrap_or_default();
        let params = &message["params"];
        // One line, so that no message looks like one of ours.
        let word = |name: &str| visible(params[name].as_str().unwrap_or_default()).into_owned();
        let data = match &params["data"] {
            Value::String(text) => text.clone(),
            data => data.to_string(),
        };
        format!(
            "{} {} {}",
            styled(NAME, &word("level")),
            styled(FAINT, &word("logger")),
            visible(&data)
        )
    }
}

/// Tells in the order of the wire, and empties the list.
fn print_in_order(told: &mut Vec<ToldFrame>) {
    told.sort_by_key(|(frame, _)| *frame);
    for (_, text) in told.drain(..) {
        tell(&text);
    }
}

fn headers(headers: &[(String, String)]) -> impl Iterator<Item = String> {
    headers
        .iter()
        .map(|(name, value)| styled(FAINT, &harmless(&format!("  {name}: {value}"))))
}
