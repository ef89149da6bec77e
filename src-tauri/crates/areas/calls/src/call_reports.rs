//! Reports of answers: what a response holds, taken apart for who asked.

use std::{borrow::Cow, sync::Arc};

use bytes::Bytes;
use sightglass_area_core::{core::Core, error::InspectorError, view::CallReport};
use sightglass_connection::{RequestOutcome, TaskFacts};

use crate::{
    client_limits::ClientResultLimits,
    result::{ResultShape, parse_response},
    schema::OutputCheck,
};

/// Answers and definitions of tools up to this many bytes are taken apart on the caller's task:
/// the hop to a thread that may block would take longer.
const MAX_INLINE_BYTES: usize = 16 * 1024;

/// Reports of answers.
pub struct CallReports {
    pub(crate) core: Arc<Core>,
    pub(crate) client_limits: Arc<ClientResultLimits>,
}

impl CallReports {
    /// Reports a response as it is on record, with secrets masked.
    pub async fn masked_report(
        &self,
        mut outcome: RequestOutcome,
        shape: Option<ResultShape>,
        tool: Option<Box<str>>,
    ) -> Result<CallReport, InspectorError> {
        let text = outcome.response.take().map(|response| response.recorded);
        self.report(outcome, text, shape, tool).await
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
    let text = String::from_utf8_lossy(response);
    let task = (shape == Some(ResultShape::Tool))
        .then(|| TaskFacts::created(&text))
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

fn without_result(request: RequestOutcome) -> CallReport {
    CallReport {
        request,
        result: None,
        error: None,
        task: None,
        freshness: None,
    }
}
