//! Texts as the formats write them.

use std::io;

use chrono::{DateTime, SecondsFormat, Utc};
use serde::Serialize;
use sightglass_model::Timestamp;

pub(crate) use sightglass_json_text::lossy;

/// A moment as ISO 8601 has it, in UTC and to the millisecond.
pub(crate) fn iso_time(at: Timestamp) -> String {
    let milliseconds = at.as_millis() as i64;
    DateTime::<Utc>::from_timestamp_millis(milliseconds)
        .unwrap_or_default()
        .to_rfc3339_opts(SecondsFormat::Millis, true)
}

pub(crate) fn write_json(
    out: &mut impl io::Write,
    value: &(impl Serialize + ?Sized),
) -> io::Result<()> {
    serde_json::to_writer(out, value).map_err(io::Error::from)
}

/// Writes a part of a JSON string, without quotes around it.
pub(crate) fn write_json_piece(out: &mut impl io::Write, text: &str) -> io::Result<()> {
    let quoted = serde_json::to_string(text).map_err(io::Error::from)?;
    out.write_all(&quoted.as_bytes()[1..quoted.len() - 1])
}

/// The beginning of a text, and how many bytes of it are left out.
pub(crate) fn beginning(text: &str, limit: usize) -> (&str, usize) {
    let end = text.floor_char_boundary(limit);
    (&text[..end], text.len() - end)
}
