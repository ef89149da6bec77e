//! The questions that servers ask of a person, until somebody answers them.

use std::{
    collections::BTreeMap,
    sync::{
        Arc, Mutex,
        atomic::{AtomicU32, Ordering},
    },
};

use serde_json::value::RawValue;
use sightglass_model::{FrameId, ServerId};
use tokio::sync::{oneshot, watch};

use crate::{
    ConnectionError, ConnectionEvent, ServerAnswer, ServerRequest, Settlement, board::now,
    connections::EventSink, json::Members, sync::lock,
};

/// The code for a question that is refused: the one that MCP gives to a refusal by the user
/// (sampling, error handling).
const CALL_ENDED: i32 = -1;

/// A question as it comes from the wire.
pub(crate) struct Question {
    pub server: ServerId,
    pub method: String,
    pub params: String,
    /// The calls that it can belong to.
    pub calls: Vec<String>,
    pub frame: Option<FrameId>,
    /// The JSON text of the id under which the server asks; absent in the stateless era,
    /// where questions come inside a result.
    pub wire_id: Option<String>,
    /// Whether the call is sent again once this is answered, so that the answer says "done"
    /// rather than "yes".
    pub before_another_try: bool,
}

struct Open {
    request: ServerRequest,
    /// The calls that it can belong to and that are still under way.
    calls: Vec<String>,
    wire_id: Option<String>,
    answer: oneshot::Sender<ServerAnswer>,
}

pub(crate) struct Inbox {
    next: AtomicU32,
    open: Mutex<BTreeMap<u32, Open>>,
    /// Told whenever a question comes or is settled.
    changed: watch::Sender<()>,
    events: EventSink,
}

impl Inbox {
    pub(crate) fn new(events: EventSink) -> Self {
        Self {
            next: AtomicU32::new(1),
            open: Mutex::default(),
            changed: watch::Sender::new(()),
            events,
        }
    }

    /// Puts a question. The future yields the answer, or nothing when it was withdrawn.
    /// Dropping the future withdraws the question.
    pub(crate) fn ask(
        self: &Arc<Self>,
        question: Question,
    ) -> impl Future<Output = Option<ServerAnswer>> + use<> {
        let id = self.next.fetch_add(1, Ordering::Relaxed);
        // With several under way nobody can tell whose it is.
        let call = match question.calls.as_slice() {
            [call] => Some(call.clone()),
            _ => None,
        };
        let request = ServerRequest {
            id,
            server: question.server,
            method: question.method,
            params: question.params,
            at: now(),
            call,
            frame: question.frame,
            before_another_try: question.before_another_try,
        };
        let (answer, answered) = oneshot::channel();
        lock(&self.open).insert(
            id,
            Open {
                request: request.clone(),
                calls: question.calls,
                wire_id: question.wire_id,
                answer,
            },
        );
        self.changed.send_replace(());
        (self.events)(ConnectionEvent::RequestArrived { request });
        let withdrawal = Withdrawal {
            inbox: Arc::clone(self),
            id,
        };
        async move {
            let answer = answered.await.ok();
            drop(withdrawal);
            answer
        }
    }

    /// All open questions, oldest first.
    pub(crate) fn requests(&self) -> Vec<ServerRequest> {
        lock(&self.open)
            .values()
            .map(|open| open.request.clone())
            .collect()
    }

    pub(crate) fn answer(&self, id: u32, answer: ServerAnswer) -> Result<(), ConnectionError> {
        if let ServerAnswer::Result { json } = &answer {
            serde_json::from_str::<&RawValue>(json).map_err(|error| {
                ConnectionError::InvalidParams {
                    message: error.to_string(),
                }
            })?;
        }
        let open = lock(&self.open)
            .remove(&id)
            .ok_or_else(|| ConnectionError::NotFound {
                what: "that question".to_owned(),
            })?;
        // The server may have gone between; the question is settled either way.
        let _ = open.answer.send(answer);
        self.tell_settled(id, Settlement::Answered);
        Ok(())
    }

    /// Tells whenever a question comes or is settled.
    pub(crate) fn changes(&self) -> watch::Receiver<()> {
        self.changed.subscribe()
    }

    /// Tells if a question waits that belongs to this call, or of which that cannot be told.
    pub(crate) fn has_question(&self, server: &ServerId, call: &str) -> bool {
        lock(&self.open).values().any(|open| {
            open.request.server == *server
                && (open.calls.is_empty() || open.calls.iter().any(|known| known == call))
        })
    }

    /// The call ended without an answer, and with it the questions that can belong to no other.
    /// A server that asked under an id of its own is told, so that it does not wait.
    pub(crate) fn call_ended(&self, server: &ServerId, call: &str) {
        let ended: Vec<(u32, Open)> = {
            let mut open = lock(&self.open);
            let mut ids = Vec::new();
            for (id, question) in open.iter_mut() {
                if question.request.server != *server || question.calls.is_empty() {
                    continue;
                }
                question.calls.retain(|known| known != call);
                if question.calls.is_empty() {
                    ids.push(*id);
                }
            }
            ids.into_iter()
                .filter_map(|id| Some((id, open.remove(&id)?)))
                .collect()
        };
        for (id, question) in ended {
            // The connection may be over too.
            let _ = question.answer.send(dismissal(&question.request.method));
            self.tell_settled(id, Settlement::CallEnded);
        }
    }

    /// The call was answered. A question that came meanwhile may be of the server's own accord,
    /// so that it stays.
    pub(crate) fn call_answered(&self, server: &ServerId, call: &str) {
        for question in lock(&self.open).values_mut() {
            if question.request.server == *server && question.calls.len() > 1 {
                question.calls.retain(|known| known != call);
            }
        }
    }

    /// The server says that a page was dealt with (MCP 2025-11-25, elicitation in URL mode).
    /// A call that waits for that goes on.
    pub(crate) fn complete(&self, server: &ServerId, elicitation: &str) {
        let waiting = lock(&self.open).iter().find_map(|(id, open)| {
            let asked = Members::parse(&open.request.params)
                .ok()?
                .string("elicitationId")?;
            let is_it = open.request.before_another_try
                && open.request.server == *server
                && asked == elicitation;
            is_it.then_some(*id)
        });
        if let Some(id) = waiting {
            let json = r#"{"action":"accept"}"#.to_owned();
            // Somebody may have answered in between, which is as good.
            let _ = self.answer(id, ServerAnswer::Result { json });
        }
    }

    /// The server took a question back.
    pub(crate) fn withdraw(&self, server: &ServerId, wire_id: &str) {
        self.settle(
            |open| open.request.server == *server && open.wire_id.as_deref() == Some(wire_id),
            |_| Settlement::Withdrawn,
        );
    }

    /// The connection is over, and with it its questions.
    pub(crate) fn withdraw_all(&self, server: &ServerId) {
        self.settle(
            |open| open.request.server == *server,
            |open| match open.calls.is_empty() {
                true => Settlement::ConnectionEnded,
                false => Settlement::CallEnded,
            },
        );
    }

    fn settle(&self, which: impl Fn(&Open) -> bool, how: impl Fn(&Open) -> Settlement) {
        let settled: Vec<(u32, Settlement)> = {
            let mut open = lock(&self.open);
            let settled: Vec<(u32, Settlement)> = open
                .iter()
                .filter(|(_, open)| which(open))
                .map(|(id, open)| (*id, how(open)))
                .collect();
            for (id, _) in &settled {
                open.remove(id);
            }
            settled
        };
        for (id, how) in settled {
            self.tell_settled(id, how);
        }
    }

    fn tell_settled(&self, id: u32, how: Settlement) {
        self.changed.send_replace(());
        (self.events)(ConnectionEvent::RequestSettled { id, how });
    }
}

/// The answer that says that nobody will answer any more.
fn dismissal(method: &str) -> ServerAnswer {
    match method {
        "elicitation/create" => ServerAnswer::Result {
            json: r#"{"action":"cancel"}"#.to_owned(),
        },
        _ => ServerAnswer::Error {
            code: CALL_ENDED,
            message: "The call that this belonged to has ended".to_owned(),
        },
    }
}

struct Withdrawal {
    inbox: Arc<Inbox>,
    id: u32,
}

impl Drop for Withdrawal {
    fn drop(&mut self) {
        let id = self.id;
        // Dropped unanswered only with the call that waits for it.
        self.inbox
            .settle(|open| open.request.id == id, |_| Settlement::CallEnded);
    }
}
