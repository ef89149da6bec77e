//! State of one client.
//!
//! Over stdio there is one for the life of the process, over HTTP one per session
//! in the initialize era and one per request in the modern one.

use std::{
    collections::HashMap,
    sync::{
        Arc, Mutex,
        atomic::{AtomicBool, AtomicU64, Ordering},
    },
};

use serde_json::Value;
use tokio::sync::oneshot;
use tokio_util::sync::CancellationToken;

use crate::{
    listeners::Listener,
    lock::lock,
    message::{Message, RequestId},
    protocol::Level,
    sink::Sink,
};

/// Result of the `initialize` handshake.
#[derive(Debug, Clone)]
pub struct Negotiated {
    /// The revision both sides speak.
    pub version: &'static str,
    /// The client's `capabilities`.
    pub capabilities: Arc<Value>,
    /// The client's `clientInfo`.
    pub client: Arc<Value>,
}

/// The client's answer to a request of ours: its `result`, or its `error`.
pub type ClientAnswer = Result<Value, Value>;

/// One client. See the module's description.
pub struct ClientConnection {
    home: Sink,
    negotiated: Mutex<Option<Negotiated>>,
    log_level: Mutex<Level>,
    running: Mutex<HashMap<RequestId, CancellationToken>>,
    asked: Mutex<HashMap<String, oneshot::Sender<ClientAnswer>>>,
    questions: AtomicU64,
    listener: Mutex<Option<Arc<Listener>>>,
    closed: CancellationToken,
    expired: AtomicBool,
}

impl ClientConnection {
    /// A client that has not said anything yet. `home` takes what belongs to no
    /// request, such as `notifications/tools/list_changed`.
    pub fn new(home: Sink) -> Arc<ClientConnection> {
        Arc::new(ClientConnection {
            home,
            negotiated: Mutex::default(),
            log_level: Mutex::new(Level::Debug),
            running: Mutex::default(),
            asked: Mutex::default(),
            questions: AtomicU64::new(1),
            listener: Mutex::default(),
            closed: CancellationToken::new(),
            expired: AtomicBool::new(false),
        })
    }

    /// The destination of messages that belong to no request.
    pub fn home(&self) -> &Sink {
        &self.home
    }

    /// The result of `initialize`, if it has been called.
    pub fn negotiated(&self) -> Option<Negotiated> {
        lock(&self.negotiated).clone()
    }

    /// Records the result of `initialize` and the receiver of changes.
    pub fn initialize(&self, negotiated: Negotiated, listener: Arc<Listener>) {
        *lock(&self.negotiated) = Some(negotiated);
        *lock(&self.listener) = Some(listener);
    }

    /// The listener that `initialize` registered.
    pub fn listener(&self) -> Option<Arc<Listener>> {
        lock(&self.listener).clone()
    }

    /// The least severe level the client wants to hear (`logging/setLevel`).
    pub fn log_level(&self) -> Level {
        *lock(&self.log_level)
    }

    /// Changes the level.
    pub fn set_log_level(&self, level: Level) {
        *lock(&self.log_level) = level;
    }

    /// Notes that a request is being worked on, so that it can be cancelled. The
    /// token is also cancelled when the connection closes.
    pub fn start(&self, id: &RequestId) -> CancellationToken {
        let token = self.closed.child_token();
        lock(&self.running).insert(id.clone(), token.clone());
        token
    }

    /// Notes that a request has ended.
    pub fn end(&self, id: &RequestId) {
        lock(&self.running).remove(id);
    }

    /// Cancels a request that is being worked on; unknown ids are ignored, as the
    /// specification asks.
    pub fn cancel(&self, id: &RequestId) {
        if let Some(token) = lock(&self.running).get(id) {
            token.cancel();
        }
    }

    /// Ends everything that runs for this client.
    pub fn close(&self) {
        self.closed.cancel();
        *lock(&self.listener) = None;
    }

    /// Lets an HTTP session be forgotten.
    pub fn expire(&self) {
        self.expired.store(true, Ordering::Relaxed);
    }

    /// Returns true once [`ClientConnection::expire`] has been called.
    pub fn is_expired(&self) -> bool {
        self.expired.load(Ordering::Relaxed)
    }

    /// Sends a request to the client through `sink` and waits for its answer;
    /// `None` when the connection closes first. Dropping the future withdraws the
    /// request with `notifications/cancelled`.
    pub async fn ask(&self, sink: &Sink, method: &str, params: &Value) -> Option<ClientAnswer> {
        let id = format!("server-{}", self.questions.fetch_add(1, Ordering::Relaxed));
        let (answer, answered) = oneshot::channel();
        lock(&self.asked).insert(id.clone(), answer);
        let mut withdrawal = Withdrawal {
            connection: self,
            sink,
            id: Some(id.clone()),
        };
        sink.send(Message::from(format!(
            r#"{{"jsonrpc":"2.0","id":"{id}","method":"{method}","params":{params}}}"#
        )))
        .await;
        let answer = answered.await.ok();
        withdrawal.id = None;
        answer
    }

    /// Passes on the client's answer to a request of ours. Answers to unknown ids
    /// are ignored.
    pub fn answered(&self, id: &RequestId, answer: ClientAnswer) {
        let Ok(id) = serde_json::from_str::<String>(id.as_json()) else {
            return;
        };
        if let Some(waiting) = lock(&self.asked).remove(&id) {
            // The tool that asked may have been cancelled meanwhile.
            let _gone = waiting.send(answer);
        }
    }
}

/// Withdraws a request to the client that nobody waits for any more.
struct Withdrawal<'a> {
    connection: &'a ClientConnection,
    sink: &'a Sink,
    id: Option<String>,
}

impl Drop for Withdrawal<'_> {
    fn drop(&mut self) {
        let Some(id) = self.id.take() else { return };
        lock(&self.connection.asked).remove(&id);
        let message = Message::from(format!(
            r#"{{"jsonrpc":"2.0","method":"notifications/cancelled","params":{{"requestId":"{id}","reason":"the request that asked was cancelled"}}}}"#
        ));
        let sink = self.sink.clone();
        // Outside a runtime the process is ending and there is nobody to tell.
        if let Ok(runtime) = tokio::runtime::Handle::try_current() {
            runtime.spawn(async move { sink.send(message).await });
        }
    }
}
