//! Reads the content types of responses.

use sightglass_http::{HttpResponse, header::CONTENT_TYPE};

/// Content type of a response.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Content {
    Json,
    Events,
    /// Something else, in its own words, or nothing.
    Other(Option<String>),
}

pub(crate) fn content_type(response: &HttpResponse) -> Content {
    let Some(value) = response.headers().get(CONTENT_TYPE) else {
        return Content::Other(None);
    };
    let text = String::from_utf8_lossy(value.as_bytes()).into_owned();
    let media = text
        .split(';')
        .next()
        .unwrap_or_default()
        .trim()
        .to_ascii_lowercase();
    match media.as_str() {
        "application/json" => Content::Json,
        "text/event-stream" => Content::Events,
        _ => Content::Other(Some(text)),
    }
}
