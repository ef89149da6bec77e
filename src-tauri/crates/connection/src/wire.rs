//! One attempt's wire: everything that crosses it is recorded first and interpreted second.
//!
//! Messages leave through a [`Link`] (the pipes of a child process, or a network) and come back
//! through [`Wire::received`]. In between stand the requests that wait for an answer. There
//! is one sequence of request ids per wire, shared by the requests that rmcp makes and by
//! our own, so that an answer always belongs to exactly one request, and an answer to a
//! request that was given up belongs to none.

mod end;
mod request;
mod route;
mod task;
mod update;

use std::{
    collections::HashMap,
    sync::{
        Arc, Mutex, OnceLock,
        atomic::{AtomicBool, AtomicU8, AtomicU64, Ordering},
    },
    time::{Duration, Instant},
};

use bytes::Bytes;
use rmcp::model::RequestId;
use sightglass_model::{FrameId, ServerId, TransportKind, UnansweredRequest};
use sightglass_traffic::{CarrierId, ConnectionRecorder};
use tokio::sync::{Notify, Semaphore, mpsc, oneshot};
use tokio_util::sync::CancellationToken;

use crate::{
    ConnectionEvent, ListKind, Progress, board::Board, connections::EventSink, http::HttpLink,
    inbox::Inbox, journal::Journal, json::request_text, link_error::LinkError, port::PortMessage,
    process::ProcessLink, server_sent_events::SseLink, sync::lock, web_socket::WebSocketLink,
};

pub(crate) use end::{LinkEnd, WireEnd};
pub(crate) use request::{Answer, Answered, NewRequest, Outbound, OutboundRequest, Ticket};
use update::ResourceUpdates;

/// Time for requests to learn of their own fate when the link is known to be gone.
const LAST_MOMENT: Duration = Duration::from_millis(200);

/// Requests of the server's that are being answered without a user at the same time. A server
/// that does not read our answers is not read any further until it does.
const MOST_ANSWERS_AT_ONCE: usize = 64;

/// Transport of the messages.
pub(crate) enum Link {
    Stdio(ProcessLink),
    Http(Arc<HttpLink>),
    Sse(Arc<SseLink>),
    WebSocket(WebSocketLink),
}

enum Destination {
    /// A request of our own.
    Ticket(oneshot::Sender<Answered>),
    /// A request that rmcp made, and the id that it knows it by.
    Port {
        port: mpsc::UnboundedSender<PortMessage>,
        id: RequestId,
    },
}

struct Pending {
    method: Arc<str>,
    sent: Instant,
    frame: Option<FrameId>,
    destination: Destination,
    progress: Option<Arc<ProgressSlot>>,
    /// Told when the server acknowledges a request that is open by design
    /// (`subscriptions/listen`). That one is no fault of the server's when the connection ends.
    acknowledged: Option<Arc<Notify>>,
}

impl Pending {
    fn is_standing(&self) -> bool {
        self.acknowledged.is_some()
    }
}

/// The newest progress of a call; older ones are on record and need not be shown.
#[derive(Default)]
pub(crate) struct ProgressSlot {
    pub newest: Mutex<Option<Progress>>,
    pub arrived: Notify,
}

/// Origin of a message, as far as the transport tells.
#[derive(Debug, Clone, Copy, Default)]
pub(crate) struct Origin {
    pub carrier: Option<CarrierId>,
    /// The request on whose response stream it came.
    pub request: Option<u64>,
}

pub(crate) struct Wire {
    pub server: ServerId,
    pub tape: ConnectionRecorder,
    pub events: EventSink,
    pub inbox: Arc<Inbox>,
    pub board: Arc<Board>,
    /// The largest message, in bytes.
    pub limit: usize,
    began: Instant,
    /// When the newest message came, in milliseconds after `began`.
    heard: AtomicU64,
    pub journal: Arc<Journal>,
    next_id: AtomicU64,
    pending: Mutex<HashMap<u64, Pending>>,
    link: OnceLock<Link>,
    /// Channel for the requests of the server that rmcp answers.
    port: Mutex<Option<mpsc::UnboundedSender<PortMessage>>>,
    /// A line during the handshake that should have been an answer.
    broken_answer: Mutex<Option<Bytes>>,
    pub handshake_broken: Notify,
    /// The lists that the server says have changed, one bit each.
    changed_lists: AtomicU8,
    pub lists_changed: Notify,
    /// True when the server wrote to stderr since somebody looked.
    pub wrote_to_stderr: Notify,
    /// True when it is known that the link will end.
    doomed: AtomicBool,
    end: Mutex<Option<WireEnd>>,
    /// Cancelled when the connection is over, whoever ended it. Every task of the wire ends
    /// with it, so that a server that goes on sending is not heard any more.
    pub ended: CancellationToken,
    /// The same, for the path of every message: a flag costs no lock.
    silenced: AtomicBool,
    /// Messages that came after the end and were dropped.
    late: AtomicU64,
    /// Room for requests of the server's that are being answered.
    answering: Arc<Semaphore>,
    updates: ResourceUpdates,
    /// Calls under way, by the request id they are waiting on: the person's name for it.
    pub calls: Mutex<HashMap<u64, String>>,
}

/// Parts that a [`Wire`] needs to start.
pub(crate) struct WireParts {
    pub server: ServerId,
    pub tape: ConnectionRecorder,
    pub events: EventSink,
    pub inbox: Arc<Inbox>,
    pub board: Arc<Board>,
    pub limit: usize,
    pub journal: Arc<Journal>,
}

impl Wire {
    pub(crate) fn new(parts: WireParts) -> Arc<Self> {
        Arc::new(Self {
            server: parts.server,
            tape: parts.tape,
            events: parts.events,
            inbox: parts.inbox,
            board: parts.board,
            limit: parts.limit,
            began: Instant::now(),
            heard: AtomicU64::new(0),
            journal: parts.journal,
            next_id: AtomicU64::new(1),
            pending: Mutex::default(),
            link: OnceLock::new(),
            port: Mutex::default(),
            broken_answer: Mutex::default(),
            handshake_broken: Notify::new(),
            changed_lists: AtomicU8::new(0),
            lists_changed: Notify::new(),
            wrote_to_stderr: Notify::new(),
            doomed: AtomicBool::new(false),
            end: Mutex::default(),
            ended: CancellationToken::new(),
            silenced: AtomicBool::new(false),
            late: AtomicU64::new(0),
            answering: Arc::new(Semaphore::new(MOST_ANSWERS_AT_ONCE)),
            updates: ResourceUpdates::default(),
            calls: Mutex::default(),
        })
    }

    /// Attaches the link; it may call back from now on.
    pub(crate) fn attach(&self, link: Link) {
        // A wire has one link for life, so a second one can only be a mistake of ours, and
        // dropping it closes it.
        let _ = self.link.set(link);
    }

    pub(crate) fn link(&self) -> Option<&Link> {
        self.link.get()
    }

    pub(crate) fn transport(&self) -> TransportKind {
        match self.link() {
            Some(Link::Stdio(_)) | None => TransportKind::Stdio,
            Some(Link::Http(_)) => TransportKind::Http,
            Some(Link::Sse(_)) => TransportKind::Sse,
            Some(Link::WebSocket(_)) => TransportKind::WebSocket,
        }
    }

    pub(crate) fn http(&self) -> Option<&Arc<HttpLink>> {
        match self.link() {
            Some(Link::Http(link)) => Some(link),
            _ => None,
        }
    }

    /// The next request id.
    pub(crate) fn allocate_id(&self) -> u64 {
        self.next_id.fetch_add(1, Ordering::Relaxed)
    }

    /// Hands a message to the link. Over HTTP a request goes its own way, since its exchange
    /// lasts as long as its answer; for anything else this returns when the server has
    /// accepted it.
    pub(crate) async fn send(self: &Arc<Self>, outbound: Outbound) -> Result<(), LinkError> {
        if self.ended.is_cancelled() {
            return Err(LinkError::Closed);
        }
        match self.link() {
            Some(Link::Stdio(link)) => link.send(outbound).await,
            Some(Link::Http(link)) => Arc::clone(link).send(Arc::clone(self), outbound).await,
            Some(Link::Sse(link)) => Arc::clone(link).send(Arc::clone(self), outbound).await,
            Some(Link::WebSocket(link)) => link.send(outbound).await,
            None => Err(LinkError::Closed),
        }
    }

    /// Sends a request of our own. The answer comes through the ticket, whatever happens.
    pub(crate) async fn request(self: &Arc<Self>, request: NewRequest<'_>) -> Ticket {
        let id = self.allocate_id();
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
        let (sender, answer) = oneshot::channel();
        self.insert(
            id,
            Pending {
                method: Arc::clone(&method),
                sent: Instant::now(),
                frame: None,
                destination: Destination::Ticket(sender),
                progress: request.progress,
                acknowledged: request.acknowledged,
            },
        );
        let ticket = Ticket {
            id,
            wire: Arc::clone(self),
            answer,
        };
        let modern = !request.meta.is_empty();
        let outbound = Outbound {
            text,
            request: Some(OutboundRequest { id, method, modern }),
        };
        if let Err(error) = self.send(outbound).await {
            self.fail_request(id, error);
        }
        ticket
    }

    /// Registers a request that rmcp makes under a new id of ours.
    pub(crate) fn register_port_request(
        &self,
        method: &str,
        id: RequestId,
        port: mpsc::UnboundedSender<PortMessage>,
    ) -> u64 {
        let wire_id = self.allocate_id();
        self.insert(
            wire_id,
            Pending {
                method: method.into(),
                sent: Instant::now(),
                frame: None,
                destination: Destination::Port { port, id },
                progress: None,
                acknowledged: None,
            },
        );
        wire_id
    }

    fn insert(&self, id: u64, pending: Pending) {
        lock(&self.pending).insert(id, pending);
        // The wire may have ended between the caller's look at it and now.
        if self.ended.is_cancelled() {
            self.complete(id, Answer::Lost);
        }
    }

    /// Makes `port` the one that answers what the server asks of the client's machinery.
    pub(crate) fn set_port(&self, port: mpsc::UnboundedSender<PortMessage>) {
        *lock(&self.port) = Some(port);
    }

    /// The link has put a request on the wire.
    pub(crate) fn sent(&self, id: u64, frame: FrameId) {
        let method = lock(&self.pending).get_mut(&id).map(|pending| {
            pending.frame = Some(frame);
            pending.sent = Instant::now();
            Arc::clone(&pending.method)
        });
        if let Some(method) = method {
            self.board.sent(&method);
        }
    }

    /// A request failed in the link.
    pub(crate) fn fail_request(&self, id: u64, error: LinkError) {
        self.complete(id, Answer::LinkFailed(error));
    }

    /// A message larger than the limit was discarded.
    pub(crate) fn too_large(&self, id: Option<u64>, size: usize) {
        if self.is_silenced() {
            return;
        }
        let whose = match id {
            Some(id) => format!("It answered request {id}, which fails."),
            None => "Which request it answered could not be told.".to_owned(),
        };
        self.tape.note(
            "dropped",
            &format!(
                "A message of {size} bytes was larger than the limit of {} bytes and was dropped. {whose}",
                self.limit
            ),
        );
        if let Some(id) = id {
            self.complete(id, Answer::TooLarge { size });
        }
    }

    /// Ends a request, if it is still open.
    pub(crate) fn complete(&self, id: u64, answer: Answer) {
        let Some(pending) = lock(&self.pending).remove(&id) else {
            return;
        };
        match pending.destination {
            // A caller that is gone wants no answer; neither does a port.
            Destination::Ticket(ticket) => {
                let _ = ticket.send(Answered {
                    answer,
                    request_frame: pending.frame,
                    sent: pending.sent,
                });
            }
            Destination::Port { port, id } => {
                let _ = port.send(PortMessage::Answer {
                    id,
                    method: pending.method,
                    answered: Answered {
                        answer,
                        request_frame: pending.frame,
                        sent: pending.sent,
                    },
                });
            }
        }
    }

    /// The handshake is over: what rmcp still waits for was a probe that nobody needs now.
    pub(crate) fn forget_probes(&self) {
        lock(&self.pending)
            .retain(|_, pending| !matches!(pending.destination, Destination::Port { .. }));
    }

    /// Returns true when the request still waits for its answer.
    pub(crate) fn is_open(&self, id: u64) -> bool {
        lock(&self.pending).contains_key(&id)
    }

    /// The requests without an answer so far, oldest first.
    pub(crate) fn unanswered(&self) -> Vec<UnansweredRequest> {
        let pending = lock(&self.pending);
        let mut open: Vec<(u64, UnansweredRequest)> = pending
            .iter()
            .filter(|(_, pending)| !pending.is_standing())
            .map(|(id, pending)| {
                (
                    *id,
                    UnansweredRequest {
                        id: id.to_string(),
                        method: pending.method.to_string(),
                        waited: pending.sent.elapsed().into(),
                    },
                )
            })
            .collect();
        open.sort_by_key(|(id, _)| *id);
        open.into_iter().map(|(_, request)| request).collect()
    }

    /// The link will be gone in a moment, for this reason. What is open on it has that moment
    /// to learn by itself how it fares, for instance that it never reached the server.
    pub(crate) fn end_soon(self: &Arc<Self>, end: LinkEnd) {
        if self.doomed.swap(true, Ordering::AcqRel) {
            return;
        }
        let wire = Arc::clone(self);
        tokio::spawn(async move {
            tokio::time::sleep(LAST_MOMENT).await;
            wire.end(end);
        });
    }

    /// Returns true when nothing can be sent any more.
    pub(crate) fn is_over(&self) -> bool {
        self.doomed.load(Ordering::Acquire) || self.ended.is_cancelled()
    }

    /// When the newest message came.
    pub(crate) fn last_heard(&self) -> Instant {
        self.began + Duration::from_millis(self.heard.load(Ordering::Relaxed))
    }

    /// The link is gone: every open request ends, and so does the connection. Only the first
    /// reason counts.
    pub(crate) fn end(&self, end: LinkEnd) {
        {
            let mut slot = lock(&self.end);
            if slot.is_some() {
                return;
            }
            *slot = Some(WireEnd {
                end,
                unanswered: self.unanswered(),
            });
        }
        self.close();
    }

    /// Ends every open request without a reason, because we are closing.
    pub(crate) fn close(&self) {
        self.silenced.store(true, Ordering::Release);
        self.ended.cancel();
        let open: Vec<u64> = lock(&self.pending).keys().copied().collect();
        for id in open {
            self.complete(id, Answer::Lost);
        }
        *lock(&self.port) = None;
    }

    /// Returns true when what comes now is dropped, because the connection is over. Counts it if
    /// so.
    pub(crate) fn is_silenced(&self) -> bool {
        let silenced = self.silenced.load(Ordering::Acquire);
        if silenced {
            self.late.fetch_add(1, Ordering::Relaxed);
        }
        silenced
    }

    /// Returns the number of messages came after the end so far.
    pub(crate) fn late(&self) -> u64 {
        self.late.load(Ordering::Relaxed)
    }

    /// An answer to a request of the server's left, which makes room for the next one.
    pub(crate) fn answer_sent(&self) {
        self.answering.add_permits(1);
    }

    pub(crate) fn how_it_ended(&self) -> Option<WireEnd> {
        lock(&self.end).clone()
    }

    /// The broken line that came instead of the handshake's answer.
    pub(crate) fn broken_answer(&self) -> Option<Bytes> {
        lock(&self.broken_answer).clone()
    }

    /// Takes the lists that have changed since the last look.
    pub(crate) fn take_changed_lists(&self) -> Vec<ListKind> {
        let bits = self.changed_lists.swap(0, Ordering::AcqRel);
        ListKind::ALL
            .into_iter()
            .enumerate()
            .filter(|(position, _)| bits & (1 << position) != 0)
            .map(|(_, kind)| kind)
            .collect()
    }

    pub(crate) fn mark_changed(&self, list: ListKind) {
        let position = ListKind::ALL
            .iter()
            .position(|kind| *kind == list)
            .unwrap_or_default();
        self.changed_lists.fetch_or(1 << position, Ordering::AcqRel);
        self.lists_changed.notify_one();
    }

    pub(crate) fn emit(&self, event: ConnectionEvent) {
        (self.events)(event);
    }
}

pub(crate) fn milliseconds(duration: std::time::Duration) -> f64 {
    duration.as_secs_f64() * 1000.0
}
