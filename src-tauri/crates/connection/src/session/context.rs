//! Builds requests for the era of a session, and holds what is known of a live session.

use std::{sync::Arc, time::Duration};

use sightglass_json_text::quoted;
use sightglass_model::{Era, HandshakeResult, Phase, TimeLimits};

use crate::{
    rpc::peer::Peer, session::handshake::Declaration, session::preferences::SessionPreferences,
    status::publisher::StatusPublisher,
};

/// Request builder for the era that was found.
pub(crate) struct RequestContext {
    pub peer: Arc<Peer>,
    pub era: Era,
    pub preferences: Arc<SessionPreferences>,
    /// Names and JSON texts of the members of `_meta` that the stateless era wants in every
    /// request (MCP 2026-07-28, `_meta`).
    meta: Vec<(&'static str, String)>,
    /// True when log messages have to be asked for with each request.
    ask_for_logs: bool,
    /// True when the server was told that this client has roots.
    pub declares_roots: bool,
}

impl RequestContext {
    pub(crate) fn new(
        peer: Arc<Peer>,
        facts: &HandshakeResult,
        declaration: &Declaration,
        preferences: Arc<SessionPreferences>,
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
                    serde_json::to_string(&declaration.implementation())
                        .unwrap_or_else(|_| "null".to_owned()),
                ),
                (
                    "io.modelcontextprotocol/clientCapabilities",
                    declaration.capabilities(facts.era).to_string(),
                ),
            ],
        };
        let logs = facts.capabilities.iter().any(|name| name == "logging");
        Self {
            peer,
            era: facts.era,
            preferences,
            meta,
            ask_for_logs: facts.era == Era::Modern && logs,
            declares_roots: declaration.declares_roots(),
        }
    }

    /// The members of `_meta` for any request.
    pub(crate) fn meta(&self) -> Vec<(&str, &str)> {
        self.meta
            .iter()
            .map(|(name, value)| (*name, value.as_str()))
            .collect()
    }

    /// The least severe level of log messages that a request of the user's asks for, as
    /// JSON. In the stateless era a server logs only for requests that name a level; a user
    /// who watches wants all of it, unless told otherwise.
    pub(crate) fn log_level(&self) -> Option<String> {
        self.ask_for_logs
            .then(|| quoted(self.preferences.log_level().as_deref().unwrap_or("debug")))
    }

    /// The members of `_meta` for a request of the user's, at the given
    /// [`log_level`](Self::log_level).
    pub(crate) fn call_meta<'a>(&'a self, level: Option<&'a str>) -> Vec<(&'a str, &'a str)> {
        let mut meta = self.meta();
        meta.extend(level.map(|level| ("io.modelcontextprotocol/logLevel", level)));
        meta
    }
}

/// Live session, as the rest of the program sees it.
pub(crate) struct LiveSession {
    pub context: Arc<RequestContext>,
    pub publisher: Arc<StatusPublisher>,
    pub limits: TimeLimits,
}

impl LiveSession {
    /// Returns the time limit of one request without a sign of life.
    pub(crate) fn request_limit(&self) -> Option<Duration> {
        self.limits.for_phase(Phase::Executing)
    }

    /// Returns true when nothing can be sent any more.
    pub(crate) fn has_ended(&self) -> bool {
        self.context.peer.is_over()
    }

    /// Shows that a request runs, until the guard is dropped.
    pub(crate) fn start(&self) -> RunningRequestGuard<'_> {
        self.publisher.request_started();
        RunningRequestGuard(&self.publisher)
    }
}

/// A request under way.
pub(crate) struct RunningRequestGuard<'a>(&'a StatusPublisher);

impl Drop for RunningRequestGuard<'_> {
    fn drop(&mut self) {
        self.0.request_ended();
    }
}
