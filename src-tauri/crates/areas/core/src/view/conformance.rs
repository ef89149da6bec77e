//! Checks of conformance, for showing and running them.

use serde::{Deserialize, Serialize};
use sightglass_checks::{ConformanceReport, SuiteScenario};
use sightglass_model::{Era, Finding, ServerId};

/// Options of a run of conformance checks.
#[derive(Debug, Clone, Default, PartialEq, Eq, Deserialize, specta::Type)]
#[serde(rename_all = "camelCase")]
pub struct ConformanceOptions {
    /// Only this era; both when absent.
    pub era: Option<Era>,
    /// The tool that may be called. Without one no tool is.
    pub tool: Option<String>,
    /// Arguments of a call of that tool, as a JSON object. Without them it is called with none
    /// but arguments that its schema forbids.
    pub arguments: Option<String>,
    /// Run the server scenarios of the official suite too.
    pub suite: bool,
    /// The remote host that the user allowed the suite to be run against.
    pub allowed_host: Option<String>,
}

/// The official suite, as it is or would be installed.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, specta::Type)]
#[serde(rename_all = "camelCase")]
pub struct SuiteView {
    /// The npm package.
    pub package: String,
    pub version: String,
    pub is_installed: bool,
    /// Packages that are downloaded, with what it depends on.
    pub packages: u32,
    /// Mebibytes on the disk.
    pub mebibytes: u32,
    pub directory: String,
}

/// A step of a run of conformance checks.
#[derive(Debug, Clone, PartialEq, Serialize, specta::Type)]
#[serde(tag = "type", rename_all = "camelCase")]
pub enum ConformanceEvent {
    Started {
        server: ServerId,
    },
    Checked {
        server: ServerId,
        check: Finding<Era>,
    },
    Scenario {
        server: ServerId,
        scenario: SuiteScenario,
    },
    Ended {
        server: ServerId,
        report: Option<ConformanceReport>,
        /// Reason why it could not run at all.
        problem: Option<String>,
    },
}
