//! Checks of recorded traffic, of any record: what a server or a client did that the protocol does
//! not allow, or that will not work for long.
//!
//! Frames are given one after another; what is remembered of them is bounded. A check that cannot
//! know says nothing.

mod headers;
mod junit;
mod rules;

use std::collections::{HashMap, HashSet};

use serde::Serialize;
use sightglass_json_text::{ErrorObject, Message, elements};
use sightglass_model::{ConnectionId, ExchangeId, Finding, FrameId, Timestamp, Verdict, brief};
use sightglass_traffic::{Direction, ExchangeKind, HttpText, MessageKind, RecordedFrame, envelope};

use crate::{
    exchanges::{ExchangeStep, MAX_OPEN, RequestKey, steps},
    message::{string_within, within},
};

/// Findings that are kept; more are counted.
const MAX_FINDINGS: usize = 10_000;

/// Ids of one connection that are remembered to find one used again.
const MAX_IDS: usize = 1_000_000;

/// Connections, HTTP requests, tools and kinds of states that are remembered.
const MAX_REMEMBERED: usize = 100_000;

/// States of one kind that are remembered.
const MAX_STATES: usize = 10_000;

/// Bytes of output schemas that are remembered.
const MAX_SCHEMA_BYTES: usize = 64 << 20;

/// The revision from which on the routing headers are required (SEP-2243).
const HEADERS_SINCE: &str = "2026-07-28";

/// Subject of a check.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum SessionCheck {
    /// A JSON-RPC error, a tool result with `isError`, or an HTTP status of 400 or more.
    Error,
    /// A line on stdout that is no message.
    Stray,
    /// A message that is none, or an answer to nothing.
    Invalid,
    /// A request without an answer.
    Pending,
    /// A result that came after its request was cancelled.
    LateResult,
    /// An HTTP header that contradicts the message, or is missing where it is required.
    Mismatch,
    /// A `requestState` that was changed, dropped or invented.
    RequestState,
    /// A feature that revision 2026-07-28 deprecates.
    Deprecated,
    /// Structured content that its output schema does not allow.
    Schema,
    /// An id that was used for a second request.
    IdReuse,
    /// Frames that are missing, or a file that was cut off.
    Incomplete,
}

impl SessionCheck {
    pub const ALL: [Self; 11] = [
        Self::Error,
        Self::Stray,
        Self::Invalid,
        Self::Pending,
        Self::LateResult,
        Self::Mismatch,
        Self::RequestState,
        Self::Deprecated,
        Self::Schema,
        Self::IdReuse,
        Self::Incomplete,
    ];

    /// The name on the command line.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Error => "error",
            Self::Stray => "stray",
            Self::Invalid => "invalid",
            Self::Pending => "pending",
            Self::LateResult => "late-result",
            Self::Mismatch => "mismatch",
            Self::RequestState => "request-state",
            Self::Deprecated => "deprecated",
            Self::Schema => "schema",
            Self::IdReuse => "id-reuse",
            Self::Incomplete => "incomplete",
        }
    }

    const fn title(self) -> &'static str {
        match self {
            Self::Error => "Errors",
            Self::Stray => "Stray output",
            Self::Invalid => "Invalid messages",
            Self::Pending => "Requests without an answer",
            Self::LateResult => "Results after the cancellation",
            Self::Mismatch => "Headers against the message",
            Self::RequestState => "Request state",
            Self::Deprecated => "Deprecated features",
            Self::Schema => "Output schemas",
            Self::IdReuse => "Ids used again",
            Self::Incomplete => "Missing parts",
        }
    }

    /// Returns the verdict on what it finds. An error may be the right answer.
    const fn verdict(self) -> Verdict {
        match self {
            Self::Error | Self::Deprecated => Verdict::Warning,
            _ => Verdict::Failed,
        }
    }
}

/// Place of a finding in a record.
#[derive(Debug, Clone, PartialEq, Serialize, specta::Type)]
pub struct RecordPlace {
    /// Absent for what is about the whole of a record, as is the moment.
    pub connection: Option<ConnectionId>,
    pub at: Option<Timestamp>,
    /// The method, or what stands in its place.
    pub method: String,
}

/// Returns a finding as one line: `#12 tools/call: …`.
pub fn finding_line(finding: &Finding<RecordPlace>) -> String {
    let words = finding.words();
    match finding.exchanges.first() {
        Some(exchange) => format!("#{exchange} {}: {words}", finding.subject.method),
        None => words.to_owned(),
    }
}

/// Findings of the checks.
#[derive(Debug, Clone, Default, PartialEq, Serialize, specta::Type)]
#[serde(rename_all = "camelCase")]
pub struct SessionReport {
    /// Frames that were looked at.
    pub frames: u32,
    /// In the order of the record. The exchange of each is the row to look at; what is about the
    /// whole of a record has none.
    pub findings: Vec<Finding<RecordPlace>>,
    /// Findings that are not among them, since there are too many.
    pub left_out: u32,
}

/// Says what is wrong with structured content by an output schema; `None` when it conforms or
/// cannot be checked. Both are JSON of a stranger.
pub type ConformanceCheck<'a> = dyn FnMut(&str, &str) -> Option<String> + 'a;

/// Checks frames one after another.
pub struct Checker<'a> {
    conforms: Box<ConformanceCheck<'a>>,
    connections: HashMap<ConnectionId, CheckedConnection>,
    open: HashMap<RequestKey, CheckedRequest>,
    /// HTTP requests by their frames, until the message they carry was seen.
    carriers: HashMap<FrameId, Vec<(String, String)>>,
    schema_bytes: usize,
    report: SessionReport,
}

#[derive(Default)]
struct CheckedConnection {
    /// The revision that both sides speak, as far as it is known.
    revision: Option<String>,
    /// Ids of requests that were used, each with the direction.
    ids: HashSet<(Direction, String)>,
    /// Output schemas by the names of the tools.
    schemas: HashMap<String, String>,
    /// Arguments of tools that go into headers: the header's suffix and the path.
    header_parameters: HashMap<String, Vec<(String, Vec<String>)>>,
    /// States that were handed out, by method and name of the request, and were not returned yet.
    states: HashMap<String, Vec<String>>,
    deprecated: HashSet<&'static str>,
}

/// A request without an answer so far.
struct CheckedRequest {
    exchange: ExchangeId,
    at: Timestamp,
    method: String,
    /// The tool, prompt or resource.
    name: Option<String>,
    is_cancelled: bool,
}

/// Place of a frame, for findings.
#[derive(Clone, Copy)]
struct FramePlace {
    exchange: ExchangeId,
    connection: ConnectionId,
    at: Timestamp,
}

impl<'a> Checker<'a> {
    /// `conforms` applies output schemas.
    pub fn new(conforms: impl FnMut(&str, &str) -> Option<String> + 'a) -> Self {
        Self {
            conforms: Box::new(conforms),
            connections: HashMap::new(),
            open: HashMap::new(),
            carriers: HashMap::new(),
            schema_bytes: 0,
            report: SessionReport::default(),
        }
    }

    /// Looks at the next frame.
    pub fn frame(&mut self, frame: &RecordedFrame) {
        self.report.frames = self.report.frames.saturating_add(1);
        let place = FramePlace {
            exchange: ExchangeId(frame.frame.0),
            connection: frame.connection,
            at: frame.at,
        };
        match frame.kind {
            ExchangeKind::Stderr if frame.method == "stdout" => {
                self.find(
                    SessionCheck::Stray,
                    place,
                    "stdout",
                    "The server wrote a line to stdout that is no message. Only messages belong \
                     there; logs belong on stderr."
                        .to_owned(),
                );
            }
            ExchangeKind::Http | ExchangeKind::Oauth => self.http(frame, place),
            ExchangeKind::Request | ExchangeKind::Notification | ExchangeKind::Log => {
                self.message(frame, place);
            }
            ExchangeKind::Stderr | ExchangeKind::Phase => {}
        }
    }

    /// Says that something is missing in the record as a whole.
    pub fn incomplete(&mut self, message: String) {
        let subject = RecordPlace {
            connection: None,
            at: None,
            method: String::new(),
        };
        self.add(SessionCheck::Incomplete, None, subject, message);
    }

    /// Returns what was found, once every frame was looked at.
    pub fn finish(mut self) -> SessionReport {
        for (key, open) in std::mem::take(&mut self.open) {
            if open.method != "subscriptions/listen" {
                let message = "No answer to this request was recorded.";
                self.unanswered(&open, key.connection, message);
            }
        }
        let mut report = self.report;
        report.findings.sort_by_key(|finding| {
            (
                finding.exchanges.is_empty(),
                finding.exchanges.first().copied(),
            )
        });
        report
    }

    fn add(
        &mut self,
        check: SessionCheck,
        exchange: Option<ExchangeId>,
        subject: RecordPlace,
        message: String,
    ) {
        if self.report.findings.len() < MAX_FINDINGS {
            self.report.findings.push(Finding {
                message: Some(message),
                exchanges: exchange.into_iter().collect(),
                ..Finding::new(check.name(), check.title(), check.verdict(), subject)
            });
        } else {
            self.report.left_out = self.report.left_out.saturating_add(1);
        }
    }

    fn find(&mut self, check: SessionCheck, place: FramePlace, method: &str, message: String) {
        let subject = RecordPlace {
            connection: Some(place.connection),
            at: Some(place.at),
            method: brief(method, 200).into_owned(),
        };
        self.add(check, Some(place.exchange), subject, message);
    }

    /// Tells of a request to which no answer came. To one that was cancelled none has to.
    fn unanswered(&mut self, open: &CheckedRequest, connection: ConnectionId, message: &str) {
        if open.is_cancelled {
            return;
        }
        let place = FramePlace {
            exchange: open.exchange,
            connection,
            at: open.at,
        };
        self.find(
            SessionCheck::Pending,
            place,
            &open.method,
            message.to_owned(),
        );
    }

    fn http(&mut self, frame: &RecordedFrame, place: FramePlace) {
        let Some(text) = frame
            .payload
            .as_deref()
            .and_then(|text| str::from_utf8(text).ok())
        else {
            return;
        };
        let facts = HttpText::parse(frame.direction, text).facts;
        if frame.direction == Direction::Sent {
            if self.carriers.len() < MAX_REMEMBERED {
                self.carriers.insert(frame.frame, facts.request_headers);
            }
            return;
        }
        let exchange = frame
            .carrier
            .map_or(place.exchange, |carrier| ExchangeId(carrier.0));
        if let Some(carrier) = frame.carrier {
            self.carriers.remove(&carrier);
        }
        let reason = match (facts.status, facts.error) {
            (Some(status), _) if status >= 400 => {
                format!("The HTTP request was answered with {status}.")
            }
            (None, Some(error)) => {
                format!("The HTTP request had no answer: {}.", brief(&error, 300))
            }
            _ => return,
        };
        self.find(
            SessionCheck::Error,
            FramePlace { exchange, ..place },
            "HTTP",
            reason,
        );
    }

    fn message(&mut self, frame: &RecordedFrame, place: FramePlace) {
        let Some(payload) = &frame.payload else {
            return;
        };
        if envelope(payload).kind == MessageKind::Invalid {
            let message = "This is no JSON-RPC message.".to_owned();
            self.find(SessionCheck::Invalid, place, &frame.method, message);
            return;
        }
        let headers = frame
            .carrier
            .filter(|_| frame.direction == Direction::Sent)
            .and_then(|carrier| self.carriers.remove(&carrier));
        if self.connections.len() >= MAX_REMEMBERED
            && !self.connections.contains_key(&frame.connection)
        {
            return;
        }
        let steps = steps(frame);
        let is_batch = steps.len() > 1;
        for step in &steps {
            match &step.method {
                Some(method) => {
                    self.call(step, method, frame.direction, place);
                    if let Some(headers) = headers.as_ref().filter(|_| !is_batch) {
                        self.headers(headers, &step.message, method, place);
                    }
                }
                None => self.answer(step, place),
            }
        }
    }

    fn connection(&mut self, place: FramePlace) -> &mut CheckedConnection {
        self.connections.entry(place.connection).or_default()
    }

    /// Checks a request or a notification.
    fn call(
        &mut self,
        step: &ExchangeStep<'_>,
        method: &str,
        direction: Direction,
        place: FramePlace,
    ) {
        let params = step.message.params();
        let reason = rules::deprecated(method);
        self.deprecated(reason, method, place);
        let connection = self.connection(place);
        if let Some(revision) = rules::revision(method, params) {
            connection.revision = Some(revision);
        }
        let Some(key) = &step.request else {
            if method == "notifications/cancelled"
                && let Some(id) = within(params, &["requestId"])
                && let Some(open) =
                    self.open
                        .get_mut(&RequestKey::new(place.connection, direction, id))
            {
                open.is_cancelled = true;
            }
            return;
        };
        let is_new =
            connection.ids.len() >= MAX_IDS || connection.ids.insert((key.asked, key.id.clone()));
        let name = ["name", "uri"]
            .iter()
            .find_map(|key| string_within(params, &[key]));
        let open = CheckedRequest {
            exchange: place.exchange,
            at: place.at,
            method: method.to_owned(),
            name: name.clone(),
            is_cancelled: false,
        };
        let displaced = match self.open.len() < MAX_OPEN {
            true => self.open.insert(key.clone(), open),
            false => None,
        };
        if let Some(open) = displaced {
            let message = "No answer to this request was recorded before its id was used again.";
            self.unanswered(&open, place.connection, message);
        }
        if !is_new {
            let id = brief(&key.id, 60);
            let message = format!("The id {id} was used for a second request.");
            self.find(SessionCheck::IdReuse, place, method, message);
        }
        if let Some(problem) =
            self.connection(place)
                .returned_state(method, name.as_deref(), params)
        {
            self.find(SessionCheck::RequestState, place, method, problem);
        }
    }

    /// Checks a response.
    fn answer(&mut self, step: &ExchangeStep<'_>, place: FramePlace) {
        let Some(key) = &step.request else {
            let reason = "An error came that says no request's id.".to_owned();
            self.find(SessionCheck::Error, place, "response", reason);
            return;
        };
        let Some(open) = self.open.remove(key) else {
            let id = brief(&key.id, 60);
            let reason = format!("No request with the id {id} was waiting for this answer.");
            self.find(SessionCheck::Invalid, place, "response", reason);
            return;
        };
        let place = FramePlace {
            exchange: open.exchange,
            ..place
        };
        if open.is_cancelled {
            let reason = "The answer came after the request was cancelled.".to_owned();
            self.find(SessionCheck::LateResult, place, &open.method, reason);
        }
        if let Some(error) = step.message.error() {
            let error = ErrorObject::parse(error);
            let code = error.as_ref().and_then(ErrorObject::code);
            let text = error.as_ref().and_then(ErrorObject::message);
            let reason = format!(
                "Error {}: {}",
                brief(code.unwrap_or("without a code"), 40),
                brief(&text.unwrap_or_default(), 300)
            );
            self.find(SessionCheck::Error, place, &open.method, reason);
            return;
        }
        let Some(result) = step.message.result() else {
            return;
        };
        self.result(result, &open, place);
    }

    fn result(&mut self, result: &str, open: &CheckedRequest, place: FramePlace) {
        for reason in rules::deprecated_in_result(&open.method, result) {
            self.deprecated(Some(reason), &open.method, place);
        }
        let so_far = self.schema_bytes;
        let connection = self.connection(place);
        match open.method.as_str() {
            "initialize" => {
                if let Some(revision) = string_within(Some(result), &["protocolVersion"]) {
                    connection.revision = Some(revision);
                }
            }
            "tools/list" => {
                let grown = connection.learn_tools(result, so_far);
                self.schema_bytes += grown;
                return;
            }
            _ => {}
        }
        connection.hand_out_state(open, result);
        if open.method != "tools/call" {
            return;
        }
        if within(Some(result), &["isError"]) == Some("true") {
            let reason = "The tool says that the call failed.".to_owned();
            self.find(SessionCheck::Error, place, &open.method, reason);
            return;
        }
        if string_within(Some(result), &["resultType"]).is_some_and(|kind| kind != "complete") {
            return;
        }
        let schema = open
            .name
            .as_ref()
            .and_then(|name| self.connections.get(&place.connection)?.schemas.get(name));
        let Some(schema) = schema else {
            return;
        };
        let problem = match within(Some(result), &["structuredContent"]) {
            Some(structured) => (self.conforms)(schema, structured),
            None => Some(
                "the tool has an output schema, but the result has no structuredContent".to_owned(),
            ),
        };
        if let Some(problem) = problem {
            let name = open.name.as_deref().unwrap_or_default();
            let reason = format!(
                "The result of {}: {}",
                brief(name, 100),
                brief(&problem, 500)
            );
            self.find(SessionCheck::Schema, place, &open.method, reason);
        }
    }

    /// Tells of a deprecated feature once a connection.
    fn deprecated(&mut self, reason: Option<&'static str>, method: &str, place: FramePlace) {
        if let Some(reason) = reason
            && self.connection(place).deprecated.insert(reason)
        {
            self.find(SessionCheck::Deprecated, place, method, reason.to_owned());
        }
    }

    fn headers(
        &mut self,
        given: &[(String, String)],
        message: &Message<'_>,
        method: &str,
        place: FramePlace,
    ) {
        let connection = self.connection(place);
        let revision = headers::version(given)
            .map(str::to_owned)
            .or_else(|| connection.revision.clone());
        // Dates in this form sort by time.
        let is_required = message.id().is_some()
            && revision.is_some_and(|revision| revision.as_str() >= HEADERS_SINCE);
        let params = message.params();
        let parameters = string_within(params, &["name"])
            .filter(|_| method == "tools/call")
            .and_then(|name| connection.header_parameters.get(&name));
        let problems = headers::problems(
            given,
            method,
            params,
            parameters.map_or(&[][..], Vec::as_slice),
            is_required,
        );
        for problem in problems {
            self.find(SessionCheck::Mismatch, place, method, problem);
        }
    }
}

impl CheckedConnection {
    /// Remembers what the tools of a list say. Returns by how many bytes of schemas that grew.
    fn learn_tools(&mut self, result: &str, so_far: usize) -> usize {
        let mut grown = 0;
        let tools = within(Some(result), &["tools"]).and_then(elements);
        for tool in tools.unwrap_or_default() {
            let Some(name) = string_within(Some(tool), &["name"]) else {
                continue;
            };
            if self.schemas.len() >= MAX_REMEMBERED {
                break;
            }
            let parameters = headers::parameters(tool);
            if !parameters.is_empty() {
                self.header_parameters.insert(name.clone(), parameters);
            }
            match within(Some(tool), &["outputSchema"]) {
                Some(schema) if so_far + grown + schema.len() <= MAX_SCHEMA_BYTES => {
                    grown += schema.len();
                    self.schemas.insert(name, schema.to_owned());
                }
                _ => {
                    self.schemas.remove(&name);
                }
            }
        }
        grown
    }

    /// Remembers the state that a result asks back (SEP-2322).
    fn hand_out_state(&mut self, open: &CheckedRequest, result: &str) {
        if let Some(state) = string_within(Some(result), &["requestState"])
            && self.states.len() < MAX_REMEMBERED
        {
            let key = state_key(&open.method, open.name.as_deref());
            let states = self.states.entry(key).or_default();
            if states.len() < MAX_STATES {
                states.push(state);
            }
        }
    }

    /// Compares the state that a request returns with those that were handed out.
    fn returned_state(
        &mut self,
        method: &str,
        name: Option<&str>,
        params: Option<&str>,
    ) -> Option<String> {
        if !matches!(method, "tools/call" | "prompts/get" | "resources/read") {
            return None;
        }
        let returned = string_within(params, &["requestState"]);
        let answers = within(params, &["inputResponses"]).is_some();
        let mut none = Vec::new();
        let states = self.states.get_mut(&state_key(method, name));
        let states = states.unwrap_or(&mut none);
        match returned {
            Some(state) => {
                if let Some(place) = states.iter().position(|known| *known == state) {
                    states.remove(place);
                    return None;
                }
                Some(match states.len() {
                    0 => "The request returns a requestState that no result had handed out.",
                    _ => {
                        states.remove(0);
                        "The request returns another requestState than the result had handed out. \
                         It has to come back as it was."
                    }
                }
                .to_owned())
            }
            // Without answers it may be a call of its own.
            None if answers && !states.is_empty() => {
                states.remove(0);
                Some(
                    "The request answers the questions of a result and leaves out its requestState."
                        .to_owned(),
                )
            }
            None => None,
        }
    }
}

fn state_key(method: &str, name: Option<&str>) -> String {
    format!("{method}\n{}", name.unwrap_or_default())
}

#[cfg(test)]
mod tests;
