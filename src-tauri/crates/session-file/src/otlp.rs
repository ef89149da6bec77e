//! Writes exchanges as spans of OpenTelemetry, in the JSON form of its protocol (OTLP 1.x).
//!
//! Names, kinds and attributes are those of the semantic conventions of generative AI for MCP
//! (`docs/gen-ai/mcp.md`, status Development). A span is a JSON-RPC request with its response; the
//! HTTP request that carried it is a child of it, and so is what a server asks during a call.
//! Operations of several requests have no span of their own: the record does not hold them.
//! Sign-ins are spans of HTTP.
//!
//! A request with a valid `traceparent` (W3C Trace Context) in its `_meta` has the trace and the
//! parent that it names. All other ids are hashes of the session and the row, so that an export
//! that is repeated is the same.
//!
//! Own structs stand here instead of `opentelemetry-proto`: its messages hold a whole export in
//! memory, and it brings ten crates into the application for what are seven structs. A collector
//! judges what is written here, in the stories.

mod attributes;
mod identity;

use std::{
    collections::{HashMap, VecDeque},
    io,
};

use serde::Serialize;
use serde_json::Value;
use sightglass_model::{ExchangeId, Timestamp};
use sightglass_traffic::{
    Direction, ExchangeKind, ExchangeRow, Outcome, RecordedExchange, RecordedHttp,
};

use crate::text::{lossy, write_json};
use attributes::{Attribute, Attributes, Message};
use identity::{SpanId, TraceId};

/// Calls that are remembered for what the server asks during them.
const MAX_OPEN_CALLS: usize = 1024;

/// Options of spans.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct SpanOptions {
    /// Adds the arguments and the results of tools, which the conventions leave out unless asked.
    pub arguments_and_results: bool,
    /// Leaves out the texts of errors.
    pub without_texts: bool,
}

/// Makes spans of exchanges, which have to come in the order of the wire.
pub struct Spans {
    options: SpanOptions,
    /// The newest revisions of the protocol that connections agreed on.
    revisions: HashMap<u32, String>,
    /// The newest calls, the latest last.
    calls: VecDeque<(ExchangeId, TraceId, SpanId)>,
    last_carrier: Option<u32>,
}

/// A span (`opentelemetry.proto.trace.v1.Span`).
#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Span {
    trace_id: TraceId,
    span_id: SpanId,
    #[serde(skip_serializing_if = "Option::is_none")]
    trace_state: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    parent_span_id: Option<SpanId>,
    name: String,
    kind: u8,
    start_time_unix_nano: String,
    end_time_unix_nano: String,
    attributes: Vec<Attribute>,
    #[serde(skip_serializing_if = "Option::is_none")]
    status: Option<Status>,
}

#[derive(Debug, Serialize)]
struct Status {
    code: u8,
    #[serde(skip_serializing_if = "String::is_empty")]
    message: String,
}

/// `SPAN_KIND_SERVER`: the server asked us.
const KIND_SERVER: u8 = 2;
/// `SPAN_KIND_CLIENT`.
const KIND_CLIENT: u8 = 3;
/// `STATUS_CODE_ERROR`.
const STATUS_ERROR: u8 = 2;

impl Spans {
    pub fn new(options: SpanOptions) -> Self {
        Self {
            options,
            revisions: HashMap::new(),
            calls: VecDeque::new(),
            last_carrier: None,
        }
    }

    /// Returns the spans of a row: none where it has no duration, its own, and that of the HTTP
    /// request that carried it. `http` is that request, or the row itself.
    pub fn of(&mut self, exchange: &RecordedExchange, http: Option<&RecordedHttp>) -> Vec<Span> {
        let row = &exchange.row;
        match row.kind {
            ExchangeKind::Request => self.of_request(exchange, http),
            ExchangeKind::Oauth => {
                let trace = TraceId::of(row);
                let of_http = http.and_then(|http| self.of_http(row, http, trace, None));
                of_http.into_iter().collect()
            }
            _ => Vec::new(),
        }
    }

    fn of_request(
        &mut self,
        exchange: &RecordedExchange,
        http: Option<&RecordedHttp>,
    ) -> Vec<Span> {
        let row = &exchange.row;
        let request = exchange.request.payload.as_deref().map(lossy);
        let response = exchange
            .response
            .as_ref()
            .and_then(|response| response.payload.as_deref())
            .map(lossy);
        let request = Message::read(request.as_deref());
        let response = Message::read(response.as_deref());
        let revision = self.revision(row, &request, &response, http);
        let Some(duration) = row.duration.filter(|_| row.outcome != Outcome::Pending) else {
            return Vec::new();
        };
        let context = request.trace_context();
        let (trace, parent) = match &context {
            Some(context) => (context.trace, Some(context.parent)),
            None => match row.parent.and_then(|call| self.call(call)) {
                Some((trace, call)) => (trace, Some(call)),
                None => (TraceId::of(row), None),
            },
        };
        let span_id = SpanId::of(row);
        self.remember(row, trace, span_id);
        let mut attributes = Attributes::default();
        attributes.of_request(row, &request, http, revision.as_deref());
        if self.options.arguments_and_results && row.method == "tools/call" {
            attributes.of_call(&request, &response);
        }
        let status = error_type(row, &response).map(|kind| {
            attributes.text("error.type", &kind);
            Status {
                code: STATUS_ERROR,
                message: match self.options.without_texts {
                    true => String::new(),
                    false => response.error_message().unwrap_or_default(),
                },
            }
        });
        if let Some(code) = response.error_code() {
            attributes.text("rpc.response.status_code", &code);
        }
        let mut spans = vec![Span {
            trace_id: trace,
            span_id,
            trace_state: context.and_then(|context| context.state),
            parent_span_id: parent,
            name: match attributes::has_name(&row.method) && !row.target.is_empty() {
                true => format!("{} {}", row.method, row.target),
                false => row.method.clone(),
            },
            kind: match row.direction {
                Direction::Sent => KIND_CLIENT,
                Direction::Received => KIND_SERVER,
            },
            start_time_unix_nano: nanoseconds(row.at),
            end_time_unix_nano: nanoseconds(row.at + duration.into()),
            attributes: attributes.into_list(),
            status,
        }];
        // What a server asks may come on a stream that carries much else.
        if row.direction == Direction::Sent
            && let Some(http) = http
        {
            spans.extend(self.of_http(row, http, trace, Some(span_id)));
        }
        spans
    }

    /// Returns the span of an HTTP request, once.
    fn of_http(
        &mut self,
        row: &ExchangeRow,
        http: &RecordedHttp,
        trace: TraceId,
        parent: Option<SpanId>,
    ) -> Option<Span> {
        if self.last_carrier.replace(http.frame.0) == Some(http.frame.0) {
            return None;
        }
        let facts = &http.facts;
        let duration = facts.time_to_headers?;
        let mut attributes = Attributes::default();
        attributes.text("http.request.method", &facts.method);
        attributes.text("url.full", &facts.url);
        attributes.of_address(&facts.url);
        if let Some(status) = facts.status {
            attributes.integer("http.response.status_code", i64::from(status));
        }
        let failed = facts.error.is_some() || facts.status.is_none_or(|status| status >= 400);
        let status = failed.then(|| {
            let kind = facts
                .status
                .map_or_else(|| "no_response".to_owned(), |status| status.to_string());
            attributes.text("error.type", &kind);
            Status {
                code: STATUS_ERROR,
                message: facts.error.clone().unwrap_or_default(),
            }
        });
        Some(Span {
            trace_id: trace,
            span_id: SpanId::of_http(row, http),
            trace_state: None,
            parent_span_id: parent,
            name: facts.method.clone(),
            kind: KIND_CLIENT,
            start_time_unix_nano: nanoseconds(http.at),
            end_time_unix_nano: nanoseconds(http.at + duration.into()),
            attributes: attributes.into_list(),
            status,
        })
    }

    /// The revision of the protocol that counts for a request, as far as the export tells.
    fn revision(
        &mut self,
        row: &ExchangeRow,
        request: &Message<'_>,
        response: &Message<'_>,
        http: Option<&RecordedHttp>,
    ) -> Option<String> {
        if row.method == "initialize"
            && let Some(agreed) = response.agreed_revision()
        {
            if self.revisions.len() >= MAX_OPEN_CALLS {
                self.revisions.clear();
            }
            self.revisions.insert(row.connection.0, agreed);
        }
        let of_header = || {
            let headers = &http?.facts.request_headers;
            let found = headers
                .iter()
                .find(|(name, _)| name.eq_ignore_ascii_case("mcp-protocol-version"));
            found.map(|(_, value)| value.clone())
        };
        let agreed = || self.revisions.get(&row.connection.0).cloned();
        request.stated_revision().or_else(of_header).or_else(agreed)
    }

    fn remember(&mut self, row: &ExchangeRow, trace: TraceId, span: SpanId) {
        if row.direction == Direction::Received {
            return;
        }
        if self.calls.len() >= MAX_OPEN_CALLS {
            self.calls.pop_front();
        }
        self.calls.push_back((row.id, trace, span));
    }

    fn call(&self, call: ExchangeId) -> Option<(TraceId, SpanId)> {
        let mut newest_first = self.calls.iter().rev();
        let (_, trace, span) = newest_first.find(|(known, ..)| *known == call)?;
        Some((*trace, *span))
    }
}

/// Returns the kind of the error that a request ended with, if any.
fn error_type(row: &ExchangeRow, response: &Message<'_>) -> Option<String> {
    match row.outcome {
        Outcome::Error => Some(response.error_code().unwrap_or_else(|| {
            match response.is_tool_error() {
                true => "tool_error".to_owned(),
                false => row
                    .code
                    .map_or_else(|| "_OTHER".to_owned(), |code| code.to_string()),
            }
        })),
        Outcome::Cancelled => Some("cancelled".to_owned()),
        Outcome::Unanswered => Some("connection_closed".to_owned()),
        Outcome::Pending | Outcome::Ok | Outcome::None => None,
    }
}

/// A 64-bit integer, which stands as a string in JSON (protobuf's JSON mapping).
fn nanoseconds(at: Timestamp) -> String {
    let whole = at.as_millis() as u64;
    let rest = (at.as_millis().fract().abs() * 1e6) as u64;
    (u128::from(whole) * 1_000_000 + u128::from(rest)).to_string()
}

/// Writes spans as one `ExportTraceServiceRequest`.
pub struct OtlpWriter<W> {
    out: W,
    is_first: bool,
}

impl<W: io::Write> OtlpWriter<W> {
    /// Begins the request. `version` is that of the application.
    pub fn new(mut out: W, version: &str) -> io::Result<Self> {
        let mut resource = Attributes::default();
        resource.text("service.name", "sightglass");
        resource.text("service.version", version);
        out.write_all(br#"{"resourceSpans":[{"resource":{"attributes":"#)?;
        write_json(&mut out, &resource.into_list())?;
        out.write_all(br#"},"scopeSpans":[{"scope":{"name":"sightglass","version":"#)?;
        write_json(&mut out, version)?;
        out.write_all(br#"},"spans":["#)?;
        Ok(Self {
            out,
            is_first: true,
        })
    }

    /// Adds a span.
    pub fn span(&mut self, span: &Span) -> io::Result<()> {
        self.out
            .write_all(if self.is_first { b"\n" } else { b",\n" })?;
        self.is_first = false;
        write_json(&mut self.out, span)
    }

    /// What is written so far, which is not whole yet.
    pub fn written(&self) -> &W {
        &self.out
    }

    /// Ends the request.
    pub fn finish(mut self) -> io::Result<W> {
        self.out.write_all(b"\n]}]}]}\n")?;
        Ok(self.out)
    }
}

/// Returns the number of spans that a collector says it refused, and why
/// (`ExportTraceServiceResponse`). Nothing where it took all.
pub fn rejected(response: &str) -> Option<(u64, String)> {
    let response: Value = serde_json::from_str(response).ok()?;
    let partial = response.get("partialSuccess")?;
    let count = match partial.get("rejectedSpans")? {
        Value::String(count) => count.parse().ok()?,
        count => count.as_u64()?,
    };
    let reason = partial.get("errorMessage").and_then(Value::as_str);
    (count > 0).then(|| (count, reason.unwrap_or_default().to_owned()))
}

#[cfg(test)]
mod tests;
