//! Reads payloads of a record: by lines, as texts, and the base64 strings in them.

use std::path::PathBuf;

use bytes::Bytes;
use sightglass_area_core::{
    blob, command::commands, error::InspectorError, files, record_queries::RecordQueries,
    view::SessionId,
};
use sightglass_model::FrameId;
use sightglass_traffic::{LinePage, PayloadMatches, PayloadQuery, Recorder};

use crate::reader::RecordReader;

/// Lines that are read at once of a text which is asked for whole.
const PAGE_LENGTH: u32 = 10_000;

/// The largest base64 string that is handed over, as an image or a sound: the window decodes and
/// keeps all of it.
const MAX_BLOB_BYTES: usize = 64 << 20;

/// The largest text that is handed over whole.
const MAX_TEXT_BYTES: u64 = 1 << 20;

#[commands(payload_commands)]
impl RecordReader {
    /// Lines of a payload.
    #[command(name = "get_payload_lines")]
    pub async fn payload_lines(
        &self,
        session: Option<SessionId>,
        query: PayloadQuery,
        first_line: u32,
        count: u32,
    ) -> Result<LinePage, InspectorError> {
        self.read(session, move |recorder| {
            Ok(recorder.lines(&query, first_line, count)?)
        })
        .await
    }

    /// A payload as one text, at most 1 MiB of it.
    #[command(name = "get_payload_text")]
    pub async fn payload_text(
        &self,
        session: Option<SessionId>,
        query: PayloadQuery,
    ) -> Result<String, InspectorError> {
        let mut text = String::new();
        let mut next = 0;
        loop {
            let page = self
                .payload_lines(session, query.clone(), next, PAGE_LENGTH)
                .await?;
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

    /// The places of a text in a payload, whatever its case.
    #[command]
    pub async fn search_payload(
        &self,
        session: Option<SessionId>,
        query: PayloadQuery,
        text: String,
    ) -> Result<PayloadMatches, InspectorError> {
        self.read(
            session,
            move |recorder| Ok(recorder.matches(&query, &text)?),
        )
        .await
    }

    /// Lines of a hex dump of the base64 string at `pointer`, sixteen bytes a line.
    #[command(name = "get_blob_hex")]
    pub async fn blob_hex(
        &self,
        session: Option<SessionId>,
        frame: FrameId,
        pointer: String,
        first_line: u32,
        count: u32,
    ) -> Result<LinePage, InspectorError> {
        self.read(session, move |recorder| {
            let bytes = blob::decode(&string_at(recorder, frame, &pointer)?)?;
            Ok(blob::hex_lines(&bytes, first_line, count))
        })
        .await
    }

    /// The base64 string at `pointer`, for an image or a sound; at most 64 MiB.
    #[command(name = "get_blob_base64")]
    pub async fn blob_base64(
        &self,
        session: Option<SessionId>,
        frame: FrameId,
        pointer: String,
    ) -> Result<String, InspectorError> {
        let text = self
            .read(session, move |recorder| {
                string_at(recorder, frame, &pointer)
            })
            .await?;
        if text.len() > MAX_BLOB_BYTES {
            return Err(InspectorError::InvalidInput(
                "This is larger than 64 MiB. Save it to a file instead.".to_owned(),
            ));
        }
        Ok(text)
    }
}

/// Saves the part of a payload at `pointer`: the decoded bytes where it is base64 by its place in
/// the protocol (`data` or `blob`), the text of any other string, and JSON as it is.
pub async fn save_part(
    record: &RecordQueries,
    frame: FrameId,
    pointer: String,
    path: PathBuf,
) -> Result<(), InspectorError> {
    record
        .blocking(move |recorder| {
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
