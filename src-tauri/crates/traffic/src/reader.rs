//! Answers to questions about the record.

use std::sync::Arc;

use bytes::Bytes;
use sightglass_model::{ExchangeId, FrameId};

use crate::{
    ExchangeDetail, FrameSummary, HttpFacts, LineWindow, PayloadForm, PayloadQuery, RecordError,
    TrafficQuery, TrafficWindow,
    block::Flags,
    disk::Disk,
    http,
    log::Shared,
    view::{Located, View},
};

/// No window is larger than this many rows or lines.
const LARGEST_WINDOW: u32 = 10_000;

pub(crate) struct Reader {
    shared: Arc<Shared>,
    pub disk: Arc<Disk>,
}

impl Reader {
    pub fn new(shared: Arc<Shared>, disk: Arc<Disk>) -> Self {
        Self { shared, disk }
    }

    pub fn view(&self) -> View<'_> {
        View::of(&self.shared, &self.disk)
    }

    pub fn window(
        &self,
        query: &TrafficQuery,
        offset_from_newest: u32,
        limit: u32,
    ) -> Result<TrafficWindow, RecordError> {
        let view = self.view();
        let space = &view.snapshot.space;
        let space = match query.until {
            Some(id) => match view.locate(FrameId(id.0))? {
                Some(found) => space.until(found.entry.row),
                None => space.clone(),
            },
            None => space.clone(),
        };
        let limit = limit.min(LARGEST_WINDOW);
        let mut positions: Vec<u32> = (0..limit)
            .map_while(|index| space.from_newest(offset_from_newest.checked_add(index)?))
            .collect();
        positions.reverse();
        Ok(TrafficWindow {
            rows: view.rows(&positions)?,
            total: space.count(),
            complete: true,
            problem: None,
        })
    }

    pub fn detail(&self, id: ExchangeId) -> Result<ExchangeDetail, RecordError> {
        let view = self.view();
        let found = view.exchange(id)?;
        let settlement = view.settlement(found.entry.row)?;
        let server = self.shared.server(found.entry.connection);
        let row = found.block.row(&found.entry, settlement.as_ref(), server);
        let response = match row.response_frame {
            Some(frame) => view.locate(frame)?,
            None => None,
        };
        let carriers = [
            Some(found.entry),
            response.as_ref().map(|found| found.entry),
        ];
        let carrier = carriers
            .into_iter()
            .flatten()
            .map(|entry| entry.carrier)
            .find(|carrier| *carrier != 0);
        let http = match carrier {
            Some(carrier) => self.http_facts(&view, FrameId(carrier))?,
            None => None,
        };
        let frames = std::iter::once(&found).chain(&response);
        Ok(ExchangeDetail {
            frames: frames.map(summary).collect(),
            row,
            http,
        })
    }

    /// What is known about the HTTP request that starts with `frame`.
    pub fn http_facts(
        &self,
        view: &View<'_>,
        frame: FrameId,
    ) -> Result<Option<HttpFacts>, RecordError> {
        let Some(request) = view.locate(frame)? else {
            return Ok(None);
        };
        let settlement = view.settlement(request.entry.row)?;
        let response = match settlement.and_then(|settlement| settlement.response_frame) {
            Some(response) => Some(view.payload(FrameId(response))?),
            None => None,
        };
        let request = view.payload_of(&request)?;
        Ok(Some(http::facts(
            &String::from_utf8_lossy(&request),
            response
                .as_ref()
                .map(|response| String::from_utf8_lossy(response))
                .as_deref(),
            settlement.and_then(|settlement| settlement.duration),
        )))
    }

    pub fn payload(&self, frame: FrameId) -> Result<Bytes, RecordError> {
        self.view().payload(frame)
    }

    pub fn lines(
        &self,
        query: &PayloadQuery,
        first_line: u32,
        count: u32,
    ) -> Result<LineWindow, RecordError> {
        let payload = self.payload(query.frame)?;
        let text = String::from_utf8_lossy(&payload);
        let lines: Vec<&str> = match query.form {
            PayloadForm::Raw | PayloadForm::Pretty | PayloadForm::Text => {
                text.split('\n').collect()
            }
        };
        Ok(LineWindow {
            total_lines: lines.len() as u32,
            lines: lines
                .iter()
                .skip(first_line as usize)
                .take(count.min(LARGEST_WINDOW) as usize)
                .map(|line| (*line).to_owned())
                .collect(),
            first_line,
            total_size: text.len() as f64,
        })
    }
}

fn summary(found: &Located) -> FrameSummary {
    FrameSummary {
        id: FrameId(found.entry.frame),
        direction: found.entry.direction,
        at: found.entry.at,
        size: f64::from(found.entry.size),
        redacted: found.entry.flags.has(Flags::REDACTED),
    }
}
