//! Reads what is exported from the record, masks it, and hands it to the writer of a format.
//!
//! Rows are read one after another and written at once, so that an export takes the same memory
//! whatever its length. Beside that only numbers are kept: of the chosen frames, and for HAR of
//! the HTTP request that carried each, twelve bytes a message.

use std::{collections::BTreeSet, io::Write};

use roaring::RoaringBitmap;
use sightglass_area_core::{
    error::InspectorError,
    view::{ExportFormat, ExportScope, TrafficExport},
};
use sightglass_model::{ExchangeId, FrameId, Timestamp};
use sightglass_session_file::{
    HarWriter, HtmlWriter, MAX_PAGE_ROWS, MarkdownReport, OtlpWriter, PageHead, SessionServer,
    SessionWriter, Span, SpanOptions, Spans,
};
use sightglass_traffic::{
    Direction, ExchangeKind, ExchangeRow, FrameHead, RecordError, RecordedExchange, RecordedHttp,
    Recorder, RowOfMany, TrafficQuery,
};
use tokio_util::sync::CancellationToken;

use super::{application, masking::Masking};

/// One run through the record.
pub(super) struct ExportJob<'a> {
    pub recorder: &'a Recorder,
    pub export: &'a TrafficExport,
    pub masking: Masking,
    pub cancel: &'a CancellationToken,
    /// Hears how many of how many rows are done.
    pub tell: &'a mut dyn FnMut(u32, u32),
    /// Makes an error of what the file says.
    pub failed: &'a dyn Fn(std::io::Error) -> InspectorError,
    pub counts: Counts,
}

/// Counts that an export makes on its way.
#[derive(Debug, Default)]
pub(super) struct Counts {
    pub rows: u32,
    /// Frames of what was chosen, one of each row at least.
    pub frames: RoaringBitmap,
    /// Entries, spans, rows or frames that were written.
    pub items: u32,
    pub newest: Option<ExchangeId>,
    pub left_out: Vec<String>,
}

/// A message and the HTTP request that carried it; in the order in which HAR has them.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
struct Carried {
    carrier: u32,
    is_received: bool,
    frame: u32,
}

impl ExportJob<'_> {
    /// Writes everything in the format of the export, and returns what it was written to.
    pub fn write<W: Write>(&mut self, out: W) -> Result<W, InspectorError> {
        match self.export.format {
            ExportFormat::Ndjson => self.ndjson(out),
            ExportFormat::Har => self.har(out),
            ExportFormat::Otlp => self.otlp(out),
            ExportFormat::Markdown => self.markdown(out),
            ExportFormat::Html => self.html(out),
        }
    }

    /// Calls `visit` with each chosen row, the oldest first.
    fn rows(
        &mut self,
        mut visit: impl FnMut(&mut Self, RowOfMany) -> Result<(), InspectorError>,
    ) -> Result<(), InspectorError> {
        let (recorder, export) = (self.recorder, self.export);
        let scope = &export.scope;
        if let ExportScope::Rows { rows } = scope {
            let rows: BTreeSet<u32> = rows.iter().map(|row| row.0).collect();
            let total = u32::try_from(rows.len()).unwrap_or(u32::MAX);
            for (index, id) in (0u32..).zip(rows) {
                let row = match self.recorder.detail(ExchangeId(id)) {
                    Ok(detail) => detail.row,
                    // It was removed since it was selected.
                    Err(RecordError::NoSuchExchange(_)) => continue,
                    Err(error) => return Err(error.into()),
                };
                let row = RowOfMany { row, index, total };
                self.step(&row)?;
                visit(self, row)?;
            }
            return Ok(());
        }
        let mut query = match scope {
            ExportScope::Query { query } => query.clone(),
            ExportScope::Server { server } => TrafficQuery {
                server: Some(server.clone()),
                ..TrafficQuery::default()
            },
            _ => TrafficQuery::default(),
        };
        query.until = export.until.or(query.until);
        let connection = match scope {
            ExportScope::Connection { connection } => Some(*connection),
            _ => None,
        };
        let problem = recorder.rows(&query, &mut |row| {
            if connection.is_some_and(|connection| row.row.connection != connection) {
                return self.go_on();
            }
            self.step(&row)?;
            visit(self, row)
        })?;
        match problem {
            Some(problem) if !query.filter.trim().is_empty() => {
                Err(InspectorError::InvalidInput(problem.message))
            }
            _ => Ok(()),
        }
    }

    /// Notes a row, and tells of it.
    fn step(&mut self, row: &RowOfMany) -> Result<(), InspectorError> {
        self.counts.rows += 1;
        self.counts.frames.insert(row.row.id.0);
        self.counts.newest = self.counts.newest.max(Some(row.row.id));
        (self.tell)(row.index, row.total);
        self.go_on()
    }

    fn go_on(&self) -> Result<(), InspectorError> {
        match self.cancel.is_cancelled() {
            true => Err(InspectorError::Stopped),
            false => Ok(()),
        }
    }

    fn frame_wanted(&mut self) -> Result<Wanted, InspectorError> {
        let until = self.export.until.map_or(u32::MAX, |until| until.0);
        Ok(match &self.export.scope {
            ExportScope::Everything => Wanted::All { until },
            ExportScope::Server { server } => Wanted::Server {
                server: server.clone(),
                until,
            },
            ExportScope::Connection { connection } => Wanted::Connection {
                connection: *connection,
                until,
            },
            ExportScope::Rows { .. } | ExportScope::Query { .. } => {
                let mut frames = RoaringBitmap::new();
                self.rows(|_, RowOfMany { row, .. }| {
                    frames.insert(row.request_frame.0);
                    frames.extend(row.response_frame.map(|frame| frame.0));
                    Ok(())
                })?;
                Wanted::Frames(frames)
            }
        })
    }

    fn ndjson<W: Write>(&mut self, out: W) -> Result<W, InspectorError> {
        let wanted = self.frame_wanted()?;
        let total = self.recorder.state().frames;
        // To the millisecond, so that a preview is as long as the file.
        let now = Timestamp::from_millis(Timestamp::now().as_millis().floor());
        let program = concat!("sightglass ", env!("CARGO_PKG_VERSION"));
        let mut session = SessionWriter::new(out, program, now).map_err(self.failed)?;
        let recorder = self.recorder;
        recorder.select_frames(
            FrameId(0),
            FrameId(u32::MAX),
            &mut |head| wanted.has(recorder, head),
            &mut |frame| {
                self.go_on()?;
                (self.tell)(self.counts.items, total);
                let (id, name) = recorder.server(frame.connection);
                let server = SessionServer {
                    id: id.to_string(),
                    name,
                };
                let frame = self.masking.frame(frame);
                self.counts.items += 1;
                self.counts.frames.insert(frame.frame.0);
                self.counts.newest = self.counts.newest.max(Some(ExchangeId(frame.frame.0)));
                session.frame(&frame, &server).map_err(self.failed)
            },
        )?;
        let (out, _) = session.finish().map_err(self.failed)?;
        Ok(out)
    }

    fn har<W: Write>(&mut self, out: W) -> Result<W, InspectorError> {
        // HTTP requests that were chosen, and the frames of the messages that were.
        let (mut whole, mut chosen) = (RoaringBitmap::new(), RoaringBitmap::new());
        let mut messages = RoaringBitmap::new();
        self.rows(|_, RowOfMany { row, .. }| {
            match row.kind {
                ExchangeKind::Http | ExchangeKind::Oauth => {
                    whole.insert(row.id.0);
                }
                _ => {
                    messages.insert(row.id.0);
                    chosen.insert(row.id.0);
                    chosen.extend(row.response_frame.map(|frame| frame.0));
                }
            }
            Ok(())
        })?;
        let carried = self.carried(&whole, &chosen)?;
        let carriers: BTreeSet<u32> = carried
            .iter()
            .map(|one| one.carrier)
            .chain(&whole)
            .collect();
        let total = u32::try_from(carriers.len()).unwrap_or(u32::MAX);
        let mut har = HarWriter::new(out, env!("CARGO_PKG_VERSION")).map_err(self.failed)?;
        let mut rest = carried.as_slice();
        for (index, carrier) in (0u32..).zip(carriers) {
            self.go_on()?;
            (self.tell)(index, total);
            let length = rest.iter().take_while(|one| one.carrier == carrier).count();
            let (mut of_it, others) = (rest[..length].to_vec(), &rest[length..]);
            rest = others;
            // What came during a call over stdio refers to the call.
            let Some(http) = self.recorder.http(FrameId(carrier))? else {
                continue;
            };
            if http.facts.status == Some(101) {
                of_it.sort_by_key(|one| one.frame);
            }
            let (_, server) = self.recorder.server(http.connection);
            let http = self.masking.http(http);
            let mut entry = har.entry(&http, &server).map_err(self.failed)?;
            for one in of_it {
                self.go_on()?;
                messages.remove(one.frame);
                let message = self.recorder.text(FrameId(one.frame))?;
                let place = match one.is_received {
                    true => "message of the server",
                    false => "message to the server",
                };
                let message = self.masking.text(message, place);
                entry.message(&message).map_err(self.failed)?;
            }
            entry.end().map_err(self.failed)?;
            self.counts.items += 1;
        }
        self.left_out(messages.len(), "crossed no HTTP, as over stdio");
        har.finish().map_err(self.failed)
    }

    /// Returns the chosen messages by the HTTP request that carried them.
    fn carried(
        &self,
        whole: &RoaringBitmap,
        chosen: &RoaringBitmap,
    ) -> Result<Vec<Carried>, InspectorError> {
        let mut carried = Vec::new();
        let until = self.export.until.map_or(u32::MAX, |until| until.0);
        let first = whole.min().into_iter().chain(chosen.min()).min();
        let Some(first) = first else {
            return Ok(carried);
        };
        let mut look = |head: FrameHead<'_>| {
            let is_http = matches!(head.kind, ExchangeKind::Http | ExchangeKind::Oauth);
            if let Some(carrier) = head.carrier.filter(|_| !is_http) {
                let is_chosen = chosen.contains(head.frame.0);
                if is_chosen || (whole.contains(carrier.0) && head.frame.0 <= until) {
                    carried.push(Carried {
                        carrier: carrier.0,
                        is_received: head.direction == Direction::Received,
                        frame: head.frame.0,
                    });
                }
            }
            false
        };
        self.recorder
            .select_frames(FrameId(first), FrameId(u32::MAX), &mut look, &mut |_| {
                Ok::<_, InspectorError>(())
            })?;
        carried.sort_unstable();
        Ok(carried)
    }

    fn otlp<W: Write>(&mut self, out: W) -> Result<W, InspectorError> {
        let mut writer = OtlpWriter::new(out, env!("CARGO_PKG_VERSION")).map_err(self.failed)?;
        self.spans(&mut |job, span| {
            job.counts.items += 1;
            writer.span(&span).map_err(job.failed)
        })?;
        writer.finish().map_err(self.failed)
    }

    /// Calls `take` with the span of each request.
    pub fn spans(
        &mut self,
        take: &mut dyn FnMut(&mut Self, Span) -> Result<(), InspectorError>,
    ) -> Result<(), InspectorError> {
        let mut spans = Spans::new(SpanOptions {
            arguments_and_results: self.export.arguments_and_results && self.export.texts,
            without_texts: !self.export.texts,
        });
        let mut carrier = LastCarrier::default();
        let (mut without, mut pending) = (0, 0);
        self.rows(|job, RowOfMany { mut row, .. }| {
            if !matches!(row.kind, ExchangeKind::Request | ExchangeKind::Oauth) {
                without += 1;
                return Ok(());
            }
            // A trace is an operation: the spans of its parts are beneath that of its root.
            if let Some(part_of) = job.recorder.part_of(row.id)? {
                row.parent = Some(part_of);
            }
            let exchange = job.recorder.exchange(row)?;
            let http = carrier.of(job, &exchange)?;
            let exchange = job.masking.exchange_to_read(exchange);
            let of_it = spans.of(&exchange, http.as_ref());
            pending += u64::from(of_it.is_empty());
            of_it.into_iter().try_for_each(|span| take(job, span))
        })?;
        self.left_out(without, "are no requests and have no span of their own");
        self.left_out(pending, "have no answer yet and so no end");
        Ok(())
    }

    fn markdown<W: Write>(&mut self, mut out: W) -> Result<W, InspectorError> {
        let mut report = MarkdownReport::new(&application(), &self.export.name);
        self.rows(|job, RowOfMany { row, .. }| {
            let exchange = job.recorder.exchange(row)?;
            report.row(&job.masking.exchange(exchange));
            job.counts.items += 1;
            Ok(())
        })?;
        report.finish(&mut out).map_err(self.failed)?;
        Ok(out)
    }

    fn html<W: Write>(&mut self, out: W) -> Result<W, InspectorError> {
        let mut out = Some(out);
        let mut page: Option<HtmlWriter<W>> = None;
        let mut carrier = LastCarrier::default();
        let mut skipped = 0;
        let application = application();
        let name = self.export.name.clone();
        let head = |remarks: &[String], out: W| {
            let head = PageHead {
                application: &application,
                scope: &name,
                remarks,
            };
            HtmlWriter::new(out, &head)
        };
        self.rows(|job, RowOfMany { row, index, total }| {
            if index < total.saturating_sub(MAX_PAGE_ROWS) {
                skipped += 1;
                return Ok(());
            }
            if let Some(out) = out.take() {
                let remark = (skipped > 0).then(|| left_out(skipped, OLDER));
                let remarks: Vec<String> = remark.into_iter().collect();
                page = Some(head(&remarks, out).map_err(job.failed)?);
            }
            let exchange = job.recorder.exchange(row)?;
            let http = carrier.of(job, &exchange)?;
            let exchange = job.masking.exchange(exchange);
            job.counts.items += 1;
            match &mut page {
                Some(page) => page.row(&exchange, http.as_ref()).map_err(job.failed),
                None => Ok(()),
            }
        })?;
        self.left_out(skipped, OLDER);
        let page = match (page, out) {
            (Some(page), _) => page,
            (None, Some(out)) => head(&[], out).map_err(self.failed)?,
            // One of the two is there.
            (None, None) => return Err(InspectorError::Stopped),
        };
        page.finish().map_err(self.failed)
    }

    fn left_out(&mut self, count: u64, reason: &str) {
        if count > 0 {
            self.counts.left_out.push(left_out(count, reason));
        }
    }
}

/// Reason why rows are not in a page.
const OLDER: &str = "are older than the ten thousand that a page holds";

/// A remark on rows that are left out, as a sentence.
fn left_out(count: u64, reason: &str) -> String {
    match count {
        1 => format!("1 row is left out, of those that {reason}."),
        count => format!("{count} rows {reason}, and are left out."),
    }
}

/// Frames that are exported.
enum Wanted {
    All {
        until: u32,
    },
    Server {
        server: sightglass_model::ServerId,
        until: u32,
    },
    Connection {
        connection: sightglass_model::ConnectionId,
        until: u32,
    },
    Frames(RoaringBitmap),
}

impl Wanted {
    fn has(&self, recorder: &Recorder, head: FrameHead<'_>) -> bool {
        match self {
            Self::All { until } => head.frame.0 <= *until,
            Self::Server { server, until } => {
                recorder.is_of(head, server) && head.frame.0 <= *until
            }
            Self::Connection { connection, until } => {
                head.connection == *connection && head.frame.0 <= *until
            }
            Self::Frames(frames) => frames.contains(head.frame.0),
        }
    }
}

/// The HTTP request of the last row: messages of a stream come one after another.
#[derive(Default)]
struct LastCarrier {
    frame: Option<FrameId>,
    http: Option<RecordedHttp>,
}

impl LastCarrier {
    /// Returns the HTTP request that carried a row, or that it is, masked.
    fn of(
        &mut self,
        job: &mut ExportJob<'_>,
        exchange: &RecordedExchange,
    ) -> Result<Option<RecordedHttp>, InspectorError> {
        let Some(frame) = carrier_of(&exchange.row, exchange) else {
            return Ok(None);
        };
        if self.frame != Some(frame) {
            let http = job.recorder.http(frame)?;
            self.http = http.map(|http| job.masking.http(http));
            self.frame = Some(frame);
        }
        Ok(self.http.clone())
    }
}

fn carrier_of(row: &ExchangeRow, exchange: &RecordedExchange) -> Option<FrameId> {
    match row.kind {
        ExchangeKind::Http | ExchangeKind::Oauth => Some(row.request_frame),
        _ => exchange.request.carrier.or_else(|| {
            let response = exchange.response.as_ref()?;
            response.carrier
        }),
    }
}
