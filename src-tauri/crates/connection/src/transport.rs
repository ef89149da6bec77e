//! Transports: each carries messages to one server and reports what comes back.
//!
//! A transport knows no JSON-RPC beyond the id that ties an HTTP exchange to its request, and of
//! its user above only [`TransportEvents`]. The order of messages is that of the calls: there is no
//! channel and no task between a transport and its events, so a flood of notifications costs
//! little more than reading it.

mod end;
pub(crate) mod error;
pub(crate) mod event_stream;
pub(crate) mod headers_helper;
pub(crate) mod http_client;
pub(crate) mod program;
pub(crate) mod sse;
pub(crate) mod stdio;
pub(crate) mod streamable_http;
pub(crate) mod web_socket;

use std::{
    panic::AssertUnwindSafe,
    sync::{
        Arc,
        atomic::{AtomicBool, AtomicU64, Ordering},
    },
};

use bytes::Bytes;
use futures::FutureExt;
use sightglass_model::{FrameId, InternalError, TransportKind};
use sightglass_traffic::{CarrierId, ConnectionRecorder};
use tokio::{sync::Notify, task::AbortHandle};
use tokio_util::sync::CancellationToken;

use crate::status::diagnostics::Diagnostics;

pub(crate) use end::TransportEnd;
use error::TransportError;
use sse::SseTransport;
use stdio::StdioTransport;
use streamable_http::StreamableHttpTransport;
use web_socket::WebSocketTransport;

/// Transport of a connection's messages.
pub(crate) enum Transport {
    Stdio(StdioTransport),
    Http(Arc<StreamableHttpTransport>),
    Sse(Arc<SseTransport>),
    WebSocket(WebSocketTransport),
}

impl Transport {
    pub(crate) fn kind(&self) -> TransportKind {
        match self {
            Self::Stdio(_) => TransportKind::Stdio,
            Self::Http(_) => TransportKind::Http,
            Self::Sse(_) => TransportKind::Sse,
            Self::WebSocket(_) => TransportKind::WebSocket,
        }
    }

    /// Sends a message. Over HTTP a request goes its own way, since its exchange lasts as long as
    /// its answer; for anything else this returns when the server has accepted it.
    pub(crate) async fn send(
        &self,
        events: &Arc<impl TransportEvents>,
        outbound: Outbound,
    ) -> Result<(), TransportError> {
        match self {
            Self::Stdio(transport) => transport.send(&**events, outbound).await,
            Self::Http(transport) => {
                Arc::clone(transport)
                    .send(Arc::clone(events), outbound)
                    .await
            }
            Self::Sse(transport) => {
                Arc::clone(transport)
                    .send(Arc::clone(events), outbound)
                    .await
            }
            Self::WebSocket(transport) => transport.send(outbound).await,
        }
    }

    /// Ends the exchange of a request that was given up. Over Streamable HTTP that is how the
    /// stateless era cancels.
    pub(crate) fn abandon(&self, id: u64) {
        if let Self::Http(transport) = self {
            transport.abandon(id);
        }
    }

    /// Closes what is still open. A process gets its time to end.
    pub(crate) async fn close(&self, events: &Arc<impl TransportEvents>) {
        match self {
            Self::Stdio(transport) => transport.close().await,
            Self::Http(transport) => transport.close(events).await,
            Self::WebSocket(transport) => transport.close().await,
            // Its one stream ends with the connection.
            Self::Sse(_) => {}
        }
    }
}

/// Receives what a transport reports.
pub(crate) trait TransportEvents: Send + Sync + 'static {
    /// The facts of the connection that the transport shares.
    fn connection(&self) -> &ConnectionContext;

    /// A message came. Returns when it is recorded and dispatched.
    fn received(self: &Arc<Self>, text: Bytes, origin: Origin) -> impl Future<Output = ()> + Send;

    /// A message came that answers the request `id`, whatever id it carries itself.
    fn received_for(
        self: &Arc<Self>,
        id: u64,
        text: Bytes,
        origin: Origin,
    ) -> impl Future<Output = ()> + Send;

    /// A request was sent and is on record as this frame.
    fn sent(&self, id: u64, frame: FrameId);

    /// A request could not be carried, or its answer.
    fn failed(&self, id: u64, error: TransportError);

    /// A message larger than the limit was discarded.
    fn too_large(&self, id: Option<u64>, size: usize);

    /// Returns true while a request waits for its answer.
    fn is_open(&self, id: u64) -> bool;

    /// The transport ended. Only the first reason counts.
    fn end(&self, end: TransportEnd);

    /// The transport ends in a moment, for this reason. What is open on it has that moment to
    /// learn its own fate, for instance that it never reached the server.
    fn end_soon(self: &Arc<Self>, end: TransportEnd);

    /// Runs a task until it is done or the connection ends. A server that misbehaves must not be
    /// heard after the end, so no task outlives it unless its work is the end itself.
    fn spawn(self: &Arc<Self>, task: impl Future<Output = ()> + Send + 'static) -> AbortHandle
    where
        Self: Sized,
    {
        let ended = self.connection().ended.clone();
        self.spawn_to_completion(async move {
            tokio::select! {
                biased;
                () = ended.cancelled() => {}
                () = task => {}
            }
        })
    }

    /// Runs a task that goes on after the end, for what ends by itself or is aborted. A defect in
    /// a task ends the connection: it would look alive and answer nothing.
    fn spawn_to_completion(
        self: &Arc<Self>,
        task: impl Future<Output = ()> + Send + 'static,
    ) -> AbortHandle
    where
        Self: Sized,
    {
        let events = Arc::clone(self);
        let task = async move {
            if let Err(panic) = AssertUnwindSafe(task).catch_unwind().await {
                events.end(TransportEnd::Failed(InternalError::caught(&*panic).into()));
            }
        };
        tokio::spawn(task).abort_handle()
    }
}

/// Facts of one connection that its transport and the peer above share.
pub(crate) struct ConnectionContext {
    pub recorder: ConnectionRecorder,
    pub diagnostics: Arc<Diagnostics>,
    /// The largest message, in bytes.
    pub limit: usize,
    /// Told when the server wrote to stderr, or to stdout what is no message.
    pub wrote_text: Notify,
    /// Cancelled when the connection is over, whichever side ended it.
    pub ended: CancellationToken,
    /// The same, for the path of every message: a flag costs no lock.
    silenced: AtomicBool,
    /// Messages that came after the end and were dropped.
    late: AtomicU64,
}

impl ConnectionContext {
    pub(crate) fn new(
        recorder: ConnectionRecorder,
        diagnostics: Arc<Diagnostics>,
        limit: usize,
    ) -> Self {
        Self {
            recorder,
            diagnostics,
            limit,
            wrote_text: Notify::new(),
            ended: CancellationToken::new(),
            silenced: AtomicBool::new(false),
            late: AtomicU64::new(0),
        }
    }

    /// Ends the connection: what comes from now on is dropped.
    pub(crate) fn end(&self) {
        self.silenced.store(true, Ordering::Release);
        self.ended.cancel();
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

    /// Returns the number of messages that came after the end so far.
    pub(crate) fn late(&self) -> u64 {
        self.late.load(Ordering::Relaxed)
    }
}

/// A message on its way out.
pub(crate) struct Outbound {
    pub text: Bytes,
    /// The request that this is, where it is one.
    pub request: Option<OutboundRequest>,
}

/// Facts about a request that the transport needs to carry it.
#[derive(Clone)]
pub(crate) struct OutboundRequest {
    pub id: u64,
    pub method: Arc<str>,
    /// The protocol version of a request of the stateless era, which names it in a header.
    pub modern: bool,
}

/// Origin of a message, as far as the transport tells.
#[derive(Debug, Clone, Copy, Default)]
pub(crate) struct Origin {
    pub carrier: Option<CarrierId>,
    /// The request on whose response stream it came.
    pub request: Option<u64>,
}
