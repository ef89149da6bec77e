use std::{fmt, time::Duration};

use serde::{Deserialize, Serialize};

/// Lifecycle phase of a connection. The only enum that says so.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize, specta::Type)]
#[serde(rename_all = "camelCase")]
pub enum Phase {
    /// No connection, and none wanted.
    Disconnected,
    /// Starting the process, or opening the network connection.
    Connecting,
    /// The first request (`server/discover` or `initialize`) is on its way.
    Initializing,
    /// The server answered; versions and capabilities are being settled.
    Handshaking,
    ListingResources,
    ListingTools,
    ListingPrompts,
    /// Connected and idle.
    Ready,
    /// Connected, with at least one request of the user's own under way.
    Executing,
    /// Closing: streams, session, process.
    CleaningUp,
    /// Stopped for the reason in [`Failure`](crate::Failure).
    Failed,
}

impl Phase {
    pub const ALL: [Phase; 11] = [
        Phase::Disconnected,
        Phase::Connecting,
        Phase::Initializing,
        Phase::Handshaking,
        Phase::ListingResources,
        Phase::ListingTools,
        Phase::ListingPrompts,
        Phase::Ready,
        Phase::Executing,
        Phase::CleaningUp,
        Phase::Failed,
    ];

    /// The name used in configuration files (`phase_timeouts`) and in the record.
    pub fn name(self) -> &'static str {
        match self {
            Phase::Disconnected => "disconnected",
            Phase::Connecting => "connecting",
            Phase::Initializing => "initializing",
            Phase::Handshaking => "handshaking",
            Phase::ListingResources => "listing_resources",
            Phase::ListingTools => "listing_tools",
            Phase::ListingPrompts => "listing_prompts",
            Phase::Ready => "ready",
            Phase::Executing => "executing",
            Phase::CleaningUp => "cleaning_up",
            Phase::Failed => "failed",
        }
    }

    /// Default time limit of this phase unless the configuration says
    /// otherwise; `None` where waiting is not a fault.
    pub fn default_limit(self) -> Option<Duration> {
        let seconds = match self {
            Phase::Disconnected | Phase::Ready | Phase::Failed => return None,
            Phase::Connecting => 15,
            Phase::Initializing | Phase::ListingResources | Phase::ListingTools => 30,
            Phase::ListingPrompts => 30,
            Phase::Handshaking => 10,
            Phase::Executing => 60,
            Phase::CleaningUp => 5,
        };
        Some(Duration::from_secs(seconds))
    }

    /// Returns true when the connection can be used in this phase.
    pub fn is_live(self) -> bool {
        matches!(self, Phase::Ready | Phase::Executing)
    }

    /// Returns true when this phase is part of the start, which ends with [`Phase::Ready`].
    pub fn is_start(self) -> bool {
        !(self.is_live() || self.is_at_rest() || self == Phase::CleaningUp)
    }

    /// Returns true when nothing is open in this phase.
    pub fn is_at_rest(self) -> bool {
        matches!(self, Phase::Disconnected | Phase::Failed)
    }
}

impl fmt::Display for Phase {
    /// The phase in words, as the user reads it.
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(match self {
            Phase::Disconnected => "Disconnected",
            Phase::Connecting => "Connecting",
            Phase::Initializing => "Initializing",
            Phase::Handshaking => "Handshaking",
            Phase::ListingResources => "Listing resources",
            Phase::ListingTools => "Listing tools",
            Phase::ListingPrompts => "Listing prompts",
            Phase::Ready => "Ready",
            Phase::Executing => "Executing",
            Phase::CleaningUp => "Cleaning up",
            Phase::Failed => "Failed",
        })
    }
}
