//! Runs one attempt to connect, from its first phase to its last.

mod ending;
mod opening;

use std::{
    panic::AssertUnwindSafe,
    sync::{Arc, Mutex, OnceLock},
    time::Duration,
};

use futures::FutureExt;
use rmcp::{RoleClient, service::RunningService};
use sightglass_auth::Authorizer;
use sightglass_http::Proxies;
use sightglass_model::{
    Awaited, Endpoint, Era, EraChoice, Failure, InternalError, KnownEndpoint, PermittedSpec, Phase,
    Reconnection, StrayOutput,
};
use sightglass_traffic::ConnectionRecorder;
use tokio::{sync::watch, time::timeout};
use tokio_util::{sync::CancellationToken, task::TaskTracker};

use crate::{
    ListKind,
    rpc::inbox::Inbox,
    rpc::peer::{Peer, PeerEnd, PeerOptions},
    session::context::{LiveSession, RequestContext},
    session::handshake::{self, Agreed, ClientHandler, Declaration, Handshake},
    session::keepalive,
    session::list::{HeaderRules, Lists, Loader},
    session::list_updates::{Offered, follow_changes, load_all},
    session::preferences::SessionPreferences,
    session::queue::{Availability, Queue},
    session::subscription,
    status::diagnostics::Diagnostics,
    status::event::EventSink,
    status::key::ConnectionKey,
    status::publisher::{AttemptStart, StatusPublisher},
    supervisor::backoff::Renewals,
    supervisor::transport_fallback::{self, TransportFallback},
    sync::lock,
    transport::Transport,
    transport::stdio::{LoginShell, Reaper},
};

pub(crate) use ending::{AttemptOutcome, ConnectionEnd};

/// Interval at which the stderr of a starting server is shown.
const OUTPUT_INTERVAL: Duration = Duration::from_millis(100);

/// Parts that an attempt works with; all of them outlive the attempt.
pub(crate) struct Attempt {
    pub spec: PermittedSpec,
    pub authorizer: Option<Authorizer>,
    pub declaration: Arc<Declaration>,
    /// The lists to load.
    pub wanted: Arc<[ListKind]>,
    pub reaper: Option<Arc<Reaper>>,
    pub proxies: Arc<Proxies>,
    /// Asked for its variables once it is here.
    pub login_shell: Arc<OnceLock<LoginShell>>,
    pub message_limit: usize,
    pub events: EventSink,
    pub inbox: Arc<Inbox>,
    pub publisher: Arc<StatusPublisher>,
    pub lists: Arc<Lists>,
    /// Queue through which requests reach the live session.
    pub queue: Arc<Queue>,
    pub preferences: Arc<SessionPreferences>,
    pub ping_interval: watch::Receiver<Option<Duration>>,
    pub recorder: ConnectionRecorder,
    pub diagnostics: Arc<Diagnostics>,
    pub key: ConnectionKey,
    pub cancel: CancellationToken,
    /// Closings that take longer than their limit and go on in the background.
    pub closings: TaskTracker,
    /// The newest peer, for what has to be closed after a defect of ours.
    pub newest: Mutex<Option<Arc<Peer>>>,
}

impl Attempt {
    /// Connects and serves until the connection has failed or was cancelled. What is still
    /// open then, [`clean_up`](Self::clean_up) closes. A defect of ours fails this connection
    /// and no other.
    pub(crate) async fn run(
        &self,
        reconnection: Option<Reconnection>,
    ) -> (Arc<Peer>, ConnectionEnd) {
        match AssertUnwindSafe(self.live(reconnection))
            .catch_unwind()
            .await
        {
            Ok(ended) => ended,
            Err(panic) => {
                let failure = InternalError::caught(&*panic).into();
                let peer = lock(&self.newest).take();
                (
                    peer.unwrap_or_else(|| self.new_peer()),
                    ConnectionEnd::Failed(failure),
                )
            }
        }
    }

    async fn live(&self, reconnection: Option<Reconnection>) -> (Arc<Peer>, ConnectionEnd) {
        self.publisher.begin(AttemptStart {
            recorder: self.recorder.clone(),
            limits: self.spec.limits.clone(),
            detail: self.spec.summary(),
            reconnection,
        });
        let mut peer = self.new_peer();
        let mut fallback = TransportFallback::new(&self.spec, self.publisher.found());
        let mut renewals = Renewals::default();
        loop {
            let ended = tokio::select! {
                biased;
                () = self.cancel.cancelled() => return (peer, ConnectionEnd::Cancelled),
                // On the heap: the way down to the network is long enough for a thread's stack.
                ended = Box::pin(self.connect_and_serve(&peer, &fallback)) => ended,
                never = self.wait_for_keychain() => never,
                // Within the branch: once it is chosen, what was loading is dropped, and with it
                // the requests that had no answer.
                ended = async {
                    let deadline = self.publisher.overdue().await;
                    AttemptOutcome::Failed(match peer.stray() {
                        Some(stray) => handshake::protocol_error(
                            stray.to_string(),
                            Some(&stray.text),
                        ),
                        None => Failure::TimedOut {
                            phase: deadline.phase,
                            limit: deadline.limit.into(),
                            set_by: Box::new(deadline.set_by),
                            unanswered: peer.unanswered(),
                            stderr: Vec::new(),
                            prompt: None,
                            awaited: self.awaited(),
                        },
                    })
                } => ended,
                never = self.show_output(&peer) => never,
            };
            match ended {
                AttemptOutcome::Failed(Failure::SessionExpired { .. })
                    if self
                        .publisher
                        .lived()
                        .is_some_and(|lived| renewals.allow(lived)) =>
                {
                    self.queue.set(Availability::Returning);
                    let message =
                        "the server no longer knows the session (HTTP 404); starting a new one";
                    self.recorder.note("session", message);
                    self.close(&peer).await;
                    self.inbox.withdraw_all(&self.key);
                    // Only this era has sessions.
                    fallback.era = EraChoice::Legacy;
                    peer = self.new_peer();
                    self.publisher.renew(message.to_owned());
                }
                AttemptOutcome::Failed(failure) => {
                    let failure = peer.with_output(failure);
                    return (peer, ConnectionEnd::Failed(failure));
                }
                AttemptOutcome::ProbeRejected { message } => {
                    // Some servers end when their first message is not `initialize`.
                    self.close(&peer).await;
                    fallback.era = EraChoice::Legacy;
                    peer = self.new_peer();
                    self.publisher.enter(
                        Phase::Connecting,
                        Some(format!("the server {message} on server/discover; starting it again for initialize")),
                    );
                }
                AttemptOutcome::TryTransport { next, message } => {
                    self.close(&peer).await;
                    self.recorder.note("transport", &message);
                    fallback = *next;
                    peer = self.new_peer();
                    self.publisher.enter(Phase::Connecting, Some(message));
                }
            }
        }
    }

    /// Returns the thing that is waited for now.
    fn awaited(&self) -> Awaited {
        match &self.spec.endpoint {
            Endpoint::Stdio { .. } => Awaited::Program,
            Endpoint::Remote(_) if self.diagnostics.has_silent_stream() => Awaited::Events,
            Endpoint::Remote(_) => Awaited::Response,
        }
    }

    /// Leaves nothing open.
    pub(crate) async fn clean_up(&self, peer: &Arc<Peer>) {
        self.publisher.enter(Phase::CleaningUp, None);
        self.close(peer).await;
        self.inbox.withdraw_all(&self.key);
    }

    /// Shows what the server writes to stderr while it starts, and to stdout beside its messages.
    async fn show_output(&self, peer: &Peer) -> AttemptOutcome {
        loop {
            peer.connection.wrote_text.notified().await;
            if let Some(Transport::Stdio(process)) = peer.transport() {
                self.publisher.output(process.stderr_tail());
            }
            if let Some(stray) = self.diagnostics.stray_output() {
                self.publisher.stray(StrayOutput {
                    first: self.recorder.masked(&stray.first),
                    ..stray
                });
            }
            tokio::time::sleep(OUTPUT_INTERVAL).await;
        }
    }

    /// Holds the time limits while the keychain waits for the user.
    async fn wait_for_keychain(&self) -> AttemptOutcome {
        let Some(authorizer) = &self.authorizer else {
            return std::future::pending().await;
        };
        let mut states = authorizer.keychain();
        loop {
            if states.borrow_and_update().waiting_since.is_some() {
                self.publisher.hold("waiting for your keychain");
            } else {
                self.publisher.resume();
            }
            if states.changed().await.is_err() {
                return std::future::pending().await;
            }
        }
    }

    /// Makes the upper half of a connection; nothing is open yet.
    pub(crate) fn new_peer(&self) -> Arc<Peer> {
        let peer = Peer::new(PeerOptions {
            key: self.key.clone(),
            recorder: self.recorder.clone(),
            events: Arc::clone(&self.events),
            inbox: Arc::clone(&self.inbox),
            publisher: Arc::clone(&self.publisher),
            limit: self.message_limit,
            diagnostics: Arc::clone(&self.diagnostics),
            command_line: self.spec.summary(),
            takes_tasks: self.declaration.declares_tasks(),
        });
        *lock(&self.newest) = Some(Arc::clone(&peer));
        peer
    }

    async fn close(&self, peer: &Arc<Peer>) {
        peer.close();
        if let Some(Transport::Stdio(process)) = peer.transport() {
            self.diagnostics.stderr(process.stderr_tail());
        }
        let limit = self
            .spec
            .limits
            .for_phase(Phase::CleaningUp)
            .unwrap_or(Duration::MAX);
        let closing = Arc::clone(peer);
        // In a task of its own: the limit is for waiting, and what ends a process is never
        // dropped half-way.
        let closed = self.closings.spawn(async move {
            if let Some(transport) = closing.transport() {
                transport.close(&closing).await;
            }
            if let late @ 1.. = closing.connection.late() {
                let message = match late {
                    1 => "1 message came after the connection ended. It was dropped.".to_owned(),
                    late => format!(
                        "{late} messages came after the connection ended. They were dropped."
                    ),
                };
                closing.connection.recorder.note("dropped", &message);
            }
        });
        if timeout(limit, closed).await.is_err() {
            self.recorder.note(
                "clean-up",
                "Closing takes longer than its limit and continues in the background.",
            );
        }
    }

    /// Goes through all phases up to ready and stays there. Returns only when it is over.
    async fn connect_and_serve(
        &self,
        peer: &Arc<Peer>,
        fallback: &TransportFallback,
    ) -> AttemptOutcome {
        if let Err(failure) = self.open(peer, fallback.transport).await {
            return fallback.after(failure);
        }
        let era = fallback.era();
        handshake::begin(&self.publisher, era);
        let handshake = Handshake {
            peer: Arc::clone(peer),
            publisher: Arc::clone(&self.publisher),
            declaration: Arc::clone(&self.declaration),
        };
        let agreed = tokio::select! {
            biased;
            agreed = Box::pin(handshake.perform(era, fallback.found_era())) => match agreed {
                Ok(agreed) => agreed,
                // When the transport broke, that is the reason and not its echo in the handshake.
                Err(failure) => return match self.after_refusal(peer, era, failure).await {
                    AttemptOutcome::Failed(failure) => fallback.after(failure),
                    ended => ended,
                },
            },
            () = peer.connection.ended.cancelled() => return self.after_loss(peer, era),
        };
        self.publisher.set_found(Some(KnownEndpoint {
            endpoint: transport_fallback::digest(&self.spec),
            transport: agreed.facts.transport,
            era: agreed.facts.era,
        }));
        tokio::select! {
            biased;
            () = peer.connection.ended.cancelled() => AttemptOutcome::Failed(peer.loss()),
            failure = Box::pin(self.serve(peer, agreed)) => AttemptOutcome::Failed(failure),
        }
    }

    async fn after_refusal(
        &self,
        peer: &Arc<Peer>,
        era: EraChoice,
        failure: Failure,
    ) -> AttemptOutcome {
        // The process may be ending this very moment; its exit says more than the silence.
        let ending = matches!(&failure, Failure::ProtocolError { received: None, .. });
        if ending {
            let _ = timeout(
                Duration::from_millis(500),
                peer.connection.ended.cancelled(),
            )
            .await;
        }
        match peer.peer_end() {
            Some(_) if ending => self.after_loss(peer, era),
            _ => AttemptOutcome::Failed(failure),
        }
    }

    /// The process ended during the handshake. If nothing but the probe was asked of it,
    /// that may be why.
    fn after_loss(&self, peer: &Arc<Peer>, era: EraChoice) -> AttemptOutcome {
        if let Some(PeerEnd { end, .. }) = peer.peer_end() {
            self.publisher.unanswered(&end.message());
        }
        let failure = peer.loss();
        let probed_only = era == EraChoice::Auto
            && match &failure {
                Failure::Exited { unanswered, .. } => {
                    !unanswered.is_empty()
                        && unanswered
                            .iter()
                            .all(|request| request.method == "server/discover")
                }
                _ => false,
            };
        if probed_only {
            AttemptOutcome::ProbeRejected {
                message: failure.to_string(),
            }
        } else {
            AttemptOutcome::Failed(failure)
        }
    }

    async fn serve(&self, peer: &Arc<Peer>, agreed: Agreed) -> Failure {
        let Agreed {
            service,
            facts,
            capabilities,
        } = agreed;
        peer.forget_probes();
        let era = facts.era;
        let offered = Offered::read(&capabilities, &self.wanted);
        if let Some(link) = peer.streamable_http() {
            link.agreed(Arc::clone(peer), era, &facts.protocol_version);
        }
        let preferences = Arc::clone(&self.preferences);
        let context = Arc::new(RequestContext::new(
            Arc::clone(peer),
            &facts,
            &self.declaration,
            preferences,
        ));
        self.publisher.settled(facts);
        let loader = Loader {
            context: Arc::clone(&context),
            lists: Arc::clone(&self.lists),
            rules: match (era, peer.streamable_http()) {
                (Era::Modern, Some(_)) => HeaderRules::Apply,
                _ => HeaderRules::DoNotApply,
            },
        };
        let live = async {
            load_all(&loader, &offered, &self.publisher).await;
            let session = LiveSession {
                context: Arc::clone(&context),
                publisher: Arc::clone(&self.publisher),
                limits: self.spec.limits.clone(),
            };
            self.queue.set(Availability::Up(Arc::new(session)));
            self.publisher.enter(Phase::Ready, None);
            tokio::select! {
                never = follow_changes(&loader, &offered) => never,
                never = keepalive::watch(&context, &self.publisher, self.ping_interval.clone()) => never,
                never = self.preferences.ask_again(&context) => never,
            }
        };
        tokio::select! {
            // Before the lists are loaded, so that no change after that is missed.
            biased;
            never = subscription::listen(&context, &offered) => never,
            never = live => never,
            // rmcp's side ends only with the peer, whose end has a reason.
            never = hold(service) => never,
        }
    }
}

/// Keeps rmcp answering `ping`.
async fn hold(service: RunningService<RoleClient, ClientHandler>) -> Failure {
    let _service = service;
    std::future::pending().await
}
