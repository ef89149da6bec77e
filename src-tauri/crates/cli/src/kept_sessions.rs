//! The sessions that the background process keeps.

use std::{
    collections::{BTreeMap, HashMap},
    path::{Path, PathBuf},
    sync::{Arc, Mutex, MutexGuard, PoisonError},
    time::{Duration, Instant},
};

use futures::future::join_all;
use sightglass_inspector::Inspector;
use tokio::sync::{Notify, OwnedMutexGuard};
use tokio_util::sync::CancellationToken;

use crate::{
    error::CliError,
    session::{KeptView, NamedSession, StoredSession, StoredSessions},
    session_name::SessionName,
};

/// Times after which the background process ends what nobody uses.
#[derive(Debug, Clone, Copy)]
pub(crate) struct IdleLimits {
    /// Of the process, while no session is open.
    pub process: Duration,
    /// Of a session.
    pub session: Duration,
}

impl Default for IdleLimits {
    fn default() -> Self {
        Self {
            process: Duration::from_secs(60),
            session: Duration::from_hours(4),
        }
    }
}

/// The sessions that the background process keeps.
pub(crate) struct KeptSessions {
    /// Holds the record of all sessions.
    pub base: Arc<Inspector>,
    data_directory: PathBuf,
    limits: IdleLimits,
    state: Mutex<SessionsState>,
    /// Told when a command ends.
    changed: Notify,
    /// Cancelled when the process is to end.
    pub end: CancellationToken,
}

struct SessionsState {
    open: BTreeMap<SessionName, Arc<NamedSession>>,
    stored: StoredSessions,
    /// Held by the command that opens or closes the session of a name.
    turns: HashMap<SessionName, Arc<tokio::sync::Mutex<()>>>,
    commands: usize,
    last: Instant,
    /// True once the process ends, and takes no more commands.
    is_closing: bool,
}

/// A command that is under way.
pub(crate) struct RunningCommand(Arc<KeptSessions>);

impl Drop for RunningCommand {
    fn drop(&mut self) {
        let mut state = self.0.state();
        state.commands -= 1;
        state.last = Instant::now();
        drop(state);
        self.0.changed.notify_waiters();
    }
}

impl KeptSessions {
    pub(crate) fn new(base: Arc<Inspector>, data_directory: PathBuf, limits: IdleLimits) -> Self {
        Self {
            state: Mutex::new(SessionsState {
                open: BTreeMap::new(),
                stored: read_stored(&data_directory),
                turns: HashMap::new(),
                commands: 0,
                is_closing: false,
                last: Instant::now(),
            }),
            base,
            data_directory,
            limits,
            changed: Notify::new(),
            end: CancellationToken::new(),
        }
    }

    fn state(&self) -> MutexGuard<'_, SessionsState> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Notes that a command is under way, until the guard is dropped. `None` once the process ends.
    pub(crate) fn begin_command(self: &Arc<Self>) -> Option<RunningCommand> {
        let mut state = self.state();
        if state.is_closing {
            return None;
        }
        state.commands += 1;
        Some(RunningCommand(Arc::clone(self)))
    }

    /// Waits until no other command opens or closes the session of a name.
    pub(crate) async fn turn(&self, name: &SessionName) -> OwnedMutexGuard<()> {
        let turn = Arc::clone(self.state().turns.entry(name.clone()).or_default());
        turn.lock_owned().await
    }

    pub(crate) fn find(&self, name: &SessionName) -> Option<Arc<NamedSession>> {
        self.state().open.get(name).cloned()
    }

    pub(crate) fn stored(&self, name: &SessionName) -> Option<StoredSession> {
        self.state().stored.get(name).cloned()
    }

    /// Returns the number of open sessions.
    pub(crate) fn count(&self) -> usize {
        self.state().open.len()
    }

    /// Keeps a session, in memory and on the disk.
    ///
    /// # Errors
    /// When it cannot be written.
    pub(crate) fn insert(
        &self,
        session: Arc<NamedSession>,
        stored: StoredSession,
    ) -> Result<(), CliError> {
        let mut state = self.state();
        state.stored.insert(session.name.clone(), stored);
        state.open.insert(session.name.clone(), session);
        write_stored(&self.data_directory, &state.stored)
    }

    /// Closes a session, and forgets its name. False when there is none.
    ///
    /// # Errors
    /// When that cannot be written.
    pub(crate) async fn close(&self, name: &SessionName) -> Result<bool, CliError> {
        let _turn = self.turn(name).await;
        let (open, is_stored) = {
            let mut state = self.state();
            let is_stored = state.stored.remove(name).is_some();
            write_stored(&self.data_directory, &state.stored)?;
            (state.open.remove(name), is_stored)
        };
        if let Some(session) = &open {
            session.close().await;
        }
        Ok(open.is_some() || is_stored)
    }

    /// Describes all of them, by name.
    pub(crate) fn views(&self) -> Vec<KeptView> {
        let state = self.state();
        let views = state.stored.iter().map(|(name, stored)| {
            let open = state.open.get(name);
            open.map_or_else(|| stored.view(name), |session| session.view())
        });
        views.collect()
    }

    /// Waits until nobody has used the process for a while. Sessions that nobody uses are
    /// disconnected meanwhile; their names stay.
    pub(crate) async fn idle(&self) {
        loop {
            let changed = self.changed.notified();
            let (expired, next) = {
                let mut state = self.state();
                let limit = self.limits.session;
                let expired: Vec<_> = state
                    .open
                    .extract_if(.., |_, session| session.idle_for() >= limit)
                    .collect();
                let of_sessions = state
                    .open
                    .values()
                    .map(|open| limit - open.idle_for().min(limit));
                let of_process = self.limits.process.saturating_sub(state.last.elapsed());
                let may_end = state.open.is_empty() && state.commands == 0;
                let next = match (of_sessions.min(), may_end) {
                    (Some(next), _) => Some(next),
                    (None, true) if of_process.is_zero() => {
                        state.is_closing = true;
                        return;
                    }
                    (None, true) => Some(of_process),
                    (None, false) => None,
                };
                (expired, next)
            };
            for (_, session) in &expired {
                session.close().await;
            }
            if !expired.is_empty() {
                self.state().last = Instant::now();
                continue;
            }
            tokio::select! {
                () = changed => {}
                () = tokio::time::sleep(next.unwrap_or(Duration::MAX)) => {}
            }
        }
    }

    /// Ends all connections, and closes the record. The names of the sessions stay.
    pub(crate) async fn shutdown(&self) {
        let open = {
            let mut state = self.state();
            state.is_closing = true;
            std::mem::take(&mut state.open)
        };
        join_all(open.values().map(|session| session.close())).await;
        self.base.shutdown().await;
    }
}

fn file(data_directory: &Path) -> PathBuf {
    data_directory.join("background").join("sessions.json")
}

/// Reads the sessions that are kept on the disk; none where the file cannot be read.
pub(crate) fn read_stored(data_directory: &Path) -> StoredSessions {
    let text = sightglass_files::read(&file(data_directory)).unwrap_or_default();
    serde_json::from_slice(&text).unwrap_or_default()
}

/// Writes them.
///
/// # Errors
/// When the file cannot be written.
pub(crate) fn write_stored(data_directory: &Path, stored: &StoredSessions) -> Result<(), CliError> {
    let path = file(data_directory);
    let text = serde_json::to_vec(stored).unwrap_or_default();
    let written = sightglass_files::create_private_directory(&data_directory.join("background"))
        .and_then(|()| sightglass_files::replace(&path, &text));
    written.map_err(|error| CliError::unwritten(&path, &error.to_string()))
}
