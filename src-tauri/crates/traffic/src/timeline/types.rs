//! Public types of the timeline.

use serde::{Deserialize, Serialize};
use sightglass_model::{ExchangeId, ServerId, Timestamp};

use crate::{Edge, FilterProblem, Operation, Outcome, TimeSpan, TrafficQuery};

/// Query for a part of the timeline.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, specta::Type)]
#[serde(rename_all = "camelCase")]
pub struct TimelineQuery {
    /// The operations to lay out: those of which a row matches.
    pub query: TrafficQuery,
    /// The stretch of time to draw; all that there is when absent.
    pub time: Option<TimeSpan>,
    /// Its width in pixels; at most 16,384.
    pub width: u32,
    /// The first lane to draw, from 0.
    pub first_lane: u32,
    /// The number of lanes to draw; at most 512.
    pub lanes: u32,
    /// Operations that are drawn as bars however short they are; at most 256 count.
    #[serde(default)]
    pub marked: Vec<ExchangeId>,
    /// Number of buckets of the overview; at most 4,096.
    pub buckets: u32,
}

/// Kind of the operations on one track of a server.
#[derive(
    Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize, specta::Type,
)]
#[serde(rename_all = "camelCase")]
pub enum TimelineTrack {
    /// Requests and notifications of ours.
    Sent,
    /// Requests, notifications and log messages of the server.
    Received,
    /// Requests that became tasks.
    Task,
    /// Streams that stay open: subscriptions, and `GET` requests of Streamable HTTP.
    Stream,
    /// HTTP requests that carried no message on record.
    Http,
    /// Sign-ins.
    SignIn,
    /// Lines of output, and changes of phase.
    Process,
}

/// A track of one server: lanes that stand one beneath another.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, specta::Type)]
#[serde(rename_all = "camelCase")]
pub struct TimelineLanes {
    pub server_id: ServerId,
    /// The server's name, with its project where another project on record has one of that name.
    pub server: String,
    pub track: TimelineTrack,
    /// The first of its lanes.
    pub first: u32,
    /// Number of its lanes.
    pub count: u32,
    /// Number of operations on them.
    pub operations: u32,
}

/// An operation that is drawn as a bar. Bars of one lane never overlap.
#[derive(Debug, Clone, PartialEq, Serialize, specta::Type)]
pub struct TimelineBar {
    pub lane: u32,
    pub operation: ExchangeId,
    pub from: Timestamp,
    /// The end; absent while it goes on.
    pub to: Option<Timestamp>,
    pub outcome: Outcome,
    /// The tool, resource or prompt, or the method; empty where there is no room for it.
    pub label: String,
    /// Times that a person took to answer.
    pub person: Vec<TimeSpan>,
}

/// Operations of one lane that are too short for bars.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, specta::Type)]
pub struct TimelineBin {
    pub lane: u32,
    /// Distance from the left in pixels.
    pub at: u32,
    /// Number of operations.
    pub count: u32,
    /// The worst of their outcomes.
    pub outcome: Outcome,
    /// The first of those with that outcome.
    pub operation: ExchangeId,
}

/// Operations that began in one bucket of the overview.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, specta::Type)]
pub struct TimelineBucket {
    pub count: u32,
    /// The worst of their outcomes.
    pub outcome: Outcome,
}

/// A part of the timeline, bounded by its pixels and not by the operations on record.
#[derive(Debug, Clone, PartialEq, Serialize, specta::Type)]
pub struct Timeline {
    /// The stretch of time that is drawn.
    pub time: TimeSpan,
    /// The first moment on record, and the last; absent where there is nothing.
    pub whole: Option<TimeSpan>,
    /// All tracks, by server.
    pub tracks: Vec<TimelineLanes>,
    pub bars: Vec<TimelineBar>,
    pub bins: Vec<TimelineBin>,
    /// Operations over the whole of the time, in buckets of equal length.
    pub overview: Vec<TimelineBucket>,
    /// Number of operations that are laid out.
    pub total: u32,
    /// False while older operations may still be added: each further query sees more.
    pub complete: bool,
    /// Problem of the filter text, if any.
    pub problem: Option<FilterProblem>,
}

/// Way from one operation to another on the timeline.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, specta::Type)]
#[serde(rename_all = "camelCase")]
pub enum TimelineStep {
    /// The one before on its lane.
    Previous,
    /// The one after on its lane.
    Next,
    /// The nearest in time on the lane above.
    Above,
    /// The nearest in time on the lane beneath.
    Below,
    /// The first of its lane.
    First,
    /// The last of its lane.
    Last,
}

/// Place of an operation on the timeline.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, specta::Type)]
pub struct TimelinePlace {
    pub operation: ExchangeId,
    pub lane: u32,
    pub from: Timestamp,
    /// The end; absent while it goes on.
    pub to: Option<Timestamp>,
}

/// A row of an operation as a bar.
#[derive(Debug, Clone, PartialEq, Serialize, specta::Type)]
pub struct TimelinePart {
    pub row: ExchangeId,
    /// Index of the part that it belongs to; absent for the root.
    pub parent: Option<u32>,
    /// Link to that part.
    pub edge: Option<Edge>,
    pub lane: u32,
    pub from: Timestamp,
    /// The end; absent while it goes on.
    pub to: Option<Timestamp>,
    pub outcome: Outcome,
    pub method: String,
    pub target: String,
    /// True when a person answers it.
    pub person: bool,
}

/// Link of an operation to another.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, specta::Type)]
pub struct TimelineArrow {
    pub edge: Edge,
    /// The operation that caused the other.
    pub cause: ExchangeId,
    pub caused: ExchangeId,
}

/// Stretch of an operation's critical path.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, specta::Type)]
pub struct TimelineSection {
    /// Index of the part.
    pub part: u32,
    pub time: TimeSpan,
}

/// One operation in its parts.
#[derive(Debug, Clone, PartialEq, Serialize, specta::Type)]
#[serde(rename_all = "camelCase")]
pub struct OperationTimeline {
    pub operation: Operation,
    /// Its rows, each before its own parts; the first 500.
    pub parts: Vec<TimelinePart>,
    /// Number of all its rows.
    pub total: u32,
    /// Number of lanes of the parts.
    pub lanes: u32,
    /// The parts that its duration hangs on, the latest first.
    pub critical_path: Vec<TimelineSection>,
    /// Links to other operations; at most 100.
    pub arrows: Vec<TimelineArrow>,
    /// False while older rows may still turn out to belong to it.
    pub complete: bool,
}
