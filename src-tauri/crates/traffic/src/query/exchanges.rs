//! Reads rows one after another with the texts of their frames, for what takes them all.

use std::sync::Arc;

use bytes::Bytes;
use sightglass_model::{ConnectionId, ExchangeId, FrameId, Timestamp};

use super::{Queries, view::View};
use crate::{
    Direction, ExchangeKind, ExchangeRow, FilterProblem, HttpFacts, RecordError, TrafficQuery,
    block::Flags, http, quiet::is_left_out,
};

/// Rows that are read at once.
const ROWS_AT_ONCE: u32 = 512;

/// A row of a run through the record.
#[derive(Debug, Clone, PartialEq)]
pub struct RowOfMany {
    pub row: ExchangeRow,
    /// Number of rows before it in the run.
    pub index: u32,
    /// Number of rows of the run, or somewhat more.
    pub total: u32,
}

/// The texts of a row.
#[derive(Debug, Clone, PartialEq)]
pub struct RecordedExchange {
    pub row: ExchangeRow,
    pub request: RecordedText,
    pub response: Option<RecordedText>,
}

/// One frame of a row.
#[derive(Debug, Clone, PartialEq)]
pub struct RecordedText {
    pub frame: FrameId,
    pub direction: Direction,
    pub at: Timestamp,
    /// The HTTP request that carried it, or without one the call during which it came.
    pub carrier: Option<FrameId>,
    /// True when secrets were masked in it.
    pub redacted: bool,
    /// The text; `None` where it was not recorded and is gone.
    pub payload: Option<Bytes>,
}

/// An HTTP request and its response.
#[derive(Debug, Clone, PartialEq)]
pub struct RecordedHttp {
    pub frame: FrameId,
    pub connection: ConnectionId,
    /// [`ExchangeKind::Http`] or [`ExchangeKind::Oauth`].
    pub kind: ExchangeKind,
    pub at: Timestamp,
    /// True when secrets were masked in it.
    pub redacted: bool,
    pub facts: HttpFacts,
    /// Body of the request, of a sign-in alone: what MCP sends are messages of their own.
    pub request_body: Option<String>,
    /// Body of the response, of a sign-in alone.
    pub response_body: Option<String>,
}

impl Queries {
    /// Calls `visit` with each row that matches, the oldest first, until it returns an error.
    /// Rows that come meanwhile are left out. A server of the query is that of `project`, where it
    /// is given. Returns the problem of the filter, if any, in place
    /// of every row.
    pub(crate) fn rows<E: From<RecordError>>(
        &self,
        query: &TrafficQuery,
        project: Option<&Arc<str>>,
        visit: &mut dyn FnMut(RowOfMany) -> Result<(), E>,
    ) -> Result<Option<FilterProblem>, E> {
        let mut query = TrafficQuery {
            folded: Vec::new(),
            ..query.clone()
        };
        // Which rows are quiet is learned by reading them, and would move the others.
        let leaving_out = is_unfiltered(&query).then(|| query.clone());
        if leaving_out.is_some() {
            query.quiet = false;
            query.without_checks = false;
        }
        let first = self.page(&query, project, 0, 1)?;
        if first.problem.is_some() {
            return Ok(first.problem);
        }
        if query.until.is_none() {
            let newest = self.newest()?;
            let Some(newest) = newest else {
                return Ok(None);
            };
            query.until = Some(newest);
        }
        let total = loop {
            // Asks for what is not there, so that the search goes on to the oldest row.
            let page = self.page(&query, project, u32::MAX - 1, 1)?;
            if page.complete {
                break page.total;
            }
        };
        let mut left = total;
        let mut index = 0;
        let mut last = None;
        while left > 0 {
            let limit = left.min(ROWS_AT_ONCE);
            left -= limit;
            for row in self.page(&query, project, left, limit)?.rows {
                // Where rows are removed meanwhile, those after them move.
                if last.is_some_and(|last| row.id <= last) {
                    continue;
                }
                last = Some(row.id);
                if leaving_out
                    .as_ref()
                    .is_some_and(|query| is_left_out(query, &row))
                {
                    continue;
                }
                visit(RowOfMany { row, index, total })?;
                index += 1;
            }
        }
        Ok(None)
    }

    /// Returns the newest row.
    fn newest(&self) -> Result<Option<ExchangeId>, RecordError> {
        let page = self.page(&TrafficQuery::default(), None, 0, 1)?;
        Ok(page.rows.last().map(|row| row.id))
    }

    /// Returns a row with the texts of its frames.
    pub fn exchange(&self, row: ExchangeRow) -> Result<RecordedExchange, RecordError> {
        let view = self.view();
        let request = text(&view, row.request_frame)?;
        let response = row
            .response_frame
            .map(|frame| text(&view, frame))
            .transpose()?;
        Ok(RecordedExchange {
            row,
            request,
            response,
        })
    }

    /// Returns a frame with its text.
    pub fn text(&self, frame: FrameId) -> Result<RecordedText, RecordError> {
        text(&self.view(), frame)
    }

    /// Returns the HTTP request that begins with a frame; nothing for any other frame.
    pub fn http(&self, frame: FrameId) -> Result<Option<RecordedHttp>, RecordError> {
        let view = self.view();
        let Some(found) = view.locate(frame)? else {
            return Ok(None);
        };
        let is_http = matches!(found.entry.kind, ExchangeKind::Http | ExchangeKind::Oauth);
        if !is_http || !found.entry.starts_row() {
            return Ok(None);
        }
        let settlement = view.settlement(found.entry.row)?;
        let response = match settlement.and_then(|settlement| settlement.response_frame) {
            Some(frame) => Some(text(&view, FrameId(frame))?),
            None => None,
        };
        let response_text = response
            .as_ref()
            .and_then(|response| response.payload.as_ref())
            .map(|payload| String::from_utf8_lossy(payload));
        let request = text(&view, frame)?;
        let request_text = String::from_utf8_lossy(request.payload.as_deref().unwrap_or_default());
        Ok(Some(RecordedHttp {
            frame,
            connection: ConnectionId(found.entry.connection),
            kind: found.entry.kind,
            at: found.entry.at,
            redacted: request.redacted || response.as_ref().is_some_and(|one| one.redacted),
            facts: http::facts(
                &request_text,
                response_text.as_deref(),
                settlement.and_then(|settlement| settlement.duration),
            ),
            request_body: http::body(&request_text),
            response_body: response_text.as_deref().and_then(http::body),
        }))
    }
}

/// Returns true when a query selects by nothing.
fn is_unfiltered(query: &TrafficQuery) -> bool {
    query.filter.trim().is_empty()
        && query.kinds.is_empty()
        && query.server.is_none()
        && query.tool.is_none()
}

fn text(view: &View<'_>, frame: FrameId) -> Result<RecordedText, RecordError> {
    let found = view.locate(frame)?.ok_or(RecordError::NoSuchFrame(frame))?;
    let payload = match view.payload_of(&found) {
        Ok(payload) => Some(payload),
        Err(RecordError::NotRecorded) => None,
        Err(error) => return Err(error),
    };
    Ok(RecordedText {
        frame,
        direction: found.entry.direction,
        at: found.entry.at,
        carrier: (found.entry.carrier != 0).then_some(FrameId(found.entry.carrier)),
        redacted: found.entry.flags.has(Flags::REDACTED),
        payload,
    })
}
