//! Public types of operations.

use serde::{Deserialize, Serialize};
use sightglass_model::{ExchangeId, Millis, Timestamp};

use crate::{ExchangeRow, FilterProblem, Outcome};

/// Certainty of a link between two rows.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize, specta::Type)]
#[serde(rename_all = "camelCase")]
pub enum Certainty {
    /// The messages say so themselves.
    Sure,
    /// Nothing else on record fits.
    Inferred,
}

/// Kind of a link between two rows.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize, specta::Type)]
#[serde(rename_all = "camelCase")]
pub enum EdgeKind {
    /// An HTTP request that carried a message.
    Carrier,
    /// A repeated HTTP request, on which the answer to the message came.
    Repetition,
    /// Progress of a request, by its `progressToken`.
    Progress,
    /// A cancellation, by its `requestId`.
    Cancellation,
    /// A further round of an input-required request (SEP-2322).
    Round,
    /// A request of the server while it worked on one of ours (SEP-2260).
    Question,
    /// A log message that came while the server worked on a request.
    Log,
    /// A message about a task, by its `taskId`.
    Task,
    /// A notification of a subscription, by its `subscriptionId`.
    Subscription,
    /// A sign-in that an HTTP request was refused for, or a further request of one sign-in.
    SignIn,
    /// A list that was read again, since it had changed. Between operations.
    ListRefresh,
    /// A resource that was read, which a result had linked to. Between operations.
    ResourceLink,
    /// A request of the same trace (W3C Trace Context). Between operations.
    Trace,
}

/// Link between two rows.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize, specta::Type)]
pub struct Edge {
    pub kind: EdgeKind,
    pub certainty: Certainty,
}

/// Status of a task, in the words of the tasks extension (SEP-2663).
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize, specta::Type)]
#[serde(rename_all = "snake_case")]
pub enum TaskStatus {
    Working,
    InputRequired,
    Completed,
    Failed,
    Cancelled,
}

/// One operation.
#[derive(Debug, Clone, PartialEq, Serialize, specta::Type)]
#[serde(rename_all = "camelCase")]
pub struct Operation {
    /// The row at its root; its id is the operation's.
    pub root: ExchangeRow,
    /// Number of rows beneath the root.
    pub parts: u32,
    /// Outcome of the whole: that of its last round, or of its task.
    pub outcome: Outcome,
    /// The last status that its task was said to have.
    pub task: Option<TaskStatus>,
    /// Number of times that the request was sent with answers: input-required rounds.
    pub rounds: u32,
    /// Number of requests of the server in it.
    pub questions: u32,
    /// Number of notifications of progress in it.
    pub progress: u32,
    /// Number of its parts that are HTTP requests.
    pub http: u32,
    /// True when a result came after its cancellation.
    pub late_result: bool,
    /// False when a link to one of its parts is inferred.
    pub sure: bool,
    /// Duration from the first request to the last answer; absent while it goes on.
    pub duration: Option<Millis>,
    /// The part of it that a person took to answer.
    pub person_time: Millis,
    /// Times that a person took to answer, merged; at most 100.
    pub person: Vec<TimeSpan>,
    /// True while a person is asked: the last of these times goes on.
    pub waits_for_person: bool,
}

/// Page of operations.
#[derive(Debug, Clone, PartialEq, Serialize, specta::Type)]
#[serde(rename_all = "camelCase")]
pub struct OperationPage {
    /// The operations asked for, in the order in which they began, oldest first.
    pub operations: Vec<Operation>,
    /// Number of operations that match so far: those of which any row does.
    pub total: u32,
    /// Number of operations without the filter, the kinds and the server.
    pub of: u32,
    /// Number of rows of connections that check servers, without phases, as far as they are known.
    pub of_checks: u32,
    /// True when `total` is final: each further query of the same text sees more of older rows.
    pub complete: bool,
    /// The oldest row that was looked at, where the record holds more than can be linked at once.
    pub oldest: Option<ExchangeId>,
    /// Problem of the filter text, if any.
    pub problem: Option<FilterProblem>,
}

/// Query for the tree of an operation.
#[derive(Debug, Clone, PartialEq, Eq, Hash, Serialize, Deserialize, specta::Type)]
pub struct OperationQuery {
    /// Any row of the operation.
    pub id: ExchangeId,
    /// Rows whose parts are left out.
    #[serde(default)]
    pub folded: Vec<ExchangeId>,
}

/// One row of an operation's tree.
#[derive(Debug, Clone, PartialEq, Serialize, specta::Type)]
pub struct OperationNode {
    pub row: ExchangeRow,
    /// Distance from the root, which has 0.
    pub depth: u32,
    /// The row that it is a part of; absent for the root.
    pub parent: Option<ExchangeId>,
    /// Link to that row.
    pub edge: Option<Edge>,
    /// Number of its own parts, without theirs.
    pub parts: u32,
}

/// Moment to moment.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize, specta::Type)]
pub struct TimeSpan {
    pub from: Timestamp,
    pub to: Timestamp,
}

impl TimeSpan {
    /// The part of it that is within another; one that ends before it begins where there is none.
    pub(crate) fn within(self, other: Self) -> Self {
        Self {
            from: match self.from < other.from {
                true => other.from,
                false => self.from,
            },
            to: match other.to < self.to {
                true => other.to,
                false => self.to,
            },
        }
    }
}

/// A page of an operation's tree, in its order: each row stands before its parts, and parts in the
/// order of the wire.
#[derive(Debug, Clone, PartialEq, Serialize, specta::Type)]
pub struct OperationTree {
    pub operation: Operation,
    pub nodes: Vec<OperationNode>,
    /// Number of rows of the tree, without those that are folded away.
    pub total: u32,
    /// False while older rows may still turn out to belong to it.
    pub complete: bool,
}

/// A row that caused another or was caused by it.
#[derive(Debug, Clone, PartialEq, Serialize, specta::Type)]
pub struct RelatedRow {
    pub row: ExchangeRow,
    pub edge: Edge,
}

/// Causes and effects of one row.
#[derive(Debug, Clone, PartialEq, Serialize, specta::Type)]
#[serde(rename_all = "camelCase")]
pub struct Causality {
    pub row: ExchangeRow,
    /// The operation that it is a part of.
    pub operation: ExchangeId,
    /// Causes of it: the rows above it in its tree, nearest first, then those in other operations.
    pub causes: Vec<RelatedRow>,
    /// Effects of it: its parts in the order of the wire, then other operations; at most 1,000.
    pub effects: Vec<RelatedRow>,
    /// Number of all effects.
    pub total_effects: u32,
    /// False while older rows may still turn out to be causes.
    pub complete: bool,
}
