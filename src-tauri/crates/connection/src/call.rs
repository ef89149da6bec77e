//! One request of the person's, from its text to its report.
//!
//! In the stateless era a result can ask for input first. Then the questions go to the
//! inbox, and the request is sent again with the answers and the server's state, until a
//! result comes (MCP 2026-07-28, multi-round-trip requests).

use std::{
    collections::BTreeMap,
    sync::Arc,
    time::{Duration, Instant},
};

use bytes::Bytes;
use futures::future::join_all;
use serde::Deserialize;
use serde_json::value::RawValue;
use sightglass_model::{Era, FrameId};
use tokio::time::sleep_until;
use tokio_util::sync::CancellationToken;

use crate::{
    ConnectionEvent, RequestEnd, RequestReport, ServerAnswer, Verbatim,
    handshake::roots_result,
    inbox::Question,
    json::{Members, Params, quoted},
    link_error::LinkError,
    session::Session,
    sync::lock,
    wire::{Answer, Answered, NewRequest, Outbound, ProgressSlot, milliseconds},
};

/// Progress is told at most this often; the last one always.
const PROGRESS_INTERVAL: Duration = Duration::from_millis(50);
/// The error of a request that wants pages visited first.
const URL_ELICITATION_REQUIRED: i64 = -32042;
/// A server that asks more often than this does not mean to answer.
const MOST_ROUNDS: usize = 32;

/// What one run of a request came to.
pub(crate) struct Run {
    pub ended: Verbatim,
    /// Whether the server cannot have acted on it, so that it may be sent again.
    pub never_arrived: bool,
}

/// Sends the request and waits for its end.
pub(crate) async fn run(
    session: Arc<Session>,
    key: &str,
    method: &str,
    params: &Params,
    cancel: &CancellationToken,
) -> Run {
    let _running = session.start();
    let started = Instant::now();
    let call = Call {
        session: &session,
        key,
        method,
        cancel,
    };
    let mut round_params = params.clone();
    let mut first = true;
    for _ in 0..MOST_ROUNDS {
        let round = call.round(&round_params).await;
        let never_arrived = std::mem::take(&mut first) && round.never_arrived();
        if let Some(pages) = round.pages_to_visit() {
            if call.visit(pages, round.response_frame()).await {
                continue;
            }
            return round.report(&session, started).into();
        }
        let Some(asked) = round.input_required(session.speaker.era) else {
            return Run {
                ended: round.report(&session, started),
                never_arrived,
            };
        };
        match call.ask(asked, round.response_frame()).await {
            Some(members) => {
                let members: Vec<(&str, &str)> = members
                    .iter()
                    .map(|(name, text)| (*name, text.as_str()))
                    .collect();
                round_params = params.with_members(&members);
            }
            None => return round.ended_by(RequestEnd::Cancelled, started).into(),
        }
    }
    Verbatim {
        report: RequestReport {
            end: RequestEnd::Error,
            request_frame: None,
            response_frame: None,
            duration: milliseconds(started.elapsed()),
            size: 0.0,
            message: Some(format!(
                "the server asked for input {MOST_ROUNDS} times without a result"
            )),
        },
        answer: None,
    }
    .into()
}

impl From<Verbatim> for Run {
    fn from(ended: Verbatim) -> Self {
        Self {
            ended,
            never_arrived: false,
        }
    }
}

struct Call<'a> {
    session: &'a Arc<Session>,
    key: &'a str,
    method: &'a str,
    cancel: &'a CancellationToken,
}

/// How one sending of the request ended.
struct Round {
    request_frame: Option<FrameId>,
    outcome: Outcome,
}

enum Outcome {
    Answered(Answer),
    Cancelled,
    TimedOut(Duration),
}

impl Call<'_> {
    /// Sends the request once and waits for what comes of it.
    async fn round(&self, params: &Params) -> Round {
        let speaker = &self.session.speaker;
        let wire = &speaker.wire;
        let slot = Arc::new(ProgressSlot::default());
        let limit = self.session.request_limit();
        let mut deadline = limit.map(|limit| Instant::now() + limit);
        let level = speaker.log_level();
        let meta = speaker.call_meta(level.as_deref());
        let request = wire.request(NewRequest {
            method: self.method,
            params,
            meta: &meta,
            progress: Some(Arc::clone(&slot)),
            acknowledged: None,
        });
        let mut ticket = tokio::select! {
            biased;
            ticket = request => ticket,
            () = self.cancel.cancelled() => {
                return Round { request_frame: None, outcome: Outcome::Cancelled };
            }
            // The server does not read what is sent.
            () = sleep_to(deadline), if deadline.is_some() => {
                let outcome = Outcome::TimedOut(limit.unwrap_or_default());
                return Round { request_frame: None, outcome };
            }
        };
        lock(&wire.calls).insert(ticket.id, self.key.to_owned());
        let mut told: Option<Instant> = None;
        let outcome = loop {
            let quiet_until = told
                .map(|told| told + PROGRESS_INTERVAL)
                .filter(|until| *until > Instant::now());
            tokio::select! {
                biased;
                answered = ticket.answer() => break Ok(answered),
                () = self.cancel.cancelled() => break Err(Outcome::Cancelled),
                () = slot.arrived.notified(), if quiet_until.is_none() => {
                    deadline = limit.map(|limit| Instant::now() + limit);
                    told = Some(Instant::now());
                    self.tell_progress(&slot);
                }
                () = sleep_to(quiet_until), if quiet_until.is_some() => {}
                () = sleep_to(deadline), if deadline.is_some() => {
                    // Progress may have come while it was too early to tell it.
                    if lock(&slot.newest).is_some() {
                        deadline = limit.map(|limit| Instant::now() + limit);
                    } else {
                        break Err(Outcome::TimedOut(limit.unwrap_or_default()));
                    }
                }
            }
        };
        self.tell_progress(&slot);
        lock(&wire.calls).remove(&ticket.id);
        match outcome {
            Ok(Answered {
                answer,
                request_frame,
                ..
            }) => Round {
                request_frame,
                outcome: Outcome::Answered(answer),
            },
            Err(outcome) => {
                let request_frame = ticket.request_frame();
                let id = ticket.id;
                // Ends the exchange over HTTP, which is the whole of it in the stateless era.
                drop(ticket);
                self.tell_server(id, &outcome).await;
                Round {
                    request_frame,
                    outcome,
                }
            }
        }
    }

    /// `notifications/cancelled`, so that the server stops too.
    async fn tell_server(&self, id: u64, outcome: &Outcome) {
        let wire = &self.session.speaker.wire;
        if self.session.speaker.era == Era::Modern && wire.http().is_some() {
            return;
        }
        let reason = match outcome {
            Outcome::TimedOut(limit) => format!("no answer within {} ms", limit.as_millis()),
            Outcome::Cancelled | Outcome::Answered(_) => "cancelled by the user".to_owned(),
        };
        let text = format!(
            r#"{{"jsonrpc":"2.0","method":"notifications/cancelled","params":{{"requestId":{id},"reason":{}}}}}"#,
            quoted(&reason)
        );
        let wire = Arc::clone(wire);
        // A server that does not read must not hold up the report. Nobody is told whether
        // it arrived: the request is over either way.
        tokio::spawn(async move {
            let _ = wire
                .send(Outbound {
                    text: text.into(),
                    request: None,
                })
                .await;
        });
    }

    fn tell_progress(&self, slot: &ProgressSlot) {
        let Some(progress) = lock(&slot.newest).take() else {
            return;
        };
        let wire = &self.session.speaker.wire;
        wire.emit(ConnectionEvent::Progress {
            server: wire.server.clone(),
            call: self.key.to_owned(),
            progress,
        });
    }

    /// Puts the server's questions and waits for all answers. Yields the members to send
    /// along, or nothing when the call is cancelled or the connection ends.
    async fn ask(
        &self,
        asked: InputRequired,
        frame: Option<FrameId>,
    ) -> Option<Vec<(&'static str, String)>> {
        let wire = &self.session.speaker.wire;
        let answers = asked
            .input_requests
            .into_iter()
            .map(|(name, question)| async move {
                let answer = match question.method.as_str() {
                    "roots/list" => Some(ServerAnswer::Result {
                        json: roots_result(&self.session.roots),
                    }),
                    _ => {
                        wire.inbox
                            .ask(Question {
                                server: wire.server.clone(),
                                method: question.method,
                                params: question
                                    .params
                                    .map_or_else(|| "{}".to_owned(), |raw| raw.get().to_owned()),
                                call: Some(self.key.to_owned()),
                                frame,
                                wire_id: None,
                                before_another_try: false,
                            })
                            .await
                    }
                };
                Some((name, answer?))
            });
        let answers = tokio::select! {
            answers = join_all(answers) => answers,
            () = self.cancel.cancelled() => return None,
            () = wire.ended.cancelled() => return None,
        };
        let mut responses = String::from("{");
        for answer in answers {
            let (name, answer) = answer?;
            if responses.len() > 1 {
                responses.push(',');
            }
            responses.push_str(&quoted(&name));
            responses.push(':');
            match answer {
                ServerAnswer::Result { json } => {
                    responses.push_str(&json.replace(['\n', '\r'], " "))
                }
                // There is no error in this place of the protocol; declining is the nearest.
                ServerAnswer::Error { .. } => responses.push_str(r#"{"action":"decline"}"#),
            }
        }
        responses.push('}');
        let mut members = vec![("inputResponses", responses)];
        members.extend(
            asked
                .request_state
                .map(|state| ("requestState", state.get().to_owned())),
        );
        Some(members)
    }
}

impl Call<'_> {
    /// Asks the person to visit pages, and waits until all are dealt with. False when one was
    /// declined, or the call or the connection ended.
    async fn visit(&self, pages: Vec<Box<RawValue>>, frame: Option<FrameId>) -> bool {
        let wire = &self.session.speaker.wire;
        let visits = pages.into_iter().map(|page| {
            wire.inbox.ask(Question {
                server: wire.server.clone(),
                method: "elicitation/create".to_owned(),
                params: page.get().to_owned(),
                call: Some(self.key.to_owned()),
                frame,
                wire_id: None,
                before_another_try: true,
            })
        });
        let answers = tokio::select! {
            answers = join_all(visits) => answers,
            () = self.cancel.cancelled() => return false,
            () = wire.ended.cancelled() => return false,
        };
        answers.into_iter().all(|answer| match answer {
            Some(ServerAnswer::Result { json }) => {
                let action = Members::parse(&json)
                    .ok()
                    .and_then(|answer| answer.string("action"));
                action.as_deref() == Some("accept")
            }
            _ => false,
        })
    }
}

async fn sleep_to(moment: Option<Instant>) {
    match moment {
        Some(moment) => sleep_until(moment.into()).await,
        None => std::future::pending().await,
    }
}

/// A result that asks for input.
#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct InputRequired {
    #[serde(default)]
    input_requests: BTreeMap<String, InputRequest>,
    #[serde(default)]
    request_state: Option<Box<RawValue>>,
}

#[derive(Deserialize)]
struct InputRequest {
    method: String,
    #[serde(default)]
    params: Option<Box<RawValue>>,
}

impl Round {
    /// Whether the server cannot have acted on the request.
    fn never_arrived(&self) -> bool {
        match &self.outcome {
            Outcome::Answered(Answer::LinkFailed(error)) if error.never_arrived() => true,
            Outcome::Answered(Answer::LinkFailed(LinkError::Closed) | Answer::Lost) => {
                self.request_frame.is_none()
            }
            _ => false,
        }
    }

    /// The pages in an error that says that they have to be visited first (MCP 2025-11-25,
    /// elicitation in URL mode).
    fn pages_to_visit(&self) -> Option<Vec<Box<RawValue>>> {
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
    fn input_required(&self, era: Era) -> Option<InputRequired> {
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

    fn response_frame(&self) -> Option<FrameId> {
        match &self.outcome {
            Outcome::Answered(Answer::Message { frame, .. }) => Some(*frame),
            _ => None,
        }
    }

    fn report(self, session: &Session, started: Instant) -> Verbatim {
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
            Outcome::Answered(Answer::LinkFailed(LinkError::Closed) | Answer::Lost) => (
                RequestEnd::ConnectionLost,
                None,
                Some("the connection ended before the answer came".to_owned()),
            ),
            Outcome::Answered(Answer::LinkFailed(error)) => {
                // It can hold what the server answered, and with it what we sent.
                let words = session.speaker.wire.tape.masked(&error.to_string());
                (RequestEnd::ConnectionLost, None, Some(words))
            }
            Outcome::Cancelled => (RequestEnd::Cancelled, None, None),
            Outcome::TimedOut(limit) => (
                RequestEnd::TimedOut,
                None,
                Some(format!("no answer within {} s", limit.as_secs_f64())),
            ),
        };
        let size = text.map_or(0.0, |text| text.len() as f64);
        Verbatim {
            report: RequestReport {
                end,
                request_frame: self.request_frame,
                response_frame: self.response_frame(),
                duration: milliseconds(started.elapsed()),
                size,
                message,
            },
            answer: text.cloned(),
        }
    }

    fn ended_by(&self, end: RequestEnd, started: Instant) -> Verbatim {
        Verbatim {
            report: RequestReport {
                end,
                request_frame: self.request_frame,
                response_frame: self.response_frame(),
                duration: milliseconds(started.elapsed()),
                size: 0.0,
                message: None,
            },
            answer: None,
        }
    }
}
