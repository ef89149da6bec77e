//! One session: a connection that outlives the command that made it, and its name.

use std::{
    collections::BTreeMap,
    path::PathBuf,
    sync::{
        Arc, Mutex, PoisonError,
        atomic::{AtomicU32, Ordering},
    },
    time::{Duration, Instant},
};

use serde::{Deserialize, Serialize};
use sightglass_inspector::{
    ConnectionStatus, Failure, Inspector, Phase, ServerId, ServerSpec, Timestamp, shell_quoted,
};
use tokio::sync::{Semaphore, SemaphorePermit};

use crate::{
    error::CliError, narration::Narration, options::CommonOptions, session_name::SessionName,
    target::Target,
};

/// Commands that wait for the connection of one session to come back.
const MAX_WAITING: usize = 100;
/// Time limit of their wait.
pub(crate) const MAX_WAIT: Duration = Duration::from_secs(180);
/// An open session.
pub(crate) struct NamedSession {
    pub name: SessionName,
    pub inspector: Arc<Inspector>,
    /// Options that it was connected with.
    pub options: CommonOptions,
    /// The words that the user named the server with.
    pub target: Target,
    pub id: ServerId,
    pub directory: PathBuf,
    since: Timestamp,
    spec: Mutex<ServerSpec>,
    /// Held by the one that connects again; others wait for what comes of it.
    pub connecting: tokio::sync::Mutex<()>,
    places: Semaphore,
    /// Number of requests.
    requests: AtomicU32,
    usage: Mutex<Usage>,
    /// Declines questions also while no command is there.
    questions: Narration,
}

/// Use of a session.
struct Usage {
    commands: usize,
    last: Instant,
}

/// What a new session is made of.
pub(crate) struct SessionParts {
    pub name: SessionName,
    pub inspector: Arc<Inspector>,
    pub options: CommonOptions,
    pub target: Target,
    pub id: ServerId,
    pub spec: ServerSpec,
    pub directory: PathBuf,
}

impl NamedSession {
    /// Makes a session of a server that is connected.
    pub(crate) fn new(parts: SessionParts) -> Self {
        Self {
            questions: Narration::silent(&parts.inspector, &parts.id),
            name: parts.name,
            inspector: parts.inspector,
            options: parts.options,
            target: parts.target,
            id: parts.id,
            directory: parts.directory,
            since: Timestamp::now(),
            spec: Mutex::new(parts.spec),
            connecting: tokio::sync::Mutex::default(),
            places: Semaphore::new(MAX_WAITING),
            requests: AtomicU32::new(0),
            usage: Mutex::new(Usage {
                commands: 0,
                last: Instant::now(),
            }),
        }
    }

    pub(crate) fn status(&self) -> ConnectionStatus {
        self.inspector.servers.open_connections.status(&self.id)
    }

    /// The server as it was connected last.
    pub(crate) fn spec(&self) -> ServerSpec {
        let spec = self.spec.lock().unwrap_or_else(PoisonError::into_inner);
        spec.clone()
    }

    /// Keeps what the configuration says of the server now.
    pub(crate) fn keep_spec(&self, spec: ServerSpec) {
        *self.spec.lock().unwrap_or_else(PoisonError::into_inner) = spec;
    }

    /// Numbers a request: commands that run at once may ask the same.
    pub(crate) fn next_request(&self) -> u32 {
        self.requests.fetch_add(1, Ordering::Relaxed)
    }

    /// Takes a place among those that wait for the connection.
    ///
    /// # Errors
    /// When too many wait already.
    pub(crate) fn wait(&self) -> Result<SemaphorePermit<'_>, CliError> {
        self.places.try_acquire().map_err(|_| {
            CliError::system(&format!(
                "{} is being connected again, and {MAX_WAITING} commands wait for it already",
                self.name
            ))
        })
    }

    /// Notes that a command uses it, until the guard is dropped.
    pub(crate) fn begin_use(self: &Arc<Self>) -> SessionUse {
        self.used(|usage| usage.commands += 1);
        SessionUse(Arc::clone(self))
    }

    /// Time since it was used last; nothing while it is used.
    pub(crate) fn idle_for(&self) -> Duration {
        let usage = self.usage.lock().unwrap_or_else(PoisonError::into_inner);
        match usage.commands {
            0 => usage.last.elapsed(),
            _ => Duration::ZERO,
        }
    }

    fn used(&self, change: impl FnOnce(&mut Usage)) {
        let mut usage = self.usage.lock().unwrap_or_else(PoisonError::into_inner);
        change(&mut usage);
        usage.last = Instant::now();
    }

    /// Ends the connection, with the server's program.
    pub(crate) async fn close(&self) {
        self.questions.finish().await;
        self.inspector.shutdown().await;
    }

    /// Returns the command that makes it live, where it is not.
    fn recovery(&self, state: KeptState) -> Option<String> {
        match state {
            KeptState::Live => None,
            KeptState::Connecting => Some(format!("sightglass-cli {} ping", self.name)),
            KeptState::Crashed | KeptState::Expired | KeptState::Disconnected => {
                Some(restart(&self.name))
            }
            KeptState::Unauthorized => {
                let project = self.options.project.as_ref().unwrap_or(&self.directory);
                let project = shell_quoted(&project.to_string_lossy());
                let login = self
                    .target
                    .command("login", &format!("--project {project}"));
                Some(login.trim_matches('`').to_owned())
            }
        }
    }

    /// Describes it, with the command that recovers it.
    pub(crate) fn view(&self) -> KeptView {
        let status = self.status();
        let state = KeptState::of(&status);
        KeptView {
            name: self.name.clone(),
            server: self.spec().name,
            directory: self.directory.clone(),
            state,
            reason: status.failure.map(|failure| failure.reason),
            next_try: status.reconnection.and_then(|next| next.next_try),
            recovery: self.recovery(state),
            since: Some(self.since),
            process: status.handshake.and_then(|handshake| handshake.process),
        }
    }
}

/// Use of a session by a command.
pub(crate) struct SessionUse(Arc<NamedSession>);

impl Drop for SessionUse {
    fn drop(&mut self) {
        self.0.used(|usage| usage.commands -= 1);
    }
}

/// State of a session.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub(crate) enum KeptState {
    Live,
    Connecting,
    /// The connection was lost, or could not be made again.
    Crashed,
    /// The server wants a sign-in.
    Unauthorized,
    /// The server forgot the session (MCP, Transports, session management).
    Expired,
    /// It is known by its name alone.
    Disconnected,
}

impl KeptState {
    fn of(status: &ConnectionStatus) -> Self {
        match (status.phase, &status.failure) {
            (phase, _) if phase.is_live() => Self::Live,
            (Phase::Disconnected, _) => Self::Disconnected,
            (Phase::Failed, Some(report)) => match report.failure {
                Failure::SignInRequired { .. }
                | Failure::TokenUnreadable { .. }
                | Failure::ClientRegistrationRequired { .. } => Self::Unauthorized,
                Failure::SessionExpired { .. } => Self::Expired,
                _ => Self::Crashed,
            },
            _ => Self::Connecting,
        }
    }

    /// Returns the word for a user.
    pub(crate) fn word(self) -> &'static str {
        match self {
            Self::Live => "live",
            Self::Connecting => "connecting",
            Self::Crashed => "crashed",
            Self::Unauthorized => "unauthorized",
            Self::Expired => "expired",
            Self::Disconnected => "disconnected",
        }
    }
}

fn restart(name: &SessionName) -> String {
    format!("sightglass-cli restart {name}")
}

/// A session as it is listed.
#[derive(Debug, Clone, Serialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct KeptView {
    pub name: SessionName,
    pub server: String,
    /// The directory in which it was connected.
    pub directory: PathBuf,
    pub state: KeptState,
    /// Reason why it is not live.
    pub reason: Option<String>,
    /// Begin of the next try to connect, where that comes by itself.
    pub next_try: Option<Timestamp>,
    /// Command that makes it live.
    pub recovery: Option<String>,
    /// Absent for one that is not open.
    pub since: Option<Timestamp>,
    /// Process of the server, where it is a program.
    pub process: Option<u32>,
}

/// A session as it is kept on the disk.
#[derive(Debug, Clone, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct StoredSession {
    pub server: String,
    pub directory: PathBuf,
    /// Words of the command that connected it; absent where a secret may be among them.
    pub words: Option<Vec<String>>,
}

/// Sessions by name, as they are kept on the disk.
pub(crate) type StoredSessions = BTreeMap<SessionName, StoredSession>;

impl StoredSession {
    /// Describes it, while it is not open.
    pub(crate) fn view(&self, name: &SessionName) -> KeptView {
        KeptView {
            name: name.clone(),
            server: self.server.clone(),
            directory: self.directory.clone(),
            state: KeptState::Disconnected,
            reason: None,
            next_try: None,
            recovery: Some(match self.words {
                Some(_) => restart(name),
                None => format!(
                    "sightglass-cli connect {} {name}",
                    shell_quoted(&self.server)
                ),
            }),
            since: None,
            process: None,
        }
    }
}
