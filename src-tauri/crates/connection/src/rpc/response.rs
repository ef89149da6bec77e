//! Response to a request, and the outcome of a request with or without one.

use std::{fmt, time::Duration};

use bytes::Bytes;
use serde::Serialize;
use sightglass_model::{ByteCount, Failure, FailureReport, FrameId, Millis};
use sightglass_traffic::{ConnectionRecorder, MessageKind, Recorded};

use crate::{
    rpc::loss::masked_report,
    transport::error::{TransportError, stray_words},
};

/// Response to a request of ours: a result or an error.
#[derive(Clone, PartialEq)]
pub struct Response {
    /// Frame of the request.
    pub request_frame: Option<FrameId>,
    pub frame: FrameId,
    /// Text as it crossed the wire, with its secrets. It is for the caller and not for keeping.
    pub text: Bytes,
    /// Text as it is on record, with secrets masked; shares `text` where it has none.
    pub recorded: Bytes,
    pub is_error: bool,
    /// Time from sending the request to the response.
    pub round_trip: Duration,
}

impl Response {
    /// Makes the response of a message; the rest is known once its request is.
    pub(crate) fn new(text: &Bytes, recorded: &Recorded<'_>) -> Self {
        Self {
            request_frame: None,
            frame: recorded.frame,
            text: text.clone(),
            recorded: recorded.text.clone(),
            is_error: recorded.envelope.kind == MessageKind::ErrorResponse,
            round_trip: Duration::ZERO,
        }
    }
}

impl fmt::Debug for Response {
    /// Leaves the text out, which may hold secrets.
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter
            .debug_struct("Response")
            .field("frame", &self.frame)
            .field("is_error", &self.is_error)
            .field("round_trip", &self.round_trip)
            .finish_non_exhaustive()
    }
}

/// Answer that fits no request: its id was never given to one.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct StrayAnswer {
    words: String,
    /// Number that its id says in another way than it was sent: `"1"` or `1.0`.
    pub number: Option<u64>,
    /// The message.
    pub text: Bytes,
}

impl StrayAnswer {
    pub(crate) fn new(id: &str, text: &Bytes) -> Self {
        Self {
            words: stray_words(id),
            number: number_in(id),
            text: text.clone(),
        }
    }
}

/// Returns the whole number that an id says, also as a text or with a fraction of zero.
fn number_in(id: &str) -> Option<u64> {
    let id = id.trim_matches('"');
    let whole = id.split_once('.').map_or(id, |(whole, fraction)| {
        match fraction.bytes().all(|digit| digit == b'0') {
            true => whole,
            false => id,
        }
    });
    whole.parse().ok()
}

impl fmt::Display for StrayAnswer {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(&self.words)
    }
}

/// Reason why a request has no response.
#[derive(Debug, Clone)]
pub(crate) enum RequestError {
    /// The response was larger than the limit for messages.
    TooLarge { size: usize },
    /// The transport could not carry the request or its response.
    Transport(TransportError),
    /// The connection ended.
    Lost,
    /// The user cancelled it.
    Cancelled,
    /// No response within this limit.
    TimedOut {
        limit: Duration,
        /// Answer that came meanwhile and may have been meant for it.
        stray: Option<StrayAnswer>,
    },
    /// The server asked for input this many times.
    TooManyRounds(usize),
}

impl RequestError {
    /// Returns true when the server cannot have acted on the request, which was sent as
    /// `request_frame`.
    fn never_arrived(&self, request_frame: Option<FrameId>) -> bool {
        match self {
            Self::Transport(error) if error.never_arrived() => true,
            Self::Transport(TransportError::Closed) | Self::Lost => request_frame.is_none(),
            _ => false,
        }
    }

    /// Explains a failure of the transport, with the secrets masked.
    fn failure(&self, recorder: &ConnectionRecorder) -> Option<FailureReport> {
        let Self::Transport(error) = self else {
            return None;
        };
        if matches!(error, TransportError::Closed) {
            return None;
        }
        Some(masked_report(Failure::from(error.clone()), recorder))
    }

    fn end(&self) -> RequestEnd {
        match self {
            Self::TooLarge { .. } => RequestEnd::TooLarge,
            Self::Transport(error) if error.is_refusal() => RequestEnd::Refused,
            Self::Transport(_) | Self::Lost => RequestEnd::ConnectionLost,
            Self::Cancelled => RequestEnd::Cancelled,
            Self::TimedOut { .. } => RequestEnd::TimedOut,
            Self::TooManyRounds(_) => RequestEnd::Error,
        }
    }

    /// Says why there is no response. `waited` is the time in which questions waited.
    fn message(&self, waited: Duration, recorder: &ConnectionRecorder) -> Option<String> {
        Some(match self {
            Self::TooLarge { size } => {
                format!("the answer of {size} bytes is larger than the message limit")
            }
            Self::Transport(TransportError::Closed) | Self::Lost => {
                "the connection ended before the answer came".to_owned()
            }
            // It can hold what the server answered, and with it what we sent.
            Self::Transport(error) => recorder.masked(&error.to_string()),
            Self::Cancelled => return None,
            Self::TimedOut { limit, stray } => {
                let without = match waited.is_zero() {
                    true => "",
                    false => ", without the time in which its questions waited",
                };
                let stray = stray.as_ref().map(|stray| format!("; {stray}"));
                let stray = recorder.masked(&stray.unwrap_or_default());
                format!("no answer within {} s{without}{stray}", limit.as_secs_f64())
            }
            Self::TooManyRounds(rounds) => {
                format!("the server asked for input {rounds} times without a result")
            }
        })
    }
}

/// End of a request of ours.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, specta::Type)]
#[serde(rename_all = "camelCase")]
pub enum RequestEnd {
    /// A JSON-RPC result came.
    Result,
    /// A JSON-RPC error came.
    Error,
    /// The user cancelled it.
    Cancelled,
    /// No answer within the limit.
    TimedOut,
    /// The connection ended first.
    ConnectionLost,
    /// HTTP refused it: no permission, another status that is no success, or an answer that is no
    /// MCP.
    Refused,
    /// The answer was larger than the limit for messages.
    TooLarge,
}

/// Outcome of a request of ours.
#[derive(Debug, Clone, PartialEq, Serialize, specta::Type)]
#[serde(rename_all = "camelCase")]
pub struct RequestOutcome {
    pub end: RequestEnd,
    /// The frames on record; the last request's in a multi-round call.
    pub request_frame: Option<FrameId>,
    pub response_frame: Option<FrameId>,
    /// The first request's frame, which differs from `request_frame` in a multi-round call.
    #[serde(skip)]
    pub first_frame: Option<FrameId>,
    /// Number of requests that were sent.
    #[serde(skip)]
    pub rounds: u32,
    /// Time from sending to the answer.
    pub duration: Millis,
    /// Time of the duration in which a question of the server waited for the user.
    pub waited: Millis,
    /// Size of the answer.
    pub size: ByteCount,
    /// Explanation, where no answer came.
    pub message: Option<String>,
    /// Failure behind it, where that is known: of the connection that ended, or of the HTTP request.
    pub failure: Option<Box<FailureReport>>,
    /// Response, where one came. It never crosses to the window, which reads the record.
    #[serde(skip)]
    pub response: Option<Response>,
    /// True when the server cannot have acted on the request, so that it may be sent again.
    #[serde(skip)]
    pub(crate) never_arrived: bool,
}

impl RequestOutcome {
    /// Makes the outcome of a request that was never sent.
    pub(crate) fn unsent(end: RequestEnd, message: Option<String>) -> Self {
        Self {
            end,
            request_frame: None,
            response_frame: None,
            first_frame: None,
            rounds: 0,
            duration: Millis::default(),
            waited: Millis::default(),
            size: ByteCount::default(),
            message,
            failure: None,
            response: None,
            never_arrived: false,
        }
    }

    /// Makes the outcome of a request that stands on record, from its first frame to its end.
    pub fn on_record(
        end: RequestEnd,
        [request_frame, response_frame]: [Option<FrameId>; 2],
        [duration, waited]: [Millis; 2],
        size: ByteCount,
    ) -> Self {
        Self {
            request_frame,
            response_frame,
            duration,
            waited,
            size,
            ..Self::unsent(end, None)
        }
    }

    /// Makes the outcome of a request that was sent, as far as `request_frame` tells.
    /// `recorder` masks the secrets in messages.
    pub(crate) fn new(
        response: Result<Response, RequestError>,
        request_frame: Option<FrameId>,
        waited: Duration,
        recorder: &ConnectionRecorder,
    ) -> Self {
        let outcome = match response {
            Ok(response) => {
                let end = match response.is_error {
                    true => RequestEnd::Error,
                    false => RequestEnd::Result,
                };
                Self {
                    response_frame: Some(response.frame),
                    size: response.text.len().into(),
                    response: Some(response),
                    ..Self::unsent(end, None)
                }
            }
            Err(error) => Self {
                never_arrived: error.never_arrived(request_frame),
                failure: error.failure(recorder).map(Box::new),
                ..Self::unsent(error.end(), error.message(waited, recorder))
            },
        };
        Self {
            request_frame,
            waited: waited.into(),
            ..outcome
        }
    }
}
