//! The questions that servers ask of a person, until somebody answers them.

use std::{
    collections::{BTreeMap, VecDeque},
    sync::{
        Arc, Mutex,
        atomic::{AtomicU32, Ordering},
    },
};

use serde_json::value::RawValue;
use sightglass_model::{FrameId, ServerId};
use tokio::sync::oneshot;

use crate::{
    AutomaticAnswer, ConnectionError, ConnectionEvent, ServerAnswer, ServerRequest,
    board::now,
    connections::EventSink,
    json::Members,
    roots::{RootsOf, roots_result},
    sync::lock,
};

/// How many automatic answers are kept, of all servers together.
const MAX_AUTOMATIC_ANSWERS: usize = 50;
/// The same answer to the same server is told again after this long, in milliseconds: a server
/// may ask a thousand times a second.
const SAME_ANSWER_INTERVAL: f64 = 1000.0;

/// A question as it comes from the wire.
pub(crate) struct Question {
    pub server: ServerId,
    pub method: String,
    pub params: String,
    pub call: Option<String>,
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
    wire_id: Option<String>,
    answer: oneshot::Sender<ServerAnswer>,
}

pub(crate) struct Inbox {
    next: AtomicU32,
    open: Mutex<BTreeMap<u32, Open>>,
    /// The newest answers that were given without asking, the oldest first.
    automatic: Mutex<VecDeque<AutomaticAnswer>>,
    roots: RootsOf,
    events: EventSink,
}

impl Inbox {
    pub(crate) fn new(events: EventSink, roots: RootsOf) -> Self {
        Self {
            next: AtomicU32::new(1),
            open: Mutex::default(),
            automatic: Mutex::default(),
            roots,
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
        let request = ServerRequest {
            id,
            server: question.server,
            method: question.method,
            params: question.params,
            at: now(),
            call: question.call,
            frame: question.frame,
            before_another_try: question.before_another_try,
        };
        let (answer, answered) = oneshot::channel();
        lock(&self.open).insert(
            id,
            Open {
                request: request.clone(),
                wire_id: question.wire_id,
                answer,
            },
        );
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

    /// The result of `roots/list` for a server, which is told as an automatic answer.
    pub(crate) fn answer_roots(
        &self,
        server: &ServerId,
        call: Option<String>,
        frame: Option<FrameId>,
    ) -> String {
        let json = roots_result(&(self.roots)(server));
        let answer = AutomaticAnswer {
            server: server.clone(),
            method: "roots/list".to_owned(),
            json: json.clone(),
            at: now(),
            call,
            frame,
        };
        let is_repeated = {
            let mut automatic = lock(&self.automatic);
            let is_repeated = automatic.iter().rev().any(|earlier| {
                earlier.server == answer.server
                    && earlier.json == answer.json
                    && answer.at - earlier.at < SAME_ANSWER_INTERVAL
            });
            if !is_repeated {
                automatic.push_back(answer.clone());
                if automatic.len() > MAX_AUTOMATIC_ANSWERS {
                    automatic.pop_front();
                }
            }
            is_repeated
        };
        if !is_repeated {
            (self.events)(ConnectionEvent::AnsweredAutomatically { answer });
        }
        json
    }

    /// The newest automatic answers, the oldest first.
    pub(crate) fn automatic_answers(&self) -> Vec<AutomaticAnswer> {
        lock(&self.automatic).iter().cloned().collect()
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
        (self.events)(ConnectionEvent::RequestSettled { id });
        Ok(())
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
        self.settle(|open| {
            open.request.server == *server && open.wire_id.as_deref() == Some(wire_id)
        });
    }

    /// The connection is over, and with it its questions.
    pub(crate) fn withdraw_all(&self, server: &ServerId) {
        self.settle(|open| open.request.server == *server);
    }

    fn settle(&self, which: impl Fn(&Open) -> bool) {
        let settled: Vec<u32> = {
            let mut open = lock(&self.open);
            let ids: Vec<u32> = open
                .iter()
                .filter(|(_, open)| which(open))
                .map(|(id, _)| *id)
                .collect();
            for id in &ids {
                open.remove(id);
            }
            ids
        };
        for id in settled {
            (self.events)(ConnectionEvent::RequestSettled { id });
        }
    }
}

struct Withdrawal {
    inbox: Arc<Inbox>,
    id: u32,
}

impl Drop for Withdrawal {
    fn drop(&mut self) {
        let id = self.id;
        self.inbox.settle(|open| open.request.id == id);
    }
}
