//! One attempt to connect, from its first phase to its last.

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
use sightglass_model::{
    Era, EraChoice, Failure, InternalError, KnownEndpoint, Phase, Reconnection, ServerSpec,
};
use sightglass_traffic::ConnectionRecorder;
use tokio::{sync::watch, time::timeout};
use tokio_util::{sync::CancellationToken, task::TaskTracker};

use crate::{
    ListKind,
    backoff::Renewals,
    board::{Beginning, Board},
    connections::{ClientIdentity, EventSink},
    course::{self, Course},
    gate::Proxies,
    handshake::{self, Agreed, Handshake, Housekeeper},
    idle,
    inbox::Inbox,
    journal::Journal,
    list::{HeaderRules, Lists, Loader},
    listing::{Offered, follow_changes, load_all},
    process::{LoginShell, Reaper},
    queue::{Queue, Standing},
    session::{Session, Speaker},
    subscription,
    sync::lock,
    wire::{Link, Wire, WireEnd, WireParts},
    wishes::Wishes,
};

pub(crate) use ending::{Ended, Ending};
use ending::{loss, with_output};

/// Interval at which the stderr of a starting server is shown.
const OUTPUT_INTERVAL: Duration = Duration::from_millis(100);

/// Parts that an attempt works with; all of them outlive the attempt.
pub(crate) struct Attempt {
    pub spec: ServerSpec,
    pub authorizer: Option<Authorizer>,
    pub identity: ClientIdentity,
    /// The lists to load.
    pub wanted: Arc<[ListKind]>,
    pub reaper: Option<Arc<Reaper>>,
    pub proxies: Arc<Proxies>,
    /// Asked for its variables once it is here.
    pub login_shell: Arc<OnceLock<LoginShell>>,
    pub message_limit: usize,
    pub events: EventSink,
    pub inbox: Arc<Inbox>,
    pub board: Arc<Board>,
    pub lists: Arc<Lists>,
    /// Queue through which requests reach the live session.
    pub queue: Arc<Queue>,
    pub wishes: Arc<Wishes>,
    pub ping_interval: watch::Receiver<Option<Duration>>,
    pub tape: ConnectionRecorder,
    pub journal: Arc<Journal>,
    pub server: sightglass_model::ServerId,
    pub cancel: CancellationToken,
    /// Closings that take longer than their limit and go on in the background.
    pub closings: TaskTracker,
    /// The newest wire, for what has to be closed after a defect of ours.
    pub newest: Mutex<Option<Arc<Wire>>>,
}

impl Attempt {
    /// Connects and serves until the connection has failed or was cancelled. What is still
    /// open then, [`clean_up`](Self::clean_up) closes. A defect of ours fails this connection
    /// and no other.
    pub(crate) async fn run(&self, reconnection: Option<Reconnection>) -> (Arc<Wire>, Ending) {
        match AssertUnwindSafe(self.live(reconnection))
            .catch_unwind()
            .await
        {
            Ok(ended) => ended,
            Err(panic) => {
                let failure = InternalError::caught(&*panic).into();
                let wire = lock(&self.newest).take();
                (
                    wire.unwrap_or_else(|| self.new_wire()),
                    Ending::Failed(failure),
                )
            }
        }
    }

    async fn live(&self, reconnection: Option<Reconnection>) -> (Arc<Wire>, Ending) {
        self.board.begin(Beginning {
            tape: self.tape.clone(),
            limits: self.spec.limits.clone(),
            detail: self.spec.summary(),
            reconnection,
        });
        let mut wire = self.new_wire();
        let mut course = Course::new(&self.spec, self.board.found());
        let mut renewals = Renewals::default();
        loop {
            let ended = tokio::select! {
                biased;
                () = self.cancel.cancelled() => return (wire, Ending::Cancelled),
                // On the heap: the way down to the network is long enough for a thread's stack.
                ended = Box::pin(self.connect_and_serve(&wire, &course)) => ended,
                never = self.wait_for_keychain() => never,
                // Within the branch: once it is chosen, what was loading is dropped, and with it
                // the requests that had no answer.
                ended = async {
                    let deadline = self.board.overdue().await;
                    Ended::Failed(Failure::TimedOut {
                        phase: deadline.phase,
                        limit: deadline.limit.into(),
                        set_by: deadline.set_by,
                        unanswered: wire.unanswered(),
                        stderr: Vec::new(),
                    })
                } => ended,
                never = self.show_output(&wire) => never,
            };
            match ended {
                Ended::Failed(Failure::SessionExpired { .. })
                    if self
                        .board
                        .lived()
                        .is_some_and(|lived| renewals.allow(lived)) =>
                {
                    self.queue.set(Standing::Returning);
                    let words =
                        "the server no longer knows the session (HTTP 404); starting a new one";
                    self.tape.note("session", words);
                    self.close(&wire).await;
                    self.inbox.withdraw_all(&self.server);
                    // Only this era has sessions.
                    course.era = EraChoice::Legacy;
                    wire = self.new_wire();
                    self.board.renew(words.to_owned());
                }
                Ended::Failed(failure) => {
                    let failure = with_output(failure, &wire);
                    return (wire, Ending::Failed(failure));
                }
                Ended::DislikedTheProbe { words } => {
                    // Some servers end when their first message is not `initialize`.
                    self.close(&wire).await;
                    course.era = EraChoice::Legacy;
                    wire = self.new_wire();
                    self.board.enter(
                        Phase::Connecting,
                        Some(format!("the server {words} on server/discover; starting it again for initialize")),
                    );
                }
                Ended::Elsewhere { next, words } => {
                    self.close(&wire).await;
                    self.tape.note("transport", &words);
                    course = *next;
                    wire = self.new_wire();
                    self.board.enter(Phase::Connecting, Some(words));
                }
            }
        }
    }

    /// Leaves nothing open.
    pub(crate) async fn clean_up(&self, wire: &Arc<Wire>) {
        self.board.enter(Phase::CleaningUp, None);
        self.close(wire).await;
        self.inbox.withdraw_all(&self.server);
    }

    /// Shows what the server writes to stderr while it starts.
    async fn show_output(&self, wire: &Wire) -> Ended {
        loop {
            wire.wrote_to_stderr.notified().await;
            if let Some(Link::Stdio(process)) = wire.link() {
                self.board.output(process.stderr_tail());
            }
            tokio::time::sleep(OUTPUT_INTERVAL).await;
        }
    }

    /// Holds the time limits while the keychain waits for the person.
    async fn wait_for_keychain(&self) -> Ended {
        let Some(authorizer) = &self.authorizer else {
            return std::future::pending().await;
        };
        let mut states = authorizer.keychain();
        loop {
            if states.borrow_and_update().waiting_since.is_some() {
                self.board.hold("waiting for your keychain");
            } else {
                self.board.resume();
            }
            if states.changed().await.is_err() {
                return std::future::pending().await;
            }
        }
    }

    fn new_wire(&self) -> Arc<Wire> {
        let wire = Wire::new(WireParts {
            server: self.server.clone(),
            tape: self.tape.clone(),
            events: Arc::clone(&self.events),
            inbox: Arc::clone(&self.inbox),
            board: Arc::clone(&self.board),
            limit: self.message_limit,
            journal: Arc::clone(&self.journal),
        });
        *lock(&self.newest) = Some(Arc::clone(&wire));
        wire
    }

    async fn close(&self, wire: &Arc<Wire>) {
        wire.close();
        if let Some(Link::Stdio(process)) = wire.link() {
            self.journal.stderr(process.stderr_tail());
        }
        let limit = self
            .spec
            .limits
            .for_phase(Phase::CleaningUp)
            .unwrap_or(Duration::MAX);
        let closing = Arc::clone(wire);
        // In a task of its own: the limit is for waiting, and what ends a process is never
        // dropped half-way.
        let closed = self.closings.spawn(async move {
            match closing.link() {
                Some(Link::Stdio(process)) => process.close().await,
                Some(Link::Http(link)) => link.close(&closing).await,
                Some(Link::WebSocket(link)) => link.close().await,
                // Its one stream has ended with the wire.
                Some(Link::Sse(_)) | None => {}
            }
            if let late @ 1.. = closing.late() {
                let words =
                    format!("{late} messages came after the connection ended. They were dropped.");
                closing.tape.note("dropped", &words);
            }
        });
        if timeout(limit, closed).await.is_err() {
            self.tape.note(
                "clean-up",
                "Closing takes longer than its limit; it goes on in the background.",
            );
        }
    }

    /// Goes through all phases up to ready and stays there. Returns only when it is over.
    async fn connect_and_serve(&self, wire: &Arc<Wire>, course: &Course) -> Ended {
        if let Err(failure) = self.open(wire, course.transport).await {
            return course.after(failure);
        }
        let era = course.era();
        handshake::begin(&self.board, era);
        let handshake = Handshake {
            wire: Arc::clone(wire),
            board: Arc::clone(&self.board),
            identity: self.identity.clone(),
        };
        let agreed = tokio::select! {
            biased;
            agreed = Box::pin(handshake.perform(era, course.found_era())) => match agreed {
                Ok(agreed) => agreed,
                // When the link broke, that is the reason and not its echo in the handshake.
                Err(failure) => return match self.after_refusal(wire, era, failure).await {
                    Ended::Failed(failure) => course.after(failure),
                    ended => ended,
                },
            },
            () = wire.ended.cancelled() => return self.after_loss(wire, era),
        };
        self.board.set_found(Some(KnownEndpoint {
            endpoint: course::digest(&self.spec),
            transport: agreed.facts.transport,
            era: agreed.facts.era,
        }));
        tokio::select! {
            biased;
            () = wire.ended.cancelled() => Ended::Failed(loss(wire, &self.spec)),
            failure = Box::pin(self.serve(wire, agreed)) => Ended::Failed(failure),
        }
    }

    async fn after_refusal(&self, wire: &Arc<Wire>, era: EraChoice, failure: Failure) -> Ended {
        // The process may be ending this very moment; its exit says more than the silence.
        let ending = matches!(&failure, Failure::ProtocolError { received: None, .. });
        if ending {
            let _ = timeout(Duration::from_millis(500), wire.ended.cancelled()).await;
        }
        match wire.how_it_ended() {
            Some(_) if ending => self.after_loss(wire, era),
            _ => Ended::Failed(failure),
        }
    }

    /// The process ended during the handshake. If nothing but the probe was asked of it,
    /// that may be why.
    fn after_loss(&self, wire: &Arc<Wire>, era: EraChoice) -> Ended {
        if let Some(WireEnd { end, .. }) = wire.how_it_ended() {
            self.board.unanswered(&end.words());
        }
        let failure = loss(wire, &self.spec);
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
            Ended::DislikedTheProbe {
                words: failure.to_string(),
            }
        } else {
            Ended::Failed(failure)
        }
    }

    async fn serve(&self, wire: &Arc<Wire>, agreed: Agreed) -> Failure {
        let Agreed {
            service,
            facts,
            capabilities,
        } = agreed;
        wire.forget_probes();
        let era = facts.era;
        let offered = Offered::read(&capabilities, &self.wanted);
        if let Some(link) = wire.http() {
            link.agreed(Arc::clone(wire), era, &facts.protocol_version);
        }
        let wishes = Arc::clone(&self.wishes);
        let speaker = Arc::new(Speaker::new(
            Arc::clone(wire),
            &facts,
            &self.identity,
            wishes,
        ));
        self.board.settled(facts);
        let loader = Loader {
            speaker: Arc::clone(&speaker),
            lists: Arc::clone(&self.lists),
            rules: match (era, wire.http()) {
                (Era::Modern, Some(_)) => HeaderRules::Apply,
                _ => HeaderRules::DoNotApply,
            },
        };
        let live = async {
            load_all(&loader, &offered, &self.board).await;
            let session = Session {
                speaker: Arc::clone(&speaker),
                board: Arc::clone(&self.board),
                limits: self.spec.limits.clone(),
            };
            self.queue.set(Standing::Up(Arc::new(session)));
            self.board.enter(Phase::Ready, None);
            tokio::select! {
                never = follow_changes(&loader, &offered) => never,
                never = idle::watch(&speaker, &self.board, self.ping_interval.clone()) => never,
                never = self.wishes.ask_again(&speaker) => never,
            }
        };
        tokio::select! {
            // Before the lists are loaded, so that no change after that is missed.
            biased;
            never = subscription::listen(&speaker, &offered) => never,
            never = live => never,
            // rmcp's side ends only with the wire, whose end has a reason.
            never = hold(service) => never,
        }
    }
}

/// Keeps rmcp answering `ping`.
async fn hold(service: RunningService<RoleClient, Housekeeper>) -> Failure {
    let _service = service;
    std::future::pending().await
}
