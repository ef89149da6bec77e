//! JSON-RPC peer of one attempt: records each message first and interprets it second.
//!
//! Messages leave through the [`Transport`] and come back through [`TransportEvents`], which
//! the peer implements. In between stand the requests that wait for an answer. There
//! is one sequence of request ids per peer, shared by the requests that rmcp makes and by
//! our own, so that an answer always belongs to exactly one request, and an answer to a
//! request that was given up belongs to none.

mod dispatch;
mod notifications;
mod pending;
mod resource_updates;
mod signals;

use std::{
    collections::{HashMap, VecDeque},
    sync::{Arc, Mutex, OnceLock},
    time::{Duration, Instant},
};

use bytes::Bytes;
use rmcp::model::RequestId;
use sightglass_model::{FrameId, TransportKind, UnansweredRequest};
use sightglass_traffic::{ConnectionRecorder, Direction, Recorded};
use tokio::sync::{Notify, OwnedSemaphorePermit, Semaphore, mpsc, oneshot};

use crate::{
    json::request_text,
    rpc::{
        client_tasks::ClientTasks,
        clock::CallClock,
        inbox::Inbox,
        response::{RequestError, Response, StrayAnswer},
    },
    status::{
        diagnostics::Diagnostics,
        event::{ConnectionEvent, EventSink, Progress},
        key::ConnectionKey,
        publisher::StatusPublisher,
    },
    sync::lock,
    transport::{
        ConnectionContext, Origin, Outbound, OutboundRequest, Transport, TransportEnd,
        TransportEvents, error::TransportError, streamable_http::StreamableHttpTransport,
    },
};

use notifications::SentNotifications;
use pending::{Destination, OpenRequest, OpenRequests};
pub(crate) use pending::{OutgoingRequest, PendingRequest};
use resource_updates::ResourceUpdates;
use signals::{HandshakeSignals, ListSignals, Liveness};

/// Time for requests to learn of their own fate when the transport is known to be gone.
const END_DELAY: Duration = Duration::from_millis(200);

/// Requests of the server's that are being answered without a user at the same time. A server
/// that does not read our answers is not read any further until it does.
const MAX_ANSWERS_AT_ONCE: usize = 64;

/// Number of calls that became tasks whose progress is told; the oldest are forgotten.
const MAX_TASK_CALLS: usize = 500;

/// Message for rmcp.
pub(crate) enum AdapterMessage {
    /// The response to a request that rmcp made under `id`.
    Response {
        id: RequestId,
        method: Arc<str>,
        response: Result<Response, RequestError>,
    },
    /// A request of the server's, and the room that it takes until it is answered.
    Request(Bytes, OwnedSemaphorePermit),
}

/// The newest progress of a call; older ones are on record and need not be shown.
#[derive(Default)]
pub(crate) struct ProgressSlot {
    pub newest: Mutex<Option<Progress>>,
    pub arrived: Notify,
}

/// The end of the transport, and the requests that were open then.
#[derive(Debug, Clone)]
pub(crate) struct PeerEnd {
    pub end: TransportEnd,
    pub unanswered: Vec<UnansweredRequest>,
}

/// A call under way.
pub(crate) struct RunningCall {
    /// The user's name for it.
    pub key: String,
    pub clock: Arc<Mutex<CallClock>>,
}

pub(crate) struct Peer {
    pub key: ConnectionKey,
    pub connection: ConnectionContext,
    pub inbox: Arc<Inbox>,
    pub publisher: Arc<StatusPublisher>,
    /// The lists that changed.
    pub lists: ListSignals,
    /// Calls under way, by the request id they are waiting on.
    pub calls: Mutex<HashMap<u64, RunningCall>>,
    /// Calls that became tasks, by the request id, which stays the token of their progress
    /// (MCP 2025-11-25, Tasks, progress).
    task_calls: Mutex<VecDeque<(u64, String)>>,
    client_tasks: ClientTasks,
    /// True when the server was told that questions may come as tasks.
    takes_tasks: bool,
    /// Command or address of the server, as it is shown.
    pub command_line: String,
    events: EventSink,
    transport: OnceLock<Transport>,
    requests: OpenRequests,
    notifications: SentNotifications,
    liveness: Liveness,
    handshake: HandshakeSignals,
    /// Room for requests of the server's that are being answered.
    answering: Arc<Semaphore>,
    updates: ResourceUpdates,
}

/// Parts that a [`Peer`] needs to start.
pub(crate) struct PeerOptions {
    pub key: ConnectionKey,
    pub recorder: ConnectionRecorder,
    pub events: EventSink,
    pub inbox: Arc<Inbox>,
    pub publisher: Arc<StatusPublisher>,
    /// The largest message, in bytes.
    pub limit: usize,
    pub diagnostics: Arc<Diagnostics>,
    pub takes_tasks: bool,
    pub command_line: String,
}

impl Peer {
    pub(crate) fn new(options: PeerOptions) -> Arc<Self> {
        Arc::new(Self {
            key: options.key,
            connection: ConnectionContext::new(
                options.recorder,
                options.diagnostics,
                options.limit,
            ),
            inbox: options.inbox,
            publisher: options.publisher,
            lists: ListSignals::default(),
            calls: Mutex::default(),
            task_calls: Mutex::default(),
            client_tasks: ClientTasks::default(),
            takes_tasks: options.takes_tasks,
            command_line: options.command_line,
            events: options.events,
            transport: OnceLock::new(),
            requests: OpenRequests::default(),
            notifications: SentNotifications::default(),
            liveness: Liveness::new(),
            handshake: HandshakeSignals::default(),
            answering: Arc::new(Semaphore::new(MAX_ANSWERS_AT_ONCE)),
            updates: ResourceUpdates::default(),
        })
    }

    /// Attaches the transport; it may report from now on.
    pub(crate) fn attach(&self, transport: Transport) {
        // A peer has one transport for life, so a second one can only be a mistake of ours, and
        // dropping it closes it.
        let _ = self.transport.set(transport);
    }

    pub(crate) fn transport(&self) -> Option<&Transport> {
        self.transport.get()
    }

    pub(crate) fn transport_kind(&self) -> TransportKind {
        self.transport()
            .map_or(TransportKind::Stdio, Transport::kind)
    }

    /// Returns the transport if it is Streamable HTTP.
    pub(crate) fn streamable_http(&self) -> Option<&Arc<StreamableHttpTransport>> {
        match self.transport()? {
            Transport::Http(transport) => Some(transport),
            _ => None,
        }
    }

    /// Sends a message, see [`Transport::send`].
    pub(crate) async fn send(self: &Arc<Self>, outbound: Outbound) -> Result<(), TransportError> {
        if self.connection.ended.is_cancelled() {
            return Err(TransportError::Closed);
        }
        if outbound.request.is_none() {
            let newest = self.requests.newest_id();
            self.notifications.note(&outbound.text, newest);
        }
        match self.transport() {
            Some(transport) => transport.send(self, outbound).await,
            None => Err(TransportError::Closed),
        }
    }

    /// Sends a request of our own. The answer comes through the returned value, whatever happens.
    pub(crate) async fn request(self: &Arc<Self>, request: OutgoingRequest<'_>) -> PendingRequest {
        let id = self.requests.next_id();
        let token = id.to_string();
        let mut meta = request.meta.to_vec();
        if request.progress.is_some() {
            meta.push(("progressToken", &token));
        }
        let text = Bytes::from(request_text(
            id,
            request.method,
            &request.params.with_meta(&meta),
        ));
        let method: Arc<str> = request.method.into();
        let (caller, completion) = oneshot::channel();
        self.insert(
            id,
            OpenRequest {
                progress: request.progress,
                acknowledged: request.acknowledged,
                target: request.target,
                ..OpenRequest::new(Arc::clone(&method), Destination::Caller(caller))
            },
        );
        if let Some(call) = request.call {
            lock(&self.calls).insert(id, call);
        }
        let pending = PendingRequest {
            id,
            peer: Arc::clone(self),
            completion,
            frame: None,
        };
        let modern = !request.meta.is_empty();
        let outbound = Outbound {
            text,
            request: Some(OutboundRequest { id, method, modern }),
        };
        if let Err(error) = self.send(outbound).await {
            self.failed(id, error);
        }
        pending
    }

    /// Registers a request that rmcp makes under a new id of ours.
    pub(crate) fn register_adapter_request(
        &self,
        method: &str,
        id: RequestId,
        sender: mpsc::UnboundedSender<AdapterMessage>,
    ) -> u64 {
        let own_id = self.requests.next_id();
        let destination = Destination::Adapter { sender, id };
        self.insert(own_id, OpenRequest::new(method.into(), destination));
        own_id
    }

    fn insert(&self, id: u64, request: OpenRequest) {
        self.requests.insert(id, request);
        // The connection may have ended between the caller's look at it and now.
        if self.connection.ended.is_cancelled() {
            self.complete(id, Err(RequestError::Lost));
        }
    }

    /// Makes `adapter` the one that answers what the server asks of the client's machinery.
    pub(crate) fn set_adapter(&self, adapter: mpsc::UnboundedSender<AdapterMessage>) {
        *lock(&self.handshake.adapter) = Some(adapter);
    }

    /// Ends a request, if it is still open.
    fn complete(&self, id: u64, response: Result<Response, RequestError>) {
        if let Some(request) = self.requests.remove(id) {
            request.complete(response);
        }
    }

    /// The handshake is over: what rmcp still waits for was a probe that is not needed any more.
    pub(crate) fn forget_probes(&self) {
        self.requests.forget_adapters();
    }

    /// The requests without an answer so far, oldest first.
    pub(crate) fn unanswered(&self) -> Vec<UnansweredRequest> {
        self.requests.unanswered()
    }

    /// Returns true when nothing can be sent any more.
    pub(crate) fn is_over(&self) -> bool {
        self.liveness.is_ending() || self.connection.ended.is_cancelled()
    }

    /// When the newest message came.
    pub(crate) fn last_heard(&self) -> Instant {
        self.liveness.last_heard()
    }

    /// Ends every open request without a reason, because we are closing.
    pub(crate) fn close(&self) {
        self.connection.end();
        for id in self.requests.ids() {
            self.complete(id, Err(RequestError::Lost));
        }
        *lock(&self.handshake.adapter) = None;
    }

    /// An answer to a request of the server's left, which makes room for the next one.
    pub(crate) fn answer_sent(&self) {
        self.answering.add_permits(1);
    }

    /// The reason for which the connection ended, once it has.
    pub(crate) fn peer_end(&self) -> Option<PeerEnd> {
        self.liveness.end()
    }

    /// Waits for a broken line that came instead of the handshake's answer.
    pub(crate) async fn broken_answer(&self) -> Option<Bytes> {
        self.handshake.broken().await;
        self.handshake.broken_answer()
    }

    /// Waits until an answer came whose id is that of a request but for the way it is written, and
    /// time has passed in which another one could. An answer with any other id may be about
    /// something else.
    pub(crate) async fn stray_answer(&self, patience: Duration) -> StrayAnswer {
        loop {
            self.handshake.stray().await;
            tokio::time::sleep(patience).await;
            let stray = self.requests.any_stray();
            if let Some(stray) = stray.filter(|stray| self.requests.names_request(stray)) {
                return stray;
            }
        }
    }

    /// Returns the answer that came while a request waits and that fits none, if one did.
    pub(crate) fn stray(&self) -> Option<StrayAnswer> {
        self.requests.any_stray()
    }

    /// The call with this request id became a task: what it reports on from now on is progress of
    /// the call.
    pub(crate) fn became_task(&self, id: u64, call: &str) {
        let mut calls = lock(&self.task_calls);
        calls.push_back((id, call.to_owned()));
        if calls.len() > MAX_TASK_CALLS {
            calls.pop_front();
        }
    }

    /// Records an incoming message, unless the connection is over.
    async fn record<'a>(&self, text: &'a Bytes, origin: Origin) -> Option<Recorded<'a>> {
        if self.connection.is_silenced() {
            return None;
        }
        let recorder = &self.connection.recorder;
        let recorded = recorder.message(Direction::Received, text, origin.carrier);
        let recorded = recorded.await;
        self.liveness.record_heard();
        Some(recorded)
    }

    pub(crate) fn emit(&self, event: ConnectionEvent) {
        (self.events)(event);
    }
}

impl TransportEvents for Peer {
    fn connection(&self) -> &ConnectionContext {
        &self.connection
    }

    /// Records a message and dispatches it. Waits only when the recorder's queue is full.
    /// Messages after the end of the connection are dropped.
    async fn received(self: &Arc<Self>, text: Bytes, origin: Origin) {
        if let Some(recorded) = self.record(&text, origin).await {
            self.dispatch(&text, recorded, origin).await;
        }
    }

    async fn received_for(self: &Arc<Self>, id: u64, text: Bytes, origin: Origin) {
        if let Some(recorded) = self.record(&text, origin).await {
            self.complete(id, Ok(Response::new(&text, &recorded)));
        }
    }

    fn sent(&self, id: u64, frame: FrameId) {
        let method = self.requests.with(id, |request| {
            request.frame = Some(frame);
            request.sent = Instant::now();
            Arc::clone(&request.method)
        });
        if let Some(method) = method {
            self.publisher.sent(&method);
        }
    }

    fn failed(&self, id: u64, error: TransportError) {
        if !matches!(error, TransportError::Closed) {
            self.connection.recorder.refused(id, error.status());
        }
        let error = match (error, self.requests.stray(id)) {
            (TransportError::Interrupted { url, message }, Some(stray)) => {
                TransportError::Interrupted {
                    url,
                    message: format!("{message}; {stray}"),
                }
            }
            (error, _) => error,
        };
        self.complete(id, Err(RequestError::Transport(error)));
    }

    fn too_large(&self, id: Option<u64>, size: usize) {
        if self.connection.is_silenced() {
            return;
        }
        let whose = match id {
            Some(id) => format!("It answered request {id}, which fails."),
            None => "Which request it answered could not be told.".to_owned(),
        };
        let limit = self.connection.limit;
        self.connection.recorder.note(
            "dropped",
            &format!(
                "A message of {size} bytes was larger than the limit of {limit} bytes and was dropped. {whose}"
            ),
        );
        if let Some(id) = id {
            self.complete(id, Err(RequestError::TooLarge { size }));
        }
    }

    fn is_open(&self, id: u64) -> bool {
        self.requests.is_open(id)
    }

    /// Ends every open request, and so the connection.
    fn end(&self, end: TransportEnd) {
        let is_first = self.liveness.set_end(|| PeerEnd {
            end,
            unanswered: self.unanswered(),
        });
        if is_first {
            self.close();
        }
    }

    fn end_soon(self: &Arc<Self>, end: TransportEnd) {
        if !self.liveness.begin_ending() {
            return;
        }
        let peer = Arc::clone(self);
        tokio::spawn(async move {
            tokio::time::sleep(END_DELAY).await;
            peer.end(end);
        });
    }
}
