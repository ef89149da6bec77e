//! One attempt to connect, from its first phase to its last.

use std::{
    collections::BTreeSet,
    path::PathBuf,
    sync::{Arc, Mutex},
    time::Duration,
};

use rmcp::{RoleClient, service::RunningService};
use sightglass_model::{Endpoint, Era, EraChoice, Failure, Phase, ServerSpec};
use sightglass_traffic::Tape;
use tokio::{sync::watch, time::timeout};
use tokio_util::sync::CancellationToken;

use crate::{
    ListKind, ListState,
    board::Board,
    connections::{ClientIdentity, EventSink},
    gate::{Gate, Proxies, Versions},
    handshake::{self, Agreed, Handshake, Housekeeper},
    http::HttpLink,
    inbox::Inbox,
    list::{HeaderRules, Lists, Loader, load},
    process::{ProcessLink, Program, Reaper, working_directory},
    session::{Session, Speaker},
    subscription,
    sync::lock,
    wire::{Link, LinkEnd, Wire, WireEnd, WireParts, milliseconds},
};

/// A burst of `list_changed` is answered with one load: whatever comes within this time of
/// the first is part of it.
const BURST: Duration = Duration::from_millis(100);

/// What an attempt works with; all of it outlives the attempt.
pub(crate) struct Attempt {
    pub spec: ServerSpec,
    pub identity: ClientIdentity,
    pub roots: Arc<[PathBuf]>,
    /// The lists to load.
    pub wanted: Arc<[ListKind]>,
    pub reaper: Option<Arc<Reaper>>,
    pub proxies: Arc<Proxies>,
    pub message_limit: usize,
    pub events: EventSink,
    pub inbox: Arc<Inbox>,
    pub board: Arc<Board>,
    pub lists: Arc<Lists>,
    /// Where the live session is found by everybody else.
    pub session: Arc<Mutex<Option<Arc<Session>>>>,
    pub tape: Tape,
    pub server: sightglass_model::ServerId,
    pub cancel: CancellationToken,
}

impl Attempt {
    /// Connects, serves, and cleans up. Ends when the connection has failed or was
    /// cancelled, with nothing left open.
    pub(crate) async fn run(self) {
        self.lists.reset();
        self.board.begin(
            self.tape.clone(),
            self.spec.limits.clone(),
            self.spec.endpoint.summary(),
        );
        let mut wire = self.new_wire();
        let mut era = self.spec.era;
        let outcome = loop {
            let ended = tokio::select! {
                biased;
                () = self.cancel.cancelled() => None,
                failure = self.connect_and_serve(&wire, era) => Some(failure),
                deadline = self.board.overdue() => Some(Ended::Failed(Failure::TimedOut {
                    phase: deadline.phase,
                    limit: milliseconds(deadline.limit),
                    unanswered: wire.unanswered(),
                    stderr: Vec::new(),
                })),
            };
            match ended {
                None => break None,
                Some(Ended::Failed(failure)) => break Some(failure),
                Some(Ended::DislikedTheProbe { words }) => {
                    // Some servers end when their first message is not `initialize`.
                    self.close(&wire).await;
                    era = EraChoice::Legacy;
                    wire = self.new_wire();
                    self.board.enter(
                        Phase::Connecting,
                        Some(format!("the server {words} on server/discover; starting it again for initialize")),
                    );
                }
            }
        };
        *lock(&self.session) = None;
        let failure = outcome.map(|failure| with_stderr(failure, &wire));
        self.board.enter(Phase::CleaningUp, None);
        self.close(&wire).await;
        self.inbox.withdraw_all(&self.server);
        match failure {
            Some(failure) => self.board.failed(failure),
            None => self.board.enter(Phase::Disconnected, None),
        }
        self.tape.ended();
    }

    fn new_wire(&self) -> Arc<Wire> {
        Wire::new(WireParts {
            server: self.server.clone(),
            tape: self.tape.clone(),
            events: Arc::clone(&self.events),
            inbox: Arc::clone(&self.inbox),
            limit: self.message_limit,
        })
    }

    async fn close(&self, wire: &Arc<Wire>) {
        wire.close();
        let limit = self
            .spec
            .limits
            .for_phase(Phase::CleaningUp)
            .unwrap_or(Duration::MAX);
        let closed = async {
            match wire.link() {
                Some(Link::Stdio(process)) => process.close().await,
                Some(Link::Http(link)) => link.close(wire).await,
                None => {}
            }
        };
        if timeout(limit, closed).await.is_err() {
            self.tape.note(
                "clean-up",
                "Closing took longer than its limit; it goes on in the background.",
            );
        }
    }

    /// Goes through all phases up to ready and stays there. Returns only when it is over.
    async fn connect_and_serve(&self, wire: &Arc<Wire>, era: EraChoice) -> Ended {
        if let Err(failure) = self.open(wire).await {
            return Ended::Failed(failure);
        }
        handshake::begin(&self.board, era);
        let handshake = Handshake {
            wire: Arc::clone(wire),
            board: Arc::clone(&self.board),
            identity: self.identity.clone(),
            roots: Arc::clone(&self.roots),
        };
        let agreed = tokio::select! {
            biased;
            agreed = handshake.perform(era) => match agreed {
                Ok(agreed) => agreed,
                // When the link broke, that is the reason and not its echo in the handshake.
                Err(failure) => return self.after_refusal(wire, era, failure).await,
            },
            () = wire.ended.cancelled() => return self.after_loss(wire, era),
        };
        tokio::select! {
            biased;
            () = wire.ended.cancelled() => Ended::Failed(loss(wire, &self.spec)),
            failure = self.serve(wire, agreed) => Ended::Failed(failure),
        }
    }

    async fn open(&self, wire: &Arc<Wire>) -> Result<(), Failure> {
        let link = match &self.spec.endpoint {
            Endpoint::Stdio {
                command,
                arguments,
                environment,
                working_directory: directory,
            } => {
                let program = Program {
                    command: command.clone(),
                    arguments: arguments.clone(),
                    environment: environment.clone(),
                    working_directory: working_directory(directory.as_ref(), &self.roots),
                    command_line: self.spec.endpoint.summary(),
                };
                Link::Stdio(ProcessLink::open(wire, program, self.reaper.clone()).await?)
            }
            Endpoint::Remote(remote) => {
                let gate = Gate::open(remote, &self.proxies, Versions::Any)?;
                if let Some((variable, proxy)) = self.proxies.of(gate.url()) {
                    self.tape.note(
                        "proxy",
                        &format!("Requests go through {proxy}, as {variable} says."),
                    );
                }
                Link::Http(HttpLink::new(gate, self.message_limit))
            }
        };
        wire.attach(link);
        Ok(())
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
        let speaker = Arc::new(Speaker::new(Arc::clone(wire), &facts, &self.identity));
        self.board.settled(facts);
        let loader = Loader {
            speaker: Arc::clone(&speaker),
            lists: Arc::clone(&self.lists),
            rules: match (era, wire.http()) {
                (Era::Modern, Some(_)) => HeaderRules::Apply,
                _ => HeaderRules::DoNotApply,
            },
        };
        let (watched, subscriptions) = watch::channel(BTreeSet::new());
        let live = async {
            self.load_all(&loader, &offered).await;
            let session = Arc::new(Session::new(
                Arc::clone(&speaker),
                Arc::clone(&self.board),
                self.spec.limits.clone(),
                Arc::clone(&self.roots),
                watched,
            ));
            *lock(&self.session) = Some(session);
            self.board.enter(Phase::Ready, None);
            follow_changes(&loader, &offered).await
        };
        tokio::select! {
            // Before the lists are loaded, so that no change after that is missed.
            biased;
            never = subscription::listen(&speaker, &offered, subscriptions) => never,
            never = live => never,
            // rmcp's side ends only with the wire, whose end has a reason.
            never = hold(service) => never,
        }
    }

    /// Loads all lists at once; the phases follow in their order, each until its list is
    /// complete.
    async fn load_all(&self, loader: &Loader, offered: &Offered) {
        let start = |kind: ListKind| {
            let wanted = offered.list(kind);
            let loader = loader.clone();
            let board = Arc::clone(&self.board);
            let phase = phase_of(kind);
            let task = async move {
                if wanted {
                    load(&loader, kind, |page, count| {
                        if page > 1 && board.phase() == phase {
                            board.detail(format!("page {page}, {count} so far"));
                        }
                    })
                    .await;
                } else {
                    loader.lists.set_state(kind, ListState::Unsupported);
                }
            };
            AbortOnDrop(tokio::spawn(task))
        };
        let mut resources = start(ListKind::Resources);
        let mut templates = start(ListKind::ResourceTemplates);
        let mut tools = start(ListKind::Tools);
        let mut prompts = start(ListKind::Prompts);
        self.board.enter(
            Phase::ListingResources,
            offered.absence(ListKind::Resources),
        );
        resources.finished().await;
        templates.finished().await;
        self.summarise(&[ListKind::Resources, ListKind::ResourceTemplates]);
        self.board
            .enter(Phase::ListingTools, offered.absence(ListKind::Tools));
        tools.finished().await;
        self.summarise(&[ListKind::Tools]);
        self.board
            .enter(Phase::ListingPrompts, offered.absence(ListKind::Prompts));
        prompts.finished().await;
        self.summarise(&[ListKind::Prompts]);
    }

    /// The phase's last words: how much there is, or what went wrong.
    fn summarise(&self, kinds: &[ListKind]) {
        let words: Vec<String> = kinds
            .iter()
            .filter_map(|kind| match self.lists.state(*kind) {
                ListState::Unsupported => None,
                ListState::Failed { message } => Some(format!("{}: {message}", kind.method())),
                ListState::Loading | ListState::Loaded => Some(format!(
                    "{} {}",
                    self.lists.current(*kind).len(),
                    plural(*kind)
                )),
            })
            .collect();
        if !words.is_empty() {
            self.board.detail(words.join(", "));
        }
    }
}

/// How an attempt, or its first half, ended.
enum Ended {
    Failed(Failure),
    /// The process ended after the probe, before anything else was asked of it.
    DislikedTheProbe {
        words: String,
    },
}

/// What the server says it offers.
pub(crate) struct Offered {
    tools: bool,
    resources: bool,
    prompts: bool,
    pub tools_changed: bool,
    pub resources_changed: bool,
    pub prompts_changed: bool,
    /// The lists that the host wants of them.
    wanted: Arc<[ListKind]>,
}

impl Offered {
    fn read(capabilities: &str, wanted: &Arc<[ListKind]>) -> Self {
        let value: serde_json::Value = serde_json::from_str(capabilities).unwrap_or_default();
        let has = |name: &str| value.get(name).is_some();
        let changes = |name: &str| {
            value
                .get(name)
                .and_then(|of| of.get("listChanged"))
                .and_then(serde_json::Value::as_bool)
                == Some(true)
        };
        Self {
            tools: has("tools"),
            resources: has("resources"),
            prompts: has("prompts"),
            tools_changed: changes("tools"),
            resources_changed: changes("resources"),
            prompts_changed: changes("prompts"),
            wanted: Arc::clone(wanted),
        }
    }

    /// Whether the list is to be loaded.
    fn list(&self, kind: ListKind) -> bool {
        self.has(kind) && self.wanted.contains(&kind)
    }

    fn has(&self, kind: ListKind) -> bool {
        match kind {
            ListKind::Tools => self.tools,
            ListKind::Resources | ListKind::ResourceTemplates => self.resources,
            ListKind::Prompts => self.prompts,
        }
    }

    /// Why the list is not loaded, when it is not.
    fn absence(&self, kind: ListKind) -> Option<String> {
        if !self.has(kind) {
            Some("not offered".to_owned())
        } else if !self.list(kind) {
            Some("not needed".to_owned())
        } else {
            None
        }
    }
}

/// Loads the lists again that the server says have changed.
async fn follow_changes(loader: &Loader, offered: &Offered) -> Failure {
    let wire = &loader.speaker.wire;
    loop {
        wire.lists_changed.notified().await;
        tokio::time::sleep(BURST).await;
        let changed = wire.take_changed_lists();
        let loads = changed
            .into_iter()
            .filter(|kind| offered.list(*kind))
            .map(|kind| load(loader, kind, |_, _| {}));
        futures::future::join_all(loads).await;
    }
}

/// Keeps rmcp answering `ping` and `roots/list`.
async fn hold(service: RunningService<RoleClient, Housekeeper>) -> Failure {
    let _service = service;
    std::future::pending().await
}

/// Why the wire ended, as a failure of the connection.
fn loss(wire: &Wire, spec: &ServerSpec) -> Failure {
    match wire.how_it_ended() {
        Some(WireEnd {
            end: LinkEnd::Exited { code, signal },
            unanswered,
        }) => Failure::Exited {
            command_line: spec.endpoint.summary(),
            code,
            signal,
            stderr: Vec::new(),
            unanswered,
        },
        Some(WireEnd {
            end: LinkEnd::Failed(failure),
            ..
        }) => failure,
        Some(WireEnd {
            end: LinkEnd::OutputClosed,
            ..
        })
        | None => Failure::ProtocolError {
            message: "the server closed its standard output and did not end".to_owned(),
            received: None,
            stderr: Vec::new(),
        },
    }
}

/// Adds the last lines of stderr to failures that have room for them.
fn with_stderr(mut failure: Failure, wire: &Wire) -> Failure {
    if let Some(Link::Stdio(process)) = wire.link()
        && let Failure::Exited { stderr, .. }
        | Failure::TimedOut { stderr, .. }
        | Failure::ProtocolError { stderr, .. } = &mut failure
    {
        *stderr = process.stderr_tail();
    }
    failure
}

fn phase_of(kind: ListKind) -> Phase {
    match kind {
        ListKind::Resources | ListKind::ResourceTemplates => Phase::ListingResources,
        ListKind::Tools => Phase::ListingTools,
        ListKind::Prompts => Phase::ListingPrompts,
    }
}

fn plural(kind: ListKind) -> &'static str {
    match kind {
        ListKind::Tools => "tools",
        ListKind::Resources => "resources",
        ListKind::ResourceTemplates => "templates",
        ListKind::Prompts => "prompts",
    }
}

/// A task that ends with its owner.
struct AbortOnDrop(tokio::task::JoinHandle<()>);

impl AbortOnDrop {
    async fn finished(&mut self) {
        // A panic in it is already reported by the panic hook, and its list stays as it is.
        let _ = (&mut self.0).await;
    }
}

impl Drop for AbortOnDrop {
    fn drop(&mut self) {
        self.0.abort();
    }
}
