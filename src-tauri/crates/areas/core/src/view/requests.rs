//! Requests as files, for showing and running them.

use serde::{Deserialize, Serialize};
use sightglass_config::PlanRow;
use sightglass_model::{Millis, ServerId, VerdictCounts};
use sightglass_requests::{CaseReport, RequestPath, RequestProblem};

/// The project's requests.
#[derive(Debug, Clone, Default, PartialEq, Serialize, specta::Type)]
#[serde(rename_all = "camelCase")]
pub struct RequestsView {
    /// The directory that they are in, whether it exists or not.
    pub directory: String,
    /// True if the user opened it in place of the project's own.
    pub is_opened: bool,
    /// In the order in which they run.
    pub requests: Vec<RequestView>,
    pub environments: Vec<String>,
    /// Reason why the directory cannot be read.
    pub problem: Option<String>,
}

/// A request, as the tree shows it.
#[derive(Debug, Clone, PartialEq, Serialize, specta::Type)]
pub struct RequestView {
    pub path: RequestPath,
    /// The name that the file gives it, else the name of the file.
    pub name: String,
    pub tags: Vec<String>,
    /// The name of the configured server; what is reached for an inline one.
    pub server: String,
    pub method: String,
    /// The tool, prompt or resource.
    pub subject: Option<String>,
    /// Reason why it is not run.
    pub skip: Option<String>,
    pub problems: Vec<RequestProblem>,
}

/// A request with its text.
#[derive(Debug, Clone, PartialEq, Serialize, specta::Type)]
pub struct RequestTextView {
    pub request: RequestView,
    pub text: String,
    /// SHA-256 of the text, in hexadecimal digits: what a change starts from.
    pub hash: String,
    pub path: String,
    pub expectations: Vec<ExpectationView>,
}

/// An expectation of a request.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, specta::Type)]
pub struct ExpectationView {
    pub label: String,
    pub line: u32,
}

/// A request that is to be saved as a file.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize, specta::Type)]
pub struct RequestDraftFile {
    /// Folder below the directory of the requests; empty for the directory itself.
    pub folder: String,
    pub name: String,
    pub server: ServerId,
    pub method: String,
    /// JSON text of an object.
    pub params: String,
}

/// An expectation that is to be added.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize, specta::Type)]
pub struct ExpectationDraft {
    pub value: String,
    pub is: String,
    pub not: bool,
    /// JSON text; absent for predicates without an argument.
    pub to: Option<String>,
}

/// Selection of requests.
#[derive(Debug, Clone, Default, PartialEq, Eq, Deserialize, Serialize, specta::Type)]
pub struct RequestSelection {
    /// Requests and folders; empty for all.
    pub paths: Vec<String>,
    pub tag: Option<String>,
    /// The name of a server.
    pub server: Option<String>,
}

/// Options of a run.
#[derive(Debug, Clone, Default, PartialEq, Eq, Deserialize, Serialize, specta::Type)]
#[serde(rename_all = "camelCase")]
pub struct RequestRunOptions {
    pub selection: RequestSelection,
    pub environment: Option<String>,
    /// Write snapshots instead of comparing them.
    pub update: bool,
    /// Stop after the first that does not pass.
    pub fail_fast: bool,
    /// Number of requests that run at a time, in folders of their own.
    pub jobs: u32,
}

/// Something that requests would do and that the user has to approve first: start a server that
/// their files define, or send values from outside of the project to a server.
#[derive(Debug, Clone, PartialEq, Serialize, specta::Type)]
pub struct RequestApproval {
    pub server: ServerId,
    /// The server, as a user knows it.
    pub title: String,
    pub fingerprint: String,
    pub consequences: Vec<String>,
    /// Everything that the server would start or reach, for an inline one.
    pub rows: Vec<PlanRow>,
    /// The values that it would get: `env.TOKEN`, `secret.KEY`.
    pub values: Vec<String>,
    pub files: Vec<RequestPath>,
}

/// A step of a run.
#[derive(Debug, Clone, PartialEq, Serialize, specta::Type)]
#[serde(tag = "type", rename_all = "camelCase")]
pub enum RequestRunEvent {
    Started {
        run: u32,
        paths: Vec<RequestPath>,
    },
    /// The request is being sent.
    Running {
        run: u32,
        path: RequestPath,
    },
    Finished {
        run: u32,
        case: CaseReport,
    },
    Ended {
        run: u32,
        totals: VerdictCounts,
        duration: Millis,
        /// Reason why it could not run at all.
        problem: Option<String>,
    },
    /// Source is watched from now on, or no longer.
    Watching {
        path: Option<String>,
    },
}

/// A server that is started anew whenever its source changes.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, specta::Type)]
pub struct RestartView {
    pub server: ServerId,
    /// The path whose changes count.
    pub path: String,
}
