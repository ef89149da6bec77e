//! A connection that is up: how to speak on it.

use std::{sync::Arc, time::Duration};

use sightglass_model::{Era, HandshakeResult, Phase, TimeLimits};

use crate::{
    board::Board,
    connections::ClientIdentity,
    handshake::{capabilities, implementation},
    json::quoted,
    wire::Wire,
    wishes::Wishes,
};

/// Knows what each request must carry in the era that was found.
pub(crate) struct Speaker {
    pub wire: Arc<Wire>,
    pub era: Era,
    pub wishes: Arc<Wishes>,
    /// Names and JSON texts of the members of `_meta` that the stateless era wants in every
    /// request (MCP 2026-07-28, `_meta`).
    meta: Vec<(&'static str, String)>,
    /// True when log messages have to be asked for with each request.
    ask_for_logs: bool,
}

impl Speaker {
    pub(crate) fn new(
        wire: Arc<Wire>,
        facts: &HandshakeResult,
        identity: &ClientIdentity,
        wishes: Arc<Wishes>,
    ) -> Self {
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
            wishes,
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

    /// The least severe level of log messages that a request of the person's asks for, as
    /// JSON. In the stateless era a server logs only for requests that name a level; a person
    /// who watches wants all of it, unless told otherwise.
    pub(crate) fn log_level(&self) -> Option<String> {
        self.ask_for_logs
            .then(|| quoted(self.wishes.log_level().as_deref().unwrap_or("debug")))
    }

    /// The members of `_meta` for a request of the person's, at the given
    /// [`log_level`](Self::log_level).
    pub(crate) fn call_meta<'a>(&'a self, level: Option<&'a str>) -> Vec<(&'a str, &'a str)> {
        let mut meta = self.meta();
        meta.extend(level.map(|level| ("io.modelcontextprotocol/logLevel", level)));
        meta
    }
}

/// Live session, as the rest of the program sees it.
pub(crate) struct Session {
    pub speaker: Arc<Speaker>,
    pub board: Arc<Board>,
    pub limits: TimeLimits,
}

impl Session {
    /// Returns the time limit of one request without a sign of life.
    pub(crate) fn request_limit(&self) -> Option<Duration> {
        self.limits.for_phase(Phase::Executing)
    }

    /// Returns true when nothing can be sent any more.
    pub(crate) fn has_ended(&self) -> bool {
        self.speaker.wire.is_over()
    }

    /// Shows that a request runs, until the guard is dropped.
    pub(crate) fn start(&self) -> Running<'_> {
        self.board.request_started();
        Running(&self.board)
    }
}

/// A request under way.
pub(crate) struct Running<'a>(&'a Board);

impl Drop for Running<'_> {
    fn drop(&mut self) {
        self.0.request_ended();
    }
}
