//! Load runs, for showing and starting them.

use serde::{Deserialize, Serialize};
use sightglass_model::{Era, Millis, ServerId};

/// Options of a load run.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize, specta::Type)]
#[serde(rename_all = "camelCase")]
pub struct LoadOptions {
    pub tool: String,
    /// JSON text of an object.
    pub arguments: String,
    /// Calls per second, of all clients together.
    pub rate: u32,
    /// Connections that call at the same time.
    pub clients: u32,
    /// Duration in seconds.
    pub seconds: u32,
    /// Era to speak; the one that the entry of the server says when absent.
    pub era: Option<Era>,
    /// The remote host that the user allowed to be called.
    pub allowed_host: Option<String>,
    /// True when the user allowed a tool to be called that may change something.
    pub allows_effects: bool,
}

/// Effects of a load run, to be shown before it starts.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, specta::Type)]
#[serde(rename_all = "camelCase")]
pub struct LoadPlan {
    /// The host that would be called, where it is not this machine.
    pub host: Option<String>,
    /// Calls in all.
    pub total: u32,
    /// True unless the tool says that it only reads.
    pub may_have_effects: bool,
}

/// Progress of a load run.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, specta::Type)]
pub struct LoadProgress {
    pub elapsed: Millis,
    /// Calls that have ended.
    pub ended: u32,
    /// Calls of those that failed.
    pub failed: u32,
    pub total: u32,
    pub response: LatencySummary,
}

/// Percentiles of durations.
#[derive(Debug, Clone, Copy, Default, PartialEq, Serialize, specta::Type)]
pub struct LatencySummary {
    pub p50: Millis,
    pub p90: Millis,
    pub p99: Millis,
    pub max: Millis,
}

/// Calls whose response time is within a range.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, specta::Type)]
pub struct LatencyBucket {
    pub from: Millis,
    /// Up to this, which is not included.
    pub to: Millis,
    pub count: u32,
}

/// Calls that failed in the same way.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, specta::Type)]
pub struct LoadError {
    /// `tool error`, `error -32603`, `no answer in time`, `connection lost`.
    pub kind: String,
    pub count: u32,
    /// The beginning of what the first of them said.
    pub example: Option<String>,
}

/// Report of a load run.
#[derive(Debug, Clone, PartialEq, Serialize, specta::Type)]
#[serde(rename_all = "camelCase")]
pub struct LoadReport {
    /// The server, as the user knows it.
    pub server: String,
    pub tool: String,
    pub rate: u32,
    pub clients: u32,
    pub duration: Millis,
    /// Calls that were planned.
    pub total: u32,
    pub succeeded: u32,
    pub failed: u32,
    /// Calls whose time had come when every client still waited for an answer, up to the end.
    pub not_sent: u32,
    /// Calls that were answered per second. Always finite.
    #[specta(type = u32)]
    pub throughput: f64,
    /// Time from the moment at which a call was due to its answer.
    pub response: LatencySummary,
    /// Time from the moment at which a call was sent to its answer.
    pub service: LatencySummary,
    /// Response times.
    pub histogram: Vec<LatencyBucket>,
    pub errors: Vec<LoadError>,
    /// True when it was stopped before its end.
    pub is_stopped: bool,
}

/// A step of a load run.
#[derive(Debug, Clone, PartialEq, Serialize, specta::Type)]
#[serde(tag = "type", rename_all = "camelCase")]
pub enum LoadEvent {
    Started {
        server: ServerId,
        total: u32,
    },
    Progress {
        server: ServerId,
        progress: LoadProgress,
    },
    Ended {
        server: ServerId,
        report: Option<Box<LoadReport>>,
        /// Reason why it could not run at all.
        problem: Option<String>,
    },
}
