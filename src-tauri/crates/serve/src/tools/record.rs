//! Reads the record.

use serde::Deserialize;
use serde_json::{Value, json};
use sightglass_inspector::{
    ExchangeId, ExchangeRow, Operation, RecordQueries, ServerId, TrafficQuery, visible,
};

use super::{MAX_ROWS, page, text_of};
use crate::{reach::ServingError, serving::Serving};

/// Bytes of a message in one answer, unless more are asked for.
const DEFAULT_LENGTH: usize = 4_000;
/// Bytes of a message in one answer, at most.
const MAX_LENGTH: usize = 64 * 1024;

/// Record that is meant.
#[derive(Deserialize, Clone, Copy, Default, PartialEq, Eq)]
#[serde(rename_all = "lowercase")]
enum RecordChoice {
    /// That of what is served here.
    #[default]
    Serve,
    /// That of the window.
    Window,
}

/// Message of an exchange.
#[derive(Deserialize, Clone, Copy, Default, PartialEq, Eq)]
#[serde(rename_all = "lowercase")]
enum MessageChoice {
    Request,
    #[default]
    Response,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Queried {
    #[serde(default)]
    filter: String,
    server: Option<String>,
    #[serde(default)]
    offset: u32,
    #[serde(default)]
    record: RecordChoice,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub struct WantedExchange {
    exchange: u32,
    #[serde(default)]
    message: MessageChoice,
    #[serde(default)]
    offset: usize,
    length: Option<usize>,
    #[serde(default)]
    record: RecordChoice,
}

impl RecordChoice {
    fn queries(self, serving: &Serving) -> Result<RecordQueries, ServingError> {
        match self {
            Self::Serve => Ok(serving.inspector.core.record()),
            Self::Window => Ok(serving.inspector.record.exports.exported_queries()?),
        }
    }
}

impl Queried {
    fn query(&self, serving: &Serving) -> Result<TrafficQuery, ServingError> {
        let server: Option<ServerId> = match &self.server {
            Some(name) => Some(serving.reach.server(name)?),
            None => None,
        };
        Ok(TrafficQuery {
            filter: self.filter.clone(),
            server,
            quiet: true,
            without_checks: true,
            ..TrafficQuery::default()
        })
    }
}

/// Finds rows.
pub async fn query(serving: &Serving, wanted: Queried) -> Result<String, ServingError> {
    let record = wanted.record.queries(serving)?;
    let query = wanted.query(serving)?;
    let page_of = loop {
        let page = record
            .window(query.clone(), wanted.offset, MAX_ROWS)
            .await?;
        if page.complete {
            break page;
        }
    };
    if let Some(problem) = page_of.problem {
        return Err(ServingError::Arguments(problem.message));
    }
    let rows = page_of.rows.iter().rev().map(row).collect();
    let total = page_of.total as usize;
    text_of(&page("exchanges", rows, wanted.offset, total))
}

fn row(row: &ExchangeRow) -> Value {
    json!({
        "exchange": row.id,
        "server": row.server_id,
        "at": row.at,
        "kind": row.kind,
        "direction": row.direction,
        "method": visible(&row.method),
        "from_server_or_call": visible(&row.target),
        "outcome": row.outcome,
        "code": row.code,
        "milliseconds": row.duration,
        "bytes": row.size,
    })
}

/// Lists whole actions.
pub async fn operations(serving: &Serving, wanted: Queried) -> Result<String, ServingError> {
    let record = wanted.record.queries(serving)?;
    let query = wanted.query(serving)?;
    let found = loop {
        let page = record
            .operations(query.clone(), wanted.offset, MAX_ROWS)
            .await?;
        if page.complete {
            break page;
        }
    };
    if let Some(problem) = found.problem {
        return Err(ServingError::Arguments(problem.message));
    }
    let rows = found.operations.iter().rev().map(operation).collect();
    let total = found.total as usize;
    text_of(&page("operations", rows, wanted.offset, total))
}

fn operation(operation: &Operation) -> Value {
    let mut row = row(&operation.root);
    row["outcome"] = json!(operation.outcome);
    row["milliseconds"] = json!(operation.duration);
    row["parts"] = json!(operation.parts);
    row["rounds"] = json!(operation.rounds);
    row["questions"] = json!(operation.questions);
    row
}

/// Returns a part of a message.
pub async fn get_exchange(
    serving: &Serving,
    wanted: WantedExchange,
) -> Result<String, ServingError> {
    let record = wanted.record.queries(serving)?;
    let detail = record.detail(ExchangeId(wanted.exchange)).await?;
    let frame = match wanted.message {
        MessageChoice::Request => Some(detail.row.request_frame),
        MessageChoice::Response => detail.row.response_frame,
    };
    let Some(frame) = frame else {
        return Err(ServingError::Arguments(
            "There is no response. Ask for the request.".to_owned(),
        ));
    };
    let payload = record.payload(frame).await?;
    // What is secret is masked before a part is taken, so that no part of a secret is left.
    let whole = String::from_utf8_lossy(&payload);
    let whole = serving.outgoing.masked_of(&detail.row.server_id, &whole);
    let length = wanted.length.unwrap_or(DEFAULT_LENGTH).min(MAX_LENGTH);
    let start = whole.floor_char_boundary(wanted.offset.min(whole.len()));
    let end = whole.floor_char_boundary((start + length).min(whole.len()));
    let mut part = json!({
        "exchange": wanted.exchange,
        "from_server_or_call": &whole[start..end],
        "offset": start,
        "bytes": whole.len(),
        "http": detail.http,
    });
    if end < whole.len() {
        let more = whole.len() - end;
        part["more"] = json!(format!("{more} more bytes; go on with offset {end}"));
    }
    text_of(&part)
}
