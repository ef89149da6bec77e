//! Ids of traces and spans.

use serde::{Serialize, Serializer};
use sha2::{Digest, Sha256};
use sightglass_json_text::Members;
use sightglass_model::Timestamp;
use sightglass_traffic::{ExchangeRow, RecordedHttp, TraceParent};

/// Id of a trace, in lower-case hexadecimal digits.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct TraceId([u8; 16]);

/// Id of a span, in lower-case hexadecimal digits.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct SpanId([u8; 8]);

/// Trace that a request says it is part of (W3C Trace Context).
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct TraceContext {
    pub trace: TraceId,
    pub parent: SpanId,
    pub state: Option<String>,
}

impl TraceId {
    /// The trace that a row begins.
    pub fn of(row: &ExchangeRow) -> Self {
        Self(hash("trace", row, row.id.0, row.at))
    }
}

impl SpanId {
    /// The span of a row.
    pub fn of(row: &ExchangeRow) -> Self {
        Self(hash("span", row, row.id.0, row.at))
    }

    /// The span of the HTTP request that carried a row.
    pub fn of_http(row: &ExchangeRow, http: &RecordedHttp) -> Self {
        Self(hash("http", row, http.frame.0, http.at))
    }
}

/// Hashes a frame by the session that it belongs to. The moment tells the records of two machines
/// apart. Never all zero, which is no id.
fn hash<const LENGTH: usize>(
    what: &str,
    row: &ExchangeRow,
    frame: u32,
    at: Timestamp,
) -> [u8; LENGTH] {
    let mut hasher = Sha256::new();
    for part in [what, row.server_id.as_str()] {
        hasher.update((part.len() as u64).to_be_bytes());
        hasher.update(part);
    }
    hasher.update(row.connection.0.to_be_bytes());
    hasher.update(frame.to_be_bytes());
    hasher.update(at.as_millis().to_be_bytes());
    let digest = hasher.finalize();
    let mut bytes = [0; LENGTH];
    bytes.copy_from_slice(&digest[..LENGTH]);
    bytes[LENGTH - 1] |= 1;
    bytes
}

impl TraceContext {
    /// Reads the members of a `_meta`. Nothing where they are none of version 00.
    pub fn read(meta: &Members<'_>) -> Option<Self> {
        let found = TraceParent::parse(&meta.string("traceparent")?)?;
        Some(Self {
            trace: TraceId(found.trace),
            parent: SpanId(found.parent),
            state: meta
                .string("tracestate")
                .filter(|state| !state.is_empty() && state.len() <= 512),
        })
    }
}

impl Serialize for TraceId {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(&Hexadecimal(&self.0))
    }
}

impl Serialize for SpanId {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(&Hexadecimal(&self.0))
    }
}

struct Hexadecimal<'a>(&'a [u8]);

impl std::fmt::Display for Hexadecimal<'_> {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        self.0
            .iter()
            .try_for_each(|byte| write!(formatter, "{byte:02x}"))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn context(traceparent: &str) -> Option<TraceContext> {
        let text = serde_json::json!({ "traceparent": traceparent }).to_string();
        TraceContext::read(&Members::parse(&text).expect("an object"))
    }

    #[test]
    fn a_valid_trace_parent_is_taken_and_any_other_is_not() {
        let valid = "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01";
        let found = context(valid).expect("valid");
        assert_eq!(
            serde_json::to_string(&(found.trace, found.parent)).expect("JSON"),
            r#"["0af7651916cd43dd8448eb211c80319c","b7ad6b7169203331"]"#
        );
        assert_eq!(context("00-é"), None);
    }
}
