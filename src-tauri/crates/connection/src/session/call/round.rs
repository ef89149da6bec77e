//! Result of sending a request once: an answer, questions that come before one, or nothing.

use std::{
    collections::BTreeMap,
    time::{Duration, Instant},
};

use bytes::Bytes;
use serde::Deserialize;
use serde_json::value::RawValue;
use sightglass_model::{Era, FrameId};

use crate::{
    RequestEnd, RequestReport, Verbatim, rpc::peer::Answer, session::context::Session,
    transport::error::TransportError,
};

/// The error of a request that wants pages visited first.
const URL_ELICITATION_REQUIRED: i64 = -32042;

/// End of one sending of the request.
pub(super) struct Round {
    pub request_frame: Option<FrameId>,
    /// The time in which questions of the server waited for the user.
    pub waited: Duration,
    pub outcome: Outcome,
}

/// Result of it.
pub(super) enum Outcome {
    Answered(Answer),
    Cancelled,
    TimedOut(Duration),
}

/// The time that a request has taken so far.
#[derive(Debug, Clone, Copy)]
pub(super) struct Spent {
    pub started: Instant,
    /// The time in which questions of the server waited for the user.
    pub waited: Duration,
}

impl Spent {
    pub fn duration(self) -> f64 {
        milliseconds(self.started.elapsed())
    }

    pub fn waited(self) -> f64 {
        milliseconds(self.waited)
    }
}

/// A result that asks for input.
#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct InputRequired {
    #[serde(default)]
    pub input_requests: BTreeMap<String, InputRequest>,
    #[serde(default)]
    pub request_state: Option<Box<RawValue>>,
}

#[derive(Deserialize)]
pub(super) struct InputRequest {
    pub method: String,
    #[serde(default)]
    pub params: Option<Box<RawValue>>,
}

impl Round {
    /// A request that was given up before it left.
    pub fn unsent(outcome: Outcome) -> Self {
        Self {
            request_frame: None,
            waited: Duration::ZERO,
            outcome,
        }
    }

    /// Returns true when the server cannot have acted on the request.
    pub fn never_arrived(&self) -> bool {
        match &self.outcome {
            Outcome::Answered(Answer::TransportFailed(error)) if error.never_arrived() => true,
            Outcome::Answered(Answer::TransportFailed(TransportError::Closed) | Answer::Lost) => {
                self.request_frame.is_none()
            }
            _ => false,
        }
    }

    /// The pages in an error that says that they have to be visited first (MCP 2025-11-25,
    /// elicitation in URL mode).
    pub fn pages_to_visit(&self) -> Option<Vec<Box<RawValue>>> {
        #[derive(Deserialize)]
        struct Response {
            error: ResponseError,
        }
        #[derive(Deserialize)]
        struct ResponseError {
            code: i64,
            data: Data,
        }
        #[derive(Deserialize)]
        struct Data {
            elicitations: Vec<Box<RawValue>>,
        }
        let Outcome::Answered(Answer::Message {
            text,
            is_error: true,
            ..
        }) = &self.outcome
        else {
            return None;
        };
        let response: Response = serde_json::from_slice(text).ok()?;
        let pages = response.error.data.elicitations;
        (response.error.code == URL_ELICITATION_REQUIRED && !pages.is_empty()).then_some(pages)
    }

    /// The questions in the result, in the era that has them.
    pub fn input_required(&self, era: Era) -> Option<InputRequired> {
        #[derive(Deserialize)]
        struct Response<T> {
            result: T,
        }
        #[derive(Deserialize)]
        #[serde(rename_all = "camelCase")]
        struct Kind {
            result_type: Option<String>,
        }
        let Outcome::Answered(Answer::Message {
            text,
            is_error: false,
            ..
        }) = &self.outcome
        else {
            return None;
        };
        if era == Era::Legacy || memchr::memmem::find(text, b"\"input_required\"").is_none() {
            return None;
        }
        let kind: Response<Kind> = serde_json::from_slice(text).ok()?;
        if kind.result.result_type.as_deref() != Some("input_required") {
            return None;
        }
        serde_json::from_slice::<Response<InputRequired>>(text)
            .ok()
            .map(|response| response.result)
    }

    pub fn response_frame(&self) -> Option<FrameId> {
        match &self.outcome {
            Outcome::Answered(Answer::Message { frame, .. }) => Some(*frame),
            _ => None,
        }
    }

    pub fn report(self, session: &Session, spent: Spent) -> Verbatim {
        let (end, text, message): (RequestEnd, Option<&Bytes>, Option<String>) = match &self.outcome
        {
            Outcome::Answered(Answer::Message {
                text,
                is_error: false,
                ..
            }) => (RequestEnd::Result, Some(text), None),
            Outcome::Answered(Answer::Message { text, .. }) => {
                (RequestEnd::Error, Some(text), None)
            }
            Outcome::Answered(Answer::TooLarge { size }) => (
                RequestEnd::TooLarge,
                None,
                Some(format!(
                    "the answer of {size} bytes is larger than the limit for messages"
                )),
            ),
            Outcome::Answered(Answer::TransportFailed(TransportError::Closed) | Answer::Lost) => (
                RequestEnd::ConnectionLost,
                None,
                Some("the connection ended before the answer came".to_owned()),
            ),
            Outcome::Answered(Answer::TransportFailed(error)) => {
                // It can hold what the server answered, and with it what we sent.
                let words = session
                    .context
                    .peer
                    .connection
                    .recorder
                    .masked(&error.to_string());
                (RequestEnd::ConnectionLost, None, Some(words))
            }
            Outcome::Cancelled => (RequestEnd::Cancelled, None, None),
            Outcome::TimedOut(limit) => (
                RequestEnd::TimedOut,
                None,
                Some(match spent.waited.is_zero() {
                    true => format!("no answer within {} s", limit.as_secs_f64()),
                    false => format!(
                        "no answer within {} s, without the time in which its questions waited",
                        limit.as_secs_f64()
                    ),
                }),
            ),
        };
        let size = text.map_or(0.0, |text| text.len() as f64);
        Verbatim {
            report: RequestReport {
                end,
                request_frame: self.request_frame,
                response_frame: self.response_frame(),
                duration: spent.duration(),
                waited: spent.waited(),
                size,
                message,
            },
            answer: text.cloned(),
        }
    }

    pub fn ended_by(&self, end: RequestEnd, spent: Spent) -> Verbatim {
        Verbatim {
            report: RequestReport {
                end,
                request_frame: self.request_frame,
                response_frame: self.response_frame(),
                duration: spent.duration(),
                waited: spent.waited(),
                size: 0.0,
                message: None,
            },
            answer: None,
        }
    }
}
