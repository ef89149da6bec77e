//! Exports an exchange as text: JSON for a bug report, `curl` for a shell.

use bytes::Bytes;
use sightglass_json_text::{IndentError, MAX_INDENTED_BYTES, indented, quoted};
use sightglass_model::{ExchangeId, FrameId, curl_command};

use super::Queries;
use crate::{Direction, ExchangeKind, HttpFacts, RecordError};

/// The message that an HTTP request carried is looked for among this many frames after it.
const MAX_FRAMES_TO_BODY: u32 = 1000;

impl Queries {
    /// Returns an exchange as one JSON text, `{"request": …, "response": …}`, for a bug report. What
    /// is not JSON becomes a string.
    pub fn copy_as_json(&self, id: ExchangeId) -> Result<String, RecordError> {
        let detail = self.detail(id)?;
        let mut text = String::from("{");
        for (index, frame) in detail.frames.iter().enumerate() {
            let payload = self.payload(frame.id)?;
            if text.len() + payload.len() > MAX_INDENTED_BYTES {
                return Err(RecordError::TooLarge);
            }
            let name = if index == 0 { "request" } else { "response" };
            if index > 0 {
                text.push(',');
            }
            text.push_str(&format!("\"{name}\":{}", as_json(&payload)));
        }
        text.push('}');
        match indented(text.as_bytes(), MAX_INDENTED_BYTES) {
            Ok(indented) => Ok(indented),
            Err(IndentError::NotJson) => Ok(text),
            Err(IndentError::TooLarge) => Err(RecordError::TooLarge),
        }
    }

    /// Returns the `curl` command that sends the same HTTP request again, with masked values left
    /// masked. [`RecordError::NotHttp`] for what did not travel over HTTP.
    pub fn copy_as_curl(&self, id: ExchangeId) -> Result<String, RecordError> {
        let view = self.view();
        let found = view.exchange(id)?;
        let is_http = matches!(found.entry.kind, ExchangeKind::Http | ExchangeKind::Oauth);
        let (carrier, body) = if is_http {
            let carried = (found.entry.frame + 1
                ..=found.entry.frame.saturating_add(MAX_FRAMES_TO_BODY))
                .map_while(|frame| view.locate(FrameId(frame)).transpose())
                .find_map(|next| match next {
                    Ok(next)
                        if next.entry.carrier == found.entry.frame
                            && next.entry.direction == Direction::Sent =>
                    {
                        Some(view.payload_of(&next))
                    }
                    Ok(_) => None,
                    Err(error) => Some(Err(error)),
                });
            (found.entry.frame, carried.transpose()?)
        } else {
            (found.entry.carrier, Some(view.payload_of(&found)?))
        };
        let facts = match carrier {
            0 => None,
            carrier => self.http_facts(&view, FrameId(carrier))?,
        };
        let facts = facts.ok_or(RecordError::NotHttp(id))?;
        Ok(curl(&facts, body.as_ref()))
    }
}

fn as_json(payload: &Bytes) -> String {
    let text = String::from_utf8_lossy(payload);
    if serde_json::from_str::<serde::de::IgnoredAny>(&text).is_ok() {
        return text.into_owned();
    }
    quoted(&text)
}

fn curl(facts: &HttpFacts, body: Option<&Bytes>) -> String {
    let headers: Vec<String> = facts
        .request_headers
        .iter()
        .map(|(name, value)| format!("{name}: {value}"))
        .collect();
    let body = body.map(|body| String::from_utf8_lossy(body));
    curl_command(
        &facts.method,
        &facts.url,
        headers.iter().map(String::as_str),
        body.as_deref(),
    )
}
