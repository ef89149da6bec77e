//! Owns the connections of the program, one supervisor each.
//!
//! Methods that reach down to the transports return boxed futures: the body of an `async fn` is
//! compiled again in each crate that awaits it, with all that it awaits, and these would be
//! compiled into every area. Boxed, they are compiled once, here.

mod lists;
mod probes;
mod requests;
mod tasks;

use std::{
    borrow::Cow,
    collections::{HashMap, HashSet},
    panic::AssertUnwindSafe,
    path::PathBuf,
    sync::{
        Arc, Mutex, OnceLock,
        atomic::{AtomicUsize, Ordering},
    },
    time::Duration,
};

use futures::{
    FutureExt,
    future::{BoxFuture, join_all},
};
use sightglass_auth::Authorizer;
use sightglass_http::CurrentProxies;
use sightglass_model::{
    ConnectionStatus, Endpoint, InternalError, KnownEndpoint, PermittedSpec, Phase, ServerId,
    ServerSpec,
};
use sightglass_secrets::{Redactor, Secret};
use sightglass_traffic::Recorder;
use tokio::{
    runtime::Handle,
    sync::{Notify, watch},
    task::JoinHandle,
};
use tokio_util::{sync::CancellationToken, task::TaskTracker};

use crate::{
    AutomaticAnswer, ConnectionError, ConnectionEvent, ConnectionKey, DoctorReport,
    EventSubscriber, ListKind, ListState, QuestionRules, ReaperCommand, ServerAnswer,
    ServerQuestion,
    doctor::{DoctorTarget, examine},
    rpc::inbox::Inbox,
    rpc::roots::RootsOf,
    session::handshake::{ClientIdentity, Declaration},
    session::list::Lists,
    session::preferences::SessionPreferences,
    session::queue::{Availability, Queue},
    status::event::EventSink,
    status::publisher::StatusPublisher,
    status::subscribers::Subscribers,
    supervisor::attempt::Attempt,
    supervisor::{ConnectionTarget, Supervisor},
    sync::lock,
    transport::stdio::{LoginShell, Reaper, inherited_secrets},
};

/// The largest message by default, in bytes.
pub const DEFAULT_MESSAGE_LIMIT: usize = 256 * 1024 * 1024;

/// Options of [`Connections`].
pub struct ConnectionsOptions {
    /// Recorder of everything that crosses a connection.
    pub recorder: Recorder,
    pub client: ClientIdentity,
    /// The largest message in bytes, [`DEFAULT_MESSAGE_LIMIT`] unless configured. A larger one
    /// fails the request that it answers; the connection goes on.
    pub message_limit: usize,
    /// Answer of `roots/list` by server. Asked each time; must not block.
    pub roots: RootsOf,
    /// Rules that answer questions in the user's place, asked in their order.
    pub rules: Vec<Arc<dyn QuestionRules>>,
    /// The lists that are loaded as part of connecting: all of them, unless the host needs
    /// only some.
    pub lists: Vec<ListKind>,
    /// Command of the helper that ends all servers when this program is killed. Without
    /// one, Linux ends the servers themselves but not what they started.
    pub reaper: Option<ReaperCommand>,
    /// Proxies of remote servers.
    pub proxies: Arc<CurrentProxies>,
    /// Endpoints found before, for servers whose entry leaves them open. What is found
    /// from now on is part of each [`ConnectionStatus`].
    pub found: HashMap<ServerId, KnownEndpoint>,
}

/// Owns every connection. Each runs in a task of its own.
pub struct Connections {
    options: ConnectionsOptions,
    subscribers: Arc<Subscribers>,
    wanted: Arc<[ListKind]>,
    reaper: Option<Arc<Reaper>>,
    inbox: Arc<Inbox>,
    runtime: Handle,
    message_limit: Arc<AtomicUsize>,
    ping_interval: watch::Sender<Option<Duration>>,
    login_shell: Arc<OnceLock<LoginShell>>,
    /// Connections that are being closed.
    closings: TaskTracker,
    by_key: Mutex<HashMap<ConnectionKey, Arc<Connection>>>,
    recorded_as: RecordedAs,
}

/// Role of connections in the record.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum RecordedAs {
    Server,
    /// A check of the server: its end says nothing about the server.
    Check,
}

/// One connection to a server, over all attempts to connect.
struct Connection {
    key: ConnectionKey,
    events: EventSink,
    /// Told whenever the status or a list changed.
    changed: Arc<Notify>,
    publisher: Arc<StatusPublisher>,
    lists: Arc<Lists>,
    queue: Arc<Queue>,
    preferences: Arc<SessionPreferences>,
    /// Values of the user that must not be recorded.
    learned: Arc<Mutex<Vec<Secret<String>>>>,
    running: Mutex<Option<ConnectionTask>>,
    /// Tasks that were taken out of `running` and have not ended yet. Closed from the beginning, so
    /// that its end can be awaited at any time.
    ending: TaskTracker,
}

/// The task that keeps a connection.
struct ConnectionTask {
    cancel: CancellationToken,
    spec: PermittedSpec,
    hurry: watch::Sender<Option<ConnectionTarget>>,
    task: JoinHandle<()>,
}

impl Connections {
    /// Must be called inside a tokio runtime, which then runs all connections.
    pub fn new(options: ConnectionsOptions) -> Self {
        let subscribers = Arc::<Subscribers>::default();
        Self {
            wanted: options.lists.clone().into(),
            reaper: options
                .reaper
                .clone()
                .map(|command| Arc::new(Reaper::new(command))),
            inbox: Arc::new(Inbox::new(
                publishing(&subscribers),
                Arc::clone(&options.roots),
                options.rules.clone(),
            )),
            runtime: Handle::current(),
            message_limit: Arc::new(AtomicUsize::new(options.message_limit)),
            ping_interval: watch::Sender::new(None),
            login_shell: Arc::default(),
            closings: TaskTracker::new(),
            by_key: Mutex::default(),
            recorded_as: RecordedAs::Server,
            subscribers,
            options,
        }
    }

    /// Registers a subscriber to everything that happens from now on, after those that were
    /// registered before it. Connections beside the user's own make no events but those of their
    /// questions.
    pub fn subscribe_events(&self, subscriber: Arc<dyn EventSubscriber>) {
        self.subscribers.add(subscriber);
    }

    /// Changes [`ConnectionsOptions::message_limit`] for the attempts from now on.
    pub fn set_message_limit(&self, bytes: usize) {
        self.message_limit.store(bytes, Ordering::Relaxed);
    }

    /// Pings connections on which nothing has come for `interval`; `None` means never, which
    /// is how it is until this is called.
    pub fn set_ping_interval(&self, interval: Option<Duration>) {
        self.ping_interval.send_replace(interval);
    }

    /// Gives programs the search path, the proxies and the locale of the user's login shell,
    /// which is asked once, in the directory `home`. For an application that was started from a
    /// desktop, whose own environment lacks them.
    pub fn use_login_shell(&self, home: PathBuf) {
        // It may have been said before.
        let _ = self.login_shell.set(LoginShell::new(home));
    }

    /// The search path of the login shell, which servers are started with; absent where it is
    /// not asked, or says nothing.
    pub async fn login_path(&self) -> Option<String> {
        self.login_shell.get()?.path().await
    }

    /// Starts to connect and returns at once; everything else arrives as events. A connection
    /// that there is is closed first. One that was lost and waits for its next try has that
    /// try now.
    pub fn connect(&self, connection: impl Into<ConnectionKey>, spec: PermittedSpec) {
        self.connect_with(connection, spec, None);
    }

    /// Like [`connect`](Self::connect), with a token from `authorizer` on every request.
    pub fn connect_with(
        &self,
        connection: impl Into<ConnectionKey>,
        spec: PermittedSpec,
        authorizer: Option<Authorizer>,
    ) {
        self.start(connection.into(), spec, authorizer);
    }

    /// Starts to connect. Not generic, so that all that runs a connection is compiled here and not in
    /// each crate that connects.
    fn start(&self, key: ConnectionKey, spec: PermittedSpec, authorizer: Option<Authorizer>) {
        let connection = self.connection(key);
        let target = ConnectionTarget {
            spec: spec.clone(),
            authorizer,
        };
        let mut running = lock(&connection.running);
        if connection.queue.is_returning()
            && connection.publisher.awaits_next_try()
            && let Some(running) = &mut *running
        {
            running.spec = spec;
            running.hurry.send_replace(Some(target));
            return;
        }
        let cancel = CancellationToken::new();
        let (hurry, hurried) = watch::channel(None);
        let supervisor = Supervisor {
            target,
            make: self.attempts(&connection, cancel.clone(), self.recorded_as),
            publisher: Arc::clone(&connection.publisher),
            queue: Arc::clone(&connection.queue),
            hurry: hurried,
            cancel: cancel.clone(),
        };
        let previous = running.take();
        let (lists, preferences) = (
            Arc::clone(&connection.lists),
            Arc::clone(&connection.preferences),
        );
        let task = self.runtime.spawn(async move {
            if let Some(previous) = previous {
                previous.stop().await;
            }
            lists.reset();
            preferences.forget();
            let (publisher, queue) = (
                Arc::clone(&supervisor.publisher),
                Arc::clone(&supervisor.queue),
            );
            if let Err(panic) = AssertUnwindSafe(supervisor.run()).catch_unwind().await {
                // Even the end of the attempt failed.
                queue.set(Availability::Down);
                publisher.failed(InternalError::caught(&*panic).into(), None);
            }
        });
        *running = Some(ConnectionTask {
            cancel,
            spec,
            hurry,
            task,
        });
    }

    /// Prepares attempts, each with a place of its own in the record.
    fn attempts(
        &self,
        connection: &Connection,
        cancel: CancellationToken,
        recorded_as: RecordedAs,
    ) -> impl Fn(ConnectionTarget) -> Attempt + Send + 'static {
        let recorder = self.options.recorder.clone();
        let identity = self.options.client.clone();
        let wanted = Arc::clone(&self.wanted);
        let reaper = self.reaper.clone();
        let proxies = Arc::clone(&self.options.proxies);
        let login_shell = Arc::clone(&self.login_shell);
        let message_limit = Arc::clone(&self.message_limit);
        let key = connection.key.clone();
        let events = Arc::clone(&connection.events);
        let inbox = Arc::clone(&self.inbox);
        let publisher = Arc::clone(&connection.publisher);
        let lists = Arc::clone(&connection.lists);
        let queue = Arc::clone(&connection.queue);
        let preferences = Arc::clone(&connection.preferences);
        let ping_interval = self.ping_interval.subscribe();
        let closings = self.closings.clone();
        let learned = Arc::clone(&connection.learned);
        let recorded_id = key.recorded_id();
        let recorder = move |spec: &ServerSpec| {
            let starts_program = match &spec.endpoint {
                Endpoint::Stdio { .. } => true,
                Endpoint::Remote(remote) => remote.headers_helper.is_some(),
            };
            let inherited = match starts_program {
                true => inherited_secrets(),
                false => Vec::new(),
            };
            let learned = lock(&learned).clone();
            let secrets = spec.secrets().into_iter().chain(learned).chain(inherited);
            let (id, name) = match recorded_as {
                RecordedAs::Server => (recorded_id.clone(), Cow::Borrowed(&*spec.name)),
                RecordedAs::Check => (
                    recorded_id.of_check(),
                    format!("{} (check)", spec.name).into(),
                ),
            };
            let recorder = recorder.start_connection(id, &name, Redactor::new(secrets));
            match spec.is_recorded {
                true => recorder,
                false => recorder.in_memory(),
            }
        };
        move |ConnectionTarget { spec, authorizer }| Attempt {
            recorder: recorder(&spec),
            declaration: Arc::new(Declaration::new(&identity, &spec.client)),
            spec,
            authorizer,
            wanted: Arc::clone(&wanted),
            reaper: reaper.clone(),
            proxies: proxies.get(),
            login_shell: Arc::clone(&login_shell),
            message_limit: message_limit.load(Ordering::Relaxed),
            events: Arc::clone(&events),
            inbox: Arc::clone(&inbox),
            publisher: Arc::clone(&publisher),
            lists: Arc::clone(&lists),
            queue: Arc::clone(&queue),
            preferences: Arc::clone(&preferences),
            ping_interval: ping_interval.clone(),
            diagnostics: Arc::default(),
            key: key.clone(),
            cancel: cancel.clone(),
            closings: closings.clone(),
            newest: Mutex::default(),
        }
    }

    /// Examines a server by an attempt of its own, beside the connection there may be, and
    /// answers what was found. Its requests carry the token of `authorizer`, as those of the
    /// connection would. `tell` hears the report each time a check has ended; `cancel` ends the
    /// examination early.
    pub fn doctor<'a>(
        &'a self,
        server: ServerId,
        spec: PermittedSpec,
        authorizer: Option<Authorizer>,
        cancel: CancellationToken,
        tell: &'a (dyn Fn(DoctorReport) + Send + Sync),
    ) -> BoxFuture<'a, DoctorReport> {
        Box::pin(self.examination(server, spec, authorizer, cancel, tell))
    }

    async fn examination(
        &self,
        server: ServerId,
        spec: PermittedSpec,
        authorizer: Option<Authorizer>,
        cancel: CancellationToken,
        tell: &(dyn Fn(DoctorReport) + Send + Sync),
    ) -> DoctorReport {
        let (sender, status) = watch::channel(None);
        let events: EventSink = Arc::new(move |event| {
            if let ConnectionEvent::Status { status, .. } = event
                && status.phase != Phase::Disconnected
            {
                // The doctor stops listening when it has seen enough.
                let _ = sender.send(Some(Arc::unwrap_or_clone(status)));
            }
        });
        let connection = Connection::new(server.into(), &events, None);
        let inbox = Arc::new(Inbox::new(
            Arc::clone(&events),
            Arc::clone(&self.options.roots),
            Vec::new(),
        ));
        let make = self.attempts(&connection, CancellationToken::new(), RecordedAs::Check);
        let attempt = Attempt {
            inbox,
            wanted: ListKind::ALL.into(),
            ..make(ConnectionTarget { spec, authorizer })
        };
        let patient = DoctorTarget {
            attempt,
            status,
            proxies: self.options.proxies.get(),
        };
        examine(patient, cancel, tell).await
    }

    /// Returns the servers that are connected or about to be, as they were permitted: one for each
    /// connection.
    pub fn running(&self) -> Vec<(ServerId, PermittedSpec)> {
        let connections = lock(&self.by_key);
        let running = connections.iter().filter_map(|(key, connection)| {
            let running = lock(&connection.running);
            let running = running.as_ref().filter(|one| !one.task.is_finished())?;
            Some((key.server.clone(), running.spec.clone()))
        });
        running.collect()
    }

    /// Ends the connection, also one that is only being made or waits for its next try, and
    /// waits until nothing of it is left. The phase is `disconnected` then, or still `failed`.
    pub async fn disconnect(&self, connection: impl Into<ConnectionKey>) {
        let Some(connection) = self.known(connection) else {
            return;
        };
        connection.stop().await;
    }

    /// Ends all connections to a server: the user's own and those beside it.
    pub async fn disconnect_all(&self, server: &ServerId) {
        let all: Vec<Arc<Connection>> = lock(&self.by_key)
            .iter()
            .filter(|(key, _)| key.server == *server)
            .map(|(_, connection)| Arc::clone(connection))
            .collect();
        let ending = all
            .into_iter()
            .map(|connection| async move { connection.stop().await });
        join_all(ending).await;
    }

    /// Forgets which transport and era the server was reached with; the next attempt finds
    /// out anew.
    pub fn forget_found(&self, server: &ServerId) {
        self.connection(server.into()).publisher.set_found(None);
    }

    /// Forgets a connection that is not there and not about to be.
    pub fn forget(&self, connection: impl Into<ConnectionKey>) {
        let key = connection.into();
        lock(&self.by_key).retain(|known, connection| *known != key || !connection.is_idle());
    }

    /// Forgets all servers but these that are not connected and not about to be, so that those
    /// that were removed do not add up.
    pub fn forget_others(&self, servers: &HashSet<ServerId>) {
        lock(&self.by_key)
            .retain(|known, connection| servers.contains(&known.server) || !connection.is_idle());
    }

    /// Masks these values in everything that is recorded of the server from now on.
    pub fn learn(&self, server: &ServerId, secrets: &[Secret<String>]) {
        if secrets.is_empty() {
            return;
        }
        let connection = self.connection(server.into());
        let mut learned = lock(&connection.learned);
        let new = secrets.iter().filter(|secret| !learned.contains(secret));
        let new: Vec<_> = new.cloned().collect();
        learned.extend(new);
        connection.publisher.learn(secrets);
    }

    /// Returns what was learned to be a secret of any server.
    pub fn learned(&self) -> Vec<Secret<String>> {
        let connections: Vec<_> = lock(&self.by_key).values().cloned().collect();
        let learned = connections.iter().map(|one| lock(&one.learned).clone());
        learned.flatten().collect()
    }

    /// A text with everything masked that the record of this connection masks; nothing when there
    /// never was one.
    pub fn masked(&self, connection: impl Into<ConnectionKey>, text: &str) -> Option<String> {
        self.known(connection)?.publisher.masked(text)
    }

    /// Returns the status of the connection; `None` when there never was one.
    pub fn status(&self, connection: impl Into<ConnectionKey>) -> Option<ConnectionStatus> {
        Some(self.known(connection)?.publisher.status())
    }

    /// Waits until the status is one that `is_wanted` names, and returns it; `None` when there never
    /// was a connection.
    pub async fn wait_for_status(
        &self,
        connection: impl Into<ConnectionKey>,
        is_wanted: impl Fn(&ConnectionStatus) -> bool,
    ) -> Option<ConnectionStatus> {
        let connection = self.known(connection)?;
        let find = || Some(connection.publisher.status()).filter(&is_wanted);
        Some(connection.wait_for(find).await)
    }

    /// Waits until no list of a connection is being loaded.
    pub async fn wait_for_lists(&self, connection: impl Into<ConnectionKey>) {
        if let Some(connection) = self.known(connection) {
            let find = || {
                let lists = connection.lists.snapshot();
                let mut states = lists.iter().map(|list| &list.state);
                states
                    .all(|state| *state != ListState::Loading)
                    .then_some(())
            };
            connection.wait_for(find).await;
        }
    }

    /// The questions of all servers that wait for an answer, oldest first.
    pub fn questions(&self) -> Vec<ServerQuestion> {
        self.inbox.questions()
    }

    /// The newest questions that were answered without asking the user, the oldest first.
    pub fn automatic_answers(&self) -> Vec<AutomaticAnswer> {
        self.inbox.automatic_answers()
    }

    /// Answers a question.
    pub fn answer(&self, id: u32, answer: ServerAnswer) -> Result<(), ConnectionError> {
        self.inbox.answer(id, answer)
    }

    /// Answers a question that is open still as a rule wants it. That a rule did is told, and on
    /// record. `shown` is the answer with secrets masked.
    pub fn answer_by_rule(
        &self,
        id: u32,
        rule: &str,
        answer: ServerAnswer,
        shown: String,
    ) -> Result<(), ConnectionError> {
        let key = self.inbox.answer_by_rule(id, rule, answer, shown)?;
        let session = self.known(key).and_then(|known| known.queue.live().ok());
        if let Some(session) = session {
            let note = format!("A model answered, as the rule \u{201c}{rule}\u{201d} wants it.");
            session.context.peer.connection.recorder.note("rule", &note);
        }
        Ok(())
    }

    /// Leaves a question for which a model was asked to the user, with the reason as a sentence.
    pub fn leave_to_user(&self, id: u32, remark: String) {
        self.inbox.leave_to_user(id, remark);
    }

    /// Closes everything and waits until no process is left.
    pub async fn shutdown(&self) {
        let all: Vec<Arc<Connection>> = lock(&self.by_key).values().cloned().collect();
        let ending = all
            .into_iter()
            .map(|connection| async move { connection.stop().await });
        join_all(ending).await;
        self.closings.close();
        self.closings.wait().await;
    }

    fn known(&self, connection: impl Into<ConnectionKey>) -> Option<Arc<Connection>> {
        lock(&self.by_key).get(&connection.into()).cloned()
    }

    fn connection(&self, key: ConnectionKey) -> Arc<Connection> {
        let mut connections = lock(&self.by_key);
        let connection = connections.entry(key).or_insert_with_key(|key| {
            let events: EventSink = match &key.identity {
                None => publishing(&self.subscribers),
                // It is there for one call or comparison, which waits for it; what is shown is the
                // user's own connection.
                Some(_) => Arc::new(|_| {}),
            };
            let found = self.options.found.get(&key.server);
            let found = found.filter(|_| key.identity.is_none()).cloned();
            Arc::new(Connection::new(key.clone(), &events, found))
        });
        Arc::clone(connection)
    }
}

impl Drop for Connections {
    fn drop(&mut self) {
        // Without `shutdown` the tasks still end and clean up, as far as the runtime lives.
        for connection in lock(&self.by_key).values() {
            if let Some(running) = lock(&connection.running).take() {
                running.cancel.cancel();
            }
        }
    }
}

/// Returns the sink that hands events to the subscribers.
fn publishing(subscribers: &Arc<Subscribers>) -> EventSink {
    let subscribers = Arc::clone(subscribers);
    Arc::new(move |event| subscribers.publish(&event))
}

impl Connection {
    fn is_idle(&self) -> bool {
        let running = lock(&self.running);
        running
            .as_ref()
            .is_none_or(|running| running.task.is_finished())
    }

    /// Ends the connection, and waits until nothing of it is left, also where another call ends it
    /// already.
    async fn stop(&self) {
        // Counted while the lock is held: whoever finds nothing that runs finds this end instead.
        let running = lock(&self.running)
            .take()
            .map(|running| (running, self.ending.token()));
        if let Some((running, counted)) = running {
            running.stop().await;
            drop(counted);
        }
        self.ending.wait().await;
    }

    /// Waits until `find` finds something. It is asked again after each event of the connection.
    async fn wait_for<T>(&self, find: impl Fn() -> Option<T>) -> T {
        loop {
            // Listens before it looks, so that no event in between is missed.
            let changed = self.changed.notified();
            if let Some(found) = find() {
                return found;
            }
            changed.await;
        }
    }

    fn new(key: ConnectionKey, events: &EventSink, found: Option<KnownEndpoint>) -> Self {
        let changed = Arc::new(Notify::new());
        let events: EventSink = {
            let (events, changed) = (Arc::clone(events), Arc::clone(&changed));
            Arc::new(move |event| {
                events(event);
                changed.notify_waiters();
            })
        };
        let publisher = Arc::new(StatusPublisher::new(
            key.server.clone(),
            Arc::clone(&events),
            found,
        ));
        let ending = TaskTracker::new();
        ending.close();
        Self {
            lists: Arc::new(Lists::new(key.server.clone(), Arc::clone(&events))),
            queue: Arc::new(Queue::new(Arc::clone(&publisher))),
            preferences: Arc::new(SessionPreferences::new()),
            learned: Arc::default(),
            running: Mutex::default(),
            ending,
            publisher,
            key,
            events,
            changed,
        }
    }
}

impl ConnectionTask {
    async fn stop(self) {
        self.cancel.cancel();
        // A panic in it is already reported by the panic hook.
        let _ = self.task.await;
    }
}
