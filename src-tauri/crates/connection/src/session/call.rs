//! Runs one request of the user's, from its parameters to its outcome: in rounds, each of which the
//! peer sends and answers. `connections/requests.rs` waits for its turn before.
//!
//! In the stateless era a result can ask for input first. Then the questions go to the
//! inbox, and the request is sent again with the answers and the server's state, until a
//! result comes (MCP 2026-07-28, multi-round-trip requests).

mod input_required;

use std::{
    sync::{Arc, Mutex},
    time::{Duration, Instant},
};

use futures::future::join_all;
use serde_json::value::RawValue;
use sightglass_json_text::{Members, object, quoted};
use sightglass_model::{Era, Failure, FrameId};
use tokio::time::{sleep_until, timeout};
use tokio_util::sync::CancellationToken;

use crate::{
    ConnectionEvent, ServerAnswer, TaskFacts,
    json::Params,
    rpc::{
        clock::CallClock,
        inbox::IncomingQuestion,
        peer::{OutgoingRequest, Peer, ProgressSlot, RunningCall},
        response::{RequestEnd, RequestError, RequestOutcome, Response},
    },
    session::context::LiveSession,
    sync::lock,
    transport::Outbound,
};
use input_required::{InputRequiredResult, input_required, pages_to_visit};

/// Progress is reported at most this often; the last one always.
const PROGRESS_INTERVAL: Duration = Duration::from_millis(50);
/// A server that asks more often than this does not mean to answer.
const MAX_ROUNDS: usize = 32;
/// The request that waits for the end of a task.
pub(crate) const TASK_RESULT: &str = "tasks/result";

/// Sends the request and waits for its end. Questions of the server that belong to it end with
/// it, unless it was answered.
pub(crate) async fn run(
    session: Arc<LiveSession>,
    key: &str,
    method: &str,
    params: &Params,
    cancel: &CancellationToken,
) -> RequestOutcome {
    // One that waits for a task waits with the user, who goes on with other things.
    let _running = (method != TASK_RESULT).then(|| session.start());
    let call = OutgoingCall {
        session: &session,
        key,
        method,
        cancel,
    };
    let peer = &session.context.peer;
    let outcome = explained(call.rounds(params).await, peer).await;
    if outcome.response.is_some() {
        peer.inbox.call_answered(&peer.key, key);
    } else {
        peer.inbox.call_ended(&peer.key, key);
    }
    outcome
}

/// Time in which a program that closed its pipes has ended.
const END_TIMEOUT: Duration = Duration::from_millis(500);

/// Adds why the connection ended, to a request that was lost with it.
async fn explained(mut outcome: RequestOutcome, peer: &Peer) -> RequestOutcome {
    if outcome.end != RequestEnd::ConnectionLost || outcome.failure.is_some() {
        return outcome;
    }
    // The pipes of a program close before its exit is known.
    let _ = timeout(END_TIMEOUT, peer.connection.ended.cancelled()).await;
    outcome.failure = peer.loss_report().map(Box::new);
    if let Some(report) = &outcome.failure
        && let Failure::Exited { .. } = report.failure
    {
        outcome.message = Some(format!("the program {} before it answered", report.failure));
    }
    outcome
}

/// Returns the name of what a request of the user's is about.
fn target_of(method: &str, params: &Params) -> Option<Arc<str>> {
    let member = match method {
        "tools/call" | "prompts/get" => "name",
        "resources/read" => "uri",
        _ => return None,
    };
    let members = Members::parse(params.text()).ok()?;
    Some(members.string(member)?.into())
}

/// One sending of a request.
struct Round {
    request_frame: Option<FrameId>,
    /// Time in which questions of the server waited for the user.
    waited: Duration,
    response: Result<Response, RequestError>,
}

impl Round {
    /// A request that was given up before it left.
    fn unsent(error: RequestError) -> Self {
        Self {
            request_frame: None,
            waited: Duration::ZERO,
            response: Err(error),
        }
    }
}

/// Sends one request that the user did not ask for, such as a question after a task, and waits for
/// its end: it has no turn in the queue, and the status does not show it.
pub(crate) async fn run_unseen(
    session: &LiveSession,
    method: &str,
    params: &Params,
) -> RequestOutcome {
    let context = &session.context;
    let mut pending = context
        .peer
        .request(OutgoingRequest::plain(method, params, &context.meta()))
        .await;
    let limit = session.request_limit().unwrap_or(Duration::MAX);
    let response = match tokio::time::timeout(limit, pending.response()).await {
        Ok(response) => response,
        Err(_) => Err(pending.timed_out(limit)),
    };
    let request_frame = pending.request_frame();
    let recorder = &context.peer.connection.recorder;
    RequestOutcome::new(response, request_frame, Duration::ZERO, recorder)
}

fn creates_task(response: &Response) -> bool {
    TaskFacts::created(&response.text).is_some()
}

struct OutgoingCall<'a> {
    session: &'a Arc<LiveSession>,
    key: &'a str,
    method: &'a str,
    cancel: &'a CancellationToken,
}

impl OutgoingCall<'_> {
    /// Sends the request, and again after each round of questions, until it has ended.
    async fn rounds(&self, params: &Params) -> RequestOutcome {
        let started = Instant::now();
        let context = &self.session.context;
        let mut waited = Duration::ZERO;
        let mut round_params = params.clone();
        let mut last = Round::unsent(RequestError::TooManyRounds(MAX_ROUNDS));
        // Of the newest answer, whatever comes of the question in it.
        let mut frame = None;
        let mut first_frame = None;
        let mut sent_again = false;
        let mut rounds = 0;
        for _ in 0..MAX_ROUNDS {
            let round = self.round(&round_params).await;
            first_frame = first_frame.or(round.request_frame);
            rounds += 1;
            waited += round.waited;
            let asked_at = Instant::now();
            frame = round.response.as_ref().ok().map(|response| response.frame);
            if let Some(pages) = pages_to_visit(&round.response) {
                let visited = self.visit(pages, frame).await;
                waited += asked_at.elapsed();
                if !visited {
                    last = round;
                    break;
                }
            } else if let Some(asked) = input_required(&round.response, context.era) {
                let answers = self.ask(asked, frame).await;
                waited += asked_at.elapsed();
                let Some(members) = answers else {
                    last = Round {
                        response: Err(RequestError::Cancelled),
                        ..round
                    };
                    break;
                };
                let members: Vec<(&str, &str)> = members
                    .iter()
                    .map(|(name, text)| (*name, text.as_str()))
                    .collect();
                round_params = params.with_members(&members);
            } else {
                last = round;
                break;
            }
            sent_again = true;
        }
        let recorder = &context.peer.connection.recorder;
        let outcome = RequestOutcome::new(last.response, last.request_frame, waited, recorder);
        RequestOutcome {
            response_frame: frame,
            first_frame,
            rounds,
            duration: started.elapsed().into(),
            // A second round answers what the server asked, so it has seen the request.
            never_arrived: outcome.never_arrived && !sent_again,
            ..outcome
        }
    }

    /// Sends the request once and waits for what comes of it.
    async fn round(&self, params: &Params) -> Round {
        let context = &self.session.context;
        let peer = &context.peer;
        let slot = Arc::new(ProgressSlot::default());
        let limit = self.limit();
        let clock = Arc::new(Mutex::new(CallClock::start(limit, Instant::now())));
        let due = || lock(&clock).due();
        let level = context.log_level();
        let meta = context.call_meta(level.as_deref());
        let request = peer.request(OutgoingRequest {
            method: self.method,
            params,
            meta: &meta,
            progress: Some(Arc::clone(&slot)),
            acknowledged: None,
            target: target_of(self.method, params),
            call: Some(RunningCall {
                key: self.key.to_owned(),
                clock: Arc::clone(&clock),
            }),
        });
        let mut pending = tokio::select! {
            biased;
            pending = request => pending,
            () = self.cancel.cancelled() => return Round::unsent(RequestError::Cancelled),
            // The server does not read what is sent.
            () = sleep_to(due()) => {
                return Round::unsent(RequestError::TimedOut {
                    limit: limit.unwrap_or_default(),
                    stray: None,
                });
            }
        };
        let mut reported: Option<Instant> = None;
        let mut questions = peer.inbox.changes();
        let response = loop {
            questions.mark_unchanged();
            let is_asked = peer.inbox.has_question(&peer.key, self.key);
            lock(&clock).set_waiting(is_asked, Instant::now());
            let quiet_until = reported
                .map(|reported| reported + PROGRESS_INTERVAL)
                .filter(|until| *until > Instant::now());
            tokio::select! {
                biased;
                response = pending.response() => break response,
                () = self.cancel.cancelled() => break Err(RequestError::Cancelled),
                Ok(()) = questions.changed() => {}
                () = slot.arrived.notified(), if quiet_until.is_none() => {
                    lock(&clock).sign_of_life(Instant::now());
                    reported = Some(Instant::now());
                    self.publish_progress(&slot);
                }
                () = sleep_to(quiet_until), if quiet_until.is_some() => {}
                () = sleep_to(due()) => {
                    // Progress may have come while it was too early to tell it.
                    if lock(&slot.newest).is_some() {
                        lock(&clock).sign_of_life(Instant::now());
                    } else {
                        break Err(pending.timed_out(limit.unwrap_or_default()));
                    }
                }
            }
        };
        let waited = lock(&clock).waited(Instant::now());
        self.publish_progress(&slot);
        lock(&peer.calls).remove(&pending.id);
        let request_frame = pending.request_frame();
        let id = pending.id;
        // Ends the exchange over HTTP, which is the whole of it in the stateless era.
        drop(pending);
        if response.as_ref().is_ok_and(creates_task) {
            peer.became_task(id, self.key);
        }
        match &response {
            Err(RequestError::TimedOut { limit, .. }) => {
                let reason = format!("no answer within {} ms", limit.as_millis());
                self.cancel_on_server(id, &reason);
            }
            Err(RequestError::Cancelled) => self.cancel_on_server(id, "cancelled by the user"),
            _ => {}
        }
        Round {
            request_frame,
            waited,
            response,
        }
    }

    /// Returns the time limit of one sending. The result of a task comes when the task ends, which
    /// is the server's own business (MCP 2025-11-25, Tasks, result retrieval).
    fn limit(&self) -> Option<Duration> {
        self.session
            .request_limit()
            .filter(|_| self.method != TASK_RESULT)
    }

    /// Sends `notifications/cancelled`, so that the server stops too.
    fn cancel_on_server(&self, id: u64, reason: &str) {
        let peer = &self.session.context.peer;
        if self.session.context.era == Era::Modern && peer.streamable_http().is_some() {
            return;
        }
        let text = format!(
            r#"{{"jsonrpc":"2.0","method":"notifications/cancelled","params":{{"requestId":{id},"reason":{}}}}}"#,
            quoted(reason)
        );
        let peer = Arc::clone(peer);
        // A server that does not read must not hold up the report. The report does not say whether
        // it arrived: the request is over either way.
        tokio::spawn(async move {
            let _ = peer
                .send(Outbound {
                    text: text.into(),
                    request: None,
                })
                .await;
        });
    }

    fn publish_progress(&self, slot: &ProgressSlot) {
        let Some(progress) = lock(&slot.newest).take() else {
            return;
        };
        let peer = &self.session.context.peer;
        peer.emit(ConnectionEvent::Progress {
            server: peer.key.server.clone(),
            call: self.key.to_owned(),
            progress,
        });
    }

    /// Puts the server's questions and waits for all answers. Yields the members to send
    /// along, or nothing when the call is cancelled or the connection ends.
    async fn ask(
        &self,
        asked: InputRequiredResult,
        frame: Option<FrameId>,
    ) -> Option<Vec<(&'static str, String)>> {
        let peer = &self.session.context.peer;
        let answers = asked
            .input_requests
            .into_iter()
            .map(|(name, question)| async move {
                let answer = match question.method.as_str() {
                    "roots/list" => Some(ServerAnswer::Result {
                        json: peer.answer_roots(Some(self.key.to_owned()), frame),
                    }),
                    _ => {
                        let asked = peer.ask(IncomingQuestion {
                            connection: peer.key.clone(),
                            input: Some(name.clone()),
                            method: question.method,
                            params: question
                                .params
                                .map_or_else(|| "{}".to_owned(), |raw| raw.get().to_owned()),
                            calls: vec![self.key.to_owned()],
                            frame,
                            wire_id: None,
                            before_another_try: false,
                            // Sent again, it has the whole limit.
                            time_left: self.session.request_limit(),
                        });
                        match asked {
                            Ok(answer) => answer.await,
                            Err(at_once) => Some(at_once),
                        }
                    }
                };
                Some((name, answer?))
            });
        let answers = tokio::select! {
            answers = join_all(answers) => answers,
            () = self.cancel.cancelled() => return None,
            () = peer.connection.ended.cancelled() => return None,
        };
        let mut responses = Vec::new();
        for answer in answers {
            let (name, answer) = answer?;
            responses.push((name, answer.input_response()));
        }
        let responses = object(
            responses
                .iter()
                .map(|(name, json)| (&**name, json.as_str())),
        );
        let mut members = vec![("inputResponses", responses)];
        members.extend(
            asked
                .request_state
                .map(|state| ("requestState", state.get().to_owned())),
        );
        Some(members)
    }

    /// Asks the user to visit pages, and waits until all are dealt with. False when one was
    /// declined, or the call or the connection ended.
    async fn visit(&self, pages: Vec<Box<RawValue>>, frame: Option<FrameId>) -> bool {
        let peer = &self.session.context.peer;
        let visits = pages.into_iter().map(|page| async move {
            let asked = peer.ask(IncomingQuestion {
                connection: peer.key.clone(),
                input: None,
                method: "elicitation/create".to_owned(),
                params: page.get().to_owned(),
                calls: vec![self.key.to_owned()],
                frame,
                wire_id: None,
                before_another_try: true,
                time_left: self.session.request_limit(),
            });
            match asked {
                Ok(answer) => answer.await,
                Err(at_once) => Some(at_once),
            }
        });
        let answers = tokio::select! {
            answers = join_all(visits) => answers,
            () = self.cancel.cancelled() => return false,
            () = peer.connection.ended.cancelled() => return false,
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
