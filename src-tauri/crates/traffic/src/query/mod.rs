//! Answers queries of the record: pages of rows, details, and pages of payloads.

mod exchanges;
mod export;
mod folded_calls;
mod frames;
mod operations;
pub(crate) mod search;
pub(crate) mod view;

use std::{
    sync::Arc,
    time::{Duration, Instant},
};

use bytes::Bytes;
use roaring::RoaringBitmap;
use sightglass_json_text::value_range;
use sightglass_model::{ExchangeId, FrameId};

use crate::{
    ExchangeDetail, ExchangeKind, ExchangeRow, FilterProblem, FoldedPhase, FrameSummary, HttpFacts,
    LinePage, PayloadMatches, PayloadQuery, RecordError, TrafficPage, TrafficQuery,
    block::Flags,
    http,
    payload::Payloads,
    queue::SharedRecord,
    quiet::{FoldableRows, QuietRows, is_left_out, is_quiet_phase},
    recorded_server::is_of_check,
    store::StoreReader,
};
pub use exchanges::{RecordedExchange, RecordedHttp, RecordedText, RowOfMany};
use folded_calls::FoldedCalls;
pub use frames::{FrameHead, RecordedFrame};
use operations::Operations;
use search::{Search, Searches};
use view::{LocatedFrame, View};

/// The most rows or lines of one page.
const MAX_PAGE_LENGTH: u32 = 10_000;

/// A query waits for its search no longer than this; the search then continues in the background.
const SEARCH_TIMEOUT: Duration = Duration::from_millis(90);

/// Queries of the record. Those that may name a server are asked through
/// [`Recorder`](crate::Recorder), which knows the project.
pub struct Queries {
    shared: Arc<SharedRecord>,
    reader: Arc<StoreReader>,
    /// Searches have a connection of their own, so that scrolling never waits for them.
    search_reader: Arc<StoreReader>,
    searches: Searches,
    folded_calls: FoldedCalls,
    operations: Operations,
    payloads: Payloads,
}

impl Queries {
    pub(crate) fn new(
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
            folded_calls: FoldedCalls::default(),
            operations: Operations::default(),
            payloads: Payloads::default(),
        }
    }

    pub(crate) fn view(&self) -> View<'_> {
        View::of(&self.shared, &self.reader)
    }

    /// Returns a page of rows. A server of the query is that of `project`, where it is given.
    pub(crate) fn page(
        &self,
        query: &TrafficQuery,
        project: Option<&Arc<str>>,
        offset_from_newest: u32,
        limit: u32,
    ) -> Result<TrafficPage, RecordError> {
        let limit = limit.min(MAX_PAGE_LENGTH);
        let last = self.last_row(&self.view(), query)?;
        let wanted = offset_from_newest.saturating_add(limit);
        let (search, problem) = self.search(query, project, wanted, last)?;
        let Some(search) = search else {
            let page = self.unfiltered(query, offset_from_newest, limit)?;
            return Ok(TrafficPage { problem, ..page });
        };
        let (positions, total, complete) = {
            let progress = search.progress();
            (
                progress.positions(last, offset_from_newest, limit),
                progress.count_until(last),
                progress.complete,
            )
        };
        let view = self.view();
        let row_index = view.snapshot.row_index.until(last);
        let (left_out, of_checks) = {
            let queue = self.shared.queue();
            (
                queue.foldable.left_out(query),
                queue.foldable.count_of_checks(row_index.clone()),
            )
        };
        let everything = QuietRows::new(row_index, left_out);
        Ok(TrafficPage {
            rows: view.rows(&positions)?,
            total,
            of: everything.count(),
            of_checks,
            complete,
            problem,
        })
    }

    /// Returns the search for a query and the problem of its filter. It has `wanted` rows up to
    /// `last`, or goes on in the background. Without a search every row matches.
    fn search(
        &self,
        query: &TrafficQuery,
        project: Option<&Arc<str>>,
        wanted: u32,
        last: u32,
    ) -> Result<(Option<Arc<Search>>, Option<FilterProblem>), RecordError> {
        let search = match self.searches.get(query, project) {
            Ok(search) => search,
            Err(problem) => return Ok((None, problem)),
        };
        search.advance(
            &self.shared,
            &self.search_reader,
            Instant::now() + SEARCH_TIMEOUT,
            |progress| progress.count_until(last) >= wanted,
        )?;
        if !search.progress().complete {
            self.searches.go_on(&search);
        }
        let problem = search.problem.clone();
        Ok((Some(search), problem))
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
        let mut calls = Vec::new();
        for call in &query.folded {
            calls.push((*call, self.folded_calls.rows(&view, *call)?));
        }
        loop {
            let mut folded = self.shared.queue().foldable.left_out(query);
            for (_, rows) in &calls {
                folded |= rows;
            }
            let shown = QuietRows::new(row_index.clone(), folded);
            let positions = shown.positions(offset_from_newest, limit);
            let mut rows = view.rows(&positions)?;
            if query.quiet || query.without_checks {
                // What an earlier run recorded is known only once it is come by.
                let mut unknown = rows
                    .iter()
                    .zip(&positions)
                    .filter(|(row, _)| is_left_out(query, row))
                    .map(|(_, position)| *position)
                    .peekable();
                if unknown.peek().is_some() && rows.len() == positions.len() {
                    self.learn_quiet(&view, unknown)?;
                    continue;
                }
                add_folded_phases(&view, &shown, &positions, &mut rows)?;
            }
            for (call, folded) in &calls {
                if let Some(row) = rows.iter_mut().find(|row| row.id == *call) {
                    row.folded_rows = u32::try_from(folded.len()).unwrap_or(u32::MAX);
                }
            }
            return Ok(TrafficPage {
                rows,
                total: shown.count(),
                of: shown.count(),
                of_checks: self.shared.queue().foldable.count_of_checks(row_index),
                complete: true,
                problem: None,
            });
        }
    }

    /// Learns which rows may be left out of the blocks that start these rows.
    fn learn_quiet(
        &self,
        view: &View<'_>,
        rows: impl Iterator<Item = u32>,
    ) -> Result<(), RecordError> {
        let mut learned = FoldableRows::default();
        let mut seen = RoaringBitmap::new();
        for row in rows {
            if !seen.contains(row)
                && let Some(found) = view.block_of_row(row)?
            {
                learned.learn(&found.block, |connection| view.is_check(connection));
                let first = found.block.first_row;
                seen.insert_range(first..first.saturating_add(found.block.row_count));
            }
        }
        self.shared.queue().foldable.extend(&learned);
        Ok(())
    }

    /// Returns one row with its frames and its HTTP request, without the payloads.
    pub fn detail(&self, id: ExchangeId) -> Result<ExchangeDetail, RecordError> {
        let view = self.view();
        let found = view.exchange(id)?;
        let settlement = view.settlement(found.entry.row)?;
        let row = view.row(&found.block, &found.entry, settlement.as_ref());
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

    /// Returns the frame and the position of a row.
    pub(crate) fn place(&self, id: ExchangeId) -> Result<(u32, u32), RecordError> {
        let found = self.view().exchange(id)?;
        Ok((found.entry.frame, found.entry.row))
    }

    /// Returns the facts about the HTTP request that starts with `frame`.
    pub(crate) fn http_facts(
        &self,
        view: &View<'_>,
        frame: FrameId,
    ) -> Result<Option<HttpFacts>, RecordError> {
        let request = view
            .locate(frame)?
            .filter(|found| matches!(found.entry.kind, ExchangeKind::Http | ExchangeKind::Oauth));
        let Some(request) = request else {
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

    /// Returns a whole payload as it was recorded.
    pub fn payload(&self, frame: FrameId) -> Result<Bytes, RecordError> {
        self.view().payload(frame)
    }

    /// Returns the JSON value at a pointer (RFC 6901) into a payload, as it was recorded.
    pub fn part(&self, frame: FrameId, pointer: &str) -> Result<Bytes, RecordError> {
        let payload = self.payload(frame)?;
        let place = value_range(&payload, pointer)
            .ok_or_else(|| RecordError::NoSuchValue(pointer.to_owned()))?;
        Ok(payload.slice(place))
    }

    /// Returns a page of a payload. An absent pointer is [`RecordError::NoSuchValue`].
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

    /// Returns the first lines of a payload that is at hand, and need not be read back. Where the
    /// frame holds another one, of which this is a part, it is [`RecordError::NoSuchValue`].
    pub fn first_lines(
        &self,
        query: &PayloadQuery,
        payload: Bytes,
        count: u32,
    ) -> Result<LinePage, RecordError> {
        let found = self.view().locate(query.frame)?;
        if found.is_none_or(|found| found.entry.payload_length as usize != payload.len()) {
            return Err(RecordError::NoSuchValue(query.pointer.clone()));
        }
        let closing = || self.shared.queue().stopping;
        let load = || Ok(payload);
        self.payloads.page(query, 0, count, &closing, load)
    }

    /// Finds the places of a text in a payload, whatever its case. An absent pointer is
    /// [`RecordError::NoSuchValue`].
    pub fn matches(&self, query: &PayloadQuery, text: &str) -> Result<PayloadMatches, RecordError> {
        let closing = || self.shared.queue().stopping;
        self.payloads
            .search(query, text, &closing, || self.payload(query.frame))
    }

    /// Empties the caches.
    pub(crate) fn forget(&self) {
        self.payloads.forget();
    }
}

/// Folded phases that are told of one row.
const MAX_FOLDED_PHASES: usize = 32;

/// Tells each row of the phases that are folded away right before it.
fn add_folded_phases(
    view: &View<'_>,
    shown: &QuietRows,
    positions: &[u32],
    rows: &mut [ExchangeRow],
) -> Result<(), RecordError> {
    if positions.len() != rows.len() {
        // Some rows cannot be read; the others are worth more than what is between them.
        return Ok(());
    }
    let before: Vec<Vec<u32>> = positions
        .iter()
        .map(|position| shown.folded_before(*position, MAX_FOLDED_PHASES))
        .collect();
    let folded = view.rows(&before.concat())?;
    let mut folded = folded
        .into_iter()
        // Of a check there is nothing to tell beside the calls.
        .filter(|row| is_quiet_phase(row.kind, &row.method) && !is_of_check(&row.server_id))
        .peekable();
    for row in rows {
        while let Some(phase) = folded.next_if(|phase| phase.id < row.id) {
            row.folded_before.push(FoldedPhase {
                id: phase.id,
                server: phase.server,
                project_label: phase.project_label,
                method: phase.method,
                target: phase.target,
            });
        }
    }
    Ok(())
}

fn summary(found: &LocatedFrame) -> FrameSummary {
    FrameSummary {
        id: FrameId(found.entry.frame),
        direction: found.entry.direction,
        at: found.entry.at,
        size: found.entry.size.into(),
        redacted: found.entry.flags.has(Flags::REDACTED),
        recorded: !found.entry.flags.has(Flags::UNRECORDED),
    }
}
