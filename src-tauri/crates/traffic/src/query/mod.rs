//! Answers queries of the record: pages of rows, details, and pages of payloads.

mod export;
pub(crate) mod search;
mod view;

use std::{
    sync::Arc,
    time::{Duration, Instant},
};

use bytes::Bytes;
use sightglass_model::{ExchangeId, FrameId};

use crate::{
    ExchangeDetail, FrameSummary, HttpFacts, LinePage, PayloadMatches, PayloadQuery, RecordError,
    TrafficPage, TrafficQuery, block::Flags, http, payload::Payloads, queue::SharedRecord,
    store::StoreReader,
};
use search::Searches;
use view::{LocatedFrame, View};

/// The most rows or lines of one page.
const MAX_PAGE_LENGTH: u32 = 10_000;

/// A query waits for its search no longer than this; the search then continues in the background.
const SEARCH_TIMEOUT: Duration = Duration::from_millis(90);

pub(crate) struct Queries {
    shared: Arc<SharedRecord>,
    reader: Arc<StoreReader>,
    /// Searches have a connection of their own, so that scrolling never waits for them.
    search_reader: Arc<StoreReader>,
    searches: Searches,
    payloads: Payloads,
}

impl Queries {
    pub fn new(
        shared: Arc<SharedRecord>,
        reader: Arc<StoreReader>,
        search_reader: Arc<StoreReader>,
        searches: Searches,
    ) -> Self {
        Self {
            shared,
            reader,
            search_reader,
            searches,
            payloads: Payloads::default(),
        }
    }

    pub fn view(&self) -> View<'_> {
        View::of(&self.shared, &self.reader)
    }

    pub fn page(
        &self,
        query: &TrafficQuery,
        offset_from_newest: u32,
        limit: u32,
    ) -> Result<TrafficPage, RecordError> {
        let limit = limit.min(MAX_PAGE_LENGTH);
        let search = match self.searches.get(query) {
            Ok(search) => search,
            Err(problem) => {
                let page = self.unfiltered(query, offset_from_newest, limit)?;
                return Ok(TrafficPage { problem, ..page });
            }
        };
        let last = self.last_row(&self.view(), query)?;
        let wanted = offset_from_newest.saturating_add(limit);
        search.advance(
            &self.shared,
            &self.search_reader,
            Instant::now() + SEARCH_TIMEOUT,
            |progress| progress.count_until(last) >= wanted,
        )?;
        let (positions, total, complete) = {
            let progress = search.progress();
            (
                progress.positions(last, offset_from_newest, limit),
                progress.count_until(last),
                progress.complete,
            )
        };
        if !complete {
            self.searches.go_on(&search);
        }
        Ok(TrafficPage {
            rows: self.view().rows(&positions)?,
            total,
            complete,
            problem: search.problem.clone(),
        })
    }

    /// Returns the newest row that a query may return.
    fn last_row(&self, view: &View<'_>, query: &TrafficQuery) -> Result<u32, RecordError> {
        let located = match query.until {
            Some(id) => view.locate(FrameId(id.0))?,
            None => None,
        };
        Ok(located.map_or(u32::MAX, |found| found.entry.row))
    }

    fn unfiltered(
        &self,
        query: &TrafficQuery,
        offset_from_newest: u32,
        limit: u32,
    ) -> Result<TrafficPage, RecordError> {
        let view = self.view();
        let row_index = view.snapshot.row_index.until(self.last_row(&view, query)?);
        let mut positions: Vec<u32> = (0..limit)
            .map_while(|index| row_index.nth_newest(offset_from_newest.checked_add(index)?))
            .collect();
        positions.reverse();
        Ok(TrafficPage {
            rows: view.rows(&positions)?,
            total: row_index.count(),
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

    /// Returns the facts about the HTTP request that starts with `frame`.
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
    ) -> Result<LinePage, RecordError> {
        let count = count.min(MAX_PAGE_LENGTH);
        // Counting the lines of a long payload takes a while, and must not hold up the end.
        let closing = || self.shared.queue().stopping;
        self.payloads.page(query, first_line, count, &closing, || {
            self.payload(query.frame)
        })
    }

    /// Finds the places of a text in a payload, whatever its case.
    pub fn matches(&self, query: &PayloadQuery, text: &str) -> Result<PayloadMatches, RecordError> {
        let closing = || self.shared.queue().stopping;
        self.payloads
            .search(query, text, &closing, || self.payload(query.frame))
    }

    /// Empties the caches.
    pub fn forget(&self) {
        self.payloads.forget();
    }
}

fn summary(found: &LocatedFrame) -> FrameSummary {
    FrameSummary {
        id: FrameId(found.entry.frame),
        direction: found.entry.direction,
        at: found.entry.at,
        size: found.entry.size.into(),
        redacted: found.entry.flags.has(Flags::REDACTED),
    }
}
