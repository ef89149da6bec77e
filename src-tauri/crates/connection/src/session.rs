//! A connection that is up: how to speak on it, and the requests under way.

use std::{
    collections::{BTreeSet, HashMap},
    path::PathBuf,
    sync::{
        Arc, Mutex,
        atomic::{AtomicU64, Ordering},
    },
    time::Duration,
};

use sightglass_model::{Era, HandshakeFacts, Phase, TimeLimits};
use tokio::sync::watch;
use tokio_util::sync::CancellationToken;

use crate::{
    board::Board,
    connections::ClientIdentity,
    handshake::{capabilities, implementation},
    json::quoted,
    sync::lock,
    wire::Wire,
};

/// Knows what each request must carry in the era that was found.
pub(crate) struct Speaker {
    pub wire: Arc<Wire>,
    pub era: Era,
    /// Names and JSON texts of the members of `_meta` that the stateless era wants in every
    /// request (MCP 2026-07-28, `_meta`).
    meta: Vec<(&'static str, String)>,
    /// Whether log messages have to be asked for with each request.
    ask_for_logs: bool,
}

impl Speaker {
    pub(crate) fn new(wire: Arc<Wire>, facts: &HandshakeFacts, identity: &ClientIdentity) -> Self {
        let meta = match facts.era {
            Era::Legacy => Vec::new(),
            Era::Modern => vec![
                (
                    "io.modelcontextprotocol/protocolVersion",
                    quoted(&facts.protocol_version),
                ),
                (
                    "io.modelcontextprotocol/clientInfo",
                    // Plain strings always serialise; without them the member is null.
                    serde_json::to_string(&implementation(identity))
                        .unwrap_or_else(|_| "null".to_owned()),
                ),
                (
                    "io.modelcontextprotocol/clientCapabilities",
                    capabilities().to_string(),
                ),
            ],
        };
        let logs = facts.capabilities.iter().any(|name| name == "logging");
        Self {
            wire,
            era: facts.era,
            meta,
            ask_for_logs: facts.era == Era::Modern && logs,
        }
    }

    /// The members of `_meta` for any request.
    pub(crate) fn meta(&self) -> Vec<(&str, &str)> {
        self.meta
            .iter()
            .map(|(name, value)| (*name, value.as_str()))
            .collect()
    }

    /// The members of `_meta` for a request of the person's. In the stateless era a server
    /// logs only for requests that name a level; a person who watches wants all of it.
    pub(crate) fn call_meta(&self) -> Vec<(&str, &str)> {
        let mut meta = self.meta();
        if self.ask_for_logs {
            meta.push(("io.modelcontextprotocol/logLevel", "\"debug\""));
        }
        meta
    }
}

/// What a live connection offers to the rest of the program.
pub(crate) struct Session {
    pub speaker: Arc<Speaker>,
    pub board: Arc<Board>,
    pub limits: TimeLimits,
    pub roots: Arc<[PathBuf]>,
    /// The resources whose updates are wanted.
    watched: watch::Sender<BTreeSet<String>>,
    /// The person's requests under way, by the person's name for them.
    running: Mutex<HashMap<String, (u64, CancellationToken)>>,
    started: AtomicU64,
}

impl Session {
    pub(crate) fn new(
        speaker: Arc<Speaker>,
        board: Arc<Board>,
        limits: TimeLimits,
        roots: Arc<[PathBuf]>,
        watched: watch::Sender<BTreeSet<String>>,
    ) -> Self {
        Self {
            speaker,
            board,
            limits,
            roots,
            watched,
            running: Mutex::default(),
            started: AtomicU64::new(0),
        }
    }

    /// How long one request may take without a sign of life.
    pub(crate) fn request_limit(&self) -> Option<Duration> {
        self.limits.for_phase(Phase::Executing)
    }

    /// Notes that a request runs, until the guard is dropped.
    pub(crate) fn start(self: &Arc<Self>, key: &str) -> Running {
        let cancel = CancellationToken::new();
        let number = self.started.fetch_add(1, Ordering::Relaxed);
        lock(&self.running).insert(key.to_owned(), (number, cancel.clone()));
        self.board.request_started();
        Running {
            session: Arc::clone(self),
            key: key.to_owned(),
            number,
            cancel,
        }
    }

    /// Changes the set of resources whose updates are wanted.
    pub(crate) fn watch(&self, change: impl FnOnce(&mut BTreeSet<String>) -> bool) {
        self.watched.send_if_modified(change);
    }

    /// Cancels a request; false when there is none of that name.
    pub(crate) fn cancel(&self, key: &str) -> bool {
        match lock(&self.running).get(key) {
            Some((_, cancel)) => {
                cancel.cancel();
                true
            }
            None => false,
        }
    }
}

/// A request under way.
pub(crate) struct Running {
    session: Arc<Session>,
    key: String,
    number: u64,
    pub cancel: CancellationToken,
}

impl Drop for Running {
    fn drop(&mut self) {
        // A later request may have taken the name over.
        let mut running = lock(&self.session.running);
        if running
            .get(&self.key)
            .is_some_and(|(number, _)| *number == self.number)
        {
            running.remove(&self.key);
        }
        drop(running);
        self.session.board.request_ended();
    }
}
