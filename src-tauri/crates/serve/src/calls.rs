//! Requests to servers for agents: each goes on by itself, so that a question of the server can be
//! put to somebody meanwhile, and the answer to it comes later.

use std::{
    collections::HashMap,
    hash::{BuildHasher, RandomState},
    sync::{
        Arc, Mutex,
        atomic::{AtomicU32, Ordering},
    },
    time::Duration,
};

use sightglass_connection::{ConnectionEvent, Progress, ServerAnswer, ServerQuestion};
use sightglass_inspector::{
    Consent, Inspector, InspectorError, Params, ServerId, view::CallReport,
};
use sightglass_json_text::quoted;
use sightglass_model::lock;
use tokio::{
    runtime::Handle,
    sync::mpsc,
    task::{JoinError, JoinHandle},
};
use tokio_util::sync::CancellationToken;

use crate::{agent::AgentRequest, outgoing::Outgoing};

/// Time for which a call waits for the answer to a question.
pub const QUESTION_TIMEOUT: Duration = Duration::from_secs(600);
/// Calls that may wait for an answer at once. The question of a further one is declined.
const MAX_PARKED: usize = 100;
/// Events that wait for one call. Progress beyond that is left out.
const MAX_EVENTS: usize = 256;

/// Begin of the keys of calls for agents.
const KEY: &str = "agent-";

/// Event that belongs to a call.
#[derive(Debug)]
enum CallEvent {
    Question(Box<ServerQuestion>),
    Progress(Progress),
}

/// A call that is under way, by its key.
struct Routed {
    server: ServerId,
    events: mpsc::Sender<CallEvent>,
}

/// The calls that are under way, and those that wait for an answer.
pub struct AgentCalls {
    inspector: Arc<Inspector>,
    outgoing: Arc<Outgoing>,
    runtime: Handle,
    number: AtomicU32,
    routes: Mutex<HashMap<String, Routed>>,
    parked: Mutex<HashMap<u32, ParkedCall>>,
    random: RandomState,
}

/// A call that waits until its question is answered.
pub struct ParkedCall {
    pub call: OpenCall,
    pub question: Box<ServerQuestion>,
    /// Name of the tool, as it is told with the result.
    pub called: Called,
}

/// Target of a call, as it is told with the result.
#[derive(Debug, Clone)]
pub struct Called {
    pub server: String,
    pub name: String,
}

/// A request that was sent for an agent. Dropped before its end, it is cancelled.
pub struct OpenCall {
    calls: Arc<AgentCalls>,
    pub server: ServerId,
    pub method: &'static str,
    key: String,
    events: mpsc::Receiver<CallEvent>,
    work: Option<JoinHandle<Result<CallReport, InspectorError>>>,
    /// Outcome, where that was seen before its last events were taken.
    ended: Option<Result<CallReport, InspectorError>>,
    /// Ends the wait for a task that the server made of the call.
    given_up: CancellationToken,
}

/// Next thing that happens with a call.
pub enum CallStep {
    Ended(Result<Box<CallReport>, InspectorError>),
    Question(Box<ServerQuestion>),
}

impl AgentCalls {
    /// Must be called within a Tokio runtime.
    pub fn new(inspector: Arc<Inspector>, outgoing: Arc<Outgoing>) -> Arc<Self> {
        Arc::new(Self {
            inspector,
            outgoing,
            runtime: Handle::current(),
            number: AtomicU32::new(1),
            routes: Mutex::default(),
            parked: Mutex::default(),
            random: RandomState::new(),
        })
    }

    /// Sends a request to a server.
    pub fn open(
        self: &Arc<Self>,
        server: &ServerId,
        method: &'static str,
        params: Params,
    ) -> OpenCall {
        let number = self.number.fetch_add(1, Ordering::Relaxed);
        let key = format!("{KEY}{number}");
        let (sender, events) = mpsc::channel(MAX_EVENTS);
        let routed = Routed {
            server: server.clone(),
            events: sender,
        };
        lock(&self.routes).insert(key.clone(), routed);
        let inspector = Arc::clone(&self.inspector);
        let given_up = CancellationToken::new();
        let work = {
            let (server, key) = (server.clone(), key.clone());
            let given_up = given_up.clone();
            async move {
                let requests = &inspector.calls.requests;
                let sent = requests.request(&server, &key, method, &params, Consent::None);
                let report = sent.await?;
                let Some(task) = &report.task else {
                    return Ok(report);
                };
                tokio::select! {
                    finished = inspector.calls.tasks.finish_task(&server, &task.id) => finished,
                    () = given_up.cancelled() => Err(InspectorError::Closing),
                }
            }
        };
        OpenCall {
            calls: Arc::clone(self),
            server: server.clone(),
            method,
            key,
            events,
            work: Some(tokio::spawn(work)),
            ended: None,
            given_up,
        }
    }

    /// Routes what happens on a connection to the call that it belongs to.
    pub fn receive(self: &Arc<Self>, event: &ConnectionEvent) {
        match event {
            ConnectionEvent::Progress { call, progress, .. } => {
                if let Some(routed) = lock(&self.routes).get(call) {
                    // An agent that does not read misses some.
                    let _ = routed
                        .events
                        .try_send(CallEvent::Progress(progress.clone()));
                }
            }
            // A rule of the user has a model answer. Where that fails, the question comes again.
            ConnectionEvent::QuestionArrived { question } if question.awaits_model => {}
            // It belongs to a run of tests, which answers it.
            ConnectionEvent::QuestionArrived { question }
                if question
                    .call
                    .as_ref()
                    .is_some_and(|key| !key.starts_with(KEY)) => {}
            ConnectionEvent::QuestionArrived { question } => {
                let event = CallEvent::Question(Box::new(question.clone()));
                let is_taken = self
                    .route_of(question)
                    .is_some_and(|events| events.try_send(event).is_ok());
                if !is_taken {
                    // Not from here: the answer is an event itself.
                    let (calls, question) = (Arc::clone(self), question.clone());
                    self.runtime.spawn(async move { calls.decline(&question) });
                }
            }
            _ => {}
        }
    }

    /// Returns where a question goes: to its call, or where several are under way, and it could
    /// belong to each, to any of that server.
    fn route_of(&self, question: &ServerQuestion) -> Option<mpsc::Sender<CallEvent>> {
        let routes = lock(&self.routes);
        let routed = match &question.call {
            Some(key) => routes.get(key),
            None => routes
                .values()
                .find(|routed| routed.server == question.server),
        };
        routed.map(|routed| routed.events.clone())
    }

    /// Declines a question, as somebody does who does not want to answer.
    pub fn decline(&self, question: &ServerQuestion) {
        // The server may have taken it back already.
        let _ = self.answer(question.id, declined(question));
    }

    /// Answers a question.
    pub fn answer(&self, id: u32, answer: ServerAnswer) -> Result<(), InspectorError> {
        self.inspector.calls.requests.answer_question(id, answer)
    }

    /// Keeps a call until its question is answered, for [`QUESTION_TIMEOUT`] at most.
    ///
    /// # Errors
    /// The call, where too many wait.
    pub fn park(self: &Arc<Self>, parked: ParkedCall) -> Result<(), Box<ParkedCall>> {
        let id = parked.question.id;
        {
            let mut all = lock(&self.parked);
            if all.len() >= MAX_PARKED {
                return Err(Box::new(parked));
            }
            all.insert(id, parked);
        }
        let calls = Arc::downgrade(self);
        tokio::spawn(async move {
            tokio::time::sleep(QUESTION_TIMEOUT).await;
            if let Some(calls) = calls.upgrade() {
                // The call is cancelled with it.
                drop(calls.unpark(id));
            }
        });
        Ok(())
    }

    /// Takes a call whose question is about to be answered.
    pub fn unpark(&self, question: u32) -> Option<ParkedCall> {
        lock(&self.parked).remove(&question)
    }

    /// Returns the state under which an agent of the stateless era comes back to a question. It
    /// cannot be guessed, so that no other agent answers.
    pub fn state_of(&self, question: u32) -> String {
        format!("{question}-{:016x}", self.random.hash_one(question))
    }

    /// Returns the question of such a state.
    pub fn question_of(&self, state: &str) -> Option<u32> {
        let (number, _) = state.split_once('-')?;
        let question = number.parse().ok()?;
        (self.state_of(question) == state).then_some(question)
    }
}

impl OpenCall {
    /// Waits until the call ends, or its server asks something. Progress is announced meanwhile.
    pub async fn step(&mut self, request: &AgentRequest) -> CallStep {
        loop {
            // What came before the end is told before it.
            let event = match self.events.try_recv() {
                Ok(event) => event,
                Err(_) => {
                    if let Some(ended) = self.ended.take() {
                        return CallStep::Ended(ended.map(Box::new));
                    }
                    let Some(work) = &mut self.work else {
                        return CallStep::Ended(Err(InspectorError::Closing));
                    };
                    tokio::select! {
                        Some(event) = self.events.recv() => event,
                        ended = work => {
                            self.end(ended);
                            continue;
                        }
                    }
                }
            };
            match event {
                CallEvent::Question(question) => return CallStep::Question(question),
                CallEvent::Progress(progress) => self.announce(request, &progress).await,
            }
        }
    }

    /// Waits until the call has ended. Its events are left for the next [`step`](Self::step).
    pub async fn over(&mut self) {
        if let Some(work) = &mut self.work {
            let ended = work.await;
            self.end(ended);
        }
    }

    fn end(&mut self, ended: Result<Result<CallReport, InspectorError>, JoinError>) {
        self.work = None;
        self.ended = Some(ended.map_err(|_| InspectorError::Closing).flatten());
    }

    async fn announce(&self, request: &AgentRequest, progress: &Progress) {
        let mut members = vec![("progress", progress.progress.to_string())];
        members.extend(progress.total.map(|total| ("total", total.to_string())));
        let message = progress.message.as_deref();
        let masked = message.map(|text| self.calls.outgoing.masked_of(&self.server, text));
        members.extend(masked.map(|text| ("message", quoted(&text))));
        request.announce_progress(&members).await;
    }
}

impl Drop for OpenCall {
    fn drop(&mut self) {
        lock(&self.calls.routes).remove(&self.key);
        if self.work.is_some() {
            self.given_up.cancel();
            let requests = &self.calls.inspector.calls.requests;
            requests.cancel_call(&self.server, &self.key);
        }
    }
}

/// Returns the answer of somebody who does not want to answer.
fn declined(question: &ServerQuestion) -> ServerAnswer {
    match question.method.as_str() {
        "elicitation/create" => ServerAnswer::Result {
            json: r#"{"action":"decline"}"#.to_owned(),
        },
        // The code for a refusal by the user (MCP, Sampling, Error Handling).
        _ => ServerAnswer::Error {
            code: -1,
            message: "User rejected sampling request".to_owned(),
        },
    }
}
