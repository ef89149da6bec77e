//! Dispatches each recorded message: a response to its waiter, a question to the inbox, a
//! notification to the state that it changes.

use std::{
    collections::HashMap,
    sync::Arc,
    time::{Duration, Instant},
};

use bytes::Bytes;
use serde::Deserialize;
use serde_json::value::RawValue;
use sightglass_json_text::{Members, quoted};
use sightglass_model::FrameId;
use sightglass_traffic::{MessageKind, Recorded, envelope};
use tokio::sync::OwnedSemaphorePermit;

use crate::{
    ConnectionEvent, ListKind, Progress, ServerAnswer,
    rpc::client_tasks::{RELATED_TASK, TaskReply},
    rpc::inbox::{AtOnce, IncomingQuestion},
    rpc::peer::{AdapterMessage, Peer, RunningCall},
    rpc::response::{Response, StrayAnswer},
    sync::lock,
    task_call,
    transport::Origin,
    transport::{Outbound, TransportEvents},
};

impl Peer {
    /// Dispatches a recorded message to its waiter.
    pub(super) async fn dispatch(
        self: &Arc<Self>,
        text: &Bytes,
        recorded: Recorded<'_>,
        origin: Origin,
    ) {
        match recorded.envelope.kind {
            MessageKind::Response | MessageKind::ErrorResponse => {
                self.answered(text, &recorded, origin);
            }
            MessageKind::Request => self.asked(text, &recorded, origin).await,
            MessageKind::Notification => {
                let method = recorded.envelope.method.as_deref();
                self.notified(text, method.unwrap_or_default());
            }
            // On the heap, since a batch is dispatched message by message.
            MessageKind::Batch => Box::pin(self.batch(text, &recorded, origin)).await,
            MessageKind::Invalid => self.not_understood(text),
        }
    }

    fn answered(&self, text: &Bytes, recorded: &Recorded<'_>, origin: Origin) {
        let response = Response::new(text, recorded);
        let id = recorded.envelope.id;
        // What comes on the stream of a request is about that request.
        let may_answer_notification = id.is_none() && origin.request.is_none();
        if may_answer_notification && self.answered_notification(text, response.is_error) {
            return;
        }
        let number = match id.and_then(request_number) {
            Some(number) => Some(number).filter(|number| self.requests.was_given(*number)),
            // JSON-RPC 2.0, section 5: an error without an id answers a request that the
            // server could not read; some make an id up. With one request open there is no doubt
            // which.
            None if response.is_error => self.requests.only(),
            None => None,
        };
        match (number, id) {
            (Some(number), Some(_)) => {
                self.notifications.passed_by(number);
                self.complete(number, Ok(response));
            }
            (Some(number), None) => self.complete(number, Ok(response)),
            (None, Some(id)) => self.answered_nothing(StrayAnswer::new(id, text)),
            (None, None) => {}
        }
    }

    /// Tells if an answer without an id is one to a notification of ours. Should it have been
    /// meant for a request after all, that one says so when it ends without another.
    fn answered_notification(&self, text: &Bytes, is_error: bool) -> bool {
        let Some(method) = self.notifications.answered_by(text, is_error) else {
            return false;
        };
        let note = format!("Not taken: an answer without an id, to {method}.");
        self.connection.recorder.note("answer", &note);
        self.connection
            .diagnostics
            .answered_notification(&method, text);
        self.requests.record_stray(&StrayAnswer::new("null", text));
        true
    }

    /// An answer came that fits no request. It may be meant for one that waits, which then says so
    /// when it ends without another.
    fn answered_nothing(&self, stray: StrayAnswer) {
        if self.requests.record_stray(&stray) {
            let note = format!("Not taken: {stray}.");
            self.connection.recorder.note("answer", &note);
            self.handshake.strayed();
        }
    }

    /// Answers a request of the server's. What only the user can answer goes to the inbox;
    /// `roots/list` is answered as the user set it; the rest rmcp answers by itself: `ping`, and
    /// methods that do not exist.
    ///
    /// Waits while too many answers are on their way, so that a server that asks and does not
    /// read the answers is not read either.
    async fn asked(self: &Arc<Self>, text: &Bytes, recorded: &Recorded<'_>, origin: Origin) {
        let (frame, envelope) = (recorded.frame, &recorded.envelope);
        let room = tokio::select! {
            biased;
            () = self.connection.ended.cancelled() => return,
            room = Arc::clone(&self.answering).acquire_owned() => room,
        };
        // The semaphore is never closed.
        let Ok(room) = room else { return };
        let method = envelope.method.as_deref().unwrap_or_default();
        match method {
            "sampling/createMessage" | "elicitation/create" => {
                let Some(id) = envelope.id.map(str::to_owned) else {
                    return;
                };
                let params = params_of(text);
                let as_task = self.takes_tasks && is_task_wanted(&params);
                // Held until the question is in the inbox, so that a call which ends meanwhile
                // finds it there.
                let calls = lock(&self.calls);
                let question = IncomingQuestion {
                    input: None,
                    connection: self.key.clone(),
                    method: method.to_owned(),
                    calls: match related_task(&params) {
                        Some(task) => vec![task_call(&task)],
                        None => calls_of(&calls, origin),
                    },
                    time_left: time_left(&calls, origin),
                    params,
                    frame: Some(frame),
                    wire_id: Some(id.clone()),
                    before_another_try: false,
                };
                match as_task {
                    true => self.put_question_as_task(id, question, room),
                    false => self.put_question(id, question, room),
                }
                drop(calls);
            }
            "roots/list" => {
                let Some(id) = envelope.id.map(str::to_owned) else {
                    return;
                };
                let json = self.answer_roots(self.call_of(origin), Some(frame));
                self.answer(id, ServerAnswer::Result { json }, room);
            }
            "tasks/get" | "tasks/result" | "tasks/list" | "tasks/cancel" if self.takes_tasks => {
                if let Some(id) = envelope.id.map(str::to_owned) {
                    self.answer_about_tasks(id, method, &params_of(text), room);
                }
            }
            _ => {
                if let Some(adapter) = lock(&self.handshake.adapter).as_ref() {
                    let _ = adapter.send(AdapterMessage::Request(text.clone(), room));
                }
            }
        }
    }

    /// Puts a question to the user and answers the server under `id`.
    fn put_question(
        self: &Arc<Self>,
        id: String,
        question: IncomingQuestion,
        room: OwnedSemaphorePermit,
    ) {
        let peer = Arc::clone(self);
        match self.ask(question) {
            // It ends with the connection, which withdraws the question. When the transport is
            // gone the answer has no receiver.
            Ok(answer) => {
                self.spawn(async move {
                    if let Some(answer) = answer.await {
                        let _ = peer.reply(&id, answer).await;
                    }
                });
            }
            Err(at_once) => self.answer(id, at_once, room),
        }
    }

    /// Puts a question to the user, and tells the server at once that it is a task.
    fn put_question_as_task(
        self: &Arc<Self>,
        id: String,
        question: IncomingQuestion,
        room: OwnedSemaphorePermit,
    ) {
        let params = question.params.clone();
        match self.ask(question) {
            Ok(asked) => {
                let (number, created) = self.client_tasks.create(id.clone(), &params);
                self.answer(id, created, room);
                let peer = Arc::clone(self);
                self.spawn(async move {
                    let answer = asked.await;
                    peer.end_task(number, answer).await;
                });
            }
            Err(answer @ ServerAnswer::Result { .. }) => {
                let (number, created) = self.client_tasks.create(id.clone(), &params);
                let peer = Arc::clone(self);
                self.spawn(async move {
                    // When the transport is gone the answer has no receiver.
                    let _ = peer.reply(&id, created).await;
                    drop(room);
                    peer.end_task(number, Some(answer)).await;
                });
            }
            Err(refusal) => self.answer(id, refusal, room),
        }
    }

    /// Ends a task of ours, and tells the server so.
    async fn end_task(self: &Arc<Self>, number: u64, answer: Option<ServerAnswer>) {
        let Some(text) = self.client_tasks.end(number, answer) else {
            return;
        };
        // The server can ask for it too, so that nothing is lost with it.
        let _ = self
            .send(Outbound {
                text: text.into(),
                request: None,
            })
            .await;
    }

    /// Answers what the server asks about tasks that it made of its questions.
    fn answer_about_tasks(
        self: &Arc<Self>,
        id: String,
        method: &str,
        params: &str,
        room: OwnedSemaphorePermit,
    ) {
        let (reply, withdrawn) = self.client_tasks.answer(method, params);
        if let Some(question) = withdrawn {
            self.inbox.withdraw(&self.key, &question);
        }
        match reply {
            TaskReply::Now(answer) => self.answer(id, answer, room),
            TaskReply::Later(result) => {
                let peer = Arc::clone(self);
                self.spawn(async move {
                    let answer = result.wait().await;
                    // When the transport is gone the answer has no receiver.
                    let _ = peer.reply(&id, answer).await;
                });
            }
        }
    }

    /// Answers the server under `id`, its JSON text. `room` is taken while the answer is on its
    /// way.
    fn answer(self: &Arc<Self>, id: String, answer: ServerAnswer, room: OwnedSemaphorePermit) {
        let peer = Arc::clone(self);
        self.spawn(async move {
            // When the transport is gone the answer has no receiver.
            let _ = peer.reply(&id, answer).await;
            drop(room);
        });
    }

    /// Puts a question to the user, unless a rule answers it. That a rule did is on record.
    ///
    /// # Errors
    ///
    /// The answer to give at once: that of the rule, or that too many questions wait.
    pub(crate) fn ask(
        &self,
        question: IncomingQuestion,
    ) -> Result<impl Future<Output = Option<ServerAnswer>> + use<>, ServerAnswer> {
        let method = question.method.clone();
        let recorder = &self.connection.recorder;
        let asked = self.inbox.ask(question, &|text| recorder.masked(text));
        asked.map_err(|at_once| match at_once {
            AtOnce::TooMany(answer) => answer,
            AtOnce::Rule(by_rule) => {
                recorder.learn(&by_rule.private);
                let rule = &by_rule.rule;
                let note = format!("The rule \u{201c}{rule}\u{201d} answered {method}.");
                recorder.note("rule", &note);
                by_rule.answer
            }
        })
    }

    /// The result of `roots/list`. That it was given without asking is announced, and on record.
    pub(crate) fn answer_roots(&self, call: Option<String>, frame: Option<FrameId>) -> String {
        let answer = self.inbox.answer_roots(&self.key.server, call, frame);
        self.connection.recorder.note(
            "roots",
            "Answered roots/list automatically, as set for this server.",
        );
        answer
    }

    /// The call that a question belongs to: the one on whose stream it came, or the only one
    /// under way.
    fn call_of(&self, origin: Origin) -> Option<String> {
        let calls = lock(&self.calls);
        match origin.request {
            Some(request) => calls.get(&request).map(|call| call.key.clone()),
            None if calls.len() == 1 => calls.values().next().map(|call| call.key.clone()),
            None => None,
        }
    }

    fn notified(self: &Arc<Self>, text: &Bytes, method: &str) {
        match method {
            "notifications/progress" => self.progressed(text),
            "notifications/tools/list_changed" => self.lists.mark(ListKind::Tools),
            "notifications/prompts/list_changed" => self.lists.mark(ListKind::Prompts),
            "notifications/resources/list_changed" => {
                self.lists.mark(ListKind::Resources);
                self.lists.mark(ListKind::ResourceTemplates);
            }
            "notifications/resources/updated" => {
                if let Ok(updated) = serde_json::from_slice::<Notification<Updated>>(text) {
                    self.resource_updated(&updated.params.uri);
                }
            }
            "notifications/cancelled" => {
                if let Ok(cancelled) = serde_json::from_slice::<Notification<CancelledParams>>(text)
                {
                    self.inbox
                        .withdraw(&self.key, cancelled.params.request_id.get());
                }
            }
            "notifications/elicitation/complete" => {
                if let Ok(complete) = serde_json::from_slice::<Notification<Completed>>(text) {
                    self.inbox
                        .complete(&self.key, &complete.params.elicitation_id);
                }
            }
            "notifications/subscriptions/acknowledged" => self.acknowledged(text),
            "notifications/tasks/status" | "notifications/tasks" => {
                self.emit(ConnectionEvent::TaskReported {
                    server: self.key.server.clone(),
                    params: params_of(text),
                });
            }
            // Log messages and everything else are on record and change nothing.
            _ => {}
        }
    }

    fn progressed(&self, text: &Bytes) {
        let Ok(progressed) = serde_json::from_slice::<Notification<Progressed>>(text) else {
            return;
        };
        let progressed = progressed.params;
        let Some(id) = request_number(progressed.progress_token.get()) else {
            return;
        };
        let progress = Progress {
            progress: progressed.progress,
            total: progressed.total,
            message: progressed.message,
        };
        let slot = self
            .requests
            .with(id, |request| request.progress.clone())
            .flatten();
        if let Some(slot) = slot {
            *lock(&slot.newest) = Some(progress);
            slot.arrived.notify_one();
            return;
        }
        let call = lock(&self.task_calls)
            .iter()
            .find(|(request, _)| *request == id)
            .map(|(_, call)| call.clone());
        if let Some(call) = call {
            self.emit(ConnectionEvent::Progress {
                server: self.key.server.clone(),
                call,
                progress,
            });
        }
    }

    fn acknowledged(&self, text: &Bytes) {
        let Ok(acknowledged) = serde_json::from_slice::<Notification<Acknowledged>>(text) else {
            return;
        };
        let Some(id) = request_number(acknowledged.params.meta.subscription.get()) else {
            return;
        };
        let acknowledged = self
            .requests
            .with(id, |request| request.acknowledged.clone())
            .flatten();
        if let Some(acknowledged) = acknowledged {
            acknowledged.notify_one();
        }
    }

    /// The messages of a JSON-RPC batch (allowed by 2025-03-26 alone), in order.
    async fn batch(self: &Arc<Self>, text: &Bytes, recorded: &Recorded<'_>, origin: Origin) {
        let (messages, masked) = (messages(text), messages(&recorded.text));
        for (position, part) in messages.iter().enumerate() {
            let envelope = envelope(part);
            if envelope.kind != MessageKind::Batch {
                let recorded = Recorded {
                    frame: recorded.frame,
                    envelope,
                    // A mask in the place of a number can make the whole unreadable.
                    text: masked.get(position).unwrap_or(&recorded.text).clone(),
                };
                self.dispatch(part, recorded, origin).await;
            }
        }
    }

    /// Not a JSON-RPC message. While the handshake waits for its answer, text that was
    /// meant to be one ends the wait; a log line in JSON does not.
    fn not_understood(&self, text: &Bytes) {
        let meant_as_message = memchr::memmem::find(text, b"\"jsonrpc\"").is_some();
        if meant_as_message && self.requests.has_adapter() {
            self.handshake.set_broken_answer(text.clone());
        }
    }

    /// Answers a request of the server's. `id` is its JSON text.
    async fn reply(
        self: &Arc<Self>,
        id: &str,
        answer: ServerAnswer,
    ) -> Result<(), crate::transport::error::TransportError> {
        let text = match answer {
            ServerAnswer::Result { json } => {
                format!(
                    r#"{{"jsonrpc":"2.0","id":{id},"result":{}}}"#,
                    json.replace(['\n', '\r'], " ")
                )
            }
            ServerAnswer::Error { code, message } => {
                let message = quoted(&message);
                format!(
                    r#"{{"jsonrpc":"2.0","id":{id},"error":{{"code":{code},"message":{message}}}}}"#
                )
            }
        };
        self.send(Outbound {
            text: text.into(),
            request: None,
        })
        .await
    }
}

/// The text of a message's `params`; an empty object where there are none.
fn params_of(text: &Bytes) -> String {
    std::str::from_utf8(text)
        .ok()
        .and_then(|text| Members::parse(text).ok()?.text("params").map(str::to_owned))
        .unwrap_or_else(|| "{}".to_owned())
}

/// Returns true when the parameters of a question ask for a task.
fn is_task_wanted(params: &str) -> bool {
    memchr::memmem::find(params.as_bytes(), b"\"task\"").is_some()
        && Members::parse(params)
            .ok()
            .is_some_and(|params| params.object("task").is_some())
}

/// The task that the parameters of a question say it belongs to.
fn related_task(params: &str) -> Option<String> {
    memchr::memmem::find(params.as_bytes(), RELATED_TASK.as_bytes())?;
    let meta = Members::parse(params).ok()?.object("_meta")?;
    meta.object(RELATED_TASK)?.string("taskId")
}

/// The calls that a question can belong to: the one on whose stream it came, or those under
/// way.
fn calls_of(calls: &HashMap<u64, RunningCall>, origin: Origin) -> Vec<String> {
    let key = |call: &RunningCall| call.key.clone();
    match origin.request {
        Some(request) => calls.get(&request).map(key).into_iter().collect(),
        None => calls.values().map(key).collect(),
    }
}

/// The time that is left to the call of a question; `None` without a limit, or where the call
/// cannot be told.
fn time_left(calls: &HashMap<u64, RunningCall>, origin: Origin) -> Option<Duration> {
    let call = match origin.request {
        Some(request) => calls.get(&request),
        None => calls.values().next().filter(|_| calls.len() == 1),
    }?;
    lock(&call.clock).left(Instant::now())
}

/// The messages of a batch.
fn messages(batch: &Bytes) -> Vec<Bytes> {
    let messages: Vec<&RawValue> = serde_json::from_slice(batch).unwrap_or_default();
    messages
        .into_iter()
        .map(|message| batch.slice_ref(message.get().as_bytes()))
        .collect()
}

/// The number of a request of ours in an id's JSON text. Some servers answer with the
/// number as a string.
fn request_number(id: &str) -> Option<u64> {
    id.trim_matches('"').parse().ok()
}

#[derive(Deserialize)]
struct Notification<T> {
    params: T,
}

#[derive(Deserialize)]
struct Updated {
    uri: String,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct CancelledParams {
    request_id: Box<RawValue>,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct Progressed {
    progress_token: Box<RawValue>,
    progress: f64,
    total: Option<f64>,
    message: Option<String>,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct Completed {
    elicitation_id: String,
}

#[derive(Deserialize)]
struct Acknowledged {
    #[serde(rename = "_meta")]
    meta: SubscriptionMeta,
}

#[derive(Deserialize)]
struct SubscriptionMeta {
    /// The id of the request that opened the subscription.
    #[serde(rename = "io.modelcontextprotocol/subscriptionId")]
    subscription: Box<RawValue>,
}
