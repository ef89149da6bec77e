//! Responses that are not final: they ask for input, or for pages to be visited, first.

use std::collections::BTreeMap;

use serde::Deserialize;
use serde_json::value::RawValue;
use sightglass_model::Era;

use crate::rpc::response::{RequestError, Response};

/// The error of a request that wants pages visited first.
const URL_ELICITATION_REQUIRED: i64 = -32042;

/// A result that asks for input.
#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct InputRequiredResult {
    #[serde(default)]
    pub input_requests: BTreeMap<String, InputRequest>,
    pub request_state: Option<Box<RawValue>>,
}

#[derive(Deserialize)]
pub(super) struct InputRequest {
    pub method: String,
    pub params: Option<Box<RawValue>>,
}

/// Returns the pages in an error that says that they have to be visited first (MCP 2025-11-25,
/// elicitation in URL mode).
pub(super) fn pages_to_visit(
    response: &Result<Response, RequestError>,
) -> Option<Vec<Box<RawValue>>> {
    #[derive(Deserialize)]
    struct Answer {
        error: AnswerError,
    }
    #[derive(Deserialize)]
    struct AnswerError {
        code: i64,
        data: InputData,
    }
    #[derive(Deserialize)]
    struct InputData {
        elicitations: Vec<Box<RawValue>>,
    }
    let answer = response.as_ref().ok().filter(|answer| answer.is_error)?;
    let answer: Answer = serde_json::from_slice(&answer.text).ok()?;
    let pages = answer.error.data.elicitations;
    (answer.error.code == URL_ELICITATION_REQUIRED && !pages.is_empty()).then_some(pages)
}

/// Returns the questions in the result, in the era that has them.
pub(super) fn input_required(
    response: &Result<Response, RequestError>,
    era: Era,
) -> Option<InputRequiredResult> {
    #[derive(Deserialize)]
    struct Answer<T> {
        result: T,
    }
    #[derive(Deserialize)]
    #[serde(rename_all = "camelCase")]
    struct ResultKind {
        result_type: Option<String>,
    }
    let text = &response
        .as_ref()
        .ok()
        .filter(|answer| !answer.is_error)?
        .text;
    if era == Era::Legacy || memchr::memmem::find(text, b"\"input_required\"").is_none() {
        return None;
    }
    let kind: Answer<ResultKind> = serde_json::from_slice(text).ok()?;
    if kind.result.result_type.as_deref() != Some("input_required") {
        return None;
    }
    serde_json::from_slice::<Answer<InputRequiredResult>>(text)
        .ok()
        .map(|answer| answer.result)
}
