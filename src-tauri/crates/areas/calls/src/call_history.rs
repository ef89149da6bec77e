//! Lists the calls of a tool that are on record, and opens one as it was.
//!
//! A call is an operation: the rounds in which a server asked for input are one call here.

use bytes::Bytes;
use sightglass_area_core::{
    error::InspectorError,
    record_queries::RecordQueries,
    view::{CallReport, PastCall, ToolCall, ToolCallPage},
};
use sightglass_connection::{RequestEnd, RequestOutcome, TaskFacts};
use sightglass_json_text::lossy;
use sightglass_model::{ExchangeId, FrameId, Millis, ServerId};
use sightglass_traffic::{
    EdgeKind, ExchangeDetail, ExchangeKind, Operation, OperationQuery, Outcome, RecordError,
    Recorder, TrafficQuery,
};

use crate::result::{ResultShape, parse_response};

/// Characters of the arguments that a list shows.
const MAX_SHORT_CHARS: usize = 200;

/// Largest arguments that are handed over to be sent again.
const MAX_INPUT_BYTES: usize = 1 << 20;

/// Rows of an operation that are read at once.
const ROWS_AT_ONCE: u32 = 1_000;

/// Place of the arguments in a request.
const ARGUMENTS: &str = "/params/arguments";

/// Calls of a tool that are on record, the newest first: `limit` of them after the first `offset`.
pub async fn tool_calls(
    record: &RecordQueries,
    server: ServerId,
    tool: String,
    offset: u32,
    limit: u32,
) -> Result<ToolCallPage, InspectorError> {
    let query = TrafficQuery {
        kinds: vec![ExchangeKind::Request],
        server: Some(server),
        tool: Some(tool),
        ..TrafficQuery::default()
    };
    record
        .blocking(move |recorder| {
            let page = recorder.operations(&query, offset, limit)?;
            let calls = page.operations.into_iter().rev();
            Ok(ToolCallPage {
                calls: calls
                    .map(|operation| tool_call(recorder, operation))
                    .collect(),
                total: page.total,
                complete: page.complete,
            })
        })
        .await
}

/// One call, with its result or its error taken apart. Any of its rows names it.
///
/// # Errors
/// When there is no such row, it is still running, or the record cannot be read.
pub async fn past_call(record: &RecordQueries, id: ExchangeId) -> Result<PastCall, InspectorError> {
    record
        .blocking(move |recorder| read_past_call(recorder, id))
        .await
}

fn tool_call(recorder: &Recorder, operation: Operation) -> ToolCall {
    let Operation {
        root,
        outcome,
        duration,
        person_time,
        ..
    } = operation;
    ToolCall {
        id: root.id,
        at: root.at,
        outcome,
        code: root.code.filter(|_| outcome == Outcome::Error),
        duration: duration.map(|duration| own_time(duration, person_time)),
        arguments: arguments(recorder, root.request_frame)
            .ok()
            .map(|arguments| one_line(&arguments)),
    }
}

fn own_time(duration: Millis, person: Millis) -> Millis {
    std::time::Duration::from(duration)
        .saturating_sub(person.into())
        .into()
}

/// Returns the arguments of a request as they were sent.
fn arguments(recorder: &Recorder, frame: FrameId) -> Result<Bytes, RecordError> {
    match recorder.part(frame, ARGUMENTS) {
        Err(RecordError::NoSuchValue(_)) => Ok(Bytes::from_static(b"{}")),
        found => found,
    }
}

/// The beginning of a JSON text on one line. Whitespace between its parts says nothing, and that in
/// its strings is escaped.
fn one_line(json: &[u8]) -> String {
    let beginning = &json[..json.len().min(8 * MAX_SHORT_CHARS)];
    let text = String::from_utf8_lossy(beginning);
    let mut words = text.split_whitespace();
    let mut line = words.next().unwrap_or_default().to_owned();
    for word in words {
        line.push(' ');
        line.push_str(word);
    }
    match line.char_indices().nth(MAX_SHORT_CHARS) {
        Some((end, _)) => line.truncate(end),
        None if beginning.len() == json.len() => return line,
        None => {}
    }
    line.push('…');
    line
}

fn read_past_call(recorder: &Recorder, id: ExchangeId) -> Result<PastCall, InspectorError> {
    let (operation, last) = last_round(recorder, id)?;
    if operation.outcome == Outcome::Pending {
        return Err(InspectorError::InvalidInput(
            "This call has no result yet.".to_owned(),
        ));
    }
    let first = recorder.detail(operation.root.id)?;
    let input = arguments(recorder, operation.root.request_frame)
        .ok()
        .filter(|input| input.len() <= MAX_INPUT_BYTES)
        .map(|input| String::from_utf8_lossy(&input).into_owned());
    Ok(PastCall {
        id: operation.root.id,
        at: operation.root.at,
        input,
        is_masked: first.frames.first().is_some_and(|frame| frame.redacted),
        report: report(recorder, &operation, &last)?,
    })
}

/// Returns the operation of a row, and the row of its last round.
fn last_round(
    recorder: &Recorder,
    id: ExchangeId,
) -> Result<(Operation, ExchangeDetail), InspectorError> {
    let query = OperationQuery {
        id,
        folded: Vec::new(),
    };
    let mut offset = 0;
    let mut last = None;
    loop {
        let tree = recorder.operation(&query, offset, ROWS_AT_ONCE)?;
        let rounds = tree
            .nodes
            .iter()
            .filter(|node| node.edge.is_some_and(|edge| edge.kind == EdgeKind::Round));
        last = last.max(rounds.map(|node| node.row.id).max());
        offset += ROWS_AT_ONCE;
        if tree.operation.rounds == 0 || offset >= tree.total {
            let row = last.unwrap_or(tree.operation.root.id);
            return Ok((tree.operation, recorder.detail(row)?));
        }
    }
}

/// Reports how a call ended, as the record has it.
fn report(
    recorder: &Recorder,
    operation: &Operation,
    last: &ExchangeDetail,
) -> Result<CallReport, InspectorError> {
    let row = &last.row;
    let response = match row.response_frame {
        Some(frame) => match recorder.payload(frame) {
            Err(RecordError::NotRecorded) => None,
            found => Some(found?),
        },
        None => None,
    };
    let size = last
        .frames
        .get(1)
        .map(|frame| frame.size)
        .unwrap_or_default();
    let text = response.as_deref().map(lossy);
    let shape = ResultShape::of(&row.method);
    // Its result came later, and stands among the tasks.
    let task = text.as_deref().map(str::as_bytes);
    let task = task.and_then(TaskFacts::created);
    let shape = shape.filter(|_| task.is_none());
    let parsed = text.as_ref().map(|text| parse_response(text, shape));
    let end = match (&parsed, operation.outcome) {
        (Some(parsed), _) if parsed.error.is_some() => RequestEnd::Error,
        (Some(_), _) => RequestEnd::Result,
        (None, Outcome::Cancelled) => RequestEnd::Cancelled,
        (None, Outcome::Error) => RequestEnd::Refused,
        (None, _) => RequestEnd::ConnectionLost,
    };
    let times = [
        operation.duration.unwrap_or_default(),
        operation.person_time,
    ];
    let frames = [Some(row.request_frame), row.response_frame];
    let (result, error) = match parsed {
        Some(parsed) => (parsed.result, parsed.error),
        None => (None, None),
    };
    Ok(CallReport {
        request: RequestOutcome::on_record(end, frames, times, size),
        result,
        error,
        task,
        freshness: None,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn arguments_are_shortened_to_one_line() {
        assert_eq!(one_line(b"{\n  \"a\":  1\n}"), "{ \"a\": 1 }");
        assert_eq!(one_line(b""), "");
        let long = one_line("é".repeat(5_000).as_bytes());
        assert_eq!(long.chars().count(), MAX_SHORT_CHARS + 1);
        assert!(long.ends_with('…'));
        assert!(one_line(&[0xff; 10]).contains('\u{fffd}'));
    }
}
