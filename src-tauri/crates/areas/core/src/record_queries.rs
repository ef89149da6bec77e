//! Queries of a record: of this program's own, or of an opened session.

use std::path::PathBuf;

use bytes::Bytes;
use sightglass_model::{ExchangeId, FrameId};
use sightglass_traffic::{
    Causality, ExchangeDetail, LinePage, OperationPage, OperationQuery, OperationTimeline,
    OperationTree, PayloadMatches, PayloadQuery, RecordRevision, Recorder, Timeline, TimelinePlace,
    TimelineQuery, TimelineStep, TrafficPage, TrafficQuery,
};
use tokio::sync::watch;

use crate::{blob, blocking::run_blocking, error::InspectorError, files, view::CopyForm};

/// Lines that are read at once of a text which is asked for whole.
const PAGE_LENGTH: u32 = 10_000;

/// The largest base64 string that is handed over, as an image or a sound: the window decodes and
/// keeps all of it.
const MAX_BLOB_BYTES: usize = 64 << 20;

/// The largest text that is handed over whole.
const MAX_TEXT_BYTES: u64 = 1 << 20;

/// Queries of one record, each run where it may block and with the error of the areas. What they
/// answer is told at the methods of [`Recorder`]. Cheap to clone.
#[derive(Clone)]
pub struct RecordQueries {
    recorder: Recorder,
}

impl RecordQueries {
    pub fn new(recorder: Recorder) -> Self {
        Self { recorder }
    }

    /// Rows that match, oldest first; `offset` counts from the newest.
    pub async fn window(
        &self,
        query: TrafficQuery,
        offset: u32,
        limit: u32,
    ) -> Result<TrafficPage, InspectorError> {
        self.blocking(move |recorder| Ok(recorder.page(&query, offset, limit)?))
            .await
    }

    /// Operations of which a row matches, oldest first; `offset` counts from the newest.
    pub async fn operations(
        &self,
        query: TrafficQuery,
        offset: u32,
        limit: u32,
    ) -> Result<OperationPage, InspectorError> {
        self.blocking(move |recorder| Ok(recorder.operations(&query, offset, limit)?))
            .await
    }

    /// Rows of the tree of an operation, `limit` of them after the first `offset`.
    pub async fn operation(
        &self,
        query: OperationQuery,
        offset: u32,
        limit: u32,
    ) -> Result<OperationTree, InspectorError> {
        self.blocking(move |recorder| Ok(recorder.operation(&query, offset, limit)?))
            .await
    }

    /// A part of the timeline of operations, bounded by its pixels.
    pub async fn timeline(&self, query: TimelineQuery) -> Result<Timeline, InspectorError> {
        self.blocking(move |recorder| Ok(recorder.timeline(&query)?))
            .await
    }

    /// The operation on the timeline that a step leads to; the newest where there is none to begin
    /// at.
    pub async fn timeline_step(
        &self,
        query: TrafficQuery,
        from: Option<ExchangeId>,
        step: TimelineStep,
    ) -> Result<Option<TimelinePlace>, InspectorError> {
        self.blocking(move |recorder| Ok(recorder.timeline_step(&query, from, step)?))
            .await
    }

    /// An operation in its parts, with its critical path and its links to others. Any frame of it
    /// names it.
    pub async fn timeline_operation(
        &self,
        id: ExchangeId,
    ) -> Result<OperationTimeline, InspectorError> {
        self.blocking(move |recorder| Ok(recorder.timeline_operation(id)?))
            .await
    }

    /// Causes and effects of a row. Any frame of the row names it.
    pub async fn causality(&self, id: ExchangeId) -> Result<Causality, InspectorError> {
        self.blocking(move |recorder| Ok(recorder.causality(id)?))
            .await
    }

    /// One row with its frames and the HTTP request that carried it.
    pub async fn detail(&self, id: ExchangeId) -> Result<ExchangeDetail, InspectorError> {
        self.blocking(move |recorder| Ok(recorder.detail(id)?))
            .await
    }

    /// Lines of a payload.
    pub async fn payload_lines(
        &self,
        query: PayloadQuery,
        first_line: u32,
        count: u32,
    ) -> Result<LinePage, InspectorError> {
        self.blocking(move |recorder| Ok(recorder.lines(&query, first_line, count)?))
            .await
    }

    /// A payload, or a part of one, as one text.
    ///
    /// # Errors
    /// When it is larger than 1 MiB, besides the reasons of [`payload_lines`](Self::payload_lines).
    pub async fn payload_text(&self, query: PayloadQuery) -> Result<String, InspectorError> {
        let mut text = String::new();
        let mut next = 0;
        loop {
            let page = self.payload_lines(query.clone(), next, PAGE_LENGTH).await?;
            if page.total_size.as_u64() > MAX_TEXT_BYTES {
                return Err(InspectorError::InvalidInput(
                    "This is larger than 1 MiB. Save it to a file instead.".to_owned(),
                ));
            }
            for (line, number) in page.lines.iter().zip(&page.numbers) {
                // A line that is too long continues on the next.
                if number.is_some_and(|number| number > 1) {
                    text.push('\n');
                }
                text.push_str(line);
            }
            next += u32::try_from(page.lines.len()).unwrap_or(u32::MAX);
            if page.lines.is_empty() || next >= page.total_lines {
                return Ok(text);
            }
        }
    }

    /// Finds the places of a text in a payload, whatever its case.
    pub async fn search_payload(
        &self,
        query: PayloadQuery,
        text: String,
    ) -> Result<PayloadMatches, InspectorError> {
        self.blocking(move |recorder| Ok(recorder.matches(&query, &text)?))
            .await
    }

    /// The whole of a frame, as recorded.
    pub async fn payload(&self, frame: FrameId) -> Result<Bytes, InspectorError> {
        self.blocking(move |recorder| Ok(recorder.payload(frame)?))
            .await
    }

    /// Lines of a hex dump of the base64 string at `pointer`.
    ///
    /// # Errors
    /// When there is no such string, or it is not base64.
    pub async fn blob_hex(
        &self,
        frame: FrameId,
        pointer: String,
        first_line: u32,
        count: u32,
    ) -> Result<LinePage, InspectorError> {
        self.blocking(move |recorder| {
            let bytes = blob::decode(&string_at(recorder, frame, &pointer)?)?;
            Ok(blob::hex_lines(&bytes, first_line, count))
        })
        .await
    }

    /// The base64 string at `pointer`.
    ///
    /// # Errors
    /// When there is no such string, or it is larger than 64 MiB.
    pub async fn blob_base64(
        &self,
        frame: FrameId,
        pointer: String,
    ) -> Result<String, InspectorError> {
        let text = self
            .blocking(move |recorder| string_at(recorder, frame, &pointer))
            .await?;
        if text.len() > MAX_BLOB_BYTES {
            return Err(InspectorError::InvalidInput(
                "This is larger than 64 MiB. Save it to a file instead.".to_owned(),
            ));
        }
        Ok(text)
    }

    /// Saves the part of a payload at `pointer`: the decoded bytes where it is base64 by its
    /// place in the protocol (`data` or `blob`), the text of any other string, and JSON as it
    /// is.
    pub async fn save_part(
        &self,
        frame: FrameId,
        pointer: String,
        path: PathBuf,
    ) -> Result<(), InspectorError> {
        self.blocking(move |recorder| {
            let binary = pointer.ends_with("/data") || pointer.ends_with("/blob");
            let content = match part_at(recorder, frame, &pointer)? {
                PayloadPart::Text(text) if binary => {
                    blob::decode(&text).unwrap_or_else(|_| text.into_bytes())
                }
                PayloadPart::Text(text) => text.into_bytes(),
                PayloadPart::Json(json) => json.to_vec(),
            };
            files::replace(&path, &content).map_err(|source| InspectorError::Save {
                what: path.display().to_string(),
                source,
            })
        })
        .await
    }

    /// A row as text for the clipboard.
    pub async fn copy_exchange(
        &self,
        id: ExchangeId,
        form: CopyForm,
    ) -> Result<String, InspectorError> {
        self.blocking(move |recorder| {
            Ok(match form {
                CopyForm::Json => recorder.copy_as_json(id)?,
                CopyForm::Curl => recorder.copy_as_curl(id)?,
            })
        })
        .await
    }

    /// Watches the revision of the record; it changes at most fifteen times a second.
    pub fn watch(&self) -> watch::Receiver<RecordRevision> {
        self.recorder.watch()
    }

    /// Runs something that may block on the disk or take long.
    pub async fn blocking<T: Send + 'static>(
        &self,
        work: impl FnOnce(&Recorder) -> Result<T, InspectorError> + Send + 'static,
    ) -> Result<T, InspectorError> {
        run_blocking(&self.recorder, work).await
    }
}

enum PayloadPart {
    /// A string, unescaped.
    Text(String),
    /// Anything else, verbatim.
    Json(Bytes),
}

fn part_at(
    recorder: &Recorder,
    frame: FrameId,
    pointer: &str,
) -> Result<PayloadPart, InspectorError> {
    let value = recorder.part(frame, pointer)?;
    Ok(match serde_json::from_slice(&value) {
        Ok(text) => PayloadPart::Text(text),
        Err(_) => PayloadPart::Json(value),
    })
}

fn string_at(recorder: &Recorder, frame: FrameId, pointer: &str) -> Result<String, InspectorError> {
    match part_at(recorder, frame, pointer)? {
        PayloadPart::Text(text) => Ok(text),
        PayloadPart::Json(_) => Err(InspectorError::InvalidInput(format!(
            "What stands at {pointer} is not a string."
        ))),
    }
}
