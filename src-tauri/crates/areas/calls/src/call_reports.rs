//! Reports of answers: what a response holds, taken apart for who asked.

use std::{borrow::Cow, sync::Arc};

use bytes::Bytes;
use sightglass_area_core::{
    core::Core,
    error::InspectorError,
    view::{BlockBody, CallReport, PartView, ResultView},
};
use sightglass_connection::{RequestOutcome, TaskFacts};
use sightglass_json_text::lossy;
use sightglass_traffic::{PayloadForm, PayloadQuery};

use crate::{
    client_limits::ClientResultLimits,
    result::{ResultShape, parse_response},
    schema::OutputCheck,
};

/// Answers and definitions of tools up to this many bytes are taken apart on the caller's task:
/// the hop to a thread that may block would take longer.
const MAX_INLINE_BYTES: usize = 16 * 1024;

/// Lines of a long part that travel with the report: as many as the window asks for at once.
const FIRST_LINES: u32 = 200;

/// Reports of answers.
pub struct CallReports {
    pub(crate) core: Arc<Core>,
    pub(crate) client_limits: Arc<ClientResultLimits>,
}

impl CallReports {
    /// Reports a response as it is on record, with secrets masked. The first lines of what is too
    /// long to travel whole come along: it is at hand here, and soon on the disk alone.
    pub async fn masked_report(
        &self,
        mut outcome: RequestOutcome,
        shape: Option<ResultShape>,
        tool: Option<Box<str>>,
    ) -> Result<CallReport, InspectorError> {
        let text = outcome.response.take().map(|response| response.recorded);
        let mut report = self.report(outcome, text.clone(), shape, tool).await?;
        if let Some(frame) = report.request.response_frame
            && let Some(payload) = text
            && let Some((part, form)) = report.result.as_mut().and_then(first_long_part)
        {
            let query = PayloadQuery {
                frame,
                pointer: part.pointer.clone(),
                form,
            };
            let lines = self.core.blocking(move |recorder| {
                Ok(recorder.first_lines(&query, payload, FIRST_LINES)?)
            });
            // Without them the window asks for them, and says why there are none.
            part.lines = lines.await.ok();
        }
        Ok(report)
    }

    /// Reports a response by `text`, as it crossed the wire or as it is on record; `tool` is the
    /// definition of the tool that was called. `request` says what became of the request, also
    /// where there is no text.
    pub async fn report(
        &self,
        request: RequestOutcome,
        text: Option<Bytes>,
        shape: Option<ResultShape>,
        tool: Option<Box<str>>,
    ) -> Result<CallReport, InspectorError> {
        let Some(text) = text else {
            return Ok(without_result(request));
        };
        let is_short = text.len().max(tool.as_deref().map_or(0, str::len)) <= MAX_INLINE_BYTES;
        let (mut report, check) = if is_short {
            call_report(request, &text, shape, tool.as_deref())
        } else {
            self.core
                .blocking(move |_| Ok(call_report(request, &text, shape, tool.as_deref())))
                .await?
        };
        if shape == Some(ResultShape::Tool)
            && let Some(result) = &mut report.result
        {
            result.client_limits = self.client_limits.exceeded_limits(result);
            result.client_images = self.client_limits.withheld_images(result);
        }
        if let (Some(result), Some(check)) = (&mut report.result, check) {
            result.schema_check = Some(check.run().await);
        }
        Ok(report)
    }
}

/// Takes a response apart. The check of its result against the tool's output schema is still to be
/// made.
fn call_report(
    request: RequestOutcome,
    response: &[u8],
    shape: Option<ResultShape>,
    tool: Option<&str>,
) -> (CallReport, Option<OutputCheck>) {
    let text = lossy(response);
    let task = (shape == Some(ResultShape::Tool))
        .then(|| TaskFacts::created(text.as_bytes()))
        .flatten();
    if task.is_some() {
        let report = without_result(request);
        return (CallReport { task, ..report }, None);
    }
    let parsed = parse_response(&text, shape);
    let mut result = parsed.result;
    if let (Some(result), Cow::Owned(_)) = (&mut result, &text) {
        // RFC 8259, section 8.1.
        result
            .problems
            .push("The response is not valid UTF-8; what is not is shown as \u{fffd}.".to_owned());
    }
    let check = match (&result, tool) {
        (Some(result), Some(tool)) if !result.is_error => OutputCheck::of(tool, parsed.structured),
        _ => None,
    };
    let report = CallReport {
        result,
        error: parsed.error,
        ..without_result(request)
    };
    (report, check)
}

/// Returns the part that is shown first of those that do not travel whole, and the form in which it
/// is shown.
fn first_long_part(result: &mut ResultView) -> Option<(&mut PartView, PayloadForm)> {
    let structured = result.structured.iter_mut();
    let structured = structured.map(|part| (part, PayloadForm::Pretty));
    let blocks = result.blocks.iter_mut();
    let blocks = blocks.filter_map(|block| match &mut block.body {
        BlockBody::Text { text } | BlockBody::TextResource { text, .. } => {
            Some((text, PayloadForm::Text))
        }
        BlockBody::Unknown { json, .. } => Some((json, PayloadForm::Pretty)),
        _ => None,
    });
    structured
        .chain(blocks)
        .find(|(part, _)| part.text.is_none())
}

fn without_result(request: RequestOutcome) -> CallReport {
    CallReport {
        request,
        result: None,
        error: None,
        task: None,
        freshness: None,
    }
}
